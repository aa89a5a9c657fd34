"""Makes the level of docs/tutorial.md by the tutorial's steps, and its images; run by tutorial.sh.

    blender -b --python levels/blender/tutorial.py -- OUT.glb [FOLDER OF PICTURES]

Each function `step_...` is a step of the tutorial, and its docstring is the step's title. It follows the step's text with
operators and values. The add-on must be installed, with the program's path in its preferences.
"""

import math
import os
import sys

import bpy
from mathutils import Vector


def cube(name, location, dimensions):
    """Add, Mesh, Cube; then Location and Dimensions in the tab Item of the sidebar."""
    bpy.ops.mesh.primitive_cube_add()
    made = bpy.context.object
    made.name = name
    made.location, made.dimensions = location, dimensions
    bpy.context.view_layer.update()
    return made


def cursor(x, y, z):
    """Location of the 3D cursor in the tab View of the sidebar."""
    bpy.context.scene.cursor.location = (x, y, z)


def select(*names):
    """A click, and clicks with Shift; the last is the active object."""
    bpy.ops.object.select_all(action="DESELECT")
    for name in names:
        bpy.data.objects[name].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[name]


def painted(name, colour, things, **inputs):
    """The tab Material of the properties editor: New, Base Color, Backface Culling."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.use_backface_culling = True
    made.diffuse_color = (*colour, inputs.get("Alpha", 1.0))
    shader = made.node_tree.nodes["Principled BSDF"]
    for key, value in {"Base Color": (*colour, 1.0), "Roughness": 0.8, **inputs}.items():
        shader.inputs[key].default_value = value
    for thing in things:
        bpy.data.objects[thing].data.materials.append(made)
    return made


def step_1():
    """An empty scene"""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()


def step_2():
    """The hall"""
    cube("walls", (0, 0, 2), (8, 6, 4))
    painted("white", (0.8, 0.78, 0.74), ["walls"])
    bpy.ops.opendoor.room(name="hall")


def step_3():
    """The study, a metre higher"""
    cube("study-walls", (6.7, 0, 2.5), (5, 4, 3))
    painted("green", (0.35, 0.5, 0.38), ["study-walls"])
    bpy.ops.opendoor.room(name="study")


def step_4():
    """The garden, under the sky"""
    cube("garden-walls", (0, 7.2, 2.25), (8, 8, 4.5))
    painted("hedge", (0.25, 0.42, 0.16), ["garden-walls"])
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    faces = bpy.data.objects["garden-walls"].data.polygons
    max(faces, key=lambda f: f.center.z).select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="FACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.opendoor.room(name="garden")
    bpy.ops.opendoor.property_set(key="open")


def step_5():
    """A doorway to the study"""
    cube("cutter", (4.1, 0, 2.05), (0.6, 1.1, 2.1))
    bpy.ops.opendoor.cut()


def step_6():
    """A doorway and a window to the garden"""
    cube("cutter", (-1.5, 3.1, 1), (0.9, 0.6, 2))
    bpy.ops.opendoor.cut()
    cube("cutter", (1.5, 3.1, 1.5), (1.6, 0.6, 1.2))
    bpy.ops.opendoor.cut()


def step_7():
    """The stairs"""
    step = cube("step", (1.95, 0, 0.1), (0.3, 2, 0.2))
    landing = cube("landing", (3.5, 0, 0.5), (1, 2, 1))
    select("step")
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.object.modifier_add(type="ARRAY")
    array = step.modifiers[-1]
    array.count = 4
    array.use_relative_offset, array.use_constant_offset = False, True
    array.constant_offset_displace = (0.3, 0, 0.2)
    painted("oak", (0.45, 0.25, 0.12), [step.name, landing.name])
    select("step", "landing", "hall-room")
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)


def step_8():
    """The door"""
    select(portal_at(-1.5, 3.1, 1))
    bpy.ops.opendoor.door(handle="RIGHT", swing="AWAY", angle=90.0, time=0.8)


def step_9():
    """Glass in the window"""
    cube("pane", (1.5, 3.05, 1.5), (1.6, 0.02, 1.2))
    glass = painted("glass", (0.8, 0.9, 0.9), ["pane"], Alpha=0.2, Roughness=0.05)
    glass.blend_method = "BLEND"
    select("pane", "hall-room")
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)


def step_10():
    """Light"""
    select("hall-room")
    cursor(0, 0, 3.5)
    bpy.ops.opendoor.light(kind="POINT", power=100.0)
    select("study-room")
    cursor(6.7, 0, 3.5)
    bpy.ops.opendoor.light(kind="POINT", power=60.0)
    select("garden-room")
    cursor(0, 7, 6)
    bpy.ops.opendoor.light(kind="SUN", power=3.0, colour=(1.0, 0.95, 0.85))
    bpy.context.object.rotation_euler = (math.radians(35), math.radians(25), 0)


def step_11():
    """Where the player starts"""
    select("hall-room")
    cursor(-2, -2, 0)
    bpy.ops.opendoor.spawn(name="player", turned=-45.0)


def step_12():
    """Check"""
    bpy.ops.opendoor.check()
    problems = [f"{p.code} {p.node}: {p.message}" for p in bpy.context.window_manager.opendoor_problems]
    if problems:
        raise SystemExit("\n".join(problems))


STEPS = (step_1, step_2, step_3, step_4, step_5, step_6, step_7, step_8, step_9, step_10, step_11, step_12)
# Steps with an image, after which the view shows something new.
SHOWN = (step_2, step_3, step_4, step_5, step_6, step_7, step_8)


def portal_at(*place):
    """The name of the portal whose middle is at this point, which a click in the view would select."""
    near = [o for o in bpy.data.objects if "-portal" in o.name and (o.matrix_world.translation - Vector(place)).length < 0.1]
    return near[0].name


def picture(path):
    """Renders the whole scene from above the garden's corner; walls are transparent from behind, as in the 3D view."""
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 560, 350, 100
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_backface_culling = "STUDIO", "MATERIAL", True
    shading.show_object_outline = True
    scene.view_settings.view_transform = "Standard"
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location = (-9.0, -11.0, 15.0)
    camera.rotation_euler = (Vector((2.0, 1.9, 0.2)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens = 33.0
    scene.camera = camera
    scene.render.dither_intensity, scene.render.image_settings.color_mode = 0.0, "RGB"
    scene.render.filepath, scene.render.image_settings.compression = path, 100
    bpy.ops.render.render(write_still=True)
    bpy.data.objects.remove(camera)


def main():
    out, *pictures = sys.argv[sys.argv.index("--") + 1:]
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=False)
    bpy.ops.preferences.addon_enable(module="opendoor")
    for number, step in enumerate(STEPS, 1):
        step()
        if pictures and step in SHOWN:
            picture(os.path.join(os.path.abspath(pictures[0]), f"step-{number}.png"))
    bpy.ops.opendoor.export(filepath=os.path.abspath(out))
    if pictures:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(os.path.abspath(pictures[0]), "tutorial.blend"))


main()

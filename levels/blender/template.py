"""Makes template.blend: an empty hall to begin with, and beside it reference objects in their real sizes.

    blender -b --factory-startup --python levels/blender/template.py

Objects in the collection "sizes" are in no room, and so do not belong to the level: the add-on does not export them.
"""

import math
import os

import bpy

# The player's body and abilities (metres, degrees): src/motion and docs/levels.md.
RADIUS, HEIGHT, EYE, STEP, JUMP, SLOPE = 0.35, 1.8, 1.6, 0.4, 1.0, 50.0
# A door's opening, and a wall (metres).
DOOR, WALL = (0.9, 2.0), 0.2


def collection(name):
    made = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(made)
    return made


def put(into, name, data, location=(0, 0, 0), parent=None):
    made = bpy.data.objects.new(name, data)
    into.objects.link(made)
    made.location, made.parent = location, parent
    return made


def mesh(name, points, faces, colour=None):
    made = bpy.data.meshes.new(name)
    made.from_pydata(points, [], faces)
    made.update()
    if colour:
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1.0)
        material.diffuse_color = (*colour, 1.0)
        material.use_backface_culling = True
        made.materials.append(material)
    return made


def box(name, low, high, colour, inwards=False):
    points = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return mesh(name, points, [f[::-1] if inwards else f for f in faces], colour)


def player():
    """Adds a capsule of the size of the player's body, with a nose at eye height; it looks along +Y."""
    around, profile = 16, []
    for k in range(9):
        angle = math.radians(-90 + 22.5 * k)
        profile.append((RADIUS * math.cos(angle), (RADIUS if k < 4 else HEIGHT - RADIUS) + RADIUS * math.sin(angle)))
    points = [(r * math.cos(2 * math.pi * i / around), r * math.sin(2 * math.pi * i / around), z) for r, z in profile for i in range(around)]
    faces = []
    for k in range(len(profile) - 1):
        for i in range(around):
            j = (i + 1) % around
            faces.append((k * around + i, k * around + j, (k + 1) * around + j, (k + 1) * around + i))
    nose = len(points)
    points += [(-0.05, RADIUS - 0.02, EYE - 0.05), (0.05, RADIUS - 0.02, EYE - 0.05), (0, RADIUS - 0.02, EYE + 0.05), (0, RADIUS + 0.12, EYE)]
    faces += [(nose, nose + 1, nose + 3), (nose + 1, nose + 2, nose + 3), (nose + 2, nose, nose + 3)]
    return mesh("player", points, faces, (0.8, 0.4, 0.1))


def label(into, text, location):
    curve = bpy.data.curves.new("label", "FONT")
    curve.body, curve.size, curve.align_x = text, 0.16, "CENTER"
    made = put(into, "label", curve, location)
    made.rotation_euler = (math.radians(90), 0, 0)


def sizes(into, x, y):
    """Adds a row of reference objects in their real sizes, from x on."""
    put(into, "player", player(), (x, y, 0))
    label(into, f"player {HEIGHT} x {2 * RADIUS} m\neyes at {EYE} m", (x, y, HEIGHT + 0.4))
    put(into, "step", box("step", (-0.5, -0.4, 0), (0.5, 0.4, STEP), (0.4, 0.4, 0.5)), (x + 2, y, 0))
    label(into, f"highest step {STEP} m\na good one: 0.2 m", (x + 2, y, STEP + 0.4))
    put(into, "jump", box("jump", (-0.5, -0.4, 0), (0.5, 0.4, JUMP), (0.5, 0.4, 0.4)), (x + 4, y, 0))
    label(into, f"a jump: {JUMP} m", (x + 4, y, JUMP + 0.2))
    run = 1.0 / math.tan(math.radians(SLOPE))
    wedge = [(-run, -0.4, 0), (0, -0.4, 0), (0, -0.4, 1), (-run, 0.4, 0), (0, 0.4, 0), (0, 0.4, 1)]
    put(into, "slope", mesh("slope", wedge, [(0, 1, 2), (5, 4, 3), (0, 3, 4, 1), (1, 4, 5, 2), (0, 2, 5, 3)], (0.4, 0.5, 0.4)), (x + 6.4, y, 0))
    label(into, f"steepest slope {SLOPE:.0f} degrees", (x + 6, y, 1.2))
    for name, low, high, at in (
            ("door-cutter", (0, 0), DOOR, x + 8), ("window-cutter", (0, 0.9), (1.2, 2.1), x + 10)):
        width = high[0]
        data = box(name, (-width / 2, -WALL * 1.5, low[1]), (width / 2, WALL * 1.5, high[1]), (0.3, 0.5, 0.7))
        put(into, name, data, (at, y, 0))
    label(into, f"doorway {DOOR[0]} x {DOOR[1]} m", (x + 8, y, DOOR[1] + 0.2))
    label(into, "window from 0.9 m", (x + 10, y, 2.3))
    label(into, f"walls between rooms {WALL} m", (x + 9, y, 2.8))
    label(into, "a lamp 40-100 W, the sun 3 W/m2", (x + 4, y, 2.8))


def hall(into):
    """A room of 8 x 6 x 3 m with a lamp and a spawn."""
    room = put(into, "hall-room", None)
    put(into, "hall-walls", box("hall-walls", (-4, -3, 0), (4, 3, 3), (0.8, 0.78, 0.74), inwards=True), parent=room)
    lamp = bpy.data.lights.new("hall-light", "POINT")
    lamp.energy, lamp.color = 60.0, (1.0, 0.85, 0.7)
    put(into, "hall-light", lamp, (0, 0, 2.6), room)
    spawn = put(into, "player-spawn", None, (0, -2, 0), room)
    spawn.empty_display_type = "ARROWS"


def main():
    for each in list(bpy.data.objects) + list(bpy.data.collections):
        (bpy.data.objects if isinstance(each, bpy.types.Object) else bpy.data.collections).remove(each)
    bpy.data.orphans_purge(do_recursive=True)
    units = bpy.context.scene.unit_settings
    units.system, units.length_unit, units.scale_length = "METRIC", "METERS", 1.0
    hall(collection("level"))
    sizes(collection("sizes"), -5.0, -6.0)
    for screen in bpy.data.screens:
        for area in screen.areas:
            for space in area.spaces:
                if space.type == "VIEW_3D":
                    # The viewport looks into rooms from outside.
                    space.shading.show_backface_culling, space.shading.color_type = True, "MATERIAL"
                    space.show_region_ui = True
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "template.blend")
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=True)


main()

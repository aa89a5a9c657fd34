"""The contents of an export, and the changes that cause one."""

import math
import os

import bpy
from mathutils import Vector

from .common import TEMP, cube, document, engine, exported, select, test, thing, two_rooms


def move_to_excluded(made, name):
    """Moves an object into a new collection that is excluded from the view layer."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    for each in list(made.users_collection):
        each.objects.unlink(made)
    collection.objects.link(made)
    bpy.context.view_layer.layer_collection.children[name].exclude = True


@test
def only_the_level_is_exported_with_all_that_the_engine_reads():
    portal = two_rooms()
    cube("blueprint", (0, 0, 5), (9, 9, 0.1))
    bpy.ops.object.camera_add()
    steps = cube("steps", (-2, 0, 0.1), (0.3, 1, 0.2))
    steps.modifiers.new("array", "ARRAY").count = 3
    select(steps, thing("hall-room"))
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    portal["two_way"] = False
    portal.hide_set(True)
    thing("study-walls").hide_viewport = True
    select(thing("hall-walls"))
    written = document(exported())
    names = {n["name"] for n in written["nodes"]}
    assert {"study-portal", "study-walls", "hall-walls", "player-spawn"} <= names, names
    assert not names & {"blueprint", "Camera"}, names
    assert "KHR_lights_punctual" in written["extensionsUsed"]
    extras = next(n for n in written["nodes"] if n["name"] == "study-portal")["extras"]
    assert not extras["two_way"], extras
    stairs = next(n for n in written["nodes"] if n["name"] == "steps")
    corners = written["accessors"][written["meshes"][stairs["mesh"]]["primitives"][0]["attributes"]["POSITION"]]["count"]
    assert corners == 72, corners
    assert portal.hide_get() and thing("study-walls").hide_viewport
    assert [o.name for o in bpy.context.selected_objects] == ["hall-walls"] and bpy.context.object.name == "hall-walls"


@test
def the_sizes_of_lights_are_exported():
    two_rooms()
    lamp = next(o for o in bpy.data.objects if o.type == "LIGHT")
    lamp.data.shadow_soft_size = 0.25
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    bpy.context.scene.collection.objects.link(sun)
    sun.data.angle = math.radians(4.0)
    spot = bpy.data.objects.new("spot", bpy.data.lights.new("spot", "SPOT"))
    bpy.context.scene.collection.objects.link(spot)
    spot.data["radius"] = 0.5
    written = {each["name"]: each["extras"] for each in document(exported())["extensions"]["KHR_lights_punctual"]["lights"]}
    assert written[lamp.data.name]["radius"] == 0.25, written
    assert abs(written["sun"]["angle"] - 4.0) < 1e-4, written
    assert written["spot"]["radius"] == 0.5, "the author's own property precedes"
    assert not lamp.data.keys() and not sun.data.keys() and list(spot.data.keys()) == ["radius"], "nothing stays in the scene"


@test
def changes_made_in_edit_mode_are_exported_and_the_mode_stays():
    two_rooms()
    select(thing("hall-walls"))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=1)
    exported()
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    room = next(r for r in engine("check", exported())["rooms"] if r["name"] == "hall")
    assert room["triangles"] > 60, room


def is_written(path):
    """Whether an update writes the level now."""
    from opendoor import exporting
    return exporting.update(bpy.context, path)


@test
def a_level_that_has_not_changed_is_not_written_again():
    portal = two_rooms()
    path = os.path.join(TEMP, "same.glb")
    assert is_written(path)
    data, before = open(path, "rb").read(), os.stat(path).st_mtime_ns
    assert not is_written(path) and os.stat(path).st_mtime_ns == before
    # Changes of objects outside of the level, of editor settings, and of the selection.
    cube("blueprint", (0, 0, 5), (9, 9, 0.1))
    portal.hide_set(True)
    select(thing("hall-walls"))
    thing("hall-walls").color = (1, 0, 0, 1)
    bpy.context.scene.cursor.location = (3, 3, 3)
    assert not is_written(path)
    # The same file after a change that is reverted.
    thing("hall-walls").location.x += 1.0
    assert is_written(path) and not is_written(path)
    thing("hall-walls").location.x -= 1.0
    assert is_written(path) and open(path, "rb").read() == data
    # If another program changes or removes the file, the level is written again.
    with open(path, "ab") as file:
        file.write(b"more")
    assert is_written(path) and open(path, "rb").read() == data
    os.remove(path)
    assert is_written(path) and os.path.exists(path)
    assert is_written(os.path.join(TEMP, "other.glb")), "another file"


@test
def every_change_of_the_level_is_written():
    portal = two_rooms()
    walls, lamp = thing("hall-walls"), next(o for o in bpy.data.objects if o.type == "LIGHT")
    bpy.ops.mesh.primitive_cube_add()
    select(bpy.context.object, thing("hall-room"))
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    lift = thing("Cube")
    steps = lift.modifiers.new("array", "ARRAY")
    paint = bpy.data.materials.new("paint")
    paint.use_nodes = True
    walls.data.materials.append(paint)
    shader = paint.node_tree.nodes["Principled BSDF"]
    picture = bpy.data.images.new("picture", 4, 4)
    pixels = paint.node_tree.nodes.new("ShaderNodeTexImage")
    pixels.image = picture
    walls.data.color_attributes.new("glow", "FLOAT_COLOR", "POINT")
    path = os.path.join(TEMP, "changed.glb")
    assert is_written(path) and not is_written(path)

    def key():
        lift.keyframe_insert("location", frame=1)

    def later():
        action = lift.animation_data.action
        # Blender 5 keeps curves in layers.
        of = action if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbags[0]
        of.fcurves[0].keyframe_points[0].co.y += 1.0

    def smooth():
        walls.data.polygons[0].use_smooth = True

    def remove():
        bpy.data.objects.remove(lift)

    def exclude():
        move_to_excluded(lamp, "hidden")

    changes = {
        "a corner": lambda: setattr(walls.data.vertices[0], "co", Vector((-4, -3, -1.51))),
        "smooth shading": smooth,
        "an object's matrix": lambda: setattr(portal, "location", portal.location + Vector((0, 0, 0.01))),
        "a name": lambda: setattr(portal, "name", "study*x-portal"),
        "a property": lambda: portal.__setitem__("two_way", False),
        "its value": lambda: portal.__setitem__("two_way", True),
        "a property of the scene": lambda: bpy.context.scene.__setitem__("exposure", 1.0),
        "a modifier": lambda: setattr(steps, "count", 3),
        "a lamp": lambda: setattr(lamp.data, "energy", 61.0),
        "its colour": lambda: setattr(lamp.data, "color", (1.0, 0.5, 0.5)),
        "a material's colour": lambda: setattr(shader.inputs["Base Color"], "default_value", (1, 0, 0, 1)),
        "a material's property": lambda: paint.__setitem__("friction", 0.1),
        "a link of its nodes": lambda: paint.node_tree.links.new(shader.inputs["Base Color"], pixels.outputs["Color"]),
        "culling": lambda: setattr(paint, "use_backface_culling", True),
        "pixels": lambda: picture.pixels.__setitem__(0, 0.75),
        "texture coordinates": lambda: setattr(walls.data.uv_layers[0].data[0], "uv", (0.3, 0.4)),
        "vertex colours": lambda: setattr(walls.data.color_attributes[0].data[0], "color", (0.5, 0, 0, 1)),
        "a key": key,
        "its value later": later,
        "the parent": lambda: setattr(lift, "parent", thing("study-room")),
        "an object less": remove,
        "an excluded collection": exclude,
    }
    for what, change in changes.items():
        change()
        assert is_written(path), what
        assert not is_written(path), what
    del bpy.context.scene["exposure"]
    bpy.data.collections.remove(bpy.data.collections["hidden"])


def lost():
    """The names of objects, each with the description of its missing part."""
    bpy.ops.opendoor.check()
    lines = [p for p in bpy.context.window_manager.opendoor_problems if p.code == "not-exported"]
    return [(p.node, p.message) for p in lines]


def in_hall(made):
    select(made, thing("hall-room"))
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    return made


@test
def what_gltf_does_not_keep_is_listed_with_its_cure():
    two_rooms()
    table = in_hall(cube("table", (-2, 1, 0.4), (1, 1, 0.8)))
    assert lost() == [], lost()
    bpy.ops.object.light_add(type="AREA", location=(0, 0, 2.5))
    lamp = in_hall(bpy.context.object)
    assert [(n, "area" in m) for n, m in lost()] == [(lamp.name, True)], lost()
    lamp.data.type = "POINT"
    assert lost() == [], lost()
    material = bpy.data.materials.new("marble")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    noise = nodes.new("ShaderNodeTexNoise")
    table.data.materials.append(material)
    assert lost() == [], "it leads nowhere"
    surface = next(n for n in nodes if n.type == "BSDF_PRINCIPLED")
    links.new(noise.outputs["Color"], surface.inputs["Base Color"])
    assert [(n, "marble" in m and "Noise" in m) for n, m in lost()] == [("table", True)], lost()
    table.data.materials.clear()
    modifier = table.modifiers.new("bevel", "BEVEL")
    assert lost() == [], "the exporter applies it"
    modifier.show_viewport = False
    assert [(n, "bevel" in m) for n, m in lost()] == [("table", True)], lost()
    modifier.show_viewport = True
    table.modifiers.clear()
    thing("study-portal").hide_viewport = True
    table.hide_set(True)
    assert lost() == [], "both are hidden to work on the rest"
    table.hide_set(False)
    table.hide_render = True
    assert [(n, "disabled" in m) for n, m in lost()] == [("table", True)], lost()
    table.hide_render = False
    select(table)
    bpy.ops.rigidbody.object_add()
    assert [(n, "rigid bodies" in m) for n, m in lost()] == [("table", True)], lost()
    bpy.ops.rigidbody.object_remove()
    move_to_excluded(table, "store")
    assert [(n, "excluded" in m) for n, m in lost()] == [("table", True)], lost()
    assert "table" not in {n["name"] for n in document(exported())["nodes"]}
    bpy.context.view_layer.layer_collection.children["store"].exclude = False
    assert lost() == [], lost()
    assert "table" in {n["name"] for n in document(exported())["nodes"]}


@test
def modifiers_that_are_off_in_the_viewport_are_not_in_the_file_as_the_list_says():
    two_rooms()
    table = in_hall(cube("table", (-2, 1, 0.4), (1, 1, 0.8)))
    table.modifiers.new("array", "ARRAY").count = 3

    def corners():
        written = document(exported())
        node = next(n for n in written["nodes"] if n["name"] == "table")
        return written["accessors"][written["meshes"][node["mesh"]]["primitives"][0]["attributes"]["POSITION"]]["count"]

    assert corners() == 72, corners()
    table.modifiers["array"].show_viewport = False
    assert corners() == 24, corners()

"""Drives each operator of the add-on in Blender without a window, and checks what it did; run it by test.sh.

Whatever can be asked of the engine is asked of it: what a level is, whether it is good, where a walk ends.
"""

import json
import math
import os
import re
import subprocess
import sys
import time
import traceback
import zipfile

import bpy
from mathutils import Matrix, Vector

ZIP = sys.argv[sys.argv.index("--") + 1]
TEMP = os.path.dirname(ZIP)
# Two portals or points this near are one.
NEAR = 1e-4


TESTS = []


def test(function):
    """Marks a test."""
    TESTS.append(function)
    return function


# --- what the tests share ------------------------------------------------------------------------

def clean():
    """An empty scene without data."""
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for collection in (bpy.data.objects, bpy.data.meshes, bpy.data.lights, bpy.data.materials, bpy.data.cameras):
        for each in list(collection):
            collection.remove(each)
    bpy.context.window_manager.opendoor_problems.clear()


def cube(name, location, dimensions):
    bpy.ops.mesh.primitive_cube_add()
    made = bpy.context.object
    made.name, made.location, made.dimensions = name, location, dimensions
    bpy.context.view_layer.update()
    return made


def select(*things):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
        bpy.context.view_layer.objects.active = thing


def two_rooms(cut=True):
    """A hall and a study to its right, with a doorway between them."""
    clean()
    cube("hall-walls", (0, 0, 1.5), (8, 6, 3))
    bpy.ops.opendoor.room(name="hall")
    cube("study-walls", (6.7, 0, 1.5), (5, 4, 3))
    bpy.ops.opendoor.room(name="study")
    bpy.context.scene.cursor.location = (0, 0, 0)
    select(thing("hall-room"))
    bpy.ops.opendoor.spawn(turned=-90.0)
    bpy.context.scene.cursor.location = (0, 0, 2.5)
    bpy.ops.opendoor.light(power=60.0)
    if cut:
        cube("cutter", (4.1, 0, 1.0), (0.6, 1.0, 2.0))
        bpy.ops.opendoor.cut()
    return bpy.context.object


def thing(name):
    return bpy.data.objects[name]


def front(portal):
    return (portal.matrix_world.to_3x3() @ portal.data.polygons[0].normal).normalized()


def exported(name="level"):
    path = os.path.join(TEMP, f"{name}.glb")
    bpy.ops.opendoor.export(filepath=path)
    return path


def document(path):
    """The JSON of a .glb."""
    data = open(path, "rb").read()
    return json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])


def engine(*arguments):
    return json.loads(subprocess.run(["opendoor", *arguments, "--json"], capture_output=True, text=True).stdout)


def problems():
    """The codes of all that the engine finds."""
    answer = engine("check", exported())
    return [p["code"] for p in answer["errors"] + answer["warnings"]]


def refused(operator, **values):
    """Whether an operator reports an error."""
    try:
        operator(**values)
    except RuntimeError as error:
        return "Traceback" not in str(error)
    return False


def walked(room, *lines):
    """Walks these lines of a walk file, and expects the end to be in this room."""
    walk = os.path.join(TEMP, "level.walk")
    with open(walk, "w") as file:
        file.write("\n".join(lines))
    answer = engine("sim", exported(), "--body", "player", "--walk", walk)
    assert answer["end"]["room"] == room, answer["end"]
    return answer


def program(script):
    """A program that does this instead of the engine."""
    path = os.path.join(TEMP, "stub")
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o755)
    return path


# --- the tests -----------------------------------------------------------------------------------

def the_zip_has_both_manifests_and_is_the_same_again():
    with zipfile.ZipFile(ZIP) as archive:
        names = archive.namelist()
    assert {"opendoor/__init__.py", "opendoor/blender_manifest.toml"} <= set(names), names
    assert all(n.endswith((".py", ".toml")) for n in names), names
    again = os.path.join(TEMP, "again.zip")
    subprocess.run(["python3", os.path.join(os.path.dirname(os.path.abspath(__file__)), "package.py"), again], check=True)
    assert open(ZIP, "rb").read() == open(again, "rb").read()


@test
def a_room_of_the_selection_has_its_meshes_below_it_where_they_were_facing_inwards():
    clean()
    box, chair = cube("box", (1, 2, 1.5), (4, 4, 3)), cube("chair", (1, 2, 0.3), (0.5, 0.5, 0.6))
    select(box, chair)
    bpy.ops.opendoor.room(name="hall")
    room = thing("hall-room")
    assert room.type == "EMPTY" and box.parent == chair.parent == room
    assert (box.matrix_world.translation - Vector((1, 2, 1.5))).length < NEAR
    assert (room.matrix_world.translation - Vector((1, 2, 0))).length < NEAR
    inwards = [p.normal.dot(-p.center) > 0 for p in box.data.polygons]
    assert all(inwards) and not any(p.normal.dot(-p.center) > 0 for p in chair.data.polygons)
    answer = engine("check", exported())
    assert [r["name"] for r in answer["rooms"]] == ["hall"] and answer["triangles"] == 24, answer


@test
def a_second_room_of_one_name_is_refused():
    two_rooms()
    cube("more", (20, 0, 0), (1, 1, 1))
    assert refused(bpy.ops.opendoor.room, name="hall")
    assert thing("more").parent is None


@test
def a_cut_opening_joins_two_rooms_and_its_portal_faces_out():
    portal = two_rooms()
    assert portal.name == "study-portal" and portal.parent == thing("hall-room")
    assert front(portal).dot(Vector((1, 0, 0))) > 0.999
    assert (portal.matrix_world.translation - Vector((4.1, 0, 1.0))).length < NEAR
    assert problems() == []
    walked("study", "goto 6.5 0")


@test
def an_opening_is_cut_into_turned_and_scaled_rooms():
    clean()
    cube("hall-walls", (0, 0, 1.5), (8, 6, 3))
    bpy.ops.opendoor.room(name="hall")
    cube("study-walls", (6.7, 0, 1.5), (5, 4, 3))
    bpy.ops.opendoor.room(name="study")
    cutter = cube("cutter", (4.1, 0, 1.0), (0.6, 1.0, 2.0))
    turn = Matrix.Rotation(math.radians(30), 4, "Z")
    for each in (thing("hall-room"), thing("study-room"), cutter):
        each.matrix_world = turn @ each.matrix_world
    bpy.context.view_layer.update()
    select(cutter)
    bpy.ops.opendoor.cut()
    select(thing("hall-room"))
    bpy.context.scene.cursor.location = (0, 0, 0)
    bpy.ops.opendoor.spawn()
    assert [c for c in problems() if c.startswith("portal")] == []
    assert len(engine("check", exported())["portals"]) == 1


@test
def a_window_and_a_doorway_fit_in_one_wall():
    two_rooms()
    cube("cutter", (4.1, 1.2, 1.6), (0.6, 0.8, 0.8))
    bpy.ops.opendoor.cut()
    assert problems() == []
    assert len(engine("check", exported())["portals"]) == 2


@test
def a_box_through_no_two_walls_cuts_nothing():
    two_rooms(cut=False)
    cutter = cube("cutter", (-4.0, 0, 1.0), (0.6, 1.0, 2.0))
    before = len(thing("hall-walls").data.polygons)
    assert refused(bpy.ops.opendoor.cut)
    assert cutter.name in bpy.data.objects and len(thing("hall-walls").data.polygons) == before


@test
def a_box_through_a_pillar_of_one_room_cuts_nothing():
    two_rooms(cut=False)
    pillar = cube("pillar", (-2, 0, 1.5), (0.4, 0.4, 3))
    select(pillar, thing("hall-room"))
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    cube("cutter", (-2, 0, 1.0), (0.8, 0.2, 1.0))
    assert refused(bpy.ops.opendoor.cut)
    assert len(pillar.data.polygons) == 6


@test
def holes_between_rooms_are_found_and_closed():
    portal = two_rooms()
    bpy.data.objects.remove(portal)
    assert engine("check", exported())["portals"] == []
    bpy.ops.opendoor.portals()
    answer = engine("check", exported())
    assert len(answer["portals"]) == 1 and answer["portals"][0]["area"] - 2.0 < NEAR, answer["portals"]
    bpy.ops.opendoor.portals()
    assert len(engine("check", exported())["portals"]) == 1
    assert problems() == []


@test
def holes_to_the_outside_get_no_portal():
    two_rooms(cut=False)
    walls = thing("hall-walls")
    select(walls)
    open_side = min(walls.data.polygons, key=lambda p: p.center.x).index
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    walls.data.polygons[open_side].select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="FACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.opendoor.portals()
    assert not [o for o in bpy.data.objects if "portal" in o.name]


@test
def a_hole_that_is_not_convex_gets_no_portal():
    clean()
    # Two halves of an L-shaped tunnel, without an end where they meet.
    outline = [(0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4)]
    for name, near, far in (("hall", -4.0, 0.0), ("study", 4.0, 0.0)):
        points = [(x, y, z) for x in (near, far) for y, z in outline]
        faces = [[k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k] for k in range(6)] + [[5, 4, 3, 2, 1, 0]]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(points, [], faces)
        walls = bpy.data.objects.new(f"{name}-walls", mesh)
        bpy.context.collection.objects.link(walls)
        bpy.context.view_layer.update()
        select(walls)
        bpy.ops.opendoor.room(name=name)
    bpy.ops.opendoor.portals()
    assert not [o for o in bpy.data.objects if "portal" in o.name]
    from opendoor import openings
    assert ["not convex" in o.fault for o in openings.survey(bpy.context)] == [True, True]


@test
def one_edge_of_a_hole_makes_a_portal_of_the_whole():
    portal = two_rooms()
    bpy.data.objects.remove(portal)
    walls = thing("hall-walls")
    select(walls)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="EDGE")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.mesh.select_non_manifold()
    bpy.ops.object.mode_set(mode="OBJECT")
    chosen = [e for e in walls.data.edges if e.select]
    assert len(chosen) == 4, len(chosen)
    for edge in chosen[1:]:
        edge.select = False
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.opendoor.portal()
    made = bpy.context.object
    assert made.name.startswith("study-portal") and front(made).x > 0.999, (made.name, front(made))
    assert problems() == []


@test
def a_loop_that_is_no_hole_makes_a_portal_away_from_the_middle():
    two_rooms(cut=False)
    walls = thing("hall-walls")
    select(walls)
    right = max(walls.data.polygons, key=lambda p: p.center.x)
    corners = set(right.vertices)
    for each in list(walls.data.polygons) + list(walls.data.edges) + list(walls.data.vertices):
        each.select = False
    for edge in walls.data.edges:
        edge.select = set(edge.vertices) <= corners
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="EDGE")
    bpy.ops.opendoor.portal()
    assert front(bpy.context.object).x > 0.999


@test
def edges_that_are_no_loop_are_refused():
    two_rooms(cut=False)
    walls = thing("hall-walls")
    select(walls)
    for each in list(walls.data.polygons) + list(walls.data.edges) + list(walls.data.vertices):
        each.select = False
    walls.data.edges[0].select = True
    bpy.ops.object.mode_set(mode="EDIT")
    assert refused(bpy.ops.opendoor.portal)
    bpy.ops.object.mode_set(mode="OBJECT")


@test
def a_flipped_portal_faces_the_other_way_and_back():
    portal = two_rooms()
    select(portal)
    bpy.ops.opendoor.flip()
    assert front(portal).x < -0.999
    assert "portal-backwards" in problems()
    bpy.ops.opendoor.flip()
    assert front(portal).x > 0.999 and problems() == []


@test
def linked_rooms_get_missing_portals_and_right_names():
    portal = two_rooms()
    portal.name = "stduy-portal"
    select(thing("hall-walls"), thing("study-walls"))
    bpy.ops.opendoor.link()
    assert portal.name == "study-portal"
    bpy.data.objects.remove(portal)
    select(thing("hall-room"), thing("study-walls"))
    bpy.ops.opendoor.link()
    assert len(engine("check", exported())["portals"]) == 1 and problems() == []


@test
def doors_open_to_the_side_that_was_chosen_and_bodies_pass():
    for handle in ("LEFT", "RIGHT"):
        for swing in ("AWAY", "TOWARDS"):
            select(two_rooms())
            bpy.ops.opendoor.door(handle=handle, swing=swing)
            door = bpy.context.object
            assert door.name == "study-door" and door.parent == thing("hall-room")
            # The open panel: turned about its own Z, as the engine does.
            turned = door.matrix_world @ Matrix.Rotation(math.radians(door["angle"]), 4, "Z")
            middle = sum((turned @ v.co for v in door.data.vertices), Vector()) / len(door.data.vertices)
            assert (middle.x > 4.3) == (swing == "AWAY") and (middle.x < 3.9) == (swing == "TOWARDS"), middle
            # Who looks along +X has +Y on the left, where the hinge is if the handle is on the right.
            assert (middle.y > 0.0) == (handle == "RIGHT"), (handle, middle)
            assert problems() == [], (handle, swing, problems())
            walked("study", "goto 2.5 0", "open study-portal", "wait 1", "goto 6.0 0")
            walked("hall", "goto 6.0 0")


@test
def a_selected_mesh_becomes_the_panel_where_it_stands():
    portal = two_rooms()
    panel = cube("oak", (4.1, 0, 1.0), (0.05, 1.004, 2.004))
    before = sorted(tuple(round(c, 4) for c in panel.matrix_world @ v.co) for v in panel.data.vertices)
    select(panel, portal)
    bpy.ops.opendoor.door(time=1.5)
    bpy.context.view_layer.update()
    after = sorted(tuple(round(c, 4) for c in panel.matrix_world @ v.co) for v in panel.data.vertices)
    assert before == after and panel.name == "study-door" and panel["time"] == 1.5
    assert problems() == [], problems()


@test
def movers_triggers_and_switches_get_their_properties():
    two_rooms()
    room = thing("hall-room")
    lift = cube("lift", (-2, 1, 0.1), (1, 1, 0.2))
    mat = cube("mat", (-2, -1, 0.5), (1, 1, 1))
    knob = cube("knob", (-3.9, 0, 1.2), (0.1, 0.1, 0.1))
    for each in (lift, mat, knob):
        select(each, room)
        bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    select(lift)
    bpy.ops.opendoor.mover(motion="slide", distance=2.0, time=2.0, cycle="call")
    assert lift.name == "lift-mover" and lift["distance"] == 2.0 and lift["axis"] == "z"
    select(lift, mat)
    bpy.ops.opendoor.trigger(once=True)
    assert mat.name == "mat-trigger" and mat["target"] == "lift-mover" and mat["once"]
    select(lift, knob)
    bpy.ops.opendoor.switch()
    assert knob.name == "knob-switch" and knob["target"] == "lift-mover"
    assert problems() == [], problems()
    answer = walked("hall", "goto -2 1", "wait_until mover_started lift-mover", "wait 3")
    kinds = [event["kind"] for event in answer["events"]]
    assert "entered" in kinds and "mover_arrived" in kinds, kinds


@test
def lights_and_spawns_are_where_the_cursor_is_in_the_room_of_the_active_object():
    two_rooms()
    select(thing("study-walls"))
    bpy.context.scene.cursor.location = (6, 1, 2)
    bpy.ops.opendoor.light(kind="SPOT", power=25.0)
    lamp = bpy.context.object
    assert lamp.parent == thing("study-room") and lamp.data.energy == 25.0 and lamp.data.type == "SPOT"
    select(thing("study-walls"))
    bpy.context.scene.cursor.location = (6, 1, 0)
    bpy.ops.opendoor.spawn(name="second", turned=90.0)
    spawns = {s["name"]: s for s in engine("check", exported())["spawns"]}
    assert spawns["second-spawn"]["room"] == "study"
    assert all(abs(a - b) < 1e-3 for a, b in zip(spawns["second-spawn"]["position"], (6, 0, -1))), spawns


@test
def properties_are_set_within_their_limits_and_removed():
    two_rooms()
    select(thing("hall-walls"))
    bpy.context.object.data.materials.append(bpy.data.materials.new("ice"))
    ice = bpy.data.materials["ice"]
    bpy.ops.opendoor.property_set(where="MATERIAL", key="friction")
    assert abs(ice["friction"] - 0.7) < 1e-9
    assert ice.id_properties_ui("friction").as_dict()["min"] == 0.0
    bpy.ops.opendoor.property_clear(where="MATERIAL", key="friction")
    assert "friction" not in ice
    bpy.ops.opendoor.property_set(where="SCENE", key="sky_zenith")
    assert len(bpy.context.scene["sky_zenith"]) == 3
    bpy.ops.opendoor.property_clear(where="SCENE", key="sky_zenith")
    lift = cube("lift-mover", (-2, 1, 0.1), (1, 1, 0.2))
    bpy.ops.opendoor.property_set(key="cycle", word="loop")
    assert lift["cycle"] == "loop"
    assert refused(bpy.ops.opendoor.property_set, key="cycle", word="sometimes")
    assert refused(bpy.ops.opendoor.property_set, key="friction")


@test
def every_property_that_the_panels_offer_is_known_to_the_engine():
    from opendoor import properties
    portal = two_rooms()
    select(portal)
    bpy.ops.opendoor.door()
    room = thing("hall-room")
    made = {"door": bpy.context.object, "room": thing("study-room"), "portal": portal}
    for role, at in (("mover", (-2, 1, 0.1)), ("trigger", (-2, -1, 0.5)), ("switch", (-3.9, 0, 1.2))):
        made[role] = cube(f"a-{role}", at, (0.2, 0.2, 0.2))
        select(made[role], room)
        bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    for role, target in made.items():
        for each in properties.OF_ROLE[role]:
            # The way of rooms, and names of things that are not there, are other matters.
            if (role == "room" and each.key != "open") or each.default == "" or each.key in ("path", "conveyor"):
                continue
            for word in each.choices or ("",):
                select(target)
                bpy.ops.opendoor.property_set(key=each.key, word=word)
                found = [c for c in problems() if c.endswith("-property") or c == "room-open" or c == "portal-two-way"]
                assert found == [], (role, each.key, word, found)
            bpy.ops.opendoor.property_clear(key=each.key)
    # And one that it does not know, so that this test can fail.
    made["mover"]["cycle"] = "sometimes"
    assert "mover-property" in problems()


@test
def problems_are_listed_and_jumped_to():
    portal = two_rooms()
    portal.name = "attic-portal"
    bpy.ops.opendoor.check()
    listed = bpy.context.window_manager.opendoor_problems
    found = [i for i, p in enumerate(listed) if p.node == "attic-portal"]
    assert found and listed[found[0]].is_error and listed[found[0]].message, [p.code for p in listed]
    bpy.context.scene.cursor.location = (0, 0, 0)
    select(thing("hall-room"))
    bpy.ops.opendoor.jump(index=found[0])
    assert bpy.context.object == portal and portal.select_get()
    assert (bpy.context.scene.cursor.location - Vector((4.1, 0, 1.0))).length < 0.2, bpy.context.scene.cursor.location
    portal.name = "study-portal"
    bpy.ops.opendoor.check()
    assert len(listed) == 0


@test
def a_place_in_the_engines_axes_is_jumped_to_in_blenders():
    two_rooms()
    answer = {"errors": [], "warnings": [{"code": "a", "node": "hall-walls", "message": "b", "position": [1.0, 3.0, -2.0]}]}
    settings = bpy.context.preferences.addons["opendoor"].preferences
    settings.binary = program(f"echo '{json.dumps(answer)}'")
    bpy.ops.opendoor.check()
    settings.binary = ""
    bpy.ops.opendoor.jump(index=0)
    assert (bpy.context.scene.cursor.location - Vector((1, 2, 3))).length < NEAR
    assert bpy.context.object == thing("hall-walls")
    views = [a.spaces.active.region_3d for a in bpy.context.screen.areas if a.type == "VIEW_3D"]
    assert views and all((v.view_location - Vector((1, 2, 3))).length < NEAR for v in views)


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


@test
def play_starts_where_the_view_is_and_leaves_the_running_one_to_reload():
    from opendoor import exporting
    two_rooms()
    log = os.path.join(TEMP, "played")
    settings = bpy.context.preferences.addons["opendoor"].preferences
    settings.binary = program(f'[ "$2" = --help ] && echo --timings && exit\necho "$@" >> {log}\nexec sleep 60')
    eye = Matrix.Translation((6.5, 1, 1.6)) @ Matrix.Rotation(math.radians(90), 4, "X")
    with exporting.spawn_at(bpy.context, eye) as moved:
        assert moved
        spawns = engine("check", exported())["spawns"]
        here = next(s for s in spawns if s["name"] == "player-spawn")
        assert here["room"] == "study" and abs(here["position"][0] - 6.5) < 1e-3, spawns
        assert "spawn-outside" not in problems()
        start = engine("sim", exported(), "--body", "player")["start"]
        assert start["room"] == "study", start
    assert [(s["name"], s["position"][0]) for s in engine("check", exported())["spawns"]] == [("player-spawn", 0.0)]
    with exporting.spawn_at(bpy.context, Matrix.Translation((0, 0, 30))) as moved:
        assert not moved
    bpy.ops.opendoor.play()
    first = exporting._running["process"]
    waited = time.monotonic()
    while not os.path.exists(log) and time.monotonic() - waited < 10:
        time.sleep(0.05)
    bpy.ops.opendoor.play()
    assert exporting._running["process"] is first and first.poll() is None
    first.kill()
    first.wait()
    started = open(log).read().split()
    assert started[0] == "play" and started[1].endswith(".glb") and len(started) == 2, started
    assert engine("check", started[1])["ok"]
    settings.binary = ""


@test
def without_the_program_one_is_told_where_to_choose_it():
    two_rooms()
    settings = bpy.context.preferences.addons["opendoor"].preferences
    settings.binary = os.path.join(TEMP, "nothing")
    assert refused(bpy.ops.opendoor.check) and refused(bpy.ops.opendoor.play)
    settings.binary = ""


@test
def the_template_is_a_good_level_with_the_hall_alone():
    bpy.ops.wm.open_mainfile(filepath=os.path.join(os.path.dirname(os.path.abspath(__file__)), "template.blend"))
    answer = engine("check", exported("template"))
    assert [r["name"] for r in answer["rooms"]] == ["hall"] and answer["triangles"] == 12, answer
    assert answer["lights"] == 1 and len(answer["spawns"]) == 1 and not answer["errors"] + answer["warnings"], answer
    # A cutter of the template, put between two rooms of its size, is a doorway.
    select(thing("door-cutter"))
    assert [round(d, 3) for d in bpy.context.object.dimensions] == [0.9, 0.6, 2.0]


@test
def the_tutorial_says_what_its_script_does():
    here = os.path.dirname(os.path.abspath(__file__))
    text = open(os.path.join(here, "..", "..", "docs", "tutorial.md")).read()
    script = open(os.path.join(here, "tutorial.py")).read()
    steps = re.findall(r'\ndef step_(\d+)\(\):\n    """(.*)"""\n((?:    .*\n|\n(?=    ))*)', script)
    assert len(steps) == 12, [s[0] for s in steps]
    for number, title, body in steps:
        heading = f"\n### {number}. {title}\n"
        assert heading in text, heading
        section = re.split(r"\n##+ ", text.split(heading)[1])[0]
        boxes = re.findall(r'cube\("([\w-]+)", \(([^)]*)\), \(([^)]*)\)\)', body)
        for name, location, dimensions in boxes:
            row = f"| `{name}` | {location} | {dimensions} |"
            assert row in section, row
        assert len(re.findall(r"\n\| `[\w-]+` \| [-\d., ]+ \| [-\d., ]+ \|", section)) == len(boxes), number
        for values in re.findall(r"cursor\(([^)]*)\)", body):
            assert values in section, values
        for name in re.findall(r'(?:room\(name=|painted\()"([\w-]+)"', body):
            assert f"`{name}`" in section, name


@test
def the_add_on_can_be_switched_off_and_on():
    two_rooms()
    from opendoor import panels
    assert panels.wrapped("one two three four five six seven", 20) == ["one two three four", "five six seven"]
    bpy.ops.preferences.addon_disable(module="opendoor")
    assert not hasattr(bpy.types, "OPENDOOR_PT_level")
    bpy.ops.preferences.addon_enable(module="opendoor")
    assert hasattr(bpy.types, "OPENDOOR_PT_level")


def the_zip_is_an_extension_too():
    two_rooms()
    bpy.ops.preferences.addon_disable(module="opendoor")
    bpy.ops.extensions.package_install_files(filepath=ZIP, repo="user_default", enable_on_install=True)
    module = "bl_ext.user_default.opendoor"
    try:
        bpy.context.preferences.addons[module].preferences.binary = os.path.join(TEMP, "nothing")
        assert refused(bpy.ops.opendoor.check)
        bpy.context.preferences.addons[module].preferences.binary = ""
        assert problems() == []
    finally:
        bpy.ops.preferences.addon_disable(module=module)
        bpy.ops.preferences.addon_enable(module="opendoor")


# Blender has extensions from 4.2 on.
if bpy.app.version >= (4, 2, 0):
    test(the_zip_is_an_extension_too)


def main():
    bpy.ops.preferences.addon_install(filepath=ZIP)
    bpy.ops.preferences.addon_enable(module="opendoor")
    failed = 0
    for each in TESTS:
        try:
            each()
        except Exception:
            failed += 1
            print(f"addon: FAILED {each.__name__}", *traceback.format_exc().splitlines(), sep="\naddon: ")
    print(f"addon: {len(TESTS) - failed} of {len(TESTS)} tests passed")
    if failed:
        raise SystemExit(1)


main()

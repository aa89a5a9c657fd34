"""Doors, movers, lights, spawns, and the properties of all of them."""

import math

import bpy
from mathutils import Matrix, Vector

from .common import cube, engine, exported, problems, refused, select, test, thing, two_rooms, walked


@test
def doors_open_to_the_side_that_was_chosen_and_bodies_pass():
    for handle in ("LEFT", "RIGHT"):
        for swing in ("AWAY", "TOWARDS"):
            select(two_rooms())
            bpy.ops.opendoor.door(handle=handle, swing=swing)
            door = bpy.context.object
            assert door.name == "study-door" and door.parent == thing("hall-room")
            # The open panel: rotated about its own Z, as in the engine.
            turned = door.matrix_world @ Matrix.Rotation(math.radians(door["angle"]), 4, "Z")
            middle = sum((turned @ v.co for v in door.data.vertices), Vector()) / len(door.data.vertices)
            assert (middle.x > 4.3) == (swing == "AWAY") and (middle.x < 3.9) == (swing == "TOWARDS"), middle
            # Looking along +X, +Y is on the left, where the hinge is if the handle is on the right.
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
def a_mesh_becomes_a_spawner_that_brings_bodies():
    two_rooms()
    room = thing("hall-room")
    crate = cube("crate", (-2, 0, 1.0), (0.3, 0.3, 0.3))
    select(crate, room)
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    select(crate)
    bpy.ops.opendoor.spawner(count=3, every=0.5, speed=0.0, endless=False)
    assert crate.name == "crate-spawner" and crate["count"] == 3 and "endless" in crate
    assert problems() == [], problems()
    answer = walked("hall", "wait_until spawned crate-spawner", "wait 3")
    kinds = [event["kind"] for event in answer["events"]]
    assert kinds.count("spawned") == 3, kinds


@test
def a_joint_holds_a_body_to_the_room():
    two_rooms()
    room = thing("hall-room")
    lamp = cube("lamp", (-2, 0, 1.5), (0.3, 0.3, 0.3))
    select(lamp, room)
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    select(lamp)
    bpy.ops.opendoor.body()
    bpy.context.scene.cursor.location = (-2, 0, 2.5)
    bpy.ops.opendoor.joint(kind="ball")
    joint = bpy.context.object
    assert joint.name == "lamp-joint" and joint["bodies"] == "lamp-body", joint.name
    assert problems() == [], problems()
    walked("hall", "wait 2", "expect body lamp-body above 1.4", "expect body lamp-body speed below 0.05")


@test
def a_mesh_becomes_a_body_that_falls_and_is_pushed():
    two_rooms()
    room = thing("hall-room")
    crate = cube("crate", (-2, 0, 1.0), (0.5, 0.5, 0.5))
    select(crate, room)
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    select(crate)
    bpy.ops.opendoor.body(shape="box", weighs=True, mass=5.0)
    assert crate.name == "crate-body" and crate["shape"] == "box" and crate["mass"] == 5.0
    assert "friction" not in crate and "bounce" not in crate
    assert problems() == [], problems()
    answer = walked("hall", "wait 2", "expect body crate-body at -2 0 within 0.01", "expect body crate-body below 0.26",
                    "goto -1.8 0", "expect body crate-body in hall")
    assert all(leg["ok"] for leg in answer["legs"][:3]), answer["legs"]
    # A second time, with other values.
    bpy.ops.opendoor.body(shape="hull", surface=True, friction=0.2, bounce=0.5)
    assert crate.name == "crate-body" and crate["shape"] == "hull" and "mass" not in crate
    assert abs(crate["friction"] - 0.2) < 1e-6 and abs(crate["bounce"] - 0.5) < 1e-6
    assert problems() == [], problems()
    # The body's faces close no room, so it does not belong to the walls.
    crate.location.z = 0.2
    assert problems() == ["body-inside"], problems()
    sheet = cube("sheet", (-2, 1, 1.0), (0.5, 0.5, 0.0))
    select(sheet, room)
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    select(sheet)
    assert refused(bpy.ops.opendoor.body, shape="box") and sheet.name == "sheet"


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
def a_property_removes_those_whose_place_it_takes():
    two_rooms()
    select(thing("study-portal"))
    bpy.ops.opendoor.door()
    door = bpy.context.object
    assert door["motion"] == "hinge" and "angle" in door
    bpy.ops.opendoor.property_set(key="motion", word="slide")
    assert "angle" not in door
    bpy.ops.opendoor.property_set(key="speed")
    assert "time" not in door and "speed" in door
    bpy.ops.opendoor.property_set(key="time")
    assert "speed" not in door and "time" in door
    bpy.ops.opendoor.property_set(key="distance")
    bpy.ops.opendoor.property_set(key="motion", word="vanish")
    assert "distance" in door, "the engine does not warn of it"
    bpy.ops.opendoor.property_set(key="motion", word="hinge")
    assert "distance" not in door


@test
def every_property_that_the_panels_offer_is_known_to_the_engine():
    from opendoor import properties
    portal = two_rooms()
    select(portal)
    bpy.ops.opendoor.door()
    room = thing("hall-room")
    made = {"door": bpy.context.object, "room": thing("study-room"), "portal": portal}
    for role, at in (("mover", (-2, 1, 0.1)), ("body", (-2, 2, 0.1)), ("spawner", (-3, 2, 0.4)), ("trigger", (-2, -1, 0.5)), ("switch", (-3.9, 0, 1.2))):
        made[role] = cube(f"a-{role}", at, (0.2, 0.2, 0.2))
        select(made[role], room)
        bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    select(made["body"])
    bpy.ops.opendoor.joint(kind="ball")
    made["joint"] = bpy.context.object
    for role, target in made.items():
        for each in properties.OF_ROLE[role]:
            # The paths of rooms, and names of missing objects, are tested elsewhere.
            if (role == "room" and each.key != "open") or each.default == "" or each.key in ("path", "conveyor"):
                continue
            # The motion that uses the property; with another motion the engine correctly warns.
            needed = {"angle": "turn", "distance": "slide", "cycle": "turn"}.get(each.key)
            if needed:
                select(target)
                bpy.ops.opendoor.property_set(key="motion", word=needed)
            for word in each.choices or ("",):
                select(target)
                bpy.ops.opendoor.property_set(key=each.key, word=word)
                if word == "loop":
                    # A path that ends where it begins.
                    target["angle"] = 360.0
                found = [c for c in problems() if c.endswith("-property") or c == "room-open" or c == "portal-two-way"]
                # A cube does not fill the capsule around it: the engine correctly warns.
                expected = ["body-property"] if word == "capsule" else []
                assert found == expected, (role, each.key, word, found)
            bpy.ops.opendoor.property_clear(key=each.key)
            if needed:
                bpy.ops.opendoor.property_clear(key="motion")
                bpy.ops.opendoor.property_clear(key="angle")
    # A value that the engine rejects, so that this test can fail.
    made["mover"]["cycle"] = "sometimes"
    assert "mover-property" in problems()

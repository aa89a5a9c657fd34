"""Rooms, and openings cut into their walls."""

import math

import bpy
from mathutils import Matrix, Vector

from .common import NEAR, clean, cube, engine, exported, front, problems, refused, select, test, thing, two_rooms, walked


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

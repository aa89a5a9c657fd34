"""The list of problems."""

import json
import os

import bpy
from mathutils import Vector

from .common import NEAR, TEMP, program, refused, select, test, thing, two_rooms


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
def without_the_program_one_is_told_where_to_choose_it():
    two_rooms()
    settings = bpy.context.preferences.addons["opendoor"].preferences
    settings.binary = os.path.join(TEMP, "nothing")
    assert refused(bpy.ops.opendoor.check) and refused(bpy.ops.opendoor.play)
    settings.binary = ""

"""Portals in existing holes."""

import bpy
from mathutils import Matrix, Vector

from .common import NEAR, clean, engine, exported, front, problems, refused, select, test, thing, two_rooms


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
    # Two halves of an L-shaped tunnel, open where they meet.
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
def two_portals_lead_to_each_other_wherever_they_are():
    portal = two_rooms()
    thing("study-room").location += Vector((30, 20, 0))
    bpy.context.view_layer.update()
    arrival = portal.copy()
    arrival.data = portal.data.copy()
    bpy.context.collection.objects.link(arrival)
    arrival.name = "arrival-portal"
    arrival.parent = thing("study-room")
    arrival.matrix_world = Matrix.Translation((30, 20, 0)) @ portal.matrix_world
    bpy.context.view_layer.update()
    arrival.data.flip_normals()
    assert problems() != []
    select(portal, arrival)
    bpy.ops.opendoor.lead_to()
    assert portal["leads_to"] == "arrival-portal" and arrival["leads_to"] == portal.name
    assert problems() == []
    assert len(engine("check", exported())["portals"]) == 1
    arrival.data.vertices[0].co.z -= 0.01
    assert "portal-leads-to" in problems()
    del portal["leads_to"]
    assert bpy.ops.opendoor.lead_to() == {"CANCELLED"} and "leads_to" not in portal

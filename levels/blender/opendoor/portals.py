"""Operators for portals: from holes and selected loops, flipped, linked; portals that lead to each other."""

import bmesh
import bpy

from . import names, openings, properties, scenery


class OPENDOOR_OT_portals(bpy.types.Operator):
    """Add a portal to every hole between two rooms that has none yet"""

    bl_idname = "opendoor.portals"
    bl_label = "Portals for All Holes"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT"

    def execute(self, context):
        made, left, closed = 0, [], []
        for opening in openings.survey(context):
            if opening.portal or any((opening.middle - at).length < openings.SAME for at in closed):
                continue
            if opening.behind is None or opening.fault:
                left.append(f"a hole of {opening.room.name} at {place(opening.middle)} {opening.fault or 'has no room behind it'}")
                continue
            portal = openings.make_portal(context, opening.room, opening.corners, opening.behind)
            scenery.select_only(context, portal)
            closed.append(opening.middle)
            made += 1
        for line in left:
            self.report({"WARNING"}, line)
        self.report({"INFO"}, f"{made} portals made, {len(left)} holes left")
        return {"FINISHED"}


def place(point):
    return "({:.2f}, {:.2f}, {:.2f})".format(*point)


class OPENDOOR_OT_portal(bpy.types.Operator):
    """Make a portal that fills the selected loop of edges, or the hole that the selected edges belong to"""

    bl_idname = "opendoor.portal"
    bl_label = "Portal from Loop"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "EDIT_MESH" and scenery.room_of(context.active_object) is not None

    def execute(self, context):
        thing = context.active_object
        room = scenery.room_of(thing)
        mesh = bmesh.from_edit_mesh(thing.data)
        chosen = [e for e in mesh.edges if e.select]
        world = thing.matrix_world
        loop = [world @ p for p in selected_loop(chosen)]
        if not loop:
            self.report({"ERROR"}, "Select one closed loop of edges, or one edge of a hole")
            return {"CANCELLED"}
        corners = openings.straightened(loop)
        fault = openings.shape_fault(corners)
        if fault:
            self.report({"ERROR"}, f"The loop {fault}")
            return {"CANCELLED"}
        centre = openings.middle([world @ v.co for v in mesh.verts])
        is_hole = all(e.is_boundary for e in chosen)
        if not is_hole and openings.normal(corners).dot(openings.middle(corners) - centre) < 0.0:
            corners.reverse()
        bpy.ops.object.mode_set(mode="OBJECT")
        surfaces = [scenery.Surface(context, r) for r in scenery.rooms(context.scene) if r != room]
        out = openings.normal(corners)
        behind = scenery.room_at(surfaces, openings.middle(corners) + 0.05 * out, out)
        portal = openings.make_portal(context, room, corners, behind.room if behind else None)
        scenery.select_only(context, portal)
        if behind is None:
            self.report({"WARNING"}, "No room lies behind this portal yet")
        return {"FINISHED"}


def selected_loop(edges):
    """The points of the loop that these edges form or belong to; those of a hole in the order of its faces' sides."""
    if edges and all(e.is_boundary for e in edges):
        # The whole hole, in the winding order of its faces.
        following = {}
        for start in {v for e in edges for v in e.verts}:
            walk, seen = [start], set()
            while walk:
                vertex = walk.pop()
                for e in vertex.link_edges:
                    if e.is_boundary and e not in seen:
                        seen.add(e)
                        walk += e.verts
            following.update((e.link_loops[0].vert, e.link_loops[0].link_loop_next.vert) for e in seen)
        loops = openings.chains(following.items())
    else:
        around = {}
        for e in edges:
            for v in e.verts:
                around.setdefault(v, []).append(e.other_vert(v))
        if not around or any(len(n) != 2 for n in around.values()):
            return []
        start = next(iter(around))
        loop, before, here = [start], start, around[start][0]
        while here != start:
            loop.append(here)
            a, b = around[here]
            before, here = here, b if a == before else a
        loops = [loop] if len(loop) == len(around) else []
    return [v.co.copy() for v in loops[0]] if len(loops) == 1 else []


class OPENDOOR_OT_flip(bpy.types.Operator):
    """Turn the fronts of the selected portals around"""

    bl_idname = "opendoor.flip"
    bl_label = "Flip Portal"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and any(names.role(o) == "portal" for o in context.selected_objects)

    def execute(self, context):
        for portal in context.selected_objects:
            if names.role(portal) != "portal" or portal.type != "MESH":
                continue
            if portal.data.users > 1:
                portal.data = portal.data.copy()
            portal.data.flip_normals()
        return {"FINISHED"}


class OPENDOOR_OT_link(bpy.types.Operator):
    """Link the rooms of two selected objects: close the holes that they share, and name their portals"""

    bl_idname = "opendoor.link"
    bl_label = "Link Rooms"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and len(linked_rooms(context)) == 2

    def execute(self, context):
        pair = linked_rooms(context)
        made, named, closed = 0, 0, []
        for opening in openings.survey(context):
            if opening.room not in pair or opening.behind not in pair or opening.fault:
                continue
            if opening.portal is None:
                if not any((opening.middle - at).length < openings.SAME for at in closed):
                    openings.make_portal(context, opening.room, opening.corners, opening.behind)
                    closed.append(opening.middle)
                    made += 1
            elif scenery.room_of(opening.portal) == opening.room and names.stem(opening.portal) != names.stem(opening.behind):
                opening.portal.name = f"{names.stem(opening.behind)}-portal"
                named += 1
        if not made and not named:
            self.report({"WARNING"}, f"{pair[0].name} and {pair[1].name} share no hole without a portal that leads there")
            return {"CANCELLED"}
        self.report({"INFO"}, f"{made} portals made, {named} named")
        return {"FINISHED"}


class OPENDOOR_OT_lead_to(bpy.types.Operator):
    """Let two selected portals lead to each other, wherever they are"""

    bl_idname = "opendoor.lead_to"
    bl_label = "Lead to Each Other"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and len(selected_portals(context)) == 2

    def execute(self, context):
        pair = selected_portals(context)
        shapes = [openings.portal_corners(portal) for portal in pair]
        if not all(shapes) or not same_shape(*shapes):
            self.report({"WARNING"}, f"{pair[0].name} and {pair[1].name} do not have the same shape: copy one of them with its opening")
            return {"CANCELLED"}
        wanted = next(p for p in properties.OF_ROLE["portal"] if p.key == "leads_to")
        for portal, other in (pair, pair[::-1]):
            properties.put(portal, wanted, other.name)
        return {"FINISHED"}


def selected_portals(context):
    """The portals among the selected objects."""
    return [o for o in context.selected_objects if names.role(o) == "portal" and o.type == "MESH"]


def same_shape(corners, others):
    """Whether two outlines, each seen from its front, are congruent to a millimetre when one is seen from its back."""

    def distances(outline):
        return [[(a - b).length for b in outline] for a in outline]

    count = len(corners)
    if count != len(others):
        return False
    wanted, turned = distances(corners), distances(others[::-1])
    pairs = [(i, j) for i in range(count) for j in range(count)]
    return any(
        all(abs(wanted[i][j] - turned[(i + first) % count][(j + first) % count]) < 1e-3 for i, j in pairs)
        for first in range(count)
    )


def linked_rooms(context):
    """The rooms of the selected objects, by name."""
    return sorted({r for o in context.selected_objects if (r := scenery.room_of(o))}, key=lambda r: r.name)


CLASSES = (OPENDOOR_OT_portals, OPENDOOR_OT_portal, OPENDOOR_OT_flip, OPENDOOR_OT_link, OPENDOOR_OT_lead_to)

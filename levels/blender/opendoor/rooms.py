"""Operators for rooms: rooms from the selection, and openings cut into the walls between two rooms."""

import bmesh
import bpy
from bpy.props import BoolProperty, StringProperty
from mathutils import Matrix, Vector

from . import names, openings, scenery


class OPENDOOR_OT_room(bpy.types.Operator):
    """Make a room of the selected objects: an empty NAME-room above them"""

    bl_idname = "opendoor.room"
    bl_label = "Room from Selection"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Name", default="hall", description="Name of the room, without -room")
    inwards: BoolProperty(
        name="Faces Inwards", default=True,
        description="Turn the faces of the largest mesh inwards: a room is seen from inside")

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and bool(context.selected_objects)

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        name = names.parse(self.name)[1]
        if not name:
            self.report({"ERROR"}, "A room needs a name")
            return {"CANCELLED"}
        if any(names.stem(r) == name for r in scenery.rooms(context.scene)):
            self.report({"ERROR"}, f"There is a room {name} already; choose another name")
            return {"CANCELLED"}
        chosen = [o for o in context.selected_objects if names.role(o) != "room"]
        tops = [o for o in chosen if o.parent not in chosen]
        meshes = [o for o in chosen if o.type == "MESH"]
        if not meshes:
            self.report({"ERROR"}, "Select the meshes of the room")
            return {"CANCELLED"}
        points = [o.matrix_world @ Vector(c) for o in meshes for c in o.bound_box]
        low = Vector([min(p[i] for p in points) for i in range(3)])
        high = Vector([max(p[i] for p in points) for i in range(3)])
        if self.inwards:
            turn_inwards(max(meshes, key=lambda o: o.dimensions.length))
        middle = (low + high) / 2.0
        room = scenery.new_object(context, f"{name}-room", None, None, Matrix.Translation((middle.x, middle.y, low.z)))
        context.view_layer.update()
        for top in tops:
            scenery.adopt(top, room)
        scenery.select_only(context, room)
        return {"FINISHED"}


def turn_inwards(thing):
    """Turns the faces of a closed mesh inwards; an open mesh is turned by the direction of most faces."""
    mesh = bmesh.new()
    mesh.from_mesh(thing.data)
    centre = sum((v.co for v in mesh.verts), Vector()) / max(1, len(mesh.verts))
    outwards = sum((f.calc_center_median() - centre).dot(f.normal) * f.calc_area() for f in mesh.faces)
    if outwards * thing.matrix_world.determinant() > 0.0:
        bmesh.ops.reverse_faces(mesh, faces=mesh.faces)
        mesh.to_mesh(thing.data)
        thing.data.update()
    mesh.free()


class OPENDOOR_OT_cut(bpy.types.Operator):
    """Cut the active box out of the walls of two rooms, with a reveal to the middle, and close the hole with a portal"""

    bl_idname = "opendoor.cut"
    bl_label = "Cut Opening"
    bl_options = {"REGISTER", "UNDO"}

    portal: BoolProperty(name="Portal", default=True, description="Close the opening with a portal")
    keep: BoolProperty(name="Keep the Box", default=False, description="Leave the box in the scene")

    @classmethod
    def poll(cls, context):
        thing = context.active_object
        return context.mode == "OBJECT" and thing is not None and thing.type == "MESH" and scenery.room_of(thing) is None

    def execute(self, context):
        cutter = context.active_object
        surfaces = [scenery.Surface(context, room) for room in scenery.rooms(context.scene)]
        found = walls_through(cutter, surfaces)
        if found is None:
            self.report({"ERROR"}, "The box passes no two walls; make it reach from the air of one room into that of another")
            return {"CANCELLED"}
        rooms, places, sides = found
        centre = (places[0] + places[1]) / 2.0
        for room, place in zip(rooms, places):
            if not any(cut_wall(o, place, centre, sides) for o in scenery.surface_objects(context.scene, room)):
                self.report({"ERROR"}, f"No wall of {room.name} could be cut")
                return {"CANCELLED"}
        context.view_layer.update()
        chosen = cutter
        if self.portal:
            cut = [o for o in openings.survey(context) if o.room == rooms[0] and inside(o.middle, sides)
                   and abs((o.middle - centre).dot((places[1] - places[0]).normalized())) < openings.SAME]
            if len(cut) != 1 or cut[0].behind != rooms[1]:
                self.report({"ERROR"}, "The two halves of the opening do not meet; floors and walls of the rooms are cut differently")
                return {"CANCELLED"}
            chosen = openings.make_portal(context, rooms[0], cut[0].corners, rooms[1])
        if not self.keep:
            bpy.data.objects.remove(cutter)
        if chosen != cutter or self.keep:
            scenery.select_only(context, chosen)
        return {"FINISHED"}


def inside(point, sides):
    return all((point - at).dot(out) < 1e-3 for at, out in sides)


def walls_through(cutter, surfaces):
    """The two rooms whose walls a box passes through, the points in these walls, and the box's other sides as (point,
    outward normal)."""
    world, corners = cutter.matrix_world, [Vector(c) for c in cutter.bound_box]
    low, high = corners[0], corners[6]
    middle, half = world @ ((low + high) / 2.0), (high - low) / 2.0
    arms = [world.to_3x3().col[i] * half[i] for i in range(3)]
    for axis in sorted(range(3), key=lambda i: abs(arms[i].normalized().z)):
        arm = arms[axis]
        if arm.length < 1e-6:
            continue
        leaves = enters = None
        for surface in surfaces:
            start, left = middle - arm, 2.0 * arm.length
            while (hit := surface.hit(start, arm.normalized(), left)) is not None:
                distance, is_front = hit
                place = start + distance * arm.normalized()
                if is_front:
                    leaves = (surface.room, place)
                elif enters is None:
                    enters = (surface.room, place)
                start, left = place + 1e-4 * arm.normalized(), left - distance - 1e-4
        if leaves and enters and leaves[0] != enters[0]:
            others = [a for a in arms if a is not arm]
            sides = [(middle + s * a, s * a.normalized()) for a in others for s in (1.0, -1.0)]
            return (leaves[0], enters[0]), (leaves[1], enters[1]), sides
    return None


def cut_wall(thing, place, centre, sides):
    """Cuts the sides of a box into the wall through `place`, and extrudes the edge of the hole to `centre`; returns
    whether it found a wall."""
    through = (centre - place).normalized()
    if through.length < 0.5:
        return False
    mesh = bmesh.new()
    mesh.from_mesh(thing.data)
    mesh.transform(thing.matrix_world)
    mesh.normal_update()

    def wall():
        return [f for f in mesh.faces if abs(f.normal.dot(through)) > 0.999 and abs((f.calc_center_median() - place).dot(through)) < 1e-3]

    for at, out in sides:
        faces = [f for f in wall() if overlaps(f, sides)]
        parts = set(faces) | {e for f in faces for e in f.edges} | {v for f in faces for v in f.verts}
        bmesh.ops.bisect_plane(mesh, geom=list(parts), dist=1e-4, plane_co=at, plane_no=out)
    hole = [f for f in wall() if inside(f.calc_center_median(), sides)]
    rim = [e for f in hole for e in f.edges if sum(g in hole for g in e.link_faces) == 1]
    if hole:
        bmesh.ops.delete(mesh, geom=hole, context="FACES_ONLY")
        doomed = [e for e in mesh.edges if not e.link_faces]
        rim = [e for e in rim if e.is_valid and e.link_faces]
        bmesh.ops.delete(mesh, geom=doomed, context="EDGES")
        made = bmesh.ops.extrude_edge_only(mesh, edges=rim)["geom"]
        reach = through * (centre - place).dot(through)
        bmesh.ops.translate(mesh, vec=reach, verts=[g for g in made if isinstance(g, bmesh.types.BMVert)])
        # Exporters create degenerate triangles from faces with corners on a straight edge.
        bmesh.ops.triangulate(mesh, faces=[f for f in mesh.faces if has_straight_corner(f)], ngon_method="BEAUTY")
        mesh.transform(thing.matrix_world.inverted())
        mesh.to_mesh(thing.data)
        thing.data.update()
    mesh.free()
    return bool(hole)


def has_straight_corner(face):
    return len(openings.straightened([v.co.copy() for v in face.verts])) < len(face.verts)


def overlaps(face, sides):
    """Whether a face may overlap the box: no side of the box has all corners outside."""
    return not any(all((v.co - at).dot(out) > -1e-4 for v in face.verts) for at, out in sides)


CLASSES = (OPENDOOR_OT_room, OPENDOOR_OT_cut)

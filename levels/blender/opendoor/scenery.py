"""Queries of the scene for the operators: its rooms, and their surfaces in world coordinates."""

import bpy
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

from . import names

# Objects with these roles, and their children, do not belong to a room's surface.
NOT_SURFACE = {"portal", "bound", "spawn", "door", "mover", "body", "trigger", "nocol"}
# Objects with these roles, and their children, are not solid.
NOT_SOLID = {"portal", "bound", "trigger", "nocol"}


def rooms(scene):
    """All rooms, sorted by name."""
    return sorted((o for o in scene.objects if names.role(o) == "room"), key=lambda o: o.name)


def room_of(thing):
    """The room that an object belongs to, or None."""
    while thing is not None and names.role(thing) != "room":
        thing = thing.parent
    return thing


def of_role(scene, role):
    return [o for o in scene.objects if names.role(o) == role]


def adopt(child, parent):
    """Makes an object a child of another one, and keeps its position."""
    world = child.matrix_world.copy()
    child.parent = parent
    child.matrix_parent_inverse = parent.matrix_world.inverted()
    child.matrix_basis = world


def new_object(context, name, data, parent, world):
    """A new object in the collection of its parent, with this world matrix."""
    made = bpy.data.objects.new(name, data)
    collections = parent.users_collection if parent else ()
    (collections[0] if collections else context.collection).objects.link(made)
    made.parent = parent
    if parent:
        made.matrix_parent_inverse = parent.matrix_world.inverted()
    made.matrix_basis = world
    return made


def select_only(context, thing):
    for other in context.selected_objects:
        other.select_set(False)
    thing.select_set(True)
    context.view_layer.objects.active = thing


def new_mesh(name, vertices, faces, material=None):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(v) for v in vertices], [], faces)
    if material:
        mesh.materials.append(material)
    mesh.validate()
    mesh.update()
    return mesh


def frame(x, y, z, origin):
    """The matrix with these axes and this origin."""
    matrix = Matrix((x, y, z)).transposed().to_4x4()
    matrix.translation = origin
    return matrix


class Surface:
    """The faces of a room, modifiers applied, in world coordinates."""

    def __init__(self, context, room):
        self.room = room
        self.points, self.faces = [], []
        depsgraph = context.evaluated_depsgraph_get()
        for thing in surface_objects(context.scene, room):
            if thing.mode == "EDIT":
                thing.update_from_editmode()
            evaluated = thing.evaluated_get(depsgraph)
            mesh = evaluated.to_mesh()
            world, first = thing.matrix_world, len(self.points)
            self.points += [world @ v.co for v in mesh.vertices]
            mirrored = world.determinant() < 0.0
            for polygon in mesh.polygons:
                corners = [first + v for v in polygon.vertices]
                self.faces.append(corners[::-1] if mirrored else corners)
            evaluated.to_mesh_clear()
        self._tree = BVHTree.FromPolygons(self.points, self.faces) if self.faces else None

    def hit(self, start, direction, length=1e4):
        """The first hit of a ray: the distance and whether it hit the front of a face; or None."""
        if self._tree is None:
            return None
        _, normal, _, distance = self._tree.ray_cast(start, direction, length)
        return None if distance is None else (distance, normal.dot(direction) < 0.0)


def surface_objects(scene, room):
    """The meshes that form the solid surface of a room."""
    found = []
    for thing in scene.objects:
        if thing.type != "MESH" or room_of(thing) != room:
            continue
        above = thing
        while above != room and above is not None and names.role(above) not in NOT_SURFACE:
            above = above.parent
        if above == room:
            found.append(thing)
    return found


def room_at(surfaces, point, hint):
    """The surface of the room that contains a point, found along `hint` and downwards; or None."""
    for direction in (Vector((0, 0, -1)), hint):
        hits = [(hit, s) for s in surfaces if (hit := s.hit(point, direction))]
        if hits:
            (_, is_front), nearest = min(hits, key=lambda h: h[0][0])
            if is_front:
                return nearest
    return None


def floor_below(context, room, point):
    """The point of the room's solid geometry below this point, or None."""
    depsgraph = context.evaluated_depsgraph_get()
    found = []
    for thing in room.children_recursive + [room]:
        if thing.type != "MESH" or names.role(thing) in NOT_SOLID:
            continue
        node_from_world = thing.matrix_world.inverted_safe()
        start = node_from_world @ point
        down = node_from_world.to_3x3() @ Vector((0, 0, -1))
        hit, place, _, _ = thing.evaluated_get(depsgraph).ray_cast(start, down.normalized())
        if hit:
            found.append(thing.matrix_world @ place)
    return max(found, key=lambda p: p.z, default=None)

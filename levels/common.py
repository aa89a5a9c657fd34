"""Shared code of the level scripts: rooms with openings, portals, furniture, materials, export.

The scripts use the coordinates of the finished file: metres, +Y up, -Z forward, as in glTF and
the engine. Blender's own axes appear in one place only, `to_blender`.

    level = Level("cottage")
    oak = level.material("oak", planks(...), metres=2.0)
    hall = level.room("hall", {"floor": oak, "wall": white, "ceiling": white})
    hall.prism([(-4, 0), (4, 0), (4, 6), (-4, 6)], 0.0, 3.0)
    yard = ...
    level.opening(hall, yard, doorway((4.15, 2), (4.15, 3.1), 0.0, 2.15))
    hall.spawn("player", (0, 0, 5))
    level.export()

A room is a closed surface of polygons that face inwards. `Level.opening` takes one convex polygon in
the middle of the wall between two rooms, cuts its outline into the wall of each room and lines
the cut with a reveal, so that each room owns its half of the wall and both halves end in the same
corners. Before it writes a room, `Room.build` finds corners that lie on an edge of another
polygon and splits the edge there, so that no T-junctions remain.
"""

import math
import os
from collections import Counter

import bpy
from mathutils import Vector
from mathutils import Vector
from mathutils.geometry import delaunay_2d_cdt

import numpy as np

# Coordinates are rounded to this fraction of a metre: such numbers are exact in 32 bits up to 256
# metres, so that the corners of two rooms are equal to the last bit, whatever their origins are.
SNAP = 65536.0
# Two points closer than this are one corner (metres).
NEAR = 1e-4
# Maximum distance of the middle of an opening behind a wall (metres).
THICKEST_HALF_WALL = 1.0
# A door panel stands in front of a step of this width all around the lining, which covers the clearance of the panel;
# at the bottom of a door it is the threshold (metres; exact on the grid above).
STOP = 3 / 256
# Clearance between a panel and the lining, and between a panel and the step (metres).
PLAY, BEFORE_STOP = 0.004, 0.003
# Meshes are smoothed across edges flatter than this.
SMOOTH_ANGLE = math.radians(35.0)


# --- points and polygons -------------------------------------------------------------------------

def snap(point):
    """Rounds a point to the grid on which 32-bit numbers are exact."""
    return tuple(round(c * SNAP) / SNAP for c in point)


def to_blender(point):
    """Converts glTF's axes (+Y up) to Blender's (+Z up)."""
    return (point[0], -point[2], point[1])


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def scale(a, factor):
    return tuple(x * factor for x in a)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return scale(a, 1.0 / math.sqrt(dot(a, a)))


def centre(loop):
    return scale(tuple(map(sum, zip(*loop))), 1.0 / len(loop))


def newell(loop):
    """The normal of a polygon, twice as long as its area; it points to the side from which the polygon is counter-clockwise."""
    total = (0.0, 0.0, 0.0)
    for a, b in zip(loop, loop[1:] + loop[:1]):
        total = add(total, cross(sub(a, loop[0]), sub(b, loop[0])))
    return total


def extrude(loop, vector, inwards=False):
    """The faces of the prism that a polygon sweeps along a vector: both caps first, then the sides."""
    loop = list(loop)
    if dot(newell(loop), vector) < 0.0:
        loop.reverse()
    far = [add(p, vector) for p in loop]
    ring = list(zip(loop, loop[1:] + loop[:1]))
    faces = [loop, far[::-1]]
    faces += [[p, add(p, vector), add(q, vector), q] for p, q in ring]
    return faces if inwards else [face[::-1] for face in faces]


def doorway(p, q, bottom, top, rise=0.0, segments=8):
    """The outline of an opening in a vertical wall, from p to q (both x, z); `rise` makes it an arch.

    `top` is the height of the crown; the arch springs `rise` below it.
    """
    (px, pz), (qx, qz) = p, q
    outline = [(px, bottom, pz), (qx, bottom, qz)]
    if rise <= 0.0:
        return outline + [(qx, top, qz), (px, top, pz)]
    for step in range(segments + 1):
        angle = math.pi * step / segments
        along = 0.5 + 0.5 * math.cos(angle)
        outline.append((px + (qx - px) * along, top - rise + rise * math.sin(angle), pz + (qz - pz) * along))
    return outline


def grown(outline, by):
    """A convex flat outline whose edges are moved outwards by these distances."""
    normal = unit(newell(outline))
    out = [unit(cross(sub(b, a), normal)) for a, b in zip(outline, outline[1:] + outline[:1])]
    return [snap(add(p, scale(add(out[k - 1], out[k]), by / (1.0 + dot(out[k - 1], out[k]))))) for k, p in enumerate(outline)]


def arc(p, q, rise, segments=8):
    """Points of a circular arc from p to q, both (s, y), that rises `rise` above the chord."""
    chord = math.hypot(q[0] - p[0], q[1] - p[1])
    radius = (chord * chord / 4.0 + rise * rise) / (2.0 * rise)
    half = math.asin(min(1.0, chord / (2.0 * radius)))
    along = ((q[0] - p[0]) / chord, (q[1] - p[1]) / chord)
    across = (-along[1], along[0])
    points = []
    for step in range(segments + 1):
        angle = -half + 2.0 * half * step / segments
        s = chord / 2.0 + radius * math.sin(angle)
        h = radius * math.cos(angle) - (radius - rise)
        points.append((p[0] + along[0] * s + across[0] * h, p[1] + along[1] * s + across[1] * h))
    return points


def plane_axes(normal):
    """Two unit vectors u, v in a plane, with u x v = normal; v is as vertical as possible."""
    up = (0.0, 1.0, 0.0) if abs(normal[1]) < 0.9 else (0.0, 0.0, -1.0 if normal[1] > 0.0 else 1.0)
    u = unit(cross(up, normal))
    return u, cross(normal, u)


def triangulate(loops, more=()):
    """Triangles of a flat polygon minus the other polygons in `loops`, through all corners and the points `more`."""
    normal = unit(newell(loops[0]))
    u_axis, v_axis = plane_axes(normal)
    points, outlines = [], []
    for loop in loops:
        ids = list(range(len(points), len(points) + len(loop)))
        # The triangulation distinguishes inside from outside by the winding of the loop.
        outlines.append(ids if dot(newell(loop), normal) > 0.0 else ids[::-1])
        points += loop
    points += more
    base = points[0]
    flat = [Vector((dot(sub(p, base), u_axis), dot(sub(p, base), v_axis))) for p in points]
    _, _, triangles, from_points, _, from_loops = delaunay_2d_cdt(flat, [], outlines, 1, NEAR / 2.0)
    # Where the outline and an opening share a corner, use the outline's. Only areas inside the first loop alone are
    # wall.
    position = [points[min(ids)] if ids else None for ids in from_points]
    result = [[position[k] for k in t] for t, owners in zip(triangles, from_loops) if owners == [0]]
    if any(p is None for t in result for p in t):
        raise ValueError(f"openings overlap in the wall at {base}")
    return result


# --- materials -----------------------------------------------------------------------------------

class Material:
    """A Blender material and the mapping of its texture: metres per repeat."""

    def __init__(self, data, metres, along_grain, fit):
        self.data = data
        self.metres = metres if isinstance(metres, tuple) else (metres, metres)
        self.along_grain = along_grain
        self.fit = fit

    def mapping(self, loop, normal):
        """The mapping from points of a polygon to texture coordinates.

        Box projection in metres; along the longest edge for timber; the whole polygon for `fit`.
        """
        u_axis, v_axis = plane_axes(normal)
        if self.along_grain:
            edges = [sub(b, a) for a, b in zip(loop, loop[1:] + loop[:1])]
            u_axis = unit(max(edges, key=lambda e: round(dot(e, e), 6)))
            v_axis = cross(normal, u_axis)
        low, size = (0.0, 0.0), self.metres
        if self.fit:
            flat = [(dot(p, u_axis), dot(p, v_axis)) for p in loop]
            low = tuple(map(min, zip(*flat)))
            size = tuple(b - a for a, b in zip(low, map(max, zip(*flat))))
        return lambda p: ((dot(p, u_axis) - low[0]) / size[0], (dot(p, v_axis) - low[1]) / size[1])


# --- furniture -----------------------------------------------------------------------------------

class Part:
    """A piece of furniture: closed, with its faces outwards; one mesh for all of its instances."""

    def __init__(self, name):
        self.name = name
        self.faces = []
        self.mesh = None

    def add(self, faces, material):
        self.faces += [([snap(p) for p in face], material) for face in faces]
        return self

    def box(self, low, high, material):
        (x0, y0, z0), (x1, y1, z1) = low, high
        return self.add(extrude([(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)], (0, y1 - y0, 0)), material)

    def prism(self, outline, bottom, top, material):
        """A vertical prism over an outline of (x, z)."""
        return self.add(extrude([(x, bottom, z) for x, z in outline], (0, top - bottom, 0)), material)

    def profile_x(self, outline, x0, x1, material):
        """A prism along x over an outline of (z, y)."""
        return self.add(extrude([(x0, y, z) for z, y in outline], (x1 - x0, 0, 0)), material)

    def profile_z(self, outline, z0, z1, material):
        """A prism along z over an outline of (x, y)."""
        return self.add(extrude([(x, y, z0) for x, y in outline], (0, 0, z1 - z0)), material)

    def lathe(self, profile, material, sides=12, at=(0.0, 0.0)):
        """A solid of revolution: (radius, height) from bottom to top, closed by a disc at either end."""
        rings = []
        for radius, height in profile:
            angles = [2.0 * math.pi * (k + 0.5) / sides for k in range(sides)]
            rings.append([(at[0] + radius * math.cos(a), height, at[1] - radius * math.sin(a)) for a in angles])
        faces = [rings[0][::-1], rings[-1]]
        for low, high in zip(rings, rings[1:]):
            for k in range(sides):
                j = (k + 1) % sides
                faces.append([low[k], low[j], high[j], high[k]])
        return self.add(faces, material)

    def turned(self, yaw_degrees, shift=(0.0, 0.0, 0.0)):
        """Rotates the faces built so far about the y axis, then moves them."""
        c, s = math.cos(math.radians(yaw_degrees)), math.sin(math.radians(yaw_degrees))
        self.faces = [([snap(add((c * x + s * z, y, c * z - s * x), shift)) for x, y, z in face], material)
                      for face, material in self.faces]
        return self

    def bounds(self):
        points = [p for face, _ in self.faces for p in face]
        return tuple(map(min, zip(*points))), tuple(map(max, zip(*points)))

    def data(self):
        if self.mesh is None:
            # Blender's own triangulation of polygons with many corners can produce degenerate triangles.
            pieces = []
            for loop, material in self.faces:
                pieces += [(t, material, loop) for t in triangulate([loop])] if len(loop) > 4 else [(loop, material)]
            self.mesh = make_mesh(self.name, pieces)
        return self.mesh


def make_mesh(name, faces, origin=(0, 0, 0)):
    """A Blender mesh, relative to `origin`, from (polygon, material) or (pieces of it, material, polygon).

    Equal corners are merged. Material None (portals, `-colonly`) means no texture coordinates.
    """
    corners, index, polygons, materials, slots, coordinates = [], {}, [], [], [], []
    # Where two pieces of a part touch face to face, neither face is ever visible: both are removed.
    shared = Counter(frozenset(loop) for loop, *_ in faces)
    for loop, material, *whole in faces:
        if shared[frozenset(loop)] > 1:
            continue
        polygon = []
        for point in loop:
            if point not in index:
                index[point] = len(corners)
                corners.append(to_blender(sub(point, origin)))
            polygon.append(index[point])
        polygons.append(polygon)
        if material is not None:
            if material not in materials:
                materials.append(material)
            slots.append(materials.index(material))
            outline = whole[0] if whole else loop
            mapping = material.mapping(outline, unit(newell(outline)))
            coordinates += [c for point in loop for c in mapping(point)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], polygons)
    if materials:
        mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", coordinates)
        for material in materials:
            mesh.materials.append(material.data)
        mesh.polygons.foreach_set("material_index", slots)
        mesh.polygons.foreach_set("use_smooth", [True] * len(polygons))
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = SMOOTH_ANGLE
    mesh.update()
    return mesh


# --- doors ---------------------------------------------------------------------------------------

def panelled(body, rails, metal, rows=(0.40, 1.0), columns=2, thick=0.04, handle=1.0, stile=0.11):
    """A function for `Opening.hang` that makes door panels: a board with frames on it, and a lever on either face.

    The panel's hinge is at x = 0 on its front, z = 0. `rows` are the fractions of the height at which its fields
    end, `handle` is the height of the lever, metres, 0 for none.
    """
    skin = 0.005    # Distance by which the frames stand out from the board.

    def make(width, height, side):
        low, high = sorted((0.0, -side * width))
        key = f"{width:.3f}-{height:.3f}-{side:g}"
        board = Part(f"door-{key}").box((low, 0.0, skin - thick), (high, height, -skin), body)
        decor = Part(f"door-frames-{key}")
        edge = 0.001    # Inset, so that no face of a frame coincides with one of the board.
        for near, far in ((-skin - 0.003, 0.0), (-thick, skin + 0.003 - thick)):
            xs = [low + edge + (width - stile - 2 * edge) * k / columns for k in range(columns + 1)]
            for x in xs:
                decor.box((x, edge, near), (x + stile, height - edge, far), rails)
            ys = [edge] + [height * row - stile - edge for row in rows]
            for x0, x1 in zip(xs, xs[1:]):
                for k, y in enumerate(ys):
                    foot = 2 * stile if k == 0 and height > 1.5 else stile
                    decor.box((x0 + stile, y, near), (x1, y + foot, far), rails)
                for y0, y1 in zip(ys, ys[1:]):
                    # A raised field in the middle of each frame.
                    bottom = y0 + (2 * stile if y0 == edge and height > 1.5 else stile) + 0.035
                    face = near if near == -thick else far
                    z0, z1 = (face + 0.001, skin + 0.002 - thick) if near == -thick else (-skin - 0.002, face - 0.001)
                    if y1 - 0.035 - bottom > 0.05 and x1 - x0 - stile > 0.12:
                        decor.box((x0 + stile + 0.035, bottom, z0), (x1 - 0.035, y1 - 0.035, z1), body)
        if handle:
            x = -side * (width - 0.055)
            for z, out in ((0.0, 1.0), (-thick, -1.0)):
                plate, grip = sorted((z - 0.004 * out, z + 0.006 * out)), sorted((z + 0.036 * out, z + 0.052 * out))
                stem = sorted((z - 0.004 * out, z + 0.05 * out))
                decor.box((x - 0.022, handle - 0.11, plate[0]), (x + 0.022, handle + 0.09, plate[1]), metal)
                decor.box((x - 0.009, handle - 0.009, stem[0]), (x + 0.009, handle + 0.009, stem[1]), metal)
                lever = sorted((x - side * 0.012, x + side * 0.115))
                decor.box((lever[0], handle - 0.011, grip[0]), (lever[1], handle + 0.011, grip[1]), metal)
        return board, decor, thick

    return make


# --- rooms ---------------------------------------------------------------------------------------

class Face:
    """One polygon of a room's surface, and the outlines of its openings."""

    def __init__(self, loop, material):
        self.loop = [snap(p) for p in loop]
        self.material = material
        self.normal = unit(newell(self.loop))
        self.holes = []

    def offset(self, point):
        """The signed distance of a point from the plane, positive inside the room."""
        return dot(self.normal, sub(point, self.loop[0]))

    def holds(self, point):
        """Whether this point of the plane is inside of the polygon, or on its edge."""
        u_axis, v_axis = plane_axes(self.normal)
        x, y = dot(point, u_axis), dot(point, v_axis)
        flat = [(dot(p, u_axis), dot(p, v_axis)) for p in self.loop]
        inside = False
        for (ax, ay), (bx, by) in zip(flat, flat[1:] + flat[:1]):
            length = math.hypot(bx - ax, by - ay)
            along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
            away = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
            if away < NEAR and -NEAR < along < length + NEAR:
                return True
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
        return inside

    def triangles(self, corners):
        """Triangles of the polygon minus its openings, using every corner that lies on its edges."""
        loops = [self.loop] + self.holes
        array = np.array(corners)
        on_edge = np.zeros(len(corners), dtype=bool)
        for loop in loops:
            for a, b in zip(loop, loop[1:] + loop[:1]):
                a, b = np.array(a), np.array(b)
                along = np.clip(((array - a) @ (b - a)) / ((b - a) @ (b - a)), 0.0, 1.0)
                on_edge |= np.linalg.norm(a + along[:, None] * (b - a) - array, axis=1) < NEAR
        own = {p for loop in loops for p in loop}
        return triangulate(loops, [corners[k] for k in np.flatnonzero(on_edge) if corners[k] not in own])


class Room:
    """A room of the level. Its objects become children of an empty called `NAME-room`."""

    def __init__(self, level, name, materials, origin=(0, 0, 0), of=None):
        self.level = level
        self.name = name
        self.materials = materials
        self.origin = origin
        self.faces = []
        self.empty = of.empty if of else level.empty(f"{name}-room", origin, None)

    # The surface.

    def face(self, loop, material=None):
        """Adds one polygon, counter-clockwise as seen from inside. Its slope selects the material."""
        face = Face(loop, None)
        key = "floor" if face.normal[1] > 0.5 else "ceiling" if face.normal[1] < -0.5 else "wall"
        face.material = material or self.materials[key]
        self.faces.append(face)
        return face

    def prism(self, outline, bottom, top):
        """Adds the usual room: an outline of (x, z), a floor and a ceiling."""
        for loop in extrude([(x, bottom, z) for x, z in outline], (0, top - bottom, 0), inwards=True):
            self.face(loop)
        return self

    def profile_x(self, outline, x0, x1):
        """Adds a room with a constant cross-section (z, y), extruded along x: a vault, a flight of stairs."""
        for loop in extrude([(x0, y, z) for z, y in outline], (x1 - x0, 0, 0), inwards=True):
            self.face(loop)
        return self

    def profile_z(self, outline, z0, z1):
        """Adds a room with a constant cross-section (x, y), extruded along z."""
        for loop in extrude([(x, y, z0) for x, y in outline], (0, 0, z1 - z0), inwards=True):
            self.face(loop)
        return self

    def cut(self, outline, reveal, sill):
        """Cuts an opening into the wall in front of a portal, lines it, and returns the wall and the hole's outline."""
        middle = centre(outline)
        normal = unit(newell(outline))
        best = None
        for face in self.faces:
            behind = -face.offset(middle)
            if abs(dot(face.normal, normal)) > 0.999 and -NEAR < behind < THICKEST_HALF_WALL:
                hole = [snap(add(p, scale(face.normal, -face.offset(p)))) for p in outline]
                if all(face.holds(p) for p in hole) and (best is None or behind < best[0]):
                    best = (behind, face, hole)
        if best is None:
            raise ValueError(f"room {self.name} has no wall in front of the opening at {middle}")
        behind, face, hole = best
        face.holes.append(hole)
        if behind > NEAR:
            ring = list(zip(hole, hole[1:] + hole[:1], outline, outline[1:] + outline[:1]))
            for a, b, far_a, far_b in ring:
                loop = [a, b, far_b, far_a]
                if dot(newell(loop), sub(middle, centre(loop))) < 0.0:
                    loop.reverse()
                level_face = unit(newell(loop))[1] > 0.5
                self.face(loop, (sill or self.materials["floor"]) if level_face else (reveal or self.materials["wall"]))
        return face, hole

    def skylight(self, low, high, top, glass, reveal):
        """Adds a window in the ceiling, from (x, z) to (x, z), whose pane at height `top` shows the sky."""
        (x0, z0), (x1, z1) = low, high
        outline = [(x0, top, z0), (x1, top, z0), (x1, top, z1), (x0, top, z1)]
        self.cut(outline, reveal, None)
        pane = Part(f"skylight-{x0:g}-{z0:g}")
        pane.add([outline], glass)
        self.mesh(f"{self.name}-{x0:g}-{z0:g}-sky", pane.data())

    # The contents of the room.

    def mesh(self, name, data, at=(0, 0, 0), yaw=0.0):
        node = bpy.data.objects.new(name, data)
        self.level.scene.collection.objects.link(node)
        node.parent = self.empty
        node.location = to_blender(sub(at, self.origin))
        if yaw:
            node.rotation_euler = (0.0, 0.0, math.radians(yaw))
        return node

    def place(self, part, at=(0, 0, 0), yaw=0.0, kind=""):
        """Places a part in the room, rotated by `yaw` degrees to the left.

        `kind` is "" (drawn and solid), "nocol" (only drawn), "colonly" (only solid), or "boxed":
        drawn with its own shape, and solid with its bounding box.
        """
        if kind == "boxed":
            if part.name not in self.level.boxes:
                low, high = part.bounds()
                self.level.boxes[part.name] = Part(f"{part.name}-box").box(low, high, None)
            box = self.level.boxes[part.name]
            self.mesh(f"{self.name}-{part.name}-colonly", box.data(), at, yaw)
            kind = "nocol"
        return self.mesh(f"{self.name}-{part.name}" + (f"-{kind}" if kind else ""), part.data(), at, yaw)

    def light(self, at, watts=40.0, colour=(1.0, 0.76, 0.5), down=False):
        """Adds a point light, or a ceiling light that lights all surfaces except the ceiling; equal lights share their data."""
        key = (watts, colour, down)
        data = self.level.lamps.get(key)
        if data is None:
            data = bpy.data.lights.new(f"lamp-{len(self.level.lamps)}", "SPOT" if down else "POINT")
            data.energy, data.color = watts, colour
            data.shadow_soft_size = 0.1
            if down:
                data.spot_size, data.spot_blend = math.radians(165.0), 0.6
            self.level.lamps[key] = data
        self.mesh(f"{self.name}-light", data, at)

    def beam(self, at, aim, watts, colour, angle):
        """Adds a spot light with a cone of `angle` degrees, from one point towards another."""
        data = bpy.data.lights.new(f"{self.name}-beam", "SPOT")
        data.energy, data.color, data.spot_size, data.spot_blend = watts, colour, math.radians(angle), 0.5
        data.shadow_soft_size = 0.1
        node = self.mesh(f"{self.name}-beam", data, at)
        node.rotation_euler = Vector(to_blender(sub(aim, at))).to_track_quat("-Z", "Y").to_euler()

    def spawn(self, name, at, yaw=0.0):
        """Adds a spawn; `yaw` 0 looks along -Z, 90 along -X."""
        self.level.empty(f"{name}-spawn", sub(at, self.origin), self.empty, yaw)

    def skirting(self, material, bottom=0.0, height=0.14, depth=0.022, gap=0.0, lift=-0.01):
        """Adds boards along the bottom of every wall that stands on height `bottom`, ending at the doors.

        `gap` leaves room for the casings of the doors. `lift` is the lower edge of the boards, for rails and cornices.
        The boards are drawn but not solid.
        """
        floor = next(f for f in self.faces if f.normal[1] > 0.99 and abs(f.loop[0][1] - bottom) < NEAR and f.material == self.materials["floor"])
        loop = floor.loop
        part = Part(f"{self.name}-skirting")
        count = len(loop)
        ins = []
        for k in range(count):
            before, here, after = loop[k - 1], loop[k], loop[(k + 1) % count]
            n0 = unit(cross((0, 1, 0), sub(here, before)))
            n1 = unit(cross((0, 1, 0), sub(after, here)))
            ins.append(scale(add(n0, n1), 1.0 / (1.0 + dot(n0, n1))))
        for k in range(count):
            p, q = loop[k], loop[(k + 1) % count]
            length = math.sqrt(dot(sub(q, p), sub(q, p)))
            along = scale(sub(q, p), 1.0 / length)
            wall = [f for f in self.faces if abs(f.normal[1]) < 0.1 and abs(f.offset(p)) < NEAR and abs(f.offset(q)) < NEAR]
            gaps = []
            for f in wall:
                for hole in f.holes:
                    if min(h[1] for h in hole) < bottom + height and max(h[1] for h in hole) > bottom + lift:
                        spans = [dot(sub(h, p), along) for h in hole]
                        gaps.append((min(spans) - gap, max(spans) + gap))
            start, pieces = 0.0, []
            for low, high in sorted(gaps):
                pieces.append((start, low))
                start = high
            pieces.append((start, length))
            inward = cross((0, 1, 0), along)
            for low, high in pieces:
                if high - low < 0.05:
                    continue
                first = ins[k] if low == 0.0 else inward
                last = ins[(k + 1) % count] if high == length else inward
                a, b = add(p, scale(along, low)), add(p, scale(along, high))
                foot = [add(a, scale(first, -0.01)), add(b, scale(last, -0.01)), add(b, scale(last, depth)), add(a, scale(first, depth))]
                part.add(extrude([(x, bottom + lift, z) for x, _, z in foot], (0, height - lift, 0)), material)
        if part.faces:
            self.mesh(f"{self.name}-skirting-nocol", make_mesh(part.name, part.faces, self.origin), self.origin)

    def build(self):
        """Makes the mesh of the surface."""
        corners = sorted({p for face in self.faces for loop in [face.loop] + face.holes for p in loop})
        # Texture coordinates are in level space, so that patterns continue from room to room.
        faces = [(t, face.material, face.loop) for face in self.faces for t in face.triangles(corners)]
        self.mesh(f"{self.name}-shell", make_mesh(f"{self.name}-shell", faces, self.origin), self.origin)


# --- the level -----------------------------------------------------------------------------------

class Opening:
    """An opening between two rooms: the portal's outline and the cuts in both walls."""

    def __init__(self, rooms, outline, cuts, into=None):
        self.rooms = rooms
        self.outline = outline
        self.cuts = cuts
        self.into = into

    def hang(self, name, hinge, panel, part=(0.0, 1.0), kind="door", **properties):
        """Adds a door panel to the opening; it opens into the room `into`.

        `hinge` is the end of the opening, (x, z), with the hinge; `part` is the range of the width that the panel
        closes, from that end. `panel` makes the panel: a function of its width, its height and 1 or -1, the side of
        its hinge seen from the room `into`.
        """
        normal = next(face.normal for room, (face, _) in zip(self.rooms, self.cuts) if room is self.into)
        yaw = math.degrees(math.atan2(normal[0], normal[2]))
        right = (normal[2], 0.0, -normal[0])
        xs = [dot(right, p) for p in self.outline]
        bottom, top = min(p[1] for p in self.outline), max(p[1] for p in self.outline)
        side = 1.0 if dot(right, (hinge[0], 0.0, hinge[1])) > (min(xs) + max(xs)) / 2 else -1.0
        more = STOP - PLAY
        # If another panel follows, half of the clearance is in this panel's part.
        width = (max(xs) - min(xs)) * (part[1] - part[0]) + more + (more if part[1] == 1.0 else -PLAY / 2)
        made, decor, thick = panel(width, top - bottom + 2.0 * more, side)
        edge = (max(xs) if side > 0.0 else min(xs)) + side * more
        at = add(scale(right, edge), scale(normal, dot(normal, self.outline[0]) + BEFORE_STOP + thick))
        node = self.into.mesh(f"{name}-{kind}", made.data(), (at[0], bottom - more, at[2]), yaw)
        properties = {"motion": "hinge", "axis": "z", "angle": 90.0 * side, **properties}
        for key, value in properties.items():
            node[key] = value
        self.into.level.child(node, f"{name}-frames-nocol", decor)
        return node

    def casing(self, material, width=0.10, depth=0.028):
        """Frames the opening with boards, in both rooms; drawn but not solid."""
        for room, (face, hole) in zip(self.rooms, self.cuts):
            part = Part(f"{room.name}-casing")
            middle = centre(hole)
            low = min(p[1] for p in hole)
            # On the floor, or on the threshold of a door.
            stands = any(abs(p[1] - low) < STOP + NEAR for p in face.loop)
            count = len(hole)
            # The outline grown by the width of the boards: every edge moves outwards, except the sill of a door.
            edges = []
            for a, b in zip(hole, hole[1:] + hole[:1]):
                across = unit(cross(sub(b, a), face.normal))
                if dot(across, sub(centre([a, b]), middle)) < 0.0:
                    across = scale(across, -1.0)
                is_sill = across[1] < -0.99
                edges.append((across, 0.0 if is_sill and stands else width, is_sill))
            grown = []
            for k in range(count):
                (n0, w0, _), (n1, w1, _) = edges[k - 1], edges[k]
                c = dot(n0, n1)
                # The point that is w0 outside of the edge before this corner and w1 outside of the edge after it.
                s0, s1 = (w0 - c * w1) / (1.0 - c * c), (w1 - c * w0) / (1.0 - c * c)
                grown.append(add(hole[k], add(scale(n0, s0), scale(n1, s1))))
            for k in range(count):
                if edges[k][1] == 0.0:
                    continue
                j = (k + 1) % count
                # Not sunk into the wall: in the opening it would coincide with the plane of the lining.
                board = [hole[k], hole[j], grown[j], grown[k]]
                part.add(extrude(board, scale(face.normal, depth)), material)
            room.mesh(f"{room.name}-casing-nocol", make_mesh(part.name, part.faces, room.origin), room.origin)
        return self


class Level:
    """The whole data of one level; `export` writes NAME.glb beside this file."""

    def __init__(self, name):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.name = name
        self.scene = bpy.context.scene
        self.rooms = []
        self.openings = []
        self.lamps = {}
        self.boxes = {}
        self.portals = {}

    def empty(self, name, at, parent, yaw=0.0):
        node = bpy.data.objects.new(name, None)
        self.scene.collection.objects.link(node)
        node.parent = parent
        node.location = to_blender(at)
        node.rotation_euler = (0.0, 0.0, math.radians(yaw))
        return node

    def child(self, parent, name, part):
        """Makes a part a child of another node, at its origin."""
        node = bpy.data.objects.new(name, part.data())
        self.scene.collection.objects.link(node)
        node.parent = parent

    def sun(self, direction, strength, colour):
        """Adds sunlight in this direction, in W/m2."""
        data = bpy.data.lights.new("sun", "SUN")
        data.energy, data.color = strength, colour
        node = bpy.data.objects.new("sun", data)
        self.scene.collection.objects.link(node)
        # Lights shine along their own -Z.
        node.rotation_euler = Vector(to_blender(direction)).to_track_quat("-Z", "Y").to_euler()

    def material(self, name, picture, metres=2.0, along_grain=False, fit=False, glow=0.0, rough=0.9, metal=0.0, bump=1.0, **extras):
        """A material from an image (or a plain colour), with `friction`, `drag`, `bounce` as extras.

        An image with relief also makes a normal map, `bump` times as steep, and a roughness map around `rough`. A fourth
        channel alone is opacity: the material is blended, and visible from both sides.
        """
        data = bpy.data.materials.new(name)
        data.use_nodes = True
        data.use_backface_culling = True
        shader = data.node_tree.nodes["Principled BSDF"]
        shader.inputs["Roughness"].default_value = rough
        shader.inputs["Metallic"].default_value = metal
        shader.inputs["Specular"].default_value = 0.5
        sockets = ["Base Color"] + (["Emission"] if glow else [])
        if picture.ndim == 3:
            node = data.node_tree.nodes.new("ShaderNodeTexImage")
            node.image = make_image(name, picture[..., :4] if picture.shape[2] == 4 else picture[..., :3])
            for socket in sockets:
                data.node_tree.links.new(node.outputs["Color"], shader.inputs[socket])
            if picture.shape[2] == 4:
                data.node_tree.links.new(node.outputs["Alpha"], shader.inputs["Alpha"])
                data.blend_method = "BLEND"
                data.use_backface_culling = False
            if picture.shape[2] == 5:
                add_relief(data, name, picture[..., 3:], metres if isinstance(metres, tuple) else (metres, metres), rough, metal, bump)
        else:
            # Base colours of a material are linear, images are sRGB.
            linear = np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)
            for socket in sockets:
                shader.inputs[socket].default_value = (*linear, 1.0)
        shader.inputs["Emission Strength"].default_value = glow
        for key, value in extras.items():
            data[key] = float(value)
        return Material(data, metres, along_grain, fit)

    def room(self, name, materials, origin=(0, 0, 0), of=None):
        """A new room; `materials` has "floor", "wall" and "ceiling". `origin`: the position of its empty, whole metres.

        With `of` it is another part of that room, and shares its empty.
        """
        room = Room(self, name, materials, origin, of)
        self.rooms.append(room)
        return room

    def opening(self, room, other, outline, name="", reveal=None, sill=None, into=None, halves=()):
        """Joins two rooms by a portal: `outline` is convex, flat, in the middle of the wall.

        `name` is the portal's destination room; with "" the engine finds it. `into` is the room on whose side of
        the portal door panels stand: there the lining is wider by a step. An opening with two panels has two
        portals with the names `halves`. Parts of one room need no portal.
        """
        outline = [snap(p) for p in outline]
        cuts = []
        for r in (room, other):
            cuts.append(r.cut(grown(outline, STOP) if r is into else outline, reveal, sill))
            if r is into:
                step = grown(outline, STOP)
                step = step if dot(newell(step), cuts[-1][0].normal) > 0.0 else step[::-1]
                step = r.face(step, reveal)
                step.holes.append(outline)
        # The portal's front faces out of its room: away from the inside of the room's wall.
        if dot(newell(outline), cuts[0][0].normal) > 0.0:
            outline.reverse()
        portals = [(name, outline)]
        if room.empty is other.empty:
            portals = []
        if halves:
            a, b, c, d = outline
            low, high = snap(centre([a, b])), snap(centre([c, d]))
            portals = list(zip(halves, ([a, low, high, d], [low, b, c, high])))
        for name, loop in portals:
            # Openings of one shape share their mesh.
            corner = loop[0]
            shape = tuple(sub(p, corner) for p in loop)
            if shape not in self.portals:
                self.portals[shape] = make_mesh("portal", [(shape, None)])
            room.mesh(f"{name}-portal", self.portals[shape], corner)
        opening = Opening((room, other), outline, cuts, into)
        self.openings.append(opening)
        return opening

    def fold(self, room, outline, other, arrival, reveal=None, sill=None):
        """Joins two rooms wherever they are: passing `outline` out of the first is arriving through `arrival` in the second.

        Both outlines are flat, convex and congruent, each in the middle of a wall of its room.
        """
        names = [f"{room.name}-{other.name}-{len(self.openings)}{end}" for end in "ab"]
        for (at, loop), (name, target) in zip(((room, outline), (other, arrival)), (names, names[::-1])):
            loop = [snap(p) for p in loop]
            wall, _ = at.cut(loop, reveal, sill)
            if dot(newell(loop), wall.normal) > 0.0:
                loop.reverse()
            mesh = make_mesh("portal", [(tuple(sub(p, loop[0]) for p in loop), None)])
            at.mesh(f"{name}-portal", mesh, loop[0])["leads_to"] = target
        self.openings.append(names)

    def outlet(self, room, other, outline, reveal=None, sill=None):
        """Adds a portal from a moving room to the room around it, in the plane of the moving room's outer surface."""
        outline = [snap(p) for p in outline]
        wall, _ = room.cut(outline, reveal, sill)
        if dot(newell(outline), wall.normal) > 0.0:
            outline.reverse()
        room.mesh(f"{other.name}*{room.name}-portal", make_mesh("portal", [(tuple(sub(p, outline[0]) for p in outline), None)]), outline[0])

    def export(self):
        for room in self.rooms:
            room.build()
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{self.name}.glb")
        bpy.ops.export_scene.gltf(
            filepath=path, export_format="GLB", export_yup=True, export_lights=True, export_extras=True,
            export_apply=False, export_cameras=False, export_animations=False, export_image_format="AUTO")
        print(f"{self.name}.glb: {len(self.rooms)} rooms, {len(self.openings)} portals, {os.path.getsize(path)} bytes")


def halved(field):
    """A field with half the resolution: the means of two by two values."""
    return (field[::2, ::2] + field[1::2, ::2] + field[::2, 1::2] + field[1::2, 1::2]) / 4.0


def add_relief(data, name, relief, metres, rough, metal, bump):
    """Adds a normal map and a roughness map to a material, from a height in millimetres and a relative roughness.

    Both have at most 512 texels a side.
    """
    tree, shader = data.node_tree, data.node_tree.nodes["Principled BSDF"]
    height, uneven = relief[..., 0], relief[..., 1]
    while max(height.shape) > 512:
        height, uneven = halved(height), halved(uneven)
    rows, columns = height.shape
    # Central differences, in millimetres per millimetre; the maps tile.
    along_u = bump * (np.roll(height, -1, axis=1) - np.roll(height, 1, axis=1)) * columns / (2000.0 * metres[0])
    along_v = bump * (np.roll(height, -1, axis=0) - np.roll(height, 1, axis=0)) * rows / (2000.0 * metres[1])
    normal = np.stack([-along_u, -along_v, np.ones_like(height)], axis=2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    if np.ptp(height) > 0.0:
        texture, node = tree.nodes.new("ShaderNodeTexImage"), tree.nodes.new("ShaderNodeNormalMap")
        texture.image = make_image(f"{name}-normal", 0.5 + 0.5 * normal, 88)
        texture.image.colorspace_settings.name = "Non-Color"
        tree.links.new(texture.outputs["Color"], node.inputs["Color"])
        tree.links.new(node.outputs["Normal"], shader.inputs["Normal"])
    # Only polished surfaces reflect the room, so that their roughness is seen.
    if np.ptp(uneven) > 0.0 and rough < 0.5:
        texture, split = tree.nodes.new("ShaderNodeTexImage"), tree.nodes.new("ShaderNodeSeparateColor")
        value = np.clip(rough + uneven, 0.08, 1.0)
        texture.image = make_image(f"{name}-rough", np.stack([np.ones_like(value), value, np.full_like(value, metal)], axis=2), 70)
        texture.image.colorspace_settings.name = "Non-Color"
        tree.links.new(texture.outputs["Color"], split.inputs["Color"])
        tree.links.new(split.outputs["Green"], shader.inputs["Roughness"])
        tree.links.new(split.outputs["Blue"], shader.inputs["Metallic"])


def make_image(name, picture, quality=82):
    """A packed image from an array, a JPEG, or a PNG if it has opacity; the exporter copies its bytes as they are."""
    height, width, channels = picture.shape
    opaque = channels == 3
    raw = bpy.data.images.new(f"{name}-raw", width, height, alpha=not opaque)
    full = np.concatenate([picture, np.ones((height, width, 1))], axis=2) if opaque else picture
    raw.pixels.foreach_set(full.astype(np.float32).ravel())
    settings = bpy.context.scene.render.image_settings
    settings.file_format, settings.quality = ("JPEG" if opaque else "PNG"), quality
    settings.color_mode = "RGB" if opaque else "RGBA"
    bpy.context.scene.view_settings.view_transform = "Standard"
    path = os.path.join(bpy.app.tempdir, f"{name}.{'jpg' if opaque else 'png'}")
    raw.save_render(path)
    image = bpy.data.images.load(path)
    image.name = name
    image.pack()
    bpy.data.images.remove(raw)
    return image

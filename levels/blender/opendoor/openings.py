"""Openings: loops of open edges in the surface of a room, and the room behind each."""

from dataclasses import dataclass, field
from typing import Any

from mathutils import Matrix, Vector

from . import names, scenery

# Corners closer than this are merged (metres).
WELD = 1e-4
# Allowed distance of a portal's corners from its plane (metres); the engine projects them by up to as much.
FLAT = 1e-3
# Openings of two rooms whose middles are at most this far apart belong together (metres).
SAME = 0.02


@dataclass
class Opening:
    """A hole in a room's surface. `corners` are counter-clockwise seen from outside of the room."""

    room: Any
    corners: list
    behind: Any = None
    portal: Any = None
    fault: str = ""
    middle: Vector = field(default_factory=Vector)


def middle(corners):
    return sum(corners, Vector()) / len(corners)


def normal(corners):
    """The unit normal, on the side from which the corners are counter-clockwise."""
    total = Vector()
    for a, b in zip(corners, corners[1:] + corners[:1]):
        total += (a - corners[0]).cross(b - corners[0])
    return total.normalized()


def shape_fault(corners):
    """The reason why these corners cannot be a portal, with the cure; "" if they can."""
    if len(corners) < 3:
        return "has fewer than three corners"
    out, centre = normal(corners), middle(corners)
    if max(abs((c - centre).dot(out)) for c in corners) > FLAT:
        return "is not flat; split it into flat ones"
    for a, b, c in zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2]):
        if (b - a).cross(c - b).dot(out) < -1e-6:
            return "is not convex; split it into convex ones"
    return ""


def straightened(corners):
    """The corners without those that lie on a straight edge."""
    kept = []
    for before, here, after in zip(corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1]):
        if (here - before).normalized().cross((after - here).normalized()).length > 1e-4:
            kept.append(here)
    return kept


def chains(edges):
    """Closed loops of directed edges, pairs of hashable ends. Chains that do not close are ignored."""
    following = {}
    for a, b in edges:
        following.setdefault(a, []).append(b)
    loops = []
    for start in list(following):
        while following.get(start):
            loop, here = [start], following[start].pop()
            while here != start and following.get(here):
                loop.append(here)
                here = following[here].pop()
            if here == start:
                loops.append(loop)
    return loops


def open_loops(surface):
    """The loops of edges with a single face, as lists of points: counter-clockwise seen from outside of the room."""
    # Points are merged on a grid; two near points on either side of a grid line are merged as well.
    grid, welded = {}, []
    for point in surface.points:
        cell = tuple(round(c / WELD) for c in point)
        near = [(cell[0] + x, cell[1] + y, cell[2] + z) for x in (0, -1, 1) for y in (0, -1, 1) for z in (0, -1, 1)]
        known = next((grid[c] for c in near if c in grid), None)
        welded.append(grid.setdefault(cell, len(welded)) if known is None else known)
    directed = {}
    for face in surface.faces:
        for a, b in zip(face, face[1:] + face[:1]):
            a, b = welded[a], welded[b]
            if a != b:
                directed[a, b] = directed.get((a, b), 0) + 1
    edges = [e for e, count in directed.items() for _ in range(count - directed.get(e[::-1], 0))]
    return [[surface.points[i] for i in loop] for loop in chains(edges)]


def portal_corners(portal):
    """The corners of a portal in world coordinates, counter-clockwise seen from its front; [] for a broken portal."""
    mesh, world = portal.data, portal.matrix_world
    directed = {(a, b) for p in mesh.polygons for a, b in zip(p.vertices, list(p.vertices[1:]) + [p.vertices[0]])}
    loops = chains([e for e in directed if e[::-1] not in directed])
    if len(loops) != 1:
        return []
    corners = [world @ mesh.vertices[i].co for i in loops[0]]
    return corners[::-1] if world.determinant() < 0.0 else corners


def survey(context):
    """All openings of all rooms of the scene."""
    surfaces = [scenery.Surface(context, room) for room in scenery.rooms(context.scene)]
    found = []
    for surface in surfaces:
        for loop in open_loops(surface):
            corners = straightened(loop)
            if len(corners) >= 3:
                found.append(Opening(surface.room, corners, fault=shape_fault(corners), middle=middle(corners)))
    portals = [(p, middle(c)) for p in scenery.of_role(context.scene, "portal") if p.type == "MESH" and (c := portal_corners(p))]
    for opening in found:
        out = normal(opening.corners)
        twins = [o for o in found if o.room != opening.room and (o.middle - opening.middle).length < SAME]
        if twins:
            opening.behind = twins[0].room
        elif not opening.fault:
            others = [s for s in surfaces if s.room != opening.room]
            behind = scenery.room_at(others, opening.middle + 0.05 * out, out)
            opening.behind = behind.room if behind else None
        opening.portal = next((p for p, at in portals if (at - opening.middle).length < SAME), None)
    return found


def make_portal(context, room, corners, behind):
    """Adds a portal from `room`; if no room behind is passed, the engine finds it."""
    at = middle(corners)
    name = f"{names.stem(behind) if behind else ''}-portal"
    mesh = scenery.new_mesh("portal", [c - at for c in corners], [list(range(len(corners)))])
    portal = scenery.new_object(context, name, mesh, room, Matrix.Translation(at))
    portal.display_type = "WIRE"
    portal.show_in_front = True
    return portal

"""Builds labyrinth.glb and labyrinth.walk: `blender -b --python labyrinth.py`.

Some 400 rooms on two levels, in six districts, each with its own stone and its own light. The plan
is a square grid of cells, 6 m wide; a room takes one cell or several. The steps:

1. claim cells: halls that span both levels, stairs, ramps, clusters of octagons, L-shapes, vaults
2. join rooms: a random spanning tree, so that every room is reachable, and as many additional doors
3. build surfaces, cut openings, hang doors, furnish
4. walk: a route through many rooms, written beside the level for `opendoor test`

All random numbers come from one seeded generator.
"""

import math
import os
import random
import sys
from collections import deque

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import textures as paint
from common import STOP, Level, Part, arc, doorway, extrude, panelled
from textures import rgb

CELLS = 17          # cells to a side
CELL = 6.0          # metres
STOREY = 5.0        # from floor to floor
HALF_WALL = 0.2
INSIDE = CELL / 2 - HALF_WALL
NORTH, EAST, SOUTH, WEST = (0, -1), (1, 0), (0, 1), (-1, 0)
SIDES = (NORTH, EAST, SOUTH, WEST)

chance = random.Random(2001)
level = Level("labyrinth")


# --- themes: the materials of the districts ------------------------------------------------------

class Theme:
    """The materials of a district, and its light."""

    def __init__(self, name, wall, floor, ceiling, trim, glow, watts):
        """Takes images, and the colour of the lamps; without an image for the ceiling, it is made like the walls."""
        self.name, self.light, self.watts = name, tuple(float(c) for c in glow), watts
        self.wall = level.material(f"{name}-wall", wall, 2.0)
        self.floor = level.material(f"{name}-floor", floor, 2.0)
        self.ceiling = self.wall if ceiling is None else level.material(f"{name}-ceiling", ceiling, 2.0)
        self.trim = level.material(f"{name}-trim", trim, 1.0)
        self.glow = level.material(f"{name}-glow", glow, glow=1.0)
        self.skin = {"floor": self.floor, "wall": self.wall, "ceiling": self.ceiling}
        self.parts = {}

    def part(self, kind):
        """A piece of furniture in this district's materials; created once."""
        if kind not in self.parts:
            self.parts[kind] = FURNITURE[kind](Part(f"{kind}-{self.name}"), self)
        return self.parts[kind]


PX = 256
crate_wood = level.material("crate-wood", paint.planks(PX, 30, rgb(128, 96, 62), 8), 1.0)
themes = [
    Theme("sandstone", paint.masonry(PX, 1, [rgb(196, 164, 112), rgb(182, 150, 100), rgb(206, 176, 128)], rgb(140, 114, 78), 5, 3, 0.04, 0.06, 0.12),
          paint.tiles(PX, 2, [rgb(186, 156, 112), rgb(168, 138, 96)], 3, rgb(110, 88, 60), 0.03, 0.06), None,
          paint.plaster(PX, 4, rgb(150, 116, 72), 0.07), rgb(255, 206, 120), 40.0),
    Theme("brick", paint.masonry(PX, 5, [rgb(148, 74, 54), rgb(128, 62, 48), rgb(162, 90, 66)], rgb(150, 138, 122), 16, 5, 0.10),
          paint.masonry(PX, 6, [rgb(110, 96, 86), rgb(96, 84, 78)], rgb(60, 54, 50), 6, 4, 0.05), paint.planks(PX, 7, rgb(112, 76, 48), 6),
          paint.grain(PX, 8, rgb(86, 56, 36)), rgb(255, 150, 92), 50.0),
    Theme("moss", paint.masonry(PX, 9, [rgb(92, 102, 84), rgb(78, 90, 76), rgb(84, 108, 70), rgb(104, 108, 96)], rgb(44, 56, 36), 6, 3, 0.05, 0.12, 0.2),
          paint.masonry(PX, 10, [rgb(84, 88, 78), rgb(70, 84, 62), rgb(92, 92, 86)], rgb(48, 62, 36), 4, 3, 0.05, 0.12, 0.25), None,
          paint.plaster(PX, 12, rgb(112, 116, 104), 0.08), rgb(150, 255, 150), 42.0),
    Theme("timber", paint.planks(PX, 13, rgb(132, 92, 56), 6), paint.planks(PX, 14, rgb(92, 60, 38), 8), paint.planks(PX, 15, rgb(152, 112, 72), 5),
          paint.grain(PX, 16, rgb(70, 44, 28)), rgb(255, 184, 104), 42.0),
    Theme("marble", paint.tiles(PX, 17, [rgb(104, 96, 108), rgb(92, 84, 98)], 2, rgb(56, 50, 58), 0.012, 0.05, veins=0.5),
          paint.tiles(PX, 18, [rgb(150, 142, 140), rgb(54, 28, 36)], 4, rgb(70, 62, 64), 0.02, 0.04, veins=-0.2), paint.plaster(PX, 19, rgb(96, 88, 102), 0.04),
          paint.plaster(PX, 20, rgb(166, 132, 72), 0.06), rgb(232, 176, 255), 42.0),
    Theme("slate", paint.masonry(PX, 21, [rgb(86, 98, 118), rgb(74, 86, 108), rgb(98, 108, 126)], rgb(46, 52, 64), 8, 3, 0.05, 0.07, 0.15),
          paint.tiles(PX, 22, [rgb(66, 76, 96), rgb(84, 94, 112)], 4, rgb(36, 42, 54), 0.03, 0.06), None,
          paint.plaster(PX, 24, rgb(120, 130, 146), 0.06), rgb(120, 176, 255), 44.0),
]
# The districts: a cell belongs to the nearest of these points (cell i, cell j) of its level.
CENTRES = ([(2, 3), (9, 2), (15, 4), (3, 12), (9, 10), (14, 14)], [(14, 3), (3, 2), (8, 6), (14, 12), (2, 13), (9, 15)])


def theme_at(i, j, storey):
    distances = [(i - a) ** 2 + (j - b) ** 2 for a, b in CENTRES[storey]]
    return themes[distances.index(min(distances))]


# --- furniture -----------------------------------------------------------------------------------

def pillar(part, theme):
    part.box((-0.36, -0.01, -0.36), (0.36, 0.25, 0.36), theme.trim)
    return part.lathe([(0.26, 0.24), (0.22, 1.6), (0.2, 2.5)], theme.wall, 8).box((-0.32, 2.49, -0.32), (0.32, 2.7, 0.32), theme.trim)


def bench(part, theme):
    part.box((-0.8, 0.38, -0.2), (0.8, 0.46, 0.2), theme.trim)
    for x in (-0.65, 0.45):
        part.box((x, -0.01, -0.16), (x + 0.2, 0.39, 0.16), theme.wall)
    return part


def crate(part, theme):
    part.box((-0.38, -0.01, -0.38), (0.38, 0.72, 0.38), crate_wood)
    for y in (0.04, 0.6):
        part.box((-0.4, y, -0.4), (0.4, y + 0.09, 0.4), theme.trim)
    return part


def urn(part, theme):
    return part.lathe([(0.16, -0.01), (0.2, 0.06), (0.12, 0.12), (0.32, 0.5), (0.3, 0.72), (0.17, 0.86), (0.23, 0.95)], theme.trim, 10)


def obelisk(part, theme):
    part.box((-0.4, -0.01, -0.4), (0.4, 0.3, 0.4), theme.trim)
    return part.lathe([(0.36, 0.29), (0.22, 1.9), (0.03, 2.2)], theme.wall, 4)


def brazier(part, theme):
    part.lathe([(0.22, -0.01), (0.06, 0.1), (0.05, 0.7), (0.28, 0.9), (0.3, 0.98)], theme.trim, 8)
    return part.lathe([(0.2, 0.97), (0.16, 1.12), (0.02, 1.3)], theme.glow, 7)


def lamp(part, theme):
    """A lamp that hangs from y = 0."""
    part.lathe([(0.012, -0.5), (0.012, 0.01)], theme.trim, 6).lathe([(0.07, -0.58), (0.03, -0.46)], theme.trim, 16)
    return part.lathe([(0.05, -0.84), (0.17, -0.72), (0.15, -0.62), (0.06, -0.575)], theme.glow, 16)


def frame(width, top, rise):
    """The frame around an opening of this size, on a wall that faces +z."""
    def build(part, theme):
        inner = [(x, y) for x, y, _ in doorway((-width / 2, 0), (width / 2, 0), -0.01, top, rise, 6)]
        outer = [(x, y) for x, y, _ in doorway((-width / 2 - 0.18, 0), (width / 2 + 0.18, 0), -0.01, top + 0.18, rise and rise + 0.18, 6)]
        for k in range(1, len(inner)):
            j = (k + 1) % len(inner)
            board = [(*inner[k], 0.0), (*inner[j], 0.0), (*outer[j], 0.0), (*outer[k], 0.0)]
            part.add(extrude(board, (0, 0, 0.06)), theme.trim)
        return part
    return build


# Openings: width, height, rise of the arch.
DOOR, ARCH, WIDE, POINTED = ("door", 1.2, 2.2, 0.0), ("arch", 2.4, 2.6, 0.7), ("wide", 3.0, 2.4, 0.0), ("round", 1.4, 2.4, 0.6)
FURNITURE = {"pillar": pillar, "bench": bench, "crate": crate, "urn": urn, "obelisk": obelisk, "brazier": brazier, "lamp": lamp}
FURNITURE.update({f"frame-{name}": frame(width, top, rise) for name, width, top, rise in (DOOR, ARCH, WIDE, POINTED)})


# --- 1. claim cells ------------------------------------------------------------------------------

class Plan:
    """A room of the plan."""

    def __init__(self, kind, cells, axis=None):
        self.kind, self.cells, self.axis = kind, cells, axis
        self.theme = theme_at(*cells[0])
        self.cuts = {}              # octagons: corner (sx, sz) -> length of the cut
        self.low = [c for c in cells if c[2] == min(c[2] for c in cells)]

    def middle(self):
        xs, zs = [x_of(c[0]) for c in self.low], [x_of(c[1]) for c in self.low]
        return sum(xs) / len(xs), sum(zs) / len(zs)

    def base(self):
        return STOREY * min(c[2] for c in self.cells)

    def may_have_door(self, cell, side):
        """Whether the middle of this side of this cell is walkable."""
        if self.kind == "tall":
            i, j = min(c[0] for c in self.cells), min(c[1] for c in self.cells)
            if cell[2] == 0:
                return side != EAST                 # the stairs rise on this side
            return side in (NORTH, WEST)            # the balconies are on these sides
        if self.kind in ("stairs", "ramp"):
            ends = sorted(self.cells, key=lambda c: (c[2], c[self.axis]))
            forward = (EAST, SOUTH)[self.axis]
            back = (WEST, NORTH)[self.axis]
            return (cell, side) in ((ends[0], back), (ends[-1], forward))
        if self.kind == "hexagon":
            return side in (NORTH, SOUTH)
        return True

    def may_have_window(self, cell, side):
        if self.kind == "tall":
            return cell[2] == 1 and side in (SOUTH, EAST)
        return self.kind in ("hall", "ell", "room")

    def widest(self):
        """The maximum width of an opening: octagons have short sides."""
        return {"octagon": 1.2, "dome": 2.4, "hexagon": 2.4}.get(self.kind, 3.0)

    def highest(self):
        return {"vault": 2.6}.get(self.kind, 2.8)


def x_of(i):
    """The middle of a cell, along x or z."""
    return (i - (CELLS - 1) / 2) * CELL


owner = {}
plans = []


def claim(kind, cells, axis=None):
    """Makes a room of these cells, if all of them are free."""
    if any(c in owner or not (0 <= c[0] < CELLS and 0 <= c[1] < CELLS) for c in cells):
        return None
    plan = Plan(kind, cells, axis)
    plans.append(plan)
    for cell in cells:
        owner[cell] = plan
    return plan


def scatter(count, attempt):
    """Tries random cells until this number of attempts has succeeded."""
    for _ in range(2000):
        if count and attempt(chance.randrange(CELLS), chance.randrange(CELLS), chance.randrange(2)):
            count -= 1


def block(i, j, width, depth, storeys):
    return [(i + a, j + b, s) for s in storeys for b in range(depth) for a in range(width)]


def claim_climb(kind, length):
    """Claims stairs or a ramp, which need a neighbour before the low end and behind the high end."""
    def attempt(i, j, _):
        axis = chance.randrange(2)
        if not 1 <= (i, j)[axis] <= CELLS - length - 1:
            return None
        size = (length, 1) if axis == 0 else (1, length)
        before = (i - 1, j, 0) if axis == 0 else (i, j - 1, 0)
        behind = (i + length, j, 1) if axis == 0 else (i, j + length, 1)
        if before in owner or behind in owner or before[:2] in shut or behind[:2] in shut:
            return None
        plan = claim(kind, block(i, j, *size, (0, 1)), axis)
        if plan:
            # Later rooms at these cells must have a wall for the door.
            shut.update((before[:2], behind[:2]))
        return plan
    return attempt


shut = set()
scatter(7, lambda i, j, _: None if any((i + a, j + b) in shut for a in range(-1, 3) for b in range(-1, 3)) else claim("tall", block(i, j, 2, 2, (0, 1))))
scatter(10, claim_climb("stairs", 2))
scatter(4, claim_climb("ramp", 3))

# Four octagons around a small diamond, which covers the common corner of the four cells.
diamonds = []


def claim_cluster(i, j, storey):
    four = block(i, j, 2, 2, (storey,))
    if any(c in owner or c[:2] in shut or max(c[0], c[1]) >= CELLS for c in four):
        return None
    diamond = Plan("diamond", [(i, j, storey)])
    diamond.around = []
    for cell in four:
        plan = claim("octagon", [cell])
        corner = (1 if cell[0] == i else -1, 1 if cell[1] == j else -1)
        plan.cuts = {(sx, sz): 2.0 if (sx, sz) == corner else 1.0 for sx in (-1, 1) for sz in (-1, 1)}
        diamond.around.append((plan, corner))
    diamonds.append(diamond)
    plans.append(diamond)
    return diamond


scatter(9, claim_cluster)
scatter(9, lambda i, j, s: claim("hall", block(i, j, 2, 2, (s,))))


def claim_ell(i, j, storey):
    cells = block(i, j, 2, 2, (storey,))
    cells.pop(chance.randrange(4))
    return claim("ell", cells)


scatter(15, claim_ell)
scatter(12, lambda i, j, s: claim("hall", block(i, j, 2, 1, (s,))))
scatter(10, lambda i, j, s: claim("vault", block(i, j, 2, 1, (s,)), 0))
scatter(10, lambda i, j, s: claim("vault", block(i, j, 1, 2, (s,)), 1))
for s in (0, 1):
    for j in range(CELLS):
        for i in range(CELLS):
            if (i, j, s) not in owner:
                kind = "room" if (i, j) in shut else chance.choice(("room", "room", "room", "dome", "dome", "hexagon", "vault"))
                claim(kind, [(i, j, s)], chance.randrange(2))


# --- 2. join rooms -------------------------------------------------------------------------------

group = {plan: plan for plan in plans}


def root(plan):
    while group[plan] is not plan:
        plan = group[plan]
    return plan


sides = []
for (i, j, s), plan in sorted(owner.items(), key=lambda item: item[0]):
    for side in (EAST, SOUTH):
        there = (i + side[0], j + side[1], s)
        if there in owner and owner[there] is not plan:
            sides.append(((i, j, s), side, there))
chance.shuffle(sides)
# The ends of stairs come first, because they have no other door.
sides.sort(key=lambda e: not any(owner[c].kind in ("stairs", "ramp") for c in (e[0], e[2])))
doors, windows = [], []
for here, side, there in sides:
    a, b = owner[here], owner[there]
    back = (-side[0], -side[1])
    if a.may_have_door(here, side) and b.may_have_door(there, back):
        climbs = "stairs" in (a.kind, b.kind) or "ramp" in (a.kind, b.kind)
        if root(a) is not root(b) or climbs or chance.random() < 0.42:
            group[root(a)] = root(b)
            doors.append((here, side, there))
            continue
    if a.may_have_window(here, side) and b.may_have_window(there, back) and chance.random() < 0.3:
        windows.append((here, side, there))
    elif "tall" in (a.kind, b.kind) and here[2] == 1 and chance.random() < 0.8:
        # Rooms of the upper level overlook the tall halls.
        if all(p.kind != "tall" or p.may_have_window(c, d) for p, c, d in ((a, here, side), (b, there, back))):
            if all(p.kind in ("tall", "hall", "ell", "room", "dome") for p in (a, b)):
                windows.append((here, side, there))
for diamond in diamonds:
    for place, (plan, corner) in enumerate(diamond.around):
        if place == 0 or chance.random() < 0.7:
            group[root(diamond)] = root(plan)
            doors.append((diamond, corner, plan))
# A hexagon whose two flat sides face no door becomes an eight-sided dome, which has four such sides.
for here, side, there in sides:
    a, b = owner[here], owner[there]
    if root(a) is not root(b) and "hexagon" in (a.kind, b.kind):
        for plan in (a, b):
            plan.kind = "dome" if plan.kind == "hexagon" else plan.kind
        if a.may_have_door(here, side) and b.may_have_door(there, (-side[0], -side[1])):
            group[root(a)] = root(b)
            doors.append((here, side, there))
# Cells whose walls no door can pierce stay solid rock.
lost = {p for p in plans if root(p) is not root(plans[0])}
assert len(lost) < 5, f"cannot be reached: {[(p.kind, p.cells) for p in lost]}"
plans = [p for p in plans if p not in lost]
owner = {cell: plan for cell, plan in owner.items() if plan not in lost}
windows = [w for w in windows if w[0] in owner and w[2] in owner]


# --- 3. build ------------------------------------------------------------------------------------

def rectangle(cells):
    x0, x1 = x_of(min(c[0] for c in cells)) - INSIDE, x_of(max(c[0] for c in cells)) + INSIDE
    z0, z1 = x_of(min(c[1] for c in cells)) - INSIDE, x_of(max(c[1] for c in cells)) + INSIDE
    return x0, z0, x1, z1


def box_outline(cells):
    x0, z0, x1, z1 = rectangle(cells)
    return [(x0, z0), (x1, z0), (x1, z1), (x0, z1)]


def ell_outline(cells):
    """The outline of three cells of a block of four: the rectangle minus the missing quarter."""
    x0, z0, x1, z1 = rectangle(cells)
    i, j = {c[0] for c in cells}, {c[1] for c in cells}
    gone = next((a, b) for a in i for b in j if (a, b) not in {c[:2] for c in cells})
    # The inner corner is at the missing cell's walls, a wall's thickness further in.
    cx = (x0 + x1) / 2 + (-HALF_WALL if gone[0] == max(i) else HALF_WALL)
    cz = (z0 + z1) / 2 + (-HALF_WALL if gone[1] == max(j) else HALF_WALL)
    gx, gz = (x1 if gone[0] == max(i) else x0), (z1 if gone[1] == max(j) else z0)
    outline = []
    for x, z in ((x0, z0), (x1, z0), (x1, z1), (x0, z1)):
        if (x, z) != (gx, gz):
            outline.append((x, z))
        elif (x == x1) == (z == z0):
            outline += [(cx, z), (cx, cz), (x, cz)]
        else:
            outline += [(x, cz), (cx, cz), (cx, z)]
    return outline


def cut_outline(x, z, cuts):
    """The outline of a square cell with its corners cut off."""
    def corner(sx, sz):
        return cuts[(sx, sz)]
    r = INSIDE
    return [(x - r, z - r + corner(-1, -1)), (x - r + corner(-1, -1), z - r), (x + r - corner(1, -1), z - r), (x + r, z - r + corner(1, -1)),
            (x + r, z + r - corner(1, 1)), (x + r - corner(1, 1), z + r), (x - r + corner(-1, 1), z + r), (x - r, z + r - corner(-1, 1))]


def build_dome(room, outline, x, z, base):
    """Adds vertical walls, then a ceiling that narrows to a smaller ring."""
    spring, crown = base + 2.9, base + 4.2
    inner = [(x + 0.4 * (px - x), z + 0.4 * (pz - z)) for px, pz in outline]
    walls = extrude([(px, base, pz) for px, pz in outline], (0, spring - base, 0), inwards=True)
    for face in [walls[0]] + walls[2:]:
        room.face(face)
    room.face([(px, crown, pz) for px, pz in inner])
    for k in range(len(outline)):
        j = (k + 1) % len(outline)
        room.face([(outline[k][0], spring, outline[k][1]), (outline[j][0], spring, outline[j][1]),
                   (inner[j][0], crown, inner[j][1]), (inner[k][0], crown, inner[k][1])], room.materials["ceiling"])
    return crown


def furnish_corners(plan, room, cells, base):
    """Furnishes a corner or two; the cross between the doors stays free."""
    for cell in cells:
        x, z = x_of(cell[0]), x_of(cell[1])
        for sx in (-1, 1):
            for sz in (-1, 1):
                if chance.random() < 0.42:
                    kind = chance.choice(("pillar", "crate", "urn", "obelisk", "brazier", "crate", "urn"))
                    room.place(plan.theme.part(kind), (x + 2.2 * sx, base, z + 2.2 * sz), chance.randrange(4) * 90.0, kind="boxed")


def build_climb(plan, room, base):
    """Builds stairs of 25 steps of 0.20 m, or a ramp of 21 degrees; the ceiling follows."""
    x0, z0, x1, z1 = rectangle(plan.cells)
    start, end, lower, upper = (x0, x1, z0, z1) if plan.axis == 0 else (z0, z1, x0, x1)
    if plan.kind == "stairs":
        foot, run, steps = start + 2.2, 0.30, 25
        section = [(start, 0.0), (foot, 0.0)]
        for step in range(1, steps):
            section += [(foot + run * (step - 1), 0.2 * step), (foot + run * step, 0.2 * step)]
        head = foot + run * (steps - 1)
        section += [(head, STOREY)]
    else:
        foot, head = start + 2.3, end - 2.3
        section = [(start, 0.0), (foot, 0.0), (head, STOREY)]
    section += [(end, STOREY), (end, STOREY + 3.2), (head, STOREY + 3.2), (foot - 0.4, 3.2), (start, 3.2)]
    if plan.axis == 0:
        room.profile_z(section, lower, upper)
    else:
        room.profile_x(section, lower, upper)
    middle = (lower + upper) / 2
    for s, y in ((start + 1.0, 3.2), (head + 1.0, STOREY + 3.2)):
        at = (s, y, middle) if plan.axis == 0 else (middle, y, s)
        room.place(plan.theme.part("lamp"), at, kind="nocol")
        room.light((at[0], y - 0.95, at[2]), plan.theme.watts, plan.theme.light)
    plan.route = [(foot - 0.8, middle), (head + 0.8, middle)]
    if plan.axis == 1:
        plan.route = [(b, a) for a, b in plan.route]


def build_tall(plan, room):
    """Builds a hall of both levels: balconies along north and west, stairs up along the east wall."""
    x0, z0, x1, z1 = rectangle(plan.cells)
    room.prism([(x0, z0), (x1, z0), (x1, z1), (x0, z1)], 0.0, STOREY + 3.8)
    theme, wide = plan.theme, 1.6
    # The slabs meet at a corner of 45 degrees, so that no faces overlap.
    slab = Part(f"{room.name}-balcony")
    slab.prism([(x0, z0), (x1, z0), (x1, z0 + wide), (x0 + wide, z0 + wide), (x0 + wide, z1), (x0, z1)], STOREY - 0.3, STOREY, theme.floor)
    room.place(slab)
    rail = Part(f"{room.name}-parapet")
    rail.box((x0 + wide - 0.16, STOREY - 0.01, z0 + wide - 0.16), (x1 - 1.5, STOREY + 1.0, z0 + wide - 0.02), theme.trim)
    rail.box((x0 + wide - 0.16, STOREY - 0.01, z0 + wide - 0.03), (x0 + wide - 0.02, STOREY + 0.995, z1 + 0.01), theme.trim)
    room.place(rail)
    foot = z0 + wide + 0.30 * 24
    section = [(foot, -0.01)]
    for step in range(1, 25):
        section += [(foot - 0.30 * (step - 1), 0.2 * step), (foot - 0.30 * step, 0.2 * step)]
    section += [(z0 + wide, -0.01)]
    flight = Part(f"{room.name}-stairs")
    for face in extrude([(x1 - 1.5, y, z) for z, y in section], (1.5, 0, 0)):
        flat = len({p[1] for p in face}) == 1
        flight.add([face], theme.floor if flat else theme.trim if len({p[0] for p in face}) > 1 else theme.wall)
    room.place(flight)
    guard = Part(f"{room.name}-guard").profile_x([(foot, 0.0), (foot, 1.0), (z0 + wide, STOREY + 1.0), (z0 + wide, STOREY - 0.2), (foot - 0.3, 0.0)],
                                                 x1 - 1.6, x1 - 1.48, theme.trim)
    room.place(guard)
    for x in (x0 + wide - 0.4, (x0 + x1) / 2):
        room.place(theme.part("pillar"), (x, 0.0, z0 + wide - 0.4))
        room.place(Part(f"{room.name}-post").lathe([(0.2, 2.69), (0.18, STOREY - 0.29)], theme.wall, 8), (x, 0.0, z0 + wide - 0.4))
    middle = ((x0 + x1) / 2, (z0 + z1) / 2)
    for dx, dz in ((-2.0, 2.4), (2.0, 2.4), (0.0, -2.0)):
        room.place(theme.part("lamp"), (middle[0] + dx, STOREY + 3.8, middle[1] + dz), kind="nocol")
        room.light((middle[0] + dx, STOREY + 2.8, middle[1] + dz), 1.6 * theme.watts, theme.light)
    room.light((middle[0] - 1.0, 2.6, middle[1]), theme.watts, theme.light)
    room.place(theme.part("obelisk"), (middle[0], 0.0, middle[1]), kind="boxed")


def build(plan, number):
    theme, base = plan.theme, plan.base()
    x, z = plan.middle()
    name = f"{theme.name}-{plan.kind}-{number}"
    room = level.room(name, theme.skin, (round(x), round(base), round(z)))
    plan.room = room
    height = chance.choice((3.0, 3.2, 3.6, 4.2))
    if plan.kind == "tall":
        build_tall(plan, room)
        return
    if plan.kind in ("stairs", "ramp"):
        build_climb(plan, room, base)
        return
    crown = base + height
    if plan.kind == "diamond":
        # The walls are 0.4 m thick all round: 1.697 - 0.4 from the corner of the cells, at 45 degrees.
        x, z = x + CELL / 2, z + CELL / 2
        r = 2.4 - 2.0 * HALF_WALL * math.sqrt(2.0)
        crown = base + 3.0
        room.prism([(x - r, z), (x, z - r), (x + r, z), (x, z + r)], base, crown)
    elif plan.kind == "vault":
        x0, z0, x1, z1 = rectangle(plan.cells)
        lower, upper = (z0, z1) if plan.axis == 0 else (x0, x1)
        crown = base + 4.1
        section = [(lower, base), (upper, base), (upper, base + 2.7)] + arc((upper, base + 2.7), (lower, base + 2.7), -1.4, 6)[1:-1] + [(lower, base + 2.7)]
        room.profile_x(section, x0, x1) if plan.axis == 0 else room.profile_z(section, z0, z1)
    elif plan.kind == "octagon":
        room.prism(cut_outline(x, z, plan.cuts), base, crown)
    elif plan.kind == "dome":
        crown = build_dome(room, cut_outline(x, z, {(a, b): 1.3 for a in (-1, 1) for b in (-1, 1)}), x, z, base)
    elif plan.kind == "hexagon":
        r = INSIDE
        room.prism([(x - r, z), (x - r / 2, z - r), (x + r / 2, z - r), (x + r, z), (x + r / 2, z + r), (x - r / 2, z + r)], base, crown)
    else:
        room.prism(ell_outline(plan.cells) if plan.kind == "ell" else box_outline(plan.cells), base, crown)
        furnish_corners(plan, room, plan.cells, base)
    if plan.kind == "hall" and len(plan.cells) == 4:
        room.place(theme.part("pillar"), (x, base, z))
        room.place(Part(f"{name}-post").lathe([(0.2, base + 2.69), (0.18, crown + 0.01)], theme.wall, 8), (x, 0.0, z))
    if plan.kind in ("room", "hall", "ell") and chance.random() < 0.6:
        beams = Part(f"{name}-beams")
        x0, z0, x1, z1 = rectangle(plan.cells)
        for cell in plan.cells if plan.kind != "ell" else ():
            for dx in (-1.5, 1.5):
                bx = x_of(cell[0]) + dx
                if cell[1] == min(c[1] for c in plan.cells):
                    beams.box((bx - 0.12, crown - 0.22, z0 - 0.01), (bx + 0.12, crown + 0.01, z1 + 0.01), theme.trim)
        if beams.faces:
            room.place(beams, kind="nocol")
    for cell in plan.cells:
        lx, lz = (x, z) if plan.kind == "diamond" else (x_of(cell[0]), x_of(cell[1]))
        room.place(theme.part("lamp"), (lx, crown, lz), kind="nocol")
        room.light((lx, crown - 1.0, lz), theme.watts * (0.5 if plan.kind == "diamond" else 1.0), theme.light)


for number, plan in enumerate(plans):
    build(plan, number)


# The doors and the gate: the middles of their openings, (x, z), on the lower floor.
HINGED = ((-15.0, 0.0), (-18.0, 27.0), (-33.0, 12.0), (0.0, 21.0))
GATE = (15.0, -23.4)
iron = level.material("iron", rgb(60, 58, 56), rough=0.5)
# By the key of the opening: the portal, the mover, and the position from which the gate's switch is used.
moving = {}


def hang_gate(opening, x, z, side, theme):
    """Adds a slab that slides up into the wall and is slightly embedded in it, and a switch on either side."""
    slab = Part("gate").box((-0.62, -0.004, -0.06), (0.62, 2.215, 0.06), theme.trim)
    for y in (0.3, 1.0, 1.7):
        for z0, z1 in ((-0.07, -0.055), (0.055, 0.07)):
            slab.box((-0.5, y, z0), (0.5, y + 0.12, z1), iron)
    yaw = 90.0 if side in (EAST, WEST) else 0.0
    node = opening.rooms[0].mesh("gate-door", slab.data(), (x, 0.0, z), yaw)
    for key, value in dict(motion="slide", axis="z", distance=2.1, time=2.0, opens="trigger").items():
        node[key] = value
    lever = Part("lever").box((-0.1, 0.3, -0.01), (0.1, 1.75, 0.06), theme.trim).box((-0.03, 1.2, 0.05), (0.03, 1.3, 0.18), iron)
    stands = []
    for room, sign in zip(opening.rooms, (-1, 1)):
        nx, nz = sign * side[0], sign * side[1]
        at = (x + nx * HALF_WALL - abs(nz) * 1.3, 0.0, z + nz * HALF_WALL - abs(nx) * 1.3)
        yaw = math.degrees(math.atan2(nx, nz))
        room.mesh(f"gate-{room.name}-switch", lever.data(), at, yaw)["target"] = "gate-door"
        stands.append((room, at[0] + nx * 1.1, at[2] + nz * 1.1, yaw, x + nx * 1.3, z + nz * 1.3))
    return stands


def cut_door(here, side, there):
    """Cuts a doorway, an arch or a wide opening, with a frame on either side."""
    a, b = owner[here], owner[there]
    fitting = [o for o in (DOOR, DOOR, POINTED, ARCH, ARCH, WIDE) if o[1] <= min(a.widest(), b.widest()) and o[2] <= min(a.highest(), b.highest())]
    name, width, top, rise = chance.choice(fitting)
    shift = chance.choice((-0.6, 0.0, 0.6)) if a.kind in ("room", "hall") and b.kind in ("room", "hall") and width < 1.5 else 0.0
    base = STOREY * here[2]
    x, z = x_of(here[0]) + side[0] * CELL / 2, x_of(here[1]) + side[1] * CELL / 2
    ax, az = abs(side[1]), abs(side[0])             # along the wall
    x, z = x + ax * shift, z + az * shift
    p, q = (x - ax * width / 2, z - az * width / 2), (x + ax * width / 2, z + az * width / 2)
    link = chance.choice(("", "*door", b.room.name))
    key = ("door", here, there)
    if here[2] == 0 and (x, z) in HINGED:
        link = f"*door-{len(moving)}"
        # The frame's boards end where the wider side of the opening does.
        p, q = ((mx + ax * s * (width / 2 - STOP), mz + az * s * (width / 2 - STOP)) for mx, mz, s in ((x, z, -1), (x, z, 1)))
        opening = level.opening(a.room, b.room, doorway(p, q, base + STOP, base + top - STOP), link, into=b.room)
        panel = panelled(crate_wood, b.theme.trim, iron, (0.33, 0.66, 1.0), 1)
        node = opening.hang(f"panel-{len(moving)}", p, panel, time=1.0)
        moving[key] = (f"{link}-portal", node.name, ())
    elif here[2] == 0 and (x, z) == GATE:
        opening = level.opening(a.room, b.room, doorway(p, q, base, base + top), "*gate")
        moving[key] = ("*gate-portal", "gate-door", hang_gate(opening, x, z, side, a.theme))
    else:
        level.opening(a.room, b.room, doorway(p, q, base, base + top, rise, 6), link)
    for plan, sign in ((a, -1), (b, 1)):
        yaw = {NORTH: 0, EAST: -90, SOUTH: 180, WEST: 90}[(side[0] * -sign, side[1] * -sign)]
        plan.room.place(plan.theme.part(f"frame-{name}"), (x + sign * side[0] * HALF_WALL, base, z + sign * side[1] * HALF_WALL), yaw, kind="nocol")
    return x, z


def cut_window(here, side, there):
    a, b = owner[here], owner[there]
    base = STOREY * here[2]
    x, z = x_of(here[0]) + side[0] * CELL / 2, x_of(here[1]) + side[1] * CELL / 2
    ax, az, half = abs(side[1]), abs(side[0]), chance.choice((0.7, 1.1))
    p, q = (x - ax * half, z - az * half), (x + ax * half, z + az * half)
    level.opening(a.room, b.room, doorway(p, q, base + 1.0, base + 2.4, 0.4, 6), "*window", None, a.theme.wall)


def cut_slanted(diamond, corner, plan):
    """Cuts a door from the diamond through the slanted wall of one of its octagons."""
    x, z = diamond.middle()
    x, z = x + CELL / 2, z + CELL / 2
    # The octagon is opposite to its corner that was cut off for the diamond.
    sx, sz = -corner[0], -corner[1]
    off = (2.4 - HALF_WALL * math.sqrt(2.0)) / 2.0
    mx, mz = x + sx * off, z + sz * off
    t = 0.6 / math.sqrt(2.0)
    base = diamond.base()
    level.opening(diamond.room, plan.room, doorway((mx - sx * t, mz + sz * t), (mx + sx * t, mz - sz * t), base, base + 2.2))
    return mx, mz


door_at = {}
for here, side, there in doors:
    door_at[(here, there)] = cut_slanted(here, side, there) if isinstance(here, Plan) else cut_door(here, side, there)
for window in windows:
    cut_window(*window)


# --- 4. walk -------------------------------------------------------------------------------------

# A node is (plan, key, (x, z)). Inside a room, straight lines without obstacles join the nodes.
nodes, ways = {}, {}


def join(a, b):
    ways.setdefault(a, []).append(b)
    ways.setdefault(b, []).append(a)


for cell, plan in sorted(owner.items(), key=lambda item: item[0]):
    x, z = x_of(cell[0]), x_of(cell[1])
    if plan.kind == "tall" and cell[2] == 1:
        x0, z0, _, _ = rectangle(plan.cells)
        north, west = cell[1] == min(c[1] for c in plan.cells), cell[0] == min(c[0] for c in plan.cells)
        if not (north or west):
            continue
        x, z = (x if north and not west else x0 + 0.7), (z0 + 0.7 if north else z)
        if north and west:
            # The corner of the balcony serves two doors: the path turns at right angles.
            for key, p in (("n", (x_of(cell[0]), z0 + 0.7)), ("w", (x0 + 0.7, x_of(cell[1])))):
                nodes[(cell, key)] = (plan, p)
                join(cell, (cell, key))
    nodes[cell] = (plan, (x, z))
for cell in list(nodes):
    if len(cell) != 3:
        continue
    for side in (EAST, SOUTH):
        there = (cell[0] + side[0], cell[1] + side[1], cell[2])
        if owner.get(there) is owner[cell] and there in nodes and owner[cell].kind not in ("stairs", "ramp"):
            if not (owner[cell].kind == "tall" and cell[2] == 1):
                join(cell, there)
for plan in plans:
    if plan.kind in ("stairs", "ramp"):
        ends = sorted(plan.cells, key=lambda c: (c[2], c[plan.axis]))
        for cell, p in ((ends[0], plan.route[0]), (ends[-1], plan.route[1])):
            nodes[cell] = (plan, p)
        join(ends[0], ends[-1])
    if plan.kind == "tall":
        x0, z0, x1, z1 = rectangle(plan.cells)
        i, j = min(c[0] for c in plan.cells), min(c[1] for c in plan.cells)
        nodes[(plan, "foot")] = (plan, (x1 - 0.75, z1 - 1.2))
        nodes[(plan, "head")] = (plan, (x1 - 0.75, z0 + 0.7))
        join((i + 1, j + 1, 0), (plan, "foot"))
        join((plan, "foot"), (plan, "head"))
        join((plan, "head"), (i + 1, j, 1))
        join((i + 1, j, 1), ((i, j, 1), "n"))
        join(((i, j, 1), "w"), (i, j + 1, 1))


def door_node(cell, side):
    """The node from which a straight walk leads through a door on this side of the cell."""
    plan = owner[cell]
    if plan.kind == "tall" and cell[2] == 1 and (cell, "n") in nodes:
        return (cell, "n" if side == NORTH else "w")
    return cell


for (here, there), p in door_at.items():
    key = ("door", here, there)
    if isinstance(here, Plan):
        x, z = here.middle()
        nodes[here] = (here, (x + CELL / 2, z + CELL / 2))
        a, b = here, there.cells[0]
    else:
        side = (there[0] - here[0], there[1] - here[1])
        a, b = door_node(here, side), door_node(there, (-side[0], -side[1]))
    nodes[key] = (None, p)
    join(a, key)
    join(key, b)


def nearest(start, wanted):
    """The shortest path, in nodes, to the nearest node of a wanted room."""
    came, queue = {start: None}, deque([start])
    while queue:
        node = queue.popleft()
        plan = nodes[node][0]
        if plan is not None and wanted(plan):
            way = []
            while node is not None:
                way.append(node)
                node = came[node]
            return way[::-1]
        for there in ways.get(node, []):
            if there not in came:
                came[there] = node
                queue.append(there)
    return None


middle = CELLS // 2
start = min((c for c in owner if c[2] == 0 and owner[c].kind == "room"), key=lambda c: (abs(c[0] - middle) + abs(c[1] - middle), c))
owner[start].room.spawn("player", (x_of(start[0]), 0.0, x_of(start[1])))
here, entered, opened, lines = start, {owner[start]}, set(), []


def walk_to(wanted):
    """Walks to the nearest wanted room, and records the path."""
    global here
    for node in nearest(here, wanted)[1:]:
        plan, (x, z) = nodes[node]
        if node in moving and node not in opened:
            opened.add(node)
            portal, mover, stands = moving[node]
            for room, at_x, at_z, yaw, before_x, before_z in stands:
                if room is nodes[here][0].room:
                    lines.extend([f"goto {at_x:.2f} {at_z:.2f}", f"face {yaw:.0f}", "wait 0.5", "use"])
                    after = f"goto {before_x:.2f} {before_z:.2f}"
            if not stands:
                lines.append(f"open {portal}")
            lines.append(f"wait_until mover_arrived {mover}")
            if stands:
                lines.append(after)
        lines.append(f"goto {x:.2f} {z:.2f}")
        if plan is not None and plan not in entered:
            entered.add(plan)
            lines.append(f"expect room {plan.room.name}")
        here = node


# Thirty new rooms below, up the nearest stairs, thirty above, and down again by another way.
for storey in (0, 1, 0):
    for _ in range(30 if storey == 0 else 34):
        walk_to(lambda plan: plan not in entered and plan.kind not in ("stairs", "ramp", "tall") and plan.cells[0][2] == storey)
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "labyrinth.walk")
with open(path, "w", encoding="utf-8") as file:
    file.write(f"# A walk through {len(entered)} rooms of labyrinth.glb, up and down again.\n")
    file.write("# Written by labyrinth.py; opendoor test labyrinth.glb\n")
    file.write("\n".join(lines) + "\n")

level.export()
print(f"labyrinth.walk: {len(entered)} rooms")

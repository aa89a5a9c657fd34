"""Builds works.glb, a level of movers: `blender -b --python works.py`.

A factory: ten rooms, two rooms that move, and one mover of every kind. North is -z. Heights: cellar floor and pit
-3.2, ground floor 0, gallery 4.06.

    +---------------+-------+----------+-----------------+
    |   ======== stations                                |
    |  |bridge| pit = carriage ========= = |             |
    |               +-------+----------+   |             |
    +----- = = -----+                  +- -+  packing    |
    |control| gallery    |glass|           |         |^| |
    |       |------------+ lift+           /         |^| |
    +-------| +----+           |                     |^| |
            | |lift|   hall    |-----------+---------|^|-|
            | +----+    ___    |                     |^| |
            | +-+     ( turn ) =  press shop   [ ]   |^| |
            | +-+hatch( table) |                         |
            +--/---------//----+-------------------------+
            |  office /  lobby |
            +---------+--------+

The cellar lies below the west of the hall; a passage leads from it to the pit of the stations.

Doors: lobby to office (hinged, ajar), office to hall (hinged), lobby to hall (double), hall to press
shop (slides), hall to packing (hinged), packing to the stations (slides up), hall to the stations (a pair
that slides apart), gallery to control (slides), the hatch (hinged, flat), the pane of the control room
(slides up). A switch in packing fires a relay, which opens the gate to the stations and sends the goods lift up
to the store, where a trigger greets the player. These move by themselves: both other lifts, the turntable, the crane,
the press, the bridge and the carriage; the conveyor runs from the press shop into packing.
"""

import math
import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import bpy

import textures as paint
from common import Level, Opening, Part, dot, doorway, make_mesh, newell, snap
from textures import rgb

UPPER = 4.06
DEEP = -3.2
SUNK = -0.01  # Feet are this deep in the floor, and backs in the wall, so that no faces coincide.

level = Level("works")


# --- materials -----------------------------------------------------------------------------------

concrete = level.material("concrete", paint.tiles(512, 1, [rgb(132, 130, 124), rgb(124, 123, 119)], 2, rgb(84, 82, 78), 0.008, 0.06), 4.0)
raw = level.material("raw-concrete", paint.plaster(512, 2, rgb(120, 118, 112), 0.08), 3.0)
brick = level.material("brick", paint.masonry(512, 3, [rgb(138, 74, 56), rgb(120, 64, 50), rgb(150, 88, 66)], rgb(150, 140, 126), 14, 4, 0.09), 1.1)
pale_brick = level.material("pale-brick", paint.masonry(512, 4, [rgb(186, 178, 158), rgb(176, 166, 146), rgb(196, 188, 170)], rgb(140, 134, 124), 14, 4, 0.07), 1.1)
white = level.material("white-plaster", paint.plaster(256, 5, rgb(214, 212, 204), 0.025), 2.0)
green = level.material("green-plaster", paint.plaster(256, 6, rgb(122, 146, 128), 0.035), 2.0)
parquet = level.material("parquet", paint.planks(512, 7, rgb(132, 92, 58)), 2.0, rough=0.6)
chequer = level.material("chequer", paint.tiles(256, 8, [rgb(176, 172, 160), rgb(74, 82, 84)], 4), 1.6, rough=0.5)
deck = level.material("deck", paint.tiles(256, 9, [rgb(112, 116, 120), rgb(100, 104, 110)], 8, rgb(66, 68, 72), 0.05, 0.07), 0.8, rough=0.5)
planks = level.material("planks", paint.planks(512, 10, rgb(116, 86, 58), 6, 0.12), 1.6)
oak = level.material("oak", paint.grain(256, 11, rgb(128, 84, 48)), 1.0, along_grain=True, rough=0.55)
blue = level.material("blue-paint", paint.plaster(256, 12, rgb(52, 84, 116), 0.05), 1.5, rough=0.5)
red = level.material("red-paint", paint.plaster(256, 13, rgb(146, 48, 38), 0.05), 1.5, rough=0.5)
teal = level.material("teal-paint", paint.plaster(256, 14, rgb(58, 106, 100), 0.05), 1.5, rough=0.5)
stripes = level.material("stripes", paint.stripes(256, rgb(214, 172, 40), rgb(34, 34, 36), 3), 0.6, rough=0.6)
rubber = level.material("rubber", paint.tiles(256, 15, [rgb(46, 46, 48), rgb(54, 54, 56)], 4, rgb(30, 30, 32), 0.06, 0.08), 0.7, friction=1.0)
steel = level.material("steel", rgb(136, 140, 146), rough=0.35)
iron = level.material("iron", rgb(52, 54, 58), rough=0.5)
brass = level.material("brass", rgb(182, 140, 70), rough=0.35)
paper = level.material("paper", rgb(222, 216, 198))
glow = level.material("lamp-glow", rgb(255, 236, 200), glow=2.0)
signal = level.material("signal-glow", rgb(255, 96, 48), glow=1.0)
sky = level.material("sky-glass", rgb(190, 210, 220))


def make_glass(name, colour):
    """Glass that transmits light, visible from both sides."""
    glass = level.material(name, colour, rough=0.05)
    glass.data.use_backface_culling = False
    glass.data.node_tree.nodes["Principled BSDF"].inputs["Transmission"].default_value = 1.0
    return glass


glass = make_glass("glass", rgb(238, 250, 248))


# --- movers --------------------------------------------------------------------------------------

def mover(room, name, part, at, yaw=0.0, kind="mover", **properties):
    """A moving part; the properties are those of docs/levels.md, in Blender's axes."""
    node = room.mesh(f"{name}-{kind}", part.data(), at, yaw)
    for key, value in properties.items():
        node[key] = value
    return node


SKIN = 0.07       # The thickness of the walls of a moving room.


def plate(part, axis, at, across, up, holes, material):
    """Adds a vertical plate from `at[0]` to `at[1]` along an axis, with rectangular holes, as boxes."""
    us = sorted({*across, *(u for hole in holes for u in hole[0])})
    for u0, u1 in zip(us, us[1:]):
        gaps = sorted(hole[1] for hole in holes if hole[0][0] <= u0 and u1 <= hole[0][1])
        low = up[0]
        for bottom, top in gaps + [(up[1], up[1])]:
            if bottom > low + 1e-6:
                a, b = ((at[0], low, u0), (at[1], bottom, u1)) if axis == "x" else ((u0, low, at[0]), (u1, bottom, at[1]))
                part.box(a, b, material)
            low = top


def cabin(name, around, low, high, holes, materials, skin, origin, **properties):
    """A room that moves inside of the room around it, and its shell, which belongs to that room.

    Each of the `holes` is a side ("x-", "x+", "z-", "z+"), its range along the wall, its range in height, and
    whether it has a pane.
    """
    (x0, y0, z0), (x1, y1, z1) = low, high
    room = level.room(name, materials, origin).prism([(x0, z0), (x1, z0), (x1, z1), (x0, z1)], y0, y1)
    shell = Part(f"{name}-shell")
    shell.box((x0 - SKIN, y0 - SKIN + 0.01, z0 - SKIN), (x1 + SKIN, y0 - 0.005, z1 + SKIN), skin)
    shell.box((x0 - SKIN, y1 + 0.02, z0 - SKIN), (x1 + SKIN, y1 + SKIN, z1 + SKIN), skin)
    for side in ("x-", "x+", "z-", "z+"):
        axis, out = side[0], -1.0 if side[1] == "-" else 1.0
        inner = {"x-": x0, "x+": x1, "z-": z0, "z+": z1}[side]
        outer = inner + SKIN * out
        across = (z0 - SKIN, z1 + SKIN) if axis == "x" else (x0 - 0.03, x1 + 0.03)
        own = [hole for hole in holes if hole[0] == side]
        # Behind the lining of the opening.
        wider = [((u[0] - 0.002, u[1] + 0.002), (max(v[0] - 0.002, y0 - 0.005), v[1] + 0.002)) for _, u, v, _ in own]
        plate(shell, axis, sorted((outer, outer - 0.03 * out)), across, (y0 - 0.005, y1 + 0.02), wider, skin)
        for _, (u0, u1), (v0, v1), has_pane in own:
            outline = [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]
            level.outlet(room, around, [(outer, v, u) if axis == "x" else (u, v, outer) for u, v in outline], skin, materials["floor"])
            if has_pane:
                pane = Part(f"{name}-pane-{side}-{u0:g}")
                at = sorted((inner + 0.03 * out, inner + 0.038 * out))
                plate(pane, axis, at, (u0 + 0.001, u1 - 0.001), (v0 + 0.001, v1 - 0.001), [], glass)
                room.place(pane)
    room.light(((x0 + x1) / 2, y1 - 0.25, (z0 + z1) / 2), 12.0, WARM)
    node = around.mesh(f"{name}-shell-mover", shell.data())
    node["moves_with"] = name
    for key, value in properties.items():
        room.empty[key] = value
    return room


PLAY = 0.004      # Clearance between a horizontal panel and its opening.
# Depths to which hinged and sliding door panels extend into floor and wall. The room behind a closed door is not
# drawn, so only the sky would be visible through a gap.
SILL, REBATE, POCKET = -0.002, 0.006, 0.03
THICK = 0.05


def handles(node, x, side):
    """Adds levers to both faces of a door panel whose free side is at x, without collision."""
    part = Part(f"handle-{side:g}")
    for z, out in ((0.0, 1.0), (-THICK, -1.0)):
        near, far, end = z - 0.004 * out, z + 0.012 * out, z + 0.06 * out
        part.box((-0.025, 0.92, min(near, far)), (0.025, 1.14, max(near, far)), brass)
        part.box((-0.01, 1.04, min(near, end)), (0.01, 1.06, max(near, end)), brass)
        low, high = sorted((0.01, -0.13 * side))
        part.box((low, 1.038, min(end, end - 0.018 * out)), (high, 1.062, max(end, end - 0.018 * out)), brass)
    lever = bpy.data.objects.new(f"{node.name}-handle-nocol", part.data())
    level.scene.collection.objects.link(lever)
    lever.parent = node
    lever.location = (x, 0.0, 0.0)


def panelled(name, width, height, side, body, inset):
    """A panelled door with its hinge at x = 0, its front at z = 0, and its panel towards -side."""
    low, high = sorted((0.0, -side * width))
    part = Part(name).box((low, SILL, -THICK), (high, height, 0.0), body)
    for y0, y1 in ((0.16, 0.86), (1.02, height - 0.16)):
        for x0, x1 in ((low + 0.12, low + width / 2 - 0.05), (low + width / 2 + 0.05, high - 0.12)):
            part.box((x0, y0, -0.004), (x1, y1, 0.012), inset)
            part.box((x0, y0, -THICK - 0.012), (x1, y1, -THICK + 0.004), inset)
    return part


def metal(name, low, high, height, body, window=False):
    """A sliding panel of sheet metal, from x to x, with a pane if requested."""
    z, top = 0.03, height + POCKET
    part = Part(name)
    if window:
        part.box((low, SILL, -z), (high, 1.1, z), body).box((low, 1.9, -z), (high, top, z), body)
        part.box((low, 1.1, -z), (low + 0.18, 1.9, z), body).box((high - 0.18, 1.1, -z), (high, 1.9, z), body)
        part.box((low + 0.181, 1.101, -0.006), (high - 0.181, 1.899, 0.006), glass)
    else:
        part.box((low, SILL, -z), (high, top, z), body)
    for y in (0.2, height - 0.32):
        for z0, z1 in ((z - 0.004, z + 0.01), (-z - 0.01, -z + 0.004)):
            part.box((low + 0.06, y, z0), (high - 0.06, y + 0.12, z1), stripes)
    return part


def along(middle, yaw, metres):
    """The point this many metres to the right of a viewer in front of a wall rotated by `yaw`."""
    angle = math.radians(yaw)
    return (middle[0] + metres * math.cos(angle), middle[1] - metres * math.sin(angle))


def opening(room, other, middle, yaw, width, bottom, height, label, frame):
    p, q = along(middle, yaw, -width / 2), along(middle, yaw, width / 2)
    outline = doorway(p, q, bottom, bottom + height)
    return level.opening(room, other, outline, f"{other.name}*{label}", frame, frame).casing(frame)


def at_front(middle, yaw, x, y, z):
    """Converts the coordinates of a wall's viewer, who looks along -z, to those of the level."""
    angle = math.radians(yaw)
    px, pz = along(middle, yaw, x)
    return (px + z * math.sin(angle), y, pz + z * math.cos(angle))


def hinged_door(room, other, middle, yaw, label, width=1.0, height=2.1, side=1.0, body=oak, inset=parquet, frame=iron, **more):
    """Adds a door hinged at its right, seen from the side to which it opens; `yaw` looks from that side."""
    opening(room, other, middle, yaw, width, 0.0, height, label, frame)
    hang(room, middle, yaw, label, width, height, side, body, inset, side * width / 2, **more)


def hang(room, middle, yaw, label, width, height, side, body, inset, hinge, **more):
    leaf = width + 2.0 * REBATE
    part = panelled(f"{label}-panel", leaf, height + REBATE, side, body, inset)
    at = at_front(middle, yaw, hinge + side * REBATE, 0.0, THICK / 2)
    node = mover(room, label, part, at, yaw, "door", motion="hinge", axis="z", angle=90.0 * side, **more)
    handles(node, -side * (leaf - 0.07), -side)


def pair(room, other, middle, yaw, width, bottom, height, label, frame):
    """Adds one opening with two portals side by side, for two panels."""
    ends = [along(middle, yaw, s * width / 2) for s in (-1.0, 0.0, 1.0)]
    corners = [[snap((x, y, z)) for x, z in ends] for y in (bottom, bottom + height)]
    outline = corners[0] + corners[1][::-1]
    cuts = [r.cut(outline, frame, frame) for r in (room, other)]
    for k, half in enumerate(("left", "right")):
        loop = corners[0][k:k + 2] + corners[1][k:k + 2][::-1]
        if dot(newell(loop), cuts[0][0].normal) > 0.0:
            loop.reverse()
        room.mesh(f"{other.name}*{label}-{half}-portal", make_mesh("portal", [(tuple(loop), None)]))
        level.openings.append(Opening((room, other), loop, ()))
    # The boards of the frame need no corner in the middle.
    Opening((room, other), outline, [(face, hole[0:1] + hole[2:4] + hole[5:6]) for face, hole in cuts]).casing(frame)


# --- furniture -----------------------------------------------------------------------------------

def railing(room, start, end, bottom, material=steel):
    """Adds posts and rails from (x, z) to (x, z), along x or z, and one plain slab for collisions."""
    (x0, z0), (x1, z1) = start, end
    length = abs(x1 - x0) + abs(z1 - z0)
    part = Part(f"railing-{x0:g}-{z0:g}-{bottom:g}")
    count = max(1, round(length / 1.3))
    for k in range(count + 1):
        x, z = x0 + (x1 - x0) * k / count, z0 + (z1 - z0) * k / count
        part.lathe([(0.025, bottom + SUNK), (0.025, bottom + 1.02)], material, 6, (x, z))
    low, high = (min(x0, x1), min(z0, z1)), (max(x0, x1), max(z0, z1))
    for y, r in ((1.02, 0.03), (0.55, 0.018)):
        part.box((low[0] - r, bottom + y - r, low[1] - r), (high[0] + r, bottom + y + r, high[1] + r), material)
    part.box((low[0] - 0.008, bottom + SUNK, low[1] - 0.008), (high[0] + 0.008, bottom + 0.1, high[1] + 0.008), stripes)
    room.place(part, kind="nocol")
    slab = Part(f"{part.name}-slab").box((low[0] - 0.03, bottom + SUNK, low[1] - 0.03), (high[0] + 0.03, bottom + 1.05, high[1] + 0.03), None)
    room.place(slab, kind="colonly")


def pendant(drop):
    part = Part(f"pendant-{drop:g}").lathe([(0.012, 0.3 - drop), (0.012, 0.01)], iron, 6)
    part.lathe([(0.34, -drop), (0.3, 0.08 - drop), (0.1, 0.22 - drop), (0.07, 0.34 - drop)], teal, 32)
    return part.lathe([(0.05, -0.09 - drop), (0.11, -0.05 - drop), (0.1, 0.01 - drop)], glow, 20)


def tube():
    """A strip light under a ceiling, along x."""
    part = Part("tube").box((-0.7, -0.07, -0.09), (0.7, 0.01, 0.09), steel)
    return part.box((-0.66, -0.1, -0.04), (0.66, -0.06, 0.04), glow)


def bulkhead():
    """A lamp on a wall."""
    part = Part("bulkhead").box((-0.14, -0.09, SUNK), (0.14, 0.09, 0.03), iron)
    return part.box((-0.11, -0.065, 0.02), (0.11, 0.065, 0.09), glow)


def crate(size):
    part = Part(f"crate-{size:g}").box((-size / 2, SUNK, -size / 2), (size / 2, size, size / 2), planks)
    half, w = size / 2 + 0.015, 0.08
    for x in (-half, half - w):
        for z in (-half, half - w):
            part.box((x, SUNK - 0.01, z), (x + w, size + 0.015, z + w), oak)
    return part


def drum():
    part = Part("drum").lathe([(0.29, SUNK), (0.29, 0.9), (0.27, 0.91)], blue, 14)
    for y in (0.3, 0.6):
        part.lathe([(0.305, y), (0.305, y + 0.03)], iron, 14)
    return part


def machine():
    """A lathe, its front towards +z."""
    part = Part("lathe").box((-1.0, SUNK, -0.35), (-0.4, 0.8, 0.35), teal).box((0.5, SUNK, -0.35), (0.9, 0.8, 0.35), teal)
    part.box((-1.1, 0.79, -0.3), (1.0, 0.95, 0.3), iron).box((-1.1, 0.94, -0.32), (-0.45, 1.45, 0.32), teal)
    part.box((0.6, 0.94, -0.15), (0.95, 1.25, 0.15), teal).box((0.0, 0.94, -0.25), (0.3, 1.1, 0.32), steel)
    part.profile_x([(0.14 * math.cos(a), 1.2 + 0.14 * math.sin(a)) for a in [math.pi * k / 6 for k in range(12)]], -0.46, -0.36, steel)
    part.profile_x([(0.05 * math.cos(a), 1.2 + 0.05 * math.sin(a)) for a in [math.pi * k / 4 for k in range(8)]], -0.37, 0.61, steel)
    return part.box((-0.95, 1.25, 0.31), (-0.85, 1.35, 0.35), signal)


def desk():
    part = Part("desk").box((-0.8, 0.71, -0.4), (0.8, 0.75, 0.4), oak)
    for x in (-0.75, 0.35):
        part.box((x, SUNK, -0.36), (x + 0.4, 0.72, 0.36), planks)
    part.box((-0.2, 0.745, -0.15), (0.05, 0.76, 0.2), paper).box((0.1, 0.745, -0.1), (0.3, 0.755, 0.2), paper)
    return part


def chair():
    part = Part("chair").box((-0.21, 0.43, -0.21), (0.21, 0.47, 0.21), oak)
    for x in (-0.2, 0.16):
        part.box((x, SUNK, 0.16), (x + 0.04, 0.44, 0.2), iron).box((x, SUNK, -0.21), (x + 0.04, 0.92, -0.17), iron)
    return part.box((-0.16, 0.62, -0.205), (0.16, 0.86, -0.175), oak)


def cabinet():
    part = Part("cabinet").box((-0.5, SUNK, SUNK), (0.5, 1.9, 0.45), teal)
    for x in (-0.48, 0.01):
        part.box((x, 0.06, 0.44), (x + 0.47, 1.85, 0.47), green)
        part.box((0.0 + (-0.07 if x < 0 else 0.05), 0.95, 0.465), (0.02 + (-0.07 if x < 0 else 0.05), 1.1, 0.49), brass)
    return part


def console():
    """A control desk with lamps, its front towards +z."""
    part = Part("console").profile_x([(SUNK, SUNK), (0.7, SUNK), (0.7, 0.7), (0.35, 0.98), (SUNK, 0.98)], -1.2, 1.2, teal)
    for k in range(7):
        x = -1.05 + 0.33 * k
        part.box((x, 0.97, 0.08), (x + 0.12, 1.0, 0.14), signal if k % 3 == 0 else glow)
        part.box((x, 0.97, 0.2), (x + 0.05, 1.04, 0.24), iron)
    return part


def pipes(name, low, high, ceiling, places, axis="x", radius=0.08):
    """Adds pipes below a ceiling, along x or z."""
    part = Part(name)
    circle = [(math.cos(2 * math.pi * (k + 0.5) / 10), math.sin(2 * math.pi * (k + 0.5) / 10)) for k in range(10)]
    for k, place in enumerate(places):
        outline = [(place + radius * c, ceiling - 0.35 - 0.12 * k + radius * s) for c, s in circle]
        (part.profile_x if axis == "x" else part.profile_z)(outline, low - 0.01, high + 0.01, (steel, red, blue)[k % 3])
    return part


def columns(room, places, bottom, top, material=iron, width=0.3):
    """Adds rolled columns: two flanges and a web."""
    part = Part(f"{room.name}-columns")
    w = width / 2
    for x, z in places:
        part.box((x - w, bottom + SUNK, z - w), (x + w, top + 0.01, z - w + 0.05), material)
        part.box((x - w, bottom + SUNK, z + w - 0.05), (x + w, top + 0.01, z + w), material)
        part.box((x - 0.03, bottom + SUNK, z - w + 0.045), (x + 0.03, top + 0.01, z + w - 0.045), material)
    room.place(part, kind="nocol")
    solid = Part(f"{room.name}-columns-solid")
    for x, z in places:
        solid.box((x - w, bottom + SUNK, z - w), (x + w, top + 0.01, z + w), None)
    room.place(solid, kind="colonly")


def trusses(room, places, low, high, top, material=iron):
    """Adds girders along z from `low` to `high`, at these x, below a ceiling."""
    part = Part(f"{room.name}-trusses")
    for x in places:
        part.box((x - 0.12, top - 0.12, low - 0.01), (x + 0.12, top + 0.01, high + 0.01), material)
        part.box((x - 0.1, top - 0.9, low - 0.01), (x + 0.1, top - 0.8, high + 0.01), material)
        count = round((high - low) / 1.6)
        for k in range(count):
            z0, z1 = low + (high - low) * k / count, low + (high - low) * (k + 1) / count
            y0, y1 = (top - 0.82, top - 0.1) if k % 2 else (top - 0.1, top - 0.82)
            part.profile_x([(z0, y0), (z0 + 0.09, y0), (z1, y1), (z1 - 0.09, y1)], x - 0.04, x + 0.04, material)
    room.place(part, kind="nocol")


def marking(room, name, low, high, y, width=0.15):
    """Paints a striped border on the floor around a hole or a machine, from (x, z) to (x, z); drawn only."""
    (x0, z0), (x1, z1) = low, high
    part = Part(f"marking-{name}")
    for a, b in (((x0 - width, z0 - width), (x1 + width, z0)), ((x0 - width, z1), (x1 + width, z1 + width)),
                 ((x0 - width, z0), (x0, z1)), ((x1, z0), (x1 + width, z1))):
        part.box((a[0], y + SUNK, a[1]), (b[0], y + 0.004, b[1]), stripes)
    room.place(part, kind="nocol")


the_tube, the_bulkhead, the_drum, the_chair = tube(), bulkhead(), drum(), chair()
short_lamp = pendant(0.9)
small_crate, large_crate = crate(0.7), crate(1.0)
WARM = (1.0, 0.88, 0.72)
COOL = (0.86, 0.94, 1.0)


# --- rooms ---------------------------------------------------------------------------------------

shop = {"floor": concrete, "wall": brick, "ceiling": white}
hall = level.room("hall", shop).prism([(-10, -8), (10, -8), (10, 8), (-10, 8)], 0.0, 9.0)
lobby = level.room("lobby", {"floor": chequer, "wall": green, "ceiling": white}, (0, 0, 11)).prism(
    [(-4, 8.3), (4, 8.3), (4, 14.3), (-4, 14.3)], 0.0, 3.4)
office = level.room("office", {"floor": parquet, "wall": white, "ceiling": white}, (-7, 0, 11)).prism(
    [(-10, 8.3), (-4.3, 8.3), (-4.3, 14.3), (-10, 14.3)], 0.0, 3.4)
press = level.room("press-shop", {"floor": concrete, "wall": pale_brick, "ceiling": raw}, (15, 0, 3)).prism(
    [(10.3, -2), (20.3, -2), (20.3, 8), (10.3, 8)], 0.0, 6.0)
packing = level.room("packing", {"floor": concrete, "wall": pale_brick, "ceiling": raw}, (15, 0, -8)).prism(
    [(10.3, -16), (20.3, -16), (20.3, -2.3), (10.3, -2.3)], 0.0, 5.0)
control = level.room("control", {"floor": chequer, "wall": green, "ceiling": white}, (-13, 4, -5)).prism(
    [(-16, -8), (-10.3, -8), (-10.3, -2), (-16, -2)], UPPER, 7.2)
station = {"floor": concrete, "wall": brick, "ceiling": raw}
section = [(-8.3, 0.0), (-11.0, 0.0), (-11.0, DEEP), (-14.0, DEEP), (-14.0, 0.0), (-16.0, 0.0), (-16.0, 5.0), (-8.3, 5.0)]
# One room, because the carriage must not leave its room.
west = level.room("stations", station, (0, 0, -12)).profile_x(section, -10.0, -1.0)
east = level.room("stations", station, (0, 0, -12), west).profile_x(section, 3.0, 10.0)
tunnel = level.room("stations", station, (0, 0, -12), west).profile_x(
    [(-11.0, DEEP), (-14.0, DEEP), (-14.0, 3.4), (-11.0, 3.4)], -0.7, 2.7)
deep = {"floor": raw, "wall": brick, "ceiling": raw}
cellar = level.room("cellar", deep, (-5, -3, 0)).prism([(-10, -8), (0, -8), (0, 8), (-10, 8)], DEEP, -0.4)
passage = level.room("passage", deep, (-5, -3, -9)).prism([(-6, -10.7), (-4, -10.7), (-4, -8.3), (-6, -8.3)], DEEP, -0.9)


# --- doors ---------------------------------------------------------------------------------------

hinged_door(lobby, office, (-4.15, 11.5), 90.0, "office", ajar=0.4)
hinged_door(office, hall, (-7.5, 8.15), 0.0, "works", body=teal, inset=blue)
hinged_door(packing, hall, (10.15, -3.55), 90.0, "store", 1.1, 2.2, body=red, inset=teal)

# The double door: its panels are hinged at either side and open into the lobby.
pair(lobby, hall, (0.0, 8.15), 0.0, 2.4, 0.0, 2.4, "double", iron)
for side in (-1.0, 1.0):
    hang(lobby, (0.6 * side, 8.15), 0.0, f"double-{'right' if side > 0 else 'left'}", 1.2, 2.4, side, blue, teal, 0.6 * side, time=1.0)

# Doors that slide into the wall: a wide door, a pair that opens from the middle, and a door with a pane.
opening(hall, press, (10.15, 3.0), -90.0, 2.0, 0.0, 2.6, "press", iron)
mover(hall, "press", metal("press-panel", -1.0 - POCKET, 1.0 + POCKET, 2.6, red), at_front((10.15, 3.0), -90.0, 0, 0, 0), -90.0,
      "door", motion="slide", axis="x", distance=2.0, time=1.4)
pair(hall, west, (-3.0, -8.15), 0.0, 2.4, 0.0, 2.6, "station", iron)
for side, half in ((-1.0, "left"), (1.0, "right")):
    mover(hall, f"station-{half}", metal(f"station-{half}-panel", *sorted((-0.6 * side, (0.6 + POCKET) * side)), 2.6, teal, True),
          at_front((-3.0 + 0.6 * side, -8.15), 0.0, 0, 0, 0), 0.0,
          "door", motion="slide", axis="x" if side > 0 else "-x", distance=1.17, time=1.2, wait=6.0, cycle="return")
opening(packing, east, (10.15, -9.6), 90.0, 2.2, 0.0, 2.3, "depot", iron)
gate = Part("gate")
for k in range(10):
    low, high = (SILL if k == 0 else 0.233 * k + 0.02), 0.233 * (k + 1)
    gate.box((-1.1 - POCKET, low, -0.03), (1.1 + POCKET, high, 0.03), stripes if k == 0 else steel)
gate.box((-1.1 - POCKET, 0.1, -0.018), (1.1 + POCKET, 2.3 + POCKET, 0.018), iron)
mover(packing, "depot", gate, at_front((10.15, -9.6), 90.0, 0, 0, 0), 90.0, "door", motion="slide", axis="z", distance=2.25, time=1.8)
opening(hall, control, (-10.15, -6.5), 90.0, 1.1, UPPER, 2.1, "control", iron)
mover(hall, "control", metal("control-panel", -0.55 - POCKET, 0.55 + POCKET, 2.1, blue, True), at_front((-10.15, -6.5), 90.0, 0, UPPER, 0), 90.0,
      "door", motion="slide", axis="-x", distance=1.1)

# The pane of the control room is a sash: it slides up.
opening(control, hall, (-10.15, -3.6), -90.0, 2.0, UPPER + 0.95, 1.4, "window", steel)
mover(control, "window", Part("pane").box((-1.01, -0.01, -0.01), (1.01, 1.41, 0.01), glass),
      at_front((-10.15, -3.6), -90.0, 0, UPPER + 0.95, 0), -90.0, "door", motion="slide", axis="z", distance=1.4)

# Openings without a door.
opening(press, packing, (17.3, -2.15), 0.0, 3.4, 0.0, 2.6, "belt", stripes)
for room, x in ((west, -0.85), (east, 2.85)):
    level.opening(room, tunnel, doorway((x, -13.95), (x, -11.05), DEEP, 3.3), "", raw, raw)
level.opening(cellar, passage, doorway((-5.6, -8.15), (-4.4, -8.15), DEEP, DEEP + 2.1), "passage*cellar", raw, raw)
level.opening(passage, west, doorway((-5.6, -10.85), (-4.4, -10.85), DEEP, DEEP + 2.1), "stations*passage", raw, raw)


def floor_opening(low, high, y, label):
    (x0, z0), (x1, z1) = low, high
    level.opening(hall, cellar, [(x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1)], f"cellar*{label}", raw, raw)
    marking(hall, label, low, high, 0.0)


# The hatch: a horizontal panel, hinged at its west side.
floor_opening((-8.6, 3.4), (-7.4, 4.6), -0.03, "hatch")
flap = Part("flap").box((PLAY, -0.06, -0.6 + PLAY), (1.2 - PLAY, 0.0, 0.6 - PLAY), deck)
flap.box((0.1, -0.09, -0.5), (0.16, -0.055, 0.5), iron).box((1.04, -0.09, -0.5), (1.1, -0.055, 0.5), iron)
flap.box((1.0, -0.004, -0.12), (1.04, 0.02, 0.12), brass)
mover(hall, "hatch", flap, (-8.6, 0.0, 4.0), 0.0, "door", motion="hinge", axis="-y", angle=88.0, time=1.2)

# The plain lift: a platform between cellar and hall.
floor_opening((-8.0, -3.0), (-6.0, -1.0), -0.2, "lift")
platform = Part("platform").box((-0.97, -0.055, -0.97), (0.97, 0.0, 0.97), deck)
for x in (-0.97, 0.89):
    platform.box((x, -0.002, -0.97), (x + 0.08, 0.004, 0.97), stripes)
LOW = DEEP + 0.06
mover(cellar, "plain-lift", platform, (-7.0, LOW, -2.0), motion="slide", axis="z", distance=-LOW, cycle="shuttle", time=3.0, wait=3.0)
for start, end in (((-8.3, -3.3), (-5.7, -3.3)), ((-8.3, -0.7), (-5.7, -0.7)), ((-8.3, -3.3), (-8.3, -0.7))):
    railing(hall, start, end, 0.0)
for x, z in ((-8.1, -3.1), (-5.9, -3.1), (-8.1, -0.9), (-5.9, -0.9)):
    cellar.place(Part(f"guide-{x:g}-{z:g}").box((x - 0.06, DEEP + SUNK, z - 0.06), (x + 0.06, -0.39, z + 0.06), stripes))


# --- the hall ------------------------------------------------------------------------------------

for x in (-8.5, -3.5, 1.5, 6.5):
    hall.skylight((x, -4.0), (x + 2.0, 6.0), 9.5, sky, white)
press.skylight((14.0, 0.0), (16.6, 6.0), 6.5, sky, raw)
packing.skylight((14.0, -12.0), (16.6, -6.0), 5.5, sky, raw)


def window(room, x, z, bottom, height, side):
    """Adds a window to the sky in a wall at this x, 1.9 m wide from z on; `side` is the direction of the outside."""
    pane_x = x + 0.3 * side
    outline = doorway((pane_x, z), (pane_x, z + 1.9), bottom, bottom + height)
    room.cut(outline, white, raw)
    # `doorway` runs along z here, so that its front faces -x.
    pane = Part(f"pane-{x:g}-{z:g}").add([outline if side > 0.0 else outline[::-1]], sky)
    room.mesh(f"{room.name}-{x:g}-{z:g}-sky", pane.data())
    bars = Part(f"bars-{x:g}-{z:g}")
    for k in range(4):
        bars.box((pane_x - 0.05, bottom - 0.005, z + 0.62 * k - 0.005), (pane_x + 0.02, bottom + height, z + 0.62 * k + 0.045), iron)
    for k in range(round(height / 0.7) + 1):
        y = bottom + (height - 0.04) * k / round(height / 0.7)
        bars.box((pane_x - 0.045, y, z), (pane_x + 0.015, y + 0.04, z + 1.9), iron)
    room.place(bars, kind="nocol")


for z in (0.4, 2.9, 5.4):
    window(hall, -10.0, z, 4.6, 2.8, -1.0)
    window(hall, 10.0, z - 1.0, 6.8, 1.4, 1.0)
hall.skirting(green, 0.0, 1.5, 0.012, 0.10)
press.skirting(teal, 0.0, 1.2, 0.012, 0.10)
packing.skirting(teal, 0.0, 1.2, 0.012, 0.10)
level.sun((0.35, -1.0, 0.25), 4.0, (1.0, 0.92, 0.78))
level.scene["clouds"] = 0.4
trusses(hall, (-9.2, -5.0, 0.0, 5.0, 9.2), -8.0, 8.0, 9.0)
columns(hall, [(x, z) for x in (-9.75, 9.75) for z in (-0.5, 7.6)], 0.0, 9.0, teal, 0.36)

# The gallery, its railing, and the lift with the glass cabin at its end.
hall.place(Part("gallery").box((-10.01, UPPER - 0.2, -8.01), (6.0, UPPER, -5.0), deck))
hall.place(Part("gallery-edge").box((-10.01, UPPER - 0.4, -5.12), (5.98, UPPER - 0.19, -5.02), stripes), kind="nocol")
gallery_posts = Part("gallery-posts")
for x in (-7.6, -0.6, 3.6):
    gallery_posts.lathe([(0.12, SUNK), (0.12, UPPER - 0.19)], iron, 10, (x, -5.3))
hall.place(gallery_posts)
railing(hall, (-9.95, -5.06), (5.94, -5.06), UPPER)
railing(hall, (5.94, -5.06), (5.94, -5.4), UPPER)
railing(hall, (5.94, -7.62), (5.94, -7.95), UPPER)

# Glass on three sides; the doorway is on the fourth.
cabin("glass-lift", hall, (6.1, 0.06, -7.53), (7.9, 2.4, -5.47), [
    ("x-", (-7.3, -5.7), (0.06, 2.25), False), ("x+", (-7.33, -5.67), (0.26, 2.3), True),
    ("z-", (6.3, 7.7), (0.26, 2.3), True), ("z+", (6.3, 7.7), (0.26, 2.3), True),
], {"floor": deck, "wall": steel, "ceiling": white}, steel, (7, 0, -7), motion="slide", axis="z", distance=4.0, cycle="shuttle", time=3.0, wait=3.0)
mast = Part("mast")
for z in (-7.2, -5.8):
    mast.box((8.02, SUNK, z - 0.08), (8.18, 9.01, z + 0.08), teal)
hall.place(mast)

# The turntable, with rails across it and a ring around it.
table = Part("turntable").lathe([(2.55, 0.005), (2.55, 0.05), (2.5, 0.055)], deck, 32)
for z in (-0.72, 0.66):
    table.box((-2.4, 0.05, z), (2.4, 0.065, z + 0.06), steel)
mover(hall, "turntable", table, (0.0, 0.0, 1.5), motion="turn", axis="z", angle=360.0, cycle="loop", time=12.0)
ring = Part("ring")
for k in range(32):
    a, b = math.pi * k / 16, math.pi * (k + 1) / 16
    corners = [(r * math.cos(t), r * math.sin(t)) for r, t in ((2.6, a), (2.8, a), (2.8, b), (2.6, b))]
    ring.prism(corners, SUNK, 0.006, stripes)
hall.place(ring, (0.0, 0.0, 1.5), kind="nocol")

# The crane, high above: it moves back and forth below the lamps, on a rail along either wall.
for z in (-7.83, 7.83):
    hall.place(Part(f"crane-rail-{z:g}").box((-9.5, 6.35, z - 0.12), (9.2, 6.6, z + 0.12), iron), kind="nocol")
crane = Part("crane")
for x in (-0.5, 0.34):
    crane.box((x, 6.66, -7.75), (x + 0.16, 7.02, 7.75), stripes)
for z in (-7.9, 7.7):
    crane.box((-0.9, 6.59, z), (0.9, 6.8, z + 0.2), iron)
crane.box((-0.45, 6.75, 2.3), (0.45, 6.98, 3.3), teal).lathe([(0.02, 3.9), (0.02, 6.8)], iron, 6, (0.0, 2.8))
crane.lathe([(0.06, 3.5), (0.16, 3.6), (0.16, 3.85), (0.06, 3.95)], stripes, 10, (0.0, 2.8))
crane.profile_z([(0.0, 3.52), (0.05, 3.3), (0.02, 3.18), (-0.08, 3.15), (-0.12, 3.22), (-0.05, 3.22), (-0.02, 3.3), (-0.04, 3.52)], 2.77, 2.83, iron)
mover(hall, "crane", crane, (-8.0, 0.0, 0.0), motion="slide", axis="x", distance=15.0, cycle="shuttle", time=14.0, wait=2.0)

lathe = machine()
for x, z, yaw in ((5.6, 6.4, 180.0), (8.6, 6.4, 180.0), (-3.4, -3.2, 0.0)):
    hall.place(lathe, (x, 0.0, z), yaw, kind="boxed")
for x, z, turn in ((-9.2, 6.6, 5.0), (-9.2, 0.8, -8.0), (4.2, -4.4, 12.0)):
    hall.place(large_crate, (x, 0.0, z), turn, kind="boxed")
hall.place(small_crate, (-9.15, 1.02, 6.6), 30.0, kind="boxed")
for x, z in ((9.3, -0.9), (9.3, -1.6), (8.7, -1.3), (-5.2, 7.5)):
    hall.place(the_drum, (x, 0.0, z), kind="boxed")
hall.place(pipes("hall-pipes", -8.0, 8.0, 6.4, (9.6, 9.35), "z", 0.1), kind="nocol")
for x in (-5.0, 0.0, 5.0):
    for z in (-2.0, 4.5):
        hall.place(short_lamp, (x, 8.1, z), kind="nocol")
        hall.light((x, 7.08, z), 50.0, WARM, down=True)
for x in (-7.0, -2.0, 3.0):
    hall.place(the_tube, (x, UPPER - 0.2, -6.6), kind="nocol")
    hall.light((x, UPPER - 0.45, -6.6), 16.0, COOL)
for x in (-4.0, 3.0):
    hall.place(the_bulkhead, (x, 5.9, -8.0), kind="nocol")
    hall.light((x, 5.9, -7.6), 12.0, WARM)


# --- lobby and office ----------------------------------------------------------------------------

lobby.skirting(teal, 0.0, 0.5, 0.02, 0.10)
office.skirting(oak, 0.0, 0.14, 0.022, 0.10)
lobby.spawn("player", (0.0, 0.0, 13.2))
lobby.place(desk(), (2.7, 0.0, 12.6), -90.0, kind="boxed")
lobby.place(the_chair, (3.4, 0.0, 12.6), -90.0, kind="boxed")
lobby.place(cabinet(), (4.0, 0.0, 10.0), -90.0, kind="boxed")
bench = Part("bench").box((-0.9, 0.4, SUNK), (0.9, 0.46, 0.44), oak).box((-0.9, 0.6, 0.0), (0.9, 0.9, 0.04), oak)
for x in (-0.8, 0.74):
    bench.box((x, SUNK, 0.02), (x + 0.06, 0.41, 0.4), iron).box((x, 0.4, SUNK), (x + 0.06, 0.92, 0.03), iron)
lobby.place(bench, (-4.0, 0.0, 13.2), 90.0, kind="boxed")
for z in (9.8, 12.4):
    lobby.place(the_tube, (0.0, 3.4, z), kind="nocol")
    lobby.light((0.0, 3.1, z), 30.0, WARM)
for x in (-8.6, -6.0):
    office.place(desk(), (x, 0.0, 13.0), 180.0, kind="boxed")
    office.place(the_chair, (x, 0.0, 13.65), 180.0, kind="boxed")
for z in (9.6, 10.7, 11.8):
    office.place(cabinet(), (-10.0, 0.0, z), 90.0, kind="boxed")
office.place(the_tube, (-7.2, 3.4, 11.4), kind="nocol")
office.light((-7.2, 3.1, 11.4), 40.0, WARM)


# --- press shop and packing ----------------------------------------------------------------------

# The press: it descends every few seconds, and crushes bodies on its bed.
frame = Part("press-frame").box((-1.3, SUNK, -0.8), (1.3, 0.3, 0.8), iron)
for x in (-1.3, 0.95):
    frame.box((x, 0.29, -0.35), (x + 0.35, 4.01, 0.35), teal)
frame.box((-1.4, 4.0, -0.5), (1.4, 4.7, 0.5), teal).box((-0.6, 0.29, -0.6), (0.6, 0.34, 0.6), steel)
frame.box((0.96, 1.5, 0.34), (1.2, 1.9, 0.42), iron).box((1.03, 1.75, 0.41), (1.13, 1.82, 0.45), signal)
press.place(frame, (13.6, 0.0, 0.6))
marking(press, "press", (12.2, -0.4), (15.0, 1.6), 0.0)
ram = Part("ram").box((-0.7, 2.6, -0.6), (0.7, 2.9, 0.6), stripes).box((-0.45, 2.89, -0.4), (0.45, 3.05, 0.4), steel)
ram.lathe([(0.22, 3.04), (0.22, 5.4)], steel, 14)
mover(press, "press-ram", ram, (13.6, 0.0, 0.6), motion="slide", axis="-z", distance=2.2, cycle="shuttle", time=1.0, wait=1.5, blocked="crush")

# The conveyor: a belt between two rails, from the press shop into packing. Each room has a separate part, because a
# mover is lit by one room.
for room, z0, z1 in ((press, -2.15, 3.0), (packing, -9.0, -2.15)):
    belt = Part(f"{room.name}-belt").box((16.62, 0.06, z0), (17.98, 0.15, z1), rubber)
    mover(room, f"{room.name}-belt", belt, (0.0, 0.0, 0.0), conveyor=[0.0, 1.2, 0.0])
    rails = Part(f"{room.name}-rails").box((16.62, SUNK, z0), (17.98, 0.05, z1), iron)
    for x in (16.5, 17.99):
        rails.box((x, SUNK, z0), (x + 0.11, 0.2, z1), stripes if room is press else teal)
    room.place(rails)
for room, z0, z1 in ((press, 3.6, 3.01), (packing, -9.6, -9.01)):
    ramp = [(z0, SUNK), (z1, SUNK), (z1, 0.145), (z0, 0.0)]
    room.place(Part(f"{room.name}-ramp").profile_x(ramp, 16.5, 18.1, deck))

press.place(machine(), (19.3, 0.0, 6.2), -90.0, kind="boxed")
press.place(cabinet(), (12.0, 0.0, 8.0), 180.0, kind="boxed")
for x, z in ((19.8, -1.4), (19.1, -1.5), (19.7, -0.7)):
    press.place(the_drum, (x, 0.0, z), kind="boxed")
trusses(press, (13.0, 17.6), -2.0, 8.0, 6.0)
for x, z in ((13.6, 3.2), (18.4, 4.4)):
    press.place(short_lamp, (x, 5.2, z), kind="nocol")
    press.light((x, 4.28, z), 50.0, WARM, down=True)
press.place(the_bulkhead, (15.0, 2.6, 8.0), 180.0, kind="nocol")
press.light((15.0, 2.6, 7.6), 16.0, WARM)

for x, z, turn, part in ((13.2, -13.4, 4.0, large_crate), (14.4, -13.6, -6.0, large_crate), (13.8, -12.3, 20.0, small_crate),
                         (19.3, -14.2, 10.0, large_crate), (19.5, -4.6, 2.0, large_crate), (19.4, -5.9, -9.0, small_crate),
                         (12.6, -5.8, 40.0, small_crate)):
    packing.place(part, (x, 0.0, z), turn, kind="boxed")
packing.place(small_crate, (13.8, 1.02, -13.5), 12.0, kind="boxed")
shelf = Part("shelf")
for x in (-1.4, -0.03, 1.34):
    for z in (0.0, 0.54):
        shelf.box((x, SUNK, z), (x + 0.06, 2.6, z + 0.06), blue)
for y in (0.3, 1.1, 1.9):
    shelf.box((-1.4, y, 0.0), (1.4, y + 0.05, 0.6), planks)
    for k in range(4):
        shelf.box((-1.25 + 0.68 * k, y + 0.045, 0.08), (-0.8 + 0.68 * k, y + 0.4 + 0.06 * (k % 2), 0.5), (oak, teal, red)[(k + round(y)) % 3])
for x in (14.0, 17.0):
    packing.place(shelf, (x, 0.0, -16.0), 0.0, kind="boxed")
trusses(packing, (13.0, 17.6), -16.0, -2.3, 5.0)
for x, z in ((13.4, -5.4), (17.6, -8.4), (13.4, -11.0)):
    packing.place(short_lamp, (x, 4.2, z), kind="nocol")
    packing.light((x, 3.28, z), 40.0, COOL, down=True)


# The goods lift and the store that it leads to. The switch leaves three seconds to step onto the platform.
STORE = 2.4
packing.place(Part("store-floor").box((10.29, STORE - 0.2, -16.01), (12.4, STORE, -14.4), deck))
railing(packing, (12.36, -15.95), (12.36, -14.44), STORE)
packing.place(small_crate, (10.8, STORE, -15.6), 8.0, kind="boxed")
goods = Part("goods-platform").box((-0.85, -0.055, -0.7), (0.85, 0.0, 0.7), deck)
for x in (-0.85, 0.77):
    goods.box((x, -0.002, -0.7), (x + 0.08, 0.004, 0.7), stripes)
mover(packing, "goods-lift", goods, (11.3, 0.06, -13.67), motion="slide", axis="z", distance=STORE - 0.06, cycle="call", starts="trigger", time=2.5)
marking(packing, "goods", (10.4, -14.4), (12.2, -12.94), 0.0)
lever = Part("lever").box((-0.12, 0.25, SUNK), (0.12, 1.75, 0.08), iron).box((-0.08, 0.35, 0.07), (0.08, 1.65, 0.09), stripes)
lever.box((-0.05, 1.25, 0.08), (0.05, 1.35, 0.16), signal)
lever = packing.mesh("shift-switch", lever.data(), (10.3, 0.0, -11.9), 90.0)
lever["target"], lever["message"], lever["wait"] = "shift-relay-trigger", "The shift begins in three seconds.", 4.0
relay = level.empty("shift-relay-trigger", (-4.7, 1.0, -3.9), packing.empty)
relay["target"], relay["delay"] = "depot-door, goods-lift-mover", 3.0
greeting = packing.mesh("store-trigger", Part("store-volume").box((10.35, STORE + 0.1, -15.9), (12.3, STORE + 1.7, -14.8), None).data())
greeting["message"], greeting["delay"] = "The store.", 1.0


# --- the stations, the bridge and the carriage ---------------------------------------------------

for room, x0, x1 in ((west, -10.0, -0.85), (tunnel, -0.85, 2.85), (east, 2.85, 10.0)):
    girders = Part(f"girders-{x0:g}")
    for z in (-13.3, -11.86):
        girders.box((x0 + (0.85 if x0 == -10.0 else 0.0), -0.74, z), (x1 + (SUNK if x1 < 10 else 0.01), -0.6, z + 0.16), iron)
    room.place(girders)
posts = (-7.5, -3.4, -1.4), (4.5, 7.0, 9.0)
for room, places in zip((west, east), posts):
    legs = Part(f"legs-{places[0]:g}")
    for x in places:
        for z in (-13.28, -11.84):
            legs.box((x - 0.07, DEEP + SUNK, z), (x + 0.07, -0.73, z + 0.12), iron)
    room.place(legs)
    x0, x1 = (-10.0, -1.0) if room is west else (3.0, 10.0)
    edges = Part(f"edges-{x0:g}").box((x0, SUNK, -10.99), (x1, 0.004, -10.84), stripes)
    edges.box((x0, SUNK, -14.16), (x1, 0.004, -14.01), stripes)
    room.place(edges, kind="nocol")

# The carriage is a room: doorways to both platforms, windows beside them and at its ends.
wheels = Part("wheels")
for z in (-0.8, 0.64):
    for x in (-1.3, 1.3):
        wheel = [(x + 0.3 * math.cos(2 * math.pi * k / 12), -0.3 + 0.3 * math.sin(2 * math.pi * k / 12)) for k in range(12)]
        wheels.profile_z(wheel, z - 0.08 if z < 0 else z + 0.04, z + 0.12 if z < 0 else z + 0.24, iron)
sides = [(side, (-4.2 + x0, -4.2 + x1), height, pane) for side in ("z-", "z+") for x0, x1, height, pane in (
    (-0.8, 0.8, (0.0, 2.2), False), (-1.75, -1.0, (0.95, 2.1), True), (1.0, 1.75, (0.95, 2.1), True))]
ends = [(side, (-13.5, -11.5), (0.95, 2.1), True) for side in ("x-", "x+")]
carriage = cabin("carriage", west, (-6.13, 0.0, -13.83), (-2.27, 2.45, -11.17), sides + ends,
                 {"floor": planks, "wall": oak, "ceiling": white}, red, (-4, 0, -12),
                 motion="slide", axis="x", distance=10.6, cycle="shuttle", time=5.0, wait=4.0)
mover(west, "wheels", wheels, (-4.2, 0.0, -12.5), moves_with="carriage")
for z in (-13.6, -11.4):
    carriage.place(Part(f"seat{z:g}").box((-0.62, SUNK, -0.2), (0.62, 0.45, 0.2), oak), (-5.5 if z < -12 else -2.9, 0.0, z), kind="boxed")

# The bridge is raised at first and descends over the pit.
bridge = Part("bridge").box((-0.75, 0.0, -0.14), (0.75, 2.94, 0.0), planks)
for x in (-0.75, 0.67):
    bridge.box((x, 0.0, -0.002), (x + 0.08, 2.94, 0.02), iron)
# Its node is at the hinge, slightly away from the wall of the pit.
mover(west, "bridge", bridge, (-9.1, -0.02, -11.03), motion="hinge", axis="x", angle=-90.0, cycle="shuttle", time=2.5, wait=4.0)

for room, x in ((west, -7.5), (west, -2.8), (east, 6.5)):
    for z in (-9.6, -15.0):
        room.place(the_tube, (x, 5.0, z), kind="nocol")
        room.light((x, 4.6, z), 38.0, COOL)
for room, x in ((west, -5.0), (tunnel, 1.0), (east, 6.0)):
    room.place(the_bulkhead, (x, -1.2, -14.0), kind="nocol")
    room.light((x, -1.2, -13.7), 9.0, WARM)
tunnel.place(the_bulkhead, (1.0, 2.9, -11.0), 180.0, kind="nocol")
tunnel.light((1.0, 2.9, -11.3), 10.0, WARM)
for x, z in ((-9.4, -8.9), (4.0, -15.4), (4.7, -15.5)):
    (west if x < 0 else east).place(the_drum, (x, 0.0, z), kind="boxed")
east.place(large_crate, (4.0, 0.0, -9.1), 10.0, kind="boxed")
west.place(bench, (-6.5, 0.0, -8.3), 180.0, kind="boxed")
west.place(bench, (-3.5, 0.0, -16.0), 0.0, kind="boxed")


# --- control room, cellar, passage ---------------------------------------------------------------

control.skirting(teal, UPPER, 0.14, 0.022, 0.10)
control.place(console(), (-11.3, UPPER, -3.6), -90.0, kind="boxed")
control.place(the_chair, (-12.6, UPPER, -3.2), 90.0, kind="boxed")
control.place(cabinet(), (-16.0, UPPER, -4.0), 90.0, kind="boxed")
control.place(cabinet(), (-14.0, UPPER, -2.0), 180.0, kind="boxed")
control.place(the_tube, (-13.0, 7.2, -5.0), 90.0, kind="nocol")
control.light((-13.0, 6.9, -5.0), 34.0, WARM)

columns(cellar, [(-4.0, -4.0), (-4.0, 4.0)], DEEP, -0.4, raw, 0.4)
cellar.place(pipes("cellar-pipes", -8.0, 8.0, -0.4, (-9.6, -9.3, -9.0), "z"), kind="nocol")
for x, z, turn, part in ((-0.8, 7.2, 5.0, large_crate), (-2.0, 7.2, -4.0, large_crate), (-0.9, 5.9, 14.0, small_crate), (-1.0, -7.0, 8.0, large_crate)):
    cellar.place(part, (x, DEEP, z), turn, kind="boxed")
cellar.place(small_crate, (-1.4, DEEP + 1.02, 7.2), 8.0, kind="boxed")
for x, z in ((-9.5, -7.4), (-8.8, -7.5), (-0.6, -1.0), (-0.6, -0.3)):
    cellar.place(the_drum, (x, DEEP, z), kind="boxed")
for x, z in ((-2.0, -4.5), (-2.0, 3.0), (-7.0, 1.5), (-6.6, 6.4)):
    cellar.place(the_tube, (x, -0.4, z), 90.0, kind="nocol")
    cellar.light((x, -0.7, z), 18.0, WARM)
passage.place(the_bulkhead, (-6.0, DEEP + 1.8, -9.5), 90.0, kind="nocol")
passage.light((-5.7, DEEP + 1.8, -9.5), 7.0, WARM)

level.export()

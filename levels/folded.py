"""Builds folded.glb, a level whose portals bend space: `blender -b --python folded.py`.

A garden with a hut of 3 x 3 m. Its door leads into a hall of 12 x 18 m. In the hall, the west door leads to a ring: three
square rooms in each of which one turns right, so that the fourth right turn is in the first room again. The east
door leads to a stairwell whose upper door leads to its lower door. The north door leads back into the garden, through the
gate in its wall.

The rooms lie apart from each other in this file. The garden is at the origin, north is -z.
"""

import math
import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import textures as paint
from common import Level, Part, doorway
from textures import rgb

level = Level("folded")

flagstones = level.material("flagstones", paint.masonry(512, 1, [rgb(118, 114, 104), rgb(130, 124, 110), rgb(104, 102, 98)], rgb(60, 58, 50), 5, 3, 0.04, 0.08, 0.15), 2.4, rough=0.8)
brick = level.material("brick", paint.masonry(512, 2, [rgb(146, 84, 62), rgb(128, 72, 54), rgb(158, 98, 72)], rgb(150, 140, 124), 14, 4, 0.08), 1.1)
boards = level.material("boards", paint.planks(512, 3, rgb(126, 92, 58), 10), 1.6, rough=0.7)
plaster = level.material("plaster", paint.plaster(256, 4, rgb(212, 206, 192), 0.03), 2.0)
marble = level.material("marble", paint.tiles(512, 5, [rgb(206, 198, 184), rgb(66, 62, 66)], 4, veins=-0.35, wavy=0.03), 2.4, rough=0.2)
oak = level.material("oak", paint.grain(256, 6, rgb(128, 84, 48)), 0.8, along_grain=True, rough=0.5)
stone = level.material("stone", paint.masonry(512, 7, [rgb(150, 146, 136), rgb(138, 134, 126), rgb(160, 154, 142)], rgb(104, 100, 92), 6, 4, 0.04), 2.0, rough=0.7)
linen = level.material("linen", rgb(190, 210, 220))
TILES = [
    level.material(f"tiles-{k}", paint.tiles(256, 8 + k, [colour, rgb(190, 184, 170)], 4, rgb(90, 86, 80), 0.02, 0.06), 1.2, rough=0.4)
    for k, colour in enumerate((rgb(150, 52, 44), rgb(44, 104, 68), rgb(44, 70, 140)))
]
glow = level.material("lamp-glow", rgb(255, 240, 214), glow=2.0)

WIDTH, HEIGHT = 1.2, 2.2


def box(x0, x1, z0, z1):
    return [(x0, z0), (x1, z0), (x1, z1), (x0, z1)]


def room(name, x0, x1, z0, z1, height, floor, wall, ceiling=plaster):
    origin = (round((x0 + x1) / 2), 0, round((z0 + z1) / 2))
    return level.room(name, {"floor": floor, "wall": wall, "ceiling": ceiling}, origin).prism(box(x0, x1, z0, z1), 0.0, height)


def door(x, z, side, bottom=0.0):
    """A doorway 0.15 m behind the wall through (x, z), whose outward direction is `side`: n, e, s or w."""
    dx, dz = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}[side]
    x, z = x + 0.15 * dx, z + 0.15 * dz
    along = (abs(dz) * WIDTH / 2, abs(dx) * WIDTH / 2)
    return doorway((x - along[0], z - along[1]), (x + along[0], z + along[1]), bottom, bottom + HEIGHT)


def lamp(at, where, watts, radius=0.12):
    rings = [(radius * math.cos(a), radius * math.sin(a)) for a in (math.pi * (k / 6 - 0.5) for k in range(1, 6))]
    at.place(Part(f"{at.name}-bulb").lathe(rings, glow, 12), where, kind="-nocol")
    at.light(where, watts)


# --- the garden, and the hut in its middle -------------------------------------------------------

YARD, HUT = box(-8.0, 8.0, -7.0, 7.0), box(-1.5, 1.5, -1.5, 1.5)
HUT_HEIGHT = 2.7
garden = level.room("garden", {"floor": flagstones, "wall": stone, "ceiling": linen}, (0, 0, 0))
ground = garden.face([(x, 0.0, z) for x, z in YARD[::-1]])
ground.holes.append([(x, 0.0, z) for x, z in HUT])
sky = [[(x, 8.0, z) for x, z in YARD]]
for (x0, z0), (x1, z1) in zip(YARD, YARD[1:] + YARD[:1]):
    garden.face([(x0, 0.0, z0), (x1, 0.0, z1), (x1, 3.2, z1), (x0, 3.2, z0)])
    sky.append([(x0, 3.2, z0), (x1, 3.2, z1), (x1, 8.0, z1), (x0, 8.0, z0)])
garden.mesh("garden-sky", Part("sky").add(sky, linen).data())
for (x0, z0), (x1, z1) in zip(HUT, HUT[1:] + HUT[:1]):
    garden.face([(x1, 0.0, z1), (x0, 0.0, z0), (x0, HUT_HEIGHT, z0), (x1, HUT_HEIGHT, z1)], boards)
garden.face([(x, HUT_HEIGHT, z) for x, z in HUT[::-1]], boards)
level.sun((-0.45, -0.8, -0.4), 3.0, (1.0, 0.94, 0.84))
garden.spawn("player", (2.5, 0.0, 5.5), 25.0)

# --- the hall ------------------------------------------------------------------------------------

hall = room("hall", 54.0, 66.0, -9.0, 9.0, 6.0, marble, plaster)
column = Part("column").lathe([(0.42, -0.01), (0.42, 0.25), (0.3, 0.4), (0.27, 5.4), (0.42, 5.7), (0.42, 6.01)], stone, 20)
for k in range(4):
    for x in (56.6, 63.4):
        hall.place(column, (x, 0.0, -6.0 + 4.0 * k))
for k in range(3):
    lamp(hall, (60.0, 4.6, -6.0 + 6.0 * k), 260.0)
hall.spawn("hall", (60.0, 0.0, 7.0))

# --- the ring ------------------------------------------------------------------------------------

ring = [room(f"ring{k + 1}", 97.0, 103.0, 20.0 * k - 3.0, 20.0 * k + 3.0, 3.2, TILES[k], brick) for k in range(3)]
for k, part in enumerate(ring):
    lamp(part, (100.0, 2.7, 20.0 * k), 90.0)
ring[0].spawn("ring", (99.0, 0.0, 0.0), -90.0)

# --- the stairwell -------------------------------------------------------------------------------

STEPS, RISE, TREAD = 12, 0.17, 0.3
TOP = STEPS * RISE
RUN = STEPS * TREAD
section = [(4.0, 0.0), (4.0, 3.4), (1.0, 3.4), (-1.0 - RUN, TOP + 3.4), (-3.0 - RUN, TOP + 3.4), (-3.0 - RUN, TOP)]
for k in range(STEPS - 1, -1, -1):
    section += [(1.0 - TREAD * (k + 1), RISE * (k + 1)), (1.0 - TREAD * k, RISE * (k + 1))]
section += [(1.0, 0.0)]
stairs = level.room("stairs", {"floor": oak, "wall": brick, "ceiling": plaster}, (140, 0, 0)).profile_x(section, 138.5, 141.5)
lamp(stairs, (140.0, 2.9, 2.5), 90.0)
lamp(stairs, (140.0, TOP + 2.9, -2.0 - RUN), 90.0)

stairs.spawn("stairs", (140.0, 0.0, 2.5))

# --- the portals ---------------------------------------------------------------------------------

level.fold(garden, door(0.0, 1.5, "n"), hall, door(60.0, 9.0, "s"), oak, oak)
level.fold(hall, door(60.0, -9.0, "n"), garden, door(-5.5, 7.0, "s"), stone, stone)
level.fold(hall, door(54.0, 0.0, "w"), ring[0], door(97.0, 0.0, "w"), oak, oak)
for k in range(3):
    after = (k + 1) % 3
    level.fold(ring[k], door(103.0, 20.0 * k, "e"), ring[after], door(100.0, 20.0 * after + 3.0, "s"), stone, stone)
level.fold(hall, door(66.0, 0.0, "e"), stairs, door(141.5, 2.5, "e"), oak, oak)
level.fold(stairs, door(140.0, -3.0 - RUN, "n", TOP), stairs, door(140.0, 4.0, "s"), oak, oak)

level.scene["sky_horizon"] = [0.62, 0.74, 0.86]
level.export()

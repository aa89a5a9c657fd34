"""Builds workshop.glb, a level of rigid bodies: `blender -b --python workshop.py`.

Five rooms with rigid bodies. North is -z.

              +--------+
              |  pins  |
              |   |    |
              | alley  |
              |   |    |
    +---------+-==-----+---------+
    |billiard =   hall      = run|
    |  room   =  stacks     =    |
    +---------+--------==---+----+
                    |gallery|
                    +-------+

Hall: a pyramid, a tower, a plank across a log, gears and a knot that lean on each other, a shelf of balls, a
chandelier and a punching bag on chains, a switch that releases a pile of gears and knots. Gallery: a row of dominoes
begins here, descends the stairs, and continues through the hall into the run. Alley: ten pins, a lane with low
friction, balls on a rack, a switch that resets balls and pins. Billiard room: sixteen balls behind a door. Run: a
gate at the top of the stairs holds balls back; a switch beside the stairs opens it, and they come down into the hall.
Another switch there releases 500 crates on the stairs.
"""

import math
import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import textures as paint
from common import STOP, Level, Part, add, cross, doorway, panelled, scale, sub, unit
from textures import rgb

SUNK = -0.01  # Feet are this deep in the floor, so that no faces coincide.

level = Level("workshop")

planks = level.material("planks", paint.planks(512, 1, rgb(134, 98, 62)), 2.0, rough=0.6)
plaster = level.material("plaster", paint.plaster(256, 2, rgb(208, 204, 192), 0.03), 2.0)
brick = level.material("brick", paint.masonry(512, 3, [rgb(150, 88, 66), rgb(134, 76, 58), rgb(160, 98, 74)], rgb(160, 150, 134), 14, 4, 0.08), 1.1)
pine = level.material("pine", paint.grain(256, 4, rgb(186, 146, 92)), 0.6, along_grain=True, rough=0.6)
oak = level.material("oak", paint.grain(256, 5, rgb(128, 84, 48)), 0.8, along_grain=True, rough=0.5)
lane = level.material("lane", paint.planks(512, 6, rgb(196, 158, 104), 12, 0.05), 1.2, rough=0.25, friction=0.12)
baize = level.material("baize", paint.plaster(256, 7, rgb(34, 96, 62), 0.04), 0.8, friction=0.25)
stone = level.material("stone", paint.tiles(512, 8, [rgb(142, 140, 134), rgb(134, 132, 128)], 3, rgb(96, 94, 90), 0.02, 0.06), 1.5)
steel = level.material("steel", rgb(150, 154, 160), rough=0.3)
iron = level.material("iron", rgb(56, 58, 62), rough=0.5)
white = level.material("ivory", rgb(236, 232, 220), rough=0.3)
red = level.material("red", rgb(176, 40, 34), rough=0.35)
blue = level.material("blue", rgb(40, 78, 150), rough=0.35)
yellow = level.material("yellow", rgb(220, 176, 50), rough=0.35)
green = level.material("green", rgb(50, 128, 74), rough=0.35)
black = level.material("black", rgb(26, 26, 28), rough=0.3)
glow = level.material("lamp-glow", rgb(255, 238, 210), glow=2.0)
sky = level.material("sky-glass", rgb(190, 210, 220))
COLOURS = (red, blue, yellow, green, black, white)

inside = {"floor": planks, "wall": plaster, "ceiling": plaster}


def block(x0, x1, z0, z1, name, height, origin, materials=inside):
    return level.room(name, materials, origin).prism([(x0, z0), (x1, z0), (x1, z1), (x0, z1)], 0.0, height)


hall = block(-6.0, 6.0, -4.0, 4.0, "hall", 4.0, (0, 0, 0), {**inside, "wall": brick})
alley = block(1.0, 5.0, -22.0, -4.25, "alley", 3.2, (3, 0, -12))
billiards = block(-13.0, -6.25, -3.0, 3.0, "billiards", 3.0, (-10, 0, 0))
gallery = block(2.4, 6.0, 4.25, 10.6, "gallery", 4.4, (4, 0, 7))
run = block(6.25, 14.0, -2.5, 2.5, "run", 5.2, (10, 0, 0), {**inside, "floor": stone, "wall": brick})

level.opening(hall, alley, doorway((2.0, -4.125), (4.0, -4.125), 0.0, 2.3), "", oak, planks).casing(oak)
level.opening(hall, run, doorway((6.125, -1.0), (6.125, 1.0), 0.0, 2.4), "", oak, stone).casing(oak)
level.opening(hall, gallery, doorway((3.2, 4.125), (5.4, 4.125), 0.0, 2.3), "", oak, planks).casing(oak)
door = level.opening(hall, billiards, doorway((-6.125, -0.5), (-6.125, 0.5), STOP, 2.1), "", oak, planks, into=billiards)
door.casing(oak)
door.hang("billiard", (-6.125, -0.5), panelled(oak, oak, steel), time=0.8)

hall.spawn("player", (0.0, 0.0, 3.0))
alley.spawn("alley", (3.0, 0.0, -5.0))
billiards.spawn("billiards", (-7.2, 0.0, 1.6), 60.0)
gallery.spawn("gallery", (3.4, 1.6, 9.8))
run.spawn("run", (7.2, 0.0, 1.9), -90.0)


# --- bodies --------------------------------------------------------------------------------------

def body(room, name, part, at, yaw=0.0, shape="hull", tilt=(0.0, 0.0), **properties):
    """A rigid body. `tilt` leans it, degrees about the axes x and z of the file."""
    node = room.mesh(f"{name}-body", part.data(), at, yaw)
    if tilt != (0.0, 0.0):
        node.rotation_euler = (math.radians(tilt[0]), math.radians(-tilt[1]), math.radians(yaw))
    for key, value in {"shape": shape, **properties}.items():
        node[key] = value


def cube(name, width, height, depth, material):
    half = (width / 2, height / 2, depth / 2)
    return Part(name).box(scale(half, -1.0), half, material)


def ball(name, radius, material, sides=20):
    rings = sides // 2
    angles = [-math.pi / 2 + math.pi * k / rings for k in range(1, rings)]
    profile = [(radius * math.cos(a), radius * math.sin(a)) for a in angles]
    part = Part(name).lathe(profile, material, sides)
    # The discs of the solid of revolution become pointed caps.
    caps = [part.faces.pop(0)[0], part.faces.pop(0)[0]]
    for ring, pole in zip(caps, ((0.0, -radius, 0.0), (0.0, radius, 0.0))):
        part.add([[p, q, pole] for p, q in zip(ring, ring[1:] + ring[:1])], material)
    return part


# The hall: a pyramid and a tower.
crate = cube("crate", 0.36, 0.36, 0.36, pine)
for row in range(7):
    for k in range(7 - row):
        x = -4.9 + 0.37 * k + 0.185 * row
        body(hall, f"crate-{row}-{k}", crate, (x, 0.18 + 0.36 * row, -2.8), shape="box", friction=0.7)
tin = Part("tin").lathe([(0.14, -0.15), (0.14, 0.15)], blue, 16)
for k in range(8):
    body(hall, f"tin-{k}", tin, (-0.9, 0.15 + 0.3 * k, -3.0), yaw=11.0 * k, mass=2.0, friction=0.6)

# The stairs of the gallery, and dominoes from its platform through the hall into the run.
STEPS, RISE, TREAD = 8, 0.2, 0.3
stairs = [(5.6, SUNK)]
for k in range(STEPS):
    stairs += [(5.6 + TREAD * k, RISE * (k + 1)), (5.6 + TREAD * (k + 1), RISE * (k + 1))]
stairs[-1] = (10.59, RISE * STEPS)
stairs += [(10.59, SUNK)]
gallery.place(Part("gallery-stairs").profile_x(stairs[::-1], 2.41, 5.99, oak))
course = [(4.9, 9.2 - 0.25 * k, RISE * STEPS, 0.0) for k in range(5)]
course += [(4.9, 5.6 + TREAD * (k + 0.5), RISE * (k + 1), 0.0) for k in reversed(range(STEPS))]


def row(start, end):
    """Positions on a straight line, at most 0.25 m apart, including the first and excluding the last."""
    length = math.dist(start, end)
    count = math.ceil(length / 0.25)
    yaw = math.degrees(math.atan2(start[0] - end[0], start[1] - end[1]))
    return [(start[0] + (end[0] - start[0]) * k / count, start[1] + (end[1] - start[1]) * k / count, 0.0, yaw) for k in range(count)]


def arc(middle, radius, first, last):
    """Positions on an arc, at most 0.25 m apart; angles in degrees from +x towards -z."""
    count = math.ceil(abs(math.radians(last - first)) * radius / 0.25)
    turn = 0.0 if last > first else 180.0
    angles = [first + (last - first) * k / count for k in range(count)]
    return [(middle[0] + radius * math.cos(math.radians(a)), middle[1] - radius * math.sin(math.radians(a)), 0.0, a + turn) for a in angles]


course += row((4.9, 5.4), (4.9, 3.75)) + arc((3.95, 3.75), 0.95, 0.0, 90.0)
course += row((3.95, 2.8), (2.9, 2.8)) + arc((2.9, 1.75), 1.05, -90.0, -270.0) + row((2.9, 0.7), (7.6, 0.7))
domino = cube("domino", 0.25, 0.5, 0.06, white)
for k, (x, z, height, yaw) in enumerate(course):
    body(hall if z < 4.125 and x < 6.125 else run if z < 4.125 else gallery, f"domino-{k:02}", domino, (x, height + 0.25, z), yaw=yaw, shape="box", mass=1.5, friction=0.4)

# A plank across a log, with a weight on its low end.
hall.place(Part("log").profile_z([(0.25 * math.cos(a), 0.25 * math.sin(a)) for a in [math.pi * k / 12 for k in range(13)]], -0.5, 0.5, oak), (-3.2, SUNK, 0.6))
body(hall, "plank", cube("plank", 3.0, 0.06, 0.5, pine), (-3.2, 0.285, 0.6), shape="box", mass=18.0, friction=0.8, tilt=(0.0, 9.0))
body(hall, "weight", cube("weight", 0.3, 0.3, 0.3, iron), (-4.45, 0.27, 0.6), shape="box", mass=25.0, friction=0.8, tilt=(0.0, 9.0))

# Gears and a knot, which no convex shape approximates.
teeth = 10
outline = []
for k in range(4 * teeth):
    radius = (0.42, 0.42, 0.33, 0.33)[k % 4]
    angle = 2.0 * math.pi * (k + (0.15, -0.15, 0.15, -0.15)[k % 4]) / (4 * teeth)
    outline.append((radius * math.cos(angle), radius * math.sin(angle)))
gear = Part("gear").profile_z(outline, -0.06, 0.06, steel)
for k, (x, z) in enumerate(((0.9, -3.72), (1.75, -3.74))):
    body(hall, f"gear-{k}", gear, (x, 0.44, z), shape="mesh", tilt=(-12.0, 0.0), mass=20.0, friction=0.7)


def knot(name, size, radius, segments, sides, material):
    """A trefoil knot of a tube."""
    def curve(t):
        return scale((math.sin(t) + 2.0 * math.sin(2.0 * t), math.sin(3.0 * t), math.cos(t) - 2.0 * math.cos(2.0 * t)), size)

    rings = []
    for k in range(segments):
        t = 2.0 * math.pi * k / segments
        along = unit(sub(curve(t + 0.01), curve(t - 0.01)))
        across = unit(cross(along, (0.0, 1.0, 0.0)))
        up = cross(across, along)
        angles = [2.0 * math.pi * j / sides for j in range(sides)]
        rings.append([add(curve(t), add(scale(across, radius * math.cos(a)), scale(up, radius * math.sin(a)))) for a in angles])
    part = Part(name)
    for low, high in zip(rings, rings[1:] + rings[:1]):
        for j in range(sides):
            i = (j + 1) % sides
            # Quads of a twisted tube are not flat.
            part.add([[low[j], high[i], low[i]], [low[j], high[j], high[i]]], material)
    return part


body(hall, "knot", knot("knot", 0.14, 0.07, 42, 6, red), (-5.2, 0.25, 2.6), shape="mesh", mass=8.0, friction=0.6)

# A pile of gears and knots, which a switch releases.
small_gear = Part("small-gear").profile_z([scale((x, y, 0.0), 0.5)[:2] for x, y in outline], -0.05, 0.05, steel)
for name, part, at, mass in (("gears", small_gear, (-5.3, 2.6, 1.1), 4.0), ("knots", knot("small-knot", 0.1, 0.05, 24, 4, blue), (-5.3, 3.2, 1.1), 2.0)):
    spawner = hall.mesh(f"{name}-spawner", part.data(), at, 30.0)
    for key, value in {"shape": "mesh", "mass": mass, "friction": 0.6, "count": 5.0, "every": 0.6}.items():
        spawner[key] = value

# A chandelier and a punching bag hang on chains from the ceiling.
LINK = 0.24
link = Part("link").lathe([(0.02, -LINK / 2), (0.02, LINK / 2)], iron, 8)


def chain(room, name, links, top, hung, height):
    """Hangs a body, whose top is `height` above its origin, on `links` links from a point of the ceiling."""
    x, y, z = top
    above = None
    for k in range(links + 1):
        is_last = k == links
        this = f"{name}-body" if is_last else f"{name}-link-{k}-body"
        joint = level.empty(f"{name}-{k}-joint", sub((x, y - LINK * k, z), room.origin), room.empty)
        joint["bodies"] = f"{this}, {above}" if above else this
        above = this
        if is_last:
            body(room, name, hung, (x, y - LINK * k - height, z), mass=20.0, friction=0.6)
        else:
            body(room, f"{name}-link-{k}", link, (x, y - LINK * (k + 0.5), z), mass=1.0)


wheel = Part("wheel").lathe([(0.08, 0.42), (0.1, 0.06), (0.62, 0.03), (0.62, -0.03), (0.1, -0.06), (0.06, -0.1)], oak, 16)
chain(hall, "chandelier", 3, (0.0, 4.0, 0.0), wheel, 0.42)
bag = Part("bag").lathe([(0.06, -0.5), (0.2, -0.42), (0.2, 0.42), (0.06, 0.5)], red, 14)
chain(hall, "bag", 9, (-2.0, 4.0, 2.6), bag, 0.5)

# A shelf of balls.
shelf = Part("shelf").box((-0.8, 0.86, -0.2), (0.8, 0.9, 0.2), oak).box((-0.8, 0.86, 0.17), (0.8, 0.96, 0.2), oak)
for x in (-0.78, 0.72):
    shelf.box((x, SUNK, -0.18), (x + 0.06, 0.88, 0.18), oak)
hall.place(shelf, (4.9, 0.0, -3.5))
for k, (radius, bounce) in enumerate(((0.11, 0.85), (0.12, 0.7), (0.1, 0.5), (0.12, 0.3), (0.11, 0.9))):
    body(hall, f"ball-{k}", ball(f"ball-{k}", radius, COLOURS[k]), (4.3 + 0.3 * k, 0.9 + radius, -3.52), shape="sphere", mass=0.6, bounce=bounce, friction=0.6)

# The alley.
alley.place(Part("lane").box((-0.75, SUNK, -8.6), (0.75, 0.03, 6.0), lane), (3.0, 0.0, -12.0))
for side in (-1.0, 1.0):
    gutter = sorted((side * 0.95, side * 1.15))
    alley.place(Part(f"kerb{side:g}").box((gutter[0], SUNK, -8.6), (gutter[1], 0.16, 6.0), oak), (3.0, 0.0, -12.0))
alley.place(Part("backstop").box((-1.15, SUNK, -8.9), (1.15, 0.9, -8.6), black), (3.0, 0.0, -12.0))
pin = Part("pin").lathe([(0.028, 0.0), (0.06, 0.115), (0.045, 0.2), (0.024, 0.26), (0.033, 0.33), (0.02, 0.375)], white, 12)
standing = []
for row in range(4):
    for k in range(row + 1):
        at = (3.0 + 0.305 * (k - 0.5 * row), 0.03, -18.0 - 0.264 * row)
        body(alley, f"pin-{row}-{k}", pin, at, mass=1.5, friction=0.3, bounce=0.3)
        standing.append(f"pin-{row}-{k}-body")
rack = Part("rack").box((-0.5, SUNK, -0.18), (0.5, 0.5, 0.18), oak)
for z in (-0.18, 0.15):
    rack.box((-0.5, 0.49, z), (0.5, 0.58, z + 0.03), oak)
alley.place(rack, (1.6, 0.0, -5.6))
for k in range(3):
    body(alley, f"bowling-{k}", ball(f"bowling-{k}", 0.11, COLOURS[k]), (1.3 + 0.3 * k, 0.61, -5.6), shape="sphere", mass=6.5, friction=0.3, bounce=0.05)
    standing.append(f"bowling-{k}-body")


def switch(room, name, at, yaw, colour, target):
    """A lever on a wall, which starts its target."""
    part = Part(name).box((-0.1, 0.9, -0.02), (0.1, 1.2, 0.03), iron).box((-0.03, 1.0, 0.03), (0.03, 1.06, 0.16), colour)
    room.mesh(f"{name}-switch", part.data(), at, yaw)["target"] = target


switch(hall, "pile", (-5.98, 0.0, 2.0), 90.0, green, "gears-spawner, knots-spawner")
switch(alley, "pins", (4.98, 0.0, -5.6), -90.0, yellow, ", ".join(standing))

# The billiard table.
table = Part("table").box((-1.35, 0.72, -0.75), (1.35, 0.8, 0.75), baize)
for x in (-1.4, 1.32):
    table.box((x, 0.7, -0.8), (x + 0.08, 0.86, 0.8), oak)
for z in (-0.8, 0.72):
    table.box((-1.4, 0.7, z), (1.4, 0.86, z + 0.08), oak)
for x in (-1.2, 1.05):
    for z in (-0.65, 0.5):
        table.box((x, SUNK, z), (x + 0.15, 0.73, z + 0.15), oak)
billiards.place(table, (-10.0, 0.0, 0.0))
RADIUS = 0.04
shots = [(-9.2, 0.0)]
for row in range(5):
    for k in range(row + 1):
        shots.append((-10.4 - 1.76 * RADIUS * row, 2.03 * RADIUS * (k - 0.5 * row)))
for k, (x, z) in enumerate(shots):
    body(billiards, f"shot-{k:02}", ball(f"shot-{k:02}", RADIUS, white if k == 0 else COLOURS[k % 5], 14), (x, 0.8 + RADIUS, z), shape="sphere", mass=0.17, friction=0.15, bounce=0.92)

# The run: a platform, stairs down to the doorway, a gate that holds balls back.
STEPS = 12
stairs = [(0.0, 0.0)]
for k in range(STEPS):
    stairs += [(TREAD * k, RISE * (k + 1)), (TREAD * (k + 1), RISE * (k + 1))]
top, end = RISE * STEPS, 13.99 - 8.2
stairs += [(end, top + 0.12), (end, SUNK), (0.0, SUNK)]
run.place(Part("stairs").profile_z(stairs, -1.2, 1.2, stone), (8.2, 0.0, 0.0))
for side, z in (("left", -1.198), ("right", 1.098)):
    run.place(Part(f"parapet-{side}").box((3.8, top - 0.01, z), (end, top + 0.5, z + 0.1), oak), (8.2, 0.0, 0.0))
gate = run.mesh("gate-mover", Part("gate").box((-0.04, 0.0, -1.08), (0.04, 0.6, 1.08), red).data(), (12.1, top + 0.03, 0.0))
for key, value in {"motion": "slide", "axis": "z", "distance": 0.9, "time": 0.6, "starts": "trigger", "cycle": "return", "wait": 3.0}.items():
    gate[key] = value
switch(run, "gate", (7.4, 0.0, -2.48), 0.0, red, "gate-mover")
for k in range(7):
    at = (12.6 + 0.45 * (k % 3), top + 0.45, -0.7 + 0.6 * (k // 3) + 0.1 * (k % 2))
    body(run, f"marble-{k}", ball(f"marble-{k}", 0.18, COLOURS[k % 5]), at, shape="sphere", mass=3.0, friction=0.6, bounce=0.45)
switch(run, "avalanche", (6.8, 0.0, -2.48), 0.0, blue, "avalanche-spawner")
small = cube("small-crate", 0.22, 0.22, 0.22, pine)
avalanche = run.mesh("avalanche-spawner", small.data(), (11.4, top + 1.6, 0.0), 90.0)
for key, value in {"shape": "box", "mass": 3.0, "friction": 0.4, "count": 500.0, "every": 0.1, "speed": 3.0}.items():
    avalanche[key] = value


# --- light ---------------------------------------------------------------------------------------

lamp = Part("lamp").lathe([(0.3, -0.5), (0.26, -0.42), (0.06, -0.3), (0.02, 0.01)], iron, 32).lathe([(0.06, -0.56), (0.1, -0.5), (0.09, -0.44)], glow, 20)
hall.skylight((-4.6, -1.6), (-2.2, 1.6), 4.4, sky, plaster)
hall.skylight((2.2, -1.6), (4.6, 1.6), 4.4, sky, plaster)
run.skylight((8.6, -1.2), (11.6, 1.2), 5.6, sky, plaster)
level.sun((0.3, -1.0, -0.24), 3.0, (1.0, 0.92, 0.78))
level.scene["clouds"] = 0.4
for room, height, places in (
        (hall, 4.0, ((-3.6, -1.4), (1.6, -1.4), (-1.6, 2.0), (3.6, 2.0))),
        (alley, 3.2, ((3.0, -6.4), (3.0, -12.0), (3.0, -17.6))),
        (gallery, 4.4, ((3.6, 8.6), (4.2, 5.4))),
        (billiards, 3.0, ((-10.9, 0.0), (-9.1, 0.0))),
        (run, 5.2, ((8.0, 0.0), (12.4, 0.0)))):
    for x, z in places:
        room.place(lamp, (x, height, z), kind="nocol")
        room.light((x, height - 0.6, z), 30.0 if room is not billiards else 26.0, (1.0, 0.82, 0.6), down=True)

level.export()

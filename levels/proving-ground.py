"""Builds proving-ground.glb, which tests motion: `blender -b --python proving-ground.py`.

One great hall, the arena, and side rooms behind portals. All coordinates are those of the file:
metres, +Y up, floor at y = 0. Tests quote this table, so change it only together with them.

Every station has its own spawn, a few metres in front of it and facing it. Yaw 0 looks along
-Z, 90 along -X, -90 along +X, 180 along +Z.

stairs-room   x -16..16, z -43..-20.4. Flights 3 m wide, treads 0.30 m deep, climbing towards -Z.
              The last riser of every flight is at z = -38, where a landing begins (to z = -42).
    station     centre x   first riser z   steps   top y   spawn (x, y, z)       yaw
    stairs-10   -12.5      -29.3           30      3.0     (-12.5, 0, -26.3)     0
    stairs-15    -7.5      -32.3           20      3.0     ( -7.5, 0, -29.3)     0
    stairs-20    -2.5      -33.8           15      3.0     ( -2.5, 0, -30.8)     0
    stairs-25     2.5      -34.7           12      3.0     (  2.5, 0, -31.7)     0
    stairs-30     7.5      -35.3           10      3.0     (  7.5, 0, -32.3)     0
    stairs-35    12.5      -35.9            8      2.8     ( 12.5, 0, -32.9)     0
              Landings: x -15..9.2 at y 3.0; x 11..14 at y 2.8.

ramps-room    x 30.4..56, z -23.5..23.5. Ramps 6 m wide climb towards +X to a platform at y 2.5 that
              begins at x = 52. Every ramp has four strips, 1.5 m wide, from -Z to +Z: ice
              (friction 0.0), tin (0.3), wood (0.7), rubber (1.2).
    station     centre z   foot x    strips' centre z: ice, tin, wood, rubber
    ramp-10     -18.75     37.82     -21.0  -19.5  -18.0  -16.5
    ramp-20     -11.25     45.13     -13.5  -12.0  -10.5   -9.0
    ramp-30      -3.75     47.67      -6.0   -4.5   -3.0   -1.5
    ramp-40       3.75     49.02       1.5    3.0    4.5    6.0
    ramp-50      11.25     49.90       9.0   10.5   12.0   13.5
    ramp-60      18.75     50.56      16.5   18.0   19.5   21.0
    spawns      ramp-30-wood-spawn and so on, on the strip's line, 3 m before the foot, yaw -90

walls-room    x -62..-30.4, z -30..30. Free-standing walls, 12 m long, 0.4 m thick, 3 m high, rotated
              about their centre by the given angle from the x axis (counter-clockwise from above).
    wall-15     centre (-46, 0, -24)   spawn (-42, 0, -24)   yaw 90
    wall-30     centre (-46, 0, -12)   spawn (-42, 0, -12)   yaw 90
    wall-45     centre (-46, 0,   0)   spawn (-42, 0,   0)   yaw 90
    wall-60     centre (-46, 0,  12)   spawn (-42, 0,  12)   yaw 90
    wall-75     centre (-46, 0,  24)   spawn (-42, 0,  24)   yaw 90

corners       Rooms that narrow to a vertical edge; their entrances are in the arena's south wall.
    corner-30   apex (-20, 0, 28.4)    spawn (-20, 0, 16)    yaw 180
    corner-15   apex (-12, 0, 30.4)    spawn (-12, 0, 16)    yaw 180

low passages  2 m wide, z 20.4..28, from the arena to the south-room (x -2..20, z 28.4..36).
    low-120     x 2, height 1.20       spawn ( 2, 0, 16)     yaw 180
    low-90      x 8, height 0.90       spawn ( 8, 0, 16)     yaw 180
    low-75      x 14, height 0.75      spawn (14, 0, 16)     yaw 180
    high-250    x 18.5, height 2.50: the way back

arena-room    x -30..30, z -20..20, 12 m high.
    sliver-wall  front face x -20..-10, z = -10, looking to +Z: 300 triangles 10 m long and 2 cm high.
                                       spawn (-15, 0, -6)    yaw 0
    drag-wall    drag 0.3; centre (-20, 0, 4), 12 m long, 30 degrees as wall-30
                                       spawn (-16, 0, 4)     yaw 90
    thin-floor   plate 1 cm thick, top y 3.0, x 12..20, z -13..-9. The spawn stands on a tower, y 9.0,
                 x 10..12: walk on and fall.
                                       spawn (11, 9, -11)    yaw -90
    bounce       pad with bounce 0.6, top y 0.06, x 12.4..20, z 3..9, in front of a tower, y 5.0
                                       spawn (11, 5, 6)      yaw -90
    pit          x -6..0, z 10..14, floor y -3.0; a ramp of 25 degrees leads out to x = 6.434. Its
                 entrance is a portal in the plane of the floor.
                                       spawn (-10, 0, 12)    yaw -90
    player-spawn (0, 0, 5), yaw 0
"""

import math
import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import bpy

import textures as paint
from common import Level, Part, doorway, extrude
from textures import rgb

level = Level("proving-ground")


# --- materials -----------------------------------------------------------------------------------

def painted(name, seed, colour, line):
    return level.material(name, paint.grid(256, seed, colour, line, 2, 0.012), 2.0)


floor = level.material("floor", paint.grid(256, 1, rgb(112, 116, 122), rgb(78, 82, 90), 2, 0.012, 0.05), 2.0)
ceiling = level.material("ceiling", paint.grid(256, 2, rgb(202, 206, 208), rgb(160, 166, 172), 1, 0.01), 2.0)
blue_wall = painted("blue-wall", 3, rgb(92, 124, 160), rgb(70, 98, 132))
orange_wall = painted("orange-wall", 4, rgb(202, 134, 76), rgb(170, 106, 56))
green_wall = painted("green-wall", 5, rgb(112, 150, 104), rgb(84, 120, 80))
violet_wall = painted("violet-wall", 6, rgb(132, 110, 158), rgb(104, 84, 130))
teal_wall = painted("teal-wall", 7, rgb(80, 146, 146), rgb(56, 116, 118))
red_wall = painted("red-wall", 8, rgb(176, 84, 76), rgb(140, 60, 54))
hazard = level.material("hazard", paint.stripes(128, rgb(236, 190, 40), rgb(36, 36, 38), 2), 0.8)
tread = level.material("tread", paint.plaster(128, 9, rgb(206, 206, 200), 0.05), 1.0)
riser = level.material("riser", paint.plaster(128, 10, rgb(220, 110, 50), 0.05), 1.0)
concrete = level.material("concrete", paint.plaster(256, 11, rgb(150, 150, 146), 0.06), 2.0)
ink = level.material("ink", rgb(30, 32, 36))
paper = level.material("paper", rgb(244, 240, 228))
lamp_glow = level.material("lamp-glow", rgb(255, 246, 224), glow=1.0)

# The materials of the ramps; the gravity pass uses their friction.
ice = level.material("ice", paint.tiles(256, 12, [rgb(190, 222, 238), rgb(176, 212, 232)], 2, rgb(220, 240, 248), veins=0.4), 1.5, rough=0.15, friction=0.0)
tin = level.material("tin", paint.grid(256, 13, rgb(150, 156, 164), rgb(96, 102, 110), 6, 0.05), 1.5, rough=0.35, friction=0.3)
wood = level.material("wood", paint.planks(256, 14, rgb(156, 106, 62)), 1.5, friction=0.7)
rubber = level.material("rubber", paint.cloth(256, 15, rgb(52, 50, 56), 0.12), 0.8, friction=1.2)
# A surface with drag, which slows sliding bodies, and a surface with bounce.
velvet = level.material("velvet", paint.cloth(256, 16, rgb(140, 44, 88), 0.1), 0.8, drag=0.3)
trampoline = level.material("trampoline", paint.stripes(128, rgb(60, 200, 150), rgb(28, 110, 90), 2), 1.6, bounce=0.6)


# --- markings ------------------------------------------------------------------------------------

def label(room, text, at, size=0.5, yaw=0.0, material=paper, flat=False):
    """Writes a word: vertical, readable from +z at yaw 0; or `flat` on the floor, readable from +z."""
    curve = bpy.data.curves.new("label", "FONT")
    curve.body, curve.size, curve.extrude, curve.resolution_u = text, size, 0.006, 2
    curve.align_x = "CENTER"
    node = bpy.data.objects.new("label", curve)
    mesh = node.to_mesh()
    points = [tuple(v.co) for v in mesh.vertices]
    part = Part(f"label-{text}-{size:g}")
    for polygon in mesh.polygons:
        # Letters contain some degenerate triangles, where their curves touch the grid of the fill.
        if polygon.area > 1e-6:
            loop = [points[k] for k in polygon.vertices]
            part.add([[(x, z, -y) if flat else (x, y, z) for x, y, z in loop]], material)
    node.to_mesh_clear()
    bpy.data.objects.remove(node)
    room.place(part, at, yaw, kind="nocol")


def stripe(room, low, high):
    """A band of hazard paint on the floor, 4 mm thick."""
    room.place(Part("stripe").box((low[0], -0.01, low[1]), (high[0], 0.004, high[1]), hazard), kind="nocol")


def lamps(room, xs, zs, y, watts):
    """Rows of ceiling lamps."""
    for x in xs:
        for z in zs:
            room.place(ceiling_lamp, (x, y, z), kind="nocol")
            room.light((x, y - 0.3, z), watts, (1.0, 0.96, 0.88), down=True)


glass = level.material("glass", rgb(150, 190, 230), glow=1.0)
ceiling_lamp = Part("ceiling-lamp").box((-0.6, -0.12, -0.15), (0.6, 0.01, 0.15), lamp_glow)


# --- the rooms -----------------------------------------------------------------------------------

def hall(name, wall, x0, z0, x1, z1, height, origin):
    return level.room(name, {"floor": floor, "wall": wall, "ceiling": ceiling}, origin).prism(
        [(x0, z0), (x1, z0), (x1, z1), (x0, z1)], 0.0, height)


arena = hall("arena", blue_wall, -30, -20, 30, 20, 12, (0, 0, 0))
stairs = hall("stairs", orange_wall, -16, -43, 16, -20.4, 8, (0, 0, -32))
ramps = hall("ramps", green_wall, 30.4, -23.5, 56, 23.5, 8, (43, 0, 0))
walls = hall("walls", violet_wall, -62, -30, -30.4, 30, 6, (-46, 0, 0))
south = hall("south", red_wall, -2, 28.4, 20, 36, 5, (9, 0, 32))

level.opening(arena, stairs, doorway((-3, -20.2), (3, -20.2), 0, 5, 2.0), "stairs", concrete, floor).casing(hazard, 0.25, 0.04)
level.opening(arena, ramps, doorway((30.2, -3), (30.2, 3), 0, 5, 2.0), "ramps", concrete, floor).casing(hazard, 0.25, 0.04)
level.opening(arena, walls, doorway((-30.2, -3), (-30.2, 3), 0, 5, 2.0), "walls", concrete, floor).casing(hazard, 0.25, 0.04)

lamps(arena, (-20, 0, 20), (-10, 10), 12, 1500.0)
for x in (-25, -5, 15):
    arena.skylight((x, -3), (x + 10, 3), 12.3, glass, concrete)
# Evenly lit halls, not atmospheric ones.
level.scene["exposure"] = 1.0
level.sun((0.45, -1.0, 0.3), 0.9, (1.0, 0.93, 0.8))
lamps(stairs, (-8, 8), (-38, -28), 8, 600.0)
lamps(ramps, (38, 50), (-16, 0, 16), 8, 500.0)
lamps(walls, (-54, -38), (-20, 0, 20), 6, 900.0)
lamps(south, (3, 15), (32,), 5, 150.0)

arena.spawn("player", (0, 0, 5))
label(arena, "STAIRS", (0, 5.6, -19.99), 1.2)
label(arena, "RAMPS", (29.99, 5.6, 0), 1.2, -90)
label(arena, "WALLS", (-29.99, 5.6, 0), 1.2, 90)


# --- stairs --------------------------------------------------------------------------------------

TREAD = 0.30
stairs.place(Part("landing").box((-15, -0.01, -42), (9.2, 3.0, -38), concrete))
stairs.place(Part("low-landing").box((11, -0.01, -42), (14, 2.8, -38), concrete))
for number, (centimetres, steps) in enumerate(((10, 30), (15, 20), (20, 15), (25, 12), (30, 10), (35, 8))):
    rise, x = centimetres / 100.0, -12.5 + 5.0 * number
    foot = -38.0 + TREAD * (steps - 1)
    section = [(foot, -0.01)]
    for step in range(steps - 1):
        z = foot - TREAD * step
        section += [(z, rise * (step + 1)), (z - TREAD, rise * (step + 1))]
    section.append((-38.0, -0.01))
    flight = Part(f"stairs-{centimetres}")
    for face in extrude([(x - 1.5, y, z) for z, y in section], (3.0, 0.0, 0.0)):
        flat = len({p[1] for p in face}) == 1
        upright = len({p[2] for p in face}) == 1
        flight.add([face], tread if flat else riser if upright else concrete)
    stairs.place(flight)
    stairs.spawn(f"stairs-{centimetres}", (x, 0, foot + 3.0))
    stripe(stairs, (x - 1.5, foot + 0.1), (x + 1.5, foot + 0.4))
    label(stairs, f"{rise:.2f}", (x, 0, foot + 1.7), 0.9, flat=True)
    label(stairs, f"{centimetres} cm", (x, 4.3, -42.99), 0.9)


# --- ramps ---------------------------------------------------------------------------------------

TOP = 2.5
strips = (("ice", ice), ("tin", tin), ("wood", wood), ("rubber", rubber))
ramps.place(Part("platform").box((52, -0.01, -22.5), (55, TOP, 22.5), concrete))
for number, degrees in enumerate((10, 20, 30, 40, 50, 60)):
    z0 = -21.75 + 7.5 * number
    foot = 52.0 - TOP / math.tan(math.radians(degrees))
    # Four wedges side by side; where two touch, `make_mesh` removes both faces. The toe is slightly below the floor.
    wedge = Part(f"ramp-{degrees}")
    for k, (name, material) in enumerate(strips):
        z = z0 + 1.5 * k
        wedge.profile_z([(foot, 0.0), (52.0, TOP), (52.0, -0.01), (foot, -0.01)], z, z + 1.5, material)
        ramps.spawn(f"ramp-{degrees}-{name}", (foot - 3.0, 0, z + 0.75), -90)
        label(ramps, name, (foot - 0.9, 0, z + 0.75), 0.42, -90, flat=True)
    ramps.place(wedge)
    stripe(ramps, (foot - 0.5, z0), (foot - 0.2, z0 + 6.0))
    label(ramps, f"{degrees}", (55.99, 3.4, z0 + 3.0), 1.6, -90)


# --- walls at angles -----------------------------------------------------------------------------

def slab(name, degrees, material, length=12.0, height=3.0):
    """A wall around the origin, along x, then rotated."""
    part = Part(name).box((-length / 2, -0.01, -0.2), (length / 2, height, 0.2), material)
    part.box((-length / 2 - 0.02, height - 0.01, -0.22), (length / 2 + 0.02, height + 0.15, 0.22), hazard)
    return part.turned(degrees)


for number, degrees in enumerate((15, 30, 45, 60, 75)):
    z = -24.0 + 12.0 * number
    walls.place(slab(f"wall-{degrees}", degrees, teal_wall), (-46, 0, z))
    walls.spawn(f"wall-{degrees}", (-42, 0, z), 90)
    label(walls, f"{degrees}", (-43.4, 0, z + 1.4), 1.0, 90, flat=True)
    label(walls, f"{degrees}", (-61.99, 3.6, z), 1.6, 90)


# --- corners -------------------------------------------------------------------------------------

for name, x, degrees, depth in (("corner-30", -20, 30, 8.0), ("corner-15", -12, 15, 10.0)):
    half = depth * math.tan(math.radians(degrees / 2.0))
    corner = level.room(name, {"floor": floor, "wall": violet_wall, "ceiling": ceiling}, (x, 0, 24))
    corner.prism([(x - half, 20.4), (x + half, 20.4), (x, 20.4 + depth)], 0.0, 4.0)
    opening = level.opening(arena, corner, doorway((x - half, 20.2), (x + half, 20.2), 0.0, 3.2), name, concrete, floor)
    corner.light((x, 3.2, 22.6), 70.0, (1.0, 0.9, 0.8))
    arena.spawn(name, (x, 0, 16), 180)
    label(arena, f"{degrees}", (x, 3.6, 19.99), 1.2, 180)


# --- low passages --------------------------------------------------------------------------------

for name, x, height in (("low-120", 2.0, 1.2), ("low-90", 8.0, 0.9), ("low-75", 14.0, 0.75), ("high-250", 18.5, 2.5)):
    passage = level.room(name, {"floor": floor, "wall": teal_wall, "ceiling": concrete}, (round(x), 0, 24))
    passage.prism([(x - 1.0, 20.4), (x + 1.0, 20.4), (x + 1.0, 28.0), (x - 1.0, 28.0)], 0.0, height)
    for room, z in ((arena, 20.2), (south, 28.2)):
        level.opening(room, passage, doorway((x - 1.0, z), (x + 1.0, z), 0.0, height), "" if room is south else name, hazard, floor)
    passage.light((x, 0.8 * height, 24.2), 12.0 * height, (1.0, 0.9, 0.8))
    if name != "high-250":
        arena.spawn(name, (x, 0, 16), 180)
    label(arena, f"{height:.2f}", (x, height + 0.35, 19.99), 0.8, 180)


# --- the contents of the arena -------------------------------------------------------------------

# The sliver wall: its front is 150 bands, each cut into two triangles 10 m long and 2 cm high.
sliver = Part("sliver-wall")
rows = [3.0 * k / 150.0 for k in range(151)]
left, right = [(-5.0, y, 0.0) for y in rows], [(5.0, y, 0.0) for y in rows]
for k in range(150):
    sliver.add([[left[k], right[k], right[k + 1]], [left[k], right[k + 1], left[k + 1]]], teal_wall)
back = -0.6
sliver.add([[(5.0, 0.0, back), (-5.0, 0.0, back), (-5.0, 3.0, back), (5.0, 3.0, back)],
            [(-5.0, 0.0, back), *left, (-5.0, 3.0, back)],
            [(5.0, 3.0, back), *right[::-1], (5.0, 0.0, back)]], concrete)
sliver.add([[left[-1], right[-1], (5.0, 3.0, back), (-5.0, 3.0, back)]], concrete)
sliver.add([[(-5.0, 0.0, back), (5.0, 0.0, back), right[0], left[0]]], concrete)
arena.place(sliver, (-15, 0, -10))
arena.spawn("sliver-wall", (-15, 0, -6))
label(arena, "slivers", (-15, 0, -8.2), 0.8, flat=True)

arena.place(slab("drag-wall", 30, velvet), (-20, 0, 4))
arena.spawn("drag-wall", (-16, 0, 4), 90)
label(arena, "drag 0.3", (-17.4, 0, 5.6), 0.7, 90, flat=True)


def tower(name, height):
    part = Part(name).box((-1.0, -0.01, -1.0), (1.0, height, 1.0), orange_wall)
    for x in (-1.04, 0.86):
        for z in (-1.04, 0.86):
            part.box((x, -0.02, z), (x + 0.18, height - 0.04, z + 0.18), concrete)
    return part


arena.place(tower("tower-9", 9.0), (11, 0, -11))
arena.spawn("thin-floor", (11, 9, -11), -90)
plate = Part("thin-floor").box((12, 2.99, -13), (20, 3.0, -9), hazard)
arena.place(plate)
posts = Part("posts")
for x in (12.3, 16.0, 19.7):
    for z in (-12.8, -9.2):
        posts.lathe([(0.06, -0.01), (0.06, 2.995)], ink, 8, (x, z))
arena.place(posts)
label(arena, "1 cm", (16, 0, -7.6), 0.9, flat=True)

arena.place(tower("tower-5", 5.0), (11, 0, 6))
arena.spawn("bounce", (11, 5, 6), -90)
arena.place(Part("bounce-pad").box((12.4, -0.01, 3), (20, 0.06, 9), trampoline))
label(arena, "bounce 0.6", (16, 0, 10.2), 0.8, flat=True)

# The pit: a room below the floor, joined to the arena by a portal in the plane of the floor.
pit_end = 3.0 / math.tan(math.radians(25.0))
pit = level.room("pit", {"floor": hazard, "wall": concrete, "ceiling": ceiling}, (0, -2, 12)).profile_z(
    [(-6.0, 0.0), (-6.0, -3.0), (0.0, -3.0), (pit_end, 0.0)], 10.0, 14.0)
level.opening(arena, pit, [(-6.0, 0.0, 10.0), (pit_end, 0.0, 10.0), (pit_end, 0.0, 14.0), (-6.0, 0.0, 14.0)], "pit")
pit.light((-4.0, -0.8, 12.0), 30.0, (1.0, 0.8, 0.6))
arena.spawn("pit", (-10, 0, 12), -90)
stripe(arena, (-6.5, 9.6), (-6.05, 14.4))
stripe(arena, (-6.0, 9.6), (pit_end, 9.95))
stripe(arena, (-6.0, 14.05), (pit_end, 14.4))
label(arena, "pit", (-8.0, 0, 12.0), 1.0, -90, flat=True)

# Two rows of pillars for orientation.
pillar = Part("pillar").lathe([(0.5, -0.01), (0.5, 11.99 + 0.02)], orange_wall, 16).box((-0.6, -0.02, -0.6), (0.6, 0.5, 0.6), hazard)
for x in (-8.0, 8.0):
    for z in (-15.0, -3.0):
        arena.place(pillar, (x, 0, z))

level.export()

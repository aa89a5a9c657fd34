"""Builds the test rooms of the comparison with Cycles: blender -b --python rooms.py -- FOLDER

Each level has one lighting problem, simple geometry, and matte surfaces except where its name says otherwise.
"""

import math
import os
import sys

import bpy
import numpy

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(HERE)), "levels"))

from common import Level, Part, doorway, to_blender  # noqa: E402
from mathutils import Vector  # noqa: E402

FOLDER = os.path.abspath(sys.argv[sys.argv.index("--") + 1])
WHITE_LIGHT = (1.0, 1.0, 1.0)
BUILDERS = []


def builder(build):
    BUILDERS.append(build)
    return build


def begin(name, stops=0.0):
    """A level whose picture is brighter by these stops."""
    level = Level(os.path.join(FOLDER, name))
    level.scene["exposure"] = stops
    return level


def grey(level, albedo, name=None, **options):
    """A matte material of this albedo, or of three linear albedos."""
    linear = numpy.broadcast_to(numpy.array(albedo, float), (3,))
    srgb = numpy.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return level.material(name or f"grey-{albedo}", srgb, **options)


def surfaces(material, **others):
    return {"floor": material, "wall": material, "ceiling": material, **others}


def box(level, name, low, high, materials):
    """A room from corner to corner; its origin is below its middle."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    room = level.room(name, materials, (round((x0 + x1) / 2), round(y0), round((z0 + z1) / 2)))
    return room.prism([(x0, z0), (x1, z0), (x1, z1), (x0, z1)], y0, y1)


def spot(room, at, towards, watts, size, blend):
    data = bpy.data.lights.new("spot", "SPOT")
    data.energy, data.spot_size, data.spot_blend = watts, math.radians(size), blend
    node = room.mesh(f"{room.name}-spot", data, at)
    way = Vector(to_blender([b - a for a, b in zip(at, towards)]))
    node.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()


@builder
def cornell():
    """A box with a red and a green wall, two blocks, and one lamp."""
    level = begin("cornell")
    white = grey(level, 0.75)
    red, green = grey(level, [0.6, 0.06, 0.05], "red"), grey(level, [0.12, 0.45, 0.1], "green")
    room = level.room("box", surfaces(white))
    room.prism([(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)], 0.0, 4.0)
    for face in room.faces:
        if abs(face.normal[0]) > 0.5:
            face.material = red if face.normal[0] > 0.5 else green
    half = 0.6
    square = [(-half, -half), (half, -half), (half, half), (-half, half)]
    room.place(Part("short").prism(square, -0.01, 1.2, white), (0.7, 0.0, 0.4), -17.0)
    room.place(Part("tall").prism(square, -0.01, 2.4, white), (-0.7, 0.0, -0.7), 17.0)
    room.light((0.0, 3.6, 0.0), 60.0, WHITE_LIGHT)
    room.spawn("player", (-1.0, 0.0, 1.4))
    level.export()


@builder
def hall():
    """A hall of 40 m with a lamp at one end."""
    level = begin("hall", 1.0)
    room = box(level, "hall", (-4.0, 0.0, -20.0), (4.0, 5.0, 20.0), surfaces(grey(level, 0.6)))
    room.light((0.0, 3.5, 17.0), 400.0, WHITE_LIGHT)
    room.spawn("player", (0.0, 0.0, 10.0))
    level.export()


@builder
def panel():
    """A room that only a glowing panel lights."""
    level = begin("panel")
    room = box(level, "office", (-2.5, 0.0, -2.5), (2.5, 3.0, 2.5), surfaces(grey(level, 0.6)))
    glow = grey(level, 1.0, "glow", glow=5.0)
    lamp = Part("panel").box((-0.8, 2.9, -0.6), (0.8, 3.01, 0.6), glow)
    room.place(lamp)
    room.place(Part("table").box((-0.6, -0.01, -1.5), (0.6, 0.8, -0.7), grey(level, 0.3)))
    room.spawn("player", (0.0, 0.0, 1.5))
    level.export()


@builder
def corner():
    """Two corridors at a right angle; the lamp is out of sight of the second one."""
    level = begin("corner", 1.0)
    inside = surfaces(grey(level, 0.6))
    lit = box(level, "lit", (-1.0, 0.0, -8.0), (1.0, 2.75, 0.0), inside)
    dark = box(level, "dark", (1.25, 0.0, -2.25), (7.0, 2.75, -0.25), inside)
    level.opening(lit, dark, doorway((1.125, -2.0), (1.125, -0.5), 0.0, 2.5))
    lit.light((0.5, 2.2, -6.5), 60.0, WHITE_LIGHT)
    lit.spawn("player", (0.0, 0.0, -4.0))
    level.export()


@builder
def courtyard():
    """A court under sun and sky, and a room behind an opening of its wall."""
    level = begin("courtyard")
    stone = grey(level, 0.5)
    court = box(level, "court", (-6.0, 0.0, -6.0), (6.0, 5.0, 6.0), surfaces(stone))
    court.faces = [face for face in court.faces if face.normal[1] > -0.5]
    court.empty["open"] = True
    shed = box(level, "shed", (-2.5, 0.0, -11.25), (2.5, 3.0, -6.25), surfaces(grey(level, 0.6)))
    level.opening(court, shed, doorway((-1.0, -6.125), (1.0, -6.125), 0.0, 2.5))
    court.place(Part("block").box((-3.0, -0.01, -2.0), (-1.0, 1.5, 0.0), stone))
    level.sun((-0.5, -0.8, -0.45), 3.0, (1.0, 0.95, 0.85))
    court.spawn("player", (2.0, 0.0, 3.0))
    level.export()


@builder
def stairwell():
    """Two floors; the lamp is on the upper one."""
    level = begin("stairwell", 1.0)
    inside = surfaces(grey(level, 0.6))
    lower = box(level, "lower", (-3.0, 0.0, -4.0), (3.0, 2.75, 4.0), inside)
    upper = box(level, "upper", (-3.0, 3.0, -4.0), (3.0, 5.75, 4.0), inside)
    hole = [(0.0, 2.875, -3.5), (2.5, 2.875, -3.5), (2.5, 2.875, 1.0), (0.0, 2.875, 1.0)]
    level.opening(lower, upper, hole)
    steps, tread, rise = 12, 0.3, 0.25
    start = 1.6
    profile = [(start, -0.01)]
    for k in range(steps):
        profile += [(start - tread * k, rise * (k + 1)), (start - tread * (k + 1), rise * (k + 1))]
    # The last step is level with the upper floor, and the flight is a solid that narrows to it.
    profile += [(start - tread * steps, rise * steps - 0.2), (start - tread, -0.01)]
    stairs = Part("stairs").profile_x(profile[::-1], 0.9, 2.1, grey(level, 0.4))
    lower.place(stairs)
    upper.light((-1.5, 5.25, 1.5), 80.0, WHITE_LIGHT)
    lower.spawn("player", (-1.5, 0.0, 3.0))
    level.export()


@builder
def halfdoor():
    """Two rooms with a door panel that stands half open; the lamp is in the first room."""
    level = begin("halfdoor", 0.0)
    inside = surfaces(grey(level, 0.6))
    lit = box(level, "lit", (-2.5, 0.0, 0.125), (2.5, 2.75, 5.0), inside)
    dark = box(level, "dark", (-2.5, 0.0, -5.0), (2.5, 2.75, -0.125), inside)
    level.opening(lit, dark, doorway((-0.5, 0.0), (0.5, 0.0), 0.0, 2.1))
    leaf = Part("leaf").box((0.0, 0.02, -0.04), (1.0, 2.08, 0.0), grey(level, 0.4)).turned(45.0)
    dark.place(leaf, (-0.5, 0.0, -0.14))
    lit.light((0.0, 2.3, 2.5), 60.0, WHITE_LIGHT)
    lit.spawn("player", (1.0, 0.0, 4.0))
    level.export()


@builder
def redwall():
    """A red wall beside white walls, with the lamp in front of it."""
    level = begin("redwall")
    room = box(level, "room", (-2.5, 0.0, -2.5), (2.5, 3.0, 2.5), surfaces(grey(level, 0.75)))
    red = grey(level, [0.6, 0.05, 0.04], "red")
    for face in room.faces:
        if face.normal[0] > 0.5:
            face.material = red
    room.light((-1.4, 1.5, 0.0), 40.0, WHITE_LIGHT)
    room.spawn("player", (1.5, 0.0, 1.5))
    level.export()


@builder
def lamps():
    """A hall with 200 lamps."""
    level = begin("lamps", -2.0)
    room = box(level, "hall", (-15.0, 0.0, -10.0), (15.0, 5.0, 10.0), surfaces(grey(level, 0.5)))
    for k in range(20):
        for j in range(10):
            room.light((-14.25 + 1.5 * k, 4.5, -9.0 + 2.0 * j), 10.0, WHITE_LIGHT)
    for x in (-8.0, 0.0, 8.0):
        room.place(Part(f"block-{x}").box((x - 0.6, -0.01, -2.6), (x + 0.6, 1.8, -1.4), grey(level, 0.4)))
    room.spawn("player", (0.0, 0.0, 6.0))
    level.export()


@builder
def window():
    """A room that sun and sky light through one window."""
    level = begin("window")
    room = box(level, "room", (-2.5, 0.0, -3.0), (2.5, 3.0, 3.0), surfaces(grey(level, 0.6)))
    outline = [(-2.75, 0.9, -0.8), (-2.75, 0.9, 0.8), (-2.75, 2.3, 0.8), (-2.75, 2.3, -0.8)]
    room.cut(outline, None, None)
    pane = Part("pane").add([[(x, y, z) for x, y, z in outline[::-1]]], grey(level, 0.5))
    room.mesh("room-window-sky", pane.data())
    level.sun((0.7, -0.55, 0.35), 3.0, (1.0, 0.95, 0.85))
    room.spawn("player", (1.5, 0.0, 2.0))
    level.export()


@builder
def metal():
    """A spot on a rough metal plate, in a matte room."""
    level = begin("metal")
    room = box(level, "room", (-2.5, 0.0, -2.5), (2.5, 3.0, 2.5), surfaces(grey(level, 0.5)))
    plate = grey(level, [0.9, 0.7, 0.4], "bronze", rough=0.35)
    plate.data.node_tree.nodes["Principled BSDF"].inputs["Metallic"].default_value = 1.0
    room.place(Part("plate").box((-1.5, 0.3, -2.51), (1.5, 2.7, -2.4), plate))
    spot(room, (1.2, 2.6, 1.2), (-0.3, 1.2, -2.4), 120.0, 60.0, 0.5)
    room.spawn("player", (-1.5, 0.0, 1.5))
    level.export()


@builder
def night():
    """Houses under a dark sky, with three lamps."""
    level = begin("night")
    ground = grey(level, 0.3)
    room = box(level, "square", (-15.0, 0.0, -15.0), (15.0, 4.0, 15.0), surfaces(ground))
    room.faces = [face for face in room.faces if face.normal[1] > -0.5]
    room.empty["open"] = True
    level.scene["sky_zenith"] = [0.002, 0.003, 0.008]
    level.scene["sky_horizon"] = [0.012, 0.012, 0.016]
    level.scene["sky_ground"] = [0.002, 0.002, 0.002]
    plaster = grey(level, 0.5)
    for k, (x, z) in enumerate(((-6.0, -6.0), (5.0, -7.0), (7.0, 4.0))):
        room.place(Part(f"house-{k}").box((x - 2.0, -0.01, z - 2.0), (x + 2.0, 3.2, z + 2.0), plaster))
    for x, z in ((0.0, -5.0), (-9.0, 2.0), (3.5, 1.0)):
        room.light((x, 3.0, z), 60.0, (1.0, 0.8, 0.5))
    room.spawn("player", (0.0, 0.0, 6.0))
    level.export()


os.makedirs(FOLDER, exist_ok=True)
for build in BUILDERS:
    build()

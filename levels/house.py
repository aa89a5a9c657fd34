"""Builds house.glb, the default level of the engine: `blender -b --python house.py`.

A house of two storeys and a cellar, eleven rooms, a dumb waiter and a forecourt. North is -z. Heights:
cellar floor -3.06, ground floor 0, upper floor 3.4.

    ground floor                                  upper floor
                 +-----------------+                            +--------+--------+
                 |                 +--------+                   |        |        +--------+
    +------------+     library     |        |                   |bedroom   study           |
    |cellar stair|                 |        |                   +-- ----+--- ----+         |
    +- ----------+                    living|                   |     gallery              |
    |            |                 |        |                   +- -~~-~~-~~-----+  music  |
    |   kitchen  +-- --------------+        |                   |(landing)       |         |
    |            |  stairs up      |        |                   |                |         |
    |                  hall                 |                   |   (the hall)   ~         |
    +------------+                 +--------+                   |                +---------+
                 +---- double -----+                            +----------------+
                 |    forecourt    |

The cellar lies below the library, the wine cellar below the living room; a trapdoor in the library leads
down. The dumb waiter goes from the kitchen's east wall up to the gallery.
"""

import math
import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import textures as paint
from common import STOP, Level, Part, arc, doorway, extrude, panelled, triangulate
from textures import rgb

import numpy as np

UPPER = 3.4
CELLAR = -3.06
RISE, RUN = 0.17, 0.29

level = Level("house")


# --- materials -----------------------------------------------------------------------------------

marble = level.material("marble", paint.tiles(512, 1, [rgb(206, 198, 184), rgb(64, 60, 62)], 4, veins=-0.35, wavy=0.03), 2.4, rough=0.14)
parquet = level.material("parquet", paint.planks(512, 2, rgb(146, 98, 58)), 2.0, rough=0.5)
dark_planks = level.material("dark-planks", paint.planks(512, 3, rgb(98, 62, 38)), 2.0, rough=0.55)
terracotta = level.material("terracotta", paint.tiles(512, 4, [rgb(168, 92, 60), rgb(150, 80, 54)], 6, rgb(120, 104, 88), 0.05, 0.07), 2.0, rough=0.6)
flagstones = level.material("flagstones", paint.masonry(512, 5, [rgb(112, 106, 98), rgb(126, 118, 104), rgb(98, 96, 94)], rgb(54, 50, 46), 5, 3, 0.04, 0.08, 0.15), 2.4, rough=0.7)
brick = level.material("brick", paint.masonry(512, 6, [rgb(142, 76, 56), rgb(124, 66, 50), rgb(156, 92, 66)], rgb(140, 128, 112), 14, 4, 0.09), 1.1)
cream = level.material("cream-plaster", paint.plaster(256, 7, rgb(218, 206, 182)), 2.0)
white = level.material("white-plaster", paint.plaster(256, 8, rgb(226, 220, 206), 0.025), 2.0)
sage = level.material("sage-plaster", paint.plaster(256, 9, rgb(160, 168, 136)), 2.0)
green_paper = level.material("green-paper", paint.wallpaper(512, 10, rgb(52, 82, 64), rgb(86, 116, 84), 4), 2.0)
red_paper = level.material("red-paper", paint.wallpaper(512, 11, rgb(122, 44, 42), rgb(152, 74, 58), 4), 2.0)
blue_paper = level.material("blue-paper", paint.wallpaper(512, 12, rgb(70, 88, 116), rgb(104, 122, 142), 4), 2.0)
hall_paper = level.material("hall-paper", paint.wallpaper(512, 62, rgb(84, 108, 106), rgb(108, 130, 122), 4), 2.0)
oak = level.material("oak", paint.grain(256, 13, rgb(128, 84, 48)), 1.0, along_grain=True, rough=0.55)
walnut = level.material("walnut", paint.grain(256, 14, rgb(84, 52, 32)), 1.0, along_grain=True, rough=0.5)
painted = level.material("painted-wood", paint.grain(256, 15, rgb(212, 204, 184), 0.02), 1.0, along_grain=True, rough=0.5)
stone = level.material("limestone", paint.plaster(256, 16, rgb(196, 184, 160), 0.06), 1.5)
iron = level.material("iron", rgb(44, 42, 42), rough=0.5)
# Metal reflects its room, which costs a picture of the room in all directions: in the hall only.
brass = level.material("brass", rgb(190, 146, 76), rough=0.5)
polished = level.material("polished-brass", rgb(222, 180, 104), rough=0.26, metal=1.0)
dull_copper = level.material("copper", rgb(186, 104, 70), rough=0.5)
copper = level.material("beaten-copper", paint.hammered(256, 63, rgb(226, 146, 112)), 0.4, rough=0.24, metal=1.0)
gold = level.material("gold", rgb(255, 214, 128), rough=0.2, metal=1.0)
lacquer = level.material("lacquer", rgb(18, 16, 16), rough=0.5)
leaf = level.material("leaf", paint.plaster(128, 64, rgb(58, 92, 46), 0.1), 0.4, rough=0.5)
leaf.data.use_backface_culling = False
soot = level.material("soot", rgb(24, 20, 18))
red_cloth = level.material("red-cloth", paint.cloth(256, 17, rgb(128, 34, 34)), 0.6)
green_cloth = level.material("green-cloth", paint.cloth(256, 18, rgb(62, 84, 58)), 0.6)
linen = level.material("linen", paint.cloth(256, 19, rgb(220, 210, 190), 0.03), 0.6)
books = level.material("books", np.concatenate([paint.books(512, 20 + k)[::4] for k in range(4)]), (1.9, 1.44))
red_rug = level.material("red-rug", paint.rug(512, 30, rgb(120, 30, 30), rgb(40, 40, 66), rgb(202, 168, 112)), fit=True)
blue_rug = level.material("blue-rug", paint.rug(512, 31, rgb(44, 60, 92), rgb(96, 36, 36), rgb(196, 176, 136)), fit=True)
canvases = [level.material(f"canvas-{k}", paint.painting(256, 40 + 7 * k), fit=True) for k in range(3)]
pane = level.material("window-pane", paint.window_pane(256, 60), fit=True, glow=0.8, rough=0.5)
glow = level.material("lamp-glow", rgb(255, 208, 142), glow=1.0)
candle = level.material("candle", rgb(255, 206, 128), glow=5.0)
opal = level.material("opal-glass", rgb(255, 226, 180), glow=0.9, rough=0.5)
lit_pane = level.material("lit-pane", rgb(232, 176, 104), glow=0.7)
embers = level.material("embers", rgb(236, 92, 18), glow=0.8)
tongues = [level.material(f"flame-{k}", paint.flame(128, 70 + k), fit=True, glow=0.95) for k in range(3)]
stained = level.material("stained-glass", paint.leaded_glass(256, 66, [rgb(38, 74, 190), rgb(196, 36, 40), rgb(226, 150, 40), rgb(40, 128, 96), rgb(110, 48, 150)]), fit=True, glow=1.1, rough=0.5)
dial = level.material("dial", paint.clock_face(256), fit=True, rough=0.5)
china = level.material("china", rgb(70, 96, 140), rough=0.5)
slate = level.material("slate", paint.plaster(256, 61, rgb(72, 74, 80), 0.08), 1.0)


# --- furniture: every piece stands at the origin and looks along +z, its back at z = 0 -----------

SUNK = -0.01  # Feet are this deep in the floor, and backs in the wall, so that no faces coincide.


def rug(name, width, length, material):
    return Part(name).box((-width / 2, SUNK, -length / 2), (width / 2, 0.012, length / 2), material)


def table(name, width, depth, height=0.76, top=oak, legs=walnut):
    part = Part(name).box((-width / 2, height - 0.05, -depth / 2), (width / 2, height, depth / 2), top)
    part.box((-width / 2 + 0.06, height - 0.15, -depth / 2 + 0.06), (width / 2 - 0.06, height - 0.045, depth / 2 - 0.06), legs)
    for x in (-width / 2 + 0.1, width / 2 - 0.1):
        for z in (-depth / 2 + 0.1, depth / 2 - 0.1):
            turning = [(0.028, SUNK), (0.04, 0.26 * height), (0.026, 0.34 * height), (0.045, 0.66 * height), (0.045, height - 0.1)]
            part.lathe(turning, legs, 8, (x, z))
    return part


def chair():
    part = Part("chair").box((-0.22, 0.43, -0.22), (0.22, 0.47, 0.22), walnut).box((-0.2, 0.465, -0.19), (0.2, 0.5, 0.2), red_cloth)
    for x in (-0.2, 0.16):
        part.box((x, SUNK, 0.17), (x + 0.04, 0.44, 0.21), walnut)
        part.box((x, SUNK, -0.22), (x + 0.04, 1.0, -0.18), walnut)
    for y in (0.62, 0.9):
        part.box((-0.17, y, -0.212), (0.17, y + 0.08, -0.188), walnut)
    return part


def bookcase():
    part = Part("bookcase").box((-1.0, SUNK, SUNK), (1.0, 2.62, 0.03), walnut)
    for x in (-1.0, 0.95):
        part.box((x, SUNK, 0.02), (x + 0.05, 2.62, 0.36), walnut)
    for shelf in range(8):
        y = 0.06 + 0.36 * shelf
        part.box((-0.96, y, 0.02), (0.96, y + 0.035, 0.34), walnut)
        if shelf < 7:
            part.box((-0.945, y + 0.03, 0.025), (0.945, y + 0.34, 0.27), books)
    part.box((-1.03, 2.6, SUNK), (1.03, 2.7, 0.4), walnut)
    return part


def sofa(name, width):
    part = Part(name).box((-width / 2, 0.1, -0.42), (width / 2, 0.3, 0.42), green_cloth)
    part.box((-width / 2, 0.29, -0.42), (width / 2, 0.86, -0.2), green_cloth)
    for x in (-width / 2 - 0.02, width / 2 - 0.18):
        part.box((x, 0.09, -0.43), (x + 0.2, 0.62, 0.44), green_cloth)
    seats = max(1, round(width / 0.8))
    step = (width - 0.4) / seats
    for k in range(seats):
        x = -width / 2 + 0.2 + k * step
        part.box((x + 0.01, 0.28, -0.21), (x + step - 0.01, 0.46, 0.43), red_cloth)
    for x in (-width / 2 + 0.08, width / 2 - 0.08):
        for z in (-0.36, 0.36):
            part.lathe([(0.03, SUNK), (0.04, 0.12)], walnut, 8, (x, z))
    return part


def bed():
    part = Part("bed").box((-0.9, 0.2, 0.02), (0.9, 0.42, 2.1), walnut).box((-0.86, 0.41, 0.1), (0.86, 0.6, 2.06), linen)
    part.box((-0.88, 0.3, 0.8), (0.88, 0.63, 2.09), red_cloth)
    part.box((-0.98, SUNK, SUNK), (0.98, 1.3, 0.09), walnut).box((-0.95, SUNK, 2.05), (0.95, 0.75, 2.13), walnut)
    for x in (-0.75, 0.1):
        part.box((x, 0.59, 0.16), (x + 0.65, 0.74, 0.6), linen)
    return part


def window_frame(name, panes):
    """A window whose panes glow, with bars and a sill."""
    part = Part(name).box((-0.75, 0.0, SUNK), (0.75, 1.7, 0.012), panes)
    for x in (-0.82, -0.03, 0.75):
        part.box((x, -0.02, SUNK), (x + 0.06 + 0.01, 1.72, 0.05), painted)
    for y in (-0.07, 0.82, 1.7):
        part.box((-0.82, y, SUNK), (0.82, y + 0.06, 0.045), painted)
    return part.box((-0.95, -0.12, SUNK), (0.95, -0.06, 0.16), painted)


def window():
    """A window to the evening outside, with two curtains."""
    part = window_frame("window", pane)
    for x in (-1.2, 0.86):
        fold = [(x + 0.034 * k, 0.09 if k % 2 else 0.05) for k in range(11)]
        outline = fold + [(x + 0.34, SUNK), (x, SUNK)]
        part.prism(outline, -0.35, 1.9, red_cloth)
    part.box((-1.3, 1.87, SUNK), (1.3, 1.93, 0.13), brass)
    return part


def lit_window():
    """A window as seen from outside, with shutters."""
    part = window_frame("lit-window", lit_pane)
    for x in (-1.62, 0.86):
        part.box((x, -0.04, SUNK), (x + 0.76, 1.74, 0.03), walnut)
        for k in range(9):
            part.box((x + 0.06, 0.04 + 0.185 * k, 0.025), (x + 0.7, 0.17 + 0.185 * k, 0.04), oak)
    return part


def fireplace():
    part = Part("fireplace").box((-1.1, SUNK, SUNK), (1.1, 0.12, 0.95), slate)
    for x in (-1.0, 0.6):
        part.box((x, 0.1, SUNK), (x + 0.4, 1.1, 0.5), stone)
        part.box((x - 0.04, 0.11, 0.3), (x + 0.44, 0.24, 0.54), stone)
    part.box((-1.0, 1.09, SUNK), (1.0, 1.35, 0.5), stone)
    part.box((-1.15, 1.34, SUNK), (1.15, 1.44, 0.6), stone)
    part.box((-0.85, 1.43, SUNK), (0.85, 3.11, 0.42), brick)
    part.box((-0.61, 0.11, SUNK), (0.61, 1.1, 0.06), soot)
    for k, z in enumerate((0.2, 0.34)):
        log = Part("log").lathe([(0.07, -0.35), (0.07, 0.35)], walnut, 8)
        log.faces = [([(y, 0.2 + x + 0.01 * k, z + w) for x, y, w in face][::-1], m) for face, m in log.faces]
        part.faces += log.faces
    part.box((-0.4, 0.11, 0.1), (0.4, 0.16, 0.44), embers)
    return part


def flames():
    """Adds the fire: sheets that glow, with opacity painted on them, at several angles; without collision."""
    part = Part("flames")
    for k, (x, z, width, height, turn) in enumerate([
            (0.0, 0.27, 0.42, 0.66, 0.0), (-0.2, 0.22, 0.34, 0.48, 38.0), (0.2, 0.31, 0.34, 0.52, -42.0), (0.02, 0.24, 0.36, 0.58, 84.0),
            (-0.33, 0.3, 0.24, 0.34, -15.0), (0.34, 0.22, 0.24, 0.32, 20.0), (0.1, 0.37, 0.28, 0.4, 8.0), (-0.12, 0.36, 0.26, 0.36, -60.0)]):
        c, w = math.cos(math.radians(turn)) * width / 2.0, math.sin(math.radians(turn)) * width / 2.0
        part.add([[(x - c, 0.14, z + w), (x + c, 0.14, z - w), (x + c, 0.14 + height, z - w), (x - c, 0.14 + height, z + w)]], tongues[k % 3])
    return part


def column(name, height, radius=0.24):
    part = Part(name)
    r = radius
    part.box((-1.45 * r, SUNK, -1.45 * r), (1.45 * r, 0.16, 1.45 * r), stone)
    part.lathe([(1.3 * r, 0.15), (1.3 * r, 0.22), (1.05 * r, 0.3), (r, 0.34), (0.86 * r, height - 0.4), (1.05 * r, height - 0.36),
                (0.95 * r, height - 0.32), (1.3 * r, height - 0.2), (1.3 * r, height - 0.15)], stone, 16)
    part.box((-1.45 * r, height - 0.16, -1.45 * r), (1.45 * r, height + 0.01, 1.45 * r), stone)
    return part


def chandelier(drop, metal=brass):
    """A chandelier that hangs from y = 0 down to -drop, with eight candles."""
    part = Part(f"chandelier-{drop:g}").lathe([(0.012, 0.7 - drop), (0.012, 0.01)], metal, 6)
    part.lathe([(0.02, -drop), (0.1, 0.12 - drop), (0.05, 0.3 - drop), (0.09, 0.45 - drop), (0.02, 0.75 - drop)], metal, 20)
    for k in range(8):
        arm = Part("arm").box((0.02, 0.14 - drop, -0.012), (0.6, 0.17 - drop, 0.012), metal)
        arm.lathe([(0.05, 0.16 - drop), (0.06, 0.2 - drop)], metal, 12, (0.58, 0.0))
        arm.lathe([(0.022, 0.195 - drop), (0.022, 0.33 - drop)], linen, 8, (0.58, 0.0))
        arm.lathe([(0.012, 0.325 - drop), (0.026, 0.36 - drop), (0.004, 0.44 - drop)], candle, 8, (0.58, 0.0))
        part.faces += arm.turned(45.0 * k).faces
    return part


def pendant(drop, cap=brass):
    """A shade of opal glass under a small cap of metal, so that it does not cut the light on the ceiling."""
    part = Part(f"pendant-{cap.data.name}-{drop:g}").lathe([(0.01, 0.25 - drop), (0.01, 0.01)], iron, 8)
    part.lathe([(0.05, 0.0), (0.05, -0.02)][::-1], cap, 16).lathe([(0.075, 0.13 - drop), (0.06, 0.19 - drop), (0.02, 0.28 - drop)], cap, 24)
    return part.lathe([(0.13, -drop), (0.17, 0.02 - drop), (0.19, 0.06 - drop), (0.17, 0.1 - drop), (0.07, 0.14 - drop)], opal, 24)


def sconce(name, metal):
    part = Part(name).box((-0.05, -0.16, SUNK), (0.05, 0.1, 0.02), metal).box((-0.012, -0.02, 0.01), (0.012, 0.0, 0.13), metal)
    part.lathe([(0.02, -0.05), (0.045, -0.01), (0.045, 0.0)], metal, 16, (0.0, 0.13))
    return part.lathe([(0.06, 0.0), (0.085, 0.17)], opal, 20, (0.0, 0.13))


def standing_lamp():
    part = Part("standing-lamp").lathe([(0.17, SUNK), (0.17, 0.03), (0.02, 0.06), (0.018, 1.35)], brass, 20)
    return part.lathe([(0.24, 1.3), (0.15, 1.62)], glow, 28)


def table_lamp():
    part = Part("table-lamp").lathe([(0.08, SUNK), (0.08, 0.02), (0.02, 0.05), (0.05, 0.15), (0.015, 0.24)], china, 18)
    return part.lathe([(0.15, 0.22), (0.09, 0.4)], glow, 24)


def picture(number, width, height, metal=brass):
    part = Part(f"picture-{number}-{width:g}").box((-width / 2, -height / 2, SUNK), (width / 2, height / 2, 0.02), canvases[number])
    w, h = width / 2, height / 2
    for low, high in (((-w - 0.07, -h - 0.07), (-w, h + 0.07)), ((w, -h - 0.07), (w + 0.07, h + 0.07)),
                      ((-w, -h - 0.07), (w, -h)), ((-w, h), (w, h + 0.07))):
        part.box((*low, SUNK), (*high, 0.045), metal)
    return part


def barrel():
    part = Part("barrel").lathe([(0.3, SUNK), (0.37, 0.3), (0.39, 0.48), (0.37, 0.66), (0.3, 0.95)], oak, 14)
    for y, r in ((0.12, 0.338), (0.3, 0.376), (0.62, 0.384), (0.8, 0.345)):
        part.lathe([(r, y), (r, y + 0.05)], iron, 14)
    return part


def wine_rack():
    part = Part("wine-rack").box((-1.0, SUNK, SUNK), (1.0, 1.7, 0.03), walnut)
    for x in (-1.0, -0.35, 0.3, 0.95):
        part.box((x, SUNK, 0.02), (x + 0.05, 1.7, 0.4), walnut)
    for row in range(6):
        y = 0.05 + 0.32 * row
        part.box((-0.96, y, 0.02), (0.96, y + 0.03, 0.39), walnut)
    bottle = green_cloth
    for row in range(5):
        for k in range(9):
            if (row * 7 + k * 5) % 4 == 0:
                continue
            x, y = -0.84 + 0.2 * k + (0.05 if k > 2 else 0.0) + (0.05 if k > 5 else 0.0), 0.14 + 0.32 * row
            part.box((x - 0.045, y - 0.05, 0.02), (x + 0.045, y + 0.04, 0.3), bottle)
            part.box((x - 0.018, y - 0.023, 0.29), (x + 0.018, y + 0.013, 0.38), red_cloth)
    return part


def counter(name, width):
    part = Part(name).box((-width / 2, SUNK, SUNK), (width / 2, 0.1, 0.52), soot).box((-width / 2, 0.09, SUNK), (width / 2, 0.86, 0.58), painted)
    part.box((-width / 2 - 0.02, 0.85, SUNK), (width / 2 + 0.02, 0.91, 0.62), slate)
    doors = max(1, round(width / 0.6))
    step = width / doors
    for k in range(doors):
        x = -width / 2 + k * step
        part.box((x + 0.02, 0.14, 0.57), (x + step - 0.02, 0.82, 0.6), oak)
        part.box((x + step - 0.09, 0.5, 0.59), (x + step - 0.06, 0.62, 0.625), brass)
    return part


def stove():
    part = Part("stove").box((-0.5, 0.12, SUNK), (0.5, 0.9, 0.66), iron).box((-0.53, 0.89, SUNK), (0.53, 0.94, 0.7), soot)
    for x in (-0.42, 0.42):
        part.box((x - 0.04, SUNK, 0.05), (x + 0.04, 0.13, 0.6), soot)
    part.box((-0.4, 0.3, 0.65), (0.05, 0.75, 0.68), soot).box((0.12, 0.3, 0.65), (0.4, 0.5, 0.672), embers)
    part.lathe([(0.11, 0.93), (0.11, 3.11)], iron, 10, (0.25, 0.2))
    return part.lathe([(0.14, 0.93), (0.16, 1.1), (0.13, 1.12)], dull_copper, 24, (-0.22, 0.36))


def wall_shelf():
    part = Part("wall-shelf").box((-0.9, 0.0, SUNK), (0.9, 0.04, 0.26), oak)
    for x in (-0.7, 0.66):
        part.box((x, -0.16, SUNK), (x + 0.04, 0.01, 0.2), oak)
    for k in range(7):
        x = -0.75 + 0.25 * k
        kind = (china, dull_copper, linen)[k % 3]
        part.lathe([(0.06, 0.03), (0.08, 0.12), (0.05, 0.18 + 0.03 * (k % 2))], kind, 16, (x, 0.13))
    return part


def piano():
    """A grand piano with the keyboard towards +z."""
    outline = [(-0.75, 0.2), (0.75, 0.2), (0.75, -0.4), (0.62, -0.85), (0.2, -1.15), (0.0, -1.5), (-0.3, -1.72), (-0.62, -1.66), (-0.75, -1.4)]
    part = Part("piano").prism(outline, 0.62, 0.98, lacquer)
    part.box((-0.75, 0.62, 0.19), (0.75, 0.72, 0.48), lacquer)
    part.box((-0.68, 0.71, 0.21), (0.68, 0.745, 0.44), linen)
    for k in range(24):
        if k % 7 not in (2, 6):
            part.box((-0.64 + k * 0.054, 0.74, 0.21), (-0.615 + k * 0.054, 0.76, 0.34), lacquer)
    part.box((-0.4, 0.975, -0.1), (0.4, 1.25, -0.07), walnut)
    for x, z in ((-0.6, 0.1), (0.6, 0.1), (-0.35, -1.4)):
        part.lathe([(0.05, SUNK), (0.05, 0.06), (0.07, 0.63)], lacquer, 8, (x, z))
    return part


def stool():
    part = Part("stool").lathe([(0.22, 0.45), (0.22, 0.52), (0.18, 0.54)], red_cloth, 12)
    for x, z in ((-0.12, -0.12), (0.12, -0.12), (-0.12, 0.12), (0.12, 0.12)):
        part.box((x - 0.02, SUNK, z - 0.02), (x + 0.02, 0.46, z + 0.02), walnut)
    return part


def vase():
    part = Part("vase").lathe([(0.08, SUNK), (0.15, 0.18), (0.13, 0.3), (0.06, 0.4), (0.09, 0.46)], china, 14)
    for k in range(5):
        part.faces += Part("stem").box((0.0, 0.4, -0.006), (0.012, 0.62 + 0.05 * (k % 3), 0.006), green_cloth).lathe(
            [(0.02, 0.6 + 0.05 * (k % 3)), (0.055, 0.66 + 0.05 * (k % 3)), (0.01, 0.71 + 0.05 * (k % 3))], red_cloth, 7, (0.05, 0.0)).turned(72.0 * k).faces
    return part


def idol():
    """A small seated figure of gold on a base."""
    part = Part("idol").box((-0.1, SUNK, -0.08), (0.1, 0.05, 0.08), lacquer)
    part.lathe([(0.085, 0.049), (0.1, 0.09), (0.06, 0.15), (0.075, 0.22), (0.03, 0.27)], gold, 24)
    part.lathe([(0.025, 0.265), (0.05, 0.3), (0.052, 0.34), (0.03, 0.38), (0.012, 0.42)], gold, 20)
    for x in (-0.085, 0.085):
        part.lathe([(0.02, 0.06), (0.03, 0.1), (0.024, 0.2)], gold, 12, (x, 0.02))
    return part


def clock():
    """A longcase clock with a brass pendulum; its dial faces +z."""
    part = Part("clock").box((-0.26, SUNK, SUNK), (0.26, 0.4, 0.24), walnut).box((-0.2, 0.39, SUNK), (0.2, 1.5, 0.2), walnut)
    part.box((-0.25, 1.49, SUNK), (0.25, 2.02, 0.25), walnut).box((-0.3, 2.01, SUNK), (0.3, 2.08, 0.3), walnut)
    part.profile_z([(-0.26, 2.07), (0.26, 2.07), (0.16, 2.17), (0.0, 2.22), (-0.16, 2.17)], SUNK, 0.22, walnut)
    part.box((-0.12, 0.5, 0.19), (0.12, 1.4, 0.205), lacquer)
    part.box((-0.006, 0.72, 0.2), (0.006, 1.4, 0.215), polished)
    part.profile_z([(0.06 * math.cos(a), 0.7 + 0.06 * math.sin(a)) for a in [math.pi * k / 8 for k in range(16)]], 0.2, 0.22, polished)
    part.add([[(-0.19, 1.56, 0.256), (0.19, 1.56, 0.256), (0.19, 1.94, 0.256), (-0.19, 1.94, 0.256)]], dial)
    for low, high in (((-0.21, 1.54), (-0.19, 1.96)), ((0.19, 1.54), (0.21, 1.96)), ((-0.21, 1.94), (0.21, 1.96)), ((-0.21, 1.54), (0.21, 1.56))):
        part.box((*low, 0.245), (*high, 0.27), polished)
    return part


def palm(copies, tall):
    """A palm in a copper pot: bent leaves with a fold along their middle, visible from both sides."""
    part = Part(f"palm-{copies}").lathe([(0.15, SUNK), (0.21, 0.16), (0.22, 0.34), (0.24, 0.36), (0.24, 0.4)], copper, 24)
    part.lathe([(0.2, 0.39), (0.02, 0.42)], soot, 12).lathe([(0.035, 0.4), (0.025, 0.4 + 0.45 * tall)], walnut, 8)
    for k in range(copies):
        reach, rise = 0.3 + 0.1 * (k % 3), tall * (0.6 + 0.13 * (k % 4))
        spine = [(0.02 + reach * t, 0.4 + 0.4 * tall + rise * (1.6 * t - 1.25 * t * t), 0.085 * math.sin(math.pi * min(1.0, 0.12 + 0.88 * t)) + 0.004)
                 for t in [j / 6.0 for j in range(7)]]
        blade = Part("blade")
        for (x0, y0, w0), (x1, y1, w1) in zip(spine, spine[1:]):
            for side in (-1.0, 1.0):
                a, b = (x0, y0, 0.0), (x1, y1, 0.0)
                c, d = (x1, y1 - 0.35 * w1, side * w1), (x0, y0 - 0.35 * w0, side * w0)
                blade.add([[a, c, b], [a, d, c]] if side > 0.0 else [[a, b, c], [a, c, d]], leaf)
        part.faces += blade.turned(137.5 * k).faces
    return part


def lancet(x, y, width, height, at):
    """The outline of a pointed window, (x, y) its lower left corner, in the plane z = `at`."""
    rise = 0.8 * width
    left = [(x + width * (0.5 - 0.5 * math.cos(0.5 * math.pi * k / 5)), y + height - rise + rise * math.sin(0.5 * math.pi * k / 5)) for k in range(6)]
    right = [(2 * x + width - a, b) for a, b in left[:-1]]
    return [(a, b, at) for a, b in [(x, y), (x + width, y)] + right + left[::-1]]


def desk():
    part = table("desk", 1.7, 0.8)
    for x in (-0.78, 0.38):
        part.box((x, 0.12, -0.33), (x + 0.4, 0.72, 0.33), walnut)
    return part.box((-0.3, 0.75, -0.15), (0.1, 0.775, 0.15), linen)


def beams(room, axis, positions, low, high, ceiling, width=0.2, depth=0.24, material=walnut):
    """Ceiling beams: `axis` is their direction, from `low` to `high`."""
    part = Part(f"{room.name}-beams")
    for at in positions:
        if axis == "x":
            part.box((low - 0.01, ceiling - depth, at - width / 2), (high + 0.01, ceiling + 0.01, at + width / 2), material)
        else:
            part.box((at - width / 2, ceiling - depth, low - 0.01), (at + width / 2, ceiling + 0.01, high + 0.01), material)
    room.place(part, kind="nocol")


the_chair, the_bookcase, the_window, the_sconce = chair(), bookcase(), window(), sconce("sconce", brass)
the_table_lamp, the_lamp, the_barrel, the_rack = table_lamp(), standing_lamp(), barrel(), wine_rack()
hall_sconce = sconce("hall-sconce", polished)
low_pendant, kitchen_pendant = pendant(0.7), pendant(0.7, dull_copper)
WARM = (1.0, 0.88, 0.72)
FIRE = (1.0, 0.58, 0.28)
TORCH = (1.0, 0.76, 0.52)


# --- rooms ---------------------------------------------------------------------------------------

hall = level.room("hall", {"floor": marble, "wall": hall_paper, "ceiling": white}, (0, 0, 4)).prism(
    [(-5, 0), (5, 0), (5, 9), (-5, 9)], 0.0, 6.4)
living = level.room("living", {"floor": parquet, "wall": sage, "ceiling": white}, (9, 0, -1)).prism(
    [(5.3, -7), (12.3, -7), (12.3, 5), (5.3, 5)], 0.0, 3.1)
library = level.room("library", {"floor": dark_planks, "wall": green_paper, "ceiling": white}, (0, 0, -4)).prism(
    [(-5, -8), (5, -8), (5, -0.3), (-5, -0.3)], 0.0, 3.1)
kitchen = level.room("kitchen", {"floor": terracotta, "wall": white, "ceiling": white}, (-8, 0, 0)).prism(
    [(-11.3, -5), (-5.3, -5), (-5.3, -2.28), (-5.78, -2.28), (-5.78, -1.52), (-5.3, -1.52), (-5.3, 5), (-11.3, 5)], 0.0, 3.1)

# The stairs to the cellar are a room of constant cross-section: a landing, 18 steps down, and a ceiling that follows
# them.
section = [(-11.3, 0.0), (-9.9, 0.0)]
for step in range(1, 19):
    x = -9.9 + RUN * (step - 1)
    section += [(x, -RISE * step)] if step == 18 else [(x, -RISE * step), (x + RUN, -RISE * step)]
section += [(-3.3, CELLAR), (-3.3, -0.55), (-4.4, -0.55), (-9.6, 2.5), (-11.3, 2.5)]
cellar_stair = level.room("cellar-stair", {"floor": flagstones, "wall": white, "ceiling": white}, (-8, 0, -6)).profile_z(
    section, -6.8, -5.3)

# The cellars are barrel vaults along x.
vault = [(-0.3, CELLAR), (-0.3, -1.3)] + arc((-0.3, -1.3), (-8.0, -1.3), -0.85, 9)[1:-1] + [(-8.0, -1.3), (-8.0, CELLAR)]
vaulted = {"floor": flagstones, "wall": brick, "ceiling": brick}
cellar = level.room("cellar", vaulted, (1, -3, -4)).profile_x(vault, -3.0, 5.0)
wine = level.room("wine-cellar", vaulted, (8, -3, -4)).profile_x(vault, 5.3, 11.3)

gallery = level.room("gallery", {"floor": parquet, "wall": cream, "ceiling": white}, (0, 3, -2)).prism(
    [(-5, -3), (5, -3), (5, -0.3), (-5, -0.3)], UPPER, 6.2)
bedroom = level.room("bedroom", {"floor": parquet, "wall": red_paper, "ceiling": white}, (-3, 3, -6)).prism(
    [(-5, -8), (-0.15, -8), (-0.15, -3.3), (-5, -3.3)], UPPER, 6.2)
study = level.room("study", {"floor": dark_planks, "wall": blue_paper, "ceiling": white}, (3, 3, -6)).prism(
    [(0.15, -8), (5, -8), (5, -3.3), (0.15, -3.3)], UPPER, 6.2)
# Under the roof.
music = level.room("music", {"floor": parquet, "wall": cream, "ceiling": white}, (9, 3, -1)).profile_z(
    [(5.3, UPPER), (12.3, UPPER), (12.3, 5.9), (8.8, 7.6), (5.3, 5.9)], -7.0, 5.0)

# The shaft of the dumb waiter, between kitchen and gallery.
shaft = level.room("dumb-waiter", {"floor": white, "wall": white, "ceiling": white}, (-5, 2, -2)).prism(
    [(-5.7, -2.2), (-5.08, -2.2), (-5.08, -1.6), (-5.7, -1.6)], 0.6, 5.4)

# The forecourt: walls around it, the front of the house to the north, the sky above.
YARD = [(-7.0, 9.3), (7.0, 9.3), (7.0, 16.0), (-7.0, 16.0)]
forecourt = level.room("forecourt", {"floor": flagstones, "wall": brick, "ceiling": brick}, (0, 0, 12))
forecourt.face([(x, 0.0, z) for x, z in YARD[::-1]])
sky = [[(x, 7.2, z) for x, z in YARD]]
for k, height in enumerate((7.2, 2.6, 2.6, 2.6)):
    (x0, z0), (x1, z1) = YARD[k], YARD[(k + 1) % 4]
    forecourt.face([(x0, 0.0, z0), (x1, 0.0, z1), (x1, height, z1), (x0, height, z0)])
    if k > 0:
        sky.append([(x0, 2.6, z0), (x1, 2.6, z1), (x1, 7.2, z1), (x0, 7.2, z0)])
forecourt.mesh("forecourt-sky", Part("sky").add(sky, linen).data())


# --- openings ------------------------------------------------------------------------------------

def doorless(room, other, p, q, bottom, name="", top=2.15, rise=0.0, frame=walnut):
    return level.opening(room, other, doorway(p, q, bottom, bottom + top, rise), name, frame, frame).casing(frame)


oak_door = panelled(oak, walnut, brass)
white_door = panelled(linen, painted, brass)
cellar_door = panelled(walnut, oak, iron, (0.33, 0.66, 1.0), 1)


def door(label, room, other, p, q, bottom, into, name="", frame=walnut, panel=oak_door, **properties):
    """Adds a doorway with a panel that is hinged at p and opens into `into`; there is a threshold."""
    outline = doorway(p, q, bottom + STOP, bottom + 2.15)
    opening = level.opening(room, other, outline, f"{name}*{label}", frame, frame, into).casing(frame)
    return opening.hang(label, p, panel, **{"time": 1.0, **properties})


doorless(hall, living, (5.15, 2.2), (5.15, 4.2), 0.0, "living", 2.5, 0.6, stone)
door("living", living, library, (5.15, -4.6), (5.15, -3.5), 0.0, living, "library", ajar=1.0)
door("library", library, kitchen, (-5.15, -4.2), (-5.15, -3.1), 0.0, library, "kitchen", ajar=0.55)
door("kitchen", kitchen, hall, (-5.15, 3.7), (-5.15, 2.6), 0.0, kitchen, "hall", ajar=0.3)
door("stairs", hall, library, (-4.3, -0.15), (-3.2, -0.15), 0.0, library, "library")
door("cellar-stair", kitchen, cellar_stair, (-11.1, -5.15), (-10.0, -5.15), 0.0, kitchen, panel=cellar_door)
door("cellar", cellar_stair, cellar, (-3.15, -6.6), (-3.15, -5.5), CELLAR, cellar, "cellar", stone, cellar_door)
doorless(cellar, wine, (5.15, -5.15), (5.15, -3.15), CELLAR, "wine-cellar", 2.35, 0.5, stone)
door("gallery", hall, gallery, (-4.4, -0.15), (-3.2, -0.15), UPPER, gallery, "gallery", panel=white_door, ajar=1.0)
for left in (-2.0, 0.2, 2.4):
    doorless(gallery, hall, (left, -0.15), (left + 1.8, -0.15), UPPER + 1.0, "*window", 1.6, 0.5, stone)
door("bedroom", gallery, bedroom, (-3.2, -3.15), (-2.1, -3.15), UPPER, bedroom, "bedroom", panel=white_door, ajar=0.35)
door("study", gallery, study, (3.1, -3.15), (2.0, -3.15), UPPER, study, "study")
door("dressing", bedroom, study, (0.0, -6.6), (0.0, -5.5), UPPER, study)
door("music", gallery, music, (5.15, -1.1), (5.15, -2.2), UPPER, music, "music", panel=white_door)
door("practice", study, music, (5.15, -5.8), (5.15, -4.7), UPPER, music)
doorless(music, hall, (5.15, 2.0), (5.15, 4.4), UPPER + 1.0, "*window", 1.4, 0.0)

# The front door has two panels; a strip on one of them covers the clearance between them.
entrance = level.opening(hall, forecourt, doorway((-0.9, 9.15), (0.9, 9.15), STOP, 2.45), "", stone, stone, hall,
                         ("forecourt*west", "forecourt*east")).casing(stone, 0.18, 0.05)
front_panel = panelled(walnut, oak, brass, (0.36, 0.8, 1.0), 1, 0.05)
strip = Part("strip").box((0.86, 0.01, -0.058), (0.94, 2.42, -0.046), oak)
for name, x in (("front-west", -0.9), ("front-east", 0.9)):
    node = entrance.hang(name, (x, 9.15), front_panel, (0.0, 0.5), time=1.4)
    if x > 0.0:
        level.child(node, "strip-nocol", strip)

# The trapdoor is in the floor of the library, hinged at its west side.
chute = [(2.4, -0.053, -4.54), (3.3, -0.053, -4.54), (3.3, -0.053, -3.76), (2.4, -0.053, -3.76)]
level.opening(library, cellar, chute, "cellar*trapdoor", oak, oak, library)
flap = Part("trapdoor").box((0.0, -0.05, -0.398), (0.916, 0.0, 0.398), oak)
irons = Part("trapdoor-irons")
for z in (-0.3, 0.24):
    irons.box((0.0, -0.004, z), (0.7, 0.004, z + 0.06), iron)
irons.box((0.78, -0.004, -0.06), (0.84, 0.005, 0.06), iron).box((0.795, 0.0, -0.045), (0.81, 0.03, -0.03), iron)
irons.box((0.795, 0.0, 0.03), (0.81, 0.03, 0.045), iron).box((0.795, 0.022, -0.045), (0.81, 0.034, 0.045), iron)
trapdoor = library.mesh("trapdoor-door", flap.data(), (2.392, 0.0, -4.15))
for key, value in dict(motion="hinge", axis="-y", angle=85.0, time=1.2).items():
    trapdoor[key] = value
level.child(trapdoor, "trapdoor-irons-nocol", irons)

# The dumb waiter: a hatch on either floor, a car between them, and a bell pull beside each hatch to call it.
hatch = panelled(oak, walnut, brass, (1.0,), 1, 0.025, 0.3, 0.07)
for label, room, x, y in (("serving", kitchen, -5.74, 0.95), ("breakfast", gallery, -5.04, UPPER + 0.95)):
    ends = [(x, -2.15), (x, -1.65)]
    opening = level.opening(room, shaft, doorway(*ends, y, y + 0.6), f"dumb-waiter*{label}", walnut, walnut, room)
    opening.casing(walnut, 0.07, 0.02).hang(f"{label}-hatch", ends[0], hatch, time=0.6)
car = Part("car").box((-0.28, 0.0, -0.27), (0.28, 0.02, 0.27), oak).box((-0.28, 0.64, -0.27), (0.28, 0.66, 0.27), oak)
for z in (-0.27, 0.255):
    car.box((-0.28, 0.015, z), (0.28, 0.645, z + 0.015), oak)
car.lathe([(0.11, 0.015), (0.14, 0.035)], china, 14, (0.0, -0.05)).lathe([(0.035, 0.015), (0.05, 0.1), (0.04, 0.1)], china, 10, (0.02, 0.16))
car = shaft.mesh("dumb-waiter-mover", car.data(), (-5.39, 0.94, -1.9))
for key, value in dict(motion="slide", axis="z", distance=UPPER, time=4.0, cycle="call", starts="trigger").items():
    car[key] = value
bell_pull = Part("bell-pull").box((-0.05, 0.5, SUNK), (0.05, 1.84, 0.012), red_cloth).box((-0.07, 1.83, SUNK), (0.07, 1.87, 0.03), brass)
bell_pull.lathe([(0.03, 0.36), (0.035, 0.46), (0.015, 0.51)], red_cloth, 8, (0.0, 0.02))
for label, room, x, y, z, yaw in (("kitchen", kitchen, -5.3, 0.0, -1.25, -90.0), ("gallery", gallery, -5.0, UPPER, -2.55, 90.0)):
    room.mesh(f"call-{label}-switch", bell_pull.data(), (x, y, z), yaw)["target"] = "dumb-waiter-mover"


# --- the hall ------------------------------------------------------------------------------------

# Stairs that rise towards -x along the north wall, and stand on the floor.
FIRST, STEPS = 3.4, 20
LAST = FIRST - RUN * (STEPS - 1)   # the last riser, where the landing begins
stairs = Part("stairs")
outline = [(FIRST, SUNK)]
for step in range(STEPS - 1):
    outline += [(FIRST - RUN * step, RISE * (step + 1)), (FIRST - RUN * (step + 1), RISE * (step + 1))]
outline += [(LAST, SUNK)]
for face in extrude([(x, y, 0.0) for x, y in outline], (0.0, 0.0, 1.7)):
    flat = len({p[1] for p in face}) == 1
    upright = len({p[0] for p in face}) == 1
    stairs.add([face], oak if flat else painted if upright else cream)
hall.place(stairs)
hall.place(Part("landing").box((-5.0, UPPER - 0.26, 0.0), (LAST, UPPER, 1.7), oak))

# A carpet runner over the steps: the same cross-section, slightly higher, hollow below.
upper, lower = [], []
for step in range(STEPS):
    x, y = FIRST - RUN * step, RISE * step
    upper += [(x + 0.012, y + 0.012), (x + 0.012, y + RISE + 0.012)]
    lower += [(x - 0.01, y - 0.01), (x - 0.01, y + RISE - 0.01)]
upper += [(-3.1, UPPER + 0.012)]
lower += [(-3.1, UPPER - 0.01)]
hall.place(Part("runner").profile_z(upper + lower[::-1], 0.3, 1.3, red_cloth), kind="nocol")

# Panels on the side of the stairs, and the string board along the steps.
panels = Part("stair-panels")
for k in range(6):
    x = FIRST - 0.9 - 0.86 * k
    panels.box((x - 0.05, SUNK, 1.69), (x + 0.05, (FIRST - x) / RUN * RISE + 0.02, 1.725), walnut)
slope = RISE / RUN
panels.profile_z([(FIRST - 0.3, 0.02), (LAST, (FIRST - LAST - 0.3) * slope + 0.02), (LAST, (FIRST - LAST - 0.3) * slope - 0.2),
                  (FIRST - 0.67, 0.02)], 1.69, 1.73, walnut)
panels.box((LAST, SUNK, 1.69), (FIRST - 0.3, 0.16, 1.735), walnut)
hall.place(panels, kind="nocol")

# The balustrade: visible balusters and a rail, and one plain slab for collisions.
balustrade = Part("balustrade")
for step in range(STEPS - 1):
    for part_of_tread in (0.25, 0.75):
        x = FIRST - RUN * (step + part_of_tread)
        y = RISE * (step + 1)
        rail = (FIRST - x) * slope + RISE * 0.5 + 0.9
        balustrade.lathe([(0.018, y - 0.01), (0.026, y + 0.25), (0.014, y + 0.5), (0.014, rail)], painted, 6, (x, 1.62))
for k in range(18):
    balustrade.lathe([(0.018, UPPER - 0.01), (0.026, UPPER + 0.25), (0.014, UPPER + 0.5), (0.014, UPPER + 0.93)], painted, 6, (-4.9 + 0.16 * k, 1.62))
rise_to = (FIRST - LAST) * slope
balustrade.profile_z([(FIRST, 0.97), (FIRST, 1.04), (LAST, rise_to + 1.04), (LAST, rise_to + 0.97)], 1.58, 1.66, walnut)
balustrade.box((-5.01, UPPER + 0.92, 1.58), (LAST - 0.03, UPPER + 0.99, 1.66), walnut)
for x, y in ((FIRST + 0.06, 0.0), (LAST - 0.03, UPPER)):
    balustrade.box((x - 0.07, y - 0.01, 1.55), (x + 0.07, y + 1.15, 1.69), walnut)
    balustrade.lathe([(0.04, y + 1.14), (0.08, y + 1.22), (0.02, y + 1.3)], walnut, 10, (x, 1.62))
hall.place(balustrade, kind="nocol")
guard = Part("stair-guard").profile_z([(FIRST + 0.13, -0.01), (FIRST + 0.13, 1.1), (LAST, rise_to + 1.04), (LAST, rise_to - 0.1)], 1.56, 1.68, None)
guard.box((-5.01, UPPER - 0.1, 1.56), (LAST, UPPER + 1.04, 1.68), None)
hall.place(guard, kind="colonly")

hall.skirting(walnut, 0.0, 1.0, 0.03, 0.10)
hall.skirting(walnut, 0.0, 0.2, 0.05, 0.10)
hall.skirting(walnut, 0.0, 1.06, 0.06, 0.10, 1.0)
hall.skirting(painted, 0.0, 6.41, 0.16, 0.0, 6.28)
hall.skirting(painted, 0.0, 6.29, 0.08, 0.0, 6.14)
hall.skirting(walnut, 0.0, 3.06, 0.04, 0.0, 3.0)
tall = column("tall-column", 6.16, 0.26)
for x in (-3.0, 3.0):
    hall.place(tall, (x, 0.0, 5.6))
hall.place(column("landing-column", UPPER - 0.26, 0.16), (LAST - 0.35, 0.0, 1.4))
beams(hall, "x", (2.8, 5.6, 8.0), -5.0, 5.0, 6.4, 0.26, 0.3)
beams(hall, "z", (-3.0, 0.0, 3.0), 0.0, 9.0, 6.4, 0.2, 0.2)
hall.place(rug("hall-rug", 2.8, 4.0, red_rug), (0.0, 0.0, 4.6), kind="nocol")
hall.place(chandelier(1.9, polished), (0.0, 6.2, 4.4), kind="nocol")
for x in (-1.9, 1.9):
    hall.place(hall_sconce, (x, 2.0, 9.0), 180.0, kind="nocol")
hall.place(table("console", 1.3, 0.42, 0.85), (-4.76, 0.0, 6.6), 90.0, kind="boxed")
hall.place(vase(), (-4.76, 0.85, 6.6), kind="nocol")
hall.place(idol(), (-4.76, 0.85, 6.2), 90.0, kind="nocol")
hall.place(picture(0, 1.5, 1.0, polished), (-5.0, 2.2, 6.6), 90.0, kind="nocol")
hall.place(picture(1, 1.3, 1.6, polished), (5.0, 2.3, 7.0), -90.0, kind="nocol")
hall.place(sofa("bench", 1.5), (4.5, 0.0, 7.0), -90.0, kind="boxed")
for x, yaw in ((-5.0, 90.0), (5.0, -90.0)):
    hall.place(the_window, (x, 3.9, 7.2), yaw, kind="nocol")
for x in (-2.6, 2.6):
    hall.place(the_window, (x, 3.7, 9.0), 180.0, kind="nocol")
hall.place(hall_sconce, (-2.8, 2.0, 0.0), 0.0, kind="nocol")
hall.place(hall_sconce, (4.72, 2.2, 0.0), 0.0, kind="nocol")
for number, x, y, width, height in ((0, 0.15, 3.86, 0.56, 0.5), (2, 1.45, 3.35, 0.86, 1.1), (1, 2.85, 2.62, 1.0, 1.3)):
    hall.place(picture(number, width, height, polished), (x, y, 0.0), 0.0, kind="nocol")
hall.place(clock(), (-1.3, 0.0, 1.73), 0.0, kind="nocol")
hall.place(palm(11, 1.1), (4.4, 0.0, 0.65), kind="nocol")
hall.place(palm(9, 0.9), (-4.4, 0.0, 2.1), 40.0, kind="nocol")
hall.light((0.0, 4.15, 4.4), 170.0, WARM)
hall.light((0.0, 2.2, 8.5), 30.0, WARM)
hall.light((-2.8, 2.12, 0.3), 22.0, WARM)
hall.light((4.6, 2.32, 0.3), 16.0, WARM)

# Three pointed windows of coloured glass, high in the west wall. Blended glass casts no coloured shadow: the light of
# each window is a beam of its colour.
WINDOW = (-5.0, 3.3, 2.85)
LANCETS = [(-0.75, 0.0, 0.42, 1.5), (-0.21, 0.0, 0.42, 1.9), (0.33, 0.0, 0.42, 1.5)]
tracery = Part("tracery")
outer, holes = lancet(-0.95, -0.2, 1.9, 2.65, 0.07), [lancet(*window, 0.07) for window in LANCETS]
tracery.add(triangulate([outer] + holes), stone)
for loop, inside in [(outer, False)] + [(hole, True) for hole in holes]:
    for (x0, y0, z), (x1, y1, _) in zip(loop, loop[1:] + loop[:1]):
        face = [(x0, y0, z), (x0, y0, SUNK), (x1, y1, SUNK), (x1, y1, z)]
        tracery.add([face[::-1] if inside else face], stone)
for window in LANCETS:
    tracery.add([lancet(*window, 0.012)], stained)
tracery.box((-1.05, -0.3, SUNK), (1.05, -0.19, 0.2), stone)
hall.place(tracery, WINDOW, 90.0, kind="nocol")
for (x, y, width, height), aim, colour in zip(LANCETS, ((0.6, 0.0, 5.3), (-0.4, 0.0, 4.2), (0.5, 0.0, 3.2)), ((1.0, 0.1, 0.07), (0.12, 0.3, 1.0), (1.0, 0.55, 0.1))):
    hall.beam((WINDOW[0] + 0.1, WINDOW[1] + y + 0.5 * height, WINDOW[2] - x - 0.5 * width), aim, 1500.0, colour, 19.0)
# The evening light through one of the front windows.
hall.beam((2.6, 4.6, 8.86), (1.2, 1.4, 1.2), 2200.0, (0.3, 0.5, 1.0), 24.0)
hall.spawn("player", (0.0, 0.0, 7.8))


# --- the forecourt -------------------------------------------------------------------------------

level.scene["sky_zenith"] = [0.03, 0.06, 0.16]
level.scene["sky_horizon"] = [0.42, 0.27, 0.2]
level.scene["sky_ground"] = [0.04, 0.04, 0.04]
cornice = Part("cornice").box((-7.0, 6.9, 9.29), (7.0, 7.21, 9.55), stone).box((-7.0, 0.0 + SUNK, 9.29), (-1.12, 0.45, 9.36), stone)
cornice.box((1.12, SUNK, 9.29), (7.0, 0.45, 9.36), stone).box((-7.0, 3.1, 9.29), (7.0, 3.3, 9.38), stone)
forecourt.place(cornice, kind="nocol")
coping = Part("coping").box((-7.0, 2.58, 9.38), (-6.85, 2.72, 16.0), stone).box((6.85, 2.58, 9.38), (7.0, 2.72, 16.0), stone)
coping.box((-7.0, 2.58, 15.85), (7.0, 2.72, 16.0), stone)
forecourt.place(coping, kind="nocol")
for x in (-2.6, 2.6):
    forecourt.place(lit_window(), (x, 3.9, 9.3), kind="nocol")
hedge = Part("hedge").box((-2.2, SUNK, -0.35), (2.2, 0.8, 0.35), green_cloth)
for x in (-4.2, 4.2):
    forecourt.place(hedge, (x, 0.0, 10.1))
    forecourt.place(hedge, (x, 0.0, 15.4))
for x in (-1.5, 1.5):
    forecourt.place(the_sconce, (x, 2.1, 9.3), kind="nocol")
    forecourt.light((x, 2.35, 9.6), 30.0, WARM)
forecourt.light((0.0, 3.2, 14.5), 30.0, WARM)
lantern_post = Part("lantern-post").lathe([(0.12, SUNK), (0.05, 0.15), (0.04, 2.7), (0.09, 2.75)], iron, 8)
lantern_post.lathe([(0.1, 2.75), (0.15, 3.05)], glow, 8).lathe([(0.2, 3.04), (0.02, 3.25)], iron, 8)
forecourt.place(lantern_post, (0.0, 0.0, 14.6))


# --- the living room -----------------------------------------------------------------------------

living.skirting(painted, 0.0, 0.16, 0.022, 0.10)
beams(living, "x", (-5.5, -3.0, -0.5, 2.0, 4.2), 5.3, 12.3, 3.1)
living.place(fireplace(), (12.3, 0.0, -1.0), -90.0)
living.place(flames(), (12.3, 0.0, -1.0), -90.0, kind="nocol")
living.place(picture(2, 1.2, 0.8), (11.88, 2.1, -1.0), -90.0, kind="nocol")
living.place(rug("living-rug", 3.0, 2.4, blue_rug), (9.8, 0.0, -1.0), 90.0, kind="nocol")
living.place(sofa("sofa", 2.2), (8.6, 0.0, -1.0), 90.0, kind="boxed")
armchair = sofa("armchair", 0.95)
living.place(armchair, (10.4, 0.0, 1.2), 160.0, kind="boxed")
living.place(armchair, (10.4, 0.0, -3.2), 20.0, kind="boxed")
living.place(table("low-table", 1.1, 0.6, 0.42), (10.0, 0.0, -1.0), 90.0, kind="boxed")
living.place(table("dining-table", 1.0, 1.0), (11.4, 0.0, 4.0), 0.0, kind="boxed")
living.place(vase(), (11.4, 0.76, 4.0), kind="nocol")
living.place(the_bookcase, (9.0, 0.0, -7.0), 0.0, kind="boxed")
living.place(the_bookcase, (11.1, 0.0, -7.0), 0.0, kind="boxed")
living.place(the_lamp, (6.0, 0.0, -6.3), kind="boxed")
living.place(the_lamp, (11.8, 0.0, 1.5), kind="boxed")
for z in (-4.6, 2.8):
    living.place(the_window, (12.3, 1.0, z), -90.0, kind="nocol")
living.place(the_window, (8.2, 1.0, 5.0), 180.0, kind="nocol")
living.place(picture(0, 1.2, 0.8), (5.3, 1.7, -0.6), 90.0, kind="nocol")
living.place(low_pendant, (7.6, 3.1, 2.9), kind="nocol")
living.light((11.2, 0.75, -1.0), 45.0, FIRE)
living.light((6.2, 1.75, -6.1), 22.0, WARM)
living.light((11.6, 1.8, 1.5), 22.0, WARM)
living.light((7.6, 2.2, 2.9), 45.0, WARM)


# --- the library ---------------------------------------------------------------------------------

library.skirting(walnut, 0.0, 0.18, 0.025, 0.10)
beams(library, "z", (-3.4, -1.1, 1.1, 3.4), -8.0, -0.3, 3.1)
for x in (-3.9, -1.75, 1.75, 3.9):
    library.place(the_bookcase, (x, 0.0, -8.0), 0.0, kind="boxed")
for x in (-1.0, 1.2, 3.4):
    library.place(the_bookcase, (x, 0.0, -0.3), 180.0, kind="boxed")
library.place(the_bookcase, (-5.0, 0.0, -6.6), 90.0, kind="boxed")
library.place(the_bookcase, (5.0, 0.0, -6.3), -90.0, kind="boxed")
library.place(the_bookcase, (5.0, 0.0, -1.9), -90.0, kind="boxed")
low = column("column", 3.1 - 0.24, 0.17)
for x in (-3.4, 3.4):
    for z in (-5.6, -2.4):
        library.place(low, (x, 0.0, z))
library.place(rug("library-rug", 3.4, 2.6, red_rug), (0.0, 0.0, -4.0), kind="nocol")
library.place(table("reading-table", 2.2, 1.0), (0.0, 0.0, -4.0), kind="boxed")
for x in (-0.6, 0.6):
    library.place(the_chair, (x, 0.0, -3.2), 180.0, kind="boxed")
    library.place(the_chair, (x, 0.0, -4.8), 0.0, kind="boxed")
library.place(the_table_lamp, (-0.7, 0.76, -4.0), kind="nocol")
library.place(the_table_lamp, (0.7, 0.76, -4.0), kind="nocol")
library.place(the_window, (0.0, 1.0, -8.0), 0.0, kind="nocol")
for x in (-2.2, 2.2):
    library.place(low_pendant, (x, 3.1, -4.0), kind="nocol")
    library.light((x, 2.2, -4.0), 75.0, WARM)
library.light((0.0, 1.35, -4.0), 28.0, WARM)
library.light((-4.2, 2.4, -1.4), 24.0, WARM)


# --- the kitchen and the stairs to the cellar ----------------------------------------------------

kitchen.skirting(slate, 0.0, 0.12, 0.02, 0.10)
beams(kitchen, "x", (-3.5, -1.2, 1.2, 3.5), -11.3, -5.3, 3.1, material=oak)
kitchen.place(counter("counter", 3.0), (-11.3, 0.0, 2.0), 90.0, kind="boxed")
kitchen.place(stove(), (-11.3, 0.0, -0.6), 90.0, kind="boxed")
kitchen.place(counter("side-counter", 3.6), (-8.0, 0.0, 5.0), 180.0, kind="boxed")
shelf = wall_shelf()
kitchen.place(shelf, (-11.3, 1.55, 3.9), 90.0, kind="nocol")
kitchen.place(shelf, (-9.7, 1.6, 5.0), 180.0, kind="nocol")
kitchen.place(shelf, (-7.3, 1.6, -5.0), 0.0, kind="nocol")
kitchen.place(the_window, (-11.3, 1.2, 2.0), 90.0, kind="nocol")
kitchen.place(the_window, (-7.2, 1.2, 5.0), 180.0, kind="nocol")
kitchen.place(table("kitchen-table", 1.0, 2.2), (-8.0, 0.0, 0.6), kind="boxed")
for z in (0.1, 1.1):
    kitchen.place(the_chair, (-8.75, 0.0, z), 90.0, kind="boxed")
    kitchen.place(the_chair, (-7.25, 0.0, z), -90.0, kind="boxed")
kitchen.place(the_barrel, (-5.8, 0.0, -4.55), kind="boxed")
kitchen.place(the_barrel, (-6.62, 0.0, -4.55), 90.0, kind="boxed")
kitchen.place(vase(), (-8.0, 0.76, 0.6), kind="nocol")
for z in (-2.6, 0.6):
    kitchen.place(kitchen_pendant, (-8.0, 3.1, z), kind="nocol")
    kitchen.light((-8.0, 2.2, z), 42.0, WARM)
kitchen.light((-9.0, 2.0, 4.0), 20.0, WARM)
kitchen.light((-10.4, 0.6, -0.7), 6.0, FIRE)

cellar_stair.place(the_sconce, (-11.3, 1.7, -6.05), 90.0, kind="nocol")
cellar_stair.light((-10.9, 1.95, -6.05), 22.0, TORCH)
cellar_stair.place(the_sconce, (-5.6, -1.0, -6.8), 0.0, kind="nocol")
cellar_stair.light((-5.6, -0.85, -6.3), 14.0, TORCH)
handrail = Part("handrail").profile_z([(-9.9, 0.86), (-9.9, 0.92), (-4.97, -1.97), (-4.97, -2.03)], -6.81, -6.74, walnut)
cellar_stair.place(handrail, kind="nocol")


# --- the cellars ---------------------------------------------------------------------------------

for x in (0.0, 3.0):
    for z in (-6.3, -2.0):
        cellar.place(column(f"pillar-{abs(z):g}", 2.36 if z == -6.3 else 2.36, 0.22), (x, CELLAR, z))
for k, (x, z) in enumerate(((-2.4, -0.8), (-1.5, -0.8), (-2.4, -1.7), (0.9, -0.8), (4.4, -0.9), (4.4, -1.9))):
    cellar.place(the_barrel, (x, CELLAR, z), 17.0 * k, kind="boxed")
cellar.place(the_barrel, (-1.95, CELLAR + 0.95, -0.85), 40.0, kind="boxed")
crate = Part("crate").box((-0.4, SUNK, -0.4), (0.4, 0.7, 0.4), oak)
for x, z in ((-0.42, -0.42), (0.34, -0.42), (-0.42, 0.34), (0.34, 0.34)):
    crate.box((x, SUNK - 0.01, z), (x + 0.08, 0.72, z + 0.08), walnut)
cellar.place(crate, (1.6, CELLAR, -7.4), 8.0, kind="boxed")
cellar.place(crate, (2.6, CELLAR, -7.4), -5.0, kind="boxed")
cellar.place(crate, (2.1, CELLAR + 0.72, -7.4), 20.0, kind="boxed")
lantern = Part("lantern").lathe([(0.008, 0.3), (0.008, 0.8)], iron, 8).lathe([(0.05, 0.0), (0.06, 0.03)], iron, 16)
lantern.lathe([(0.055, 0.025), (0.075, 0.13), (0.06, 0.24)], opal, 16).lathe([(0.1, 0.23), (0.02, 0.32)], iron, 24)
for x, z in ((-1.4, -4.15), (1.5, -4.15), (4.2, -4.15)):
    cellar.place(lantern, (x, -1.2, z), kind="nocol")
cellar.light((-1.4, -1.04, -4.15), 16.0, TORCH)
cellar.light((1.5, -1.04, -4.15), 16.0, TORCH)
cellar.light((4.2, -1.04, -4.15), 12.0, TORCH)
for x in (6.5, 8.7):
    wine.place(the_rack, (x, CELLAR, -8.0), 0.0, kind="boxed")
    wine.place(the_rack, (x, CELLAR, -0.3), 180.0, kind="boxed")
wine.place(the_rack, (11.3, CELLAR, -6.2), -90.0, kind="boxed")
wine.place(the_rack, (11.3, CELLAR, -2.2), -90.0, kind="boxed")
wine.place(table("tasting-table", 1.2, 0.8, 0.8), (8.4, CELLAR, -4.15), kind="boxed")
wine.place(the_table_lamp, (8.4, CELLAR + 0.8, -4.15), kind="nocol")
wine.place(lantern, (7.0, -1.2, -4.15), kind="nocol")
wine.place(lantern, (10.2, -1.2, -4.15), kind="nocol")
wine.light((7.0, -1.04, -4.15), 16.0, TORCH)
wine.light((10.2, -1.04, -4.15), 16.0, TORCH)


# --- upstairs ------------------------------------------------------------------------------------

gallery.skirting(walnut, UPPER, 0.16, 0.022, 0.10)
beams(gallery, "z", (-4.6, -2.6, -0.6, 1.4, 3.4), -3.0, -0.3, 6.2, 0.16, 0.2)
gallery.place(rug("gallery-runner", 1.2, 7.0, red_rug), (0.4, UPPER, -1.65), 90.0, kind="nocol")
gallery.place(picture(1, 1.3, 0.9), (0.0, 5.0, -3.0), 0.0, kind="nocol")
for x in (-1.2, 1.2, 4.0):
    gallery.place(the_sconce, (x, 5.2, -3.0), 0.0, kind="nocol")
gallery.light((-1.2, 5.35, -2.6), 20.0, WARM)
gallery.light((1.2, 5.35, -2.6), 20.0, WARM)
gallery.light((4.0, 5.35, -2.6), 20.0, WARM)
gallery.light((-4.0, 5.6, -1.6), 16.0, WARM)

bedroom.skirting(painted, UPPER, 0.16, 0.022, 0.10)
bedroom.place(bed(), (-2.4, UPPER, -8.0), 0.0, kind="boxed")
bedroom.place(rug("bed-rug", 2.6, 1.6, blue_rug), (-2.4, UPPER, -4.9), 0.0, kind="nocol")
for x in (-3.75, -1.05):
    bedroom.place(table("night-stand", 0.5, 0.44, 0.6), (x, UPPER, -7.7), kind="boxed")
    bedroom.place(the_table_lamp, (x, UPPER + 0.6, -7.7), kind="nocol")
    bedroom.light((x, UPPER + 1.15, -7.4), 16.0, WARM)
wardrobe = Part("wardrobe").box((-0.8, SUNK, SUNK), (0.8, 2.1, 0.6), walnut).box((-0.86, 2.09, SUNK), (0.86, 2.2, 0.66), walnut)
for x in (-0.74, 0.04):
    wardrobe.box((x, 0.15, 0.59), (x + 0.7, 2.0, 0.63), oak).box((x + (0.6 if x < 0 else 0.06), 1.0, 0.62), (x + (0.63 if x < 0 else 0.09), 1.12, 0.66), brass)
bedroom.place(wardrobe, (-5.0, UPPER, -6.2), 90.0, kind="boxed")
bedroom.place(the_window, (-5.0, 4.4, -4.4), 90.0, kind="nocol")
bedroom.place(picture(2, 1.0, 0.7), (-2.4, 5.25, -8.0), 0.0, kind="nocol")
bedroom.place(low_pendant, (-2.4, 6.2, -5.0), kind="nocol")
bedroom.light((-2.4, 5.3, -5.0), 36.0, WARM)

study.skirting(walnut, UPPER, 0.16, 0.022, 0.10)
study.place(rug("study-rug", 2.4, 1.8, red_rug), (2.6, UPPER, -5.6), kind="nocol")
study.place(desk(), (2.6, UPPER, -6.7), kind="boxed")
study.place(the_chair, (2.6, UPPER, -7.4), 0.0, kind="boxed")
study.place(the_table_lamp, (3.2, UPPER + 0.76, -6.75), kind="nocol")
study.place(the_bookcase, (1.2, UPPER, -8.0), 0.0, kind="boxed")
study.place(the_bookcase, (4.0, UPPER, -8.0), 0.0, kind="boxed")
globe = Part("globe").lathe([(0.16, SUNK), (0.16, 0.03), (0.03, 0.06), (0.025, 0.55)], walnut, 10)
globe.lathe([(0.03, 0.53), (0.16, 0.59), (0.23, 0.7), (0.23, 0.82), (0.16, 0.93), (0.03, 0.99)], china, 14)
study.place(globe, (0.7, UPPER, -3.9), kind="boxed")
study.place(low_pendant, (2.6, 6.2, -5.2), kind="nocol")
study.light((2.6, 5.3, -5.2), 36.0, WARM)
study.light((3.2, UPPER + 1.3, -6.5), 14.0, WARM)

music.skirting(painted, UPPER, 0.16, 0.022, 0.10)
for k, z in enumerate((-5.0, -2.2, 0.6, 3.4)):
    truss = Part(f"truss-{k}").box((5.29, 5.86, z - 0.1), (12.31, 6.08, z + 0.1), walnut)
    truss.box((8.7, 6.07, z - 0.09), (8.9, 7.45, z + 0.09), walnut)
    truss.profile_z([(5.29, 5.8), (8.8, 7.5), (12.31, 5.8), (12.31, 5.91), (8.8, 7.61), (5.29, 5.91)][::-1], z - 0.08, z + 0.08, walnut)
    music.place(truss, kind="nocol")
music.place(piano(), (9.6, UPPER, -3.2), 150.0, kind="")
music.place(stool(), (9.95, UPPER, -4.1), 0.0, kind="boxed")
music.place(rug("music-rug", 4.0, 3.2, blue_rug), (9.2, UPPER, 1.8), kind="nocol")
for x, z, yaw in ((8.0, 3.0, 150.0), (9.2, 3.4, 180.0), (10.4, 3.0, 210.0)):
    music.place(the_chair, (x, UPPER, z), yaw, kind="boxed")
music.place(the_bookcase, (12.3, UPPER, 1.6), -90.0, kind="boxed")
music.place(sofa("music-sofa", 2.0), (11.8, UPPER, -5.6), -90.0, kind="boxed")
music.place(the_lamp, (11.9, UPPER, 4.6), kind="boxed")
music.place(the_lamp, (11.9, UPPER, -4.0), kind="boxed")
for z in (-2.2, 4.0):
    music.place(the_window, (12.3, 4.3 - 0.4, z), -90.0, kind="nocol")
music.place(the_window, (8.8, 4.4, -7.0), 0.0, kind="nocol")
music.place(the_window, (8.8, 4.4, 5.0), 180.0, kind="nocol")
music.place(chandelier(1.3), (8.8, 7.5, 0.6), kind="nocol")
music.light((8.8, 6.5, 0.6), 85.0, WARM)
music.light((11.7, 5.2, 4.4), 20.0, WARM)
music.light((11.6, 5.2, -4.0), 20.0, WARM)
music.light((6.6, 5.6, -4.6), 20.0, WARM)

level.export()

#!/usr/bin/env python3
"""Compares pictures of OpenDoor with Cycles: compare.py OPENDOOR [VIEW...] -o FOLDER

Draws each view of views.json with both, and prints the errors of blocks of 16 x 16 pixels: the difference of their mean
light, divided by the mean light of Cycles, or by a twentieth of white where it is darker. Blocks that are about as bright
as white are left out. The noise of Cycles is part of the errors. Writes a pair of pictures for each view. The levels in
`rooms/` are built by rooms.py. Needs numpy, Pillow and Blender.
"""

import argparse
import hashlib
import json
import os
import struct
import subprocess

import numpy
from PIL import Image

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BLOCK = 16
DARK = 0.05
# Blocks that are brighter in Cycles are left out.
WHITE = 0.95
# The colours of the sky of a level that names none.
SKY = {"zenith": [0.16, 0.33, 0.72], "horizon": [0.62, 0.74, 0.86], "ground": [0.19, 0.17, 0.15]}


def linear(srgb):
    return numpy.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def srgb(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


START, DESATURATION = 0.8 - 0.04, 0.15


def tone(light):
    """The Khronos PBR neutral curve."""
    least = light.min(axis=2, keepdims=True)
    light = light - numpy.where(least < 0.08, least - 6.25 * least**2, 0.04)
    peak = light.max(axis=2, keepdims=True)
    new = 1 - (1 - START) ** 2 / (numpy.maximum(peak, START) + (1 - START) - START)
    kept = 1 / (DESATURATION * (peak - new) + 1)
    bright = new * (1 - kept) + light * (new / numpy.maximum(peak, 1e-6)) * kept
    return numpy.where(peak < START, light, bright)


def untone(shown):
    """The inverse of tone; exact below START."""
    peak = shown.max(axis=2, keepdims=True)
    new = numpy.minimum(peak, 0.995)
    old = (1 - START) ** 2 / (1 - new) - (1 - START) + START
    kept = 1 / (DESATURATION * (old - new) + 1)
    bright = (shown - new * (1 - kept)) / kept * (old / numpy.maximum(new, 1e-6))
    light = numpy.where(peak < START, shown, bright)
    least = light.min(axis=2, keepdims=True)
    dark = numpy.sqrt(numpy.maximum(least, 0) / 6.25)
    return light + numpy.where(least < 0.04, dark - 6.25 * dark**2, 0.04)


def document(path):
    """The JSON chunk of a .glb."""
    with open(path, "rb") as file:
        file.seek(12)
        length, _ = struct.unpack("<II", file.read(8))
        return json.loads(file.read(length))


def local_matrix(node):
    """The transform of a node of a glTF document."""
    if "matrix" in node:
        return numpy.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    matrix = numpy.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, :3] *= node.get("scale", [1, 1, 1])
    matrix[:3, 3] = node.get("translation", [0, 0, 0])
    return matrix


def to_blender(vector):
    return [vector[0], -vector[2], vector[1]]


def lights_of(gltf, factor):
    """The lights of a level in Blender's axes, with intensities (candela and lux) times a factor."""
    kinds = gltf.get("extensions", {}).get("KHR_lights_punctual", {}).get("lights", [])
    found = []
    waiting = [(index, numpy.eye(4)) for index in gltf["scenes"][gltf.get("scene", 0)]["nodes"]]
    while waiting:
        index, above = waiting.pop()
        node = gltf["nodes"][index]
        matrix = above @ local_matrix(node)
        waiting += [(child, matrix) for child in node.get("children", [])]
        light = node.get("extensions", {}).get("KHR_lights_punctual")
        if not light:
            continue
        kind = kinds[light["light"]]
        forward = -matrix[:3, 2] / numpy.linalg.norm(matrix[:3, 2])
        cone = kind.get("spot", {})
        extras = {**kind.get("extras", {}), **node.get("extras", {})}
        found.append({
            "kind": kind["type"],
            "position": to_blender(matrix[:3, 3]),
            "direction": to_blender(forward),
            "colour": kind.get("color", [1, 1, 1]),
            "strength": kind.get("intensity", 1) * factor,
            "radius": extras.get("radius", 0.05),
            "angle": extras.get("angle", 0.53),
            "cone": [cone.get("innerConeAngle", 0), cone.get("outerConeAngle", numpy.pi / 4)],
        })
    return found


def blocks(light):
    rows, columns = light.shape[0] // BLOCK, light.shape[1] // BLOCK
    light = light[: rows * BLOCK, : columns * BLOCK].mean(axis=2)
    return light.reshape(rows, BLOCK, columns, BLOCK).mean(axis=(1, 3))


def draw(opendoor, level, view, args):
    """Draws a view with OpenDoor; returns its light and the exposure."""
    picture = os.path.join(args.output, view["name"] + "-opendoor.png")
    place = ["--eye", ",".join(map(str, view["eye"])), "--yaw", str(view["yaw"]), "--pitch", str(view["pitch"])]
    size = "x".join(map(str, args.size))
    fov = str(view.get("fov", 70))
    command = [opendoor, "shot", level, "-o", picture, "--json", "--size", size, "--fov", fov, *place]
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    pixels = numpy.asarray(Image.open(picture).convert("RGB")) / 255.0
    return untone(linear(pixels)), json.loads(done.stdout)["exposure"]


def render(level, views, exposure, args):
    """Renders views with Cycles; returns the light of each. Pictures with the same inputs are kept from the last run."""
    gltf = document(level)
    extras = gltf["scenes"][gltf.get("scene", 0)].get("extras", {})
    strength = extras.get("sky_strength", 1)
    job = {
        "level": level,
        "out": args.output,
        "size": args.size,
        "samples": args.samples,
        "bounces": args.bounces,
        "lights": lights_of(gltf, exposure),
        "sky": [[strength * c for c in extras.get("sky_" + part, usual)] for part, usual in SKY.items()],
    }
    script = os.path.join(HERE, "render.py")
    inputs = [json.dumps(job).encode()]
    for path in (level, script):
        with open(path, "rb") as file:
            inputs.append(file.read())
    paths, waiting = [], []
    for view in views:
        key = hashlib.sha256(b"".join([*inputs, json.dumps(view).encode()])).hexdigest()[:16]
        paths.append(os.path.join(args.output, f"{view['name']}-{key}.npy"))
        if not os.path.exists(paths[-1]):
            waiting.append({**view, "path": paths[-1]})
    if waiting:
        path = os.path.join(args.output, "job.json")
        with open(path, "w") as file:
            json.dump({**job, "views": waiting}, file)
        blender(script, path)
    # The scene's property `exposure` brightens all light of the picture.
    factor = 2.0 ** extras.get("exposure", 0)
    return [numpy.load(path) * factor for path in paths]


def blender(script, *arguments):
    command = ["blender", "-b", "--python-exit-code", "1", "--python", script, "--", *arguments]
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        raise SystemExit(done.stdout.decode() + done.stderr.decode())


def noise(light):
    """The standard error of the mean light of each block, from the differences of neighbouring pixels."""
    squares = numpy.diff(light.mean(axis=2), axis=1, append=light[:, -1:].mean(axis=2)) ** 2
    return numpy.sqrt(blocks(squares[:, :, None]) / 2) / BLOCK


def errors(ours, theirs):
    """The median and the 90th percentile of the errors of blocks, the ratio of the mean light, and the median noise."""
    a, b = blocks(ours), blocks(theirs)
    fits = b < WHITE
    if not fits.any():
        raise SystemExit("a picture is too bright: the view or the level's exposure must change")
    error = numpy.abs(a - b)[fits] / numpy.maximum(b[fits], DARK)
    random = numpy.median(noise(theirs)[fits] / numpy.maximum(b[fits], DARK))
    return (*numpy.percentile(error, [50, 90]), a[fits].sum() / b[fits].sum(), random)


def compare(opendoor, level, views, args):
    drawn = [draw(opendoor, level, view, args) for view in views]
    rendered = render(level, views, drawn[0][1], args)
    for view, (ours, _), theirs in zip(views, drawn, rendered):
        name = view["name"]
        shown = (srgb(tone(theirs)) * 255).round().astype(numpy.uint8)
        Image.fromarray(shown).save(os.path.join(args.output, name + "-cycles.png"))
        median, ninth, ratio, random = errors(ours, theirs)
        print(f"| {name} | {median:.1%} | {ninth:.1%} | {ratio:.2f} | {random:.1%} |".replace("%", " %"), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opendoor")
    parser.add_argument("view", nargs="*", help="views, or beginnings of their names; default: all")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--samples", type=int, default=48)
    parser.add_argument("--bounces", type=int, default=16)
    parser.add_argument("--size", type=int, nargs=2, default=[320, 192])
    args = parser.parse_args()
    os.nice(10)
    os.makedirs(args.output, exist_ok=True)
    with open(os.path.join(HERE, "views.json")) as file:
        levels = json.load(file)
    blender(os.path.join(HERE, "rooms.py"), os.path.join(args.output, "rooms"))
    print("| view | median | 90th percentile | mean light, Cycles = 1 | noise of Cycles |\n| --- | --: | --: | --: | --: |")
    for level, views in levels.items():
        views = [view for view in views if not args.view or view["name"].startswith(tuple(args.view))]
        folder = args.output if level.startswith("rooms/") else ROOT
        if views:
            compare(os.path.abspath(args.opendoor), os.path.join(folder, level), views, args)


main()

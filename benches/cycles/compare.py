#!/usr/bin/env python3
"""Compares pictures of OpenDoor with Cycles: compare.py OPENDOOR [NAME...] -o FOLDER

Draws each view of views.json with both, and prints the errors of blocks of 16 x 16 pixels: the difference of their mean
light, divided by the mean light of Cycles, or by a twentieth of white where it is darker. Blocks that are whiter than the
screen are left out. Writes a pair of pictures for each view. Needs numpy, Pillow and Blender.
"""

import argparse
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


def intensities(gltf):
    """The intensity of each light by the name of its node."""
    lights = gltf.get("extensions", {}).get("KHR_lights_punctual", {}).get("lights", [])
    found = {}
    for node in gltf["nodes"]:
        light = node.get("extensions", {}).get("KHR_lights_punctual")
        if light:
            found[node.get("name", "").split(".")[0]] = lights[light["light"]].get("intensity", 1)
    return found


def blocks(light):
    rows, columns = light.shape[0] // BLOCK, light.shape[1] // BLOCK
    light = light[: rows * BLOCK, : columns * BLOCK].mean(axis=2)
    return light.reshape(rows, BLOCK, columns, BLOCK).mean(axis=(1, 3))


def compare(opendoor, level, views, args):
    width, height = args.size
    ours = {}
    for view in views:
        picture = os.path.join(args.output, view["name"] + "-opendoor.png")
        place = ["--eye", ",".join(map(str, view["eye"])), "--yaw", str(view["yaw"]), "--pitch", str(view["pitch"])]
        command = [opendoor, "shot", level, "-o", picture, "--json", "--size", f"{width}x{height}", *place]
        report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        pixels = numpy.asarray(Image.open(picture).convert("RGB")) / 255.0
        ours[view["name"]] = untone(linear(pixels))
    gltf = document(level)
    extras = gltf["scenes"][gltf.get("scene", 0)].get("extras", {})
    job = {
        "level": level,
        "out": args.output,
        "size": args.size,
        "samples": args.samples,
        "exposure": report["exposure"],
        "lights": intensities(gltf),
        "sky": [extras.get("sky_" + part, usual) for part, usual in SKY.items()],
        "views": views,
    }
    path = os.path.join(args.output, "job.json")
    with open(path, "w") as file:
        json.dump(job, file)
    script = os.path.join(HERE, "render.py")
    done = subprocess.run(["blender", "-b", "--python-exit-code", "1", "--python", script, "--", path], capture_output=True)
    if done.returncode:
        raise SystemExit(done.stdout.decode() + done.stderr.decode())
    for view in views:
        name = view["name"]
        theirs = numpy.load(os.path.join(args.output, name + ".npy"))
        shown = (srgb(tone(theirs)) * 255).round().astype(numpy.uint8)
        Image.fromarray(shown).save(os.path.join(args.output, name + "-cycles.png"))
        a, b = blocks(ours[name]), blocks(theirs)
        fits = b < 0.95
        error = numpy.abs(a - b)[fits] / numpy.maximum(b[fits], DARK)
        median, ninth = numpy.percentile(error, [50, 90])
        ratio = a[fits].sum() / b[fits].sum()
        print(f"| {name} | {median * 100:.1f} % | {ninth * 100:.1f} % | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opendoor")
    parser.add_argument("name", nargs="*")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--samples", type=int, default=256)
    parser.add_argument("--size", type=int, nargs=2, default=[320, 192])
    args = parser.parse_args()
    os.makedirs(args.output, exist_ok=True)
    with open(os.path.join(HERE, "views.json")) as file:
        levels = json.load(file)
    print("| view | median | 90th percentile | mean light, Cycles = 1 |\n| --- | --: | --: | --: |")
    for level, views in levels.items():
        views = [view for view in views if not args.name or view["name"] in args.name]
        if views:
            compare(os.path.abspath(args.opendoor), os.path.join(ROOT, level), views, args)


main()

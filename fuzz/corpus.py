#!/usr/bin/env python3
"""Collects the initial fuzzing corpus: our levels, images and walks, in corpus/TARGET/."""

import itertools
import json
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = HERE.parent / "levels"
# Maximum size of a file, bytes. Larger files are rarely mutated at relevant places.
LARGEST = 64 * 1024


def put(target, name, data):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def chunks(data):
    """The JSON and the binary chunk of a .glb, or None."""
    if data[:4] != b"glTF" or len(data) < 20:
        return None
    end = 20 + struct.unpack_from("<I", data, 12)[0]
    return data[20:end].rstrip(b" \0"), data[end + 8:]


def pictures(text, binary):
    """The image files in a .glb."""
    document = json.loads(text)
    for image in document.get("images", []):
        view = document["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        yield binary[start:start + view["byteLength"]]


def png(kind, depth, interlaced):
    """A small PNG with this colour type and bit depth."""
    width, height = 5, 3
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    # Adam7: start and step of each pass.
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    lines = b""
    for x, y, step_x, step_y in passes if interlaced else ((0, 0, 1, 1),):
        across, down = -(-(width - x) // step_x), -(-(height - y) // step_y)
        if across > 0 and down > 0:
            size = (across * channels * depth + 7) // 8
            lines += b"".join(bytes([row % 5]) + bytes(range(size)) for row in range(down))
    palette = chunk(b"PLTE", bytes(range(12))) if kind == 3 else b""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced))
    return b"\x89PNG\r\n\x1a\n" + header + palette + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def main():
    for path in sorted(LEVELS.rglob("*.gl*")):
        data, name = path.read_bytes(), path.name
        if len(data) <= LARGEST:
            put("glb", name, data)
        parts = chunks(data)
        if parts and len(data) <= LARGEST:
            put("gltf", name, parts[0] + b"\0" + parts[1])
        elif len(data) <= LARGEST:
            put("gltf", name, data)
        if parts and path.parent == LEVELS:
            found = sorted(pictures(*parts), key=len)[:2]
            for number, picture in enumerate(p for p in found if len(p) <= LARGEST):
                put("image", f"{path.stem}-{number}", picture)
    for kind, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4)), (4, (8, 16)), (6, (8, 16))):
        for depth, interlaced in itertools.product(depths, (0, 1)):
            put("image", f"{kind}-{depth}-{interlaced}.png", png(kind, depth, interlaced))
    for path in sorted(LEVELS.rglob("*.walk")):
        put("walk", path.name, path.read_bytes())
        # One command per file, because a change that breaks one line seldom breaks another.
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                put("walk", f"{path.stem}-{zlib.crc32(line.encode()):08x}", line.encode())
    put("lightmap", "empty", b"opendoor" + bytes(32))
    put("lightmap", "some", bytes(range(64)))


main()

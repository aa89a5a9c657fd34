#!/usr/bin/env python3
"""Writes the broken and odd levels of this folder, and broken.json with the expected result of each.

    python3 levels/broken/build.py

Every level is the same good one, two rooms and a portal, with one thing changed. In CASES a row
is: file, the expected result of `check` ("error CODE", "warning CODE" or "nothing"), a word that the
message must contain, and the change. tests/sim/hostile.rs loads them all.
"""
import base64
import json
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).resolve().parent
NAN = struct.pack("<f", float("nan"))


class Level:
    """The JSON text as a dictionary, and its one buffer."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}]}
        self.binary = b""
        for array in ("nodes", "meshes", "materials", "accessors", "bufferViews"):
            self.json[array] = []

    def push(self, array, value):
        self.json.setdefault(array, []).append(value)
        return len(self.json[array]) - 1

    def view(self, data):
        self.binary += bytes(-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        self.binary += data
        return self.push("bufferViews", view)

    def accessor(self, kind, component, values):
        flat = [x for value in values for x in value]
        view = self.view(struct.pack("<%d%s" % (len(flat), {5123: "H", 5126: "f"}[component]), *flat))
        return self.push("accessors", {"bufferView": view, "componentType": component,
                                       "count": len(values), "type": kind})

    def mesh(self, name, triangles):
        """A mesh with positions, normals and indices."""
        corners, normals = [], []
        for a, b, c in triangles:
            u, v = [[q[i] - a[i] for i in range(3)] for q in (b, c)]
            n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            length = sum(x * x for x in n) ** 0.5
            corners += [a, b, c]
            normals += 3 * [[x / length for x in n]]
        attributes = {"POSITION": self.accessor("VEC3", 5126, corners),
                      "NORMAL": self.accessor("VEC3", 5126, normals)}
        indices = self.accessor("SCALAR", 5123, [[i] for i in range(len(corners))])
        return self.push("meshes", {"name": name, "primitives": [
            {"attributes": attributes, "indices": indices, "material": 0}]})

    def node(self, name):
        return next(node for node in self.json["nodes"] if node.get("name") == name)

    def primitive(self, mesh):
        return self.json["meshes"][mesh]["primitives"][0]

    def positions(self, mesh=0):
        return self.json["accessors"][self.primitive(mesh)["attributes"]["POSITION"]]

    def overwrite(self, accessor, at, data):
        start = self.json["bufferViews"][accessor["bufferView"]]["byteOffset"] + at
        self.binary = self.binary[:start] + data + self.binary[start + len(data):]

    def text(self):
        return json.dumps(self.json, separators=(",", ":")).encode()

    def glb(self):
        if self.binary:
            self.json["buffers"] = [{"byteLength": len(self.binary)}]
        return glb((b"JSON", self.text()), (b"BIN\0", self.binary))

    def gltf(self, uri=None):
        data = base64.b64encode(self.binary).decode()
        uri = uri or "data:application/octet-stream;base64," + data
        self.json["buffers"] = [{"byteLength": len(self.binary), "uri": uri}]
        return self.text()


def glb(*chunks):
    body = b""
    for kind, data in chunks:
        data += (b" " if kind == b"JSON" else b"\0") * (-len(data) % 4)
        body += struct.pack("<I4s", len(data), kind) + data
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def quad(a, b, c, d):
    return [(a, b, c), (a, c, d)]


def room_from(x, door_at):
    """The inside of a box of 4 x 3 x 4 m from `x` on, with a doorway in the wall at `door_at`."""
    def p(u, y, z):
        return (x + u, y, z)
    sides = quad(p(0, 0, 0), p(0, 0, 4), p(4, 0, 4), p(4, 0, 0))
    sides += quad(p(0, 3, 0), p(4, 3, 0), p(4, 3, 4), p(0, 3, 4))
    sides += quad(p(0, 0, 0), p(4, 0, 0), p(4, 3, 0), p(0, 3, 0))
    sides += quad(p(0, 0, 4), p(0, 3, 4), p(4, 3, 4), p(4, 0, 4))
    for u in (0, 4):
        holes = [(0, 3, 0, 1), (2, 3, 1, 3), (0, 3, 3, 4)] if x + u == door_at else [(0, 3, 0, 4)]
        for low, high, near, far in holes:
            wall = [p(u, low, near), p(u, high, near), p(u, high, far), p(u, low, far)]
            sides += quad(*(wall if u == 0 else wall[::-1]))
    return sides


def good():
    level = Level()
    level.push("materials", {"name": "plaster"})
    level.mesh("a_walls", room_from(0, 4))
    level.mesh("b_walls", room_from(4, 4))
    level.mesh("opening", quad((4, 0, 1), (4, 2, 1), (4, 2, 3), (4, 0, 3)))
    level.mesh("box", quad((1, 1, 1), (1, 1, 2), (2, 1, 2), (2, 1, 1)))
    for name, rest in [("a_walls", {"mesh": 0}), ("b-portal", {"mesh": 2}), ("vase", {"mesh": 3}),
                       ("player-spawn", {"translation": [1, 0.5, 2]}), ("b_walls", {"mesh": 1}),
                       ("a-room", {"children": [0, 1, 2, 3]}), ("b-room", {"children": [4]})]:
        level.push("nodes", {"name": name, **rest})
    level.json["scenes"][0]["nodes"] = [5, 6]
    return level


def changed(change):
    """The good level's .glb after `change`, which may return the file itself."""
    level = good()
    result = change(level)
    return result if isinstance(result, bytes) else level.glb()


def both(*changes):
    def change(level):
        for one in changes:
            one(level)
    return change


def of_node(node, /, **values):
    return lambda level: level.node(node).update(values)


def at_top(name, mesh):
    """Adds one more node at the top of the scene, outside of all rooms."""
    def change(level):
        level.json["scenes"][0]["nodes"].append(level.push("nodes", {"name": name, "mesh": mesh}))
    return change


def no_binary(level):
    level.glb()
    return glb((b"JSON", level.text()))


def of_json(**values):
    return lambda level: level.json.update(values)


def of_positions(**values):
    return lambda level: level.positions().update(values)


def of_view(**values):
    return lambda level: level.json["bufferViews"][0].update(values)


def of_primitive(**values):
    return lambda level: level.primitive(0).update(values)


def of_material(**values):
    return lambda level: level.json["materials"][0].update(values)


def uri(text):
    return lambda level: level.gltf(text)


def replaced(old, new):
    return lambda level: level.gltf().replace(old, new)


def zeros(count):
    """An accessor of zeros that occupies no bytes in the file."""
    return {"componentType": 5126, "count": count, "type": "VEC3"}


def reads_too_much(level):
    accessor = level.push("accessors", zeros((1 << 20) - 1))
    primitive = {"attributes": {"POSITION": accessor}, "indices": level.primitive(3)["indices"]}
    level.json["meshes"][3]["primitives"] = 200 * [primitive]


def shows_too_much(level):
    accessor = level.push("accessors", zeros((1 << 20) - 1))
    level.json["meshes"][3]["primitives"] = [{"attributes": {"POSITION": accessor}}]
    crowd = [level.push("nodes", {"name": "vase.%03d" % i, "mesh": 3}) for i in range(40)]
    level.node("a-room")["children"] += crowd


def image(data):
    def change(level):
        view = level.view(data)
        level.json["images"] = [{"name": "poster", "bufferView": view, "mimeType": "image/png"}]
        level.json["textures"] = [{"source": 0}]
        level.json["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
    return change


def png(width, height, pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = zlib.compress(pixels)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def sparse(level):
    accessor = level.positions()
    accessor["sparse"] = {"count": 1 << 40, "indices": {"bufferView": 0, "componentType": 5123},
                          "values": {"bufferView": 0}}


def nan_normal(level):
    normals = level.json["accessors"][level.primitive(0)["attributes"]["NORMAL"]]
    level.overwrite(normals, 12, NAN)


def lamp(light):
    def change(level):
        level.node("vase")["extensions"] = {"KHR_lights_punctual": {"light": 0}}
        level.json["extensions"] = {"KHR_lights_punctual": {"lights": light}}
    return change


DEEP = "[" * 5000 + "]" * 5000

CASES = [
    ("good.glb", "nothing", "", lambda level: None),
    ("good.gltf", "nothing", "", uri(None)),
    # The container
    ("header_only.glb", "error container", "chunk", lambda level: glb()),
    ("binary_first.glb", "error container", "JSON", lambda level: glb((b"BIN\0", b"1234"), (b"JSON", b"{}"))),
    ("picture.glb", "error container", "magic", lambda level: png(1, 1, bytes(5))),
    ("no_binary.glb", "error buffer-missing", "BIN", no_binary),
    # The text
    ("latin1.gltf", "error json", "UTF-8", replaced(b"vase", b"vas\xe9")),
    ("deep_extras.gltf", "nothing", "", replaced(b'"scene":0', b'"scene":0,"extras":' + DEEP.encode())),
    ("deep_nodes.gltf", "error json", "line 1", replaced(b'"nodes":[{', b'"nodes":[' + DEEP.encode() + b",{")),
    ("array.gltf", "error container", "JSON", lambda level: b"[1, 2]"),
    ("empty_object.gltf", "error json", "asset", lambda level: b"{}"),
    ("newer.glb", "error version", "2.1", of_json(asset={"version": "2.1", "minVersion": "2.1"})),
    ("needs_meshopt.glb", "error extension-required", "EXT_meshopt_compression",
     of_json(extensionsRequired=["EXT_meshopt_compression"])),
    ("may_use_meshopt.glb", "warning extension-ignored", "EXT_meshopt_compression",
     of_json(extensionsUsed=["EXT_meshopt_compression"])),
    # The tree
    ("no_scenes.glb", "error scene", "0 scenes", of_json(scenes=[])),
    ("root_missing.glb", "error child-index", "99", of_json(scenes=[{"nodes": [5, 6, 99]}])),
    ("root_twice.glb", "error node-twice", "a-room", of_json(scenes=[{"nodes": [5, 6, 5]}])),
    ("own_child.glb", "error node-twice", "cycle", of_node("vase", children=[2])),
    ("zero_rotation.glb", "error transform-invalid", "rotation", of_node("vase", rotation=[0, 0, 0, 0])),
    ("perspective.glb", "error transform-invalid", "last row",
     of_node("vase", matrix=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1])),
    ("translation_text.glb", "error transform-invalid", "translation", of_node("vase", translation="up")),
    ("overflow.glb", "error transform-overflow", "vase",
     both(of_node("a-room", scale=[1e300, 1, 1]), of_node("vase", scale=[1e300, 1, 1]))),
    ("too_far.glb", "error too-far", "vase", of_node("vase", translation=[2e9, 0, 0])),
    ("spawn_too_far.glb", "error too-far", "player-spawn", of_node("player-spawn", translation=[0, 1e300, 0])),
    ("flat.glb", "warning flat-scale", "scale", of_node("vase", scale=[1, 0, 1])),
    # Meshes and accessors
    ("mesh_missing.glb", "error mesh", "mesh 12", of_node("vase", mesh=12)),
    ("material_missing.glb", "error mesh", "material 7", of_primitive(material=7)),
    ("mode_unknown.glb", "error mesh", "mode", of_primitive(mode=9)),
    ("indices_float.glb", "error mesh", "componentType", of_primitive(indices=0)),
    ("index_outside.glb", "error mesh", "points at vertex",
     lambda level: level.overwrite(level.json["accessors"][2], 0, b"\xff\xff")),
    ("stride_small.glb", "error mesh", "byteStride", of_view(byteStride=4)),
    ("stride_huge.glb", "error mesh", "byteStride", of_view(byteStride=(1 << 64) - 1)),
    ("offset_overflow.glb", "error mesh", "byteOffset", of_positions(byteOffset=(1 << 64) - 1)),
    ("view_overflow.glb", "error mesh", "bufferView", of_view(byteOffset=(1 << 64) - 1)),
    ("count_overflow.glb", "error mesh", "count", of_positions(count=(1 << 64) - 1)),
    ("fewer_positions.glb", "error mesh", "NORMAL", of_positions(count=2)),
    ("normal_nan.glb", "error mesh", "NORMAL", nan_normal),
    ("sparse_huge.glb", "error mesh", "sparse", sparse),
    ("reads_too_much.glb", "error too-large", "split", reads_too_much),
    ("shows_too_much.glb", "error too-large", "split", shows_too_much),
    ("empty_mesh.glb", "warning mesh-skipped", "no primitives",
     lambda level: level.json["meshes"][3].update(primitives=[])),
    # Other files
    ("uri_encoded_dots.gltf", "error buffer-uri", "folder", uri("%2e%2e/%2e%2e/secret.bin")),
    ("uri_drive.gltf", "error buffer-uri", "folder", uri("C:/secret.bin")),
    ("uri_root.gltf", "error buffer-uri", "folder", uri("/etc/passwd")),
    ("uri_is_folder.gltf", "error buffer-uri", "regular file", uri(".")),
    ("uri_not_utf8.gltf", "error buffer-uri", "UTF-8", uri("%ff.bin")),
    ("uri_no_comma.gltf", "error buffer-uri", "comma", uri("data:application/octet-stream;base64")),
    # Images, materials, lights
    ("image_huge.glb", "warning image", "poster", image(png(100000, 100000, b""))),
    ("image_cut.glb", "warning image", "poster", image(png(64, 64, b""))),
    ("image_missing.glb", "warning image", "image 4", both(image(b""), of_json(textures=[{"source": 4}]))),
    ("texture_missing.glb", "warning texture", "texture 3",
     of_material(pbrMetallicRoughness={"baseColorTexture": {"index": 3}})),
    ("bounce_two.glb", "warning material-range", "bounce", of_material(extras={"bounce": 2})),
    ("friction_text.glb", "warning material-range", "friction", of_material(extras={"friction": "slippery"})),
    ("light_missing.glb", "error light", "light 0", lamp([])),
    ("light_negative.glb", "warning light", "intensity", lamp([{"type": "point", "intensity": -5}])),
    ("light_unknown.glb", "warning light", "type", lamp([{"type": "laser"}])),
    # The naming convention
    ("room_twice.glb", "error room-name-twice", "b-room.001", of_node("a-room", name="b-room.001")),
    ("room_nameless.glb", "error room-without-name", "-room", of_node("a-room", name="-room")),
    ("portal_empty.glb", "error portal-without-mesh", "b-portal", lambda level: level.node("b-portal").pop("mesh")),
    ("portal_points.glb", "error portal-mesh", "Points", lambda level: level.primitive(2).update(mode=0)),
    ("portal_in_no_room.glb", "error portal-outside-room", "c-portal", at_top("c-portal", 2)),
    ("door_in_no_room.glb", "error door-outside-room", "oak-door", at_top("oak-door", 3)),
    ("mesh_in_no_room.glb", "warning mesh-outside-room", "tree", at_top("tree", 3)),
    ("portal_into_itself.glb", "error portal-into-itself", "into itself", of_node("b-portal", name="a-portal")),
    ("name_long.glb", "error name-too-long", "5000 bytes", of_node("vase", name="x" * 5000)),
    ("two_way_text.glb", "warning portal-two-way", "perhaps", of_node("b-portal", extras={"two_way": "perhaps"})),
]


def main():
    for old in list(HERE.glob("*.glb")) + list(HERE.glob("*.gltf")):
        old.unlink()
    table = []
    for name, finds, says, change in CASES:
        (HERE / name).write_bytes(changed(change))
        table.append({"file": name, "finds": finds, "says": says})
    rows = ",\n".join("  " + json.dumps(row) for row in table)
    (HERE / "broken.json").write_text("[\n" + rows + "\n]\n")
    print("%d levels" % len(table))


main()

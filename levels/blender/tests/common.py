"""Helpers of the tests: scenes, and queries to the engine.

The tests query the engine wherever possible: for the contents of a level, whether it is good, and the end of a walk.
"""

import json
import os
import subprocess
import sys

import bpy

ZIP = sys.argv[sys.argv.index("--") + 1]
TEMP = os.path.dirname(ZIP)
# Two portals or points this close are the same.
NEAR = 1e-4


TESTS = []


def test(function):
    """Marks a test."""
    TESTS.append(function)
    return function


def clean():
    """An empty scene without data."""
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for collection in (bpy.data.objects, bpy.data.meshes, bpy.data.lights, bpy.data.materials, bpy.data.cameras):
        for each in list(collection):
            collection.remove(each)
    bpy.context.window_manager.opendoor_problems.clear()


def cube(name, location, dimensions):
    bpy.ops.mesh.primitive_cube_add()
    made = bpy.context.object
    made.name, made.location, made.dimensions = name, location, dimensions
    bpy.context.view_layer.update()
    return made


def select(*things):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
        bpy.context.view_layer.objects.active = thing


def two_rooms(cut=True):
    """A hall and a study to its right, with a doorway between them."""
    clean()
    cube("hall-walls", (0, 0, 1.5), (8, 6, 3))
    bpy.ops.opendoor.room(name="hall")
    cube("study-walls", (6.7, 0, 1.5), (5, 4, 3))
    bpy.ops.opendoor.room(name="study")
    bpy.context.scene.cursor.location = (0, 0, 0)
    select(thing("hall-room"))
    bpy.ops.opendoor.spawn(turned=-90.0)
    bpy.context.scene.cursor.location = (0, 0, 2.5)
    bpy.ops.opendoor.light(power=60.0)
    if cut:
        cube("cutter", (4.1, 0, 1.0), (0.6, 1.0, 2.0))
        bpy.ops.opendoor.cut()
    return bpy.context.object


def thing(name):
    return bpy.data.objects[name]


def front(portal):
    return (portal.matrix_world.to_3x3() @ portal.data.polygons[0].normal).normalized()


def exported(name="level"):
    path = os.path.join(TEMP, f"{name}.glb")
    bpy.ops.opendoor.export(filepath=path)
    return path


def document(path):
    """The JSON of a .glb."""
    data = open(path, "rb").read()
    return json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])


def engine(*arguments):
    return json.loads(subprocess.run(["opendoor", *arguments, "--json"], capture_output=True, text=True).stdout)


def problems():
    """The codes of all problems that the engine reports."""
    answer = engine("check", exported())
    return [p["code"] for p in answer["errors"] + answer["warnings"]]


def refused(operator, **values):
    """Whether an operator reports an error."""
    try:
        operator(**values)
    except RuntimeError as error:
        return "Traceback" not in str(error)
    return False


def walked(room, *lines):
    """Walks these lines of a walk file, and asserts that the end is in this room."""
    walk = os.path.join(TEMP, "level.walk")
    with open(walk, "w") as file:
        file.write("\n".join(lines))
    answer = engine("sim", exported(), "--body", "player", "--walk", walk)
    assert answer["end"]["room"] == room, answer["end"]
    return answer


def program(script):
    """A stub program that runs this script instead of the engine."""
    path = os.path.join(TEMP, "stub")
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o755)
    return path

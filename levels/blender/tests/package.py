"""The zip, the template and the tutorial."""

import os
import re
import subprocess
import zipfile

import bpy

from .common import TEMP, ZIP, cube, engine, exported, problems, refused, select, test, thing, two_rooms

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@test
def the_zip_has_both_manifests_and_is_the_same_again():
    with zipfile.ZipFile(ZIP) as archive:
        names = archive.namelist()
    assert {"opendoor/__init__.py", "opendoor/blender_manifest.toml"} <= set(names), names
    assert all(n.endswith((".py", ".toml")) for n in names), names
    again = os.path.join(TEMP, "again.zip")
    subprocess.run(["python3", os.path.join(HERE, "package.py"), again], check=True)
    assert open(ZIP, "rb").read() == open(again, "rb").read()


@test
def the_template_is_a_good_level_with_the_hall_alone():
    bpy.ops.wm.open_mainfile(filepath=os.path.join(HERE, "template.blend"))
    answer = engine("check", exported("template"))
    assert [r["name"] for r in answer["rooms"]] == ["hall"] and answer["triangles"] == 12, answer
    assert answer["lights"] == 1 and len(answer["spawns"]) == 1 and not answer["errors"] + answer["warnings"], answer
    # A cutter of the template, placed between two rooms of its size, makes a doorway.
    select(thing("door-cutter"))
    assert [round(d, 3) for d in bpy.context.object.dimensions] == [0.9, 0.6, 2.0]


@test
def the_tutorial_says_what_its_script_does():
    text = open(os.path.join(HERE, "..", "..", "docs", "tutorial.md")).read()
    script = open(os.path.join(HERE, "tutorial.py")).read()
    steps = re.findall(r'\ndef step_(\d+)\(\):\n    """(.*)"""\n((?:    .*\n|\n(?=    ))*)', script)
    assert len(steps) == 12, [s[0] for s in steps]
    for number, title, body in steps:
        heading = f"\n### {number}. {title}\n"
        assert heading in text, heading
        section = re.split(r"\n##+ ", text.split(heading)[1])[0]
        boxes = re.findall(r'cube\("([\w-]+)", \(([^)]*)\), \(([^)]*)\)\)', body)
        for name, location, dimensions in boxes:
            row = f"| `{name}` | {location} | {dimensions} |"
            assert row in section, row
        assert len(re.findall(r"\n\| `[\w-]+` \| [-\d., ]+ \| [-\d., ]+ \|", section)) == len(boxes), number
        for values in re.findall(r"cursor\(([^)]*)\)", body):
            assert values in section, values
        for name in re.findall(r'(?:room\(name=|painted\()"([\w-]+)"', body):
            assert f"`{name}`" in section, name


@test
def the_add_on_can_be_switched_off_and_on():
    two_rooms()
    from opendoor import panels
    assert panels.wrapped("one two three four five six seven", 20) == ["one two three four", "five six seven"]
    bpy.ops.preferences.addon_disable(module="opendoor")
    assert not hasattr(bpy.types, "OPENDOOR_PT_level")
    bpy.ops.preferences.addon_enable(module="opendoor")
    assert hasattr(bpy.types, "OPENDOOR_PT_level")


def the_zip_is_an_extension_too():
    two_rooms()
    bpy.ops.preferences.addon_disable(module="opendoor")
    bpy.ops.extensions.package_install_files(filepath=ZIP, repo="user_default", enable_on_install=True)
    module = "bl_ext.user_default.opendoor"
    try:
        bpy.context.preferences.addons[module].preferences.binary = os.path.join(TEMP, "nothing")
        assert refused(bpy.ops.opendoor.check)
        bpy.context.preferences.addons[module].preferences.binary = ""
        assert problems() == []
    finally:
        bpy.ops.preferences.addon_disable(module=module)
        bpy.ops.preferences.addon_enable(module="opendoor")


# Blender supports extensions from 4.2 on.
if bpy.app.version >= (4, 2, 0):
    test(the_zip_is_an_extension_too)

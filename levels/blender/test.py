"""Runs each operator of the add-on in Blender without a window, and checks the result; run it by test.sh."""

import os
import sys
import traceback

import bpy

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from tests import TESTS, ZIP


def main():
    bpy.ops.preferences.addon_install(filepath=ZIP)
    bpy.ops.preferences.addon_enable(module="opendoor")
    failed = 0
    for each in TESTS:
        try:
            each()
        except Exception:
            failed += 1
            print(f"addon: FAILED {each.__name__}", *traceback.format_exc().splitlines(), sep="\naddon: ")
    print(f"addon: {len(TESTS) - failed} of {len(TESTS)} tests passed")
    if failed:
        raise SystemExit(1)


main()

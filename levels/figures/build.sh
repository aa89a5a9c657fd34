#!/bin/sh
# Rebuilds the figures; needs Blender 3.4 or later. The results are reproducible, byte for byte.
cd "$(dirname "$0")" || exit 1
blender -b --python-exit-code 1 --python person.py | grep "^person.glb" || exit 1

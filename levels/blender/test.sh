#!/bin/sh
# Tests the add-on in the installed Blender, headless, from its zip: test.sh OPENDOOR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
opendoor=$(realpath "$(command -v "$1")")
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/bin"
ln -s "$opendoor" "$home/bin/opendoor"
export BLENDER_USER_SCRIPTS="$home/scripts" BLENDER_USER_EXTENSIONS="$home/extensions" PATH="$home/bin:$PATH"
mkdir "$home/scripts"
python3 "$here/package.py" "$home/opendoor-blender.zip"
blender -b --factory-startup --python-exit-code 1 --python "$here/test.py" -- "$home/opendoor-blender.zip" >"$home/log" 2>&1 || {
    grep "^addon: " "$home/log" >&2 || cat "$home/log" >&2
    exit 1
}
grep "^addon: " "$home/log"
"$here/tutorial.sh" "$opendoor" "$home/tutorial.glb"

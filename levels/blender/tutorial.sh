#!/bin/sh
# Makes the tutorial's level by its own steps, checks and walks it: tutorial.sh OPENDOOR OUT.glb [FOLDER OF PICTURES]
# With a folder it also draws the pictures of docs/tutorial.md there. Needs Blender 3.4 or later.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
opendoor=$(command -v "$1")
out=$2
shift 2
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/addons" "$home/bin"
cp -r "$here/opendoor" "$home/addons/"
ln -s "$(realpath "$opendoor")" "$home/bin/opendoor"
export BLENDER_USER_SCRIPTS="$home" PATH="$home/bin:$PATH"
blender -b --python-exit-code 1 --python "$here/tutorial.py" -- "$out" "$@" >"$home/log" || { cat "$home/log" >&2; exit 1; }
opendoor check "$out"
opendoor sim "$out" --body player --walk "$here/tutorial.walk"

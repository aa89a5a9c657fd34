#!/bin/sh
# Makes the tutorial's level by the tutorial's steps, checks and walks it: tutorial.sh OPENDOOR OUT.glb [FOLDER OF PICTURES]
# With a folder it also draws the images of docs/tutorial.md there, which needs xvfb-run and xdotool.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
opendoor=$(realpath "$(command -v "$1")")
out=$2
shift 2
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/addons" "$home/bin"
cp -r "$here/opendoor" "$home/addons/"
ln -s "$opendoor" "$home/bin/opendoor"
export BLENDER_USER_SCRIPTS="$home" PATH="$home/bin:$PATH"

# Blender's output is shown only if it fails.
quietly() {
    "$@" >"$home/log" 2>&1 || { cat "$home/log" >&2; exit 1; }
}

quietly blender -b --python-exit-code 1 --python "$here/tutorial.py" -- "$out" "$@"
opendoor check "$out"
opendoor sim "$out" --body player --walk "$here/tutorial.walk"
[ $# -gt 0 ] || exit 0
quietly opendoor shot "$out" -o "$1/hall.png" --size 440x275 --eye=-3,1.6,2.5 --yaw=-40
quietly opendoor shot "$out" -o "$1/garden.png" --size 440x275 --eye=3,1.6,-9 --yaw=160
rm -f "$1/sidebar.png"
# When a script quits Blender, its exit status is 1.
xvfb-run -a -s "-screen 0 1280x900x24" blender --factory-startup --window-geometry 0 0 1280 900 \
    "$1/tutorial.blend" --python "$here/sidebar.py" -- "$1/sidebar.png" >"$home/log" 2>&1 || true
rm "$1/tutorial.blend"
if [ ! -s "$1/sidebar.png" ] || grep Traceback "$home/log"; then
    cat "$home/log" >&2
    exit 1
fi

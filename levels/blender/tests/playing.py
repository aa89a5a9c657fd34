"""Play from the viewport, and views that follow it."""

import json
import math
import os
import time

import bpy
from mathutils import Matrix, Vector

from .common import NEAR, TEMP, cube, engine, exported, program, select, test, thing, two_rooms


def eye_at(place, yaw, pitch=0.0):
    """An eye in Blender's axes; angles in degrees, as in the engine."""
    turn = Matrix.Rotation(math.radians(yaw), 4, "Z") @ Matrix.Rotation(math.radians(90 + pitch), 4, "X")
    return Matrix.Translation(place) @ turn


def views():
    return [a.spaces.active.region_3d for w in bpy.context.window_manager.windows for a in w.screen.areas if a.type == "VIEW_3D"]


def started(eye):
    """The options with which a game starts from an eye."""
    from opendoor import playing
    return playing.start_options(bpy.context, eye)


def waited_for(path):
    """The words of a file that a stub writes after its start."""
    began = time.monotonic()
    while not (os.path.exists(path) and os.path.getsize(path)) and time.monotonic() - began < 10:
        time.sleep(0.05)
    return open(path).read().split()


@test
def play_begins_on_the_floor_below_the_view_and_looks_as_it_does():
    two_rooms()
    path = exported()
    for yaw, (x, z) in ((0, (0, -1)), (90, (-1, 0)), (-90, (1, 0)), (180, (0, 1))):
        for height, pitch in ((1.6, 0.0), (2.8, -60.0), (0.2, 40.0)):
            options = started(eye_at((6.5, 0.5, height), yaw, pitch))
            walk = os.path.join(TEMP, "look.walk")
            with open(walk, "w") as file:
                file.write("move 1 0 0.25\n")
            answer = engine("sim", path, "--body", "player", "--walk", walk, *options)
            start, end = (answer[end]["position"] for end in ("start", "end"))
            assert answer["start"]["room"] == "study", answer
            assert max(abs(a - b) for a, b in zip(start, (6.5, 0, -0.5))) < 0.01, start
            assert (end[0] - start[0]) * x + (end[2] - start[2]) * z > 0.5, (yaw, pitch, start, end)


@test
def play_from_straight_above_looks_to_where_the_top_of_the_picture_is():
    two_rooms()
    assert started(eye_at((1, 0, 2), 30.0, -90.0))[1] == "--yaw=30.00"


@test
def play_begins_on_what_stands_below_the_view():
    two_rooms()
    lift = cube("lift-mover", (6.5, 0, 0.3), (1, 1, 0.2))
    plane = cube("over-trigger", (6.5, 0, 1.0), (1, 1, 0.5))
    for each in (lift, plane):
        select(each, thing("study-room"))
        bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    assert started(eye_at((6.5, 0, 1.6), 0))[0] == "--at=6.500,0.400,-0.000"


@test
def play_from_outside_all_rooms_begins_at_the_spawn():
    two_rooms()
    assert started(eye_at((0, 0, 30), 0)) == [] and started(None) == []


@test
def play_has_one_window_which_loads_the_level_again_only_if_it_has_changed():
    from opendoor import playing
    two_rooms()
    log = os.path.join(TEMP, "played")
    settings = bpy.context.preferences.addons["opendoor"].preferences
    settings.binary = program(f'echo "$@" >> {log}\nexec sleep 60')
    stale = playing.place_file()
    with open(stale, "w") as file:
        file.write("{}")
    bpy.ops.opendoor.play()
    first = playing._running["process"]
    words = waited_for(log)
    level = words[1]
    assert words[0] == "play" and level.endswith(".glb") and words[2:4] == ["--report-place", stale], words
    assert not os.path.exists(stale) and engine("check", level)["ok"]
    written = os.stat(level).st_mtime_ns
    bpy.ops.opendoor.play()
    assert playing._running["process"] is first and first.poll() is None
    assert os.stat(level).st_mtime_ns == written, "nothing has changed"
    thing("study-walls").location.x += 0.5
    bpy.ops.opendoor.play()
    assert playing._running["process"] is first and first.poll() is None
    assert os.stat(level).st_mtime_ns != written
    first.kill()
    first.wait()
    assert len(open(log).read().splitlines()) == 1
    settings.binary = ""


@test
def perspective_views_follow_the_eye_of_who_plays():
    from opendoor import playing
    two_rooms()
    manager = bpy.context.window_manager
    path = playing.place_file()

    def say(text):
        # As in the engine: written completely under another name, then renamed.
        with open(path + ".new", "w") as file:
            file.write(text)
        os.replace(path + ".new", path)

    if os.path.exists(path):
        os.remove(path)
    assert playing.follow() is None, "nobody wants it"
    manager.opendoor_follow = True
    assert bpy.app.timers.is_registered(playing.follow)
    assert playing.follow() == playing.PERIOD, "nobody plays yet"
    for view in views():
        view.view_perspective = "PERSP"
    for yaw, pitch in ((0, 0), (90, -30), (-135, 80)):
        say(json.dumps({"room": "hall", "eye": [1.0, 1.6, -2.0], "yaw": yaw, "pitch": pitch}))
        assert playing.follow() == playing.PERIOD
        wanted = eye_at((1.0, 2.0, 1.6), yaw, pitch)
        assert views()
        for view in views():
            # The eye of a view is at a distance from its location.
            eye = view.view_location + view.view_rotation @ Vector((0, 0, view.view_distance))
            assert (eye - wanted.translation).length < 1e-3, eye
            assert (view.view_rotation @ Vector((0, 0, -1)) + wanted.col[2].to_3d()).length < NEAR
            assert (view.view_rotation @ Vector((1, 0, 0)) - wanted.col[0].to_3d()).length < NEAR
    # Orthographic views stay unchanged, and so do all views if the report is invalid.
    before = [view.view_location.copy() for view in views()]
    for view in views():
        view.view_perspective = "ORTHO"
    say(json.dumps({"room": "hall", "eye": [5.0, 5.0, 5.0], "yaw": 0, "pitch": 0}))
    assert playing.follow() == playing.PERIOD
    for view in views():
        view.view_perspective = "PERSP"
    for text in ("", "[]", '{"eye": 3, "yaw": 0, "pitch": 0}', '{"eye": [1, 2], "yaw": 0, "pitch": 0}', '{"eye": [1, 2, "a"]}'):
        say(text)
        assert playing.follow() == playing.PERIOD
    assert all((view.view_location - there).length < NEAR for view, there in zip(views(), before))
    manager.opendoor_follow = False
    assert playing.follow() is None
    os.remove(path)


@test
def what_play_starts_with_and_reports_is_known_to_the_engine():
    import subprocess
    told = subprocess.run(["opendoor", "play", "--help"], capture_output=True, text=True).stdout
    assert all(option in told for option in ("--at", "--yaw", "--report-place")), told

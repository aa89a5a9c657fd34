"""Play from the viewport's position, and views that follow the player's eye."""

import json
import math
import os
import subprocess

import bpy
from bpy.props import BoolProperty
from mathutils import Matrix, Vector

from . import exporting, fingerprint, scenery

# Interval between reads of the player's position, seconds.
PERIOD = 0.1

# The running game: the process and its file.
_running = {"process": None, "path": ""}
# The time stamp of the position that the views show.
_shown = {"stamp": None}


class OPENDOOR_OT_play(bpy.types.Operator):
    """Play the level from the viewport's position; if it is already running, reload it and keep the player's position"""

    bl_idname = "opendoor.play"
    bl_label = "Play from Here"

    @classmethod
    def poll(cls, context):
        return bool(scenery.rooms(context.scene))

    def execute(self, context):
        program = exporting.binary(context)
        if not program:
            self.report({"ERROR"}, "opendoor was not found; choose the program in the add-on's preferences")
            return {"CANCELLED"}
        path = exporting.scratch_level("play")
        is_new = exporting.update(context, path)
        process = _running["process"]
        if process is not None and process.poll() is None:
            if _running["path"] == path:
                word = "is loaded again" if is_new else "is up to date: nothing has changed"
                self.report({"INFO"}, f"The running level {word}")
                return {"FINISHED"}
            process.terminate()
        start = start_options(context, viewport_eye(context))
        if not start:
            self.report({"INFO"}, "The viewport is in no room: the game starts at the level's own spawn")
        place = place_file()
        if os.path.exists(place):
            os.remove(place)
        process = subprocess.Popen([program, "play", path, "--report-place", place, *start])
        _running.update(process=process, path=path)
        return {"FINISHED"}


def viewport_eye(context):
    """The matrix of the 3D view's eye, or None without a window."""
    areas = [context.area] if context.area else (context.screen.areas if context.screen else [])
    for area in areas:
        if area is not None and area.type == "VIEW_3D" and area.spaces.active.region_3d:
            return area.spaces.active.region_3d.view_matrix.inverted()
    return None


def start_options(context, eye):
    """Options that start the game below an eye with its view direction; none if the eye is in no room, or above no floor."""
    if eye is None:
        return []
    place, ahead = eye.translation, -eye.col[2].to_3d()
    surfaces = [scenery.Surface(context, room) for room in scenery.rooms(context.scene)]
    found = scenery.room_at(surfaces, place, Vector((1, 0, 0)))
    feet = found and scenery.floor_below(context, found.room, place)
    if not feet:
        return []
    if math.hypot(ahead.x, ahead.y) < 1e-3:
        # Looking straight down or up: the up axis of the view is ahead.
        ahead = eye.col[1].to_3d()
    yaw = math.degrees(math.atan2(-ahead.x, ahead.y))
    # In glTF's axes.
    return [f"--at={feet.x:.3f},{feet.z:.3f},{-feet.y:.3f}", f"--yaw={yaw:.2f}"]


def place_file():
    """The file in which the running game reports its eye."""
    return exporting.scratch("play", "place.json")


def eye_of(place):
    """The matrix of an eye, in Blender's axes, from a report of `play --report-place`."""
    x, y, z = (float(c) for c in place["eye"])
    yaw, pitch = math.radians(float(place["yaw"])), math.radians(float(place["pitch"]))
    turn = Matrix.Rotation(yaw, 4, "Z") @ Matrix.Rotation(math.pi / 2 + pitch, 4, "X")
    return Matrix.Translation((x, -z, y)) @ turn


def follow():
    """Moves the views to the player, if the player has moved; called by the timer while following is enabled."""
    manager = bpy.context.window_manager
    if not manager.opendoor_follow:
        return None
    path = place_file()
    now = fingerprint.stamp(path)
    if now is None or now == _shown["stamp"]:
        return PERIOD
    try:
        with open(path) as file:
            eye = eye_of(json.load(file))
    except (OSError, ValueError, TypeError, KeyError):
        # Wait for the next report.
        return PERIOD
    _shown["stamp"] = now
    for window in manager.windows:
        for area in window.screen.areas:
            view = area.spaces.active.region_3d if area.type == "VIEW_3D" else None
            # Orthographic views stay, so that the user can work in them.
            if view and view.view_perspective == "PERSP":
                view.view_rotation = eye.to_quaternion()
                view.view_location = eye @ Vector((0, 0, -view.view_distance))
                area.tag_redraw()
    return PERIOD


def _toggled(manager, _context):
    _shown["stamp"] = None
    if manager.opendoor_follow and not bpy.app.timers.is_registered(follow):
        bpy.app.timers.register(follow, persistent=True)


def register_properties():
    bpy.types.WindowManager.opendoor_follow = BoolProperty(
        name="Follow Camera", description="Let the perspective views follow the player's eye", update=_toggled,
    )


def unregister_properties():
    if bpy.app.timers.is_registered(follow):
        bpy.app.timers.unregister(follow)
    del bpy.types.WindowManager.opendoor_follow


CLASSES = (OPENDOOR_OT_play,)

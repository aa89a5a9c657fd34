"""Export of the level alone, with the options that the engine needs, and play from the viewport's place."""

import os
import shutil
import subprocess

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ExportHelper
from mathutils import Matrix, Vector

from . import names, scenery

# What the exporters of Blender 3.4 to 5 are asked for; a version without an option has no need of it.
OPTIONS = {
    "export_format": "GLB",
    "export_yup": True,
    "export_apply": True,
    "export_extras": True,
    "export_lights": True,
    "export_cameras": False,
    "export_tangents": False,
    "export_skins": False,
    "export_morph": False,
    "export_import_convert_lighting_mode": "SPEC",
    "convert_lighting_mode": "SPEC",
    "use_selection": True,
    "use_active_scene": True,
}

# The play that runs: the process and its file.
_running = {"process": None, "path": ""}


def preferences(context):
    """The add-on's preferences, or None where it runs without being installed."""
    addon = context.preferences.addons.get(__package__)
    return addon.preferences if addon else None


def binary(context):
    """The path of the engine's program: that of the preferences, else the one on the PATH; "" if there is none."""
    chosen = preferences(context)
    path = bpy.path.abspath(chosen.binary) if chosen and chosen.binary else ""
    return shutil.which(path or "opendoor") or ""


def is_of_level(thing):
    """Whether an object belongs to the level: it is in a room, above one, a light, or has a role of its own."""
    if thing.type == "LIGHT" or names.role(thing):
        return True
    return scenery.room_of(thing) is not None or any(names.role(c) == "room" for c in thing.children_recursive)


def export(context, path):
    """Writes the level, and nothing else of the scene. Hidden objects count, those of excluded collections do not."""
    layer = context.view_layer
    active, mode = layer.objects.active, context.mode
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    selected = list(context.selected_objects)
    shown = []
    try:
        for thing in selected:
            thing.select_set(False)
        for thing in layer.objects:
            if not is_of_level(thing) and not on_paths(context.scene, thing):
                continue
            shown.append((thing, thing.hide_get(), thing.hide_viewport, thing.hide_select))
            thing.hide_viewport = thing.hide_select = False
            thing.hide_set(False)
            thing.select_set(True)
        operator = bpy.ops.export_scene.gltf
        known = set(operator.get_rna_type().properties.keys())
        options = {k: v for k, v in OPTIONS.items() if k in known}
        moves = any(o.animation_data and o.animation_data.action for o, *_ in shown)
        operator(filepath=path, export_animations=moves, **options)
    finally:
        for thing, hidden, viewport, select in shown:
            thing.select_set(False)
            thing.hide_set(hidden)
            thing.hide_viewport, thing.hide_select = viewport, select
        for thing in selected:
            thing.select_set(True)
        layer.objects.active = active
        if mode != "OBJECT" and active is not None:
            bpy.ops.object.mode_set(mode="EDIT" if mode.startswith("EDIT") else "OBJECT")


def on_paths(scene, thing):
    """Whether a mover goes along this empty."""
    return thing.type == "EMPTY" and any(o.get("path") == names.without_number(thing.name) for o in scene.objects)


def scratch(context, purpose):
    """A file in Blender's own temporary folder, which goes when Blender quits."""
    folder = os.path.join(bpy.app.tempdir, "opendoor", purpose)
    os.makedirs(folder, exist_ok=True)
    stem = os.path.splitext(os.path.basename(bpy.data.filepath))[0] or "level"
    return os.path.join(folder, f"{stem}.glb")


class OPENDOOR_OT_export(bpy.types.Operator, ExportHelper):
    """Write the level as .glb, and nothing else of the scene"""

    bl_idname = "opendoor.export"
    bl_label = "Export Level"

    filename_ext = ".glb"
    filter_glob: StringProperty(default="*.glb", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return bool(scenery.rooms(context.scene))

    def execute(self, context):
        export(context, self.filepath)
        self.report({"INFO"}, f"{os.path.basename(self.filepath)}: {len(scenery.rooms(context.scene))} rooms")
        return {"FINISHED"}


class OPENDOOR_OT_play(bpy.types.Operator):
    """Play the level from the viewport's place; a level that is played already is loaded again where the player is"""

    bl_idname = "opendoor.play"
    bl_label = "Play from Here"

    @classmethod
    def poll(cls, context):
        return bool(scenery.rooms(context.scene))

    def execute(self, context):
        program = binary(context)
        if not program:
            self.report({"ERROR"}, "opendoor was not found; choose the program in the add-on's preferences")
            return {"CANCELLED"}
        path = scratch(context, "play")
        eye = viewport_eye(context)
        with spawn_at(context, eye) as moved:
            export(context, path)
        if eye is not None and not moved:
            self.report({"INFO"}, "The viewport is in no room: play starts at the level's own spawn")
        process = _running["process"]
        if process is not None and process.poll() is None:
            if _running["path"] == path and reloads(program):
                self.report({"INFO"}, "The running level is loaded again")
                return {"FINISHED"}
            process.terminate()
        _running.update(process=subprocess.Popen([program, "play", path]), path=path)
        return {"FINISHED"}


def reloads(program):
    """Whether `play` loads a level again that is saved: programs that do have the option --timings."""
    told = subprocess.run([program, "play", "--help"], capture_output=True, text=True, timeout=20)
    return "--timings" in told.stdout


def viewport_eye(context):
    """The matrix of the 3D view's eye, or None without a window."""
    areas = [context.area] if context.area else (context.screen.areas if context.screen else [])
    for area in areas:
        if area is not None and area.type == "VIEW_3D" and area.spaces.active.region_3d:
            return area.spaces.active.region_3d.view_matrix.inverted()
    return None


class spawn_at:
    """Puts the default spawn where an eye is, if that is in a room, and back again at the end."""

    def __init__(self, context, eye):
        self.context, self.eye = context, eye
        self.made, self.renamed = None, []

    def __enter__(self):
        if self.eye is None:
            return False
        place, ahead = self.eye.translation, -self.eye.col[2].to_3d()
        surfaces = [scenery.Surface(self.context, room) for room in scenery.rooms(self.context.scene)]
        found = scenery.room_at(surfaces, place, Vector((1, 0, 0)))
        if found is None:
            return False
        for other in scenery.of_role(self.context.scene, "spawn"):
            if names.stem(other) == "player":
                self.renamed.append((other, other.name))
                other.name = f"authored*{other.name}"
        ahead.z = 0.0
        if ahead.length < 1e-3:
            ahead = self.eye.col[1].to_3d()
            ahead.z = 0.0
        turn = Vector((0, 1, 0)).rotation_difference(ahead.normalized()).to_matrix().to_4x4()
        self.made = scenery.new_object(self.context, "player-spawn", None, found.room, Matrix.Translation(place) @ turn)
        self.context.view_layer.update()
        return True

    def __exit__(self, *_):
        if self.made:
            bpy.data.objects.remove(self.made)
        for other, name in self.renamed:
            other.name = name


CLASSES = (OPENDOOR_OT_export, OPENDOOR_OT_play)

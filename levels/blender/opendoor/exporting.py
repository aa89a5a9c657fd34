"""Export of the level alone, with the options that the engine needs, and only if it has changed."""

import math
import os
import shutil

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ExportHelper

from . import dropped, fingerprint, names, scenery

# Options for the exporters of Blender 3.4 to 5. Options that a version does not have are not needed there.
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

# The written files: the fingerprint of the level in each, and the time stamp of the file.
_written = {}


def preferences(context):
    """The add-on's preferences, or None if it runs without being installed."""
    addon = context.preferences.addons.get(__package__)
    return addon.preferences if addon else None


def binary(context):
    """The path of the engine's program: from the preferences, otherwise from the PATH; "" if there is none."""
    chosen = preferences(context)
    path = bpy.path.abspath(chosen.binary) if chosen and chosen.binary else ""
    return shutil.which(path or "opendoor") or ""


def is_of_level(thing):
    """Whether an object belongs to the level: it is in a room, is the parent of a room, is a light, or has a role."""
    if thing.type == "LIGHT" or names.role(thing):
        return True
    return scenery.room_of(thing) is not None or any(names.role(c) == "room" for c in thing.children_recursive)


def objects(context):
    """The exported objects: the level, and nothing else of the scene. Hidden objects are included, objects of excluded
    collections are not."""
    return [o for o in context.view_layer.objects if is_of_level(o) or on_paths(context.scene, o)]


def update(context, path):
    """Writes the level unless the file is up to date. Returns whether it was written."""
    layer = context.view_layer
    active, mode = layer.objects.active, context.mode
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        things = objects(context)
        wanted = fingerprint.of(context, things, OPTIONS)
        if _written.get(path) == (wanted, fingerprint.stamp(path)) and fingerprint.stamp(path):
            return False
        _export(context, things, path)
        _written[path] = (wanted, fingerprint.stamp(path))
        return True
    finally:
        layer.objects.active = active
        if mode != "OBJECT" and active is not None:
            bpy.ops.object.mode_set(mode="EDIT" if mode.startswith("EDIT") else "OBJECT")


def _export(context, things, path):
    """Writes these objects, and restores the selection."""
    selected = list(context.selected_objects)
    shown, sized = [], []
    try:
        for thing in selected:
            thing.select_set(False)
        for thing in things:
            shown.append((thing, thing.hide_get(), thing.hide_viewport, thing.hide_select))
            thing.hide_viewport = thing.hide_select = False
            thing.hide_set(False)
            thing.select_set(True)
        operator = bpy.ops.export_scene.gltf
        known = set(operator.get_rna_type().properties.keys())
        options = {k: v for k, v in OPTIONS.items() if k in known}
        moves = any(o.animation_data and o.animation_data.action for o in things)
        sized = _add_sizes(things)
        operator(filepath=path, export_animations=moves, **options)
    finally:
        for light, key in sized:
            del light[key]
        for thing, hidden, viewport, select in shown:
            thing.select_set(False)
            thing.hide_set(hidden)
            thing.hide_viewport, thing.hide_select = viewport, select
        for thing in selected:
            thing.select_set(True)


def _add_sizes(things):
    """Writes the sizes of lights, which glTF does not have, into custom properties of their data. Returns pairs of the data
    and the added property. A property of the author's own precedes."""
    added = []
    for light in dict.fromkeys(o.data for o in things if o.type == "LIGHT"):
        if light.library or light.override_library:
            continue
        key = "angle" if light.type == "SUN" else "radius"
        if key not in light:
            light[key] = math.degrees(light.angle) if light.type == "SUN" else light.shadow_soft_size
            added.append((light, key))
    return added


def on_paths(scene, thing):
    """Whether a mover follows the path of this empty."""
    return thing.type == "EMPTY" and any(o.get("path") == names.without_number(thing.name) for o in scene.objects)


def scratch(purpose, name):
    """The path of a file in Blender's own temporary folder, which is deleted when Blender quits."""
    folder = os.path.join(bpy.app.tempdir, "opendoor", purpose)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, name)


def scratch_level(purpose):
    """The path of a temporary file for the level, with the name of the .blend."""
    stem = os.path.splitext(os.path.basename(bpy.data.filepath))[0] or "level"
    return scratch(purpose, f"{stem}.glb")


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
        name = os.path.basename(self.filepath)
        for thing, text in dropped.of(context, objects(context)):
            self.report({"WARNING"}, f"{thing.name}: {text}")
        if update(context, self.filepath):
            self.report({"INFO"}, f"{name}: {len(scenery.rooms(context.scene))} rooms")
        else:
            self.report({"INFO"}, f"{name} is up to date: nothing has changed")
        return {"FINISHED"}


CLASSES = (OPENDOOR_OT_export,)

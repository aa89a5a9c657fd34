"""OpenDoor levels: rooms, portals, doors, checks and play, in the sidebar of the 3D view."""

import bpy

from . import checking, exporting, panels, playing, portals, properties, rooms, things

bl_info = {
    "name": "OpenDoor levels",
    "author": "The OpenDoor authors",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > OpenDoor",
    "description": "Make, check and play levels of rooms and portals",
    "category": "Game Engine",
}

MODULES = (rooms, portals, things, properties, exporting, playing, checking, panels)
CLASSES = tuple(c for module in MODULES for c in module.CLASSES)

_keys = []


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    checking.register_properties()
    playing.register_properties()
    configuration = bpy.context.window_manager.keyconfigs.addon
    # Blender without a window has none.
    if configuration:
        keymap = configuration.keymaps.new(name="3D View", space_type="VIEW_3D")
        _keys.append((keymap, keymap.keymap_items.new("opendoor.play", "F8", "PRESS")))


def unregister():
    for keymap, item in _keys:
        keymap.keymap_items.remove(item)
    _keys.clear()
    playing.unregister_properties()
    checking.unregister_properties()
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)

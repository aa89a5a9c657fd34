"""The tab OpenDoor in the sidebar of the 3D view, and the preferences."""

import bpy
from bpy.props import StringProperty

from . import exporting, properties, scenery


class OPENDOOR_preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    binary: StringProperty(name="Program", subtype="FILE_PATH", description="Path of the program opendoor; empty: the program is searched on the PATH")

    def draw(self, context):
        self.layout.prop(self, "binary")
        if not exporting.binary(context):
            self.layout.label(text="opendoor was not found", icon="ERROR")


class Tab:
    """The common location of all panels."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "OpenDoor"


class OPENDOOR_PT_level(Tab, bpy.types.Panel):
    bl_idname = "OPENDOOR_PT_level"
    bl_label = "Level"

    def draw(self, context):
        column = self.layout.column(align=True)
        column.operator("opendoor.play", icon="PLAY")
        column.prop(context.window_manager, "opendoor_follow", toggle=True, icon="VIEW_CAMERA")
        column.operator("opendoor.export", icon="EXPORT")
        column.operator("opendoor.check", icon="CHECKMARK")
        manager = context.window_manager
        if manager.opendoor_checked and not manager.opendoor_problems:
            self.layout.label(text="No problems")
        for index, problem in enumerate(manager.opendoor_problems):
            box = self.layout.box().column(align=True)
            title = f"{problem.code}: {problem.node}" if problem.node else problem.code
            box.operator("opendoor.jump", text=title, icon="CANCEL" if problem.is_error else "ERROR").index = index
            for line in wrapped(problem.message, context.region.width // 7):
                box.label(text=line)


def wrapped(text, width):
    """The text in lines of at most this many characters, except for longer words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= max(20, width):
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


class OPENDOOR_PT_rooms(Tab, bpy.types.Panel):
    bl_idname = "OPENDOOR_PT_rooms"
    bl_label = "Rooms and Portals"

    def draw(self, context):
        column = self.layout.column(align=True)
        column.operator("opendoor.room", icon="HOME")
        column.operator("opendoor.cut", icon="MOD_BOOLEAN")
        column.separator()
        column.operator("opendoor.portals", icon="OUTLINER_OB_LIGHTPROBE")
        column.operator("opendoor.portal", icon="MESH_PLANE")
        column.operator("opendoor.flip", icon="ARROW_LEFTRIGHT")
        column.operator("opendoor.link", icon="LINKED")
        column.operator("opendoor.lead_to", icon="UV_SYNC_SELECT")
        room = scenery.room_of(context.active_object) if context.active_object else None
        self.layout.label(text=f"In {room.name}" if room else "In no room")


class OPENDOOR_PT_things(Tab, bpy.types.Panel):
    bl_idname = "OPENDOOR_PT_things"
    bl_label = "Doors, Movers, Bodies, Lights"

    def draw(self, _context):
        column = self.layout.column(align=True)
        for name in ("door", "mover", "body", "spawner", "trigger", "switch"):
            column.operator(f"opendoor.{name}")
        column.separator()
        column.operator("opendoor.spawn", icon="EMPTY_SINGLE_ARROW")
        column.operator("opendoor.joint", icon="EMPTY_AXIS")
        column.operator("opendoor.light", icon="LIGHT_POINT")


def draw_properties(layout, context, where):
    """A line for each property: its value, or a button that adds it."""
    target = properties.owner(context, where)
    for wanted in properties.table(context, where):
        row = layout.row(align=True)
        if wanted.key not in target:
            add = row.operator("opendoor.property_set", text=wanted.key, icon="ADD")
            add.where, add.key = where, wanted.key
            continue
        if wanted.choices:
            row.label(text=wanted.key)
            words = layout.grid_flow(columns=3, align=True)
            for word in wanted.choices:
                button = words.operator("opendoor.property_set", text=word, depress=target[wanted.key] == word)
                button.where, button.key, button.word = where, wanted.key, word
        else:
            row.prop(target, f'["{wanted.key}"]', text=wanted.key)
        clear = row.operator("opendoor.property_clear", text="", icon="X")
        clear.where, clear.key = where, wanted.key


class Properties(Tab):
    """Shared part of the panels of properties; `where` is the owner of the properties."""

    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return properties.owner(context, cls.where) is not None and bool(properties.table(context, cls.where))

    def draw(self, context):
        if self.where == "OBJECT":
            self.layout.label(text=context.active_object.name)
        draw_properties(self.layout, context, self.where)


class OPENDOOR_PT_object(Properties, bpy.types.Panel):
    bl_idname = "OPENDOOR_PT_object"
    bl_label = "Properties of the Object"
    bl_options = set()
    where = "OBJECT"


class OPENDOOR_PT_material(Properties, bpy.types.Panel):
    bl_idname = "OPENDOOR_PT_material"
    bl_label = "Properties of the Material"
    where = "MATERIAL"


class OPENDOOR_PT_scene(Properties, bpy.types.Panel):
    bl_idname = "OPENDOOR_PT_scene"
    bl_label = "Sky and Exposure"
    where = "SCENE"


CLASSES = (
    OPENDOOR_preferences, OPENDOOR_PT_level, OPENDOOR_PT_rooms, OPENDOOR_PT_things, OPENDOOR_PT_object,
    OPENDOOR_PT_material, OPENDOOR_PT_scene,
)

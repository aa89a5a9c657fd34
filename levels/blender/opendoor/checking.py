"""The level's problems from `opendoor check`: the list, and the jump to a problem."""

import json
import subprocess

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatVectorProperty, IntProperty, StringProperty
from mathutils import Vector

from . import dropped, exporting, scenery

# The code of contents that Blender has and the exported file lacks.
NOT_IN_FILE = "not-exported"
# Time limit of a check, seconds.
PATIENCE = 120
# View distance after a jump to a problem (metres).
SIGHT = 4.0


class OPENDOOR_PG_problem(bpy.types.PropertyGroup):
    """A line of the checker's answer."""

    is_error: BoolProperty()
    code: StringProperty()
    node: StringProperty()
    message: StringProperty()
    has_place: BoolProperty()
    # In Blender's axes.
    place: FloatVectorProperty(size=3)


def run(program, path):
    """The answer of `opendoor check --json` as (errors, warnings); ValueError with the reason if there is no answer."""
    try:
        told = subprocess.run([program, "check", "--json", path], capture_output=True, text=True, timeout=PATIENCE)
        answer = json.loads(told.stdout)
        return answer["errors"], answer["warnings"]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
        raise ValueError(f"{program} gave no answer: {error}") from error


class OPENDOOR_OT_check(bpy.types.Operator):
    """Check the level and list every problem"""

    bl_idname = "opendoor.check"
    bl_label = "Check"

    def execute(self, context):
        program = exporting.binary(context)
        if not program:
            self.report({"ERROR"}, "opendoor was not found; choose the program in the add-on's preferences")
            return {"CANCELLED"}
        path = exporting.scratch_level("check")
        exporting.update(context, path)
        try:
            errors, warnings = run(program, path)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        manager = context.window_manager
        manager.opendoor_problems.clear()
        for is_error, found in ((True, errors), (False, warnings)):
            for each in found:
                line = manager.opendoor_problems.add()
                line.is_error, line.code = is_error, each["code"]
                line.node, line.message = each.get("node") or "", each["message"]
                at = each.get("position")
                if at:
                    # From glTF's axes to Blender's.
                    line.has_place, line.place = True, (at[0], -at[2], at[1])
        lost = dropped.of(context, exporting.objects(context))
        for thing, text in lost:
            line = manager.opendoor_problems.add()
            line.code, line.node, line.message = NOT_IN_FILE, thing.name, text
        manager.opendoor_checked = True
        self.report({"INFO"}, f"{len(errors)} errors, {len(warnings) + len(lost)} warnings")
        return {"FINISHED"}


class OPENDOOR_OT_jump(bpy.types.Operator):
    """Select the object of this problem, and move cursor and views there"""

    bl_idname = "opendoor.jump"
    bl_label = "Jump to Problem"
    bl_options = {"REGISTER", "UNDO"}

    index: IntProperty(min=0)

    def execute(self, context):
        problems = context.window_manager.opendoor_problems
        if self.index >= len(problems):
            return {"CANCELLED"}
        problem = problems[self.index]
        thing = context.view_layer.objects.get(problem.node)
        if thing is not None:
            if context.mode != "OBJECT":
                bpy.ops.object.mode_set(mode="OBJECT")
            thing.hide_set(False)
            scenery.select_only(context, thing)
        elif not problem.has_place:
            self.report({"WARNING"}, f"{problem.node or 'the level'} is no object of this scene")
            return {"CANCELLED"}
        place = Vector(problem.place)
        if not problem.has_place:
            place = thing.matrix_world @ (sum((Vector(c) for c in thing.bound_box), Vector()) / 8.0)
        context.scene.cursor.location = place
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D" and area.spaces.active.region_3d:
                view = area.spaces.active.region_3d
                view.view_location, view.view_distance = place, SIGHT
        return {"FINISHED"}


def register_properties():
    bpy.types.WindowManager.opendoor_problems = CollectionProperty(type=OPENDOOR_PG_problem)
    bpy.types.WindowManager.opendoor_checked = BoolProperty()


def unregister_properties():
    del bpy.types.WindowManager.opendoor_problems
    del bpy.types.WindowManager.opendoor_checked


CLASSES = (OPENDOOR_PG_problem, OPENDOOR_OT_check, OPENDOOR_OT_jump)

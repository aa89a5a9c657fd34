"""Takes a screenshot of the add-on's tab in Blender's window; run by tutorial.sh, on a separate display.

Blender 3.4 cannot open a tab of the sidebar from a script: xdotool clicks on it.
"""

import subprocess
import sys
import traceback

import bpy

PICTURE = sys.argv[sys.argv.index("--") + 1]
# The position of the tab in a window of 1280 x 900 (pixels from the upper left).
TAB = ("1043", "262")
# Pause between two actions, seconds.
PAUSE = 1.0


def xdotool(*arguments):
    subprocess.Popen(["xdotool", *arguments])


def area():
    return next(a for a in bpy.context.window_manager.windows[0].screen.areas if a.type == "VIEW_3D")


def begin():
    bpy.ops.preferences.addon_enable(module="opendoor")
    view = area().spaces.active
    view.show_region_ui, view.shading.show_backface_culling, view.shading.color_type = True, True, "MATERIAL"
    # A typing error in the name of a portal, so that a problem is listed.
    bpy.data.objects["study-portal"].name = "stduy-portal"
    bpy.ops.opendoor.check()
    bpy.ops.object.select_all(action="DESELECT")
    door = bpy.data.objects["garden-door"]
    door.select_set(True)
    bpy.context.view_layer.objects.active = door


def photograph():
    """Saves the sidebar alone, cropped from a screenshot of its area."""
    bpy.ops.screen.screenshot_area(filepath=PICTURE)
    image = bpy.data.images.load(PICTURE)
    sidebar = next(r for r in area().regions if r.type == "UI")
    (width, height), left = image.size, image.size[0] - sidebar.width
    pixels = list(image.pixels)
    cropped = bpy.data.images.new("sidebar", sidebar.width, height)
    cropped.pixels = [c for row in range(height) for c in pixels[4 * (row * width + left):4 * (row + 1) * width]]
    cropped.file_format, cropped.filepath_raw = "PNG", PICTURE
    cropped.save()


STEPS = (
    begin,
    lambda: xdotool("mousemove", "200", "600"),
    lambda: xdotool("key", "Escape"),
    lambda: xdotool("mousemove", *TAB),
    lambda: xdotool("mousedown", "1"),
    lambda: xdotool("mouseup", "1"),
    lambda: xdotool("mousemove", "400", "700"),
    photograph,
    bpy.ops.wm.quit_blender,
)


def steps():
    for step in STEPS:
        window = bpy.context.window_manager.windows[0]
        try:
            with bpy.context.temp_override(window=window, area=area(), region=area().regions[-1]):
                step()
        except Exception:
            traceback.print_exc()
            bpy.ops.wm.quit_blender()
        yield PAUSE


going = steps()
bpy.app.timers.register(lambda: next(going, None), first_interval=PAUSE)

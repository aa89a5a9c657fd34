"""Renders views of a level with Cycles, in Blender: render.py JOB.json

The job names the level, the exposure that OpenDoor chose, the samples and the views. Each view is written as an EXR of
linear light, in the units of OpenDoor's screen: 1 is white.
"""

import json
import math
import os
import sys

import bpy
import numpy
from mathutils import Matrix, Vector

# Blender 3.4's importer needs a name that newer versions of numpy do not have.
numpy.bool = bool

job = json.load(open(sys.argv[sys.argv.index("--") + 1]))

# Nodes with these suffixes are not drawn.
HIDDEN = ("-portal", "-colonly", "-bound", "-trigger", "-spawn", "-path", "-joint", "-sky")

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=job["level"])
scene = bpy.context.scene


def is_hidden(thing):
    while thing is not None:
        name = thing.name.split(".")[0].lower()
        if any(suffix in name for suffix in HIDDEN):
            return True
        thing = thing.parent
    return False


for thing in scene.objects:
    if thing.type == "MESH" and is_hidden(thing):
        thing.hide_render = True
    elif thing.type == "LIGHT":
        # The intensities of the file, in candela and lux, scaled as OpenDoor scales them. A lamp of a watt has an intensity
        # of 1 / (4 pi), and a white surface reflects 1 / pi of what falls on it.
        light = thing.data
        strength = job["lights"][thing.name.split(".")[0]] * job["exposure"]
        light.energy = strength * (math.pi if light.type == "SUN" else 4.0 * math.pi**2)
        if light.type == "SUN":
            light.angle = 0.0
        else:
            light.shadow_soft_size = 0.005

for material in bpy.data.materials:
    # OpenDoor draws the fronts of single-sided surfaces alone, and light passes their backs.
    if material.node_tree and material.use_backface_culling:
        tree = material.node_tree
        output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
        before = output.inputs["Surface"].links[0].from_socket
        geometry = tree.nodes.new("ShaderNodeNewGeometry")
        clear = tree.nodes.new("ShaderNodeBsdfTransparent")
        mix = tree.nodes.new("ShaderNodeMixShader")
        tree.links.new(geometry.outputs["Backfacing"], mix.inputs["Fac"])
        tree.links.new(before, mix.inputs[1])
        tree.links.new(clear.outputs[0], mix.inputs[2])
        tree.links.new(mix.outputs[0], output.inputs["Surface"])


def sky(tree, colours):
    """OpenDoor's sky: zenith, horizon and ground, blended by the height of the direction."""

    def math_node(operation, first, second):
        node = tree.nodes.new("ShaderNodeMath")
        node.operation = operation
        node.use_clamp = True
        tree.links.new(first, node.inputs[0])
        node.inputs[1].default_value = second
        return node.outputs[0]

    def mixed(part, first, second):
        node = tree.nodes.new("ShaderNodeMixRGB")
        tree.links.new(part, node.inputs["Fac"])
        for value, socket in ((first, "Color1"), (second, "Color2")):
            if isinstance(value, list):
                node.inputs[socket].default_value = (*value, 1)
            else:
                tree.links.new(value, node.inputs[socket])
        return node.outputs[0]

    zenith, horizon, ground = colours
    place = tree.nodes.new("ShaderNodeTexCoord")
    parts = tree.nodes.new("ShaderNodeSeparateXYZ")
    tree.links.new(place.outputs["Generated"], parts.inputs[0])
    up = parts.outputs["Z"]
    above = mixed(math_node("POWER", math_node("MAXIMUM", up, 0.0), 0.55), horizon, zenith)
    below = tree.nodes.new("ShaderNodeMapRange")
    below.interpolation_type = "SMOOTHSTEP"
    tree.links.new(up, below.inputs["Value"])
    below.inputs["From Min"].default_value = -0.12
    below.inputs["From Max"].default_value = 0.0
    colour = mixed(below.outputs["Result"], ground, above)
    tree.links.new(colour, tree.nodes["Background"].inputs["Color"])


world = bpy.data.worlds.new("sky")
scene.world = world
world.use_nodes = True
sky(world.node_tree, job["sky"])

camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
scene.collection.objects.link(camera)
scene.camera = camera
camera.data.sensor_fit = "VERTICAL"
camera.data.clip_start = 0.01

scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = job["samples"]
scene.cycles.use_denoising = False
scene.cycles.use_adaptive_sampling = True
scene.cycles.max_bounces = 16
scene.cycles.diffuse_bounces = 16
scene.cycles.glossy_bounces = 4
scene.cycles.transparent_max_bounces = 32
scene.cycles.sample_clamp_indirect = 10.0
scene.cycles.caustics_reflective = False
scene.cycles.caustics_refractive = False
scene.view_settings.view_transform = "Raw"
scene.render.image_settings.file_format = "OPEN_EXR"
scene.render.image_settings.color_depth = "32"
scene.render.image_settings.color_mode = "RGB"
scene.render.resolution_x, scene.render.resolution_y = job["size"]

for view in job["views"]:
    # glTF's Y axis is Blender's Z axis.
    x, y, z = view["eye"]
    turn = Matrix.Rotation(math.radians(view["yaw"]), 4, "Z")
    raised = Matrix.Rotation(math.radians(90 + view["pitch"]), 4, "X")
    camera.matrix_world = Matrix.Translation(Vector((x, -z, y))) @ turn @ raised
    camera.data.angle = math.radians(view.get("fov", 70))
    scene.render.filepath = os.path.join(job["out"], view["name"] + ".exr")
    bpy.ops.render.render(write_still=True)
    # Pixels of an EXR can be read without another library only here.
    image = bpy.data.images.load(scene.render.filepath)
    pixels = numpy.empty(len(image.pixels), numpy.float32)
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(job["size"][1], job["size"][0], 4)[::-1, :, :3]
    numpy.save(os.path.join(job["out"], view["name"] + ".npy"), pixels)
    os.remove(scene.render.filepath)

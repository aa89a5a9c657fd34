"""Renders views of a level with Cycles, in Blender: render.py JOB.json

The job has the level, its lights and sky in the units of OpenDoor's screen (1 is white), the samples and the views. The
linear light of each view is written as a .npy. The rules of OpenDoor that are conventions of the level format are
modelled here; docs/lighting.md lists them.
"""

import json
import math
import os
import re
import sys

import bpy
import numpy
from mathutils import Matrix, Vector

# Blender 3.4's importer needs a name that newer versions of numpy do not have.
numpy.bool = bool

job = json.load(open(sys.argv[sys.argv.index("--") + 1]))

# Nodes with these suffixes are not drawn.
HIDDEN = ("-portal", "-colonly", "-bound", "-trigger", "-spawn", "-spawner", "-path", "-joint")
# Rays sample emissive surfaces as lights only if they are brighter than this, or if there are no lamps.
BRIGHT = 2.0

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=job["level"])
scene = bpy.context.scene


class Nodes:
    """Makes nodes of a node tree. A number, a colour or the output of a node is a value."""

    def __init__(self, tree):
        self.tree = tree

    def set(self, socket, value):
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        elif socket.type == "RGBA" and not isinstance(value, float):
            socket.default_value = (*value[:3], 1.0)
        elif socket.type == "RGBA":
            socket.default_value = (value, value, value, 1.0)
        else:
            socket.default_value = value

    def make(self, kind, *values, **properties):
        """A node with these values in its first sockets."""
        node = self.tree.nodes.new("ShaderNode" + kind)
        for key, value in properties.items():
            setattr(node, key, value)
        for socket, value in zip(node.inputs, values):
            if value is not None:
                self.set(socket, value)
        return node

    def math(self, operation, *values, clamp=False):
        return self.make("Math", *values, operation=operation, use_clamp=clamp).outputs[0]

    def mix(self, part, first, second):
        """Two shaders, mixed: the second one in this part."""
        return self.make("MixShader", part, first, second).outputs[0]

    def blend(self, part, first, second, kind="MIX"):
        """Two colours, blended."""
        return self.make("MixRGB", part, first, second, blend_type=kind).outputs[0]

    def dot(self, first, second):
        return self.make("VectorMath", first, second, operation="DOT_PRODUCT").outputs["Value"]

    def geometry(self, output):
        return self.make("NewGeometry").outputs[output]

    def is_ray(self, kind):
        return self.make("LightPath").outputs[f"Is {kind} Ray"]

    def transparent(self):
        return self.make("BsdfTransparent").outputs[0]


def sky(nodes, up):
    """The colour of OpenDoor's sky in a direction with this height: zenith, horizon and ground, blended."""
    zenith, horizon, ground = job["sky"]
    height = nodes.math("POWER", nodes.math("MAXIMUM", up, 0.0), 0.55, clamp=True)
    below = nodes.make("MapRange", up, -0.12, 0.0, interpolation_type="SMOOTHSTEP").outputs["Result"]
    return nodes.blend(below, ground, nodes.blend(height, horizon, zenith))


def base_name(thing):
    """The name without a suffix such as .001."""
    return re.sub(r"\.\d{3,}$", "", thing.name).lower()


def has_suffix(thing, suffixes):
    """Whether a node, or a node above it, has one of these suffixes."""
    while thing is not None:
        if base_name(thing).endswith(suffixes):
            return True
        thing = thing.parent
    return False


def sky_material():
    """A surface that shows the sky; sunlight passes it."""
    material = bpy.data.materials.new("sky-surface")
    material.use_nodes = True
    nodes = Nodes(material.node_tree)
    up = nodes.math("MULTIPLY", nodes.make("SeparateXYZ", nodes.geometry("Incoming")).outputs["Z"], -1.0)
    shown = nodes.make("Emission", sky(nodes, up), 1.0).outputs[0]
    passes = nodes.math("MAXIMUM", nodes.is_ray("Shadow"), nodes.geometry("Backfacing"))
    output = material.node_tree.nodes["Material Output"].inputs["Surface"]
    nodes.set(output, nodes.mix(passes, shown, nodes.transparent()))
    return material


def surface(nodes, shader, has_metal):
    """glTF's material: diffuse reflection below facets whose reflectance is the split-sum approximation (B. Karis,
    "Physically Based Shading on Mobile", 2014). Blender's own shader reflects more than arrives."""

    def value(name):
        socket = shader.inputs[name]
        if socket.links:
            return socket.links[0].from_socket
        return tuple(socket.default_value) if socket.type == "RGBA" else socket.default_value

    base, metallic, rough = value("Base Color"), value("Metallic"), value("Roughness")
    # The reflectance of the dielectric part at normal incidence.
    straight = 0.08 * shader.inputs["Specular"].default_value
    links = shader.inputs["Normal"].links
    bent = links[0].from_socket if links else None
    facing = nodes.dot(bent or nodes.geometry("Normal"), nodes.geometry("Incoming"))
    facing = nodes.math("ABSOLUTE", facing)

    def linear(factor, offset):
        return nodes.math("MULTIPLY_ADD", rough, factor, offset)

    x, y, z, w = linear(-1.0, 1.0), linear(-0.0275, 0.0425), linear(-0.572, 1.04), linear(0.022, -0.04)
    fades = nodes.math("POWER", 2.0, nodes.math("MULTIPLY", facing, -9.28))
    grazing = nodes.math("MULTIPLY_ADD", nodes.math("MINIMUM", nodes.math("MULTIPLY", x, x), fades), x, y)
    scale = nodes.math("MULTIPLY_ADD", grazing, -1.04, z)
    bias = nodes.math("MULTIPLY_ADD", grazing, 1.04, w)
    total = nodes.math("ADD", scale, bias)
    grazing_part = nodes.math("MAXIMUM", metallic, 1.0 if straight > 0.0 else 0.0)
    bias = nodes.math("MULTIPLY", bias, grazing_part)
    reflected = nodes.math("MULTIPLY_ADD", scale, straight, bias)
    facets = nodes.blend(metallic, (straight,) * 3, base)
    facets = nodes.blend(1.0, nodes.blend(1.0, facets, scale, "MULTIPLY"), bias, "ADD")
    facets = nodes.blend(1.0, facets, total, "DIVIDE")
    remains = nodes.math("MULTIPLY", nodes.math("SUBTRACT", 1.0, reflected), nodes.math("SUBTRACT", 1.0, metallic))
    diffuse = nodes.make("BsdfDiffuse", nodes.blend(1.0, base, remains, "MULTIPLY"), 0.0)
    glossy = nodes.make("BsdfGlossy", facets, rough, distribution="MULTI_GGX" if has_metal else "GGX")
    for node in (diffuse, glossy):
        if bent:
            nodes.set(node.inputs["Normal"], bent)
    whole = nodes.make("AddShader", diffuse.outputs[0], glossy.outputs[0]).outputs[0]
    emission = nodes.make("Emission", value("Emission"), value("Emission Strength")).outputs[0]
    return nodes.make("AddShader", whole, emission).outputs[0], value("Alpha")


def rebuild(material):
    """Replaces the imported shader of a material."""
    shader = next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        return
    nodes = Nodes(material.node_tree)
    output = next(node for node in material.node_tree.nodes if node.type == "OUTPUT_MATERIAL")
    metal = shader.inputs["Metallic"]
    whole, alpha = surface(nodes, shader, bool(metal.links) or metal.default_value > 0.0)
    emission = shader.inputs["Emission"]
    strength = shader.inputs["Emission Strength"].default_value
    brightest = strength if emission.links else strength * max(emission.default_value[:3])
    if material.blend_method != "OPAQUE":
        whole = nodes.mix(alpha, nodes.transparent(), whole)
    passes = []
    if material.blend_method == "BLEND":
        # Blended surfaces neither block nor reflect light.
        passes.append(nodes.math("SUBTRACT", 1.0, nodes.is_ray("Camera")))
    if brightest > 0.0:
        # Lamps stand in emissive surfaces.
        passes.append(nodes.is_ray("Shadow"))
        material.cycles.sample_as_light = brightest > BRIGHT or not job["lights"]
    if material.use_backface_culling:
        passes.append(nodes.geometry("Backfacing"))
    for part in passes:
        whole = nodes.mix(part, whole, nodes.transparent())
    nodes.set(output.inputs["Surface"], whole)


def add_light(light):
    """Adds a light. A lamp of a watt has an intensity of 1 / (4 pi), and a white surface reflects 1 / pi of the light
    that falls on it."""
    is_sun = light["kind"] == "directional"
    data = bpy.data.lights.new("light", "SUN" if is_sun else "POINT")
    data.color = light["colour"]
    data.energy = light["strength"] * (math.pi if is_sun else 4.0 * math.pi**2)
    node = bpy.data.objects.new("light", data)
    scene.collection.objects.link(node)
    lights.append(node)
    node.location = light["position"]
    direction = Vector(light["direction"])
    node.rotation_euler = direction.to_track_quat("-Z", "Y").to_euler()
    if is_sun:
        data.angle = math.radians(light["angle"])
    else:
        data.shadow_soft_size = light["radius"]
    if light["kind"] == "spot":
        # The cone of KHR_lights_punctual, which is not Blender's.
        inner, outer = (math.cos(angle) for angle in light["cone"])
        factor = 1.0 / max(inner - outer, 1e-3)
        data.use_nodes = True
        nodes = Nodes(data.node_tree)
        along = nodes.dot(nodes.geometry("Incoming"), tuple(direction))
        part = nodes.math("MULTIPLY_ADD", along, factor, -outer * factor, clamp=True)
        emission = data.node_tree.nodes["Emission"]
        nodes.set(emission.inputs["Strength"], nodes.math("MULTIPLY", part, part))


for thing in list(scene.objects):
    if thing.type == "LIGHT":
        bpy.data.objects.remove(thing)
panes = [thing for thing in scene.objects if thing.type == "MESH" and has_suffix(thing, "-sky")]
for material in list(bpy.data.materials):
    if material.node_tree:
        rebuild(material)
for thing in scene.objects:
    thing.hide_render = thing.type == "MESH" and has_suffix(thing, HIDDEN)
if panes:
    material = sky_material()
    for pane in panes:
        pane.data = pane.data.copy()
        pane.data.materials.clear()
        pane.data.materials.append(material)
lights = []
for light in job["lights"]:
    add_light(light)

# Only rooms with the property `open` see the sky where there is no surface.
world = bpy.data.worlds.new("sky")
scene.world = world
world.use_nodes = True
if any(thing.get("open") for thing in scene.objects):
    nodes = Nodes(world.node_tree)
    place = nodes.make("TexCoord").outputs["Generated"]
    up = nodes.make("SeparateXYZ", place).outputs["Z"]
    nodes.set(world.node_tree.nodes["Background"].inputs["Color"], sky(nodes, up))
else:
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.0, 0.0, 0.0, 1.0)
    world.cycles.sampling_method = "NONE"

camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
scene.collection.objects.link(camera)
scene.camera = camera
camera.data.sensor_fit = "VERTICAL"
camera.data.clip_start = 0.01

bounces = job["bounces"]
scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = job["samples"]
scene.cycles.use_denoising = False
scene.cycles.use_adaptive_sampling = False
scene.cycles.max_bounces = bounces
scene.cycles.diffuse_bounces = bounces
scene.cycles.glossy_bounces = bounces
scene.cycles.transparent_max_bounces = 64
scene.cycles.sample_clamp_indirect = 0.0
scene.cycles.caustics_reflective = True
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
    # Distant lamps of a large level only add noise.
    for light in lights:
        is_far = (light.location - camera.matrix_world.translation).length > view.get("lamps", math.inf)
        light.hide_render = light.data.type != "SUN" and is_far
    scene.render.filepath = os.path.join(job["out"], view["name"] + ".exr")
    bpy.ops.render.render(write_still=True)
    # Pixels of an EXR can be read without another library only here.
    image = bpy.data.images.load(scene.render.filepath)
    pixels = numpy.empty(len(image.pixels), numpy.float32)
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(job["size"][1], job["size"][0], 4)[::-1, :, :3]
    numpy.save(view["path"], pixels)
    os.remove(scene.render.filepath)

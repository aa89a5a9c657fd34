"""Contents of the level that a glTF file loses in Blender's export."""

from . import names, scenery

# Types of objects that the exporter writes; curves, texts and similar objects become meshes.
_WRITTEN = {"MESH", "CURVE", "SURFACE", "FONT", "META", "EMPTY", "LIGHT", "CAMERA", "ARMATURE"}
# Material nodes that compute a colour; glTF supports only images and constant colours.
_PROCEDURAL = {
    "TEX_NOISE", "TEX_VORONOI", "TEX_MUSGRAVE", "TEX_WAVE", "TEX_MAGIC", "TEX_CHECKER", "TEX_BRICK", "TEX_GRADIENT",
    "TEX_WHITE_NOISE", "VALTORGB",
}
# Roles of invisible meshes, which may be disabled in Blender.
_UNSEEN = ("portal", "trigger", "bound")


def of(context, things):
    """Pairs of an object and a sentence that describes its missing part. `things`: the exported objects."""
    found = []
    for thing in things:
        found += [(thing, text) for text in _of_object(thing)]
    layer = set(context.view_layer.objects)
    for thing in context.scene.objects:
        if thing not in layer and _is_below_room(thing):
            found.append((thing, "it is in a collection that is excluded from the view layer, and is not exported; include the collection, or delete it"))
    return found


def _is_below_room(thing):
    return thing.type in _WRITTEN and (scenery.room_of(thing) is not None or bool(names.role(thing)))


def _of_object(thing):
    if thing.type not in _WRITTEN:
        yield f"glTF has no objects of the type {thing.type.lower()}; convert it to a mesh, or delete it"
        return
    if thing.type == "LIGHT" and thing.data.type == "AREA":
        yield "glTF has no area lights; make it a point or a spot light"
    if thing.rigid_body is not None and names.role(thing) != "body":
        yield "glTF does not keep Blender's rigid bodies; make it a body of the engine (OpenDoor, Body)"
    if thing.type != "MESH":
        return
    if (thing.hide_viewport or thing.hide_render) and names.role(thing) not in _UNSEEN:
        yield "it is disabled in viewports or renders, but it is exported and solid nevertheless; delete it, or exclude its collection"
    off = [m.name for m in thing.modifiers if not m.show_viewport]
    if off:
        yield f"modifiers that are off in the viewport are not applied: {', '.join(off)}; turn them on, or remove them"
    for material in dict.fromkeys(slot.material for slot in thing.material_slots if slot.material):
        computed = _procedural(material)
        if computed:
            yield f"material {material.name}: glTF does not keep procedural textures ({', '.join(computed)}); bake them into a picture"


def _procedural(material):
    """The labels of the procedural nodes that lead to the material's output."""
    if not material.use_nodes or not material.node_tree:
        return []
    waiting = [n for n in material.node_tree.nodes if n.type == "OUTPUT_MATERIAL" and n.is_active_output]
    known = set()
    while waiting:
        node = waiting.pop()
        if node.name not in known:
            known.add(node.name)
            waiting += [link.from_node for each in node.inputs for link in each.links]
    nodes = material.node_tree.nodes
    return sorted(nodes[name].bl_label for name in known if nodes[name].type in _PROCEDURAL)

"""A fingerprint of all exported data of a scene: scenes with the same fingerprint give the same file."""

import array
import hashlib
import os

import bpy

# Types of objects with a surface that the exporter writes as a mesh.
SURFACES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
# Properties that do not affect the export: Blender's internal data, and the display in editors. A missing entry
# causes an unnecessary export; a wrong entry hides a change.
NOT_EXPORTED = {
    "rna_type", "original", "users", "use_fake_user", "use_extra_user", "is_evaluated", "tag", "session_uid", "preview",
    "asset_data", "override_library", "library_weak_reference", "select", "show_options", "show_preview", "show_texture",
    "show_expanded", "cycles", "location", "location_absolute", "width", "width_hidden", "height", "dimensions", "view_center",
}
# Custom properties written by another renderer, and by the exporter itself during an export.
NOT_CUSTOM = {"cycles", "cycles_visibility", "cycles_curves", "glTF2ExportSettings"}
# Exported as separate objects, or not at all.
OF_SCENE = (bpy.types.Object, bpy.types.Collection, bpy.types.Scene)


def of(context, things, options):
    """The fingerprint of these objects as the exporter writes them with these options."""
    found = _Fingerprint(context.evaluated_depsgraph_get())
    scene = context.scene
    found.add(bpy.app.version, sorted(options.items()), scene.name, scene.render.fps, scene.render.fps_base)
    found.add(scene.frame_start, scene.frame_end, scene.frame_current)
    found.custom(scene)
    instanced = {o for t in things if t.instance_collection for o in t.instance_collection.all_objects}
    for thing in sorted(instanced.union(things), key=lambda t: t.name_full):
        found.thing(thing)
    return found.value()


class _Fingerprint:
    """Hashes values, one after another."""

    def __init__(self, depsgraph):
        self._depsgraph = depsgraph
        self._hash = hashlib.blake2b(digest_size=16)
        # The index of each visited part of the scene.
        self._met = {}

    def value(self):
        return self._hash.hexdigest()

    def add(self, *values):
        """Adds strings, numbers and collections of them."""
        self._hash.update(repr(values).encode())

    def custom(self, thing):
        """Adds the custom properties."""
        for key in sorted(set(thing.keys()) - NOT_CUSTOM):
            value = thing[key]
            for plain in ("to_dict", "to_list"):
                if hasattr(value, plain):
                    value = getattr(value, plain)()
            self.add(key, getattr(value, "name_full", value))

    def thing(self, thing):
        """Adds an object: its type, transform and data."""
        parent, instances = thing.parent, thing.instance_collection
        self.add(thing.name_full, thing.type, parent and parent.name_full, instances and instances.name_full)
        for matrix in (thing.matrix_world, thing.matrix_local):
            self.add([tuple(row) for row in matrix])
        self.custom(thing)
        if thing.animation_data:
            self.part(thing.animation_data)
        if thing.type in SURFACES:
            evaluated = thing.evaluated_get(self._depsgraph)
            mesh = evaluated.to_mesh()
            self.add(thing.data.name_full)
            if mesh:
                self._mesh(mesh)
                for slot in evaluated.material_slots:
                    self.part(slot.material.original if slot.material else None)
                evaluated.to_mesh_clear()
        elif thing.data is not None:
            self.part(thing.data)

    def part(self, part):
        """Adds all properties of a part of the scene, and of the parts that it contains or refers to."""
        if part is None or isinstance(part, OF_SCENE):
            return self.add(None)
        # The first part of a structure has the same address as the structure.
        key = (part.as_pointer(), part.bl_rna.identifier)
        if key in self._met:
            return self.add(self._met[key])
        self._met[key] = len(self._met)
        if isinstance(part, bpy.types.ID):
            self.custom(part)
        if isinstance(part, bpy.types.Image):
            self._image(part)
        for wanted in part.bl_rna.properties:
            if wanted.identifier in NOT_EXPORTED or isinstance(part, bpy.types.Image) and wanted.identifier == "pixels":
                continue
            value = getattr(part, wanted.identifier, None)
            self.add(wanted.identifier)
            if wanted.type == "POINTER":
                self.part(value)
            elif wanted.type == "COLLECTION":
                for each in value or ():
                    self.part(each)
            else:
                self.add(list(value) if getattr(wanted, "is_array", False) else value)
        return None

    def _image(self, image):
        """Adds an image: its file, or its pixels if they exist only in Blender."""
        path = bpy.path.abspath(image.filepath, library=image.library)
        if image.packed_file and not image.is_dirty:
            self._hash.update(image.packed_file.data)
        elif os.path.isfile(path) and not image.is_dirty:
            self.add(stamp(path))
        elif image.has_data:
            pixels = array.array("f", bytes(4 * len(image.pixels)))
            image.pixels.foreach_get(pixels)
            self._hash.update(pixels)

    def _mesh(self, mesh):
        """Adds a mesh: corners, faces, and their attributes."""
        self._all(mesh.vertices, "co", "f", 3)
        self._all(mesh.edges, "use_edge_sharp", "i", 1)
        self._all(mesh.loops, "vertex_index", "i", 1)
        for attribute in ("loop_start", "material_index", "use_smooth"):
            self._all(mesh.polygons, attribute, "i", 1)
        # Blender 4.1 replaced it by a modifier.
        self.add(getattr(mesh, "use_auto_smooth", None), getattr(mesh, "auto_smooth_angle", None))
        if mesh.has_custom_normals:
            if hasattr(mesh, "calc_normals_split"):
                mesh.calc_normals_split()
            self._all(mesh.loops, "normal", "f", 3)
        for layer in mesh.uv_layers:
            self.add(layer.name, layer.active_render)
            self._all(layer.data, "uv", "f", 2)
        self.add(mesh.color_attributes.render_color_index)
        for layer in mesh.color_attributes:
            self.add(layer.name, layer.domain, layer.data_type)
            self._all(layer.data, "color", "f", 4)
        self.custom(mesh)

    def _all(self, items, attribute, kind, width):
        """Adds an attribute of all items, with `width` numbers each."""
        self.add(attribute, len(items))
        values = array.array(kind, bytes(array.array(kind).itemsize * len(items) * width))
        items.foreach_get(attribute, values)
        self._hash.update(values)


def stamp(path):
    """The modification time and the size of a file; None if it does not exist."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size

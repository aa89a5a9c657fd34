"""Operators for objects in rooms: doors, movers, bodies, triggers, switches, spawns, lights."""

import math

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from mathutils import Matrix, Vector

from . import names, openings, properties, scenery

# Depth of a panel's edge in the lining around it, so that no light passes beside it (metres).
INTO_LINING = 0.002
# A thinner mesh is not a solid (metres).
THIN = 1e-4


class OPENDOOR_OT_door(bpy.types.Operator):
    """Hang a door in the active portal: a new panel that fills it, or the other selected mesh"""

    bl_idname = "opendoor.door"
    bl_label = "Door in Portal"
    bl_options = {"REGISTER", "UNDO"}

    handle: EnumProperty(
        name="Handle", items=[("LEFT", "Left", "Hinged on the right"), ("RIGHT", "Right", "Hinged on the left")],
        default="RIGHT", description="Side of the handle, seen from the room that the portal belongs to")
    swing: EnumProperty(
        name="Swings", items=[("AWAY", "Away", "Into the room behind"), ("TOWARDS", "Towards", "Into the portal's own room")],
        default="AWAY", description="Direction in which the door turns, seen from the room that the portal belongs to")
    angle: FloatProperty(name="Angle", default=90.0, min=1.0, max=180.0, description="Angle of the opened door, degrees")
    time: FloatProperty(name="Time", default=0.8, min=0.02, max=3600.0, description="Duration of the whole motion, seconds")
    thickness: FloatProperty(name="Thickness", default=0.04, min=0.005, max=0.3, unit="LENGTH")
    opens: EnumProperty(
        name="Opens", items=[("use", "Use", "When a player uses it (E)"), ("approach", "Approach", "When a player comes near"),
                             ("trigger", "Trigger", "By triggers and switches only")])
    knob: BoolProperty(name="Handle Mesh", default=True, description="Add a handle, drawn but not solid")

    @classmethod
    def poll(cls, context):
        thing = context.active_object
        return context.mode == "OBJECT" and thing is not None and names.role(thing) == "portal" and thing.type == "MESH"

    def execute(self, context):
        portal = context.active_object
        room, corners = scenery.room_of(portal), openings.straightened(openings.portal_corners(portal))
        if room is None or openings.shape_fault(corners):
            self.report({"ERROR"}, "The portal belongs to no room or is no flat convex polygon")
            return {"CANCELLED"}
        panels = [o for o in context.selected_objects if o != portal and o.type == "MESH" and names.role(o) in ("", "door")]
        x, y, z = axes(corners)
        across = [c.dot(x) for c in corners]
        # The hinge is in the face on the side to which the door swings, so that the panel does not turn into the
        # lining.
        hangs_left, away = self.handle == "RIGHT", self.swing == "AWAY"
        face = 0.5 * self.thickness * (1.0 if away else -1.0)
        low = min(c.dot(z) for c in corners)
        at = x * (min(across) if hangs_left else max(across)) + z * low + y * (corners[0].dot(y) + face)
        world = scenery.frame(x, y, z, at)
        angle = self.angle if hangs_left == away else -self.angle
        if panels:
            door = panels[0]
            rehang(door, world, names.stem(portal) or names.stem(door))
            scenery.adopt(door, room)
        else:
            mesh = panel_mesh(corners, y, self.thickness, world.inverted())
            door = scenery.new_object(context, f"{names.stem(portal) or names.stem(room)}-door", mesh, room, world)
        door["motion"], door["axis"], door["angle"], door["time"] = "hinge", "z", angle, self.time
        if self.opens != "use":
            door["opens"] = self.opens
        elif "opens" in door:
            del door["opens"]
        context.view_layer.update()
        if self.knob and not panels:
            knob(context, door, (max(across) - min(across)) * (1.0 if hangs_left else -1.0), -face, self.thickness)
        scenery.select_only(context, door)
        return {"FINISHED"}


def axes(corners):
    """The axes right, ahead and up of a portal, seen from its own room; the up axis of a hatch is its first edge."""
    ahead = openings.normal(corners)
    up = Vector((0, 0, 1)) if abs(ahead.z) < 0.9 else corners[1] - corners[0]
    up = (up - ahead * up.dot(ahead)).normalized()
    return ahead.cross(up), ahead, up


def panel_mesh(corners, out, thickness, local):
    """A prism that fills a polygon and extends slightly into its lining."""
    grown = []
    for a, b, c in zip(corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1]):
        n0, n1 = (b - a).cross(out).normalized(), (c - b).cross(out).normalized()
        grown.append(b + (n0 + n1) * (INTO_LINING / (1.0 + n0.dot(n1))))
    count = len(grown)
    points = [local @ (p + s * 0.5 * thickness * out) for s in (-1.0, 1.0) for p in grown]
    faces = [list(range(count))[::-1], list(range(count, 2 * count))]
    faces += [[k, (k + 1) % count, count + (k + 1) % count, count + k] for k in range(count)]
    return scenery.new_mesh("door", points, faces, material("door", (0.20, 0.09, 0.04)))


def knob(context, door, width, middle, thickness):
    """Adds a handle to both faces of a panel, at the free side, a metre above its lower edge."""
    x = width - math.copysign(0.08, width)
    corners, faces = [], []
    for side in (-1.0, 1.0):
        y0, y1 = sorted((middle + side * (0.5 * thickness - 0.005), middle + side * (0.5 * thickness + 0.05)))
        first = len(corners)
        corners += [(a, b, c) for a in (x - 0.02, x + 0.02) for b in (y0, y1) for c in (0.95, 1.05)]
        box = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
        faces += [[first + k for k in f] for f in box]
    mesh = scenery.new_mesh("handle", corners, faces, material("handle", (0.6, 0.45, 0.2)))
    scenery.new_object(context, "handle-nocol", mesh, door, door.matrix_world.copy())


def material(name, colour):
    """A plain material, visible only from its front; created once."""
    made = bpy.data.materials.get(name)
    if made is None:
        made = bpy.data.materials.new(name)
        made.use_nodes = True
        made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1.0)
        made.diffuse_color = (*colour, 1.0)
        made.use_backface_culling = True
    return made


def rehang(panel, world, name):
    """Moves the origin and axes of a mesh to the hinge, and keeps its points in place."""
    if panel.data.users > 1:
        panel.data = panel.data.copy()
    panel.data.transform(world.inverted() @ panel.matrix_world)
    panel.parent = None
    panel.matrix_world = world
    panel.name = f"{name}-door"


class Marked:
    """Shared part of the operators that give the active mesh a role."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        thing = context.active_object
        return context.mode == "OBJECT" and thing is not None and scenery.room_of(thing) is not None \
            and names.role(thing) in ("", "mover", "body", "spawner", "trigger", "switch")

    def mark(self, context, role):
        thing = context.active_object
        thing.name = f"{names.stem(thing) or role}-{role}"
        return thing


class OPENDOOR_OT_mover(Marked, bpy.types.Operator):
    """Make the active object a mover: a lift, a platform, a turntable"""

    bl_idname = "opendoor.mover"
    bl_label = "Mover"

    motion: EnumProperty(name="Motion", items=[("slide", "Slide", "Moves straight"), ("turn", "Turn", "Turns about its origin")])
    axis: EnumProperty(name="Axis", items=[(a, a.upper(), "") for a in ("z", "x", "y", "-z", "-x", "-y")])
    distance: FloatProperty(name="Distance", default=3.0, min=-1e4, max=1e4, unit="LENGTH")
    angle: FloatProperty(name="Angle", default=360.0, min=-36000.0, max=36000.0, description="Angle of the whole rotation, degrees")
    time: FloatProperty(name="Time", default=3.0, min=0.02, max=3600.0, description="Duration of the whole motion, seconds")
    cycle: EnumProperty(
        name="Cycle", items=[("call", "Call", "Rests at either end until it is started"), ("shuttle", "Shuttle", "Moves back and forth"),
                             ("loop", "Loop", "Continues from the end at the start"), ("return", "Return", "Returns by itself"),
                             ("once", "Once", "Stays at the end")])

    def execute(self, context):
        thing = self.mark(context, "mover")
        thing["motion"], thing["axis"], thing["time"], thing["cycle"] = self.motion, self.axis, self.time, self.cycle
        key, other = ("distance", "angle") if self.motion == "slide" else ("angle", "distance")
        thing[key] = getattr(self, key)
        if other in thing:
            del thing[other]
        return {"FINISHED"}


class OPENDOOR_OT_body(Marked, bpy.types.Operator):
    """Make the active mesh a rigid body, which falls, and which players can push, grab and throw"""

    bl_idname = "opendoor.body"
    bl_label = "Body"

    shape: EnumProperty(
        name="Shape", items=[("hull", "Hull", "The smallest convex solid around the mesh"), ("sphere", "Sphere", "The ball around it"),
                             ("capsule", "Capsule", "The capsule around it, along its longest side"),
                             ("box", "Box", "The box around it, along the object's axes"), ("mesh", "Mesh", "The mesh as it is, which must be closed")])
    weighs: BoolProperty(name="Has a Mass", description="Off: the mass is that of the same volume of wood")
    mass: FloatProperty(name="Mass", default=10.0, min=1e-6, max=1e9, description="Kilograms")
    surface: BoolProperty(name="Has a Surface", description="Off: the material determines friction and bounce")
    friction: FloatProperty(name="Friction", default=0.7, min=0.0, max=100.0, description="Coulomb coefficient")
    bounce: FloatProperty(name="Bounce", default=0.0, min=0.0, max=1.0, description="Coefficient of restitution")

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.active_object.type == "MESH"

    def execute(self, context):
        if self.shape != "mesh" and min(context.active_object.dimensions) < THIN:
            self.report({"ERROR"}, f"{context.active_object.name} is flat: a body has a volume")
            return {"CANCELLED"}
        thing = self.mark(context, "body")
        values = {"shape": self.shape}
        if self.weighs:
            values["mass"] = self.mass
        if self.surface:
            values.update(friction=self.friction, bounce=self.bounce)
        for wanted in properties.BODY:
            if wanted.key in values:
                properties.put(thing, wanted, values[wanted.key])
            elif wanted.key in thing:
                del thing[wanted.key]
        return {"FINISHED"}


class OPENDOOR_OT_spawner(Marked, bpy.types.Operator):
    """Make the active mesh a spawner: copies of it appear at its position as rigid bodies, one after another"""

    bl_idname = "opendoor.spawner"
    bl_label = "Spawner"

    count: IntProperty(name="Count", default=10, min=1, max=1000, description="Number of copies")
    every: FloatProperty(name="Every", default=0.5, min=0.0, max=3600.0, description="Seconds from one copy to the next")
    speed: FloatProperty(name="Speed", default=0.0, min=0.0, max=200.0, description="Initial speed of each copy along its own Y axis, m/s")
    endless: BoolProperty(name="Endless", description="When all copies are in the level, continue with the oldest one")

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.active_object.type == "MESH"

    def execute(self, context):
        thing = self.mark(context, "spawner")
        values = {"count": float(self.count), "every": self.every, "speed": self.speed, "endless": self.endless}
        for wanted in properties.SPAWNER:
            if wanted.key in values:
                properties.put(thing, wanted, values[wanted.key])
        return {"FINISHED"}


# Roles that triggers and switches can target.
TARGETS = ("door", "mover", "portal", "trigger", "switch", "spawner", "body")


class Targeted(Marked):
    """Shared part of triggers and switches."""

    def aim(self, context, role, target):
        thing = self.mark(context, role)
        others = [o.name for o in context.selected_objects if o != thing and names.role(o) in TARGETS]
        thing["target"] = target or ", ".join(names.without_number(n) for n in others)
        if not thing["target"]:
            self.report({"WARNING"}, f"{thing.name} has no target; also select the objects that it starts")
        return thing


class OPENDOOR_OT_trigger(Targeted, bpy.types.Operator):
    """Make the active mesh a trigger, which starts the other selected objects when a player enters it"""

    bl_idname = "opendoor.trigger"
    bl_label = "Trigger"

    target: StringProperty(name="Target", description="Names, with commas between them; empty: the other selected objects")
    once: BoolProperty(name="Once", description="The trigger fires only once")

    def execute(self, context):
        thing = self.aim(context, "trigger", self.target)
        thing["once"] = self.once
        thing.display_type = "WIRE"
        return {"FINISHED"}


class OPENDOOR_OT_switch(Targeted, bpy.types.Operator):
    """Make the active mesh a switch, which starts the other selected objects when a player uses it"""

    bl_idname = "opendoor.switch"
    bl_label = "Switch"

    target: StringProperty(name="Target", description="Names, with commas between them; empty: the other selected objects")

    def execute(self, context):
        self.aim(context, "switch", self.target)
        return {"FINISHED"}


class AtCursor:
    """Shared part of the operators that place an object at the 3D cursor, in the room of the active object."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and bool(scenery.rooms(context.scene))

    def put(self, context, name, data, turned=0.0):
        active = context.active_object
        room = scenery.room_of(active) if active else None
        if room is None:
            room = scenery.rooms(context.scene)[0]
        world = Matrix.Translation(context.scene.cursor.location) @ Matrix.Rotation(turned, 4, "Z")
        made = scenery.new_object(context, name, data, room, world)
        scenery.select_only(context, made)
        return made


class OPENDOOR_OT_spawn(AtCursor, bpy.types.Operator):
    """Put a spawn at the 3D cursor: the character starts on the floor below it, looking along +Y"""

    bl_idname = "opendoor.spawn"
    bl_label = "Spawn"

    name: StringProperty(name="Name", default="player", description="Name of the spawn; a game starts at the one named player")
    turned: FloatProperty(name="Turned", default=0.0, description="Initial view direction, degrees to the left of +Y")

    def execute(self, context):
        made = self.put(context, f"{names.parse(self.name)[1] or 'player'}-spawn", None, math.radians(self.turned))
        made.empty_display_type = "ARROWS"
        return {"FINISHED"}


class OPENDOOR_OT_joint(AtCursor, bpy.types.Operator):
    """Put a joint at the 3D cursor: it connects the selected body to the room, or the active one of two bodies to the other"""

    bl_idname = "opendoor.joint"
    bl_label = "Joint"

    kind: EnumProperty(name="Type", items=[("ball", "Ball", "Rotates about all axes"), ("hinge", "Hinge", "Rotates about the Z axis of the empty"), ("rope", "Rope", "Limits the distance to its length")])

    @classmethod
    def poll(cls, context):
        bodies = [o for o in context.selected_objects if names.role(o) == "body"]
        return super().poll(context) and len(bodies) in (1, 2)

    def execute(self, context):
        bodies = [o for o in context.selected_objects if names.role(o) == "body"]
        bodies.sort(key=lambda body: body != context.active_object)
        made = self.put(context, f"{names.parse(bodies[0].name)[1]}-joint", None)
        made.empty_display_type = "ARROWS"
        made["bodies"] = ", ".join(body.name for body in bodies)
        made["joint"] = self.kind
        return {"FINISHED"}


class OPENDOOR_OT_light(AtCursor, bpy.types.Operator):
    """Put a light at the 3D cursor"""

    bl_idname = "opendoor.light"
    bl_label = "Light"

    kind: EnumProperty(name="Type", items=[("POINT", "Point", "Shines all around"), ("SPOT", "Spot", "Shines downwards"), ("SUN", "Sun", "Shines downwards from far away")])
    power: FloatProperty(name="Power", default=60.0, min=0.0, description="Watts; W/m² for a sun (3 is a clear day's)")
    colour: bpy.props.FloatVectorProperty(name="Colour", subtype="COLOR", size=3, min=0.0, max=1.0, default=(1.0, 0.85, 0.7))
    radius: FloatProperty(name="Radius", default=0.05, min=0.0, max=10.0, description="Metres; shadows of a larger light are softer. A sun has an angle instead")

    def execute(self, context):
        data = bpy.data.lights.new("light", self.kind)
        data.energy, data.color = self.power, self.colour
        if self.kind != "SUN":
            data.shadow_soft_size = self.radius
        self.put(context, "light", data)
        return {"FINISHED"}


CLASSES = (
    OPENDOOR_OT_door, OPENDOOR_OT_mover, OPENDOOR_OT_body, OPENDOOR_OT_spawner, OPENDOOR_OT_trigger, OPENDOOR_OT_switch, OPENDOOR_OT_spawn,
    OPENDOOR_OT_joint, OPENDOOR_OT_light,
)

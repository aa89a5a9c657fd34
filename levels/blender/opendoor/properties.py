"""The custom properties of docs/levels.md: their units and limits, and the operators that set them."""

from dataclasses import dataclass

import bpy
from bpy.props import StringProperty

from . import names


@dataclass(frozen=True)
class Property:
    """A custom property. The type of `default` is that of its values; `choices` are the allowed words of a text."""

    key: str
    default: object
    text: str
    low: float = -1e4
    high: float = 1e4
    choices: tuple = ()


AXES = ("x", "y", "z", "-x", "-y", "-z")
MOTIONS = ("hinge", "slide", "turn", "vanish", "none")

MATERIAL = (
    Property("friction", 0.7, "Coulomb coefficient: a body rests on slopes whose tangent is at most this", 0.0, 1000.0),
    Property("drag", 0.0, "Fraction of a sliding motion that the surface removes, 0 to 1", 0.0, 1.0),
    Property("bounce", 0.0, "Coefficient of restitution, 0 to 1", 0.0, 1.0),
)
SCENE = (
    Property("sky_zenith", (0.16, 0.33, 0.72), "Colour of the sky straight up, linear RGB", 0.0, 1e6),
    Property("sky_horizon", (0.62, 0.74, 0.86), "Colour of the sky all around, linear RGB", 0.0, 1e6),
    Property("sky_ground", (0.19, 0.17, 0.15), "Colour of the sky below, linear RGB", 0.0, 1e6),
    Property("sky_strength", 1.0, "Factor for the colours of the sky", 0.0, 1e6),
    Property("clouds", 0.0, "Part of the sky that clouds cover, 0 to 1", 0.0, 1.0),
    Property("exposure", 0.0, "Exposure compensation of the picture, stops", -20.0, 20.0),
    Property("stiffness", 18, "Substeps of the rigid-body solver in a tick: fewer are faster, more make stacks stiffer", 8, 60),
)
_MOVING = (
    Property("motion", "slide", "How it moves", choices=MOTIONS),
    Property("axis", "z", "Axis of the object about which it turns, or along which it moves", choices=AXES),
    Property("angle", 90.0, "Angle of the rotation, degrees, counter-clockwise seen against the axis", -36000.0, 36000.0),
    Property("distance", 1.0, "Distance of the sliding motion, metres", -1e4, 1e4),
    Property("time", 3.0, "Duration of the whole motion, seconds", 0.0, 3600.0),
    Property("speed", 1.0, "Speed, instead of the time: m/s, or degrees per second for a rotation", 0.001, 1e4),
    Property("ajar", 0.0, "Initial position as a fraction of the whole motion, 0 to 1", 0.0, 1.0),
    Property("cycle", "call", "Behaviour at the ends of the motion", choices=("call", "return", "shuttle", "loop", "once")),
    Property("wait", 1.0, "Wait at an end before the motion continues by itself, seconds", 0.0, 3600.0),
    Property("locked", True, "Only triggers and switches start it"),
    Property("blocked", "reverse", "Reaction to an obstacle that cannot get out of the way", choices=("reverse", "wait", "crush")),
)
_PATH = Property("path", "rail", "Name of the empties along the path, which are visited in the order of their numbers")
_MOVES_WITH = Property("moves_with", "", "Name of another mover or room, with which this one moves")
MOVER = _MOVING + (
    Property("starts", "use", "Cause that starts it", choices=("use", "trigger")), _PATH,
    Property("conveyor", (1.0, 0.0, 0.0), "Velocity of its surface, m/s, along the object's axes", -1000.0, 1000.0), _MOVES_WITH,
)
_FIRING = (
    Property("target", "", "Doors, movers, portals, triggers or switches, with commas between them"),
    Property("delay", 0.0, "Delay between firing and acting, seconds", 0.0, 3600.0),
    Property("wait", 0.0, "Pause after firing, in which it does not fire again, seconds", 0.0, 3600.0),
    Property("once", True, "It fires only once"),
    Property("message", "", "Message to the players when it acts"),
)
BODY = (
    Property("shape", "hull", "Shape for collisions", choices=("hull", "sphere", "capsule", "box", "mesh")),
    Property("mass", 10.0, "Mass, kilograms; the default is that of the same volume of wood", 1e-6, 1e9),
    Property("friction", 0.7, "Coulomb coefficient; the default is that of the material", 0.0, 100.0),
    Property("bounce", 0.0, "Coefficient of restitution, 0 to 1; the default is that of the material", 0.0, 1.0),
)
SPAWNER = BODY + (
    Property("count", 10.0, "Number of copies", 1.0, 1000.0),
    Property("every", 0.5, "Seconds from one copy to the next", 0.0, 3600.0),
    Property("speed", 0.0, "Initial speed of each copy along its own Y axis, m/s", 0.0, 200.0),
    Property("endless", True, "When all copies are in the level, continue with the oldest one"),
)
JOINT = (
    Property("bodies", "", "Names of the constrained body and of the body that it is connected to; without the latter it is connected to the room"),
    Property("joint", "ball", "Allowed motions: all rotations, rotation about the Z axis, or all motions up to a length", choices=("ball", "hinge", "rope")),
    Property("lower_angle", -90.0, "Hinge: lower limit, degrees", -180.0, 0.0),
    Property("upper_angle", 90.0, "Hinge: upper limit, degrees", 0.0, 180.0),
    Property("length", 2.0, "Rope: metres", 0.01, 1000.0),
    Property("damping", 0.2, "Linear and angular damping of the body, 1/s", 0.0, 60.0),
)
# For a property, and its value, the properties that it replaces: with both, the engine uses one and warns about the
# other.
REPLACED = {
    ("motion", "hinge"): ("distance",),
    ("motion", "slide"): ("angle",),
    ("motion", "turn"): ("distance",),
    ("speed", ""): ("time",),
    ("time", ""): ("speed",),
}
OF_ROLE = {
    "portal": (
        Property("two_way", False, "Off: the portal can be passed only out of its room"),
        Property("leads_to", "", "Name of the portal at which one arrives, if it is another one"),
        Property("roll", 0.0, "Angle at which the other room appears through the portal, degrees, clockwise", -360.0, 360.0),
    ),
    "room": (Property("open", True, "The room is outdoors: sunlight enters from all directions"),) + MOVER,
    "door": _MOVING + (Property("opens", "use", "Cause that opens it", choices=("use", "approach", "trigger")),),
    "mover": MOVER,
    "body": BODY,
    "spawner": SPAWNER,
    "joint": JOINT,
    "trigger": _FIRING,
    "switch": _FIRING + (Property("bump", True, "The switch also fires when a player runs against it"),),
}


def owner(context, where):
    """The object, material or scene that has these properties, or None."""
    thing = context.active_object
    if where == "SCENE":
        return context.scene
    return thing if where == "OBJECT" or thing is None else thing.active_material


def table(context, where):
    """The properties that the active object, its material or the scene can have."""
    if where == "SCENE":
        return SCENE
    if where == "MATERIAL":
        return MATERIAL
    thing = context.active_object
    return OF_ROLE.get(names.role(thing), ()) if thing else ()


def put(target, wanted, value):
    """Sets a custom property, with its limits and description."""
    target[wanted.key] = value
    ui = target.id_properties_ui(wanted.key)
    if isinstance(wanted.default, (float, tuple)):
        ui.update(description=wanted.text, min=wanted.low, max=wanted.high, soft_min=wanted.low, soft_max=wanted.high)
    elif isinstance(wanted.default, str):
        # Unless it is passed, Blender 3.4 reads the default of a string from uninitialised memory, and may crash.
        ui.update(description=wanted.text, default=wanted.default)


class OPENDOOR_OT_property_set(bpy.types.Operator):
    """Add this property"""

    bl_idname = "opendoor.property_set"
    bl_label = "Set Property"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    where: StringProperty(default="OBJECT")
    key: StringProperty()
    word: StringProperty(description="One of the allowed words of the property; empty: its default")

    @classmethod
    def description(cls, context, given):
        found = [p.text for p in table(context, given.where) if p.key == given.key]
        return found[0] if found else cls.__doc__

    def execute(self, context):
        target = owner(context, self.where)
        wanted = next((p for p in table(context, self.where) if p.key == self.key), None)
        if target is None or wanted is None or (self.word and self.word not in wanted.choices):
            self.report({"ERROR"}, f"{self.key} {self.word} is no property here")
            return {"CANCELLED"}
        put(target, wanted, self.word or wanted.default)
        for key in REPLACED.get((self.key, target[self.key] if wanted.choices else ""), ()):
            if key in target:
                del target[key]
                self.report({"INFO"}, f"{key} is removed: {self.key} replaces it")
        return {"FINISHED"}


class OPENDOOR_OT_property_clear(bpy.types.Operator):
    """Remove the property, so that its default applies"""

    bl_idname = "opendoor.property_clear"
    bl_label = "Remove Property"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    where: StringProperty(default="OBJECT")
    key: StringProperty()

    def execute(self, context):
        target = owner(context, self.where)
        if target is None or self.key not in target:
            return {"CANCELLED"}
        del target[self.key]
        return {"FINISHED"}


CLASSES = (OPENDOOR_OT_property_set, OPENDOOR_OT_property_clear)

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
    Property("drag", 0.0, "Part of a slide that the surface takes away, 0 to 1", 0.0, 1.0),
    Property("bounce", 0.0, "Coefficient of restitution, 0 to 1", 0.0, 1.0),
)
SCENE = (
    Property("sky_zenith", (0.16, 0.33, 0.72), "Colour of the sky straight up, linear RGB", 0.0, 1e6),
    Property("sky_horizon", (0.62, 0.74, 0.86), "Colour of the sky all around, linear RGB", 0.0, 1e6),
    Property("sky_ground", (0.19, 0.17, 0.15), "Colour of the sky below, linear RGB", 0.0, 1e6),
    Property("sky_strength", 1.0, "Factor of the colours of the sky", 0.0, 1e6),
    Property("exposure", 0.0, "How much brighter the picture is to be, in stops", -20.0, 20.0),
    Property("stiffness", 18, "Substeps of the solver of rigid bodies in a tick: fewer are faster, more make stacks stiffer", 8, 60),
)
_MOVING = (
    Property("motion", "slide", "How it moves", choices=MOTIONS),
    Property("axis", "z", "Axis of the object that it turns about or moves along", choices=AXES),
    Property("angle", 90.0, "Degrees that it turns, counter-clockwise seen against the axis", -36000.0, 36000.0),
    Property("distance", 1.0, "Metres that it slides", -1e4, 1e4),
    Property("time", 3.0, "Seconds for the whole way", 0.0, 3600.0),
    Property("speed", 1.0, "Instead of the time: m/s, or degrees a second of what turns", 0.001, 1e4),
    Property("ajar", 0.0, "Part of its way at which it stands at first, 0 to 1", 0.0, 1.0),
    Property("cycle", "call", "What it does at the ends of its way", choices=("call", "return", "shuttle", "loop", "once")),
    Property("wait", 1.0, "Seconds that it waits at an end before it goes on by itself", 0.0, 3600.0),
    Property("locked", True, "Only triggers and switches set it going"),
    Property("blocked", "reverse", "What it does when something in its way cannot get out", choices=("reverse", "wait", "crush")),
)
_PATH = Property("path", "rail", "Name of the empties that it goes to, in the order of their numbers")
_MOVES_WITH = Property("moves_with", "", "Name of another mover or room; it goes as that one does")
MOVER = _MOVING + (
    Property("starts", "use", "What sets it going", choices=("use", "trigger")), _PATH,
    Property("conveyor", (1.0, 0.0, 0.0), "Velocity of its surface, m/s, along the object's axes", -1000.0, 1000.0), _MOVES_WITH,
)
_FIRING = (
    Property("target", "", "Doors, movers, portals, triggers or switches, with commas between them"),
    Property("delay", 0.0, "Seconds from when it fires to when it acts", 0.0, 3600.0),
    Property("wait", 0.0, "Seconds after it fired in which it does not fire again", 0.0, 3600.0),
    Property("once", True, "It fires only once"),
    Property("message", "", "What players are told when it acts"),
)
BODY = (
    Property("shape", "hull", "What it collides as", choices=("hull", "sphere", "capsule", "box", "mesh")),
    Property("mass", 10.0, "Kilograms; without it wood of its volume", 1e-6, 1e9),
    Property("friction", 0.7, "Coulomb coefficient; without it that of its material", 0.0, 100.0),
    Property("bounce", 0.0, "Coefficient of restitution, 0 to 1; without it that of its material", 0.0, 1.0),
)
SPAWNER = BODY + (
    Property("count", 10.0, "How many copies it brings", 1.0, 1000.0),
    Property("every", 0.5, "Seconds from one copy to the next", 0.0, 3600.0),
    Property("speed", 0.0, "Speed at which each begins along its own Y axis, m/s", 0.0, 200.0),
    Property("endless", True, "When all are there, it goes on with the one that it brought first"),
)
JOINT = (
    Property("bodies", "", "Names of the body that it holds, and of the body that it holds that to; without the latter, to the room"),
    Property("joint", "ball", "Which motions it allows: all turns, turns about its Z axis, or all up to a length", choices=("ball", "hinge", "rope")),
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
    "portal": (Property("two_way", False, "Off: it is a way out only"),),
    "room": (Property("open", True, "It lies in the open: the sun comes in from everywhere"),) + MOVER,
    "door": _MOVING + (Property("opens", "use", "What opens it", choices=("use", "approach", "trigger")),),
    "mover": MOVER,
    "body": BODY,
    "spawner": SPAWNER,
    "joint": JOINT,
    "trigger": _FIRING,
    "switch": _FIRING + (Property("bump", True, "Running against it fires it too"),),
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
    """Give it this property"""

    bl_idname = "opendoor.property_set"
    bl_label = "Set Property"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    where: StringProperty(default="OBJECT")
    key: StringProperty()
    word: StringProperty(description="One of the words that the property may be; empty: its default")

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
                self.report({"INFO"}, f"{key} is removed: {self.key} takes its place")
        return {"FINISHED"}


class OPENDOOR_OT_property_clear(bpy.types.Operator):
    """Remove the property: the default holds"""

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

"""The naming convention: the suffix of an object's name determines its role (docs/levels.md)."""

import re

ROLES = (
    "room", "roomgroup", "portal", "bound", "colonly", "nocol", "sky", "spawn", "door", "mover", "body", "trigger",
    "switch", "spawner", "joint",
)


def without_number(name):
    """The name without the `.001` with which Blender keeps names unique."""
    return re.sub(r"\.\d{3,}$", "", name)


def parse(name):
    """The role of an object, "" for a plain object, and its name without the suffix and all ignored parts."""
    name = without_number(name.strip())
    found = _split(name)
    if not found and "*" in name:
        found = _split(without_number(name.rsplit("*", 1)[0]))
    base, role = found or (name, "")
    return role, without_number(base.split("*", 1)[0].strip())


def role(thing):
    """The role of an object of the scene."""
    return parse(thing.name)[0]


def stem(thing):
    """The name of an object without its suffix."""
    return parse(thing.name)[1]


def _split(name):
    base, dash, suffix = name.rpartition("-")
    return (base, suffix.lower()) if dash and suffix.lower() in ROLES else None

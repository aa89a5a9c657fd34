"""Tests of the add-on, in the order in which they run."""

from . import rooms, portals, things, checking, exporting, playing, package  # noqa: F401
from .common import TESTS, ZIP  # noqa: F401

#!/usr/bin/env python3
"""Packs the add-on: package.py [OUT.zip]. The same files give the same zip, byte for byte.

The zip is for every version of Blender: up to 4.1 it is installed as an add-on (Preferences, Add-ons, Install), from 4.2 on
as an extension (Preferences, Get Extensions, Install from Disk).
"""

import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def pack(out):
    """Writes the zip to a path."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((HERE / "opendoor").iterdir()):
            if path.suffix not in (".py", ".toml"):
                continue
            entry = zipfile.ZipInfo(f"opendoor/{path.name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, path.read_bytes())


if __name__ == "__main__":
    pack(sys.argv[1] if len(sys.argv) > 1 else "opendoor-blender.zip")

"""Robots of makers, from the package example-robot-data: the extra `robots` installs it."""

import importlib.metadata
import os
from functools import cache
from pathlib import Path

import pytest

from footfall.plants.repair import repair_urdf

_PACKAGE = "example-robot-data"


@cache
def _files():
    try:
        found = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    return {file.name: Path(str(file.locate())) for file in found if file.suffix == ".urdf"}


def robot(name, folder=None):
    """Path of a robot's URDF; repaired into a folder if one is given.

    Skips the test without the package, or fails when FOOTFALL_REQUIRE_ROBOTS is 1.
    """
    if not _files():
        message = f"{_PACKAGE} is not installed: pip install 'footfall[robots]'"
        if os.environ.get("FOOTFALL_REQUIRE_ROBOTS") == "1":
            pytest.fail(f"{message}, and FOOTFALL_REQUIRE_ROBOTS=1")
        pytest.skip(message)
    path = _files()[f"{name}.urdf"]
    return str(path if folder is None else repair_urdf(path, folder).file)

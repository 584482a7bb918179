"""Starting Drake's Meshcat where nobody else finds it."""

import logging
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydrake.geometry import Meshcat, MeshcatParams

from footfall.errors import RunError

_PORTS = 1024, 32767  # below those that systems give to connections
_TRIES = 5


def start_meshcat() -> Meshcat:
    """Start a Meshcat server on this machine only, at an address that cannot be guessed.

    Meshcat lets everybody in who reaches its port, and ends the program for a message that it
    cannot read. Any page in a browser of this machine reaches "localhost", but it does not find one
    of the 2^24 addresses of this machine that Linux has, and one of its ports. Raises RunError if
    it cannot start.
    """
    with _quiet():
        for _ in range(_TRIES):
            parameters = MeshcatParams(host=_loopback(), port=_port(), show_stats_plot=False)
            try:
                meshcat = Meshcat(parameters)
            except RuntimeError as error:  # where another program has the port
                reason = " ".join(str(error).split())
                with Path(os.devnull).open(), Path(os.devnull).open():  # or no open files are left
                    continue
            set_scene(meshcat)
            return meshcat
    raise RunError(f"Meshcat cannot start on this machine ({reason}): does it have a network?")


def _loopback() -> str:
    """Return an address of this machine, any of them where all below 127.0.0.0/8 are its own."""
    if sys.platform != "linux":
        return "localhost"
    return ".".join(
        str(each) for each in (127, *secrets.token_bytes(2), 1 + secrets.randbelow(254))
    )


def _port() -> int:
    lowest, highest = _PORTS
    return lowest + secrets.randbelow(highest - lowest + 1)


def set_scene(meshcat: Meshcat) -> None:
    """Light the scene evenly along a long way, on a plain background without grid and axes.

    Meshcat's own lights stand at the origin and leave the rest dark; its grid cuts through
    inclined ground.
    """
    for path in ("/Grid", "/Axes", "/Lights/PointLightNegativeX", "/Lights/PointLightPositiveX"):
        meshcat.SetProperty(path, "visible", value=False)
    meshcat.SetProperty("/Background/<object>", "top_color", _SKY)
    meshcat.SetProperty("/Background/<object>", "bottom_color", _HAZE)
    meshcat.SetProperty("/Lights/AmbientLight/<object>", "intensity", 1.5)
    meshcat.SetProperty("/Lights/FillLight/<object>", "intensity", 2.0)
    meshcat.SetProperty("/Lights/FillLight/<object>", "position", _SUN)


_SKY, _HAZE = [0.87, 0.91, 0.96], [0.97, 0.97, 0.96]
# direction of the light, in the axes of three.js (y up): from the side of the camera and above
_SUN = [-6.0, 14.0, 9.0]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Drake from announcing the address: who asked for Meshcat tells it in its own words."""
    logger = logging.getLogger("drake")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)

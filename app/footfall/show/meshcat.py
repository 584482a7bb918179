"""Starting Drake's Meshcat so that nobody else on the network sees it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pydrake.geometry import Meshcat, MeshcatParams

from footfall.errors import RunError

LOWEST_PORT, HIGHEST_PORT = 1024, 65535


def start_meshcat(port: int | None = None) -> Meshcat:
    """Start a Meshcat server on localhost only.

    port: None takes the first free one from 7000. Raises RunError for one that is taken or out of
    range.
    """
    if port is not None and not LOWEST_PORT <= port <= HIGHEST_PORT:
        raise RunError(
            f"port {port} cannot be used: choose one from {LOWEST_PORT} to {HIGHEST_PORT}."
        )
    with _quiet():
        try:
            meshcat = Meshcat(MeshcatParams(host="localhost", port=port, show_stats_plot=False))
        except RuntimeError as error:
            taken = "no port from 7000 to 7999 is free" if port is None else f"port {port} is taken"
            raise RunError(
                f"Meshcat cannot start, {taken}: choose another, or stop the program that uses it."
            ) from error
    set_scene(meshcat)
    return meshcat


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

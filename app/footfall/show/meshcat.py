"""Starting Drake's Meshcat so that nobody else on the network sees it."""

from pydrake.geometry import Meshcat, MeshcatParams, Rgba

from footfall.errors import RunError

LOWEST_PORT, HIGHEST_PORT = 1024, 65535


def start_meshcat(port: int | None = None) -> Meshcat:
    """Start a Meshcat server on localhost, at the port given or (None) the first free one from 7000.

    Raises RunError for a port that is taken or none.
    """
    if port is not None and not LOWEST_PORT <= port <= HIGHEST_PORT:
        message = f"port {port} cannot be used: choose one from {LOWEST_PORT} to {HIGHEST_PORT}, or leave it out."
        raise RunError(message)
    try:
        meshcat = Meshcat(MeshcatParams(host="localhost", port=port, show_stats_plot=False))
    except RuntimeError as error:
        taken = "no port from 7000 to 7999 is free" if port is None else f"port {port} is taken"
        message = f"Meshcat cannot start, {taken}: choose another with --port, or stop the program that uses it."
        raise RunError(message) from error
    plain_background(meshcat)
    return meshcat


def plain_background(meshcat: Meshcat) -> None:
    """Hide the grid and axes of Meshcat, which cut through inclined ground; light background."""
    meshcat.SetProperty("/Grid", "visible", value=False)
    meshcat.SetProperty("/Axes", "visible", value=False)
    meshcat.SetProperty("/Background/<object>", "top_color", list(_rgb(SKY)))
    meshcat.SetProperty("/Background/<object>", "bottom_color", list(_rgb(HAZE)))


SKY = Rgba(0.87, 0.91, 0.96)
HAZE = Rgba(0.97, 0.97, 0.96)


def _rgb(colour: Rgba) -> tuple[float, float, float]:
    return colour.r(), colour.g(), colour.b()

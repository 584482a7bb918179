"""Colours that tell runs apart, also for colour-blind eyes (Okabe and Ito).

A run keeps its colour in every figure.
"""

from pydrake.geometry import Rgba

RUN_COLOURS = ("#0072B2", "#D55E00", "#444444", "#CC79A7", "#E69F00", "#56B4E9", "#009E73")

TRACE_COLOURS = ("#CC2F7B", "#3A3A3A", "#0FA3B1", "#7B5BA6", "#B08D00")  # none is an arrow's

PUSH_COLOUR, TWIST_COLOUR = "#5B2BE0", "#C81E6E"  # forces and torques that are applied to links


def run_colour(index: int) -> str:
    """Colour of the run at a place in the list of runs, as #rrggbb."""
    return RUN_COLOURS[index % len(RUN_COLOURS)]


def trace_colour(index: int) -> str:
    """Colour of a point's path by its place among the points that are traced, as #rrggbb."""
    return TRACE_COLOURS[index % len(TRACE_COLOURS)]


def from_rgba(colour: Rgba) -> str:
    """#rrggbb of a colour of Drake's."""
    parts = (round(255.0 * part) for part in (colour.r(), colour.g(), colour.b()))
    return "#" + "".join(f"{part:02x}" for part in parts)


def to_rgba(colour: str, alpha: float = 1.0) -> Rgba:
    """Drake's form of #rrggbb."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
    return Rgba(red, green, blue, alpha)

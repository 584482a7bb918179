"""Lines of a sketch in a panel: arrows, angles, dimensions; places are x + 1j z."""

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes

THIN: dict[str, Any] = {"linewidth": 0.9, "color": "#38383f"}
DASHED: dict[str, Any] = {**THIN, "linestyle": (0, (4, 3))}
_LETTERS: dict[str, Any] = {"fontsize": 10}
_BESIDE = 10.0  # points, from an arrow to the middle of its letter
_AWAY = 0.18  # of the radius of an arc, to its letter


def arrow(panel: Axes, begin: complex, end: complex, name: str, colour: str = "black") -> None:
    """An arrow with its letter at the tip."""
    _line(panel, begin, end, {"arrowstyle": "->", "linewidth": 1.3, "color": colour})
    at = (end.real, end.imag)
    panel.annotate(name, at, (5, 5), textcoords="offset points", color=colour, **_LETTERS)


def force(panel: Axes, begin: complex, end: complex, name: str, colour: str) -> None:
    """An arrow with its letter to the right of it, seen along it."""
    _line(panel, begin, end, {"arrowstyle": "-|>", "linewidth": 1.5, "color": colour})
    beside = -1j * _BESIDE * (end - begin) / abs(end - begin) if end != begin else 0j
    place, offset = 0.4 * begin + 0.6 * end, (beside.real, beside.imag)
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": colour, **_LETTERS}
    at = (place.real, place.imag)
    panel.annotate(name, at, offset, textcoords="offset points", **style)


def arc(
    panel: Axes, centre: complex, radius: float, begin: float, end: float, name: str = ""
) -> None:
    """An angle from begin to end [rad], with its letter beyond the middle."""
    turn = centre + radius * np.exp(1j * np.linspace(begin, end, 40))
    panel.plot(turn.real, turn.imag, **THIN)
    if name:
        _letter(panel, centre + (1.0 + _AWAY) * radius * np.exp(0.5j * (begin + end)), name)


def dimension(panel: Axes, begin: complex, end: complex, aside: complex, name: str) -> None:
    """A line with two heads beside a stretch, moved aside, with its letter beyond."""
    a, b = begin + aside, end + aside
    _line(panel, a, b, {"arrowstyle": "<->", "linewidth": 0.9, "color": THIN["color"]})
    beyond = 0.14 * math.hypot((b - a).real, (b - a).imag) * aside / abs(aside)
    _letter(panel, 0.5 * (a + b) + beyond, name)


def _line(panel: Axes, begin: complex, end: complex, style: dict[str, Any]) -> None:
    """A line with heads, which may reach beyond the panel."""
    ends = (end.real, end.imag), (begin.real, begin.imag)
    panel.annotate("", *ends, arrowprops=style, annotation_clip=False)


def _letter(panel: Axes, place: complex, name: str) -> None:
    at = (place.real, place.imag)
    panel.annotate(name, at, ha="center", va="center", **_LETTERS)

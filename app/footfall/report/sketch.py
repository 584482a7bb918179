"""Lines of a sketch in a panel: arrows, angles, dimensions; places are x + 1j z."""

import math
from typing import Any

import numpy as np

from footfall.report.charts.panel import Panel

THIN: dict[str, Any] = {"linewidth": 0.9, "color": "#38383f"}
DASHED: dict[str, Any] = {**THIN, "linestyle": (0, (4, 3))}
_LETTERS: dict[str, Any] = {"fontsize": 10}
_BESIDE = 10.0  # points, from an arrow to the middle of its letter
_AWAY = 0.18  # of the radius of an arc, to its letter


def arrow(panel: Panel, begin: complex, end: complex, name: str, colour: str = "black") -> None:
    """An arrow with its letter at the tip."""
    panel.arrow(_xz(begin), _xz(end), linewidth=1.3, color=colour)
    panel.annotate(name, _xz(end), (5, 5), color=colour, **_LETTERS)


def force(panel: Panel, begin: complex, end: complex, name: str, colour: str) -> None:
    """An arrow with its letter to the right of it, seen along it."""
    panel.arrow(_xz(begin), _xz(end), linewidth=1.5, color=colour)
    beside = -1j * _BESIDE * (end - begin) / abs(end - begin) if end != begin else 0j
    place, offset = 0.4 * begin + 0.6 * end, (beside.real, beside.imag)
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": colour, **_LETTERS}
    panel.annotate(name, _xz(place), offset, **style)


def arc(
    panel: Panel, centre: complex, radius: float, begin: float, end: float, name: str = ""
) -> None:
    """An angle from begin to end [rad], with its letter beyond the middle."""
    turn = centre + radius * np.exp(1j * np.linspace(begin, end, 40))
    panel.plot(turn.real, turn.imag, **THIN)
    if name:
        _letter(panel, centre + (1.0 + _AWAY) * radius * np.exp(0.5j * (begin + end)), name)


def dimension(panel: Panel, begin: complex, end: complex, aside: complex, name: str) -> None:
    """A line with two heads beside a stretch, moved aside, with its letter beyond."""
    a, b = begin + aside, end + aside
    panel.arrow(_xz(a), _xz(b), heads=2, **THIN)
    beyond = 0.14 * math.hypot((b - a).real, (b - a).imag) * aside / abs(aside)
    _letter(panel, 0.5 * (a + b) + beyond, name)


def _letter(panel: Panel, place: complex, name: str) -> None:
    panel.annotate(name, _xz(place), ha="center", va="center", **_LETTERS)


def _xz(place: complex) -> tuple[float, float]:
    return place.real, place.imag

"""Contents of a panel, as ``charts.js`` reads it: marks with their looks, scales, legends."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from matplotlib.colors import to_hex, to_rgba

from footfall.arrays import Array

MARKERS = (".", "o", "x", "+", "s", "D", "d", "^", "v", "<", ">", "*", "P", "X", "|", "_")
CYCLE = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f")
"""Colours of the lines of a panel that are given none, one after the other."""
_DASHES: Mapping[str, Sequence[float]] = {
    "-": (),
    "--": (3.7, 1.6),
    ":": (1.0, 1.65),
    "-.": (6.4, 1.6, 1.0, 1.6),
}
"""Lengths on and off, over the width of the line."""
_NOTHING = {"", " ", "none", "None"}
BEFORE = 2.0
"""Order of lines from behind to the front."""
_WIDTH, _SIZE, _EDGE = 1.3, 6.0, 1.0  # points: a line, a marker, the edge of an area

Kind = Literal["line", "area", "text"]
Axis = Literal["x", "y"]
Ends = tuple[float, float]
Shares = tuple[bool, bool]
"""Which coordinates are shares of the panel."""
Look = dict[str, Any]
"""stroke, fill, face, edge: #rrggbb; width, size, dashes: points; marker; alpha."""


def line_look(
    *,
    color: Any,  # noqa: ANN401 (as matplotlib has colours)
    linewidth: float = _WIDTH,
    linestyle: Any = "-",  # noqa: ANN401 (a word, or offset and lengths)
    marker: str = "",
    markersize: float = _SIZE,
    markerfacecolor: Any = None,  # noqa: ANN401
    markeredgecolor: Any = None,  # noqa: ANN401
    alpha: float | None = None,
) -> Look:
    """Return the look of a line with its markers; raises ValueError for an unknown word."""
    look: Look = {}
    dashes = _dashes(linestyle)
    if dashes is not None:
        look = _stroke(color, linewidth, alpha)
        if look and dashes:
            look["dashes"] = [round(float(one * linewidth), 2) for one in dashes]
    if marker in _NOTHING:
        return look
    if marker not in MARKERS:
        raise ValueError(f"marker {marker!r}: choose one of {' '.join(MARKERS)}")
    size = markersize * (0.5 if marker == "." else 1.0)
    look |= {"marker": "o" if marker == "." else marker, "size": round(float(size), 2)}
    for part, own in (("face", markerfacecolor), ("edge", markeredgecolor)):
        seen = _colour(color if own is None else own)
        if seen is not None:
            look[part] = seen[0]
    return look | _opacity(1.0 if alpha is None else alpha)


def area_look(
    *,
    color: Any = None,  # noqa: ANN401
    facecolor: Any = None,  # noqa: ANN401
    edgecolor: Any = None,  # noqa: ANN401
    linewidth: float = _EDGE,
    alpha: float | None = None,
) -> Look:
    """Return the look of an area; color: of both its face and its edge."""
    face, edge = (color if own is None else own for own in (facecolor, edgecolor))
    seen = _colour(face)
    look = {} if seen is None else {"fill": seen[0]} | _opacity(alpha_of(seen[1], alpha))
    return look | _stroke(edge, linewidth, alpha)


def alpha_of(own: float, alpha: float | None) -> float:
    """Return the opacity of a colour, or the one that is given besides."""
    return own if alpha is None else alpha


def _stroke(colour: Any, width: float, alpha: float | None) -> Look:  # noqa: ANN401
    """Return the look of a line or an edge; nothing where it is not seen."""
    seen = _colour(colour)
    if seen is None or width <= 0.0:
        return {}
    look: Look = {"stroke": seen[0], "width": round(float(width), 2)}
    return look | _opacity(alpha_of(seen[1], alpha))


def _dashes(style: Any) -> Sequence[float] | None:  # noqa: ANN401
    """Return lengths of dashes over the width of a line, none of a full one; None for no line."""
    if not isinstance(style, str):
        return tuple(style[1] or ())
    return None if style in _NOTHING else _DASHES[style]


def _colour(colour: Any) -> tuple[str, float] | None:  # noqa: ANN401
    """Return a colour as #rrggbb with its opacity; None for one that is not seen."""
    if colour is None or (isinstance(colour, str) and colour in _NOTHING):
        return None
    rgba = to_rgba(colour)
    return (to_hex(rgba), round(rgba[3], 3)) if rgba[3] > 0.0 else None


def _opacity(alpha: float) -> Look:
    return {"alpha": round(float(alpha), 3)} if alpha < 1.0 else {}


@dataclass(frozen=True, eq=False)
class Mark:
    """Lines, areas or words in a panel.

    x, y: (n,), in units of the axes, or as shares of the panel where ``shares`` says so; NaN parts
    pieces of a line, and areas. style: what ``charts.js`` reads. label: in the legend, or empty.
    order: how far in front it is. counts: whether axes reach around it.
    """

    kind: Kind
    x: Array
    y: Array
    style: Look
    label: str = ""
    shares: Shares = (False, False)
    order: float = BEFORE
    counts: bool = True

    def __post_init__(self) -> None:
        """Refuse coordinates that do not belong together."""
        if self.x.shape != self.y.shape or self.x.ndim != 1:
            raise ValueError(f"x and y of a mark have the shapes {self.x.shape} and {self.y.shape}")

    @cached_property
    def ends(self) -> Mapping[Axis, Ends]:
        """Least and largest x and y of its points, which panels that share an axis ask for often.

        Infinite ends where no point is known.
        """
        known = np.isfinite(self.x) & np.isfinite(self.y)
        return {"x": _ends(self.x[known]), "y": _ends(self.y[known])}

    def ends_above_zero(self, axis: Axis) -> Ends:
        """The same of the points that a logarithmic axis shows."""
        values = self.x if axis == "x" else self.y
        return _ends(values[np.isfinite(self.x) & np.isfinite(self.y) & (values > 0.0)])


def _ends(values: Array) -> Ends:
    return float(values.min(initial=math.inf)), float(values.max(initial=-math.inf))


@dataclass(frozen=True)
class Entry:
    """A line of a legend: words, and the look of what they mean."""

    label: str
    kind: Kind
    style: Look


@dataclass(frozen=True)
class Scale:
    """An axis: its label, its two ends, whether it is logarithmic, and its ticks if they are fixed.

    ticks: place and text of each.
    """

    label: str
    low: float
    high: float
    log: bool = False
    ticks: Sequence[tuple[float, str]] | None = None

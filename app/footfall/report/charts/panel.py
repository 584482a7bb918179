"""A panel as data: axes with lines, areas and words, which the page and matplotlib draw alike.

Methods have matplotlib's names and words, so that whoever has plotted knows them; what they are
given stays as it is, and a renderer decides what can be told apart.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, stretches
from footfall.report.charts.looks import (
    BEFORE,
    CYCLE,
    Axis,
    Ends,
    Entry,
    Kind,
    Look,
    Mark,
    Scale,
    Shares,
    area_look,
    line_look,
)

Numbers = npt.ArrayLike

TIME = "time [s]"
"""Label of the axis along which a page shows where its animation is."""
_MARGIN = 0.05  # of the extent of the data, beyond either end
_SAME = 1e-15  # of the larger one: values that are nearer are one
_CURVE = 100  # corners of a circle
_BEHIND, _WORDS = 1.0, 3.0  # how far in front areas and words are
_PARTED = np.array([[np.nan, np.nan]])
_ALIGNED = {"left": "start", "center": "middle", "right": "end"}
_RAISED = {"top": "hanging", "center": "central", "bottom": "auto", "baseline": "auto"}


class _Axis:
    """An axis while its panel is filled."""

    def __init__(self) -> None:
        self.label = ""
        self.log = False
        self.ends: Ends | None = None
        self.margin = _MARGIN
        self.grid = True
        self.ticks: list[tuple[float, str]] | None = None


class Panel:
    """Axes with what is drawn in them; one of a `Chart`."""

    def __init__(self, chart: "Chart", row: int, column: int) -> None:
        """Begin without anything, in a cell of a chart."""
        self.chart, self.row, self.column = chart, row, column
        self.title = ""
        self.visible = True
        self.equal = False
        self.bare = False
        self.marks: list[Mark] = []
        self.legend_entries: list[Entry] = []
        self.axes: Mapping[Axis, _Axis] = {"x": _Axis(), "y": _Axis()}
        self._uncoloured = 0

    # lines

    def plot(
        self,
        x: Numbers,
        y: Numbers,
        dots: str = "",
        /,
        *,
        label: str | None = "",
        zorder: float = BEFORE,
        shares: Shares = (False, False),
        **look: Any,  # noqa: ANN401 (as of `line_look`)
    ) -> None:
        """Draw a line through x and y (n,), with markers if named; dots: a marker alone."""
        own = (
            np.atleast_1d(np.asarray(x, dtype=np.float64)),
            np.atleast_1d(np.asarray(y, dtype=np.float64)),
        )
        if dots:
            look = {"linestyle": "", "marker": dots} | look
        if "color" not in look:
            look["color"] = CYCLE[self._uncoloured % len(CYCLE)]
            self._uncoloured += 1
        style = line_look(**look)
        self._add("line", *own, style, label, order=zorder, shares=shares)

    def axhline(self, y: float = 0.0, **look: Any) -> None:  # noqa: ANN401
        """Draw a line across."""
        self.plot([0.0, 1.0], [y, y], shares=(True, False), **look)

    def axvline(self, x: float = 0.0, **look: Any) -> None:  # noqa: ANN401
        """Draw a line upwards."""
        self.plot([x, x], [0.0, 1.0], shares=(False, True), **look)

    def arrow(
        self,
        begin: Sequence[float],
        end: Sequence[float],
        *,
        heads: int = 1,
        **look: Any,  # noqa: ANN401
    ) -> None:
        """Draw an arrow from begin to end; heads: 1 at its end, 2 at both."""
        x, y = np.array([begin, end], dtype=np.float64).T
        style = line_look(**look) | {"heads": heads}
        self._add("line", x, y, style, order=BEFORE, shares=(False, False))

    # areas

    def fill_between(
        self,
        x: Numbers,
        y1: Numbers,
        y2: Numbers = 0.0,
        **look: Any,  # noqa: ANN401 (as of `area_look`)
    ) -> None:
        """Fill the room between two curves over x (n,); NaN parts it."""
        places = np.asarray(x, dtype=np.float64)
        curves = [np.broadcast_to(np.asarray(y, dtype=np.float64), places.shape) for y in (y1, y2)]
        known = np.isfinite(places) & np.isfinite(curves[0]) & np.isfinite(curves[1])
        self.polygons(
            [
                np.column_stack(
                    (
                        np.concatenate((places[a:b], places[a:b][::-1])),
                        np.concatenate((curves[0][a:b], curves[1][a:b][::-1])),
                    )
                )
                for a, b in stretches(known)
            ],
            **look,
        )

    def polygons(
        self,
        corners: Sequence[Array],
        *,
        label: str | None = "",
        zorder: float = _BEHIND,
        shares: Shares = (False, False),
        counts: bool = True,
        **look: Any,  # noqa: ANN401
    ) -> None:
        """Fill areas with corners (k, 2) each."""
        parted = [part for each in corners for part in (_PARTED, np.asarray(each))][1:]
        whole = np.vstack(parted) if parted else np.empty((0, 2))
        x, y = whole.T
        style = area_look(**look)
        self._add("area", x, y, style, label, order=zorder, shares=shares, counts=counts)

    def circle(self, centre: Numbers, radius: float, **look: Any) -> None:  # noqa: ANN401
        """Fill a circle."""
        turn = np.linspace(0.0, 2.0 * math.pi, _CURVE, endpoint=False)
        rim = radius * np.column_stack((np.cos(turn), np.sin(turn)))
        self.polygons([np.asarray(centre) + rim], **look)

    def axhspan(self, low: float, high: float, **look: Any) -> None:  # noqa: ANN401
        """Fill the room between two heights."""
        corners = np.array([[0.0, low], [1.0, low], [1.0, high], [0.0, high]])
        self.polygons([corners], shares=(True, False), **look)

    def axvspans(self, spans: Sequence[Ends], **look: Any) -> None:  # noqa: ANN401
        """Fill the room between two places each."""
        corners = [np.array([[a, 0.0], [b, 0.0], [b, 1.0], [a, 1.0]]) for a, b in spans]
        self.polygons(corners, shares=(False, True), **look)

    def broken_barh(self, bars: Sequence[Ends], place: Ends, **look: Any) -> None:  # noqa: ANN401
        """Draw bars along x, (start, length) each, at a place (low, height) of y."""
        low, high = place[0], place[0] + place[1]
        self.polygons(
            [np.array([[a, low], [a + d, low], [a + d, high], [a, high]]) for a, d in bars], **look
        )

    # words

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        offset: Ends = (0.0, 0.0),
        ha: str = "left",
        va: str = "baseline",
        color: Any = "black",  # noqa: ANN401
        fontsize: float = 10.0,
        fontweight: str = "normal",
        zorder: float = _WORDS,
        shares: Shares = (False, False),
    ) -> None:
        """Write words at x and y, moved by an offset to the right and up [points]."""
        look = area_look(facecolor=color) | {
            "text": words,
            "size": round(float(fontsize), 1),
            "bold": fontweight == "bold",
            "align": _ALIGNED[ha],
            "raise": _RAISED[va],
            "offset": [float(each) for each in offset],
        }
        if shares[1] and y >= 1.0:  # above the panel, which a page would cut off
            y, look["raise"] = 0.985, _RAISED["top"]
        at_x, at_y = np.array([float(x)]), np.array([float(y)])
        self._add("text", at_x, at_y, look, order=zorder, shares=shares, counts=False)

    def annotate(
        self,
        words: str,
        at: Sequence[float],
        offset: Ends = (0.0, 0.0),
        **look: Any,  # noqa: ANN401 (as of `text`)
    ) -> None:
        """Write words beside a point."""
        self.text(float(at[0]), float(at[1]), words, offset=offset, **look)

    def _add(
        self,
        kind: Kind,
        x: Array,
        y: Array,
        style: Look,
        label: str | None = "",
        *,
        order: float,
        shares: Shares,
        counts: bool = True,
    ) -> None:
        shown = label if label and not label.startswith("_") else ""
        self.marks.append(Mark(kind, x, y, style, shown, shares, order, counts))

    # axes

    def set(self, **own: Any) -> None:  # noqa: ANN401
        """Set several things at once, as ``set(xlabel="time [s]")``."""
        for name, value in own.items():
            getattr(self, f"set_{name}")(value)

    def set_title(self, title: str) -> None:
        """Write what is in the panel above it."""
        self.title = title

    def set_xlabel(self, label: str) -> None:
        """Name what is across."""
        self.axes["x"].label = label

    def set_ylabel(self, label: str) -> None:
        """Name what is upwards."""
        self.axes["y"].label = label

    def set_xlim(self, *ends: Any) -> None:  # noqa: ANN401
        """Set both ends across, of all panels that share them."""
        chosen = self._chosen("x", ends, None, None)
        for panel in self.together():
            panel.axes["x"].ends = chosen

    def set_ylim(self, *ends: Any, bottom: float | None = None, top: float | None = None) -> None:  # noqa: ANN401
        """Set both ends upwards, or one."""
        self.axes["y"].ends = self._chosen("y", ends, bottom, top)

    def _chosen(
        self, axis: Axis, ends: tuple[Any, ...], low: float | None, high: float | None
    ) -> Ends:
        if ends:
            low, high = ends[0] if len(ends) == 1 else ends
        now = self.ends(axis)
        return float(now[0] if low is None else low), float(now[1] if high is None else high)

    def get_xlim(self) -> Ends:
        """Return the ends across."""
        return self.ends("x")

    def get_ylim(self) -> Ends:
        """Return the ends upwards."""
        return self.ends("y")

    def set_xscale(self, scale: Literal["log", "linear"]) -> None:
        """Let the axis across be logarithmic, or linear, in all panels that share it."""
        for panel in self.together():
            panel.axes["x"].log = scale == "log"

    def set_yscale(self, scale: Literal["log", "linear"]) -> None:
        """Let the axis upwards be logarithmic, or linear."""
        self.axes["y"].log = scale == "log"

    def set_xticks(self, places: Numbers, labels: Sequence[str] | None = None) -> None:
        """Fix the ticks across."""
        self.axes["x"].ticks = _ticks(places, labels)

    def set_yticks(self, places: Numbers, labels: Sequence[str] | None = None) -> None:
        """Fix the ticks upwards."""
        self.axes["y"].ticks = _ticks(places, labels)

    def set_aspect(self, aspect: Literal["equal"]) -> None:
        """Let a unit be as long along both axes."""
        self.equal = aspect == "equal"

    def set_axis_off(self) -> None:
        """Leave the axes away, as of a sketch."""
        self.bare = True

    def grid(self, *, visible: bool, axis: Literal["x", "y", "both"] = "both") -> None:
        """Show or hide the lines at ticks."""
        for name, own in self.axes.items():
            if axis in (name, "both"):
                own.grid = visible

    def margins(
        self, both: float | None = None, *, x: float | None = None, y: float | None = None
    ) -> None:
        """Leave room beyond the data, as a share of their extent."""
        for axis, own in (("x", x), ("y", y)):
            margin = both if own is None else own
            if margin is not None:
                self.axes[axis].margin = margin  # type: ignore[index]

    def set_visible(self, visible: bool) -> None:
        """Show or hide the panel."""
        self.visible = visible

    def together(self) -> "list[Panel]":
        """Return the panels that share the axis across."""
        return self.chart.panels.ravel().tolist() if self.chart.share_x else [self]

    @property
    def over_time(self) -> bool:
        """True where the panel, or one that shares its x axis, says that this is time."""
        return any(one.axes["x"].label == TIME for one in self.together())

    # legends

    def entries(self) -> list[Entry]:
        """Return what a legend tells: marks with labels."""
        return [Entry(one.label, one.kind, one.style) for one in self.marks if one.label]

    def legend(self) -> None:
        """Tell in the panel what its marks are."""
        self.legend_entries = self.entries()

    # ends

    def data_ends(self, axis: Axis) -> Ends:
        """Return the least and largest value of what is drawn; infinite ends where nothing is."""
        index, log = "xy".index(axis), self.axes[axis].log
        counted = [mark for mark in self.marks if mark.counts and not mark.shares[index]]
        each = [mark.ends_above_zero(axis) if log else mark.ends[axis] for mark in counted]
        low = min((ends[0] for ends in each), default=math.inf)
        return low, max((ends[1] for ends in each), default=-math.inf)

    def ends(self, axis: Axis) -> Ends:
        """Return the ends of an axis: those that are set, else around the data."""
        own = self.axes[axis]
        if own.ends is not None:
            return own.ends
        some = self.together() if axis == "x" else [self]
        each = [panel.data_ends(axis) for panel in some]
        low, high = min(one[0] for one in each), max(one[1] for one in each)
        return around(low, high, own.margin, log=own.log)

    def scale(self, axis: Axis) -> Scale:
        """Return an axis as it is drawn."""
        own = self.axes[axis]
        low, high = self.ends(axis)
        first, last = min(low, high), max(low, high)
        ticks = own.ticks and [one for one in own.ticks if first <= one[0] <= last]
        return Scale(own.label, low, high, own.log, ticks)


def around(low: float, high: float, margin: float, *, log: bool = False) -> Ends:
    """Return ends of an axis around data from low to high."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return (1.0, 10.0) if log else (0.0, 1.0)
    to: Callable[[float], float] = math.log10 if log else float
    a, b = to(low), to(high)
    if b - a <= _SAME * max(abs(a), abs(b)):
        about = 0.5 if log else _MARGIN * (abs(a) or 1.0)
        a, b = a - about, b + about
    beyond = margin * (b - a)
    a, b = a - beyond, b + beyond
    return (10.0**a, 10.0**b) if log else (a, b)


def _ticks(places: Numbers, labels: Sequence[str] | None) -> list[tuple[float, str]]:
    values = np.asarray(places, dtype=np.float64).tolist()
    texts = [f"{value:g}" for value in values] if labels is None else labels
    return list(zip(values, texts, strict=True))


class Chart:
    """Panels in a grid of rows and columns.

    heights: of the rows [inches of a printed page]; width: of all columns. share_x: whether all
    panels have the same x axis. legend: of the whole figure.
    """

    def __init__(
        self, shape: tuple[int, int], heights: Sequence[float], width: float, *, share_x: bool
    ) -> None:
        """Make panels without anything in them."""
        self.heights, self.width, self.share_x = list(heights), width, share_x
        self.legend: list[Entry] = []
        rows, columns = shape
        self.panels: npt.NDArray[Any] = np.empty(shape, dtype=object)
        for row in range(rows):
            for column in range(columns):
                self.panels[row, column] = Panel(self, row, column)

    def arrange(self, panels: Sequence[Panel]) -> None:
        """Lay some of the panels out anew, row by row; the others go."""
        columns = min(self.panels.shape[1], len(panels))
        self.heights = [self.heights[panel.row] for panel in panels[::columns]]
        self.panels = np.empty((len(self.heights), columns), dtype=object)
        for index in range(self.panels.size):
            row, column = divmod(index, columns)
            panel = panels[index] if index < len(panels) else Panel(self, row, column)
            panel.row, panel.column, panel.visible = row, column, index < len(panels)
            self.panels[row, column] = panel

    @property
    def shown(self) -> list[Panel]:
        """Panels that are to be seen, row by row."""
        return [panel for panel in self.panels.ravel().tolist() if panel.visible]

"""Figures as data: panels that say which quantities of the runs they show, and over what.

    curves(runs, "The jump", [
        Plot("height [m]", [Curve("q.y")]),
        Plot("force [N]", [Curve(force, "normal", GREEN), Level(0.0)], usual=True),
    ])

is a figure of two panels over time in which every run has its line. What is drawn only once is a
function that draws it into its panel.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.report.charts.looks import Ends, Entry, area_look, line_look
from footfall.report.charts.panel import TIME, Chart, Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import calm, grid_shape, line
from footfall.report.run_view import RunView, RunViews
from footfall.report.tables import listed

DASHED: Any = (0, (5, 3))
BOUND: Mapping[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": DASHED}
"""Look of a line at what must not be passed, or of what a run is held against."""
AXIS: Mapping[str, Any] = {"color": "black", "linewidth": 0.7}
"""Look of a line at zero."""
DOTS: Mapping[str, Any] = {"linestyle": "", "marker": ".", "markersize": 2.0}
"""Look of values that nothing joins."""
_OF_RUN = "#333333"  # dashes of a run in a legend whose colours are those of quantities
_PALE = 0.45  # opacity of the first of several runs beneath others of its colour
_USUAL = (0.005, 0.995)  # quantiles of what sets the ends of an axis: impacts are cut
_ROOM = 0.1  # of the range, beyond them
_DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s^2": "deg/s^2"}
_HEIGHTS = {1: 2.6, 2: 2.2, 3: 1.9}  # inches of a row, by how many there are
_LEAST_HEIGHT = 1.7

Values = Callable[[Any], Any]
"""Values (N,) of a run, over what the figure is over; or x and y, which have rows of their own."""


@dataclass(frozen=True)
class Curve:
    """A quantity as a line of every run.

    of: a series by name, as `find_series` takes it, whose angles are shown in degrees; or a
    function of a run. label: in the legend; where it is empty, the run's name. colour: else that of
    the run. runs: which have it, else all. look: more words of `Panel.plot`.
    """

    of: str | Values
    label: str = ""
    colour: str = ""
    runs: Sequence[RunView] | None = None
    look: Mapping[str, Any] = field(default_factory=dict)

    def draw(self, panel: Panel, runs: Sequence[RunView], over: "Over") -> list[Entry]:
        """Draw it, and return what the legend tells of it."""
        entries = []
        for run in runs if self.runs is None else self.runs:
            style = self._style(run, several=len(runs) > 1)
            values = shown_series(run, self.of)[0] if isinstance(self.of, str) else self.of(run)
            x, y = values if isinstance(values, tuple) else (over.of(run), values)
            name = run.name if not self.label else self.label
            if self.label and len(runs) > 1:
                name = f"{self.label}, {run.name}"
            line(panel, np.asarray(x), np.asarray(y), label=name, **style)
            entries.append(Entry(name, "line", line_look(**style)))
        if not self.colour or not self.label or len(runs) == 1:
            return entries
        colour = line_look(**{**self.look, "color": self.colour})
        of_run = ({**run.style, **self.look, "color": _OF_RUN} for run in runs)
        names = [Entry(r.name, "line", line_look(**s)) for r, s in zip(runs, of_run, strict=True)]
        return [Entry(self.label, "line", colour), *(names if self.runs is None else [])]

    def _style(self, run: RunView, *, several: bool) -> dict[str, Any]:
        style = {**run.style, **self.look}
        if self.colour:
            style["color"] = self.colour
            if several and run.index == 0:
                style.setdefault("alpha", _PALE)
        return style


def shown_series(run: RunView, name: str) -> tuple[Array, str]:
    """Values (N,) of a series of a run by name as a page shows them, and their unit.

    Angles are in degrees; a run that lacks the series has NaN, and the first refuses by RunError.
    """
    series = run.series(name)
    if series.unit in _DEGREES:
        return np.rad2deg(series.values), _DEGREES[series.unit]
    return series.values, series.unit


@dataclass(frozen=True)
class Line:
    """A line that is of no run: x and y (n,), a label for the legend, and words of `Panel.plot`."""

    x: npt.ArrayLike
    y: npt.ArrayLike
    label: str = ""
    look: Mapping[str, Any] = field(default_factory=lambda: BOUND)

    def draw(self, panel: Panel, _runs: Sequence[RunView], _over: "Over") -> list[Entry]:
        """Draw it, and return what the legend tells of it."""
        line(panel, np.asarray(self.x), np.asarray(self.y), label=self.label, **self.look)
        return _entry(self.label, line_look, self.look)


@dataclass(frozen=True)
class Level:
    """A line across at a value; mirrored: another at its negative."""

    at: float
    label: str = ""
    mirrored: bool = False
    look: Mapping[str, Any] = field(default_factory=lambda: BOUND)

    def draw(self, panel: Panel, _runs: Sequence[RunView], _over: "Over") -> list[Entry]:
        """Draw it, and return what the legend tells of it."""
        for value in (self.at, -self.at) if self.mirrored else (self.at,):
            panel.axhline(value, label=self.label, **self.look)
        return _entry(self.label, line_look, self.look)


@dataclass(frozen=True)
class Uprights:
    """Upright lines at some places along the axis across."""

    at: Sequence[float]
    label: str = ""
    look: Mapping[str, Any] = field(
        default_factory=lambda: {"color": "#888888", "linewidth": 0.8, "linestyle": (0, (4, 3))}
    )

    def draw(self, panel: Panel, _runs: Sequence[RunView], _over: "Over") -> list[Entry]:
        """Draw them, and return what the legend tells of them."""
        for place in self.at:
            panel.axvline(place, zorder=0.6, **self.look)
        return _entry(self.label if len(self.at) else "", line_look, self.look)


@dataclass(frozen=True)
class Zone:
    """The room between two values, or between two curves over x where that is given."""

    low: npt.ArrayLike
    high: npt.ArrayLike
    label: str = ""
    x: npt.ArrayLike | None = None
    look: Mapping[str, Any] = field(
        default_factory=lambda: {"color": "#009E73", "alpha": 0.08, "linewidth": 0.0}
    )

    def draw(self, panel: Panel, _runs: Sequence[RunView], _over: "Over") -> list[Entry]:
        """Fill it, and return what the legend tells of it."""
        if self.x is None:
            panel.axhspan(float(self.low), float(self.high), zorder=0.2, **self.look)  # type: ignore[arg-type] # one number each
        else:
            panel.fill_between(self.x, self.low, self.high, zorder=0.2, **self.look)
        return _entry(self.label, area_look, self.look)


@dataclass(frozen=True)
class Spans:
    """Upright bands, each from one place along the axis across to another."""

    at: Sequence[Ends]
    label: str = ""
    look: Mapping[str, Any] = field(
        default_factory=lambda: {"color": "#0072B2", "alpha": 0.12, "linewidth": 0.0}
    )

    def draw(self, panel: Panel, _runs: Sequence[RunView], _over: "Over") -> list[Entry]:
        """Fill them, and return what the legend tells of them."""
        panel.axvspans(self.at, zorder=0.2, **self.look)
        return _entry(self.label if len(self.at) else "", area_look, self.look)


@dataclass(frozen=True)
class Bars:
    """Rows of bars with names, from the top down: start and length of each bar, and its colour.

    colours: what the legend calls them.
    """

    rows: Sequence[tuple[str, Sequence[tuple[Sequence[Ends], str]]]]
    colours: Mapping[str, str] = field(default_factory=dict)

    def draw(self, panel: Panel, _runs: Sequence[RunView], _over: "Over") -> list[Entry]:
        """Draw them, and name the rows at the axis."""
        for level, (_, parts) in enumerate(self.rows):
            for bars, colour in parts:
                panel.broken_barh(bars, (level - 0.38, 0.76), facecolor=colour, linewidth=0.0)
        panel.set_yticks(range(len(self.rows)), [name for name, _ in self.rows])
        panel.set_ylim(len(self.rows) - 0.5, -0.5)
        panel.grid(visible=False, axis="y")
        return [
            Entry(label, "area", area_look(facecolor=colour, linewidth=0.0))
            for colour, label in self.colours.items()
        ]


def _entry(
    label: str, look: Callable[..., dict[str, Any]], words: Mapping[str, Any]
) -> list[Entry]:
    kind = "area" if look is area_look else "line"
    return [Entry(label, kind, look(**words))] if label else []  # type: ignore[arg-type] # a literal


Part = Curve | Line | Level | Uprights | Zone | Spans | Bars | Callable[[Panel], None]


@dataclass(frozen=True)
class Plot:
    """A panel: what stands at its upright axis, with the unit, and what is in it.

    across: what stands below it and its unit, where that is not what the figure is over. usual: the
    axis shows what is usual of the curves, all levels with it, and cuts impacts. low, high: its
    ends, where they are fixed. least: of the range that is shown, less of it being rounding. log:
    logarithmic. equal: a unit is as long along both axes. legend: in the panel, not on top.
    """

    label: str
    parts: Sequence[Part]
    title: str = ""
    across: str = ""
    usual: bool = False
    low: float | None = None
    high: float | None = None
    least: float = 0.0
    log: bool = False
    equal: bool = False
    legend: bool = False

    def fill(self, panel: Panel, runs: Sequence[RunView], over: "Over") -> list[Entry]:
        """Draw the parts and set the axes; returns what the legend tells of the panel."""
        panel.set(ylabel=self.label, title=self.title)
        if self.log:
            panel.set_yscale("log")
        entries: list[Entry] = []
        for part in self.parts:
            if isinstance(part, Curve | Line | Level | Uprights | Zone | Spans | Bars):
                entries += part.draw(panel, runs, over)
            else:
                before = len(panel.entries())
                part(panel)
                entries += panel.entries()[before:]
        if self.across:
            panel.set_xlabel(self.across)
        elif not self.equal:
            panel.margins(x=0.0)
        if self.equal:
            panel.set_aspect("equal")
        self._set_ends(panel)
        if self.legend:
            panel.legend_entries, entries = entries, []
        return entries

    def _set_ends(self, panel: Panel) -> None:
        """Set the ends of the upright axis, as far as anything asks for that."""
        if self.usual:
            panel.set_ylim(*usual_ends(panel))
        elif not self.log and not self.equal:
            calm(panel)
        if self.least > 0.0:
            low, high = panel.get_ylim()
            room = 0.5 * max(self.least - (high - low), 0.0)
            panel.set_ylim(low - room, high + room)
        if self.low is not None or self.high is not None:
            panel.set_ylim(bottom=self.low, top=self.high)


def usual_ends(panel: Panel) -> Ends:
    """Ends of the upright axis around what is usual of the lines of a panel, and all levels."""
    known: list[float] = []
    for mark in panel.marks:
        y = mark.y[np.isfinite(mark.y)]
        if mark.kind != "line" or mark.shares[1] or not len(y):
            continue
        known += y.tolist() if mark.shares[0] else np.quantile(y, _USUAL).tolist()
    if not known:
        return panel.get_ylim()
    room = _ROOM * (max(known) - min(known)) or _ROOM
    return min(known) - room, max(known) + room


@dataclass(frozen=True)
class Over:
    """The axis below a figure: its name, and values (N,) of a run, which are times unless given."""

    label: str
    of: Callable[[Any], Array] = lambda run: run.time


OVER_TIME = Over(TIME)


def curves(
    runs: RunViews[Any] | None,
    title: str,
    plots: Sequence[Plot],
    *,
    over: Over = OVER_TIME,
    note: str = "",
    alt: str = "",
    columns: int = 1,
    row_height: float = 0.0,
    heights: Sequence[float] | None = None,
    width: float = 9.0,
) -> Figure:
    """Draw panels with quantities of all runs, or with what is of no run, into a figure.

    alt: what it shows in words, where its labels do not say that. row_height, heights, width: in
    inches.
    """
    shape = grid_shape(len(plots), columns)
    labels = listed(dict.fromkeys(" ".join(plot.label.split()) for plot in plots))
    below = plots[0].across or over.label
    of_runs = f", for {runs.listed}" if runs else ""
    alt = alt or f"{title}: {labels} over {below.partition(' [')[0]}{of_runs}."
    return draw(
        title,
        alt,
        shape,
        lambda panels: fill_panels(panels, runs.runs if runs else (), plots, over),
        note=note,
        row_height=row_height or _HEIGHTS.get(shape[0], _LEAST_HEIGHT),
        heights=heights,
        width=width,
        share_x=not any(plot.across for plot in plots),
    )


def fill_panels(
    panels: npt.NDArray[Any],
    runs: Sequence[RunView],
    plots: Sequence[Plot],
    over: Over = OVER_TIME,
) -> None:
    """Draw plots into the panels (rows, columns) of a chart, whose legend tells of them all."""
    chart: Chart = panels[0, 0].chart
    told: dict[str, Entry] = {}
    for index, panel in enumerate(panels.ravel()):
        if index >= len(plots):
            panel.set_visible(False)
            continue
        for entry in plots[index].fill(panel, runs, over):
            told.setdefault(entry.label, entry)
        below = index + panels.shape[1] >= len(plots) and not panel.bare
        if below and not plots[index].across:
            panel.set_xlabel(over.label)
    own = {
        part.label
        for plot in plots
        for part in plot.parts
        if isinstance(part, Curve) and part.colour
    }
    chart.legend = sorted(told.values(), key=lambda entry: entry.label not in own)

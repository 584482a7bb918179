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
from footfall.report.charts.looks import Ends, Entry, Kind, area_look, line_look
from footfall.report.charts.panel import TIME, Chart, Panel
from footfall.report.figure import PAGE_WIDTH, Figure, finished
from footfall.report.panels import MOST_PANELS, calm, line
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
_LARGE = 3.0  # points: markers that the edge of a panel would cut
_DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s^2": "deg/s^2"}
_HEIGHTS = {1: 2.6, 2: 2.2, 3: 1.9}  # inches of a row, by how many there are
_LEAST_HEIGHT = 1.7

Values = Callable[[Any], Any]
"""Values (N,) of a run, over what the figure is over; or x and y, which have rows of their own."""


@dataclass(frozen=True)
class Curve:
    """A quantity as a line of every run.

    of: a series by name, as `find_series` takes it, whose angles are shown in degrees, of the runs
    that have it (RunError where none has); or a function of a run. label: in the legend; where it
    is empty, the run's name. colour: else that of the run. runs: which have it, else all. look:
    more words of `Panel.plot`.
    """

    of: str | Values
    label: str = ""
    colour: str = ""
    runs: Sequence[RunView] | None = None
    look: Mapping[str, Any] = field(default_factory=dict)

    def draw(self, panel: Panel, runs: Sequence[RunView], over: "Over") -> list[Entry]:
        """Draw it, and return what the legend tells of it."""
        entries = []
        own = runs if self.runs is None else self.runs
        if isinstance(self.of, str):  # where none has it, the first says so
            own = [run for run in own if run.has(self.of)] or own[:1]
        for run in own:
            style = self._style(run, several=len(own) > 1)
            values = shown_series(run, self.of)[0] if isinstance(self.of, str) else self.of(run)
            x, y = values if isinstance(values, tuple) else (over.of(run), values)
            name = run.name if not self.label else self.label
            if self.label and len(runs) > 1:
                name = f"{self.label}, {run.name}"
            line(panel, np.asarray(x), np.asarray(y), label=name, **style)
            entries += _entry(name, line_look, style)
        if not self.colour or not self.label or len(runs) == 1:
            return entries
        common = _entry(self.label, line_look, {**self.look, "color": self.colour})
        for run in runs if self.runs is None else ():
            common += _entry(run.name, line_look, {**run.style, **self.look, "color": _OF_RUN})
        return common

    def _style(self, run: RunView, *, several: bool) -> dict[str, Any]:
        style = {**run.style, **self.look}
        if self.colour:
            style["color"] = self.colour
            if several and run.index == 0:
                style.setdefault("alpha", _PALE)
        return style


def shown_series(run: RunView, name: str) -> tuple[Array, str]:
    """Values (N,) of a series of a run by name, angles in degrees, and their unit."""
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
        panel.plot(self.x, self.y, label=self.label, **self.look)
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

    @property
    def height(self) -> float:
        """Inches of a row of panels that they need."""
        return 0.8 + 0.28 * len(self.rows)

    def draw(self, panel: Panel, _runs: Sequence[RunView], _over: "Over") -> list[Entry]:
        """Draw them, and name the rows at the axis."""
        for level, (_, parts) in enumerate(self.rows):
            for bars, colour in parts:
                panel.broken_barh(bars, (level - 0.38, 0.76), facecolor=colour, linewidth=0.0)
        panel.set_yticks(range(len(self.rows)), [name for name, _ in self.rows])
        panel.set_ylim(len(self.rows) - 0.5, -0.5)
        panel.grid(visible=False, axis="y")
        shown = {colour for _, parts in self.rows for bars, colour in parts if len(bars)}
        return [
            Entry(label, "area", area_look(facecolor=colour, linewidth=0.0))
            for colour, label in self.colours.items()
            if colour in shown
        ]


def _entry(
    label: str, look: Callable[..., dict[str, Any]], words: Mapping[str, Any]
) -> list[Entry]:
    """Return what a legend tells; nothing without a label."""
    own = {name: value for name, value in words.items() if name != "zorder"}
    kind: Kind = "area" if look is area_look else "line"
    return [Entry(label, kind, look(**own))] if label else []


Drawn = Curve | Line | Level | Uprights | Zone | Spans | Bars
Part = Drawn | Callable[[Panel], None]


@dataclass(frozen=True)
class Plot:
    """A panel: what stands at its upright axis, with the unit, and what is in it.

    across: what stands below it and its unit, where that is not what the figure is over. usual: the
    axis shows what is usual of the curves, all levels with it, and cuts impacts. low, high: its
    ends, where they are fixed. least: of the range that is shown, less of it being rounding. log,
    log_across: logarithmic. equal: a unit is as long along both axes. legend: in the panel, not on
    top.
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
    log_across: bool = False
    equal: bool = False
    legend: bool = False

    @property
    def name(self) -> str:
        """Its upright label in one line, or its title where it has none."""
        return " ".join((self.label or self.title).split())

    def fill(self, panel: Panel, runs: Sequence[RunView], over: "Over") -> list[Entry]:
        """Draw the parts and set the axes; returns what the legend tells of the panel."""
        panel.set(ylabel=self.label, title=self.title)
        if self.log:
            panel.set_yscale("log")
        if self.log_across:
            panel.set_xscale("log")
        entries: list[Entry] = []
        for part in self.parts:
            if isinstance(part, Drawn):
                entries += part.draw(panel, runs, over)
            else:
                before = len(panel.entries())
                part(panel)
                entries += panel.entries()[before:]
        if self.across:
            panel.set_xlabel(self.across)
        elif not self.equal and not any(
            mark.style.get("size", 0.0) > _LARGE for mark in panel.marks
        ):
            panel.margins(x=0.0)
        if self.equal:
            panel.set_aspect("equal")
        self._set_ends(panel)
        own = self.label.partition(" [")[0]  # what the axis says a legend need not say again
        entries = [entry for entry in entries if entry.label != own]
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
    paired: bool = False,
    row_height: float = 0.0,
    heights: Sequence[float] | None = None,
    width: float = PAGE_WIDTH,
) -> Figure:
    """Draw panels with quantities of all runs into a figure; runs: None for one of no run.

    Panels without any number are left out, and so are those beyond `MOST_PANELS`, which the note
    says. alt: what it shows in words, where its labels do not say that. paired: the panels of a row
    belong together. row_height, heights, width: in inches.
    """
    columns = min(columns, len(plots))
    shown = plots[: max(MOST_PANELS // columns, 1) * columns]
    rows = -(-len(shown) // columns)
    each = row_height or _HEIGHTS.get(rows, _LEAST_HEIGHT)
    share_x = not any(plot.across for plot in shown)
    chart = Chart((rows, columns), heights or [each] * rows, width, share_x=share_x)
    kept = fill_chart(chart, () if runs is None else runs.runs, shown, over, paired=paired)
    labels = listed(dict.fromkeys(plot.name for plot in kept))
    below = kept[0].across or over.label
    of_runs = "" if runs is None else f", for {runs.listed}"
    alt = alt or f"{title}: {labels} over {below.partition(' [')[0]}{of_runs}."
    if len(shown) < len(plots):
        note = f"The first {len(shown)} of {len(plots)}. {note}".strip()
    seen = {id(plot) for plot in kept}
    if empty := [plot.name for plot in shown if id(plot) not in seen]:
        note = f"{note} Left out, as there are no numbers: {listed(empty)}.".strip()
    return finished(title, alt, chart, note)


def fill_chart(
    chart: Chart,
    runs: Sequence[RunView],
    plots: Sequence[Plot],
    over: Over = OVER_TIME,
    *,
    paired: bool = False,
) -> list[Plot]:
    """Draw plots into the panels of a chart, whose legend tells of them all.

    Panels without any number are left out, paired ones with all of their row. Returns what is in
    the others, or in all where none has a number.
    """
    columns = chart.panels.shape[1]
    filled = list(zip(chart.panels.ravel().tolist(), plots, strict=False))
    entries: dict[str, Entry] = {}
    for panel, plot in filled:
        for entry in plot.fill(panel, runs, over):
            entries.setdefault(entry.label, entry)
    step = columns if paired else 1
    together = [filled[k : k + step] for k in range(0, len(filled), step)]
    known = [row for row in together if any(_shows_numbers(panel) for panel, _ in row)]
    kept = [each for row in known or together for each in row]
    chart.arrange([panel for panel, _ in kept])
    for index, (panel, plot) in enumerate(kept):
        below = index + columns >= len(kept) and not panel.bare
        if below and not plot.across:
            panel.set_xlabel(over.label)
    if runs and over is OVER_TIME and chart.share_x:
        first, last = min(run.time[0] for run in runs), max(run.time[-1] for run in runs)
        low, high = kept[0][0].get_xlim()
        if any(isinstance(part, Bars) for _, plot in kept for part in plot.parts):
            kept[0][0].set_xlim(first, last)
        elif 0.0 < low - first < _ROOM * (high - low):  # many have no number in the first row
            kept[0][0].set_xlim(first, high)
    own = {
        part.label
        for plot in plots
        for part in plot.parts
        if isinstance(part, Curve) and part.colour
    }
    chart.legend = sorted(entries.values(), key=lambda entry: entry.label not in own)
    return [plot for _, plot in kept]


def _shows_numbers(panel: Panel) -> bool:
    own = [mark for mark in panel.marks if mark.counts and not any(mark.shares)]
    ends = [mark.ends_above_zero("y") if panel.axes["y"].log else mark.ends["y"] for mark in own]
    return any(low <= high for low, high in ends)

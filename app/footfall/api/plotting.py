"""Time series of runs as a matplotlib figure that notebooks show."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from footfall.errors import RunError
from footfall.report.charts.panel import TIME, Chart, Panel
from footfall.report.charts.picture import LEGEND, STYLE, figure_of, fill_axes
from footfall.report.panels import line, run_style
from footfall.report.push_bands import mark_pushes, marking
from footfall.trajectory import Trajectory
from footfall.trajectory.pushes import pushes_of
from footfall.trajectory.series import find_series

_DEGREES = {"rad": "deg", "rad/s": "deg/s"}
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (4, 1, 1, 1)))
_WIDTH, _HEIGHT = 8.0, 2.6  # inches, of a panel


class _Plot(Figure):
    """A figure that a notebook shows as it is, whether or not pyplot is in use."""

    def __repr__(self) -> str:
        return f"<figure with {len(self.axes)} panels>"

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        with mpl.rc_context(STYLE):
            self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


def plot_runs(
    trajectories: Mapping[str, Trajectory], names: Sequence[str], ax: Axes | None = None
) -> Figure:
    """Plot series of runs over time, those of one unit in one panel; angles in degrees.

    names: as `find_series` takes them. ax: axes of the caller, for series of one unit. Raises
    RunError for a name that there is not, for none, and for several units in one panel.
    """
    if not names:
        raise RunError("plot: name at least one series; run.series() lists them.")
    panels = _panels(next(iter(trajectories.values())), names)
    if ax is not None and len(panels) > 1:
        units = ", ".join(_DEGREES.get(unit, unit) or "1" for unit in panels)
        raise RunError(f"plot: one ax cannot hold several units ({units}): leave ax out.")
    chart = Chart((len(panels), 1), [_HEIGHT] * len(panels), _WIDTH, share_x=True)
    for panel, (unit, wanted) in zip(chart.shown, panels.items(), strict=True):
        _fill(panel, trajectories, wanted, unit)
    chart.shown[-1].set_xlabel(TIME)
    with marking(pushes_of(next(iter(trajectories.values())).data)):
        mark_pushes(chart)
    if ax is not None:
        fill_axes(ax, chart.shown[0])
        whole: Any = ax.get_figure(root=True)
        return whole
    with mpl.rc_context(STYLE):
        figure = _Plot(figsize=(_WIDTH, _HEIGHT * len(panels) + LEGEND))
        FigureCanvasAgg(figure)
    return figure_of(chart, figure)


def _panels(trajectory: Trajectory, names: Sequence[str]) -> dict[str, list[str]]:
    """Return full names of series by their unit, in the order in which they are named."""
    panels: dict[str, list[str]] = {}
    for name in names:
        for series in find_series(trajectory.data, name):
            panels.setdefault(series.unit, []).append(series.name)
    return {unit: list(dict.fromkeys(wanted)) for unit, wanted in panels.items()}


def _fill(
    panel: Panel, trajectories: Mapping[str, Trajectory], wanted: Sequence[str], unit: str
) -> None:
    """Draw series of every run: a colour for each run, or for each series of a single one."""
    several, together = len(trajectories) > 1, _in_common(wanted)
    factor = np.rad2deg(1.0) if unit in _DEGREES else 1.0
    for index, (run, trajectory) in enumerate(trajectories.items()):
        time = trajectory.data["time"].to_numpy()
        for place, name in enumerate(wanted):
            (series,) = find_series(trajectory.data, name)
            own = short_name(name).removeprefix(f"{together}.")
            if several:
                style = run_style(index) | {"linestyle": _DASHES[place % len(_DASHES)]}
                label = run if len(wanted) == 1 else f"{own} {run}"
            else:
                style = run_style(place) | {"linewidth": 1.4, "linestyle": "-"}
                label = own
            line(panel, time, factor * series.values, label=label, **style)
    panel.set_ylabel(f"{together} [{_DEGREES.get(unit, unit) or '1'}]".strip())
    if len(panel.entries()) > 1:
        panel.legend()


def short_name(name: str) -> str:
    """Return what a legend calls a series: the coordinate alone where that says it."""
    variable, _, label = name.partition(".")
    return label if variable in ("q", "actuation") else name.removeprefix("observable_")


def _in_common(names: Sequence[str]) -> str:
    """Return what an axis calls series: the one, the variable of them all, or nothing."""
    if len(names) == 1:
        return short_name(names[0])
    variables = {name.partition(".")[0] for name in names}
    return variables.pop() if len(variables) == 1 else ""

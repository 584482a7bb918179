"""Figures of how a robot on feet bears its load: balance over its soles, power of its joints."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags
from footfall.feet.balance import Support
from footfall.feet.gait import mean_of, sample_rows
from footfall.feet.metrics import driven_joints, efforts_and_powers
from footfall.report.charts.panel import Panel
from footfall.report.curves import Curve, Level, Line, Part, Plot, Zone, curves
from footfall.report.figure import Figure
from footfall.report.foot_figures import MEANS, Quantity, bears_load, over_time
from footfall.report.panels import line
from footfall.report.run_view import RunView, RunViews

Runs = RunViews[Any]

_POLYGONS = 8  # seen from above: so many support polygons at most, evenly over the stances
_MOST_POLYGONS = 400  # over time
_BAND: dict[str, Any] = {"color": "#bbbbbb", "alpha": 0.6, "linewidth": 0.0}
# variable, label and look of the points that are drawn
_POINTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("com", "centre of mass", {"color": "black", "linewidth": 0.9}),
    ("capture_point", "capture point", {"color": "#E69F00", "linewidth": 1.1}),
    ("zero_moment_point", "zero-moment point", {"color": "#0072B2", "linewidth": 1.3}),
)
_ENDS = {"capture_point": "+", "zero_moment_point": "x", "com": "."}
_PLAN_NOTE = (
    f"Paths while feet are in contact, with a mark at the end. {MEANS} Grey: support polygons at "
    "some times, hulls of all points that can bear a load; the last one has a frame."
)
_MARGIN_NOTE = (
    f"Seen from above, negative outside. {MEANS} A robot on two points, or on one, has no inside."
)
_TIME_NOTE = (
    f"{MEANS} Grey: from end to end of the support polygon along an axis. The zero-moment point "
    "cannot leave it; where the capture point does, a step has to come."
)


def load_figures(runs: Runs) -> list[Figure]:
    """Balance and power of the joints; of a planar robot without what is seen from above.

    Nothing unless every run tells of feet, and one bears a load.
    """
    if not bears_load(runs):
        return []
    supports = [Support(run.data) for run in runs.runs]
    planar = runs.section.robot.contacts.dim == 2
    points = runs.first.data["support_point"].values.tolist()
    margin = Quantity("margin [mm]", _margin, [Level(0.0)])
    title = "Margin to the edge of the support polygon"
    return [
        *([] if planar else [_from_above(runs, supports)]),
        over_time(runs, title, points, [margin], _MARGIN_NOTE),
        _over_time(runs, supports, "x" if planar else "xy"),
        *joint_powers(runs),
    ]


def _margin(point: str, run: RunView) -> Array:
    """Margins (N,) [mm] of a point while a foot is in contact."""
    margin = 1e3 * run.data["support_margin"].sel(support_point=point).to_numpy()
    mean: Array = np.where(_stands(run), mean_of(run.time, margin), np.nan)
    return mean


def _stands(run: RunView) -> Flags:
    """Rows in which a foot is in contact."""
    stands: Flags = (run.data["foot_contact"].to_numpy() == 1).any(axis=1)
    return stands


def _from_above(runs: Runs, supports: Sequence[Support]) -> Figure:
    titles = [""] if runs.alone else runs.names
    plots = [
        Plot("y [m]", [partial(_plan, run, support)], title=title, across="x [m]", equal=True)
        for run, support, title in zip(runs.runs, supports, titles, strict=True)
    ]
    alt = (
        "Paths of capture point, zero-moment point and centre of mass seen from above, over "
        f"support polygons, for {runs.listed}."
    )
    title = "Balance from above"
    return curves(runs, title, plots, note=_PLAN_NOTE, alt=alt, columns=2, row_height=4.0)


def _plan(run: RunView, support: Support, panel: Panel) -> None:
    """Draw the polygons of a run, and its points over them."""
    polygons = _polygons(run, support)
    panel.polygons(polygons, facecolor="#999999", alpha=0.12, linewidth=0.0)
    panel.polygons(polygons, edgecolor="#999999", linewidth=0.5)
    panel.polygons(polygons[-1:], edgecolor="#444444", linewidth=1.2, zorder=2.0)
    for variable, label, look in _POINTS:
        places = mean_of(run.time, run.data[variable].to_numpy()[:, :2])
        places[~_stands(run)] = np.nan
        ends = places[np.isfinite(places).all(axis=1)][-1:]
        line(panel, *places.T, label=label, zorder=3.0, **look)
        style: dict[str, Any] = {"color": look["color"], "markersize": 8.0, "zorder": 3.0}
        panel.plot(ends[:, 0], ends[:, 1], _ENDS[variable], **style)


def _polygons(run: RunView, support: Support) -> list[Array]:
    """Support polygons (m, 2) at times evenly over the stances, in the order of time."""
    stands = np.flatnonzero(_stands(run))
    chosen = stands[sample_rows(len(stands), _POLYGONS)]
    polygons = [support.polygon(int(row)) for row in chosen]
    return [corners for corners in polygons if len(corners) > 1]


def _over_time(runs: Runs, supports: Sequence[Support], axes: str) -> Figure:
    """Centre of mass, capture point and zero-moment point over the soles, along x and y."""
    plots = []
    for run, support in zip(runs.runs, supports, strict=True):
        rows, low, high = bands(run, support)
        stands = _stands(run)
        for k, axis in enumerate(axes):
            parts: list[Part] = [
                Zone(low[:, k], high[:, k], "support polygon", run.time[rows], _BAND)
            ]
            for variable, label, look in _POINTS:
                values = mean_of(run.time, run.data[variable].to_numpy()[:, k])
                values = np.where(stands | (variable == "com"), values, np.nan)
                parts.append(Line(run.time, values, label, look))
            label = f"{axis} [m]" if runs.alone else f"{run.name}\n{axis} [m]"
            plots.append(Plot(label, parts))
    alt = (
        f"Centre of mass, capture point and zero-moment point along {' and '.join(axes)} over "
        f"time, over the extent of the support polygon, for {runs.listed}."
    )
    columns, title = len(axes), "Balance over time"
    return curves(
        runs, title, plots, note=_TIME_NOTE, alt=alt, columns=columns, paired=True, row_height=2.4
    )


def bands(run: RunView, support: Support) -> tuple[npt.NDArray[np.int64], Array, Array]:
    """Some rows of a run, and the ends (rows, 2) of the support polygon in them; NaN without."""
    rows = sample_rows(run.data.sizes["time"], _MOST_POLYGONS)
    low, high = np.full((len(rows), 2), np.nan), np.full((len(rows), 2), np.nan)
    for k, row in enumerate(rows):
        corners = support.polygon(int(row))
        if len(corners):
            low[k], high[k] = corners.min(axis=0), corners.max(axis=0)
    return rows, low, high


def joint_powers(runs: Runs) -> list[Figure]:
    """Power of every driven joint and of all together; nothing where nothing is driven."""
    model, section = runs.section.robot.model, runs.section
    names = driven_joints(model)
    if not names or not any(run.data["actuation"].to_numpy().any() for run in runs.runs):
        return []
    powers = {run.name: efforts_and_powers(run.data, model)[1] for run in runs.runs}

    def of(joints: slice, run: RunView) -> tuple[Array, Array]:
        return run.time[1:], powers[run.name][:, joints].sum(axis=1)

    plots = [Plot("all together\n[W]", [Curve(partial(of, slice(None)))])]
    plots += [
        Plot(f"{name}\n[W]", [Curve(partial(of, slice(k, k + 1)))]) for k, name in enumerate(names)
    ]
    costs = [
        f"{name} {run.metrics['cost_of_transport']:.3g}"
        for name, run in section.runs.items()
        if isinstance(run.metrics.get("cost_of_transport"), float)
    ]
    note = "Torque times speed; below zero a joint brakes."
    if costs:
        note += f" Cost of transport (positive work over weight and distance): {', '.join(costs)}."
    return [curves(runs, "Power of the joints", plots, note=note, columns=2, row_height=1.6)]

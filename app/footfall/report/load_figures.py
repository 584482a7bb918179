"""Figures of how a robot on feet bears its load: forces in their cones, balance, joint power."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.feet.balance import Support
from footfall.feet.gait import WINDOW, mean_of, sample_rows
from footfall.feet.metrics import driven_joints, efforts_and_powers
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.foot_figures import (
    CLEARANCE,
    FRICTION,
    MEANS,
    Quantity,
    feet_of,
    foot_colour,
    over_time,
    some_of,
    stance_figures,
    step_figures,
)
from footfall.report.panels import (
    MOST_PANELS,
    calm,
    finish_time_panels,
    grid_shape,
    has_feet,
    legend_on_top,
    line,
    run_style,
    thin,
)
from footfall.report.section import Section
from footfall.report.tables import listed


def foot_figures(section: Section) -> list[Figure]:
    """Figures of feet and balance; nothing unless every run tells of feet, and one bears a load."""
    if not all(has_feet(run) for run in section.runs.values()):
        return []
    feet = feet_of(section)
    some = some_of(section)
    clearance = over_time(section, "Clearance of the feet", feet, [CLEARANCE], some)
    if not any(_bears(run.trajectory.data) for run in section.runs.values()):
        return [clearance]
    return [
        *stance_figures(section, feet),
        cones(section, feet),
        *step_figures(section),
        over_time(
            section,
            "Friction utilisation and slip",
            feet,
            FRICTION,
            f"{some}Utilisation is friction over mu times normal force, while a foot bears a load: "
            f"at 1 it slides. {MEANS} Slip is the distance slid under load since the start.",
        ),
        clearance,
        *balance_figures(section),
        balance_over_time(section),
        *joint_powers(section),
    ]


def _bears(data: xr.Dataset) -> bool:
    return bool((data["foot_normal_force"].to_numpy() > 0.0).any())


def supports_of(section: Section) -> Mapping[str, Support]:
    """Read them out of the runs, by name; to be read by ``section.read``."""
    return {name: Support(run.trajectory.data) for name, run in section.runs.items()}


_POLYGONS = 8  # so many support polygons at most, evenly over the stances
# variable, label and look of the points that are drawn
_PLAN_POINTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("capture_point", "capture point", {"color": "#E69F00", "marker": "+"}),
    ("zero_moment_point", "zero-moment point", {"color": "#0072B2", "marker": "x"}),
    ("com", "centre of mass", {"color": "black", "marker": "."}),
)
_PLAN_NOTE = (
    f"Paths while feet are in contact, as means over {1e3 * WINDOW:g} ms, with a mark at the end. "
    "Grey: support polygons at some times, hulls of all points that can bear a load; the last one "
    "has a frame."
)


def balance_figures(section: Section) -> list[Figure]:
    """Balance from above and margins; of a planar robot the margins alone."""
    margins = over_time(
        section,
        "Margin to the edge of the support polygon",
        section.first.trajectory.data["support_point"].values.tolist(),
        [Quantity("margin [mm]", _margin, limit=0.0)],
        f"Seen from above, negative outside; means over {1e3 * WINDOW:g} ms. A robot on two "
        "points, or on one, has no inside.",
    )
    return [margins] if section.robot.contacts.dim == 2 else [_from_above(section), margins]


def _margin(data: xr.Dataset, point: str) -> Array:
    """Margins (N,) [mm] of a point while a foot is in contact."""
    margin = 1e3 * data["support_margin"].sel(support_point=point).to_numpy()
    mean: Array = np.where(_stands(data), mean_of(data, margin), np.nan)
    return mean


def _stands(data: xr.Dataset) -> npt.NDArray[np.bool_]:
    """Rows in which a foot is in contact."""
    stands: npt.NDArray[np.bool_] = (data["foot_contact"].to_numpy() == 1).any(axis=1)
    return stands


def _from_above(section: Section) -> Figure:
    def plot(axes: npt.NDArray[Any]) -> None:
        panels = axes.ravel()
        for panel, (name, run) in zip(panels, section.runs.items(), strict=False):
            _plan(panel, run.trajectory.data, section.read(supports_of)[name])
            panel.set_title(name)
            panel.set(xlabel="x [m]", ylabel="y [m]")
            panel.set_aspect("equal")
        for panel in panels[len(section.runs) :]:
            panel.set_visible(False)
        legend_on_top(panels[0])

    alt = (
        "Paths of capture point, zero-moment point and centre of mass seen from above, over "
        f"support polygons, for {listed(section.runs)}."
    )
    shape = grid_shape(len(section.runs))
    title = "Balance from above"
    return draw(title, alt, shape, plot, note=_PLAN_NOTE, row_height=4.0, share_x=False)


def _plan(panel: Panel, data: xr.Dataset, support: Support) -> None:
    """Draw the polygons of a run, and its points over them."""
    polygons = _polygons(data, support)
    for index, corners in enumerate(polygons):
        last = index == len(polygons) - 1
        panel.polygons([corners], facecolor="#999999", alpha=0.12, linewidth=0.0)
        if last:
            panel.polygons([corners], edgecolor="#444444", linewidth=1.2, zorder=2.0)
    for variable, label, style in _PLAN_POINTS:
        columns = [mean_of(data, column) for column in data[variable].to_numpy()[:, :2].T]
        places = np.stack(columns, axis=1)[_stands(data)]
        places = places[np.isfinite(places).all(axis=1)]
        if len(places) == 0:
            continue
        few = thin(places)
        line = {
            "linewidth": 1.0,
            "markevery": slice(-1, None),
            "markersize": 8.0,
            "zorder": 3,
            **style,
        }
        panel.plot(*np.vstack((places[few], places[-1:])).T, label=label, **line)


def _polygons(data: xr.Dataset, support: Support) -> list[Array]:
    """Support polygons (m, 2) at times evenly over the stances, in the order of time."""
    stands = np.flatnonzero(_stands(data))
    if len(stands) == 0:
        return []
    chosen = stands[np.unique(np.linspace(0, len(stands) - 1, _POLYGONS).round().astype(int))]
    polygons = [support.polygon(int(row)) for row in chosen]
    return [corners for corners in polygons if len(corners) > 1]


_MOST_POLYGONS = 400  # of a run
_BAND = "#bbbbbb"
_AXES = ("x", "y")
# variable, label and look of the points that a sole has to hold
_POINTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("com", "centre of mass", {"color": "black", "linewidth": 0.9}),
    ("capture_point", "capture point", {"color": "#E69F00", "linewidth": 1.1}),
    ("zero_moment_point", "zero-moment point", {"color": "#0072B2", "linewidth": 1.3}),
)


def cones(section: Section, feet: list[str]) -> Figure:
    """Normal force of feet against friction over mu, inside the cone."""

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, run) in zip(axes.ravel(), section.runs.items(), strict=False):
            data, top = run.trajectory.data, 0.0
            for index, foot in enumerate(feet):
                normal, friction = _in_cone(data, foot)
                dots = {"color": foot_colour(index), "markersize": 1.6, "label": foot}
                panel.plot(friction, normal, ".", **dots)
                top = max(top, float(np.nanmax(normal, initial=0.0)))
            edge = {"color": "black", "linewidth": 0.9, "linestyle": (0, (4, 3))}
            panel.plot([0.0, top], [0.0, top], label="edge of the cone", **edge)
            panel.set(title=name, xlabel="friction over µ [N]", ylabel="normal [N]")
        for panel in axes.ravel()[len(section.runs) :]:
            panel.set_visible(False)
        legend_on_top(axes[0, 0])

    note = (
        f"A dot is a mean over {1e3 * WINDOW:g} ms of a foot that bears a load: its friction over "
        "µ against its normal force. A foot slides on the edge; below it no foot can be."
    )
    alt = (
        f"Friction over mu against normal force of {listed(feet)}, in {listed(section.runs)}; all "
        "lies above the edge of the cone."
    )
    shape, title = grid_shape(len(section.runs)), "Forces in their cones"
    height = 3.2 if len(section.runs) == 1 else 2.8
    return draw(title, alt, shape, plot, note=note, row_height=height, share_x=False)


def _in_cone(data: xr.Dataset, foot: str) -> tuple[Array, Array]:
    """Means of normal force and of friction over mu of a loaded foot [N]."""
    normal = data["foot_normal_force"].sel(foot=foot).to_numpy()
    use = data["foot_friction_utilisation"].sel(foot=foot).to_numpy()
    friction = np.where(np.isfinite(use), normal * use, 0.0)  # a foot without load has none
    means = mean_of(data, np.nan_to_num(normal)), mean_of(data, np.nan_to_num(friction))
    loaded = data["foot_contact"].sel(foot=foot).to_numpy() == 1
    return means[0][loaded], means[1][loaded]


def balance_over_time(section: Section) -> Figure:
    """Centre of mass, capture point and zero-moment point over the soles, along x and y."""
    runs = list(section.runs.items())
    axes_shown = _AXES[: 1 if section.robot.contacts.dim == 2 else 2]

    def plot(axes: npt.NDArray[Any]) -> None:
        for row, (name, run) in enumerate(runs):
            data = run.trajectory.data
            rows, low, high = _bands(data, section.read(supports_of)[name])
            time = data["time"].to_numpy()
            stands = (data["foot_contact"].to_numpy() == 1).any(axis=1)
            for k, axis in enumerate(axes_shown):
                panel = axes[row, k]
                panel.fill_between(
                    time[rows],
                    low[:, k],
                    high[:, k],
                    color=_BAND,
                    alpha=0.6,
                    linewidth=0.0,
                    label="support polygon",
                )
                for variable, label, style in _POINTS:
                    values = mean_of(data, data[variable].to_numpy()[:, k])
                    values = np.where(stands | (variable == "com"), values, np.nan)
                    line(panel, time, values, label=label, **style)
                panel.set_ylabel(f"{name}\n{axis} [m]" if len(runs) > 1 else f"{axis} [m]")
                calm(panel)
        finish_time_panels(axes, axes.size)

    note = (
        f"Means over {1e3 * WINDOW:g} ms. Grey: from end to end of the support polygon along an "
        "axis. The zero-moment point cannot leave it; where the capture point does, a step has to "
        "come."
    )
    alt = (
        "Centre of mass, capture point and zero-moment point along x and y over time, over the "
        f"extent of the support polygon, for {listed(section.runs)}."
    )
    shape = (len(runs), len(axes_shown))
    title = "Balance over time"
    return draw(title, alt, shape, plot, note=note, row_height=2.4)


def _bands(data: xr.Dataset, support: Support) -> tuple[npt.NDArray[np.int64], Array, Array]:
    """Some rows of a run, and the ends (rows, 2) of the support polygon in them; NaN without."""
    rows = sample_rows(data.sizes["time"], _MOST_POLYGONS)
    low, high = np.full((len(rows), 2), np.nan), np.full((len(rows), 2), np.nan)
    for k, row in enumerate(rows):
        corners = support.polygon(int(row))
        if len(corners):
            low[k], high[k] = corners.min(axis=0), corners.max(axis=0)
    return rows, low, high


def joint_powers(section: Section) -> list[Figure]:
    """Power of every driven joint and of all together; nothing where nothing is driven."""
    model = section.robot.model
    names = driven_joints(model)
    if not names or not any(
        run.trajectory.data["actuation"].to_numpy().any() for run in section.runs.values()
    ):
        return []
    shown = names[: MOST_PANELS - 1]
    powers = {
        name: efforts_and_powers(run.trajectory.data, model)[1]
        for name, run in section.runs.items()
    }

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = axes.ravel()
        for index, (name, run) in enumerate(section.runs.items()):
            time, style = run.trajectory.data["time"].to_numpy()[1:], run_style(index)
            line(panels[0], time, powers[name].sum(axis=1), label=name, **style)
            for k in range(len(shown)):
                line(panels[k + 1], time, powers[name][:, k], label=name, **style)
        for panel, name in zip(panels, ["all together", *shown], strict=False):
            panel.set_ylabel(f"{name}\n[W]")
            calm(panel)
        finish_time_panels(axes, len(shown) + 1)

    costs = [
        f"{name} {run.metrics['cost_of_transport']:.3g}"
        for name, run in section.runs.items()
        if isinstance(run.metrics.get("cost_of_transport"), float)
    ]
    some = f"The first {len(shown)} of {len(names)} joints. " if len(shown) < len(names) else ""
    of_transport = (
        f"Cost of transport (positive work over weight and distance): {', '.join(costs)}."
        if costs
        else ""
    )
    note = f"{some}Torque times speed; below zero a joint brakes. {of_transport}".strip()
    alt = f"Power over time of all joints and of {listed(shown)}, for {listed(section.runs)}."
    shape = grid_shape(len(shown) + 1)
    return [draw("Power of the joints", alt, shape, plot, note=note, row_height=1.6)]

"""Figures of how a robot on feet bears its load: forces in their cones, balance, joint power."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.feet.balance import Support
from footfall.feet.gait import WINDOW, mean_of, sample_rows
from footfall.feet.metrics import driven_joints, efforts_and_powers
from footfall.report.figure import Figure, draw
from footfall.report.foot_panels import foot_colour
from footfall.report.panels import (
    MOST_PANELS,
    calm,
    finish_time_panels,
    grid_shape,
    legend_on_top,
    line,
    run_style,
)
from footfall.report.section import Section
from footfall.report.supports import supports_of
from footfall.report.wording import listed

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
    return draw(title, alt, shape, plot, note=note, row_height=height, dense=True, share_x=False)


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
    return draw(title, alt, shape, plot, note=note, row_height=2.4, dense=True)


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

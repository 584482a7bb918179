"""The biped's curves over time: states, joint angles, tracking errors, velocities, feet."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.machines.biped.measures import foot_slip_so_far, points
from footfall.machines.biped.model import JOINTS
from footfall.metrics import scalar
from footfall.report.figure import Figure, draw
from footfall.report.panels import TIME, finish_time_panels, legend_above, line, overlay
from footfall.report.section import Section
from footfall.report.wording import listed, number

FOOT_COLOURS = {2: ("foot A", "#D55E00"), 4: ("foot B", "#CC79A7")}
"""By the place of the foot among the points r1 to r5, from 0."""
_DIM = {"q": "position", "v": "velocity"}
_CLAIM = "position after"


def curves(section: Section) -> list[Figure]:
    """The report's five figures over time; tracking errors only where there is a reference."""
    reference = _reference(section)
    figures = [
        _hip(section, "q", "States over time", ("x [m]", "z [m]")),
        _joints(section, "q", "Joint angles", "${}$ [deg]", reference),
    ]
    if reference is not None:
        figures.append(_tracking_error(section, reference))
    return [
        *figures,
        _hip(section, "v", "Velocities of the hip", ("dx/dt [m/s]", "dz/dt [m/s]")),
        _joints(section, "v", "Joint velocities", "d${}$/dt [deg/s]", None),
    ]


def _reference(section: Section) -> Array | None:
    """Joint angles of the reference at the first run's times, (N, 4)."""
    source = section.robot.reference
    if source is None:
        return None
    times = section.first.trajectory.data["time"].to_numpy()
    return np.array([source.sample(float(t))[0] for t in times])


def _of(data: xr.Dataset, variable: str, name: str) -> Array:
    values: Array = data[variable].sel({_DIM[variable]: name}).to_numpy()
    return values


def _hip(section: Section, variable: str, title: str, labels: tuple[str, str]) -> Figure:
    """Both coordinates of the hip, with the published position where there is one."""
    claim = _claim(section) if variable == "q" else None

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, name, label in zip(axes[:, 0], ("x", "z"), labels, strict=True):
            overlay(panel, section, lambda data: _of(data, variable, name))  # noqa: B023 (used at once)
            panel.set_ylabel(label)
        if claim is not None:
            _mark(axes[0, 0], section, *claim)
        finish_time_panels(axes, 2)

    claimed = " The published value is a dotted line with its tolerance." if claim else ""
    alt = f"{title}, along the slope and normal to it, for {listed(section.runs)}.{claimed}"
    return draw(title, alt, (2, 1), plot, row_height=2.0)


def _claim(section: Section) -> tuple[float, float, str] | None:
    """Value, tolerance and source of a claim about the final position, if there is one."""
    for run in section.runs.values():
        for claim in run.claims:
            if claim.name.startswith(_CLAIM):
                return claim.published, claim.tolerance, claim.source.rpartition(", ")[2]
    return None


def _mark(panel: Axes, section: Section, value: float, tolerance: float, source: str) -> None:
    end = float(section.first.trajectory.data["time"][-1])
    panel.axhline(value, color="black", linestyle=":", linewidth=1.0, zorder=0.5)
    style: dict[str, Any] = {"color": "black", "capsize": 4.0, "marker": "o", "markersize": 3.0}
    label = f"published, {source}: {number(value, 3)} m"
    panel.errorbar([end], [value], [tolerance], linestyle="", label=label, **style)


def _joints(
    section: Section, variable: str, title: str, label: str, reference: Array | None
) -> Figure:
    """The four joint coordinates in degrees, over the reference."""
    time = section.first.trajectory.data["time"].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        for k, (panel, joint) in enumerate(zip(axes.ravel(), JOINTS, strict=True)):
            if reference is not None:
                style = {"color": "#bbbbbb", "linewidth": 4.5, "label": "reference"}
                line(panel, time, np.rad2deg(reference[:, k]), **style)
            overlay(panel, section, lambda data: np.rad2deg(_of(data, variable, joint)))  # noqa: B023 (used at once)
            panel.set_ylabel(label.format(rf"\theta_{k + 1}"))
        finish_time_panels(axes, len(JOINTS))

    over = ", over the reference" if reference is not None else ""
    alt = f"{title} theta 1 to 4 over time{over}, for {listed(section.runs)}."
    return draw(title, alt, (2, 2), plot)


def _tracking_error(section: Section, reference: Array) -> Figure:
    """|theta - theta_ref| of every joint."""
    times = section.first.trajectory.data["time"].to_numpy()

    def error(data: xr.Dataset, k: int) -> Array:
        wanted = np.interp(data["time"].to_numpy(), times, reference[:, k])
        apart: Array = np.abs(np.rad2deg(_of(data, "q", JOINTS[k]) - wanted))
        return apart

    def plot(axes: npt.NDArray[Any]) -> None:
        for k, panel in enumerate(axes.ravel()):
            overlay(panel, section, lambda data: error(data, k))  # noqa: B023 (used at once)
            symbol = f"θ{'₁₂₃₄'[k]}"
            panel.set_ylabel(f"|{symbol} - {symbol}ʳᵉᶠ| [deg]")
        finish_time_panels(axes, len(JOINTS))

    alt = f"Distance of each joint angle from its reference over time, for {listed(section.runs)}."
    return draw("Tracking errors", alt, (2, 2), plot)


def clipped_period(section: Section) -> list[Figure]:
    """The period of stage 1 with its knots and splines, where there is a gait made of one."""
    data = section.first.trajectory.data
    if "period_angles" not in data:
        return []
    time, at = data["period_time"].to_numpy(), data["knot_time"].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        for row, joint in enumerate(JOINTS):
            for column, name in enumerate(("period_angles", "period_rates")):
                panel, one = axes[row, column], data[name].sel(period_joint=joint)
                walked, fitted = np.rad2deg(one.to_numpy())
                line(panel, time, walked, color="#bbbbbb", linewidth=4.5, label="stage 1")
                line(panel, time, fitted, color="#0072B2", label="spline")
                style = {"linestyle": "", "marker": "o", "markersize": 3.5, "color": "#D55E00"}
                panel.plot(at, np.interp(at, time, walked), label="knots", **style)
                symbol = rf"\theta_{row + 1}"
                panel.set_ylabel(f"${symbol}$ [deg]" if column == 0 else f"d${symbol}$/dt [deg/s]")
        for panel in axes[-1]:
            panel.set_xlabel("time since the clip begins [s]")
        legend_above(axes[0, 0], ncols=3)

    alt = (
        f"Joint angles and rates over the period of stage 1 that is clipped, {len(at)} knots of "
        "it, and the splines through them, of which the gait is made."
    )
    note = "Angles and rates have splines of their own: the one is not the other's derivative."
    return [draw("One period of stage 1", alt, (4, 2), plot, note=note, row_height=1.8)]


def feet(section: Section) -> Figure:
    """Height of the feet, and how far they slide under load."""
    name, run = next(iter(section.runs.items()))
    clearance = scalar(run.metrics, "swing_clearance")

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        data = run.trajectory.data
        r = points(data["q"].to_numpy())
        for k, (foot, colour) in FOOT_COLOURS.items():
            line(upper, data["time"].to_numpy(), r[:, k, 1], color=colour, label=f"{foot}, {name}")
        if np.isfinite(clearance):
            style = {"color": "black", "linestyle": ":", "linewidth": 1.0}
            upper.axhline(clearance, label="swing clearance", **style)
        overlay(lower, section, foot_slip_so_far)
        upper.set_ylabel("height [m]")
        lower.set(ylabel="foot slip [m]", xlabel=TIME)
        legend_above(upper)
        legend_above(lower)

    alt = (
        f"Above: height of both feet over time in {name}, with the smallest height at which one "
        "passes the other. Below: distance that the loaded feet have slid, for "
        f"{listed(section.runs)}."
    )
    return draw("Feet: height and slip", alt, (2, 1), plot, row_height=2.1)

"""Report of the biped: figures and notes.

Frame: S the slope (x along it, z its normal).
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.machines.biped.control import BipedGait
from footfall.machines.biped.measures import foot_slip_so_far, points
from footfall.machines.biped.model import JOINTS
from footfall.metrics import scalar
from footfall.registry.closed_form import is_motored
from footfall.registry.machine import CLOSED_FORM
from footfall.report.charts.panel import TIME
from footfall.report.figure import Figure, draw
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.panels import finish_time_panels, line, overlay
from footfall.report.run_view import RunView, RunViews, read_runs, views_of
from footfall.report.section import Section
from footfall.report.stick_sequence import sequence_of, spread_rows, stick_sequence
from footfall.report.tables import listed, number

FOOT_COLOURS = {2: ("foot A", "#D55E00"), 4: ("foot B", "#CC79A7")}
"""By the place of the foot among the points r1 to r5, from 0."""


def curves(section: Section) -> list[Figure]:
    """Positions and velocities over time, and tracking errors where there is a reference."""
    reference = _reference(section)
    errors = [] if reference is None else [_tracking_error(section, reference)]
    return [*coordinate_figures(views_of(section)), *errors]


def _reference(section: Section) -> Array | None:
    """Joint angles of the reference at the first run's times, (N, 4)."""
    source = section.robot.reference
    if source is None:
        return None
    times = section.first.trajectory.data["time"].to_numpy()
    return np.array([source.sample(float(t))[0] for t in times])


def _tracking_error(section: Section, reference: Array) -> Figure:
    """|theta - theta_ref| of every joint."""
    times = section.first.trajectory.data["time"].to_numpy()

    def error(data: xr.Dataset, k: int) -> Array:
        wanted = np.interp(data["time"].to_numpy(), times, reference[:, k])
        apart: Array = np.abs(np.rad2deg(data["q"].sel(position=JOINTS[k]).to_numpy() - wanted))
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
        axes[0, 0].legend()

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
        upper.legend()
        lower.legend()

    alt = (
        f"Above: height of both feet over time in {name}, with the smallest height at which one "
        "passes the other. Below: distance that the loaded feet have slid, for "
        f"{listed(section.runs)}."
    )
    return draw("Feet: height and slip", alt, (2, 1), plot, row_height=2.1)


_ROTORS = (
    "Each joint also turns the rotor of its motor, which it feels as an inertia J n² on the "
    "diagonal of M; H has no term of it. The law of inverse dynamics knows it and asks for the "
    "torque that the rotor takes; no law helps at a landing, where a foot meets the rotors as well "
    "as the links. Those of the thighs turn n times as fast as theta1 and theta3, which are "
    "absolute angles: like the moment tau1 + tau3, their momentum comes from outside."
)


def motor_note(section: Section) -> list[str]:
    """Note on the rotors, and the largest torque at one; nothing without them."""
    if not is_motored(section.robot.model):
        return []
    largest = scalar(section.first.metrics, "rotor_torque")
    most = f" In this run a rotor has at most {number(largest, 3)} N m." if largest > 0.0 else ""
    return [_ROTORS + most]


_POINTS = {
    "r1 (hip)": "black",
    "r2 (knee A)": "#0072B2",
    "r3 (foot A)": "#D55E00",
    "r4 (knee B)": "#009E73",
    "r5 (foot B)": "#CC79A7",
}
_MOMENTS = 14


def initial_posture(section: Section) -> Figure:
    """The robot at the start."""
    seen = sequence_of(section, _first(section), [0])
    return stick_sequence(seen, "Initial condition", f"{_conditions(section)}.")


def paths(section: Section) -> Figure:
    """Paths of hip, knees and feet, in S."""
    name = next(iter(section.runs))
    r = points(section.first.trajectory.data["q"].to_numpy())

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for k, (label, colour) in enumerate(_POINTS.items()):
            panel = upper if k == 0 else lower
            line(panel, r[:, k, 0], r[:, k, 1], color=colour, linewidth=1.1, label=label)
        lower.axhline(0.0, color="black", linewidth=0.8)
        lower.set_xlabel("x [m]")
        for panel in (upper, lower):
            panel.set_ylabel("z [m]")
            panel.legend()

    alt = f"Paths of the hip (above) and of knees and feet (below) in the slope frame, in {name}."
    return draw(f"Trajectories of the points: {name}", alt, (2, 1), plot, row_height=2.1)


def walk(section: Section) -> Figure:
    """The robot at some moments on its way."""
    view = _first(section)
    seen = sequence_of(section, view, spread_rows(view, _MOMENTS))
    note = f"{_conditions(section)}. Later ones are darker."
    return stick_sequence(seen, f"The walk: {view.name}", note)


def _first(section: Section) -> RunView:
    return read_runs(section, lambda run: run)[0]


def _conditions(section: Section) -> str:
    """Slope, friction and restitution."""
    contacts = section.robot.contacts
    surfaces = slice(contacts.num_touching)
    mu, e_n = (
        ", ".join(f"{value:g}" for value in np.unique(values))
        for values in (contacts.mu[surfaces], contacts.restitution[surfaces])
    )
    slope = number(section.scenario.terrain.slope_deg)
    return f"slope {slope}°, µ = {mu}, e_N = {e_n}"


_FITTED = (
    "The document prints neither the posture nor the feed-forward nor the gains from which its "
    "gait grew. Those used here were chosen so that the robot covers the 7 metres: that it climbs, "
    "and how far, is fitted. That it slides down without friction is not: it is predicted."
)
_CLOSED_FORM = (
    "closed-form is the document's own time stepping, written down from its equations with its "
    "own fixed point. That moreau agrees with it to rounding shows that the program does what the "
    "document says, not that the document is right."
)
_DRAKE = (
    "Drake's contact is compliant and has no restitution. Agreement with it is to be expected in "
    "stick, slip and rest, at landings only as far as the compliance allows."
)
_PITCH_MOMENT = (
    "The angles of both thighs are absolute, so the torques tau1 and tau3 (components 3 and 5 of "
    "the document's vector) act between thigh and world. Their sum is an external pitch moment, "
    "although the text says that no external forces are applied."
)
_WITHOUT = (
    "Without it the report's gait falls within half a second (biped/climb_internal); a gait that "
    "needs none is biped/walk_internal."
)


def figures(runs: RunViews[RunView]) -> list[Figure]:
    """Every figure of the report's scripts, then slip and clearance of the feet."""
    section = runs.section
    sticks = [initial_posture(section), paths(section), walk(section)]
    return [*curves(section), *sticks, feet(section), *clipped_period(section)]


def notes(runs: RunViews[RunView]) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    section = runs.section
    paragraphs = []
    if section.first.trajectory.data.sizes["actuator"] and section.scenario.controller is not None:
        paragraphs.append(f"{_PITCH_MOMENT} {_size_of_moment(section)} {_WITHOUT}")
    paragraphs += motor_note(section)
    if isinstance(section.scenario.controller, BipedGait):
        paragraphs.append(_FITTED)
    if {CLOSED_FORM, "moreau"} <= set(section.runs):
        paragraphs.append(_CLOSED_FORM)
    if any(name.startswith("drake") for name in section.runs):
        paragraphs.append(_DRAKE)
    return paragraphs


def _size_of_moment(section: Section) -> str:
    """The external pitch moment in the first run."""
    effort = section.first.trajectory.data["actuation"].sel(actuator=["tau1", "tau3"]).to_numpy()
    moment = effort.sum(axis=1)
    moment = moment[np.isfinite(moment)]
    if len(moment) == 0:
        return ""
    rms, largest = float(np.sqrt((moment**2).mean())), float(np.abs(moment).max())
    return (
        f"In this run its root mean square is {number(rms, 3)} N m and its largest value "
        f"{number(largest, 3)} N m."
    )


REPORT = MachineReport(figures, notes)

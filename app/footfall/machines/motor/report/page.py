"""Report of the motor: its response beside the closed form, and its account of work."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.engines import CONTINUOUS
from footfall.errors import ScenarioError
from footfall.machines.motor.model import motor_of, response_of
from footfall.metrics import scalar
from footfall.registry.machine import CLOSED_FORM
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.machine_report import MachineReport
from footfall.report.panels import finish_time_panels, line, overlay, run_style
from footfall.report.run_view import RunView, RunViews
from footfall.report.section import Section
from footfall.report.tables import NONE, Table, listed, number
from footfall.scenario.context import context_of
from footfall.textbook.motor import SpeedResponse

_EXACT: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0}
_BOUND: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (5, 3))}
_NAME = "closed form"
_POINTS = 1001  # of the closed form
_LEAST = 1e-17  # of a logarithmic axis: what is smaller is none
_ASSUMED = (
    "The report prints formulas and no numbers. Those of the motor are the catalogue's of the kind "
    "that TUlip had, with the gear of its knee; the load is a disc with the inertia of a shank. "
    "All are assumed."
)
_FRICTION = (
    "Friction acts in a step of Moreau's engine and of Drake's with the speed at its end: the "
    "speeds err by the same amount and are behind."
)
_ANGLES = (
    "Moreau's engine moves the angle with the mean of the speeds at both ends of a step, Drake's "
    "with the later one, which puts it ahead by half a step's turn where the speed is exact."
)
_SAMPLED = (
    "The line of the motor is sampled at the start of a step and its torque held for the step, in "
    "every engine with time steps: it is the largest error here."
)
_CONTINUOUS = (
    "drake-continuous integrates to a relative accuracy of {accuracy:g}, whatever the step."
)


def figures(runs: RunViews[RunView]) -> list[Figure]:
    """Response, distance from the closed form, and the plane of torque and speed."""
    section = runs.section
    response = _response(section)
    pictures = [_curves(section, response)]
    if response is None:
        return pictures
    if set(section.runs) - {CLOSED_FORM}:  # the closed form is not away from itself
        pictures.append(_errors(section, response))
    return [*pictures, _plane(section, response)]


def tables(runs: RunViews[RunView]) -> list[Table]:
    """Metrics of the response in every run, and the balance of the motor's work."""
    section = runs.section
    names = ("start_acceleration", "end_speed", "time_constant", "corner_time")
    rows = []
    for name, run in section.runs.items():
        numbers = [scalar(run.metrics, metric) for metric in names]
        work, lost, stored = (
            scalar(run.metrics, metric)
            for metric in ("motor_work", "friction_loss", "stored_energy")
        )
        rows.append(
            (
                name,
                *(number(value, 7) for value in numbers),
                *(number(value, 6) for value in (work, lost, stored)),
                number(work - lost - stored, 2) if np.isfinite(work) else NONE,
            )
        )
    headings = (
        "run",
        "acceleration at the start [rad/s²]",
        "speed at the end [rad/s]",
        "time constant [s]",
        "line bounds from [s]",
        "work of the motor [J]",
        "friction [J]",
        "stored [J]",
        "left over [J]",
    )
    note = "What is left over of the motor's work is what a run starts with, and rounding."
    return [Table("The response in numbers", headings, rows, note)]


def notes(runs: RunViews[RunView]) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    section = runs.section
    motor = motor_of(section.robot.model, section.robot.contacts)
    felt = number(motor.J_m * motor.n**2, 4)
    felt_as = (
        f"Through the gear of {number(motor.n, 4)} the rotor's {number(motor.J_m, 5)} kg m² are "
        f"felt as {felt} kg m² beside the load's {number(motor.J_l, 4)}, and its friction as "
        f"{number(motor.damping, 4)} N m s/rad."
    )
    paragraphs = [felt_as]
    names = set(section.runs)
    if names - {CLOSED_FORM, CONTINUOUS}:
        paragraphs += [_FRICTION] if motor.B > 0.0 else []
        paragraphs += [_ANGLES] + ([_SAMPLED] if motor.slope > 0.0 else [])
    if CONTINUOUS in names:
        paragraphs.append(_CONTINUOUS.format(accuracy=section.scenario.simulator.accuracy))
    return [*paragraphs, _ASSUMED]


def _response(section: Section) -> SpeedResponse | None:
    try:
        return response_of(context_of(section.scenario, section.robot))
    except ScenarioError:  # another course of the torque
        return None


def _curves(section: Section, response: SpeedResponse | None) -> Figure:
    n = motor_of(section.robot.model, section.robot.contacts).n

    def plot(axes: npt.NDArray[Any]) -> None:
        speed, angle, torque = axes[:, 0]
        if response is not None and CLOSED_FORM not in section.runs:
            end = float(section.first.trajectory.data["time"].to_numpy()[-1])
            time = np.linspace(0.0, end, _POINTS)
            speed.plot(time, response.speed_at(time), label=_NAME, **_EXACT)
            angle.plot(time, np.degrees(response.angle_at(time)), **_EXACT)
            torque.plot(time, 1e3 * response.torque_at(time), **_EXACT)
        overlay(speed, section, _speed)
        overlay(angle, section, lambda data: np.degrees(_angle(data)))
        overlay(torque, section, lambda data: 1e3 * data["actuation"].to_numpy()[:, 0] / n)
        speed.set_ylabel("speed of the\nload [rad/s]")
        angle.set_ylabel("angle of the\nload [deg]")
        torque.set_ylabel("torque of the\nmotor [mN m]")
        torque.set_ylim(*_room(torque))
        finish_time_panels(axes, 3)

    alt = f"Speed and angle of the load and torque of the motor over time, for {_names(section)}."
    return draw("Response", alt, (3, 1), plot, row_height=1.9)


def _room(panel: Panel) -> tuple[float, float]:
    """Limits that show a constant as one, and zero with it."""
    low, high = panel.data_ends("y")
    least, most = min(low, 0.0), max(high, 0.0)
    slack = 0.08 * max(most - least, 1e-9)
    return least - slack, most + slack


def _errors(section: Section, response: SpeedResponse) -> Figure:
    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (label, of, exact) in zip(
            axes[:, 0],
            (
                ("speed [rad/s]", _speed, response.speed_at),
                ("angle [rad]", _angle, response.angle_at),
            ),
            strict=True,
        ):
            for index, (name, run) in enumerate(section.runs.items()):
                data = run.trajectory.data
                time = data["time"].to_numpy()
                away = np.abs(of(data) - exact(time))
                seen = np.where(away > _LEAST, away, np.nan)
                line(panel, time, seen, label=name, **run_style(index))
            panel.set(yscale="log", ylabel=f"error of\n{label}")
        finish_time_panels(axes, 2)

    alt = f"Distance of speed and angle from the closed form over time, for {_names(section)}."
    note = "On logarithmic axes; what lies on the closed form to the last digit is not drawn."
    return draw("Distance from the closed form", alt, (2, 1), plot, note=note, row_height=2.1)


def _plane(section: Section, response: SpeedResponse) -> Figure:
    motor = response.motor

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        speeds = [motor.n * _speed(run.trajectory.data) for run in section.runs.values()]
        ends = [0.0, *(float(bound) for w in speeds for bound in (w.min(), w.max()))]
        if motor.slope > 0.0:
            ends.append(motor.no_load)
        w = np.linspace(min(ends), 1.05 * max(ends), _POINTS)
        if motor.slope > 0.0:
            panel.plot(w, 1e3 * (motor.stall - motor.slope * w), label="full voltage", **_BOUND)
        if np.isfinite(motor.limit):
            style = _BOUND | {"linestyle": (0, (1, 1.5))}
            panel.axhline(1e3 * motor.limit, label="limit of the torque", **style)
        panel.plot(w, 1e3 * motor.B * w, color="#009E73", label="friction")
        torques = [
            run.trajectory.data["actuation"].to_numpy()[:, 0] for run in section.runs.values()
        ]
        for index, (name, speed, torque) in enumerate(
            zip(section.runs, speeds, torques, strict=True)
        ):
            line(panel, speed, 1e3 * torque / motor.n, label=name, **run_style(index))
        panel.set(xlabel="speed of the rotor [rad/s]", ylabel="torque [mN m]")
        highest = max(float(np.abs(torque).max()) for torque in torques) / motor.n
        panel.set_ylim(-0.05e3 * highest, 1.25e3 * max(highest, 1e-9))
        panel.legend()

    alt = (
        "Torque of the motor over the speed of its rotor: the line of full voltage, the limit, the "
        f"friction, and the way of {_names(section)}."
    )
    note = "A run ends where its torque meets the friction. The rows of a run are joined."
    return draw("Torque and speed", alt, (1, 1), plot, note=note, row_height=3.2)


def _speed(data: xr.Dataset) -> Array:
    speed: Array = data["v"].to_numpy()[:, 0]
    return speed


def _angle(data: xr.Dataset) -> Array:
    angle: Array = data["q"].to_numpy()[:, 0]
    return angle


def _names(section: Section) -> str:
    return listed(section.runs)


REPORT = MachineReport(figures, notes, tables)

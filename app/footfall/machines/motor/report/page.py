"""Report of the motor: its response beside the closed form."""

from collections.abc import Callable
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.engines import CONTINUOUS
from footfall.errors import ScenarioError
from footfall.machines.motor.model import motor_of, response_of
from footfall.registry.documents import read_notes
from footfall.registry.machine import CLOSED_FORM
from footfall.report.charts.panel import Panel
from footfall.report.curves import AXIS, BOUND, Curve, Level, Line, Over, Part, Plot, curves
from footfall.report.figure import Figure
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import RunView, RunViews
from footfall.report.section import Section
from footfall.report.tables import number
from footfall.scenario.context import context_of
from footfall.textbook.motor import GearedMotor, SpeedResponse

_NOTES = read_notes(__package__)

_BOXES = {
    "motor": (0.0, 1.5, 0.6, ("J_motor", "B_motor")),
    "gear": (3.0, 4.2, 0.75, ("n",)),
    "load": (5.7, 6.7, 1.0, ("J_load",)),
}
"""Of the drive train from left to right: left and right end, half of its height, letters."""
_FACE: dict[str, Any] = {"color": "#0072B2", "alpha": 0.12, "linewidth": 0.0}
_EDGE: dict[str, Any] = {"color": "#38383f", "linewidth": 1.2}
_SHAFT: dict[str, Any] = {"color": "#38383f", "linewidth": 4.0}
_GROUND: dict[str, Any] = {"color": "#b0b5bd", "linewidth": 5.0}
_WORDS: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10.0}
_TORQUE, _ANGLE = "#D55E00", "#009E73"
_LOOP = np.radians(np.linspace(-150.0, 150.0, 40))  # of an arrow round a shaft


def drive_train(motor: GearedMotor) -> Figure:
    """Draw rotor, gear and load on one axis, with what each has of the equation."""
    alt = (
        "A motor with inertia J_motor and friction B_motor turns a load of inertia J_load through "
        "a gear: n turns of the motor for one of the load."
    )
    note = (
        f"J_motor = {number(motor.J_m)} kg m², B_motor = {number(motor.B)} N m s/rad, n = "
        f"{number(motor.n)}, J_load = {number(motor.J_l)} kg m². Letters are those of the report's "
        "text; wheels of the gear are not drawn. The torque T_max acts at the shaft of the motor, "
        "which turns by θ_motor = n θ_load: the load feels T_max n, J_motor n² and B_motor n²."
    )
    plot = Plot("", [_draw], equal=True)
    title = "Figure 3: motor and load"
    return curves(None, title, [plot], alt=alt, note=note, row_height=2.6)


def _draw(panel: Panel) -> None:
    panel.set_axis_off()
    for begin, end in ((1.5, 3.0), (4.2, 5.7)):
        panel.plot([begin, end], [0.0, 0.0], **_SHAFT)
    for name, (left, right, half, letters) in _BOXES.items():
        middle = 0.5 * (left + right)
        panel.broken_barh([(left, right - left)], (-half, 2.0 * half), **_FACE)
        panel.plot([left, right, right, left, left], [-half, -half, half, half, -half], **_EDGE)
        panel.text(middle, half + 0.22, name, **_WORDS)
        for k, letter in enumerate(letters):
            panel.text(middle, 0.22 * (len(letters) - 1) - 0.44 * k, letter, **_WORDS)
        if name != "load":  # housings of motor and gear do not turn
            panel.plot([left, right], [-half - 0.1] * 2, **_GROUND)
    for x, letter, colour, height in (
        (1.95, "T_max", _TORQUE, 0.7),
        (2.55, "θ_motor", _ANGLE, -1.1),
        (4.95, "θ_load", _ANGLE, -0.7),
    ):
        across, up = x - 0.14 * np.cos(_LOOP), 0.42 * np.sin(_LOOP)
        panel.plot(across, up, color=colour)
        panel.arrow((across[-2], up[-2]), (across[-1], up[-1]), color=colour)
        panel.text(x, height, letter, color=colour, **_WORDS)
    panel.set(xlim=(-0.1, 6.8), ylim=(-1.4, 1.4))


_EXACT: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0}
_LIMIT: dict[str, Any] = {**BOUND, "linestyle": (0, (1, 1.5))}
_FRICTION_LINE: dict[str, Any] = {"color": "#009E73", "linewidth": 1.3}
_POINTS = 1001  # of the closed form
_LEAST = 1e-17  # of a logarithmic axis: what is smaller is none


def figures(runs: RunViews[RunView]) -> list[Figure | None]:
    """The drive train; response, distance from the closed form, plane of torque and speed."""
    response = _response(runs.section)
    motor = motor_of(runs.section.robot.model, runs.section.robot.contacts)

    def torque(run: RunView) -> Array:
        return np.asarray(1e3 / motor.n * run.data["actuation"].to_numpy()[:, 0])

    behind: list[list[Line]] = [[], [], []]
    if response is not None and CLOSED_FORM not in runs.names:
        t = np.linspace(0.0, float(runs.first.time[-1]), _POINTS)
        exact = (
            response.speed_at(t),
            np.degrees(response.angle_at(t)),
            1e3 * response.torque_at(t),
        )
        behind = [[Line(t, values, "closed form", _EXACT)] for values in exact]
    plots = [
        Plot("speed of the\nload [rad/s]", [*behind[0], Curve(speed)]),
        Plot("angle of the\nload [deg]", [*behind[1], Curve(lambda run: np.degrees(angle(run)))]),
        Plot("torque of the\nmotor [mN m]", [*behind[2], Curve(torque), Level(0.0, look=AXIS)]),
    ]
    pictures: list[Figure | None] = [drive_train(motor), curves(runs, "Response", plots)]
    if response is None:
        return pictures
    return [*pictures, _errors(runs, response), _plane(runs, response, torque)]


def _errors(runs: RunViews[RunView], response: SpeedResponse) -> Figure | None:
    if set(runs.names) == {CLOSED_FORM}:  # it is not away from itself
        return None

    def away(of: Callable[[RunView], Array], exact: Callable[[Array], Array]) -> Curve:
        def error(run: RunView) -> Array:
            distance = np.abs(of(run) - exact(run.time))
            return np.where(distance > _LEAST, distance, np.nan)

        return Curve(error)

    plots = [
        Plot("error of\nspeed [rad/s]", [away(speed, response.speed_at)], log=True),
        Plot("error of\nangle [rad]", [away(angle, response.angle_at)], log=True),
    ]
    note = "On logarithmic axes; what lies on the closed form to the last digit is not drawn."
    return curves(runs, "Distance from the closed form", plots, note=note)


def _plane(
    runs: RunViews[RunView], response: SpeedResponse, torque: Callable[[RunView], Array]
) -> Figure:
    motor = response.motor
    over = Over("speed of the rotor [rad/s]", lambda run: motor.n * speed(run))
    ends = [
        0.0,
        *(float(bound) for run in runs.runs for bound in np.percentile(over.of(run), (0, 100))),
    ]
    if motor.slope > 0.0:
        ends.append(motor.no_load)
    w = np.linspace(min(ends), 1.05 * max(ends), _POINTS)
    full = Line(w, 1e3 * (motor.stall - motor.slope * w), "full voltage")
    highest = max(float(np.abs(torque(run)).max()) for run in runs.runs)
    parts: list[Part] = [
        *([full] if motor.slope > 0.0 else []),
        *(
            [Level(1e3 * motor.limit, "limit of the torque", look=_LIMIT)]
            if np.isfinite(motor.limit)
            else []
        ),
        Line(w, 1e3 * motor.B * w, "friction", _FRICTION_LINE),
        Curve(torque),
    ]
    plot = Plot("torque [mN m]", parts, low=-0.05 * highest, high=1.25 * max(highest, 1e-9))
    note = "A run ends where its torque meets the friction. The rows of a run are joined."
    return curves(runs, "Torque and speed", [plot], over=over, note=note, row_height=3.2)


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
        paragraphs += [_NOTES["friction"]] if motor.B > 0.0 else []
        paragraphs += [_NOTES["angles"]] + ([_NOTES["sampled"]] if motor.slope > 0.0 else [])
    if CONTINUOUS in names:
        paragraphs.append(_NOTES["continuous"].format(accuracy=section.scenario.simulator.accuracy))
    return [*paragraphs, _NOTES["assumed"]]


def speed(run: RunView) -> Array:
    """Speed of the load [rad/s]."""
    return np.asarray(run.data["v"].to_numpy()[:, 0])


def angle(run: RunView) -> Array:
    """Angle of the load [rad]."""
    return np.asarray(run.data["q"].to_numpy()[:, 0])


def _response(section: Section) -> SpeedResponse | None:
    try:
        return response_of(context_of(section.scenario, section.robot))
    except ScenarioError:  # another course of the torque
        return None


REPORT = MachineReport(figures, notes)

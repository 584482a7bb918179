"""Figure 3 of the TUlip report: the motor, its gear and its load, with the letters of its text."""

from typing import Any

import numpy as np

from footfall.report.charts.panel import Panel
from footfall.report.curves import Plot, curves
from footfall.report.figure import Figure
from footfall.report.tables import number
from footfall.textbook.motor import GearedMotor

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

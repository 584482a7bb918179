"""Figure 3 of the TUlip report: the motor, its gear and its load, with the letters of its text."""

from typing import Any

import numpy as np

from footfall.report.charts.panel import Panel
from footfall.report.curves import Plot, curves
from footfall.report.figure import Figure
from footfall.report.sketch import THIN
from footfall.report.tables import number
from footfall.textbook.motor import GearedMotor

_BOXES = {"motor": (0.0, 1.5, 0.55), "gear": (3.0, 4.2, 0.75), "load": (5.7, 6.3, 1.15)}
"""Of the drive train from left to right: left and right end, half of its height."""
_FACE, _EDGE = "#dfe5ee", "#38383f"
_GROUND: dict[str, Any] = {"color": "#b0b5bd", "linewidth": 5.0}
_TURNING, _REST = "#0072B2", "#D55E00"
_MIDDLE: dict[str, Any] = {"ha": "center", "va": "center"}
_LOOP = np.radians(np.linspace(-150.0, 150.0, 40))  # of an arrow round a shaft


def drive_train(motor: GearedMotor) -> Figure:
    """Draw rotor, gear and load on one axis, with what each has of the equation."""

    def draw(panel: Panel) -> None:
        panel.set_axis_off()
        ends = [end for left, right, _ in _BOXES.values() for end in (left, right)]
        for begin, end in ((ends[1], ends[2]), (ends[3], ends[4])):
            panel.plot([begin, end], [0.0, 0.0], color=_EDGE, linewidth=4.0, zorder=1.5)
        for name, (left, right, half) in _BOXES.items():
            panel.broken_barh(
                [(left, right - left)], (-half, 2.0 * half), facecolor=_FACE, edgecolor=_EDGE
            )
            panel.text(0.5 * (left + right), half + 0.2, name, fontsize=10.0, **_MIDDLE)
        # the housings of motor and gear do not turn
        for name in ("motor", "gear"):
            left, right, half = _BOXES[name]
            panel.plot([left, right], [-half - 0.12] * 2, **_GROUND)
        _turn(panel, 1.95, "T_max", _REST)
        _turn(panel, 2.55, "θ_motor", _TURNING, below=True)
        _turn(panel, 4.95, "θ_load", _TURNING, below=True)
        _tell(panel, "motor", "J_motor", motor.J_m, "kg m²", -1.15)
        _tell(panel, "motor", "B_motor", motor.B, "N m s/rad", -1.55)
        _tell(panel, "gear", "n", motor.n, "", -1.55)
        _tell(panel, "load", "J_load", motor.J_l, "kg m²", -1.55)
        panel.set(xlim=(-1.2, 7.8), ylim=(-1.9, 1.7))

    alt = (
        "A motor with inertia J_motor and friction B_motor turns a load of inertia J_load through "
        "a gear: n turns of the motor for one of the load."
    )
    note = (
        "Letters of the report's text; wheels of the gear are not drawn. Torque T_max, inertia "
        "and friction of the motor act at its shaft, which turns by θ_motor = n θ_load: the load "
        "feels T_max n, J_motor n² and B_motor n²."
    )
    plot = Plot("", [draw], equal=True)
    title = "Figure 3: motor and load"
    return curves(None, title, [plot], alt=alt, note=note, row_height=3.4)


def _turn(panel: Panel, x: float, name: str, colour: str, *, below: bool = False) -> None:
    """An arrow round the shaft at x, with its letters."""
    across, up = x - 0.14 * np.cos(_LOOP), 0.42 * np.sin(_LOOP)
    panel.plot(across, up, color=colour, linewidth=THIN["linewidth"] + 0.4)
    tip = ((float(across[k]), float(up[k])) for k in (-2, -1))
    panel.arrow(*tip, color=colour, linewidth=1.3)
    panel.text(x, -0.75 if below else 0.75, name, color=colour, fontsize=10.0, **_MIDDLE)


def _tell(panel: Panel, box: str, letter: str, value: float, unit: str, height: float) -> None:
    """A letter below a part of the drive train, with its number."""
    left, right, _ = _BOXES[box]
    words = f"{letter} = {number(value, 4)} {unit}".strip()
    panel.text(0.5 * (left + right), height, words, fontsize=10.0, **_MIDDLE)

"""The compass with the letters of its report: figures 1 and 2."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.sketch import DASHED, arc, arrow, dimension

# larger than those of a walk, to be seen; both feet stand where q2 = π - 2 q1
_Q1, _THETA = 0.45, math.radians(12.0)
_LEG, _SWING, _GREY = "#0072B2", "#D55E00", "#888888"
_HIP_MASS, _LEG_MASS = 13.0, 8.0  # sizes of dots


def dimension_sketch(parameters: CompassParameters) -> Figure:
    """Both legs on their slope: what l, s, m, I, theta, q1 and q2 are, and the axes of R0."""

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        _draw_slope(panel, parameters.l)
        _draw_legs(panel, parameters)
        panel.set_aspect("equal")
        panel.set_axis_off()
        panel.margins(0.08)

    note = (
        "Figures 1 and 2 of the report. R0 is attached to the slope; q1 is the angle of the "
        "standing leg from the slope's normal, q2 that of the other leg from the first one, G1 and "
        "G2 are the legs' mass centres. Angles are larger than those of a walk; here l = "
        f"{parameters.l:g} m, s = {parameters.s:g} m, m = {parameters.m:g} kg, I = "
        f"{parameters.I:g} kg m², θ = {math.degrees(parameters.theta):.3g}°."
    )
    alt = "Two legs joined at the hip on a slope, with the letters of lengths, angles and axes."
    return draw("The walker's letters", alt, (1, 1), plot, note=note, row_height=4.2)


def _in_world(point: complex) -> complex:
    """A point of the slope's axes, x down the slope, in the world's."""
    return point * np.exp(-1j * _THETA)


def _draw_slope(panel: Panel, l: float) -> None:
    begin, end = (_in_world(complex(x, 0.0)) for x in (-1.15 * l, 0.75 * l))
    panel.plot([begin.real, end.real], [begin.imag, end.imag], color="#6b4f2a", linewidth=2.2)
    level = complex(end.real - 0.75 * l, end.imag)
    panel.plot([level.real, end.real], [level.imag, end.imag], **DASHED)
    arc(panel, end, 0.5 * l, math.pi - _THETA, math.pi, "θ")
    for way, name in ((1.0, "x"), (1j, "z")):
        arrow(panel, 0j, _in_world(0.32 * l * way), name)
    arrow(panel, complex(0.72 * l, 0.95 * l), complex(0.72 * l, 0.7 * l), "g")


def _draw_legs(panel: Panel, parameters: CompassParameters) -> None:
    l, s = parameters.l, parameters.s
    q2 = math.pi - 2.0 * _Q1
    hip = _in_world(l * _along(_Q1))
    other = _in_world(l * _along(_Q1) + l * _along(_Q1 + q2))
    for foot, colour, name in ((0j, _LEG, "G1"), (other, _SWING, "G2")):
        panel.plot([foot.real, hip.real], [foot.imag, hip.imag], color=colour, linewidth=3.0)
        centre = hip + (foot - hip) * s / l
        panel.plot(centre.real, centre.imag, "o", color=colour, markersize=_LEG_MASS)
        panel.annotate(f"{name} (m, I)", (centre.real, centre.imag), (-66, -4), fontsize=10)
    panel.plot(hip.real, hip.imag, "o", color=_GREY, markersize=_HIP_MASS)
    across = 1j * hip / l
    dimension(panel, 0j, hip, -0.3 * l * across, "l")
    along = (other - hip) / l
    dimension(panel, hip + s * along, hip, -0.07 * l * 1j * along, "s")
    normal, beyond = _in_world(1j), hip + 0.45 * hip
    tip = 0.95 * l * normal
    panel.plot([0.0, tip.real], [0.0, tip.imag], **DASHED)
    upright = 0.5 * math.pi - _THETA
    arc(panel, 0j, 0.72 * l, upright, upright + _Q1, "q1")
    panel.plot([hip.real, beyond.real], [hip.imag, beyond.imag], **DASHED)
    first = upright + _Q1
    arc(panel, hip, 0.2 * l, first, first + q2, "q2")


def _along(q: float) -> complex:
    """Direction (3) or (5) of a leg in the slope's axes."""
    return complex(-math.sin(q), math.cos(q))

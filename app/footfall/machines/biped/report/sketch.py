"""The biped with the letters of its report: figure 4."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.machines.biped.closed_form.model import Biped
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.sketch import DASHED, THIN, arc, arrow
from footfall.report.tables import MINUS, number

POSTURE = np.array([-0.62, 0.55, 0.62, -0.5])
"""theta1 to theta4 of the sketch [rad], of the signs of the figure; larger than those of a walk."""
SLOPE = math.radians(-12.0)
"""Alpha of the sketch [rad]."""
_ALPHA = "\N{GREEK SMALL LETTER ALPHA}"
_HIP = 1.5  # m along the slope from O
_LEG_A, _LEG_B = "#0072B2", "#D55E00"
_ALONG, _BESIDE = 0.72, 0.1  # of a link, along it and from there to its letter


def letters(machine: Biped) -> Figure:
    """Hip, legs and slope: what r1, m1 to m5, l1 to l4, theta1 to theta4 and alpha are."""

    def plot(axes: np.ndarray) -> None:
        panel = axes[0, 0]
        r = in_world(machine.points(sketched(machine)))
        _draw_slope(panel)
        _draw_robot(panel, r)
        _draw_angles(panel, r)
        panel.set_aspect("equal")
        panel.set_axis_off()
        panel.margins(0.06)

    p = machine.parameters
    masses, lengths = (", ".join(f"{value:g}" for value in values) for values in (p.m, p.l))
    slope = math.degrees(p.alpha)
    note = (
        "Figure 4 of the report. The inertial frame is attached to the slope at O; r1 = x e1 + z "
        "e2 is the place of the hip m1, r2 to r5 are those of knee and foot of leg A, m2 and m3, "
        "and of leg B, m4 and m5. θ1 and θ3 are the angles of the thighs from the direction of "
        f"{MINUS}e2, θ2 and θ4 those of the shanks from their thighs, counter-clockwise: θ1, θ4 "
        f"and {_ALPHA} are negative as drawn. Angles are larger than those of a walk; here m1 to "
        f"m5 = {masses} kg, l1 to l4 = {lengths} m, {_ALPHA} = {number(slope, 3)}°."
    )
    alt = "Two legs of two links joined at the hip on a slope, with the letters of the report."
    return draw("The robot's letters", alt, (1, 1), plot, note=note, row_height=4.2)


def sketched(machine: Biped) -> Array:
    """Positions q (6,) of the robot in the sketch, its lower foot on the slope."""
    return np.array([_HIP, machine.standing_height(POSTURE), *POSTURE])


def in_world(places: Array) -> Array:
    """Points (..., 2) of the slope's axes e1, e2 as x + 1j z of the world's, (...,)."""
    along, out = places[..., 0], places[..., 1]
    return np.asarray((along + 1j * out) * np.exp(1j * SLOPE))


def _draw_slope(panel: Panel) -> None:
    ends = in_world(np.array([(-0.3, 0.0), (2.7, 0.0)]))
    panel.plot(ends.real, ends.imag, color="#6b4f2a", linewidth=2.2)
    level = ends[1] - np.array([1.1, 0.0])
    panel.plot(level.real, [ends[1].imag] * 2, **DASHED)
    arc(panel, complex(ends[1]), 0.7, math.pi + SLOPE, math.pi, f"{MINUS}{_ALPHA}")
    e1, e2 = in_world(np.array([(0.38, 0.0), (0.0, 0.38)]))
    arrow(panel, 0j, complex(e1), "e1")
    arrow(panel, 0j, complex(e2), "e2")
    panel.annotate("O", (0.0, 0.0), (-6, -14), fontsize=10)


def _draw_robot(panel: Panel, r: Array) -> None:
    """Links with their lengths, masses with their numbers, and r1 from O."""
    hip = complex(r[0])
    for k, (begin, end) in enumerate(((0, 1), (1, 2), (0, 3), (3, 4))):
        a, b = complex(r[begin]), complex(r[end])
        panel.plot(
            [a.real, b.real], [a.imag, b.imag], color=(_LEG_A, _LEG_B)[k // 2], linewidth=3.0
        )
        side = -1j if k in (0, 3) else 1j  # where no angle is
        place = a + _ALONG * (b - a) + _BESIDE * side * (b - a)
        panel.annotate(f"l{k + 1}", (place.real, place.imag), ha="center", va="center", fontsize=10)
    for k, place in enumerate(r):
        panel.plot(place.real, place.imag, "o", color="black", markersize=9.0 if k == 0 else 7.0)
        offset = (9, -14) if k == 1 else (9, 5)
        panel.annotate(f"m{k + 1}", (place.real, place.imag), offset, fontsize=10)
    panel.arrow((0.0, 0.0), (hip.real, hip.imag), **THIN)
    middle = 0.6 * hip
    panel.annotate("r1 = x e1 + z e2", (middle.real, middle.imag), (-8, 6), ha="right", fontsize=10)


def _draw_angles(panel: Panel, r: Array) -> None:
    """Thighs from -e2 at the hip, shanks from the lines of their thighs."""
    down = -1j * np.exp(1j * SLOPE)
    for knee, foot, first, radius in ((1, 2, 1, 0.5), (3, 4, 3, 0.36)):
        hip, thigh = complex(r[0]), complex(r[knee] - r[0])
        shank = complex(r[foot] - r[knee])
        for centre, reference, link, joint, far in (
            (hip, down, thigh, first, radius),
            (complex(r[knee]), thigh, shank, first + 1, 0.4),
        ):
            tip = centre + 1.3 * far * reference / abs(reference)
            panel.plot([centre.real, tip.real], [centre.imag, tip.imag], **DASHED)
            begin = float(np.angle(reference))
            turn = float(np.angle(link / reference))
            arc(panel, centre, far, begin, begin + turn, f"{MINUS if turn < 0.0 else ''}θ{joint}")

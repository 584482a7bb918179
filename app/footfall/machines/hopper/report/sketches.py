"""Sketches of the hopper: its configuration with its letters, and its jump as stick figures."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import CG, Hopper, P, Point, Q, R
from footfall.machines.hopper.closed_form.points import position
from footfall.machines.hopper.observables import JumpObservables
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.run_view import RunView
from footfall.report.section import Section
from footfall.report.sketch import DASHED, arc, arrow, dimension, force
from footfall.report.stick_sequence import MASS_CENTRE, sequence_of, stick_panels, stick_sequence
from footfall.report.tables import number

POSE: Array = np.array([0.0, 0.0, math.radians(50.0), math.radians(70.0)])
"""Angles of the sketch [rad], of which both are positive; P is moved to where x and y are seen."""
MIDDLES = (Point("1c", 1.0, 0.0), Point("2c", 2.0, 1.0))
"""Mass centres of the links."""
_LINKS = ("#0072B2", "#D55E00")
_GROUND, _FORCES = "#6b4f2a", "#009E73"
_BELOW = 0.6  # half lengths l below everything, for the dimension line


def configuration(machine: Hopper) -> Figure:
    """The links with the letters of the document: points, lengths, angles, torque and forces."""
    p = machine.parameters
    q = POSE + np.array([1.5 * p.l, 0.9 * p.l, 0.0, 0.0])

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        _draw_frame(panel, machine, q)
        _draw_links(panel, machine, q)
        _draw_angles(panel, machine, q)
        panel.set_aspect("equal")
        panel.set_axis_off()
        panel.margins(0.08)

    note = (
        "(x, y) is the place of P, θ1 the angle of link 1 from the x axis, θ2 that from link 1 to "
        "link 2, both counter-clockwise, and τ the torque between the links. Their mass centres 1c "
        "and 2c, with the mass m each, are in their middles, CG is that of the machine; λₜ and λₙ "
        f"are the force of the ground on P. Here l = {number(p.l, 3)} m, m = {number(p.m, 3)} kg, "
        f"µ = {number(p.mu, 3)}, |τ| ≤ {number(p.tau_max, 3)} N m, g = {number(p.g, 3)} m/s²."
    )
    alt = "Two links above the ground, with the letters of points, lengths, angles and forces."
    return draw("The hopper's letters", alt, (1, 1), plot, note=note, row_height=4.2, width=6.6)


def _place(machine: Hopper, q: Array, point: Point) -> complex:
    x, y = position(machine, q, point).tolist()
    return complex(x, y)


def _draw_frame(panel: Panel, machine: Hopper, q: Array) -> None:
    """The ground with its axes, where P is from them, gravity, and the force of the ground."""
    l, at = machine.parameters.l, _place(machine, q, P)
    panel.plot([-0.3 * l, 4.2 * l], [0.0, 0.0], color=_GROUND, linewidth=2.2)
    for way, name in ((1.0, "x"), (1j, "y")):
        arrow(panel, 0j, 0.6 * l * way, name)
    dimension(panel, 0j, complex(at.real, 0.0), -0.35j * l, "x")
    dimension(panel, complex(at.real, 0.0), at, complex(-0.9 * l, 0.0), "y")
    arrow(panel, complex(0.3 * l, 3.2 * l), complex(0.3 * l, 2.6 * l), "g")
    force(panel, at - 0.75j * l, at - 0.08j * l, "λₙ", _FORCES)
    force(panel, at - 0.75 * l, at - 0.08 * l, "λₜ", _FORCES)


def _draw_links(panel: Panel, machine: Hopper, q: Array) -> None:
    """Both links with their ends, their mass centres, and that of the machine."""
    l = machine.parameters.l
    ends = [_place(machine, q, point) for point in (P, Q, R)]
    for begin, end, middle, colour in zip(ends, ends[1:], MIDDLES, _LINKS, strict=False):
        panel.plot([begin.real, end.real], [begin.imag, end.imag], color=colour, linewidth=3.0)
        centre, along = _place(machine, q, middle), (end - begin) / abs(end - begin)
        panel.plot(centre.real, centre.imag, "o", color=colour, markersize=6.0)
        panel.annotate(f"{middle.name} (m)", (centre.real, centre.imag), (8, -6), fontsize=10)
        half = (begin, centre) if middle is MIDDLES[0] else (centre, end)
        dimension(panel, *half, 0.4j * l * along, "l")
    for point, place, offset in zip((P, Q, R), ends, ((10, -12), (10, -6), (-4, 12)), strict=True):
        panel.plot(place.real, place.imag, "o", color="#38383f", markersize=4.0)
        panel.annotate(point.name, (place.real, place.imag), offset, fontsize=10)
    centre = _place(machine, q, CG)
    panel.plot(centre.real, centre.imag, "x", color=MASS_CENTRE, markersize=7.0)
    panel.annotate("CG", (centre.real, centre.imag), (-22, -4), fontsize=10, color=MASS_CENTRE)


def _draw_angles(panel: Panel, machine: Hopper, q: Array) -> None:
    """Both angles from the dashed lines that they begin at, and the torque along the second."""
    l, theta1, theta12 = machine.parameters.l, float(q[2]), float(q[2] + q[3])
    for point, begin, end, name in ((P, 0.0, theta1, "θ1"), (Q, theta1, theta12, "θ2")):
        at = _place(machine, q, point)
        far = at + 1.3 * l * np.exp(1j * begin)
        panel.plot([at.real, far.real], [at.imag, far.imag], **DASHED)
        arc(panel, at, 0.9 * l, begin, end, name)
    at, turns = _place(machine, q, Q), np.linspace(theta1 - 2.2, theta12 - 2.4, 30)
    turn = at + 0.3 * l * np.exp(1j * turns)
    panel.plot(turn.real, turn.imag, color="black", linewidth=1.3)
    arrow(panel, complex(turn[-2]), complex(turn[-1]), "τ")


def instants(jump: JumpObservables, end: float) -> list[tuple[float, str]]:
    """Start, separation, two in flight, impact, two after it, end [s]; those that a run came to.

    end: that of the run, of which the jump may have none.
    """
    moments = [(0.0, "start")]
    if np.isfinite(jump.separation):
        moments.append((jump.separation, "separation"))
    if np.isfinite(jump.impact):
        moments += _between(jump.separation, jump.impact, "in flight")
        moments.append((jump.impact, "P lands"))
        moments += _between(jump.impact, end, "second contact")
    return [*moments, (end, f"{jump.lands} lands" if jump.lands else "end of the run")]


def _between(start: float, end: float, what: str) -> list[tuple[float, str]]:
    return [(time, what) for time in np.linspace(start, end, 4)[1:3].tolist()]


def stick_figures(section: Section, run: RunView, jump: JumpObservables, l: float) -> list[Figure]:
    """A run at its instants: all of them in place, and each by itself; l: half of a link [m]."""
    moments = instants(jump, float(run.time[-1]))
    sequence = sequence_of(section, run, [run.row_at(time) for time, _ in moments])
    text = ", ".join(f"{what} {time:.3f} s" for time, what in moments)
    whole = stick_sequence(
        sequence,
        f"The jump: {run.name}",
        f"From pale to dark: {text}. Dashed: path of the mass centre.",
        below=_BELOW * l,
        centre=True,
        times=False,
        also=lambda panel: _draw_distance(panel, jump, l),
    )
    strip = stick_panels(
        sequence,
        [f"{what}\n{time:.4f} s" for time, what in moments],
        f"Instant by instant: {run.name}",
        "Link 1 is blue, link 2 orange; the cross is the mass centre. z is the document's y. All "
        "panels have the same scale and height, and go along with the machine.",
        centre=True,
    )
    return [whole, strip]


def _draw_distance(panel: Panel, jump: JumpObservables, l: float) -> None:
    """Draw the distance d below the ground, between the places that it is measured from."""
    if not np.isfinite(jump.distance):
        return
    low = -0.4 * l
    thin: dict[str, Any] = {"color": "black", "linewidth": 0.8}
    for x in (jump.x_start, jump.x_end):
        panel.plot([x, x], [-0.04 * l, low - 0.08 * l], **thin)
    panel.arrow((jump.x_start, low), (jump.x_end, low), heads=2, color="black", linewidth=0.9)
    text = f"d = {1e3 * jump.distance:.1f} mm"
    middle = 0.5 * (jump.x_start + jump.x_end)
    panel.annotate(text, (middle, low), (0.0, -3.0), ha="center", va="top")

"""Report of the hopper: its jumps, figures and notes."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.feet import MachineFeet
from footfall.machines.hopper.closed_form.model import CG, Hopper, P, Point, Q, R, position
from footfall.machines.hopper.closed_form.phases import JumpPhase, critical_friction
from footfall.machines.hopper.model import POINTS, parameters_of
from footfall.machines.hopper.observables import JumpObservables, PhaseInterval, jump_of
from footfall.registry.documents import read_notes
from footfall.report.bands import Phase
from footfall.report.charts.panel import Panel
from footfall.report.curves import Curve, Level, Plot, Uprights, curves
from footfall.report.figure import Figure, draw
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import RunView, RunViews, read_runs, views_of
from footfall.report.section import Section
from footfall.report.sketch import DASHED, arc, arrow, dimension, force
from footfall.report.stick_sequence import MASS_CENTRE, sequence_of, stick_panels, stick_sequence
from footfall.report.tables import listed, number

_NOTES = read_notes(__package__)

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


X, Y, T1, T2 = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
COLOURS = {
    JumpPhase.STICK: "#0072B2",
    JumpPhase.SLIP_FORWARD: "#009E73",
    JumpPhase.SLIP_BACKWARD: "#D55E00",
    JumpPhase.FLIGHT: None,
}
_TREMBLING = 0.004  # s, over which forces on Drake's compliant ground are averaged
_FAINT = 1e-3  # of the largest force: below it a ratio is rounding
_SMALL = 0.3  # of the whole axis: forces after the landing below this are shown closer, too
_COMPLIANT = " On Drake's compliant ground, where P trembles, means of some milliseconds."


@dataclass(frozen=True, eq=False)
class JumpRun(RunView):
    """A run up to the end of its jump, with what was read in it."""

    jump: JumpObservables

    @cached_property
    def force(self) -> tuple[Array, Array]:
        """Times (k,) [s] and mean forces of the ground on P up to there (k, 2) [N], (n, t).

        Those of impacts are NaN. Rows after next to no time are left out, and that of a step in
        which Q or R lands.
        """
        foot = MachineFeet(self.data, POINTS[:1])
        force = foot.force[:, 0, :2]
        known = np.isfinite(force[:, 0])
        known[-1] &= self.exact or not self.jump.lands
        hit = np.zeros(len(force), dtype=np.bool_)
        for before, after in pairwise(self.jump.intervals):
            if before.phase is JumpPhase.FLIGHT:
                hit[after.rows.start : foot.end_of_impact(after.rows.start)] = True
        force[hit] = np.nan
        if self.compliant:
            force = np.where(hit[:, None], np.nan, self.mean(force, _TREMBLING))
        return self.time[known], force[known]


@dataclass(frozen=True, eq=False)
class JumpRuns(RunViews[JumpRun]):
    """All runs of a section with the hopper that they are of."""

    machine: Hopper


def read_jumps(section: Section) -> JumpRuns:
    """Read a section's runs; raises ModelError for a model that is no hopper."""
    machine = Hopper(parameters_of(section.robot.model, section.robot.contacts))

    def read(run: RunView) -> JumpRun:
        jump = jump_of(run.trajectory, machine)
        end = max(2, int(np.searchsorted(run.time, jump.end, side="right")))
        shown = replace(run.trajectory, data=run.data.isel(time=slice(0, end)))
        return JumpRun(run.name, run.index, shown, jump)

    return JumpRuns(section, read_runs(section, read), machine)


def normal(run: JumpRun) -> tuple[Array, Array]:
    """Times [s] and normal force of the ground on P [N]."""
    time, force = run.force
    return time, force[:, 0]


def ratio(run: JumpRun) -> tuple[Array, Array]:
    """Times [s] and tangential over normal force, NaN where there is next to none."""
    time, force = run.force
    faint = _FAINT * np.nanmax(force[:, 0], initial=0.0)
    return time, force[:, 1] / np.where(force[:, 0] > faint, force[:, 0], np.nan)


def _largest(jumps: JumpRuns, *, landed: bool = False) -> float:
    """Largest normal force on rigid ground, or that after P has landed [N]; else 0."""
    forces = [
        force[time > run.jump.impact] if landed else force
        for run in jumps.runs
        if not run.compliant
        for time, force in [normal(run)]
    ]
    return max((float(np.nanmax(force, initial=0.0)) for force in forces), default=0.0)


def figures(jumps: JumpRuns) -> list[Figure]:
    """The document's figures: configuration, sticks, coordinates, force; then all coordinates."""
    mu = jumps.machine.parameters.mu
    reach = 2.0 * mu or 1.0
    changes = Uprights([phase.begin for phase in phases(jumps)[1:]])
    # on compliant ground alone bounces set no axis
    top = 1.2 * _largest(jumps) or None
    pressed = Plot("normal force\nλₙ [N]", [Curve(normal), Level(0.0), changes], usual=not top)
    force = [
        replace(pressed, low=-0.12 * top, high=top) if top else pressed,
        Plot(
            "λₜ / λₙ [1]", [Curve(ratio), Level(mu, mirrored=True), changes], low=-reach, high=reach
        ),
    ]
    closer = 1.2 * _largest(jumps, landed=True)
    if top and 0.0 < closer < _SMALL * top:
        force.insert(1, replace(pressed, label="λₙ, closer [N]", low=-0.12 * closer, high=closer))
    of_force = _NOTES["force"].format(mu=number(mu, 3))
    first, l = jumps.first, jumps.machine.parameters.l
    return [
        *stick_figures(jumps.section, first, first.jump, l),
        curves(
            jumps,
            "Coordinates",
            [
                Plot(
                    "place of P [m]",
                    [Curve("q.x", "x of P", X), Curve("q.z", "y of P", Y), changes],
                ),
                Plot(
                    "angle [deg]",
                    [Curve("q.theta1", "θ1", T1), Curve("q.theta2", "θ2", T2), changes],
                ),
            ],
            note=_NOTES["phases"].format(run=first.name),
        ),
        curves(
            jumps,
            "Force of the ground on P",
            force,
            note=of_force + _COMPLIANT if any(run.compliant for run in jumps.runs) else of_force,
        ),
        configuration(jumps.machine),
        *coordinate_figures(views_of(jumps.section)),
    ]


def phases(jumps: JumpRuns) -> list[Phase]:
    """Phases of P in the first run."""
    intervals = jumps.first.jump.intervals
    return [Phase(one.start, one.end, _spelt(one), COLOURS[one.phase]) for one in intervals]


def _spelt(interval: PhaseInterval) -> str:
    return interval.phase.value.replace("-", "\N{MINUS SIGN}")


def notes(jumps: JumpRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    stepping, compliant = bool(jumps.stepping), any(run.compliant for run in jumps.runs)
    return [
        _sequence(jumps.first),
        _painleve(jumps),
        _NOTES["steps"].format(step=f"{jumps.section.scenario.time_step:g}") if stepping else "",
        _NOTES["drake"] if compliant else "",
    ]


def _sequence(run: JumpRun) -> str:
    """Phases of P with their times, and the distance of the jump."""
    jump = run.jump
    spans = [f"{_spelt(i)} from {i.start:.4f} to {i.end:.4f} s" for i in jump.intervals]
    text = f"In {run.name} P goes through {listed(spans)}."
    if jump.lands:
        text += f" {jump.lands} lands at {jump.end:.4f} s, which ends the jump."
    if np.isfinite(jump.distance):
        return f"{text} The distance is d = {1e3 * jump.distance:.3f} mm."
    return f"{text} It is no valid jump: {jump.why}."


def _painleve(jumps: JumpRuns) -> str:
    """Friction that Painleve's paradox needs, which the authors took for it."""
    needed = float(np.min(critical_friction(jumps.machine, jumps.first.states)))
    mu = jumps.machine.parameters.mu
    text = _NOTES["paradox"] if mu >= needed else _NOTES["painleve"]
    return text.format(run=jumps.first.name, needed=number(needed, 3), mu=number(mu, 3))


REPORT = MachineReport(figures, notes, phases=phases, read=read_jumps)

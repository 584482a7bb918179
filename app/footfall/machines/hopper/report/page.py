"""Report of the hopper: its jumps, figures and notes."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from footfall.arrays import Array
from footfall.feet import MachineFeet
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase, critical_friction
from footfall.machines.hopper.model import POINTS, parameters_of
from footfall.machines.hopper.observables import JumpObservables, PhaseInterval, jump_of
from footfall.machines.hopper.report.sketches import configuration, stick_figures
from footfall.report.bands import Phase
from footfall.report.curves import Curve, Level, Plot, Uprights, curves
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import RunView, RunViews, read_runs, views_of
from footfall.report.section import Section
from footfall.report.tables import listed, number

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
_PAINLEVE = (
    "The document takes a negative normal force after the landing for Painleve's paradox and lets "
    "the hopper fly again. In the poses of this run the paradox needs a coefficient of friction of "
    "at least {needed} at P; the ground has {mu}."
)
_PARADOX = (
    "In poses of {run} the coefficient of friction {mu} exceeds the {needed} from which on a "
    "sliding P may meet Painleve's paradox."
)
_STEPS = (
    "Engines that step through time find a landing, a take-off or the end up to a step of "
    "{step} s late, and chatter of a step or two between two phases is not shown."
)
_DRAKE = (
    "Drake's contact is compliant, and its approximations sap and similar lift what slides: where "
    "P lands it is thrown off with about mu times its speed along the ground, and its phases and "
    "its distance are not those of rigid ground."
)
_PHASES = (
    "What P does is marked in {run}: it stands, slides forward (slip+) or backward "
    "(slip\N{MINUS SIGN}), or is in the air, where nothing is marked; dashed where one goes over "
    "into the next."
)
_FORCE = (
    "Dashed across: no force above, ±µ = ±{mu} below. Means over time steps; impacts are left out, "
    "and there is no ratio in flight."
)
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
    of_force = _FORCE.format(mu=number(mu, 3))
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
            note=_PHASES.format(run=first.name),
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
        _STEPS.format(step=f"{jumps.section.scenario.time_step:g}") if stepping else "",
        _DRAKE if compliant else "",
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
    text = _PARADOX if mu >= needed else _PAINLEVE
    return text.format(run=jumps.first.name, needed=number(needed, 3), mu=number(mu, 3))


REPORT = MachineReport(figures, notes, phases=phases, read=read_jumps)

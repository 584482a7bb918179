"""Report of the hopper: figures and notes."""

from dataclasses import replace

import numpy as np

from footfall.machines.hopper.closed_form.phases import JumpPhase, critical_friction
from footfall.machines.hopper.report.runs import (
    JumpRun,
    JumpRuns,
    largest,
    largest_after,
    normal,
    ratio,
    read_jumps,
    spelt,
)
from footfall.machines.hopper.report.sticks import stick_figures
from footfall.report.bands import Phase
from footfall.report.curves import Curve, Level, Plot, curves
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import views_of
from footfall.report.tables import listed, number

X, Y, T1, T2 = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
COLOURS = {
    JumpPhase.STICK: "#0072B2",
    JumpPhase.SLIP_FORWARD: "#E69F00",
    JumpPhase.SLIP_BACKWARD: "#D55E00",
    JumpPhase.FLIGHT: None,
}
_SMALL = 0.3  # of the whole axis: forces after the landing below this are shown closer, too
_PAINLEVE = (
    "The document takes a negative normal force after the landing for Painleve's paradox and lets "
    "the hopper fly again. In the poses of this run the paradox needs a coefficient of friction of "
    "at least {needed} at P; the ground has {mu}."
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


_BACK = "\N{MINUS SIGN}"


def figures(jumps: JumpRuns) -> list[Figure]:
    """The task's figures: sticks, coordinates, force; then all coordinates and rates."""
    mu = jumps.machine.parameters.mu
    note = (
        f"What P does is marked in {jumps.first.name}: it stands, slides forward (slip+) or "
        f"backward (slip{_BACK}), or is in the air, where nothing is marked."
    )
    of_force = (
        f"Dashed: no force above, ±µ = ±{number(mu, 3)} below. Means over time steps; impacts are "
        "left out, and there is no ratio in flight."
    )
    if any(run.compliant for run in jumps.runs):
        of_force += " On Drake's compliant ground, where P trembles, means of some milliseconds."
    force = [
        Plot("normal force\nλₙ [N]", [Curve(normal), Level(0.0)], usual=True),
        Plot("λₜ / λₙ [1]", [Curve(ratio), Level(mu, mirrored=True)], usual=True),
    ]
    closer = 1.2 * max(largest_after(run) for run in jumps.runs)
    if 0.0 < closer < _SMALL * max(largest(run) for run in jumps.runs):
        force.insert(1, replace(force[0], label="λₙ, closer [N]", low=-0.12 * closer, high=closer))
    return [
        *stick_figures(jumps),
        curves(
            jumps,
            "Coordinates",
            [
                Plot("place of P [m]", [Curve("q.x", "x of P", X), Curve("q.z", "y of P", Y)]),
                Plot("angle [deg]", [Curve("q.theta1", "θ1", T1), Curve("q.theta2", "θ2", T2)]),
            ],
            note=note,
        ),
        curves(jumps, "Force of the ground on P", force, note=of_force),
        *coordinate_figures(views_of(jumps.section)),
    ]


def phases(jumps: JumpRuns) -> list[Phase]:
    """What P does in the first run."""
    intervals = jumps.first.jump.intervals
    return [Phase(one.start, one.end, spelt(one), COLOURS[one.phase]) for one in intervals]


def notes(jumps: JumpRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    paragraphs = [_sequence(jumps.first), _painleve(jumps)]
    if any(not run.exact for run in jumps.runs):
        paragraphs.append(_STEPS.format(step=f"{jumps.section.scenario.time_step:g}"))
    if any(name.startswith("drake") for name in jumps.section.runs):
        paragraphs.append(_DRAKE)
    return paragraphs


def _sequence(run: JumpRun) -> str:
    """Phases of P with their times, and the distance of the jump."""
    jump = run.jump
    spans = [f"{spelt(i)} from {i.start:.4f} to {i.end:.4f} s" for i in jump.intervals]
    text = f"In {run.name} P goes through {listed(spans)}."
    if jump.lands:
        text += f" {jump.lands} lands at {jump.end:.4f} s, which ends the jump."
    if np.isfinite(jump.distance):
        return f"{text} The distance is d = {1e3 * jump.distance:.3f} mm."
    return f"{text} It is no valid jump: {jump.why}."


def _painleve(jumps: JumpRuns) -> str:
    """Friction that Painleve's paradox needs, which the authors took for it."""
    run = jumps.first
    needed = float(np.min(critical_friction(jumps.machine, run.x)))
    mu = jumps.machine.parameters.mu
    if mu >= needed:
        return (
            f"In poses of {run.name} the coefficient of friction {number(mu, 3)} exceeds the "
            f"{number(needed, 3)} from which on a sliding P may meet Painleve's paradox."
        )
    return _PAINLEVE.format(needed=number(needed, 3), mu=number(mu, 3))


REPORT = MachineReport(figures, notes, phases=phases, read=read_jumps)

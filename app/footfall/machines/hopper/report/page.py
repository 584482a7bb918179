"""Report of the hopper: figures and notes."""

import numpy as np

from footfall.machines.hopper.closed_form.phases import critical_friction
from footfall.machines.hopper.report.curves import coordinates, forces
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns, read_jumps, spelt
from footfall.machines.hopper.report.sticks import stick_figures
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.tables import listed, number

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


def figures(section: Section) -> list[Figure]:
    """The task's figures: sticks, coordinates, force; then all coordinates and rates."""
    jumps = section.read(read_jumps)
    return [
        *stick_figures(jumps),
        coordinates(jumps),
        forces(jumps),
        *coordinate_figures(section),
    ]


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    jumps = section.read(read_jumps)
    paragraphs = [_sequence(jumps.first), _painleve(jumps)]
    if any(not run.exact for run in jumps.runs):
        paragraphs.append(_STEPS.format(step=f"{section.scenario.time_step:g}"))
    if any(name.startswith("drake") for name in section.runs):
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
    needed = float(np.min(critical_friction(jumps.machine, run.x[:, run.shown])))
    mu = jumps.machine.parameters.mu
    if mu >= needed:
        return (
            f"In poses of {run.name} the coefficient of friction {number(mu, 3)} exceeds the "
            f"{number(needed, 3)} from which on a sliding P may meet Painleve's paradox."
        )
    return _PAINLEVE.format(needed=number(needed, 3), mu=number(mu, 3))


REPORT = MachineReport(figures, notes)

"""Report of the hopper: figures, tables and notes."""

import numpy as np

from footfall.machines.hopper.claims import is_published
from footfall.machines.hopper.closed_form.model import CODE
from footfall.machines.hopper.closed_form.phases import critical_friction
from footfall.machines.hopper.published import DISTANCE, EARLY_IMPACT_INERTIA
from footfall.machines.hopper.references import CODE_DISTANCE, EARLY_DISTANCE, TEXT_DISTANCE
from footfall.machines.hopper.report.curves import allowed, coordinates, torque
from footfall.machines.hopper.report.energy import balance, energies
from footfall.machines.hopper.report.forces import forces
from footfall.machines.hopper.report.margins import Closest, closest, margin_table, violated
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns, read_jumps, spelt
from footfall.machines.hopper.report.sticks import stick_figures
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.tables import MINUS, NONE, Table, listed, number
from footfall.scenario.context import context_of

_PAINLEVE = (
    "The document takes a negative normal force after the landing for Painleve's paradox and lets "
    "the hopper fly again. In the poses of this run the paradox needs a coefficient of friction of "
    "at least {needed} at P; the ground has {mu}."
)
_PUBLISHED = (
    "These are the published inputs, for which the document quotes d = {quoted} mm. With its "
    "gravity of 10 m/s² its equations give {text} mm, with the {gravity} m/s² of the authors' "
    "program {code} mm, and with links of {times} their inertia in the impact besides, as one "
    "version of that program has them, {early} mm. That this is where the quoted number comes from "
    "is an inference: that version (commit 1c75c17) has other inputs, and the one with the "
    "published inputs (5d5016c) has the right inertia."
)
_NOT_SAVED = (
    "These are the published inputs, for which the document quotes d = {quoted} mm. This run was "
    "saved without what its equations give for them: run the scenario again to see it."
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
    """The task's figures: coordinates, force, sticks, torque, limits, energy; then the rates."""
    jumps = section.read(read_jumps)
    return [
        *stick_figures(jumps),
        coordinates(jumps),
        forces(jumps),
        torque(jumps),
        allowed(jumps),
        energies(jumps),
        *coordinate_figures(section),
    ]


def tables(section: Section) -> list[Table]:
    """Instants and distances, margins by phase, balance of energy."""
    jumps = section.read(read_jumps)
    return [_jumps(jumps), margin_table(jumps), balance(jumps)]


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    jumps = section.read(read_jumps)
    found = [_sequence(jumps.first), _published(section), _limits(jumps.first), _painleve(jumps)]
    if any(not run.exact for run in jumps.runs):
        found.append(_STEPS.format(step=f"{section.scenario.time_step:g}"))
    if any(name.startswith("drake") for name in section.runs):
        found.append(_DRAKE)
    return [note for note in found if note]


def _jumps(jumps: JumpRuns) -> Table:
    """Times and distance of the jump in every run."""
    rows = []
    for run in jumps.runs:
        jump = run.jump
        places = [jump.x_start, jump.x_end, jump.distance]
        rows.append(
            (
                run.name,
                *(_fixed(time, 6) for time in (jump.separation, jump.impact, jump.end)),
                jump.lands or "none",
                *(_fixed(1e3 * value, 3) for value in places),
                jump.why or "valid",
            )
        )
    headings = (
        "run",
        "separation [s]",
        "P lands [s]",
        "end [s]",
        "what ends it",
        "X_start [mm]",
        "X_end [mm]",
        "d [mm]",
        "jump",
    )
    note = (
        "X_start is the largest x of P before it leaves the ground, X_end the smallest after it "
        "has landed, or that of the point that ends the jump where it comes down behind P."
    )
    return Table("The jump", headings, rows, note)


def _fixed(value: float, decimals: int) -> str:
    """A number with so many decimals; a dash for one that is not known."""
    return f"{value + 0.0:.{decimals}f}".replace("-", MINUS) if np.isfinite(value) else NONE


def _sequence(run: JumpRun) -> str:
    """Phases of P with their times, and the distance of the jump."""
    jump = run.jump
    spans = [f"{spelt(i)} from {i.start:.4f} to {i.end:.4f} s" for i in jump.intervals]
    text = f"In {run.name} P goes through {listed(spans)}."
    if jump.lands:
        text += f" {jump.lands} lands at {jump.end:.4f} s, which ends the jump."
    if np.isfinite(jump.distance):
        return f"{text} The distance is d = {_fixed(1e3 * jump.distance, 3)} mm."
    return f"{text} It is no valid jump: {jump.why}."


def _published(section: Section) -> str:
    """Origin of the published distance; empty for inputs that are not the published ones."""
    if not is_published(context_of(section.scenario, section.robot)):
        return ""
    data = section.first.trajectory.data
    if TEXT_DISTANCE not in data:
        return _NOT_SAVED.format(quoted=f"{1e3 * DISTANCE:.1f}")
    text, code, early = (
        f"{1e3 * float(data[name]):.1f}" for name in (TEXT_DISTANCE, CODE_DISTANCE, EARLY_DISTANCE)
    )
    return _PUBLISHED.format(
        quoted=f"{1e3 * DISTANCE:.1f}",
        text=text,
        gravity=f"{CODE.g:g}",
        code=code,
        times="twice" if EARLY_IMPACT_INERTIA == 2.0 else f"{EARLY_IMPACT_INERTIA:g} times",
        early=early,
    )


def _limits(run: JumpRun) -> str:
    """Smallest margins of the limits, and those that are violated."""
    left = listed(f"{_limit(one)} ({one.limit.name})" for one in closest(run))
    text = f"Least that is left of the limits in {run.name}: {left}."
    broken = violated(run)
    if not broken:
        return f"{text} All are kept."
    return f"{text} Broken, at their worst: {listed(_limit(one, -1.0) for one in broken)}."


def _limit(one: Closest, sign: float = 1.0) -> str:
    """Margin of a limit or its violation, with the time."""
    limit = one.limit
    size = f"{number(sign * one.left / limit.in_si, 3)} {limit.unit} at {one.time:.4f} s"
    return size if sign > 0.0 else f"{limit.name} by {size}"


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


REPORT = MachineReport(figures, notes, tables)

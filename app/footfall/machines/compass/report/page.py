"""Report of the compass walker: figures and notes."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from footfall.machines.compass.report.forces import force_figures
from footfall.machines.compass.report.letters import letters
from footfall.machines.compass.report.map import convergence, return_map
from footfall.machines.compass.report.portrait import phase_portrait
from footfall.machines.compass.report.runs import (
    CompassRun,
    CompassRuns,
    falls_in,
    read_walks,
    scuffing,
)
from footfall.machines.compass.report.steps import step_figures
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.stick_sequence import sequence_of, stick_sequence
from footfall.report.tables import listed, number

_MOST_STEPS = 8  # of a walk: more would be too small to see
_MOMENTS = 5  # of every step


def stick_figures(walks: CompassRuns) -> Figure:
    """The first run, some instants of every step."""
    walk = walks.first
    note = f"In the world's axes, {_MOMENTS} instants of every step; later ones are darker."
    if len(walk.strikes) > _MOST_STEPS:
        note += f" The first {_MOST_STEPS} of {len(walk.strikes)} steps."
    seen = sequence_of(walks.section, walk, _moments(walk))
    return stick_sequence(seen, f"The walk: {walk.name}", note)


def _moments(walk: CompassRun) -> npt.NDArray[np.intp]:
    """Rows of some instants of every step, evenly in time, and the last row that is shown."""
    marks = [0, *(strike.row for strike in walk.strikes[:_MOST_STEPS])]
    if len(walk.strikes) < _MOST_STEPS:
        marks.append(len(walk.time) - 1)
    rows = [np.linspace(a, b, _MOMENTS, endpoint=False) for a, b in pairwise(marks)]
    found: npt.NDArray[np.intp] = np.unique(np.append(np.concatenate(rows), marks[-1]).astype(int))
    return found


_SCUFFING = (
    "Both legs are straight and equally long, so that the swinging foot goes through the ground at "
    "mid-swing. All engines pass over that in the same way: the swinging foot has no contact until "
    "the legs have crossed and it is above the ground ahead; it lands from there."
)
_DRAKE = (
    "Drake's contact is compliant: a heel strike takes some milliseconds, the foot may bounce "
    "after it, and the standing foot sinks in a little. So its strikes are not those of rigid "
    "ground, and its walk is not the exact cycle's."
)
_FALLING = (
    "A walker that falls backwards brings its swinging foot, which has no contact behind the "
    "standing one, deep into the ground: what is seen after that is no motion that could be."
)
_NO_CYCLE = "No periodic gait was found for this walker on this slope."
_NOT_SAVED = (
    "This run was saved without the exact cycle of its walker, which is left out here: run the "
    "scenario again to see it."
)
_SHEET = (
    "The lab sheet calls its four digits 'close to' the cycles; the exact cycles are found by "
    "Newton's method on the return map and need not agree in the last digit."
)


def figures(section: Section) -> list[Figure]:
    """Portrait, return map, sticks, forces and steps of every run; letters and coordinates."""
    walks = section.read(read_walks)
    return [
        phase_portrait(walks),
        *return_map(walks),
        *convergence(walks),
        stick_figures(walks),
        *force_figures(walks, section.scenario.time_step),
        *step_figures(walks),
        letters(walks.machine.parameters),
        *coordinate_figures(section),
    ]


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    walks = section.read(read_walks)
    found = [f"{_SCUFFING} {_depths(walks)}", _friction(walks), _stability(walks)]
    if any(falls_in(walks.machine, walk) for walk in walks.runs):
        found.append(_FALLING)
    if any(name.startswith("drake") for name in section.runs):
        found.append(_DRAKE)
    if any("lab sheet" in claim.source for run in section.runs.values() for claim in run.claims):
        found.append(_SHEET)
    return [note for note in found if note]


def _depths(walks: CompassRuns) -> str:
    """Depth of the swinging foot in every run."""
    depths = [
        f"{number(1e3 * scuffing(walks.machine, walk), 3)} mm deep in {walk.name}"
        for walk in walks.runs
    ]
    return f"Up to the last strike it is at most {listed(depths)}."


def _friction(walks: CompassRuns) -> str:
    """Friction that is needed against friction that there is."""
    if walks.cycle is None:
        return ""
    step, strike = walks.cycle.friction_stance, walks.cycle.friction_impact
    need = max(step, strike)
    text = (
        f"The exact cycle needs a coefficient of friction of {number(step, 3)} while a foot stands "
        f"and of {number(strike, 3)} at heel strikes; the ground has {number(walks.mu, 3)}. "
    )
    if walks.mu >= need:
        return text + "So the standing foot need not slide, as the exact cycle assumes."
    return (
        text
        + "That is too little: the exact cycle and the engine hybrid, in which the standing foot "
        "never slides, do not hold here."
    )


def _stability(walks: CompassRuns) -> str:
    """Stability of the gait, by its multipliers."""
    if walks.cycle is None:
        return _NO_CYCLE if walks.searched else _NOT_SAVED
    multipliers = walks.cycle.multipliers
    largest = multipliers[int(np.abs(multipliers).argmax())]
    size = float(abs(largest))
    if size < 1.0:
        half = np.log(0.5) / np.log(size)
        text = (
            f"The largest multiplier has a modulus of {number(size, 3)}: the gait is stable, and a "
            f"small distance from it is halved in {number(float(half), 2)} steps"
        )
    else:
        text = (
            f"The largest multiplier has a modulus of {number(size, 3)}: the gait is unstable, and "
            "any distance from it grows by that factor in a step, rounding included"
        )
    if largest.imag != 0.0:
        return f"{text}. It is one of a pair of complex ones: steps turn about the gait's."
    if largest.real < 0.0:
        return f"{text}. It is negative: long and short steps take turns about the gait's."
    return f"{text}."


REPORT = MachineReport(figures, notes)

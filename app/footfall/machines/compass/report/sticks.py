"""The compass as a stick figure on its way down the slope."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from footfall.machines.compass.report.runs import CompassRun, CompassRuns
from footfall.report.figure import Figure
from footfall.report.stick_sequence import sequence_of, stick_sequence

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

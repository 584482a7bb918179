"""Snapshots of the humanoid in two gait cycles, from the side and from the front: 5.3 and 5.4."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footfall.machines.humanoid.closed_form.phases import SIDES
from footfall.machines.humanoid.model import TRUNK
from footfall.machines.humanoid.report.runs import HumanoidRun, HumanoidRuns
from footfall.report.figure import Figure
from footfall.report.stick_sequence import (
    Sequence2D,
    sequence_of,
    spread_rows,
    stick_panels,
    stick_sequence,
)

_FRONT = (1, 2)
_PER_CYCLE = 4
_APART = 0.2  # m: nearer to each other, times would be written over each other
_SEEN = "Blue: the left leg, orange: the right one."


def snapshots(runs: HumanoidRuns) -> list[Figure]:
    """Snapshots of the first run: over each other from the side, a panel each from the front."""
    run = runs.walks[0] if runs.walks else runs.first
    name = ("Figure 5.3: snapshots", "Figure 5.4: snapshots") if run.walks else ("Snapshots",) * 2
    side = _sequence(runs, run, _moments(run))
    words = "at the middle of every phase of two gait cycles" if run.walks else "evenly in time"
    note = f"{_SEEN} {run.name}, {words}; later ones are darker."
    apart = float(np.ptp([posture.points[0, 0] for posture in side.postures])) > _APART
    found = [stick_sequence(side, f"{name[0]} from the side", note, times=apart)]
    front = replace(side, axes=_FRONT)
    titles = [_title(run, row) for row in side.rows]
    note = f"{_SEEN} The robot comes towards the reader; its left is to the right."
    title = f"{name[1]} from the front"
    return [*found, stick_panels(front, titles, title, note, names=False)]


def _sequence(runs: HumanoidRuns, run: HumanoidRun, rows: npt.NDArray[np.intp]) -> Sequence2D:
    return sequence_of(runs.section, run, rows, shapes_of=(TRUNK,))


def _moments(run: HumanoidRun) -> npt.NDArray[np.intp]:
    """Middle rows of the phases of the first two gait cycles."""
    if not run.walks:
        return spread_rows(run, _PER_CYCLE)
    shown = [each for each in run.phases if each.rows.start < run.shown.stop - 1]
    return np.array([(each.rows.start + each.rows.stop - 1) // 2 for each in shown])[
        : 2 * _PER_CYCLE
    ]


def _title(run: HumanoidRun, row: int) -> str:
    time = f"{run.time[row]:.2f} s"
    if not run.walks:
        return time
    phase = int(run.phase[row])
    return f"{SIDES[phase // 2]} {'single' if phase % 2 else 'double'}\n{time}"

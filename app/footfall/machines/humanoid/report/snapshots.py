"""Snapshots of the humanoid (5.3 and 5.4): over each other from the side, apart from the front."""

from dataclasses import replace

import numpy as np

from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.machines.humanoid.model import TRUNK
from footfall.machines.humanoid.report.runs import HumanoidRun, HumanoidRuns
from footfall.report.figure import Figure
from footfall.report.stick_sequence import sequence_of, spread_rows, stick_panels, stick_sequence

_FRONT = (1, 2)
_MOST, _EVENLY = 8, 4  # snapshots of two gait cycles; of a run without any
_APART = 0.2  # m: nearer to each other, times would be written over each other
_SEEN = "Blue: the left leg, orange: the right one."


def snapshots(runs: HumanoidRuns) -> list[Figure]:
    """Snapshots of the first run."""
    run, walks = runs.first, runs.first.walks
    shown = [each.middle for each in run.phases if each.rows.start < run.shown.stop - 1][:_MOST]
    seen = sequence_of(
        runs.section, run, shown if walks else spread_rows(run, _EVENLY), shapes_of=(TRUNK,)
    )
    title = "Figure {}: snapshots from the {}" if walks else "Snapshots from the {1}"
    words = "at the middle of every phase of two gait cycles" if walks else "evenly in time"
    note = f"{_SEEN} {run.name}, {words}; later ones are darker."
    apart = float(np.ptp([posture.points[0, 0] for posture in seen.postures])) > _APART
    titles = [_title(run, row) for row in seen.rows]
    towards = f"{_SEEN} The robot comes towards the reader; its left is to the right."
    return [
        stick_sequence(seen, title.format("5.3", "side"), note, times=apart),
        stick_panels(
            replace(seen, axes=_FRONT), titles, title.format("5.4", "front"), towards, names=False
        ),
    ]


def _title(run: HumanoidRun, row: int) -> str:
    time = f"{run.time[row]:.2f} s"
    if not run.walks:
        return time
    phase = GaitPhase(int(run.phase[row]))
    return f"{SIDES[phase.side]} {'double' if phase.is_double else 'single'}\n{time}"

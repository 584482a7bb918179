"""Report of the humanoid: figures, tables, snapshots (5.3 and 5.4) and notes."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footfall.machines.humanoid.closed_form.phases import SIDES
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.machines.humanoid.engine import is_thesis_step
from footfall.machines.humanoid.ground_walk import GroundWalk
from footfall.machines.humanoid.model import TRUNK
from footfall.machines.humanoid.report.ground import (
    change_table,
    demands,
    pressure_over_sole,
    reactions,
)
from footfall.machines.humanoid.report.joints import (
    joint_angles,
    joint_loads,
    joint_torques,
    load_table,
    tracked_points,
)
from footfall.machines.humanoid.report.runs import HumanoidRun, HumanoidRuns, read_humanoid
from footfall.report.bands import Phase
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.stick_sequence import (
    Sequence2D,
    sequence_of,
    spread_rows,
    stick_panels,
    stick_sequence,
)
from footfall.report.tables import Table, number

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
    drawn = [stick_sequence(side, f"{name[0]} from the side", note, times=apart)]
    front = replace(side, axes=_FRONT)
    titles = [_title(run, row) for row in side.rows]
    note = f"{_SEEN} The robot comes towards the reader; its left is to the right."
    title = f"{name[1]} from the front"
    return [*drawn, stick_panels(front, titles, title, note, names=False)]


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


_DOUBLE = "#9a9a9a"
_CHOSEN = (
    "The thesis gives neither the weights H, R, S and W nor the width of the foot, the initial "
    "state or any limit, and the upward polynomial (4.2) of its path for the swinging heel cannot "
    "be recovered. The weights here, and a smooth path that meets its words, are chosen."
)
_WELDED = (
    "The thesis holds the flat foot as a weld, and the toe behind as a hinge, whatever force that "
    "takes, and never asks whether ground could give it. Here every row is asked: does a part "
    "pull, does it need more friction than there is, is its centre of pressure outside of what "
    "touches?"
)
_FREE = (
    "Nothing holds the feet here: what carries the walk are the contacts of the engine, which push "
    "and rub. The control takes the foot that stands for welded, and reads velocities as that "
    "would leave them; the swinging foot is down when the engine tells of a load on it."
)
_SHARED = (
    "The ground's force and moment on a foot or toe say nothing of its corners. Forces, impulses "
    "and modes of single corners, here and in the animation, are those of least squares that make "
    "them up; where the centre of pressure is outside, some of them pull."
)
_STEPS = (
    "Steps are the thesis's, Euler's of 10 ms. The metric energy drift tells what energy their "
    "error gives or takes; half the step makes about half of it."
)
_TOE = (
    "In double support the angle of the toe behind is tracked besides O1 and G1, by a sixth "
    "command (track_toe). The thesis has six outputs and five commands there, (3.154) to (3.156)."
)
_PARTS = ("the flat foot", "the toe behind")
_SPANS = ("the time", "the double supports")


def notes_of(runs: HumanoidRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    paragraphs = [_CHOSEN]
    control = runs.first.context.controller
    law = control.gait if isinstance(control, GroundWalk) else control
    if isinstance(law, HumanoidWalk) and law.track_toe:
        paragraphs.append(_TOE)
    if runs.first.walks and not runs.first.is_held:
        paragraphs.append(_FREE)
    if runs.first.is_held:
        paragraphs.append(_WELDED)
        paragraphs += [verdict(run) for run in runs.walks]
        paragraphs.append(_SHARED)
        if is_thesis_step(runs.first.context):
            paragraphs.append(_STEPS)
    return paragraphs


def verdict(run: HumanoidRun) -> str:
    """Say in words whether ground could give what a walk takes, and where it could not."""
    demands = run.audit
    share = float(demands.possible.mean())
    if share == 1.0:
        mu = number(demands.mu, 3)
        return f"{run.name}: ground with a friction of {mu} can give all that the walk takes."
    if share == 0.0:
        start = f"{run.name}: the walk is physically impossible at every moment."
    else:
        start = (
            f"{run.name}: the walk is physically impossible for {_share(~demands.possible)} of the "
            f"time, first at {_first(run.time, ~demands.possible)}."
        )
    reasons = [
        _reason(run, demands.outside, "the centre of pressure of {} is outside of what touches"),
        _reason(run, demands.pulls, "the ground would have to pull {} down"),
        _reason(run, demands.slips, f"{{}} needs more friction than {number(demands.mu, 3)}"),
    ]
    why = "; ".join(reason for reason in reasons if reason)
    return f"{start} {why[0].upper()}{why[1:]}. {_reach(run)} {_toe(run)}".strip()


def _reason(run: HumanoidRun, flags: npt.NDArray[np.bool_], words: str) -> str:
    """A reason with the first time and the share of the time in which a part is on the ground."""
    on = np.isfinite(run.audit.force[:, :, 2])
    parts = [
        f"{words.format(part)} for {_share(flags[on[:, k], k])} of {_SPANS[k]}, first at "
        f"{_first(run.time, flags[:, k])}"
        for k, part in enumerate(_PARTS)
        if flags[:, k].any()
    ]
    return "; ".join(parts)


def _share(flags: npt.NDArray[np.bool_]) -> str:
    return f"{number(100.0 * float(flags.mean()), 3)} %"


def _first(time: npt.NDArray[np.float64], flags: npt.NDArray[np.bool_]) -> str:
    return f"{time[int(np.argmax(flags))]:.2f} s"


def _reach(run: HumanoidRun) -> str:
    """Say how far beside the sole the centre of pressure of the flat foot has to be, and why."""
    demands = run.audit
    single = (run.phase % 2 == 1) & (demands.force[:, 0, 2] > 1.0)
    beside = float(np.median(np.abs(demands.pressure[single, 0, 1]))) if single.any() else 0.0
    if beside <= demands.half_width:
        return ""
    return (
        f"In single support the centre of pressure is {1e3 * beside:.0f} mm beside the middle of a "
        f"sole that is {2e3 * demands.half_width:.0f} mm wide (median): the trunk goes straight "
        "ahead between the feet, and would fall to the side of the foot in the air if the weld did "
        "not hold it."
    )


def _toe(run: HumanoidRun) -> str:
    """Say whether the torque of the toe behind would lift its tip, which the ground had to pull."""
    up, ahead = run.audit.force[:, 1, 2], run.audit.pressure[:, 1, 0]
    on = np.isfinite(up)
    lifts = on & (up * ahead < 0.0)
    if not lifts.any():
        return ""
    return (
        "The torque of the toe behind turns its tip upwards, so that the ground would have to pull "
        f"on it, for {_share(lifts[on])} of the double supports."
    )


def figures(runs: HumanoidRuns) -> list[Figure]:
    """Figures of the thesis's chapter 5, then what the walk asks of the ground.

    A run whose feet nothing holds has coordinates in place of these, and without phases no
    references.
    """
    if not runs.walks:
        return [*snapshots(runs), *joint_angles(runs), *coordinate_figures(runs)]
    motion = [
        *tracked_points(runs),
        *snapshots(runs),
        *joint_angles(runs),
        joint_torques(runs),
    ]
    if not runs.first.is_held:
        return [*motion, *coordinate_figures(runs)]
    return [
        *motion,
        reactions(runs),
        *joint_loads(runs),
        demands(runs),
        pressure_over_sole(runs),
    ]


def tables(runs: HumanoidRuns) -> list[Table]:
    """Changes of phase, and largest reactions in the joints."""
    return [change_table(runs), load_table(runs)] if runs.first.is_held else []


def notes(runs: HumanoidRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    return notes_of(runs.section.read(read_humanoid))


def phases(runs: HumanoidRuns) -> list[Phase]:
    """Phases of the first run; double support has bands."""
    if not runs.first.walks:
        return []
    return [
        Phase(each.begin, each.end, each.phase.words, _DOUBLE if each.phase.is_double else None)
        for each in runs.first.phases
    ]


REPORT = MachineReport(figures, notes, tables, phases, read=read_humanoid)

"""Margins of the task's limits in a jump, phase by phase."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.points import JumpMargins
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns, spelt
from footfall.report.tables import Table, number


@dataclass(frozen=True)
class MarginLimit:
    """A limit of the task: what it is called, its unit on the page, and that unit in SI.

    height: of a point, which the end of the jump makes 0.
    """

    name: str
    unit: str
    in_si: float
    height: bool = False


_DEGREE = float(np.radians(1.0))
LIMITS: dict[str, MarginLimit] = {
    "PR_forward": MarginLimit("line PR 60° forward", "deg", _DEGREE),
    "PR_backward": MarginLimit("line PR 60° backward", "deg", _DEGREE),
    "Q_above_P": MarginLimit("Q above P", "mm", 1e-3, height=True),
    "R_above_Q": MarginLimit("R above Q", "mm", 1e-3, height=True),
    "unfolded_left": MarginLimit("theta2 below 180°", "deg", _DEGREE),
    "unfolded_right": MarginLimit("theta2 above \N{MINUS SIGN}180°", "deg", _DEGREE),
    "torque_above": MarginLimit("torque below its bound", "N m", 1.0),
    "torque_below": MarginLimit("torque above its bound", "N m", 1.0),
}
"""By the name of the margin, in the order of the table."""
_PAIRS = (
    ("PR_forward", "PR_backward"),
    ("Q_above_P",),
    ("R_above_Q",),
    ("unfolded_left", "unfolded_right"),
    ("torque_above", "torque_below"),
)


@dataclass(frozen=True)
class Closest:
    """Smallest margin of a limit in a jump: how much in SI, and when [s]."""

    limit: MarginLimit
    left: float
    time: float


def margin_table(jumps: JumpRuns) -> Table:
    """The smallest margins of the first run in each of its phases."""
    run = jumps.first
    intervals = run.jump.intervals
    rows = []
    for name, limit in LIMITS.items():
        values = _values(run.margins, name)
        cells = [_least_text(values[i.rows], limit) for i in intervals]
        rows.append((limit.name, *cells, limit.unit))
    spans = [f"{spelt(i)}, {i.start:.3f} to {i.end:.3f} s" for i in intervals]
    note = (
        "The smallest value in each phase; what is negative is violated. Q above P is 0 where the "
        "jump ends with Q on the ground."
    )
    return Table(f"What is left of the limits: {run.name}", ("limit", *spans, "unit"), rows, note)


def closest(run: JumpRun) -> list[Closest]:
    """Of each pair of opposite limits the nearer one, where it is nearest.

    At the end Q or R is on the ground by definition: heights count up to the second contact.
    """
    found = []
    for names in _PAIRS:
        pair = [_least(run, name) for name in names]
        found.append(min(pair, key=lambda one: one.left / one.limit.in_si))
    return found


def _least(run: JumpRun, name: str) -> Closest:
    limit, last = LIMITS[name], run.shown.stop
    if limit.height and np.isfinite(run.jump.impact):
        last = int(np.searchsorted(run.time, run.jump.impact, side="right"))
    values = _values(run.margins, name)[:last]
    row = int(values.argmin())
    return Closest(limit, float(values[row]), float(run.time[row]))


def violated(run: JumpRun) -> list[Closest]:
    """Limits that are not kept at some time up to the end of the jump, where they are worst."""
    found = []
    for name, limit in LIMITS.items():
        values = _values(run.margins, name)[run.shown]
        row = int(values.argmin())
        # at the end the height of the point that lands is 0 but for rounding, or a step too low
        if limit.height and row >= run.shown.stop - 2 and run.jump.lands:
            continue
        if values[row] < 0.0:
            found.append(Closest(limit, float(values[row]), float(run.time[row])))
    return found


def _least_text(values: Array, limit: MarginLimit) -> str:
    """The smallest value in the limit's unit; a dash for a phase between two rows."""
    return number(round(float(values.min()) / limit.in_si, 6) if len(values) else np.nan, 4)


def _values(margins: JumpMargins, name: str) -> Array:
    return np.asarray(getattr(margins, name), dtype=np.float64)

"""Table of the pushes on a page."""

from collections.abc import Sequence

import numpy as np

from footfall.report.section import Section
from footfall.report.tables import Table, number
from footfall.trajectory.pushes import LinkPush, pushes_of

_MOST_ROWS = 40


def pushes_in(section: Section) -> tuple[LinkPush, ...]:
    """Pushes of the runs of a section, which have the same ones."""
    for run in section.runs.values():
        pushes = pushes_of(run.trajectory.data)
        if pushes:
            return pushes
    return ()


def push_tables(section: Section) -> list[Table]:
    """A table of the pushes; nothing where there are none."""
    pushes = pushes_in(section)
    if not pushes:
        return []
    headings = ("link", "from [s]", "to [s]", "force [N]", "torque [N m]", "axes", "course")
    rows = [
        (
            push.link,
            number(push.start),
            number(push.end) if np.isfinite(push.end) else "the end",
            _vector(push.force),
            _vector(push.torque),
            push.frame,
            push.shape.replace("_", "-"),
        )
        for push in pushes[:_MOST_ROWS]
    ]
    more = f"The first {_MOST_ROWS} of {len(pushes)}. " if len(pushes) > _MOST_ROWS else ""
    note = f"{more}Forces and torques are the largest values; a step has them all the time."
    return [Table("Pushes", headings, rows, note)]


def _vector(values: Sequence[float]) -> str:
    return ", ".join(number(value, 3) for value in values) if any(values) else "0"

"""Gait schedule: groups of feet that swing by turns, and the phase of a walk at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from footfall.checked import NOT_NEGATIVE, POSITIVE, Checked


class Phase(IntEnum):
    """Phase of a walk.

    BEGIN: all feet stand, before the walk. SHIFT: the weight goes onto the feet that stand first.
    SWING: a group of feet is in the air. OVERLAP: all feet stand, between two swings. END: the walk
    is over.
    """

    BEGIN = 0
    SHIFT = 1
    SWING = 2
    OVERLAP = 3
    END = 4


@dataclass(frozen=True)
class GaitSchedule(Checked):
    """Times and groups of a walk of a number of steps; a step is the swing of one group.

    groups: names of feet that swing together, in their turn: [["right"], ["left"]] walks,
    [["FL", "RR"], ["FR", "RL"]] trots, [["FL", "RL"], ["FR", "RR"]] paces. steps: 0 stands. begin,
    shift, swing, overlap: lengths of these phases [s]; the last overlap is as long as a shift.
    """

    groups: Sequence[Sequence[str]]
    steps: int = field(metadata=NOT_NEGATIVE)
    begin: float = field(metadata=NOT_NEGATIVE)
    shift: float = field(metadata=POSITIVE)
    swing: float = field(metadata=POSITIVE)
    overlap: float = field(metadata=NOT_NEGATIVE)

    def __post_init__(self) -> None:
        """Refuse groups without feet, and times that are none."""
        super().__post_init__()
        if self.steps and not (self.groups and all(self.groups)):
            raise ValueError("a walk needs groups of feet that swing by turns")

    @property
    def period(self) -> float:
        """Time of a step, swing and overlap [s]."""
        return self.swing + self.overlap

    def group(self, step: int) -> Sequence[str]:
        """Feet that swing in a step."""
        return self.groups[step % len(self.groups)]

    def length(self, phase: Phase, step: int) -> float:
        """Length of a phase [s]; step: the one that it belongs to, from 0."""
        if phase is Phase.BEGIN:
            return self.begin if self.steps else np.inf
        if phase is Phase.OVERLAP:
            return self.shift if step == self.steps - 1 else self.overlap
        return {Phase.SHIFT: self.shift, Phase.SWING: self.swing}.get(phase, np.inf)

    def after(self, phase: Phase, step: int) -> tuple[Phase, int]:
        """Phase and step that follow."""
        if phase is Phase.BEGIN:
            return Phase.SHIFT, 0
        if phase is Phase.SHIFT:
            return Phase.SWING, 0
        if phase is Phase.SWING:
            return Phase.OVERLAP, step
        if phase is Phase.OVERLAP and step < self.steps - 1:
            return Phase.SWING, step + 1
        return Phase.END, step

    def stance(self, phase: Phase, step: int, feet: Sequence[str]) -> list[str]:
        """Feet of all that stand in a phase."""
        swings = set(self.group(step)) if phase is Phase.SWING else set()
        return [foot for foot in feet if foot not in swings]

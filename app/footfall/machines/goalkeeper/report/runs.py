"""Runs of the goalkeeper, with the law that the keeper follows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from footfall.arrays import Array, Flags
from footfall.machines.goalkeeper.closed_form.bisector import bisector
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.keeper_law import KeeperLaw
from footfall.machines.goalkeeper.observables import (
    FieldObservables,
    ShotOutcome,
    is_shot,
    observables_of,
    outcome_of,
)
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section

_NEAR = 0.05  # m: from a ball that is nearer to the goal line the angle tells nothing


@dataclass(frozen=True, eq=False)
class KeeperRun(RunView):
    """A run of the goalkeeper with what was read in it, and the law of its keeper."""

    observed: FieldObservables
    law: KeeperLaw

    @cached_property
    def bisector(self) -> Array:
        """OP of the angle's bisector, (N,) [m]."""
        return bisector(self.observed.ball)

    @cached_property
    def target(self) -> tuple[Array, Array]:
        """Target of the law for the keeper [m], and its rate [m/s], (N,) each."""
        return self.law.target(self.observed.ball, self.observed.ball_velocity)

    @property
    def lag(self) -> Array:
        """Place of the keeper less where the law wants it, (N,) [m]."""
        return self.observed.keeper - self.target[0]

    @property
    def saturated(self) -> Flags:
        """Rows in which the bisector is beyond the keeper's reach, (N,)."""
        return np.abs(self.bisector) > self.law.reach

    @property
    def moving(self) -> slice:
        """Rows without the last one if the ball rests there.

        At the end of its path the listing's ball stands still at once, and its keeper with it.
        """
        return slice(0, len(self.time) - int(not self.observed.ball_velocity[-1].any()))

    @property
    def acceleration(self) -> tuple[Array, Array]:
        """Middles of the steps [s] and mean accelerations of the keeper in them [m/s^2]."""
        time = self.time[self.moving]
        change = np.diff(self.observed.keeper_speed[self.moving])
        return 0.5 * (time[1:] + time[:-1]), change / np.diff(time)

    @property
    def outcome(self) -> ShotOutcome | None:
        """Outcome of a free ball that is shot."""
        return outcome_of(self.observed) if self.observed.free and is_shot(self.observed) else None

    def sees_goal(self, row: int) -> bool:
        """Return whether the ball is so far before the goal line that the goal has an angle."""
        return bool(self.observed.ball[row, 1] > _NEAR)


@dataclass(frozen=True, eq=False)
class KeeperRuns(RunViews[KeeperRun]):
    """All runs of a section, and the law of the keeper.

    bounded: whether the law is the scenario's; without it the goal and the bound of its place are
    the listing's, and there is no bound of speed and acceleration.
    """

    law: KeeperLaw
    bounded: bool


def read_keeper_runs(section: Section) -> KeeperRuns:
    """Read a section's runs."""
    control = section.scenario.controller
    bounded = isinstance(control, Goalkeeping)
    law = control if isinstance(control, Goalkeeping) else KeeperLaw()
    runs = read_runs(
        section,
        lambda run: KeeperRun(**vars(run), observed=observables_of(run.trajectory), law=law),
    )
    return KeeperRuns(section, runs, law, bounded)

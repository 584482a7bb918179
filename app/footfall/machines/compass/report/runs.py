"""Runs of the compass read as walks, beside the exact cycle.

A leg's angle is that from the slope's normal to the leg, seen from its foot and counterclockwise:
positive where the foot is ahead of the hip. For the standing leg it is q1 of the paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.cycle import ExactCycle
from footfall.machines.compass.exact_cycle import is_saved, read_exact_cycle
from footfall.machines.compass.measures import HeelStrike, feet_of, heel_strikes
from footfall.machines.compass.model import foot_points, parameters_of
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section

_NO_SWING = 0.05  # of a leg: deeper in the ground than a foot that scuffs
_SHORTEST = 1e-3  # of a time step: between rows that are closer a force is rounding


@dataclass(frozen=True, eq=False)
class CompassRun(RunView):
    """A run as a walk, with its heel strikes."""

    strikes: list[HeelStrike]

    def legs(self) -> tuple[Array, Array]:
        """Angles [rad] and rates [rad/s] of both legs, (2, N) each."""
        _, _, q1, q2, _, _, w1, w2 = self.states
        return np.array([q1, q1 + q2 - np.pi]), np.array([w1, w1 + w2])

    def before_strikes(self) -> Array:
        """(q1, q1', q2') before every heel strike, (strikes, 3)."""
        return np.array([strike.published for strike in self.strikes]).reshape(-1, 3)

    def stances(self) -> Iterator[slice]:
        """Rows between impacts, the one before an impact and the one after it included."""
        begin, feet = 0, feet_of(self.data)
        for strike in self.strikes:
            yield slice(begin, strike.row)
            begin = min(feet.end_of_impact(strike.row) - 1, len(self.data["time"]) - 1)
        yield slice(begin, len(self.data["time"]))

    def stance_forces(self, time_step: float, window: float) -> list[tuple[Array, Array]]:
        """Times (k,) [s] and force on the standing foot (k, 2) [N] in every stance, no impacts.

        Tangential and normal, of an engine of steps the mean over a window [s]: a foot that rests
        may have none in one step and twice its load in the next.
        """
        impulse = feet_of(self.data).impulse[:, :, 1::-1]
        spans = np.diff(self.time, prepend=self.time[0])
        few = 1 if self.exact else max(1, round(window / time_step))
        feet = self._standing()
        forces = []
        for foot, stance in zip(feet, self.stances(), strict=True):
            rows = np.arange(stance.start + 1, stance.stop)
            rows = rows[spans[rows] > _SHORTEST * time_step]
            if len(rows) >= few:
                force = impulse[rows, foot] / spans[rows, None]
                mean = uniform_filter1d(force, few, axis=0, mode="nearest")
                forces.append((self.time[rows], mean))
        return forces

    def _standing(self) -> list[int]:
        """The foot that stands in every stance."""
        if self.strikes:
            return [1 - self.strikes[0].foot, *(strike.foot for strike in self.strikes)]
        foot = feet_of(self.data).supporting
        loaded = foot[foot >= 0]
        return [int(loaded[0]) if len(loaded) else 0]


@dataclass(frozen=True, eq=False)
class CompassRuns(RunViews[CompassRun]):
    """All runs of a section, the walker, and its exact cycle where it has one.

    searched: whether such a cycle was looked for when the runs were made, as it was not in old
    ones. mu: coefficient of friction of the feet, the smaller one.
    """

    machine: Compass
    cycle: ExactCycle | None
    searched: bool
    mu: float

    @property
    def loss(self) -> float:
        """Energy that the exact cycle loses in a step [J]; NaN without one."""
        return float("nan") if self.cycle is None else self.cycle.lost


def read_walks(section: Section) -> CompassRuns:
    """Read a section's runs; raises ModelError for a model that is no compass."""
    model, contacts = section.robot.model, section.robot.contacts
    machine = Compass(parameters_of(model, contacts))
    walks = read_runs(
        section, lambda run: CompassRun(**vars(run), strikes=heel_strikes(run.data, machine))
    )
    mu = float(contacts.mu[: contacts.num_touching].min())
    saved = [walk.data for walk in walks if is_saved(walk.data)]
    cycle = read_exact_cycle(saved[0]) if saved else None
    return CompassRuns(section, walks, machine, cycle, bool(saved), mu)


def scuffing(machine: Compass, walk: CompassRun) -> float:
    """Largest depth of the unloaded foot in the ground up to the last heel strike [m].

    After it a walker may be falling; of a walk without a strike all rows count.
    """
    rows = slice(walk.strikes[-1].row if walk.strikes else None)
    return float(max(_depth(machine, walk)[rows].max(initial=0.0), 0.0))


def falls_in(machine: Compass, walk: CompassRun) -> bool:
    """Return whether that foot is deeper in the ground at the end than a swing brings it."""
    deepest = float(_depth(machine, walk).max(initial=0.0))
    return deepest > _NO_SWING * machine.parameters.l


def _depth(machine: Compass, walk: CompassRun) -> Array:
    """Depth of the unloaded foot in the ground in every row that has one, (N,)."""
    heights = foot_points(machine, walk.states)[0][:, 1]
    foot = feet_of(walk.data).supporting
    other = heights[1 - np.maximum(foot, 0), np.arange(len(foot))]
    return np.where(foot >= 0, -other, 0.0)

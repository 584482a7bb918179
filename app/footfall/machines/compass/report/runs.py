"""Runs of the compass as walks, beside the exact cycle.

A leg's angle is that from the slope's normal to the leg, seen from its foot and counterclockwise:
positive where the foot is ahead of the hip. For the standing leg it is q1 of the paper.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from footfall.arrays import Array, Indices
from footfall.feet import MachineFeet
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.cycle import ExactCycle
from footfall.machines.compass.measures import (
    HeelStrike,
    feet_of,
    heel_strikes,
    is_saved,
    read_exact_cycle,
)
from footfall.machines.compass.model import parameters_of
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.stance.metrics import undriven_energy

_MOST_STEPS = 8  # of stick figures: more would be too small to see
MOMENTS = 5
"""Stick figures of a step."""


@dataclass(frozen=True, eq=False)
class CompassRun(RunView):
    """A run as a walk, with its heel strikes."""

    strikes: list[HeelStrike]

    @cached_property
    def feet(self) -> MachineFeet:
        """Both feet."""
        return feet_of(self.data)

    @cached_property
    def impacts(self) -> Indices:
        """The row before and the row after every heel strike, (strikes, 2)."""
        last = len(self.time) - 1
        rows = [(s.row - 1, min(self.feet.end_of_impact(s.row) - 1, last)) for s in self.strikes]
        return np.array(rows, dtype=np.intp).reshape(-1, 2)

    def leg(self, leg: int) -> Array:
        """Angle [deg] and rate [deg/s] of a leg, 0 or 1, (2, N)."""
        _, _, q1, q2, _, _, w1, w2 = np.degrees(self.states)
        return np.array([q1, w1]) if leg == 0 else np.array([q1 + q2 - 180.0, w1 + w2])

    def parted(self, values: Array) -> Array:
        """Values (m, N) with NaN in place of what heel strikes do, and between both its sides."""
        values = values.copy()
        for before, after in self.impacts:
            values[:, before + 1 : after] = np.nan
        return np.insert(values, self.impacts[:, 1], np.nan, axis=1)

    def jumps(self, values: Array) -> Array:
        """Values (m, N) before and after every heel strike, and NaN between two of them."""
        return np.insert(values[:, self.impacts], 2, np.nan, axis=2).reshape(len(values), -1)

    def before_strikes(self) -> Array:
        """(q1, q1', q2') before every heel strike, (strikes, 3)."""
        return np.array([strike.published for strike in self.strikes]).reshape(-1, 3)

    def force(self, window: float) -> Array:
        """Force on the standing foot, tangential and normal, (2, N) [N]; NaN in heel strikes.

        Of an engine of steps the mean over a window [s] of the stance.
        """
        stands = self.feet.standing
        force = np.where(
            (stands[:, None] == (0, 1))[:, :, None], self.feet.force[:, :, 1::-1], np.nan
        )
        for before, after in self.impacts:
            force[before + 1 : after + 1] = np.nan
        known = self.mean(np.isfinite(force).astype(np.float64), window)
        mean = self.mean(force, window) / np.where(known > 0.0, known, np.nan)
        mean = np.where(np.isfinite(force), mean, np.nan)
        return np.asarray(mean[np.arange(len(stands)), stands].T)

    def steps(self) -> Array:
        """Period [s], length [m] and energy lost [J] of every step between strikes, (3, steps)."""
        times, lengths = np.array([(one.time, one.length) for one in self.strikes]).reshape(-1, 2).T
        energy = undriven_energy(self.data)[self.impacts[:, 0]]
        return np.array([np.diff(times), lengths[:-1], -np.diff(energy)])

    @cached_property
    def depth(self) -> Array:
        """Depth of the unloaded foot in the ground in every row that has one, (N,) [m]."""
        foot = self.feet.supporting
        other = self.data["gap"].to_numpy()[np.arange(len(foot)), 1 - np.maximum(foot, 0)]
        return np.where(foot >= 0, -other, 0.0)

    @property
    def scuffing(self) -> float:
        """Largest depth of the unloaded foot in the ground up to the last heel strike [m].

        After it a walker may be falling; of a walk without a strike all rows count.
        """
        return float(self.depth[: self.strikes[-1].row if self.strikes else None].max(initial=0.0))

    def moments(self) -> tuple[Indices, int]:
        """Rows evenly in time within every step, the last one with them, and how many steps."""
        marks = [0, *(strike.row for strike in self.strikes[:_MOST_STEPS])]
        if len(self.strikes) < _MOST_STEPS:
            marks.append(len(self.time) - 1)
        rows = [np.linspace(a, b, MOMENTS, endpoint=False) for a, b in pairwise(marks)]
        return np.unique([*np.concatenate(rows), marks[-1]]).astype(np.intp), len(marks) - 1


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

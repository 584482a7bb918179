"""Parametrization of a jump for a search: thirty or forty numbers, and where it begins to look.

A jump is planned in goals, because a torque that is only a function of time leads the falling and
flying machine anywhere: at first goals of the bend theta2 (run-up: it falls, sways and draws its
links in), then torques (push, and the jerk that lifts P), then goals again (flight), then torques
(after landing). What a plan gives is turned into torques of time later.
"""

import math
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.rollout.equations import TORQUE
from footfall.machines.hopper.rollout.kernel import REACH

_FOLDED = math.radians(175.0)
# (lowest, highest, scale) of: duration [s], change of theta2 [rad], theta2' [rad/s] in the run-up
_RUN_UP = ((0.005, 0.6, 0.05), (-3.0, 3.0, 0.4), (-20.0, 20.0, 2.0))
# duration, torque at its beginning and at its end [N m]
_PUSH = ((0.003, 0.15, 0.02), (-10.0, 10.0, 4.0), (-10.0, 10.0, 4.0))
_JERK = ((-10.0, 10.0, 4.0),)
# duration, theta2, theta2' at its end
_FLIGHT = ((0.01, 1.0, 0.1), (-_FOLDED, _FOLDED, 0.7), (-30.0, 30.0, 3.0))
_LANDING = ((0.003, 0.2, 0.02), (-10.0, 10.0, 4.0), (-10.0, 10.0, 4.0))
_ANGLES = ((0.35, 2.8, 0.35), (-_FOLDED, _FOLDED, 0.5))


@dataclass(frozen=True)
class JumpParametrization:
    """Number of pieces of each part of a jump."""

    run_up: int = 5
    push: int = 3
    flight: int = 2
    landing: int = 3

    @property
    def stages(self) -> tuple[int, int]:
        """Numbers of the first piece of flight and of the first one after landing."""
        first = self.run_up + self.push + 1
        return first, first + self.flight

    @property
    def before_flight(self) -> int:
        """Count of the numbers that describe the jump until take-off."""
        return 2 + 3 * self.run_up + 3 * self.push + 1

    @property
    def ranges(self) -> Array:
        """Lowest value, highest value and scale of every number, (3, n)."""
        rows = (
            *_ANGLES,
            *(_RUN_UP * self.run_up),
            *(_PUSH * self.push),
            *_JERK,
            *(_FLIGHT * self.flight),
            *(_LANDING * self.landing),
        )
        return np.array(rows).T

    def rows(self, z: Array) -> tuple[tuple[float, float], Array]:
        """Angles to begin with and pieces for `rollout` of the numbers z (n,)."""
        rows = np.zeros((self.stages[1] + self.landing, 8))
        parts = np.split(z[2:], np.cumsum([3 * self.run_up, 3 * self.push, 1, 3 * self.flight]))
        run_up, push, jerk, flight, landing = (
            part.reshape(-1, 3) if part.size > 1 else part for part in parts
        )
        first, landed = self.stages
        reach = rows[: self.run_up]
        reach[:, 0], reach[:, 1], reach[:, 3] = REACH, run_up[:, 0], run_up[:, 2]
        reach[:, 2] = z[1] + np.cumsum(run_up[:, 1])
        _ramps(rows[self.run_up : first - 1], push)
        rows[first - 1, :3] = (TORQUE, 0.2, jerk[0])
        rows[first:landed, 0], rows[first:landed, 1:4] = REACH, flight
        _ramps(rows[landed:], landing)
        rows[-1, 3] = 0.0  # it goes on until the end
        return (float(z[0]), float(z[1])), rows

    def anywhere(self, rng: np.random.Generator) -> Array:
        """Numbers to begin a search with: a fall, a swing of link 2 to the front, a push."""
        theta1, theta2 = _pose(rng)
        goal = -rng.uniform(1.5, 2.3)  # where the push begins
        times = rng.uniform(0.25, 0.7) * rng.uniform(0.5, 1.5, self.run_up) / max(self.run_up, 1)
        parts = np.sort(rng.random(self.run_up)) ** 2
        parts[-1:] = 1.0  # slowly at first
        changes = (goal - theta2) * np.diff(parts, prepend=0.0)
        rates = -rng.uniform(0.0, 20.0, self.run_up) * parts
        run_up = np.ravel(np.column_stack([times, changes, rates]))
        push = [
            (rng.uniform(0.005, 0.03), rng.uniform(1.0, 10.0), rng.uniform(1.0, 10.0))
            for _ in range(self.push)
        ]
        z = [theta1, theta2, *run_up, *np.ravel(push), -rng.uniform(0.0, 10.0)]
        return self.within(np.array([*z, *self.any_end(rng)]))

    def any_end(self, rng: np.random.Generator) -> Array:
        """Numbers of flight and landing to begin with."""
        flight = [
            (rng.uniform(0.08, 0.3), rng.uniform(-2.6, 2.6), 3.0 * rng.normal())
            for _ in range(self.flight)
        ]
        landing = [
            (rng.uniform(0.01, 0.06), torque, torque)
            for torque in rng.uniform(-10.0, 10.0, self.landing)
        ]
        return np.concatenate([np.ravel(flight), np.ravel(landing)])

    def within(self, z: Array) -> Array:
        """The nearest numbers that are in their ranges."""
        low, high, _ = self.ranges
        return np.clip(z, low, high)


def _pose(rng: np.random.Generator) -> tuple[float, float]:
    """An upright pose to start from, with some room to every bound."""
    while True:
        theta2, line = rng.uniform(-0.6, 1.4), rng.uniform(1.3, 1.85)
        if abs(theta2) / 2.0 < min(line, math.pi - line) - 0.05:
            return line - theta2 / 2.0, theta2


def _ramps(rows: Array, ramps: Array) -> None:
    """Write (duration, torque at the beginning, at the end) as pieces."""
    rows[:, 0], rows[:, 1], rows[:, 2] = TORQUE, ramps[:, 0], ramps[:, 1]
    rows[:, 3] = (ramps[:, 2] - ramps[:, 1]) / ramps[:, 0]

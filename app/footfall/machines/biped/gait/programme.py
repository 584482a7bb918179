"""A step of the biped on internal torques as a nonlinear programme, by direct collocation.

At nodes evenly in time: angles, rates and torques; between them a torque, too, and Hermite and
Simpson's rule. A strike at the end leads back to the start with the legs exchanged. The step of the
least mean square torque at a speed or above it is looked for, by SNOPT or IPOPT.

Source: C. R. Hargraves, S. W. Paris, "Direct trajectory optimization using nonlinear programming
and collocation", Journal of Guidance, Control, and Dynamics 10 (1987) 338-342.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall.analysis.nonlinear_programme import (
    ComplexStepGroup,
    Effort,
    LinearConstraint,
    NonlinearProgramme,
    ProgrammeResult,
    QuadraticCost,
)
from footfall.arrays import Array, Indices
from footfall.machines.biped.closed_form.pinned import (
    HIP,
    KNEE,
    OTHER_FOOT,
    OTHER_KNEE,
    OTHER_LEG,
    PinnedBiped,
)

_STATE, _TORQUE = 8, 3
_NODE = _STATE + _TORQUE


@dataclass(frozen=True)
class StepDemands:
    """Demands on a step.

    speed [m/s]: mean, at least. friction: that may be needed of the ground, in a strike as well.
    clearance [m]: of the other foot at half time, at least. knees [m]: height of both knees.
    forward [m/s]: speed of the hip, at all times at least. landing, leaving [m/s]: of the foot that
    strikes and of the one that leaves, at least. normal_force [N]: at least. knee_angle [rad]: from
    and to. torque [N m]: at most. length [m] and period [s] of a step: from and to.
    """

    speed: float = 0.5
    friction: float = 0.5
    clearance: float = 0.05
    knees: float = 0.15
    forward: float = 0.3
    landing: float = 0.05
    leaving: float = 0.05
    normal_force: float = 3.0
    knee_angle: tuple[float, float] = (0.03, 1.6)
    torque: float = 60.0
    length: tuple[float, float] = (0.15, 1.2)
    period: tuple[float, float] = (0.2, 1.5)


@dataclass(frozen=True, eq=False)
class GaitStep:
    """A step: period [s], length [m]; angles, rates (4, n) and torques (3, n) at nodes."""

    period: float
    length: float
    angles: Array
    rates: Array
    torques: Array


@dataclass(frozen=True, eq=False)
class StepProgramme:
    """The programme of a machine, its demands, and how many intervals a step has."""

    machine: PinnedBiped
    demands: StepDemands
    intervals: int = 24

    def solve(self, start: Array, effort: Effort) -> tuple[GaitStep, ProgrammeResult]:
        """Solve from variables as `guess` makes them."""
        low, high = self._box()
        programme = NonlinearProgramme(
            low,
            high,
            np.ones(self._size),
            self._cost(),
            [self._dynamics(), self._on_the_way(), self._strike()],
            self._linear(),
        )
        solution = programme.solve(start, effort)
        return self.read(solution.values), solution

    def read(self, x: Array) -> GaitStep:
        """The step of some variables."""
        nodes = x[self._nodes]
        a, w, u = nodes[:4], nodes[4:_STATE], nodes[_STATE:]
        return GaitStep(float(x[-2]), float(x[-1]), a, w, u)

    def guess(self, rng: np.random.Generator) -> Array:
        """A drawn start: feet on parabolas, the hip level, rates by differences, torques drawn."""
        length, period = rng.uniform(0.3, 0.7), rng.uniform(0.5, 0.9)
        share = np.linspace(0.0, 1.0, self.intervals + 1)
        hip = np.stack((length * (0.5 - share), np.full_like(share, rng.uniform(1.8, 1.9))))
        foot = np.stack((length * (1.0 - 2.0 * share), 0.2 * share * (1.0 - share)))
        shank, thigh = _leg(-hip)
        other_shank, other_thigh = _leg(foot - hip)
        a = np.stack((shank, thigh, other_thigh, other_shank))
        x = np.zeros(self._size)
        w = np.gradient(a, period / self.intervals, axis=1)
        x[self._nodes] = np.concatenate((a, w, rng.normal(0.0, 2.0, (_TORQUE, len(share)))))
        x[-2:] = period, length
        return x

    @property
    def _size(self) -> int:
        return _NODE * (self.intervals + 1) + _TORQUE * self.intervals + 2

    @property
    def _nodes(self) -> Indices:
        """Variables of all nodes (11, n + 1)."""
        return np.arange(_NODE * (self.intervals + 1)).reshape(-1, _NODE).T

    @property
    def _between(self) -> Indices:
        """Torques in the middles (3, n)."""
        first = _NODE * (self.intervals + 1)
        return first + np.arange(_TORQUE * self.intervals).reshape(-1, _TORQUE).T

    def _box(self) -> tuple[Array, Array]:
        asked = self.demands
        low, high = np.full(self._size, -np.inf), np.full(self._size, np.inf)
        torques = np.concatenate((self._nodes[_STATE:].ravel(), self._between.ravel()))
        low[torques], high[torques] = -asked.torque, asked.torque
        low[-2:] = asked.period[0], asked.length[0]
        high[-2:] = asked.period[1], asked.length[1]
        return low, high

    def _cost(self) -> QuadraticCost:
        """Mean square of the torques, by Simpson's rule."""
        share = 1.0 / (6.0 * self.intervals)
        weights = np.zeros(self._size)
        weights[self._nodes[_STATE:, :-1]] += share
        weights[self._nodes[_STATE:, 1:]] += share
        weights[self._between] = 4.0 * share
        return QuadraticCost(np.diag(2.0 * weights), np.arange(self._size))

    def _linear(self) -> list[LinearConstraint]:
        """The speed; the knees, which bend one way; the pose that comes back."""
        asked, nodes = self.demands, self._nodes
        least, most = asked.knee_angle
        speed = LinearConstraint(
            np.array([[-asked.speed, 1.0]]), np.array([-2, -1]) + self._size, *_row(0.0, np.inf)
        )
        rows = [speed]
        for shank, thigh in ((0, 1), (3, 2)):
            rows += [
                LinearConstraint(np.array([[1.0, -1.0]]), node[[shank, thigh]], *_row(least, most))
                for node in nodes.T
            ]
        first, last = nodes[:4, 0], nodes[list(OTHER_LEG), -1]
        rows += [
            LinearConstraint(np.array([[1.0, -1.0]]), np.array([one, other]), *_row(0.0, 0.0))
            for one, other in zip(first, last, strict=True)
        ]
        return rows

    def _dynamics(self) -> ComplexStepGroup:
        """Hermite and Simpson's rule over every interval."""
        nodes, intervals = self._nodes, self.intervals
        period = np.full((1, intervals), self._size - 2)
        index = np.concatenate((nodes[:, :-1], nodes[:, 1:], self._between, period))

        def defects(v: Any) -> Any:  # noqa: ANN401 (real or complex)
            x0, u0, x1, u1, middle = np.split(v[:-1], np.cumsum([8, 3, 8, 3]))
            step = v[-1] / intervals
            f0, f1 = (self._rates(x, u) for x, u in ((x0, u0), (x1, u1)))
            half = 0.5 * (x0 + x1) + step / 8.0 * (f0 - f1)
            return x1 - x0 - step / 6.0 * (f0 + 4.0 * self._rates(half, middle) + f1)

        none = np.zeros((_STATE, intervals))
        return ComplexStepGroup("dynamics", index, 1.0, defects, none, none)

    def _rates(self, x: Any, torques: Any) -> Any:  # noqa: ANN401
        a, w = x[:4], x[4:]
        return np.concatenate((w, self.machine.acceleration(a, w, torques)))

    def _on_the_way(self) -> ComplexStepGroup:
        """Ground and clearance at every node."""
        asked, machine = self.demands, self.machine
        share = np.linspace(0.0, 1.0, self.intervals + 1)

        def ground(v: Any) -> Any:  # noqa: ANN401
            a, w, u = v[:4], v[4:_STATE], v[_STATE:]
            along, normal = machine.ground_force(a, w, machine.acceleration(a, w, u))
            return np.stack(
                (
                    normal,
                    asked.friction * normal - along,
                    asked.friction * normal + along,
                    machine.place(OTHER_FOOT, a)[1],
                    machine.place(OTHER_KNEE, a)[1],
                    machine.place(KNEE, a)[1],
                    -machine.velocity(HIP, a, w)[0],
                )
            )

        least = np.zeros((7, len(share)))
        least[0] = asked.normal_force
        least[3] = 4.0 * asked.clearance * share * (1.0 - share)
        least[3, -1] = least[3, 0] = -np.inf  # on the ground, as `_strike` says
        least[4:6] = asked.knees
        least[6] = asked.forward
        return ComplexStepGroup(
            "ground", self._nodes, 1.0, ground, least, np.full(least.shape, np.inf)
        )

    def _strike(self) -> ComplexStepGroup:
        """The end: the strike, and the rates with which the next step begins."""
        asked, machine, nodes = self.demands, self.machine, self._nodes
        index = np.concatenate((nodes[:_STATE, -1], nodes[4:_STATE, 0], [self._size - 1]))

        def ends(v: Any) -> Any:  # noqa: ANN401
            a, w, after, length = v[:4], v[4:_STATE], v[_STATE:-1], v[-1]
            hit = machine.strike(a, w)
            along, normal = hit.impulse
            place, speed = machine.place(OTHER_FOOT, a), machine.velocity(OTHER_FOOT, a, w)
            inequalities = (
                -speed[1] - asked.landing,
                hit.left[1] - asked.leaving,
                asked.friction * normal - along,
                asked.friction * normal + along,
            )
            return np.stack(
                (place[1], place[0] + length, *(after - hit.rates[list(OTHER_LEG)]), *inequalities)
            )

        upper = np.zeros((10, 1))
        upper[6:] = np.inf
        return ComplexStepGroup("strike", index[:, None], 1.0, ends, np.zeros((10, 1)), upper)


def _row(least: float, most: float) -> tuple[Array, Array]:
    return np.array([least]), np.array([most])


def _leg(way: Array) -> tuple[Array, Array]:
    """Shank and thigh of a leg of two links of a metre, from the hip to its foot (2, n) [m]."""
    reach = np.minimum(np.hypot(*way), 1.99)
    line, bend = np.arctan2(way[0], -way[1]), np.arccos(0.5 * reach)
    return line + bend, line - bend

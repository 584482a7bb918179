"""Score of a planned jump, graded so that a search finds its way to one at all.

All scores are in metres, the less the better: minus the distance for a jump that keeps its margins.
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import CG, Hopper
from footfall.machines.hopper.closed_form.points import position, velocity
from footfall.machines.hopper.rollout.kernel import FELL, JUMP, LEFT_AGAIN, OUT_OF_TIME, TAKEN_OFF
from footfall.machines.hopper.rollout.simulator import Rollout, RolloutSimulator
from footfall.machines.hopper.search.parametrization import JumpParametrization

_OUTSIDE = 0.1  # m per scale that a number is out of its range
# m per rad of margins that are lost: a tenth of a degree is worth less than it costs
_LOST_UNTIL_TAKE_OFF, _LOST = 10.0, 3.0
_WORST = 12.0
# landings that a take-off is judged by: line PR [rad], height of the mass centre [m]
_LINE, _HEIGHT = (math.radians(60.0), math.radians(105.0)), 0.22
# theta2 [rad]: with the knee bent forward at take-off link 2 swings the body forward, so that it
# would land on its back foot: such searches end in leaps of a few millimetres
_BENT = -0.6
_SHORTEST = 0.3  # s of flight below which nothing is worth a search
_BEHIND = 0.6  # m by which ends with Q behind P are marked down where one ahead is wanted


def graded(found: Rollout) -> float:
    """Score of a rollout [m]."""
    kind, state = found.outcome.kind, found.outcome.state
    if kind == JUMP:
        grade = -found.distance
    elif kind == LEFT_AGAIN:
        grade = 1.0 + min(state.theta1, math.pi - state.theta1) / math.pi
    elif kind == OUT_OF_TIME:
        grade = 3.0
    elif kind == FELL:
        grade = 5.0 + state.y
    else:
        grade = _WORST
    return grade + _LOST * violation(found)


class Score:
    """Judges plans of one machine, by steps of a size [s]."""

    def __init__(self, machine: Hopper, plan: JumpParametrization, step: float) -> None:
        self._machine, self._plan = machine, plan
        self._low, self._high, self._scale = plan.ranges
        self._simulator = RolloutSimulator(machine, step)

    def rollout(self, z: Array) -> Rollout:
        """The jump of numbers z (n,)."""
        angles, rows = self._plan.rows(z)
        return self._simulator.jump(angles, rows, self._plan.stages)

    def take_off(self, z: Array) -> float:
        """Score of the numbers until take-off: how far the mass centre would fly."""
        inside, outside = self._inside(z)
        angles, rows = self._plan.rows(inside)
        found = self._simulator.jump(angles, rows, self._plan.stages, to_take_off=True)
        missing = violation(found)
        if found.outcome.kind != TAKEN_OFF:
            return 5.0 + outside + 3.0 * missing
        reached, line, duration = self._flight(found)
        turned = max(_LINE[0] - line, line - _LINE[1], 0.0)
        return (
            found.outcome.X_start
            - reached
            + outside
            + _LOST_UNTIL_TAKE_OFF * missing
            + 5.0 * turned
            + max(found.outcome.state.theta2 - _BENT, 0.0)
            + 10.0 * max(_SHORTEST - duration, 0.0)
        )

    def jump(self, z: Array, *, ahead: bool = False) -> float:
        """Score of all numbers; ahead: Q is to land in front of P."""
        inside, outside = self._inside(z)
        found = self.rollout(inside)
        wrong = ahead and found.jumps and found.outcome.state.theta1 > 1.0
        return graded(found) + (_BEHIND if wrong else 0.0) + outside

    def _inside(self, z: Array) -> tuple[Array, float]:
        inside = np.clip(z, self._low, self._high)
        return inside, _OUTSIDE * float((np.abs(z - inside) / self._scale).sum())

    def _flight(self, found: Rollout) -> tuple[float, float, float]:
        """Landing of the mass centre [m], the line PR there [rad], the time [s]."""
        x = np.array(found.outcome.state)
        (x_CG, y_CG), (v_x, v_y) = position(self._machine, x, CG), velocity(self._machine, x, CG)
        g = self._machine.parameters.g
        rising = max(v_y * v_y + 2.0 * g * (y_CG - _HEIGHT), 0.0)
        duration = (v_y + math.sqrt(rising)) / g
        straight = 2.0 * (self._machine.turning + self._machine.coupling)
        line = x[2] + x[3] / 2.0 + found.outcome.angular_momentum * duration / straight
        return float(x_CG + v_x * duration), float(line), float(duration)


def violation(found: Rollout, safe: float = 0.0) -> float:
    """Sum of what margins of angles lack of a safe distance [rad]."""
    return -float(np.minimum(found.angle_margins - safe, 0.0).sum())

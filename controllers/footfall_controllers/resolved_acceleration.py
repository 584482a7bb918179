"""Resolved acceleration: joint accelerations that let points follow references by feedback.

The classical outer loop of computed torque, beside `optimal_predictive`, whose tracked coordinates
and supports it shares.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.checked import Checked, positive
from footfall.plants.support_motions import completed
from footfall_controllers.optimal_predictive import PhaseLaws, PredictivePhase, TrackedCoordinates

_CUT = 1e-2  # singular values of the task below this are left alone


@dataclass
class Feedback(Checked, at="controller.feedback."):
    """Gains of the error of places and velocities."""

    # Gain of places [1/s^2].
    kp: float = positive(400.0)
    # Gain of velocities [1/s].
    kd: float = positive(40.0)


class ResolvedAcceleration(PhaseLaws):
    """Accelerations a with J a + J' v = kp (p* - p) + kd (v* - v), of least squares.

    Motions that no tracked coordinate sees come to rest: a = -kd q' along them. Phases, ports and
    errors are those of `OptimalPredictive`, whose weights and horizons it does not use; p* and v*
    are of now.
    """

    def __init__(
        self, plant: MultibodyPlant, phases: Sequence[PredictivePhase], gains: Feedback
    ) -> None:
        """Take a continuous-time plant as the model of the robot, the tasks by phase, the gains."""
        super().__init__(plant, [_Law(plant, phase, gains) for phase in phases])


class _Law:
    """A phase's feedback with its names resolved."""

    def __init__(self, plant: MultibodyPlant, phase: PredictivePhase, gains: Feedback) -> None:
        self.phase = phase
        self._kp, self._kd = gains.kp, gains.kd
        self._plant, self._context = plant, plant.CreateDefaultContext()
        self._task = TrackedCoordinates(plant, phase)

    def acceleration(self, state: Array, wanted: Array) -> Array:
        """Return v' (nv,); wanted (2, m): p* and v*."""
        plant, own, task = self._plant, self._context, self._task
        plant.SetPositionsAndVelocities(own, state)
        v = state[plant.num_positions() :]
        p, J = task.coordinates(own), task.jacobian(own)
        motions = task.free.under(task.rows.jacobian(own), task.rows.cut)
        bias = task.rows.bias(own)
        rest = completed(motions, bias, np.zeros(len(motions.free)))
        slope = J @ motions.directions
        asked = self._kp * (wanted[0] - p) + self._kd * (wanted[1] - J @ v)
        asked -= task.bias(own) + J @ rest
        U, values, rows = np.linalg.svd(slope)
        kept = int((values > _CUT).sum())
        given = rows[:kept].T @ ((U[:, :kept].T @ asked) / values[:kept])
        unseen = rows[kept:].T
        given -= self._kd * unseen @ (unseen.T @ v[motions.free])
        return completed(motions, bias, given)

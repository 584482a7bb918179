"""Resolved acceleration: joint accelerations that let points follow references by feedback.

The classical outer loop of computed torque, beside `optimal_predictive`, whose tracked coordinates
and supports it shares.
"""

from collections.abc import Sequence

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.plants.support_motions import completed
from footfall_controllers.optimal_predictive import PredictivePhase, TrackedCoordinates

_CUT = 1e-2  # singular values of the task below this are left alone


class ResolvedAcceleration(LeafSystem):
    """Accelerations a with J a + J' v = kp (p* - p) + kd (v* - v), of least squares.

    Motions that no tracked coordinate sees come to rest: a = -kd q' along them. Phases, ports and
    errors are those of `OptimalPredictive`, whose weights and horizons it does not use; p* and v*
    are of now. kp [1/s^2], kd [1/s].
    """

    def __init__(
        self, plant: MultibodyPlant, phases: Sequence[PredictivePhase], kp: float, kd: float
    ) -> None:
        """Take a continuous-time plant as the model of the robot, the tasks by phase, the gains."""
        super().__init__()
        if not (np.isfinite(kp) and kp > 0.0 and np.isfinite(kd) and kd > 0.0):
            raise ValueError(f"kp is {kp}, kd is {kd}: give positive gains")
        self._kp, self._kd = kp, kd
        self._plant = plant
        self._context = plant.CreateDefaultContext()
        self._tasks = [TrackedCoordinates(plant, phase) for phase in phases]
        rows = max(phase.rows for phase in phases)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._reference = self.DeclareVectorInputPort("reference", 2 * rows)
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self.DeclareVectorOutputPort("acceleration", plant.num_velocities(), self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        task = self._tasks[int(self._phase.Eval(context)[0])]
        wanted = self._reference.Eval(context).reshape(2, -1)[:, : task.phase.rows]
        output.SetFromVector(self._acceleration(task, self._state.Eval(context), wanted))

    def _acceleration(self, task: TrackedCoordinates, state: Array, wanted: Array) -> Array:
        plant, own = self._plant, self._context
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

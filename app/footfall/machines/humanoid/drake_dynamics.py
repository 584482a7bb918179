"""Accelerations of the walker from Drake's plant: the trunk free in space, feet and toes held.

Multipliers of the support's rows are what the ground gives, and what keeps the toes straight.
"""

import numpy as np

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.closed_form.walker import Accelerations, Ground
from footfall.machines.humanoid.held_plant import Coordinates
from footfall.machines.humanoid.supports import support
from footfall.plants.load import Model
from footfall.plants.supports import CUT, SupportRows


class DrakeDynamics:
    """M v' + c = tau_g + B u + J' lambda, J v' + bias = 0, from a plant in continuous time."""

    def __init__(self, model: Model, numbers: Numbers, cut: float = CUT) -> None:
        """Take the model and resolve the supports of all phases."""
        self._plant = model.plant
        self._context = model.plant.CreateDefaultContext()
        self._coordinates = Coordinates(model.plant, numbers)
        self._rows = [SupportRows(model.plant, support(GaitPhase(k), cut)) for k in range(4)]
        self._B = model.plant.MakeActuationMatrix()

    def __call__(self, ground: Ground, angle: Array, rate: Array, torque: Array) -> Accelerations:
        """Solve for the accelerations and the wrenches at ankle and toe."""
        plant, context, rows = self._plant, self._context, self._rows[ground.phase]
        plant.SetPositionsAndVelocities(context, self._coordinates.state(ground, angle, rate))
        u = np.zeros(plant.num_actuators())
        u[self._coordinates.u] = torque
        force = (
            self._B @ u + plant.CalcGravityGeneralizedForces(context) - plant.CalcBiasTerm(context)
        )
        J, bias = rows.jacobian(context), rows.bias(context)
        # rows that say the same as others, as those of two level feet do, are cut
        U, values, _ = np.linalg.svd(J, full_matrices=False)
        kept = np.ascontiguousarray(U[:, values > rows.cut].T)
        K, n, m = kept @ J, plant.num_velocities(), len(kept)
        matrix = np.zeros((n + m, n + m))
        matrix[:n, :n] = plant.CalcMassMatrix(context)
        matrix[:n, n:], matrix[n:, :n] = -K.T, K
        solution = np.linalg.solve(matrix, np.concatenate([force, -(kept @ bias)]))
        multipliers = kept.T @ solution[n:]
        wrench = np.zeros((2, 6))
        for k in range(len(rows.frames)):
            part = multipliers[6 * k : 6 * k + 6]
            wrench[k, :3], wrench[k, 3:] = part[3:], part[:3]
        return Accelerations(solution[self._coordinates.v], wrench)

"""Accelerations of the walker from Drake's plant: the trunk free in space, feet and toes held.

Multipliers of the support's rows are what the ground gives, and what keeps the toes straight.
"""

import numpy as np

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.chain import skew
from footfall.machines.humanoid.closed_form.dynamics import CUT
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.closed_form.walker import Accelerations, Ground
from footfall.machines.humanoid.held_plant import Coordinates
from footfall.machines.humanoid.model import TRUNK, trunk_joint
from footfall.machines.humanoid.supports import support
from footfall.plants.loading.load import Model
from footfall.plants.supports import SupportRows


class DrakeDynamics:
    """M v' + c = tau_g + B u + J' lambda, J v' + bias = 0, from a plant in continuous time."""

    def __init__(self, model: Model, numbers: Numbers, cut: float = CUT) -> None:
        """Take the model and resolve the supports of all phases."""
        self._plant = model.plant
        self._context = model.plant.CreateDefaultContext()
        self._coordinates = Coordinates(model.plant, numbers)
        self._rows = [SupportRows(model.plant, support(GaitPhase(k), cut)) for k in range(4)]
        self._B = model.plant.MakeActuationMatrix()
        self._hat = model.plant.GetBodyByName(TRUNK)
        self._trunk = trunk_joint(model.plant).velocity_start() + np.arange(6)

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
        kept = self._kept(rows, J)
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

    def _kept(self, rows: SupportRows, J: Array) -> Array:
        """Combinations (m, size) of a support's rows without what two level feet hardly tell.

        The loop is judged as the closed form judges it: by the twist at O1 that one leg's joints
        leave against the other's.
        """
        whole = np.eye(len(J))
        if len(rows.frames) == 1:
            return whole
        trunk, joints = self._trunk, self._coordinates.v
        foot, toe = J[:6], J[6:12]
        loop = toe[:, joints] - toe[:, trunk] @ np.linalg.solve(foot[:, trunk], foot[:, joints])
        context, world = self._context, self._plant.world_frame()
        O1 = self._hat.EvalPoseInWorld(context).translation()
        arm = O1 - rows.frames[1].CalcPose(context, world).translation()
        shift = np.eye(6)
        shift[3:, :3] = -skew(arm)
        U, values, _ = np.linalg.svd(shift @ loop)
        kept = U[:, values > rows.cut].T @ shift
        return np.vstack([whole[:6], kept @ whole[6:12], whole[12:]])

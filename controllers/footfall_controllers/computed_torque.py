"""Computed torque: efforts that give a robot on its supports the accelerations asked for."""

from collections.abc import Sequence

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.plants.support_motions import free_motions
from footfall.plants.supports import Support, SupportRows


class SupportedDynamics:
    """Equations A T = C of a robot on a support: reactions eliminated, (3.117) to (3.124).

    Source: G. Ozyurt (METU 2005). The thesis partitions its equations so that a block of 26 or 31
    reactions can be inverted; here an orthonormal basis N of the motions that the support leaves
    eliminates them: N' (M a + c - tau_g) = N' B T.
    """

    def __init__(self, plant: MultibodyPlant, support: Support) -> None:
        """Resolve names; raises ModelError for what the plant does not have."""
        self._plant = plant
        self.rows = SupportRows(plant, support)
        self.B = plant.MakeActuationMatrix()

    def efforts_needed(self, context: Context, acceleration: Array) -> Array:
        """Generalized forces M a + c - tau_g (nv,) that efforts and supports give together."""
        plant = self._plant
        gravity = plant.CalcGravityGeneralizedForces(context)
        return plant.CalcMassMatrix(context) @ acceleration + plant.CalcBiasTerm(context) - gravity

    def equations(self, context: Context, acceleration: Array) -> tuple[Array, Array]:
        """Return A (n, nu) and C (n,) for accelerations (nv,), n degrees of freedom."""
        N = free_motions(self.rows.jacobian(context), self.rows.cut)
        return N.T @ self.B, N.T @ self.efforts_needed(context, acceleration)


class ComputedTorque(LeafSystem):
    """Efforts T of the least sum of squares with A T = C, for commanded accelerations.

    Where as many joints are driven as the support leaves free, T = A^-1 (M u + B) of (3.118).
    Actuators of locked joints get nothing.

    Inputs: ``state`` [q; v], ``acceleration`` (nv), ``phase`` [index, ...], which picks one of the
    supports. Output: ``actuation``. Raises ModelError for unknown names.
    """

    def __init__(self, plant: MultibodyPlant, supports: Sequence[Support]) -> None:
        """Take a continuous-time plant as the model of the robot, and its supports by phase."""
        super().__init__()
        self._plant = plant
        self._context = plant.CreateDefaultContext()
        self._dynamics = [SupportedDynamics(plant, support) for support in supports]
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._acceleration = self.DeclareVectorInputPort("acceleration", plant.num_velocities())
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        dynamics = self._dynamics[int(self._phase.Eval(context)[0])]
        self._plant.SetPositionsAndVelocities(self._context, self._state.Eval(context))
        A, C = dynamics.equations(self._context, self._acceleration.Eval(context))
        output.SetFromVector(np.linalg.lstsq(A, C, rcond=None)[0])

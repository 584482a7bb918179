"""Velocities of a robot as its support allows them: what a weld would leave of those measured."""

from collections.abc import Sequence

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.plants.support_motions import free_motions
from footfall.plants.supports import Support, SupportRows


class HeldVelocities(LeafSystem):
    """State whose velocities keep to the support of a phase, J v = 0, as a law for welds expects.

    On ground that gives way, or in a loop of two legs, the measured velocities do not keep to it
    quite, and a law that takes some of them for free ones and works the others out would see
    motions that there are not. They are replaced by N (N' M N)^-1 N' M v, those that a plastic
    impact on the support would leave: N are the motions that it allows, M is the mass matrix.

    Inputs: ``state`` [q; v], ``phase`` [index, ...]. Output: ``held`` [q; v]. Raises ModelError for
    unknown names.
    """

    def __init__(self, plant: MultibodyPlant, supports: Sequence[Support]) -> None:
        """Take a continuous-time plant as the model of the robot, and its supports by phase."""
        super().__init__()
        self._plant = plant
        self._context = plant.CreateDefaultContext()
        self._rows = [SupportRows(plant, support) for support in supports]
        size = plant.num_multibody_states()
        self._state = self.DeclareVectorInputPort("state", size)
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self.DeclareVectorOutputPort("held", size, self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        plant, own = self._plant, self._context
        state = self._state.Eval(context)
        rows = self._rows[int(self._phase.Eval(context)[0])]
        plant.SetPositionsAndVelocities(own, state)
        q, v = np.split(state, [plant.num_positions()])
        N, M = free_motions(rows.jacobian(own), rows.cut), plant.CalcMassMatrix(own)
        output.SetFromVector(np.append(q, N @ np.linalg.solve(N.T @ M @ N, N.T @ (M @ v))))

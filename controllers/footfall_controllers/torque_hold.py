"""Means for laws of held feet on real ground: torques between ticks, velocities without slip.

Torques are held between the ticks of a law, with drives of the joints that it locks; velocities are
those that a weld would leave of the measured ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, LeafSystem

from footfall.plants.actuators import actuators_of
from footfall.plants.plant_check import require_joints
from footfall.plants.support_motions import free_motions
from footfall.plants.supports import Support, SupportRows
from footfall_controllers.controller import declare_ticks


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


@dataclass(frozen=True)
class TorqueHoldParameters:
    """Period [s] and gains.

    locked: joints that are kept at 0, by phase; stiffness [N m/rad], damping [N m s/rad]: with
    which their drives do so, beside what the law asks for.
    """

    period: float
    locked: Sequence[tuple[str, ...]]
    stiffness: float
    damping: float


class TorqueHold(LeafSystem):
    """Holds the torques of a law between its ticks, the first of which is at the start.

    Inputs: ``torque`` (nu,) of the law, ``state`` [q; v], ``phase`` [index, ...]. Output:
    ``actuation`` (nu,), with torques of the drives of locked joints at every step. Raises
    ModelError for unknown names.
    """

    def __init__(self, plant: MultibodyPlant, parameters: TorqueHoldParameters) -> None:
        """Take the plant to know its joints."""
        super().__init__()
        p, nu, nq = parameters, plant.num_actuators(), plant.num_positions()
        places = {actuator.joint().name(): k for k, actuator in enumerate(actuators_of(plant))}
        # by phase: gains (nu, states) of the state in the torques of the drives
        self._gains = np.zeros((len(p.locked), nu, plant.num_multibody_states()))
        for gain, names in zip(self._gains, p.locked, strict=True):
            for joint in require_joints(plant, names):
                row = gain[places[joint.name()]]
                row[joint.position_start()] = -p.stiffness
                row[nq + joint.velocity_start()] = -p.damping
        self._torque = self.DeclareVectorInputPort("torque", nu)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self._held = self.DeclareDiscreteState(nu)
        self.DeclareInitializationDiscreteUpdateEvent(self._hold)
        declare_ticks(self, p.period, self._hold)
        self.DeclareVectorOutputPort("actuation", nu, self._calc)

    def _hold(self, context: Context, discrete: DiscreteValues) -> None:
        discrete.set_value(self._held, self._torque.Eval(context))

    def _calc(self, context: Context, output: BasicVector) -> None:
        gain = self._gains[int(self._phase.Eval(context)[0])]
        held = context.get_discrete_state(self._held).value()
        output.SetFromVector(held + gain @ self._state.Eval(context))

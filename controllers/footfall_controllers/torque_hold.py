"""Torques that are held between the ticks of a law, and drives of the joints that it locks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, LeafSystem

from footfall.plants.coordinates import actuators_of
from footfall.plants.names import require_joints
from footfall_controllers.ticks import declare_ticks


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

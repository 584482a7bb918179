"""Inverse dynamics (computed torque) for the actuated joints of a machine that may float."""

from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.plants.coordinates import actuators_of


@dataclass(frozen=True)
class InverseDynamicsParameters:
    """Gains and choices of the law.

    kp [1/s^2], kd [1/s]: gains of the commanded joint acceleration.
    lookahead [s]: the law is evaluated at q + lookahead * q' instead of q; half a time step gives
    the midpoint at which the biped report evaluates it.
    balanced: pairs of actuators that must cancel, because only an internal torque between two
    absolute angles is real: (a, b) gives them (tau_a - tau_b)/2 and its opposite, and so removes
    the external moment tau_a + tau_b.
    gains_only: PD control, tau = a_q of the actuated joints without M and h, as the biped report's
    first stage has it; kp and kd are then of torques [N m/rad] and [N m s/rad].
    """

    kp: float
    kd: float
    lookahead: float = 0.0
    balanced: tuple[tuple[str, str], ...] = ()
    gains_only: bool = False


class InverseDynamics(LeafSystem):
    """Computed torque: the actuated entries of tau = M a_q - h.

    On actuated joints a_q = a_d + kp (q_d - q) + kd (v_d - v), on the others a_q = 0; h holds
    gravity, Coriolis and every force element, as in M v' = h + B tau.

    Inputs: ``state`` [q; v] of the machine, ``reference`` [q_d, v_d, a_d] of the actuated joints in
    the order of the actuators. Output: ``actuation`` (N m or N), in the same order.
    Raises ValueError for actuated joints with more than one degree of freedom and for unknown
    actuator names. Source: section vi of the biped report (the first two entries of its tau are
    zero, because x and z cannot be driven).
    """

    def __init__(self, plant: MultibodyPlant, parameters: InverseDynamicsParameters) -> None:
        """Take a continuous-time plant as the controller's model of the machine; it is kept."""
        super().__init__()
        self._plant = plant
        self._parameters = parameters
        self._context = plant.CreateDefaultContext()
        self._forces = MultibodyForces(plant)
        joints = [actuator.joint() for actuator in actuators_of(plant)]
        if any(joint.num_velocities() != 1 for joint in joints):
            raise ValueError("inverse dynamics drives joints of one degree of freedom only")
        self._q_index = np.array([joint.position_start() for joint in joints], dtype=int)
        self._v_index = np.array([joint.velocity_start() for joint in joints], dtype=int)
        names = [actuator.name() for actuator in actuators_of(plant)]
        self._balanced = [(names.index(a), names.index(b)) for a, b in parameters.balanced]
        self._nq = plant.num_positions()
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._reference = self.DeclareVectorInputPort("reference", 3 * len(joints))
        self.DeclareVectorOutputPort("actuation", len(joints), self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        plant, own = self._plant, self._context
        state = self._state.Eval(context).copy()
        if self._parameters.lookahead:
            plant.SetPositionsAndVelocities(own, state)
            state[: self._nq] += self._parameters.lookahead * plant.MapVelocityToQDot(
                own, state[self._nq :]
            )
        plant.SetPositionsAndVelocities(own, state)
        q, v = state[: self._nq], state[self._nq :]
        q_d, v_d, a_d = self._reference.Eval(context).reshape(3, -1)
        acceleration = np.zeros(v.size)
        acceleration[self._v_index] = (
            a_d
            + self._parameters.kp * (q_d - q[self._q_index])
            + self._parameters.kd * (v_d - v[self._v_index])
        )
        tau = acceleration[self._v_index]
        if not self._parameters.gains_only:
            plant.CalcForceElementsContribution(own, self._forces)
            tau = plant.CalcInverseDynamics(own, acceleration, self._forces)[self._v_index]
        for a, b in self._balanced:
            shared = 0.5 * (tau[a] - tau[b])
            tau[a], tau[b] = shared, -shared
        output.SetFromVector(tau)

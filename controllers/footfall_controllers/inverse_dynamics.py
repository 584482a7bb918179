"""Inverse dynamics (computed torque) for the actuated joints of a machine that may float."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Indices
from footfall.checked import not_negative
from footfall.errors import ModelError, ScenarioError
from footfall.plants.coordinates import actuator_names, actuators_of
from footfall.plants.flat.laws import InverseDynamicsLaw, Law, PdLaw, actuated_places, once
from footfall_controllers.controller import Controller, LawRequest, Reference, Wiring


@dataclass
class TracksReference(Controller):
    """A controller that lets the actuated joints track a reference by inverse dynamics."""

    # Gains of the commanded acceleration [1/s^2] and [1/s].
    kp: float = not_negative(1e4)
    kd: float = not_negative(100.0)
    # Evaluate the law half a time step ahead, as the listing of the biped report does.
    at_midpoint: bool = False

    @property
    def gains_only(self) -> bool:
        """True of PD control: the commanded acceleration is the torque, without M and h."""
        return False

    @property
    def balanced(self) -> tuple[tuple[str, str], ...]:
        """Pairs of actuators that cancel, as only a torque between two absolute angles is real.

        (a, b) get (tau_a - tau_b)/2 and its opposite: the external moment tau_a + tau_b goes.
        """
        return ()

    def compiled_law(self, asked: LawRequest) -> Law | None:
        """Return inverse dynamics, or PD control, about the samples of the reference."""
        plant, reference = asked.model.plant, asked.reference
        if reference is None:
            return None
        samples = np.array([reference.sample(float(time)) for time in asked.times])
        q_d, v_d, a_d = (once(samples[:, k]) for k in range(3))
        kp, kd = (np.full(plant.num_actuators(), gain) for gain in (self.kp, self.kd))
        ahead, pairs = self.lookahead(asked.time_step), _places(plant, self.balanced)
        if not self.gains_only:
            return InverseDynamicsLaw(q_d, v_d, a_d, kp, kd, ahead, pairs)
        if len(pairs):
            return None
        # kp (q_d - q - ahead v) + kd (v_d - v)
        damping = kd + ahead * kp
        v_d = v_d * (kd / np.where(damping > 0.0, damping, 1.0))
        return PdLaw(a_d, q_d, v_d, kp, damping)

    def lookahead(self, time_step: float) -> float:
        """Time ahead of a step of the engine at which the law is evaluated [s]."""
        return 0.5 * time_step if self.at_midpoint else 0.0

    def connect(self, wiring: Wiring, reference: Reference | None) -> None:
        """Connect reference -> inverse dynamics -> machine, whichever engine the machine is."""
        if reference is None:
            raise ScenarioError(
                "controller: there is no reference to track: give the scenario one."
            )
        builder = wiring.builder
        source = builder.AddNamedSystem("reference", reference.copy())
        try:
            system = InverseDynamicsSystem(wiring.model.plant, self, wiring.time_step)
        except ValueError as error:
            raise ModelError(f"controller: {error}.") from error
        rows, wanted = source.GetOutputPort("reference"), system.GetInputPort("reference")
        if rows.size() != wanted.size():
            raise ScenarioError(
                f"reference: it sends {rows.size()} numbers, but must send q_d, v_d and a_d of "
                f"the actuated joints, {wanted.size()} numbers."
            )
        wiring.add_feedback("inverse_dynamics", system)
        builder.Connect(rows, wanted)


@dataclass
class InverseDynamics(TracksReference):
    """Let the actuated joints track the scenario's `reference` by inverse dynamics."""

    takes_reference = True


class InverseDynamicsSystem(LeafSystem):
    """Computed torque: the actuated entries of tau = M a_q - h.

    On actuated joints a_q = a_d + kp (q_d - q) + kd (v_d - v), on the others a_q = 0; h holds
    gravity, Coriolis and every force element, as in M v' = h + B tau.

    Inputs: ``state`` [q; v] of the machine, ``reference`` [q_d, v_d, a_d] of the actuated joints in
    the order of the actuators. Output: ``actuation`` (N m or N), in the same order.
    law: gains and choices. time_step [s]: of the engine, of which half is the lookahead at
    midpoint: the law is evaluated at q + lookahead * q' instead of q.
    Raises ValueError for actuated joints with more than one degree of freedom and for unknown
    actuator names. Source: section vi of the biped report (the first two entries of its tau are
    zero, because x and z cannot be driven).
    """

    def __init__(self, plant: MultibodyPlant, law: TracksReference, time_step: float = 0.0) -> None:
        """Take a continuous-time plant as the controller's model of the machine; it is kept."""
        super().__init__()
        self._plant = plant
        self._law, self._lookahead = law, law.lookahead(time_step)
        self._context = plant.CreateDefaultContext()
        self._forces = MultibodyForces(plant)
        joints = [actuator.joint() for actuator in actuators_of(plant)]
        if any(joint.num_velocities() != 1 for joint in joints):
            raise ValueError("inverse dynamics drives joints of one degree of freedom only")
        self._q_index, self._v_index = actuated_places(plant)
        self._balanced = _places(plant, law.balanced)
        self._nq = plant.num_positions()
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._reference = self.DeclareVectorInputPort("reference", 3 * len(joints))
        self.DeclareVectorOutputPort("actuation", len(joints), self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        plant, own = self._plant, self._context
        state = self._state.Eval(context).copy()
        if self._lookahead:
            plant.SetPositionsAndVelocities(own, state)
            state[: self._nq] += self._lookahead * plant.MapVelocityToQDot(own, state[self._nq :])
        plant.SetPositionsAndVelocities(own, state)
        q, v = state[: self._nq], state[self._nq :]
        q_d, v_d, a_d = self._reference.Eval(context).reshape(3, -1)
        acceleration = np.zeros(v.size)
        acceleration[self._v_index] = (
            a_d + self._law.kp * (q_d - q[self._q_index]) + self._law.kd * (v_d - v[self._v_index])
        )
        tau = acceleration[self._v_index]
        if not self._law.gains_only:
            plant.CalcForceElementsContribution(own, self._forces)
            tau = plant.CalcInverseDynamics(own, acceleration, self._forces)[self._v_index]
        for a, b in self._balanced:
            shared = 0.5 * (tau[a] - tau[b])
            tau[a], tau[b] = shared, -shared
        output.SetFromVector(tau)


def _places(plant: MultibodyPlant, pairs: Sequence[tuple[str, str]]) -> Indices:
    """Return the places (k, 2) of pairs of actuators; raises ValueError for unknown names."""
    names = actuator_names(plant)
    found = [[names.index(name) for name in pair] for pair in pairs]
    return np.array(found, dtype=np.int64).reshape(-1, 2)

"""The walker with its feet held by the ground, phase by phase, as a system with a plant's ports.

Its accelerations are those of the thesis's equations, or of Drake's plant with the trunk free in
space, where multipliers of the support's rows are what the ground gives, and what keeps the toes
straight.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
from pydrake.math import RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import (
    BasicVector,
    Context,
    ContinuousState,
    EventStatus,
    LeafSystem,
    State,
    UnrestrictedUpdateEvent,
    WitnessFunctionDirection,
)

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.chain import skew
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import JOINTS, SIDES, GaitPhase
from footfall.machines.humanoid.closed_form.walker import (
    CUT,
    Accelerations,
    Ground,
    accelerations,
    trunk_motion,
)
from footfall.machines.humanoid.model import TRUNK, support, trunk_joint
from footfall.plants.coordinates import actuators_of
from footfall.plants.loading.load import Model
from footfall.plants.supports import SupportRows

Dynamics: TypeAlias = Callable[[Ground, Array, Array, Array], Accelerations]
"""Accelerations of a walker on a ground, of angles and rates (12,) under torques (12,)."""


def newton_euler(numbers: Numbers, cut: float = CUT) -> Dynamics:
    """Return the thesis's own equations, (3.75) and (3.103); cut: of those of the loop."""
    return partial(accelerations, numbers, cut=cut)


class Coordinates:
    """Angles theta2 to theta13 and places of the feet in the state [q; v] (size,) of a plant.

    q, v, u (12,): where they, their rates and torques are; trunk (6,): where its velocities are.
    """

    def __init__(self, plant: MultibodyPlant, numbers: Numbers) -> None:
        """Look the joints up."""
        joints = [plant.GetJointByName(name) for name in JOINTS]
        self.q = np.array([joint.position_start() for joint in joints])
        self.v = np.array([joint.velocity_start() for joint in joints])
        names = [actuator.joint().name() for actuator in actuators_of(plant)]
        self.u = np.array([names.index(name) for name in JOINTS])
        self._plant, self._numbers = plant, numbers
        self._context = plant.CreateDefaultContext()
        self._nq = plant.num_positions()
        self.size = plant.num_multibody_states()
        root = trunk_joint(plant)
        self._at, self.trunk = root.position_start(), root.velocity_start() + np.arange(6)

    def state(self, ground: Ground, angle: Array, rate: Array) -> Array:
        """Return [q; v] of a walker that stands on a ground."""
        trunk = trunk_motion(self._numbers, ground, angle, rate)
        state = np.zeros(self.size)
        state[self._at : self._at + 4] = RotationMatrix(trunk.R).ToQuaternion().wxyz()
        state[self._at + 4 : self._at + 7] = trunk.p
        state[self._nq + self.trunk] = np.concatenate([trunk.w, trunk.v])
        state[self.q], state[self._nq + self.v] = angle, rate
        return state

    def angles(self, state: Array) -> Array:
        """Return angles and rates, (24,)."""
        return np.concatenate([state[self.q], state[self._nq + self.v]])

    def ground(self, phase: int, state: Array) -> Ground:
        """Return the ground of a phase under the feet of a walker."""
        side = phase // 2
        self._plant.SetPositionsAndVelocities(self._context, state)
        ankle = self._place(f"{SIDES[side]}_foot")
        ankle[2] = self._numbers.a10
        toe = self._place(f"{SIDES[1 - side]}_toe")
        toe[2] = 0.0
        return Ground(int(phase), ankle, toe)

    def _place(self, body: str) -> Array:
        frame = self._plant.GetBodyByName(body).body_frame()
        return np.array(frame.CalcPoseInWorld(self._context).translation())


def _packed(ground: Ground) -> Array:
    return np.concatenate([[float(ground.phase)], ground.ankle, ground.toe])


def _read(where: Array) -> Ground:
    return Ground(int(where[0]), where[1:4].copy(), where[4:7].copy())


class ConstrainedPlant(LeafSystem):
    """Walker whose flat foot is welded to the ground, and in double support the other foot's toe.

    Continuous state: angles and rates, (24,), and the work of all torques [J]. Where its phase
    ends, it goes on from the state that ``landing`` gives, in the phase ``next_phase``, on the
    ground under its feet.

    Inputs: ``actuation``; ``guard``, ``next_phase`` of a phase selector; ``landing`` [q; v].
    Outputs: ``state`` [q; v]; ``solution`` (24,): second derivatives of the angles [rad/s^2], and
    wrenches [F; M] of the ground on the flat foot at its ankle and on the toe at its hinge [N],
    [N m].
    """

    def __init__(
        self, coordinates: Coordinates, dynamics: Dynamics, ground: Ground, start: Array
    ) -> None:
        """Start with angles and rates (24,) on a ground."""
        super().__init__()
        self.coordinates = coordinates
        self._dynamics = dynamics
        self.DeclareContinuousState(BasicVector(np.append(start, 0.0)), 12, 12, 1)
        size = coordinates.size
        self._ground = self.DeclareDiscreteState(_packed(ground))
        self._actuation = self.DeclareVectorInputPort("actuation", 12)
        self._guard = self.DeclareVectorInputPort("guard", 1)
        self._next = self.DeclareVectorInputPort("next_phase", 1)
        self._landing = self.DeclareVectorInputPort("landing", size)
        states = {self.xc_ticket(), self.xd_ticket()}
        self.DeclareVectorOutputPort("state", size, self._calc_state, states)
        # derivatives and records ask for it at the same state
        self._solution = self.DeclareVectorOutputPort("solution", 24, self._calc_solution)
        self.DeclarePerStepUnrestrictedUpdateEvent(self._switch_if_due)
        self._witness = self.MakeWitnessFunction(
            "end of the phase",
            WitnessFunctionDirection.kPositiveThenNonPositive,
            self._guard_of,
            UnrestrictedUpdateEvent(self._on_witness),
        )

    def DoGetWitnessFunctions(self, _context: Context) -> list[object]:
        """Return the witness of the end of the phase."""
        return [self._witness]

    def DoCalcTimeDerivatives(self, context: Context, derivatives: ContinuousState) -> None:
        """Give rates and accelerations."""
        x = context.get_continuous_state_vector().CopyToVector()
        second = self._solution.Eval(context)[:12]
        torque = self._actuation.Eval(context)[self.coordinates.u]
        derivatives.SetFromVector(np.concatenate([x[12:24], second, [torque @ x[12:24]]]))

    def ground(self, context: Context) -> Ground:
        """Return where it is fixed."""
        return _read(context.get_discrete_state(self._ground).value())

    def is_due(self, context: Context) -> bool:
        """Return True where its phase is over, so that the next step begins in the next one."""
        return self._guard_of(context) <= 0.0

    def work(self, context: Context) -> float:
        """Work of all torques since the start [J]."""
        return float(context.get_continuous_state_vector().CopyToVector()[24])

    def _calc_solution(self, context: Context, output: BasicVector) -> None:
        x = context.get_continuous_state_vector().CopyToVector()
        torque = self._actuation.Eval(context)[self.coordinates.u]
        solution = self._dynamics(self.ground(context), x[:12].copy(), x[12:24].copy(), torque)
        output.SetFromVector(np.concatenate([solution.angles, solution.wrench.ravel()]))

    def _guard_of(self, context: Context) -> float:
        return float(self._guard.Eval(context)[0])

    def _switch_if_due(self, context: Context, state: State) -> EventStatus:
        if self.is_due(context):
            return self._on_witness(context, None, state)
        return EventStatus.DidNothing()

    def _on_witness(self, context: Context, _event: object, state: State) -> EventStatus:
        phase = int(self._next.Eval(context)[0])
        landing = self._landing.Eval(context)
        where = _packed(self.coordinates.ground(phase, landing))
        discrete = state.get_mutable_discrete_state()
        discrete.get_mutable_vector(int(self._ground)).SetFromVector(where)
        after = np.append(self.coordinates.angles(landing), self.work(context))
        state.get_mutable_continuous_state().SetFromVector(after)
        return EventStatus.Succeeded()

    def _calc_state(self, context: Context, output: BasicVector) -> None:
        x = context.get_continuous_state_vector().CopyToVector()
        output.SetFromVector(self.coordinates.state(self.ground(context), x[:12], x[12:24]))


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
        combined = self._independent(rows, J)
        K, n, m = combined @ J, plant.num_velocities(), len(combined)
        matrix = np.zeros((n + m, n + m))
        matrix[:n, :n] = plant.CalcMassMatrix(context)
        matrix[:n, n:], matrix[n:, :n] = -K.T, K
        solution = np.linalg.solve(matrix, np.concatenate([force, -(combined @ bias)]))
        multipliers = combined.T @ solution[n:]
        wrench = np.zeros((2, 6))
        for k in range(len(rows.frames)):
            part = multipliers[6 * k : 6 * k + 6]
            wrench[k, :3], wrench[k, 3:] = part[3:], part[:3]
        return Accelerations(solution[self._coordinates.v], wrench)

    def _independent(self, rows: SupportRows, J: Array) -> Array:
        """Combinations (m, size) of a support's rows without what two level feet hardly tell.

        The loop is judged as the closed form judges it: by the twist at O1 that one leg's joints
        leave against the other's.
        """
        whole = np.eye(len(J))
        if len(rows.frames) == 1:
            return whole
        trunk, joints = self._coordinates.trunk, self._coordinates.v
        foot, toe = J[:6], J[6:12]
        loop = toe[:, joints] - toe[:, trunk] @ np.linalg.solve(foot[:, trunk], foot[:, joints])
        context, world = self._context, self._plant.world_frame()
        O1 = self._hat.EvalPoseInWorld(context).translation()
        arm = O1 - rows.frames[1].CalcPose(context, world).translation()
        shift = np.eye(6)
        shift[3:, :3] = -skew(arm)
        U, values, _ = np.linalg.svd(shift @ loop)
        independent = U[:, values > rows.cut].T @ shift
        return np.vstack([whole[:6], independent @ whole[6:12], whole[12:]])

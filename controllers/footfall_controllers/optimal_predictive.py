"""Optimal predictive control: accelerations that bring predicted points where they should be.

Source: G. Ozyurt, 3-D humanoid gait simulation using an optimal predictive control (METU 2005),
(3.136) to (3.149), here for points of any plant, on any support. A compiled kernel gives the
accelerations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array, Indices
from footfall.checked import NOT_NEGATIVE, POSITIVE, Checked, not_negative
from footfall.jit import njit
from footfall.plants.names import require_joints
from footfall.plants.support_motions import cheapest, completed, motions_under
from footfall.plants.supports import FreeVelocities, Support, SupportRows, stand_on
from footfall_controllers.tracked_points import TrackedPoint, TrackedPoints


class Weights(NamedTuple):
    """Weights of the performance measure (3.136).

    h, r (m,): of errors of position and velocity; s (k,): of accelerations; power: of the net power
    of the actuators; horizon: dt [s].
    """

    h: Array
    r: Array
    s: Array
    power: float
    horizon: float


class Prediction(NamedTuple):
    """Tracked coordinates p and equations of the support, now and at q + q' dt.

    v (nv,); error (m,): p - p*; rate (m,): p'; wanted (m,): v*; J, bias: of the support now; J_p
    (m, nv) and J_then: Jacobians of coordinates and support then. Mv (nv,): momenta; load (nv,):
    bias forces less gravity's; these two count with a weight of power alone.
    """

    v: Array
    error: Array
    rate: Array
    wanted: Array
    J: Array
    bias: Array
    J_p: Array
    J_then: Array
    Mv: Array
    load: Array


@njit
def optimal_accelerations(
    weights: Weights, found: Prediction, free: Indices, others: Indices, cut: float
) -> Array:
    """Return v' (nv,) whose free ones minimise the performance measure."""
    dt = weights.horizon
    here = motions_under(found.J, free, others, cut)
    J_p = found.J_p @ motions_under(found.J_then, free, others, cut).directions
    J_pT = np.ascontiguousarray(J_p.T)
    then = J_p @ found.v[free]
    L1 = found.error + 0.5 * (found.rate + then) * dt
    L2 = then - found.wanted
    h, r = weights.h.reshape(-1, 1), dt**2 * weights.r.reshape(-1, 1)
    G = J_pT @ ((0.25 * dt**4 * h + dt**2 * r) * J_p) + np.diag(4.0 * dt**4 * weights.s)
    K = J_pT @ (0.5 * dt**2 * weights.h * L1 + dt**3 * weights.r * L2)
    if weights.power > 0.0:
        rest = completed(here, found.bias, np.zeros(len(free)))
        slope = np.ascontiguousarray(here.directions.T) @ found.Mv
        weight = weights.power * dt**2
        G += weight * np.outer(slope, slope)
        K += weight * slope * (found.Mv @ rest + found.v @ found.load)
    return cheapest(here, G, K, found.bias)


@dataclass(frozen=True)
class PredictivePhase(Checked, at="controller: "):
    """Law of one phase of motion.

    support: of the phase. points, joints: whose m = 3 points + joints coordinates p(q) are
    tracked [m], [rad]. free: k joints whose accelerations are chosen; the others follow from the
    support, which may leave fewer motions than k. h, r (m,): weights of errors of position and
    velocity; s (k,): of accelerations; power: of the actuators' predicted net power. horizon: dt,
    how far is predicted [s].
    """

    support: Support
    points: tuple[TrackedPoint, ...]
    joints: tuple[str, ...]
    free: tuple[str, ...]
    h: tuple[float, ...] = field(metadata=NOT_NEGATIVE)
    r: tuple[float, ...] = field(metadata=NOT_NEGATIVE)
    s: tuple[float, ...] = field(metadata=NOT_NEGATIVE)
    horizon: float = field(metadata=POSITIVE)
    power: float = not_negative(0.0)

    def __post_init__(self) -> None:
        """Refuse weights that are none; raises ScenarioError, one line."""
        super().__post_init__()
        rows = 3 * len(self.points) + len(self.joints)
        for name, size in (("h", rows), ("r", rows), ("s", len(self.free))):
            count = len(getattr(self, name))
            if count != size:
                raise self.refusal(f"{name} has {count} weights where {size} are needed")
        if not any(self.s) and rows < len(self.free):
            message = "s is 0 and fewer coordinates are tracked than joints are free: give s > 0"
            raise self.refusal(message)

    @property
    def rows(self) -> int:
        """Number m of tracked coordinates."""
        return 3 * len(self.points) + len(self.joints)


class PhaseLaw(Protocol):
    """Law of one phase, with its names resolved."""

    @property
    def phase(self) -> PredictivePhase:
        """Description of the phase that it was made of."""

    def acceleration(self, state: Array, wanted: Array) -> Array:
        """Return v' (nv,) at a state [q; v]; wanted (2, m): p* and v*."""


class PhaseLaws(LeafSystem):
    """Accelerations by the law of the phase that lasts.

    Inputs: ``state`` [q; v]; ``reference`` [p* (m); v* (m)], m the largest of all phases and a
    phase with fewer takes the first of either half; ``phase`` [index, ...]. Output:
    ``acceleration`` (nv), all of the plant's.
    """

    def __init__(self, plant: MultibodyPlant, laws: Sequence[PhaseLaw]) -> None:
        """Take a plant for its sizes, and the laws by phase."""
        super().__init__()
        self._laws = laws
        rows = max(law.phase.rows for law in laws)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._reference = self.DeclareVectorInputPort("reference", 2 * rows)
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self.DeclareVectorOutputPort("acceleration", plant.num_velocities(), self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        law = self._laws[int(self._phase.Eval(context)[0])]
        wanted = self._reference.Eval(context).reshape(2, -1)[:, : law.phase.rows]
        output.SetFromVector(law.acceleration(self._state.Eval(context), wanted))


class OptimalPredictive(PhaseLaws):
    """Accelerations that minimise the performance measure (3.136) over a horizon dt.

    J = 1/2 e_p' H e_p + 1/2 e_v' R e_v + 1/2 a' S a,  H = diag h, R = dt^2 diag r,
    S = 4 dt^4 diag s, with e_p, e_v the errors of p(t + dt) = p + (v + v(t + dt)) dt / 2 and
    v(t + dt) = J_p (q' + a dt), J_p the Jacobian at q + q' dt, (3.137) to (3.142). With a weight of
    power, J has 1/2 power dt^2 P^2 besides, P = v' B tau the power that the accelerations take.

    Where the robot is free in space, it is predicted standing on the first body that is held.

    The reference is that at t + dt. Raises ValueError for no phases, ModelError for unknown names.
    """

    def __init__(self, plant: MultibodyPlant, phases: Sequence[PredictivePhase]) -> None:
        """Take a continuous-time plant as the model of the robot, and the laws by phase."""
        if not phases:
            raise ValueError("optimal predictive control needs the law of at least one phase")
        contexts = (plant.CreateDefaultContext(), plant.CreateDefaultContext())
        super().__init__(plant, [_Law(plant, phase, contexts) for phase in phases])


class TrackedCoordinates:
    """Tracked coordinates p(q) of a phase, and its support, with their names resolved.

    rows: of the support; free: velocities whose accelerations are chosen.
    """

    def __init__(self, plant: MultibodyPlant, phase: PredictivePhase) -> None:
        """Look names up; raises ModelError for what the plant does not have."""
        self.phase = phase
        self.rows = SupportRows(plant, phase.support)
        free = [joint.velocity_start() for joint in require_joints(plant, phase.free)]
        self.free = FreeVelocities(plant.num_velocities(), free)
        self._points = TrackedPoints(plant, phase.points)
        self._joints = require_joints(plant, phase.joints)
        self._of_joints = np.zeros((len(self._joints), plant.num_velocities()))
        for row, joint in zip(self._of_joints, self._joints, strict=True):
            row[joint.velocity_start()] = 1.0

    def coordinates(self, context: Context) -> Array:
        """Return p (m,) at the state of a context."""
        angles = [joint.GetOnePosition(context) for joint in self._joints]
        return np.append(self._points.positions(context), angles)

    def jacobian(self, context: Context) -> Array:
        """Return the Jacobian of p, (m, nv)."""
        J = self._points.jacobian(context)
        return np.vstack([J.reshape(-1, J.shape[-1]), self._of_joints])

    def bias(self, context: Context) -> Array:
        """Second derivatives of the coordinates while v' = 0, (m,)."""
        return np.append(self._points.bias(context), np.zeros(len(self._joints)))


class _Law:
    """A phase's law with its names resolved."""

    def __init__(
        self, plant: MultibodyPlant, phase: PredictivePhase, contexts: tuple[Context, Context]
    ) -> None:
        self.phase = phase
        self._plant, self._contexts = plant, contexts
        self._tracked = TrackedCoordinates(plant, phase)
        self._weights = Weights(
            np.array(phase.h), np.array(phase.r), np.array(phase.s), phase.power, phase.horizon
        )

    def acceleration(self, state: Array, wanted: Array) -> Array:
        """Return v' (nv,); wanted (2, m): p* and v* at the end of the horizon."""
        plant, tracked = self._plant, self._tracked
        now, then = self._contexts
        plant.SetPositionsAndVelocities(now, state)
        self._predict(now, then, state)
        v = state[plant.num_positions() :]
        load = Mv = np.zeros(len(v))
        if self.phase.power:
            Mv = plant.CalcMassMatrix(now) @ v
            load = plant.CalcBiasTerm(now) - plant.CalcGravityGeneralizedForces(now)
        found = Prediction(
            v=v,
            error=tracked.coordinates(now) - wanted[0],
            rate=tracked.jacobian(now) @ v,
            wanted=wanted[1],
            J=tracked.rows.jacobian(now),
            bias=tracked.rows.bias(now),
            J_p=tracked.jacobian(then),
            J_then=tracked.rows.jacobian(then),
            Mv=Mv,
            load=load,
        )
        free = tracked.free
        return optimal_accelerations(self._weights, found, free.free, free.others, tracked.rows.cut)

    def _predict(self, now: Context, then: Context, state: Array) -> None:
        """Set the second context to q + q' dt, standing on the body that is held first."""
        plant = self._plant
        nq = plant.num_positions()
        q = state[:nq] + plant.MapVelocityToQDot(now, state[nq:]) * self.phase.horizon
        plant.SetPositions(then, q)
        if self._tracked.rows.frames:
            frame = self._tracked.rows.frames[0]
            stand_on(plant, then, frame, frame.CalcPoseInWorld(now))

"""Efforts of a robot with more actuators than degrees of freedom: the cheapest that are allowed.

Source: G. Ozyurt, 3-D humanoid gait simulation using an optimal predictive control (METU 2005),
(3.123) to (3.135); limits of the efforts and of what the ground can give are not the thesis's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array, Indices
from footfall.checked import POSITIVE, Checked, between
from footfall.errors import RunError
from footfall.jit import njit
from footfall.plants.flat.motion import PlantMotion
from footfall.plants.support_motions import free_motions
from footfall.plants.supports import Support, SupportRows
from footfall.solvers.dual_active_set import SOLVED, solve_dual

_MET = 1e-6  # of the efforts that are needed: what the solver may leave
_PRICE = 1e4  # of a newton that the ground cannot give, against squares of efforts
_FIRM = 1e6  # weight of squares of what efforts within limits lack, likewise
# proximal steps let the slack, whose price is linear, have a square: its weight, the last step of
# the slack, and how many there may be; three do
_NEAR, _SAME, _STEPS = 1e-2, 1e-10, 20
_CAP = 400  # iterations; some tens do


@dataclass(frozen=True)
class Sole:
    """Means of the ground under a held body: pressure within a rectangle, and friction.

    x, y: from and to, in the body's frame [m]; z: of the sole in it [m]; mu: friction coefficient,
    of which the inscribed pyramid is used.
    """

    frame: str
    x: tuple[float, float]
    y: tuple[float, float]
    z: float
    mu: float


@dataclass(frozen=True)
class TorquePhase(Checked, at="controller: "):
    """Criterion of one phase.

    support: of the phase; weights (nu,): W's diagonal; limit (nu,): largest efforts [N m or N],
    empty for none. soles: of held bodies, for those that the ground can only push; none: it can
    give all.
    """

    support: Support
    weights: tuple[float, ...] = field(metadata=POSITIVE)
    limit: tuple[float, ...] = between((), 0.0, np.inf, "give positive numbers", open_low=True)
    soles: tuple[Sole, ...] = field(default=())


class RedundantTorque(LeafSystem):
    """Efforts T that minimise 1/2 T' W T subject to A T = C, for commanded accelerations.

    Without limits and soles T = W^-1 A' (A W^-1 A')^-1 C (3.135), in closed form. With them it is a
    quadratic programme in T and the reactions; what the ground would have to give beyond its
    means is made as small as can be. Where no efforts within the limits give the accelerations,
    those act that come nearest; `lacking` is what is missing.

    Inputs: ``state`` [q; v], ``acceleration`` (nv), ``phase`` [index, ...]; ``passive`` (nu,), if
    connected: efforts that act beside T, as of springs. Outputs: ``actuation``; ``lacking``: the
    generalized force that the limits withhold, [N] or [N m], 0 in closed form. Raises ValueError
    for weights that do not fit the plant, ModelError for unknown names, RunError for a programme
    without an answer.
    """

    def __init__(self, plant: MultibodyPlant, phases: Sequence[TorquePhase]) -> None:
        """Take a continuous-time plant as the model of the robot, and the criteria by phase."""
        super().__init__()
        self._nq = plant.num_positions()
        self._laws = [_Law(plant, phase) for phase in phases]
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._acceleration = self.DeclareVectorInputPort("acceleration", plant.num_velocities())
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self._passive = self.DeclareVectorInputPort("passive", plant.num_actuators())
        # all outputs ask for it at the same state
        count = plant.num_actuators()
        self._solution = self.DeclareVectorOutputPort("solution", count + 2, self._solve)
        self.DeclareVectorOutputPort("actuation", count, self._calc_actuation)
        self.DeclareVectorOutputPort("lacking", 1, self._calc_lacking)

    def efforts(
        self, state: Array, acceleration: Array, phase: int, passive: Array | None = None
    ) -> tuple[Array, float, float]:
        """Return the efforts, the force that the ground cannot give [N], and what limits lack."""
        q, v = np.split(state, [self._nq])
        beside = np.zeros(self._passive.size()) if passive is None else passive
        return self._laws[phase].efforts(q, v, acceleration, beside)

    def _solve(self, context: Context, output: BasicVector) -> None:
        phase = int(self._phase.Eval(context)[0])
        passive = self._passive.Eval(context) if self._passive.HasValue(context) else None
        state, acceleration = self._state.Eval(context), self._acceleration.Eval(context)
        efforts, *short = self.efforts(state, acceleration, phase, passive)
        output.SetFromVector(np.append(efforts, short))

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._solution.Eval(context)[:-2])

    def _calc_lacking(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._solution.Eval(context)[-1:])


class _Law:
    """A phase's criterion with its names resolved."""

    def __init__(self, plant: MultibodyPlant, phase: TorquePhase) -> None:
        for name in ("weights", "limit"):
            size = len(getattr(phase, name))
            if size != plant.num_actuators() and (size or name == "weights"):
                message = f"{name} has {size} entries where {plant.num_actuators()} are needed"
                raise ValueError(message)
        rows = SupportRows(plant, phase.support)
        self._cut, self._locked = rows.cut, rows.locked
        self._motion = PlantMotion(plant, [(frame, np.zeros(3)) for frame in rows.frames])
        self._B = plant.MakeActuationMatrix()
        self._weights = np.array(phase.weights)
        self._limit = np.array(phase.limit or (np.inf,) * plant.num_actuators())
        held = phase.support.held
        unknown = {sole.frame for sole in phase.soles} - set(held)
        if unknown:
            raise ValueError(f"soles of bodies that are not held: {', '.join(sorted(unknown))}")
        self._closed = not (phase.limit or phase.soles)
        self._bodies = np.array([held.index(sole.frame) for sole in phase.soles], dtype=np.int64)
        self._soles = np.array([sole_limits(sole) for sole in phase.soles]).reshape(-1, 9, 6)

    def efforts(
        self, q: Array, v: Array, acceleration: Array, passive: Array
    ) -> tuple[Array, float, float]:
        """Return efforts (nu,), violation [N] and what is lacking at a state."""
        motion, B = self._motion, self._B
        motion.set(q, v)
        # what efforts and supports give together
        needed = motion.M @ acceleration + motion.force - B @ passive
        held = motion.frames.J.reshape(-1, len(v))
        J = np.concatenate([held, np.eye(len(v))[self._locked]])
        if self._closed:
            return supported(J, self._cut, B, needed, self._weights), 0.0, 0.0
        ground = self._soles, self._bodies, motion.frames.R
        found = efforts_within(J, self._cut, B, needed, self._weights, self._limit, *ground)
        if not found[0]:
            raise RunError("the programme of efforts has no answer: check weights and limits")
        return found[1:]


@njit
def efforts_within(
    J: Array,
    cut: float,
    B: Array,
    needed: Array,
    weights: Array,
    limit: Array,
    soles: Array,
    bodies: Indices,
    R: Array,
) -> tuple[bool, Array, float, float]:
    """Say whether there are efforts within limits; return them, violation [N], what is lacking.

    J (rows, nv): of the support; the reactions along directions that it hardly tells are cut, as in
    the motions. soles (n, 9, 6): rows of `sole_limits`, in the axes R[bodies] of held bodies.

    Along motions that the support leaves the efforts alone give what is needed; along the others,
    reactions follow from them. So T is all that is unknown, beside one slack of the ground, and
    forces that the support gives otherwise where what is needed cannot be had.
    """
    U, sizes, rows = np.linalg.svd(np.ascontiguousarray(J))
    rank = (sizes > cut).sum()
    left, across = np.ascontiguousarray(rows[rank:]), np.ascontiguousarray(rows[:rank])
    A, C = left @ B, left @ needed
    # reactions are of_force @ f, with f = across @ (needed - B T) where nothing is lacking
    of_force = np.ascontiguousarray(U[:, :rank]) / sizes[:rank]
    f, f_T = across @ needed, across @ B
    L = np.zeros((9 * len(soles), rank))
    for n in range(len(soles)):
        at, turn = 6 * bodies[n], np.ascontiguousarray(R[bodies[n]].T)
        own = (soles[n].copy().reshape(18, 3) @ turn).reshape(9, 6)
        L[9 * n : 9 * n + 9] = own @ of_force[at : at + 6]
    nu, met = weights.size, _MET * (1.0 + np.abs(needed).max())
    status, x = _cheapest_within(A, C, L, f, f_T, weights, limit, False)
    if status == SOLVED and np.abs((A @ x[:nu] - C) @ left).max() <= met:
        return True, x[:nu], x[nu], 0.0
    status, x = _cheapest_within(A, C, L, f, f_T, weights, limit, True)
    lacking = (A @ x[:nu] - C) @ left + x[nu + 1 :] @ across
    return status == SOLVED, x[:nu], x[nu], np.abs(lacking).max()


@njit
def _cheapest_within(
    A: Array,
    C: Array,
    L: Array,
    f: Array,
    f_T: Array,
    weights: Array,
    limit: Array,
    firm: bool,
) -> tuple[int, Array]:
    """Solve the programme in x = [T, slack, more]: A T = C, L (f - f_T T + more) <= slack.

    firm: A T may differ from C, and there may be more of the forces f, both at a high price.
    """
    nu, n = weights.size, weights.size + 1 + (f.size if firm else 0)
    of_ground, m = len(L), len(L) + (0 if firm else C.size)
    P, c, low, high = np.zeros((n, n)), np.zeros(n), np.full(n, -np.inf), np.full(n, np.inf)
    G, least, most = np.zeros((m, n)), np.full(m, -np.inf), np.zeros(m)
    for k in range(nu):
        P[k, k], low[k], high[k] = weights[k], -limit[k], limit[k]
    P[nu, nu], low[nu] = _NEAR, 0.0
    if of_ground > 0:
        G[:of_ground, :nu], G[:of_ground, nu] = -(L @ f_T), -1.0
        most[:of_ground] = -(L @ f)
    if firm:
        across = np.ascontiguousarray(A.T)
        P[:nu, :nu] += _FIRM * (across @ A)
        c[:nu] = -_FIRM * (across @ C)
        G[:of_ground, nu + 1 :] = L
        for k in range(nu + 1, n):
            P[k, k] = _FIRM
    else:
        G[of_ground:, :nu] = A
        least[of_ground:] = most[of_ground:] = C
    status, x, slack = SOLVED, np.zeros(n), -1.0
    for _ in range(_STEPS):
        if status != SOLVED or abs(x[nu] - slack) <= _SAME * (1.0 + slack):
            break
        slack = x[nu]
        c[nu] = _PRICE - _NEAR * slack
        status, x, _, _ = solve_dual(P, c, low, high, G, least, most, _CAP)
    return status, x


@njit
def cheapest(A: Array, C: Array, weights: Array) -> Array:
    """Return W^-1 A' (A W^-1 A')^-1 C (3.135): A (n, nu), C (n,), weights (nu,) of W."""
    scaled = A / weights
    across = np.ascontiguousarray(scaled.T)
    smallest = np.finfo(np.float64).eps * len(C)
    return across @ np.linalg.lstsq(scaled @ np.ascontiguousarray(A.T), C, smallest)[0]


@njit
def supported(J: Array, cut: float, B: Array, needed: Array, weights: Array) -> Array:
    """Efforts by (3.135) that give needed (nv,) along the motions that J v = 0 leaves.

    The thesis partitions its equations so that a block of 26 or 31 reactions can be inverted,
    (3.117) to (3.124); here an orthonormal basis of these motions eliminates them.
    """
    across = np.ascontiguousarray(free_motions(J, cut).T)
    return cheapest(across @ B, across @ needed, weights)


def sole_limits(sole: Sole) -> Array:
    """Rows L (9, 6) of L [M; F] <= 0 for the wrench on a held body, moments about its origin.

    The ground pushes; its friction stays in the inscribed pyramid; the centre of pressure, at
    (-M_y, M_x) / F_z of the sole, stays in the rectangle. M and F in the body's axes.
    """
    Mx, My, Fx, Fy, Fz = np.eye(6)[[0, 1, 3, 4, 5]]
    Mx, My = Mx + sole.z * Fy, My - sole.z * Fx  # about the sole below the origin
    grip = sole.mu / np.sqrt(2.0)
    rows = [-Fz, Fx - grip * Fz, -Fx - grip * Fz, Fy - grip * Fz, -Fy - grip * Fz]
    rows += [-My - sole.x[1] * Fz, My + sole.x[0] * Fz]
    rows += [Mx - sole.y[1] * Fz, -Mx + sole.y[0] * Fz]
    return np.array(rows)

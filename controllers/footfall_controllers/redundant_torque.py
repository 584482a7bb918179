"""Efforts of a robot with more actuators than degrees of freedom: the cheapest that are allowed.

Source: G. Ozyurt, 3-D humanoid gait simulation using an optimal predictive control (METU 2005),
(3.123) to (3.135); limits of the efforts and of what the ground can give are not the thesis's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.solvers import ClarabelSolver, MathematicalProgram
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.checked import POSITIVE, Checked, between
from footfall.errors import RunError
from footfall.jit import njit
from footfall.plants.support_motions import free_motions
from footfall.plants.supports import Support, SupportRows

_SAME = 1e-9  # of singular values: rows that say the same twice
_MET = 1e-6  # of the efforts that are needed: what the solver may leave
_PRICE = 1e4  # of a newton that the ground cannot give, against squares of efforts
_FIRM = 1e6  # weight of squares of what efforts within limits lack, likewise


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
        self._plant = plant
        self._context = plant.CreateDefaultContext()
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
        self._plant.SetPositionsAndVelocities(self._context, state)
        beside = np.zeros(self._plant.num_actuators()) if passive is None else passive
        return self._laws[phase].efforts(self._context, acceleration, beside)

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
        self._plant = plant
        self._phase = phase
        self._rows = SupportRows(plant, phase.support)
        self._B = plant.MakeActuationMatrix()
        self._weights = np.array(phase.weights)
        unknown = {sole.frame for sole in phase.soles} - set(phase.support.held)
        if unknown:
            raise ValueError(f"soles of bodies that are not held: {', '.join(sorted(unknown))}")

    def efforts(
        self, context: Context, acceleration: Array, passive: Array
    ) -> tuple[Array, float, float]:
        """Return efforts (nu,), violation [N] and what is lacking, at the state of a context."""
        weights = self._weights
        plant = self._plant
        # what efforts and supports give together
        needed = plant.CalcMassMatrix(context) @ acceleration + plant.CalcBiasTerm(context)
        needed -= plant.CalcGravityGeneralizedForces(context) + self._B @ passive
        if self._phase.limit or self._phase.soles:
            found = self._programme(context, needed, weights, soft=False)
            if found is None and self._phase.limit:
                found = self._programme(context, needed, weights, soft=True)
            if found is None:
                raise RunError("the programme of efforts has no answer: check weights and limits")
            return found
        rows = self._rows
        efforts = supported(rows.jacobian(context), rows.cut, self._B, needed, weights)
        return efforts, 0.0, 0.0

    def _programme(
        self, context: Context, needed: Array, weights: Array, *, soft: bool
    ) -> tuple[Array, float, float] | None:
        """Solve the programme; None without an answer. soft: what limits lack may be lacking."""
        B, J = self._B, self._rows.jacobian(context)
        program = MathematicalProgram()
        # reactions along directions that the support hardly tells are cut, as in the motions
        left, sizes, _ = np.linalg.svd(J, full_matrices=False)
        kept = left[:, sizes > self._rows.cut]
        T = program.NewContinuousVariables(B.shape[1])
        multipliers = program.NewContinuousVariables(kept.shape[1])
        program.AddQuadraticCost(np.diag(weights), np.zeros(len(weights)), T)
        gives = np.hstack([B, J.T @ kept])
        # rows that say the same twice would leave no interior
        U, values, _ = np.linalg.svd(gives)
        rows = U[:, : int((values > _SAME).sum())].T
        lack = program.NewContinuousVariables(len(rows) if soft else 0)
        program.AddLinearEqualityConstraint(
            np.hstack([rows @ gives, np.eye(len(rows))[:, : len(lack)]]),
            rows @ needed,
            np.concatenate([T, multipliers, lack]),
        )
        if soft:
            program.AddQuadraticCost(_FIRM * np.eye(len(lack)), np.zeros(len(lack)), lack)
        if self._phase.limit:
            limit = np.array(self._phase.limit)
            program.AddBoundingBoxConstraint(-limit, limit, T)
        slack = program.NewContinuousVariables(1 if self._phase.soles else 0)
        if self._phase.soles:
            program.AddBoundingBoxConstraint(0.0, np.inf, slack)
            program.AddLinearCost(np.array([_PRICE]), 0.0, slack)
        for sole in self._phase.soles:
            number = self._phase.support.held.index(sole.frame)
            wrench = kept[6 * number : 6 * number + 6]
            frame = self._rows.frames[number]
            limits = sole_limits(sole, frame.CalcPoseInWorld(context).rotation().matrix())
            program.AddLinearConstraint(
                np.hstack([limits @ wrench, -np.ones((len(limits), 1))]),
                np.full(len(limits), -np.inf),
                np.zeros(len(limits)),
                np.concatenate([multipliers, slack]),
            )
        found = ClarabelSolver().Solve(program)
        efforts, forces = found.GetSolution(T), found.GetSolution(multipliers)
        lacks = np.abs(rows @ (gives @ np.concatenate([efforts, forces]) - needed)).max()
        beyond = (np.abs(efforts) - (self._phase.limit or np.inf)).max()
        unmet = beyond if soft else max(lacks, beyond)
        if not (found.is_success() and unmet <= _MET * (1.0 + np.abs(needed).max())):
            return None
        violation = float(found.GetSolution(slack).max(initial=0.0))
        return efforts, violation, float(lacks) if soft else 0.0


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


def sole_limits(sole: Sole, R_WF: Array) -> Array:
    """Rows L (9, 6) of L [M; F] <= 0 for the wrench on a held body, moments about its origin.

    The ground pushes; its friction stays in the inscribed pyramid; the centre of pressure, at
    (-M_y, M_x) / F_z of the sole, stays in the rectangle. M and F in the world.
    """
    turn = np.zeros((6, 6))
    turn[:3, :3] = turn[3:, 3:] = R_WF.T
    Mx, My, Fx, Fy, Fz = np.eye(6)[[0, 1, 3, 4, 5]]
    Mx, My = Mx + sole.z * Fy, My - sole.z * Fx  # about the sole below the origin
    grip = sole.mu / np.sqrt(2.0)
    rows = [-Fz, Fx - grip * Fz, -Fx - grip * Fz, Fy - grip * Fz, -Fy - grip * Fz]
    rows += [-My - sole.x[1] * Fz, My + sole.x[0] * Fz]
    rows += [Mx - sole.y[1] * Fz, -Mx + sole.y[0] * Fz]
    return np.array(rows) @ turn

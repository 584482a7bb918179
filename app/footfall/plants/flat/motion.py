"""M, forces and the motion of frames of a plant at a state, by its flat arrays in one kernel."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable, MultibodyForces
from pydrake.systems.framework import Context

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.flat.checked import links_of
from footfall.plants.flat.dynamics import (
    Scratch,
    advance,
    inertias,
    inward,
    outward,
    place_links,
    scratch_of,
)
from footfall.plants.flat.energy import energy_about
from footfall.plants.flat.tree import Tree


class FrameMotions(NamedTuple):
    """Motion of n frames: J (n, 6, nv), R (n, 3, 3), p (n, 3), V and bias (n, 6), [w; v], in W.

    Of a frame's origin V = J v, and V' = J v' + bias.
    """

    J: Array
    R: Array
    p: Array
    V: Array
    bias: Array


class Fixed(NamedTuple):
    """Frames on links of the flat arrays: link (n,), and pose R (n, 3, 3), p (n, 3) in it."""

    link: Indices
    R: Array
    p: Array


NO_FRAMES = Fixed(np.zeros(0, dtype=np.int64), np.zeros((0, 3, 3)), np.zeros((0, 3)))


class PlantMotion:
    """A plant's M (nv, nv), forces and frames at the state that was set last.

    M has the reflected inertias. force (nv,): C v - tau_g, so that M v' + force is what acts beside
    gravity: motors, springs, dampers, contacts. A plant that the flat arrays do not hold is asked
    itself.
    """

    def __init__(
        self, plant: MultibodyPlant, frames: Sequence[tuple[Frame, npt.ArrayLike]] = ()
    ) -> None:
        """Take frames, each with the place of an origin in it [m] (3,)."""
        self.plant = plant
        self._given = [(frame, np.asarray(p, dtype=np.float64)) for frame, p in frames]
        self._context: Context = plant.CreateDefaultContext()
        self._nq, self._nv = plant.num_positions(), plant.num_velocities()
        self._owner = np.zeros(len(frames), dtype=np.int64)
        self._R, self._p = np.zeros((len(frames), 3, 3)), np.zeros((len(frames), 3))
        self._tree: Tree | None = None
        links = links_of(plant)
        if not links.holds_forces:
            return
        for k, (frame, p_FP) in enumerate(self._given):
            body, X_BF = int(frame.body().index()), frame.GetFixedPoseInBodyFrame()
            R_LB, p_LB = links.pose[body]
            self._owner[k], self._R[k] = links.of_body[body], R_LB @ X_BF.rotation().matrix()
            self._p[k] = p_LB + R_LB @ X_BF.multiply(p_FP)
        self._tree, self._work = links.tree, scratch_of(links.tree)

    @property
    def fixed(self) -> Fixed | None:
        """The frames on links of the flat arrays; None where Drake is asked."""
        return None if self._tree is None else Fixed(self._owner, self._R, self._p)

    def set(self, q: Array, v: Array) -> None:
        """Put a state in; all that it gave before is left as it was."""
        self.q, self.v = q, v
        tree = self._tree
        if tree is None:
            self._ask(q, v)
            return
        fixed = Fixed(self._owner, self._R, self._p)
        self.M, self.force, self.frames = motion_at(tree, self._work, fixed, q, v)

    def context(self) -> Context:
        """Return a context of the plant at the state."""
        self.plant.SetPositionsAndVelocities(self._context, np.concatenate([self.q, self.v]))
        return self._context

    def resting(self) -> Array:
        """Return -h (nv,): what M v' is 0 with; C v less gravity, springs and dampers."""
        if (tree := self._tree) is not None:
            stretch = self.q[tree.sprung] - tree.slack
            return self.force + tree.damping * self.v + tree.stiffness * stretch
        context, forces = self.context(), MultibodyForces(self.plant)
        self.plant.CalcForceElementsContribution(context, forces)
        return self.plant.CalcInverseDynamics(context, np.zeros(self._nv), forces)

    def energy_about(self, frame: int) -> float:
        """Return the energy [J] of all, springs too, less M g times the height of a frame."""
        p_W = self.frames.p[frame]
        if (tree := self._tree) is not None:
            return energy_about(tree, self._work, self.q, self.v, p_W)
        plant, context = self.plant, self.context()
        weight = plant.CalcTotalMass(context) * plant.gravity_field().gravity_vector()
        # not Drake's own kinetic energy, which leaves out reflected rotor inertia
        kinetic = 0.5 * self.v @ self.M @ self.v
        return float(kinetic + plant.CalcPotentialEnergy(context) + weight @ p_W)

    def ahead(self, q: Array, v: Array, time: float) -> Array:
        """Return q + time N(q) v, of quaternions whose length may change."""
        if (tree := self._tree) is not None:
            moved = np.empty(self._nq)
            advance(tree.kind, tree.position, tree.velocity, q, v, time, moved)
            return moved
        self.plant.SetPositions(self._context, q)
        rate: Array = self.plant.MapVelocityToQDot(self._context, v)
        return q + time * rate

    def _ask(self, q: Array, v: Array) -> None:
        """Ask Drake."""
        self.q, self.v = q, v
        plant, context, world = self.plant, self.context(), self.plant.world_frame()
        kind = JacobianWrtVariable.kV
        self.M = plant.CalcMassMatrix(context)
        self.force = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
        count = len(self._given)
        J, R, p = np.zeros((count, 6, self._nv)), np.zeros((count, 3, 3)), np.zeros((count, 3))
        bias = np.zeros((count, 6))
        for k, (frame, p_FP) in enumerate(self._given):
            where = (context, kind, frame, p_FP, world, world)
            J[k] = plant.CalcJacobianSpatialVelocity(*where)
            bias[k] = plant.CalcBiasSpatialAcceleration(*where).get_coeffs()
            X_WF = frame.CalcPoseInWorld(context)
            R[k], p[k] = X_WF.rotation().matrix(), X_WF.multiply(p_FP)
        self.frames = FrameMotions(J, R, p, J @ v, bias)


@njit
def motion_at(
    tree: Tree, work: Scratch, fixed: Fixed, q: Array, v: Array
) -> tuple[Array, Array, FrameMotions]:
    """Return M, force, and the motion of frames at a state, of which work keeps the links'."""
    n, nv = fixed.link.size, v.size
    M, force, J = np.empty((nv, nv)), np.empty(nv), np.empty((n, 6, nv))
    R, p, V, bias = np.empty((n, 3, 3)), np.empty((n, 3)), np.empty((n, 6)), np.empty((n, 6))
    move(tree, work, q, v, fixed.link, fixed.R, fixed.p, M, force, J, R, p, V, bias)
    return M, force, FrameMotions(J, R, p, V, bias)


@njit
def move(
    tree: Tree,
    work: Scratch,
    q: Array,
    v: Array,
    owner: Indices,
    R_LF: Array,
    p_LF: Array,
    M: Array,
    force: Array,
    J: Array,
    R: Array,
    p: Array,
    V: Array,
    bias: Array,
) -> None:
    """Fill M, force, and the motion of frames that are fixed to links at R_LF and p_LF."""
    pose, twist, H, h, depth, path = work.pose, work.twist, work.H, work.h, tree.depth, tree.path
    place_links(tree, work, q)
    inertias(tree, work)
    outward(tree, work, v)
    inward(tree, work)
    M[:] = 0.0
    for k in range(h.size):
        for d in range(depth[k] + 1):
            M[k, path[k, d]] = M[path[k, d], k] = H[k, d]
        M[k, k] += tree.rotor[k]
        force[k] = -h[k]
    J[:] = 0.0
    for k in range(owner.size):
        _frame(
            *(k, owner[k], tree.reference[owner[k]], tree.last[owner[k]], depth, path),
            *(tree.gravity, pose, twist, work.V, work.A, R_LF, p_LF, J, R, p, V, bias),
        )


@njit
def _frame(
    k: int,
    link: int,
    reference: int,
    last: int,
    depth: Indices,
    path: Indices,
    gravity: Array,
    pose: Array,
    twist: Array,
    link_V: Array,
    link_A: Array,
    R_LF: Array,
    p_LF: Array,
    J: Array,
    R: Array,
    p: Array,
    V: Array,
    bias: Array,
) -> None:
    """Fill the motion of frame k, out of twists about the reference point of the tree."""
    for i in range(3):
        p[k, i] = pose[link, i, 3]
        for j in range(3):
            p[k, i] += pose[link, i, j] * p_LF[k, j]
            R[k, i, j] = (
                pose[link, i, 0] * R_LF[k, 0, j]
                + pose[link, i, 1] * R_LF[k, 1, j]
                + pose[link, i, 2] * R_LF[k, 2, j]
            )
    x = p[k, 0] - pose[reference, 0, 3]
    y = p[k, 1] - pose[reference, 1, 3]
    z = p[k, 2] - pose[reference, 2, 3]
    for d in range(depth[last] + 1 if last >= 0 else 0):
        i = path[last, d]
        a, b, c = twist[i, 0], twist[i, 1], twist[i, 2]
        J[k, 0, i], J[k, 1, i], J[k, 2, i] = a, b, c
        J[k, 3, i] = twist[i, 3] + b * z - c * y
        J[k, 4, i] = twist[i, 4] + c * x - a * z
        J[k, 5, i] = twist[i, 5] + a * y - b * x
    a, b, c = link_V[link, 0], link_V[link, 1], link_V[link, 2]
    s, t, u = (
        link_V[link, 3] + b * z - c * y,
        link_V[link, 4] + c * x - a * z,
        link_V[link, 5] + a * y - b * x,
    )
    V[k, 0], V[k, 1], V[k, 2], V[k, 3], V[k, 4], V[k, 5] = a, b, c, s, t, u
    # A is the rate of the twist about a point that rests: the origin has w' x r + w x v besides
    e, f, g = link_A[link, 0], link_A[link, 1], link_A[link, 2]
    bias[k, 0], bias[k, 1], bias[k, 2] = e, f, g
    bias[k, 3] = link_A[link, 3] + gravity[0] + f * z - g * y + b * u - c * t
    bias[k, 4] = link_A[link, 4] + gravity[1] + g * x - e * z + c * s - a * u
    bias[k, 5] = link_A[link, 5] + gravity[2] + e * y - f * x + a * t - b * s

"""Equations of motion of a robot that is free in space, and how its links move, at a state.

Frames: W world, B a link, P its point; F, fixed to W, and M on the base, those of the joint that
leaves the base free. v of the base is [w_FM; v_FM] in F's axes, so that the six rows of the base in
M a + bias - gravity are, in these axes, the moment about M's origin and the force that acts from
outside.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.coordinates import actuators_of, floating_joints, joint_damping
from footfall.plants.flat.checked import links_of
from footfall.plants.flat.dynamics import scratch_of
from footfall.plants.flat.motion import Fixed, FrameMotions, PlantMotion
from footfall.plants.names import require_frames
from footfall_controllers.whole_body.motion_kernels import RobotTable, Whole, hold, robot_motion


@dataclass(frozen=True, eq=False)
class LinkMotion:
    """Pose, velocity and acceleration of a link: V = [w; v] of its origin, V' = J a + bias."""

    R: Array
    p: Array
    V: Array
    J: Array
    bias: Array

    def at(self, p_BP: Array) -> tuple[Array, Array, Array, Array]:
        """Place, velocity, Jacobian and bias of a point of the link, all in the world."""
        r = self.R @ p_BP
        w = self.V[:3]
        J = self.J[3:] - cross_matrix(r) @ self.J[:3]
        bias = self.bias[3:] + cross(self.bias[:3], r) + cross(w, cross(w, r))
        return self.p + r, self.V[3:] + cross(w, r), J, bias


class RobotTerms:
    """A plant's M, h and links at the state that was set last.

    whole: as `motion_rows` takes it. p_com, v_com, J_com, bias_com: of the centre of mass.
    momentum, A_L, bias_L: angular momentum about it, of velocities (3, nv), and its rate that
    velocities alone give [N m].
    """

    def __init__(
        self, plant: MultibodyPlant, links: Iterable[str], drive_inertia: Array | None = None
    ) -> None:
        """Look links up; raises ModelError for a robot that is not free in space.

        drive_inertia (nv,): what drives with damping add to the diagonal of M, the step of the
        engine times the damping: in a step from A to E they give tau - damping (v_E - v_A).
        """
        self.plant = plant
        roots = list(floating_joints(plant).values())
        if not roots:
            raise ModelError("a whole-body controller is for a robot whose trunk is free in space")
        root = roots[0]
        self.trunk = root.child_body()
        home = plant.CreateDefaultContext()
        self._R_WF: Array = root.frame_on_parent().CalcRotationMatrixInWorld(home).matrix()
        self.base = root.velocity_start() + np.arange(6)
        B = plant.MakeActuationMatrix()
        self.driven = np.flatnonzero(np.abs(B).sum(axis=1) > 0.0)
        nv = plant.num_velocities()
        self.passive = np.setdiff1d(np.arange(nv), self.driven)
        # efforts of actuators for generalized forces of the driven velocities
        self.efforts_of: Array = np.linalg.pinv(B[self.driven])
        actuators = actuators_of(plant)
        self.effort_limits: Array = np.array([a.effort_limit() for a in actuators])
        names = list(dict.fromkeys(links))
        self.number = {name: k for k, name in enumerate(names)}
        frames = *require_frames(plant, names), root.frame_on_child(), self.trunk.body_frame()
        self._motion = PlantMotion(plant, [(frame, np.zeros(3)) for frame in frames])
        self._nq = plant.num_positions()
        self._state = b""
        # mass of what the base carries: the mass of its translation [kg]
        self.mass = float(plant.CalcMassMatrix(home)[self.base[3], self.base[3]])
        # acceleration of gravity (3,) [m/s^2]: the base's rows of gravity are the weight
        weights = plant.CalcGravityGeneralizedForces(home)
        self.gravity: Array = self._R_WF @ weights[self.base[3:]] / self.mass
        tree, fixed = links_of(plant).tree, self._motion.fixed
        self._in_drake, self._count = fixed is None, len(frames)
        if fixed is None:
            fixed = Fixed(np.zeros(0, np.int64), np.zeros((0, 3, 3)), np.zeros((0, 3)))
        self._table = hold(
            RobotTable(
                *(tree, scratch_of(tree), fixed.link, fixed.R, fixed.p, int(self.base[0])),
                R_WF=self._R_WF,
                mass=self.mass,
                gravity=self.gravity,
                drive_inertia=np.zeros(nv) if drive_inertia is None else drive_inertia,
                damping=joint_damping(plant),
            )
        )

    @property
    def weight(self) -> float:
        """Weight of the robot [N]."""
        return self.mass * float(np.linalg.norm(self.gravity))

    @property
    def context(self) -> Context:
        """Context of the plant at the state."""
        return self._motion.context()

    def set_state(self, state: Array) -> None:
        """Put [q; v] in, unless it is there already; what was given of others is left as it was."""
        known = state.tobytes()
        if known == self._state:
            return
        state = state.copy()
        self._state = known
        self.q, self.v = q, v = state[: self._nq], state[self._nq :]
        nv, n, motion = len(v), self._count, self._motion
        # h (nv,): forces of velocities, gravity and damping: M v' + h is what acts besides
        self.M: Array
        self.h: Array
        if self._in_drake:
            motion.set(q, v)
            self.M, self.h, self._links = motion.M, motion.force.copy(), motion.frames
        else:
            motion.q, motion.v = q, v
            self.M, self.h = np.empty((nv, nv)), np.empty(nv)
            shapes = (n, 6, nv), (n, 3, 3), (n, 3), (n, 6), (n, 6)
            self._links = FrameMotions(*map(np.empty, shapes))
        self.whole = Whole(np.empty((3, 3)), np.empty((3, nv)), np.empty((2, 3)), np.empty((3, nv)))
        robot_motion(self._table, self._in_drake, q, v, self.M, self.h, self._links, self.whole)
        self.R_trunk: Array = self._links.R[-1]
        self.p_com, self.v_com, self.bias_com = self.whole.com
        self.momentum, self.bias_L = self.whole.momentum
        self.J_com, self.A_L = self.whole.J, self.whole.A

    @property
    def inertia(self) -> Array:
        """Moments of inertia (3,) about the centre of mass and the axes of W, joints held."""
        return np.diag(self.A_L[:, self.base[:3]] @ self._R_WF.T).copy()

    def link(self, name: str) -> LinkMotion:
        """Motion of a link."""
        links, k = self.stack(), self.number[name]
        return LinkMotion(links.R[k], links.p[k], links.V[k], links.J[k], links.bias[k])

    def stack(self) -> FrameMotions:
        """Motion of all links, in the order of ``number``, and two frames of the trunk."""
        return self._links


def cross(a: Array, b: Array) -> Array:
    """Return a x b of two vectors, faster than numpy's of arrays of any shape."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def cross_matrix(r: Array) -> Array:
    """Return [r]x, with [r]x a = r x a."""
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])

"""Equations of motion of a robot that is free in space, and how its links move, at a state.

Frames: W world, B a link, P its point; F, fixed to W, and M on the base, those of the joint that
leaves the base free. v of the base is [w_FM; v_FM] in F's axes, so that the six rows of the base in
M a + bias - gravity are, in these axes, the moment about M's origin and the force that acts from
outside.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.coordinates import actuators_of, floating_joints, joint_damping
from footfall.plants.kinematics import Kinematics
from footfall.plants.names import require_frames
from footfall_controllers.whole_body.link_kernels import accelerate_frames, place_frames
from footfall_controllers.whole_body.motion_kernels import Links, Whole


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
    """A plant's M, h and links at the state that was set last; owns a scratch context.

    Of forces and angular momentum, what a state gives is worked out when it is asked for, once.
    """

    def __init__(
        self, plant: MultibodyPlant, links: Iterable[str], drive_inertia: Array | None = None
    ) -> None:
        """Look links up; raises ModelError for a robot that is not free in space.

        drive_inertia (nv,): what drives with damping add to the diagonal of M, the step of the
        engine times the damping: in a step from A to E they give tau - damping (v_E - v_A).
        """
        self.plant = plant
        self._drive_inertia = drive_inertia
        self.context: Context = plant.CreateDefaultContext()
        roots = list(floating_joints(plant).values())
        if not roots:
            raise ModelError("a whole-body controller is for a robot whose trunk is free in space")
        self._root = roots[0]
        self.trunk = self._root.child_body()
        frame_F = self._root.frame_on_parent()
        self._R_WF: Array = frame_F.CalcRotationMatrixInWorld(self.context).matrix()
        self.base = self._root.velocity_start() + np.arange(6)
        B = plant.MakeActuationMatrix()
        self.driven = np.flatnonzero(np.abs(B).sum(axis=1) > 0.0)
        self.passive = np.setdiff1d(np.arange(plant.num_velocities()), self.driven)
        # efforts of actuators for generalized forces of the driven velocities
        self.efforts_of: Array = np.linalg.pinv(B[self.driven])
        actuators = actuators_of(plant)
        self.effort_limits: Array = np.array([a.effort_limit() for a in actuators])
        self._damping = joint_damping(plant)
        names = list(dict.fromkeys(links))
        self._frames: dict[str, Frame] = dict(zip(names, require_frames(plant, names), strict=True))
        self.number = {name: k for k, name in enumerate(names)}
        self._kinematics = Kinematics(plant)
        bodies = [self._kinematics.link_of(frame.body()) for frame in self._frames.values()]
        within = [self._kinematics.within(frame) for frame in self._frames.values()]
        self._owner = np.array(bodies, dtype=np.int64)
        self._R_BF = np.array([X.rotation().matrix() for X in within]).reshape(-1, 3, 3)
        self._p_BF = np.array([X.translation() for X in within]).reshape(-1, 3)
        self._nq = plant.num_positions()
        self._state = b""
        self.mass = self._robot_mass()

    @property
    def weight(self) -> float:
        """Weight of the robot [N]."""
        return self.mass * float(np.linalg.norm(self.gravity))

    def _robot_mass(self) -> float:
        """Mass of what the base carries: the mass of its translation [kg]."""
        return float(self.plant.CalcMassMatrix(self.context)[self.base[3], self.base[3]])

    def set_state(self, state: Array) -> None:
        """Put [q; v] in, unless it is there already."""
        known = state.tobytes()
        if known == self._state:
            return
        state = state.copy()
        self.plant.SetPositionsAndVelocities(self.context, state)
        self._state = known
        self.q, self.v = state[: self._nq], state[self._nq :]
        for name in _OF_STATE:
            self.__dict__.pop(name, None)
        self.M: Array = self.plant.CalcMassMatrix(self.context)
        if self._drive_inertia is not None:
            self.M.flat[:: len(self.M) + 1] += self._drive_inertia
        X_WB = self.plant.EvalBodyPoseInWorld(self.context, self.trunk)
        self.R_trunk: Array = X_WB.rotation().matrix()
        linear = self.M[self.base[3:]]
        # M[linear, rot] = -m [r]x with r from M's origin to the centre of mass, in F's axes
        block = linear[:, self.base[:3]] / self.mass
        self._to_com = self._R_WF @ [block[1, 2], block[2, 0], block[0, 1]]
        X_WM = self._root.frame_on_child().CalcPoseInWorld(self.context)
        self.p_com: Array = X_WM.translation() + self._to_com
        self.J_com: Array = self._R_WF @ linear / self.mass
        self.v_com: Array = self.J_com @ self.v
        self._stack: Links | None = None

    @cached_property
    def coriolis(self) -> Array:
        """Forces (nv,) of velocities alone."""
        return self.plant.CalcBiasTerm(self.context)

    @cached_property
    def _weights(self) -> Array:
        """Generalized forces (nv,) of gravity."""
        return self.plant.CalcGravityGeneralizedForces(self.context)

    @cached_property
    def h(self) -> Array:
        """Forces (nv,) of velocities, gravity and damping: M v' + h is what acts besides."""
        return self.coriolis - self._weights + self._damping * self.v

    @cached_property
    def gravity(self) -> Array:
        """Acceleration of gravity (3,) [m/s^2]."""
        # the base's rows of gravity are the weight and its moment about the base
        return self._R_WF @ self._weights[self.base[3:]] / self.mass

    @cached_property
    def bias_com(self) -> Array:
        """Acceleration (3,) of the centre of mass that velocities alone give [m/s^2]."""
        return self._R_WF @ self.coriolis[self.base[3:]] / self.mass

    @cached_property
    def A_L(self) -> Array:
        """Angular momentum about the centre of mass of velocities, (3, nv)."""
        turning, linear = self._R_WF @ self.M[self.base[:3]], self._R_WF @ self.M[self.base[3:]]
        return turning - cross_matrix(self._to_com) @ linear

    @property
    def inertia(self) -> Array:
        """Moments of inertia (3,) about the centre of mass and the axes of W, joints held."""
        return np.diag(self.A_L[:, self.base[:3]] @ self._R_WF.T).copy()

    @cached_property
    def momentum(self) -> Array:
        """Angular momentum (3,) about the centre of mass [N m s]."""
        return self.A_L @ self.v

    @cached_property
    def bias_L(self) -> Array:
        """Rate (3,) of the angular momentum that velocities alone give [N m]."""
        turning = self._R_WF @ self.coriolis[self.base[:3]]
        return turning - cross(self._to_com, self._R_WF @ self.coriolis[self.base[3:]])

    def link(self, name: str) -> LinkMotion:
        """Motion of a link."""
        links, k = self.stack(), self.number[name]
        return LinkMotion(links.R[k], links.p[k], links.V[k], links.J[k], links.bias[k])

    def stack(self) -> Links:
        """Motion of all links, in the order of ``number``, worked out once a state."""
        if self._stack is not None:
            return self._stack
        count, nv = len(self.number), len(self.v)
        links = Links(
            np.empty((count, 6, nv)),
            np.empty((count, 3, 3)),
            np.empty((count, 3)),
            np.empty((count, 6)),
            np.empty((count, 6)),
        )
        self._kinematics.place(self.context, self.q)
        tree, work = self._kinematics.tree, self._kinematics.moving
        place_frames(tree, work, self._owner, self._R_BF, self._p_BF, links)
        links.V[:] = links.J @ self.v
        if self._kinematics.links.holds_motion:
            accelerate_frames(tree, work, self.v, self._owner, links)
        else:
            self._ask_for_bias(links)
        self._stack = links
        return links

    def _ask_for_bias(self, links: Links) -> None:
        """Fill what Drake says that velocities give, where the arrays cannot."""
        world = self.plant.world_frame()
        for k, frame in enumerate(self._frames.values()):
            links.bias[k] = self.plant.CalcBiasSpatialAcceleration(
                self.context, JacobianWrtVariable.kV, frame, _ORIGIN, world, world
            ).get_coeffs()

    def whole(self, inertia: Array) -> Whole:
        """Motion of the robot as a whole; inertia: (3,), as `Whole` says."""
        return Whole(
            self.p_com,
            self.v_com,
            self.J_com,
            self.bias_com,
            self.momentum,
            self.A_L,
            self.bias_L,
            inertia,
        )


_ORIGIN = np.zeros(3)

# what a new state makes void
_OF_STATE = [name for name, part in vars(RobotTerms).items() if isinstance(part, cached_property)]


def cross(a: Array, b: Array) -> Array:
    """Return a x b of two vectors, faster than numpy's of arrays of any shape."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def cross_matrix(r: Array) -> Array:
    """Return [r]x, with [r]x a = r x a."""
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])

"""Forces that the joints of a machine transmit, by Newton's and Euler's equations of its bodies.

What a joint transmits is what the bodies beyond it need for their motion and do not get otherwise,
from gravity, contacts, loops and springs. Whatever acts inside joints (motors, damping, reflected
rotor inertia, stops, dry friction, gears) is part of what they transmit and need not be known.

Frames: W world, B body, C child body of a joint, Jc its frame on the child, O a common point.
Source: the recursion of R. Featherstone, Rigid Body Dynamics Algorithms (2008), section 5.3, summed
over the tree; the convention is that of MultibodyPlant.get_reaction_forces_output_port.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, Joint
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.forces import Wrench, element_wrenches
from footfall.plants.joints import joints_of

COMPONENTS = ("mx", "my", "mz", "fx", "fy", "fz")
JOINT_REACTION, UNEXPLAINED = "joint_reaction", "reaction_unexplained"
"""Variables of a trajectory whose engine records what the joints carry."""


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Motion of all bodies at an instant and the forces on them, from which reactions follow.

    All in W. pose (bodies, 3, 4): X_WB. velocity, acceleration (bodies, 6): [angular; of Bo]. load
    (bodies, 6): forces other than weights, [moment about the last body's origin; force].
    """

    pose: Array
    velocity: Array
    acceleration: Array
    load: Array


class JointReactions:
    """Joint reactions of a finalized plant whose mass properties stay as they are."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Read masses, and which bodies lie beyond which joint."""
        self._plant = plant
        self._bodies = [plant.get_body(BodyIndex(i)) for i in range(plant.num_bodies())]
        context = plant.CreateDefaultContext()
        self.joints = joints_of(plant)
        self._beyond = _beyond(self.joints, len(self._bodies))
        self._child = [int(joint.child_body().index()) for joint in self.joints]
        X_CJc = [joint.frame_on_child().GetFixedPoseInBodyFrame() for joint in self.joints]
        self._R_CJc = np.array([X.rotation().matrix() for X in X_CJc]).reshape(-1, 3, 3)
        self._p_CJc = np.array([X.translation() for X in X_CJc]).reshape(-1, 3)
        count = len(self._bodies)
        self._mass, self._p_BBcm = np.zeros(count), np.zeros((count, 3))
        self._I_BBo, self._g_W = np.zeros((count, 3, 3)), np.zeros((count, 3))
        for i, body in enumerate(self._bodies[1:], start=1):
            M = body.CalcSpatialInertiaInBodyFrame(context)
            self._mass[i], self._p_BBcm[i] = M.get_mass(), M.get_com()
            self._I_BBo[i] = M.CalcRotationalInertia().CopyToFullMatrix3()
            if plant.is_gravity_enabled(body.model_instance()):
                self._g_W[i] = plant.gravity_field().gravity_vector()

    def motion(self, context: Context, vdot: Array, wrenches: Iterable[Wrench] = ()) -> BodyMotion:
        """Read what ``carried`` needs of a state.

        context: holds q and v; vdot (nv,): rates of v; wrenches: of contacts and loops (gravity,
        springs and bushings are known here). Raises ModelError for a force element whose forces
        are not known.
        """
        plant, bodies = self._plant, self._bodies
        pose = np.array([body.EvalPoseInWorld(context).GetAsMatrix34() for body in bodies])
        O = pose[-1, :, 3]
        load = np.zeros((len(bodies), 6))
        for wrench in (*wrenches, *element_wrenches(plant, context)):
            row = load[int(wrench.body.index())]
            row[:3] += wrench.torque_W + _cross(wrench.p_W - O, wrench.force_W)
            row[3:] += wrench.force_W
        velocity = [body.EvalSpatialVelocityInWorld(context).get_coeffs() for body in bodies]
        A = plant.CalcSpatialAccelerationsFromVdot(context, vdot)
        acceleration = [A[body.index()].get_coeffs() for body in bodies]
        return BodyMotion(pose, np.array(velocity), np.array(acceleration), load)

    def carried(self, motions: Sequence[BodyMotion]) -> Array:
        """Return spatial forces F_CJc_Jc on the children, [moment; force] (motions, joints, 6).

        In N m and N; joints are in the order of their indices. All motions at once are many times
        as fast as one by one.
        """
        if not motions:
            return np.zeros((0, len(self.joints), 6))
        pose, velocity, acceleration = (
            np.array([getattr(motion, part) for motion in motions])
            for part in ("pose", "velocity", "acceleration")
        )
        R_WB, p_WB = pose[..., :3], pose[..., 3]
        O = p_WB[:, -1:]
        needed = self._inertial(velocity[..., :3], acceleration, R_WB, p_WB - O)
        needed -= np.array([motion.load for motion in motions])
        through = self._beyond @ needed
        R_WC, p_WC = R_WB[:, self._child], p_WB[:, self._child]
        p_WJc = p_WC + _turned(R_WC, self._p_CJc)
        through[..., :3] -= _cross(p_WJc - O, through[..., 3:])
        R_JcW = np.swapaxes(R_WC @ self._R_CJc, -1, -2)
        parts = _turned(R_JcW, through[..., :3]), _turned(R_JcW, through[..., 3:])
        return np.concatenate(parts, axis=-1)

    def _inertial(self, w: Array, acceleration: Array, R_WB: Array, p_OB: Array) -> Array:
        """Return inertial wrenches less weights, [moment about O; force] (..., bodies, 6)."""
        alpha, a_Bo = acceleration[..., :3], acceleration[..., 3:]
        p_BBcm_W = _turned(R_WB, self._p_BBcm)
        I_BBo_W = R_WB @ self._I_BBo @ np.swapaxes(R_WB, -1, -2)
        a_Bcm = a_Bo + _cross(alpha, p_BBcm_W) + _cross(w, _cross(w, p_BBcm_W))
        force = self._mass[:, None] * (a_Bcm - self._g_W)
        about_Bo = _turned(I_BBo_W, alpha) + _cross(w, _turned(I_BBo_W, w))
        about_Bo += self._mass[:, None] * _cross(p_BBcm_W, a_Bo - self._g_W)
        return np.concatenate((about_Bo + _cross(p_OB, force), force), axis=-1)


def reaction_variables(joints: Sequence[str], carried: Array, unexplained: Array) -> xr.Dataset:
    """Return what an engine that knows the reactions of its joints adds to its trajectory.

    joints: their names, n of them; carried (N, n, 6): as `JointReactions` has it; unexplained (N,):
    by how much the equations of motion are not met [N or N m]; N rows of time.
    """
    attrs = {"units": "N m (mx, my, mz), N (fx, fy, fz)", "long_name": "joint reaction"}
    left = {"units": "N or N m", "long_name": "what joint reactions leave unexplained"}
    return xr.Dataset(
        {
            JOINT_REACTION: (("time", "joint", "component"), carried, attrs),
            UNEXPLAINED: ("time", unexplained, left),
        },
        {"joint": list(joints), "component": list(COMPONENTS)},
    )


def _turned(matrices: Array, vectors: Array) -> Array:
    """Products of (..., 3, 3) with (..., 3)."""
    products: Array = (matrices @ vectors[..., None])[..., 0]
    return products


def _cross(a: Array, b: Array) -> Array:
    """Cross products of (..., 3) with (..., 3), several times as fast as numpy's."""
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        product[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return product


def _beyond(joints: Sequence[Joint], bodies: int) -> Array:
    """Say which bodies hang on the world by a joint, (joints, bodies).

    1 where the joint's child is the nearest of them, -1 where its parent is: then the force on the
    child is the opposite of what the bodies get.
    """
    ends = [(int(j.parent_body().index()), int(j.child_body().index())) for j in joints]
    by: dict[int, int] = {}  # body -> the joint by which it hangs
    below: dict[int, int] = {}  # body -> the body it hangs on
    order = [0]
    for body in order:
        for k, (parent, child) in enumerate(ends):
            for near, far in ((parent, child), (child, parent)):
                if near == body and far != 0 and far not in by:
                    by[far], below[far] = k, near
                    order.append(far)
    table = np.zeros((len(joints), bodies))
    for body in order[1:]:
        hanging = body
        while hanging != 0:
            k = by[hanging]
            table[k, body] = 1.0 if ends[k][1] == hanging else -1.0
            hanging = below[hanging]
    return table

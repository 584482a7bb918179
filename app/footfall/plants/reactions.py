"""Forces that the joints of a machine transmit, by Newton's and Euler's equations of its bodies.

What a joint transmits is what the bodies beyond it need for their motion and do not get otherwise,
from gravity, contacts, loops and springs. Whatever acts inside joints (motors, damping, reflected
rotor inertia, stops, dry friction, gears) is part of what they transmit and need not be known.

Frames: W world, B body, C child body of a joint, Jc its frame on the child, O a common point.
Source: the recursion of R. Featherstone, Rigid Body Dynamics Algorithms (2008), section 5.3, summed
over the tree; the convention is that of MultibodyPlant.get_reaction_forces_output_port.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, Joint
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.joints import joints_of
from footfall.plants.wrenches import Wrench, element_wrenches

COMPONENTS = ("mx", "my", "mz", "fx", "fy", "fz")


class JointReactions:
    """Joint reactions of a finalized plant whose mass properties stay as they are."""

    def __init__(self, plant: MultibodyPlant) -> None:
        """Read masses, and which bodies lie beyond which joint."""
        self._plant = plant
        self._bodies = [plant.get_body(BodyIndex(i)) for i in range(plant.num_bodies())]
        self.joints = joints_of(plant)
        self._beyond = _beyond(self.joints, len(self._bodies))
        self._child = [int(joint.child_body().index()) for joint in self.joints]
        X_CJc = [joint.frame_on_child().GetFixedPoseInBodyFrame() for joint in self.joints]
        self._R_CJc = np.array([X.rotation().matrix() for X in X_CJc]).reshape(-1, 3, 3)
        self._p_CJc = np.array([X.translation() for X in X_CJc]).reshape(-1, 3)
        context = plant.CreateDefaultContext()
        count = len(self._bodies)
        self._mass, self._p_BBcm = np.zeros(count), np.zeros((count, 3))
        self._I_BBo, self._g_W = np.zeros((count, 3, 3)), np.zeros((count, 3))
        for i, body in enumerate(self._bodies[1:], start=1):
            M = body.CalcSpatialInertiaInBodyFrame(context)
            self._mass[i], self._p_BBcm[i] = M.get_mass(), M.get_com()
            self._I_BBo[i] = M.CalcRotationalInertia().CopyToFullMatrix3()
            if plant.is_gravity_enabled(body.model_instance()):
                self._g_W[i] = plant.gravity_field().gravity_vector()

    def __call__(self, context: Context, vdot: Array, wrenches: Iterable[Wrench] = ()) -> Array:
        """Spatial forces F_CJc_Jc on the children, [moment; force] (joints, 6) [N m, N].

        Rows are the joints in the order of their indices. context: holds q and v; vdot (nv,): rates
        of v; loads: forces of contacts and loops (gravity, springs and bushings are known here).
        Raises ModelError for a force element whose forces are not known.
        """
        R_WB, p_WB = self._poses(context)
        O = p_WB.mean(axis=0)
        needed = self._inertial(context, vdot, R_WB, p_WB, O)
        for wrench in (*wrenches, *element_wrenches(self._plant, context)):
            row = needed[int(wrench.body.index())]
            row[:3] -= wrench.torque_W + np.cross(wrench.p_W - O, wrench.force_W)
            row[3:] -= wrench.force_W
        through = self._beyond @ needed
        R_WC, p_WC = R_WB[self._child], p_WB[self._child]
        p_WJc = p_WC + _turned(R_WC, self._p_CJc)
        through[:, :3] -= _cross(p_WJc - O, through[:, 3:])
        R_JcW = np.swapaxes(R_WC @ self._R_CJc, 1, 2)
        return np.hstack((_turned(R_JcW, through[:, :3]), _turned(R_JcW, through[:, 3:])))

    def _poses(self, context: Context) -> tuple[Array, Array]:
        poses = [body.EvalPoseInWorld(context) for body in self._bodies]
        return (
            np.array([X.rotation().matrix() for X in poses]),
            np.array([X.translation() for X in poses]),
        )

    def _inertial(self, context: Context, vdot: Array, R_WB: Array, p_WB: Array, O: Array) -> Array:
        """Return inertial wrenches less weights, [moment about O; force] (bodies, 6)."""
        A_WB = self._plant.CalcSpatialAccelerationsFromVdot(context, vdot)
        alpha = np.array([A.rotational() for A in A_WB])
        a_Bo = np.array([A.translational() for A in A_WB])
        w = np.array([b.EvalSpatialVelocityInWorld(context).rotational() for b in self._bodies])
        p_BBcm_W = _turned(R_WB, self._p_BBcm)
        I_BBo_W = R_WB @ self._I_BBo @ np.swapaxes(R_WB, 1, 2)
        a_Bcm = a_Bo + _cross(alpha, p_BBcm_W) + _cross(w, _cross(w, p_BBcm_W))
        force = self._mass[:, None] * (a_Bcm - self._g_W)
        about_Bo = _turned(I_BBo_W, alpha) + _cross(w, _turned(I_BBo_W, w))
        about_Bo += self._mass[:, None] * _cross(p_BBcm_W, a_Bo - self._g_W)
        return np.hstack((about_Bo + _cross(p_WB - O, force), force))


def _turned(matrices: Array, vectors: Array) -> Array:
    """Products of (n, 3, 3) with (n, 3)."""
    return np.einsum("nij,nj->ni", matrices, vectors)


def _cross(a: Array, b: Array) -> Array:
    """Cross products of (n, 3) with (n, 3), ten times as fast as numpy's for a few bodies."""
    yzx, zxy = [1, 2, 0], [2, 0, 1]
    return a[:, yzx] * b[:, zxy] - a[:, zxy] * b[:, yzx]


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

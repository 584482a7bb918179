"""State with which a robot goes on when another foot is held: the inverse kinematics of a landing.

Source: G. Ozyurt (METU 2005), section 3.5. The thesis solves it in closed form for its legs; here
it is solved by Newton's method for any plant.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.common.eigen_geometry import AngleAxis
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, JacobianWrtVariable
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.names import require_frames, require_joints
from footfall.plants.support_motions import free_motions
from footfall.plants.supports import Support, SupportRows
from footfall_controllers.tracked_points import TrackedPoint

_ROUNDS, _CLOSE = 20, 1e-12
_ORIENTED = 1.0  # weight of the trunk's orientation beside the feet
_LAST = 1e-8
_WEAK = 5e-3  # singular values below this, over the largest, leave things as they are


@dataclass(frozen=True)
class Landing:
    """Conditions that hold when a phase starts.

    support: of the phase. level: points of held frames, such as a heel, that come down to the
    ground, z = 0, where they are, while the frame becomes level, ahead along x of the world; frames
    that are held besides keep their places. straight: joints that are set to 0.
    """

    support: Support
    level: tuple[TrackedPoint, ...] = ()
    straight: tuple[str, ...] = ()


class TouchdownKinematics(LeafSystem):
    """State [q; v] with which a phase starts, near the one with which the last phase ended.

    The place of the trunk stays. Its orientation cannot: a leg of five joints below it has none
    left for it; of pitch and yaw, which the landing takes to 0, and roll, which it keeps, the legs
    give what they can. Velocities satisfy the new support and come as near to the trunk's six as
    they can, (3.197), (3.198).

    Inputs: ``state``, ``next_phase``. Output: ``landing`` [q; v]. Raises ModelError for unknown
    names, RunError where no posture reaches the ground.
    """

    def __init__(self, plant: MultibodyPlant, trunk: str, landings: Sequence[Landing]) -> None:
        """Take a continuous-time plant as the model of the robot, and the landings by phase."""
        super().__init__()
        self._plant = plant
        self._context = plant.CreateDefaultContext()
        (self._trunk,) = require_frames(plant, [trunk])
        self._landings = [_Landing(plant, self._trunk, landing) for landing in landings]
        size = plant.num_multibody_states()
        self._state = self.DeclareVectorInputPort("state", size)
        self._next = self.DeclareVectorInputPort("next_phase", 1)
        self.DeclareVectorOutputPort("landing", size, self._calc_landing)

    def land(self, state: Array, phase: int) -> Array:
        """Return the state [q; v] at the start of a phase."""
        self._plant.SetPositionsAndVelocities(self._context, state)
        return self._landings[phase].land(self._context)

    def _calc_landing(self, context: Context, output: BasicVector) -> None:
        phase = int(self._next.Eval(context)[0])
        output.SetFromVector(self.land(self._state.Eval(context), phase))


class _Landing:
    """A landing with its names resolved."""

    def __init__(self, plant: MultibodyPlant, trunk: Frame, landing: Landing) -> None:
        self._plant, self._trunk = plant, trunk
        self._rows = SupportRows(plant, landing.support)
        self._level = {point.frame: np.array(point.p) for point in landing.level}
        self._names = landing.support.held
        self._straight = require_joints(plant, landing.straight)

    def land(self, context: Context) -> Array:
        """Return the state, at which the context is left."""
        plant, rows, trunk = self._plant, self._rows, self._trunk
        for joint in self._straight:
            joint.set_angle(context, 0.0)
            joint.set_angular_rate(context, 0.0)
        v = plant.GetVelocities(context)
        twist = self._trunk_jacobian(context) @ v
        if self._level:
            targets = [self._target(context, k) for k in range(len(rows.frames))]
            X_WT = trunk.CalcPoseInWorld(context)
            roll = np.arctan2(X_WT.rotation().matrix()[2, 1], X_WT.rotation().matrix()[2, 2])
            wanted = RotationMatrix.MakeXRotation(roll)
            self._place(context, targets, X_WT.translation(), wanted)
        free = free_motions(rows.jacobian(context), rows.cut)
        if self._level:
            moves = self._trunk_jacobian(context) @ free
            v = free @ np.linalg.lstsq(moves, twist, rcond=_WEAK)[0]
        else:
            v = free @ (free.T @ v)
        plant.SetVelocities(context, v)
        state: Array = plant.GetPositionsAndVelocities(context)
        return state

    def _target(self, context: Context, number: int) -> RigidTransform:
        X_WF = self._rows.frames[number].CalcPoseInWorld(context)
        name = self._names[number]
        if name not in self._level:
            return X_WF
        p_F = self._level[name]
        p_W = X_WF.multiply(p_F)
        return RigidTransform(np.array([p_W[0], p_W[1], 0.0]) - p_F)

    def _place(
        self,
        context: Context,
        targets: Sequence[RigidTransform],
        p_WT: Array,
        R_WT: RotationMatrix,
    ) -> None:
        """Bring the held frames to their targets and the trunk to its place; then turn it."""
        plant = self._plant
        # the last rounds are of feet and place alone, without a cut: little is missing then
        for turning, cut in ((_ORIENTED, _WEAK), (0.0, _LAST)):
            for _ in range(_ROUNDS):
                step = self._step(context, targets, (p_WT, R_WT), turning, cut)
                q = plant.GetPositions(context) + plant.MapVelocityToQDot(context, step)
                normalise_quaternions(q, quaternion_places(plant))
                plant.SetPositions(context, q)
                if np.abs(step).max() < _CLOSE:
                    break
        missed = max(
            float(np.abs(_pose_error(t, f.CalcPoseInWorld(context))).max())
            for t, f in self._pairs(targets)
        )
        if missed > 1e-6:
            message = (
                f"no posture lands both feet: {missed:.2g} m or rad are missing at the best one; "
                "the legs are too short for the step, or too straight."
            )
            raise RunError(message)

    def _step(
        self,
        context: Context,
        targets: Sequence[RigidTransform],
        trunk: tuple[Array, RotationMatrix],
        turning: float,
        cut: float,
    ) -> Array:
        """Return the Gauss-Newton step (nv,).

        turning: weight of the trunk's orientation; cut: of singular values, over the largest.
        """
        p_WT, R_WT = trunk
        X_WT = self._trunk.CalcPoseInWorld(context)
        holding, J_T = self._rows.jacobian(context), self._trunk_jacobian(context)
        feet = [_pose_error(t, f.CalcPoseInWorld(context)) for t, f in self._pairs(targets)]
        locked = np.zeros(len(holding) - 6 * len(feet))
        rows = [holding, J_T[3:], turning * J_T[:3]]
        errors = [*feet, locked, p_WT - X_WT.translation(), turning * _turn(X_WT.rotation(), R_WT)]
        return np.linalg.lstsq(np.vstack(rows), np.concatenate(errors), rcond=cut)[0]

    def _pairs(self, targets: Sequence[RigidTransform]) -> list[tuple[RigidTransform, Frame]]:
        return list(zip(targets, self._rows.frames, strict=True))

    def _trunk_jacobian(self, context: Context) -> Array:
        world = self._plant.world_frame()
        return self._plant.CalcJacobianSpatialVelocity(
            context, JacobianWrtVariable.kV, self._trunk, np.zeros(3), world, world
        )


def _turn(start: RotationMatrix, end: RotationMatrix) -> Array:
    """Rotation vector in the world that takes one orientation to another [rad]."""
    between: AngleAxis = end.multiply(start.inverse()).ToAngleAxis()
    return np.asarray(between.angle() * between.axis())


def _pose_error(target: RigidTransform, now: RigidTransform) -> Array:
    """Rotation vector [rad] and translation [m] that are missing, in the world."""
    turn = _turn(now.rotation(), target.rotation())
    return np.concatenate([turn, target.translation() - now.translation()])

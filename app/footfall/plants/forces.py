"""Forces and torques on bodies, and those of the springs and bushings between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import (
    DoorHinge,
    ForceElementIndex,
    Frame,
    JacobianWrtVariable,
    LinearBushingRollPitchYaw,
    LinearSpringDamper,
    PrismaticSpring,
    RevoluteSpring,
    RigidBody,
    UniformGravityFieldElement,
)
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import ModelError

# weights, of which their readers know, and what acts inside a joint, on no body
_ON_NO_BODY = (UniformGravityFieldElement, RevoluteSpring, PrismaticSpring, DoorHinge)


@dataclass(frozen=True)
class Wrench:
    """A force at a point of a body, and a torque besides; all (3,), in W [m, N, N m].

    Of a step, force and torque may be impulses [N s, N m s].
    """

    body: RigidBody
    p_W: Array
    force_W: Array
    torque_W: Array = field(default_factory=lambda: np.zeros(3))

    def generalized(self, plant: MultibodyPlant, context: Context) -> Array:
        """Generalized force (nv,) of the wrench."""
        frame = self.body.body_frame()
        p_BP = self.body.EvalPoseInWorld(context).inverse().multiply(self.p_W)
        world = plant.world_frame()
        jacobian = plant.CalcJacobianSpatialVelocity(
            context, JacobianWrtVariable.kV, frame, p_BP, world, world
        )
        force: Array = jacobian[:3].T @ self.torque_W + jacobian[3:].T @ self.force_W
        return force


def applied_wrenches(
    plant: MultibodyPlant, context: Context, applied: Sequence[ExternallyAppliedSpatialForce]
) -> list[Wrench]:
    """Forces as Drake's plants take them, at the posture of a context."""
    wrenches = []
    for each in applied:
        body, F_Bq_W = plant.get_body(each.body_index), each.F_Bq_W
        p_WQ = body.EvalPoseInWorld(context).multiply(each.p_BoBq_B)
        wrenches.append(Wrench(body, p_WQ, F_Bq_W.translational(), F_Bq_W.rotational()))
    return wrenches


def element_wrenches(plant: MultibodyPlant, context: Context) -> Iterator[Wrench]:
    """Loads of springs and bushings between bodies at the state of a context.

    Gravity is left out, as are springs that act inside a joint. Raises ModelError for a force
    element of another kind.
    """
    for index in range(plant.num_force_elements()):
        element = plant.get_force_element(ForceElementIndex(index))
        if isinstance(element, LinearSpringDamper):
            yield from _spring_wrenches(element, context)
        elif isinstance(element, LinearBushingRollPitchYaw):
            F_A, F_C = (
                element.CalcBushingSpatialForceOnFrameA(context),
                element.CalcBushingSpatialForceOnFrameC(context),
            )
            for frame, F in ((element.frameA(), F_A), (element.frameC(), F_C)):
                yield _at_frame(frame, F.translational(), F.rotational(), context)
        elif not isinstance(element, _ON_NO_BODY):
            raise ModelError(
                f"the model has a force element of type {type(element).__name__}, whose forces on "
                "its bodies are not known here: use springs, bushings or a controller instead."
            )


def _spring_wrenches(spring: LinearSpringDamper, context: Context) -> Iterator[Wrench]:
    ends = []
    for body, p_BP in ((spring.bodyA(), spring.p_AP()), (spring.bodyB(), spring.p_BQ())):
        X_WB, V_WB = body.EvalPoseInWorld(context), body.EvalSpatialVelocityInWorld(context)
        p_BP_W = X_WB.rotation().multiply(p_BP)
        v_WP = V_WB.translational() + np.cross(V_WB.rotational(), p_BP_W)
        ends.append((body, X_WB.translation() + p_BP_W, v_WP))
    (body_a, p_WP, v_WP), (body_b, p_WQ, v_WQ) = ends
    length = float(np.linalg.norm(p_WQ - p_WP))
    towards_b = (p_WQ - p_WP) / length
    stretching = float(towards_b @ (v_WQ - v_WP))
    pull = spring.stiffness() * (length - spring.free_length()) + spring.damping() * stretching
    yield Wrench(body_a, p_WP, pull * towards_b)
    yield Wrench(body_b, p_WQ, -pull * towards_b)


def _at_frame(frame: Frame, force_F: Array, torque_F: Array, context: Context) -> Wrench:
    X_WF = frame.CalcPoseInWorld(context)
    R_WF = X_WF.rotation()
    return Wrench(frame.body(), X_WF.translation(), R_WF.multiply(force_F), R_WF.multiply(torque_F))

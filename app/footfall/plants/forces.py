"""Forces on bodies, and springs, bushings and dampers: their loads, and how a step takes them.

In a step of length dt the force of a damper is that of the velocity at its end, and the force of a
spring that of the mean of the positions at its two ends, so that none is too stiff:

    M (v_E - v_A) = (h(q_M, v_A) - D (v_E - v_A) - dt/4 K (v_E - v_A)) dt + ...

where q_M = q_A + dt/2 v_A. The matrix dt D + dt^2/4 K then stands beside M. D and K are those of
the posture q_M; what they leave out of a bushing's force at large angles is taken as it is at q_M.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
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
from footfall.plants.flat.checked import links_of

# weights, of which their readers know, and what acts inside a joint, on no body
_ON_NO_BODY = (UniformGravityFieldElement, RevoluteSpring, PrismaticSpring, DoorHinge)
_BETWEEN = (LinearBushingRollPitchYaw, LinearSpringDamper)


@dataclass(frozen=True)
class Wrench:
    """A force at a point of a body, and a torque besides; all (3,), in W [m, N, N m].

    Of a step, force and torque may be impulses [N s, N m s].
    """

    body: RigidBody
    p_W: Array
    force_W: Array
    torque_W: Array = field(default_factory=lambda: np.zeros(3))


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


def springs_join_bodies(plant: MultibodyPlant) -> bool:
    """Return whether springs or dampers are between bodies, where they may join any two trees."""
    count = plant.num_force_elements()
    each = (plant.get_force_element(ForceElementIndex(k)) for k in range(count))
    return any(isinstance(element, _BETWEEN) for element in each)


class ImplicitForces:
    """The dampers and springs of a plant, in its joints and between its bodies."""

    def __init__(self, plant: MultibodyPlant, dt: float, damping_until: float = 1.0) -> None:
        """Take the plant, the step [s], and the share of it after which dampers take their speed.

        That is 1 at the end of the step; 0.5, as of springs, is its mean velocity.
        """
        self._plant, self._dt, self._until = plant, dt, damping_until
        elements = [
            plant.get_force_element(ForceElementIndex(k)) for k in range(plant.num_force_elements())
        ]
        self._between = [each for each in elements if isinstance(each, _BETWEEN)]
        tree = links_of(plant).tree
        added = damping_until * dt * tree.damping + 0.25 * dt**2 * tree.stiffness
        self.in_joints: Array = added

    def added_mass(self, context: Context) -> Array:
        """Return dt D + dt^2/4 K at the posture of a context, (nv, nv); D times its share."""
        if not self._between:
            return np.diag(self.in_joints)
        added = np.diag(self.in_joints)
        for each in self._between:
            for row, damping, stiffness in self._rows(each, context):
                weight = self._until * self._dt * damping + 0.25 * self._dt**2 * stiffness
                if weight != 0.0:
                    added += np.outer(weight * row, row)
        return added

    def _rows(
        self, element: LinearBushingRollPitchYaw | LinearSpringDamper, context: Context
    ) -> Iterator[tuple[Array, float, float]]:
        """Rates at which an element stretches, (nv,) each, with their damping and stiffness."""
        if isinstance(element, LinearSpringDamper):
            row = self._stretching(element, context)
            yield row, element.damping(), element.stiffness()
            return
        rates = self._jacobian(context, element.frameC(), np.zeros(3), element.frameA())
        damping = [*element.torque_damping_constants(), *element.force_damping_constants()]
        stiffness = [*element.torque_stiffness_constants(), *element.force_stiffness_constants()]
        yield from zip(rates, damping, stiffness, strict=True)

    def _stretching(self, spring: LinearSpringDamper, context: Context) -> Array:
        a, b = spring.bodyA().body_frame(), spring.bodyB().body_frame()
        world = self._plant.world_frame()
        p_WP = self._plant.CalcPointsPositions(context, a, spring.p_AP(), world)[:, 0]
        p_WQ = self._plant.CalcPointsPositions(context, b, spring.p_BQ(), world)[:, 0]
        length = float(np.linalg.norm(p_WQ - p_WP))
        if length == 0.0:
            return np.zeros(self._plant.num_velocities())
        rate = (
            self._jacobian(context, b, spring.p_BQ(), world)
            - self._jacobian(context, a, spring.p_AP(), world)
        )[3:]
        row: Array = (p_WQ - p_WP) / length @ rate
        return row

    def _jacobian(self, context: Context, frame: Frame, p: Array, measured_in: Frame) -> Array:
        """Rows [angular, translational] of a point of a frame, in the axes of another frame."""
        jacobian: Array = self._plant.CalcJacobianSpatialVelocity(
            context, JacobianWrtVariable.kV, frame, p, measured_in, measured_in
        )
        return jacobian

"""Dampers and springs of a plant as a time stepper takes them, so that none is too stiff for it.

In a step of length dt the force of a damper is that of the velocity at its end, and the force of a
spring that of the mean of the positions at its two ends:

    M (v_E - v_A) = (h(q_M, v_A) - D (v_E - v_A) - dt/4 K (v_E - v_A)) dt + ...

where q_M = q_A + dt/2 v_A. The matrix dt D + dt^2/4 K then stands beside M. D and K are those of
the posture q_M; what they leave out of a bushing's force at large angles is taken as it is at q_M.
"""

from collections.abc import Iterator

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    ForceElementIndex,
    Frame,
    JacobianWrtVariable,
    LinearBushingRollPitchYaw,
    LinearSpringDamper,
    PrismaticSpring,
    RevoluteSpring,
)
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.coordinates import joint_damping

_BETWEEN = (LinearBushingRollPitchYaw, LinearSpringDamper)


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
        added = damping_until * dt * joint_damping(plant)
        for each in elements:
            if isinstance(each, RevoluteSpring):
                added[each.joint().velocity_start()] += 0.25 * dt**2 * each.default_stiffness()
            elif isinstance(each, PrismaticSpring):
                added[each.joint().velocity_start()] += 0.25 * dt**2 * each.stiffness()
        self._in_joints = np.diag(added)
        self._any = bool(self._between) or bool(added.any())

    def __bool__(self) -> bool:
        """Say whether there are any."""
        return self._any

    def added_mass(self, context: Context) -> Array:
        """Return dt D + dt^2/4 K at the posture of a context, (nv, nv); D times its share."""
        if not self._between:
            return self._in_joints
        added = self._in_joints.copy()
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

"""Drives: motors whose torque follows a joint within a step, with gains that a controller declares.

A controller sends the torques tau of its actuators at the start of a step. Where it declares gains,

    tau = kp (q_d - q) + kd (v_d - v) + ...,

the drive goes on with its law within the step, which however stiff it is so does not diverge:

    tau(t) = tau_A - kp (q - q_A) - kd (v - v_A)   within the effort limits

with q and v as the scheme takes the forces of springs and dampers. What else is in tau, such as a
reference that moves, is held as without gains.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.actuators import actuators_of


@dataclass(frozen=True, eq=False)
class PdGains:
    """Gains that a controller declares, (num_actuators,) each, in the order of the actuators.

    stiffness [N m/rad or N/m]: of a joint's position. damping [N m s/rad or N s/m]: of its
    velocity. Zero for actuators whose torque is held over a step. by_drive: they are those of loops
    in the drives, which see their joints themselves, whatever sensors tell the controller.
    """

    stiffness: Array
    damping: Array
    by_drive: bool = False

    def __bool__(self) -> bool:
        """Say whether any of them is not zero."""
        return bool(self.stiffness.any() or self.damping.any())


class Within(NamedTuple):
    """Places in a step that a scheme takes for the law of drives.

    q - q_A = dt (at_start v_A + at_end v_E) and v - v_A = change (v_E - v_A).
    """

    at_start: float
    at_end: float
    change: float


OF_MOREAU, OF_MIDPOINT = Within(0.25, 0.25, 1.0), Within(0.25, 0.25, 0.5)
OF_DRAKE = Within(0.0, 1.0, 1.0)


class Drives:
    """The drives of a plant in steps of one length: tau = base - slope (v_E - v_A), within limits.

    places (nu,): of the actuators among the velocities. slope (nu,) [N m s/rad or N s/m].
    """

    def __init__(self, plant: MultibodyPlant, gains: PdGains, dt: float, within: Within) -> None:
        """Take the plant, the gains of its actuators, and the step [s]."""
        actuators = actuators_of(plant)
        self._nv = plant.num_velocities()
        self.places = np.array([a.joint().velocity_start() for a in actuators], dtype=np.int64)
        self._limit = np.array([actuator.effort_limit() for actuator in actuators])
        of_end, of_both = within.at_end * dt, (within.at_start + within.at_end) * dt
        self.slope: Array = of_end * gains.stiffness + within.change * gains.damping
        self._of_start: Array = of_both * gains.stiffness

    def base(self, tau_a: Array, v_a: Array) -> Array:
        """Torques (..., nu) at a velocity that stays v_A, not limited; tau_a: at the start."""
        base: Array = tau_a - self._of_start * v_a[..., self.places]
        return base

    def torques(self, tau_a: Array, v_a: Array, v_e: Array) -> Array:
        """Torques (..., nu) of steps from v_A to v_E, (..., nv), within the effort limits."""
        return self.limited(self.linear(self.base(tau_a, v_a), v_a, v_e))

    def linear(self, base: Array, v_a: Array, v_e: Array) -> Array:
        """Torques before the effort limits."""
        change = v_e[..., self.places] - v_a[..., self.places]
        linear: Array = base - self.slope * change
        return linear

    def limited(self, torques: Array) -> Array:
        """Torques within the effort limits."""
        within: Array = np.clip(torques, -self._limit, self._limit)
        return within

    def added_mass(self, dt: float, following: npt.NDArray[np.bool_]) -> Array:
        """Return what stands beside M, (nv, nv), for drives (nu,) that are not at their limits."""
        diagonal = np.zeros(self._nv)
        np.add.at(diagonal, self.places, np.where(following, dt * self.slope, 0.0))
        return np.diag(diagonal)


def require_gains(gains: PdGains, plant: MultibodyPlant) -> None:
    """Raise ModelError unless gains are of a plant's actuators, finite and not negative."""
    count = plant.num_actuators()
    for name in ("stiffness", "damping"):
        values = getattr(gains, name)
        if values.shape != (count,):
            raise ModelError(
                f"pd_gains: {name} has the shape {values.shape}: give a number for each of the "
                f"{count} actuators."
            )
        wrong = ~(np.isfinite(values) & (values >= 0.0))
        if wrong.any():
            actuator = actuators_of(plant)[int(np.argmax(wrong))]
            raise ModelError(
                f"pd_gains: {name} of '{actuator.name()}' is {values[wrong][0]}: give a finite "
                "number from 0 on."
            )

"""Motors behind gears and their drives: what they add to the joints, and what they can give.

A rotor of inertia J and viscous friction B that turns n times as fast as its joint is felt there as
an inertia J n^2 and a damping B n^2 (Drake's reflected inertia, on the diagonal of M: what the
rotor's own axis adds when the whole link turns is left out). Its torque T is n T at the joint.

A direct-current motor at full voltage has the torque T_s (1 - w / w_0) at the rotor's speed w: T_s
when it stalls, nothing at the no-load speed w_0. At full voltage the other way round it has
-T_s (1 + w / w_0); what lies between the two lines can be had.

A controller sends the torques tau of its actuators at the start of a step. Where it declares gains,

    tau = kp (q_d - q) + kd (v_d - v) + ...,

the drive goes on with its law within the step, which however stiff it is so does not diverge:

    tau(t) = tau_A - kp (q - q_A) - kd (v - v_A)   within the effort limits

with q and v as the scheme takes the forces of springs and dampers. What else is in tau, such as a
reference that moves, is held as without gains.

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part I.ii, for
inertia and friction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JointActuator, PrismaticJoint, RevoluteJoint
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.checked import Checked, not_negative, positive
from footfall.errors import ModelError, ScenarioError
from footfall.plants.coordinates import actuator_names, actuators_of
from footfall.plants.names import broad_first, fitting


@dataclass
class Motor(Checked, at="motors: "):
    """A motor with its gear; what is absent is as the model's file says."""

    # Turns of the rotor for one turn (or metre) of the joint [1 or rad/m].
    gear_ratio: float | None = positive(None)
    # Moment of inertia of the rotor about its axis [kg m^2].
    rotor_inertia: float | None = not_negative(None)
    # Viscous friction of the rotor [N m s/rad]; the joint then has gear_ratio^2 times it as its
    # damping, instead of that of the file.
    friction: float | None = not_negative(None)
    # Largest torque of the rotor, whichever way it turns [N m]; absent: none but the joint's.
    torque_limit: float | None = positive(None)
    # Torque of the rotor at full voltage while it stands [N m], with no_load_speed; absent: a
    # torque that does not depend on the speed.
    stall_torque: float | None = positive(None)
    # Speed of the rotor at full voltage without load [rad/s].
    no_load_speed: float | None = positive(None)

    def __post_init__(self) -> None:
        """Refuse what is no motor."""
        super().__post_init__()
        if (self.stall_torque is None) != (self.no_load_speed is None):
            raise ScenarioError(
                "motors: a line of torque over speed needs both stall_torque and no_load_speed: "
                "give both or none."
            )

    @property
    def is_limited(self) -> bool:
        """Return whether it cannot give every torque at every speed."""
        return self.torque_limit is not None or self.stall_torque is not None


def set_motors(plant: MultibodyPlant, motors: Mapping[str, Motor]) -> None:
    """Give the actuators of a plant that is not finalized their motors.

    motors: by actuator, as `motors_by_actuator` reads them. Raises ScenarioError as that does, and
    for friction at a joint that has no damping of one number.
    """
    for index, motor in motors_by_actuator(plant, motors).items():
        actuator = actuators_of(plant)[index]
        if motor.gear_ratio is not None:
            actuator.set_default_gear_ratio(motor.gear_ratio)
        if motor.rotor_inertia is not None:
            actuator.set_default_rotor_inertia(motor.rotor_inertia)
        if motor.friction is not None:
            _damp(actuator, actuator.default_gear_ratio() ** 2 * motor.friction)


def _damp(actuator: JointActuator, damping: float) -> None:
    joint = actuator.joint()
    if not isinstance(joint, RevoluteJoint | PrismaticJoint):
        raise ScenarioError(
            f"motors: joint '{joint.name()}' neither turns nor slides: leave out the friction of "
            f"its motor '{actuator.name()}'."
        )
    joint.set_default_damping(damping)


def motors_by_actuator(plant: MultibodyPlant, motors: Mapping[str, Motor]) -> dict[int, Motor]:
    """Motors by the place of their actuator in the plant's order.

    motors: by plain or full name of the actuator or by a pattern such as ``tau*``; a name beats a
    pattern, a longer pattern a shorter one. Raises ScenarioError for what fits no actuator.
    """
    actuators = actuators_of(plant)
    full = [f"{plant.GetModelInstanceName(a.model_instance())}::{a.name()}" for a in actuators]
    known = {name: actuator.name() for name, actuator in zip(full, actuators, strict=True)}
    by_place: dict[int, Motor] = {}
    for name in broad_first(motors):
        motors[name].__post_init__()  # Drake's YAML reader fills fields in after they were checked
        places = [full.index(fit) for fit in fitting(name, known, "motors", "actuator")]
        by_place |= dict.fromkeys(places, motors[name])
    return by_place


def line_times(
    plant: MultibodyPlant, motors: Mapping[str, Motor], context: Context
) -> dict[str, float]:
    """Return the time constants of motors at full voltage [s], by actuator with a line.

    That is the inertia that its joint feels at the context's positions over the slope of the line
    there, n^2 T_s / w_0. Steps that sample the line must be shorter: from once this time on the
    speed overshoots, from twice on it swings ever wider.
    """
    mobility = np.linalg.inv(plant.CalcMassMatrix(context))
    names, actuators = actuator_names(plant), actuators_of(plant)
    times = {}
    for actuator, motor in motors_by_actuator(plant, motors).items():
        if motor.stall_torque is None or motor.no_load_speed is None:
            continue
        joint = actuators[actuator].joint()
        slope = actuators[actuator].default_gear_ratio() ** 2 * motor.stall_torque
        start = joint.velocity_start()
        times[names[actuator]] = float(motor.no_load_speed / (slope * mobility[start, start]))
    return times


def speed_limits(plant: MultibodyPlant) -> tuple[Array, Array]:
    """Return the least and largest speeds of the joints, by actuator [rad/s or m/s].

    They are those of the files, endless where a file has none or 0.
    """
    joints = [actuator.joint() for actuator in actuators_of(plant)]
    ends = (
        np.array([float(joint.velocity_lower_limits()[0]) for joint in joints]),
        np.array([float(joint.velocity_upper_limits()[0]) for joint in joints]),
    )
    slowest, fastest = (
        np.where(end == 0.0, sign * np.inf, end) for end, sign in zip(ends, (-1, 1), strict=True)
    )
    return slowest, fastest


def gear_ratios(plant: MultibodyPlant) -> Array:
    """Turns of the rotors for one turn of their joints, (num_actuators,)."""
    return np.array([actuator.default_gear_ratio() for actuator in actuators_of(plant)])


def reflected_inertias(plant: MultibodyPlant) -> dict[str, float]:
    """Inertia of the rotors as their joints feel it [kg m^2 or kg], by actuator that has any."""
    inertias = {}
    for name, actuator in zip(actuator_names(plant), actuators_of(plant), strict=True):
        inertia = actuator.default_gear_ratio() ** 2 * actuator.default_rotor_inertia()
        if inertia > 0.0:
            inertias[name] = inertia
    return inertias


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
        self.places = np.array([a.joint().velocity_start() for a in actuators], dtype=np.int64)
        self._limit = np.array([actuator.effort_limit() for actuator in actuators])
        of_end, of_both = within.at_end * dt, (within.at_start + within.at_end) * dt
        self.slope: Array = of_end * gains.stiffness + within.change * gains.damping
        self.of_start: Array = of_both * gains.stiffness

    def base(self, tau_a: Array, v_a: Array) -> Array:
        """Torques (..., nu) at a velocity that stays v_A, not limited; tau_a: at the start."""
        base: Array = tau_a - self.of_start * v_a[..., self.places]
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


def feedback(plant: MultibodyPlant, gains: PdGains) -> Array:
    """Return the matrix (num_actuators, nq + nv) that makes kp q + kd v of a state [q; v]."""
    joints = [actuator.joint() for actuator in actuators_of(plant)]
    matrix = np.zeros((len(joints), plant.num_multibody_states()))
    for row, joint in enumerate(joints):
        matrix[row, joint.position_start()] = gains.stiffness[row]
        matrix[row, plant.num_positions() + joint.velocity_start()] = gains.damping[row]
    return matrix


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

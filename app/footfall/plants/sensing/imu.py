"""Readings of an inertial measurement unit on a link.

Frames: W world, B the link with the unit, I the place of its accelerometer; F and M of the joint
that leaves a link free in space, M = B.
"""

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.math import RollPitchYaw, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, QuaternionFloatingJoint, RigidBody

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.coordinates import floating_joints, normalise_quaternions, quaternion_places
from footfall.plants.joints import full_name
from footfall.plants.pushes import links_named
from footfall.plants.sensing.config import Imu
from footfall.plants.sensing.noise import SeededNoise


class ImuReadings:
    """Readings of a unit, as a function of a plant's state and a sample's number.

    It tells orientation and angular velocity of a link that is free in space in the state itself.
    Place and velocity of the link are none of its readings and stay as they are.
    """

    def __init__(self, plant: MultibodyPlant, config: Imu, seed: int) -> None:
        """Take a finalized plant, which must outlive this; raises ScenarioError for its link."""
        self._plant, self._config = plant, config
        self._context = plant.CreateDefaultContext()
        self._quaternions = quaternion_places(plant)
        self._body, self._joint = _link(plant, config)
        if self._joint is None and config.turns:
            raise ScenarioError(
                f"sensors.imu: the link '{self._body.name()}' is not free in space, the state has "
                "no orientation of it: leave orientation_noise and orientation_bias out."
            )
        scale = np.repeat(
            [config.orientation_noise, config.gyro_noise, config.accelerometer_noise], 3
        )
        biases = np.repeat(
            [config.orientation_bias, config.gyro_bias, config.accelerometer_bias], 3
        )
        self._scale, self._noise = scale, SeededNoise(seed, "imu", 9)
        self._bias = biases * SeededNoise(seed, "imu bias", 9).sample(0)

    def velocity(self, state: Array) -> Array:
        """Velocity v_WI of the accelerometer at a state [q; v] as it is, in W, (3,)."""
        self._set(state)
        V_WB = self._body.EvalSpatialVelocityInWorld(self._context)
        p_BI_W = self._rotation() @ np.array(self._config.at)
        v_WI: Array = V_WB.translational() + np.cross(V_WB.rotational(), p_BI_W)
        return v_WI

    def readings(self, state: Array, number: int, acceleration: Array) -> Array:
        """Angular velocity and specific force in the axes of the link, (6,) [rad/s, m/s^2].

        acceleration: of the accelerometer in W [m/s^2].
        """
        self._set(state)
        R_BW = self._rotation().T
        V_WB = self._body.EvalSpatialVelocityInWorld(self._context)
        force = acceleration - self._plant.gravity_field().gravity_vector()
        told = np.concatenate((R_BW @ V_WB.rotational(), R_BW @ force))
        return told + self._errors(number)[3:]

    def measure(self, state: Array, number: int) -> None:
        """Put the readings of a link that is free in space into a state [q; v], in place."""
        joint, errors = self._joint, self._errors(number)
        if joint is None or not errors[:6].any():
            return
        start = joint.position_start()
        spin = slice(
            self._plant.num_positions() + joint.velocity_start(),
            self._plant.num_positions() + joint.velocity_start() + 3,
        )
        small = _small_rotation(errors[:3])
        if isinstance(joint, QuaternionFloatingJoint):
            wxyz = state[start : start + 4] / np.linalg.norm(state[start : start + 4])
            R_FM = RotationMatrix(Quaternion(wxyz))
            turned = Quaternion(wxyz).multiply(small)
            state[start : start + 4] = turned.wxyz()
            read = RotationMatrix(turned)
        else:
            R_FM = RotationMatrix(RollPitchYaw(state[start : start + 3]))
            read = R_FM @ RotationMatrix(small)
            state[start : start + 3] = RollPitchYaw(read).vector()
        state[spin] = read.matrix() @ (R_FM.matrix().T @ state[spin] + errors[3:6])

    def _errors(self, number: int) -> Array:
        """Errors of orientation [rad], angular velocity and specific force, each in B, (9,)."""
        if not self._scale.any():
            return self._bias
        return self._bias + self._scale * self._noise.sample(number)

    def _set(self, state: Array) -> None:
        unit = state.copy()
        normalise_quaternions(unit, self._quaternions)  # Drake's engine lets them grow
        self._plant.SetPositionsAndVelocities(self._context, unit)

    def _rotation(self) -> Array:
        R_WB: Array = self._body.EvalPoseInWorld(self._context).rotation().matrix()
        return R_WB


def _small_rotation(angles: Array) -> Quaternion:
    """Rotation by a vector [rad] about its direction."""
    angle = float(np.linalg.norm(angles))
    if angle == 0.0:
        return Quaternion()
    return Quaternion([np.cos(0.5 * angle), *(np.sin(0.5 * angle) / angle * angles)])


def _link(plant: MultibodyPlant, config: Imu) -> tuple[RigidBody, Joint | None]:
    """The link of the unit, and the joint that leaves it free in space, if one does."""
    free = floating_joints(plant)
    if not config.link and len(free) != 1:
        what = "several links" if free else "no link"
        raise ScenarioError(f"sensors.imu: {what} of the model is free in space: name the link.")
    bodies = links_named(plant, config.link or next(iter(free)), "sensors.imu")
    if len(bodies) > 1:
        raise ScenarioError(f"sensors.imu: '{config.link}' means several links: name one.")
    return bodies[0], free.get(full_name(plant, bodies[0].body_frame()))

"""Readings of encoders at joints with one degree of freedom."""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint

from footfall.arrays import Array
from footfall.plants.joints import full_name, joints_of
from footfall.plants.patterns import fitting
from footfall.plants.sensing.config import DIFFERENCED, Encoders
from footfall.plants.sensing.noise import SeededNoise


class EncoderReadings:
    """Readings of all encoders of a plant, as a function of its state and a sample's number."""

    def __init__(self, plant: MultibodyPlant, config: Encoders, seed: int) -> None:
        """Take a finalized plant, which is not kept; raises ScenarioError for unknown joints."""
        joints = _joints(plant, config)
        self._config, count = config, len(joints)
        self._q = np.array([joint.position_start() for joint in joints], dtype=np.int64)
        starts = [plant.num_positions() + joint.velocity_start() for joint in joints]
        self._v = np.array(starts, dtype=np.int64)
        self._noise = SeededNoise(seed, "encoders", 2 * count)
        self._bias = config.bias * SeededNoise(seed, "encoders bias", count).sample(0)

    def measure(self, state: Array, number: int, before: Array | None, period: float) -> None:
        """Put readings into a state [q; v] in place.

        before: the state of the sample before, with its readings, a period [s] ago; None for the
        first sample, whose velocities are measured.
        """
        config, q = self._config, state[self._q]
        noise = self._noise.sample(number) if config.noise or config.velocity_noise else None
        if config.bias > 0.0:
            q += self._bias
        if noise is not None and config.noise > 0.0:
            q += config.noise * noise[: len(q)]
        if config.resolution > 0.0:
            q = config.resolution * np.round(q / config.resolution)
        state[self._q] = q
        if config.velocity == DIFFERENCED and before is not None:
            state[self._v] = (q - before[self._q]) / period
        elif noise is not None and config.velocity_noise > 0.0:
            state[self._v] += config.velocity_noise * noise[len(q) :]


def _joints(plant: MultibodyPlant, config: Encoders) -> list[Joint]:
    """Joints that have an encoder, in the order of the plant."""
    single = {
        full_name(plant, joint): joint
        for joint in joints_of(plant)
        if joint.num_positions() == 1 and joint.num_velocities() == 1
    }
    plain = {full: joint.name() for full, joint in single.items()}
    where, which = "sensors.encoders", " with one degree of freedom"
    named = {full for name in config.joints for full in fitting(name, plain, where, "joint", which)}
    return [joint for full, joint in single.items() if not config.joints or full in named]

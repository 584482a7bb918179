"""Hold a posture, with or without a sinusoidal feed-forward acceleration about it."""

from dataclasses import dataclass

import numpy as np
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array


@dataclass(frozen=True)
class Sinusoid:
    """Accelerations ``amplitude * sin(2 pi t / period + phase)``, (n,) [rad/s^2] and [rad]."""

    amplitude: Array
    phase: Array
    period: float


@dataclass(frozen=True)
class PostureParameters:
    """Joint positions to hold, (n,) [rad or m], and the feed-forward about them, if any."""

    position: Array
    feedforward: Sinusoid | None = None


class PostureSystem(LeafSystem):
    """Output ``reference`` = [q_d, v_d = 0, a_d] of the n actuated joints, size 3 n.

    Source: section vi of the biped report, where the sinusoidal a_d acts as a disturbance that the
    PD terms turn into a gait.
    """

    def __init__(self, parameters: PostureParameters) -> None:
        """Take what to hold."""
        super().__init__()
        self._parameters = parameters
        self._size = parameters.position.size
        self.DeclareVectorOutputPort("reference", 3 * self._size, self._calc_reference)

    def copy(self) -> "PostureSystem":
        """Another source of the same reference: a system belongs to one diagram only."""
        return PostureSystem(self._parameters)

    def sample(self, time: float) -> Array:
        """Reference at a time [s], rows q_d, v_d, a_d, shape (3, n)."""
        acceleration = np.zeros(self._size)
        wave = self._parameters.feedforward
        if wave is not None:
            acceleration = wave.amplitude * np.sin(2.0 * np.pi * time / wave.period + wave.phase)
        return np.array([self._parameters.position, np.zeros(self._size), acceleration])

    def _calc_reference(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.sample(context.get_time()).ravel())

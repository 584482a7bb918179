"""Hold a posture, with or without a sinusoidal feed-forward acceleration about it."""

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.checked import positive
from footfall_controllers.controller import actuated_joints, require_actuated
from footfall_controllers.inverse_dynamics import TracksReference


@dataclass
class Wave:
    """A sinusoidal feed-forward acceleration of one joint, kp amplitude sin(2 pi t/T + phase)."""

    # Amplitude as an angle [rad]: the acceleration is kp times it.
    amplitude: float = 0.0
    # Phase at time 0 [rad].
    phase: float = 0.0


@dataclass
class Posture(TracksReference):
    """Hold the actuated joints by inverse dynamics, with optional sinusoidal feed-forward.

    With gains_only it is PD control of each joint by itself.
    """

    # Joint positions to hold, by joint name [rad or m]; joints left out are held at 0.
    positions: dict[str, float] = field(default_factory=dict)
    # Feed-forward acceleration about the posture, by joint name.
    feedforward: dict[str, Wave] = field(default_factory=dict)
    # Period of the feed-forward [s].
    period: float = positive(1.0)
    # Take the commanded acceleration as the torque, which makes kp and kd N m/rad and N m s/rad:
    # PD control, which knows neither inertia nor weight, the first stage of the biped report.
    gains_only: bool = False

    def reference(self, plant: MultibodyPlant) -> "PostureSystem":
        """Make the reference source for the actuated joints of a plant."""
        return PostureSystem(self, actuated_joints(plant))


class PostureSystem(LeafSystem):
    """Output ``reference`` = [q_d, v_d = 0, a_d] of the n actuated joints, size 3 n.

    Raises ModelError when a joint that the posture names is not among them. Source: section vi of
    the biped report, where the sinusoidal a_d acts as a disturbance that the PD terms turn into a
    gait.
    """

    def __init__(self, posture: Posture, joints: list[str]) -> None:
        """Take what to hold, and the joints in their order."""
        super().__init__()
        require_actuated([*posture.positions, *posture.feedforward], joints)
        self._given, self._period = (posture, joints), posture.period
        self._position = np.array([posture.positions.get(name, 0.0) for name in joints])
        waves = [posture.feedforward.get(name, Wave()) for name in joints]
        self._amplitude = posture.kp * np.array([wave.amplitude for wave in waves])
        self._phase = np.array([wave.phase for wave in waves])
        self.DeclareVectorOutputPort("reference", 3 * len(joints), self._calc_reference)

    def copy(self) -> "PostureSystem":
        """Another source of the same reference: a system belongs to one diagram only."""
        return PostureSystem(*self._given)

    def sample(self, time: float) -> Array:
        """Reference at a time [s], rows q_d, v_d, a_d, shape (3, n)."""
        angle = 2.0 * np.pi * time / self._period + self._phase
        acceleration = self._amplitude * np.sin(angle)
        return np.array([self._position, np.zeros(len(self._phase)), acceleration])

    def _calc_reference(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.sample(context.get_time()).ravel())

"""Errors and delay of actuators: torques as a controller commands them, and as they come out."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass

from pydrake.systems.framework import BasicVector, Context

from footfall.arrays import Array
from footfall.plants.sensing.config import require_not_negative
from footfall.plants.sensing.noise import SeededNoise
from footfall.plants.sensing.samples import Clock, Sampled, check_delay


@dataclass
class Actuators:
    """Noise and delay of every actuator; limits are those of the files and of `motors`."""

    # Standard deviation of the torque in each time_step [N m or N].
    noise: float = 0.0
    # Time from the controller to the joint [s].
    delay: float = 0.0

    def __post_init__(self) -> None:
        """Refuse noise that is none."""
        require_not_negative("actuators", self, ("noise",))

    def check(self, time_step: float) -> None:
        """Raise ScenarioError for a delay that no engine with a time_step [s] can keep."""
        check_delay("actuators", self.delay, time_step)


class ActuatorSystem(Sampled):
    """Input ``command``, output ``actuation``, (num_actuators,) [N m or N] in Drake's order.

    Commands are taken every time_step [s] and hold until the next one has arrived.
    """

    def __init__(
        self,
        count: int,
        actuators: Actuators,
        seed: int,
        time_step: float,
        *,
        continuous: bool = False,
    ) -> None:
        """Take the number of actuators; continuous: the engine integrates in continuous time."""
        super().__init__(count, Clock(time_step, 1, actuators.delay, continuous))
        self._deviation = actuators.noise
        self._noise = SeededNoise(seed, "actuators", count)
        self._now = Clock(time_step)
        self._command = self.DeclareVectorInputPort("command", count)
        self.DeclareVectorOutputPort("actuation", count, self._calc_actuation)

    def sample(self, context: Context, _number: int) -> Array:
        """Return the command, (num_actuators,)."""
        command: Array = self._command.Eval(context)
        return command

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        torque = self.arrived(context)
        if self._deviation > 0.0:
            step = self._now.arrived(self.time(context))
            torque = torque + self._deviation * self._noise.sample(step)
        output.SetFromVector(torque)

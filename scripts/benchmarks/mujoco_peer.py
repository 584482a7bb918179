"""The same machine in MuJoCo, as the engine ``mujoco`` has it, with nothing around its steps."""

import mujoco
import numpy as np
from stepping import Stepper

from footfall.arrays import Array
from footfall.engines.mujoco_model import MujocoModel
from footfall.engines.mujoco_places import (
    positions_to_mujoco,
    positions_to_plant,
    vectors_to_mujoco,
    vectors_to_plant,
)
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import Robot
from footfall.scenario.schema import Scenario


class MujocoRobot:
    """A robot's MjModel ``model`` and MjData ``data``, at the robot's initial state."""

    def __init__(self, scenario: Scenario, robot: Robot) -> None:
        dynamics = Dynamics(robot.model, robot.contacts)
        built = MujocoModel(dynamics, scenario.time_step, scenario.mujoco)
        self.model, self.data, self._places = built.model, built.data, built.places
        self._initial, self._nq = robot.initial_state, robot.plant.num_positions()
        self.start()

    def start(self, state: Array | None = None) -> None:
        """Go to a state [q; v] of Drake's plant, the initial one if none is given."""
        mujoco.mj_resetData(self.model, self.data)
        q, v = np.split((self._initial if state is None else state).copy(), [self._nq])
        positions_to_mujoco(self._places, q, self.data.qpos)
        vectors_to_mujoco(self._places, q, v, self.data.qvel)
        mujoco.mj_forward(self.model, self.data)

    def advance(self, steps: int) -> None:
        """Make so many steps."""
        mujoco.mj_step(self.model, self.data, steps)

    def stepper(self) -> Stepper:
        """The robot as what is timed."""
        return Stepper(self.start, self.advance, self.state)

    def state(self) -> Array:
        """[q; v] of Drake's plant."""
        state = np.empty(len(self._initial))
        positions_to_plant(self._places, self.data.qpos, state[: self._nq])
        vectors_to_plant(self._places, self.data.qpos, self.data.qvel, state[self._nq :])
        return state

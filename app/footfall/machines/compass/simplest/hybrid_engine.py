"""The simplest walker as an engine: its trajectory in the compass' coordinates and in SI.

It is the limit itself, feet of no mass: of the model's masses only the hip's counts.
"""

import math
from functools import partial

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.hybrid import Ending, HybridRun, simulate
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.closed_form.simplest import to_compass
from footfall.machines.compass.model import FEET, foot_points, parameters_of, stance_of, state_of
from footfall.machines.compass.simplest.gait import from_compass, limit_gait, units
from footfall.machines.compass.simplest.system import simplest_system
from footfall.machines.compass.system import AHEAD, BEHIND, FALL, LIFT, STRIKE
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.phases import (
    StancePhase,
    failure_of,
    require_plastic,
    stance_phases,
    standing_foot,
    transition_events,
)
from footfall.stance.sampling import sample_times
from footfall.stance.trajectory import LumpedMass, StanceWalk
from footfall.trajectory import Trajectory
from footfall_controllers.controller import Controller

_ENDS = {
    FALL: "the walker falls",
    LIFT: "the ground would have to pull at the standing foot, where this model ends",
}


def gait_state(model: Model, contacts: ContactSet, _: Controller | None) -> Array:
    """[q; v] just after a heel strike of the limit's gait, foot 1 at the origin of the slope.

    Raises RunError on a slope without such a gait.
    """
    parameters = parameters_of(model, contacts)
    x = to_compass(limit_gait(parameters.theta).after) * units(parameters)
    return state_of(Compass(parameters), 0, 0.0, x)


def hybrid(context: MachineContext) -> Trajectory:
    """Walk by events from one foot that stands.

    Raises ScenarioError for another start, a controller, or feet that rebound; ModelError for a
    walker without a hip's mass.
    """
    if context.controller is not None:
        raise ScenarioError(
            "engine hybrid: the simplest walker has no torque at its hip, which a foot of no mass "
            "could not bear: remove the controller, or choose the machine compass."
        )
    require_plastic(context, HYBRID)
    return _Walk(context).trajectory()


class _Walk:
    """A walk without dimension, and its trajectory in the plant's coordinates."""

    def __init__(self, context: MachineContext) -> None:
        parameters = parameters_of(context.model, context.contacts)
        if parameters.m_hip <= 0.0:
            raise ModelError("the simplest walker has its mass at the hip: give m_hip above 0.")
        self._machine, self._units = Compass(parameters), units(parameters)
        self._unit = math.sqrt(parameters.l / parameters.g)  # of time [s]
        self._step = context.time_step
        points = partial(foot_points, self._machine)
        self._foot = standing_foot(points(context.initial_state), FEET, HYBRID)
        self._begin = stance_of(self._machine, context.initial_state, self._foot)
        self._end = round(context.duration / self._step) * self._step
        self._lump = LumpedMass(parameters.m_hip, 0.0, parameters.theta, parameters.g)
        self._walk = StanceWalk(context, points, self._lump.weight, parameters.theta)

    def trajectory(self) -> Trajectory:
        """The walk to its end."""
        y = from_compass(self._begin.x / self._units)
        system = simplest_system(self._machine.parameters.theta)
        mode = AHEAD if y[1] < 0.0 else BEHIND
        run = simulate(system, mode, y, (0.0, self._end / self._unit))
        position = self._begin.position
        for stance in stance_phases(run, self._foot, position, y, STRIKE, self._advance):
            self._stand(run, stance)
        return self._walk.trajectory(
            HYBRID, transition_events(run, self._unit), failure_of(run, _ENDS)
        )

    def _advance(self, y: Array) -> float:
        """Distance of the swing foot ahead of the standing one [m]."""
        return float(self._machine.swing_advance(to_compass(y)))

    def _stand(self, run: HybridRun, stance: StancePhase) -> None:
        """Rows of a stance."""
        last = stance.heel_strike is None and run.ending is Ending.END_OF_TIME
        end = self._end if last else self._unit * stance.end
        times = sample_times(self._unit * stance.start, end, self._step)
        y = stance.states(run, times / self._unit)
        states = self._states(stance.foot, stance.position, y)
        lump = self._lump
        self._walk.add(stance.foot, times, states, lump.momentum(states), lump.energy(states))

    def _states(self, foot: int, position: float, y: Array) -> Array:
        """The plant's [q; v], (8, k), of states (4, k)."""
        return state_of(self._machine, foot, position, to_compass(y) * self._units[:, None])

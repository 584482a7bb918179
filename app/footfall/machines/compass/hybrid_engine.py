"""The event-driven walker as an engine: its trajectory in the plant's coordinates.

Rows stand at the scenario's time steps, and twice at every heel strike, before and after it. The
hip's work is the change of energy about the standing foot, which nothing else changes.

The simplest walker is the limit itself, feet of no mass: of the model's masses only the hip's
counts, and its motion is without dimension.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.hybrid import HybridRun
from footfall.machines.compass.closed_form.model import Compass, CompassParameters, sigma
from footfall.machines.compass.closed_form.simplest import to_compass
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import (
    FEET,
    exact_parameters,
    exact_walker,
    foot_points,
    parameters_of,
    stance_of,
    state_of,
)
from footfall.machines.compass.system import (
    AHEAD,
    BEHIND,
    FALL,
    FALLEN,
    LIFT,
    STRIKE,
    from_compass,
    ground_force,
    hip_torque,
    limit_gait,
    old_foot_leaves,
    simplest_system,
    units,
    walking_system,
)
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.walk import (
    LumpedMass,
    Points,
    Stance,
    Walker,
    require_plastic,
    standing_foot,
)
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import PENETRATION
from footfall_controllers.controller import Controller
from footfall_controllers.energy_shaping import EnergyShapingParameters

_TURN = 2.0 * np.pi
_BOTH = 1e-9  # rad, of sigma: both feet are on the ground


def gait_state(model: Model, contacts: ContactSet, controller: Controller | None) -> Array:
    """[q; v] just after a heel strike of the periodic gait, foot 1 at the origin of the slope.

    Raises RunError for a walker without such a gait.
    """
    parameters = exact_parameters(model, contacts)
    cycle = find_cycle(parameters, law_of(controller, model, contacts))
    return state_of(Compass(parameters), 0, 0.0, cycle.after)


def limit_gait_state(model: Model, contacts: ContactSet, _: Controller | None) -> Array:
    """The same of the limit's gait; raises RunError on a slope without such a gait."""
    parameters = parameters_of(model, contacts)
    x = to_compass(limit_gait(parameters.theta).after) * units(parameters)
    return state_of(Compass(parameters), 0, 0.0, x)


class _Compass(Walker):
    """The compass; turns: which its legs have made at the start besides [rad]."""

    strike = STRIKE
    ends: Mapping[str, str] = {
        FALL: "the walker falls",
        LIFT: "the ground would have to pull at the standing foot, which this model cannot leave",
    }
    driven = True

    def __init__(self, machine: Compass, law: EnergyShapingParameters | None, turns: Array) -> None:
        self.machine, self._law, self._turns = machine, law, turns
        p = machine.parameters
        weight = machine.mass * p.g * np.array([np.sin(p.theta), -np.cos(p.theta)])
        super().__init__(walking_system(machine, law), weight, p.theta)

    def points(self, state: Array) -> Points:
        """Both feet."""
        return foot_points(self.machine, state)

    def plant_state(self, foot: int, position: float, s: Array) -> Array:
        """The plant's [q; v]."""
        state = state_of(self.machine, foot, position, s)
        state[2:4] += self._turns[:, None]
        return state

    def account(self, position: float, s: Array, _state: Array) -> tuple[Array, Array]:
        """Momentum and energy of all parts, above the origin of the slope."""
        machine, p, v = self.machine, self.machine.parameters, self.machine.velocities(s)
        fall = machine.mass * p.g * position * np.sin(p.theta)
        energy = np.array([machine.kinetic_energy(s), machine.potential_energy(s) - fall])
        return np.asarray(p.m * (v.centre_1 + v.centre_2) + p.m_hip * v.hip), energy

    def following(self, stance: Stance, before: Array) -> tuple[int, float]:
        """The other foot."""
        return 1 - stance.foot, stance.position + float(self.machine.swing_advance(before))

    def torque(self, foot: int, s: Array) -> Array:
        """Torque of the hip."""
        torque = hip_torque(self.machine, self._law, s) * np.ones(s.shape[1])
        return np.asarray(torque if foot == 0 else -torque)[:, None]


class _Limit(Walker):
    """The simplest walker, whose states are (theta, phi, theta', phi') without dimension."""

    strike = STRIKE
    ends: Mapping[str, str] = {
        **_Compass.ends,
        LIFT: "the ground would have to pull at the standing foot, where this model ends",
    }

    def __init__(self, parameters: CompassParameters) -> None:
        self.machine, self._units = Compass(parameters), units(parameters)
        self.unit = parameters.unit
        self._lump = LumpedMass(parameters.m_hip, 0.0, parameters.theta, parameters.g)
        super().__init__(simplest_system(parameters.theta), self._lump.weight, parameters.theta)

    def points(self, state: Array) -> Points:
        """Both feet."""
        return foot_points(self.machine, state)

    def state(self, x: Array) -> Array:
        """Its state for one (4,) of the compass."""
        return from_compass(x / self._units)

    def plant_state(self, foot: int, position: float, s: Array) -> Array:
        """The plant's [q; v]."""
        return state_of(self.machine, foot, position, to_compass(s) * self._units[:, None])

    def account(self, _position: float, _s: Array, state: Array) -> tuple[Array, Array]:
        """Momentum and energy of the hip."""
        return self._lump.momentum(state), self._lump.energy(state)

    def following(self, stance: Stance, before: Array) -> tuple[int, float]:
        """The other foot."""
        advance = float(self.machine.swing_advance(to_compass(before)))
        return 1 - stance.foot, stance.position + advance


def hybrid(context: MachineContext) -> Trajectory:
    """Walk by events from one foot that stands; raises ScenarioError for another start."""
    machine = Compass(exact_walker(context))
    law = law_of(context.controller, context.model, context.contacts)
    start = _start(machine, law, context.initial_state)
    legs = state_of(machine, *start)[2:4]
    turns = _TURN * np.round((context.initial_state[2:4] - legs) / _TURN)
    walker, events = _Compass(machine, law, turns), partial(_driven_in, machine)
    return walker.walk(context, HYBRID, start, _mode(start), events)


def limit_hybrid(context: MachineContext) -> Trajectory:
    """Walk as the simplest walker from one foot that stands.

    Raises ScenarioError for another start, a controller, or feet that rebound; ModelError for a
    walker without a hip's mass.
    """
    if context.controller is not None:
        raise ScenarioError(
            "engine hybrid: the simplest walker has no torque at its hip, which a foot of no mass "
            "could not bear: remove the controller, or choose the machine compass."
        )
    require_plastic(context, HYBRID)
    parameters = parameters_of(context.model, context.contacts)
    if parameters.m_hip <= 0.0:
        raise ModelError("the simplest walker has its mass at the hip: give m_hip above 0.")
    walker = _Limit(parameters)
    start = _standing(walker.machine, context.initial_state)
    limit = start._replace(s=walker.state(start.s))
    return walker.walk(context, HYBRID, limit, _mode(start))


def _mode(start: Stance) -> str:
    """The mode in which a walker begins: where its swinging foot is."""
    return AHEAD if start.s[1] > np.pi else BEHIND


def _standing(machine: Compass, state: Array) -> Stance:
    """The walker on the foot that stands; raises ScenarioError without one."""
    return stance_of(machine, state, standing_foot(foot_points(machine, state), FEET, HYBRID))


def _start(machine: Compass, law: EnergyShapingParameters | None, state: Array) -> Stance:
    """The foot that stands, and the walker on it, its legs within a turn of each other.

    Raises ScenarioError for a walker that does not stand.
    """
    stance = _standing(machine, state)
    foot = FEET[stance.foot]
    turns = np.array([np.round(stance.s[0] / _TURN), np.floor(stance.s[1] / _TURN), 0.0, 0.0])
    x = stance.s - _TURN * turns
    if np.cos(x[0]) <= FALLEN:
        raise ScenarioError(
            f"engine hybrid: the leg on {foot} leans by {abs(np.degrees(x[0])):.0f} degrees "
            "at the start: give one that stands, below 60."
        )
    normal = float(ground_force(machine, law, x)[1])
    if normal <= 0.0:
        raise ScenarioError(
            f"engine hybrid: the ground would have to pull at {foot} with {-normal:.3g} N at "
            "the start, which this model does not know: start more slowly."
        )
    return stance._replace(s=x)


def _driven_in(machine: Compass, run: HybridRun) -> list[Event]:
    """The first strike, or the start in the place of one, at which the old foot stays."""
    first = run.segments[0].x_start if run.segments else None
    after = [(e.time, e.x_after) for e in run.events if e.guard == STRIKE]
    if first is not None and first[1] < np.pi and abs(sigma(first)) < _BOTH:
        after.insert(0, (0.0, first))
    for time, x in after:
        if not old_foot_leaves(x):
            speed = machine.parameters.l * (2.0 * x[2] + x[3]) * np.cos(0.5 * x[1])
            what = (
                f"at t = {time:.4f} s both feet are on the ground, and the one behind does not "
                f"leave it but is driven in at {speed:.2g} m/s: a strike of both feet, which "
                "this model does not know"
            )
            return [Event(time, PENETRATION, what)]
    return []

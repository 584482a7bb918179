"""The event-driven walker as an engine: its trajectory in the plant's coordinates.

Rows stand at the scenario's time steps, and twice at every heel strike, before and after it. The
hip's work is the change of energy about the standing foot, which nothing else changes.

The simplest walker is the limit itself, feet of no mass: of the model's masses only the hip's
counts, and its motion is without dimension.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.control.controller import Controller
from footfall.errors import ModelError, ScenarioError
from footfall.hybrid import Ending, HybridRun, HybridSystem, simulate
from footfall.machines.compass.closed_form.model import Compass, sigma
from footfall.machines.compass.closed_form.simplest import to_compass
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import (
    FEET,
    Stance,
    exact_parameters,
    exact_walker,
    foot_points,
    parameters_of,
    stance_of,
    state_of,
)
from footfall.machines.compass.simplest.limit import (
    from_compass,
    limit_gait,
    simplest_system,
    units,
)
from footfall.machines.compass.system import (
    AHEAD,
    BEHIND,
    FALL,
    FALLEN,
    LIFT,
    STRIKE,
    ground_force,
    hip_torque,
    old_foot_leaves,
    walking_system,
)
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.phases import (
    failure_of,
    require_plastic,
    stance_phases,
    standing_foot,
    transition_events,
)
from footfall.stance.trajectory import LumpedMass, StanceWalk, sample_times
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import PENETRATION
from footfall_controllers.energy_shaping import EnergyShapingParameters

_TURN = 2.0 * np.pi
_BOTH = 1e-9  # rad, of sigma: both feet are on the ground
_ENDS = {
    FALL: "the walker falls",
    LIFT: "the ground would have to pull at the standing foot, which the hybrid model cannot leave",
}
_LIMIT_ENDS = _ENDS | {
    LIFT: "the ground would have to pull at the standing foot, where this model ends"
}


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


class _Rows(NamedTuple):
    """Linear momenta in the slope frame [N s], kinetic and potential energy [J], (2, k) each.

    torque: (k, 1) of the hip of a walker on foot 1 [N m], or one number.
    """

    momentum: Array
    energy: Array
    torque: npt.ArrayLike


@dataclass(frozen=True)
class _Walker:
    """A walker as the engine takes it.

    start: the foot that stands, and the walker on it. system: event-driven, of states s (4, ...)
    that ``to_system`` makes of a compass' and ``to_compass`` gives back; unit: of its time [s].
    rows: of states s on a foot at a place [m], with the plant's states. weight: along x and z of
    the slope frame [N]. driven: by its hip. ends: why walks end.
    """

    machine: Compass
    start: Stance
    system: HybridSystem
    weight: Array
    rows: Callable[[Array, Array, float], _Rows]
    ends: Mapping[str, str]
    driven: bool = False
    unit: float = 1.0
    to_system: Callable[[Array], Array] = field(default=lambda x: x)
    to_compass: Callable[[Array], Array] = field(default=lambda s: s)


def hybrid(context: MachineContext) -> Trajectory:
    """Walk by events from one foot that stands; raises ScenarioError for another start."""
    machine = Compass(exact_walker(context))
    law = law_of(context.controller, context.model, context.contacts)
    theta, g = machine.parameters.theta, machine.parameters.g

    def rows(x: Array, _state: Array, position: float) -> _Rows:
        torque = hip_torque(machine, law, x) * np.ones(x.shape[1])
        return _Rows(_momentum(machine, x), _energy(machine, x, position), torque[:, None])

    walker = _Walker(
        machine,
        _start(machine, law, context.initial_state),
        walking_system(machine, law),
        machine.mass * g * np.array([np.sin(theta), -np.cos(theta)]),
        rows,
        _ENDS,
        driven=True,
    )
    return _walk(context, walker, partial(_driven_in, machine))


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
    machine, unit = Compass(parameters), units(parameters)
    lump = LumpedMass(parameters.m_hip, 0.0, parameters.theta, parameters.g)
    walker = _Walker(
        machine,
        _standing(machine, context.initial_state),
        simplest_system(parameters.theta),
        lump.weight,
        lambda _, state, _position: _Rows(lump.momentum(state), lump.energy(state), 0.0),
        _LIMIT_ENDS,
        unit=math.sqrt(parameters.l / parameters.g),
        to_system=lambda x: from_compass(x / unit),
        to_compass=lambda s: to_compass(s) * (unit[:, None] if np.ndim(s) == 2 else unit),
    )
    return _walk(context, walker)


def _walk(
    context: MachineContext,
    walker: _Walker,
    events_besides: Callable[[HybridRun], list[Event]] = lambda _: [],
) -> Trajectory:
    """The walk to its end, in the plant's coordinates."""
    machine, start, unit = walker.machine, walker.start, walker.unit
    end = round(context.duration / context.time_step) * context.time_step
    mode, s = AHEAD if start.x[1] > np.pi else BEHIND, walker.to_system(start.x)
    run = simulate(walker.system, mode, s, (0.0, end / unit))
    walk = StanceWalk(
        context,
        partial(foot_points, machine),
        walker.weight,
        machine.parameters.theta,
        driven=walker.driven,
    )

    def advance(s: Array) -> float:
        return float(machine.swing_advance(walker.to_compass(s)))

    turns: Array | None = None  # which the legs have made at the start besides
    for phase in stance_phases(run, start.foot, start.position, s, STRIKE, advance):
        last = phase.heel_strike is None and run.ending is Ending.END_OF_TIME
        times = sample_times(
            unit * phase.start, end if last else unit * phase.end, context.time_step
        )
        states = phase.states(run, times / unit)
        state = state_of(machine, phase.foot, phase.position, walker.to_compass(states))
        if turns is None:
            turns = _TURN * np.round((context.initial_state[2:4] - state[2:4, 0]) / _TURN)
        state[2:4] += turns[:, None]
        momentum, energy, torque = walker.rows(states, state, phase.position)
        torque = np.asarray(torque) if phase.foot == 0 else -np.asarray(torque)
        walk.add(phase.foot, times, state, momentum, energy, torque)
    events = [*transition_events(run, unit), *events_besides(run)]
    return walk.trajectory(HYBRID, events, failure_of(run, walker.ends))


def _standing(machine: Compass, state: Array) -> Stance:
    """The walker on the foot that stands; raises ScenarioError without one."""
    return stance_of(machine, state, standing_foot(foot_points(machine, state), FEET, HYBRID))


def _start(machine: Compass, law: EnergyShapingParameters | None, state: Array) -> Stance:
    """The foot that stands, and the walker on it, its legs within a turn of each other.

    Raises ScenarioError for a walker that does not stand.
    """
    stance = _standing(machine, state)
    foot = FEET[stance.foot]
    turns = np.array([np.round(stance.x[0] / _TURN), np.floor(stance.x[1] / _TURN), 0.0, 0.0])
    x = stance.x - _TURN * turns
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
    return replace(stance, x=x)


def _momentum(machine: Compass, x: Array) -> Array:
    """Linear momenta in the slope frame, (2, k) [N s]."""
    p, v = machine.parameters, machine.velocities(x)
    return np.asarray(p.m * (v.centre_1 + v.centre_2) + p.m_hip * v.hip)


def _energy(machine: Compass, x: Array, position: float) -> Array:
    """Kinetic and potential energy on a foot at a place [m], above the slope's origin, (2, k)."""
    p = machine.parameters
    fall = machine.mass * p.g * position * np.sin(p.theta)
    return np.array([machine.kinetic_energy(x), machine.potential_energy(x) - fall])


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

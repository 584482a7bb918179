"""The event-driven walker as an engine: its trajectory in the plant's coordinates.

Rows stand at the scenario's time steps, and twice at every heel strike, before and after it. The
hip's work is the change of energy about the standing foot, which nothing else changes.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.hybrid import HybridRun, simulate
from footfall.machines.compass.closed_form.model import Compass, sigma
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import (
    FEET,
    Stance,
    foot_points,
    stance_of,
    state_of,
)
from footfall.machines.compass.model_check import exact_parameters, exact_walker
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
    stance_phases,
    standing_foot,
    transition_events,
)
from footfall.stance.sampling import sample_times
from footfall.stance.trajectory import StanceWalk
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import PENETRATION
from footfall_controllers.controller import Controller
from footfall_controllers.energy_shaping import EnergyShapingParameters

_TURN = 2.0 * np.pi
_BOTH = 1e-9  # rad, of sigma: both feet are on the ground
_ENDS = {
    FALL: "the walker falls",
    LIFT: "the ground would have to pull at the standing foot, which the hybrid model cannot leave",
}


def gait_state(model: Model, contacts: ContactSet, controller: Controller | None) -> Array:
    """[q; v] just after a heel strike of the periodic gait, foot 1 at the origin of the slope.

    Raises RunError for a walker without such a gait.
    """
    parameters = exact_parameters(model, contacts)
    cycle = find_cycle(parameters, law_of(controller, model, contacts))
    return state_of(Compass(parameters), 0, 0.0, cycle.after)


def hybrid(context: MachineContext) -> Trajectory:
    """Walk by events from one foot that stands; raises ScenarioError for another start."""
    machine = Compass(exact_walker(context))
    law = law_of(context.controller, context.model, context.contacts)
    start = _start(machine, law, context.initial_state)
    mode = AHEAD if start.x[1] > np.pi else BEHIND
    steps = round(context.duration / context.time_step)
    system = walking_system(machine, law)
    run = simulate(system, mode, start.x, (0.0, steps * context.time_step))
    theta, g = machine.parameters.theta, machine.parameters.g
    weight = machine.mass * g * np.array([np.sin(theta), -np.cos(theta)])
    walk = StanceWalk(context, partial(foot_points, machine), weight, theta, driven=True)
    turns: Array | None = None  # which the legs have made at the start besides
    phases = stance_phases(
        run, start.foot, start.position, start.x, STRIKE, lambda x: float(machine.swing_advance(x))
    )
    for phase in phases:
        times = sample_times(phase.start, phase.end, context.time_step)
        x = phase.states(run, times)
        state = state_of(machine, phase.foot, phase.position, x)
        if turns is None:
            turns = _TURN * np.round((context.initial_state[2:4] - state[2:4, 0]) / _TURN)
        state[2:4] += turns[:, None]
        torque = hip_torque(machine, law, x) * np.ones(len(times))
        walk.add(
            phase.foot,
            times,
            state,
            _momentum(machine, x),
            _energy(machine, x, phase.position),
            (torque if phase.foot == 0 else -torque)[:, None],
        )
    events = [*transition_events(run), *_driven_in(machine, run)]
    return walk.trajectory(HYBRID, events, failure_of(run, _ENDS))


def _start(machine: Compass, law: EnergyShapingParameters | None, state: Array) -> Stance:
    """The foot that stands, and the walker on it, its legs within a turn of each other.

    Raises ScenarioError for a walker that does not stand.
    """
    foot = standing_foot(foot_points(machine, state), FEET, HYBRID)
    stance = stance_of(machine, state, foot)
    turns = np.array([np.round(stance.x[0] / _TURN), np.floor(stance.x[1] / _TURN), 0.0, 0.0])
    x = stance.x - _TURN * turns
    if np.cos(x[0]) <= FALLEN:
        raise ScenarioError(
            f"engine hybrid: the leg on {FEET[foot]} leans by {abs(np.degrees(x[0])):.0f} degrees "
            "at the start: give one that stands, below 60."
        )
    normal = float(ground_force(machine, law, x)[1])
    if normal <= 0.0:
        raise ScenarioError(
            f"engine hybrid: the ground would have to pull at {FEET[foot]} with {-normal:.3g} N at "
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

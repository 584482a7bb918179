"""The event-driven walker as an engine: its trajectory in the plant's coordinates.

Rows stand at the scenario's time steps, and twice at every heel strike, before and after it; the
second row's impulse is that of the strike alone. Between rows the impulse of the ground is the
change of the walker's momentum less that of its weight, which is exact however long they last. The
hip's work is the change of energy about the standing foot, which nothing else changes.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.control.controller import Controller
from footfall.errors import ScenarioError
from footfall.hybrid import HybridEvent, HybridRun, simulate
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
    StancePhase,
    failure_of,
    stance_phases,
    standing_foot,
    transition_events,
)
from footfall.stance.sampling import sample_times
from footfall.stance.trajectory import stance_trajectory
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import PENETRATION
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
    walk = _Walk(machine, law, context)
    for phase in stance_phases(run, start.foot, start.position, start.x, STRIKE, walk.advance):
        walk.add(run, phase, context.time_step)
    return walk.trajectory(run)


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


class _Rows(NamedTuple):
    """Rows of a stance or of an impact: foot, its position [m], times (k,) [s], states x (4, k).

    impulse (2, k): (tangential, normal) on the foot since the row before [N s]; lost: energy that
    an impact takes [J]; actuator_work (k,): since the start [J].
    """

    foot: int
    position: float
    time: Array
    x: Array
    impulse: Array
    lost: float
    actuator_work: Array


class _Walk:
    """Collects the rows of a walk, with the impulses of the ground and the work of the hip."""

    def __init__(
        self, machine: Compass, law: EnergyShapingParameters | None, context: MachineContext
    ) -> None:
        self._machine, self._law, self._context = machine, law, context
        theta, g = machine.parameters.theta, machine.parameters.g
        self._weight = machine.mass * (g * np.array([np.sin(theta), -np.cos(theta)]))
        self._rows: list[_Rows] = []
        self._actuator_work = 0.0

    def advance(self, x: Array) -> float:
        """Distance of the swing foot ahead of the standing one [m]."""
        return float(self._machine.swing_advance(x))

    def add(self, run: HybridRun, phase: StancePhase, time_step: float) -> None:
        """Add rows of a stance and, at its end, the two of the heel strike."""
        times = sample_times(phase.start, phase.end, time_step)
        x = phase.states(run, times)
        energy, momenta = np.asarray(self._machine.energy(x)), self._momenta(x)
        before = np.maximum(np.arange(len(times)) - 1, 0)
        impulse = momenta - momenta[:, before] - self._weight[:, None] * (times - times[before])
        work = self._actuator_work + (energy - energy[0])
        self._actuator_work = float(work[-1])
        new = slice(1 if self._rows else 0, None)  # the row after a heel strike is there already
        if len(times[new]):
            self._rows.append(
                _Rows(
                    phase.foot,
                    phase.position,
                    times[new],
                    x[:, new],
                    impulse[:, new],
                    0.0,
                    work[new],
                )
            )
        if phase.heel_strike is not None:
            self._add_heel_strike(phase, phase.heel_strike)

    def _add_heel_strike(self, phase: StancePhase, event: HybridEvent) -> None:
        """Add the row after a heel strike: no time passes, and the impulse is on the new foot."""
        self._rows.append(
            _Rows(
                foot=1 - phase.foot,
                position=phase.position + self.advance(event.x_before),
                time=np.array([event.time]),
                x=event.x_after[:, None],
                impulse=np.asarray(event.outputs["impulse"], dtype=np.float64)[:, None],
                lost=float(np.real(event.outputs["lost"])),
                actuator_work=np.array([self._actuator_work]),
            )
        )

    def _momenta(self, x: Array) -> Array:
        """Linear momenta in the slope frame, (2, k) [N s]."""
        p, v = self._machine.parameters, self._machine.velocities(x)
        return np.asarray(p.m * (v.centre_1 + v.centre_2) + p.m_hip * v.hip)

    def trajectory(self, run: HybridRun) -> Trajectory:
        """Return the trajectory with its events, and how it ended."""
        machine, rows = self._machine, self._rows
        counts = [len(each.time) for each in rows]
        foot = np.repeat([each.foot for each in rows], counts)
        position = np.repeat([each.position for each in rows], counts)
        x = np.concatenate([each.x for each in rows], axis=1)
        state = np.concatenate(
            [state_of(machine, each.foot, each.position, each.x) for each in rows], axis=1
        )
        initial = self._context.initial_state  # its legs may have turned besides
        state[2:4] += _TURN * np.round((initial[2:4] - state[2:4, 0]) / _TURN)[:, None]
        torque = np.array([hip_torque(machine, self._law, one) for one in x.T], dtype=np.float64)
        fall = position * np.sin(machine.parameters.theta)
        potential = np.array([machine.potential_energy(one) for one in x.T])
        return stance_trajectory(
            self._context,
            partial(foot_points, machine),
            machine.parameters.theta,
            HYBRID,
            foot=foot,
            time=np.concatenate([each.time for each in rows]),
            state=state,
            impulse=np.concatenate([each.impulse for each in rows], axis=1),
            work=np.repeat([-each.lost for each in rows], counts),
            kinetic_energy=np.array([machine.kinetic_energy(one) for one in x.T]),
            potential_energy=potential - machine.mass * machine.parameters.g * fall,
            actuation=np.where(foot == 0, torque, -torque)[:, None],
            actuator_work=np.concatenate([each.actuator_work for each in rows]),
            events=[*transition_events(run), *self._driven_in(run)],
            failure=failure_of(run, _ENDS),
        )

    def _driven_in(self, run: HybridRun) -> list[Event]:
        """The first strike, or the start in the place of one, at which the old foot stays."""
        first = run.segments[0].x_start if run.segments else None
        after = [(e.time, e.x_after) for e in run.events if e.guard == STRIKE]
        if first is not None and first[1] < np.pi and abs(sigma(first)) < _BOTH:
            after.insert(0, (0.0, first))
        for time, x in after:
            if not old_foot_leaves(x):
                speed = self._machine.parameters.l * (2.0 * x[2] + x[3]) * np.cos(0.5 * x[1])
                what = (
                    f"at t = {time:.4f} s both feet are on the ground, and the one behind does not "
                    f"leave it but is driven in at {speed:.2g} m/s: a strike of both feet, which "
                    "this model does not know"
                )
                return [Event(time, PENETRATION, what)]
        return []

"""The event-driven walker as an engine: its trajectory in the plant's coordinates.

Rows stand at the scenario's time steps, and twice at every heel strike, before and after it; the
second row's impulse is that of the strike alone. Between rows the impulse of the ground is the
change of the walker's momentum less that of its weight, which is exact however long they last. The
hip's work is the change of energy about the standing foot, which nothing else changes.
"""

from dataclasses import replace

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
from footfall.plants.layout import layout_of
from footfall.plants.load import Model
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.registry.stance import (
    FrictionWatch,
    PressedRow,
    Stretch,
    events_of,
    failure_of,
    row_times,
    standing_foot,
    stretches,
)
from footfall.trajectory import Event, Status, Trajectory, TrajectoryBuilder
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
    rows = _Rows(machine, law, context)
    for stretch in stretches(run, start.foot, start.position, start.x, STRIKE, rows.advance):
        rows.add(run, stretch, context.time_step)
    return rows.finish(run)


def _start(machine: Compass, law: EnergyShapingParameters | None, state: Array) -> Stance:
    """The foot that stands, and the walker on it, its legs within a turn of each other.

    Raises ScenarioError for a walker that does not stand.
    """
    foot = standing_foot(foot_points(machine, state), FEET, HYBRID)
    stance = stance_of(machine, state, foot)
    turns = np.array([np.round(stance.x[0] / _TURN), np.floor(stance.x[1] / _TURN), 0.0, 0.0])
    x = stance.x - _TURN * turns
    if np.cos(x[0]) <= FALLEN:
        message = (
            f"engine hybrid: the leg on {FEET[foot]} leans by {abs(np.degrees(x[0])):.0f} degrees "
            "at the start: give one that stands, below 60."
        )
        raise ScenarioError(message)
    normal = float(ground_force(machine, law, x)[1])
    if normal <= 0.0:
        message = (
            f"engine hybrid: the ground would have to pull at {FEET[foot]} with {-normal:.3g} N at "
            "the start, which this model does not know: start more slowly."
        )
        raise ScenarioError(message)
    return replace(stance, x=x)


class _Rows:
    """Makes the rows of a trajectory and keeps the account of work."""

    def __init__(
        self, machine: Compass, law: EnergyShapingParameters | None, context: MachineContext
    ) -> None:
        self._machine, self._law = machine, law
        self._builder = TrajectoryBuilder(layout_of(context.model.plant, context.contacts))
        self._whole = machine.mass
        self._turns: Array | None = None  # that the legs of the scenario's start have besides
        self._initial = context.initial_state
        theta, g = machine.parameters.theta, machine.parameters.g
        self._gravity = g * np.array([np.sin(theta), -np.cos(theta)])
        self._R_WT = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
        self._actuator_work = self._contact_work = 0.0
        self._friction = FrictionWatch(context)

    def advance(self, x: Array) -> float:
        """Distance of the swing foot ahead of the standing one [m]."""
        return float(self._machine.swing_advance(x))

    def add(self, run: HybridRun, stretch: Stretch, time_step: float) -> None:
        """Rows of a stance and, at its end, the two of the heel strike."""
        times = row_times(stretch.start, stretch.end, time_step)
        x = stretch.states(run, times)
        energy = np.asarray(self._machine.energy(x))
        momenta = self._momenta(x)
        begun = self._actuator_work
        for k, time in enumerate(times):
            if k == 0 and len(self._builder) > 0:
                continue  # the row after the strike is there already
            self._actuator_work = begun + float(energy[k] - energy[0])
            span = time - times[k - 1] if k > 0 else 0.0
            moved = momenta[:, k] - momenta[:, max(k - 1, 0)]
            impulse = moved - self._whole * self._gravity * span
            self._append(stretch.foot, stretch.position, float(time), x[:, k], impulse)
        if stretch.strike is not None:
            self._strike(stretch, stretch.strike)

    def _strike(self, stretch: Stretch, event: HybridEvent) -> None:
        """The row after a heel strike: no time passes, and the new foot alone is struck."""
        place = stretch.position + self.advance(event.x_before)
        lost = float(np.real(event.outputs["lost"]))
        self._contact_work -= lost
        impulse = np.asarray(event.outputs["impulse"], dtype=np.float64)
        self._append(1 - stretch.foot, place, event.time, event.x_after, impulse, work=-lost)

    def _momenta(self, x: Array) -> Array:
        """Linear momenta in the slope frame, (2, k) [N s]."""
        p, v = self._machine.parameters, self._machine.velocities(x)
        return np.asarray(p.m * (v.centre_1 + v.centre_2) + p.m_hip * v.hip)

    def _append(
        self, foot: int, place: float, time: float, x: Array, impulse: Array, work: float = 0.0
    ) -> None:
        """Add a row; impulse: (tangential, normal) on the foot since the last row [N s]."""
        machine = self._machine
        state = state_of(machine, foot, place, x)
        self._friction.look(FEET[foot], impulse, time)
        if self._turns is None:
            self._turns = _TURN * np.round((self._initial[2:4] - state[2:4]) / _TURN)
        state[2:4] += self._turns
        torque = hip_torque(machine, self._law, x)
        fall = place * np.sin(machine.parameters.theta)
        self._builder.append(
            time,
            state[:4],
            state[4:],
            np.array([torque if foot == 0 else -torque]),
            PressedRow(foot_points(machine, state), foot, impulse, work, self._R_WT),
            kinetic_energy=float(machine.kinetic_energy(x)),
            potential_energy=float(machine.potential_energy(x))
            - self._whole * machine.parameters.g * fall,
            actuator_work=self._actuator_work,
            contact_work=self._contact_work,
            damping_work=0.0,
            constraint_work=0.0,
            energy_gain=0.0,
        )

    def finish(self, run: HybridRun) -> Trajectory:
        """The trajectory with its events, and how it ended."""
        told = {"engine": HYBRID}
        events = [*events_of(run), *self._driven_in(run), *self._friction.events]
        events.sort(key=lambda event: event.time)
        failure = failure_of(run, _ENDS)
        if not failure:
            return self._builder.finish(Status.DONE, "", events, told)
        message = f"{failure} at t = {run.time:.4f} s"
        events.append(Event(run.time, Status.FAILED.value, message))
        return self._builder.finish(Status.FAILED, message, events, told)

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

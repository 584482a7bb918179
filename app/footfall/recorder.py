"""Recorder of the steps of a run: rows of a trajectory, and the account of energy."""

from dataclasses import replace

import numpy as np
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.energy import EnergyVerdict
from footfall.engines import ContactReport, DrakeEngine, MoreauEngine
from footfall.engines.ports import DIVERGED
from footfall.errors import RunError
from footfall.plants.coordinates import (
    joint_damping,
    normalise_quaternions,
    quaternion_places,
)
from footfall.plants.dynamics import Dynamics
from footfall.plants.fall_detection import FallDetector
from footfall.plants.layout import layout_of
from footfall.plants.motors import line_times
from footfall.scenario.assemble import (
    Robot,
)
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event, Status, Trajectory, TrajectoryBuilder
from footfall.trajectory.energy_watch import COLUMNS
from footfall.trajectory.events import (
    ENERGY_GAIN,
    ENERGY_INCOMPLETE,
    LEFT_OUT,
    LONG_STEP,
    MOVED_START,
    NEVER_ACTS,
    PENETRATION,
)
from footfall.trajectory.pushes import with_pushes
from footfall.wording import listed

_WATCHED = 100  # rows after which the account of energy is looked at
_ROOM = 65_536  # rows to begin with; a longer run makes room as it goes
_GAIN = 1e-9  # of the kinetic energy: an impact that gives more is worth a word
_LESS = "try less restitution"
_OTHER_LAWS = {  # that give less
    "newton": "try moreau.impact_law=poisson or chatterjee-ruina",
    "poisson": "try moreau.impact_law=chatterjee-ruina",
}
_DEEP = 1e-3  # m: a start deeper in the ground than this is worth a word


class Recorder:
    """Reads the ports of an engine after every step and keeps the energy account."""

    def __init__(
        self,
        scenario: Scenario,
        robot: Robot,
        engine: str,
        system: MoreauEngine | DrakeEngine,
    ) -> None:
        """Take what is run, the engine's name and the system that it is."""
        self.time = 0.0
        self.residual = 0.0
        self._nq = robot.plant.num_positions()
        self._dt, self._duration = scenario.time_step, scenario.duration
        self._dynamics = Dynamics(robot.model, robot.contacts)
        self._has_actuators = robot.plant.num_actuators() > 0
        self._state = system.GetOutputPort("state")
        self._report = system.GetOutputPort("contact_report")
        self._actuation = system.GetInputPort("actuation")
        self._wrench = system.GetInputPort("applied_wrench")
        self._pushes, self._system, self._engine = robot.pushes, system, engine
        self._layout = layout_of(robot.plant, robot.contacts)
        rows = round(scenario.duration / scenario.time_step) + 1
        self._rows = TrajectoryBuilder(self._layout, min(rows, _ROOM))
        self._falls = FallDetector(robot.plant, scenario.fallen_below, robot.model.surface)
        self._damping = joint_damping(robot.plant)
        self._quaternions = quaternion_places(robot.plant)
        self._work = dict.fromkeys(
            ("actuator", "contact", "damping", "constraint", "residual", "gain", "push"), 0.0
        )
        self._continuous = isinstance(system, DrakeEngine) and system.plant.time_step() == 0.0
        # where in a step dampers take their speed
        self._end = 0.5 if self._continuous else 1.0
        self._last: tuple[Array, Array, Array | None] | None = None
        self._verdict = EnergyVerdict(scenario, robot, engine)
        self._watched = 0  # rows
        self._law = scenario.moreau.impact_law
        self._events: list[Event] = []
        if not self._dynamics.knows_potential:
            what = (
                "Drake tells no potential energy of some force element, such as a bushing: "
                "potential_energy is that of gravity, and energy_drift counts the rest"
            )
            self._events.append(Event(0.0, ENERGY_INCOMPLETE, what))

    def record(self, context: Context, time: float) -> ContactReport:
        """Append the row of a time [s]; raises RunError for a state or torque that is no number."""
        state = self._state.Eval(context).copy()
        tau = self._actuation.Eval(context).copy() if self._has_actuators else np.zeros(0)
        if not np.isfinite(tau).all():
            name = self._layout.actuator[int(np.flatnonzero(~np.isfinite(tau))[0])]
            raise RunError(
                f"the controller sends no number to actuator '{name}' at t = {time:.4f} s: "
                "check its inputs and gains."
            )
        if not np.abs(state).max(initial=0.0) < DIVERGED:
            raise RunError(
                f"the state diverges at t = {time:.4f} s: use a smaller time_step or softer gains."
            )
        report: ContactReport = self._report.Eval(context)
        normalise_quaternions(state, self._quaternions)  # Drake's engine lets them grow
        q, v = state[: self._nq], state[self._nq :]
        pushing = self._pushing(context, state)
        self._dynamics.set_state(state)
        if self._last is not None:
            self._account(time, *self._last, v, tau, report)
        if isinstance(self._system, DrakeEngine) and self._continuous:
            self._work["push"] = self._system.applied_work(context)
        work = self._work
        self._rows.append(
            time,
            q,
            v,
            tau,
            report,
            kinetic_energy=self._dynamics.kinetic_energy(),
            potential_energy=self._dynamics.potential_energy(),
            actuator_work=work["actuator"],
            contact_work=work["contact"],
            damping_work=work["damping"],
            constraint_work=work["constraint"],
            push_work=work["push"],
            energy_gain=work["gain"],
            energy_residual=work["residual"],
        )
        self._last = v, tau, pushing
        self.time = time
        self.residual = float(np.fmax(self.residual, report.residual))
        if len(self._rows) - self._watched >= _WATCHED:
            self.watch_energy()
        return report

    def watch_energy(self, *, last: bool = False) -> None:
        """Look at the energy of the rows since the last look; raises RunError for a large gain.

        last: no rows follow.
        """
        self._look_at_energy(last=last)
        if self._verdict.failure:
            raise RunError(self._verdict.failure)

    def _look_at_energy(self, *, last: bool) -> None:
        """Take the rows since the last look, none where Drake does not tell all energy."""
        if self._dynamics.knows_potential:
            self._verdict.look(*self._rows.rows_from(self._watched, COLUMNS), last=last)
        self._watched = len(self._rows)

    def _pushing(self, context: Context, state: Array) -> Array | None:
        """Generalized force of pushes in the step from a state [q; v], as the engine has it.

        None where nothing pushes, and for a plant in continuous time, which sums their work itself.
        """
        if self._continuous or not self._wrench.HasValue(context):
            return None
        applied = self._wrench.Eval(context)
        if not applied:
            return None
        if isinstance(self._system, MoreauEngine):
            q, v = state[: self._nq], state[self._nq :]
            q_m = self._dynamics.advance_positions(q, v, 0.5 * self._dt)
            state = np.concatenate((q_m, v))
        self._dynamics.set_state(state)
        return self._dynamics.applied_force(applied)

    def fallen(self) -> str:
        """Say which link is too low at the last row; empty while the machine has not fallen."""
        return self._falls.fallen(self._dynamics.context)

    def _account(
        self,
        time: float,
        last_v: Array,
        last_tau: Array,
        last_push: Array | None,
        v: Array,
        tau: Array,
        report: ContactReport,
    ) -> None:
        """Add the work of the step that ends at a time."""
        limits, work = self._dynamics.effort_limits, self._work
        held = 0.5 * (last_tau + tau) if self._continuous else last_tau
        force = self._dynamics.actuation_matrix @ np.clip(held, -limits, limits)
        mean_v = 0.5 * (last_v + v)
        damped = self._damping * (last_v + self._end * (v - last_v))
        work["actuator"] += self._dt * float(force @ mean_v)
        if last_push is not None:
            work["push"] += self._dt * float(last_push @ mean_v)
        work["damping"] -= self._dt * float(mean_v @ damped)
        work["contact"] += float(report.work.sum())
        work["constraint"] += report.constraint_work  # NaN from an engine that cannot tell
        work["residual"] += report.energy_residual
        if report.energy_gain > 0.0:
            kinetic = 0.5 * float(last_v @ self._dynamics.mass_matrix() @ last_v)
            if report.energy_gain > _GAIN * kinetic:
                self._note_gain(time, report, kinetic)

    def _note_gain(self, time: float, report: ContactReport, kinetic: float) -> None:
        """Leave an event where the law of impact gives energy for the first time; sum up later."""
        if self._work["gain"] == 0.0:
            closed = int((report.mode > 0).sum())
            what = (
                f"the impact of {closed} contact(s) at t = {time:.4f} s gives "
                f"{report.energy_gain:.3g} J to a kinetic energy of {kinetic:.3g} J, which the law "
                f"of impact {self._law} may: {_OTHER_LAWS.get(self._law, _LESS)}"
            )
            self._events.append(Event(time, ENERGY_GAIN, what))
        self._work["gain"] += report.energy_gain

    def note_start(self, robot: Robot) -> None:
        """Leave events for what is seldom meant of a start, and for what an engine leaves out."""
        self._events += [Event(0.0, LEFT_OUT, line) for line in robot.model.remarks.lines()]
        if robot.start_note:
            self._events.append(Event(0.0, MOVED_START, robot.start_note))
        self._note_penetration(robot)
        self._note_motors(robot)
        self._note_dry_joints(robot)
        self._note_pushes(robot)

    def _note_penetration(self, robot: Robot) -> None:
        """Leave an event where the machine starts in the ground."""
        self._dynamics.set_state(robot.initial_state)
        gap = self._dynamics.gaps()[0][: robot.contacts.num_touching]
        if len(gap) > 0 and gap.min() < -_DEEP:
            contacts = robot.contacts
            name = contacts.names[contacts.reported_as[int(gap.argmin())]]
            what = f"{name} starts {-gap.min():.3g} m too deep: place the machine higher"
            self._events.append(Event(0.0, PENETRATION, what))

    def _note_dry_joints(self, robot: Robot) -> None:
        """Leave an event where an engine leaves dry friction in joints out."""
        dry = robot.contacts.frictions
        if self._engine.startswith("drake") and dry:
            names = listed([friction.name.removesuffix(":friction") for friction in dry])
            what = f"Drake knows no dry friction in joints: that of {names} is left out"
            self._events.append(Event(0.0, LEFT_OUT, what))

    def _note_pushes(self, robot: Robot) -> None:
        """Leave an event for each push that would begin after the end."""
        for push in robot.pushes:
            if push.start >= self._duration:
                what = (
                    f"a push on {push.link} would begin at {push.start:g} s, and the run ends at "
                    f"{self._duration:g} s: it never acts"
                )
                self._events.append(Event(0.0, NEVER_ACTS, what))

    def _note_motors(self, robot: Robot) -> None:
        """Leave an event where the step is long for a motor whose torque falls with its speed."""
        if self._continuous:
            return
        motors = robot.model.spec.motors
        self._dynamics.set_state(robot.initial_state)
        for name, time in line_times(robot.plant, motors, self._dynamics.context).items():
            if self._dt > time:
                what = (
                    f"time_step {self._dt:g} s is long for the torque-speed line of motor "
                    f"'{name}', which settles in {time:.2g} s: its speed overshoots"
                )
                self._events.append(Event(0.0, LONG_STEP, what))

    def finish(self, status: Status, message: str) -> Trajectory:
        """Make the trajectory of the rows so far."""
        self._look_at_energy(last=True)
        if status is Status.DONE or message != self._verdict.failure:
            self._events += self._verdict.events()
        if status is not Status.DONE:
            self._events.append(Event(self.time, status.value, message))
        trajectory = self._rows.finish(status, message, self._events, {"engine": self._engine})
        return replace(trajectory, data=with_pushes(trajectory.data, self._pushes))

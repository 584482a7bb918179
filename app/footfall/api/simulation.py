"""A simulation that a program leads from step to step: it acts, reads, saves and goes back."""

import math
import time as clock
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
import numpy.typing as npt
from pydrake.common.value import Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import InputPortIndex

from footfall.api.result import RunResult
from footfall.api.saved_state import SavedState, arrays_of, put_arrays
from footfall.api.worlds import LAWS, with_unit_quaternions
from footfall.arrays import Array
from footfall.checked import numbers
from footfall.control.python_object import PythonObject
from footfall.energy.reader import EnergyReader
from footfall.engine_names import CONTINUOUS, ENGINES, require_engine
from footfall.engines import MoreauEngine
from footfall.engines.moreau_report import report_of
from footfall.engines.ports import CONTACT_REPORT, STATE, ContactReport
from footfall.engines.steps import Steps
from footfall.errors import FootfallError, RunError, ScenarioError
from footfall.feet import foot_forces
from footfall.interventions import Interventions, Parts, put_together
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.coordinates import quaternion_places
from footfall.plants.fall_detection import FallDetector
from footfall.plants.flat.laws import Law, PdLaw, actuated_places, prescribed
from footfall.plants.grounds import RoughGround
from footfall.plants.layout import layout_of
from footfall.plants.pushes import Push, check_pushes
from footfall.run import prepare, results_of
from footfall.scenario.assemble import OF_PROGRAM, OF_SCENARIO, SENSORS, TORQUES
from footfall.scenario.changes import Change
from footfall.scenario.io import changed, drawn, dump_scenario, plain
from footfall.scenario.schema import Scenario
from footfall.simulation import (
    Hooks,
    Simulated,
    advance,
    end_of,
    ended,
    law_of,
    let_go,
    recorder_of,
    with_ticks,
)
from footfall.solvers import StepProblem
from footfall.trajectory import Layout, Status
from footfall.trajectory.pushes import LinkPush
from footfall.yaml_types import check_types

_FLOAT = np.dtype(np.float64)
_OF_START = ("engine", "duration", "initial", "record_every", "analysis")
_LARGEST = 1e150  # of torques, whose squares are numbers still
_EXACT = 1e-9  # of a step, by which a duration may miss whole ones; and s, by which times are equal


class Energy(NamedTuple):
    """Energies at a state [J]."""

    kinetic: float
    potential: float


def _is_number(given: object) -> bool:
    return isinstance(given, int | float | np.number) and math.isfinite(given)


class Simulation:
    """A scenario in an engine with ports, which goes on when its ``step`` is called.

    layout: names of positions, velocities, actuators and contacts, in the order of all arrays.
    """

    _rolls: bool  # whether torques are laws for compiled steps, whoever made them
    _law_until: int
    _parts: Parts
    _dt: float
    _holds: Callable[[Array, int], FootfallError | None] | None

    def __init__(
        self, scenario: Scenario, engine: str | None = None, *, record: bool = False
    ) -> None:
        """Take a scenario; record: keep every step since the last ``reset``.

        Raises FootfallError, one line, for a scenario or an engine that cannot be stepped.
        """
        self.engine = engine or scenario.engine
        require_engine(self.engine)
        if self.engine not in ENGINES:
            raise ScenarioError(
                f"simulation: the engine {self.engine} takes no torques from step to step: choose "
                f"one of {', '.join(ENGINES)}."
            )
        self._given, self._records = scenario, record
        self._free: Callable[[], object] = lambda: None
        self._build(scenario)
        self.reset()

    def reset(
        self,
        seed: int | None = None,
        state: npt.ArrayLike | Callable[[Array], npt.ArrayLike] | None = None,
    ) -> None:
        """Begin anew at time 0.

        seed: draws anew what the scenario draws (``randomise``, random pushes, rough ground, noise
        of sensors); the last one's if left out. state: [q; v] (nq + nv,) in place of the
        scenario's start, or a function that makes it of that. What ``set_parameters`` has set
        stays, unless it is drawn.
        """
        if seed is not None:
            if not (_is_number(seed) and int(seed) == seed):
                raise ScenarioError(f"reset: seed is {seed!r}: give a whole number.")
            fresh = drawn(replace(self.scenario, seed=int(seed)), self.scenario.name or "scenario")
            self._become(fresh)
        start = self._robot.initial_state
        if state is not None:
            start = self._checked_state(state(start.copy()) if callable(state) else state)
        parts, system = self._parts, self._parts.system
        if self._steps is None:
            parts.simulator.reset_context(parts.diagram.CreateDefaultContext())
        parts.recorder = None
        if self._records:
            robot = replace(self._robot, initial_state=start)
            parts.recorder = recorder_of(parts, robot, self.engine, lambda: False)
        system.set_state(parts.context, start)
        self._begin(0, self._robot.pushes)
        self._own_torques, self._started = False, clock.perf_counter()
        self._recorded = parts.scenario
        if parts.recorder is not None:
            parts.recorder.begin(parts.context, None)

    def step(self, torques: npt.ArrayLike | None = None, duration: float | None = None) -> None:
        """Go on by a control period.

        torques: of the actuators (nu,) [N m or N], held over the period, before the limits of the
        actuators; left out: those of the scenario's controller, or none without one. duration: the
        period [s], whole time steps; one of them if left out.

        Raises RunError for torques that are no such numbers, and for what ends a run (a state that
        diverges, a contact problem that is not solved): the state is then the last one that was
        reached, and no step is made before ``reset`` or ``restore``.
        """
        count = 1 if duration is None else self._periods.get(duration) or self._count(duration)
        if torques is None:
            self._advance(count, None)
            return
        asked = torques
        if not (type(asked) is np.ndarray and asked.dtype is _FLOAT):
            asked = numbers("torques are", asked)
        if asked.shape != self._shape or not math.hypot(*asked.tolist()) < _LARGEST:
            raise self._refused(asked)
        if self._holds is None or count > self._most:
            self._advance(count, asked)
            return
        error = self._holds(asked, count)
        if error is not None:
            self._fail(error)

    def follow(
        self,
        positions: npt.ArrayLike,
        kp: npt.ArrayLike,
        kd: npt.ArrayLike,
        duration: float | None = None,
    ) -> None:
        """Go on by a control period under PD control of the actuated joints.

        positions: of these joints (nu,) [rad or m]; kp, kd: gains, one number or (nu,). Torques are
        kp (positions - q) - kd v at the start of every time step. Raises what ``step`` raises.
        """
        count = 1 if duration is None else self._periods.get(duration) or self._count(duration)
        asked = [numbers("follow: positions and gains are", each) for each in (positions, kp, kd)]
        try:
            q_d, *gains = (np.broadcast_to(each, self._shape) for each in asked)
        except ValueError:
            q_d, gains = np.array(np.nan), []
        if not (np.isfinite(q_d).all() and np.isfinite(gains).all()):
            each = f"for each of {', '.join(self.layout.actuator)}"
            raise ScenarioError(f"follow: give positions, kp and kd as one finite number {each}.")
        rest = np.zeros((1, len(q_d)))
        law = PdLaw(rest, q_d.reshape(1, -1).copy(), rest, gains[0].copy(), gains[1].copy())
        if self._rolls:
            self._advance(count, law)
            return
        places, velocities = actuated_places(self._robot.plant)
        for _ in range(count):
            q, v = self.q[places], self.v[velocities]
            self._advance(1, law.kp * (q_d - q) - law.kd * v)

    def _advance(self, count: int, torques: Array | PdLaw | None) -> None:
        """Make so many steps, and what the scenario wants done between them."""
        if self._end:
            raise RunError(f"step: {self._end.rstrip('.:')}: reset, or restore a saved state.")
        parts, steps = self._parts, self._steps
        if torques is not None and parts.system.drives is not None:
            raise ScenarioError(
                "step: the gains of the scenario's controller are in the drives of the joints, "
                "which take no torques: load it with controller=None."
            )
        if torques is not None and not self._own_torques:
            self._own_torques = True
            self._interventions.note("torques are those of a program from now on", self._done)
        while count > 0:
            self._interventions.carry_out(self._done)
            some = min(count, self._most, self._interventions.steps_left(self._done))
            if parts.recorder is not None:
                some = min(some, parts.recorder.most_steps)
            count -= some
            law = self._law(torques, self._done + some)
            if steps is not None and law is not None:
                error = steps.drive(law, some)
                if error is not None:
                    self._fail(error)
            else:
                self._advance_in_context(law, torques, some)

    def _advance_in_context(
        self, law: Law | None, torques: Array | PdLaw | None, count: int
    ) -> None:
        parts = self._parts
        parts.system.law = law
        if law is None and not isinstance(torques, PdLaw):
            self._choose(torques)
            if parts.recorder is not None:  # which took them when the last step ended
                parts.recorder.log.take_efforts(parts.context)
        try:
            advance(parts, self._done, count)
        except (Exception, SystemExit) as fault:  # noqa: BLE001 (told as that of a run)
            self._in_context = round(parts.context.get_time() / self._dt)
            self._fail(end_of(fault, self.time)[2] or RunError(str(fault)), fault)
        self._in_context += count
        end = None if parts.recorder is None else parts.recorder.ended
        if end is not None:
            self._end = end.message
            if end.error is not None:
                raise end.error

    def _law(self, torques: Array | PdLaw | None, until: int) -> Law | None:
        """Return the law of the torques, None where the diagram has them; until: so many steps."""
        if isinstance(torques, PdLaw) or not self._rolls:
            return torques if isinstance(torques, PdLaw) else None
        if torques is not None:
            return prescribed(torques.reshape(1, -1))
        if until > self._law_until:  # a table of as many rows
            self._law_until = max(self._parts.scenario.num_steps, 2 * until)
            self._law_of_scenario = law_of(self._parts, self._law_until)
        return self._law_of_scenario

    def _choose(self, torques: Array | None) -> None:
        """Let the diagram take torques of the program, or those of the scenario."""
        if self._shape == (0,):
            return
        root = self._parts.simulator.get_mutable_context()
        switch = self._parts.diagram.GetSubsystemByName(TORQUES)
        context = switch.GetMyMutableContextFromRoot(root)
        port = switch.GetInputPort(OF_SCENARIO if torques is None else OF_PROGRAM)
        if torques is not None:
            port.FixValue(context, torques)
        chosen = Value(InputPortIndex(port.get_index()))
        switch.get_port_selector_input_port().FixValue(context, chosen)

    def _fail(self, error: FootfallError, cause: BaseException | None = None) -> None:
        self._end, self._holds = str(error), None
        raise error from cause

    @property
    def time(self) -> float:
        """Time since the last ``reset`` [s]."""
        return self._done * self._dt

    @property
    def _done(self) -> int:
        return self._in_context if self._steps is None else self._steps.done

    @property
    def state(self) -> Array:
        """State [q; v], (nq + nv,), a copy; quaternions of free bodies as the engine has them."""
        if self._steps is not None:
            return self._steps.state.copy()
        state: Array = self._parts.system.GetOutputPort(STATE).Eval(self._parts.context)
        return state.copy()

    @property
    def q(self) -> Array:
        """Positions (nq,) [m or rad], a copy."""
        return self.state[: self._nq]

    @property
    def v(self) -> Array:
        """Velocities (nv,) [m/s or rad/s], a copy."""
        return self.state[self._nq :]

    @property
    def contacts(self) -> ContactReport:
        """Contacts of the step that ended last, arrays with an entry for each pair.

        names, p_WC (n, 3) [m], gap (n,) [m], impulse (n, 3) in [n, t, s] [N s], mode (n,), and what
        else `ContactReport` has.
        """
        system, axes = self._parts.system, self._axes
        if self._steps is not None:
            return report_of(self._steps.record, self._interventions.contacts, axes)
        report: ContactReport = system.GetOutputPort(CONTACT_REPORT).Eval(self._parts.context)
        return report

    @property
    def feet(self) -> tuple[str, ...]:
        """Names of the feet, in the order of ``foot_forces``."""
        return () if self._request.feet is None else self._request.feet.names

    @property
    def foot_forces(self) -> Array:
        """Mean forces of the ground on the feet over the last step, (feet, 3) in W [N]."""
        if self._request.feet is None:
            raise RunError("foot_forces: the scenario names no feet: give feet.")
        report = self.contacts
        normals = np.broadcast_to(report.normal, report.impulse.shape)
        forces = report.impulse / self._dt
        return foot_forces(self._request.feet, forces, normals, self._axes.R_WT)

    @property
    def sensors(self) -> dict[str, Array]:
        """Readings that a controller sees by now: ``state`` [q; v] and ``imu`` (6,), as there are.

        imu: angular velocity and specific force in the axes of its link [rad/s, m/s^2].
        """
        if self._parts.scenario.sensors is None:
            raise RunError("sensors: the scenario has none: give sensors.")
        system, root = self._parts.diagram.GetSubsystemByName(SENSORS), self._parts.simulator
        context = system.GetMyContextFromRoot(root.get_context())
        names = [name for name in ("state", "imu") if system.HasOutputPort(name)]
        return {name: system.GetOutputPort(name).Eval(context).copy() for name in names}

    @property
    def energy(self) -> Energy:
        """Kinetic and potential energy [J]."""
        read = self._reading[1].read(self.state[None])
        return Energy(float(read.kinetic[0]), float(read.potential[0]))

    @property
    def fallen(self) -> str:
        """The link that is lower than ``fallen_below`` allows, in words; empty while none is."""
        if not self._parts.scenario.fallen_below:
            return ""
        falls, energies = self._reading
        return falls.first_fallen(energies.read(self.state[None]).p_WF)[1]

    @property
    def problem(self) -> StepProblem:
        """Contact problem of the last step, all contacts in one; of the engine ``moreau``."""
        system = self._parts.system
        rows = None if self._steps is None else self._steps.last()
        if rows is None or not isinstance(system, MoreauEngine):
            raise RunError(
                "problem: there is one behind a step of the engine moreau, compiled as a whole and "
                "not recorded."
            )
        parts, root = self._parts, self._parts.simulator.get_mutable_context()
        system.take_row(parts.context, rows, 0)
        root.SetTime((self._done - 1) * self._dt)
        posed = system.repeat(parts.context, system.commands(rows.states, rows.efforts[:1])[0])
        root.SetTime(self.time)
        return posed

    def save(self, path: str | Path | None = None) -> SavedState:
        """Return the state, which ``restore`` takes; path: of a file to which it is written, too.

        Steps from it on are the same to the bit, but for an engine in continuous time, whose
        integrator remembers more. Raises RunError for a controller that holds what no array is, and
        for feet that take turns in Drake's engines.
        """
        parts = self._parts
        if self._steps is not None:
            self._steps.put_into(parts.context)
        root = parts.simulator.get_context()
        # what Drake's plant holds itself are readings of the step that ended
        more = root.num_abstract_states() > parts.context.num_abstract_states()
        if more or (parts.robot.contacts.swing_foot_filter and not self._is_moreau):
            held = "the controller" if more else f"the engine {self.engine}"
            raise RunError(f"save: {held} holds what no array is: save in the engine moreau.")
        saved = SavedState(self._digest, self._done, arrays_of(root), self._interventions.pushes)
        if path is not None:
            saved.write(path)
        return saved

    def restore(self, saved: SavedState | str | Path) -> None:
        """Go back to a state, or to that of a file; parameters stay as they are.

        A recording ends; Drake's engines tell contacts again after the next step. Raises RunError
        for a state of another scenario or engine.
        """
        if not isinstance(saved, SavedState):
            saved = SavedState.read(saved)
        parts, root = self._parts, self._parts.simulator.get_context()
        own, given = ({n: of.size for n, of in a.items()} for a in (arrays_of(root), saved.arrays))
        if saved.scenario != self._digest or given != own:
            raise RunError(
                f"restore: the state is not one of {self.scenario.name or 'this scenario'} in the "
                f"engine {self.engine}, as it was loaded here: load what it was saved from."
            )
        parts.recorder = None
        if self._steps is None:
            parts.simulator.reset_context(parts.diagram.CreateDefaultContext())
        put_arrays(parts.simulator.get_mutable_context(), saved.arrays)
        self._begin(saved.steps, saved.pushes)

    def clone(self) -> "Simulation":
        """Return another simulation at the same state, with the same parameters and pushes."""
        other = Simulation(self.scenario, self.engine)
        other._given, other._digest = self._given, self._digest
        other.restore(self.save())
        return other

    def set_parameters(self, **values: Any) -> None:  # noqa: ANN401 (of any field)
        """Change values of the scenario by their paths, between two steps.

        values: as ``LoadedScenario.set`` takes them. Friction, restitution, gravity and parameters
        of the controller that may change in a run cost a few milliseconds; anything else, such as
        ``mass_scale={"base": 1.2}``, builds the robot anew in tens of them, at the same state, and
        lets a controller begin anew and a recording end. Raises ScenarioError for unknown names,
        RunError at a state that is no longer finite, which Drake would take for a fault of its own.
        """
        if self._end and not np.isfinite(self.state).all():
            raise RunError("set_parameters: the state is not finite: reset or restore one first.")
        for path in values:
            if path.partition(".")[0] in _OF_START:
                raise ScenarioError(
                    f"set_parameters: {path} is of a simulation's start: load the scenario with "
                    "it, or give reset a seed or a state."
                )
        adjustable, scenario = self._interventions.adjustable(), self._parts.scenario
        given: dict[str, Any] = {n: float(of) for n, of in values.items() if _is_number(of)}
        short = {name: name.removeprefix("controller.") for name in given}
        adjusted = {short[name]: of for name, of in given.items() if short[name] in adjustable}
        known = {"gravity"} if scenario.static_friction is not None else {"gravity", "friction"}
        of_run = {name: of for name, of in given.items() if name in known}
        of_laws = len(given) == len(values) and values.keys() <= {*LAWS, "gravity"}
        fresh = replace(scenario, **given) if of_laws else changed(scenario, values)
        if len(adjusted) + len(of_run) == len(values):
            self._interventions.change(Change(controller=adjusted, **of_run), self._done)
            self._parts.scenario = fresh
            self._renew()
        else:
            self._become(fresh)

    def apply(self, push: Push | Mapping[str, Any]) -> None:
        """Push a link: from the step after the next one on, or from its start on.

        push: a group with link, force, duration, as of a scenario's ``pushes``; start [s]: 0 or
        left out for now. Raises ScenarioError for no such group, and a start that is past.
        """
        group = plain(push)
        check_types(group, Push, "apply", "push")
        given = Push(**group)
        check_pushes([given])
        if 0.0 < given.start < self.time - _EXACT:
            raise ScenarioError(
                f"apply: the push on '{given.link}' starts at {given.start:g} s, and it is "
                f"{self.time:g} s: leave start out for a push from now on."
            )
        self._interventions.push(given, self._done)
        self._renew()

    def record(self) -> RunResult:
        """Return the run since the last ``reset``, and end it: its trajectory, metrics and page.

        Torques that were not the scenario's make it a run of a controller of your own. Raises
        RunError for a simulation that records none.
        """
        parts, recorder, request = self._parts, self._parts.recorder, self._request
        if recorder is None:
            raise RunError(
                "record: nothing was recorded: make simulation(record=True), and reset it after "
                "restore, record, or parameters that build the robot anew."
            )
        recorder.close(parts.context, last=not self._end)
        status = Status.FAILED if self._end else Status.DONE
        otherwise = status, self._end, RunError(self._end) if self._end else None
        status, message, error = ended(recorder, otherwise)
        parts.recorder = None
        self._interventions.restore()
        hooks = Hooks(lambda: False, None)
        trajectory = with_ticks(parts.scenario, parts.diagram, recorder.finish(status, message))
        scenario = replace(self._recorded, duration=max(self.time, self._dt))
        if self._own_torques:
            scenario.controller = PythonObject(__name__, "Simulation.step")
        by_hand, wall_time = self._interventions.by_hand, clock.perf_counter() - self._started
        request = replace(request, scenario=scenario)
        run = results_of(request, Simulated(trajectory, error, wall_time, by_hand), hooks)
        self._end = self._end or "this run was recorded"
        self._holds = None
        return RunResult(by_hand.added_to(scenario), run)

    @property
    def plant(self) -> MultibodyPlant:
        """The continuous plant of the robot, for names and places; its contexts are not led."""
        return self._robot.plant

    @property
    def scenario(self) -> Scenario:
        """The scenario, as it was drawn and changed."""
        return self._parts.scenario

    @cached_property
    def _digest(self) -> str:
        """Digest of the scenario as it was loaded, whatever its seed, and of the engine."""
        text = dump_scenario(replace(self._given, seed=0)) + self.engine
        return sha256(text.encode()).hexdigest()

    def _build(self, scenario: Scenario, former: Layout | None = None) -> None:
        """Build the robot of a scenario, its engine, and what lies between.

        former: its layout, which must stay.
        """
        request = prepare(scenario, scenario.name or "scenario", self.engine)
        plant = request.robot.plant
        layout = layout_of(plant, request.robot.contacts)
        if former is not None and (layout, self._dt) != (former, request.scenario.time_step):
            raise ScenarioError(
                "set_parameters: that changes time_step or what there is: load another scenario."
            )
        parts = put_together(request.scenario, request.robot, self.engine, stepped=True)
        self._free()
        self._request, self._robot, self.layout, self._parts = request, request.robot, layout, parts
        self._free = finalize(self, let_go, self._parts.diagram)
        self._dt, self._nq = request.scenario.time_step, plant.num_positions()
        self._shape, system = (plant.num_actuators(),), self._parts.system
        self._periods: dict[float, int] = {}
        self._law_until = request.scenario.num_steps
        self._law_of_scenario = law_of(self._parts, self._law_until)
        self._is_moreau = isinstance(system, MoreauEngine)
        self._rolls = self._law_of_scenario is not None and request.scenario.sensors is None
        self._steps: Steps | None = None
        self._holds = None
        if isinstance(system, MoreauEngine):
            system.warm_up()
            if self._rolls and not self._records:
                self._steps = Steps(system)
        self._most = self._steps.most if self._steps else 1_000_000
        if self.engine == CONTINUOUS:  # whose integrator ends a step of its own with each
            self._most = 1
        self._interventions = Interventions(self._parts)
        planar = request.robot.contacts.dim == 2
        self._axes = ContactAxes(plant, plant.CreateDefaultContext(), planar=planar)
        self._readers: tuple[FallDetector, EnergyReader] | None = None

    @property
    def _reading(self) -> tuple[FallDetector, EnergyReader]:
        """Readers of falls and energies, made when they are asked first."""
        if self._readers is None:
            plant, surface = self._robot.plant, self._robot.model.surface
            falls = FallDetector(plant, self.scenario.fallen_below, surface)
            self._readers = falls, EnergyReader(plant, falls.frames)
        return self._readers

    def _begin(self, done: int, pushes: tuple[LinkPush, ...]) -> None:
        """Go on after so many steps, with what the engine's context holds."""
        self._interventions.restart(pushes)
        self._in_context, self._end = done, ""
        root = self._parts.simulator.get_mutable_context()
        root.SetTime(done * self._dt)
        if self._steps is not None:
            self._steps.begin(self._parts.context, done)
        else:
            if not self._is_moreau and self.scenario is not self._request.scenario:
                self._interventions.take_laws(self.scenario)  # which were in the context before
            self._choose(None)
            self._parts.simulator.Initialize()
        self._renew()

    def _renew(self) -> None:
        """Find out anew whether a step under torques needs nothing but its kernel."""
        system, steps, self._holds = self._parts.system, self._steps, None
        if steps is not None and isinstance(system, MoreauEngine) and system.is_plain:
            self._holds = None if self.scenario.changes or self._end else steps.hold

    def _become(self, fresh: Scenario) -> None:
        """Let the scenario be another one, at the same state."""
        old = self._parts.scenario
        with np.printoptions(precision=17, floatmode="unique", threshold=2**62):
            names = {
                field.name
                for field in fields(fresh)
                if repr(getattr(fresh, field.name)) != repr(getattr(old, field.name))
            }
        by_chance = (
            fresh.random_pushes is not None or fresh.sensors is not None,
            fresh.actuators is not None or isinstance(fresh.terrain, RoughGround),
        )
        if names <= {*LAWS, "seed"} and not ("seed" in names and any(by_chance)):
            if names - {"seed"}:
                self._interventions.take_laws(fresh)  # which may refuse them
                self._interventions.note(f"{', '.join(sorted(names))} change", self._done)
            self._parts.scenario = fresh
            self._renew()
            return
        done, state, pushes = self._done, self.state, self._interventions.pushes
        own = "pushes" in names or pushes == self._robot.pushes  # none by hand, or they are gone
        self._build(fresh, self.layout)
        self._parts.system.set_state(self._parts.context, state)
        self._begin(done, self._robot.pushes if own else pushes)

    def _count(self, duration: float) -> int:
        """Count the steps of a period [s]; raises ScenarioError unless they are whole."""
        steps = duration / self._dt if _is_number(duration) else 0.0
        count = round(steps)
        if count < 1 or abs(steps - count) > _EXACT * count:
            raise ScenarioError(
                f"step: duration {duration} s is no whole number of time steps of {self._dt:g} s."
            )
        self._periods[duration] = count
        return count

    def _refused(self, torques: Array) -> ScenarioError:
        names = self.layout.actuator
        if torques.shape != self._shape:
            told = f"{len(names)} numbers, of {', '.join(names)}" if names else "none"
            return ScenarioError(f"step: torques have the shape {torques.shape}: give {told}.")
        bad = names[int(np.argmin(np.abs(torques) < _LARGEST / len(names)))]
        return ScenarioError(f"step: the torque of '{bad}' is no finite number.")

    def _checked_state(self, given: npt.ArrayLike) -> Array:
        state = numbers("reset: states are", given).copy()
        count = self._robot.plant.num_multibody_states()
        if state.shape != (count,) or not np.isfinite(state).all():
            names = ", ".join((*self.layout.position, *self.layout.velocity))
            raise ScenarioError(f"reset: state is not {count} finite numbers, of {names}.")
        return with_unit_quaternions(state, quaternion_places(self._robot.plant), "reset")

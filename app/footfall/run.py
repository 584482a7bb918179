"""Running a scenario: what it asks of an engine, and the metrics and claims that it leaves."""

import itertools
import logging
import math
import multiprocessing
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr
from numpy.linalg import LinAlgError

from footfall.control.own_system import OwnSystem
from footfall.energy.verdict import with_verdict
from footfall.engine_names import MACHINE_ENGINES, require_abilities
from footfall.engines.ports import DIVERGED
from footfall.errors import FootfallError, RunError, ScenarioError, UnexpectedError
from footfall.feet import Feet, find_feet, robot_metrics, with_feet
from footfall.interrupt import hearing_ctrl_c, note_begun
from footfall.interventions import ByHand
from footfall.metrics import Metric
from footfall.plants.fall_detection import FallDetector
from footfall.plants.messages import listening
from footfall.recorder.observers import Observers
from footfall.registry.claims import Claim
from footfall.registry.closed_form import is_motored
from footfall.registry.context import MachineContext
from footfall.registry.machine import BASELINE, Machine
from footfall.registry.machines import get_machine
from footfall.scenario.assemble import (
    Robot,
    build_robot,
    require_machine_of,
)
from footfall.scenario.context import context_of
from footfall.scenario.io import drawn
from footfall.scenario.schema import Scenario
from footfall.simulation import (
    Conductor,
    Hooks,
    Progress,
    RowByRow,
    Simulated,
    simulate,
)
from footfall.trajectory import Event, Status, Trajectory
from footfall.trajectory.events import FALLEN, MOVED_START, NOT_COMPUTED
from footfall.trajectory.measures import (
    common_measures,
    control_measures,
    push_measures,
    settling_measures,
)
from footfall.trajectory.netcdf import RowsFile
from footfall.trajectory.observables import observable_metrics

_LOG = logging.getLogger("footfall.run")
_UNTOUCHED = ByHand()
_MANY = 1000  # runs of a process, of each of which Drake 1.51 keeps a diagram
_runs = itertools.count(1)

Keep = Callable[[str, Mapping[str, float], Trajectory], RowsFile]
"""Makes the file of a run's rows out of its engine, what was moved of its start, and its start."""


@dataclass(frozen=True)
class Run:
    """A finished run: its trajectory, metrics in SI, claims.

    The error that ended it, if one did. drake_log: Drake's warnings, those that need no action left
    out. moved: coordinates of the start that were moved onto loops and joint limits. by_hand: what
    whoever watched it did to it. robot: the model that was simulated, for the report, which would
    read it again; None where it was changed by hand. faults: that nobody foresaw, in what follows
    the simulation or in itself.
    """

    engine: str
    trajectory: Trajectory
    metrics: dict[str, Metric]
    claims: Sequence[Claim]
    wall_time: float
    error: FootfallError | None = field(default=None)
    drake_log: Sequence[str] = ()
    moved: Mapping[str, float] = field(default_factory=dict)
    by_hand: ByHand = field(default_factory=ByHand)
    robot: Robot | None = field(default=None, repr=False, compare=False)
    faults: Sequence[UnexpectedError] = ()


def run_scenario(
    scenario: Scenario,
    name: str,
    engine: str | None = None,
    *,
    report: Callable[[Progress], None] | None = None,
    conductor: Conductor | None = None,
    keep: Keep | None = None,
) -> Run:
    """Simulate a scenario with its own engine or the one named.

    report is called now and then, and after the last step; conductor leads the run from step to
    step, and may let it begin anew; keep makes the file that rows are added to as they come. Faults
    of the run itself (divergence, an unsolvable contact problem, Ctrl-C) end it with what was
    computed so far, what cannot be worked out of it is an event; faults of the request raise
    ScenarioError or ModelError.
    """
    _count_run()
    engine = engine or scenario.engine
    with hearing_ctrl_c(begun=False) as interrupted, listening() as said:
        request = prepare(scenario, name, engine)
        scenario, robot, machine = request.scenario, request.robot, request.machine
        file = partial(keep, engine, robot.moved) if keep is not None else None
        hooks = Hooks(interrupted, report, conductor, file)
        if machine is not None and engine in MACHINE_ENGINES:
            simulated = _by_machine(machine, request, hooks)
        else:
            simulated = simulate(scenario, robot, engine, hooks)
        run = results_of(request, simulated, hooks)
    return replace(run, drake_log=tuple(dict.fromkeys(said)))


@dataclass(frozen=True, eq=False)
class Request:
    """A run that can be simulated, its scenario as it was drawn; what is worked out of it later."""

    scenario: Scenario
    name: str
    engine: str
    machine: Machine | None
    robot: Robot
    feet: Feet | None
    context: MachineContext
    observers: Observers


def prepare(scenario: Scenario, name: str, engine: str) -> Request:
    """Return the request of a run; raises ScenarioError or ModelError for one that is wrong."""
    scenario = drawn(scenario, name)
    if scenario.analysis is not None:
        raise ScenarioError(
            f"{name} asks for an analysis, not for one simulation: use footfall run, or set "
            "analysis=null."
        )
    machine = get_machine(scenario.machine)
    _require_engine(engine, machine)
    robot = build_robot(scenario)
    if machine is not None:
        require_machine_of(machine, robot.model, robot.contacts)
    feet = _feet(scenario, robot)
    context = context_of(scenario, robot)
    _require_knows(engine, scenario, robot, machine, context)
    observers = Observers(scenario, robot)
    return Request(scenario, name, engine, machine, robot, feet, context, observers)


def results_of(request: Request, simulated: Simulated, hooks: Hooks) -> Run:
    """Work observables, metrics and claims out of a simulation that is over."""
    scenario, machine, context = request.scenario, request.machine, request.context
    trajectory, error, wall_time, by_hand = simulated
    with hooks.attempting("observables"):
        trajectory = request.observers.observe(trajectory, hooks.interrupted)
    results = _Results(trajectory, {})
    with hooks.attempting("metrics"):
        results.metrics |= common_measures(trajectory, wall_time)
    with hooks.attempting("motion of feet"):
        results.add_feet(scenario, request.robot, request.feet)
    results.add_references(machine, context, hooks)
    with hooks.attempting(f"metrics of {scenario.machine or 'the robot'}"):
        results.metrics |= push_measures(trajectory) | control_measures(trajectory)
        if machine is None:  # a machine of one's own, of which nothing else is known
            results.metrics |= settling_measures(trajectory)
        elif len(trajectory.data["time"]) > 1:
            # a machine's own come first
            results.metrics = machine.measures(results.trajectory, context) | results.metrics
    if machine is not None and len(trajectory.data["time"]) > 1:
        results.compare(machine, request, hooks)
    with hooks.attempting("metrics of observables"):
        results.metrics |= observable_metrics(results.trajectory.data)
    return Run(
        request.engine,
        results.told(hooks.faults),
        results.metrics,
        results.claims,
        wall_time,
        error,
        moved=request.robot.moved,
        by_hand=by_hand,
        robot=None if by_hand.changes else request.robot,
        faults=(*([error] if isinstance(error, UnexpectedError) else []), *hooks.faults),
    )


def _count_run() -> None:
    """Say once that a process has simulated so often that what Drake keeps matters."""
    if next(_runs) == _MANY and multiprocessing.parent_process() is None:
        _LOG.warning(
            "footfall: this is run %d of one process, and Drake keeps some 0.1 to 0.5 MB of each: "
            "let footfall.sweep, or processes that end, share them.",
            _MANY,
        )


def _by_machine(machine: Machine, request: Request, hooks: Hooks) -> Simulated:
    """Compute a trajectory in an engine that only its machine has."""
    scenario, robot, engine, context = (
        request.scenario,
        request.robot,
        request.engine,
        request.context,
    )
    rows = RowByRow(scenario, robot, engine, hooks)
    started = _ready(machine, context)
    try:
        trajectory = machine.engines[engine](replace(context, on_row=rows))
    except (ArithmeticError, LinAlgError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise RunError(
            f"engine {engine} cannot go on ({reason}): use a smaller time_step or softer gains."
        ) from error
    trajectory = _judged(trajectory, engine, lambda: rows.ended or hooks.interrupted())
    rows.close()
    moved = (Event(0.0, MOVED_START, line) for line in robot.start_notes)
    trajectory = replace(trajectory, events=(*moved, *trajectory.events))
    hooks.tell_of_start(trajectory.events, context.duration)
    wall_time = time.perf_counter() - started
    if hooks.keep is not None:
        hooks.keep(trajectory).close()
    with hooks.attempting("energy verdict"):
        published = machine.published_step is not None and machine.published_step(context)
        trajectory = with_verdict(trajectory, scenario, robot, engine, published_step=published)
    return Simulated(trajectory, None, wall_time, _UNTOUCHED)


@dataclass(eq=False)
class _Results:
    """Results that are worked out of a run that is over, part by part."""

    trajectory: Trajectory
    metrics: dict[str, Metric]
    claims: Sequence[Claim] = ()
    baseline: Mapping[str, Metric] = field(default_factory=dict)

    def add_feet(self, scenario: Scenario, robot: Robot, feet: Feet | None) -> None:
        """Add what the feet did, and the metrics of a robot."""
        if feet is not None:
            trajectory = with_feet(self.trajectory, robot.model, robot.contacts, feet)
            low = _too_low(scenario, robot, trajectory)
            self.trajectory = trajectory
            self.metrics |= robot_metrics(trajectory, robot.model, feet, low)

    def add_references(
        self, machine: Machine | None, context: MachineContext, hooks: Hooks
    ) -> None:
        """Add what a machine is to track, which its metrics may read."""
        rows = len(self.trajectory.data["time"])
        if machine is not None and machine.references is not None and rows > 1:
            with hooks.attempting("reference"):
                self._add(machine.references(self.trajectory, context))

    def compare(self, machine: Machine, request: Request, hooks: Hooks) -> None:
        """Add the run with which a machine compares this one, and its claims."""
        scenario, context, name = request.scenario, request.context, request.name
        with hooks.attempting("baseline"):
            values = dict(machine.baseline(context)) if machine.baseline is not None else {}
            self.add_baseline(values, scenario, name, request.engine)
        if not _is_own(scenario):  # which nobody published
            with hooks.attempting("claims"):
                self.add_claims(machine, context, name)

    def add_claims(self, machine: Machine, context: MachineContext, name: str) -> None:
        """Add claims of a machine, on the run or on how it differs from its baseline."""
        of_baseline = {f"{BASELINE}{metric}": value for metric, value in self.baseline.items()}
        claims = machine.claims(name, context, self.metrics | of_baseline)
        self.claims = _due(self.trajectory, claims)

    def add_baseline(
        self, values: Mapping[str, Any], scenario: Scenario, name: str, engine: str
    ) -> None:
        """Add the metrics of the same run with other values of the scenario, if they differ."""
        if self.trajectory.status is Status.DONE and _differs(scenario, values):
            bare = run_scenario(replace(scenario, **values), name, engine)
            if bare.trajectory.status is Status.DONE:
                self.baseline = bare.metrics

    def told(self, faults: Sequence[UnexpectedError]) -> Trajectory:
        """Return the trajectory with an event of each fault."""
        time = self.trajectory.data["time"].to_numpy()[-1:].sum()
        lost = [Event(float(time), NOT_COMPUTED, str(fault).rstrip(".")) for fault in faults]
        return replace(self.trajectory, events=(*self.trajectory.events, *lost))

    def _add(self, more: xr.Dataset) -> None:
        """Add variables, which have other names than those that are there."""
        data = self.trajectory.data.merge(more, compat="no_conflicts")
        self.trajectory = replace(self.trajectory, data=data)


def _due(trajectory: Trajectory, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Claims that can be judged: of a run that failed or fell those on it, of one cut off none."""
    if trajectory.status not in (Status.DONE, Status.FAILED):
        return ()
    whole = trajectory.status is Status.DONE
    whole &= not any(event.kind == FALLEN for event in trajectory.events)
    known = (one for one in claims if not math.isnan(one.value))
    return tuple(one for one in known if whole or one.about_end)


def _feet(scenario: Scenario, robot: Robot) -> Feet | None:
    """Feet of a robot; of a machine, which has observables of its own, only if they are named."""
    if scenario.machine and not scenario.feet:
        return None
    return find_feet(robot.model, robot.contacts, robot.initial_state, scenario.feet)


def _too_low(scenario: Scenario, robot: Robot, trajectory: Trajectory) -> str:
    """Say which link is lower at the end of a run than its scenario allows; empty if none is."""
    data = trajectory.data
    if data.sizes["time"] == 0:
        return ""
    context = robot.plant.CreateDefaultContext()
    robot.plant.SetPositions(context, data["q"].to_numpy()[-1])
    falls = FallDetector(robot.plant, scenario.fallen_below, robot.model.surface)
    return falls.fallen(context)


def _differs(scenario: Scenario, values: Mapping[str, object]) -> bool:
    """Return whether a field of a scenario has another value than the one given for it."""
    return any(getattr(scenario, name) != value for name, value in values.items())


def _require_engine(engine: str, machine: Machine | None) -> None:
    """Raise ScenarioError for an engine that only machines have, and this scenario's has not."""
    own = tuple(machine.engines) if machine is not None else ()
    if engine in MACHINE_ENGINES and engine not in own:
        raise ScenarioError(
            f"engine {engine}: this scenario names no machine with such an engine; choose one of "
            f"{', '.join(('moreau', 'drake', *own))}."
        )


def _is_own(scenario: Scenario) -> bool:
    """Return whether a system of the user's drives the machine."""
    return isinstance(scenario.controller, OwnSystem)


def _require_knows(
    engine: str, scenario: Scenario, robot: Robot, machine: Machine | None, context: MachineContext
) -> None:
    """Raise ScenarioError for what an engine does not know of a scenario."""
    motored = machine is not None and engine in machine.motored
    asked = {
        "a controller of your own": _is_own(scenario),
        "a solver or law of your own": bool(scenario.moreau.own),
        "changes": bool(scenario.changes),
        "sensors": scenario.sensors is not None,
        "actuators": scenario.actuators is not None,
        "pushes": bool(robot.pushes),
        "record_every": scenario.record_every > 1,
        "ground that is no plane": robot.model.surface is not None,
        "motors": not motored and is_motored(context.model),
    }
    require_abilities(engine, asked)
    if machine is not None and machine.check_engine is not None:
        machine.check_engine(engine, context)
    if scenario.record_every > 1 and machine is not None and not machine.any_rows:
        raise ScenarioError(
            f"record_every is {scenario.record_every}, and the metrics of {machine.name} are read "
            "off every step: leave it at 1."
        )


def _ready(machine: Machine, context: MachineContext) -> float:
    """Let a machine compile its kernels, so that a run's time is that of the run; say when."""
    if machine.warm_up is not None:
        machine.warm_up(context)
    note_begun()
    return time.perf_counter()


def _judged(trajectory: Trajectory, engine: str, interrupted: Callable[[], bool]) -> Trajectory:
    """Mark a run of a machine's own engine that was interrupted, heard at its end, or diverged."""
    if interrupted():
        return replace(trajectory, status=Status.INTERRUPTED, message="interrupted")
    largest = float(np.abs(trajectory.data["v"].to_numpy()).max(initial=0.0))
    if trajectory.status is Status.DONE and not largest < DIVERGED:
        message = f"engine {engine} diverges to {largest:.1g} m/s: use a smaller time_step."
        return replace(trajectory, status=Status.FAILED, message=message)
    return trajectory

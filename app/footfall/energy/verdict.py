"""Verdict on a run's account of energy: reported gains, failure, remedy."""

from collections.abc import Mapping
from dataclasses import replace

from footfall.arrays import Array
from footfall.engine_names import CENIC, CONTINUOUS, MACHINE_ENGINES
from footfall.engines.moreau_config import FIRST_ORDER, MIDPOINT
from footfall.plants.coordinates import moving_mass
from footfall.scenario.assemble import Robot
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event, Status, Trajectory
from footfall.trajectory.energy_watch import COLUMNS, FAILED_LOSS, Change, Changes, EnergyWatch
from footfall.trajectory.events import ENERGY_DRIFT

_FINER = 0.1  # of a step or an accuracy: a tenth of a tenth hardly shows
_WITHOUT_ESTIMATE = ("explicit_euler", "semi_explicit_euler")  # of their error


class EnergyVerdict:
    """Watches the energy of a run of a scenario in an engine, and has the words for it."""

    def __init__(self, scenario: Scenario, robot: Robot, engine: str) -> None:
        """Take what is run; engine: by its name."""
        # Drake tells no work of loops, gears and limits, which may store and give back; that of
        # its contacts follows from impulses and velocities that are not of one time
        contacts, drake = robot.contacts, engine.startswith("drake")
        untold = bool(contacts.limits) or bool(robot.model.constraints)
        estimated = contacts.num_touching > 0
        self._watch = EnergyWatch(
            moving_mass(robot.plant),
            complete=not (drake and untold),
            losses=not (drake and estimated),
        )
        self._both = (self._watch.gains, self._watch.losses)
        self._advice = _advice(scenario, engine)
        first_order = engine == "moreau" and scenario.moreau.scheme == FIRST_ORDER
        self._better = f"use moreau.scheme={MIDPOINT}, or " if first_order else ""

    def look(self, time: Array, columns: Mapping[str, Array], *, last: bool) -> None:
        """Take rows that follow those before, as `EnergyWatch` does; last: no others follow."""
        self._watch.look(time, columns)
        if last:
            self._watch.close()

    @property
    def failure(self) -> str:
        """The line on a change that fails a run; empty while there is none."""
        failed = [self._line(one, one.failed) for one in self._both if one.failed]
        return f"{failed[0]}." if failed else ""

    @property
    def largest(self) -> tuple[float, float]:
        """Greatest shares of the energy in play that were gained and lost."""
        gain, loss = (one.largest.share if one.largest else 0.0 for one in self._both)
        return gain, loss

    def events(self) -> list[Event]:
        """The events of a run that gains or loses more than a scheme should, when it begins to."""
        return [
            Event(one.reported.time, ENERGY_DRIFT, self._line(one, one.largest))
            for one in self._both
            if one.reported and one.largest
        ]

    def _line(self, one: Changes, change: Change) -> str:
        if one is self._watch.gains:
            return f"numerical error gives {change}: {self._advice}"
        return f"numerical error takes {change}: {self._better}{self._advice}"


def with_verdict(
    trajectory: Trajectory,
    scenario: Scenario,
    robot: Robot,
    engine: str,
    *,
    published_step: bool = False,
) -> Trajectory:
    """Return a trajectory of a machine's own engine with the event of its gain, if it has one.

    It fails nothing: such an engine may be held to the errors of the paper that it follows.
    published_step: its step is that of the paper, so that only what makes up most of the energy in
    play is told. A run that failed has said why.
    """
    if trajectory.status is Status.FAILED:
        return trajectory
    verdict = EnergyVerdict(scenario, robot, engine)
    columns = {name: trajectory.data[name].to_numpy() for name in COLUMNS}
    verdict.look(trajectory.data["time"].to_numpy(), columns, last=True)
    drifts = verdict.events()
    if not drifts or (published_step and max(verdict.largest) < FAILED_LOSS):
        return trajectory
    events = sorted([*trajectory.events, *drifts], key=lambda event: event.time)
    return replace(trajectory, events=tuple(events))


def _advice(scenario: Scenario, engine: str) -> str:
    """Return what makes the numerical error of an engine less."""
    simulator = scenario.simulator
    if engine in MACHINE_ENGINES:
        return "use smaller steps (simulator.max_step_size or time_step, as the machine takes them)"
    if engine == CENIC:
        return f"use a smaller drake.accuracy, such as {_FINER * scenario.drake.accuracy:.1g}"
    if engine != CONTINUOUS:
        finer = f"use a smaller time_step, such as {_FINER * scenario.time_step:.2g}"
        recovering = (
            engine == "moreau" and scenario.moreau.recover_gaps
        )  # which lifts, step by step
        return f"{finer}, or moreau.recover_gaps=false" if recovering else finer
    if simulator.use_error_control and simulator.integration_scheme not in _WITHOUT_ESTIMATE:
        return f"use a smaller simulator.accuracy, such as {_FINER * simulator.accuracy:.1g}"
    return "use a smaller simulator.max_step_size, or a scheme with error control"

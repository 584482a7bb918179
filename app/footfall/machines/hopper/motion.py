"""The event-driven motion of a hopper as a function of time, and what is exact only along it.

Rows of a trajectory are steps apart, and where the torque jumps a row has that of one side alone.
Extrema along the motion itself are found along the interpolants of the integrator, by Chebyshev
interpolants halved until they are resolved to 1e-9 of their size: least values are as accurate as
the interpolants are, 1e-9 in rad, m and N m at the tolerances of `footfall.hybrid.Options`. P
slides without turning back within a phase, so that X_start and X_end of a jump are states of
events, exact to the tolerances of the integration.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.hybrid import Ending, FlowSegment, HybridRun, Options, Transition, simulate
from footfall.hybrid.contact import mode_of, phase_of
from footfall.hybrid.crossing import monotone_intervals
from footfall.machines.hopper.closed_form.model import (
    CONTACT_POINTS,
    Hopper,
    JumpMargins,
    P,
    margins,
    position,
)
from footfall.machines.hopper.closed_form.phases import JumpPhase, force
from footfall.machines.hopper.control import torque_law_of
from footfall.machines.hopper.model import exact_parameters
from footfall.machines.hopper.observables import JumpObservables, PhaseInterval, judged
from footfall.machines.hopper.system import (
    HopperSystem,
    SaturatedMotor,
    TorqueLaw,
    begin,
    ending_of,
)
from footfall.registry.context import MachineContext

# A motion is given up after so many events, or steps of the integrator: in a closed loop of large
# gains the torque runs from bound to bound thousands of times a second, or wants steps of
# nanoseconds. A jump takes a hundred steps, and bounces that end some hundred events.
_OPTIONS = Options(most_events=1000)
_MOST_STEPS = 20_000
_MOST_TIME = 10.0  # s; what has not landed by then does not jump
_ON_GROUND = 1e-9  # m; a height that is meant to be 0
_AT_REST = 1e-12  # m/s
# what a margin may be below zero by and still counts as kept: bounds are meant to be reached
_SLACK = 1e-9
# heights say whether points are on the ground, which is no fault
CONSTRAINTS = tuple(name for name in JumpMargins._fields if not name.startswith("height"))


class MarginCrossing(NamedTuple):
    """A margin that is lost, or kept again, at a time [s]."""

    time: float
    name: str
    violated: bool


class MarginHistory(NamedTuple):
    """Least margins of every phase of a run, and where one is lost or kept again."""

    least: tuple[JumpMargins, ...]
    crossings: tuple[MarginCrossing, ...]

    @property
    def over_all(self) -> JumpMargins:
        """Least margins of the whole run."""
        return JumpMargins(*np.min(np.array(self.least), axis=0).tolist())


@dataclass(frozen=True)
class EventDrivenMotion:
    """A machine and its drive, the state (8,) that it starts in, what was chosen there, the run.

    States of the run are (10,), see `footfall.machines.hopper.system`.
    """

    machine: Hopper
    drive: TorqueLaw
    start: Array
    first: Transition
    run: HybridRun

    @property
    def given_up(self) -> bool:
        """Return True after too many events or steps, whose margins would take for ever."""
        return self.run.ending in (Ending.TOO_MANY_EVENTS, Ending.STOPPED)

    @cached_property
    def jump(self) -> JumpObservables:
        """The motion read as a jump; rows of its phases are ends of the run's pieces."""
        segments = self.run.segments
        impact_times = {event.time for event in self.run.events if "impulse" in event.outputs}
        phases = [phase_of(segment.mode) for segment in segments]
        begins = [
            k
            for k, segment in enumerate(segments)
            # a flight from impact to impact is one of its own
            if k == 0 or phases[k] is not phases[k - 1] or segment.start in impact_times
        ]
        intervals = tuple(
            PhaseInterval(phases[a], segments[a].start, segments[b - 1].end, slice(2 * a, 2 * b))
            for a, b in zip(begins, [*begins[1:], len(segments)], strict=False)
        )
        lands = self.run.events[-1].guard[0] if self.run.ending is Ending.GUARD else ""
        ends = [end for one in segments for end in ((one.start, one.x_start), (one.end, one.x_end))]
        time = np.array([end[0] for end in [*ends, (self.run.time, self.run.state)]])
        x = np.array([end[1][:8] for end in [*ends, (self.run.time, self.run.state)]]).T
        jump = judged(intervals, -1, lands, time, x, self.machine)
        ended = self.run.ending in (Ending.GUARD, Ending.END_OF_TIME)
        return jump if ended else replace(jump, why=ending_of(self.run))

    @cached_property
    def margin_history(self) -> MarginHistory:
        """Margins over the motion, the torque the one that is commanded."""
        motor = SaturatedMotor(self.drive, self.machine.parameters.tau_max)
        least: list[JumpMargins] = []
        crossings: list[MarginCrossing] = []
        inside = dict.fromkeys(CONSTRAINTS, True)
        for segment in self.run.segments:
            lowest = {}
            for name in JumpMargins._fields:
                along = partial(_along, self.machine, motor, segment, name)
                # ends and extrema
                times = monotone_intervals(along, segment.start, segment.end, np.inf)
                values = along(times)
                lowest[name] = float(values.min())
                if name in inside:
                    crossings += _crossings(name, along, times, values, inside[name])
                    inside[name] = bool(values[-1] + _SLACK >= 0.0)
            least.append(JumpMargins(**lowest))
        return MarginHistory(tuple(least), tuple(sorted(crossings)))

    @property
    def holds(self) -> bool:
        """Return whether it is a jump that keeps all margins; heights of points are none."""
        if self.jump.why:
            return False
        least = self.margin_history.over_all
        return all(getattr(least, name) >= -_SLACK for name in CONSTRAINTS)

    def least_margins(self, intervals: Iterable[PhaseInterval]) -> JumpMargins | None:
        """Smallest margins over some phases of P; None without any, or in a run given up."""
        inside = [] if self.given_up else _pieces_in(self.run, intervals)
        least = [self.margin_history.least[number] for number in inside]
        return JumpMargins(*np.min(np.array(least), axis=0).tolist()) if least else None

    def friction_ratio(self, intervals: Iterable[PhaseInterval]) -> float:
        """Largest |lambda_t|/lambda_n of P in those of some phases that it sticks in; else NaN."""
        pieces = [self.run.segments[number] for number in _pieces_in(self.run, intervals)]
        ratios = [self._ratio(one) for one in pieces if phase_of(one.mode) is JumpPhase.STICK]
        return max(ratios, default=np.nan)

    def _ratio(self, segment: FlowSegment) -> float:
        """The same of one piece of stick."""
        motor, key = (
            SaturatedMotor(self.drive, self.machine.parameters.tau_max),
            mode_of(segment.mode),
        )

        def ratio(t: Array) -> Array:
            x = segment.path(t)[:8]
            along, up = force(self.machine, JumpPhase.STICK, x, motor.torque(key, t, x))
            return np.asarray(along / up)

        breaks = monotone_intervals(ratio, segment.start, segment.end, np.inf)
        return float(np.abs(ratio(breaks)).max())


def motion_from(
    machine: Hopper,
    drive: TorqueLaw,
    x0: npt.ArrayLike,
    most_time: float = _MOST_TIME,
    options: Options = _OPTIONS,
    impact_machine: Hopper | None = None,
) -> EventDrivenMotion:
    """Simulate from x0 (8,), with P on the ground, until Q or R lands; most_time [s].

    impact_machine: the hopper as P's landing has it, if that is another one. Raises
    ScenarioError for a start that is none.
    """
    x = _checked_start(machine, np.asarray(x0, dtype=np.float64), "jump", standing=True)
    return _simulated(machine, drive, x, most_time, options, impact_machine)


@lru_cache(maxsize=1)  # the engine asks for it, and then the measures of the same run
def motion_of(context: MachineContext) -> EventDrivenMotion:
    """Simulate a scenario; raises ScenarioError for a start or a controller that it cannot take."""
    machine = Hopper(exact_parameters(context.model, context.contacts))
    drive = torque_law_of(context.controller, context.model, context.contacts)
    x = _checked_start(machine, context.initial_state, "engine hybrid", standing=False)
    end = round(context.duration / context.time_step) * context.time_step
    return _simulated(machine, drive, x, end)


def _simulated(
    machine: Hopper,
    drive: TorqueLaw,
    x: Array,
    end: float,
    options: Options = _OPTIONS,
    impact_machine: Hopper | None = None,
) -> EventDrivenMotion:
    first, steps = begin(machine, drive, x), count()
    system = HopperSystem(machine, drive, impact_machine).system()

    def stopped() -> bool:
        return next(steps) >= _MOST_STEPS

    run = simulate(system, first.mode, first.state, (0.0, end), options, stopped=stopped)
    return EventDrivenMotion(machine, drive, x, first, run)


def _pieces_in(run: HybridRun, intervals: Iterable[PhaseInterval]) -> list[int]:
    """Numbers of the run's pieces that lie in some phases of P, whose bounds are theirs."""
    spans = [(one.start, one.end) for one in intervals]
    middles = [0.5 * (segment.start + segment.end) for segment in run.segments]
    return [
        number
        for number, middle in enumerate(middles)
        if any(start <= middle <= end for start, end in spans)
    ]


def _along(
    machine: Hopper, motor: SaturatedMotor, segment: FlowSegment, name: str, t: Array
) -> Array:
    """A margin at times (k,) of a phase, (k,)."""
    states = segment.path(t)[:8]
    torque = motor.command(mode_of(segment.mode), t, states)
    return np.array(np.broadcast_to(getattr(margins(machine, states, torque), name), t.shape))


def _crossings(
    name: str, along: Callable[[Array], Array], times: Array, values: Array, before: bool
) -> Iterator[MarginCrossing]:
    """Times at which a margin changes over in a phase; before: whether it is kept up to there."""
    inside = values + _SLACK >= 0.0
    if inside[0] != before:
        yield MarginCrossing(float(times[0]), name, before)
    for k in np.flatnonzero(inside[1:] != inside[:-1]):
        time = brentq(
            lambda t: float(along(np.array([t]))[0]) + _SLACK,
            times[k],
            times[k + 1],
            xtol=1e-14,
            rtol=1e-14,
        )
        yield MarginCrossing(float(time), name, bool(inside[k]))


def _checked_start(machine: Hopper, state: Array, where: str, *, standing: bool) -> Array:
    """A start x (8,), its P exactly on the ground where it is meant to be there.

    where: what refuses, for the message. standing: whether P has to be on the ground. A line PR
    that leans too far is no fault here. Raises ScenarioError for the rest.
    """
    x = np.array(state, dtype=np.float64)
    if x.shape != (8,) or not np.isfinite(x).all():
        raise ScenarioError(f"{where}: the start has to be 8 finite numbers, got {x.tolist()}.")
    _require_unfolded(x, where)
    if abs(x[1]) <= _ON_GROUND:
        x[1] = 0.0
        x[5] = 0.0 if abs(x[5]) <= _AT_REST else x[5]
    if x[1] < 0.0 or (standing and x[1] > 0.0):
        side = "in" if x[1] < 0.0 else "above"
        raise ScenarioError(
            f"{where}: P is {abs(x[1]):.3g} m {side} the ground at the start: set z to 0."
        )
    if x[1] == 0.0 and x[5] < 0.0:
        raise ScenarioError(
            f"{where}: P moves into the ground at {-x[5]:.3g} m/s at the start: set the velocity "
            "of z to 0, or start above the ground."
        )
    _require_above(machine, x, where)
    return x


def _require_unfolded(x: Array, where: str) -> None:
    if abs(x[3]) >= math.pi:
        raise ScenarioError(
            f"{where}: theta2 is {math.degrees(x[3]):.4g} degrees at the start, where the links "
            "are folded or beyond: give an angle between -180 and 180."
        )


def _require_above(machine: Hopper, x: Array, where: str) -> None:
    for point in CONTACT_POINTS:
        height = float(position(machine, x, point)[1])
        if point is not P and height <= _ON_GROUND:
            raise ScenarioError(
                f"{where}: {point.name} is at a height of {height:.3g} m at the start, where the "
                "jump ends: choose theta1 and theta2 so that it is above the ground."
            )

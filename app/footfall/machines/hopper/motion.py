"""The event-driven motion of a scenario as a function of time, and what is exact only along it.

Rows of a trajectory are steps apart, and where the torque jumps a row has that of one side alone.
Extrema along the motion itself are as accurate as `jump_validity` has them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count

import numpy as np

from footfall.arrays import Array
from footfall.hybrid import Ending, FlowSegment, HybridRun, Options, Transition, simulate
from footfall.hybrid.contact import mode_of, phase_of
from footfall.hybrid.crossing import monotone_intervals
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase, force
from footfall.machines.hopper.closed_form.points import JumpMargins
from footfall.machines.hopper.control import torque_law_of
from footfall.machines.hopper.initial_state import checked_initial_state
from footfall.machines.hopper.jump_validity import MarginHistory, follow_margins
from footfall.machines.hopper.model import exact_parameters
from footfall.machines.hopper.observables import PhaseInterval
from footfall.machines.hopper.system import SaturatedMotor, TorqueLaw, begin, hopper_system
from footfall.registry.context import MachineContext

# A motion is given up after so many events, or steps of the integrator: in a closed loop of large
# gains the torque runs from bound to bound thousands of times a second, or wants steps of
# nanoseconds. A jump takes a hundred steps, and bounces that end some hundred events.
_OPTIONS = Options(most_events=1000)
_MOST_STEPS = 20_000


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
    def margin_history(self) -> MarginHistory:
        """Margins over the motion; computed when they are first asked for."""
        return follow_margins(self.machine, self.drive, self.run)

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


@lru_cache(maxsize=1)  # the engine asks for it, and then the measures of the same run
def motion_of(context: MachineContext) -> EventDrivenMotion:
    """Simulate a scenario; raises ScenarioError for a start or a controller that it cannot take."""
    machine = Hopper(exact_parameters(context.model, context.contacts))
    drive = torque_law_of(context.controller, context.model, context.contacts)
    x = checked_initial_state(machine, context.initial_state, "engine hybrid")
    first = begin(machine, drive, x)
    end = round(context.duration / context.time_step) * context.time_step
    system = hopper_system(machine, drive)
    steps = count()

    def stopped() -> bool:
        return next(steps) >= _MOST_STEPS

    run = simulate(system, first.mode, first.state, (0.0, end), _OPTIONS, stopped=stopped)
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

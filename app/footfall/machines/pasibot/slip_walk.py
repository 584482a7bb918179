"""Walks of PASIBOT on a foot that is held or may slide: where they are, their events, their slides.

Accuracy of event times: to 1e-9 s and better, at the default tolerances. At a prescribed th8(t) the
limits of stick are functions of time alone, exact to rounding, and located by Newton's method; x1'
is an integral, whose error of some 1e-12 m/s over a deceleration of mu_k g gives 1e-11 s. Under a
torque th8 and th8' have the integrator's error, some 1e-12 too. A foot whose force hardly exceeds
what holds it is the exception: there times are as uncertain as the force over its rate.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid import Ending, FlowSegment, HybridEvent, HybridRun, Options, simulate
from footfall.hybrid.contact import SIGMA, ContactPhase, mode_of, phase_of
from footfall.machines.pasibot.closed_form.linkage import PasibotParameters
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    STEP_ENDS,
    refuse_rough_exchange,
)
from footfall.machines.pasibot.closed_form.thresholds import painleve_friction
from footfall.machines.pasibot.closed_form.two_freedoms import SlidingProfile
from footfall.machines.pasibot.slip_system import (
    COMPONENTS,
    EXCHANGE,
    EXCHANGE_BACK,
    HEAT,
    SLIP,
    SPEED,
    STEPS,
    TH8,
    WORK,
    Crank,
    Drive,
    Held,
    Slipping,
    Torque,
)

# of a step: how near to its end a walk has to end for the step to count as whole
_WHOLE = 1e-9


class Rows(NamedTuple):
    """A walk at some times, arrays of one shape.

    time [s]; th8 [rad] of the supporting leg in the step, rate th8', acceleration th8''; phase: how
    many steps were made, with fractions; slip of all feet since the start of the walk [m], speed
    x1', sliding x1''; torque T8 [N m]; along and up, the force of the floor on the foot [N]; zmp
    ahead of the ankle [m]; work of the motor and heat of friction [J]; energy, kinetic and
    potential, and potential alone [J]; momentum along the floor, and its rise upwards [N s];
    direction of the slide, 0 without.
    """

    time: Array
    phase: Array
    th8: Array
    rate: Array
    acceleration: Array
    slip: Array
    speed: Array
    sliding: Array
    torque: Array
    along: Array
    up: Array
    zmp: Array
    work: Array
    heat: Array
    energy: Array
    potential: Array
    momentum: Array
    rise: Array
    direction: Array


class Slide(NamedTuple):
    """A slide in one direction, over exchanges of support if there are any.

    begin and end: times [s]; phases at both, in steps since the start; distance ahead [m].
    """

    begin: float
    end: float
    begin_phase: float
    end_phase: float
    distance: float


@dataclass(frozen=True)
class SlipWalk:
    """A walk of a machine: its event-driven run, and why it ended before its time, else empty.

    States are those of `slip_system.COMPONENTS`.
    """

    slipping: Slipping
    run: HybridRun
    ending: str

    @property
    def phases(self) -> tuple[FlowSegment, ...]:
        """Smooth phases."""
        return self.run.segments

    @property
    def end(self) -> float:
        """Time [s] at which it ended."""
        return self.run.time

    @cached_property
    def events(self) -> tuple[HybridEvent, ...]:
        """Events between the phases, without jumps of the drive that leave the phase as it is."""
        jumps = self.slipping.JUMPS
        return tuple(
            event
            for event in self.run.events
            if not event.guard.startswith(jumps) or _phases(event)[0] != _phases(event)[1]
        )

    def at(self, time: npt.ArrayLike) -> Rows:
        """The walk at times [s]; at an event, what follows it.

        Raises ValueError for times outside the walk.
        """
        times = np.asarray(time, dtype=np.float64)
        flat = times.ravel()
        if not self.phases:
            raise ValueError(f"the walk ended at its start: {self.ending}")
        if flat.size and not (self.phases[0].start <= flat.min() <= flat.max() <= self.end):
            raise ValueError(f"the walk goes from {self.phases[0].start} to {self.end} s")
        which = np.searchsorted([phase.start for phase in self.phases], flat, side="right") - 1
        columns = np.empty((len(Rows._fields), flat.size))
        for index in np.unique(which):
            here = which == index
            columns[:, here] = self.rows(self.phases[index], flat[here])
        return Rows(*columns.reshape(-1, *times.shape))

    def rows(self, phase: FlowSegment, times: Array) -> Rows:
        """The walk at times (k,) of one of its phases, its ends included."""
        x = phase.path(times)
        crank, at, response = self.slipping.instant(mode_of(phase.mode), times, x)
        counted = crank.th8 + 0.0 * times
        return Rows(
            times,
            (counted - STEP_BEGINS) / math.pi,
            counted - math.pi * x[STEPS],
            crank.rate + 0.0 * times,
            response.acceleration + 0.0 * times,
            x[SLIP],
            x[SPEED],
            response.sliding,
            response.torque,
            response.along,
            response.up,
            at.zmp(crank.rate, response),
            x[WORK],
            x[HEAT],
            at.energy(crank.rate, x[SPEED]),
            np.asarray(at.potential),
            at.momentum(crank.rate, x[SPEED]),
            # the mass centre's height does not know the slide
            np.asarray(at.gravity) * crank.rate / at.g,
            np.full(times.shape, float(_direction(phase))),
        )

    @cached_property
    def exchanges(self) -> tuple[HybridEvent, ...]:
        """Exchanges of support, onwards and back."""
        return tuple(e for e in self.events if e.guard in (EXCHANGE, EXCHANGE_BACK))

    @cached_property
    def slides(self) -> tuple[Slide, ...]:
        """Slides in order of time."""
        slides: list[Slide] = []
        for number, phase in enumerate(self.phases):
            direction = _direction(phase)
            if direction == 0:
                continue
            before = _direction(self.phases[number - 1]) if number else direction
            slide = Slide(
                phase.start,
                phase.end,
                _steps_made(phase.x_start),
                _steps_made(phase.x_end),
                float(phase.x_end[SLIP] - phase.x_start[SLIP]),
            )
            if number and before == direction:
                last = slides.pop()
                slide = slide._replace(
                    begin=last.begin,
                    begin_phase=last.begin_phase,
                    distance=last.distance + slide.distance,
                )
            slides.append(slide)
        return tuple(slides)

    @cached_property
    def slip_of_steps(self) -> tuple[float, ...]:
        """Return the slide of the supporting foot, x1 at the end of every whole step [m], signed.

        Of a walk onwards; the first step may have begun within.
        """
        slips = [0.0, *(float(e.x_before[SLIP]) for e in self.exchanges)]
        end = self.phases[-1].x_end if self.phases else np.zeros(len(COMPONENTS))
        made = _steps_made(end)
        if made > len(self.exchanges) and abs(made - round(made)) < _WHOLE:
            slips.append(float(end[SLIP]))
        return tuple(np.diff(slips).tolist())


def _direction(phase: FlowSegment) -> int:
    """Direction of the slide in a phase, 0 without."""
    return int(SIGMA.get(phase_of(phase.mode), 0.0))


def _phases(event: HybridEvent) -> tuple[ContactPhase, ContactPhase | None]:
    """The phases before and after an event."""
    return phase_of(event.before), None if event.after is None else phase_of(event.after)


def _steps_made(x: Array) -> float:
    """Steps made at a state, with the fraction of the one under way."""
    return float(x[STEPS] + (x[TH8] - STEP_BEGINS) / math.pi)


_OPTIONS = Options(most_events=10_000)


def slip_walk(
    machine: PasibotParameters | SlidingProfile,
    drive: Drive,
    span: float,
    *,
    th8: float = STEP_BEGINS,
    rate: float = 0.0,
    speed: float = 0.0,
    held: bool = False,
    options: Options = _OPTIONS,
) -> SlipWalk:
    """Walk for a span [s] with the friction of the parameters, mu_s and mu_k.

    th8 [rad] of a step and rate th8' [rad/s] are where a torque begins; a prescribed motion says
    them itself. speed: x1' of the foot at the start [m/s]. held: it neither slides nor lifts,
    whatever force of the floor that takes; else a foot that lifts ends the walk, see
    `SlipWalk.ending`. Raises ValueError for a start outside a step, a span that is none, feet that
    would hit the floor at an exchange, a torque that is no number, and, where one acts on a foot
    that may slide, friction beyond Painleve's.
    """
    profile = machine if isinstance(machine, SlidingProfile) else SlidingProfile(machine)
    _refuse(profile.parameters, drive, span, held=held)
    first = drive.crank(0.0, Crank(th8, rate))
    if not STEP_BEGINS <= first.th8 <= STEP_ENDS:
        raise ValueError(f"a walk begins in a step, th8 from pi/2 to 3 pi/2, got {first.th8} rad")
    state = np.array([first.th8, first.rate, 0.0, speed, 0.0, 0.0, 0.0])
    if not np.isfinite(state).all():
        raise ValueError(f"a walk begins at finite {', '.join(COMPONENTS[:4])}, got {state[:4]}")
    slipping = (Held if held else Slipping)(profile, drive)
    start = slipping.choose(sum(time <= 0.0 for time in drive.breaks), 0.0, state)
    run = simulate(slipping.system(), start.mode, start.state, (0.0, span), options)
    return SlipWalk(slipping, run, _ending(run))


def lasting(steps: float, rate: float) -> float:
    """Time [s] of so many steps at a constant rate [rad/s]."""
    return steps * math.pi / abs(rate)


def _ending(run: HybridRun) -> str:
    """Return the reason for an early end in one line, else empty."""
    if run.ending is Ending.END_OF_TIME:
        return ""
    if phase_of(run.mode) is ContactPhase.FLIGHT:
        return (
            f"at t = {run.time:.6g} s the floor would have to hold the foot down: this model knows "
            "no foot in the air; walk more slowly, or with less torque"
        )
    return run.message


def _refuse(parameters: PasibotParameters, drive: Drive, span: float, *, held: bool) -> None:
    """Raise ValueError for what cannot be walked."""
    refuse_rough_exchange(parameters)
    if not (math.isfinite(span) and span > 0.0):
        raise ValueError(f"the span must be positive, got {span} s")
    if isinstance(drive, Torque) and not held:
        least = painleve_friction(parameters)
        if parameters.mu_k >= least.value:
            raise ValueError(
                f"mu_k = {parameters.mu_k} is beyond Painleve's {least.value:.4g}, where the "
                f"forces of a sliding foot do not tell its motion (th8 = {least.th8:.4g} rad): "
                "take less, or prescribe th8(t)"
            )

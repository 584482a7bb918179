"""A walk of PASIBOT with feet that may slide: where it is at any time, its events, its slides."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid import FlowSegment, HybridEvent, HybridRun
from footfall.hybrid.contact import SIGMA, ContactPhase, mode_of, phase_of
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
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
    Slipping,
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

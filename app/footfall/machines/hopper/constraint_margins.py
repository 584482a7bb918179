"""Margins of the document's constraints over an event-driven run: least ones, and crossings.

Margins are followed along the interpolants of the integrator, whose extrema are those of Chebyshev
interpolants halved until they are resolved to 1e-9 of their size. Least values are as accurate as
the interpolants are: 1e-9 in rad, m and N m at the tolerances of `footfall.hybrid.Options`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.hybrid import FlowSegment, HybridRun
from footfall.hybrid.contact import mode_of
from footfall.hybrid.crossing import monotone_intervals
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.points import JumpMargins, margins
from footfall.machines.hopper.system import SaturatedMotor, TorqueLaw

# what a margin may be below zero by and still counts as kept: a torque that is meant to be tau_max
_SLACK = 1e-9
# heights say whether points are on the ground, which is no fault
CONSTRAINTS = tuple(name for name in JumpMargins._fields if not name.startswith("height"))


class MarginCrossing(NamedTuple):
    """A margin that is lost, or kept again, at a time [s]."""

    time: float
    name: str
    violated: bool


class MarginHistory(NamedTuple):
    """Least margins of every phase of a run, when they are least [s], and where one is lost."""

    least: tuple[JumpMargins, ...]
    times: tuple[JumpMargins, ...]
    crossings: tuple[MarginCrossing, ...]

    @property
    def over_all(self) -> JumpMargins:
        """Least margins of the whole run."""
        return JumpMargins(*np.min(np.array(self.least), axis=0).tolist())


def follow_margins(machine: Hopper, drive: TorqueLaw, run: HybridRun) -> MarginHistory:
    """Follow all margins over a run; the torque is the one that is commanded."""
    motor = SaturatedMotor(drive, machine.parameters.tau_max)
    least, times, crossings = [], [], []
    kept = dict.fromkeys(CONSTRAINTS, True)
    for segment in run.segments:
        found = [
            _breaks(machine, motor, segment, number) for number in range(len(JumpMargins._fields))
        ]
        lowest = [int(np.argmin(values)) for _, values in found]
        pairs = list(zip(found, lowest, strict=True))
        least.append(JumpMargins(*(float(values[low]) for (_, values), low in pairs)))
        times.append(JumpMargins(*(float(breaks[low]) for (breaks, _), low in pairs)))
        for name in CONSTRAINTS:
            number = JumpMargins._fields.index(name)
            for crossing in _crossings(machine, motor, segment, number, found[number], kept[name]):
                crossings.append(crossing)
                kept[name] = not crossing.violated
    return MarginHistory(tuple(least), tuple(times), tuple(sorted(crossings)))


def _along(
    machine: Hopper, motor: SaturatedMotor, segment: FlowSegment, number: int, t: Array
) -> Array:
    """A margin (its number in Margins) at times (k,) of a phase, (k,)."""
    states = segment.path(t)[:8]
    torque = motor.command(mode_of(segment.mode), t, states)
    return np.array(np.broadcast_to(margins(machine, states, torque)[number], t.shape))


def _breaks(
    machine: Hopper, motor: SaturatedMotor, segment: FlowSegment, number: int
) -> tuple[Array, Array]:
    """Ends and extrema of a margin in a phase: times and values, (k,) each."""

    def value(t: Array) -> Array:
        return _along(machine, motor, segment, number, t)

    breaks = monotone_intervals(value, segment.start, segment.end, np.inf)
    return breaks, value(breaks)


def _crossings(
    machine: Hopper,
    motor: SaturatedMotor,
    segment: FlowSegment,
    number: int,
    found: tuple[Array, Array],
    kept: bool,
) -> Iterator[MarginCrossing]:
    """Times at which a margin changes over in a phase, from whether it is kept before."""

    def value(t: float) -> float:
        return float(_along(machine, motor, segment, number, np.array([t]))[0]) + _SLACK

    name, (times, values) = JumpMargins._fields[number], found
    inside = values + _SLACK >= 0.0
    if inside[0] != kept:
        yield MarginCrossing(segment.start, name, bool(kept))
    for k in np.flatnonzero(inside[1:] != inside[:-1]):
        time = float(brentq(value, times[k], times[k + 1], xtol=1e-14, rtol=1e-14))
        yield MarginCrossing(time, name, bool(inside[k]))

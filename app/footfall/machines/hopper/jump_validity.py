"""Judgement of motions as jumps: why one is none, and the margins of the document's constraints.

Margins are followed along the interpolants of the integrator, whose extrema are those of Chebyshev
interpolants halved until they are resolved to 1e-9 of their size. Least values are as accurate as
the interpolants are: 1e-9 in rad, m and N m at the tolerances of `footfall.hybrid.Options`.
"""

from collections.abc import Callable, Iterator
from functools import partial
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


def invalidity_reason(
    *, stands: bool, flies: bool, landed: bool, again: float | None, lands: str
) -> str:
    """Reason why a motion is no jump, in words; empty for one that is.

    stands, flies, landed: whether P begins on the ground, is in the air after that, and is struck
    there once. again: when P is in the air after that strike [s], also if it only rebounds; None
    if it never is. lands: Q or R, which has reached the ground; empty if neither has.
    """
    if not stands:
        return "P does not start on the ground"
    if not flies:
        return f"{lands} lands before P leaves the ground" if lands else "P never flies"
    if not landed:
        return f"{lands} lands before P" if lands else "P does not land in this run"
    if again is not None:
        return f"P leaves the ground again at t = {again:.4f} s"
    return "" if lands else "neither Q nor R lands in this run"


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


def follow_margins(machine: Hopper, drive: TorqueLaw, run: HybridRun) -> MarginHistory:
    """Follow all margins over a run; the torque is the one that is commanded."""
    motor = SaturatedMotor(drive, machine.parameters.tau_max)
    least: list[JumpMargins] = []
    crossings: list[MarginCrossing] = []
    inside = dict.fromkeys(CONSTRAINTS, True)
    for segment in run.segments:
        lowest = {}
        for name in JumpMargins._fields:
            along = partial(_along, machine, motor, segment, name)
            # ends and extrema
            times = monotone_intervals(along, segment.start, segment.end, np.inf)
            values = along(times)
            lowest[name] = float(values.min())
            if name in inside:
                crossings += _crossings(name, along, times, values, inside[name])
                inside[name] = bool(values[-1] + _SLACK >= 0.0)
        least.append(JumpMargins(**lowest))
    return MarginHistory(tuple(least), tuple(sorted(crossings)))


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

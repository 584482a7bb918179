"""PASIBOT on feet that are held, in the document's own equations: where it is and what that takes.

At a prescribed th8(t) the 69 equations (19) give torque and forces; under a torque th8(t) is
integrated, and (28) gives the forces.
"""

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.energy import reduced
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.newton_euler import LinkForces, forward, inverse
from footfall.machines.pasibot.closed_form.walk import refuse_rough_exchange, walk
from footfall.machines.pasibot.slip_drives import Prescribed, Torque
from footfall.machines.pasibot.trajectory_adapter import WalkRows, middles
from footfall.machines.pasibot.walk_setup import WalkSetup
from footfall.stance.trajectory import sample_times

_AT_ONCE = 256  # rows whose equations are solved together: 10 MB of matrices
_NEXT = 1e-9  # rad: a row this near to an exchange is after it

Forces = tuple[Array, Array, Array, Array]
"""Force of the floor along it and upwards [N], zero-moment point [m], T8 [N m]."""


class FixedFootWalk:
    """A walk; exchanges: times [s] of exchanges of support. Times are arrays (N,) [s]."""

    def __init__(self, start: WalkSetup, grid: Array) -> None:
        """Walk over the times of a grid, between which exchanges are looked for."""
        self._start, self._parameters, self._grid = start, start.parameters, grid
        self._energy: float | None = None  # at the start [J]
        refuse_rough_exchange(start.parameters)
        drive = start.drive
        if isinstance(drive, Prescribed):
            self._at, self._dynamics = _prescribed(start, drive)
            self.exchanges = _exchanges(drive, grid)
        else:
            law = _law_of(drive)
            walked = walk(start.parameters, law, float(grid[-1]), *start.start, breaks=drive.breaks)
            self.exchanges = sorted((*walked.exchanges, *walked.backward))
            self._at = lambda time: walked.at(np.minimum(time, walked.end))
            self._dynamics = self._driven_by(law)

    def pieces(self, time_step: float) -> Iterator[tuple[WalkRows, Forces]]:
        """Rows between exchanges and jumps of the drive, and forces half way to the ones before."""
        end = float(self._grid[-1])
        jumps = [*self.exchanges, *(one for one in self._start.drive.breaks if 0.0 < one < end)]
        for begin, until in pairwise([0.0, *sorted(set(jumps)), end]):
            time = sample_times(begin, until, time_step)
            # at its end a piece is what it was just before
            inside = np.minimum(time, np.nextafter(until, begin))
            steps = steps_of(self._at(np.array([0.5 * (begin + until)]))[0])[0]
            half = self._forces(middles(inside), steps)
            yield self._rows(time, inside, half, int(steps)), half

    def _forces(self, time: Array, steps: int) -> Forces:
        """Return what the motion takes, by the document's equations."""
        th8, rate = self._at(time)
        folded, parts = th8 - math.pi * steps, []
        for begin in range(0, len(time), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            one = self._dynamics(time[part], folded[part], rate[part])
            parts.append((one.floor.real, one.floor.imag, one.zmp, one.torque))
        along, up, zmp, torque = (np.concatenate(rows) for rows in zip(*parts, strict=True))
        return along, up, zmp, torque

    def _rows(self, time: Array, inside: Array, half: Forces, steps: int) -> WalkRows:
        """Rows at times of a piece, looked at inside of it."""
        th8, rate = self._at(inside)
        at = reduced(self._parameters, th8 - math.pi * steps)
        energy, still = np.asarray(at.energy(rate)), np.zeros_like(time)
        if self._energy is None:
            self._energy = float(energy[0])
        return WalkRows(
            time,
            th8,
            rate,
            still + self._start.x_foot,
            still,
            self._forces(inside, steps)[3],
            np.asarray(at.sway * rate),
            np.asarray(at.gravity * rate / self._parameters.g),
            energy - self._energy,
            still,
            np.asarray(energy - at.potential),
            np.asarray(at.potential),
            half[2],
            steps=steps,
            slides=False,
        )

    def _driven_by(
        self, law: Callable[[float], float]
    ) -> Callable[[Array, Array, Array], LinkForces]:
        def dynamics(time: Array, th8: Array, rate: Array) -> LinkForces:
            torque = np.array([law(t) for t in time.tolist()])
            return forward(self._parameters, th8, rate, torque)

        return dynamics


def steps_of(th8: Array) -> npt.NDArray[np.int64]:
    """Steps made before th8 [rad], which counts on."""
    return np.floor((th8 + _NEXT - STEP_BEGINS) / math.pi).astype(np.int64)


def _prescribed(
    start: WalkSetup, drive: Prescribed
) -> tuple[Callable[[Array], tuple[Array, Array]], Callable[[Array, Array, Array], LinkForces]]:
    """th8 and its rate, and the forces of the motion."""

    def at(time: Array) -> tuple[Array, Array]:
        th8, rate, _ = drive.motion(time)
        return np.asarray(th8), np.asarray(rate + 0.0 * time)

    def dynamics(time: Array, th8: Array, rate: Array) -> LinkForces:
        return inverse(start.parameters, th8, rate, np.asarray(drive.motion(time)[2] + 0.0 * time))

    return at, dynamics


def _law_of(drive: Torque) -> Callable[[float], float]:
    """A torque [N m] over time, with all its pieces."""

    def torque(time: float) -> float:
        piece = int(np.searchsorted(drive.breaks, time, side="right"))
        return float(drive.laws[piece](time, 0.0, 0.0))

    return torque


def _exchanges(drive: Prescribed, grid: Array) -> list[float]:
    """Times [s] at which a prescribed motion ends a step, looked for between times of a grid."""

    def beyond(time: float, level: float) -> float:
        return float(drive.motion(time)[0]) - level

    steps = np.floor((np.asarray(drive.motion(grid)[0]) - STEP_BEGINS) / math.pi)
    times = []
    for k in np.flatnonzero(np.diff(steps)):
        level = STEP_BEGINS + math.pi * max(steps[k], steps[k + 1])
        times.append(float(brentq(beyond, grid[k], grid[k + 1], args=(level,))))
    return times

"""The document's own simulation of a foot that slides: fixed steps, section 7, (31) to (36).

A foot is in static friction, in imminent sliding, or slides. At every instant of a grid:

- static friction: forces without slip, (31). If |f01x| <= mu_s f01y, (32), time goes on by dt; else
  sliding is imminent, and friction opposes the other forces on the foot, (33).
- sliding: friction opposes x1'. Either way the equations of a sliding foot, (34), give x1'', which
  is kept over the step, (35). If the time to stop, t_s = -x1' / x1'' of (36), is positive and less
  than dt, t_s takes the place of dt, and static friction comes next.

Where the torque is given, section 7.2, th8'' is kept over the step as well, (27).

It departs from what it approximates by terms of first order in dt: x1'' is that of the beginning of
a step; sliding begins at the first instant of the grid beyond the limit, up to dt late, and where a
foot passes the limit and comes back within dt not at all; exchanges of support take place between
two instants. A foot that would have to be held down is not noticed. Read from the text: x1'' of the
beginning of an interval serves for it, as th8'' does in section 6; t_s shifts the grid.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.two_freedoms import FootResponse
from footfall.machines.pasibot.slip_drives import Crank, Drive


class SchemeHistory(NamedTuple):
    """Instants of the scheme, arrays (n,).

    time [s]; th8 counted on [rad], its rate and acceleration; slip x1 [m] of all feet, speed x1'
    and sliding x1''; torque [N m]; along and up, the floor's force [N]; direction of the slide in
    the interval that follows, 0 for static friction.
    """

    time: Array
    th8: Array
    rate: Array
    acceleration: Array
    slip: Array
    speed: Array
    sliding: Array
    torque: Array
    along: Array
    up: Array
    direction: Array

    def slip_at(self, time: npt.ArrayLike) -> Array:
        """Slip x1 [m] at times [s], x1'' being constant in between."""
        times = np.asarray(time, dtype=np.float64)
        which = np.clip(np.searchsorted(self.time, times, side="right") - 1, 0, None)
        since = times - self.time[which]
        moved = self.speed[which] * since + 0.5 * self.sliding[which] * since**2
        return np.asarray(self.slip[which] + moved)


def document_scheme(
    machine: PasibotParameters | SlidingProfile,
    drive: Drive,
    span: float,
    dt: float,
    *,
    th8: float = STEP_BEGINS,
    rate: float = 0.0,
) -> SchemeHistory:
    """Walk for a span [s] in steps dt [s], with the friction of the parameters.

    th8 [rad] and rate [rad/s] are where a torque begins. Raises ValueError for a span or a step
    that is none, and under a torque for friction beyond Painleve's where the foot slides.
    """
    if not (span > 0.0 and dt > 0.0):
        raise ValueError(f"span and dt must be positive, got {span} s and {dt} s")
    profile = machine if isinstance(machine, SlidingProfile) else SlidingProfile(machine)
    scheme, rows = _Scheme(profile, drive, Crank(th8, rate)), []
    while scheme.time < span * (1.0 - 1e-12):
        rows.append(scheme.advance(dt))
    rows.append(scheme.advance(dt))
    return SchemeHistory(*np.array(rows).T)


class _Scheme:
    """The state of the scheme between two instants."""

    def __init__(self, profile: SlidingProfile, drive: Drive, crank: Crank) -> None:
        self._profile, self._drive, self._crank = profile, drive, crank
        self._mu_s, self._mu_k = profile.parameters.mu_s, profile.parameters.mu_k
        self.time = self._slip = self._speed = 0.0
        self._direction = 0

    def advance(self, dt: float) -> tuple[float, ...]:
        """Go on by dt, or to where the foot stops; the row of the instant before."""
        crank = self._drive.crank(self.time, self._crank)
        direction, found = self._friction(crank)
        row = (
            *(self.time, crank.th8, crank.rate, found.acceleration),
            *(self._slip, self._speed, found.sliding),
            *(found.torque, found.along, found.up, direction),
        )
        stopping = -self._speed / found.sliding if found.sliding != 0.0 else math.inf
        stops = direction != 0 and 0.0 < stopping < dt
        step = stopping if stops else dt
        self._slip += self._speed * step + 0.5 * found.sliding * step**2
        self._speed = 0.0 if stops else self._speed + found.sliding * step
        self._direction = 0 if stops else direction
        self._crank = Crank(
            crank.th8 + crank.rate * step + 0.5 * found.acceleration * step**2,
            crank.rate + found.acceleration * step,
        )
        self.time += step
        return row

    def _friction(self, crank: Crank) -> tuple[int, FootResponse]:
        """Direction of the slide and the response: (31) and (32), then (33) and (34)."""
        direction = self._direction
        if direction == 0:
            held = self._respond(crank, None)
            if abs(held.along) <= self._mu_s * held.up:
                return 0, held
            direction = -1 if held.along > 0.0 else 1
        elif self._speed != 0.0:
            direction = 1 if self._speed > 0.0 else -1
        return direction, self._respond(crank, direction * self._mu_k)

    def _respond(self, crank: Crank, friction: float | None) -> FootResponse:
        at = self._profile(float(fold(np.asarray(crank.th8))[0]))
        piece = int(np.searchsorted(self._drive.breaks, self.time, side="right"))
        return self._drive.respond(at, self.time, crank, friction, piece)

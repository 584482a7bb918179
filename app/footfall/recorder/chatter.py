"""Watch over drives that chatter: whose torque turns with every period for which it is held.

A torque -kd v that is held for a period T turns its joint round in it where kd T > 2 J, of a joint
with the inertia J, and more so each time, up to what limits it. So does one of -kp q where
kp T^2 > 4 J. Changes of torque and velocity then take turns, about whatever the joint does besides.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.coordinates import actuator_names, actuators_of
from footfall.plants.dynamics import Dynamics
from footfall.trajectory import Event
from footfall.trajectory.events import CHATTER
from footfall.trajectory.rows import Rows
from footfall.wording import listed

TURNS = 40  # one after the other; noise has zigzags of so many with a chance of (2 / pi)^40
_PAST = 20  # times that rows come
FAST = 0.01  # rad/s or m/s: a joint that swings by less does nothing that anybody sees


@dataclass(frozen=True)
class _Chatter:
    """A drive that chatters, since when, and the period for which its torque is held [s].

    bears: the largest kd that does not, 2 J / T [N m s/rad or N s/m]; gain: its own, NaN where its
    torque is at its limit.
    """

    name: str
    time: float
    period: float
    bears: float
    gain: float

    def __str__(self) -> str:
        """Say what it does."""
        own = f" (by {self.gain:.3g} N m s/rad or N s/m)" if np.isfinite(self.gain) else ""
        return (
            f"from t = {self.time:.4f} s on, the torque of '{self.name}' turns against its "
            f"joint{own} with every period of {self.period:.3g} s for which it is held, which "
            f"bears kd below {self.bears:.3g} and kp below {2.0 * self.bears / self.period:.3g}"
        )


class ChatterWatch:
    """Looks at efforts and the velocities of their joints, rows after rows."""

    def __init__(self, dynamics: Dynamics, time_step: float) -> None:
        """Take the dynamics of a plant and the engine's step [s]."""
        plant = dynamics.plant
        self._names, self._limits = actuator_names(plant), dynamics.effort_limits
        places = [actuator.joint().velocity_start() for actuator in actuators_of(plant)]
        self._places = np.array(places, dtype=np.int64)
        self._dt = time_step
        # for each drive: turns in a row; effort at the last row; the last change of it, and the
        # velocity there
        self._kept = np.zeros((4, len(self._names)))
        # turns, times, efforts and velocities of the last rows
        self._past: deque[tuple[npt.NDArray[Any], ...]] = deque(maxlen=_PAST)
        self._chattering: dict[int, _Chatter] = {}

    def look(self, rows: Rows) -> None:
        """Take rows that follow those before; their efforts act from them on."""
        efforts = rows.columns["actuation"]
        if efforts.shape[1] == 0:
            return
        own = np.take(rows.columns["v"], self._places, axis=1)
        turns = np.empty(efforts.shape, dtype=np.bool_)
        chatters = _turns(efforts, own, self._kept, turns)
        self._past.append((turns, rows.time, efforts, own))
        for drive in np.flatnonzero(chatters).tolist():
            if drive not in self._chattering:
                self._chattering[drive] = self._described(drive)

    def events(self) -> list[Event]:
        """Return the event of the drives that chatter, None or one."""
        if not self._chattering:
            return []
        first = min(self._chattering.values(), key=lambda chatter: chatter.time)
        those = listed(sorted(f"'{chatter.name}'" for chatter in self._chattering.values()))
        what = (
            f"chatter of {those}: {first}: use a shorter period (time_step, or the controller's "
            "own), declare the gains (pd_gains), or lower them"
        )
        return [Event(first.time, CHATTER, what)]

    def _described(self, drive: int) -> _Chatter:
        turns, time, effort, rate = map(np.concatenate, zip(*self._past, strict=True))
        ticks = np.flatnonzero(turns[:, drive])[-TURNS:]
        period = float(np.median(np.diff(ticks))) * self._dt
        time, effort, rate = time[ticks], effort[ticks, drive], rate[ticks, drive]
        free = np.abs(effort) < self._limits[drive]
        gain = -float(np.polyfit(rate[free], effort[free], 1)[0]) if free.sum() > 2 else np.nan
        bears = 2.0 * float(np.median(np.abs(np.diff(effort)[:-1] / np.diff(rate, n=2))))
        return _Chatter(self._names[drive], float(time[0]), period, bears, gain)


@njit
def _turns(
    efforts: Array, own: Array, kept: Array, turns: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Fill where efforts (n, drives) turn against their joints, and say which do so on and on.

    own (n, drives): velocities of the joints. kept (4, drives): as `ChatterWatch` keeps it.
    """
    chatters = np.zeros(efforts.shape[1], dtype=np.bool_)
    for row in range(efforts.shape[0]):
        for k in range(efforts.shape[1]):
            change, swing = efforts[row, k] - kept[1, k], own[row, k] - kept[3, k]
            turned = change * kept[2, k] < 0.0 and change * swing < 0.0 and abs(swing) > FAST
            turns[row, k] = turned
            kept[1, k] = efforts[row, k]
            if change != 0.0:
                kept[0, k] = kept[0, k] + 1.0 if turned else 0.0
                kept[2, k], kept[3, k] = change, own[row, k]
            chatters[k] |= kept[0, k] >= TURNS
    return chatters

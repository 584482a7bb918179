"""Watch over the account of energy: what a run gains that nothing gave it.

The balance of a run is its kinetic and potential energy less the work of actuators, pushes,
contacts, constraints and dampers since the start. An exact solution keeps it. What a time step
loses is numerical damping; what it gains is a fault, and grows without bound where the step is not
stable. Dampers take only, so that work which they seem to give counts as gained, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from footfall.arrays import Array

# shares of the energy in play; schemes of first order keep well below the one at steps that resolve
# the motion, and beyond the other a motion is that of its errors
REPORTED = 0.02
FAILED = 0.2

_WORKS = ("actuator_work", "push_work", "contact_work", "constraint_work")
_DAMPING = "damping_work"
COLUMNS = ("kinetic_energy", "potential_energy", *_WORKS, _DAMPING)

LASTING = 100  # rows; schemes of first order give back in an oscillation what they took in it
LIFT = 0.1  # J/kg, a lift by a centimetre: the least energy in play, so that rest is no alarm
_ROUNDING = 1e-7  # of the potential energy, whose zero may lie far off


@dataclass(frozen=True)
class Gain:
    """Energy gained until a time [s]: in J, and as a share of the energy in play."""

    time: float
    energy: float
    share: float

    def __str__(self) -> str:
        """Say how much until when."""
        share = f"{100.0 * self.share:.2g}" if self.share < 0.995 else "100"
        return f"{self.energy:.3g} J by t = {self.time:.4f} s, {share} % of the energy in play"


class EnergyWatch:
    """Looks at the rows of a run, block by block, for energy that nothing gave and that stays.

    A gain is what the balance stays above, for ``LASTING`` rows or to the end of the run, over the
    lowest value that it stayed below for as many rows before, or had at the start. The energy in
    play is the largest of kinetic energy, range of potential energy and work turned over by one
    kind of force, all until the row, and of a lift of the machine by a centimetre. reported and
    failed: the first gain beyond ``REPORTED`` and ``FAILED`` of it; largest: the greatest share;
    None while there is none.
    """

    def __init__(self, mass: float, *, complete: bool = True) -> None:
        """Take a machine's mass [kg].

        complete: the works are all there are. Otherwise a gain is counted from the start, and not
        from where the balance was lowest, for a spring that nobody reports may give back.
        """
        self.reported: Gain | None = None
        self.failed: Gain | None = None
        self.largest: Gain | None = None
        self._least = LIFT * mass
        self._complete = complete
        self._begun = False
        self._kinetic = 0.0
        self._potential = (0.0, 0.0)  # lowest and highest
        self._works = np.zeros(len(_WORKS) + 1)
        self._turned = np.zeros(len(_WORKS) + 1)
        self._damping = 0.0
        self._lowest = 0.0
        self._past = np.zeros(0)  # balances of the last rows
        # rows whose gains may not last: time, balance, what it was lowest at, energy in play
        self._open = np.zeros((4, 0))

    def look(self, time: Array, columns: Mapping[str, Array]) -> None:
        """Take rows that follow those before: times (n,) [s] and, by ``COLUMNS``, (n,) [J].

        Works that are no numbers count as none.
        """
        if len(time) == 0:
            return
        kinetic, potential = columns["kinetic_energy"], columns["potential_energy"]
        works = np.nan_to_num(np.array([columns[name] for name in (*_WORKS, _DAMPING)]))
        damping = _running(np.minimum, works[-1], self._damping)
        balance = kinetic + potential - works[:-1].sum(axis=0) - damping
        if not self._begun:
            self._begin(potential[0], works[:, 0], balance[0])
        lowest = self._lowest_until(balance)
        in_play = self._in_play(kinetic, potential, works)
        self._damping = damping[-1]
        self._open = np.hstack((self._open, (time, balance, lowest, in_play)))
        if self._open.shape[1] > LASTING:
            staying = sliding_window_view(self._open[1], LASTING).min(axis=1)
            self._judge(staying)
            self._open = self._open[:, len(staying) :]

    def close(self) -> None:
        """Judge the last rows as well, whose gains last to the end of the run."""
        if self._open.shape[1] > 0:
            self._judge(np.minimum.accumulate(self._open[1, ::-1])[::-1])
            self._open = self._open[:, :0]

    def _begin(self, potential: float, works: Array, balance: float) -> None:
        self._begun = True
        self._potential, self._works, self._lowest = (potential, potential), works, balance

    def _lowest_until(self, balance: Array) -> Array:
        """Return what a gain is counted from at each row, (n,)."""
        level = np.full(len(balance), self._lowest)
        if self._complete:
            known = np.concatenate((self._past, balance))
            self._past = known[-(LASTING - 1) :]
            if len(known) >= LASTING:
                below = sliding_window_view(known, LASTING).max(axis=1)
                level[-len(below) :] = below[-len(balance) :]
                level = _running(np.minimum, level, self._lowest)
                self._lowest = level[-1]
        return level

    def _in_play(self, kinetic: Array, potential: Array, works: Array) -> Array:
        """Energy in play until each row, (n,)."""
        most = _running(np.maximum, kinetic, self._kinetic)
        low = _running(np.minimum, potential, self._potential[0])
        high = _running(np.maximum, potential, self._potential[1])
        steps = np.abs(np.diff(works, axis=1, prepend=self._works[:, None]))
        turned = self._turned[:, None] + np.cumsum(steps, axis=1)
        self._kinetic, self._potential = most[-1], (low[-1], high[-1])
        self._works, self._turned = works[:, -1], turned[:, -1]
        rounding = _ROUNDING * np.maximum(np.abs(low), np.abs(high))
        in_play: Array = np.maximum.reduce((most, high - low, *turned)) + rounding
        return np.maximum(in_play, self._least)

    def _judge(self, staying: Array) -> None:
        """Keep the first gains beyond the bounds and the largest of the first open rows.

        staying (n,): what their balances stay above [J].
        """
        time, _, lowest, in_play = self._open[:, : len(staying)]
        gained = staying - lowest
        share = np.divide(gained, in_play, out=np.zeros_like(gained), where=in_play > 0.0)

        def gain(row: int) -> Gain:
            return Gain(float(time[row]), float(gained[row]), float(share[row]))

        def first_beyond(bound: float) -> Gain | None:
            rows = np.flatnonzero(share > bound)
            return gain(int(rows[0])) if len(rows) else None

        self.reported = self.reported or first_beyond(REPORTED)
        self.failed = self.failed or first_beyond(FAILED)
        most = gain(int(share.argmax()))
        if self.largest is None or most.share > self.largest.share:
            self.largest = most


def _running(ufunc: np.ufunc, values: Array, before: float) -> Array:
    """Running extreme of values (n,) and what came before, (n,)."""
    found: Array = ufunc(ufunc.accumulate(values), before)
    return found

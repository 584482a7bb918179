"""Watch over the account of energy: what a run gains or loses by the error of its steps.

The balance of a run is its kinetic and potential energy less the work of actuators, pushes,
contacts, constraints and dampers since the start. An exact solution keeps it. What a time step
loses is numerical damping; what it gains grows without bound where the step is not stable. Dampers
take only, so that work which they seem to give counts as gained, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from footfall.arrays import Array

# shares of the energy in play; schemes of first order keep well below the one at steps that resolve
# the motion, and beyond the others a motion is that of its errors: what is gained grows without
# bound, and what is lost damps a motion that the steps do not resolve, as flailing after a fall
REPORTED = 0.02
FAILED = 0.2
FAILED_LOSS = 0.5

_WORKS = ("actuator_work", "push_work", "contact_work", "constraint_work")
_DAMPING = "damping_work"
COLUMNS = ("kinetic_energy", "potential_energy", *_WORKS, _DAMPING)

LASTING = 100  # rows; schemes of first order give back in an oscillation what they took in it
LIFT = 0.1  # J/kg, a lift by a centimetre: the least energy in play, so that rest is no alarm
_ROUNDING = 1e-7  # of the potential energy, whose zero may lie far off


@dataclass(frozen=True)
class Change:
    """Energy gained or lost until a time [s]: in J, and as a share of the energy in play."""

    time: float
    energy: float
    share: float

    def __str__(self) -> str:
        """Say how much until when."""
        share = f"{100.0 * self.share:.2g}" if self.share < 0.995 else "100"
        return f"{self.energy:.3g} J by t = {self.time:.4f} s, {share} % of the energy in play"


class EnergyWatch:
    """Looks at the rows of a run, block by block, for energy that nothing gave or took.

    gains, losses: what stays so, as shares of the energy in play, which is the largest of kinetic
    energy, range of potential energy and work turned over by one kind of force, all until the row,
    and of a lift of the machine by a centimetre.
    """

    def __init__(self, mass: float, *, complete: bool = True, losses: bool = True) -> None:
        """Take a machine's mass [kg].

        complete: the works are all there are. Otherwise a spring that nobody reports may take and
        give back: gains are counted from the start, and losses are not. Nor are they without
        losses, as where the works are estimates.
        """
        self.gains = Changes(FAILED, from_start=not complete)
        self.losses = Changes(FAILED_LOSS)
        self._least = LIFT * mass
        self._loses = complete and losses
        self._begun = False
        self._kinetic = 0.0
        self._potential = (0.0, 0.0)  # lowest and highest
        self._works = np.zeros(len(_WORKS) + 1)
        self._turned = np.zeros(len(_WORKS) + 1)
        self._damping = 0.0

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
            self._begun = True
            self._potential, self._works = (potential[0], potential[0]), works[:, 0]
        in_play = self._in_play(kinetic, potential, works)
        self._damping = damping[-1]
        self.gains.look(time, balance, in_play)
        if self._loses:
            self.losses.look(time, -balance, in_play)

    def close(self) -> None:
        """Judge the last rows as well, whose changes last to the end of the run."""
        self.gains.close()
        self.losses.close()

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


class Changes:
    """Rises of a balance that stay, one way.

    A rise is what the balance stays above, for ``LASTING`` rows or to the end of the run, over the
    lowest value that it stayed below for as many rows before, or had at the start. reported and
    failed: the first one beyond ``REPORTED`` and a bound of the energy in play; largest: the
    greatest share; None while there is none.
    """

    def __init__(self, bound: float, *, from_start: bool = False) -> None:
        """Take the share that fails a run. from_start: count from the start alone."""
        self.reported: Change | None = None
        self.failed: Change | None = None
        self.largest: Change | None = None
        self._bound, self._from_start = bound, from_start
        self._lowest: float | None = None
        self._past = np.zeros(0)  # balances of the last rows
        # rows whose rises may not last: time, balance, what it was lowest at, energy in play
        self._open = np.zeros((4, 0))

    def look(self, time: Array, balance: Array, in_play: Array) -> None:
        """Take rows (n,) that follow those before."""
        lowest = self._lowest_until(balance)
        self._open = np.hstack((self._open, (time, balance, lowest, in_play)))
        if self._open.shape[1] > LASTING:
            staying = sliding_window_view(self._open[1], LASTING).min(axis=1)
            self._judge(staying)
            self._open = self._open[:, len(staying) :]

    def close(self) -> None:
        """Judge the last rows as well."""
        if self._open.shape[1] > 0:
            self._judge(np.minimum.accumulate(self._open[1, ::-1])[::-1])
            self._open = self._open[:, :0]

    def _lowest_until(self, balance: Array) -> Array:
        """Return what a rise is counted from at each row, (n,)."""
        if self._lowest is None:
            self._lowest = float(balance[0])
        level = np.full(len(balance), self._lowest)
        if not self._from_start:
            known = np.concatenate((self._past, balance))
            self._past = known[-(LASTING - 1) :]
            if len(known) >= LASTING:
                below = sliding_window_view(known, LASTING).max(axis=1)
                level[-len(below) :] = below[-len(balance) :]
                level = _running(np.minimum, level, self._lowest)
                self._lowest = float(level[-1])
        return level

    def _judge(self, staying: Array) -> None:
        """Keep the first rises beyond the bounds and the largest of the first open rows.

        staying (n,): what their balances stay above [J].
        """
        time, _, lowest, in_play = self._open[:, : len(staying)]
        risen = staying - lowest
        share = np.divide(risen, in_play, out=np.zeros_like(risen), where=in_play > 0.0)

        def change(row: int) -> Change:
            return Change(float(time[row]), float(risen[row]), float(share[row]))

        def first_beyond(bound: float) -> Change | None:
            rows = np.flatnonzero(share > bound)
            return change(int(rows[0])) if len(rows) else None

        self.reported = self.reported or first_beyond(REPORTED)
        self.failed = self.failed or first_beyond(self._bound)
        most = change(int(share.argmax()))
        if self.largest is None or most.share > self.largest.share:
            self.largest = most


def _running(ufunc: np.ufunc, values: Array, before: float) -> Array:
    """Running extreme of values (n,) and what came before, (n,)."""
    extreme: Array = ufunc(ufunc.accumulate(values), before)
    return extreme

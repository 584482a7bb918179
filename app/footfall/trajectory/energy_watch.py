"""Watch over the account of energy: what a run gains or loses by the error of its steps.

The balance of a run is its kinetic and potential energy less the work of actuators, pushes,
contacts, constraints and dampers since the start. An exact solution keeps it. What a time step
loses is numerical damping; what it gains grows without bound where the step is not stable. Dampers
take only, so that work which they seem to give counts as gained, too.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit

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
        self._found = np.full((2, 3, 3), np.nan)
        self.gains, self.losses = Changes(self._found[0]), Changes(self._found[1])
        self._least, self._from_start, self._loses = LIFT * mass, not complete, complete and losses
        self._rows = np.zeros(1, dtype=np.int64)
        self._play = np.zeros(4 + 2 * (len(_WORKS) + 1))
        self._window = np.zeros((5, LASTING))
        self._suffix, self._prefix = np.zeros((2, LASTING)), np.zeros(2)

    def look(self, time: Array, columns: Mapping[str, Array]) -> None:
        """Take rows that follow those before: times (n,) [s] and, by ``COLUMNS``, (n,) [J].

        Works that are no numbers count as none.
        """
        values = np.array([time, *(columns[name] for name in COLUMNS)])
        kept = self._rows, self._play, self._window, self._suffix, self._prefix
        _look(values, self._least, *kept, self._from_start, self._loses, self._found)

    def close(self) -> None:
        """Judge the last rows as well, whose changes last to the end of the run."""
        _close(self._rows[0], self._window, self._loses, self._found)


class Changes:
    """Rises of a balance that stay, one way.

    A rise is what the balance stays above, for ``LASTING`` rows or to the end of the run, over the
    lowest value that it stayed below for as many rows before, or had at the start. reported and
    failed: the first one beyond ``REPORTED`` and a bound of the energy in play; largest: the
    greatest share; None while there is none.
    """

    def __init__(self, found: Array) -> None:
        """Take time, energy and share of the three, (3, 3), NaN while there is none."""
        self._found = found

    @property
    def reported(self) -> Change | None:
        """The first one that is worth a word."""
        return self._change(0)

    @property
    def failed(self) -> Change | None:
        """The first one that fails a run."""
        return self._change(1)

    @property
    def largest(self) -> Change | None:
        """The one with the greatest share."""
        return self._change(2)

    def _change(self, which: int) -> Change | None:
        time, energy, share = self._found[which].tolist()
        return None if math.isnan(time) else Change(time, energy, share)


_TIME, _BALANCE, _IN_PLAY, _GAIN_OVER, _LOSS_OVER = range(5)  # of a window


@njit
def _look(
    values: Array,
    least: float,
    rows: Indices,
    play: Array,
    window: Array,
    suffix: Array,
    prefix: Array,
    from_start: bool,
    loses: bool,
    found: Array,
) -> None:
    """Look at rows, values (8, n): time and ``COLUMNS``; what follows is kept between calls.

    rows (1,): that were looked at. window (5, LASTING): the last ones, row r at r modulo LASTING;
    suffix (2, LASTING): least and largest balance from a place on, of the rows that stood there
    before; prefix (2,): of the rows since. found (2, 3, 3): of gains and losses.
    """
    for k in range(values.shape[1]):
        place, begins, full = rows[0] % LASTING, rows[0] == 0, rows[0] >= LASTING - 1
        balance = _balance(values[:, k], play, begins)
        if place == 0:
            if full:
                _fill_suffixes(window[_BALANCE], suffix)
            prefix[0], prefix[1] = math.inf, -math.inf
        prefix[0], prefix[1] = min(prefix[0], balance), max(prefix[1], balance)
        low, high = prefix
        if full and place < LASTING - 1:
            low, high = min(low, suffix[0, place + 1]), max(high, suffix[1, place + 1])
        gain_over, loss_over = window[_GAIN_OVER, place - 1], window[_LOSS_OVER, place - 1]
        if begins:
            gain_over, loss_over = balance, -balance
        if full:
            gain_over = gain_over if from_start else min(gain_over, high)
            loss_over = min(loss_over, -low)
        window[_TIME, place], window[_BALANCE, place] = values[0, k], balance
        window[_IN_PLAY, place] = max(_in_play(play), least)
        window[_GAIN_OVER, place], window[_LOSS_OVER, place] = gain_over, loss_over
        if full:
            oldest = (place + 1) % LASTING
            _judge(window[:, oldest], low, -high, loses, found)
        rows[0] += 1


@njit
def _balance(row: Array, play: Array, begins: bool) -> float:
    """Balance of energy at a row; keeps what is in play.

    play: least work of dampers, largest kinetic and least and largest potential energy; then works
    at the last row, and what they turned over.
    """
    kinetic, potential, count = row[1], row[2], (play.size - 4) // 2
    balance, works, turned = 0.0, play[4 : 4 + count], play[4 + count :]
    for k in range(count):
        work = 0.0 if math.isnan(row[3 + k]) else row[3 + k]
        turned[k] += 0.0 if begins else abs(work - works[k])
        works[k] = work
        balance += work if k < count - 1 else 0.0
    play[0] = min(works[-1], play[0])
    play[1] = max(kinetic, play[1])
    play[2] = potential if begins else min(potential, play[2])
    play[3] = potential if begins else max(potential, play[3])
    return kinetic + potential - balance - play[0]


@njit
def _in_play(play: Array) -> float:
    """Energy in play until a row."""
    rounding = _ROUNDING * max(abs(play[2]), abs(play[3]))
    most = max(play[1], play[3] - play[2])
    for turned in play[4 + (play.size - 4) // 2 :]:
        most = max(most, turned)
    return most + rounding


@njit
def _fill_suffixes(values: Array, suffix: Array) -> None:
    """Fill the least and the largest of values from each place to their end."""
    low, high = math.inf, -math.inf
    for k in range(values.size - 1, -1, -1):
        low, high = min(low, values[k]), max(high, values[k])
        suffix[0, k], suffix[1, k] = low, high


@njit
def _judge(row: Array, low: float, lost: float, loses: bool, found: Array) -> None:
    """Keep the rises of a row of the window that come first beyond a bound, and the largest.

    low, lost: what the balance and its negative stay above from that row on.
    """
    for k in range(2 if loses else 1):
        risen = (low if k == 0 else lost) - row[_GAIN_OVER + k]
        share = risen / row[_IN_PLAY] if row[_IN_PLAY] > 0.0 else 0.0
        bound = FAILED if k == 0 else FAILED_LOSS
        largest = np.fmax(found[k, 2, 2], -math.inf)
        for j, least in enumerate((REPORTED, bound, largest)):
            if share > least and (j == 2 or math.isnan(found[k, j, 0])):
                found[k, j, 0], found[k, j, 1], found[k, j, 2] = row[_TIME], risen, share


@njit
def _close(rows: int, window: Array, loses: bool, found: Array) -> None:
    """Judge the rows of a window that were not, which are the last ones."""
    count = min(rows, LASTING - 1)
    order = (rows - count + np.arange(count)) % LASTING
    suffix = np.empty((2, count))
    _fill_suffixes(window[_BALANCE][order], suffix)
    for k in range(count):
        _judge(window[:, order[k]], suffix[0, k], -suffix[1, k], loses, found)

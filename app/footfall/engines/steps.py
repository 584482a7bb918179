"""Steps of a Moreau engine that a program asks for one by one, without a diagram.

A step under torques costs its compiled code and some microseconds: rows, and the parts of them that
a step takes, are made once.
"""

from typing import NamedTuple

import numpy as np
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.engines.driven import Rows
from footfall.engines.moreau import MoreauEngine
from footfall.engines.moreau_step import roll
from footfall.engines.tables import DONE
from footfall.errors import FootfallError
from footfall.plants.flat.laws import SPEED_TAPER, Law, limits_act, prescribed

MOST = 32  # steps at once
_FEW = 4  # steps whose speeds are looked at one by one


class _Part(NamedTuple):
    """Arguments of ``roll`` for some steps, and the velocity at the start of each, of a few."""

    rolled: tuple[Array, Array, Array, Array, Array]
    v: list[Array]


class Steps:
    """Rows of the last steps of an engine, and the place of the one that came last.

    done: how many steps were made since time 0.
    """

    def __init__(self, engine: MoreauEngine) -> None:
        """Take an engine that ``rolls``."""
        self._engine, self._rows = engine, engine.room_for(MOST + 1)
        self._nq = engine.model.plant.num_positions()
        # one row more is for the step before, which stays
        self.most, self.done, self._at = len(self._rows.applied) - 1, 0, 0
        limits, self._slow = engine.limits, -1.0  # squared: no joint that slow is limited
        if np.isinf(limits.most).all() and np.isinf(limits.stall).all():
            ends = np.minimum(limits.fastest, -limits.slowest)
            self._slow = ((1.0 - 2.0 * SPEED_TAPER) * ends.min(initial=np.inf)) ** 2
        self._parts: dict[tuple[int, int], _Part] = {}

    @property
    def state(self) -> Array:
        """State [q; v] of the last row, a view."""
        return self._rows.states[self._at]

    @property
    def record(self) -> Array:
        """Record of the last row, a view."""
        return self._rows.records[self._at]

    def begin(self, context: Context, done: int) -> None:
        """Begin with what a context holds after so many steps."""
        self.done, self._at = done, 0
        self._engine.begin_rows(context, self._rows)
        self._rows.applied[:] = 0.0
        self._engine.read_gravity()

    def put_into(self, context: Context) -> None:
        """Put the last row into a context."""
        self._engine.take_row(context, self._rows, self._at)

    def last(self) -> Rows | None:
        """Return the rows of the last step, None before the first."""
        return self._rows.part(self._at - 1, self._at) if self._at > 0 else None

    def hold(self, torques: Array, count: int) -> FootfallError | None:
        """Make up to `most` steps of an engine that ``is_plain`` under torques (nu,).

        Returns what ended the one after the last.
        """
        if self._at + count > self.most + 1:
            self._go_back()
        part = self._parts.get((self._at, count)) or self._part(count)
        efforts = part.rolled[1]
        efforts[...] = torques  # in a third of the time of [:]
        _, status = roll(self._engine.handle, 0, *part.rolled)
        slow = count <= _FEW
        for v in part.v:
            slow = slow and v.dot(v) < self._slow
        if status != DONE or not (slow or self._is_free(part.rolled[0][:count], efforts)):
            return self.drive(prescribed(torques.reshape(1, -1)), count)
        self.done += count
        self._at += count
        return None

    def _is_free(self, states: Array, efforts: Array) -> bool:
        """Say whether no limit of motors or speeds changes torques."""
        return not limits_act(self._engine.limits, states, self._nq, efforts)

    def drive(self, law: Law, count: int) -> FootfallError | None:
        """Make up to `most` steps under a law; returns what ended the one after the last."""
        if self._at + count > self.most + 1:
            self._go_back()
        rows = self._rows.part(self._at, self._at + count)
        done, status = self._engine.make_steps(law, self.done, rows)
        begun, self.done = self.done, self.done + done
        self._at += done
        if status == DONE:
            return None
        time = (begun + done) * self._engine.time_step
        return self._engine.end_of(status, time, rows.part(done, done + 1))

    def _part(self, count: int) -> _Part:
        """Return what the next steps take."""
        rows = self._rows.part(self._at, self._at + count)
        rolled = rows.states, rows.efforts[:count], rows.applied, rows.offs[0], rows.records
        v = [*rows.states[:count, self._nq :]] if count <= _FEW else []
        self._parts[self._at, count] = part = _Part(rolled, v)
        return part

    def _go_back(self) -> None:
        """Let the last step be the first of the rows."""
        first = max(self._at - 1, 0)
        for rows in self._rows:
            kept = rows[first : self._at + 1].copy()
            rows[: len(kept)] = kept
        self._at -= first

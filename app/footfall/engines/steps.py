"""Steps of a Moreau engine that a program asks for one by one, without a diagram.

A step under torques costs its compiled code and some microseconds: rows, and the parts of them that
a step takes, are made once.
"""

from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.engines.driven import Rows
from footfall.engines.moreau import MoreauEngine
from footfall.engines.moreau_step import roll
from footfall.engines.tables import DONE
from footfall.errors import FootfallError
from footfall.plants.flat.laws import Law, limits_act, prescribed

MOST = 32  # steps at once


class Steps:
    """Rows of the last steps of an engine, and the place of the one that came last.

    done: how many steps were made since time 0. state [q; v], record: of that row, as views.
    """

    state: Array
    record: Array

    def __init__(self, engine: MoreauEngine) -> None:
        """Take an engine that ``rolls``."""
        self._engine, self._rows = engine, engine.room_for(MOST + 1)
        self._nq = engine.model.plant.num_positions()
        # one row more is for the step before, which stays
        self.most, self.done, self._at = len(self._rows.applied) - 1, 0, 0
        self._parts: dict[tuple[int, int], tuple[Rows, Array, Array]] = {}

    def begin(self, context: Context, done: int) -> None:
        """Begin with what a context holds after so many steps."""
        self.done, self._at = done, 0
        self._engine.begin_rows(context, self._rows)
        self._rows.applied[:] = 0.0
        self._engine.read_gravity()
        self._look()

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
        known = self._parts.get((self._at, count))
        rows, efforts, off = known or self._part(count)
        efforts[:] = torques
        done, status = roll(
            self._engine.handle, 0, rows.states, efforts, rows.applied, off, rows.records
        )
        limits = self._engine.limits
        limited = limits.velocity.size > 0 and limits_act(
            limits, rows.states[:count], self._nq, efforts
        )
        if limited or status != DONE:  # for want of room, it may be
            return self.drive(prescribed(torques.reshape(1, -1)), count)
        self.done += done
        self._at += done
        self._look()
        return None

    def drive(self, law: Law, count: int) -> FootfallError | None:
        """Make up to `most` steps under a law; returns what ended the one after the last."""
        if self._at + count > self.most + 1:
            self._go_back()
        rows = self._rows.part(self._at, self._at + count)
        done, status = self._engine.make_steps(law, self.done, rows)
        begun, self.done = self.done, self.done + done
        self._at += done
        self._look()
        if status == DONE:
            return None
        time = (begun + done) * self._engine.time_step
        return self._engine.end_of(status, time, rows.part(done, done + 1))

    def _look(self) -> None:
        self.state, self.record = self._rows.states[self._at], self._rows.records[self._at]

    def _part(self, count: int) -> tuple[Rows, Array, Array]:
        """Return the rows of the next steps, what ``roll`` takes of their torques, and feet."""
        rows = self._rows.part(self._at, self._at + count)
        self._parts[self._at, count] = known = rows, rows.efforts[:count], rows.offs[0]
        return known

    def _go_back(self) -> None:
        """Let the last step be the first of the rows."""
        first = max(self._at - 1, 0)
        for rows in self._rows:
            kept = rows[first : self._at + 1].copy()
            rows[: len(kept)] = kept
        self._at -= first
        self._look()

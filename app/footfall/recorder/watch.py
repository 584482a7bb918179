"""Watch over the steps of a run, so many at once, however they come."""

from footfall.energy.verdict import EnergyVerdict
from footfall.recorder.chatter import ChatterWatch
from footfall.recorder.drift import DriftWatch
from footfall.recorder.thinning import Rows
from footfall.trajectory import Event

_AT_ONCE = 100  # steps


class StepWatch:
    """Shows steps to those that watch energy, gaps and drives.

    Always so many, so that what they say does not depend on when rows are worked out.
    """

    def __init__(
        self, energy: EnergyVerdict, drift: DriftWatch, chatter: ChatterWatch, *, known: bool
    ) -> None:
        """Take them; known: Drake tells all energy, and its verdict is asked."""
        self._energy, self._drift, self._chatter, self._known = energy, drift, chatter, known
        self._left: Rows | None = None  # behind the last ones that were looked at

    @property
    def failure(self) -> str:
        """The line on what fails a run; empty while nothing does."""
        return self._energy.failure or self._drift.failure

    def events(self, message: str) -> list[Event]:
        """Return what is told of a run, but for what the message of its end says."""
        found = [*self._chatter.events()]
        for watch in (self._energy, self._drift):
            if not message or message != watch.failure:
                found += watch.events()
        return found

    def look(self, steps: Rows) -> Rows:
        """Look at steps, and return those up to the end of the ones that fail the run.

        Few that are left are looked at with those that follow.
        """
        before, looked = 0, 0
        rows = steps
        if self._left is not None:
            before, rows = len(self._left.time), self._left.then(steps)
        while len(rows.time) - looked >= _AT_ONCE:
            self._show(rows.part(looked, looked + _AT_ONCE), last=False)
            looked += _AT_ONCE
            if self.failure:
                self._left = None
                return steps.part(0, looked - before)
        self._left = rows.part(looked, len(rows.time))
        return steps

    def close(self) -> None:
        """Look at what is left; no steps follow."""
        if self._left is not None:
            self._show(self._left, last=True)
            self._left = None

    def _show(self, rows: Rows, *, last: bool) -> None:
        """Show the next steps to all."""
        if self._known:
            self._energy.look(rows.time, rows.columns, last=last)
        if len(rows.time) > 0:
            self._drift.look(rows)
            self._chatter.look(rows)

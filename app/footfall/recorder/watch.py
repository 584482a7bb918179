"""Watch over the energy of a run's steps, so many at once, however they come."""

import numpy as np

from footfall.energy.verdict import EnergyVerdict
from footfall.recorder.thinning import Rows
from footfall.trajectory import Event
from footfall.trajectory.energy_watch import COLUMNS

_AT_ONCE = 100  # steps


class StepWatch:
    """Shows steps to a verdict; ``failure`` is its line on what fails the run, or empty."""

    def __init__(self, verdict: EnergyVerdict, *, known: bool) -> None:
        """Take the verdict; known: Drake tells all energy, and the verdict is asked."""
        self._verdict, self._known = verdict, known
        # of the steps behind the last ones that were looked at
        self._left = {name: np.zeros(0) for name in ("time", *COLUMNS)}

    @property
    def failure(self) -> str:
        """The line on a gain that fails a run; empty while there is none."""
        return self._verdict.failure

    def events(self) -> list[Event]:
        """Return the event of a run that gains more than a scheme should, if it does."""
        return self._verdict.events()

    def look(self, steps: Rows) -> Rows:
        """Look at steps, and return those up to the end of the ones that fail the run.

        Few that are left are looked at with those that follow.
        """
        before, looked = len(self._left["time"]), 0
        new = {"time": steps.time, **steps.columns}
        self._left = {
            name: np.concatenate((values, new[name])) for name, values in self._left.items()
        }
        while len(self._left["time"]) >= _AT_ONCE:
            self._show(last=False)
            looked += _AT_ONCE
            if self.failure:
                self._left = {name: values[:0] for name, values in self._left.items()}
                return steps.part(0, looked - before)
        return steps

    def close(self) -> None:
        """Look at what is left; no steps follow."""
        self._show(last=True)

    def _show(self, *, last: bool) -> None:
        """Show the next steps to the verdict."""
        columns = {name: values[:_AT_ONCE] for name, values in self._left.items()}
        self._left = {name: values[_AT_ONCE:] for name, values in self._left.items()}
        if self._known:
            self._verdict.look(columns.pop("time"), columns, last=last)

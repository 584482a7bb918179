"""Plots that grow with a run: values are read at even times of it, however seldom it is drawn."""

import math
from collections.abc import Sequence

import numpy as np

from footfall.show.live.controls import Controls
from footfall.show.live.values import Moment, Value

_PERIOD = 1.0 / 50.0  # s, simulated, between two rows at most
_CLOSEST = 1.0 / 500.0  # s, simulated, between two rows at least, as when it is stepped


class GrowingPlots:
    """Rows of values for a page; a row has the forces of the step that ended last."""

    def __init__(self, controls: Controls, values: Sequence[Value], time_step: float) -> None:
        """Begin the plots of a page anew, for a run with steps of so long [s]."""
        self._controls, self.values, self._dt = controls, tuple(values), time_step
        self._every = max(1, round(_PERIOD / time_step))
        self._last = -math.inf
        controls.put_rows([])

    def steps_left(self, done: int) -> float:
        """Return the steps until the next row is due, of so many done; infinite without values."""
        return self._every - done % self._every if self.values else math.inf

    def is_due(self, done: int) -> bool:
        """Return whether a row must not be missed after so many steps."""
        return bool(self.values) and done % self._every == 0 and self.may_add(done)

    def may_add(self, done: int) -> bool:
        """Return whether a row after so many steps is far enough from the last one."""
        return bool(self.values) and (done - self._last) * self._dt >= _CLOSEST * (1.0 - 1e-9)

    def add(self, done: int, moment: Moment) -> None:
        """Add the row of a moment after so many steps."""
        self._last = done
        if not (np.isfinite(moment.q).all() and np.isfinite(moment.v).all()):
            return  # of a run that diverges, which its engine ends
        row = [value.read(moment) for value in self.values]
        self._controls.add_row([done * self._dt, *row])

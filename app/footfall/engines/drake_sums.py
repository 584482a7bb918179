"""Impulses and works of contacts between the rows of a plant in continuous time.

Such a plant knows forces, not impulses, and a touch may begin and end between two rows. The
integrator's own steps are short where a contact is stiff: from each to the next, the force and its
power are summed by the trapezoidal rule. As a system inside a diagram cannot hear of these steps,
the monitor of the simulator tells it, as it does with feet that take turns.
"""

import numpy as np
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.errors import RunError

_SAME = 1e-9  # of a row's time step: rounding


class ContactSums(LeafSystem):
    """Sums since the last row: output ``sums`` is impulses (n, 3) [N s], then works (n,) [J].

    Everything is in the context: when it was looked at last, and at the start, how often since,
    force and power there, and the sums.
    """

    def __init__(self, contacts: int, time_step: float) -> None:
        """Take the number of contacts and the time between two rows [s]."""
        super().__init__()
        self._size, self._time_step = 4 * contacts, time_step
        self._clock = self.DeclareDiscreteState(3)  # last look, start, looks
        self._rates = self.DeclareDiscreteState(self._size)
        self._sums = self.DeclareDiscreteState(self._size)
        self.DeclareVectorOutputPort("sums", self._size, self._calc_sums)

    def start(self, context: Context, rates: Array) -> None:
        """Begin anew at the context's time, with forces (n, 3) and powers (n,) there, flat."""
        time = context.get_time()
        context.SetDiscreteState(self._clock, np.array([time, time, 0.0]))
        context.SetDiscreteState(self._rates, rates)
        context.SetDiscreteState(self._sums, np.zeros(self._size))

    def look(self, context: Context, rates: Array) -> None:
        """Add what came since the last look; rates as in ``start``, at the context's time."""
        last, start, looks = context.get_discrete_state(self._clock).get_value()
        time = context.get_time()
        before = context.get_discrete_state(self._rates).get_value()
        sums = context.get_discrete_state(self._sums).get_value().copy()
        rows = last / self._time_step
        if time > last and abs(rows - round(rows)) < _SAME * max(1.0, rows):
            sums[:] = 0.0  # the row that ended with the last look has been reported
        sums += 0.5 * (time - last) * (before + rates)
        context.SetDiscreteState(self._clock, np.array([time, start, looks + 1.0]))
        context.SetDiscreteState(self._rates, rates)
        context.SetDiscreteState(self._sums, sums)

    def _calc_sums(self, context: Context, output: BasicVector) -> None:
        _, start, looks = context.get_discrete_state(self._clock).get_value()
        if looks == 0.0 and context.get_time() > start:
            raise RunError(
                "nobody sums contact impulses up in Drake's engine in continuous time: call "
                "engine.watch(simulator) before the simulation starts."
            )
        output.SetFromVector(context.get_discrete_state(self._sums).get_value())

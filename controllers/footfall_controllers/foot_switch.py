"""Switches under the feet: which contacts are felt, out of the impulses of an engine."""

import numpy as np
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array


class FootSwitch(LeafSystem):
    """Contacts that bear a load.

    Input ``contact_impulses`` ([n, t, s] by contact of the engine, N s, of the step that ended
    last). Output ``contact``, one a row: 1 where the sum of its impulses is above a least one.
    """

    def __init__(self, rows: Array, least: float) -> None:
        """Take rows (feet, 3 n) that sum normal impulses of feet, and the least one [N s]."""
        super().__init__()
        self._rows, self._least = rows, least
        self._impulses = self.DeclareVectorInputPort("contact_impulses", rows.shape[1])
        self.DeclareVectorOutputPort("contact", len(rows), self._calc_contact)

    def _calc_contact(self, context: Context, output: BasicVector) -> None:
        loads = self._rows @ self._impulses.Eval(context)
        output.SetFromVector((loads > self._least).astype(np.float64))

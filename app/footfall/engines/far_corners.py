"""Far corners of shapes with many of them, which a run does not keep.

A foot that is a hull may have a hundred corners, all of which have a gap in every step, and of
which a few touch. Kept are those that are closed or near, and of a shape that is far away the one
that is nearest, so that the least gap of every shape is known. Nothing is left out of shapes with
no more corners than a box has.
"""

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.plants.contacts import ContactSet
from footfall.trajectory.contact_table import ContactTable

_FEW = 8  # corners: of a box
_NEAR = 5e-3  # m


class FarCorners:
    """Tells which entries of a table are far corners of a contact set."""

    def __init__(self, contacts: ContactSet) -> None:
        """Look for shapes with many corners."""
        # by reported contact: the number of the shape with many corners that it belongs to, or -1
        self._shape_of = np.full(len(contacts.names), -1, dtype=np.int64)
        many = [shape for shape in contacts.ground if len(shape.points) > _FEW]
        for number, shape in enumerate(many):
            points = slice(shape.first, shape.first + len(shape.points))
            self._shape_of[contacts.reported_as[points]] = number
        self._count = len(many)

    def without(self, table: ContactTable) -> ContactTable:
        """Return a table without them."""
        if self._count == 0:
            return table
        shape = self._shape_of[table.contact]
        gap: Array = table.columns["gap"]
        closed = (table.columns["mode"] != Mode.OPEN) | table.columns["impulse"].any(axis=1)
        kept = (shape < 0) | closed | ~(gap > _NEAR)
        of_many = np.flatnonzero(shape >= 0)
        if len(of_many) == 0:
            return table
        group = table.row[of_many] * self._count + shape[of_many]
        order = np.lexsort((gap[of_many], group))
        first = np.flatnonzero(np.diff(group[order], prepend=-1))
        kept[of_many[order[first]]] = True
        return table.only(kept)

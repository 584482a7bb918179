"""The record of a Moreau step in the context: one row a contact, then how it was solved."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# columns of a row
IMPULSE = 0  # three: n, t, s
VELOCITY = 3  # three: n, t, s
POINT = 6  # three: x, y, z in the world
GAP = 9
MODE = 10
WORK = 11
COLUMNS = 12
# behind the rows: how the step was solved, and its energy
RESIDUAL = -7
ITERATIONS = -6
RUNG = -5
CONSTRAINT_GAP = -4
CONSTRAINT_WORK = -3
ENERGY_RESIDUAL = -2
ENERGY_GAIN = -1
TAIL = 7


def empty_record(contacts: int) -> Array:
    """A record of nothing, for so many contacts."""
    return np.zeros(contacts * COLUMNS + TAIL)


def rows_of(record: Array) -> Array:
    """The rows of a record, (n, COLUMNS), as a view."""
    return record[: record.size - TAIL].reshape(-1, COLUMNS)

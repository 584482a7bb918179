"""Column of rows that grows: what is appended is copied, and room is made by doubling."""

from typing import Any

import numpy as np
import numpy.typing as npt


class Growing:
    """Values of rows so far, whatever the shape of one."""

    def __init__(self, shape: tuple[int, ...], dtype: str, capacity: int) -> None:
        """Take the shape and type of a row, and make room for so many."""
        self._values = np.empty((capacity, *shape), dtype)
        self._rows = 0

    def __len__(self) -> int:
        """Count of rows so far."""
        return self._rows

    def extend(self, values: npt.ArrayLike, rows: int) -> None:
        """Add so many rows: values (rows, ...), or one value that all of them have."""
        end = self._rows + rows
        if end > len(self._values):
            room = max(end, 2 * len(self._values))
            larger = np.empty((room, *self._values.shape[1:]), self._values.dtype)
            larger[: self._rows] = self._values[: self._rows]
            self._values = larger
        self._values[self._rows : end] = values
        self._rows = end

    def since(self, row: int) -> npt.NDArray[Any]:
        """Rows from one on, as a view until the next is added."""
        return self._values[row : self._rows]

    def first(self, rows: int) -> npt.NDArray[Any]:
        """Return so many rows: a copy, or all there is room for, which does not change any more."""
        return self._values if rows == len(self._values) else self._values[:rows].copy()

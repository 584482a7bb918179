"""Arrays of numbers in the little room that a page has for them.

Each number takes 16 bits, over the range of its array; differences from one to the next are kept,
low bytes before high ones, which deflates well. ``inflate.js`` reads them.
"""

import base64
import zlib

import numpy as np

from footfall.arrays import Array

STEPS = 65_534
"""Steps of the range of an array that its numbers are rounded to; one more means NaN."""


class PackedNumbers:
    """Arrays, numbered as they are added; of equal ones there is one.

    table: of every array its length, its least and its largest number.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self.table: list[tuple[int, float, float]] = []
        self._content: list[bytes] = []
        self._known: dict[bytes, int] = {}

    def add(self, values: Array) -> int:
        """Take values (n,); returns their number."""
        own = values.tobytes()
        if own not in self._known:
            self._known[own] = len(self.table)
            low, high, content = _rounded(values)
            self.table.append((len(values), low, high))
            self._content.append(content)
        return self._known[own]

    def content(self) -> bytes:
        """Return the bytes of all arrays, one after the other."""
        return b"".join(self._content)


def packed(content: bytes) -> str:
    """Deflated content in base64, as ``inflate.js`` reads it."""
    return base64.b64encode(zlib.compress(content)).decode("ascii")


def _rounded(values: Array) -> tuple[float, float, bytes]:
    """Return the least and largest of values (n,), and all of them as bytes (2 n,)."""
    known = np.isfinite(values)
    if not known.any():
        return 0.0, 0.0, _differences(np.full(len(values), STEPS + 1))
    low, high = float(values[known].min()), float(values[known].max())
    step = (high - low) / STEPS or 1.0
    whole = np.where(known, np.round((np.where(known, values, low) - low) / step), STEPS + 1)
    return low, high, _differences(whole.astype(np.int64))


def _differences(whole: np.ndarray) -> bytes:
    """Return numbers of 16 bits as differences, low bytes first."""
    differences = np.diff(whole, prepend=0).astype(np.uint16)
    low, high = differences & 255, differences >> 8
    return low.astype(np.uint8).tobytes() + high.astype(np.uint8).tobytes()

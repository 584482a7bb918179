"""Random numbers by their place in a stream, whoever asks for them first.

Source: J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011), whose Philox is a
function of a key and a counter.
"""

import zlib

import numpy as np

from footfall.arrays import Array


class SeededNoise:
    """Standard normal numbers, so many a sample, as a function of seed, stream and sample.

    In whatever order an engine asks for samples, and however often, they are the same.
    """

    def __init__(self, seed: int, stream: str, width: int) -> None:
        """Take the seed of a scenario and the name of a stream, which no other noise has."""
        self._key = np.array([seed % 2**64, zlib.crc32(stream.encode())], dtype=np.uint64)
        self._width = width
        self._last = -1, np.zeros(0)  # an engine asks twice for what it needs once

    def sample(self, number: int) -> Array:
        """Numbers of a sample, counted from 0, (width,)."""
        last, values = self._last
        if last != number:
            counter = np.array([0, 0, 0, number], dtype=np.uint64)
            generator = np.random.Generator(np.random.Philox(key=self._key, counter=counter))
            values = generator.standard_normal(self._width)
            values.flags.writeable = False
            self._last = number, values
        return values

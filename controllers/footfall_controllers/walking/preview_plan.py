"""Plan of the capture point over a whole horizon, for a zero-moment point on straight lines.

Of a linear inverted pendulum, c'' = w^2 (c - z), the capture point x = c + c'/w follows
x' = w (x - z): unstable forwards, so it is solved backwards from the end of the horizon, exactly,
segment by segment. J. Englsberger, C. Ott, A. Albu-Schaeffer, Three-dimensional bipedal walking
control based on divergent component of motion, IEEE Transactions on Robotics 31 (2015).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array


@dataclass(frozen=True, eq=False)
class Segment:
    """Zero-moment point that goes from start to end (2,) [m] in a length of time [s]."""

    length: float
    start: Array
    end: Array


class PreviewPlan:
    """Capture point over a horizon of segments; beyond its end, it and the zero-moment point rest.

    ends: capture point (2,) at the end of each segment.
    """

    def __init__(self, segments: Sequence[Segment], w: float) -> None:
        """Solve it backwards; w: natural frequency of the pendulum, sqrt(g / height) [1/s]."""
        self._segments, self._w = segments, w
        x = segments[-1].end
        found = []
        for segment in reversed(segments):
            found.append(x)
            x = before(segment, x, segment.length, w)
        self.ends = found[::-1]

    def at(self, time: float) -> tuple[Array, Array]:
        """Return capture point and zero-moment point (2,) at a time from the start [s]."""
        for segment, end in zip(self._segments, self.ends, strict=True):
            if time <= segment.length:
                share = time / segment.length
                zmp: Array = segment.start + share * (segment.end - segment.start)
                return before(segment, end, segment.length - time, self._w), zmp
            time -= segment.length
        return self._segments[-1].end, self._segments[-1].end


def before(segment: Segment, end: Array, left: float, w: float) -> Array:
    """Capture point a time before the end of a segment [s], given that at its end."""
    rate = (segment.end - segment.start) / segment.length
    there = segment.end - rate * left
    offset = rate / w
    point: Array = there + offset + np.exp(-w * left) * (end - segment.end - offset)
    return point

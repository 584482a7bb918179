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


def capture_points(segments: Sequence[Segment], w: float) -> list[Array]:
    """Return the capture point (2,) at the end of each segment; at the last it rests on the plan.

    w: natural frequency of the pendulum, sqrt(g / height) [1/s].
    """
    x = segments[-1].end
    found = []
    for segment in reversed(segments):
        found.append(x)
        x = before(segment, x, segment.length, w)
    return found[::-1]


def before(segment: Segment, end: Array, left: float, w: float) -> Array:
    """Capture point a time before the end of a segment [s], given that at its end."""
    rate = (segment.end - segment.start) / segment.length
    there = segment.end - rate * left
    offset = rate / w
    point: Array = there + offset + np.exp(-w * left) * (end - segment.end - offset)
    return point


def planned(segments: Sequence[Segment], w: float, time: float) -> tuple[Array, Array]:
    """Return capture point and zero-moment point at a time from the start of the segments [s].

    Beyond their end both rest there.
    """
    ends = capture_points(segments, w)
    for segment, end in zip(segments, ends, strict=True):
        if time <= segment.length:
            share = time / segment.length
            zmp: Array = segment.start + share * (segment.end - segment.start)
            return before(segment, end, segment.length - time, w), zmp
        time -= segment.length
    return segments[-1].end, segments[-1].end

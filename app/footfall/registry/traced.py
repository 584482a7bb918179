"""Points whose paths an animation draws."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TracedPoint:
    """A point that is fixed to a frame of a model, be it a body's or one that its file adds.

    name: of the path. frame: in full, ``pasibot::foot_1``. place: p_FP of the point in it [m].
    """

    name: str
    frame: str
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)


Traced = str | TracedPoint
"""A point in a frame, or by its name a contact, whose collision shape has the point at its origin:
``hopper::P``.
"""

"""Lines that an animation draws on the ground between what moves and what stands."""

from dataclasses import dataclass

MAGENTA = "#FF00FF"


@dataclass(frozen=True)
class DashedLine:
    """A dashed line on the ground between two places, which are taken along the ground's normal.

    start, end: the full name of a body, ``ball::ball``, or a point in W [m]. The dashes are counted
    from the start, so that they stand still where the start does. colour: #rrggbb.
    """

    start: str | tuple[float, float, float]
    end: str | tuple[float, float, float]
    colour: str = MAGENTA

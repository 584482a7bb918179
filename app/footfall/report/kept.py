"""Lines, areas, bands and words that a panel is given before it is made."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import FillBetweenPolyCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

_APART = 1e-9  # of the larger end: matplotlib moves ends that are nearer apart
_DOTS = ".ox+sDd^v<>*PX|_"  # markers that a word for plot may be

Axis = Literal["x", "y"]
Ends = tuple[float, float]
Shares = tuple[bool, bool]
"""Which coordinates are shares of a panel."""
Bands = Callable[[Ends], PolyCollection | None]
"""Areas in a panel between its ends across; their heights are shares of the panel's."""

_Any = TypeVar("_Any", bound=Artist)


class Kept:
    """Lines, areas, bands and words that a panel has been given before it is made.

    artists: in their order, with which of their coordinates are shares of the panel. box: around
    their data.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.artists: list[tuple[Artist, Shares]] = []
        self.bands: list[Bands] = []
        self.box: Bbox = Bbox.null()
        self.labels = {"x": "", "y": ""}
        self.visible = True
        self.title = ""
        self.x_ends: Ends | None = None
        self.y_ends: Ends | None = None

    def add_line(self, line: Line2D) -> None:
        """Keep a line in units of the axes."""
        self.box.update_from_path(line.get_path(), ignore=False)
        self._add(line, (False, False))

    def add_across(self, axis: Axis, artist: _Any, *values: float) -> _Any:
        """Keep and return what goes all across the panel, at values of an axis."""
        interval = getattr(self.box, f"interval{axis}")
        ends = min(interval[0], *values), max(interval[1], *values)
        setattr(self.box, f"interval{axis}", ends)
        self._add(artist, (axis == "y", axis == "x"))
        return artist

    def add_between(
        self,
        x: Any,  # noqa: ANN401 (numbers)
        y1: Any,  # noqa: ANN401
        y2: Any,  # noqa: ANN401
        style: Mapping[str, Any],
    ) -> PolyCollection:
        """Keep and return the area between two curves."""
        curves = [np.ma.masked_invalid(values) for values in (x, y1, y2)]
        area: Any = FillBetweenPolyCollection("x", *curves, **style)
        for path in area.get_paths():
            self.box.update_from_path(path, ignore=False)
        self._add(area, (False, False))
        return area

    def _add(self, artist: Artist, shares: Shares) -> None:
        if artist.get_label() is None:  # as matplotlib's axes do, lest a legend tells of None
            artist.set_label("")
        self.artists.append((artist, shares))


def marker_of(args: Sequence[Any]) -> dict[str, Any]:
    """Return the look that the third of the words for plot stands for, if it is a marker's."""
    if len(args) != 3 or not isinstance(args[2], str) or len(args[2]) != 1:
        return {}
    return {"marker": args[2], "linestyle": "None"} if args[2] in _DOTS else {}


def are_numbers(args: Sequence[Any]) -> bool:
    """Return whether these are two rows of numbers."""
    return (
        len(args) == 2 and all(_is_row(values) for values in args) and len(args[0]) == len(args[1])
    )


def _is_row(values: Any) -> bool:  # noqa: ANN401 (whatever somebody plots)
    if type(values) is list:
        return all(type(value) in {int, float} for value in values)
    return type(values) is np.ndarray and values.ndim == 1 and values.dtype.kind in "fiu"


def are_ends(args: Sequence[Any]) -> bool:
    """Return whether these are two numbers so far apart that matplotlib leaves them alone."""
    if len(args) != 2 or not all(isinstance(one, int | float) for one in args):
        return False
    low, high = args
    return bool(np.isfinite([low, high]).all() and high - low > _APART * max(abs(low), abs(high)))

"""Lines, areas and bands of a panel that is not made yet."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import normalize_kwargs
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from footfall.report.kept import Axis, Bands, are_ends, are_numbers, marker_of
from footfall.report.late_panel import LatePanel

_OWN_WAYS = {"transform", "data", "scalex", "scaley"}  # of a line, which axes have to know of
_OF_SPANS = {"transform", "xmin", "xmax", "ymin", "ymax"}  # likewise
_OF_AREAS = {"transform", "data", "where", "interpolate", "step", "hatch"}  # likewise


class LateMarks(LatePanel):
    """A panel that keeps lines and areas as charts have them."""

    def plot(self, *args: Any, **own: Any) -> list[Line2D]:  # noqa: ANN401 (matplotlib's)
        """Plot lines; kept are those of numbers over numbers, in an explicit colour."""
        style = normalize_kwargs(own, Line2D) if not self.late_figure.made else own
        dots = marker_of(args)
        plain = "color" in style and not _OWN_WAYS & set(style) and are_numbers(args[:2])
        if self.late_figure.made or not plain or len(args) > 2 + bool(dots):
            self.late_figure.make()
            return super().plot(*args, **own)
        line = Line2D(*args[:2], **(dots | style))
        self.late_figure.keep(lambda: self._take(line))
        self.kept.add_line(line)
        return [line]

    def _take(self, line: Line2D) -> None:
        """Plot a line that was kept."""
        self.add_line(line)
        whole: Any = self
        for axis in "xy":
            whole._request_autoscale_view(axis)  # noqa: SLF001 (as plot does)

    def axhline(self, y: Any = 0, *args: Any, **own: Any) -> Line2D:  # noqa: ANN401
        """Draw a line across."""
        return self._line("y", super().axhline, y, *args, **own)

    def axvline(self, x: Any = 0, *args: Any, **own: Any) -> Line2D:  # noqa: ANN401
        """Draw a line upwards."""
        return self._line("x", super().axvline, x, *args, **own)

    def axhspan(self, ymin: Any, ymax: Any, *args: Any, **own: Any) -> Rectangle:  # noqa: ANN401
        """Fill the room between two heights."""
        return self._span("y", super().axhspan, ymin, ymax, *args, **own)

    def axvspan(self, xmin: Any, xmax: Any, *args: Any, **own: Any) -> Rectangle:  # noqa: ANN401
        """Fill the room between two places."""
        return self._span("x", super().axvspan, xmin, xmax, *args, **own)

    def _line(self, axis: Axis, usual: Any, at: Any, *args: Any, **own: Any) -> Line2D:  # noqa: ANN401
        """Draw a line all across the panel at a value of an axis, as usual if it is not kept."""
        plain = not self.late_figure.made and not args and not _OF_SPANS & set(own)
        plain = plain and self._is_settled(axis, at)
        if not self._keeps(lambda: usual(at, *args, **own), if_so=plain):
            return usual(at, *args, **own)
        place = ([0, 1], [at, at])
        line = Line2D(*(place if axis == "y" else place[::-1]), **own)
        return self.kept.add_across(axis, line, at)

    def _span(
        self,
        axis: Axis,
        usual: Any,  # noqa: ANN401
        low: Any,  # noqa: ANN401
        high: Any,  # noqa: ANN401
        *args: Any,  # noqa: ANN401
        **own: Any,  # noqa: ANN401
    ) -> Rectangle:
        """Do the same with the room between two values."""
        plain = not args and not _OF_SPANS & set(own) and are_ends((low, high))
        if not self._keeps(lambda: usual(low, high, *args, **own), if_so=plain):
            return usual(low, high, *args, **own)
        corner, sides = (0.0, low), (1.0, high - low)
        if axis == "x":
            corner, sides = corner[::-1], sides[::-1]
        return self.kept.add_across(axis, Rectangle(corner, *sides, **own), low, high)

    def _is_settled(self, axis: Axis, value: Any) -> bool:  # noqa: ANN401
        """Return whether a line at a value widens the ends of an axis, or clearly does not.

        Matplotlib leaves ends as they are for one in the margin around the data, until more data
        come.
        """
        if not isinstance(value, int | float) or not np.isfinite(value):
            return False
        low, high = self.kept_in(axis)
        if low <= value <= high or not np.isfinite(low):
            return True
        if (self.kept.x_ends if axis == "x" else self.kept.y_ends) is not None:
            return True
        ends = self.late_ends()
        if ends is None:
            return False
        first, last = ends["xy".index(axis)]
        return not first <= value <= last

    def fill_between(self, x: Any, y1: Any, y2: Any = 0, *args: Any, **own: Any) -> Any:  # noqa: ANN401
        """Fill the room between two curves; kept is that of numbers, in an explicit colour."""
        usual = super().fill_between
        plain = not args and all(np.ndim(y) == 0 or are_numbers((x, y)) for y in (y1, y2))
        style = normalize_kwargs(own, PolyCollection) if plain else own
        plain = plain and not _OF_AREAS & set(style) and bool({"color", "facecolor"} & set(style))
        if self._keeps(lambda: usual(x, y1, y2, *args, **own), if_so=plain):
            return self.kept.add_between(x, y1, y2, style)
        return usual(x, y1, y2, *args, **own)

    def take_bands(self, bands: Bands) -> None:
        """Add bands, which change no ends."""
        if self._keeps(lambda: draw_bands(self, bands)):
            self.kept.bands.append(bands)
        else:
            draw_bands(self, bands)


def draw_bands(panel: Axes, bands: Bands) -> None:
    """Draw bands in a panel that is made, between the ends that it has now."""
    areas = bands(panel.get_xlim())
    if areas is not None:
        areas.set_transform(panel.get_xaxis_transform())
        panel.add_collection(areas, autolim=False)

"""A figure whose panels are not made yet as a chart: lines, bands, and the words beside them."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from footfall.report.charts.marks import Sight, marks_of_line, marks_of_patch, marks_of_paths
from footfall.report.charts.model import Mark, Panel, Scale
from footfall.report.kept import Bands, Ends, Shares
from footfall.report.late_axes import LateAxes, LateFigure
from footfall.report.panels import is_over_time

# from behind to the front, where their zorder is the same
_KINDS: tuple[tuple[type[Artist], Callable[[Any, Shares, Sight], Iterator[Mark]]], ...] = (
    (PolyCollection, marks_of_paths),
    (Patch, marks_of_patch),
    (Line2D, marks_of_line),
)


def late_panels(figure: LateFigure) -> list[Panel] | None:
    """Return the panels of a figure; None where matplotlib has to say what there is in them."""
    if figure.made:
        return None
    columns = figure.panels.shape[1]
    panels = []
    for index, panel in enumerate(figure.panels.ravel().tolist()):
        if panel.get_visible():
            ends = panel.late_ends()
            if ends is None:
                return None
            panels.append(_panel(panel, divmod(index, columns), ends, 1.0 / columns))
    return panels or None


def _panel(panel: LateAxes, place: tuple[int, int], ends: tuple[Ends, Ends], width: float) -> Panel:
    """Return a panel at its row and column, between the ends of its axes."""
    (row, column), (x, y) = place, ends
    sight = Sight(np.array([x, y]), (False, False), width)
    lined = bool(mpl.rcParams["axes.grid"])
    return Panel(
        rows=(row, row + 1),
        columns=(column, column + 1),
        title=panel.kept.title,
        x=Scale(panel.get_xlabel(), *x, log=False, ticks=None),
        y=Scale(panel.get_ylabel(), *y, log=False, ticks=None),
        marks=list(_marks(panel, sight)),
        over_time=is_over_time(panel),
        equal=False,
        grid=(lined, lined),
        legend=(),
    )


def _marks(panel: LateAxes, sight: Sight) -> Iterator[Mark]:
    """Yield what is in a panel, from behind to the front."""
    x_ends = float(sight.ends[0, 0]), float(sight.ends[0, 1])
    found = [_marks_of_bands(bands, x_ends) for bands in panel.kept.bands]
    found += [
        (artist.get_zorder(), tuple(marks_of(artist, shares, sight)))
        for kind, marks_of in _KINDS
        for artist, shares in panel.kept.artists
        if isinstance(artist, kind) and artist.get_visible()
    ]
    for _, marks in sorted(found, key=lambda one: one[0]):
        yield from marks


@lru_cache(maxsize=16)  # all panels of a figure have the same
def _marks_of_bands(bands: Bands, x_ends: Ends) -> tuple[float, tuple[Mark, ...]]:
    """Marks of bands, behind how far in front they are."""
    areas = bands(x_ends)
    if areas is None:
        return 0.0, ()
    sight = Sight(np.array([x_ends, (0.0, 1.0)]), (False, False), 1.0)
    return areas.get_zorder(), tuple(marks_of_paths(areas, (False, True), sight))

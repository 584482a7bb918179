"""A figure whose panels are not made yet as a chart: lines, bands, and the words beside them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import matplotlib as mpl
import numpy as np
from matplotlib.transforms import Bbox

from footfall.report.charts.marks import Sight, marks_of_line, marks_of_paths
from footfall.report.charts.model import Mark, Panel, Scale
from footfall.report.charts.words import in_words
from footfall.report.late_axes import Bands, Ends, LateAxes, LateFigure, ends_around
from footfall.report.panels import is_over_time


def late_panels(figure: LateFigure) -> list[Panel] | None:
    """Return the panels of a figure; None where matplotlib has to say what there is in them."""
    if figure.made:
        return None
    every = figure.panels.ravel().tolist()
    ends = [_ends(panel, every if figure.share_x else [panel]) for panel in every]
    seen = [index for index, panel in enumerate(every) if panel.get_visible()]
    columns = figure.panels.shape[1]
    panels = []
    for index in seen:
        found = ends[index]
        if found is None:
            return None
        panels.append(_panel(every[index], divmod(index, columns), *found, 1.0 / columns))
    return panels or None


def _ends(panel: LateAxes, together: Sequence[LateAxes]) -> tuple[Ends, Ends] | None:
    """Ends of the axes of a panel; together: those that share the axis across."""
    across = [one.kept.box.intervalx for one in together if one.kept.lines]
    y_ends = panel.kept.y_ends
    up = panel.kept.box.intervaly if y_ends is None else y_ends
    if not across:
        return None
    values = np.concatenate(across)
    values = values[np.isfinite(values)]
    if len(values) == 0:
        return None
    found = ends_around(Bbox([[values.min(), up[0]], [values.max(), up[1]]]))
    return found if found is None or y_ends is None else (found[0], y_ends)


def _panel(panel: LateAxes, place: tuple[int, int], x: Ends, y: Ends, width: float) -> Panel:
    """Return a panel at its row and column, between the ends of its axes."""
    row, column = place
    sight = Sight(np.array([x, y]), (False, False), width)
    lined = bool(mpl.rcParams["axes.grid"])
    return Panel(
        rows=(row, row + 1),
        columns=(column, column + 1),
        title="",
        x=Scale(in_words(panel.get_xlabel()), *x, log=False, ticks=None),
        y=Scale(in_words(panel.get_ylabel()), *y, log=False, ticks=None),
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
        (line.get_zorder(), tuple(marks_of_line(line, (False, False), sight)))
        for line in panel.kept.lines
        if line.get_visible()
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

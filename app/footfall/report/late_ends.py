"""Ends of axes that matplotlib would choose, without a panel for each."""

from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from footfall.report.kept import Ends
from footfall.report.light_axes import LightAxes


def ends_around(box: Bbox) -> tuple[Ends, Ends] | None:
    """Ends of linear axes that matplotlib chooses around data, (x, y); None where there is none."""
    if not np.isfinite(box.get_points()).all():
        return None
    panel = _measuring()
    panel.dataLim.set_points(box.get_points())
    panel.set_autoscale_on(True)
    panel.autoscale_view()
    return panel.get_xlim(), panel.get_ylim()


@cache
def _measuring() -> LightAxes:
    """A panel that no figure shows."""
    panel: Any = Figure().subplots(subplot_kw={"axes_class": LightAxes})
    return panel

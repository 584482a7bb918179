"""Time series of runs as a matplotlib figure that notebooks show."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from footfall.errors import RunError
from footfall.report.bands import mark_bands, marking, push_bands
from footfall.report.charts.panel import Chart
from footfall.report.charts.picture import LEGEND, STYLE, figure_of, fill_axes
from footfall.report.curves import fill_chart
from footfall.report.figures import series_plots
from footfall.report.run_view import RunView
from footfall.trajectory import Trajectory
from footfall.trajectory.pushes import pushes_of

_WIDTH, _HEIGHT = 8.0, 2.6  # inches, of a panel


class _Plot(Figure):
    """A figure that a notebook shows as it is, whether or not pyplot is in use."""

    def __repr__(self) -> str:
        return f"<figure with {len(self.axes)} panels>"

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        with mpl.rc_context(STYLE):
            self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


def plot_runs(
    trajectories: Mapping[str, Trajectory], names: Sequence[str], ax: Axes | None = None
) -> Figure:
    """Plot series of runs over time, those of one unit in one panel; angles in degrees.

    names: as `find_series` takes them. ax: axes of the caller, for series of one unit. Raises
    RunError for a name that there is not, for none, and for several units in one panel.
    """
    if not names:
        raise RunError("plot: name at least one series; run.series() lists them.")
    runs = [RunView(name, k, one) for k, (name, one) in enumerate(trajectories.items())]
    plots = series_plots(runs, names)
    if ax is not None and len(plots) > 1:
        units = ", ".join(plot.label.rpartition("[")[2].rstrip("]") for plot in plots)
        raise RunError(f"plot: one ax cannot hold several units ({units}): leave ax out.")
    chart = Chart((len(plots), 1), [_HEIGHT] * len(plots), _WIDTH, share_x=True)
    fill_chart(chart, runs, plots)
    with marking(push_bands(pushes_of(runs[0].data))):
        mark_bands(chart)
    if ax is not None:
        chart.shown[0].legend_entries = chart.legend
        fill_axes(ax, chart.shown[0])
        whole: Any = ax.get_figure(root=True)
        return whole
    with mpl.rc_context(STYLE):
        figure = _Plot(figsize=(_WIDTH, _HEIGHT * len(plots) + LEGEND))
        FigureCanvasAgg(figure)
    return figure_of(chart, figure)

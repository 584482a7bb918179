"""Figures of a robot's balance: points and support polygons from above, margins over time."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from footfall.arrays import Array
from footfall.feet.balance import Support
from footfall.feet.gait import WINDOW, mean_of
from footfall.report.figure import Figure, draw
from footfall.report.foot_panels import Quantity, over_time
from footfall.report.panels import grid_shape, legend_on_top, thin
from footfall.report.section import Section
from footfall.report.supports import supports_of
from footfall.report.wording import listed

_POLYGONS = 8  # so many support polygons at most, evenly over the stances
# variable, label and look of the points that are drawn
_POINTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("capture_point", "capture point", {"color": "#E69F00", "marker": "+"}),
    ("zero_moment_point", "zero-moment point", {"color": "#0072B2", "marker": "x"}),
    ("com", "centre of mass", {"color": "black", "marker": "."}),
)
_NOTE = (
    f"Paths while feet are in contact, as means over {1e3 * WINDOW:g} ms, with a mark at the end. "
    "Grey: support polygons at some times, hulls of all points that can bear a load; the last one "
    "has a frame."
)


def balance_figures(section: Section) -> list[Figure]:
    """Balance from above and margins; of a planar robot the margins alone."""
    margins = over_time(
        section,
        "Margin to the edge of the support polygon",
        section.first.trajectory.data["support_point"].values.tolist(),
        [Quantity("margin [mm]", _margin, limit=0.0)],
        f"Seen from above, negative outside; means over {1e3 * WINDOW:g} ms. A robot on two "
        "points, or on one, has no inside.",
    )
    return [margins] if section.robot.contacts.dim == 2 else [_from_above(section), margins]


def _margin(data: xr.Dataset, point: str) -> Array:
    """Margins (N,) [mm] of a point while a foot is in contact."""
    margin = 1e3 * data["support_margin"].sel(support_point=point).to_numpy()
    mean: Array = np.where(_stands(data), mean_of(data, margin), np.nan)
    return mean


def _stands(data: xr.Dataset) -> npt.NDArray[np.bool_]:
    """Rows in which a foot is in contact."""
    stands: npt.NDArray[np.bool_] = (data["foot_contact"].to_numpy() == 1).any(axis=1)
    return stands


def _from_above(section: Section) -> Figure:
    def plot(axes: npt.NDArray[Any]) -> None:
        panels = axes.ravel()
        for panel, (name, run) in zip(panels, section.runs.items(), strict=False):
            _plan(panel, run.trajectory.data, section.read(supports_of)[name])
            panel.set_title(name)
            panel.set(xlabel="x [m]", ylabel="y [m]")
            panel.set_aspect("equal", adjustable="datalim")
        for panel in panels[len(section.runs) :]:
            panel.set_visible(False)
        legend_on_top(panels[0])

    alt = (
        "Paths of capture point, zero-moment point and centre of mass seen from above, over "
        f"support polygons, for {listed(section.runs)}."
    )
    shape = grid_shape(len(section.runs))
    title = "Balance from above"
    return draw(title, alt, shape, plot, note=_NOTE, row_height=4.0, share_x=False)


def _plan(panel: Axes, data: xr.Dataset, support: Support) -> None:
    """Draw the polygons of a run, and its points over them."""
    polygons = _polygons(data, support)
    for index, corners in enumerate(polygons):
        last = index == len(polygons) - 1
        edge = {"edgecolor": "#444444", "linewidth": 1.2} if last else {"edgecolor": "none"}
        panel.add_patch(Polygon(corners, facecolor="#999999", alpha=0.12, linewidth=0.0, zorder=1))
        panel.add_patch(Polygon(corners, fill=False, zorder=2, **edge))
        panel.update_datalim(corners)
    for variable, label, style in _POINTS:
        columns = [mean_of(data, column) for column in data[variable].to_numpy()[:, :2].T]
        places = np.stack(columns, axis=1)[_stands(data)]
        places = places[np.isfinite(places).all(axis=1)]
        if len(places) == 0:
            continue
        few = thin(places)
        line = {"linewidth": 1.0, "markevery": [-1], "markersize": 8.0, "zorder": 3, **style}
        panel.plot(*np.vstack((places[few], places[-1:])).T, label=label, **line)
    panel.autoscale_view()


def _polygons(data: xr.Dataset, support: Support) -> list[Array]:
    """Support polygons (m, 2) at times evenly over the stances, in the order of time."""
    stands = np.flatnonzero(_stands(data))
    if len(stands) == 0:
        return []
    chosen = stands[np.unique(np.linspace(0, len(stands) - 1, _POLYGONS).round().astype(int))]
    polygons = [support.polygon(int(row)) for row in chosen]
    return [corners for corners in polygons if len(corners) > 1]

"""The field from above: how fast a shot from where may be, and the keeper saves it all the same."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Circle, Polygon
from pydrake.multibody.parsing import LoadModelDirectivesFromString

from footfall.arrays import Array
from footfall.machines.goalkeeper.analyses.prediction import outline
from footfall.machines.goalkeeper.measures import PENALTY_MARK
from footfall.plants.load import Model, ModelSpec, load_model
from footfall.report.figure import Figure, draw
from footfall.report.plan_view import draw_scenery
from footfall.report.wording import NONE, number

_FIELD = """
directives:
- add_model: {name: field, file: package://footfall/sdf/field/field.sdf}
- add_weld: {parent: terrain, child: "field::grass"}
"""
_SPEEDS = mpl.colormaps["viridis"]
_NONE_SAVED = "#bbbbbb"
_KEEPER, _EDGE, _INK = "#FF8C00", "#7A4A00", "#222222"
_PALE = 0.7  # share of white in the colours of the field
_SIDES, _BEHIND, _ABOVE = 2.2, -0.75, 0.45  # m: what is seen beside, behind and beyond the shots
_RADIUS = 0.17  # m: of the discs
_LIGHT = 0.55  # of the colours: from here on they are lighter than white writing stands on
_WIDTH = 7.6  # inches
_TEXT: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 6.0, "color": _INK}


def safe_speeds(data: xr.Dataset) -> Figure:
    """At every origin the greatest speed up to which all shots are saved, whatever their target."""
    found, foretold = data["safe_speed"].to_numpy(), data["foretold_safe_speed"].to_numpy()
    speed = data["speed"].to_numpy()
    norm = Normalize(*_range(found, speed))
    label = partial(_speed_text, fastest=float(speed[-1]))
    high = float(data["origin_y"][-1]) + _ABOVE
    model = _field()

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        draw_scenery(panel, model, _PALE)
        panel.add_patch(Polygon(outline(), facecolor=_KEEPER, edgecolor=_EDGE, zorder=3.0))
        for i, x in enumerate(data["origin_x"].to_numpy()):
            for j, y in enumerate(data["origin_y"].to_numpy()):
                _draw_disc(panel, (x, y), found[i, j], norm, label)
                below = y - 1.45 * _RADIUS
                panel.text(x, below, label(foretold[i, j]), fontsize=7.5, **_TEXT)
        places = float(data.attrs["goal_width"]) * (data["target"].to_numpy() - 0.5)
        panel.plot(places, np.zeros_like(places), "v", color="black", markersize=7.0, zorder=4.0)
        panel.set(xlim=(-_SIDES, _SIDES), ylim=(_BEHIND, high), xlabel="x [m]", ylabel="y [m]")
        panel.set_aspect("equal")
        panel.grid(visible=False)
        colours = mpl.cm.ScalarMappable(norm, _SPEEDS)
        panel.figure.colorbar(colours, ax=panel, label="speed of the kick [m/s]", shrink=0.85)

    alt = (
        "The field from above with goal, keeper and penalty mark; at every place of the ball at "
        "the kick a disc with the greatest speed up to which the keeper saves the shots to all "
        f"targets, {_span(found)}, and the foretold one below it."
    )
    note = (
        "In the discs: the largest speed of the grid up to which all shots from there are saved, "
        f"simulated in {data.attrs['engine']}; below them the foretold one on a finer grid [m/s]. "
        f"A + stands where all are saved, {NONE} where one of the slowest is not. Triangles: the "
        "targets; the black rim: the penalty mark."
    )
    height = (_WIDTH - 2.2) * (high - _BEHIND) / (2.0 * _SIDES) + 0.6
    title = "How fast a shot the keeper saves, from where"
    return draw(title, alt, (1, 1), plot, note=note, row_height=height, width=_WIDTH)


def _draw_disc(
    panel: Axes, at: tuple[float, float], speed: float, norm: Normalize, label: Callable[..., str]
) -> None:
    """A disc with a speed in it [m/s]; that on the penalty mark has a black rim."""
    colour = _NONE_SAVED if math.isnan(speed) else _SPEEDS(norm(speed))
    on_mark = np.allclose(at, PENALTY_MARK)
    rim: dict[str, Any] = {"edgecolor": "black" if on_mark else "white", "linewidth": 1.2}
    panel.add_patch(Circle(at, _RADIUS, facecolor=colour, zorder=5.0, **rim))
    is_light = math.isnan(speed) or float(norm(speed)) > _LIGHT
    ink = _INK if is_light else "white"
    panel.text(*at, label(speed), fontsize=8.5, weight="bold", **(_TEXT | {"color": ink}))


def _speed_text(speed: float, fastest: float) -> str:
    if math.isnan(speed):
        return NONE
    return f"{speed:.1f}+" if speed >= fastest else f"{speed:.2f}".removesuffix("0")


def _range(found: Array, speed: Array) -> tuple[float, float]:
    """Speeds between which the colours change [m/s]."""
    known = found[np.isfinite(found)]
    low, high = (known.min(), known.max()) if known.size else (speed[0], speed[-1])
    return float(low), float(high if high > low else low + 1.0)


def _span(found: Array) -> str:
    """From which speed to which they are."""
    known = found[np.isfinite(found)]
    if not known.size:
        return "of which there is none"
    return f"from {number(float(known.min()), 3)} to {number(float(known.max()), 3)} m/s"


def _field() -> Model:
    """The field alone."""
    directives = LoadModelDirectivesFromString(_FIELD).directives
    return load_model(ModelSpec(directives=directives))

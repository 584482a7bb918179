"""The ground's force on the compass in its friction cone, and the impulses of heel strikes."""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.machines.compass.report.map import MARKERS
from footfall.machines.compass.report.portrait import EXACT
from footfall.machines.compass.report.runs import CompassRun, CompassRuns
from footfall.report.figure import Figure, draw
from footfall.report.panels import TIME, legend_above, legend_on_top, thin_by
from footfall.report.wording import number

_CONE: dict[str, Any] = {"color": "#009E73", "linewidth": 1.1}
_NEED: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
_BEYOND = 1.4  # the axis goes so far beyond the friction that is needed, or that there is
_SHORT, _LONG = 0.004, 0.02  # s, over which forces of engines of steps are averaged


def force_figures(walks: CompassRuns, time_step: float) -> list[Figure]:
    """Tangential over normal force over time; force and impulses inside the cone."""
    return [_ratio(walks, time_step), _hodograph(walks, time_step)]


def _ratio(walks: CompassRuns, time_step: float) -> Figure:
    seen = [_ratios(walk, time_step) for walk in walks.runs]
    need = walks.cycle.friction_stance if walks.cycle is not None else 0.0
    largest = max([need, *(float(np.abs(r).max()) for ratios in seen for _, r in ratios)])
    far = walks.mu > 2.0 * largest > 0.0
    reach = _BEYOND * (largest if far else max(walks.mu, min(largest, 2.0 * walks.mu)))

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for walk, ratios in zip(walks.runs, seen, strict=True):
            for index, (time, ratio) in enumerate(ratios):
                label = walk.name if index == 0 else None
                panel.plot(time, ratio, label=label, **walk.style)
        if not far:
            panel.axhline(walks.mu, label=f"±µ = {number(walks.mu, 3)}", **_CONE)
            panel.axhline(-walks.mu, **_CONE)
        if need > 0.0:
            panel.axhline(need, label=f"± needed by the exact step, {number(need, 3)}", **_NEED)
            panel.axhline(-need, **_NEED)
        panel.set(ylim=(-reach, reach), xlabel=TIME, ylabel="tangential / normal [1]")
        legend_above(panel)

    alt = (
        f"Tangential over normal force on the standing foot over time, for {walks.listed}, with "
        f"the friction that the exact step needs and the coefficient {number(walks.mu, 3)}."
    )
    note = "While a foot stands; heel strikes are left out."
    if far:
        note += f" The friction of the ground, ±µ = {number(walks.mu, 3)}, is beyond the axis."
    title = "Friction that the standing foot needs"
    return draw(title, alt, (1, 1), plot, note=note, row_height=2.4, dense=True)


def _ratios(walk: CompassRun, time_step: float) -> list[tuple[Array, Array]]:
    """Times and tangential over normal force of every stance, thinned, where the foot is loaded."""
    ratios = []
    for time, force in walk.stance_forces(time_step, _SHORT):
        loaded = np.flatnonzero(force[:, 1] > 0.0)[:: thin_by(len(walk.time))]
        if len(loaded):
            ratios.append((time[loaded], force[loaded, 0] / force[loaded, 1]))
    return ratios


def _hodograph(walks: CompassRuns, time_step: float) -> Figure:
    top = _highest(walks, time_step)

    def plot(axes: npt.NDArray[Any]) -> None:
        left, right = axes[0]
        if walks.cycle is not None:
            left.plot(*walks.cycle.force, label="exact", **EXACT)
        for walk in walks.runs:
            for index, (_, force) in enumerate(walk.stance_forces(time_step, _LONG)):
                few = force[:: thin_by(len(walk.time))]
                label = walk.name if index == 0 else None
                left.plot(*few.T, label=label, **(walk.style | {"linewidth": 1.0}))
        left.set(xlabel="tangential force [N]", ylabel="normal force [N]")
        _plot_impulses(right, walks)
        _plot_cone(left, walks.mu, top)
        _plot_cone(right, walks.mu, max(1.1 * right.get_ylim()[1], 1e-9))
        legend_on_top(left)

    alt = (
        "Left: normal against tangential force on the standing foot inside the friction cone, for "
        f"{walks.listed}. Right: impulses of the heel strikes, likewise."
    )
    note = (
        f"Green: the cone of µ = {number(walks.mu, 3)}. Left: forces while a foot stands, means of "
        f"{_LONG:g} s; what bounces after a compliant landing may reach beyond. Right: impulses on "
        "the new foot at heel strikes; the cross is that of the exact cycle."
    )
    title = "Ground reaction inside its friction cone"
    return draw(title, alt, (1, 2), plot, note=note, row_height=3.4, dense=True, share_x=False)


def _plot_impulses(panel: Axes, walks: CompassRuns) -> None:
    if walks.cycle is not None:
        cross: dict[str, Any] = {"color": "black", "markersize": 13.0}
        panel.plot(*walks.cycle.impulse[:, None], "+", **cross)
    for walk in walks.runs:
        if not walk.strikes:
            continue
        dots: dict[str, Any] = {
            "marker": MARKERS[walk.index % len(MARKERS)],
            "markersize": 7.0 - min(walk.index, 4),
            "markerfacecolor": "none",
            "linestyle": "",
            "color": walk.colour,
        }
        panel.plot(*np.array([strike.impulse for strike in walk.strikes]).T, **dots)
    panel.set(xlabel="tangential impulse [N s]", ylabel="normal impulse [N s]")


def _highest(walks: CompassRuns, time_step: float) -> float:
    """Height of an axis that ordinary normal forces need, landings left aside."""
    if walks.cycle is not None:
        return 1.15 * float(walks.cycle.force[1].max())
    seen = [force[:, 1] for walk in walks.runs for _, force in walk.stance_forces(time_step, _LONG)]
    ordinary = np.quantile(np.concatenate(seen), 0.97) if seen else 0.0
    return max(1.3 * float(ordinary), 1e-9)


def _plot_cone(panel: Axes, mu: float, top: float) -> None:
    """The cone from its tip at no force up to a height."""
    low, high = panel.get_xlim()
    side = min(max(abs(low), abs(high), 0.3 * top), 1.1 * mu * top)
    edges = ([-mu * top, 0.0, mu * top], [top, 0.0, top])
    panel.fill_between(*edges, top, color="#009E73", alpha=0.08, linewidth=0.0)
    panel.plot(*edges, **_CONE)
    panel.set(xlim=(-side, side), ylim=(-0.04 * top, top))

"""The compass' return map: strike against strike, multipliers, distance from the cycle."""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from footfall.arrays import Array
from footfall.machines.compass.cycle import ExactCycle
from footfall.machines.compass.report.runs import CompassRuns
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.wording import MINUS, listed, number

COMPONENTS = (("q1", "deg"), ("q1'", "deg/s"), ("q2'", "deg/s"))
MARKERS = "osD^vP*"
_LEAST_SPAN = 0.02  # of a value: what is nearer than this is one point to the eye
_SMALLEST = 1e-16  # a distance below this is drawn as this
_ON_CYCLE = 1e-8  # a walk that is nearer than this to a stable gait shows rounding alone
_EXACT_COLOUR = "#8a8a8a"


def return_map(walks: CompassRuns) -> list[Figure]:
    """Every component of the state before heel strike k against that before k + 1."""
    if max((len(walk.strikes) for walk in walks.runs), default=0) < 2:
        return []

    def plot(axes: npt.NDArray[Any]) -> None:
        for index, panel in enumerate(axes[0]):
            _plot_map(panel, walks, index)
        legend_on_top(axes[0, 0])

    alt = (
        "Angle and rates before a heel strike against those before the next one, with the line of "
        f"identity and the exact fixed point, for {walks.listed}."
    )
    note = (
        "The standing leg's angle q1 and the rates of both joints just before heel strike, step k "
        "against step k + 1. On the line of identity a step repeats the one before; the cross is "
        "the exact cycle."
    )
    title = "Return map"
    return [draw(title, alt, (1, 3), plot, note=note, row_height=2.7, share_x=False)]


def _plot_map(panel: Axes, walks: CompassRuns, index: int) -> None:
    name, unit = COMPONENTS[index]
    seen = [np.degrees(walk.before_strikes()[:, index]) for walk in walks.runs]
    exact = None if walks.cycle is None else float(np.degrees(walks.cycle.published[index]))
    low, high = roomy(np.concatenate([*seen, [] if exact is None else [exact]]))
    ends = (low, high)
    panel.plot(ends, ends, color="black", linewidth=0.8, label="identity", zorder=1.0)
    if exact is not None:
        cross: dict[str, Any] = {"color": "black", "markersize": 13.0, "zorder": 2.0}
        panel.plot([exact], [exact], "+", label="exact fixed point", **cross)
    for walk, values in zip(walks.runs, seen, strict=True):
        dots: dict[str, Any] = {
            "linestyle": "",
            "marker": MARKERS[walk.index % len(MARKERS)],
            "markersize": 7.0 - min(walk.index, 4),  # runs that lie on each other stay visible
            "markerfacecolor": "none",
            "color": walk.colour,
        }
        panel.plot(values[:-1], values[1:], label=walk.name, **dots)
    panel.set(xlim=ends, ylim=ends, xlabel=f"{name}, strike k [{unit}]")
    panel.set_ylabel(f"{name}, strike k + 1 [{unit}]")
    panel.set_aspect("equal")
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(MaxNLocator(3))


def roomy(values: Array) -> tuple[float, float]:
    """Ends of an axis for values that may all be one to rounding."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    middle = 0.5 * (low + high)
    half = max(0.6 * (high - low), 0.5 * _LEAST_SPAN * abs(middle), 1e-12)
    return middle - half, middle + half


def convergence(walks: CompassRuns) -> list[Figure]:
    """Distance from the exact cycle strike by strike, and the multipliers of its return map."""
    cycle = walks.cycle
    if cycle is None:
        return []
    multipliers = cycle.multipliers

    def plot(axes: npt.NDArray[Any]) -> None:
        _plot_distance(axes[0, 0], cycle, walks)
        _plot_multipliers(axes[0, 1], multipliers)
        legend_on_top(axes[0, 0])

    alt = (
        "Left: distance of every heel strike's state from the exact cycle, on a logarithmic axis, "
        f"for {walks.listed}. Right: multipliers {listed(_complex(m) for m in multipliers)} in the "
        "complex plane with the unit circle."
    )
    note = (
        "The largest difference of q1 [rad], q1' and q2' [rad/s] from the exact cycle before a "
        "heel strike. A dashed line has the slope of the largest multiplier. Engines that step "
        "through time land up to a step late, now more, now less, which keeps their walks at some "
        "distance."
    )
    title = "Towards the cycle or away from it"
    return [draw(title, alt, (1, 2), plot, note=note, row_height=3.3, share_x=False)]


def _plot_distance(panel: Axes, cycle: ExactCycle, walks: CompassRuns) -> None:
    largest = float(np.abs(cycle.multipliers).max())
    for walk in walks.runs:
        away = np.abs(walk.before_strikes() - cycle.published).max(axis=1, initial=0.0)
        if not len(away):
            continue
        steps = 1.0 + np.arange(len(away))
        shown = np.maximum(away, _SMALLEST)
        if walk.index == 0 and (largest > 1.0 or away.max() > _ON_CYCLE):
            slope: dict[str, Any] = {"color": _EXACT_COLOUR, "linestyle": (0, (6, 3))}
            middle = np.exp(np.log(shown).mean())  # half a decade above it, to be seen
            guide = 3.0 * middle * largest ** (steps - steps.mean())
            panel.plot(steps, guide, label=f"{number(largest, 3)} a step", **slope)
        style = walk.style | {"linewidth": 1.0}
        marker = MARKERS[walk.index % len(MARKERS)]
        panel.plot(steps, shown, marker=marker, markersize=4.0, label=walk.name, **style)
    panel.set_yscale("log")
    panel.set_xlabel("heel strike")
    panel.set_ylabel("distance [rad, rad/s]")
    panel.xaxis.set_major_locator(MaxNLocator(6, integer=True))


def _plot_multipliers(panel: Axes, multipliers: npt.NDArray[np.complex128]) -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 181)
    panel.plot(np.cos(turn), np.sin(turn), color="black", linewidth=0.9)
    panel.plot(multipliers.real, multipliers.imag, "o", color="#D55E00", markersize=6.0)
    order = np.argsort(multipliers.real)
    for place_in_row, one in enumerate(multipliers[order]):
        beside: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8.5}
        above = one.imag > 0.0 or (one.imag == 0.0 and place_in_row % 2 == 0)
        offset = (0, 7) if above else (0, -14)
        panel.annotate(_complex(one), (one.real, one.imag), offset, ha="center", **beside)
    low, high = float(multipliers.real.min()), float(multipliers.real.max())
    panel.set(xlim=(min(-1.2, low - 0.4), max(1.2, high + 0.4)))
    reach = max(1.25, float(np.abs(multipliers.imag).max()) + 0.4)
    panel.set_ylim(-reach, reach)
    panel.set_aspect("equal")
    panel.set_xlabel("multipliers: real part")
    panel.set_ylabel("imaginary part")


def _complex(value: complex) -> str:
    if value.imag == 0.0:
        return number(value.real, 3)
    sign = MINUS if value.imag < 0.0 else "+"
    return f"{number(value.real, 3)} {sign} {number(abs(value.imag), 3)} i"

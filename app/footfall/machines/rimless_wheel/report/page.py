"""Report of the rimless wheel: phase portrait, return map in squared rates, notes."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.rimless_wheel.measures import feet_of, impacts
from footfall.machines.rimless_wheel.model import WheelModel, wheel_of
from footfall.registry.machine import CLOSED_FORM
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.panels import legend_on_top, run_style
from footfall.report.run_view import RunView, RunViews
from footfall.report.section import RunLike, Section, finite_rows
from footfall.report.tables import listed, number
from footfall.show.colours import run_colour
from footfall.textbook.rimless_wheel import RimlessWheel

_GREY: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0}
_POINTS = 101  # of a stance
_LEAST_SPAN = 0.3  # of a squared rate: the map's lines are to be seen even in a steady roll
_NOTE = (
    "Left: the standing spoke's angle from the slope's normal, forward positive, against the rate "
    "of turn; a stance goes from left to right. Right: squared rates before impacts, one against "
    "the next. "
)


@dataclass(frozen=True)
class _Roll:
    """A run: angle [rad] of the standing spoke and rate [rad/s], NaN between stances; impacts."""

    name: str
    index: int
    lean: Array
    rate: Array
    squares: Array


def roll_figures(section: Section) -> list[Figure]:
    """The portrait and the return map of all runs, side by side."""
    machine = section.robot
    wheel = wheel_of(machine.model, machine.contacts)
    rolls = [_read(wheel, name, k, run) for k, (name, run) in enumerate(section.runs.items())]
    try:
        exact, rate = wheel.closed_form(), wheel.steady_rate()
    except RunError:
        exact, rate = None, math.nan

    def plot(axes: npt.NDArray[Any]) -> None:
        portrait, lines = axes[0]
        _plot_portrait(portrait, rolls, exact, rate)
        _plot_map(lines, rolls, exact, rate)
        legend_on_top(portrait)

    names = listed(roll.name for roll in rolls)
    alt = (
        "Angle of the standing spoke against the rate of turn, and the squared rate before an "
        f"impact against that before the next one, for {names}."
    )
    note = _NOTE
    if exact is not None:
        note += (
            "Grey: the steady roll, and the exact map, whose slope is the multiplier η² = "
            f"{number(exact.eta**2, 3)}. The cross is its fixed point, on the line of identity."
        )
    shape = (1, 2)
    title = "Phase portrait and return map"
    return [draw(title, alt, shape, plot, note=note, row_height=3.8, share_x=False)]


def _read(wheel: WheelModel, name: str, index: int, run: RunLike) -> _Roll:
    data = run.trajectory.data.isel(time=finite_rows(run))
    foot = feet_of(data).supporting
    # rows without load belong to the foot that carried before, or to the first one that does
    loaded = np.flatnonzero(foot >= 0)
    if len(loaded) == 0:
        return _Roll(name, index, np.empty(0), np.empty(0), np.empty(0))
    last = np.searchsorted(loaded, np.arange(len(foot)), side="right") - 1
    foot = foot[loaded[np.maximum(last, 0)]]
    turn, rate = (data[each].to_numpy()[:, 2] for each in ("q", "v"))
    lean = np.array([wheel.lean(k, angle) for k, angle in zip(foot, turn, strict=True)])
    cuts = np.flatnonzero(np.diff(foot)) + 1
    squares = np.array([impact.rate**2 for impact in impacts(data, wheel)])
    return _Roll(name, index, np.insert(lean, cuts, np.nan), np.insert(rate, cuts, np.nan), squares)


def _plot_portrait(
    panel: Panel, rolls: list[_Roll], exact: RimlessWheel | None, rate: float
) -> None:
    if exact is not None:
        lean = np.linspace(-exact.alpha, exact.alpha, _POINTS)
        steady = exact.speed(exact.gamma + lean, exact.eta * rate)
        panel.plot(np.degrees(lean), steady, label="steady roll, exact map", **_GREY)
    for roll in rolls:
        style = run_style(roll.index)
        panel.plot(np.degrees(roll.lean), roll.rate, label=roll.name, **style)
    panel.set(xlabel="angle from the normal [deg]", ylabel="rate of turn [rad/s]")


def _plot_map(panel: Panel, rolls: list[_Roll], exact: RimlessWheel | None, rate: float) -> None:
    seen = np.concatenate([roll.squares for roll in rolls])
    seen = np.append(seen, rate**2) if exact is not None else seen
    if len(seen) == 0:
        panel.set_visible(False)
        return
    middle = 0.5 * (seen.min() + seen.max())
    half = max(0.6 * float(np.ptp(seen)), 0.5 * _LEAST_SPAN * middle)
    ends = np.array([middle - half, middle + half])
    if exact is not None:
        panel.plot(ends, exact.eta**2 * ends + exact.gain, **_GREY)
    panel.plot(ends, ends, color="black", linewidth=0.8, zorder=2.1)
    for roll in rolls:
        panel.plot(
            roll.squares[:-1],
            roll.squares[1:],
            linestyle="",
            marker="osD^vP*"[roll.index % 7],
            markersize=7.0 - min(roll.index, 4),  # runs that lie on each other stay visible
            markerfacecolor="none",
            color=run_colour(roll.index),
            zorder=2.3,
        )
    if exact is not None:
        panel.plot([rate**2], [rate**2], "+", color="black", markersize=13.0, zorder=2.2)
    panel.set(xlim=tuple(ends), ylim=tuple(ends), aspect="equal")
    panel.set(xlabel="ω², impact k [rad²/s²]", ylabel="ω², impact k + 1 [rad²/s²]")


_WHEEL = (
    "A wheel without its rim is a pendulum over the foot that stands, and at an impact keeps its "
    "angular momentum about the foot that comes down. So the square of the rate of turn before an "
    "impact obeys a linear map: gravity adds the same in every step, and the factor η² of the "
    "impact is its multiplier. Feet neither slide nor lift in closed-form, whatever the friction: "
    "what coefficient that needs is measured."
)
_WHEEL_STEPPED = (
    "In the engines that step through time a foot comes down up to a step late and stands that "
    "much too deep, at chance: the errors of single steps scatter, and go down with the time step."
)
_WHEEL_DRAKE = (
    "Drake's contact is compliant, so that its wheel bounces a little on each foot that has come "
    "down: the friction that a stance needs is that of the bouncing. Its impact is given 20 ms, "
    "and the impulse counts the weight in that time."
)


def figures(runs: RunViews[RunView]) -> list[Figure]:
    """Portrait and return map, then the coordinates."""
    section = runs.section
    return [*roll_figures(section), *coordinate_figures(runs)]


def notes(runs: RunViews[RunView]) -> list[str]:
    """Return what a reader should know of the rimless wheel, a paragraph each."""
    section = runs.section
    paragraphs = [_WHEEL]
    if set(section.runs) != {CLOSED_FORM}:
        paragraphs.append(_WHEEL_STEPPED)
    if any(name.startswith("drake") for name in section.runs):
        paragraphs.append(_WHEEL_DRAKE)
    return paragraphs


REPORT = MachineReport(figures, notes)

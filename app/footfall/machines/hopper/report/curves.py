"""The hopper over time: coordinates and the force of the ground on P."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.hopper.report.panels import LIMIT, legend_of, mark_phases, plot_quantities
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns
from footfall.report.figure import Figure, draw
from footfall.report.panels import line
from footfall.report.tables import listed, number

_ONE, _OTHER = "#0072B2", "#D55E00"
_ABOVE = 1.2  # axes of forces go so far beyond what is ordinary
_ORDINARY = 0.97  # quantile of forces on compliant ground that counts as that
_SMALL = 0.3  # of the whole axis: forces after the landing below this are shown closer, too
_FAINT = 1e-3  # of the largest force: below it a ratio is rounding


def coordinates(jumps: JumpRuns) -> Figure:
    """Place of P in one panel, the two angles in another."""
    places = [("x of P", _ONE, _component(0)), ("y of P", _OTHER, _component(1))]
    angles = [
        ("theta1", "#009E73", _component(2, degrees=True)),
        ("theta2", "#CC79A7", _component(3, degrees=True)),
    ]

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        plot_quantities(upper, jumps, places)
        plot_quantities(lower, jumps, angles)
        upper.set_ylabel("place of P [m]")
        lower.set_ylabel("angle [deg]")
        mark_phases([upper, lower], jumps)
        legend_of(upper, jumps, [(label, colour) for label, colour, _ in [*places, *angles]])

    alt = (
        "Coordinates over time: x and y of P above, the angles theta1 and theta2 below, for "
        f"{jumps.listed}; {_marked(jumps)}."
    )
    return draw("Coordinates", alt, (2, 1), plot, note=_note(jumps), row_height=2.3)


def _component(row: int, *, degrees: bool = False) -> Any:  # noqa: ANN401 (a function of a run)
    def of(run: JumpRun) -> Array:
        values: Array = run.x[row]
        return np.degrees(values) if degrees else values

    return of


def _marked(jumps: JumpRuns) -> str:
    phases = listed(interval.phase.value for interval in jumps.first.jump.intervals)
    return f"marked are the phases of {jumps.first.name}: {phases}"


def _note(jumps: JumpRuns) -> str:
    others = " The phases are those of the first run." if len(jumps.runs) > 1 else ""
    return (
        "Above: what P does, it stands, slides forward (slip+) or backward (slip\N{MINUS SIGN}), "
        f"or is in the air; dashed where one goes over into the next.{others}"
    )


def forces(jumps: JumpRuns) -> Figure:
    """Normal force, and tangential over normal force within the friction cone."""
    mu = jumps.machine.parameters.mu
    loads = [(run, *run.force()) for run in jumps.runs]
    top = _ABOVE * max((_largest(run, force) for run, _, force in loads), default=0.0) or 1.0
    names = jumps.listed

    closer = _ABOVE * max((_after(run, time, force) for run, time, force in loads), default=0.0)
    shape = (3, 1) if 0.0 < closer < _SMALL * top else (2, 1)

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[0, 0], axes[-1, 0]
        reach = mu
        for run, time, force in loads:
            for panel in axes[:-1, 0]:
                line(panel, time, force[:, 1], **run.style)
            ratio = _ratio(force)
            if np.isfinite(ratio).any():
                reach = max(reach, min(float(np.nanmax(np.abs(ratio))), 2.0 * mu))
            line(lower, time, ratio, **run.style)
        for panel, high in zip(axes[:-1, 0], (top, closer), strict=False):
            panel.axhline(0.0, **LIMIT)
            panel.set_ylim(-0.12 * high, high)
        for edge in (mu, -mu):
            lower.axhline(edge, **LIMIT)
        upper.set_ylabel("normal force\nλₙ [N]")
        if len(axes) > 2:
            axes[1, 0].set_ylabel("λₙ, closer [N]")
        reach = 1.3 * reach if reach > 0.0 else 1.0
        lower.set(ylim=(-reach, reach), ylabel="λₜ / λₙ [1]")
        mark_phases(list(axes[:, 0]), jumps)
        legend_of(upper, jumps, [])

    alt = (
        "Force of the ground on P over time: the normal force above, with a dashed line at zero, "
        f"and the tangential over the normal force below, with dashed lines at plus and minus "
        f"{number(mu, 3)}, for {names}."
    )
    note = (
        f"Dashed: no force above, ±µ = ±{number(mu, 3)} below. Means over time steps; impacts are "
        "left out, and there is no ratio in flight."
    )
    if any(run.compliant for run in jumps.runs):
        note += " On Drake's compliant ground, where P trembles, means of some milliseconds."
    return draw("Force of the ground on P", alt, shape, plot, note=note, row_height=2.1)


def _after(run: JumpRun, time: Array, force: Array) -> float:
    """Largest normal force after the landing; 0 on compliant ground and without a landing."""
    if run.compliant or not np.isfinite(run.jump.impact):
        return 0.0
    return float(np.nanmax(force[time > run.jump.impact, 1], initial=0.0))


def _ratio(force: Array) -> Array:
    """Tangential over normal force, NaN where there is next to none."""
    normal = force[:, 1]
    faint = _FAINT * np.nanmax(np.abs(normal), initial=0.0)
    loaded = np.where(normal > faint, normal, np.nan)
    return np.asarray(force[:, 0] / loaded)


def _largest(run: JumpRun, force: Array) -> float:
    """Height of an axis for the normal forces of a run, bounces on compliant ground left aside."""
    normal = force[np.isfinite(force[:, 1]), 1]
    if len(normal) == 0:
        return 0.0
    return float(np.quantile(normal, _ORDINARY) if run.compliant else normal.max())

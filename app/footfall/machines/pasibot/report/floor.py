"""PASIBOT on the floor: force within cone and sole, and slides of its feet over steps."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.report.runs import PasibotRun, PasibotRuns, mark_steps, marked
from footfall.machines.pasibot.trajectory_adapter import sole
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line, thin
from footfall.report.tables import MINUS, NONE, Table, number

_CONE: dict[str, Any] = {"color": "#56B4E9", "alpha": 0.22, "linewidth": 0.0, "zorder": 0.3}
_EDGE: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (5, 3))}
_USUAL = (0.02, 0.98)  # quantiles of what sets the axes: impacts and bounces are cut
_ROOM = 0.25  # of their range, beyond them


def floor_force(walks: PasibotRuns) -> Figure:
    """Normal force, and friction in the cone of the first run's normal force, over steps."""
    parameters = walks.parameters
    mu, weight = parameters.mu_s, total_mass(parameters) * parameters.g

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for walk in walks.runs:
            along, up = walk.floor
            line(upper, walk.gait.phase, up, label=walk.name, **walk.style)
            line(lower, walk.gait.phase, along, **walk.style)
        upper.axhline(weight, **_EDGE)
        phase, up = walks.first.gait.phase, np.maximum(walks.first.floor[1], 0.0)
        few = thin(up)
        lower.fill_between(phase[few], -mu * up[few], mu * up[few], **_CONE)
        if parameters.mu_k != mu:
            for sign in (-1.0, 1.0):
                line(lower, phase, sign * parameters.mu_k * up, **_EDGE)
        upper.set_ylabel("normal force\nf01y [N]")
        lower.set_ylabel("friction\nf01x [N]")
        _set_limits(upper, [walk.floor[1] for walk in walks.runs], [weight])
        reach = [sign * mu * weight for sign in (-1.2, 1.2)]
        _set_limits(lower, [walk.floor[0] for walk in walks.runs], reach)
        mark_steps([upper, lower], walks)
        legend_on_top(upper)

    kinetic = (
        f" Dashed below: kinetic friction, {number(parameters.mu_k, 3)} of it."
        if parameters.mu_k != mu
        else ""
    )
    note = (
        f"Dashed: the weight. Blue: what static friction of {number(mu, 3)} can hold under the "
        f"normal force of {walks.first.name}.{kinetic} {marked(walks)} Of both feet "
        "together where both carry; means over time steps, with steps in time over 10 ms."
    )
    alt = (
        "Force of the floor over steps: normal force above, friction below within the band that "
        f"static friction can hold, for {walks.listed}."
    )
    title = "Force of the floor on the supporting foot"
    return draw(title, alt, (2, 1), plot, note=note, row_height=2.3)


def zero_moment_point(walks: PasibotRuns) -> Figure:
    """Zero-moment point of the floor's force, between heel and toe, over steps."""
    ends = [1e3 * end for end in sole(walks.parameters)]

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        panel.axhspan(*ends, color="#009E73", alpha=0.08, linewidth=0.0, zorder=0.2)
        for end in ends:
            panel.axhline(end, **_EDGE)
        for walk in walks.runs:
            zmp = 1e3 * walk.zmp
            line(panel, walk.gait.phase, zmp, label=walk.name, **walk.style)
        panel.set_ylabel("ahead of the ankle [mm]")
        _set_limits(panel, [1e3 * walk.zmp for walk in walks.runs], ends)
        mark_steps([panel], walks)
        legend_on_top(panel)

    alt = f"Zero-moment point over steps between heel and toe, for {walks.listed}."
    note = (
        f"Dashed: heel and toe, whose places are assumed. {marked(walks)} Where the point is "
        "beyond them the foot tips over, which closed form and hybrid do not let it."
    )
    return draw("Zero-moment point", alt, (1, 1), plot, note=note, row_height=2.6)


def _set_limits(panel: Panel, lines: list[Array], besides: list[float]) -> None:
    """Limits around what is usual of lines, and around other values."""
    usual = [np.nanquantile(values, _USUAL) for values in lines if np.isfinite(values).any()]
    every = np.concatenate([*usual, besides])
    room = _ROOM * max(float(np.ptp(every)), 1e-9)
    panel.set_ylim(float(every.min()) - room, float(every.max()) + room)


_MOST = 12  # slides of a run that are told
_EVENTS = (("slides ", "^", "slide begins"), ("stops", "v", "slide ends"))


def slip_over_steps(walks: PasibotRuns) -> Figure | None:
    """Way and speed of the supporting feet; None where no run slides."""
    if walks.sliding is None:
        return None

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for walk in walks.runs:
            gait, style = walk.gait, walk.style
            line(upper, gait.phase, 1e3 * gait.slide, label=walk.name, **style)
            line(lower, gait.phase, 1e3 * gait.speed, **style)
            for begins, mark, label in _EVENTS:
                phase = event_phases(walk, begins)
                at = 1e3 * np.interp(phase, gait.phase, gait.slide)
                dots = {"color": style["color"], "markersize": 5.0, "linestyle": ""}
                if len(phase):
                    upper.plot(phase, at, mark, label=label, zorder=4.0, **dots)
        upper.set_ylabel("slide of the\nfeet x1 [mm]")
        lower.set_ylabel("speed of the slide\n[mm/s]")
        mark_steps([upper, lower], walks)
        legend_on_top(upper)

    alt = f"Slide of the supporting feet and its speed over steps, for {walks.listed}."
    note = (
        "Slides of all feet together, ahead positive: each foot goes on from where the one before "
        f"it was; speeds are means of 10 ms. {marked(walks)}"
    )
    return draw("Slip", alt, (2, 1), plot, note=note, row_height=2.3)


def event_phases(walk: PasibotRun, begins: str) -> npt.NDArray[np.float64]:
    """Phases, in steps since the start, of events whose names begin so; only hybrid tells them."""
    times = [event.time for event in walk.trajectory.events if event.kind.startswith(begins)]
    return np.interp(times, walk.gait.time, walk.gait.phase) if times else np.zeros(0)


def slide_table(walks: PasibotRuns) -> Table:
    """Slides of every run: in which step, from where to where, how far."""
    rows: list[tuple[str, ...]] = []
    for walk in walks.runs:
        shown = walk.slides[:_MOST]
        rows += [_slide(walk, *slide) for slide in shown]
        if not shown:
            rows.append((walk.name, NONE, NONE, NONE, NONE, "no slide"))
        elif len(walk.slides) > _MOST:
            more = f"{len(walk.slides) - _MOST} more"
            rows.append((walk.name, NONE, NONE, NONE, NONE, more))
    headings = ("run", "step", "begins [1]", "ends [1]", "way [mm]", "direction")
    note = (
        "Begin and end as phases of the step in which the slide begins, above 1 in the next one; "
        "slides below 0.02 % of a step are left out, of engines with steps in time below 0.08 %; "
        "these are right to some hundredths, the speed being a mean of 10 ms."
    )
    return Table("Slides", headings, rows, note)


def _slide(walk: PasibotRun, begin: float, end: float, distance: float) -> tuple[str, ...]:
    step = int(np.floor(begin))
    return (
        walk.name,
        str(step + 1),
        f"{begin - step:.4f}",
        f"{end - step:.4f}",
        f"{1e3 * distance:.3f}".replace("-", MINUS),
        "ahead" if distance > 0.0 else "back",
    )

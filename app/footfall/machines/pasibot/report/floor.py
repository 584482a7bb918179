"""The force of the floor on PASIBOT: within its cone of friction, and within its sole."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.report.runs import PasibotRuns, mark_steps, marked
from footfall.machines.pasibot.trajectory_adapter import sole
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line, thin
from footfall.report.tables import number

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

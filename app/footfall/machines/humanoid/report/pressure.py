"""Centres of pressure of the humanoid's flat foot and toe in plan view, over what touches."""

from functools import partial
from typing import Any

import numpy as np

from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.report.runs import HumanoidRun, HumanoidRuns
from footfall.report.charts.panel import Panel
from footfall.report.curves import Plot, curves
from footfall.report.figure import Figure
from footfall.report.panels import thin_by

PHASE_COLOURS = ("#56B4E9", "#0072B2", "#E69F00", "#D55E00")
"""Colours of the phases, by their number: blue with the left foot flat, orange the right one."""
_SOLE: dict[str, Any] = {
    "facecolor": "#009E73",
    "alpha": 0.16,
    "edgecolor": "black",
    "linewidth": 1.2,
    "zorder": 0.5,
}
_FURTHEST = 2.0  # lengths of the foot beyond the sole that a plan shows
_SEEN = (0.02, 0.98)  # quantiles of the centre of pressure that set a plan's limits


def pressure_over_sole(runs: HumanoidRuns) -> Figure:
    """Centres of pressure of the first run, over the outline of the sole."""
    run = runs.first
    rows = np.isfinite(run.audit.pressure[:, :, 0]) & (run.audit.force[:, :, 2] > 1.0)
    inside = [
        float(np.mean(~run.audit.outside[rows[:, k], k])) if rows[:, k].any() else 0.0
        for k in (0, 1)
    ]
    note = (
        f"{run.name}, the whole run, a dot a row. Green: what touches the ground, whose width is "
        f"assumed. Within it are {inside[0]:.0%} of the foot's dots and {inside[1]:.0%} of the "
        "toe's; some lie beyond the axes. Dots behind the toe's hinge: the torque of the toe would "
        "lift its tip off."
    )
    plots = [
        Plot(
            "to the left [mm]",
            [partial(_draw, run=run, part=part)],
            title,
            f"ahead of the {origin} [mm]",
            equal=True,
        )
        for part, (title, origin) in enumerate(
            (("sole of the flat foot", "heel"), ("toe behind", "hinge"))
        )
    ]
    return curves(runs.of([run]), "Centre of pressure", plots, note=note, columns=2, row_height=3.3)


def _draw(panel: Panel, run: HumanoidRun, part: int) -> None:
    """The outline of the flat foot (0) or the toe (1), a dot a row, and limits around most."""
    audit = run.audit
    length, half = 1e3 * (audit.foot, audit.toe)[part], 1e3 * audit.half_width
    panel.broken_barh([(0.0, length)], (-half, 2.0 * half), **_SOLE)
    good = (audit.force[:, part, 2] > 1.0) & np.isfinite(audit.pressure[:, part]).all(axis=1)
    places = 1e3 * audit.pressure[:, part]
    for phase in GaitPhase:
        rows = np.flatnonzero(good & (run.phase == phase))
        dots = places[rows[:: thin_by(len(rows))]]
        style: dict[str, Any] = {"color": PHASE_COLOURS[phase], "markersize": 4.0, "alpha": 0.6}
        panel.plot(dots[:, 0], dots[:, 1], ".", label=phase.words, zorder=2.0, **style)
    corners, far = np.array([[0.0, -half], [length, half]]), 1e3 * _FURTHEST * audit.foot
    usual = np.quantile(places[good], _SEEN, axis=0) if good.any() else corners
    low = np.maximum(np.minimum(usual[0], corners[0]), corners[0] - far)
    high = np.minimum(np.maximum(usual[1], corners[1]), corners[1] + far)
    room = 0.06 * (high - low).max()
    panel.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))

"""Forces of the ground on the humanoid by phase, figures 5.15 to 5.18, and its changes of phase."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.report.runs import (
    HumanoidRun,
    HumanoidRuns,
    draw_rows,
    limit_usual,
    mark_double_support,
    marked,
)
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import finish_time_panels, legend_on_top, thin_by
from footfall.report.tables import NONE, Table, number

_MOST = 8  # rows for a run


def change_table(runs: HumanoidRuns) -> Table:
    """Changes of phase of every run."""
    rows: list[tuple[str, ...]] = []
    for run in runs.walks:
        times = run.data["change_time"].to_numpy()
        rows += [_change(run, k) for k in range(min(len(times), _MOST))]
        if len(times) > _MOST:
            rows.append((run.name, NONE, f"{len(times) - _MOST} more", *[NONE] * 3))
        elif not len(times):
            rows.append((run.name, NONE, "no change", *[NONE] * 3))
    headings = (
        "run",
        "at [s]",
        "then",
        "angle jumps [deg]",
        "rate [rad/s]",
        "energy [J]",
    )
    note = (
        "Phases by the foot that is flat. Angles and rates are set anew by inverse kinematics "
        "(3.5), the largest jumps are given. Energy: what the change gives the walker."
    )
    return Table("Changes of phase", headings, rows, note)


def _change(run: HumanoidRun, k: int) -> tuple[str, ...]:
    one = run.data.isel(phase_change=k)
    angles = one["change_angles"].to_numpy()
    largest = int(np.abs(angles).argmax())
    joint = str(run.data["joint"].to_numpy()[largest]).replace("_", " ")
    return (
        run.name,
        f"{float(one['change_time']):.3f}",
        _named(GaitPhase(int(one["change_phase"]))),
        f"{number(float(np.degrees(angles[largest])), 3)}, {joint}",
        number(float(one["change_rate"]), 3),
        small(float(one["change_energy"])),
    )


def _named(phase: GaitPhase) -> str:
    return phase.name.lower().replace("_", " ")


def small(value: float) -> str:
    """Three digits; what is below a thousandth is rounding or nothing to speak of."""
    return number(value, 3) if abs(value) >= 1e-3 else "0"


_AXES = (("x ahead", "#0072B2"), ("y to the left", "#D55E00"), ("z up", "#009E73"))
_EDGE: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (5, 3))}
_SOLE: dict[str, Any] = {
    "facecolor": "#009E73",
    "alpha": 0.16,
    "edgecolor": "black",
    "linewidth": 1.2,
    "zorder": 0.5,
}
_PHASE_COLOURS = ("#56B4E9", "#0072B2", "#E69F00", "#D55E00")
_FRICTION_SHOWN = 3.0  # times what there is
_FURTHEST = 2.0  # lengths of the foot beyond the sole that a plan shows
_SEEN = (0.02, 0.98)  # quantiles of the centre of pressure that set a plan's limits


def reactions(runs: HumanoidRuns) -> Figure:
    """Force of the ground on flat foot and toe in each phase of the second gait cycle."""
    run = runs.walks[0]
    cycle = {each.phase: each for each in run.second_cycle}

    def plot(axes: npt.NDArray[Any]) -> None:
        for panels, phase in zip(axes, GaitPhase, strict=True):
            for part, (panel, name) in enumerate(
                zip(panels, ("flat foot", "toe behind"), strict=True)
            ):
                panel.axhline(0.0, color="black", linewidth=0.7)
                panel.set_title(f"{name}: {phase.words}")
                panel.margins(x=0.0)
                if part == 1 and not phase.is_double:
                    panel.set_visible(False)
                elif phase in cycle:
                    at = cycle[phase]
                    time = run.time[at.rows] - at.begin
                    force = run.data["reaction"].to_numpy()[at.rows, part, :3]
                    for k, (axis, colour) in enumerate(_AXES):
                        panel.plot(time, force[:, k], color=colour, label=axis)
            panels[0].set_ylabel("force [N]")
        for panel in (axes[-1, 0], axes[-2, 1]):
            panel.set_xlabel("time in the phase [s]")
        legend_on_top(axes[0, 0])

    alt = f"Force of the ground on flat foot and toe over time, by phase, in {run.name}."
    note = (
        f"{run.name}, of the second gait cycle. A vertical force below zero pulls: the weld gives "
        "it, ground does not."
    )
    title = "Figures 5.15 to 5.18: forces of the ground by phase"
    return draw(title, alt, (4, 2), plot, note=note, row_height=1.7, share_x=False)


def demands(runs: HumanoidRuns) -> Figure:
    """Vertical force, friction and power that the walk asks for, over time."""
    first = runs.walks[0]

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = list(axes[:, 0])
        _forces(panels[0], runs, part=0)
        _forces(panels[1], runs, part=1)
        for run in runs.walks:
            needed = np.where(run.audit.force[:, :, 2] > 1.0, run.audit.friction, np.nan)
            largest = np.fmax(needed[:, 0], needed[:, 1])
            draw_rows(panels[2], run, run.shown, largest)
            draw_rows(panels[3], run, run.shown, np.abs(run.power).max(axis=1))
        mu = first.audit.mu
        if np.isfinite(mu):
            panels[2].axhline(mu, **_EDGE)
            panels[2].set_ylim(0.0, _FRICTION_SHOWN * mu)
        panels[2].set_ylabel("friction\nneeded [1]")
        panels[3].set_ylabel("largest power\nof a joint [W]")
        panels[3].set_ylim(bottom=0.0)
        mark_double_support(panels, first, first.shown)
        finish_time_panels(axes, len(panels))

    note = (
        f"{marked(runs)} Dashed: the friction that there is, {number(first.audit.mu, 3)}; the axis "
        f"ends at {number(_FRICTION_SHOWN, 2)} times that. Below zero ground would have to pull."
    )
    alt = (
        "Vertical force on flat foot and toe, friction needed and largest power of a joint over "
        f"time, for {runs.listed}."
    )
    title = "What the walk asks of ground and motors"
    return draw(title, alt, (4, 1), plot, note=note, row_height=1.4)


def _forces(panel: Panel, runs: HumanoidRuns, part: int) -> None:
    rows = []
    for run in runs.walks:
        up = run.audit.force[:, part, 2]
        draw_rows(panel, run, run.shown, up, label=run.name)
        rows.append(up[run.shown])
    panel.axhline(0.0, color="black", linewidth=0.9)
    panel.set_ylabel(f"vertical force,\n{('flat foot', 'toe')[part]} [N]")
    limit_usual(panel, rows, (0.0,))


def pressure_over_sole(runs: HumanoidRuns) -> Figure:
    """Centres of pressure of flat foot and toe in plan view, over the outline of the sole."""
    run = runs.walks[0]
    audit = run.audit
    outlines = (
        (0.0, audit.foot),
        (0.0, audit.toe),
    )

    def plot(axes: npt.NDArray[Any]) -> None:
        for part, (panel, (begin, end)) in enumerate(zip(axes[0], outlines, strict=True)):
            half = 1e3 * audit.half_width
            bar = (1e3 * begin, 1e3 * (end - begin))
            panel.broken_barh([bar], (-half, 2.0 * half), **_SOLE)
            _draw_centres(panel, run, part, np.array([[begin, -half / 1e3], [end, half / 1e3]]))
            panel.set_aspect("equal")
            panel.set_xlabel(f"ahead of the {('heel', 'hinge')[part]} [mm]")
            panel.set_title(("sole of the flat foot", "toe")[part])
        axes[0, 0].set_ylabel("to the left [mm]")
        legend_on_top(axes[0, 0])

    rows = np.isfinite(audit.pressure[:, :, 0]) & (audit.force[:, :, 2] > 1.0)
    inside = [
        float(np.mean(~audit.outside[rows[:, k], k])) if rows[:, k].any() else 0.0 for k in (0, 1)
    ]
    note = (
        f"{run.name}, the whole run, a dot a row. Green: what touches the ground, whose width is "
        f"assumed. Within it are {inside[0]:.0%} of the foot's dots and {inside[1]:.0%} of the "
        "toe's; some lie beyond the axes. Dots behind the toe's hinge: the torque of the toe would "
        "lift its tip off."
    )
    alt = (
        "Plan view of the sole and the toe with the centres of pressure of all rows, coloured by "
        f"phase, in {run.name}."
    )
    title = "Centre of pressure"
    return draw(title, alt, (1, 2), plot, note=note, row_height=3.3, share_x=False)


def _draw_centres(panel: Panel, run: HumanoidRun, part: int, corners: Array) -> None:
    """Dots by phase, and limits around most of them and around the sole's corners (2, 2) [m]."""
    audit = run.audit
    good = (audit.force[:, part, 2] > 1.0) & np.isfinite(audit.pressure[:, part]).all(axis=1)
    places = 1e3 * audit.pressure[:, part]
    for phase in GaitPhase:
        rows = np.flatnonzero(good & (run.phase == phase))
        dots = places[rows[:: thin_by(len(rows))]]
        style: dict[str, Any] = {"color": _PHASE_COLOURS[phase], "markersize": 4.0, "alpha": 0.6}
        label = phase.words if part == 0 else None
        panel.plot(dots[:, 0], dots[:, 1], ".", label=label, zorder=2.0, **style)
    usual = np.quantile(places[good], _SEEN, axis=0) if good.any() else 1e3 * corners
    far = 1e3 * _FURTHEST * audit.foot
    low = np.maximum(np.minimum(usual[0], 1e3 * corners[0]), 1e3 * corners[0] - far)
    high = np.minimum(np.maximum(usual[1], 1e3 * corners[1]), 1e3 * corners[1] + far)
    room = 0.06 * (high - low).max()
    panel.set_xlim(low[0] - room, high[0] + room)
    panel.set_ylim(low[1] - room, high[1] + room)

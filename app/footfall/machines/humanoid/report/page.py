"""Report of the humanoid: figures, tables and notes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.phases import NAMES, SIDES, GaitPhase
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.machines.humanoid.engine import is_thesis_step
from footfall.machines.humanoid.ground_walk import GroundWalk
from footfall.machines.humanoid.model import TRUNK
from footfall.machines.humanoid.record import TRACKED
from footfall.machines.humanoid.report.runs import (
    HumanoidRun,
    HumanoidRuns,
    change_table,
    demand_table,
    first_time,
    load_table,
    read_humanoid,
)
from footfall.registry.documents import read_notes
from footfall.report.bands import Phase
from footfall.report.charts.panel import Panel
from footfall.report.curves import AXIS, Curve, Level, Line, Over, Plot, Values, curves
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.panels import thin_by
from footfall.report.stick_sequence import sequence_of, spread_rows, stick_panels, stick_sequence
from footfall.report.tables import Table, number

_NOTES = read_notes(__package__)

_FRONT = (1, 2)
_MOST, _EVENLY = 8, 4  # snapshots of two gait cycles; of a run without any
_APART = 0.2  # m: nearer to each other, times would be written over each other
_LEGS_SEEN = "Blue: the left leg, orange: the right one."


def snapshots(runs: HumanoidRuns) -> list[Figure]:
    """Snapshots of the first run."""
    run, walks = runs.first, runs.first.walks
    shown = [each.middle for each in run.phases if each.rows.start < run.shown.stop - 1][:_MOST]
    seen = sequence_of(
        runs.section, run, shown if walks else spread_rows(run, _EVENLY), shapes_of=(TRUNK,)
    )
    title = "Figure {}: snapshots from the {}" if walks else "Snapshots from the {1}"
    words = "at the middle of every phase of two gait cycles" if walks else "evenly in time"
    note = f"{_LEGS_SEEN} {run.name}, {words}; later ones are darker."
    apart = float(np.ptp([posture.points[0, 0] for posture in seen.postures])) > _APART
    titles = [_title(run, row) for row in seen.rows]
    towards = f"{_LEGS_SEEN} The robot comes towards the reader; its left is to the right."
    return [
        stick_sequence(seen, title.format("5.3", "side"), note, times=apart),
        stick_panels(
            replace(seen, axes=_FRONT), titles, title.format("5.4", "front"), towards, names=False
        ),
    ]


def _title(run: HumanoidRun, row: int) -> str:
    time = f"{run.time[row]:.2f} s"
    if not run.walks:
        return time
    phase = GaitPhase(int(run.phase[row]))
    return f"{SIDES[phase.side]} {'double' if phase.is_double else 'single'}\n{time}"


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


_AXES = {"x ahead": "#0072B2", "y to the left": "#D55E00", "z up": "#009E73"}
_JOINTS = dict(
    zip(NAMES, ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#444444"), strict=True)
)
_NAMED = {name: name.replace("_", " ") for name in NAMES}
_CARRYING = {"hip_pitch": "hip", "knee": "knee", "ankle_pitch": "ankle", "toe": "toe"}
_POINTS = {
    "O1": "Figure 5.1: O1, between the hips, against its reference",
    "G1": "Figure 5.2: G1, mass centre of the trunk, against its reference",
    "heel": "Heel of the swinging foot against its reference",
}
_BEHIND = "toe behind"  # on the ground in double support alone
_PLACES = (("ahead\nx [m]", 1.0), ("to the left\ny [mm]", 1e3), ("up\nz [mm]", 1e3))
_LEAST, _LEAST_ANGLE = 4e-3, 0.1  # m and degrees: less is not shown larger
_FRICTION_SHOWN = 3.0  # times what there is
_FINE = {"linewidth": 1.6}  # of several lines in a panel
_IN_PHASE = Over("time in the phase [s]", lambda run: run.time - run.time[0])

Columns = Mapping[str, Mapping[str, tuple[str | Values, str]]]
"""Lines of a panel by heading and name: what of a run, and the colour."""


def figures(runs: HumanoidRuns) -> list[Figure]:
    """Figures of the thesis's chapter 5, then what the walk asks of the ground.

    Runs whose feet nothing holds have coordinates in place of these, and without phases no
    references.
    """
    walks = _walks(runs)
    coordinates = [] if all(run.is_held for run in runs.runs) else coordinate_figures(runs)
    if not walks.runs:
        return [*snapshots(runs), *joint_angles(runs), *coordinates]
    cycles = walks.of(run.part(run.shown) for run in walks.runs)
    held = [demands(cycles), pressure_over_sole(walks)] if walks.first.is_held else []
    return [
        *(tracked_point(cycles, index) for index in range(len(TRACKED))),
        *snapshots(walks),
        *joint_angles(runs),
        *by_phase(walks),
        *held,
        *coordinates,
    ]


def _walks(runs: HumanoidRuns) -> HumanoidRuns:
    return runs.of(run for run in runs.runs if run.walks)


def tracked_point(cycles: HumanoidRuns, index: int) -> Figure:
    """A tracked point over the first two gait cycles."""
    first = cycles.first
    plots = [
        Plot(
            label,
            [
                Curve(_point("tracked_point", index, k)),
                Line(first.time, _point("wanted_point", index, k)(first), "reference"),
            ],
            least=factor * _LEAST,
        )
        for k, (label, factor) in enumerate(_PLACES)
    ]
    part = "of the foot that swings, in single support; " if TRACKED[index] == "heel" else ""
    note = (
        f"The first two gait cycles. Place {part}in the world. The reference of each phase starts "
        "where the phase begins."
    )
    return curves(cycles, _POINTS[TRACKED[index]], plots, note=note)


def _point(variable: str, index: int, k: int) -> Values:
    """A coordinate of a tracked point; of the heel only where it is led, which is as it swings."""

    def of(run: HumanoidRun) -> Array:
        led = np.isfinite(run.data["wanted_point"].to_numpy()[:, index, k])
        values = _PLACES[k][1] * run.data[variable].to_numpy()[:, index, k]
        return np.where(led, values, np.nan)

    return of


def joint_angles(runs: HumanoidRuns) -> list[Figure]:
    """Angles of the right leg, then of the left one."""
    shown = runs.of(run.part(run.shown) for run in runs.runs)
    jumps = "Angles jump where the foot lands, as the thesis sets them anew (3.5). "
    note = f"{jumps if runs.first.is_held else ''}A knee is bent where it is positive."
    words = {"right": "Figure 5.5: angles", "left": "Figure 5.6: angles"}
    if not _walks(runs).runs:
        words = dict.fromkeys(words, "Angles")
    return [
        curves(
            shown,
            f"{title} of the {side} leg",
            [
                Plot(f"{called} [deg]", [Curve(f"q.{side}_{name}")], least=_LEAST_ANGLE)
                for name, called in _NAMED.items()
            ],
            note=note,
            columns=2,
        )
        for side, title in words.items()
    ]


def by_phase(walks: HumanoidRuns) -> list[Figure]:
    """Torques, forces of the ground and loads of joints in the phases of the second gait cycle."""
    force, moment = (
        lambda joint, kind=kind: lambda run: run.loads[kind][:, run.joints.index(joint)]
        for kind in (0, 1)
    )
    torques = _by_phase(
        walks,
        "Figures 5.7 to 5.14: torques of the joints by phase and leg",
        "torque [N m]",
        _of_legs(lambda joint: f"actuation.{joint}", _NAMED),
        "Positive torques turn a joint as its angle counts.",
    )
    if not walks.first.is_held:
        return [torques]
    return [
        torques,
        _by_phase(
            walks,
            "Figures 5.15 to 5.18: forces of the ground by phase",
            "force [N]",
            {
                called: {
                    axis: (f"reaction.{part}.F{axis[0]}", colour) for axis, colour in _AXES.items()
                }
                for part, called in (("flat foot", "flat foot"), ("toe", _BEHIND))
            },
            "A vertical force below zero pulls: the weld gives it, ground does not.",
        ),
        _by_phase(
            walks,
            "Forces in the joints by phase and leg",
            "force [N]",
            _of_legs(force, _CARRYING),
            "Both hinges of a hip or an ankle carry the same force.",
        ),
        _by_phase(
            walks,
            "Moments across the axes of the joints by phase and leg",
            "moment [N m]",
            _of_legs(moment, _NAMED),
            "A motor's torque is along its own axis, and across that of the other hinge of its "
            "joint.",
        ),
    ]


def _of_legs(of: Callable[[str], str | Values], joints: Mapping[str, str]) -> Columns:
    """A column for each leg, with lines of some joints and what they are called."""
    return {
        f"{side} leg": {
            called: (of(f"{side}_{name}"), _JOINTS[name]) for name, called in joints.items()
        }
        for side in SIDES
    }


def _by_phase(walks: HumanoidRuns, title: str, label: str, columns: Columns, remark: str) -> Figure:
    """Panels for each phase of the second gait cycle of the first walk, in the thesis's order."""
    run, cycle = walks.first, walks.first.second_cycle
    ordered = sorted(cycle, key=lambda each: (not each.phase.is_double, each.phase))
    plots = [
        Plot(
            label,
            [
                Level(0.0, look=AXIS),
                *(
                    Curve(of, called, colour, [part], _FINE)
                    for called, (of, colour) in lines.items()
                ),
            ],
            title=f"{heading}: {each.phase.words}",
            across=_IN_PHASE.label,
        )
        for each, part in ((each, run.part(each.rows)) for each in ordered)
        for heading, lines in columns.items()
        if each.phase.is_double or heading != _BEHIND
    ]
    note = (
        f"{run.name}, the gait cycle from {cycle[0].begin:.2f} to {cycle[-1].end:.2f} s. {remark} "
        "Panels have scales of their own."
    )
    return curves(
        walks.of([run]), title, plots, over=_IN_PHASE, note=note, columns=2, row_height=2.0
    )


def demands(cycles: HumanoidRuns) -> Figure:
    """Vertical force, friction and power that the walk asks for, over time."""
    mu = cycles.first.audit.mu
    friction, most = ([Level(mu)], _FRICTION_SHOWN * mu) if np.isfinite(mu) else ([], None)
    plots = [
        Plot(f"vertical force,\n{part} [N]", [Curve(of), Level(0.0, look=AXIS)], usual=True)
        for part, of in (
            ("flat foot", lambda run: run.audit.force[:, 0, 2]),
            ("toe", lambda run: run.audit.force[:, 1, 2]),
        )
    ]
    plots += [
        Plot("friction\nneeded [1]", [Curve(_friction), *friction], low=0.0, high=most),
        Plot("largest power\nof a joint [W]", [Curve(lambda run: run.largest_power)], low=0.0),
    ]
    note = (
        f"Dashed: the friction that there is, {number(mu, 3)}; the axis ends at "
        f"{number(_FRICTION_SHOWN, 2)} times that. Below zero ground would have to pull."
    )
    return curves(cycles, "What the walk asks of ground and motors", plots, note=note)


def _friction(run: HumanoidRun) -> Array:
    """Friction coefficient that the part needs which needs more, where it bears any load."""
    needed = np.where(run.audit.force[:, :, 2] > 1.0, run.audit.friction, np.nan)
    largest: Array = np.fmax(needed[:, 0], needed[:, 1])
    return largest


def notes(runs: HumanoidRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    walks, context = _walks(runs).runs, runs.first.context
    control = context.controller
    law = control.gait if isinstance(control, GroundWalk) else control
    held = [run for run in walks if run.is_held]
    paragraphs = [_NOTES["chosen"]]
    if isinstance(law, HumanoidWalk) and law.track_toe:
        paragraphs.append(_NOTES["toe"])
    if held:
        paragraphs += [_NOTES["welded"], *map(verdict, held), _NOTES["shared"]]
        paragraphs.append(_NOTES["steps"] if is_thesis_step(context) else "")
    return paragraphs if held or not walks else [*paragraphs, _NOTES["free"]]


def verdict(run: HumanoidRun) -> str:
    """Say whether ground could give what a walk takes, and how far beside the sole it pushes."""
    asked = run.audit
    share = float(asked.possible.mean())
    if share == 1.0:
        return (
            f"{run.name}: ground with a friction of {number(asked.mu, 3)} can give all that the "
            "walk takes."
        )
    when = "at every moment"
    if share > 0.0:
        first = first_time(run, ~asked.possible)
        when = f"for {number(100.0 * (1.0 - share), 3)} % of the time, first at {first:.2f} s"
    text = f"{run.name}: the walk is physically impossible {when}."
    single = (run.phase % 2 == 1) & (asked.force[:, 0, 2] > 1.0)
    beside = float(np.median(np.abs(asked.pressure[single, 0, 1]))) if single.any() else 0.0
    if beside <= asked.half_width:
        return text
    return (
        f"{text} In single support the centre of pressure is {1e3 * beside:.0f} mm beside the "
        f"middle of a sole that is {2e3 * asked.half_width:.0f} mm wide (median): the trunk goes "
        "straight ahead between the feet, and would fall to the side of the foot in the air if the "
        "weld did not hold it."
    )


def tables(runs: HumanoidRuns) -> list[Table | None]:
    """Forces that ground could not give, changes of phase, largest reactions in the joints."""
    held = runs.of(run for run in runs.runs if run.is_held)
    return [demand_table(held), change_table(held), load_table(held)] if held.runs else []


def phases(runs: HumanoidRuns) -> list[Phase]:
    """Phases of the first run; double support has bands."""
    return [
        Phase(
            one.begin,
            one.end,
            one.phase.words,
            PHASE_COLOURS[one.phase] if one.phase.is_double else None,
        )
        for one in runs.first.phases
    ]


REPORT = MachineReport(figures, notes, tables, phases, read=read_humanoid)

"""Report of the goalkeeper: figures and notes."""

import math

import numpy as np

from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH
from footfall.machines.goalkeeper.observables import RADIUS, touch_time
from footfall.machines.goalkeeper.report.curves import (
    first_obstacle,
    keeper_over_time,
    shot_over_time,
)
from footfall.machines.goalkeeper.report.field import field_figure, top_view
from footfall.machines.goalkeeper.report.runs import KeeperRun, KeeperRuns, read_keeper_runs
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.tables import NONE, number

_THEOREM = (
    "The keeper D stands on the goal line BC where it halves the angle at which the ball A sees "
    "the goal. Then BD:DC = AB:AC, and its distance from the middle is OP = w² x/(AB + AC)², "
    "with the goal's width w = {width} m and the ball's x. The keeper goes no farther than "
    "{reach} m from the middle."
)
_ASSUMED = (
    "Published are the field, the sizes of ball and keeper, the mass of the ball, the law and the "
    "bound of the keeper's place. The source's keeper is where it should be at once. Assumed are "
    "its bounds of speed ({speed} m/s) and acceleration ({acceleration} m/s²), and of a free ball "
    "that it is a thin shell, friction and restitution."
)
_NEEDED = " Here its place moves with up to {wanted} m/s."
_LATE = " The keeper of {name} is up to {lag} m away from it."
_GUIDED = (
    "The ball is carried along a path of the listing and goes through whatever stands in its way, "
    "as the listing's picture of a ball does."
)
_SHOT = (
    "The ball starts without spin: it slides, slowed by friction, until its lowest point rests on "
    "the grass at 3/5 of its first speed, and rolls on without loss. Nothing but the grass is in "
    "this closed form, which ends at the first touch."
)
_LIFTED = (
    "In {name} the ball rises {height} mm above the grass before it has touched anything else. "
    "Drake's approximations sap and similar lift what slides, until it rises with about mu times "
    "its slip; in the air nothing slows the ball, and its landing does so at once."
)
_COMPLIANT = (
    "The engines bounce in their own ways: Moreau's engine has the restitution of the scenario in "
    "one step, Drake's contact has none and gives back what its spring and its damping leave. "
    "After the first touch the paths part."
)
_LEAST = 1e-6  # m: a keeper that is nearer to its target is there
_LIFT = 1e-3  # m: what rises less has not left the grass


def figures(runs: KeeperRuns) -> list[Figure]:
    """The field in space and from above, the keeper over time, a shot; then the coordinates."""
    pictures = [
        field_figure(runs.section, runs.first),
        top_view(runs, runs.section.robot.model),
        keeper_over_time(runs),
    ]
    if runs.first.observed.free:
        pictures.append(shot_over_time(runs.section, runs))
    return [*pictures, *coordinate_figures(runs)]


def notes(runs: KeeperRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    law, first = runs.law, runs.first
    paragraphs = [_THEOREM.format(width=number(GOAL_WIDTH, 3), reach=number(law.reach, 3))]
    if runs.bounded:
        speed, acceleration = number(law.max_speed, 3), number(law.max_acceleration, 3)
        paragraphs.append(_ASSUMED.format(speed=speed, acceleration=acceleration) + _needed(runs))
    if not first.observed.free:
        return [*paragraphs, _GUIDED]
    paragraphs += [_SHOT, " ".join(_became(run) for run in runs.runs)]
    paragraphs += [_LIFTED.format(name=n, height=f"{1e3 * h:.0f}") for n, h in lifted(runs)]
    if len(runs.runs) > 1 and any(first_obstacle(run) for run in runs.runs):
        paragraphs.append(_COMPLIANT)
    return paragraphs


def lifted(runs: KeeperRuns) -> list[tuple[str, float]]:
    """Runs in which the ball leaves the grass by itself, and how high it rises [m]."""
    heights = []
    for run in runs.runs:
        met = first_obstacle(run)
        before = run.time < (met[0] if met is not None else math.inf)
        height = float((run.observed.height[before] - RADIUS).max())
        if height > _LIFT:
            heights.append((run.name, height))
    return heights


def _needed(runs: KeeperRuns) -> str:
    """Speed that the law asks for, and the largest lag of a keeper behind it."""
    wanted = number(float(np.abs(runs.first.target[1]).max()), 3)
    lags = [float(np.abs(run.lag).max()) for run in runs.runs]
    name = runs.names[int(np.argmax(lags))]
    late = _LATE.format(lag=number(max(lags), 3), name=name) if max(lags) > _LEAST else ""
    return _NEEDED.format(wanted=wanted) + late


def _became(run: KeeperRun) -> str:
    """Outcome of a shot in words."""
    outcome, touch = run.outcome, touch_time(run.observed)
    text = f"{run.name}: {outcome.value if outcome else NONE}"
    if math.isnan(touch):
        return f"{text}, the keeper is not touched."
    return f"{text}, the ball meets the keeper at {touch:.3f} s."


REPORT = MachineReport(figures, notes, read=read_keeper_runs)

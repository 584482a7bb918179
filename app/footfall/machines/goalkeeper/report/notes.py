"""Notes on the goalkeeper, and a table of the angles at several moments."""

import math

import numpy as np

from footfall.machines.goalkeeper.measures import angles
from footfall.machines.goalkeeper.outcome import RADIUS, ShotOutcome
from footfall.machines.goalkeeper.report.runs import KeeperRun, KeeperRuns
from footfall.machines.goalkeeper.report.shot import first_hit, first_obstacle
from footfall.report.tables import MINUS, NONE, Table, number

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


def notes_of(runs: KeeperRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    law, first = runs.law, runs.first
    found = [_THEOREM.format(width=number(law.goal_width, 3), reach=number(law.reach, 3))]
    if runs.bounded:
        speed, acceleration = number(law.max_speed, 3), number(law.max_acceleration, 3)
        found.append(_ASSUMED.format(speed=speed, acceleration=acceleration) + _needed(runs))
    if not first.observed.free:
        return [*found, _GUIDED]
    found += [_SHOT, " ".join(_became(run) for run in runs.runs)]
    found += [_LIFTED.format(name=n, height=f"{1e3 * h:.0f}") for n, h in lifted(runs)]
    if len(runs.runs) > 1 and any(first_obstacle(run) for run in runs.runs):
        found.append(_COMPLIANT)
    return found


def lifted(runs: KeeperRuns) -> list[tuple[str, float]]:
    """Runs in which the ball leaves the grass by itself, and how high it rises [m]."""
    found = []
    for run in runs.runs:
        met = first_obstacle(run)
        before = run.time < (met[0] if met is not None else math.inf)
        height = float((run.observed.height[before] - RADIUS).max())
        if height > _LIFT:
            found.append((run.name, height))
    return found


def angle_table(run: KeeperRun, rows: list[int]) -> Table:
    """The angles at the ball, and the ratios that follow from them, at several rows."""
    width = run.law.goal_width
    lines = []
    for row in rows:
        ball, foot = run.observed.ball[row], run.bisector[row]
        if not run.sees_goal(row):
            continue
        to_b, to_c = (math.hypot(ball[0] - x, ball[1]) for x in (-0.5 * width, 0.5 * width))
        halves = _degrees(run, row, foot)
        keeper = run.observed.keeper[row]
        lines.append(
            (
                f"{run.time[row]:.3f}",
                f"{ball[0]:.3f}, {ball[1]:.3f}".replace("-", MINUS),
                f"{to_b / to_c:.4f}",
                f"{foot:.4f}".replace("-", MINUS),
                f"{(foot + 0.5 * width) / (0.5 * width - foot):.4f}",
                halves,
                f"{keeper:.4f}".replace("-", MINUS),
                _degrees(run, row, keeper),
            )
        )
    headings = (
        "time [s]",
        "ball A, x and y [m]",
        "AB:AC",
        "bisector at D [m]",
        "BD:DC",
        "BAD, DAC [deg]",
        "keeper at K [m]",
        "BAK, KAC [deg]",
    )
    note = "Angles from the places, not from the ratios. Balls on the goal line are left out."
    return Table(f"The angle and its halves: {run.name}", headings, lines, note)


def _degrees(run: KeeperRun, row: int, x: float) -> str:
    """Both angles at the ball for a keeper at a place [deg]."""
    found = angles(run.observed.ball[row : row + 1], np.array([x]), run.law.goal_width)
    return ", ".join(f"{math.degrees(angle[0]):.2f}".replace("-", MINUS) for angle in found)


def _needed(runs: KeeperRuns) -> str:
    """Speed that the law asks for, and the largest lag of a keeper behind it."""
    wanted = number(float(np.abs(runs.first.target[1]).max()), 3)
    lags = [float(np.abs(run.lag).max()) for run in runs.runs]
    name = runs.names[int(np.argmax(lags))]
    late = _LATE.format(lag=number(max(lags), 3), name=name) if max(lags) > _LEAST else ""
    return _NEEDED.format(wanted=wanted) + late


def _became(run: KeeperRun) -> str:
    """Outcome of a shot in words."""
    became, hit = run.outcome, first_hit(run)
    if became is ShotOutcome.GOAL:
        outcome = f"{run.name}: a goal"
    elif became is ShotOutcome.ON_THE_WAY:
        outcome = f"{run.name}: still on the way"
    else:
        outcome = f"{run.name}: {became.value if became else NONE}"
    if hit is None:
        return outcome + ", the keeper is not touched."
    return (
        f"{outcome}, the ball meets the keeper at {hit.start:.3f} s with {number(hit.before, 3)} "
        f"m/s and goes on with {number(hit.after, 3)} m/s."
    )

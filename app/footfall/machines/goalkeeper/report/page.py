"""Report of the goalkeeper: figures and notes."""

import math
from typing import Any

import numpy as np

from footfall.arrays import stretches
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH
from footfall.machines.goalkeeper.measures import RADIUS, is_shot, outcome_of, touch_time
from footfall.machines.goalkeeper.report.field import (
    KeeperRun,
    KeeperRuns,
    field_figure,
    read_keeper_runs,
    top_view,
)
from footfall.machines.goalkeeper.saved_shots import friction_of
from footfall.registry.dashed import MAGENTA
from footfall.registry.documents import read_notes
from footfall.registry.machine import CLOSED_FORM
from footfall.report.bands import Phase
from footfall.report.curves import AXIS, BOUND, Curve, Level, Line, Plot, Uprights, curves
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.tables import NONE, number
from footfall.textbook.rolling import SHELL, Rolling
from footfall_controllers.goalkeeper import BALL

_NOTES = read_notes(__package__)

_WANTED: dict[str, Any] = {"color": MAGENTA, "linewidth": 3.4, "alpha": 0.35}
_BISECTOR: dict[str, Any] = {"color": MAGENTA, "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
_ROLLS: dict[str, Any] = {"color": "black", "linewidth": 0.8, "linestyle": ":"}
_LEVEL = 1e-9  # rad/s, m/s: a kick without spin along the grass
_NEEDED = " Here its place moves with up to {wanted} m/s."
_LATE = " The keeper of {name} is up to {lag} m away from it."
_LEAST = 1e-6  # m: a keeper that is nearer to its target is there
_LIFT = 1e-3  # m: what rises less has not left the grass


def figures(runs: KeeperRuns) -> list[Figure | None]:
    """The field in space and from above, the keeper over time, a shot; then the coordinates."""
    return [
        field_figure(runs.section, runs.first),
        top_view(runs, runs.section.robot.model),
        keeper_over_time(runs),
        shot_over_time(runs) if runs.first.observed.free else None,
        *coordinate_figures(runs),
    ]


def keeper_over_time(runs: KeeperRuns) -> Figure:
    """Place, speed, acceleration and lag of the keeper in every run."""
    first, law = runs.first, runs.law
    place, rate = first.target
    bounds = law.max_speed, law.max_acceleration
    fastest, hardest = ([Level(most, mirrored=True)] if runs.bounded else [] for most in bounds)
    plots = [
        Plot(
            "x [m]",
            [
                Line(first.time, place, "target", _WANTED),
                Line(first.time, first.bisector, "bisector OP", _BISECTOR),
                Curve(lambda run: run.observed.keeper),
                Level(law.reach, f"±{number(law.reach, 3)} m", mirrored=True),
            ],
            low=-0.5 * GOAL_WIDTH,
            high=0.5 * GOAL_WIDTH,
        ),
        Plot(
            "speed [m/s]",
            [
                Line(first.time, rate, look=_WANTED),
                Curve(lambda run: run.observed.keeper_speed),
                *fastest,
            ],
            usual=True,
        ),
        Plot("acceleration\n[m/s²]", [Curve(lambda run: run.acceleration), *hardest], usual=True),
        Plot("keeper less\ntarget [m]", [Curve(lambda run: run.lag), Level(0.0, look=AXIS)]),
    ]
    note = f"Dashed: where the keeper stops, ±{number(law.reach, 3)} m"
    if runs.bounded:
        speed, acceleration = (number(most, 3) for most in bounds)
        note += f", and its bounds of speed and acceleration, ±{speed} m/s and ±{acceleration} m/s²"
    note += ". Magenta in the second panel: speed of the target."
    if first.saturated.any():
        note += " Saturated: the bisector is beyond the reach of the keeper."
    if CLOSED_FORM in runs.names:
        note += f" {_NOTES['at_once']}"
    return curves(runs, "The keeper over time", plots, note=note, row_height=1.75)


def phases(runs: KeeperRuns) -> list[Phase]:
    """Times in which the bisector is beyond the reach of the first run's keeper."""
    time = runs.first.time
    spans = stretches(runs.first.saturated)
    return [Phase(time[a], time[b - 1], "saturated", MAGENTA) for a, b in spans]


def shot_over_time(runs: KeeperRuns) -> Figure:
    """Speed and slip of the ball beside the closed form."""
    alone = rolling_alone(runs)
    touches = [
        Uprights([run.first_obstacle[0]], look={"color": run.colour, "linewidth": 0.8})
        for run in runs.runs
        if run.first_obstacle
    ]
    speeds: list[Line | Level] = []
    slips: list[Line] = []
    if alone is not None:
        first = min((upright.at[0] for upright in touches), default=math.inf)
        time = runs.first.time[runs.first.time <= first]
        sliding = alone.speed(time) - alone.r * alone.spin(time)
        rolls = Level(alone.v0 / (1.0 + alone.beta), "3/5 of the kick", look=_ROLLS)
        speeds = [Line(time, alone.speed(time), "closed form", BOUND), rolls]
        slips = [Line(time, sliding, "closed form", BOUND)]
    return curves(
        runs,
        "The shot",
        [
            Plot(
                "speed over\nthe field [m/s]",
                [Curve(lambda run: run.ball_speed), *speeds, *touches],
                low=0.0,
            ),
            Plot(
                "slip on the\ngrass [m/s]",
                [Curve(lambda run: run.slip), *slips, *touches],
                low=0.0,
            ),
        ],
        note="Upright lines: the ball first touches something beside the grass." if touches else "",
        row_height=1.75,
    )


def rolling_alone(runs: KeeperRuns) -> Rolling | None:
    """The shot on grass alone; None for a ball that starts with spin, or up or down."""
    contacts, first = runs.section.robot.contacts, runs.first
    names = [f"ball_ball_{name}" for name in ("wx", "wy", "wz", "vz")]
    besides = first.data["v"].sel(velocity=names).to_numpy()[0]
    if BALL not in contacts.names or np.abs(besides).max() > _LEVEL:
        return None
    speed, gravity = float(first.ball_speed[0]), runs.section.scenario.gravity
    return Rolling(m=1.0, r=RADIUS, beta=SHELL, mu=friction_of(contacts), v0=speed, g=gravity)


def notes(runs: KeeperRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    law, first = runs.law, runs.first
    speed, acceleration = number(law.max_speed, 3), number(law.max_acceleration, 3)
    assumed = _NOTES["assumed"].format(speed=speed, acceleration=acceleration) + _needed(runs)
    about_keeper = [
        _NOTES["theorem"].format(width=number(GOAL_WIDTH, 3), reach=number(law.reach, 3)),
        assumed if runs.bounded else "",
    ]
    if not first.observed.free:
        return [*about_keeper, _NOTES["guided"]]
    met = len(runs.runs) > 1 and any(run.first_obstacle for run in runs.runs)
    return [
        *about_keeper,
        _NOTES["shot"],
        " ".join(_became(run) for run in runs.runs),
        *(_NOTES["lifted"].format(name=n, height=f"{1e3 * h:.0f}") for n, h in lifted(runs)),
        _NOTES["compliant"] if met else "",
    ]


def lifted(runs: KeeperRuns) -> list[tuple[str, float]]:
    """Runs in which the ball leaves the grass by itself, and how high it rises [m]."""
    heights = []
    for run in runs.runs:
        met = run.first_obstacle
        before = run.time < (met[0] if met is not None else math.inf)
        height = float((run.observed.height[before] - RADIUS).max())
        if height > _LIFT:
            heights.append((run.name, height))
    return heights


def _needed(runs: KeeperRuns) -> str:
    """Speed that the law asks for, and the largest lag of a keeper behind it."""
    wanted = number(float(np.nanmax(np.abs(runs.first.target[1]))), 3)
    lags = [float(np.abs(run.lag).max()) for run in runs.runs]
    name = runs.names[int(np.argmax(lags))]
    late = _LATE.format(lag=number(max(lags), 3), name=name) if max(lags) > _LEAST else ""
    return _NEEDED.format(wanted=wanted) + late


def _became(run: KeeperRun) -> str:
    """Outcome of a shot in words."""
    touch = touch_time(run.observed)
    text = f"{run.name}: {outcome_of(run.observed).value if is_shot(run.observed) else NONE}"
    if math.isnan(touch):
        return f"{text}, the keeper is not touched."
    return f"{text}, the ball meets the keeper at {touch:.3f} s."


REPORT = MachineReport(figures, notes, phases=phases, read=read_keeper_runs)

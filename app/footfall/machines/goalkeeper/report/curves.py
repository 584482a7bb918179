"""The keeper over time between its bounds, and a shot: how the ball slides and rolls.

Frame: `closed_form.bisector`; z up.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags, stretches
from footfall.contact import Mode
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH
from footfall.machines.goalkeeper.observables import RADIUS
from footfall.machines.goalkeeper.report.runs import KeeperRun, KeeperRuns
from footfall.registry.dashed import MAGENTA
from footfall.registry.machine import CLOSED_FORM
from footfall.report.charts.panel import TIME, Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line
from footfall.report.section import Section
from footfall.report.tables import number
from footfall.textbook.rolling import SHELL, Rolling
from footfall_controllers.goalkeeper import BALL

BOUND: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (5, 3))}
"""Lines at what the keeper does not exceed."""
WANTED: dict[str, Any] = {"color": MAGENTA, "linewidth": 3.4, "alpha": 0.35}
_BISECTOR: dict[str, Any] = {"color": MAGENTA, "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
_SHADED: dict[str, Any] = {"color": MAGENTA, "alpha": 0.12, "linewidth": 0.0, "zorder": 0.1}
_COLUMNS = 6  # of the legend
_CLOSED: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (5, 3))}
_ROLLS: dict[str, Any] = {"color": "black", "linewidth": 0.8, "linestyle": ":"}
_LEVEL = 1e-9  # rad/s, m/s: a kick without spin along the grass
_ROOM = 1.15  # axes go so far beyond a bound
_MOST = 12.0  # bounds: what a keeper without any takes is cut there


def keeper_over_time(runs: KeeperRuns) -> Figure:
    """Place, speed, acceleration and lag of the keeper in every run."""
    law = runs.law

    def plot(axes: npt.NDArray[Any]) -> None:
        position, speed, acceleration, lag = axes[:, 0]
        _places(position, runs)
        _speeds(speed, runs)
        for run in runs.runs:
            line(acceleration, *run.acceleration, **run.style)
            line(lag, run.time, run.lag, **run.style)
        if runs.bounded:
            _bound(speed, law.max_speed)
            _bound(acceleration, law.max_acceleration)
        lag.axhline(0.0, color="black", linewidth=0.7)
        acceleration.set_ylabel("acceleration\n[m/s²]")
        lag.set_ylabel("keeper less\ntarget [m]")
        for panel in axes[:, 0]:
            _shade(panel, runs.first)
        lag.set_xlabel(TIME)
        legend_on_top(position)

    alt = (
        "The keeper over time: the bisector's place and its saturated target, the place of the "
        f"keeper in {runs.listed} between the bounds of ±{number(law.reach, 3)} m, "
        "its speed and acceleration with their bounds, and how far it is from its target."
    )
    return draw("The keeper over time", alt, (4, 1), plot, note=_note(runs), row_height=1.75)


def _places(panel: Panel, runs: KeeperRuns) -> None:
    """Bisector, target and keepers, between the bounds of the place."""
    first, law = runs.first, runs.law
    line(panel, first.time, first.target[0], label="target", **WANTED)
    line(panel, first.time, first.bisector, label="bisector OP", **_BISECTOR)
    for run in runs.runs:
        label = f"keeper, {run.name}"
        line(panel, run.time, run.observed.keeper, label=label, **run.style)
    for sign in (1.0, -1.0):
        text = f"±{number(law.reach, 3)} m" if sign > 0.0 else None
        panel.axhline(sign * law.reach, label=text, **BOUND)
    half = 0.5 * GOAL_WIDTH
    panel.set(ylim=(-half, half), yticks=[-law.reach, 0.0, law.reach], ylabel="x [m]")
    if first.saturated.any():
        panel.polygons([], label="saturated", **_SHADED)


def _speeds(panel: Panel, runs: KeeperRuns) -> None:
    """Speeds of the target and of the keepers."""
    first = runs.first
    moved = first.moving
    line(panel, first.time[moved], first.target[1][moved], **WANTED)
    for run in runs.runs:
        moved = run.moving
        line(panel, run.time[moved], run.observed.keeper_speed[moved], **run.style)
    panel.set_ylabel("speed [m/s]")


def _bound(panel: Panel, most: float) -> None:
    """Lines at a bound, and axes that show them and not much more than a few times that."""
    for sign in (1.0, -1.0):
        panel.axhline(sign * most, **BOUND)
    low, high = panel.get_ylim()
    panel.set_ylim(
        max(min(low, -_ROOM * most), -_MOST * most), min(max(high, _ROOM * most), _MOST * most)
    )


def _shade(panel: Panel, run: KeeperRun) -> None:
    """Shade the times in which the bisector is beyond the keeper's reach."""
    for start, end in spans(run.time, run.saturated):
        panel.axvspan(start, end, **_SHADED)
    panel.set_xlim(run.time[0], run.time[-1])


def spans(time: Array, on: Flags) -> list[tuple[float, float]]:
    """Times of the first and last row of every stretch of rows in which something is on."""
    return [(float(time[first]), float(time[end - 1])) for first, end in stretches(on)]


def _note(runs: KeeperRuns) -> str:
    law = runs.law
    text = f"Dashed: where the keeper stops, ±{number(law.reach, 3)} m"
    if runs.bounded:
        text += (
            f", and its bounds of speed and acceleration, ±{number(law.max_speed, 3)} m/s and "
            f"±{number(law.max_acceleration, 3)} m/s²"
        )
    text += ". Magenta in the second panel: speed of the target."
    if CLOSED_FORM in runs.names:
        text += (
            " The keeper of the listing (closed-form) is at its target at once; what that takes is "
            f"cut at {_MOST:g} times the bounds."
        )
    return text


# --- the shot ------------------------------------------------------------------------------------


def closed_form(section: Section, run: KeeperRun) -> Rolling | None:
    """The shot on grass alone; None for a ball that starts with spin, or up or down."""
    contacts, model = section.robot.contacts, section.robot.model
    spin = _velocities(run, "ball_ball_w")[0]
    velocity = _velocities(run, "ball_ball_v")[0]
    if BALL not in contacts.names or np.abs([*spin, velocity[2]]).max() > _LEVEL:
        return None
    at = int(np.flatnonzero(contacts.reported_as == contacts.names.index(BALL))[0])
    mass = float(model.plant.GetBodyByName("ball").default_mass())
    speed = float(np.linalg.norm(velocity))
    mu, gravity = float(contacts.mu[at]), section.scenario.gravity
    return Rolling(m=mass, r=RADIUS, beta=SHELL, mu=mu, v0=speed, g=gravity)


def slip(run: KeeperRun) -> Array:
    """Speed with which the ball's lowest point slides over the grass, (N,) [m/s]; NaN in the air.

    The ball at the start is taken to lie on it.
    """
    wx, wy, _ = _velocities(run, "ball_ball_w").T
    vx, vy = run.observed.ball_velocity.T
    touches = run.data["mode"].sel(contact=BALL).to_numpy() > Mode.OPEN
    touches[0] = True
    return np.where(touches, np.hypot(vx - RADIUS * wy, vy + RADIUS * wx), np.nan)


def first_obstacle(run: KeeperRun) -> tuple[float, str] | None:
    """First touch of the ball with anything but the grass: time [s] and what; None without any."""
    names = [n for n in run.data["contact"].values.tolist() if "|" in n and BALL in n.split("|")]
    closed = run.data["mode"].sel(contact=names).to_numpy() > Mode.OPEN
    if not closed.any():
        return None
    row = int(closed.any(axis=1).argmax())
    (other,) = {*names[int(closed[row].argmax())].split("|")} - {BALL}
    return float(run.time[row]), other.rpartition("::")[2].replace("_", " ")


def shot_over_time(section: Section, runs: KeeperRuns) -> Figure:
    """Speed and slip of the ball beside the closed form."""
    alone = closed_form(section, runs.first)
    touches = {run.name: first_obstacle(run) for run in runs.runs}
    times = [touch[0] for touch in touches.values() if touch is not None]

    def plot(axes: npt.NDArray[Any]) -> None:
        speed, sliding = axes[:, 0]
        for run in runs.runs:
            total = np.linalg.norm(run.observed.ball_velocity, axis=1)
            line(speed, run.time, total, label=run.name, **run.style)
            line(sliding, run.time, slip(run), **run.style)
            if (touch := touches[run.name]) is not None:
                for panel in (speed, sliding):
                    panel.axvline(touch[0], color=run.style["color"], linewidth=0.8)
        if alone is not None:
            time = runs.first.time[runs.first.time <= min(times, default=np.inf)]
            speed.plot(time, alone.speed(time), label="closed form", **_CLOSED)
            sliding.plot(time, alone.speed(time) - alone.r * alone.spin(time), **_CLOSED)
            speed.axhline(alone.v0 / (1.0 + alone.beta), label="3/5 of the kick", **_ROLLS)
        speed.set(ylabel="speed over\nthe field [m/s]", ylim=(0.0, None))
        sliding.set(ylabel="slip on the\ngrass [m/s]", ylim=(0.0, None), xlabel=TIME)
        sliding.set_xlim(runs.first.time[0], runs.first.time[-1])
        legend_on_top(speed)

    alt = (
        "The shot over time: speed of the ball and slip of its lowest point on the grass beside "
        f"the closed form of a thin shell that slides and then rolls, for {runs.listed}."
    )
    note = "Upright lines: the ball first touches something beside the grass."
    return draw("The shot", alt, (2, 1), plot, note=note, row_height=1.75)


def _velocities(run: KeeperRun, name: str) -> Array:
    """Three velocities of a free ball, (N, 3), in W."""
    columns = [f"{name}{axis}" for axis in "xyz"]
    velocities: Array = run.data["v"].sel(velocity=columns).to_numpy()
    return velocities

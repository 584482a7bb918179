"""A shot over time: how the ball slides and rolls, how far it is from the line, and what it hits.

Frame: `closed_form.bisector`; z up.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.machines.goalkeeper.outcome import RADIUS
from footfall.machines.goalkeeper.report.runs import KeeperRun, KeeperRuns
from footfall.report.charts.panel import TIME
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line
from footfall.report.section import Section
from footfall.report.tables import NONE, Table, number
from footfall.textbook.rolling import SHELL, Rolling

BALL = "ball::ball"
KEEPER = "keeper::keeper"
_CLOSED: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (5, 3))}
_ROLLS: dict[str, Any] = {"color": "black", "linewidth": 0.8, "linestyle": ":"}
_COLUMNS = 6  # of the legend
_LEVEL = 1e-9  # rad/s, m/s: a kick without spin along the grass


@dataclass(frozen=True)
class Hit:
    """The first touch of ball and keeper: some steps in a row, and what they came to.

    start: end of the first of them [s]; lasting: time that they take [s]; normal, along:
    impulses on the ball, across and along the keeper's face [N s]; before, after: speeds of the
    ball [m/s].
    """

    start: float
    lasting: float
    normal: float
    along: float
    before: float
    after: float


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


def first_hit(run: KeeperRun) -> Hit | None:
    """The first touch of ball and keeper; None if there is none."""
    touching = run.observed.touching
    if not touching.any():
        return None
    start = int(touching.argmax())
    free = np.flatnonzero(~touching[start:])
    end = start + int(free[0]) if len(free) else len(touching)
    pairs = [n for n in run.data["contact"].values.tolist() if {*n.split("|")} == {BALL, KEEPER}]
    impulse = run.data["impulse"].sel(contact=pairs).to_numpy()[start:end].sum(axis=(0, 1))
    speed = np.linalg.norm(run.observed.ball_velocity, axis=1)
    return Hit(
        start=float(run.time[start]),
        lasting=float(run.time[end - 1] - run.time[max(start - 1, 0)]),
        normal=float(impulse[0]),
        along=float(np.hypot(impulse[1], impulse[2])),
        before=float(speed[max(start - 1, 0)]),
        after=float(speed[end - 1]),
    )


def shot_over_time(section: Section, runs: KeeperRuns) -> Figure:
    """Speed and slip of the ball beside the closed form, and its distance from the goal line."""
    alone = closed_form(section, runs.first)

    def plot(axes: npt.NDArray[Any]) -> None:
        speed, sliding, height, distance = axes[:, 0]
        for run in runs.runs:
            style = run.style
            total = np.linalg.norm(run.observed.ball_velocity, axis=1)
            line(speed, run.time, total, label=run.name, **style)
            line(sliding, run.time, slip(run), **style)
            line(height, run.time, 1e3 * (run.observed.height - RADIUS), **style)
            line(distance, run.time, run.observed.ball[:, 1], **style)
            for panel in axes[:, 0]:
                _mark(panel, run)
        if alone is not None:
            until = _until(runs)
            time = runs.first.time[runs.first.time <= until]
            speed.plot(time, alone.speed(time), label="closed form", **_CLOSED)
            sliding.plot(time, alone.speed(time) - alone.r * alone.spin(time), **_CLOSED)
            speed.axhline(alone.v0 / (1.0 + alone.beta), label="3/5 of the kick", **_ROLLS)
        for level in (0.0, -RADIUS):
            distance.axhline(level, **_ROLLS)
        speed.set(ylabel="speed over\nthe field [m/s]", ylim=(0.0, None))
        height.set(ylabel="ball above\nthe grass [mm]")
        sliding.set(ylabel="slip on the\ngrass [m/s]", ylim=(0.0, None))
        distance.set(ylabel="ball to the\ngoal line [m]", xlabel=TIME)
        distance.set_xlim(runs.first.time[0], runs.first.time[-1])
        legend_on_top(speed)

    alt = (
        "The shot over time: speed of the ball and slip of its lowest point on the grass beside "
        "the closed form of a thin shell that slides and then rolls, its height above the grass "
        f"and the distance of its centre from the goal line, for {runs.listed}."
    )
    note = (
        "Upright lines: the ball first touches something beside the grass. Below, dotted: the "
        "centre of the ball on the line, and the whole ball behind it."
    )
    return draw("The shot", alt, (4, 1), plot, note=note, row_height=1.75)


def shot_table(runs: KeeperRuns) -> Table:
    """Outcome of the shot in every run."""
    rows = []
    for run in runs.runs:
        hit, became = first_hit(run), run.outcome
        met = first_obstacle(run)
        first = "nothing" if met is None else f"{met[1]} at {met[0]:.3f} s"
        numbers = [NONE] * 5
        if hit is not None:
            speeds = f"{number(hit.before, 4)}, {number(hit.after, 4)}"
            numbers = [f"{hit.start:.3f}", f"{1e3 * hit.lasting:.0f}"]
            numbers += [number(hit.normal, 4), number(hit.along, 3), speeds]
        rows.append((run.name, became.value if became else NONE, first, *numbers))
    headings = (
        "run",
        "outcome",
        "first touched",
        "touches the keeper [s]",
        "lasting [ms]",
        "impulse across [N s]",
        "impulse along [N s]",
        "speed before, after [m/s]",
    )
    note = (
        "Impulses are sums over the steps of the first touch between ball and keeper, across and "
        "along the face that the ball meets."
    )
    return Table("What became of the shot", headings, rows, note)


def _until(runs: KeeperRuns) -> float:
    """End of the closed form: the first touch of any run [s]."""
    met = [found[0] for run in runs.runs if (found := first_obstacle(run)) is not None]
    return min(met, default=float(runs.first.time[-1]))


def _mark(panel: Any, run: KeeperRun) -> None:  # noqa: ANN401 (matplotlib's)
    """Mark the first touch of a run."""
    met = first_obstacle(run)
    if met is not None:
        panel.axvline(met[0], color=run.style["color"], linewidth=0.8)


def _velocities(run: KeeperRun, name: str) -> Array:
    """Three velocities of a free ball, (N, 3), in W."""
    columns = [f"{name}{axis}" for axis in "xyz"]
    found: Array = run.data["v"].sel(velocity=columns).to_numpy()
    return found

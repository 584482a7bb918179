"""The field, in three dimensions and from above: ball, keeper, and the angle that it halves.

Frame and letters: `closed_form.bisector`.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags
from footfall.contact import Mode
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH, KeeperLaw, bisector
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.measures import (
    RADIUS,
    FieldObservables,
    observables_of,
)
from footfall.machines.goalkeeper.saved_shots import outline
from footfall.plants.loading.load import Model
from footfall.registry.dashed import MAGENTA
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import line
from footfall.report.plan_view import draw_scenery
from footfall.report.rendered import rendered_figure
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.report.sketch import arc
from footfall.show.view import view_of
from footfall_controllers.goalkeeper import BALL


@dataclass(frozen=True, eq=False)
class KeeperRun(RunView):
    """A run of the goalkeeper with what was read in it, and the law of its keeper."""

    observed: FieldObservables
    law: KeeperLaw

    @cached_property
    def bisector(self) -> Array:
        """OP of the angle's bisector, (N,) [m]."""
        return bisector(self.observed.ball)

    @cached_property
    def target(self) -> tuple[Array, Array]:
        """Target of the law for the keeper [m], and its rate [m/s], (N,) each.

        At the end of its path the listing's ball stands still at once: there is no rate there.
        """
        place, rate = self.law.target(self.observed.ball, self.observed.ball_velocity)
        rate[-1] = rate[-1] if self.observed.ball_velocity[-1].any() else np.nan
        return place, rate

    @property
    def lag(self) -> Array:
        """Place of the keeper less where the law wants it, (N,) [m]."""
        return self.observed.keeper - self.target[0]

    @property
    def saturated(self) -> Flags:
        """Rows in which the bisector is beyond the keeper's reach, (N,)."""
        return np.abs(self.bisector) > self.law.reach

    @property
    def acceleration(self) -> tuple[Array, Array]:
        """Middles of the steps [s] and mean accelerations of the keeper in them [m/s^2]."""
        middles = 0.5 * (self.time[1:] + self.time[:-1])
        return middles, np.diff(self.observed.keeper_speed) / np.diff(self.time)

    @property
    def ball_speed(self) -> Array:
        """Speed of the ball over the field, (N,) [m/s]."""
        return np.linalg.norm(self.observed.ball_velocity, axis=1)

    @property
    def slip(self) -> Array:
        """Speed with which the ball's lowest point slides over the grass, (N,) [m/s]; else NaN.

        The ball at the start is taken to lie on it.
        """
        wx, wy = self.data["v"].sel(velocity=["ball_ball_wx", "ball_ball_wy"]).to_numpy().T
        vx, vy = self.observed.ball_velocity.T
        touches = self.data["mode"].sel(contact=BALL).to_numpy() > Mode.OPEN
        touches[0] = True
        return np.where(touches, np.hypot(vx - RADIUS * wy, vy + RADIUS * wx), np.nan)

    @cached_property
    def first_obstacle(self) -> tuple[float, str] | None:
        """First touch of the ball with anything but the grass: time [s] and what; None without."""
        contacts = self.data["contact"].values.tolist()
        names = [name for name in contacts if "|" in name and BALL in name.split("|")]
        closed = self.data["mode"].sel(contact=names).to_numpy() > Mode.OPEN
        if not closed.any():
            return None
        row = int(closed.any(axis=1).argmax())
        (other,) = {*names[int(closed[row].argmax())].split("|")} - {BALL}
        return float(self.time[row]), other.rpartition("::")[2].replace("_", " ")


@dataclass(frozen=True, eq=False)
class KeeperRuns(RunViews[KeeperRun]):
    """All runs of a section, and the law of the keeper.

    bounded: whether the law is the scenario's; without it the goal and the bound of its place are
    the listing's, and there is no bound of speed and acceleration.
    """

    law: KeeperLaw
    bounded: bool


def read_keeper_runs(section: Section) -> KeeperRuns:
    """Read a section's runs."""
    control = section.scenario.controller
    bounded = isinstance(control, Goalkeeping)
    law = control if isinstance(control, Goalkeeping) else KeeperLaw()
    runs = read_runs(
        section,
        lambda run: KeeperRun(**vars(run), observed=observables_of(run.trajectory), law=law),
    )
    return KeeperRuns(section, runs, law, bounded)


BALL_COLOUR, KEEPER_COLOUR = "#FFAA00", "#FF8C00"  # those of the listing
_EDGE, _INK = "#7A4A00", "#222222"
_SIDES = (-2.6, 2.6)  # m, along the goal line: the poles stand at 2.4
_BEHIND, _HALF, _WHOLE = -0.85, 3.45, 6.85  # m: behind the goals, to the middle, the whole field
_PALE = 0.38  # opacity of the field
_MOMENTS = 9
_APART = 0.42  # m: balls that are drawn are so far from each other
_NEAR = 0.05  # m: from a ball that is nearer to the goal line the angle tells nothing
_BEFORE = 1.2  # m: a good distance from the goal to see an angle
_ARC = 0.32  # of AD: radius of the arcs that mark the angles
_SMALLEST = 0.02  # m: a keeper that is nearer to D than this stands there
_LABEL = 9.0  # points from a ball to its time
_LETTERS: dict[str, Any] = {"color": _INK, "zorder": 6.0}


def field_figure(section: Section, run: KeeperRun) -> Figure:
    """The field through the scenario's camera, at the moment whose angles are marked."""
    row = row_of_angles(run)
    q = run.data["q"].to_numpy()[row]
    view = view_of(section.scenario, section.robot.contacts)
    when = f"{run.time[row]:.2f} s"
    return rendered_figure(
        f"The field: {run.name}",
        "The field in three dimensions: green grass with its lines, the blue goal with the keeper "
        "before it, the yellow goal, the two poles beside the field, and dashed lines from the "
        f"ball to both posts and to the keeper, in {run.name} at {when}.",
        section.robot.model,
        q,
        view=view,
        note=f"At {when}. The scene itself, from where Figure 1 of the source is seen.",
    )


def top_view(runs: KeeperRuns, model: Model) -> Figure:
    """The first run from above, with the paths of the ball in all of them."""
    run = runs.first
    high = _top(run)
    marked = row_of_angles(run)
    rows = moments(run)

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        draw_scenery(panel, model, alpha=_PALE)
        for each in runs.runs:
            line(panel, *each.observed.ball.T, label=f"path, {each.name}", **each.style)
        for row in rows:
            share = run.time[row] / max(run.time[rows[-1]], 1e-9)
            opacity = 1.0 if row == marked else 0.2 + 0.45 * share
            _draw_moment(panel, run, row, opacity, label=row == marked)
        if run.observed.ball[marked, 1] > _NEAR:
            _draw_angles(panel, run, marked)
        _mark_touches(panel, runs)
        panel.set(xlim=_SIDES, ylim=(_BEHIND, high), xlabel="x [m]", ylabel="y [m]")
        panel.set_aspect("equal")
        panel.grid(visible=False)
        panel.legend()

    width = 7.6
    height = (width - 0.9) * (high - _BEHIND) / (_SIDES[1] - _SIDES[0]) + 0.8
    alt = (
        f"The field from above with the path of the ball in {runs.listed}, ball and keeper at "
        f"{len(rows)} moments, and the triangle of the ball A with the goalposts B and C."
    )
    note = _note(run, rows, marked)
    title = f"From above: {run.name}"
    return draw(title, alt, (1, 1), plot, note=note, row_height=height, width=width)


def row_of_angles(run: KeeperRun) -> int:
    """The row whose angles are marked: D aside of the middle, the ball well before the goal."""
    ball = run.observed.ball
    aside = np.abs(np.abs(run.bisector) - 0.5 * run.law.reach)
    off = aside + np.abs(ball[:, 1] - _BEFORE)
    off[run.saturated | (ball[:, 1] <= 0.0)] = np.inf
    return int(off.argmin())


def moments(run: KeeperRun) -> list[int]:
    """Rows that are drawn, evenly in time, where the ball is in the figure and not on another.

    That whose angles are marked is one of them.
    """
    rows, high = [row_of_angles(run)], _top(run)
    for time in np.linspace(run.time[0], run.time[-1], _MOMENTS):
        row = run.row_at(float(time))
        x, y = run.observed.ball[row]
        away = np.linalg.norm(run.observed.ball[rows] - run.observed.ball[row], axis=1)
        if away.min() > _APART and _SIDES[0] < x < _SIDES[1] and _BEHIND < y < high:
            rows.append(row)
    return sorted(rows)


def _draw_moment(panel: Panel, run: KeeperRun, row: int, opacity: float, *, label: bool) -> None:
    """Ball and keeper in their sizes at a row."""
    ball, keeper = run.observed.ball[row], np.array([run.observed.keeper[row], 0.0])
    style: dict[str, Any] = {"edgecolor": _EDGE, "linewidth": 0.8, "alpha": opacity}
    body: dict[str, Any] = style | {"facecolor": KEEPER_COLOUR, "zorder": 3.0 + 0.1 * opacity}
    panel.polygons([outline() + keeper], label="keeper" if label else None, **body)
    round_: dict[str, Any] = style | {"facecolor": BALL_COLOUR, "zorder": 3.5 + 0.1 * opacity}
    panel.circle(ball, RADIUS, label="ball" if label else None, **round_)
    text = f"A, {run.time[row]:.2f} s" if label else f"{run.time[row]:.2f} s"
    look: dict[str, Any] = {"fontsize": 10.0, "fontweight": "bold"} if label else {"fontsize": 8.0}
    off, align = (0.0, _LABEL), ("center", "bottom")  # above a ball that goes across, else aside
    vx, vy = run.observed.ball_velocity[row]
    if abs(vx) < abs(vy):
        left = ball[0] < run.bisector[row]
        off = (-_LABEL if left else _LABEL, 0.3 * _LABEL)
        align = ("right" if left else "left", "center")
    panel.annotate(text, ball, off, ha=align[0], va=align[1], **look, **_LETTERS)


def _draw_angles(panel: Panel, run: KeeperRun, row: int) -> None:
    """A, B, C, D, the lines between them, and the two equal angles at A."""
    a = complex(*run.observed.ball[row])
    b, d, c = (complex(x, 0.0) for x in (-0.5 * GOAL_WIDTH, run.bisector[row], 0.5 * GOAL_WIDTH))
    dashed: dict[str, Any] = {"color": MAGENTA, "linestyle": (0, (5, 3)), "linewidth": 1.3}
    for corner, text in ((b, "AB, AC, AD"), (c, None), (d, None)):
        _join(panel, a, corner, label=text, **dashed)
    keeper = complex(run.observed.keeper[row], 0.0)
    if abs(keeper - d) > _SMALLEST:
        dotted: dict[str, Any] = {"color": _INK, "linestyle": ":", "linewidth": 1.1}
        _join(panel, a, keeper, label="to the keeper", **dotted)
    for start, end in ((b, d), (d, c)):
        begin, turn = np.angle(start - a), np.angle((end - a) / (start - a))
        arc(panel, a, _ARC * abs(d - a), begin, begin + turn, f"{math.degrees(abs(turn)):.1f}°")
    panel.plot(a.real, a.imag, ".", color=_EDGE, markersize=5.0, zorder=5.0)
    for name, offset, corner in (("B", (-9, 5), b), ("C", (9, 5), c), ("D", (0, -17), d)):
        panel.plot(corner.real, corner.imag, ".", color=MAGENTA, markersize=5.0, zorder=5.0)
        look: dict[str, Any] = {"fontsize": 10.0, "fontweight": "bold", **_LETTERS}
        panel.annotate(name, (corner.real, corner.imag), offset, ha="center", va="center", **look)


def _join(panel: Panel, begin: complex, end: complex, **look: Any) -> None:  # noqa: ANN401
    panel.plot([begin.real, end.real], [begin.imag, end.imag], zorder=4.0, **look)


def _mark_touches(panel: Panel, runs: KeeperRuns) -> None:
    """Place of a free ball where it first touches the keeper, or comes to the goal line."""
    labels: set[str] = set()
    for run in runs.runs:
        observed = run.observed
        on_line = observed.ball[:, 1] <= 0.0
        if observed.touching.any():
            what, row, marker = "touches the keeper", int(observed.touching.argmax()), "*"
        elif observed.free and on_line.any() and not on_line[0]:
            what, row, marker = "on the goal line", int(on_line.argmax()), "X"
        else:
            continue
        style: dict[str, Any] = {"color": run.style["color"], "linestyle": ""}
        style |= {"markersize": 9.0 - run.index, "markeredgecolor": "white", "zorder": 5.5}
        x, y = observed.ball[row]
        panel.plot(x, y, marker, label=None if what in labels else what, **style)
        labels.add(what)


def _top(run: KeeperRun) -> float:
    """Length of the field that the figure shows [m]."""
    return _WHOLE if run.observed.ball[:, 1].max() > _HALF else _HALF


def _note(run: KeeperRun, rows: list[int], marked: int) -> str:
    at = [f"{time:.2f}" for time in run.time[[*rows, marked]]]
    text = f"Keeper and ball from pale to dark at {', '.join(at[:-1])} s. "
    late = abs(run.observed.keeper[marked] - run.bisector[marked])
    if run.observed.ball[marked, 1] > _NEAR:
        text += f"The angles are those at {at[-1]} s; D is where the bisector says. "
        if late > _SMALLEST:
            text += f"The keeper is {late:.2f} m from it, the dotted line leads there. "
    return text + "Frame: x along the blue goal's line, y into the field, origin in its middle."

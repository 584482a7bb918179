"""Numbers of docs/machines/goalkeeper.md, see scripts/page_numbers.py."""

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np
import xarray as xr
from computed import analysed, context, metric, ran
from passage import Passage

from footfall.arrays import Array
from footfall.machines.goalkeeper.analyses.saved_shots import CODES, friction_of
from footfall.machines.goalkeeper.closed_form.ball_paths import BallPath
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH, SATURATION
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.keeper_law import GoalkeeperParameters
from footfall.machines.goalkeeper.observables import observables_of
from footfall.machines.goalkeeper.outcome import RADIUS, ShotOutcome
from footfall.metrics import scalar
from footfall.textbook.rolling import SHELL, Rolling

_ROLLING = "goalkeeper/shot_rolling"


# --- where to stand -----------------------------------------------------------------------------


def _saturated() -> Sequence[float]:
    """Bound of the keeper; radius and centre of the circle of balls that lead it there."""
    ratio = (1.0 + SATURATION) / (1.0 - SATURATION)  # of AB to AC
    radius = GOAL_WIDTH * ratio / (ratio**2 - 1.0)
    return [0.5 * SATURATION * GOAL_WIDTH, radius, math.hypot(radius, 0.5 * GOAL_WIDTH)]


def _mass() -> Sequence[float]:
    model = context("goalkeeper/arc").model
    return [model.plant.GetBodyByName("keeper").default_mass()]


# --- keepers that take time ---------------------------------------------------------------------


def _path(name: str) -> tuple[BallPath, GoalkeeperParameters]:
    control = context(f"goalkeeper/{name}").controller
    if not isinstance(control, Goalkeeping) or control.path is None:
        raise TypeError(f"{name}: the ball has no path")
    return control.path.path(), control.law()


def _asked(name: str) -> tuple[float, float, float]:
    """Largest speed of a ball on its path, of the keeper's target, and of that speed's change."""
    path, law = _path(name)
    time = np.linspace(0.0, path.duration, 20_001)
    ball, velocity = path.position(time), path.velocity(time)
    _, rate = law.target(ball, velocity)
    change = np.diff(rate) / np.diff(time)
    return (
        float(np.linalg.norm(velocity, axis=1).max()),
        float(np.abs(rate).max()),
        float(np.abs(change).max()),
    )


def _late(name: str, *settings: str) -> float:
    return metric(f"goalkeeper/{name}", "moreau", "keeper_lag", *settings)


def _quick() -> Sequence[float]:
    """Lag on the arc with more speed, and with more acceleration besides."""
    speed, acceleration = "controller.max_speed=2.5", "controller.max_acceleration=8.0"
    return [_late("arc", speed), _late("arc", speed, acceleration)]


# --- a ball that rolls --------------------------------------------------------------------------


def _rolling() -> Rolling:
    one = context(_ROLLING)
    start = one.initial_state[one.model.plant.num_positions() :]
    speed = float(np.linalg.norm(start))  # all but the ball's velocity is 0
    ball = one.model.plant.GetBodyByName("ball").default_mass()
    mu = friction_of(one.contacts)
    return Rolling(m=ball, r=RADIUS, beta=SHELL, mu=mu, v0=speed, g=one.gravity)


def _rolls() -> Sequence[float]:
    """When and where it begins to roll, its speed then, and when it is at the goal line."""
    rolling = _rolling()
    begins = rolling.sliding_time
    covered, speed = (float(law(np.array(begins))) for law in (rolling.distance, rolling.speed))
    left = math.hypot(1.0, 1.8) - covered  # from the penalty mark to (-1, 0)
    return [begins, covered, speed, begins + left / speed]


def _quick_enough() -> Sequence[float]:
    settings = ("controller.max_speed=1.5", "controller.max_acceleration=8.0")
    return [metric(_ROLLING, "moreau", "touch_time", *settings)]


def _before_a_touch(engine: str) -> tuple[Array, Array, Array]:
    """Times, speeds and heights of the ball [m] before it touches anything but grass."""
    run = ran(_ROLLING, engine)
    observed, modes = observables_of(run.trajectory), run.data["mode"]
    pairs = [name for name in modes["contact"].to_numpy() if "|" in name and "ball::" in name]
    touching = (modes.sel(contact=pairs) > 0).any("contact").to_numpy()
    rows = slice(int(touching.argmax()) if touching.any() else None)
    speed = np.linalg.norm(observed.ball_velocity[rows], axis=1)
    return observed.time[rows], speed, observed.height[rows] - RADIUS


def _off(engine: str) -> float:
    """Largest error of the ball's speed before its first touch [m/s]."""
    time, speed, _ = _before_a_touch(engine)
    return float(np.abs(speed - _rolling().speed(time)).max())


def _sinks() -> Sequence[float]:
    """Error of the speed in Drake [mm/s], and the time that friction needs for that [ms]."""
    off, rolling = _off("drake-lagged"), _rolling()
    return [1e3 * off, 1e3 * off / (rolling.mu * rolling.g)]


def _lifted() -> Sequence[float]:
    """Height of hops [mm], and the speed upwards of a normal force that has v_n - mu |v_t|."""
    hops = [1e3 * _before_a_touch(engine)[2].max() for engine in ("drake-sap", "drake-similar")]
    rolling = _rolling()
    mu = rolling.mu
    # of the slip mu (1 + 1/beta) v_n is gone when v_n has become mu times what is left
    return [*hops, mu * rolling.v0 / (1.0 + mu * mu * (1.0 + 1.0 / SHELL))]


# --- shots --------------------------------------------------------------------------------------


@functools.cache
def _shots() -> xr.Dataset:
    """All shots of the map; axes by the short names of the parameters."""
    data = analysed("goalkeeper/saved_shots").data.isel(engine=0)
    return data.rename({f"parameters.{name}": name for name in ("x", "y", "speed", "target")})


def _by_target() -> Sequence[float]:
    """Shots that are saved, and the share that ends as predicted [%], for three targets."""
    outcome, foretold = _shots()["outcome"], _shots()["foretold"]
    others = ("x", "y", "speed")
    saved = (outcome == CODES[ShotOutcome.SAVED]).sum(others)
    alike = 100.0 * (outcome == foretold).mean(others)
    return [*saved.to_numpy().tolist(), *alike.to_numpy().tolist()]


def _ends() -> Sequence[float]:
    """Targets: shares of the width as places on the goal line [m]."""
    return [GOAL_WIDTH * (float(share) - 0.5) for share in (0.1, 0.9)]


def _safe(y: float) -> Callable[[], Sequence[float]]:
    """Speeds up to which all is saved from places beside the middle, the worse side of each."""

    def values() -> Sequence[float]:
        row = _shots()["safe_speed"].sel(y=y)
        return [float(row.sel(x=[-x, x]).min()) for x in (0.0, 0.5, 1.0, 1.5)]

    return values


def _turned_in() -> Sequence[float]:
    return [scalar(analysed("goalkeeper/saved_shots").metrics, "turned_in")]


def _creeps() -> Sequence[float]:
    """Longest time from the first touch until it is decided [s]."""
    data = _shots()
    return [float((data["decided_time"] - data["touch_time"]).max())]


def _touch() -> Sequence[float]:
    """Distance [mm] and time [ms] of the touch from where and when it is predicted."""
    metrics = analysed("goalkeeper/saved_shots").metrics
    return [1e3 * scalar(metrics, name) for name in ("touch_distance", "touch_delay")]


_ROW = "| {:.1f} | {:.1f} | {:.1f} | {:.1f} |"

PASSAGES = (
    Passage(
        "within 0.7 w/2 = {:.2f} m of the middle. The bisector is beyond that for balls with "
        "AB/AC > 17/3 or < 3/17, that is within {:.3f} m of (±{:.3f}, 0)",
        _saturated,
    ),
    Passage("a force moves {:.2f} kg along a rail", _mass),
    Passage(
        "| {:.1f} m/s | {:.2f} m/s, {:.1f} m/s² | {:.2f} m late | | `sine`",
        lambda: [*_asked("arc"), _late("arc")],
        slow=True,
    ),
    Passage(
        "s to 2 π | {:.1f} m/s | {:.2f} m/s, {:.0f} m/s² | {:.2f} m |",
        lambda: [*_asked("sine"), _late("sine")],
        slow=True,
    ),
    Passage(
        "to either goal | {:.1f} m/s | nothing | {:.0f} |",
        lambda: [_asked("to_blue")[0], _late("to_blue")],
        slow=True,
    ),
    Passage(
        "(-1, 0) | {:.1f} m/s | {:.2f} m/s, and to stop at once | {:.2f} m |",
        lambda: [*_asked("shot_straight")[:2], _late("shot_straight")],
        slow=True,
    ),
    Passage(
        "by a parabola | {:.1f} m/s | {:.2f} m/s, and to stop at once | {:.2f} m |",
        lambda: [*_asked("shot_curved")[:2], _late("shot_curved")],
        slow=True,
    ),
    Passage(
        "up to {:.2f} m off; with 2.5 m/s and 8 m/s² up to {:.0e} m",
        _quick,
        slow=True,
    ),
    Passage(
        "rolls from {:.3f} s and {:.3f} m on at {:.1f} m/s and is at the goal line at {:.3f} s",
        _rolls,
    ),
    Passage("up to {:.2f} m late. A keeper", lambda: [_late("shot_rolling")], slow=True),
    Passage("meets it at {:.3f} s", _quick_enough, slow=True),
    Passage("closed form to {:.0e} m/s", lambda: [_off("moreau")], slow=True, bound=True),
    Passage("within {:.0f} mm/s, what friction takes in {:.0f} ms", _sinks, slow=True),
    Passage(
        "the sliding ball rises {:.0f} and {:.0f} mm at once: what slides is lifted with mu times "
        "its slip ([Drake's contact](../theory/drake_contact.md)), here {:.1f} m/s",
        _lifted,
        slow=True,
    ),
    Passage("Of 924 shots (below) {:.0f} touch the keeper", _turned_in, minutes=True),
    Passage("creep over the line beside the goal {:.0f} s later", _creeps, minutes=True),
    Passage("| | to x = {:.2f} m | to the middle | to x = {:.2f} m |", _ends),
    Passage(
        "| saved of 308 | {:.0f} | {:.0f} | {:.0f} | "
        "| as predicted | {:.1f} % | {:.1f} % | {:.1f} % |",
        _by_target,
        minutes=True,
    ),
    Passage(f"| y = 1.2 m {_ROW}", _safe(1.2), minutes=True),
    Passage(f"| 1.8 m {_ROW}", _safe(1.8), minutes=True),
    Passage(f"| 2.4 m {_ROW}", _safe(2.4), minutes=True),
    Passage(f"| 3.0 m {_ROW}", _safe(3.0), minutes=True),
    Passage("{:.0f} shots are touched, most of them", _turned_in, minutes=True),
    Passage("predicted within {:.0f} mm, two steps", lambda: _touch()[:1], minutes=True),
    Passage("and {:.0f} ms, a step.", lambda: _touch()[1:], minutes=True),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "the report, listings Field.m, Goalkeeper_position.m and Global_Trajectory.m": (
        "of width w = 2.6 m",
        "0.7 w/2",
        "(2 cos s, 1.5 abs(sin s)), s to 1.7 π",
        "(0, 1.8) to (-1, 0)",
        "(1.5, 1.2) to (-1.2, 0)",
        "2 s each",
    ),
    "chosen or assumed, app/footfall/machines/goalkeeper/scenarios.yaml": (
        "0.5 m/s and 2 m/s² are assumed",
        "with 2.5 m/s and still 2 m/s²",
        "with 2.5 m/s and 8 m/s²",
        "`shot_rolling`, 3 m/s from the penalty mark towards (-1, 0) at mu = 0.5",
        "A keeper with 1.5 m/s and 8 m/s²",
        "bounces with the restitution 0.6",
        "has 1 m/s and 4 m/s²",
        "x = 0 | ±0.5 | ±1 | ±1.5 m",
        "y = 1.2 m",
        "| 1.8 m",
        "| 2.4 m",
        "| 3.0 m",
        "mu = 0.5 and restitution 0.6, posts of 0.1 m",
    ),
    "elsewhere on the page": ("rolls at the same 1.8 m/s",),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""

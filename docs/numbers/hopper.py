"""Numbers of docs/machines/hopper.md, see scripts/page_numbers.py."""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from computed import analysed, context, metric, numbers, ran
from passage import Passage

from footfall.analysis.context import AnalysisContext
from footfall.arrays import Array
from footfall.hybrid import Options
from footfall.machines.hopper.authors import published_distance
from footfall.machines.hopper.closed_form.model import CODE, TEXT, Hopper, HopperParameters
from footfall.machines.hopper.closed_form.phases import (
    JumpPhase,
    acceleration,
    critical_friction,
)
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.model import ACTUATOR, POINTS
from footfall.machines.hopper.observables import jump_of
from footfall.machines.hopper.published import DISTANCE, FURTHER, START, TORQUE
from footfall.machines.hopper.reference import SimulatedJump, jump
from footfall.machines.hopper.transcription.analysis import BEHIND, limits_of
from footfall.machines.hopper.transcription.jump import ConfirmedJump
from footfall.metrics import scalar
from footfall.scenario.io import load_scenario

_SLIDES = (JumpPhase.SLIP_FORWARD, JumpPhase.SLIP_BACKWARD)
_HYBRID = ("hopper/report", "hybrid")


# --- the published jump -------------------------------------------------------------------------


@functools.cache
def _published(parameters: HopperParameters) -> SimulatedJump:
    return jump(Hopper(parameters), ProfileTorque(TORQUE), START)


def _event(which: Callable[[SimulatedJump], float]) -> Callable[[], Sequence[float]]:
    """A number of the published jump at g = 10, then at 9.8."""
    return lambda: [which(_published(parameters)) for parameters in (TEXT, CODE)]


def _thrown() -> Sequence[float]:
    """Kinetic energy at take-off, and its throw over the published distance."""
    far = metric(*_HYBRID, "energy_range")
    return [0.5 * far * 2.0 * TEXT.m * TEXT.g, far / DISTANCE]


# --- limits of friction -------------------------------------------------------------------------


def _poses(count: int = 721) -> Array:
    """Poses (4, count, count) at all angles of the links."""
    angle = np.linspace(-math.pi, math.pi, count)
    theta1, theta2 = np.meshgrid(angle, angle, indexing="ij")
    return np.stack((np.zeros_like(theta1), np.zeros_like(theta1), theta1, theta2))


def _paradox() -> Sequence[float]:
    """Least friction with which a sliding P may have no way on."""
    return [float(np.min(critical_friction(Hopper(TEXT), _poses())))]


def _steered(mu: float) -> float:
    """Least growth of theta12'' with the torque while P slides, over all poses."""
    machine = Hopper(replace(TEXT, mu=mu))
    poses = _poses(241)
    x = np.concatenate((poses, np.zeros_like(poses)))
    growth = [
        acceleration(machine, phase, x, 1.0) - acceleration(machine, phase, x, 0.0)
        for phase in _SLIDES
    ]
    return min(float((one[2] + one[3]).min()) for one in growth)


def _tracking() -> Sequence[float]:
    """Friction up to which a torque turns link 2 its own way while P slides."""
    low, high = 0.1, 0.8
    while high - low > 1e-4:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _steered(middle) > 0.0 else (low, middle)
    return [low]


def _unstable() -> Sequence[float]:
    """Rate with which the pose of rest falls: the root of its linear equation in stick."""
    one = context("hopper/rest")
    machine = Hopper(TEXT)
    x = np.array(one.initial_state, dtype=np.float64)
    torque = float(machine.gravity(x)[3])
    matrix = np.empty((2, 2))
    for k in range(2):
        step = 1e-6 * np.eye(8)[2 + k]
        ahead, behind = (
            acceleration(machine, JumpPhase.STICK, x + sign * step, torque) for sign in (1, -1)
        )
        matrix[:, k] = (ahead - behind)[2:4] / 2e-6
    return [math.sqrt(float(np.linalg.eigvals(matrix).real.max()))]


# --- engines ------------------------------------------------------------------------------------

_TIMES = ("separation_time", "landing_time", "end_time")


def _errors(*names: str, unit: float = 1.0, relative: bool = False) -> Callable[[], list[float]]:
    """Errors at 1 ms, at the finest step, and orders of quantities of Moreau's engine."""

    def values() -> list[float]:
        data = analysed("hopper/convergence", "analysis.engines=[moreau]").data.isel(engine=0)
        sizes = [abs(metric(*_HYBRID, name)) if relative else 1.0 for name in names]
        errors = [
            float(data[f"error_{name}"][row]) / size / unit
            for row in (1, -1)
            for name, size in zip(names, sizes, strict=True)
        ]
        return [*errors, *(float(data[f"order_{name}"]) for name in names)]

    return values


_FINE = "time_step=1e-4"


def _landing(engine: str, *settings: str) -> tuple[Array, float]:
    """Velocity (along, up) of P when it is thrown off most within 5 ms of its landing, and when."""
    run = ran("hopper/report", engine, *settings)
    jumped, data = jump_of(run.trajectory, Hopper(TEXT)), run.data
    time, v = data["time"].to_numpy(), data["v"].to_numpy()
    after = (time >= jumped.impact) & (time <= jumped.impact + 5e-3)
    most = int(np.argmax(v[after, 1]))
    return v[after][most, :2], float(time[after][most] - jumped.impact)


def _glided(engine: str, *settings: str) -> float:
    """v_n / (mu v_t) of P when it is thrown off."""
    (along, up), _ = _landing(engine, *settings)
    mu = float(context("hopper/report", *settings).mu[0])
    return float(up / (mu * abs(along)))


def _row(engine: str) -> Callable[[], Sequence[float]]:
    """When P lands, its impulse, how fast it rises then, that over mu v_t, and the distance."""

    def values() -> Sequence[float]:
        metrics = ran("hopper/report", engine, _FINE).metrics
        names = ("landing_time", "landing_impulse_t", "landing_impulse_n")
        (_, up), _ = _landing(engine, _FINE)
        glided = _glided(engine, _FINE)
        return [*(scalar(metrics, name) for name in names), up, glided, scalar(metrics, "reach")]

    return values


def _exact() -> Sequence[float]:
    names = ("landing_time", "landing_impulse_t", "landing_impulse_n", "reach")
    return [metric(*_HYBRID, name) for name in names]


@functools.cache
def _falling(begin: float) -> tuple[str, ...]:
    """Settings of a run from a time shortly before the landing on, whatever the ground then is."""
    exact = _published(TEXT)
    (flight,) = (one for one in exact.run.segments if one.start < begin < one.end)
    x = [float(one) for one in flight.path(begin)[:8]]
    names = ("x", "z", "theta1", "theta2")
    places, rates = (
        ", ".join(f"{name}: {value!r}" for name, value in zip(names, half, strict=True))
        for half in (x[:4], x[4:])
    )
    end, torque = 0.35 - begin, 0.9 - 15.0 * (begin - 0.25)
    law = f"{{start: 0.0, end: {end!r}, coefficients: [{torque!r}, -15.0]}}"
    return (
        _FINE,
        "duration=0.03",
        f"initial={{positions: {{{places}}}, velocities: {{{rates}}}}}",
        f"controller=!TorqueProfile {{torques: {{{ACTUATOR}: [{law}]}}}}",
    )


def _thrown_off(engine: str, begin: float, *settings: str) -> tuple[float, float]:
    """Speed up of P when it is thrown off most, and that over mu v_t, of a landing alone."""
    name, asked = "hopper/report", (*_falling(begin), *settings)
    data = ran(name, engine, *asked).data
    pressed = data["impulse"].sel(contact=POINTS[0], axis="n").to_numpy() > 0.0
    time, landed = data["time"].to_numpy(), int(np.flatnonzero(pressed)[0])
    rows = (time >= time[landed]) & (time <= time[landed] + 5e-3)
    v = data["v"].to_numpy()[rows, :2]
    along, up = v[np.argmax(v[:, 1])].tolist()
    return up, up / (float(context(name, *asked).mu[0]) * abs(along))


def _landings(engine: str, *settings: str, step: float = 1e-4) -> Array:
    """`_thrown_off`, (4, 2), of landings at four places within a step."""
    asked = (*settings, f"time_step={step}")
    return np.array([_thrown_off(engine, 0.34 + 0.25 * k * step, *asked) for k in range(4)])


def _range(*cases: Array) -> list[float]:
    """Smallest and largest share of mu v_t."""
    shares = np.concatenate(cases)[:, 1]
    return [float(shares.min()), float(shares.max())]


def _sap_glides() -> Sequence[float]:
    """Shares of mu v_t in sap, by slow dissipation, by the material, and with fine steps."""
    slow = [
        _landings("drake-sap", "drake.relaxation_time=0.1", f"friction={mu}") for mu in (0.3, 0.5)
    ]
    return [
        *_range(*slow),
        *_range(_landings("drake-sap")),
        *_range(_landings("drake-sap", step=2.5e-5)),
    ]


def _similar_glides() -> Sequence[float]:
    """The same in similar, by its material, stiffer with dissipation, and with little of it."""
    stiff = ("drake.stiffness=6e6", "drake.dissipation=200")
    return [
        *_range(_landings("drake-similar")),
        *_range(_landings("drake-similar", *stiff)),
        _range(_landings("drake-similar", "drake.dissipation=2"))[1],
    ]


def _lagged_rebounds() -> Sequence[float]:
    """Speed up of P after its landing, by lagged's material and with ten times the dissipation."""
    ten = "drake.dissipation=200"
    return [
        float(found[:, 0].max())
        for found in (_landings("drake-lagged"), _landings("drake-lagged", ten))
    ]


def _late(engine: str, *settings: str) -> list[float]:
    """By how many ms P leaves and lands too late."""
    names = ("separation_time", "landing_time")
    return [
        1e3 * (metric("hopper/report", engine, name, _FINE, *settings) - metric(*_HYBRID, name))
        for name in names
    ]


def _soft() -> Sequence[float]:
    """How deep P sinks [mm], by how much it leaves and lands late, in lagged and similar [ms]."""
    lagged, similar = _late("drake-lagged"), _late("drake-similar")
    deep = -1e3 * metric("hopper/report", "drake-lagged", "min_gap", _FINE)
    return [deep, lagged[0], similar[0], lagged[1], similar[1]]


def _stiffer() -> Sequence[float]:
    return [_late("drake-lagged", f"drake.stiffness={k}")[1] for k in ("6e5", "1.8e6", "1.8e7")]


def _impulse_ratio(*settings: str) -> float:
    """Tangential over normal impulse of the landing in lagged."""
    t, n = (
        metric("hopper/report", "drake-lagged", f"landing_impulse_{axis}", *settings)
        for axis in "tn"
    )
    return abs(t) / n


def _lags() -> Sequence[float]:
    """That ratio at 1 ms, at 0.1 ms, and there on stiff ground, with the distance then."""
    stiff = (_FINE, "drake.stiffness=1.8e7")
    far = metric("hopper/report", "drake-lagged", "reach", *stiff)
    return [
        _impulse_ratio("time_step=1e-3"),
        _impulse_ratio(_FINE),
        _impulse_ratio(*stiff),
        far,
    ]


# --- the longest jumps --------------------------------------------------------------------------


@functools.cache
def _shipped(
    name: str, parameters: HopperParameters = TEXT, *, fine: bool = False
) -> SimulatedJump:
    """Jump of a shipped scenario, by finer tolerances if asked."""
    start = context(f"hopper/{name}").initial_state
    law: Any = load_scenario(f"hopper/{name}").controller
    options = Options(relative=1e-13, absolute=1e-14) if fine else None
    torque = ProfileTorque(law.profiles()[ACTUATOR])
    return jump(Hopper(parameters), torque, start, options=options)


def _times_published(name: str) -> Callable[[], Sequence[float]]:
    """Distance of a shipped jump, and how many times the published one that is."""
    return lambda: [_shipped(name).distance, _shipped(name).distance / DISTANCE]


def _long(name: str) -> Callable[[], Sequence[float]]:
    """Distance and take-off of a shipped jump."""
    return lambda: [_shipped(name).distance, _shipped(name).take_off]


@functools.cache
def _transcribed() -> dict[str, ConfirmedJump]:
    """Jumps of hopper/transcription: one slide, two, and two with Q behind P at the end."""
    asked: Any = load_scenario("hopper/transcription").analysis
    return dict(asked.jumps(TEXT, AnalysisContext(), context("hopper/transcription").seed))


def _slid(name: str) -> Callable[[], Sequence[float]]:
    """The same as `_long` of a jump with slides, with the distance that the command prints."""

    def values() -> Sequence[float]:
        design = _transcribed()[name].design
        return [design.distance, design.replayed(Hopper(TEXT)).take_off]

    return values


def _one_slide() -> Sequence[float]:
    """Distances with one slide, then Q behind P, by SNOPT and by IPOPT."""
    return [
        distance
        for solver in ("snopt", "ipopt")
        for distance in numbers(
            analysed(
                "hopper/transcription", "analysis.slides=1", f"analysis.solver={solver}"
            ).metrics,
            "distances",
        )
    ]


def _third() -> Sequence[float]:
    """Distance with a third slide, after the two of hopper/transcription."""
    asked: Any = load_scenario("hopper/transcription").analysis
    further = replace(asked, slides=4)
    found = further.jumps(TEXT, AnalysisContext(), context("hopper/transcription").seed)
    return [next(one.design.distance for name, one in found if name == "3 slides")]


def _lost() -> Sequence[float]:
    """By how much less far than its programme a jump goes, event by event, at most [mm]."""
    designs = [one.design for one in _transcribed().values()]
    return [1e3 * max(one.distance - one.replayed(Hopper(TEXT)).distance for one in designs)]


def _robust() -> Sequence[float]:
    """Least and largest distance of the robust jump, at the corners of what it is made for."""
    found = [
        _shipped("robust", replace(TEXT, mu=mu * TEXT.mu, m=mass * TEXT.m)).distance
        for mu in (0.9, 1.0, 1.1)
        for mass in (0.95, 1.0, 1.05)
    ]
    return [min(found), max(found)]


def _stepped_robust() -> Sequence[float]:
    """The robust jump in engines with time steps."""
    steps = (("moreau", 1e-3), ("moreau", 5e-4), ("moreau", 2.5e-4), ("drake-lagged", 2.5e-4))
    return [
        metric("hopper/robust", engine, "jump_distance", f"time_step={dt}") for engine, dt in steps
    ]


def _tolerated() -> Sequence[float]:
    """Frictions between which the robust jump is one, by mass; its distances at errors of both."""
    data = analysed("hopper/tolerances").data.sel(engine="hybrid")
    mass = {"mass_scale.hopper::*": [1.0, 1.05, 1.1, 0.95]}
    ends = [data[f"border_friction_{side}"].sel(mass).to_numpy() for side in ("below", "above")]
    distance = data["jump_distance"]
    lighter = {"mass_scale.hopper::*": [0.95, 1.0, 1.05, 1.1]}
    over_mass = distance.sel(lighter).sel(friction=0.3, method="nearest").to_numpy()
    own = distance.sel({"mass_scale.hopper::*": 1.0})
    over_friction = own.sel(friction=[0.24, 0.33], method="nearest").to_numpy()
    return [*np.column_stack(ends).ravel(), *over_mass, *over_friction]


def _tolerances() -> Sequence[float]:
    """Difference of the longest jump between two tolerances of its integration."""
    return [abs(_shipped("best", fine=True).distance - _shipped("best").distance)]


def _shares() -> Sequence[float]:
    """Least and largest share of the budget of angular momentum, of hopper/transcription."""
    shares = limits_of(_transcribed())["spin_share"]
    return [float(shares.min()), float(shares.max())]


_ROW = "| {:.4f} s | {:.3f}, {:.3f} | {:.2f} m/s | {:.2f} | {:.4f} m"

PASSAGES = (
    Passage("Beyond mu = {:.3f} that loop", _tracking),
    Passage("slide backward | {:.5f} s | {:.5f} s |", _event(lambda one: one.run.segments[0].end)),
    Passage("where the torque jumps | {:.5f} s | {:.5f} s |", _event(lambda one: one.take_off)),
    Passage("slides on forward | {:.5f} s | {:.5f} s |", _event(lambda one: one.landing)),
    Passage("| Q lands | {:.5f} s | {:.5f} s |", _event(lambda one: one.end)),
    Passage("| d | {:.5f} m | {:.5f} m |", _event(lambda one: one.distance)),
    Passage(
        "of commit 1c75c17 | {:.5f} m | {:.5f} m |",
        lambda: [published_distance(one, early_impact=True) for one in (TEXT, CODE)],
    ),
    Passage("with them d is {:.4f} m", lambda: [published_distance(CODE)]),
    Passage("together give {:.5f} m", lambda: [published_distance(CODE, early_impact=True)]),
    Passage("P needs at least {:.2f}, whatever the pose", _paradox),
    Passage("| d | {:.1f} mm | {:.3f} mm | {:.2f} |", _errors("reach", unit=1e-3), slow=True),
    Passage(
        "take-off, landing, end | {:.2f}, {:.2f}, {:.2f} ms | {:.3f}, {:.3f}, {:.3f} ms "
        "| {:.2f}, {:.2f}, {:.2f} |",
        _errors(*_TIMES, unit=1e-3),
        slow=True,
    ),
    Passage("spin in flight, {:.4f} kg m²/s", lambda: [metric(*_HYBRID, "spin")]),
    Passage(
        "kg m²/s | {:.2f} % | {:.3f} % | {:.2f} |",
        _errors("spin", unit=1e-2, relative=True),
        slow=True,
    ),
    Passage("impulse of the landing, {:.3f} N s", lambda: [metric(*_HYBRID, "landing_impulse_n")]),
    Passage(
        "N s | {:.2f} % | {:.3f} % | {:.2f} |",
        _errors("landing_impulse_n", unit=1e-2, relative=True),
        slow=True,
    ),
    Passage(
        "| event-driven | {:.4f} s | {:.4f}, {:.4f} N s | 0 | 0 | {:.4f} m |",
        lambda: [
            metric(*_HYBRID, name)
            for name in ("landing_time", "landing_impulse_t", "landing_impulse_n", "reach")
        ],
    ),
    Passage(f"| `drake-sap` {_ROW}, not", _row("drake-sap"), slow=True),
    Passage(f"| `drake-similar` {_ROW}, not", _row("drake-similar"), slow=True),
    Passage(f"| `drake-lagged` {_ROW} |", _row("drake-lagged"), slow=True),
    Passage(
        "P sinks {:.1f} mm, leaves {:.1f} and {:.1f} ms late and lands {:.0f} and {:.0f} ms late",
        _soft,
        slow=True,
    ),
    Passage("lagged lands {:.1f}, {:.1f} and {:.1f} ms late", _stiffer, slow=True),
    Passage(
        "thrown off by it, after {:.1f} and {:.1f} ms",
        lambda: [1e3 * _landing(one, _FINE)[1] for one in ("drake-sap", "drake-similar")],
        slow=True,
    ),
    Passage(
        "v_n in sap is {:.2f} to {:.2f} of mu v_t with a relaxation time of 100 ms, with mu = 0.3 "
        "and 0.5; with that of the material {:.2f} to {:.2f}, and {:.2f} to {:.2f} in steps of "
        "0.025 ms",
        _sap_glides,
        minutes=True,
    ),
    Passage(
        "In similar it is {:.2f} to {:.2f} with its material, {:.2f} to {:.2f} at 6e6 N/m and "
        "200 s/m, and {:.1f} with 2 s/m",
        _similar_glides,
        minutes=True,
    ),
    Passage(
        "no such term: {:.2f} m/s of the approach of 1 m/s come back, {:.3f} with ten times",
        _lagged_rebounds,
        minutes=True,
    ),
    Passage(
        "is at {:.2f} of the normal one, with mu = 0.3, at 0.1 ms at {:.2f}. Stiffer ground makes "
        "it worse again: at 1.8e7 N/m and 0.1 ms {:.1f}, and the jump ends at {:.3f} m",
        _lags,
        slow=True,
    ),
    Passage("It is unstable, at {:.1f} 1/s", _unstable),
    Passage("five times their distance, {:.3f} m, could be had", lambda: [FURTHER * DISTANCE]),
    Passage("takes off, {:.2f} J, would throw its mass centre {:.2f} times as far", _thrown),
    Passage("{:.3f} m, {:.1f} times the published jump", _times_published("best"), slow=True),
    Passage(
        "{:.3f} m, without a run-up", lambda: _times_published("best_standing")()[:1], slow=True
    ),
    Passage("{:.3f} m, also with friction", lambda: _times_published("robust")()[:1], slow=True),
    Passage("what limits their jumps: {:.3f} m after", lambda: _slid(BEHIND)()[:1], minutes=True),
    Passage(
        "| none: `hopper/best_standing` | {:.3f} m | {:.2f} s |",
        _long("best_standing"),
        slow=True,
    ),
    Passage(
        "| one: `hopper/transcription` | {:.3f} m | {:.2f} s |",
        _slid("1 slide"),
        minutes=True,
    ),
    Passage("| two: the same | {:.3f} m | {:.2f} s |", _slid("2 slides"), minutes=True),
    Passage(
        "| two, then Q behind P at the end: the same | {:.3f} m | {:.2f} s |",
        _slid(BEHIND),
        minutes=True,
    ),
    Passage(
        "| four, then Q behind P at the end: `hopper/best` | {:.3f} m | {:.2f} s |",
        _long("best"),
        slow=True,
    ),
    Passage(
        "comes to {:.3f} m and then, with Q behind P, to {:.3f} m, IPOPT to {:.3f} and {:.3f} m",
        _one_slide,
        minutes=True,
    ),
    Passage("takes three minutes more and comes to {:.3f} m", _third, minutes=True),
    Passage("they are less by up to {:.1f} mm", _lost, minutes=True, bound=True),
    Passage("agree on it to {:.0e} m", _tolerances, slow=True, bound=True),
    Passage("with all margins kept {:.2f} to {:.2f} m away", _robust, slow=True),
    Passage(
        "Moreau's {:.3f}, {:.3f} and {:.3f} m at 1, 0.5 and 0.25 ms, `drake-lagged` {:.3f} m",
        _stepped_robust,
        slow=True,
    ),
    Passage(
        "frictions from {:.3f} to {:.3f}, with 5 % more from {:.3f} to {:.3f}, with 10 % more from "
        "{:.3f} to {:.3f}, and with 5 % less from {:.3f} to {:.3f}; with masses 10 % less it is "
        "none at a friction of 0.3, where its distance is {:.3f} m with 5 % less, {:.3f} m as it "
        "is, and {:.3f} and {:.3f} m with 5 and 10 % more. It grows with friction: from {:.3f} m "
        "at 0.24 to {:.3f} m at 0.33",
        _tolerated,
        slow=True,
    ),
    Passage(
        "three jumps of `hopper/transcription` use {:.2f} to {:.2f} of the budget",
        _shares,
        minutes=True,
    ),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "the document and the authors' program": (
        "the line PR stays within 60 degrees of the vertical",
        "the torque below 10 N m",
        "| | g = 10 | g = 9.8 |",
        "0.1336 m is published",
        "sets g = 9.8",
        "right m l²/3",
        "g = 9.8 and the earlier matrix",
        "logs end 4.352e-5 m below",
        "At mu = 0.3 the paradox",
        "it may turn by 120 degrees",
    ),
    "chosen": (
        "from 2 ms to 0.0625 ms",
        "| | error at 1 ms | at 0.0625 ms | order |",
        "At 0.1 ms and the near-rigid material",
        "similar's 6e4 N/m",
        "With 6e5, 1.8e6 and 1.8e7 N/m",
        "lags behind its normal force by a step: at 1 ms",
        "relative tolerances of 1e-12 and 1e-13",
        "0.252 m at 0.25 ms",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""

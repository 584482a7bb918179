"""Numbers of docs/machines/pasibot.md, see scripts/page_numbers.py."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr
from computed import analysed, metric, numbers, ran
from passage import Passage

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.closed_form.energy import reduced
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    STEP_ENDS,
    exchange,
    legs,
    soles,
)
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.parameters import TEXT, PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.thresholds import (
    FRICTION_RATE,
    fitted,
    floor_force,
    least_friction,
    painleve_friction,
    start_torque,
    static_torque,
)
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.closed_form.walk import walk
from footfall.machines.pasibot.control import CrankMotor
from footfall.machines.pasibot.predictions import (
    KINETIC,
    KINETIC_RATE,
    STATIC,
    linkage,
    loads,
    slides_of_step,
    slips,
    torque_over_step,
    torques,
)
from footfall.machines.pasibot.slip import lasting, slip_walk
from footfall.machines.pasibot.slip_drives import Torque, constant_speed
from footfall.machines.pasibot.slip_walk import Slide
from footfall.machines.pasibot.statements import STATEMENTS
from footfall.metrics import Metric, scalar

STEP = np.linspace(STEP_BEGINS, STEP_ENDS, 4001)


# --- linkage and one freedom --------------------------------------------------------------------


def _straight() -> Sequence[float]:
    """Stroke of C and its distance from the slot's line, tilt of the supporting foot."""
    support, _ = legs(TEXT, STEP)
    place, tilt = support.C.value, np.angle(support.e1.value)
    off = np.abs(np.imag(place) - TEXT.slot).max()
    return [float(np.ptp(np.real(place))), float(off), math.degrees(np.abs(tilt).max())]


def _toe() -> Sequence[float]:
    return [-1e3 * float(np.imag(soles(TEXT, STEP).value[1]).min())]


def _two_ways() -> Sequence[float]:
    """Largest difference of the torque by Newton and Euler from that of one freedom."""
    random = np.random.default_rng(1)
    th8, rate, acceleration = (random.uniform(a, b, 200) for a, b in ((0, 6), (-6, 6), (-30, 30)))
    torque = inverse(TEXT, th8, rate, acceleration).torque
    return [float(np.abs(torque - reduced(TEXT, th8).torque(rate, acceleration)).max())]


def _started() -> Sequence[float]:
    """Largest torques while it starts and brakes, and of a walk at a constant speed."""
    data = ran("pasibot/start_stop", "closed-form").data
    time, torque = data["time"].to_numpy(), data["actuation"].to_numpy()[:, 0]
    steady = torque_over_step(TEXT, FRICTION_RATE)
    starting, braking = torque[(time > 0.0) & (time <= 0.5)], torque[time > 4.18879]
    return [starting.max(), -braking.min(), steady.max(), -steady.min()]


def _at_exchange() -> Sequence[float]:
    """Friction that a held foot uses at both ends of a step, the end first."""
    at = two_freedoms(TEXT, np.array([STEP_ENDS, STEP_BEGINS]))
    forces = at.inverse(FRICTION_RATE, 0.0)
    return (forces.along / forces.up).tolist()


# --- slides -------------------------------------------------------------------------------------


@functools.cache
def _fitted(knee: str, slot_end: str) -> PasibotParameters:
    return fitted(replace(TEXT, knee=knee, slot_end=slot_end))  # type: ignore[arg-type]


@functools.cache
def _slides(machine: PasibotParameters, mu: float) -> list[tuple[float, float]]:
    found = slides_of_step(machine, FRICTION_RATE, mu, mu)
    return [(slide.begin_phase, slide.end_phase) for slide in found]


def _assembly(knee: str, slot_end: str) -> Callable[[], Sequence[float]]:
    """Phases of the slide that begins near mid-step, then of the other one, at 0.05."""

    def values() -> Sequence[float]:
        slides = _slides(_fitted(knee, slot_end), 0.05)
        first = min(slides, key=lambda ends: abs(ends[0] - 0.45))
        others = [ends for ends in slides if ends != first]  # one of them over the exchange
        return [*first, *others[0]]

    return values


def _row(mu: float) -> Callable[[], Sequence[float]]:
    """Phases of the slides of a step at 3 rad/s, and the way of a step [mm]."""

    def values() -> Sequence[float]:
        phases = [phase for ends in _slides(TEXT, mu) for phase in ends]
        return [*phases, _way(FRICTION_RATE, mu)]

    return values


def _rough(mu: float) -> PasibotParameters:
    return replace(TEXT, mu_s=mu, mu_k=mu)


@functools.cache
def _way(rate: float, mu: float) -> float:
    """Slip of a step at a constant rate [mm], the sixth, when steps are alike."""
    return 1e3 * slip_walk(_rough(mu), constant_speed(rate), lasting(6.0, rate)).slip_of_steps[-1]


def _speeds() -> Sequence[float]:
    """Length of a step, speed up to which a friction of 0.1 holds, slip at higher ones."""
    low, high = 3.0, 4.0
    while high - low > 1e-4:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if least_friction(TEXT, middle).value < 0.1 else (low, middle)
    return [1e3 * exchange(TEXT)["step"], low, *(_way(rate, 0.1) for rate in (4.0, 5.0, 6.0))]


def _as_written() -> Sequence[float]:
    """Errors of the document's steps [um], and the way of two steps [mm]."""
    settings = "analysis.over.friction=!Values {values: [0.05]}"
    found = [
        analysed("pasibot/slip_mu", settings, f"time_step={dt}").data.squeeze()
        for dt in (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)
    ]
    way = float(found[0]["slip_distance_per_step"].sum())
    return [*(1e6 * float(one["as_written_error"]) for one in found), 1e3 * way]


# --- what holds the foot ------------------------------------------------------------------------


def _held_rates() -> Sequence[float]:
    """Speeds from which on the floor would pull, and the machine would tip over the toe."""
    at = two_freedoms(TEXT, STEP)
    lifts = math.sqrt(float(-at.mass * at.g**2 / at.gravity_slope.min()))
    toe = TEXT.l8 * (TEXT.foot_ahead + 0.5 * TEXT.foot_length)
    low, high = 3.0, lifts
    while high - low > 1e-4:
        middle = 0.5 * (low + high)
        ahead = at.zmp(middle, at.inverse(middle, 0.0)).max()
        low, high = (middle, high) if ahead < toe else (low, middle)
    return [lifts, low]


def _constant_torques() -> Sequence[float]:
    """Friction that the first step needs, and when the floor would pull, with two torques."""
    data = analysed("pasibot/start").data.squeeze()
    axis = "controller.torques.motor.0.coefficients.0"
    rows = [data.sel({axis: torque}) for torque in (0.85, 1.0)]
    return [float(row[name]) for row in rows for name in ("friction_needed", "floor_until")]


# --- statements ---------------------------------------------------------------------------------


def _low() -> Sequence[float]:
    """Change of the torque from 1 to 2 and from 1 to 3 rad/s over its range, in per cent."""
    slow, middle, high = (torque_over_step(TEXT, rate) for rate in (1.0, 2.0, 3.0))
    return [100.0 * _rms(other - slow) / float(np.ptp(slow)) for other in (middle, high)]


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _shapes() -> Sequence[float]:
    """Correlations of the torque at 4 and 3 rad/s with that at 1 rad/s."""
    slow, *others = (torque_over_step(TEXT, rate) for rate in (1.0, 4.0, 3.0))
    return [float(np.corrcoef(slow, other)[0, 1]) for other in others]


def _kept() -> Sequence[float]:
    """Machines with other assumed masses, and how many keep what is said of the load."""
    metrics = _calibrated()
    load = [one.quantity for one in STATEMENTS].index("load_change")
    machines = scalar(metrics, "machines")
    return [machines, numbers(metrics, "statements_kept")[load] * machines]


def _calibrated() -> Mapping[str, Metric]:
    return analysed("pasibot/calibrate").metrics


def _ranges() -> Sequence[float]:
    metrics = _calibrated()
    lengths = [1e3 * end for end in numbers(metrics, "crank_length_range")]
    return [scalar(metrics, "machines"), *lengths, *numbers(metrics, "total_mass_range")]


@functools.cache
def _slips() -> dict[str, float]:
    return slips(TEXT)


@functools.cache
def _borders() -> xr.DataArray:
    """Least friction without slip over the speed [rad/s] of the crank."""
    return analysed("pasibot/slip_map").data["border_friction"].squeeze()


def _border_speeds() -> Sequence[float]:
    found: list[float] = _borders()["controller.speeds.0.speed"].to_numpy().tolist()
    return found


def _frictions() -> Sequence[float]:
    found: list[float] = _borders().to_numpy().tolist()
    return found


def _borne() -> Sequence[float]:
    """Force on the ground over the weight [%] where the foot needs most, at 2 and 5 rad/s."""
    weight, found = total_mass(TEXT) * TEXT.g, []
    for rate in (2.0, 5.0):
        _, up = floor_force(TEXT, np.array(least_friction(TEXT, rate).th8), rate)
        found.append(100.0 * float(up) / weight)
    return found


def _begins() -> Sequence[float]:
    return [_slips()["slide_begin"], _slides(TEXT, 0.06)[0][0]]


def _ends() -> Sequence[float]:
    return [_slips()[name] for name in ("slide_end", "knee_highest", "ankle_highest")]


@functools.cache
def _at_mid_step(kinetic: float) -> Slide:
    """The slide at mid-step at 5 rad/s with a static friction of 0.2 and a kinetic one."""
    slides = slides_of_step(TEXT, KINETIC_RATE, STATIC, kinetic)
    return min(slides, key=lambda slide: abs(slide.begin_phase - 0.5))


def _kinetic() -> Sequence[float]:
    return [1e3 * abs(_at_mid_step(kinetic).distance) for kinetic in KINETIC]


# --- engines ------------------------------------------------------------------------------------

HELD = ("arguments={pasibot: {standing: held}}", "alternating_feet=null")
ON_ONE = ("arguments={pasibot: {standing: foot_1}}", "alternating_feet=null")
HALVED = (2e-3, 1e-3, 5e-4)


def _for(seconds: float, time_step: float) -> tuple[str, str]:
    steps = round(seconds / time_step)
    return f"time_step={time_step}", f"duration={steps * time_step}"


def _gaps(engine: str, unit: float = 1.0) -> Callable[[], Sequence[float]]:
    """Largest gap of a loop over a step on a foot that is held."""

    def values() -> Sequence[float]:
        of_step = lasting(1.0, FRICTION_RATE)
        return [
            metric("pasibot/walk", engine, "loop_gap", *HELD, *_for(of_step, dt)) / unit
            for dt in HALVED
        ]

    return values


def _worst_gap() -> Sequence[float]:
    return [max(_gaps("moreau")())]


def _torque_errors() -> Sequence[float]:
    """Error of the torque, rms, once the start has settled, for both engines."""
    found = []
    for engine in ("moreau", "drake-sap"):
        for dt in HALVED:
            settings = _for(lasting(1.0, FRICTION_RATE), dt)
            data = ran("pasibot/walk", engine, *HELD, *settings).data
            time = data["time"].to_numpy()
            settled = (time > 0.15) & (time < 1.0)
            middle = STEP_BEGINS + FRICTION_RATE * (time + 0.5 * dt)
            exact = reduced(TEXT, middle).torque(FRICTION_RATE, 0.0)
            found.append(_rms((data["actuation"].to_numpy()[:, 0] - exact)[settled]))
    return found


def _from_rest() -> Sequence[float]:
    """Angle short of the closed form's before the exchange, from rest with 1 N m."""
    exact = walk(TEXT, lambda _time: 1.0, 2.0)
    found = []
    for engine, steps in (("moreau", HALVED[:2]), ("drake-sap", HALVED)):
        for dt in steps:
            end = math.floor(exact.exchanges[0] / 2e-3) * 2e-3
            settings = ("analysis=null", *HELD, *_for(end, dt))
            crank = ran("pasibot/start", engine, *settings).data["q"].sel(position="crank")
            found.append(STEP_BEGINS + float(crank[-1]) - float(exact.at(end)[0]))
    return found


def _fed_back() -> Torque:
    """The crank motor's law with its default gains, in continuous time."""
    gains, profile = CrankMotor(), SlidingProfile(_rough(0.05))

    def law(t: float, th8: float, rate: float) -> float:
        at = profile(th8)
        asked = gains.kd * (FRICTION_RATE - rate)
        asked += gains.kp * (STEP_BEGINS + FRICTION_RATE * t - th8)
        return at.inertia * asked + 0.5 * at.inertia_slope * rate * rate + at.gravity

    return Torque((law,))


def _slipped() -> Sequence[float]:
    """Slip after a second on one foot, Moreau's less the event-driven one [mm]."""
    exact = slip_walk(_rough(0.05), _fed_back(), 1.0, rate=FRICTION_RATE).at(1.0).slip
    found = []
    for dt in HALVED:
        data = ran("pasibot/walk", "moreau", *ON_ONE, "friction=0.05", *_for(1.0, dt)).data
        found.append(1e3 * abs(float(data["q"].sel(position="x")[-1]) - float(exact)))
    return found


def _slides_on_one() -> Sequence[float]:
    """Phases between which the foot is faster than 1 mm/s, in both engines."""
    settings = (*ON_ONE, "friction=0.05", *_for(1.04, 1e-3))
    found = []
    for engine in ("moreau", "drake-sap"):
        data = ran("pasibot/walk", engine, *settings).data
        sliding = np.abs(data["v"].sel(velocity="x").to_numpy()) > 1e-3
        changes = data["time"].to_numpy()[1:][np.diff(sliding)]
        found += (changes * FRICTION_RATE / math.pi).tolist()
    return found


def _stable() -> Sequence[float]:
    """Largest kd dt of a grid that is stable with Drake's constraints, and the next one."""
    stable, dt = 0.0, 1e-3
    for gain in (0.1, 0.15, 0.2, 0.25, 0.3):
        settings = (*ON_ONE, *_for(0.6, dt), f"controller.kd={gain / dt}")
        torque = ran("pasibot/walk", "drake-sap", *settings).data["actuation"].to_numpy()[-60:, 0]
        if not np.abs(np.diff(torque)).max() < 1.0:
            return [stable, gain]
        stable = gain
    raise ValueError("no gain of the grid is unstable")


def _on_both() -> Sequence[float]:
    """Slip of two steps [mm]: exact, Moreau's and Drake's with little friction, then with more."""
    settings = _for(2.1, 1e-3)  # two steps, and what an engine is late by
    found = [_way(FRICTION_RATE, 0.05)]
    for mu in (0.05, 0.2):
        for engine in ("moreau", "drake-sap"):
            metrics = ran("pasibot/walk", engine, f"friction={mu}", *settings).metrics
            found += [1e3 * abs(slip) for slip in numbers(metrics, "slip_distance_per_step")]
    return found


_TWO = "{:.3f} to {:.3f}, {:.3f} to {:.3f}"

PASSAGES = (
    Passage(
        "C goes {:.0f} cranks and stays within {:.4f} of the slot's line: the supporting foot "
        "tilts "
        "by at most {:.2f} degrees",
        _straight,
    ),
    Passage("{:.0f} cranks ahead and at rest", lambda: [exchange(TEXT)["step"] / TEXT.l8]),
    Passage("The swinging sole comes {:.2f} mm below the floor", _toe),
    Passage("both agree to {:.0e}.", _two_ways, bound=True),
    Passage(
        "the motor gives {:.1f} N m at most and braking takes {:.1f} N m, less than the {:.1f} and "
        "{:.1f} N m",
        _started,
        slow=True,
    ),
    Passage("= {:.3f} N m at θ = {:.3f}", lambda: start_torque(TEXT)),
    Passage("while max V' = {:.3f} N m", lambda: static_torque(TEXT)[:1]),
    Passage("positive up to μ = {:.3f} (Painlevé)", lambda: painleve_friction(TEXT)[:1]),
    Passage("at 3 rad/s F/N goes from {:.3f} to {:.3f}", _at_exchange),
    Passage(
        "at most {:.1f}, {:.1f}, {:.1f}, {:.1f} and {:.1f} µm of {:.0f} mm for steps of 4, 2, 1, "
        "0.5 and 0.25 ms",
        _as_written,
        slow=True,
    ),
    Passage("at 3 rad/s, fits l8 = {:.3f} mm", lambda: [1e3 * _fitted("forward", "behind").l8]),
    Passage(
        "fits the density, {:.4f} kg/m: the machine weighs {:.3f} kg",
        lambda: [_fitted("forward", "behind").density, total_mass(_fitted("forward", "behind"))],
    ),
    Passage(
        "over {:.0f} random machines, each fitted anew, l8 goes from {:.1f} to {:.1f} mm and the "
        "mass from {:.1f} to {:.1f} kg",
        _ranges,
        minutes=True,
    ),
    Passage(
        "| forward | behind | {:.3f} to {:.3f}, ahead | {:.3f} to {:.3f}, back |",
        _assembly("forward", "behind"),
        slow=True,
    ),
    Passage(
        "| forward | ahead | {:.3f} to {:.3f}, ahead | {:.0f} to {:.3f}, back",
        _assembly("forward", "ahead"),
        slow=True,
    ),
    Passage(
        "| rearward | behind | {:.3f} to {:.3f}, back | {:.3f} to {:.3f}, and over",
        _assembly("rearward", "behind"),
        slow=True,
    ),
    Passage(
        "| rearward | ahead | {:.3f} to {:.3f}, back | {:.3f} to {:.3f} |",
        _assembly("rearward", "ahead"),
        slow=True,
    ),
    Passage("it starts above 0.84 N m | {:.3f} |", lambda: start_torque(TEXT)[:1]),
    Passage("at 3 rad/s | {:.4f} |", lambda: least_friction(TEXT, FRICTION_RATE)[:1]),
    Passage("first quarter | {:.3f} to {:.3f} |", lambda: _slides(TEXT, 0.05)[0], slow=True),
    Passage("| rank {:.0f} wherever", lambda: [linkage(TEXT)["equations"]]),
    Passage("parallel to the slot | to {:.2f} degrees |", lambda: _straight()[2:]),
    Passage(
        "quasi-straight line | within {:.2f} cranks, on a stroke of four",
        lambda: [linkage(TEXT)["straightness"]],
    ),
    Passage("by {:.0f} % of the range between 1 and 2 rad/s ({:.0f} % between 1 and 3,", _low),
    Passage("correlation with 1 rad/s {:.2f} at 4 rad/s, {:.2f} at 3 |", _shapes),
    Passage(
        "at 5 rad/s the torque has another shape | correlation with 1 rad/s {:.2f} |",
        lambda: [torques(TEXT)["shape_5"]],
    ),
    Passage(
        "on the hip | by {:.1f} % of the range |", lambda: [100.0 * loads(TEXT)["load_change"]]
    ),
    Passage("of {:.0f} machines with other assumed masses {:.0f} keep that", _kept, minutes=True),
    Passage(
        "almost the same level | {:.3f} cranks, {:.1f} mm |",
        lambda: [(rise := loads(TEXT)["hip_rise"]), 1e3 * TEXT.l8 * rise],
    ),
    Passage("| {:.3f} at μ = 0.07, {:.3f} at 0.06 |", _begins, slow=True),
    Passage("| {:.3f}, the knee is highest at {:.3f}, the ankle at {:.3f} |", _ends, slow=True),
    Passage("three a step, {:.0f} % of it", lambda: [100.0 * _slips()["many_share"]], slow=True),
    Passage("| {:.1f}, {:.1f}, {:.1f} mm a step for 0.2, 0.1, 0.05 |", _kinetic, slow=True),
    Passage(
        "begin at the same point | {:.3f} |", lambda: [_at_mid_step(0.1).begin_phase], slow=True
    ),
    Passage("| 0.07 | {:.3f} to {:.3f} | {:.2f} mm |", _row(0.07), slow=True),
    Passage("| 0.06 | {:.3f} to {:.3f} | {:.2f} mm |", _row(0.06), slow=True),
    Passage(
        "| 0.05 | {:.3f} to {:.3f} back, {:.3f} to {:.3f} ahead | {:.2f} mm |",
        _row(0.05),
        slow=True,
    ),
    Passage(
        "| 0.04 | {:.3f} to {:.3f} back, {:.3f} to {:.3f} ahead | {:.2f} mm |",
        _row(0.04),
        slow=True,
    ),
    Passage(
        "| 0.03 | {:.3f} to {:.3f} back, {:.3f} to {:.3f} and {:.3f} to {:.3f} ahead | {:.2f} mm |",
        _row(0.03),
        slow=True,
    ),
    Passage("| speed [rad/s] |" + " {:.3g} |" * 7, _border_speeds, minutes=True),
    Passage("| least friction without slip |" + " {:.3f} |" * 7, _frictions, minutes=True),
    Passage(
        "where the foot needs most friction it bears {:.0f} % of the weight at 2 rad/s and "
        "{:.0f} % at 5 rad/s",
        _borne,
    ),
    Passage(
        "A step is {:.1f} mm. With friction 0.1 the foot holds up to {:.1f} rad/s; at 4, 5 and "
        "6 rad/s it slides {:.1f}, {:.1f} and {:.1f} mm a step",
        _speeds,
        slow=True,
    ),
    Passage(
        "pushes up to {:.1f} rad/s; with the assumed sole the machine would tip forward from "
        "{:.1f} "
        "rad/s on",
        _held_rates,
    ),
    Passage(
        "with 0.85 N m the foot needs friction {:.2f} in the first step and a floor that pulls "
        "from "
        "{:.2f} s on, with 1 N m {:.2f} and {:.2f} s",
        _constant_torques,
        slow=True,
    ),
    Passage("at 2, 1, 0.5 ms | {:.0e} m |", _worst_gap, minutes=True, bound=True),
    Passage("m | {:.0f}, {:.1f}, {:.2f} µm |", _gaps("drake-sap", 1e-6), minutes=True),
    Passage(
        "foot held | {:.4f}, {:.4f}, {:.4f} N m | {:.4f}, {:.4f}, {:.4f} N m |",
        _torque_errors,
        minutes=True,
    ),
    Passage(
        "with 1 N m | {:.3f}, {:.3f} rad (2, 1 ms) | {:.3f}, {:.3f}, {:.4f} rad |",
        _from_rest,
        minutes=True,
    ),
    Passage("same feedback | {:.3f}, {:.3f}, {:.3f} mm |", _slipped, minutes=True),
    Passage(f"on one foot, faster than 1 mm/s | {_TWO} | {_TWO} |", _slides_on_one, minutes=True),
    Passage("kd Δt = {:.2f} is stable, {:.2f} is not", _stable, minutes=True),
    Passage(
        "where a foot slides {:.3f} mm a step, {:.2f} and {:.2f} mm in Moreau's engine, {:.2f} and "
        "{:.2f} mm in `drake-sap`; with friction 0.2, where it does not slide, {:.2f} and {:.2f} "
        "mm, "
        "and {:.1f} and {:.1f} mm",
        _on_both,
        minutes=True,
    ),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "the document, sections 3, 6 and 7": (
        "doi 10.5772/63372",
        "with sides 2.5;",
        "The stabiliser, 4.2 long",
        "0.08, the least friction without slip",
        "0.84 N m, the torque above which it walks",
        "it starts above 0.84 N m",
        "no slip from friction 0.08 on",
        "depends slightly on 15 kg",
        "torque graphs below 3 rad/s",
        "at all speeds but 5 rad/s",
        "at 5 rad/s the torque has another shape",
        "at 0.03 slides occur repeatedly",
    ),
    "bounds of tests/machines/pasibot/report/test_page.py": (
        "within 0.5 % of the largest force of each at steps of 1 ms",
    ),
    "chosen": (
        "At μ = 0.05 and 3 rad/s",
        "here at μ = 0.05 and 3 rad/s",
        "of a walk at 3 rad/s",
        "if one shape is a correlation of 0.9",
        "feet at 3 rad/s",
        "| friction at 3 rad/s |",
        "| 0.08 | none | 0 |",
        "At 3 rad/s, by feedback",
        "after 1 s at μ = 0.05",
        "slides at μ = 0.05, 1 ms, on one foot, faster than 1 mm/s",
        "two steps at 3 rad/s in steps of 1 ms: with friction 0.05",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""

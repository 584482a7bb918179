"""Numbers of docs/machines/biped.md, see scripts/page_numbers.py."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from computed import analysed, context, metric, numbers, ran
from passage import Passage

from footfall.api.running import run
from footfall.machines.biped.model import parameters_of
from footfall.machines.biped.observables import points
from footfall.metrics import scalar
from footfall.scenario.io import load_scenario

_GEARED, _REAL = "biped/climb_geared", "motor/dc_line"
_INTERNAL = "biped/walk_internal"


# --- climbing on internal torques alone ---------------------------------------------------------


def _step(*names: str) -> Callable[[], Sequence[float]]:
    """Metrics of the step of least torque."""
    return lambda: [scalar(analysed("biped/gait_internal").metrics, name) for name in names]


def _cost() -> Sequence[float]:
    """Cost of transport of the step, and what the hill takes of it."""
    slope = math.radians(5.0)
    return [*_step("cost_of_transport")(), math.sin(slope)]


def _multipliers() -> Sequence[float]:
    """Largest modulus of a multiplier of the return map, and the next one."""
    return numbers(analysed("biped/gait_internal").metrics, "multipliers")[:2]


def _walked(engine: str, *settings: str) -> Sequence[float]:
    """Progress [m], slip of the feet [cm] and largest torque [N m] of the walk."""
    metrics = ran(_INTERNAL, engine, *settings).metrics
    slip = 100.0 * scalar(metrics, "foot_slip")
    return [abs(scalar(metrics, "x_final")), slip, scalar(metrics, "joint_torque")]


# --- motors -------------------------------------------------------------------------------------


def _reflected(ratio: float) -> float:
    """Inertia of a rotor behind its gear [kg m^2]."""
    (rotor,) = load_scenario(_GEARED).motors.values()
    return (rotor.rotor_inertia or math.nan) * ratio**2


@functools.cache
def _with_gears(ratio: float, *, real: bool = False) -> Mapping[str, Any]:
    """Metrics of the climb with gears of a ratio, 0 for no motors; real: with all of the motor."""
    scenario = load_scenario(_GEARED)
    (motor,) = load_scenario(_REAL).motors.values() if real else scenario.motors.values()
    scenario.motors = {"tau*": replace(motor, gear_ratio=ratio)} if ratio else {}
    return run(scenario, "moreau").metrics


_COLUMNS = ("x_final", "foot_slip", "contact_loss", "tracking_error", "joint_torque")


def _row(ratio: float) -> Callable[[], Sequence[float]]:
    """Numbers of a row of the table of gears."""

    def values() -> Sequence[float]:
        metrics = _with_gears(ratio)
        found = [scalar(metrics, name) for name in _COLUMNS]
        if not ratio:
            return found
        return [_reflected(ratio), *found, scalar(metrics, "rotor_torque")]

    return values


def _real(ratio: float) -> Callable[[], Sequence[float]]:
    """A row with what a real motor does."""

    def values() -> Sequence[float]:
        metrics = _with_gears(ratio, real=True)
        return [*_row(ratio)(), scalar(metrics, "x_final"), scalar(metrics, "tracking_error")]

    return values


def _shares() -> Sequence[float]:
    """Rotor over what the shank has about the knee and a straight leg about the hip [%]."""
    parameters = parameters_of(context("biped/drop"))
    knee, foot = parameters.m[1], parameters.m[2]
    thigh, shank = parameters.l[0], parameters.l[1]
    leg = knee * thigh**2 + foot * (thigh + shank) ** 2
    return [100.0 * _reflected(155.0) / one for one in (foot * shank**2, leg)]


def _best_ratio() -> Sequence[float]:
    parameters = parameters_of(context("biped/drop"))
    shank = parameters.m[2] * parameters.l[1] ** 2
    return [math.sqrt(shank / _reflected(1.0))]


def _hips() -> Sequence[float]:
    """Least height of the hip by internal torques alone, with two ratios of gears."""
    settings = ("controller.internal_torques_only=true", "duration=1")
    found = []
    for ratio in (155.0, 800.0):
        data = ran(_GEARED, "closed-form", *settings, f"motors.tau*.gear_ratio={ratio}").data
        found.append(float(points(data["q"].to_numpy())[:, 0, 1].min()))
    return found


# --- what was checked ---------------------------------------------------------------------------


def _moved() -> Sequence[float]:
    """Millimetres by which half the time step moves the end of both climbs."""
    found = []
    for name in ("biped/climb", "biped/climb_corrected"):
        ends = [metric(name, "moreau", "x_final", f"time_step={step}") for step in (1e-3, 5e-4)]
        found.append(1e3 * abs(ends[1] - ends[0]))
    return found


def _orders() -> Sequence[float]:
    """Orders of the hip's place and of the step's own energy in the report's stepper."""
    steps = 1e-3 / 2.0 ** np.arange(6)
    scenarios = [
        load_scenario("biped/climb_corrected", ["duration=0.3", f"time_step={step}"])
        for step in steps
    ]
    metrics = [run(scenario, "closed-form").metrics for scenario in scenarios]
    found = []
    for name in ("x_final", "energy_drift"):
        errors = np.abs(np.diff([scalar(one, name) for one in metrics]))
        found.append(float(np.polyfit(np.log(steps[:-1]), np.log(errors), 1)[0]))
    return found


def _table() -> list[Passage]:
    """Rows of the table of gears; the formats of J n^2 and of a real motor differ."""
    torques = "{:.2f} | {:.3f} | {:.2f} | {:.4f} | {:.0f}"
    rows = [Passage(f"| none | 0 | {torques} | | | |", _row(0.0), slow=True)]
    for ratio, inertia in ((50, "{:.3f}"), (100, "{:.3f}")):
        text = f"| {ratio} | {inertia} | {torques} | {{:.2f}} | does not climb |"
        rows.append(Passage(text, _row(float(ratio)), minutes=True))
    for ratio, inertia, error in (
        (155, "{:.3f}", "{:.2f}"),
        (200, "{:.3f}", "{:.3f}"),
        (300, "{:.3f}", "{:.3f}"),
        (400, "{:.3f}", "{:.3f}"),
        (500, "{:.3f}", "{:.3f}"),
        (800, "{:.2f}", "{:.2f}"),
        (3200, "{:.1f}", "{:.2f}"),
    ):
        text = f"| {ratio} | {inertia} | {torques} | {{:.2f}} | {{:.2f}} | {error} |"
        rows.append(Passage(text, _real(float(ratio)), slow=ratio == 300, minutes=ratio != 300))
    return rows


def _borders() -> Sequence[float]:
    """Frictions below which the climb ends below its start, steepest slope first; its tangents."""
    found = analysed("biped/friction_map").data["border_friction"].sel(engine="closed-form")
    slopes = found["terrain.slope_deg"].to_numpy()
    without = found.sel(restitution=0.0).to_numpy()
    return [*without, *np.tan(np.radians(-slopes))]


PASSAGES = (
    Passage(
        "10, 7.5, 5 and 2.5 degrees it is {:.3f}, {:.3f}, {:.3f} and {:.3f}, the tangents are "
        "{:.3f}, {:.3f}, {:.3f} and {:.3f}. A restitution up to 0.4 does not move it",
        _borders,
        minutes=True,
    ),
    Passage("| length, period | {:.3f} m, {:.3f} s |", _step("step_length", "period"), slow=True),
    Passage("torque at a joint | {:.2f} N m at most", _step("joint_torque"), slow=True),
    Passage(
        "where the published gait has {:.0f} |",
        lambda: [metric("biped/climb", "moreau", "joint_torque")],
        slow=True,
    ),
    Passage("| cost of transport | {:.3f}, of which the hill is {:.3f} |", _cost, slow=True),
    Passage("stance and strike need | {:.3f} |", _step("required_friction"), slow=True),
    Passage("of the return map | {:.3f}, the others", lambda: _multipliers()[:1], slow=True),
    Passage("the others below {:.0e} |", lambda: _multipliers()[1:], slow=True, bound=True),
    Passage("draw the speed in, by {:.3f} a step", lambda: _multipliers()[:1], slow=True),
    Passage(
        "| `moreau`, cost of transport {:.3f} (the same at a friction of 1) | {:.2f} m | {:.1f} cm "
        "| {:.0f} N m, the bound |",
        lambda: [metric(_INTERNAL, "moreau", "cost_of_transport"), *_walked("moreau")],
        slow=True,
    ),
    Passage(
        "| `drake-lagged` | {:.2f} m | {:.1f} cm | {:.0f} N m |",
        lambda: _walked("drake-lagged"),
        slow=True,
        near=(0.1, 0.2, 0.5),
    ),
    Passage(
        "| `drake-sap` | {:.2f} m | {:.2f} cm | {:.1f} N m |",
        lambda: _walked("drake-sap"),
        slow=True,
        near=(0.1, 0.02, 0.1),
    ),
    Passage("J n^2 = {:.3f} kg m^2 to", lambda: [_reflected(155.0)]),
    Passage("{:.0f} % of the shank about its knee, {:.0f} % of a straight leg", _shares),
    *_table(),
    Passage(
        "keep their clearance of {:.3f} m",
        lambda: [scalar(_with_gears(300.0), "swing_clearance")],
        slow=True,
    ),
    Passage("sqrt(J_l / J), {:.0f} for the shank", _best_ratio),
    Passage(
        "its hip comes down to {:.2f} m at n = 155, and stays above {:.2f} m at n = 800", _hips
    ),
    Passage(
        "the place of the hip converges with order {:.2f} and the energy that the step itself "
        "gains or loses with {:.2f}",
        _orders,
        slow=True,
    ),
    Passage(
        "moves the end of `biped/climb` by {:.2f} mm and that of `biped/climb_corrected` by "
        "{:.1f} mm",
        _moved,
        slow=True,
    ),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "the report, part II": (
        "it three times and then holds the last sample. 5 s",
        "both cover about 7 m in 5 s",
        "g sin(5°) t²/2",
        "mm, of 7 m.",
    ),
    "urdf/motor/README.md": ("a rotor of 3.31e-6 kg m^2 behind n = 155", "10 A, 36 V"),
    "tests/machines/biped/test_internal_gait.py": (
        "80 s are more than a hundred steps, and starts whose angles and rates are all 2 %",
    ),
    "`near` of these passages": ("another one comes to within 0.1 m",),
    "chosen": (
        "at 0.5 m/s: direct collocation",
        "within a friction of 0.5",
        "20 s at 1 ms, friction 0.7",
        "x(5 s) [m] | foot slip",
        "real motor: x(5 s) [m]",
        "climbs about 7 m in 5 s; the distance",
        "That 1 ms",
        "`biped/climb_corrected`, 0.3 s,",
        "judged by a millimetre in 2 s",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""

"""The simplest walker: its measures and claims.

The machine is the compass with all mass of its legs at the feet; the light it has there is what
keeps it from the limit.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from footfall.errors import RunError
from footfall.machines.compass.closed_form.model import Compass, CompassParameters
from footfall.machines.compass.closed_form.simplest import LONG_STEP
from footfall.machines.compass.measures import METRICS as COMPASS_METRICS
from footfall.machines.compass.measures import measures as compass_measures
from footfall.machines.compass.measures import strikes
from footfall.machines.compass.model import FEET, POSITIONS, parameters_of
from footfall.machines.compass.simplest.engine import gait, hybrid
from footfall.machines.compass.simplest.gait import (
    Complexes,
    LimitGait,
    forward_multipliers,
    limit_gait,
    units,
)
from footfall.machines.compass.walker import SECTION
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, judged
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID, Machine
from footfall.trajectory import Trajectory

METRICS: dict[str, tuple[str, str]] = COMPASS_METRICS | {
    "limit_fixed_point": ("rad, 1", "limit of light feet: (θ, θ' / √(g/l)) after heel strike"),
    "limit_multipliers": ("1", "limit: multipliers of its return map, (real, imaginary)"),
    "limit_forward_multipliers": ("1", "limit: its multipliers by forward differences over 10⁻⁵"),
    "limit_largest_multiplier": ("1", "limit: largest modulus of a multiplier; stable below 1"),
    "limit_period": ("s", "limit: time of a step"),
    "limit_length": ("m", "limit: length of a step"),
    "limit_heel_strike_state": ("rad, rad/s", "limit: (q1, q1', q2') before heel strike"),
    "mass_ratio": ("1", "mass of a leg over that of the hip, 0 in the limit"),
    "cycle_from_limit": (
        "rad, 1",
        "distance of the exact cycle from the limit's, rates over √(g/l)",
    ),
    "distance_from_limit": (
        "rad, 1",
        "largest distance of a heel strike's state from the limit's, likewise",
    ),
}

_SOURCE = "Garcia, Chatterjee, Ruina & Coleman 1998, the program of its results"
_SAME_SLOPE = 1e-12  # rad
_FORWARD = 1e-5  # step of the differences from which the published multipliers are
_GAIT_REASON = "the program was written to find its gaits to 10⁻¹⁰"
_FORWARD_REASON = (
    "a guess that the numbers bear out: that the program took forward differences of its return "
    "map over 10⁻⁵. What its integration is off by, 10⁻¹² or so, is then divided by 10⁻⁵"
)
_EXACT_REASON = (
    "the program seems to have taken forward differences over 10⁻⁵, which are that coarse; these "
    "derivatives are exact, by a step into the complex numbers"
)


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The compass' metrics, and how far a walk is from the limit.

    What the limit itself is belongs to the engine that walks on it.
    """
    metrics = compass_measures(trajectory, context)
    parameters = parameters_of(context.model, context.contacts)
    try:
        limit = limit_gait(parameters.theta)
    except RunError:  # the slope does not fall, or falls too much
        return metrics
    unit = units(parameters)[SECTION]
    struck = strikes(trajectory.data, Compass(parameters))
    if struck:
        away = [np.abs(strike.published / unit - limit.published).max() for strike in struck]
        metrics["distance_from_limit"] = float(max(away))
    if trajectory.data.attrs.get("engine") != HYBRID:
        return metrics
    if "fixed_point" in metrics:
        cycle = np.asarray(metrics["fixed_point"], dtype=np.float64) / unit
        metrics["cycle_from_limit"] = float(np.abs(cycle - limit.published).max())
    return metrics | _limit_metrics(limit, parameters)


def _limit_metrics(limit: LimitGait, parameters: CompassParameters) -> dict[str, Metric]:
    """What the limit's gait is, in the units of a walker."""
    unit = units(parameters)[SECTION]
    multipliers = limit.fixed_point.multipliers
    return {
        "mass_ratio": parameters.m / parameters.m_hip,
        "limit_fixed_point": limit.fixed_point.orbit[0].tolist(),
        "limit_multipliers": _pairs(multipliers),
        "limit_forward_multipliers": _pairs(forward_multipliers(limit, _FORWARD)),
        "limit_largest_multiplier": float(np.abs(multipliers).max()),
        "limit_period": limit.period / unit[1],
        "limit_length": limit.length * parameters.l,
        "limit_heel_strike_state": (limit.published * unit).tolist(),
    }


def _pairs(numbers: Complexes) -> list[list[float]]:
    return [[float(number.real), float(number.imag)] for number in numbers]


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The published gait of long steps, on its slope."""
    gamma = parameters_of(context.model, context.contacts).theta
    if abs(gamma - LONG_STEP.gamma) > _SAME_SLOPE or "limit_fixed_point" not in metrics:
        return []
    theta, rate = np.asarray(metrics["limit_fixed_point"], dtype=np.float64)
    return [
        _claim("θ after heel strike", "rad", theta, LONG_STEP.theta, 1e-10, _GAIT_REASON),
        _claim("θ' / √(g/l) after it", "1", rate, LONG_STEP.dtheta, 1e-10, _GAIT_REASON),
        *_multiplier_claims(metrics, "limit_forward_multipliers", 1e-7, _FORWARD_REASON),
        *_multiplier_claims(metrics, "limit_multipliers", 1e-7, _EXACT_REASON),
        _stability(metrics),
    ]


def _multiplier_claims(
    metrics: Mapping[str, Metric], name: str, tolerance: float, reason: str
) -> list[Claim]:
    """Real and imaginary part of the pair of multipliers."""
    real, imaginary = np.asarray(metrics[name], dtype=np.float64)[0]
    published = LONG_STEP.multipliers[0]
    fitted = name == "limit_forward_multipliers"  # their step was found by trying
    how = "differenced" if fitted else "exact"
    parts = {"Re": (real, published.real), "|Im|": (abs(imaginary), published.imag)}
    return [
        _claim(f"multipliers, {how}, {part}", "1", *values, tolerance, reason, fitted=fitted)
        for part, values in parts.items()
    ]


def _claim(
    name: str,
    unit: str,
    value: float,
    published: float,
    tolerance: float,
    reason: str,
    *,
    fitted: bool = False,
) -> Claim:
    return judged(
        f"{name}, limit of light feet at 0.009 rad",
        unit,
        float(value),
        published,
        tolerance,
        source=_SOURCE,
        reason=reason,
        fitted=fitted,
    )


def _stability(metrics: Mapping[str, Metric]) -> Claim:
    return judged(
        "the gait of long steps is stable (sign of largest multiplier - 1)",
        "1",
        float(np.sign(scalar(metrics, "limit_largest_multiplier") - 1.0)),
        -1.0,
        0.0,
        source="Garcia, Chatterjee, Ruina & Coleman 1998",
        reason="the paper finds it stable on slopes below 0.0151 rad",
    )


MACHINE = Machine(
    name="simplest_walker",
    title="The simplest walking model",
    citation=(
        "M. Garcia, A. Chatterjee, A. Ruina, M. Coleman, The simplest walking model: stability, "
        "complexity, and scaling, ASME Journal of Biomechanical Engineering 120 (1998) 281-288."
    ),
    bibtex="""@article{garcia1998simplest,
  author  = {Garcia, Mariano and Chatterjee, Anindya and Ruina, Andy and Coleman, Michael},
  title   = {The Simplest Walking Model: Stability, Complexity, and Scaling},
  journal = {Journal of Biomechanical Engineering},
  volume  = {120},
  number  = {2},
  pages   = {281--288},
  year    = {1998}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={HYBRID: hybrid},
    gait=gait,
    requires=(*POSITIONS, *FEET),
    check=parameters_of,
    report="footfall.machines.compass.simplest.report.page:REPORT",
)

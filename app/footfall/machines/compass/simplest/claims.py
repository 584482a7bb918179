"""Claims of Garcia et al. (1998) about the gait of long steps, held against a run."""

from collections.abc import Mapping, Sequence

import numpy as np

from footfall.machines.compass.closed_form.simplest import FIRST_FLIP, LONG_STEP
from footfall.machines.compass.model import parameters_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, judged, stated
from footfall.registry.context import MachineContext

_SOURCE = "Garcia, Chatterjee, Ruina & Coleman 1998, the program of its results"
_SAME_SLOPE = 1e-12  # rad
_GAIT_REASON = "the program was written to find its gaits to 10⁻¹⁰"
_FORWARD_REASON = (
    "a guess that the numbers bear out: that the program took forward differences of its return "
    "map over 10⁻⁵. What its integration is off by, 10⁻¹² or so, is then divided by 10⁻⁵"
)
_EXACT_REASON = (
    "the program seems to have taken forward differences over 10⁻⁵, which are that coarse; these "
    "derivatives are exact, by a step into the complex numbers"
)


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
    return stated(
        "the gait of long steps is stable (largest modulus of a multiplier)",
        "1",
        scalar(metrics, "limit_largest_multiplier"),
        1.0,
        "at most",
        source="Garcia, Chatterjee, Ruina & Coleman 1998",
        reason="the paper finds it stable on slopes below 0.0151 rad",
    )


def doubling_claims(metrics: Mapping[str, Metric]) -> list[Claim]:
    """Judge the first period doubling of the simplest walker; nothing where none was found."""
    slopes = metrics.get("period_doubling_slopes")
    if not isinstance(slopes, Sequence) or not slopes or not isinstance(slopes[0], float):
        return []
    return [
        judged(
            "first period doubling of the simplest walker, gamma",
            "rad",
            slopes[0],
            FIRST_FLIP,
            5e-5,
            source="Garcia, Chatterjee, Ruina & Coleman 1998",
            reason="the paper gives three digits; the tolerance is half of the last one",
        )
    ]

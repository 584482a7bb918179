"""Claims of the lab sheet and of the literature about the compass, held against a run.

Those of Garcia et al. (1998) are about the gait of long steps of the simplest walker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple

import numpy as np

from footfall.machines.compass.closed_form.model import (
    GOSWAMI,
    LAB_CASE_1,
    LAB_CASE_2,
    CompassParameters,
)
from footfall.machines.compass.closed_form.simplest import FIRST_FLIP, LONG_STEP
from footfall.machines.compass.model import parameters_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, judged, stated
from footfall.registry.context import MachineContext

_SAME = 1e-9
_SHEET = "lab sheet of the course behind Roncagliolo & Vindolet 2020"
_PAPER = "Goswami, Thuilot & Espiau 1998, abstract"

# before heel strike: q1 [rad], q1' and q2' [rad/s]; whether the sheet calls the cycle stable
_CASES = (
    (LAB_CASE_1, "case 1", (-0.1860, -2.0504, -0.0428), False),
    (LAB_CASE_2, "case 2", (-0.1933, -2.0262, -0.1253), True),
)
_COMPONENTS = (("q1", "rad"), ("q1'", "rad/s"), ("q2'", "rad/s"))
_DIGIT = 5e-5  # half of the last digit printed
_CLOSE_REASON = (
    "the sheet says that the cycle is 'close to' these four digits and not how it was found; the "
    "cycle itself is found to 1e-10. Dormand and Prince's method at a relative tolerance of 1e-3, "
    "MATLAB's default, misses it by as much, 1e-3 of the largest rate, though not by these digits. "
    "The document prints no cycle; a public program of the course starts from these six numbers"
)


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """Published cycles for runs of the published walkers, whatever the scenario is called."""
    if context.controller is not None or "fixed_point" not in metrics:
        return []
    needed = max(scalar(metrics, f"cycle_friction_{when}") for when in ("stance", "impact"))
    if (context.mu < needed).any():  # the foot would slide: no such cycle is there
        return []
    parameters = parameters_of(context.model, context.contacts)
    judged_claims: list[Claim] = []
    for case, name, cycle, stable in _CASES:
        if _same_walker(parameters, case):
            judged_claims += _cycle_claims(name, cycle, metrics)
            judged_claims.append(_stability(name, metrics, stable=stable, source=_SHEET))
    if _same_walker(parameters, GOSWAMI):
        judged_claims.append(
            _stability("Goswami's compass at 3 degrees", metrics, stable=True, source=_PAPER)
        )
    return judged_claims


def _same_walker(one: CompassParameters, other: CompassParameters) -> bool:
    """Return whether two sets of parameters are one walker, on the same slope."""
    return bool(np.allclose(astuple(one), astuple(other), rtol=_SAME, atol=_SAME))


def _cycle_claims(name: str, cycle: Sequence[float], metrics: Mapping[str, Metric]) -> list[Claim]:
    values = np.asarray(metrics["fixed_point"], dtype=np.float64)
    return [
        judged(
            f"{component} before heel strike, {name}",
            unit,
            float(value),
            published,
            _DIGIT,
            source=_SHEET,
            reason=_CLOSE_REASON,
        )
        for (component, unit), value, published in zip(_COMPONENTS, values, cycle, strict=True)
    ]


def _stability(name: str, metrics: Mapping[str, Metric], *, stable: bool, source: str) -> Claim:
    """Hold the largest multiplier against what is said of the cycle's stability."""
    return stated(
        f"{name} is {'stable' if stable else 'unstable'} (largest modulus of a multiplier)",
        "1",
        scalar(metrics, "largest_multiplier"),
        1.0,
        "at most" if stable else "at least",
        source=source,
        reason="the source says whether the cycle is stable, and prints no multipliers of it here",
    )


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


def simplest_claims(
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
        _limit_stability(metrics),
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


def _limit_stability(metrics: Mapping[str, Metric]) -> Claim:
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

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
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext

_SAME = 1e-9
_SAME_SLOPE = 1e-12  # rad
_SHEET = "lab sheet of the course behind Roncagliolo & Vindolet 2020"
_PAPER = "Goswami, Thuilot & Espiau 1998, abstract"

# before heel strike: q1 [rad], q1' and q2' [rad/s]; whether the sheet calls the cycle stable
_CASES = (
    (LAB_CASE_1, "case 1", (-0.1860, -2.0504, -0.0428), False),
    (LAB_CASE_2, "case 2", (-0.1933, -2.0262, -0.1253), True),
)
_COMPONENTS = ("before_q1", "before_dq1", "before_dq2")
STATEMENTS = read_statements(__package__)


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
        STATEMENTS[key].of(value, bound=published, case=name)
        for key, value, published in zip(_COMPONENTS, values, cycle, strict=True)
    ]


def _stability(name: str, metrics: Mapping[str, Metric], *, stable: bool, source: str) -> Claim:
    """Hold the largest multiplier against what is said of the cycle's stability."""
    said = STATEMENTS["stable" if stable else "unstable"]
    return said.of(scalar(metrics, "largest_multiplier"), walker=name, source=source)


def simplest_claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The published gait of long steps, on its slope."""
    gamma = parameters_of(context.model, context.contacts).theta
    if abs(gamma - LONG_STEP.gamma) > _SAME_SLOPE or "limit_fixed_point" not in metrics:
        return []
    theta, rate = np.asarray(metrics["limit_fixed_point"], dtype=np.float64)
    return [
        STATEMENTS["theta"].of(theta, bound=LONG_STEP.theta),
        STATEMENTS["dtheta"].of(rate, bound=LONG_STEP.dtheta),
        *_multiplier_claims(metrics, "limit_forward_multipliers"),  # their step was found by trying
        *_multiplier_claims(metrics, "limit_multipliers"),
        STATEMENTS["limit_largest_multiplier"].of(scalar(metrics, "limit_largest_multiplier")),
    ]


def _multiplier_claims(metrics: Mapping[str, Metric], name: str) -> list[Claim]:
    """Real and imaginary part of the pair of multipliers."""
    real, imaginary = np.asarray(metrics[name], dtype=np.float64)[0]
    published = LONG_STEP.multipliers[0]
    parts = {"Re": (real, published.real), "|Im|": (abs(imaginary), published.imag)}
    return [
        STATEMENTS[name].of(value, bound=exact, part=part) for part, (value, exact) in parts.items()
    ]


def doubling_claims(metrics: Mapping[str, Metric]) -> list[Claim]:
    """Judge the first period doubling of the simplest walker; nothing where none was found."""
    slopes = metrics.get("period_doubling_slopes")
    if not isinstance(slopes, Sequence) or not slopes or not isinstance(slopes[0], float):
        return []
    return [STATEMENTS["first_doubling"].of(slopes[0], bound=FIRST_FLIP)]

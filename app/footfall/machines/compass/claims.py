"""Claims of the lab sheet and of the literature about the compass, held against a run."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple

import numpy as np

from footfall.machines.compass.closed_form.model import (
    GOSWAMI,
    LAB_CASE_1,
    LAB_CASE_2,
    CompassParameters,
)
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

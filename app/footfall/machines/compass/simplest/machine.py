"""The simplest walker, as it is registered: a compass, and how far it is from its limit.

Its model is the compass with all mass of its legs at the feet; the little mass that they have there
keeps it from the limit.
"""

import numpy as np

from footfall.errors import RunError
from footfall.machines.compass.claims import simplest_claims
from footfall.machines.compass.closed_form.model import Compass, CompassParameters
from footfall.machines.compass.hybrid_engine import limit_gait_state, limit_hybrid
from footfall.machines.compass.measures import METRICS as COMPASS_METRICS
from footfall.machines.compass.measures import find_exact_cycle, heel_strikes
from footfall.machines.compass.measures import measures as compass_measures
from footfall.machines.compass.model import FEET, POSITIONS, parameters_of
from footfall.machines.compass.system import (
    SECTION,
    Complexes,
    LimitGait,
    forward_multipliers,
    limit_gait,
    units,
)
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_bibtex, read_metrics
from footfall.registry.machine import HYBRID, Machine
from footfall.trajectory import Trajectory

METRICS = COMPASS_METRICS | read_metrics(__package__)

_FORWARD = 1e-5  # step of the differences from which the published multipliers are


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The compass' metrics, and how far a walk is from the limit.

    Those of the limit itself are given by the engine that walks on it.
    """
    metrics = compass_measures(trajectory, context)
    parameters = parameters_of(context.model, context.contacts)
    try:
        limit = limit_gait(parameters.theta)
    except RunError:  # the slope does not fall, or falls too much
        return metrics
    unit = units(parameters)[SECTION]
    strikes = heel_strikes(trajectory.data, Compass(parameters))
    if strikes:
        away = [np.abs(strike.published / unit - limit.published).max() for strike in strikes]
        metrics["distance_from_limit"] = float(max(away))
    if trajectory.data.attrs.get("engine") != HYBRID:
        return metrics
    if "fixed_point" in metrics:
        cycle = np.asarray(metrics["fixed_point"], dtype=np.float64) / unit
        metrics["cycle_from_limit"] = float(np.abs(cycle - limit.published).max())
    return metrics | _limit_metrics(limit, parameters)


def _limit_metrics(limit: LimitGait, parameters: CompassParameters) -> dict[str, Metric]:
    """Metrics of the gait of the limit, in the units of a walker."""
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


MACHINE = Machine(
    name="simplest_walker",
    title="The simplest walking model",
    citation=(
        "M. Garcia, A. Chatterjee, A. Ruina, M. Coleman, The simplest walking model: stability, "
        "complexity, and scaling, ASME Journal of Biomechanical Engineering 120 (1998) 281-288."
    ),
    bibtex=read_bibtex(__package__),
    measures=measures,
    metrics=METRICS,
    claims=simplest_claims,
    engines={HYBRID: limit_hybrid},
    gait=limit_gait_state,
    requires=(*POSITIONS, *FEET),
    check=parameters_of,
    references=find_exact_cycle,
    report="footfall.machines.compass.report.page:SIMPLEST_REPORT",
)

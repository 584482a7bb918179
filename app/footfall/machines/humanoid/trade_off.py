"""Tracking error against torque: a walk at factors of horizon and weights, for sweeps.

The thesis says in words what these two do (sections 3.4 and 5): heavier accelerations cost tracking
and save torque, a shorter horizon costs effort.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from footfall.analysis.functions import PARAMETERS, Case, labelled
from footfall.errors import RunError, ScenarioError
from footfall.machines.humanoid.claims import STATEMENTS
from footfall.machines.humanoid.control import BySupport, HumanoidWalk
from footfall.machines.humanoid.engine import ENGINES
from footfall.machines.humanoid.measures import METRICS, measures
from footfall.metrics import scalar
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.trajectory import Status

_MEASURES = ("rms_error_O1", "error_O1", "error_heel", "largest_joint_torque", "rms_torque_single")
_STATEMENTS = (
    ("tracking_by_weight", "rms_error_O1", "weight", 1.0),
    ("torque_by_weight", "largest_joint_torque", "weight", -1.0),
    ("torque_by_horizon", "largest_joint_torque", "horizon", -1.0),
)
"""Statements, of what quantity and over which factor each is, and the sign of its change."""


def trade_off(case: Case, horizon: float = 1.0, weight: float = 1.0) -> xr.Dataset:
    """Errors and torques of a walk with factors of both horizons and weights of accelerations.

    Raises RunError for one that does not come to its end, ScenarioError for a scenario without the
    control, an engine that holds no feet, and factors that are none.
    """
    law = case.context.controller
    if not isinstance(law, HumanoidWalk) or law.feedback is not None or case.engine not in ENGINES:
        raise ScenarioError(
            "the sweep needs optimal predictive control on held feet: let the controller be "
            f"!HumanoidWalk, without feedback, and the engine {' or '.join(ENGINES)}."
        )
    for name, factor in (("horizon", horizon), ("weight", weight)):
        if not 0.0 < factor < math.inf:
            raise ScenarioError(f"{PARAMETERS}{name} is {factor}: give a positive factor.")
    changed = replace(
        law,
        horizon=BySupport(*(horizon * own for own in law.horizon.pair)),
        acceleration_weight=law.acceleration_weight.scaled(weight),
    )
    own = replace(case.context, controller=changed)
    trajectory = ENGINES[case.engine](own)
    if trajectory.status is not Status.DONE:
        raise RunError(trajectory.message)
    metrics = measures(trajectory, own)
    return labelled({name: (scalar(metrics, name), *METRICS[name]) for name in _MEASURES})


def summary(data: xr.Dataset, _context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Best of a sweep of `trade_off`, and what the thesis says of it; nothing for other sweeps."""
    if data.attrs["function"] != "trade_off":
        return xr.Dataset(), ()
    walked = data["success"]
    numbers = {
        "walks": (float(walked.size), "1", "pairs of factors that were tried"),
        "walked": (float(walked.sum()), "1", "pairs that walked to the end"),
        "least_error": (
            float(data["rms_error_O1"].min()),
            "m",
            "smallest root mean square error of O1 among them",
        ),
        "least_torque": (
            float(data["largest_joint_torque"].min()),
            "N m",
            "smallest of the largest torques among them",
        ),
    }
    return labelled(numbers), [claim for row in _STATEMENTS for claim in _claims(data, *row)]


def _claims(data: xr.Dataset, key: str, name: str, factor: str, sign: float) -> list[Claim]:
    """Judge a statement over all neighbours that both walk; nothing where there are none."""
    axis = f"{PARAMETERS}{factor}"
    if axis not in data.dims:
        return []
    change = sign * data[name].diff(axis).to_numpy()
    holds = change[np.isfinite(change)] > 0.0
    if not holds.size:
        return []
    return [STATEMENTS[key].of(holds.mean(), holds=holds.sum(), pairs=holds.size)]

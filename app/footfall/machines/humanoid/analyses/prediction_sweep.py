"""Sweep of horizon and weight of accelerations: tracking error against torque.

The thesis says in words what these two do (sections 3.4 and 5): heavier accelerations cost tracking
and save torque, a shorter horizon costs effort. Here every pair walks.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult, Task, run_tasks
from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.machines.humanoid.engine import closed_form, hybrid
from footfall.machines.humanoid.measures import measures
from footfall.machines.humanoid.walk_settings import BySupport
from footfall.metrics import scalar
from footfall.registry.claims import Claim, stated
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.trajectory import Status

_MOST = 400  # walks
_ENGINES = {CLOSED_FORM: closed_form, HYBRID: hybrid}
_KEPT = ("rms_error_O1", "error_O1", "error_heel", "largest_joint_torque", "rms_torque_single")
SOURCE = "Özyurt 2005, sections 3.4 and 5"


@dataclass
class PredictionSweep:
    """Walks at several horizons and weights of accelerations, as factors of the scenario's own."""

    # Factors of both horizons.
    horizons: list[float] = field(default_factory=lambda: [0.5, 1.0, 2.0])
    # Factors of both weights of accelerations.
    weights: list[float] = field(default_factory=lambda: [0.1, 1.0, 10.0])
    # Engine that walks: closed-form or hybrid.
    engine: str = CLOSED_FORM

    def __post_init__(self) -> None:
        """Refuse what is no sweep."""
        for name in ("horizons", "weights"):
            values = getattr(self, name)
            fine = all(math.isfinite(value) and value > 0.0 for value in values)
            if not (fine and len(values) >= 2 and sorted(set(values)) == values):
                raise ScenarioError(
                    f"analysis.{name}: give at least two positive factors, each larger than the "
                    "one before."
                )
        if len(self.horizons) * len(self.weights) > _MOST:
            raise ScenarioError(f"analysis: more than {_MOST} walks: give fewer factors.")
        if self.engine not in _ENGINES:
            raise ScenarioError(
                f"analysis.engine is '{self.engine}': choose one of {', '.join(_ENGINES)}."
            )

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "walks": ("1", "pairs of factors that were tried"),
            "walked": ("1", "pairs that walked to the end"),
            "least_error": ("m", "smallest root mean square error of O1 among them"),
            "least_torque": ("N m", "smallest of the largest torques among them"),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Let every pair walk; raises ScenarioError for a scenario without the control."""
        law = context.controller
        if not isinstance(law, HumanoidWalk) or law.feedback is not None:
            raise ScenarioError(
                "the analysis needs optimal predictive control: let the controller be "
                "!HumanoidWalk, without feedback."
            )
        pairs = [(h, w) for h in self.horizons for w in self.weights]
        tasks = [Task(f"horizon {h:g}, weight {w:g}", self._task(context, h, w)) for h, w in pairs]
        found = np.array(run_tasks(analysis, tasks, 1, (0.0, 1.0)), dtype=np.float64)
        data = self._dataset(found.reshape(len(self.horizons), len(self.weights), -1))
        data.attrs.update(engine=self.engine)
        walked = int(data["walked"].sum())
        summary = {
            "walks": float(len(pairs)),
            "walked": float(walked),
            "least_error": float(data["rms_error_O1"].min()) if walked else math.nan,
            "least_torque": float(data["largest_joint_torque"].min()) if walked else math.nan,
        }
        return AnalysisResult(data, {**summary}, _claims(data))

    def _task(
        self, context: MachineContext, horizon: float, weight: float
    ) -> Callable[[], list[float]]:
        return partial(walk, context, self.engine, horizon, weight)

    def _dataset(self, found: Array) -> xr.Dataset:
        dims = ("horizon", "weight")
        meanings = {
            "walked": ("1", "1 where the walk came to its end"),
            "rms_error_O1": ("m", "error of O1, root mean square"),
            "error_O1": ("m", "largest error of O1"),
            "error_heel": ("m", "largest error of the swinging heel"),
            "largest_joint_torque": ("N m", "largest torque, last complete cycle"),
            "rms_torque_single": ("N m", "torques in single support, root mean square"),
        }
        columns = {
            name: (dims, found[:, :, k], {"units": unit, "long_name": words})
            for k, (name, (unit, words)) in enumerate(meanings.items())
        }
        factor = {"units": "1", "long_name": "factor of the scenario's own"}
        coords = {
            "horizon": ("horizon", np.array(self.horizons), factor),
            "weight": ("weight", np.array(self.weights), factor),
        }
        return xr.Dataset(columns, coords)


def walk(context: MachineContext, engine: str, horizon: float, weight: float) -> list[float]:
    """Return 1 and the errors and torques of a walk; 0 and NaN for one that does not get there."""
    law = context.controller
    if not isinstance(law, HumanoidWalk):
        raise TypeError("a walk of the thesis has its control")
    changed = replace(
        law,
        horizon=BySupport(*(horizon * own for own in law.horizon.pair)),
        acceleration_weight=law.acceleration_weight.scaled(weight),
    )
    own = replace(context, controller=changed)
    trajectory = _ENGINES[engine](own)
    if trajectory.status is not Status.DONE:
        return [0.0] + [math.nan] * len(_KEPT)
    metrics = measures(trajectory, own)
    return [1.0, *(scalar(metrics, name) for name in _KEPT)]


def _claims(data: xr.Dataset) -> list[Claim]:
    """Judge what the thesis says of the trade-off, over all neighbours that both walk."""
    rows = (
        ("heavier accelerations: larger tracking errors", "rms_error_O1", "weight", 1.0),
        ("heavier accelerations: lower torques", "largest_joint_torque", "weight", -1.0),
        ("shorter horizon: larger effort", "largest_joint_torque", "horizon", -1.0),
    )
    found = []
    for words, name, dim, sign in rows:
        change = sign * data[name].diff(dim).to_numpy()
        known = np.isfinite(change)
        if not known.any():
            continue
        holds = change[known] > 0.0
        share = float(holds.mean())
        reason = (
            f"it holds for {holds.sum()} of {holds.size} neighbouring pairs of factors; weights, "
            "width of the feet and swing path are not in the thesis and were chosen for the walk"
        )
        found.append(stated(words, "1", share, 1.0, source=SOURCE, reason=reason))
    return found

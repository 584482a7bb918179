"""Sensitivity of the compass' gait to the ratio of hip mass to leg mass.

At each ratio m_hip / m: the gait of period one on the scenario's slope, followed from the
scenario's own walker, and the slope of its first period doubling.
"""

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.arrays import Array
from footfall.errors import RunError, ScenarioError
from footfall.hybrid import FixedPoint, NotFound, find_fixed_point, locate_flip
from footfall.hybrid.flip import flip_test
from footfall.machines.compass.analyses.slope_family import compass_family
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.cycle import cycle_at, find_cycle
from footfall.machines.compass.model_check import exact_walker
from footfall.machines.compass.system import return_map
from footfall.metrics import Metric
from footfall.registry.context import MachineContext

# results at each ratio: unit and meaning
_COLUMNS = {
    "step_period": ("s", "time of a step"),
    "step_length": ("m", "length of a step"),
    "largest_multiplier": ("1", "largest modulus of a multiplier"),
    "friction_stance": ("1", "coefficient of friction that the step needs"),
    "friction_impact": ("1", "coefficient of friction that the strike needs"),
    "first_doubling": ("rad", "slope of the first period doubling"),
}
# slopes between which the first doubling is looked for, and the steps of the search [rad]
_GENTLEST, _STEEPEST, _STEP = math.radians(0.1), math.radians(8.0), math.radians(0.25)
_MOST = 10_000  # ratios, at some seconds each
_NO_GAIT = [math.nan] * len(_COLUMNS)


@dataclass
class MassRatio:
    """Sensitivity of the compass' gait to the ratio of hip mass to leg mass."""

    # Ratios m_hip / m, evenly spaced between these.
    from_ratio: float = 0.0
    to_ratio: float = 8.0
    ratios: int = 33

    def __post_init__(self) -> None:
        """Refuse ranges without ratios."""
        counted = 2 <= self.ratios <= _MOST
        if not (0.0 <= self.from_ratio < self.to_ratio < math.inf and counted):
            raise ScenarioError(
                f"analysis: {self.ratios} ratios from {self.from_ratio} to {self.to_ratio}: give "
                f"0 <= from_ratio < to_ratio, at least two of them and no more than {_MOST}."
            )

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "own_ratio": ("1", "m_hip / m of the scenario's walker"),
            "period_sensitivity": ("s", "change of the step period with the ratio, there"),
            "length_sensitivity": ("m", "change of the step length with the ratio, there"),
            "most_stable_ratio": ("1", "ratio with the smallest largest multiplier"),
            "stable_from": ("1", "smallest ratio with a stable gait on this slope"),
            "gaits": ("1", "ratios at which there is a gait"),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """All ratios, one after another away from the scenario's own.

        Raises ScenarioError for a ratio at which there is no walker, and as `exact_walker` does.
        """
        parameters = exact_walker(context)
        own = parameters.m_hip / parameters.m
        ratios = np.linspace(self.from_ratio, self.to_ratio, self.ratios)
        walkers = [_with_hip(parameters, ratio) for ratio in ratios.tolist()]
        rows = np.full((self.ratios, len(_COLUMNS)), np.nan)
        order = np.argsort(np.abs(ratios - own), kind="stable")
        gaits: dict[int, Array] = {}
        for count, index in enumerate(order.tolist()):
            ratio = float(ratios[index])
            analysis.go_on(f"ratio {ratio:g}", count / self.ratios)
            near = min(gaits, key=lambda known: abs(known - index), default=None)
            guess = None if near is None else gaits[near].tolist()
            row, y = analysis.checkpoint.result(
                f"ratio {index}", partial(_of_ratio, walkers[index], guess)
            )
            rows[index] = row
            if y is not None:
                gaits[index] = np.array(y)
        data = _dataset(ratios, rows, own)
        return AnalysisResult(data, _metrics(data, own))


def _with_hip(walker: CompassParameters, ratio: float) -> CompassParameters:
    """The walker with another hip."""
    try:
        return replace(walker, m_hip=ratio * walker.m)
    except ValueError as error:
        raise ScenarioError(f"analysis: no walker at the ratio {ratio:g}: {error}.") from error


def _of_ratio(
    walker: CompassParameters, guess: list[float] | None
) -> tuple[list[float], list[float] | None]:
    """Row of results of a walker, and its gait y, from the gait of one much like it."""
    try:
        gait = _gait(walker, guess)
    except (NotFound, RunError):
        return _NO_GAIT, None
    cycle = cycle_at(walker, gait)
    row = [
        cycle.period,
        cycle.length,
        float(np.abs(gait.multipliers).max()),
        cycle.friction_stance,
        cycle.friction_impact,
        _first_doubling(walker, gait),
    ]
    return row, gait.orbit[0].tolist()


def _first_doubling(walker: CompassParameters, gait: FixedPoint) -> float:
    """Slope [rad] of the flip that is met first: up the slope from a stable gait, else down.

    NaN where the gait ends before.
    """
    returns = compass_family(walker, gait).map
    step = _STEP if gait.stable else -_STEP
    with suppress(NotFound):
        while _GENTLEST < gait.p + step < _STEEPEST:
            beyond = find_fixed_point(returns, gait.orbit[0], gait.p + step)
            if flip_test(gait.D) * flip_test(beyond.D) < 0.0:
                return locate_flip(returns, (gait, beyond)).p
            gait = beyond
    return math.nan


def _gait(walker: CompassParameters, guess: list[float] | None) -> FixedPoint:
    """From the neighbour's gait, or found without a guess where that does not lead to one."""
    if guess is not None:
        with suppress(NotFound):
            return find_fixed_point(return_map(walker), guess, walker.theta)
    return find_cycle(walker).fixed_point


def _dataset(ratios: Array, rows: Array, own: float) -> xr.Dataset:
    return xr.Dataset(
        {
            name: ("ratio", rows[:, column], {"units": unit, "long_name": meaning})
            for column, (name, (unit, meaning)) in enumerate(_COLUMNS.items())
        },
        {"ratio": ("ratio", ratios, {"units": "1", "long_name": "m_hip / m"})},
        {"own_ratio": own},
    )


def _metrics(data: xr.Dataset, own: float) -> dict[str, Metric]:
    ratio, largest = data["ratio"].to_numpy(), data["largest_multiplier"].to_numpy()
    known = np.isfinite(largest)
    stable = ratio[known & (largest < 1.0)]
    return {
        "own_ratio": own,
        "period_sensitivity": _slope_at(ratio, data["step_period"].to_numpy(), own),
        "length_sensitivity": _slope_at(ratio, data["step_length"].to_numpy(), own),
        "most_stable_ratio": float(ratio[np.nanargmin(largest)]) if known.any() else math.nan,
        "stable_from": float(stable.min()) if stable.size else math.nan,
        "gaits": float(known.sum()),
    }


def _slope_at(ratio: Array, values: Array, own: float) -> float:
    """Rate of change at a ratio, from its neighbours in the table; NaN where it has none."""
    return float(np.interp(own, ratio, np.gradient(values, ratio), left=math.nan, right=math.nan))

"""Walks of many starts of one walker, in batches that a checkpoint keeps."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.analysis.context import AnalysisContext
from footfall.arrays import Array
from footfall.hybrid import batch_map, settle
from footfall.machines.compass.closed_form.model import Compass, CompassParameters
from footfall.machines.compass.cycle import Cycle
from footfall.machines.compass.system import (
    BEHIND,
    SECTION,
    STRIKE,
    after_strike,
    ground_force,
    old_foot_leaves,
    walking_system,
)
from footfall_controllers.energy_shaping import EnergyShapingParameters

_STEP = 0.02  # s: with Dormand and Prince's method of order 8, an error of 1e-13 a step
_MOST_TIME = 3.0  # s for a step
_BATCH = 20_000  # starts that are walked between two checks for Ctrl-C
SAMPLE, SLICE = PARTS = ("sample", "slice")


class BatchWalk:
    """Walks many starts of one walker, in batches that the checkpoint keeps."""

    def __init__(
        self,
        parameters: CompassParameters,
        law: EnergyShapingParameters | None,
        analysis: AnalysisContext,
        name: str,
        index: int,
        of: int,
    ) -> None:
        self._analysis, self._name, self._index, self._of = analysis, name, index, of
        self._machine, self._law = Compass(parameters), law
        self._returns = batch_map(
            walking_system(self._machine, law),
            BEHIND,
            STRIKE,
            after_strike,
            lambda x: x[SECTION],
            _MOST_TIME,
            _STEP,
        )

    def _map(self, y: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """The return map; a start at which no walker stands on one foot does not return."""
        x = after_strike(y)
        stands = (ground_force(self._machine, self._law, x)[1] > 0.0) & old_foot_leaves(x)
        after, arrived = self._returns(y)
        arrived = arrived & stands
        return np.where(arrived, after, np.nan), arrived

    def settled(
        self, what: str, y: Array, gait: Cycle, most: int, near: float
    ) -> tuple[Array, Array]:
        """Label and steps of starts (3, k)."""
        orbit = gait.fixed_point.orbit

        def walked(part: Array) -> list[list[int]]:
            found = settle(self._map, part, [orbit], most=most, tolerance=near)
            return [found.label.tolist(), found.steps.tolist()]

        label, steps = np.hstack([np.array(p) for p in self._batches(what, y, walked)])
        return label, steps

    def _batches(
        self, what: str, y: Array, walked: Callable[[Array], list[list[Any]]]
    ) -> list[list[list[Any]]]:
        """Results of the starts, batch by batch."""
        cuts = range(0, y.shape[1], _BATCH)
        found = []
        for number, first in enumerate(cuts):
            done = (PARTS.index(what) + number / len(cuts)) / len(PARTS)
            self._analysis.go_on(f"{self._name}, {what}", (self._index + done) / self._of)
            work = partial(walked, y[:, first : first + _BATCH])
            found.append(self._analysis.checkpoint.result(f"{self._name} {what} {first}", work))
        return found

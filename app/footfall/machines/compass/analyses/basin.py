"""Basins of attraction of the compass' gait with and without its hip torque.

A start is a state y = (q1, q1', q2') just after a heel strike. A random sample of a box is walked
until each start is near the gait or does not come back; the picture is a slice through the gait,
walked likewise. The walker fails where it falls, where the ground would have to pull, and where the
foot behind does not leave the ground, as it would after a strike of one foot.

Starts are walked in batches that a checkpoint keeps; the shares of the sample have an interval in
which the shares of the box lie.
"""

import math
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.shares import wilson
from footfall.arrays import Array
from footfall.checked import Checked, between, positive
from footfall.errors import ScenarioError
from footfall.hybrid import batch_step
from footfall.machines.compass.closed_form.model import Compass, CompassParameters
from footfall.machines.compass.cycle import Cycle, find_cycle
from footfall.machines.compass.model import exact_walker
from footfall.machines.compass.system import (
    BEHIND,
    SECTION,
    STRIKE,
    after_strike,
    ground_force,
    old_foot_leaves,
    walking_system,
)
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall_controllers.energy_shaping import EnergyShapingParameters


def share_ratio(first: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Ratio of the share of ``other`` to that of ``first``, and its standard error.

    Both are masks (sample,) over the same draws: what both hold cancels. By the delta method the
    logarithm of the ratio has the variance (a + b - 2 ab) / (a b) of the counts. NaN for none.
    """
    a, b = int(first.sum()), int(other.sum())
    if a == 0:
        return math.nan, math.nan
    apart = int((first ^ other).sum())
    return b / a, math.sqrt(apart * b / a) / a if b else 0.0


_STEP = 0.02  # s: with Dormand and Prince's method of order 8, an error of 1e-13 a step
_MOST_TIME = 3.0  # s for a step
# labels of starts
FALLS, ARRIVES, UNDECIDED = 0, 1, -1
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
        self._system = walking_system(self._machine, law)

    def settled(
        self, what: str, y: Array, gait: Cycle, most: int, near: float
    ) -> tuple[Array, Array]:
        """Label and steps of starts (3, k), batch by batch."""
        goal, cuts = gait.fixed_point.orbit[0], range(0, y.shape[1], _BATCH)
        batches = []
        for number, first in enumerate(cuts):
            done = (PARTS.index(what) + number / len(cuts)) / len(PARTS)
            self._analysis.go_on(f"{self._name}, {what}", (self._index + done) / self._of)
            work = partial(self._settle, y[:, first : first + _BATCH], goal, most, near)
            batches.append(self._analysis.checkpoint.result(f"{self._name} {what} {first}", work))
        label, steps = np.hstack([np.array(batch) for batch in batches])
        return label, steps

    def _settle(self, y: Array, goal: Array, most: int, near: float) -> list[list[int]]:
        """Walk starts (3, k) until each is near the goal (3,) or does not come back.

        Near: every component of the distance is below ``near``, which must be a region that the
        gait does not let go, or starts that only pass by are caught: halve it to see.
        """
        label = np.full(y.shape[1], UNDECIDED)
        steps = np.zeros(y.shape[1], dtype=np.int64)
        walking = np.arange(y.shape[1])
        for step in range(most + 1):
            close = (np.abs(y - goal[:, None]) < near).all(axis=0)
            label[walking[close]] = ARRIVES
            walking, y = walking[~close], y[:, ~close]
            if step == most or not walking.size:
                break
            y, returns = self._return(y)
            steps[walking] = step + 1
            label[walking[~returns]] = FALLS
            walking, y = walking[returns], y[:, returns]
        return [label.tolist(), steps.tolist()]

    def _return(self, y: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Points (3, k) after a step, and which came back; none that does not stand on one foot."""
        x = after_strike(y)
        stands = (ground_force(self._machine, self._law, x)[1] > 0.0) & old_foot_leaves(x)
        passage = batch_step(self._system, BEHIND, x, STRIKE, _MOST_TIME, _STEP)
        return passage.x[SECTION], passage.arrived & stands


_SECTION = ["q1", "dq1", "dq2"]
_FAR = 1e3  # rad, rad/s: no walker is there
_MOST = 10_000_000  # points: some gigabytes, and days


@dataclass
class Basin(Checked, at="analysis."):
    """Basin of attraction of the compass' gait, for several gains of its hip (0: passive)."""

    # Gains of the energy shaping at the hip [s], one after another; 0 is the passive walker.
    gains: list[float] = field(default_factory=lambda: [0.0, 0.15])
    # Bound of its torque [N m], approached smoothly; absent: none.
    most_torque: float | None = None
    # Box of starts: lower and upper corner in q1 [rad], q1' and q2' [rad/s].
    lower: list[float] = field(default_factory=lambda: [0.10, -2.2, -2.0])
    upper: list[float] = field(default_factory=lambda: [0.45, -0.4, 4.0])
    # Starts drawn at random in the box, by the scenario's seed, each walked to its end.
    sample: int = between(64_000, 1, _MOST)
    # Points along q1' and q2' of the slice through the gait.
    points: list[int] = field(default_factory=lambda: [161, 161])
    # Steps after which a start that neither fell nor came near the gait is left undecided.
    most_steps: int = positive(100)
    # Near: distance from the gait in every component [rad, rad/s].
    near: float = positive(0.02)

    def __post_init__(self) -> None:
        """Refuse boxes that hold nothing."""
        super().__post_init__()
        sizes = (len(self.lower), len(self.upper))
        ordered = all(-_FAR < a < b < _FAR for a, b in zip(self.lower, self.upper, strict=False))
        if sizes != (3, 3) or not ordered:
            raise ScenarioError(
                f"analysis: the box {self.lower} to {self.upper} holds nothing: give three numbers "
                f"each, below {_FAR:g}, the lower ones smaller."
            )
        if len(self.points) != 2 or min(self.points) < 2 or math.prod(self.points) > _MOST:
            raise ScenarioError(
                f"analysis.points are {self.points}: give two counts above 1, of no more than "
                f"{_MOST} points."
            )
        if not self.gains:
            raise ScenarioError("analysis.gains are none: give at least one gain.")
        for gain in self.gains:
            self._law(0.0, gain)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return read_metrics(__package__, "basin.md")

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Basins for all gains; raises RunError for a walker without a gait.

        Raises ScenarioError for a box that the gait is not in, and as `exact_walker` does.
        """
        parameters = exact_walker(context)
        gait = find_cycle(parameters)
        self._require_inside(gait)
        labels, steps, reached = [], [], []
        for number, gain in enumerate(self.gains):
            law = self._law(gait.energy, gain)
            walk = BatchWalk(parameters, law, analysis, f"gain {gain:g} s", number, len(self.gains))
            reached.append(self._sample(walk, gait, context.seed))
            label, taken = self._slice(walk, gait)
            labels.append(label)
            steps.append(taken)
        data = self._dataset(gait, np.array(labels), np.array(steps))
        return AnalysisResult(data, _metrics(self.gains, np.array(reached), data))

    def _law(self, energy: float, gain: float) -> EnergyShapingParameters | None:
        """The hip's law, None for a passive one; raises ScenarioError for numbers of no law."""
        try:
            law = EnergyShapingParameters(energy, gain, self.most_torque)
        except ValueError as error:
            raise ScenarioError(f"analysis: {error}.") from error
        return law if gain > 0.0 else None

    def _require_inside(self, gait: Cycle) -> None:
        """Raise ScenarioError where the gait is outside the box."""
        y = gait.fixed_point.orbit[0]
        if ((y < self.lower) | (y > self.upper)).any():
            raise ScenarioError(
                f"analysis: the gait, {np.round(y, 3).tolist()}, is not in the box {self.lower} to "
                f"{self.upper}: make it larger."
            )

    def _slice_axes(self) -> tuple[Array, Array]:
        return (
            np.linspace(self.lower[1], self.upper[1], self.points[0]),
            np.linspace(self.lower[2], self.upper[2], self.points[1]),
        )

    def _sample(self, walk: BatchWalk, gait: Cycle, seed: int) -> npt.NDArray[np.bool_]:
        """Mask of the random starts that reach the gait; the same starts for every gain."""
        draws = np.random.default_rng(seed).random((3, self.sample))
        low, high = np.array(self.lower)[:, None], np.array(self.upper)[:, None]
        label, _ = walk.settled(
            SAMPLE, low + (high - low) * draws, gait, self.most_steps, self.near
        )
        return np.asarray(label == ARRIVES)

    def _slice(self, walk: BatchWalk, gait: Cycle) -> tuple[Array, Array]:
        """Label and steps of every point of the slice."""
        y = gait.fixed_point.orbit[0]
        rates, swings = np.meshgrid(*self._slice_axes(), indexing="ij")
        start = np.array([np.full(rates.size, y[0]), rates.ravel(), swings.ravel()])
        label, taken = walk.settled(SLICE, start, gait, self.most_steps, self.near)
        return label.reshape(rates.shape), taken.reshape(rates.shape)

    def _dataset(self, gait: Cycle, label: Array, steps: Array) -> xr.Dataset:
        rates, swings = self._slice_axes()
        picture = ("gain", "rate", "swing")
        return xr.Dataset(
            {
                "label": (picture, label, {"units": "1", "long_name": "0 falls, 1 gait, -1 open"}),
                "steps": (picture, steps, {"units": "1", "long_name": "steps until then"}),
                "gait": ("component", gait.fixed_point.orbit[0], {"units": "rad, rad/s"}),
            },
            {
                "gain": ("gain", np.array(self.gains), {"units": "s"}),
                "rate": ("rate", rates, {"units": "rad/s", "long_name": "q1' after heel strike"}),
                "swing": (
                    "swing",
                    swings,
                    {"units": "rad/s", "long_name": "q2' after heel strike"},
                ),
                "component": _SECTION,
            },
        )


def _metrics(
    gains: list[float], reached: npt.NDArray[np.bool_], data: xr.Dataset
) -> dict[str, Metric]:
    """Metrics of the pieces; reached: mask of the random starts by gain, (gains, sample)."""
    label, steps = data["label"].to_numpy(), data["steps"].to_numpy()
    medians = [
        float(np.median(taken[here == 1])) if (here == 1).any() else math.nan
        for here, taken in zip(label, steps, strict=True)
    ]
    counts, sample = reached.sum(axis=1), reached.shape[1]
    _, low, high = zip(*(wilson(int(count), sample) for count in counts), strict=True)
    widening, errors = zip(*(share_ratio(reached[0], other) for other in reached), strict=True)
    return {
        "gains": gains,
        "shares": (counts / sample).tolist(),
        "share_errors": np.sqrt(counts * (sample - counts) / sample**3).tolist(),
        "shares_from": list(low),
        "shares_to": list(high),
        "widening": list(widening),
        "widening_errors": list(errors),
        "slice_shares": (label == 1).mean(axis=(1, 2)).tolist(),
        "undecided_shares": (label == -1).mean(axis=(1, 2)).tolist(),
        "median_steps": medians,
    }

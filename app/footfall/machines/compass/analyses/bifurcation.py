"""Bifurcations of a walker's gait over the slope: branch, period doublings, chaos, its end.

The gait of period one is followed over the slope with its multipliers. The doublings are found each
on the branch of the one before. The diagram shows, for many slopes, where walks settle that begin
beside the gait of period one, stable or not. The end is the slope beyond which none lasts.
"""

import math
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult, Interrupted
from footfall.arrays import Array
from footfall.checked import Checked, between, one_of
from footfall.errors import ScenarioError
from footfall.hybrid import (
    BatchPassage,
    BranchOptions,
    Cascade,
    FixedPoint,
    Flip,
    NotFound,
    SectionMap,
    batch_step,
    find_fixed_point,
    flip_test,
    follow_branch,
    locate_flip,
    next_flip,
)
from footfall.hybrid.batch import with_parameter
from footfall.machines.compass.claims import doubling_claims
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.closed_form.simplest import LONG_STEP
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import exact_walker
from footfall.machines.compass.system import (
    BEHIND,
    STRIKE,
    return_map,
    simplest_map,
)
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics

# over the pendulum's time: step of the method for long walks (an error of 5e-11), most of a walk's
_COARSE, _MOST_TIME = 0.15, 12.0


@dataclass(frozen=True)
class SlopeFamily:
    """Walkers of one kind by the slope p [rad].

    map: their return map of y (m,) just after a heel strike, which is made of components. time:
    sqrt(l / g), in its own unit of time. start: a slope [rad], and guess: a point near the gait of
    period one there.
    """

    name: str
    map: SectionMap
    components: tuple[str, ...]
    time: float
    start: float
    guess: Array

    @property
    def time_unit(self) -> str:
        """Unit of its times: the simplest walker is without dimension."""
        return "s" if self.name == "compass" else "sqrt(l/g)"

    def step(self, y: Array, slopes: Array) -> BatchPassage:
        """One step of many walkers: points y (m, k) on slopes (k,), which come last in x."""
        x = np.vstack((self.map.embed(y), slopes))
        system = with_parameter(self.map.family, self.start)
        return batch_step(system, BEHIND, x, STRIKE, _MOST_TIME * self.time, _COARSE * self.time)

    def back(self, passage: BatchPassage) -> Array:
        """Points y (m, k) after a step; NaN where it does not come back."""
        return np.where(passage.arrived, self.map.project(passage.x), np.nan)


def compass_family(parameters: CompassParameters, gait: FixedPoint) -> SlopeFamily:
    """A compass by the slope, with a gait of it on its own slope."""
    components, start = ("q1", "dq1", "dq2"), (parameters.theta, gait.orbit[0])
    return SlopeFamily("compass", return_map(parameters), components, parameters.unit, *start)


def simplest_family() -> SlopeFamily:
    """The simplest walker, whose slope is its only parameter."""
    start = LONG_STEP.gamma, np.array([LONG_STEP.theta, LONG_STEP.dtheta])
    return SlopeFamily("simplest", simplest_map(), ("theta", "dtheta"), 1.0, *start)


_BATCH = 120  # slopes of the diagram that walk together
_LASTS = 500  # steps that a walk near the end has to last
_ROUNDS, _AT_ONCE = 2, 16  # searches for the end, and slopes in each
_AGAIN = 1e-6  # of y: a state that comes back so near is periodic
_NUDGE = 1e-4  # of y: off a gait that may be unstable


class StepSeries(NamedTuple):
    """Steps that a walk is given to settle, and steps that are kept then."""

    settle: int
    keep: int


def diagram(
    family: SlopeFamily,
    branch: list[FixedPoint],
    slopes: Array,
    steps: StepSeries,
    analysis: AnalysisContext,
) -> tuple[Array, Array]:
    """Points y (slopes, keep, m) where walks settle, and the times of these steps (slopes, keep).

    NaN where a walk does not last.
    """
    known = np.array([point.p for point in branch])
    gaits = np.array([point.orbit[0] for point in branch])
    start = np.array([np.interp(slopes, known, gaits[:, j]) for j in range(gaits.shape[1])])
    start *= 1.0 + _NUDGE
    batches = []
    for first in range(0, len(slopes), _BATCH):
        part = slice(first, first + _BATCH)
        analysis.go_on("diagram", 0.5 + 0.4 * first / len(slopes))

        work = partial(_walk, steps, family, start[:, part], slopes[part])
        batches.append(analysis.checkpoint.result(f"diagram {first}", work))
    walks = np.concatenate([np.array(batch[0]) for batch in batches])
    return walks, np.concatenate([np.array(batch[1])[:, :, 0] for batch in batches])


def _walk(
    steps: StepSeries, family: SlopeFamily, y: Array, slopes: Array
) -> list[list[list[list[float]]]]:
    """The last steps of walks from y (m, k) on slopes (k,): points and times, as lists."""
    points, times = [], []
    for number in range(steps.settle + steps.keep):
        passage = family.step(y, slopes)
        y = family.back(passage)
        if number >= steps.settle:
            points.append(y.T)
            times.append(np.where(passage.arrived, passage.time, np.nan)[:, None])
    shown = [np.array(points).swapaxes(0, 1), np.array(times).swapaxes(0, 1)]
    return [each.tolist() for each in shown]


def end_of_walks(
    family: SlopeFamily, slopes: Array, walks: Array, analysis: AnalysisContext
) -> tuple[float, float]:
    """The steepest slope on which a walk lasts, and the next one tried, on which it does not."""
    lasts = np.asarray(np.isfinite(walks).all(axis=(1, 2)))
    if not lasts.any() or lasts[-1]:
        return (float(slopes[-1]) if lasts.any() else float("nan")), float("nan")
    last = int(np.flatnonzero(lasts)[-1])
    low, high, y = float(slopes[last]), float(slopes[last + 1]), walks[last, -1]
    for number in range(_ROUNDS):
        analysis.go_on("where walks end", 0.9 + 0.1 * number / _ROUNDS)
        tried = np.linspace(low, high, _AT_ONCE + 1)
        work = partial(_last_of, family, tried, y, analysis)
        index, at = analysis.checkpoint.result(f"end {number + 1}", work)
        y = np.array(at)
        if index == _AT_ONCE:  # a walk from here lasts where the diagram's did not: look further
            low, high = high, 2.0 * high - low
        else:
            low, high = float(tried[index]), float(tried[index + 1])
    return low, high


def _last_of(
    family: SlopeFamily, slopes: Array, y: Array, analysis: AnalysisContext
) -> list[object]:
    """Index of the steepest of slopes on which a walk from y (m,) lasts, and where it ends."""
    points = np.repeat(y[:, None], len(slopes), axis=1)
    for _ in range(_LASTS):
        if analysis.stopped():
            raise Interrupted
        points = family.back(family.step(points, slopes))
    lasting = np.flatnonzero(np.isfinite(points).all(axis=0))
    index = int(lasting[-1]) if lasting.size else 0
    return [index, points[:, index].tolist() if lasting.size else y.tolist()]


def periods_of(walks: Array) -> npt.NDArray[np.int64]:
    """Period of every walk (slopes, keep, m); 0 for one that has none that short, -1 for none."""
    periods = np.zeros(len(walks), dtype=np.int64)
    for number, walk in enumerate(walks):
        if not np.isfinite(walk).all():
            periods[number] = -1
            continue
        for period in range(1, len(walk) // 2 + 1):
            if np.abs(walk[period:] - walk[:-period]).max() < _AGAIN:
                periods[number] = period
                break
    return periods


_MOST = 100_000_000  # steps of all walks of a diagram: days
WALKERS = ("compass", "simplest")
_SMALL = 1e-3  # amplitude of a doubled orbit with which its branch begins, over that of the orbit


@dataclass
class Bifurcation(Checked, at="analysis."):
    """Bifurcation diagram of a walker over the slope."""

    # a scenario may name it without its tag, as files of old do
    untagged: ClassVar[bool] = True

    # "compass", the walker of the scenario, or "simplest", that of Garcia et al. (1998).
    walker: str = one_of("compass", WALKERS)
    # Slopes [degrees, falling]: from the gentlest to the steepest.
    from_deg: float = 0.5
    to_deg: float = 5.3
    # Slopes of the diagram: a third up to the first doubling, the others from there on.
    slopes: int = between(481, 2, _MOST)
    # Steps that a walk is given to settle at each slope, and steps that are kept then.
    settle: int = between(300, 1, _MOST)
    keep: int = between(64, 1, _MOST)
    # Period doublings to find, the first included.
    doublings: int = between(5, 1, _MOST)

    def __post_init__(self) -> None:
        """Refuse ranges and counts that make no diagram."""
        super().__post_init__()
        if not 0.0 < self.from_deg < self.to_deg < 45.0:
            raise ScenarioError(
                f"analysis: slopes from {self.from_deg} to {self.to_deg} degrees: give "
                "0 < from_deg < to_deg < 45."
            )
        if self.slopes * (self.settle + self.keep) > _MOST:
            raise ScenarioError(
                f"analysis: slopes {self.slopes}, settle {self.settle}, keep {self.keep} are more "
                f"than {_MOST} steps: give fewer."
            )

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return read_metrics(__package__, "bifurcation.md")

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Branch, doublings, diagram, end; raises RunError where there is no gait to begin with."""
        if self.walker == "simplest":
            family = simplest_family()
        else:
            parameters = exact_walker(context)
            family = compass_family(parameters, find_cycle(parameters).fixed_point)
        branch, stops = _branch(self, family, analysis)
        flips = _doublings(self, family, branch, analysis)
        slopes = self._diagram_slopes(flips)
        steps = StepSeries(self.settle, self.keep)
        walks, times = diagram(family, branch, slopes, steps, analysis)
        end = end_of_walks(family, slopes, walks, analysis)
        data = _dataset(family, branch, flips, (slopes, walks, times)).assign_attrs(stops=stops)
        metrics = _metrics(branch, flips, end)
        claims = doubling_claims(metrics) if family.name == "simplest" else ()
        return AnalysisResult(data, metrics, claims)

    def _diagram_slopes(self, flips: list[Flip]) -> Array:
        """Slopes [rad], rising; evenly spaced on either side of the first doubling."""
        low, high = math.radians(self.from_deg), math.radians(self.to_deg)
        if not flips or not low < flips[0].p < high:
            return np.linspace(low, high, self.slopes)
        before = max(self.slopes // 3, 1)
        calm = np.linspace(low, flips[0].p, before, endpoint=False)
        return np.concatenate((calm, np.linspace(flips[0].p, high, self.slopes - before)))


def _branch(
    options: Bifurcation, family: SlopeFamily, analysis: AnalysisContext
) -> tuple[list[FixedPoint], str]:
    """The gait of period one from the gentlest slope to the steepest, by rising slope.

    Also where and why it ends before them, if it does.
    """
    low, high = math.radians(options.from_deg), math.radians(options.to_deg)

    def follow() -> dict[str, object]:
        start = find_fixed_point(family.map, family.guess, family.start)
        points = [start]
        # from outside of the range the farther end alone, or the nearer part would count twice
        ends = [low] * (start.p > low) + [high] * (start.p < high)
        length = sum(abs(end - start.p) for end in ends)
        passed, stops = 0.0, []

        def progress(p: float) -> None:
            analysis.go_on("gait of period one", 0.15 * (passed + abs(p - start.p)) / length)

        for end in ends:
            branch = follow_branch(family.map, start, end, BranchOptions(longest=0.03), progress)
            points += branch.points[1:]
            passed += abs(end - start.p)
            if branch.stop:
                at = math.degrees(branch.points[-1].p)
                stops.append(f"The gait of period one ends at {at:.4g} degrees: {branch.stop}.")
        points.sort(key=lambda point: point.p)
        return {"points": [_to_json(point) for point in points], "stops": " ".join(stops)}

    saved = analysis.checkpoint.result("branch", follow)
    return [_from_json(one) for one in saved["points"]], saved["stops"]


def _doublings(
    options: Bifurcation, family: SlopeFamily, branch: list[FixedPoint], analysis: AnalysisContext
) -> list[Flip]:
    """The flips of periods 1, 2, 4, ..., as many as are asked for and found."""
    flips: list[Flip] = []
    small = _SMALL * float(np.abs(branch[0].orbit).max())
    for level in range(options.doublings):
        analysis.go_on(f"doubling {level + 1}", 0.15 + 0.35 * level / options.doublings)
        work = partial(_next_doubling, family, branch, tuple(flips), small)
        saved = analysis.checkpoint.result(f"doubling {level + 1}", work)
        if saved is None:
            break
        flips.append(Flip.at(_from_json(saved)))
        small = _SMALL * float(saved["amplitude"])
    return flips


def _next_doubling(
    family: SlopeFamily, branch: list[FixedPoint], flips: tuple[Flip, ...], small: float
) -> dict[str, object] | None:
    """The flip that follows those that are known, as JSON holds it; None where none is found.

    small: amplitude with which the branch of a doubled orbit begins.
    """
    try:
        if flips:
            flip, amplitude = next_flip(family.map, flips[-1], small)
        else:
            pairs = pairwise(branch)
            bracket = next(p for p in pairs if flip_test(p[0].D) * flip_test(p[1].D) < 0.0)
            flip, amplitude = locate_flip(family.map, *bracket), small / _SMALL
    except (NotFound, StopIteration):
        return None
    return {**_to_json(flip.point), "amplitude": amplitude}


def _to_json(point: FixedPoint) -> dict[str, object]:
    """A fixed point as JSON holds it."""
    return {"p": point.p, "orbit": point.orbit.tolist(), "D": point.D.tolist()}


def _from_json(saved: dict[str, Any]) -> FixedPoint:
    """A fixed point back from JSON."""
    return FixedPoint(float(saved["p"]), np.array(saved["orbit"]), np.array(saved["D"]))


def _dataset(
    family: SlopeFamily,
    branch: list[FixedPoint],
    flips: list[Flip],
    diagram: tuple[Array, Array, Array],
) -> xr.Dataset:
    slopes, walks, times = diagram
    multipliers = np.array([point.multipliers for point in branch])
    gait = np.array([point.orbit[0] for point in branch])
    radians = {"units": "rad"}
    mixed = {"units": "rad, rad/s"}
    return xr.Dataset(
        {
            "walk": (("slope", "kept", "component"), walks, mixed),
            "step_time": (("slope", "kept"), times, {"units": family.time_unit}),
            "period": ("slope", periods_of(walks), {"units": "steps"}),
            "gait": (("branch_slope", "component"), gait, mixed),
            "multiplier_real": (("branch_slope", "multiplier"), multipliers.real, {"units": "1"}),
            "multiplier_imag": (("branch_slope", "multiplier"), multipliers.imag, {"units": "1"}),
            "flip_period": ("flip_slope", [f.point.period for f in flips], {"units": "steps"}),
        },
        {
            "slope": ("slope", slopes, radians),
            "branch_slope": ("branch_slope", [point.p for point in branch], radians),
            "flip_slope": ("flip_slope", np.array([flip.p for flip in flips]), radians),
            "component": list(family.components),
        },
        {"walker": family.name},
    )


def _metrics(
    branch: list[FixedPoint], flips: list[Flip], end: tuple[float, float]
) -> dict[str, Metric]:
    cascade = Cascade(tuple(flips))
    return {
        "period_doubling_slopes_deg": np.degrees(cascade.p).tolist(),
        "period_doubling_slopes": cascade.p.tolist(),
        "doubled_periods": [float(flip.point.period) for flip in flips],
        "feigenbaum_ratios": cascade.ratios.tolist() if len(flips) > 2 else [],
        "accumulation_slope_deg": math.degrees(cascade.accumulation),
        "accumulation_error_deg": math.degrees(cascade.error),
        "last_slope_deg": math.degrees(end[0]),
        "first_lost_slope_deg": math.degrees(end[1]),
        "largest_multiplier_at_start": float(np.abs(branch[0].multipliers).max()),
    }

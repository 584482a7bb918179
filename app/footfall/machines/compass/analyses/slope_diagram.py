"""Bifurcation diagram: settled walks on many slopes, and the slope beyond which none lasts."""

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.analysis.context import AnalysisContext, Interrupted
from footfall.arrays import Array
from footfall.hybrid import FixedPoint
from footfall.machines.compass.analyses.slope_family import SlopeFamily

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
    found = []
    for first in range(0, len(slopes), _BATCH):
        part = slice(first, first + _BATCH)
        analysis.go_on("diagram", 0.5 + 0.4 * first / len(slopes))

        work = partial(_walk, steps, family, start[:, part], slopes[part])
        found.append(analysis.checkpoint.result(f"diagram {first}", work))
    walks = np.concatenate([np.array(batch[0]) for batch in found])
    return walks, np.concatenate([np.array(batch[1])[:, :, 0] for batch in found])


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

"""Numbers of the optimum in docs/machines/ugv.md, see scripts/page_numbers.py."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from passage import Passage

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario


@functools.cache
def _metrics(name: str) -> Mapping[str, Any]:
    scenario = load_scenario(f"ugv/{name}")
    asked: Any = scenario.analysis
    context = context_of(scenario, build_robot(scenario))
    found: AnalysisResult = asked.run(context, AnalysisContext())
    return found.metrics


def _row(name: str) -> Callable[[], Sequence[float]]:
    """Criterion of given angles, of the best that stay and of the best found, and the bound."""

    def values() -> Sequence[float]:
        given, fixed, *_, best = _metrics(name)["criterion_values"]
        return [given, fixed, best, _metrics(name)["criterion_bound"]]

    return values


def _dear() -> Sequence[float]:
    """Share that moving legs gain, what they are given, what legs that stay are, and the ratio."""
    _, fixed, *_, best = _metrics("optimum")["criterion_values"]
    _, still, *_, moving = _metrics("optimum")["supplied_energy"]
    return [100.0 * (1.0 - best / fixed), moving, still, moving / still]


def _least() -> Sequence[float]:
    metrics = _metrics("optimum")
    return [
        metrics["criterion_bound"],
        metrics["criterion_values"][-1] - metrics["criterion_bound"],
    ]


PASSAGES = (
    Passage(
        "bump of 0.1 m | {:.2f} N m | {:.2f} N m (160, 160) | {:.2f} N m | {:.2f} N m |",
        _row("optimum"),
        slow=True,
    ),
    Passage(
        "two waves of 0.1 m | {:.2f} N m | {:.2f} N m | {:.2f} N m | {:.2f} N m |",
        _row("optimum_peak"),
        slow=True,
    ),
    Passage("bump of 1 m | {:.4f} | {:.4f} | {:.5f} | {:.5f} |", _row("hill"), slow=True),
    Passage(
        "step of 0.12 m | {:.4f} | {:.5f} (160, 90) | {:.5f} | {:.5f} |", _row("step"), slow=True
    ),
    Passage(
        "nor nearly: {:.2f} N m remain for any motion of any legs between 90 and 160 degrees, "
        "however fast, and the path of the grid is optimal to {:.2f} N m",
        lambda: [_least()[0], _least()[1] + 0.005],  # rounded up
        slow=True,
    ),
    Passage(
        "The last {:.1f} % are dear: wheels and legs are given {:.0f} J, where legs that stay take "
        "{:.0f} J, {:.1f} times as much",
        _dear,
        slow=True,
    ),
)
"""Words of the page, with what computes their numbers; of the rest of the page nothing is said."""

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
def _metrics(name: str, *settings: str) -> Mapping[str, Any]:
    scenario = load_scenario(f"ugv/{name}", settings)
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


def _by(criterion: str) -> Mapping[str, Any]:
    """Metrics of the document's bump by another criterion."""
    return _metrics("optimum", f"analysis.criterion={criterion}")


def _of(criterion: str) -> Callable[[], Sequence[float]]:
    """Criterion of given angles, of the best that stay and of the best found."""

    def values() -> Sequence[float]:
        given, fixed, *_, best = _by(criterion)["criterion_values"]
        return [given, fixed, best]

    return values


def _normal() -> Sequence[float]:
    return [*_of("normal_force")(), _by("normal_force")["criterion_bound"]]


def _normal_left() -> Sequence[float]:
    *_, best, bound = _normal()
    return [bound - best]


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
        "`criterion: torque_rms` | {:.2f} N m | {:.2f} N m (160, 160) | {:.2f} N m |",
        _of("torque_rms"),
        slow=True,
        minutes=True,
    ),
    Passage(
        "`criterion: normal_force`, the most | {:.0f} N | {:.0f} N (160, 160) | {:.0f} N "
        "| {:.0f} N |",
        _normal,
        slow=True,
        minutes=True,
    ),
    Passage(
        "`criterion: wheel_energy` | {:.1f} J | {:.1f} J (160, 160) | {:.1f} J |",
        _of("wheel_energy"),
        slow=True,
        minutes=True,
    ),
    Passage(
        "{:.0f} J are supplied in all",
        lambda: [_by("wheel_energy")["supplied_energy"][-1]],
        slow=True,
        minutes=True,
    ),
    Passage("The normal force is optimal to {:.1f} N", _normal_left, slow=True, minutes=True),
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

"""Value of a metric: a number, numbers in a list, or numbers by name, as those of every foot."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

# a list may hold lists: complex numbers are pairs of real and imaginary part
Metric: TypeAlias = float | Sequence["Metric"] | Mapping[str, float]

_SHOWN = 3  # of numbers by name, in a table


def scalar(metrics: Mapping[str, Metric], name: str) -> float:
    """The number of a name; NaN where there is none, or several."""
    value = metrics.get(name, math.nan)
    return float(value) if isinstance(value, int | float) else math.nan


def text_of(metric: Metric, number: Callable[[float], str]) -> str:
    """A metric in words: ``number`` writes a number, lists are bracketed.

    Of numbers by name the largest few are told.
    """
    if isinstance(metric, int | float):
        return number(float(metric))
    if isinstance(metric, Mapping):
        return _largest(metric, number)
    return f"[{', '.join(text_of(part, number) for part in metric)}]"


def _largest(metric: Mapping[str, float], number: Callable[[float], str]) -> str:
    """Numbers by name, the largest first; how many more there are, or that all are the same."""
    if len(metric) > 1 and len(set(metric.values())) == 1:
        return f"{number(next(iter(metric.values())))} (all {len(metric)})"
    order = sorted(
        metric, key=lambda name: -abs(metric[name]) if metric[name] == metric[name] else 0.0
    )
    shown = order if len(order) <= _SHOWN + 1 else order[:_SHOWN]
    texts = [f"{name} {number(metric[name])}" for name in shown]
    more = len(order) - len(shown)
    return ", ".join(texts) + (f" and {more} lower" if more else "")


def from_json(value: object) -> Metric:
    """Read a metric back; null was not a finite number. Raises TypeError for anything else."""
    if isinstance(value, list):
        return [from_json(part) for part in value]
    if isinstance(value, dict):
        return {str(name): _number(part) for name, part in value.items()}
    return _number(value)


def _number(value: object) -> float:
    """Read a number back; null was not a finite one. Raises TypeError for anything else."""
    if value is None:
        return math.nan
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"{value!r} is no metric")

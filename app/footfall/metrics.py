"""Value of a metric: a number, or numbers in a list, as the components of a fixed point."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

# a list may hold lists: complex numbers are pairs of real and imaginary part
Metric: TypeAlias = float | Sequence["Metric"]


def scalar(metrics: Mapping[str, Metric], name: str) -> float:
    """The number of a name; NaN where there is none or a list."""
    value = metrics.get(name, math.nan)
    return float(value) if isinstance(value, int | float) else math.nan


def text_of(metric: Metric, number: Callable[[float], str]) -> str:
    """A metric in words: ``number`` writes a number, lists are bracketed."""
    if isinstance(metric, int | float):
        return number(float(metric))
    return f"[{', '.join(text_of(part, number) for part in metric)}]"


def from_json(value: object) -> Metric:
    """Read a metric back; null was not a finite number. Raises TypeError for anything else."""
    if value is None:
        return math.nan
    if isinstance(value, list):
        return [from_json(part) for part in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"{value!r} is no metric")

"""Value of a metric: a number, numbers in a list, or numbers by name, as those of every foot."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

# a list may hold lists: complex numbers are pairs of real and imaginary part
Metric: TypeAlias = float | Sequence["Metric"] | Mapping[str, float]

ABOUT_SOLVER = ("energy_gain", "energy_residual", "max_residual", "median_iterations")
"""Metrics of how well the contact problems of a run were solved."""
_FIRST = ("fallen", "fall_time", "rest_time", "base_displacement")
_LAST = ("duration", "min_gap", "final_penetration", "energy_drift", "realtime_factor")
_SHOWN = 3  # of numbers by name, in a table


def short(value: float, digits: int = 5) -> str:
    """A number short enough for a table; a dash for what there is not."""
    return "-" if math.isnan(value) else f"{value:.{digits}g}"


def most_telling(names: Iterable[str]) -> list[str]:
    """Order metrics as a reader wants them: how a run ended, what it did, what any run has."""
    ranks = dict.fromkeys(_FIRST, -1) | {name: k for k, name in enumerate(_LAST + ABOUT_SOLVER, 1)}
    return sorted(names, key=lambda name: ranks.get(name, 0))


def scalar(metrics: Mapping[str, Metric], name: str) -> float:
    """The number of a name; NaN where there is none, or several."""
    value = metrics.get(name, math.nan)
    return float(value) if isinstance(value, int | float) else math.nan


def largest(metrics: Mapping[str, Metric], name: str) -> float:
    """The number of a name, the largest one of numbers by name; NaN where there is none."""
    value = metrics.get(name)
    return max(value.values()) if isinstance(value, Mapping) and value else scalar(metrics, name)


def text_of(metric: Metric, number: Callable[[float], str], unit: str = "") -> str:
    """A metric in words, as `lines_of` has them: lists are bracketed, numbers by name are not."""
    lines = lines_of(metric, number, unit)
    if isinstance(metric, int | float):
        return lines[0]
    if isinstance(metric, Mapping):
        more = lines[_SHOWN:] if len(metric) > len(lines) > 1 else []
        return " ".join([", ".join(lines[:-1] if more else lines), *more])
    return f"[{', '.join(lines)}]"


def lines_of(metric: Metric, number: Callable[[float], str], unit: str = "") -> list[str]:
    """The numbers of a metric as texts, each with its unit where every one has its own.

    Of numbers by name the largest few are told, the largest first, and how many more there are, or
    that all are the same. number: writes one.
    """
    if isinstance(metric, int | float):
        return [number(float(metric))]
    if isinstance(metric, Mapping):
        return _largest(metric, number)
    own = [""] * len(metric) if common_unit(metric, unit) == unit else unit.split(", ")
    return [
        f"{text_of(part, number)} {each.removeprefix('1')}".rstrip()
        for part, each in zip(metric, own, strict=True)
    ]


def common_unit(metric: Metric, unit: str) -> str:
    """The unit that all numbers of a metric have; empty where each has its own."""
    count = len(metric) if isinstance(metric, Sequence) else 1
    return "" if count == unit.count(", ") + 1 > 1 else unit


def _largest(metric: Mapping[str, float], number: Callable[[float], str]) -> list[str]:
    """Numbers by name, the largest first; how many more there are, or that all are the same."""
    if len(metric) > 1 and len(set(metric.values())) == 1:
        return [f"{number(next(iter(metric.values())))} (all {len(metric)})"]
    order = sorted(
        metric, key=lambda name: -abs(metric[name]) if metric[name] == metric[name] else 0.0
    )
    shown = order if len(order) <= _SHOWN + 1 else order[:_SHOWN]
    more = len(order) - len(shown)
    texts = [f"{name} {number(metric[name])}" for name in shown]
    return [*texts, f"and {more} lower"] if more else texts


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

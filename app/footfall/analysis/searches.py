"""Searches along an axis of a sweep, among simulations: optima, and borders of success.

Each begins between two neighbours on the axis, for every place on the other axes; all of them go on
together, a simulation each at a time.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from footfall.analysis.axes import Axis
from footfall.analysis.runs import Outcome, Point
from footfall.checked import Checked, between, finite, one_of
from footfall.errors import ScenarioError

_SHARE = "give a share between 0 and 1"
_BELOW, _ABOVE = "_below", "_above"
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0

Search = Generator[float, Outcome, tuple[float, float]]
"""Asks for the outcomes at values, and returns two numbers in the end."""


@dataclass
class Optimum(Checked, at="!Optimum: "):
    """Place on an axis where a measure is largest or smallest, found by golden section."""

    # Metric that is wanted large or small, and the axis, as it is named in ``over``.
    measure: str = ""
    over: str = ""
    # max or min.
    sense: str = one_of("max", ("max", "min"))
    # Where the search ends: share of the distance between neighbours on the axis.
    tolerance: float = between(1e-3, 0.0, 1.0, _SHARE, open_low=True, open_high=True)


@dataclass
class Border(Checked, at="!Border: "):
    """Place on an axis where runs begin or cease to succeed, found by bisection."""

    # The axis, as it is named in ``over``.
    over: str = ""
    # Where the search ends: share of the distance between neighbours on the axis.
    tolerance: float = between(1e-2, 0.0, 1.0, _SHARE, open_low=True, open_high=True)
    # Value around which runs succeed: the borders below and above it are found, beside the place on
    # the axis that is nearest to it. Left out: the first border on the axis.
    around: float | None = finite(None)

    def sides(self) -> dict[str, str]:
        """Return the sides of ``around`` that are searched, with what is found there."""
        if self.around is None:
            return {"": "at the first border of success"}
        words = f"border of success around {self.around:g}"
        return {_BELOW: f"at the lower {words}", _ABOVE: f"at the upper {words}"}

    def neighbours(
        self, axis: Axis, succeeded: Sequence[bool], side: str
    ) -> tuple[int, int] | None:
        """Return two places on an axis between which the border on a side lies; None for none."""
        order = list(range(len(succeeded)))
        if (around := self.around) is not None:
            places = [float(label) for label in axis.labels]
            order.sort(key=places.__getitem__)
            nearest = min(order, key=lambda k: abs(places[k] - around))
            if not succeeded[nearest]:
                return None
            begin = order.index(nearest)
            order = order[begin:] if side == _ABOVE else order[begin::-1]
        pairs = pairwise(order)
        return next(((k, j) for k, j in pairs if succeeded[k] != succeeded[j]), None)


def read_optimum(text: str) -> Optimum:
    """Read an optimum of the command line, ``max:measure:axis``; raises ScenarioError for none."""
    parts = text.split(":")
    if len(parts) != 3:
        raise ScenarioError(f"--best {text}: write it as max:measure:axis, or min:measure:axis.")
    return Optimum(sense=parts[0].strip(), measure=parts[1].strip(), over=parts[2].strip())


def read_border(text: str) -> Border:
    """Read a border of the command line, ``axis`` or ``axis@value``; ScenarioError for none."""
    axis, around, value = text.partition("@")
    if not around:
        return Border(over=axis.strip())
    try:
        return Border(over=axis.strip(), around=float(value))
    except ValueError:
        raise ScenarioError(
            f"--border {text}: write it as axis, or as axis@value for both borders around a value."
        ) from None


def optimum_search(
    axis: Axis,
    values: Sequence[float],
    sense: str,
    tolerance: float,
    of: Callable[[Outcome], float],
) -> Search:
    """Search for the largest or smallest of ``of`` beside the best value of an axis.

    values: at the places of the axis. Returns the place and the value there; NaN both where none is
    a number, or the best is at an end of the axis, which is no optimum.
    """
    sign = 1.0 if sense == "max" else -1.0
    known = sign * np.array(values, dtype=np.float64)
    if np.isnan(known).all():
        return math.nan, math.nan
    best = int(np.nanargmax(known))
    if best in (0, len(known) - 1):
        return math.nan, math.nan
    places = _scaled(axis)
    low, high = places[best - 1], places[best + 1]
    end = tolerance * max(abs(places[best] - low), abs(high - places[best]))
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    heights = [0.0, 0.0]
    for k, place in enumerate(inner):
        heights[k] = sign * of((yield _unscaled(axis, place)))
    while abs(high - low) > end:
        if not heights[0] < heights[1]:  # so that what is no number counts as less on either side
            high, inner[1], heights[1] = inner[1], inner[0], heights[0]
            inner[0] = high - _GOLDEN * (high - low)
            heights[0] = sign * of((yield _unscaled(axis, inner[0])))
        else:
            low, inner[0], heights[0] = inner[0], inner[1], heights[1]
            inner[1] = low + _GOLDEN * (high - low)
            heights[1] = sign * of((yield _unscaled(axis, inner[1])))
    k = int(heights[1] > heights[0])
    return _unscaled(axis, inner[k]), sign * heights[k]


def border_search(
    axis: Axis,
    between: tuple[int, int] | None,
    first: bool,
    tolerance: float,
    of: Callable[[Outcome], bool],
) -> Search:
    """Bisect between two places on an axis of which one succeeds and the other does not.

    first: whether the first of them does. Returns the middle of the last two values, and half of
    their distance; NaN both where there are no such places.
    """
    if between is None:
        return math.nan, math.nan
    places = _scaled(axis)
    low, high = places[between[0]], places[between[1]]
    end = tolerance * abs(high - low)
    while abs(high - low) > end:
        middle = 0.5 * (low + high)
        if of((yield _unscaled(axis, middle))) == first:
            low = middle
        else:
            high = middle
    ends = _unscaled(axis, low), _unscaled(axis, high)
    return 0.5 * (ends[0] + ends[1]), 0.5 * abs(ends[1] - ends[0])


def together(
    searches: Sequence[tuple[Point, str, Search]],
    run: Callable[[Sequence[Point]], list[Outcome]],
) -> list[tuple[float, float]]:
    """Carry searches out, each of a path from a point, and return what they find."""
    results: dict[int, tuple[float, float]] = {}
    asked: dict[int, float] = {}

    def go_on(number: int, outcome: Any) -> None:  # noqa: ANN401 (None begins a generator)
        try:
            asked[number] = searches[number][2].send(outcome)
        except StopIteration as end:
            results[number] = end.value

    for number in range(len(searches)):
        go_on(number, None)
    while asked:
        now, asked = asked, {}
        points = [searches[number][0].also(searches[number][1], x) for number, x in now.items()]
        for number, outcome in zip(now, run(points), strict=True):
            go_on(number, outcome)
    return [results[number] for number in range(len(searches))]


def _scaled(axis: Axis) -> list[float]:
    values = [float(label) for label in axis.labels]
    return [math.log(value) for value in values] if axis.logarithmic else values


def _unscaled(axis: Axis, place: float) -> float:
    return math.exp(place) if axis.logarithmic else place

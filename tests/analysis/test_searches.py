"""Searches along an axis: optima and borders of functions whose answers are known."""

import math

import pytest

from footfall.analysis.axes import Change, LogRange, Range, axis_of_values
from footfall.analysis.runs import Outcome, Point
from footfall.analysis.searches import (
    Border,
    Optimum,
    border_search,
    optimum_search,
    read_border,
    read_optimum,
    together,
)
from footfall.errors import ScenarioError

POINT = Point("moreau", Change())


def along(axis, searches, function):
    """Carry searches out on a function of the value; returns what they find, and all values."""
    asked = []

    def run(points):
        asked.append([point.change.values[axis.name] for point in points])
        return [Outcome("done", metrics={"y": function(x)}) for x in asked[-1]]

    return together([(POINT, axis.name, search) for search in searches], run), asked


def optimum(axis, function, sense="max", tolerance=1e-6):
    values = [function(x) for x in axis.labels]
    search = optimum_search(axis, values, sense, tolerance, lambda one: one.metrics["y"])
    (found,), asked = along(axis, [search], function)
    return *found, len(asked)


@pytest.mark.parametrize("axis", [Range(0.0, 4.0, 5).axis("x"), Range(4.0, 0.0, 4).axis("x")])
def test_the_top_of_a_hill_is_found(axis):
    x, y, runs = optimum(axis, lambda x: 3.0 - (x - 1.7) ** 2)
    # a step of golden section leaves 0.618 of the interval
    assert x == pytest.approx(1.7, abs=2e-6)
    assert y == pytest.approx(3.0, abs=1e-11)
    assert runs <= 3 + math.log(2e6) / -math.log(0.618)


def test_a_trough_is_found_on_a_logarithmic_axis():
    x, _, _ = optimum(LogRange(1.0, 1e4, 5).axis("x"), lambda x: math.log(x / 200.0) ** 2, "min")
    assert x == pytest.approx(200.0, rel=1e-5)


def test_an_optimum_at_an_end_is_none():
    x, y, runs = optimum(Range(0.0, 1.0, 4).axis("x"), lambda x: x)
    assert (math.isnan(x), math.isnan(y), runs) == (True, True, 0)


def test_values_that_are_no_numbers_count_as_less():
    x, _, _ = optimum(
        Range(0.0, 4.0, 5).axis("x"), lambda x: -((x - 2.1) ** 2) if x < 2.5 else math.nan
    )
    assert x == pytest.approx(2.1, abs=1e-5)


def test_borders_are_bisected_together():
    axis = Range(0.0, 4.0, 5).axis("x")

    def search(border):
        succeeded = [x > border for x in axis.labels]
        between = Border().neighbours(axis, succeeded, "")
        return border_search(axis, between, False, 1e-3, lambda one: one.metrics["y"] > border)

    found, asked = along(axis, [search(0.3), search(2.7), search(9.0)], lambda x: x)
    for (place, error), border in zip(found, (0.3, 2.7), strict=False):
        assert abs(place - border) <= error <= 0.5e-3
    assert all(map(math.isnan, found[2]))
    assert [len(points) for points in asked] == [2] * 10


@pytest.mark.parametrize("labels", [[0.0, 1.0, 2.0, 3.0, 4.0], [3.0, 1.0, 4.0, 0.0, 2.0]])
def test_borders_around_a_value_leave_out_what_succeeds_elsewhere(labels):
    def succeeds(x):
        return x < 0.5 or 1.4 < x < 3.2

    axis, border = axis_of_values("x", labels), Border("x", around=2.2)
    succeeded = [succeeds(x) for x in labels]
    assert list(border.sides()) == ["_below", "_above"]
    searches = []
    for side in border.sides():
        between = border.neighbours(axis, succeeded, side)
        assert succeeded[between[0]]
        of = lambda one: succeeds(one.metrics["y"])  # noqa: E731
        searches.append(border_search(axis, between, True, 1e-3, of))
    found, _ = along(axis, searches, lambda x: x)
    for (place, error), exact in zip(found, (1.4, 3.2), strict=True):
        assert abs(place - exact) <= error <= 0.5e-3
    assert Border("x", around=1.2).neighbours(axis, succeeded, "_above") is None
    assert Border("x", around=0.0).neighbours(axis, succeeded, "_below") is None


def test_what_is_no_search_is_refused():
    assert read_optimum("min:slip:friction") == Optimum("slip", "friction", "min")
    assert read_border("friction") == Border("friction")
    assert read_border("mass_scale.a::b@-0.3") == Border("mass_scale.a::b", around=-0.3)
    for make in (
        lambda: read_optimum("max:slip"),
        lambda: read_optimum("most:slip:friction"),
        lambda: read_border("friction@here"),
        lambda: read_border("friction@"),
        lambda: Border("friction", tolerance=0.0),
        lambda: Border("friction", around=math.nan),
    ):
        with pytest.raises(
            ScenarioError, match=r"write it as|choose one of max, min|between 0 and 1|a finite"
        ):
            make()

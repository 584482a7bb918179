"""The observed order of convergence: that of known methods."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import RunError
from footfall.textbook.convergence import observed_order


@settings(derandomize=True)
@given(st.floats(0.5, 6), st.floats(1e-6, 1e3))
def test_the_order_of_a_power_law_is_its_exponent(order, factor):
    steps = np.array([1e-1, 5e-2, 2e-2, 1e-2])
    # the logarithms of numbers down to 1e-18 are rounded to 1e-14 of 41
    assert observed_order(steps, factor * steps**order) == pytest.approx(order, abs=1e-12)


@pytest.mark.parametrize(
    ("step", "order"), [(lambda y, h: y + h * y, 1), (lambda y, h: y * (1 + h + h * h / 2), 2)]
)
def test_euler_is_of_first_and_midpoint_of_second_order(step, order):
    steps, errors = [2.0**-k for k in range(6, 11)], []
    for h in steps:
        y = 1.0
        for _ in range(round(1 / h)):
            y = step(y, h)
        errors.append(abs(y - np.e))
    # the next term of the error is h times as large: 2^-6 at most
    assert observed_order(steps, errors) == pytest.approx(order, abs=2**-6)


@pytest.mark.parametrize(
    ("steps", "errors"),
    [([0.1], [1.0]), ([0.1, 0.1], [1.0, 2.0]), ([0.1, 0.2], [1.0]), ([], [])],
)
def test_one_step_has_no_order(steps, errors):
    with pytest.raises(RunError, match="two different steps"):
        observed_order(steps, errors)


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_an_order_needs_positive_numbers(bad):
    with pytest.raises(RunError, match="positive"):
        observed_order([0.1, 0.2], [1.0, bad])
    with pytest.raises(RunError, match="positive"):
        observed_order([0.1, bad], [1.0, 2.0])

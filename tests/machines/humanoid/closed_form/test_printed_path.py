"""The printed path of the heel against what its derivative and its text say."""

import numpy as np
import pytest
from docs.numbers.printed_path import (
    LIFT,
    PROGRESS,
    START,
    TRAVEL,
    beside,
    integrated,
    printed,
    slope,
)

U = np.linspace(0.0, PROGRESS, 400)


@pytest.mark.parametrize("axis", ["x", "z"])
def test_coefficients_are_the_integrals_but_for_the_linear_term(axis):
    for power, given, integral in beside(axis):
        if power == 1:
            assert integral / given == pytest.approx(1e3, rel=1e-3)
        elif power in (2, 3):  # printed with two or three digits
            assert given == pytest.approx(integral, rel=1e-2)
        else:  # five digits, and those of the derivative
            assert given == pytest.approx(integral, rel=5e-5, abs=1e-12)


@pytest.mark.parametrize("axis", ["x", "z"])
def test_the_integral_has_the_printed_derivative(axis):
    h = 1e-6
    rise = (integrated(axis, U + h) - integrated(axis, U - h)) / (2 * h)
    assert rise == pytest.approx(slope(axis, U), abs=1e-6)


def test_along_x_the_heel_goes_what_the_text_says_and_comes_to_rest():
    assert integrated("x", 0.0) == 0.0
    # the coefficients' fifth digits make a millimetre of it
    assert integrated("x", PROGRESS) == pytest.approx(TRAVEL, abs=1e-3)
    assert slope("x", PROGRESS) == pytest.approx(0.0, abs=0.15)  # of 4.8 at the start
    assert (slope("x", U) > 0.0).all()
    # as it is printed the heel would go 26.6 mm backwards
    assert printed("x", PROGRESS) == pytest.approx(-0.0266, abs=1e-4)


def test_up_neither_meets_the_lift_of_the_text():
    given, rise = printed("z", U), integrated("z", U)
    assert given[0] == rise[0] == START
    assert given.max() < START + 1e-4  # never rises
    assert rise.max() > 6.9 * LIFT  # rises as high as half the leg
    assert (np.diff(rise) > 0.0).all()  # and is not down again when the heel is at its place
    assert integrated("z", PROGRESS) == pytest.approx(0.4187, abs=1e-3)

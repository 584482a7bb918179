"""Newton's method for fixed points against maps whose orbits are known."""

import numpy as np
import pytest
from tests.hybrid.maps import Henon, Logistic, SaddleNode

from footfall.hybrid import NotFound, find_fixed_point


def test_a_fixed_point_of_the_logistic_map():
    gait = find_fixed_point(Logistic(), [0.5], 2.8)
    assert gait.orbit == pytest.approx(np.array([[1.0 - 1.0 / 2.8]]), abs=1e-15)
    assert gait.multipliers == pytest.approx([2.0 - 2.8], abs=1e-14)
    assert gait.stable
    assert gait.period == 1


def test_multipliers_of_a_pair_are_sorted_and_conjugate():
    focus = find_fixed_point(Henon(-0.9), [0.3, -0.3], 0.4)
    assert np.prod(focus.multipliers) == pytest.approx(0.9, rel=1e-14)
    assert focus.multipliers[0] == focus.multipliers[1].conjugate()
    assert focus.multipliers[0].imag > 0.0
    saddle = find_fixed_point(Henon(-0.9), [-5.0, 4.0], 0.4)
    moduli = np.abs(saddle.multipliers)
    assert moduli[0] > 1.0 > moduli[1]
    assert not saddle.stable


def test_steps_that_leave_the_domain_are_shortened():
    # the full step from 0.4 at p = 3.9 is 2.4, to where there is no image
    start, p = 0.4, 3.9
    full = (p * start * (1.0 - start) - start) / (1.0 - p * (1.0 - 2.0 * start))
    assert not 0.0 < start + full < 1.0
    gait = find_fixed_point(Logistic(bounded=True), [start], p)
    assert gait.orbit[0, 0] == pytest.approx(1.0 - 1.0 / p, abs=1e-14)


@pytest.mark.parametrize(
    ("map_", "guess", "p", "message"),
    [
        (SaddleNode(), 0.3, -1.0, r"no fixed point near \[0.3\] .* residual stays at"),
        (Logistic(bounded=True), 1.5, 3.0, "does not return at p = 3: outside of"),
    ],
)
def test_where_there_is_none_the_reader_is_told(map_, guess, p, message):
    with pytest.raises(NotFound, match=message):
        find_fixed_point(map_, [guess], p)

"""Return maps of many points: the rimless wheel in closed form, and the map of scipy's path."""

import math

import numpy as np
import pytest

from footfall.hybrid.batch_section import BatchSectionMap
from footfall.hybrid.branch import BranchOptions, follow_branch
from footfall.hybrid.fixed_point import find_fixed_point
from footfall.hybrid.model import FALLING, RISING, Guard, HybridMode, HybridSystem, Transition
from footfall.hybrid.return_map import NoReturn, SectionMap
from footfall.hybrid.settling import SINK, settle
from footfall.textbook.rimless_wheel import RimlessWheel

N, SLOPE = 8, 0.2
ALPHA = math.pi / N


def wheel(gamma):
    return RimlessWheel(m=1.0, J=0.1, l=1.0, n=N, gamma=gamma)


def rolling(gamma):
    # (theta, omega) of the standing spoke; the slope may be complex
    w = wheel(SLOPE)
    strike = Guard(
        "strike",
        lambda _t, x: x[0] - gamma - ALPHA,
        RISING,
        lambda _t, x: Transition("roll", np.array([x[0] - 2.0 * ALPHA, w.eta * x[1]])),
    )
    back = Guard("back", lambda _t, x: x[0] - gamma + ALPHA, FALLING)
    pull = w.m * w.g * w.l / w.inertia
    roll = HybridMode("roll", lambda _t, x: np.array([x[1], pull * np.sin(x[0])]), (strike, back))
    return HybridSystem({"roll": roll}, ("theta", "omega"))


HOW = (
    rolling,
    "roll",
    "strike",
    lambda y, gamma: np.array([gamma - ALPHA + 0.0 * y[0], y[0]]),
    lambda x, _gamma: x[1:],
    5.0,
)
MAP = BatchSectionMap(*HOW, 0.01)


def test_the_return_map_of_the_wheel_and_its_derivatives_are_its_closed_form():
    y = np.array([[2.0, 3.0, 5.0]])
    w = wheel(SLOPE)
    many = MAP.linearised_many(y, SLOPE)
    before = np.sqrt(y[0] ** 2 + w.gain)
    np.testing.assert_allclose(many.value[0], w.eta * before, rtol=1e-13)
    np.testing.assert_allclose(many.D[0, 0], w.eta * y[0] / before, rtol=1e-12)
    # gain = 4 m g l sin(gamma) sin(alpha) / inertia
    np.testing.assert_allclose(
        many.D_p[0], w.eta * w.gain / math.tan(SLOPE) / (2.0 * before), rtol=1e-12
    )
    one = MAP.linearised(y[:, 1], SLOPE)
    np.testing.assert_allclose(one.value, many.value[:, 1], rtol=1e-14)
    np.testing.assert_allclose(one.D, many.D[:, :, 1], rtol=1e-13)
    np.testing.assert_allclose(one.D_p, many.D_p[:, 1], rtol=1e-13)
    np.testing.assert_allclose(MAP.value(y[:, 1], SLOPE), one.value, rtol=1e-14)


def test_it_is_the_map_that_is_integrated_to_a_tolerance():
    other = SectionMap(*HOW)
    y = np.array([2.5])
    mine, its = MAP.linearised(y, SLOPE), other.linearised(y, SLOPE)
    # scipy's tolerance is 1e-12 a step
    np.testing.assert_allclose(mine.value, its.value, rtol=1e-11)
    np.testing.assert_allclose(mine.D, its.D, rtol=1e-10)
    np.testing.assert_allclose(mine.D_p, its.D_p, rtol=1e-10)


@pytest.mark.slow
def test_the_steady_roll_is_followed_over_the_slope_until_the_wheel_stops():
    coarse = BatchSectionMap(*HOW, 0.04)  # still good to 1e-10
    start = find_fixed_point(coarse, [1.8], 0.12)
    assert start.orbit[0, 0] == pytest.approx(wheel(0.12).eta * wheel(0.12).fixed_point, rel=1e-10)
    branch = follow_branch(coarse, start, 0.05, BranchOptions(shortest=1e-4))
    assert "no 'strike'" in branch.message
    # where the spoke just gets over the vertical the closed form has no roll beneath
    wheel(branch.p[-1]).fixed_point  # noqa: B018 (it is there)
    with pytest.raises(ValueError, match="does not roll on"):
        wheel(branch.p[-1] - 1e-4).fixed_point  # noqa: B018
    # eta^2 at every slope; the last spokes nearly stand, which multiplies what rounding there is
    expected = wheel(SLOPE).eta ** 2
    np.testing.assert_allclose(branch.multipliers[:, 0], expected, rtol=1e-8)


def test_points_that_do_not_return_are_told():
    y, arrived = MAP.many(np.array([[0.2, 2.0]]), SLOPE)
    assert arrived.tolist() == [False, True]
    assert np.isnan(y[0, 0])
    with pytest.raises(NoReturn, match=r"no 'strike' after .* terminal, last guard 'back'"):
        MAP.linearised_many(np.array([[2.0, 0.2]]), SLOPE)
    with pytest.raises(NoReturn, match=r"no 'strike' after 0\.1 s: out of time"):
        BatchSectionMap(*HOW[:-1], 0.1, 0.01).value(np.array([2.0]), SLOPE)


def test_the_basin_of_the_steady_roll_is_what_gets_over_the_vertical():
    w = wheel(SLOPE)
    steady = w.eta * w.fixed_point
    hill = math.sqrt(2.0 * w.m * w.g * w.l / w.inertia * (1.0 - math.cos(ALPHA - SLOPE)))
    rates = np.linspace(0.01, 5.99, 300)

    def image(y):
        return MAP.many(y, SLOPE)

    found = settle(image, rates[None], [[steady]], most=60, tolerance=1e-6)
    np.testing.assert_array_equal(found.label, np.where(rates > hill, 1, SINK))

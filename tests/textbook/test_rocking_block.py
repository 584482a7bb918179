"""The rocking block: the equation of motion integrated, and the impact from momenta and laws."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.rocking_block import RockingBlock

SLENDER = RockingBlock(b=0.1, h=0.4, m=3.0)
WIDE = RockingBlock(b=0.4, h=0.1, m=3.0)
STOUT = RockingBlock(b=0.3, h=0.25, m=1.0)
BLOCKS = pytest.mark.parametrize("block", [SLENDER, WIDE, STOUT], ids=["slender", "wide", "stout"])


def _fall(block, theta0):
    """Time and rate at theta = 0: moment of the weight about the corner, inertia by parts."""
    inertia = block.m * ((2 * block.b) ** 2 + (2 * block.h) ** 2) / 12.0 + block.m * block.R**2

    def rates(_, y):
        # horizontal distance of the centre from the corner
        lever = block.b * np.cos(y[0]) - block.h * np.sin(y[0])
        return [y[1], -block.m * block.g * lever / inertia]

    def lands(_, y):
        return y[0]

    lands.terminal = True
    done = solve_ivp(rates, (0.0, 10.0), [theta0, 0.0], rtol=1e-12, atol=1e-13, events=lands)
    return done.t[-1], -done.y[1, -1], done


@BLOCKS
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_block_falls_as_the_integrated_equation_of_motion(block, share):
    theta0 = share * block.alpha
    time, rate, path = _fall(block, theta0)
    # scipy's tolerance, grown by exp(p t) on the way from the unstable position
    assert block.fall_time(theta0) == pytest.approx(time, rel=1e-8)
    assert block.arrival(theta0) == pytest.approx(rate, rel=1e-8)
    assert block.tilt(path.t, theta0) == pytest.approx(path.y[0], abs=1e-8)


def test_slender_blocks_have_housners_linear_period():
    # equation (3) of Housner for small alpha: T / 4 = arccosh(1 / (1 - theta0 / alpha)) / p
    block = RockingBlock(b=0.01, h=1.0, m=1.0)
    theta0 = 0.4 * block.alpha
    linear = np.arccosh(1.0 / (1.0 - theta0 / block.alpha)) / block.p
    # sin(alpha - theta) = alpha - theta but for alpha^2 / 6
    assert block.fall_time(theta0) == pytest.approx(linear, rel=1e-4)


def _corners(block):
    """Jacobian of the corners (normal old, new; tangential old, new) and mass of (x, z, theta)."""
    # the block turns about its corner at +b (theta > 0 leans to +x), and lands on that at -b
    b, h = block.b, block.h
    # velocity of a point (px, pz) from the centre, turning about y: (vx + w pz, vz - w px)
    jacobian = np.array([[0, 1, -b], [0, 1, b], [1, 0, -h], [1, 0, -h]], dtype=float)
    return jacobian, np.diag([block.m, block.m, block.m * block.R**2 / 3.0])


@BLOCKS
def test_the_impact_obeys_impulse_laws_and_signorini_at_both_corners(block):
    omega = 1.3
    impact = block.impact(omega)
    jacobian, mass = _corners(block)
    # falling back: theta' = -omega about the corner at +b
    before = np.linalg.solve(jacobian[[0, 2, 1]], [0.0, 0.0, -2.0 * block.b * omega])
    assert before[2] == pytest.approx(-omega)
    impulses = np.array([impact.old, impact.new, impact.friction, 0.0])
    after = before + np.linalg.solve(mass, jacobian.T @ impulses)
    assert after[2] == pytest.approx(-impact.omega, abs=1e-14)
    normal = (jacobian @ after)[:2]
    pushing = np.array([impact.old, impact.new])
    assert (normal >= -1e-14).all()
    assert (pushing >= 0.0).all()
    assert normal * pushing == pytest.approx(np.zeros(2), abs=1e-14)
    assert (jacobian @ after)[3] == pytest.approx(0.0, abs=1e-14)  # what pushes does not slide
    kinetic = [0.5 * v @ mass @ v for v in (before, after)]
    assert kinetic[0] - kinetic[1] == pytest.approx(impact.loss, rel=1e-12)


def test_a_slender_block_keeps_its_angular_momentum_about_the_new_corner():
    before, b, h = 1.0, SLENDER.b, SLENDER.h
    # about (-b, -h): spin about the centre, and the centre's momentum (-h, b) omega with its levers
    momentum = SLENDER.m * SLENDER.R**2 / 3.0 * before + SLENDER.m * (h * h - b * b) * before
    assert SLENDER.impact(before).omega == pytest.approx(momentum / SLENDER.inertia, rel=1e-14)
    assert SLENDER.ratio == pytest.approx(1.0 - 1.5 * np.sin(SLENDER.alpha) ** 2, rel=1e-15)


def test_the_ratio_vanishes_where_the_wide_blocks_begin():
    assert RockingBlock(b=np.sqrt(2.0) - 1e-9, h=1.0, m=1.0).ratio == pytest.approx(0.0, abs=1e-8)
    assert RockingBlock(b=np.sqrt(2.0) + 1e-9, h=1.0, m=1.0).ratio == 0.0


def test_energy_falls_by_the_square_of_the_ratio_from_swing_to_swing():
    theta0 = 0.5 * SLENDER.alpha
    peak = SLENDER.next_peak(theta0)
    lift = [np.cos(SLENDER.alpha - angle) - np.cos(SLENDER.alpha) for angle in (theta0, peak)]
    assert lift[1] / lift[0] == pytest.approx(SLENDER.ratio**2, rel=1e-12)
    first, second = SLENDER.impact_times(theta0, 2)
    t = np.linspace(first, second, 1001)
    theta = SLENDER.tilt(t, theta0)
    assert -theta.min() == pytest.approx(peak, rel=1e-6)  # the grid's distance from the crest
    assert theta[[0, -1]] == pytest.approx([0.0, 0.0], abs=1e-12)


def test_a_wide_block_lies_still_after_its_first_impact():
    theta0 = 0.15
    times = WIDE.impact_times(theta0, 2)
    assert times[1] == np.inf
    t = np.array([times[0] - 1e-3, times[0] + 1e-9, 10.0])
    assert WIDE.tilt(t, theta0)[0] > 0.0
    assert WIDE.tilt(t, theta0)[1:].tolist() == [0.0, 0.0]

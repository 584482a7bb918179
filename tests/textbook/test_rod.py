"""The rod on one end against free-body balances, and Painleve's region against its definition."""

import numpy as np
import pytest

from footfall.textbook.planar_impact import all_solutions
from footfall.textbook.rod import Rod

ROD = Rod(m=0.8, l=0.6, g=9.7)  # nothing is 1, so that a lost factor shows
ANGLES = np.linspace(0.1, 1.5, 15)


def end_velocity(theta, v):
    """Velocity [n, t] of the lower end, for [x', z', theta'] of the centre."""
    return np.array([v[1] - ROD.l * np.cos(theta) * v[2], v[0] + ROD.l * np.sin(theta) * v[2]])


def pushed(theta, force):
    """Accelerations [x'', z'', theta''] by a force [n, t] on the lower end, without gravity."""
    arm = -ROD.l * np.array([np.cos(theta), np.sin(theta)])
    moment = arm[0] * force[0] - arm[1] * force[1]
    return np.array([force[1] / ROD.m, force[0] / ROD.m, moment / (ROD.m * ROD.l**2 / 3.0)])


def test_the_end_gives_way_as_the_delassus_matrix_says():
    for theta in ANGLES:
        W = np.column_stack([end_velocity(theta, pushed(theta, f)) for f in np.eye(2)])
        assert ROD.delassus(theta) == pytest.approx(W)


def test_the_free_end_accelerates_with_the_turning_rod():
    step = 1e-5
    for theta in ANGLES:
        v = np.array([0.3, -0.2, 1.7])
        fell = np.array([0.3, -0.2 - ROD.g * step, 1.7])
        ahead, behind = end_velocity(theta + 1.7 * step, fell), end_velocity(theta, v)
        expected = (ahead - behind) / step
        # a difference of first order
        assert ROD.free_acceleration(theta, 1.7) == pytest.approx(expected, abs=1e-4)


def test_the_sliding_force_keeps_the_end_on_the_ground():
    for theta in ANGLES:
        N = ROD.sliding_force(theta, 0.8, 0.4)
        stays = ROD.free_acceleration(theta, 0.8) + end_velocity(
            theta, pushed(theta, np.array([N, 0.4 * N]))
        )
        assert stays[0] == pytest.approx(0.0, abs=1e-12)


def test_a_slide_loses_what_friction_takes():
    mu = 0.3
    landing = ROD.slide(0.9, 2.0, mu)
    time = np.linspace(0.0, landing.time, 20_001)
    x, theta, x_rate, omega = landing.path(time)
    height, lift = ROD.l * np.sin(theta), ROD.l * np.cos(theta) * omega
    kinetic = 0.5 * ROD.m * (x_rate**2 + lift**2 + ROD.l**2 / 3.0 * omega**2)
    energy = kinetic + ROD.m * ROD.g * height
    slip = x_rate + ROD.l * np.sin(theta) * omega
    force = np.array([ROD.sliding_force(a, w, mu) for a, w in zip(theta, omega, strict=True)])
    work = np.trapezoid(mu * force * slip, time)
    assert energy[-1] - energy[0] == pytest.approx(work, abs=1e-7)  # the trapezoids'
    assert (slip < 0.0).all()
    assert theta[-1] == pytest.approx(0.0, abs=1e-10)
    # sideways momentum comes from friction alone
    assert ROD.m * (x_rate[-1] - x_rate[0]) == pytest.approx(np.trapezoid(mu * force, time))
    assert x[0] == 0.0


def test_a_rod_that_stops_sliding_has_no_sliding_fall():
    with pytest.raises(ValueError, match="flat"):
        ROD.slide(0.9, 0.05, 0.9)


def test_a_flat_rod_is_stopped_by_pushes_at_both_ends():
    omega, x_rate, mu = -3.0, -2.0, 0.3
    # impulses at the ends that stop fall and turn: their sum and their moment
    momentum, spin = ROD.m * ROD.l * omega, ROD.m * ROD.l**2 / 3.0 * omega
    lower, upper = np.linalg.solve([[1.0, 1.0], [-ROD.l, ROD.l]], [-momentum, -spin])
    assert min(lower, upper) > 0.0
    expected = x_rate + mu * (lower + upper) / ROD.m
    assert ROD.fall_flat(x_rate, omega, mu) == pytest.approx(expected)
    assert ROD.fall_flat(-0.1, omega, mu) == 0.0


def test_a_jam_stops_the_end_and_keeps_the_angular_momentum_about_it():
    for theta in ANGLES:
        v = ROD.jam(theta, 1.4)
        assert end_velocity(theta, v) == pytest.approx([0.0, 0.0], abs=1e-12)
        arm = ROD.l * np.array([np.cos(theta), np.sin(theta)])
        before = ROD.m * (arm[0] * 0.0 - arm[1] * -1.4)
        after = ROD.m * (arm[0] * v[1] - arm[1] * v[0]) + ROD.m * ROD.l**2 / 3.0 * v[2]
        assert after == pytest.approx(before)
        assert v[2] == pytest.approx(3.0 * 1.4 * np.sin(theta) / (4.0 * ROD.l))


def test_a_jam_is_in_the_cone_in_painleves_region_and_only_there():
    for theta in ANGLES:
        r = np.linalg.solve(ROD.delassus(theta), [0.0, 1.0])
        for share in (0.99, 1.01):
            mu = share * (4.0 + np.tan(theta) ** 2) / (3.0 * np.tan(theta))  # where W_nn = mu W_tn
            assert (abs(r[1]) <= mu * r[0]) == (share > 1.0)


@pytest.mark.parametrize(("omega", "slides"), [(0.0, 0), (6.0, 1)])
def test_in_the_region_the_end_cannot_slide_on_or_can_in_two_ways(omega, slides):
    theta, mu, dt = np.arctan(2.0), 1.6, 1e-4
    # what a step leaves to contact: u_n = b_n dt, and the end slides towards -x
    q = np.array([0.0, -1.0]) + dt * ROD.free_acceleration(theta, omega)
    modes = [mode for mode, _ in all_solutions(ROD.delassus(theta), q, mu)]
    assert modes.count("slide-") == slides
    assert modes.count("open") == slides
    assert modes.count("stick") == 1  # the impact without collision is always there
    assert (ROD.sliding_force(theta, omega, mu) < 0.0) == (slides == 0)


def test_a_swing_about_the_stuck_end_keeps_its_energy():
    path = ROD.hinged(1.1, 1.5, 0.4)
    theta, omega = path(np.linspace(0.0, 0.4, 30))
    energy = 2.0 / 3.0 * ROD.m * (ROD.l * omega) ** 2 + ROD.m * ROD.g * ROD.l * np.sin(theta)
    assert np.ptp(energy) < 1e-11


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="positive"):
        Rod(m=-1.0)

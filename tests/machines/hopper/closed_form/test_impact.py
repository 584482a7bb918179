"""Impacts of the hopper: against the law case by case, and balances that the law does not state."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.machines.hopper.closed_form.cases import (
    UNEQUAL,
    angular_momentum_about,
    close,
    every_set,
    hoppers,
    lever,
    lost_energy,
    poses,
    states,
)

from footfall.machines.hopper.closed_form.model import (
    CONTACT_POINTS,
    TEXT,
    Hopper,
    P,
    Q,
    R,
    impact,
    momentum,
    position,
    velocity,
)
from footfall.machines.hopper.closed_form.phases import JumpPhase, consistent_phases
from footfall.textbook import planar_impact

every_point = pytest.mark.parametrize("point", CONTACT_POINTS, ids=[p.name for p in CONTACT_POINTS])


def arriving(machine, x, point, v_t, v_n):
    """The same pose and turning, P so fast that the point moves at (v_t, v_n)."""
    x = x.copy()
    x[4:6] += np.array([v_t, v_n]) - velocity(machine, x, point)
    return x


def arrivals(machine, point, count, seed):
    rng = np.random.default_rng(seed)
    for x in states(count, seed).T:
        yield arriving(machine, x, point, rng.uniform(-3.0, 3.0), -rng.uniform(0.1, 3.0))


# --- the law -----------------------------------------------------------------------------------


@every_point
@every_set
def test_impulse_is_chatterjees(parameters, point):
    p, machine, insides = parameters, Hopper(parameters), 0
    for x in arrivals(machine, point, 40, seed=40):
        post_impact = impact(machine, x, point)
        # in the order normal, tangential
        A = machine.contact_matrix(x, point)[::-1, ::-1]
        u = velocity(machine, x, point)[::-1]
        answer = planar_impact.chatterjee_ruina(A, u, p.mu, p.e_n, p.e_t)
        assert close(post_impact.impulse, answer.r[::-1], 1e-12)
        assert post_impact.inside == (answer.mode == "stick")
        assert close(velocity(machine, post_impact.x, point)[::-1], u + A @ answer.r, 1e-11)
        insides += int(post_impact.inside)
    assert 4 <= insides <= 36  # both branches


@every_point
def test_plastic_impacts_are_moreaus(point):
    # Newton's law with e_n = 0 and Coulomb's law for what follows, as a time stepper has it
    machine = Hopper(TEXT)
    for x in arrivals(machine, point, 40, seed=41):
        A = machine.contact_matrix(x, point)[::-1, ::-1]
        answer = planar_impact.newton(A, velocity(machine, x, point)[::-1], TEXT.mu, 0.0)
        assert close(impact(machine, x, point).impulse, answer.r[::-1], 1e-12)


def test_P_stands_exactly_where_it_sticks_and_slides_on_where_not():
    machine = Hopper(TEXT)
    for x in arrivals(machine, P, 40, seed=43):
        post_impact = impact(machine, x, P)
        assert post_impact.x[5] == 0.0
        assert np.array_equal(post_impact.x[:4], x[:4])
        if post_impact.inside:
            assert post_impact.x[4] == 0.0
        else:
            assert post_impact.x[4] * post_impact.impulse[0] < 0.0


# --- balances ----------------------------------------------------------------------------------


@every_point
@every_set
def test_impulse_changes_momentum_and_has_no_moment_about_the_point(parameters, point):
    machine = Hopper(parameters)
    for x in arrivals(machine, point, 20, seed=44):
        post_impact = impact(machine, x, point)
        change = momentum(machine, post_impact.x) - momentum(machine, x)
        assert close(post_impact.impulse, change, 1e-12)
        place = position(machine, x, point)
        before, after = (angular_momentum_about(machine, y, place) for y in (x, post_impact.x))
        assert after == pytest.approx(before, abs=1e-12 * max(np.abs(x[4:]).max(), 1.0))


@every_point
@every_set
def test_the_hinge_passes_no_moment(parameters, point):
    # the link that is not struck keeps its angular momentum about Q, a point of both links
    machine = Hopper(parameters)
    m, l = parameters.m, parameters.l
    first, second = np.array([1.0, 0.0]), np.array([0.0, 1.0])

    def about_hinge(x, link):
        angle = x[2] + link[1] * x[3]
        rate = x[6] + link[1] * x[7]
        side = -1.0 if link[0] else 1.0  # from Q to the middle of the link
        arm = side * l * np.array([np.cos(angle), np.sin(angle)])
        speed = velocity(machine, x, Q) + rate * np.array([-arm[1], arm[0]])
        return m * (arm[0] * speed[1] - arm[1] * speed[0]) + m * l * l / 3.0 * rate

    untouched = {P: [second], Q: [first, second], R: [first]}[point]
    for x in arrivals(machine, point, 20, seed=45):
        post_impact = impact(machine, x, point)
        for link in untouched:
            before, after = about_hinge(x, link), about_hinge(post_impact.x, link)
            assert after == pytest.approx(before, abs=1e-12 * max(1.0, abs(before)))


@every_point
@every_set
def test_energy_lost_is_the_impulse_times_the_mean_velocity(parameters, point):
    # Kelvin
    machine = Hopper(parameters)
    for x in arrivals(machine, point, 20, seed=46):
        post_impact = impact(machine, x, point)
        mean = 0.5 * (velocity(machine, x, point) + velocity(machine, post_impact.x, point))
        lost = lost_energy(machine, x, point)
        scale = machine.kinetic_energy(x)
        assert lost == pytest.approx(-post_impact.impulse @ mean, abs=1e-13 * scale)
        assert lost > 0.0


# --- edges -------------------------------------------------------------------------------------


def test_a_point_at_rest_feels_no_impulse():
    machine = Hopper()
    x = arriving(machine, states(1, seed=48)[:, 0], P, 0.0, 0.0)
    post_impact = impact(machine, x)
    assert np.array_equal(post_impact.impulse, np.zeros(2))
    assert np.array_equal(post_impact.x, x)


def test_a_point_that_leaves_is_not_struck():
    machine = Hopper()
    x = arriving(machine, states(1, seed=49)[:, 0], R, 0.3, 0.1)
    with pytest.raises(ValueError, match="R moves off"):
        impact(machine, x, R)


def test_without_friction_the_impulse_is_normal():
    machine = Hopper(replace(UNEQUAL, mu=0.0))
    for x in arrivals(machine, R, 10, seed=50):
        post_impact = impact(machine, x, R)
        assert post_impact.impulse[0] == 0.0
        assert post_impact.kappa == 0.0


def test_sliding_without_approach_stops_only_in_the_paradox():
    machine = Hopper(replace(TEXT, mu=1.2))
    x = np.zeros(8)
    x[2], x[4] = np.arctan(np.sqrt(7.0)), -1.0
    assert lever(machine, x, -1.0) < 0.0
    assert consistent_phases(machine, x) == ()
    post_impact = impact(machine, x)
    assert post_impact.inside
    assert post_impact.impulse[1] > 0.0
    assert not post_impact.x[4:6].any()
    assert lost_energy(machine, x) > 0.0
    assert consistent_phases(machine, post_impact.x) == (JumpPhase.STICK,)
    x[4] = 1.0
    assert not impact(machine, x).impulse.any()


@given(
    parameters=hoppers,
    x=poses,
    point=st.sampled_from(CONTACT_POINTS),
    v_t=st.floats(-5.0, 5.0),
    v_n=st.floats(-5.0, 0.0),
)
def test_any_impact_presses_in_the_cone_and_gives_no_energy(parameters, x, point, v_t, v_n):
    machine = Hopper(parameters)
    x = arriving(machine, x, point, v_t, v_n)
    # P moves at exactly what was asked for; the others approach but for rounding
    if velocity(machine, x, point)[1] > 0.0:
        x[5] -= 1e-12
    post_impact = impact(machine, x, point)
    along, up = post_impact.impulse
    size = (
        np.abs(post_impact.impulse).max() + 1e-290
    )  # roundings of the smallest numbers are as large
    assert up >= -1e-13 * size
    assert abs(along) <= parameters.mu * up + 1e-12 * size
    assert lost_energy(machine, x, point) >= -1e-13 * machine.kinetic_energy(x)

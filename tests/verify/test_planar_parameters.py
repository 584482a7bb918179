"""The planar machines of the suite and their starts against the closed forms' parameters."""

import math

import numpy as np
import pytest

from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.verify.cases import belt, double_pendulum, four_bar, rimless_wheel, rod

ROUNDING = 1e-12  # of numbers of order 1


def started(name):
    """A scenario, its machine, and the dynamics at its start."""
    scenario = load_scenario(f"verify/{name}")
    machine = build_robot(scenario)
    dynamics = Dynamics(machine.model, machine.contacts)
    dynamics.set_state(machine.initial_state)
    dynamics.gaps()
    return scenario, machine, dynamics


def delassus(machine, dynamics, name):
    """W of one contact, rows [n, t]."""
    chosen = np.array([contact == name for contact in machine.contacts.names])
    J = dynamics.contact_jacobian(chosen)[0, :2]
    return J @ np.linalg.solve(dynamics.mass_matrix(), J.T)


@pytest.mark.parametrize("name", ["double_pendulum", "double_pendulum_poisson"])
def test_the_pendulum_flies_into_the_impact_of_the_closed_form(name):
    _, machine, dynamics = started(name)
    shoulder, elbow, w_shoulder, w_elbow = machine.initial_state
    q, v = np.array([shoulder, shoulder + elbow]), np.array([w_shoulder, w_shoulder + w_elbow])
    pendulum, span = double_pendulum.PENDULUM, double_pendulum.IMPACT_TIME
    end = pendulum.flight(q, v, span)(span)
    expected = [*double_pendulum.AT_IMPACT, *double_pendulum.BEFORE]
    assert end == pytest.approx(expected, abs=1e-11)  # the integration of the flight
    over_ground = pendulum.l * (np.cos(double_pendulum.AT_IMPACT) - np.cos(q)).sum()
    assert dynamics.gaps()[0] == pytest.approx([over_ground], abs=ROUNDING)
    assert delassus(machine, dynamics, "pendulum::tip") == pytest.approx(pendulum.delassus(q))
    assert dynamics.kinetic_energy() == pytest.approx(0.5 * v @ pendulum.mass_matrix(q) @ v)
    assert machine.contacts.mu.tolist() == [double_pendulum.MU]
    assert machine.contacts.restitution.tolist() == [double_pendulum.E_N]


def test_the_belt_is_that_of_the_closed_form():
    scenario, machine, dynamics = started("belt")
    exact = belt.BELT
    # until the break-away block and belt are one body on the spring
    W = math.sqrt(exact.k / (exact.M + exact.m))
    s, c = math.sin(W * belt.BREAK_AWAY), math.cos(W * belt.BREAK_AWAY)
    x = exact.break_away * c - belt.SPEED / W * s
    V = belt.SPEED * c + exact.break_away * W * s
    names = machine.plant.GetPositionNames(add_model_instance_prefix=False)
    assert names == ["run_x", "x_x", "z_x"]
    run, extension, z = machine.initial_state[:3]
    assert (run, extension, z) == (0.0, pytest.approx(x, abs=1e-15), -1e-12)
    assert machine.initial_state[3:] == pytest.approx([V, V, 0.0], abs=1e-15)
    assert dynamics.mass_matrix() == pytest.approx(np.diag([exact.M, exact.m, exact.m]))
    # the spring, and the weight of the block
    assert dynamics.h() == pytest.approx([0.0, -exact.k * x, -exact.m * exact.g])
    assert (scenario.friction, scenario.static_friction) == (exact.mu_k, exact.mu_s)


@pytest.mark.parametrize(
    ("name", "angle", "speed", "mu"),
    [
        ("rod_slide", rod.SLIDE_ANGLE, rod.SLIDE_SPEED, rod.SLIDE_MU),
        ("rod_jam", rod.JAM_ANGLE, rod.JAM_SPEED, rod.JAM_MU),
    ],
)
def test_the_rod_starts_on_its_lower_end(name, angle, speed, mu):
    _, machine, dynamics = started(name)
    x, z, theta = machine.initial_state[:3]
    assert (x, theta) == (0.0, pytest.approx(angle, abs=1e-15))
    assert z == pytest.approx(rod.ROD.l * math.sin(angle), abs=2e-12)
    assert machine.initial_state[3:].tolist() == [-speed, 0.0, 0.0]
    assert delassus(machine, dynamics, "rod::lower") == pytest.approx(rod.ROD.delassus(angle))
    assert machine.contacts.mu == pytest.approx([mu, mu], rel=1e-15)
    length = np.diff([point[2] for point in dynamics.gaps()[1]])
    assert length == pytest.approx([2.0 * rod.ROD.l * math.sin(angle)], abs=ROUNDING)


def test_the_wheel_starts_on_two_feet_and_turns_about_one():
    scenario, machine, dynamics = started("rimless_wheel")
    wheel = rimless_wheel.WHEEL
    assert -math.radians(scenario.terrain.slope_deg) == pytest.approx(wheel.gamma)
    mass = np.diag([wheel.m, wheel.m, wheel.J])
    assert dynamics.mass_matrix() == pytest.approx(mass, abs=ROUNDING)
    gaps = dict(zip(machine.contacts.names, dynamics.gaps()[0], strict=True))
    assert len(gaps) == wheel.n
    down = sorted(gaps, key=gaps.get)[:2]
    assert sorted(down) == ["wheel::foot_0", f"wheel::foot_{wheel.n - 1}"]
    chosen = np.array([name in down for name in machine.contacts.names])
    velocity = dynamics.contact_jacobian(chosen)[:, :2] @ machine.initial_state[3:]
    rising = 2.0 * wheel.l * math.sin(wheel.alpha) * rimless_wheel.START
    expected = np.array([[0.0, 0.0], [rising, 0.0]])
    assert velocity == pytest.approx(expected, abs=1e-9)
    # the next foot is one angle of 2 alpha ahead
    assert gaps["wheel::foot_1"] > 0.1
    turned = machine.initial_state.copy()
    turned[2] += 2.0 * wheel.alpha
    dynamics.set_state(turned)
    down = np.argsort(dynamics.gaps()[0])[:2]
    assert sorted(machine.contacts.names[k] for k in down) == ["wheel::foot_0", "wheel::foot_1"]


def test_the_feet_of_the_wheel_neither_slip_nor_lift():
    wheel = rimless_wheel.WHEEL
    rate = rimless_wheel.START
    first, last = wheel.gamma - wheel.alpha, wheel.gamma + wheel.alpha
    for theta in np.linspace(first, last, 50):
        along, across = wheel.hub_forces(theta, float(wheel.speed(np.array(theta), rate)))
        angle = theta - wheel.gamma  # of the spoke from the normal of the slope
        normal = along * math.cos(angle) - across * math.sin(angle)
        sideways = along * math.sin(angle) + across * math.cos(angle)
        assert normal > 0.0
        assert abs(sideways) < normal  # friction is 1
    # at an impact the hub goes from (cos, -sin) alpha along and across the slope to eta (cos, sin)
    s, c = math.sin(wheel.alpha), math.cos(wheel.alpha)
    assert abs(wheel.eta * c - c) < wheel.eta * s + s


def test_the_linkage_starts_closed_with_the_energy_of_the_closed_form():
    _, machine, dynamics = started("four_bar")
    linkage, start = four_bar.LINKAGE, np.array(four_bar.START)
    residual, rows = dynamics.bilateral_violation(machine.initial_state[:3])
    assert residual == pytest.approx(np.zeros(3), abs=1e-15)
    v = machine.initial_state[3:]
    assert v[0] == four_bar.RATE
    assert rows @ v == pytest.approx(np.zeros(3), abs=1e-14)
    kinetic = 0.5 * float(linkage.inertia(start)) * four_bar.RATE**2
    assert dynamics.kinetic_energy() == pytest.approx(kinetic)
    pivots = (linkage.m_a + linkage.m_b + linkage.m_c) * linkage.g * 1.0  # 1 m over the ground
    potential = float(linkage.potential(start)) + pivots
    assert dynamics.potential_energy() == pytest.approx(potential)

import math

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid

from footfall.machines.hopper.angular_momentum import (
    Flight,
    angular_momentum_arrays,
    angular_momentum_budget,
    distance_bound,
    lead_bound,
)
from footfall.machines.hopper.closed_form.model import CG, Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.closed_form.points import position
from footfall.machines.hopper.transcription.jump import PhaseTrajectory, TranscribedJump, flight_of
from footfall_controllers.torque_profile import TorqueProfileParameters

MACHINE = Hopper()
SIXTY = math.radians(60.0)


def test_no_bending_makes_the_line_turn_slower_than_the_budget_says():
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, 0.5, 4001)
    for _ in range(50):
        th2 = 3.0 * np.sin(rng.uniform(0.0, 20.0) * t + rng.uniform(0.0, 6.0)) * rng.uniform()
        angular_momentum = rng.uniform(0.005, 0.1)
        th1 = np.zeros_like(t)
        # rates that have the spin, from its definition in the closed form: linear in theta1'
        w2 = np.gradient(th2, t)
        still = np.array([t, t, th1, th2, t, t, 0.0 * t, w2])
        turning = still.copy()
        turning[6] = 1.0
        w1 = (angular_momentum - MACHINE.centroidal_angular_momentum(still)) / (
            MACHINE.centroidal_angular_momentum(turning)
            - MACHINE.centroidal_angular_momentum(still)
        )
        turn = cumulative_trapezoid(w1 + 0.5 * w2, t)[-1]
        # the trapezoidal rule and the differences of theta2 err by 1e-6 of the turn
        assert angular_momentum * t[-1] <= angular_momentum_budget(MACHINE, turn) * (1.0 + 1e-5)


def test_a_straight_machine_takes_the_whole_budget():
    x = np.array([0.0, 1.0, 1.2, 0.0, 0.0, 0.0, 2.5, 0.0])
    assert angular_momentum_budget(MACHINE, 2.5 * 0.4) == pytest.approx(
        MACHINE.centroidal_angular_momentum(x) * 0.4, rel=1e-14
    )


def test_the_lead_is_bounded_and_the_bound_is_reached():
    psi = np.linspace(math.pi / 2 - SIXTY, math.pi / 2 + SIXTY, 401)
    th2 = np.linspace(-3.1, 3.1, 2001)
    psi, th2 = (grid.ravel() for grid in np.meshgrid(psi, th2))
    zero = 0.0 * psi
    x = np.array([zero, zero, psi - 0.5 * th2, th2])
    lead = position(MACHINE, x, CG)[0]
    assert lead.max() <= lead_bound(MACHINE) + 1e-15
    # the grid of 3 mrad misses the best theta2 by 2e-6 of a half length
    assert lead.max() == pytest.approx(lead_bound(MACHINE), abs=1e-6)
    best = np.argmax(lead)
    # a pose that the document allows
    assert 0.0 < x[2, best] < math.pi
    assert 0.0 < x[2, best] + x[3, best] < math.pi


def test_the_bound_grows_with_the_line_and_falls_with_the_spin():
    lines = np.radians([40.0, 60.0, 80.0])
    assert (np.diff(distance_bound(MACHINE, 1.0, 0.04, lines)) > 0.0).all()
    momenta = np.array([0.01, 0.02, -0.04])
    assert (np.diff(distance_bound(MACHINE, 1.0, momenta)) < 0.0).all()
    assert distance_bound(MACHINE, 1.0, np.zeros(1)) == math.inf


def thrown(rng):
    """A flight of random take-off, whatever became of the line: from y = 0 until y = 0 again."""
    psi, th2, w2 = rng.uniform(0.6, 1.5), rng.uniform(-1.5, 0.0), rng.uniform(0.0, 30.0)
    x0 = np.array([0.0, 0.0, psi - 0.5 * th2, th2, 0.0, 0.0, rng.uniform(-12.0, 0.0), w2])
    speed, rising = rng.uniform(0.2, 2.0), rng.uniform(1.0, 3.0)
    return x0, speed, rising


def test_no_flight_within_the_line_goes_beyond_the_bound():
    rng = np.random.default_rng(3)
    g, l = MACHINE.parameters.g, MACHINE.parameters.l
    K, J = MACHINE.coupling, MACHINE.turning
    within = 0
    for _ in range(2000):
        x0, speed, rising = thrown(rng)
        angular_momentum, psi0 = MACHINE.centroidal_angular_momentum(x0), x0[2] + 0.5 * x0[3]
        centre = position(MACHINE, x0, CG)
        end = rng.uniform(-2.5, 2.5)
        # bends linearly; lands where P is at the ground again, or never
        t = np.linspace(1e-3, 0.8, 400)
        th2 = x0[3] + (end - x0[3]) * t / t[-1]
        psi = psi0 + cumulative_trapezoid(
            0.5 * angular_momentum / (J + K * np.cos(th2)), t, initial=0.0
        )
        half = 0.5 * th2
        ahead = l * (2.0 * np.cos(half) * np.cos(psi) + np.sin(half) * np.sin(psi))
        above = l * (2.0 * np.cos(half) * np.sin(psi) - np.sin(half) * np.cos(psi))
        height = centre[1] + rising * t - 0.5 * g * t * t - above
        down = np.flatnonzero(height < 0.0)
        lands = down[down > 20][:1]
        if len(lands) == 0 or np.abs(psi[: lands[0]] - 0.5 * math.pi).max() > SIXTY:
            continue
        within += 1
        distance = centre[0] + speed * t[lands[0]] - ahead[lands[0]]
        # a step of 2 ms late
        assert distance <= distance_bound(MACHINE, speed, angular_momentum) + 2e-3 * speed
    assert within > 100


def test_arrays_say_what_flights_were():
    x0 = np.array([0.1, 0.0, 1.2, -0.4, 0.5, 1.0, -3.0, 10.0])
    x1 = np.array([0.6, 0.0, 1.4, 1.4, 0.5, -2.0, 1.0, -5.0])
    trajectory = PhaseTrajectory(JumpPhase.FLIGHT, 0.4, np.array([x0, x1]).T, np.zeros((2, 1)))
    design = TranscribedJump(0.4, x0, TorqueProfileParameters(()), (trajectory,))
    flight = flight_of(MACHINE, design)
    assert flight.psi == pytest.approx((1.0, 2.1))
    data = angular_momentum_arrays(MACHINE, {"one": flight})
    assert all("units" in array.attrs for name, array in data.data_vars.items())
    assert float(data["spin_flight_spin"][0]) == pytest.approx(
        MACHINE.centroidal_angular_momentum(x0)
    )
    at_sixty = data["spin_bound"].interp(line=SIXTY)
    assert float(at_sixty[0]) == pytest.approx(flight.bound(MACHINE))
    assert isinstance(flight, Flight)

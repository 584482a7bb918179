"""Heel strike of the compass: against the linear system of the document, and laws it leaves out."""

import numpy as np
import pytest
from hypothesis import given
from tests.machines.compass.closed_form.cases import (
    angular_momentum,
    close,
    every_set,
    foot_jacobian,
    poses,
    states,
    walkers,
)
from tests.machines.compass.closed_form.lagrangian import Lagrangian

from footfall.machines.compass.closed_form.model import (
    LAB_CASE_2,
    Compass,
    free_inertia,
    heel_strike,
    impact,
    swap,
)


def lost_energy(machine, x):
    """Kinetic energy that the impact takes [J]."""
    return machine.kinetic_energy(x) - machine.kinetic_energy(heel_strike(machine, x))


def free_velocity(machine, x):
    """Velocity (x', y', q1', q2') of a walker whose foot 1 is at rest."""
    return np.concatenate([machine.velocities(x).hip, x[2:]])


def solve_46(machine, x):
    """Velocity after the impact and impulse by the system (46)."""
    A1, J = free_inertia(machine, x), foot_jacobian(machine, x)
    system = np.block([[A1, -J.T], [J, np.zeros((2, 2))]])
    right = np.concatenate([A1 @ free_velocity(machine, x), np.zeros(2)])
    return np.split(np.linalg.solve(system, right), [4])


@every_set
def test_matrices_are_those_of_the_walker_without_a_ground(parameters):
    reference, machine = Lagrangian(parameters, free=True), Compass(parameters)
    for x in states(10, seed=20).T:
        q = np.concatenate([[0.3, 0.7], x[:2]])
        A1 = reference.at(reference.inertia, q, np.zeros(4))
        J = reference.at(reference.jacobian, q, np.zeros(4))
        assert close(free_inertia(machine, x), A1)
        assert close(foot_jacobian(machine, x), J)


@every_set
def test_closed_form_solves_the_linear_system(parameters):
    machine = Compass(parameters)
    for x in states(20, seed=21).T:
        velocity, impulse = solve_46(machine, x)
        struck = impact(machine, x)
        # roundings times the condition of the system, some 1e3
        assert close(np.concatenate([struck.hip, struck.x[2:]]), velocity, 1e-12)
        assert close(struck.impulse, impulse, 1e-12)
        assert np.array_equal(struck.x[:2], x[:2])
        assert np.array_equal(heel_strike(machine, x), swap(struck.x))


@every_set
def test_two_moments_of_momentum_are_kept(parameters):
    # of all about the new foot, where the impulse acts, and of leg 1 about the hip, where the other
    # leg pushes it: leg 1 before, leg 2 after the exchange of names
    machine, p = Compass(parameters), parameters

    def of_leg(leg, at, velocity, rate):
        r, v = at[leg] - at.hip, velocity[leg]
        return p.m * (r[0] * v[1] - r[1] * v[0]) + p.I * rate

    for x in states(20, seed=22).T:
        after = heel_strike(machine, x)
        foot = machine.points(x).foot_2
        before = angular_momentum(machine, x, foot)
        # a few roundings of terms of size 30
        assert angular_momentum(machine, after, np.zeros(2)) == pytest.approx(before, abs=1e-12)
        leg = of_leg(1, machine.points(x), machine.velocities(x), x[2])
        same = of_leg(3, machine.points(after), machine.velocities(after), after[2] + after[3])
        assert same == pytest.approx(leg, abs=1e-12)


@every_set
def test_impulse_is_the_change_of_momentum(parameters):
    machine, p = Compass(parameters), parameters

    def momentum(x):
        v = machine.velocities(x)
        return p.m * (v.centre_1 + v.centre_2) + p.m_hip * v.hip

    for x in states(20, seed=23).T:
        change = momentum(heel_strike(machine, x)) - momentum(x)
        assert close(impact(machine, x).impulse, change, 1e-12)


@every_set
def test_kinetic_energy_lost_is_that_of_the_lost_velocities(parameters):
    # Carnot: a plastic impact takes 1/2 (v- - v+)^T A1 (v- - v+)
    machine = Compass(parameters)
    for x in states(20, seed=24).T:
        struck = impact(machine, x)
        gone = free_velocity(machine, x) - np.concatenate([struck.hip, struck.x[2:]])
        lost = 0.5 * gone @ free_inertia(machine, x) @ gone
        assert lost_energy(machine, x) == pytest.approx(lost, abs=1e-12)
        assert lost > 0.0


def test_a_foot_that_comes_to_rest_by_itself_feels_no_impulse():
    # legs that turn about the standing foot as one, and both feet in the same place
    machine = Compass(LAB_CASE_2)
    x = np.array([0.1, np.pi, -1.5, 0.0])
    struck = impact(machine, x)
    # the sine of a rounded pi is 1e-16
    assert struck.x == pytest.approx(x, abs=1e-14)
    assert struck.impulse == pytest.approx(np.zeros(2), abs=1e-14)


@given(parameters=walkers, x=poses)
def test_any_impact_takes_energy_and_keeps_the_moments(parameters, x):
    machine = Compass(parameters)
    energy, condition = machine.kinetic_energy(x), np.linalg.cond(machine.inertia(x))
    # the rates after come from a system of the condition of A
    assert lost_energy(machine, x) >= -1e-14 * condition * energy
    after = heel_strike(machine, x)
    spin = angular_momentum(machine, x, machine.points(x).foot_2)
    largest = np.abs(machine.inertia(x)).max() * (np.abs(x[2:]).max() + np.abs(after[2:]).max())
    same = angular_momentum(machine, after, np.zeros(2))
    assert abs(same - spin) <= 1e-13 * condition * max(largest, 1e-300)

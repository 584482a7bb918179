"""PASIBOT as one degree of freedom: periods, symmetries, interpolation, and what starts it."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import every_assembly

from footfall.machines.pasibot.closed_form.linkage import TEXT, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.thresholds import (
    fitted,
    least_friction,
    start_torque,
    static_torque,
)
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms

AROUND = np.linspace(0.0, 2.0 * np.pi, 100)


# --- periods and symmetries --------------------------------------------------------------------


@every_assembly
def test_energies_come_back_after_a_step(parameters):
    at = two_freedoms(parameters, np.array([STEP_BEGINS, STEP_ENDS]))
    # accelerations jump at an exchange of support, places and velocities do not
    for row in (at.inertia, at.potential, at.gravity, at.sway):
        assert row[0] == pytest.approx(row[1], rel=1e-12)
    assert abs(at.sway_slope[1] - at.sway_slope[0]) > 0.01


@every_assembly
@pytest.mark.parametrize("rate", [0.5, 3.0, 5.0])
def test_the_mean_torque_of_a_step_at_constant_speed_is_zero(parameters, rate):
    # Gauss's nodes: analytic within a step
    node, weight = np.polynomial.legendre.leggauss(60)
    th8 = np.pi + 0.5 * np.pi * node
    found = inverse(parameters, th8, rate, 0.0)
    assert np.abs(found.torque).max() > 1.0
    assert 0.5 * weight @ found.torque == pytest.approx(0.0, abs=1e-9)
    # and the mass centre moves on as fast as it came
    assert 0.5 * weight @ found.floor.real == pytest.approx(0.0, abs=1e-8)
    weight_of_all = total_mass(parameters) * parameters.g
    assert 0.5 * weight @ found.floor.imag == pytest.approx(weight_of_all, rel=1e-9)


def test_sway_and_gravity_give_the_force_of_the_floor():
    th8, rate, change = AROUND, 2.0, -3.0
    at, floor = two_freedoms(TEXT, th8), inverse(TEXT, th8, rate, change).floor
    along = at.sway * change + at.sway_slope * rate**2
    up = (at.gravity * change + at.gravity_slope * rate**2) / TEXT.g + total_mass(TEXT) * TEXT.g
    assert np.abs(floor - along - 1j * up).max() < 1e-10


# --- what starts it ----------------------------------------------------------------------------


def test_the_two_published_scalars_are_met_by_the_default_scales():
    # fitted: five digits of l8 and of the density
    assert start_torque(TEXT).value == pytest.approx(0.84, rel=1e-4)
    assert least_friction(TEXT, 3.0).value == pytest.approx(0.08, rel=1e-4)


@every_assembly
def test_a_fit_meets_both_scalars(parameters):
    found = fitted(parameters, torque=1.3, friction=0.11, rate=2.5)
    assert start_torque(found).value == pytest.approx(1.3, rel=1e-10)
    assert least_friction(found, 2.5).value == pytest.approx(0.11, rel=1e-10)
    assert replace(found, l8=parameters.l8, density=parameters.density) == parameters


@every_assembly
def test_speed_carries_the_machine_over_a_slope_that_holds_it_at_rest(parameters):
    assert start_torque(parameters).value < 0.7 * static_torque(parameters).value
    # the greatest of V' is where V'' vanishes
    assert two_freedoms(parameters, static_torque(parameters).th8).gravity_slope == pytest.approx(
        0.0, abs=1e-4
    )


@every_assembly
def test_the_steepest_secant_touches_the_potential(parameters):
    peak = start_torque(parameters)
    assert STEP_BEGINS < peak.th8 < STEP_ENDS
    # V' = secant: there the machine comes to rest without turning back
    assert two_freedoms(parameters, peak.th8).gravity == pytest.approx(peak.value, rel=1e-6)


@every_assembly
def test_the_friction_that_is_needed_is_that_of_the_69_equations(parameters):
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 721)
    floor = inverse(parameters, th8, 4.0, 0.0).floor
    peak = (np.abs(floor.real) / floor.imag).max()
    # of a grid of .25 degrees, whose greatest is below the peak by the grid's square
    assert peak <= least_friction(parameters, 4.0).value * (1.0 + 1e-12) < peak * (1.0 + 1e-4)


def test_a_crank_so_fast_that_the_foot_would_lift_is_refused():
    with pytest.raises(ValueError, match="hold the foot down"):
        least_friction(TEXT, 12.0)

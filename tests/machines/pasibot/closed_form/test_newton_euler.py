"""The 69 equations of PASIBOT: against the energy form, and laws that they do not state."""

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import every_loaded_assembly, mass_centre, motions

from footfall.machines.pasibot.closed_form.linkage import (
    LINK_INDEX,
    LINKS,
    PAIRS,
    TEXT,
    bodies,
    total_mass,
    unknowns,
)
from footfall.machines.pasibot.closed_form.motion import pose
from footfall.machines.pasibot.closed_form.newton_euler import coefficients, forward, inverse
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms

# --- both forms --------------------------------------------------------------------------------


@every_loaded_assembly
def test_the_torque_is_that_of_one_degree_of_freedom(parameters):
    th8, rate, change, _ = motions(400, seed=1)
    found = inverse(parameters, th8, rate, change)
    expected = two_freedoms(parameters, th8).inverse(rate, change).torque
    # some hundred N m, and a matrix of condition 5e3
    assert np.abs(found.torque - expected).max() < 1e-11


@every_loaded_assembly
def test_forward_and_inverse_dynamics_undo_each_other(parameters):
    th8, rate, change, _ = motions(200, seed=2)
    there = inverse(parameters, th8, rate, change)
    back = forward(parameters, th8, rate, there.torque)
    assert np.abs(back.acceleration - change).max() < 1e-10
    assert np.abs(back.joints - there.joints).max() < 1e-9
    assert np.abs(back.floor - there.floor).max() < 1e-9
    assert np.array_equal(there.acceleration, change)
    assert np.array_equal(back.torque, there.torque)
    one = two_freedoms(parameters, th8)
    assert np.abs(back.acceleration - one.forward(rate, there.torque).acceleration).max() < 1e-10


@every_loaded_assembly
def test_forces_of_joints_do_no_work_and_the_torque_does(parameters):
    # virtual work: the columns of A on the velocities of the links
    th8 = motions(50, seed=3)[0]
    at = pose(parameters, th8)
    moving = np.zeros((th8.size, 69))
    for link in LINKS[1:]:
        row = 3 * (LINK_INDEX[link] - 1)
        moving[:, row] = at.centres.first[LINK_INDEX[link]].real
        moving[:, row + 1] = at.centres.first[LINK_INDEX[link]].imag
        moving[:, row + 2] = at.angles.first[LINK_INDEX[link]]
    work = np.einsum("nr,nrc->nc", moving, coefficients(at))
    assert np.abs(work[:, :-1]).max() < 1e-13
    # crank against hip: its angle in the hip is th8 itself
    assert work[:, -1] == pytest.approx(1.0, abs=1e-14)


# --- the machine as a whole --------------------------------------------------------------------


@every_loaded_assembly
def test_the_floor_carries_weight_and_momentum_of_all_links(parameters):
    th8, rate, change, _ = motions(200, seed=4)
    found = inverse(parameters, th8, rate, change)
    mass = total_mass(parameters)
    push = mass_centre(parameters, th8).acceleration(rate, change)
    assert np.abs(found.floor - mass * (push + 1j * parameters.g)).max() < 1e-10


@every_loaded_assembly
def test_the_floor_acts_where_angular_momentum_says(parameters):
    # about the ankle's place on the floor: d/dt of the momentum = moment of the weight and of f01
    th8, rate, change, _ = motions(200, seed=5)
    at, of = pose(parameters, th8), bodies(parameters)
    found = inverse(parameters, th8, rate, change)
    moment = np.zeros_like(th8)
    for link in LINKS:
        place, body = LINK_INDEX[link], of[link]
        push = at.centres.acceleration(rate, change)[place] + 1j * parameters.g
        moment += body.mass * np.imag(np.conj(at.centres.value[place]) * push)
        moment += body.inertia * at.angles.acceleration(rate, change)[place]
    assert np.abs(found.zmp * found.floor.imag - moment).max() < 1e-10


@every_loaded_assembly
def test_the_motors_power_becomes_energy(parameters):
    # along a motion whose energy is differenced
    def th8(time):
        return 2.0 + 1.1 * time + 0.6 * np.sin(2.0 * time)

    def energy(time):
        at, of = pose(parameters, th8(time)), bodies(parameters)
        rate = 1.1 + 1.2 * np.cos(2.0 * time)
        total = 0.0
        for link in LINKS:
            place, body = LINK_INDEX[link], of[link]
            speed = at.centres.velocity(rate)[place]
            spin = at.angles.velocity(rate)[place]
            total = total + 0.5 * body.mass * np.abs(speed) ** 2 + 0.5 * body.inertia * spin**2
            total = total + body.mass * parameters.g * at.centres.value[place].imag
        return total

    time, step = np.linspace(0.0, 3.0, 40), 1e-3
    # a difference of fourth order: step^4 times a fifth derivative of some 1e3
    gain = 8.0 * (energy(time + step) - energy(time - step))
    gain -= energy(time + 2.0 * step) - energy(time - 2.0 * step)
    rate, change = 1.1 + 1.2 * np.cos(2.0 * time), -2.4 * np.sin(2.0 * time)
    power = inverse(parameters, th8(time), rate, change).torque * rate
    assert power == pytest.approx(gain / (12.0 * step), abs=1e-7)


# --- single links ------------------------------------------------------------------------------


@every_loaded_assembly
def test_every_link_obeys_newton_with_the_forces_that_are_told(parameters):
    th8, rate, change, _ = motions(60, seed=6)
    at, of = pose(parameters, th8), bodies(parameters)
    found = inverse(parameters, th8, rate, change)
    for link in LINKS:
        n, body = LINK_INDEX[link], of[link]
        force = found.floor if link == "1" else np.zeros_like(th8, dtype=complex)
        for k, pair in enumerate(PAIRS):
            if pair.second == link:
                force = force + found.joints[k]
            elif pair.first == link:
                force = force - found.joints[k]
        push = at.centres.acceleration(rate, change)[n] + 1j * parameters.g
        assert np.abs(force - body.mass * push).max() < 1e-10


@every_loaded_assembly
def test_slots_push_across_themselves(parameters):
    found = inverse(parameters, *motions(40, seed=7)[:3])
    slot = pose(parameters, motions(40, seed=7)[0]).slot.value
    for k, pair in enumerate(PAIRS):
        if pair.sliding:
            assert np.abs((found.joints[k] * slot.conj()).imag).max() < 1e-10
            assert np.abs(found.joints[k]).max() > 0.01


# --- shapes ------------------------------------------------------------------------------------


def test_a_turn_at_once_is_the_same_as_angle_by_angle():
    th8 = np.linspace(0.0, 2.0 * np.pi, 40).reshape(5, 8)
    whole = inverse(TEXT, th8, 3.0, -1.0)
    assert len(unknowns()) == 69
    assert whole.joints.shape == (35, 5, 8)
    assert whole.torque.shape == whole.floor.shape == whole.zmp.shape == (5, 8)
    single = inverse(TEXT, th8[3, 4], 3.0, -1.0)
    assert single.torque.shape == ()
    assert single.torque == pytest.approx(whole.torque[3, 4], abs=1e-10)
    assert single.joints == pytest.approx(whole.joints[:, 3, 4], abs=1e-10)
    assert single.zmp == pytest.approx(whole.zmp[3, 4], abs=1e-12)

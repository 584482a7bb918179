"""The 69 equations of PASIBOT: against the energy form, and laws that they do not state."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import every_loaded_assembly, motions

from footfall.machines.pasibot.closed_form.bodies import (
    LINK_INDEX,
    LINKS,
    PAIRS,
    bodies,
    total_mass,
    unknowns,
)
from footfall.machines.pasibot.closed_form.energy import mass_centre, reduced
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, pose
from footfall.machines.pasibot.closed_form.newton_euler import coefficients, forward, inverse
from footfall.machines.pasibot.closed_form.parameters import TEXT


def joint(name):
    return next(k for k, pair in enumerate(PAIRS) if pair.name == name)


# --- both forms --------------------------------------------------------------------------------


@every_loaded_assembly
def test_the_torque_is_that_of_one_degree_of_freedom(parameters):
    th8, rate, change, _ = motions(400, seed=1)
    found = inverse(parameters, th8, rate, change)
    expected = reduced(parameters, th8).torque(rate, change)
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
    one = reduced(parameters, th8)
    assert np.abs(back.acceleration - one.acceleration(rate, there.torque)).max() < 1e-10


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


def test_at_rest_the_floor_acts_below_the_mass_centre():
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 50)
    found = inverse(TEXT, th8, 0.0, 0.0)
    centre = mass_centre(TEXT, th8).value.real
    assert np.abs(found.zmp - centre).max() < 1e-14
    assert np.abs(found.floor.real).max() < 1e-11
    # the assumed foot, from 5 behind the ankle to 7 ahead, is long enough to stand on
    assert -5.0 < found.zmp.min() / TEXT.l8 < found.zmp.max() / TEXT.l8 < 7.0


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


def test_links_without_mass_pull_along_themselves():
    # only the hip weighs: bars with two pins carry forces along them, and no torque of their own
    light = replace(TEXT, density=1e-9, hip_share=0.0, hip_load=8.0)
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 50)
    at, found = pose(light, th8), inverse(light, th8, 2.0, -1.0)
    for one, two in (("f2|4", "f4|13"), ("f3|6", "f6|13"), ("f7|9", "f9|13"), ("f5|11", "f10|11"),
                     ("f5|12", "f1|12")):  # fmt: skip
        along = at.joints.value[joint(one)] - at.joints.value[joint(two)]
        for name in (one, two):
            force = found.joints[joint(name)]
            across = np.imag(force * along.conj()) / np.abs(along)
            assert np.abs(across).max() < 1e-6
        assert np.abs(found.joints[joint(one)]).max() > 1e-3
    # of the other leg nothing is left to carry
    idle = [k for k, pair in enumerate(PAIRS) if pair.leg == 2]
    assert np.abs(found.joints[idle]).max() < 1e-6


def test_a_load_on_the_hip_is_carried_by_the_hip_and_the_floor():
    th8, rate, change, _ = motions(60, seed=8)
    bare, loaded = (inverse(replace(TEXT, hip_load=m), th8, rate, change) for m in (0.0, 7.0))
    at = pose(TEXT, th8)
    hip = LINK_INDEX["13"]
    share = 7.0 * (at.centres.acceleration(rate, change)[hip] + 1j * TEXT.g)
    assert np.abs(loaded.floor - bare.floor - share).max() < 1e-10
    # virtual work of the load
    lifted = np.real(share * at.centres.first[hip].conj())
    assert np.abs(loaded.torque - bare.torque - lifted).max() < 1e-10


def test_twice_the_load_adds_twice_the_forces():
    th8, rate, change, _ = motions(30, seed=9)
    none, once, twice = (
        inverse(replace(TEXT, hip_load=m), th8, rate, change).unknowns for m in (0.0, 5.0, 10.0)
    )
    assert np.abs(twice - none - 2.0 * (once - none)).max() < 1e-9


# --- what the text says ------------------------------------------------------------------------


def torque_range(parameters, rate):
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 401)
    return np.ptp(inverse(parameters, th8, rate, 0.0).torque)


def test_torque_hardly_differs_at_low_speed_and_grows_above():
    # figure 11: below 3 rad/s graphs hardly differ, at 5 rad/s inertia becomes important
    slow, three, five = (torque_range(TEXT, rate) for rate in (1.0, 3.0, 5.0))
    assert three / slow < 1.35
    assert five / slow > 1.9


def test_torque_depends_slightly_on_the_load_of_the_hip():
    # figure 12: 15 kg on a machine that weighs less than 10
    assert total_mass(TEXT) < 10.0
    change = torque_range(replace(TEXT, hip_load=15.0), 3.0) / torque_range(TEXT, 3.0)
    assert 1.0 < change < 1.05


# --- shapes ------------------------------------------------------------------------------------


def test_a_turn_at_once_is_the_same_as_angle_by_angle():
    th8 = np.linspace(0.0, 2.0 * np.pi, 40).reshape(5, 8)
    whole = inverse(TEXT, th8, 3.0, -1.0)
    assert whole.unknowns.shape == (5, 8, 69)
    assert len(unknowns()) == 69
    assert whole.joints.shape == (35, 5, 8)
    assert whole.torque.shape == whole.floor.shape == whole.zmp.shape == (5, 8)
    single = inverse(TEXT, th8[3, 4], 3.0, -1.0)
    assert single.torque.shape == ()
    assert single.unknowns == pytest.approx(whole.unknowns[3, 4], abs=1e-10)
    assert single.joints == pytest.approx(whole.joints[:, 3, 4], abs=1e-10)
    assert single.zmp == pytest.approx(whole.zmp[3, 4], abs=1e-12)

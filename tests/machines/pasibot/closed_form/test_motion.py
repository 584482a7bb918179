"""PASIBOT on one foot: the ground frame, both legs, and the exchange of support."""

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import every_assembly

from footfall.machines.pasibot.closed_form.linkage import LINK_INDEX, LINKS, PAIRS, TEXT
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    STEP_ENDS,
    exchange,
    fold,
    hip_angles,
    legs,
    pose,
    soles,
)

AROUND = np.linspace(0.0, 2.0 * np.pi, 361)
STEP = np.linspace(STEP_BEGINS, STEP_ENDS, 361)
# a machine of less than a metre, of coordinates in some thirty units
ROUNDING = 1e-14


# --- the ground frame --------------------------------------------------------------------------


@every_assembly
def test_the_supporting_foot_does_not_move(parameters):
    at = pose(parameters, AROUND)
    foot = LINK_INDEX["1"]
    for jet in (at.centres, at.angles):
        assert np.abs(jet.first[foot]).max() < ROUNDING
        assert np.abs(jet.second[foot]).max() < 10.0 * ROUNDING
    ankle = next(k for k, pair in enumerate(PAIRS) if pair.name == "f1|2")
    height = parameters.ankle_height * parameters.l8
    assert np.abs(at.joints.value[ankle] - 1j * height).max() < ROUNDING
    assert np.abs(soles(parameters, AROUND).value[0].imag).max() < ROUNDING


@every_assembly
def test_links_keep_their_shape_while_they_move(parameters):
    # a joint moves with both its links: velocity and acceleration of a rigid body
    at, rate, change = pose(parameters, AROUND), 2.3, -5.1
    joints = at.joints
    for k, pair in enumerate(PAIRS):
        if pair.sliding:
            continue
        for link in (pair.first, pair.second):
            n = LINK_INDEX[link]
            arm = joints.value[k] - at.centres.value[n]
            turn = at.angles.first[n] * rate
            faster = at.angles.second[n] * rate**2 + at.angles.first[n] * change
            # of the pin in the link; the pin itself is a jet of its own
            speed = at.centres.velocity(rate)[n] + 1j * turn * arm
            assert np.abs(speed - joints.velocity(rate)[k]).max() < 1e-13
            push = at.centres.acceleration(rate, change)[n] + (1j * faster - turn**2) * arm
            assert np.abs(push - joints.acceleration(rate, change)[k]).max() < 1e-11


@every_assembly
def test_ends_of_stabilisers_move_along_the_slot_of_the_hip(parameters):
    at = pose(parameters, AROUND)
    hip = LINK_INDEX["13"]
    turned = np.exp(1j * at.angles.value[hip])
    assert np.abs(turned * 1j - at.slot.value).max() < ROUNDING
    for k, pair in enumerate(PAIRS):
        if pair.sliding:
            seen = (at.joints.value[k] - at.centres.value[hip]) / turned
            # hip's mass centre 6 below A, the slot 4 below
            assert np.abs(seen.imag - 2.0 * parameters.l8).max() < ROUNDING
            assert np.ptp(seen.real) > 3.9 * parameters.l8


@every_assembly
def test_angles_are_the_documents_taken_to_the_ground(parameters):
    at, own = pose(parameters, AROUND), hip_angles(parameters, AROUND)
    tilt = np.imag(np.log(legs(parameters, AROUND)[0].e1.value))
    assert np.abs(own["8"].value - AROUND).max() == 0.0
    for link in LINKS:
        assert np.abs(at.angles.value[LINK_INDEX[link]] - (own[link].value - tilt)).max() < ROUNDING
    # what the text calls identical
    for same, other in (("4", "3"), ("11", "3"), ("6", "2"), ("12", "2"), ("1", "10"), ("5", "10")):
        assert np.array_equal(own[same].value, own[other].value)


# --- a step ------------------------------------------------------------------------------------


def test_it_walks_ahead_by_eight_cranks_a_step():
    ahead = pose(TEXT, STEP).centres.value[LINK_INDEX["13"]].real
    assert np.all(np.diff(ahead) > 0.0)
    assert ahead[-1] - ahead[0] == pytest.approx(8.0 * TEXT.l8, rel=1e-13)


@every_assembly
def test_support_goes_over_without_an_impact(parameters):
    found = exchange(parameters)
    assert found.pop("step") == pytest.approx(8.0 * parameters.l8, rel=1e-13)
    assert max(abs(value) for value in found.values()) < ROUNDING


@every_assembly
def test_after_the_exchange_it_is_the_same_machine_with_its_legs_exchanged(parameters):
    before, after = pose(parameters, STEP_ENDS), pose(parameters, STEP_BEGINS)
    other = [LINK_INDEX[link] for link in (_other(link) for link in LINKS)]
    shift = 8.0 * parameters.l8
    assert np.abs(before.centres.value - shift - after.centres.value[other]).max() < ROUNDING
    # velocities too: no foot meets the floor with speed
    assert np.abs(before.centres.first - after.centres.first[other]).max() < ROUNDING
    assert np.abs(before.angles.first - after.angles.first[other]).max() < ROUNDING


def _other(link):
    """The same link of the other leg."""
    if link in ("8", "13"):
        return link
    return link[:-1] if link.endswith("'") else f"{link}'"


def test_the_other_foot_lifts_and_all_but_clears_the_floor():
    ends = soles(TEXT, STEP).value[1].imag / TEXT.l8
    # printed lengths: the ankle rises by twice .9 of the crank
    ankle = legs(TEXT, STEP)
    lift = (ankle[0].E.value - ankle[1].E.value).imag
    assert lift.max() == pytest.approx(2.0 * (np.sqrt(24.0) - 4.0), abs=0.01)
    # the tilt of the hip, a quarter of a degree at most, brings the sole below the floor at first
    assert -0.01 < ends.min() < 0.0
    assert ends[:, 60:301].min() > 0.0


def test_folding_counts_steps_in_both_directions():
    th8 = np.array([STEP_BEGINS, STEP_ENDS - 0.1, STEP_ENDS + 0.1, STEP_BEGINS - 0.1])
    angle, steps = fold(th8)
    assert steps.tolist() == [0, 0, 1, -1]
    assert angle == pytest.approx(
        [STEP_BEGINS, STEP_ENDS - 0.1, STEP_BEGINS + 0.1, STEP_ENDS - 0.1]
    )

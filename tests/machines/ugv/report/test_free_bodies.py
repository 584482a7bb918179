"""Free bodies of the vehicle: what is drawn holds each of them in balance."""

import numpy as np
import pytest

from footfall.machines.ugv.balance import read_track_kind
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import UgvParameters, pose
from footfall.machines.ugv.report.drawing import FRONT_WHEEL, PARTS, REAR_WHEEL, TRUNK, stand_at

UGV = UgvParameters()


@pytest.fixture(params=["!Bump {height: 0.1}", "!Steps {places: [4.0], heights: [0.12]}"])
def stands(request):
    """The vehicle at several places of a track."""
    curve = CentreCurve(read_track_kind(request.param).track(), UGV.r, 0.5, 8.0)
    at = pose(UGV, curve, np.linspace(2.5, 5.5, 7), np.deg2rad(110.0), np.deg2rad(118.0))
    held = forces(UGV, at)
    return [stand_at(UGV, at, held, row) for row in range(7)]


def _sums(stand, system):
    """Force and moment about the rear axle [N, N m] of what is drawn at a free body."""
    force, moment = 0.0, 0.0
    for place, drawn, letter, _ in stand.acting(system):
        vector = drawn / stand.lifted if letter.startswith("F") else drawn
        arm = place - stand.outline.wheel_r
        force, moment = force + vector, moment + (np.conj(arm) * vector).imag
    return force, moment


def test_each_free_body_is_in_balance_but_for_the_torque_of_the_motor_that_is_cut(stands):
    for stand in stands:
        torque = float(stand.forces.torque)
        # ahead is clockwise: a motor holds its wheel and turns the leg the other way
        for system, cut in (((REAR_WHEEL,), -torque), ((REAR_WHEEL, TRUNK), torque), (PARTS, 0.0)):
            force, moment = _sums(stand, system)
            assert abs(force) < 1e-9 * UGV.weight
            assert moment + cut == pytest.approx(0.0, abs=1e-8 * UGV.weight)


def test_weights_are_those_of_the_parts(stands):
    alone = sum(stands[0].weight((part,))[1] for part in PARTS)
    assert alone == pytest.approx(UGV.weight, rel=1e-14)
    assert stands[0].weight(PARTS)[1] == pytest.approx(UGV.weight, rel=1e-14)
    assert stands[0].weight((FRONT_WHEEL,))[0] == stands[0].outline.wheel_f


def test_friction_is_drawn_as_large_as_other_forces_by_a_whole_factor(stands):
    for stand in stands:
        assert stand.lifted in range(1, 21)
        assert stand.lifted * abs(float(stand.forces.friction)) < 0.31 * UGV.weight or (
            stand.lifted == 1
        )

"""Quasi-static balance: the document's equations, virtual work, symmetry, beams and planes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.machines.ugv.balance_equations import NINE, nine_equations
from tests.machines.ugv.closed_form.cases import TRACKS, UGV, curve_over, mirrored, random_poses

from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import forces, potential, rates, torques_by_energy
from footfall.machines.ugv.closed_form.position import UgvParameters, body_positions, pose
from footfall.machines.ugv.closed_form.tracks import track_of_points

ANGLES = st.floats(math.radians(80.0), math.radians(175.0))
STEEP = curve_over(TRACKS["steep"])
LEVEL = CentreCurve(tracks.flat(), UGV.r, -4.0, 20.0)


@pytest.mark.parametrize("name", TRACKS)
def test_closed_form_solves_the_nine_equations(name: str) -> None:
    """The document's, of three systems."""
    at = random_poses(curve_over(TRACKS[name]), 400, 5)
    A, b = nine_equations(UGV, at)
    nine = dict(zip(NINE, np.linalg.solve(A, b[..., None])[..., 0].T, strict=True))
    of = forces(UGV, at)
    names = ("F_r", "N_r", "F_f", "N_f", "M")
    closed = (of.friction, of.normal_r, of.friction, of.normal_f, of.torque)
    for unknown, value in zip(names, closed, strict=True):
        # a few hundred eps of the weight, 4316 N
        np.testing.assert_allclose(value, nine[unknown], atol=1e-9)


@pytest.mark.parametrize("name", TRACKS)
def test_torques_are_those_of_virtual_work(name: str) -> None:
    """M (theta_r' + theta_f') = V' pointwise, and the leg torques likewise."""
    at = random_poses(curve_over(TRACKS[name]), 400, 6)
    of, by = forces(UGV, at), torques_by_energy(UGV, at)
    np.testing.assert_allclose(of.torque, by.torque, atol=1e-8)
    np.testing.assert_allclose(of.leg_r, by.leg_r, atol=1e-8)
    np.testing.assert_allclose(of.leg_f, by.leg_f, atol=1e-8)


@pytest.mark.parametrize("name", ["bump", "steep", "step"])
def test_rates_are_derivatives_along_the_track_and_by_the_angles(name: str) -> None:
    """By central differences of the position, of which the rates know nothing."""
    curve, h = curve_over(TRACKS[name]), 1e-6
    at = random_poses(curve, 200, 7)
    wheels = np.stack((at.front.s, at.rear.s))
    smooth = (
        np.abs(wheels[..., None] - np.append(curve.nonsmooth_points, np.inf)).min(axis=(0, 2))
        > 1e-4
    )
    by = rates(UGV, at)
    for k, d in enumerate(h * np.eye(3)):
        before = pose(UGV, curve, at.front.s - d[0], at.phi_r - d[1], at.phi_f - d[2])
        after = pose(UGV, curve, at.front.s + d[0], at.phi_r + d[1], at.phi_f + d[2])
        turn = after.psi - before.psi
        rolled_r = (after.rear.arc - before.rear.arc) / UGV.r
        rolled_f = (after.front.arc - before.front.arc) / UGV.r
        lifted = potential(UGV, after) - potential(UGV, before)
        # rounding: eps/h of 10 m and of some 2000 J; where a foot of a bump is nearly as tight as
        # the wheel, h^2 of a third derivative of 1e7 J/m^3
        for found, change, near in (
            (by.potential, lifted, 1e-4),
            (by.psi, turn, 1e-8),
            (by.theta_r, rolled_r + turn - 2.0 * d[1], 1e-7),
            (by.theta_f, rolled_f + turn + 2.0 * d[2], 1e-7),
        ):
            difference = change[smooth] / (2.0 * h)
            np.testing.assert_allclose(difference, found[k][smooth], atol=near, rtol=1e-6)


@given(s=st.floats(-2.0, 20.0), phi_r=ANGLES, phi_f=ANGLES)
def test_level_ground_needs_no_torque(s: float, phi_r: float, phi_f: float) -> None:
    """The normal forces are those of a beam on two supports."""
    at = pose(UGV, LEVEL, s, phi_r, phi_f)
    of, where = forces(UGV, at), body_positions(UGV, at)
    assert abs(of.torque) < 1e-9
    masses = ((UGV.m_b, where.body), (UGV.m_l, where.leg_r), (UGV.m_l, where.leg_f))
    moment = UGV.g * sum(m * (p - where.wheel_r).real for m, p in masses)
    assert of.normal_f == pytest.approx(moment / at.wheelbase + UGV.m_w * UGV.g, abs=1e-9)
    assert of.normal_f + of.normal_r == pytest.approx(UGV.weight, abs=1e-9)


def test_a_plane_slope_asks_for_its_part_of_the_weight() -> None:
    """F = W sin(a)/2 at either wheel; its friction is tan(a) where the wheels carry alike."""
    incline = math.radians(12.0)
    x = np.linspace(0.0, 10.0, 101)
    curve = CentreCurve(track_of_points(x, math.tan(incline) * x), UGV.r, 1.0, 9.0)
    of = forces(UGV, pose(UGV, curve, 6.0, 2.0, 2.0))
    assert of.friction == pytest.approx(0.5 * UGV.weight * math.sin(incline), abs=1e-8)
    assert of.normal_r + of.normal_f == pytest.approx(UGV.weight * math.cos(incline), abs=1e-8)
    assert of.normal_r > of.normal_f  # uphill the rear one carries more


@pytest.mark.parametrize("name", TRACKS)
def test_on_the_mirrored_track_the_mirrored_vehicle_has_the_opposite_torque(name: str) -> None:
    """Rear and front change their parts."""
    track, middle = TRACKS[name], 4.0
    at = random_poses(curve_over(track), 100, 8)
    mirror = curve_over(mirrored(track, middle))
    seen = pose(UGV, mirror, 2.0 * middle - at.rear.s, at.phi_f, at.phi_r)
    beside = np.abs(seen.rear.s - (2.0 * middle - at.front.s)) < 1e-9
    # on a stair a circle may cut the curve twice behind; elsewhere it must not
    assert beside.mean() > 0.95
    of, there = forces(UGV, at), forces(UGV, seen)
    for mine, theirs in (
        (of.torque, -there.torque),
        (of.normal_r, there.normal_f),
        (of.normal_f, there.normal_r),
        (of.leg_r, there.leg_f),
        (of.leg_f, there.leg_r),
    ):
        # places agree to 1e-12 m, and forces change by 4e5 N/m near the edge of a step
        np.testing.assert_allclose(mine[beside], theirs[beside], atol=1e-6)


def test_while_a_wheel_touches_twice_all_torques_between_the_limits_balance() -> None:
    """The ground's forces are the mean of those on either side, at three contacts."""
    curve = curve_over(TRACKS["step"])
    s = curve.angle_jumps[0] + np.array([-1e-11, 1e-11])
    at = pose(UGV, curve, s, 2.0, 2.2)
    of, where = forces(UGV, at), body_positions(UGV, at)
    share = np.array([0.3, 0.7])
    up = (of.friction + 1j * of.normal_r) * np.exp(1j * at.rear.beta)
    ahead = (of.friction + 1j * of.normal_f) * np.exp(1j * at.front.beta)
    whole = np.sum(share * (up + ahead))
    np.testing.assert_allclose([whole.real, whole.imag], [0.0, UGV.weight], atol=1e-6)
    # both tangential forces at the front wheel hold the torque of its motor
    torque = float(np.sum(share * of.torque))
    assert of.torque.min() + 50.0 < torque < of.torque.max() - 50.0
    lever = UGV.r * np.sum(share * of.friction)
    assert lever == pytest.approx(torque, rel=1e-12)
    touch = where.wheel_f - UGV.r * 1j * np.exp(1j * at.front.beta)
    back = where.wheel_r - UGV.r * 1j * np.exp(1j * at.rear.beta)
    masses = UGV.m_b * where.body + UGV.m_l * (where.leg_r + where.leg_f)
    masses = masses + UGV.m_w * (where.wheel_r + where.wheel_f)
    moments = np.imag(np.conj(touch) * (share * ahead)) + np.imag(np.conj(back) * (share * up))
    # places of both sides are 2e-11 m apart, forces up to 5 kN
    assert moments.sum() == pytest.approx(float(UGV.g * masses.real.mean()), abs=1e-5)


def test_where_there_is_no_place_there_is_no_number() -> None:
    """Before the curve's begin, or with wheels in each other."""
    short = CentreCurve(tracks.flat(), UGV.r, 0.0, 3.0)
    at = pose(UGV, short, [0.5, 2.0, 2.0], [2.0, 2.0, 1.0], [2.0, 2.0, 1.0])
    np.testing.assert_array_equal(np.isnan(at.psi), [True, False, True])
    np.testing.assert_array_equal(np.isnan(forces(UGV, at).torque), [True, False, True])


@pytest.mark.parametrize(
    "wrong", [{"L": 0.0}, {"r": math.nan}, {"m_l": -1.0}, {"r": 0.8}, {"g": math.inf}]
)
def test_numbers_that_make_no_vehicle_are_refused(wrong: dict[str, float]) -> None:
    """ValueError, one line."""
    with pytest.raises(ValueError, match=r"give a (positive|finite) number|touch each other"):
        UgvParameters(**wrong)

"""Passages and criteria: work, energy, and each way to fail."""

import math

import numpy as np
import pytest
from tests.machines.ugv.closed_form.cases import TRACKS, UGV, curve_over

from footfall.arrays import Flags
from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import (
    Verdict,
    clearance,
    forces,
    required_friction,
    verdict,
)
from footfall.machines.ugv.closed_form.position import body_positions, pose
from footfall.machines.ugv.closed_form.tracks import track_of_points
from footfall.machines.ugv.closed_form.traversal import traversal

STATIONS = np.linspace(1.5, 7.5, 121)


def fails(judged: Verdict) -> Flags:
    """Return where a verdict is that the vehicle does not pass."""
    return ~judged.possible | judged.slips | judged.rolls_over | judged.bottoms


def plane(slope: float) -> CentreCurve:
    """The curve over a plane that rises."""
    x = np.linspace(0.0, 10.0, 101)
    return CentreCurve(track_of_points(x, slope * x), UGV.r, 1.0, 9.0)


@pytest.mark.parametrize("name", TRACKS)
def test_works_are_the_change_of_energy(name: str) -> None:
    """With legs that move and with legs that do not."""
    curve = curve_over(TRACKS[name])
    waving = 2.1 + 0.2 * np.sin(3.0 * STATIONS)
    for angles in ((2.0, 2.2), (waving, waving[::-1])):
        found = traversal(UGV, curve, STATIONS, *angles)
        # six nodes in 5 cm; beside hollows that are tighter than the wheel the curve bends sharply
        assert found.energy_residual < (1e-5 if name == "tight" else 1e-7)


def test_over_the_bump_and_down_again_no_work_is_left() -> None:
    """Fixed angles; level ground is 1e-9 m high 4.3 m from the middle."""
    curve = CentreCurve(tracks.Bump().track(), UGV.r, -3.0, 12.0)
    found = traversal(UGV, curve, np.linspace(-0.5, 10.0, 211), 1.9, 2.4)
    assert abs(found.works.wheels[-1]) < 1e-4
    assert found.works.supplied[-1] > 100.0  # most of what lifts it is lost when it brakes
    given = np.diff(found.works.wheels)
    # of the rows between which the torque changes its sign, a part counts
    assert found.works.supplied[-1] == pytest.approx(given[given > 0.0].sum(), rel=1e-2)


def test_raising_the_body_on_level_ground_takes_its_weight_times_the_way() -> None:
    """Legs that stand up lift body and half of themselves; wheels slip nowhere."""
    curve = CentreCurve(tracks.flat(), UGV.r, -2.0, 9.0)
    low, high = math.radians(150.0), math.radians(110.0)
    angles = np.linspace(low, high, len(STATIONS))
    found = traversal(UGV, curve, STATIONS, angles, angles)
    rise = UGV.l * (math.sin(high) - math.sin(low))
    work = UGV.g * (UGV.m_b + UGV.m_l) * rise
    done = found.works.leg_r[-1] + found.works.leg_f[-1] + found.works.wheels[-1]
    assert done == pytest.approx(work, rel=1e-12)


def test_both_sides_of_a_step_are_shown() -> None:
    """At the angle_jump the torque jumps from that of level ground to that of the edge."""
    curve = curve_over(TRACKS["step"])
    found = traversal(UGV, curve, STATIONS, 2.0, 2.0)
    angle_jump = curve.angle_jumps[0]
    before, after = (int(np.abs(found.s - angle_jump - d).argmin()) for d in (-1e-9, 1e-9))
    assert after == before + 1
    assert found.forces.torque[before] == pytest.approx(0.0, abs=1e-9)
    assert found.forces.torque[after] > 200.0
    rear = np.flatnonzero(np.diff(found.forces.torque) > 100.0)
    assert len(rear) == 2  # the rear wheel meets it as well
    assert found.pose.rear.s[rear[1]] == pytest.approx(angle_jump, abs=1e-8)


def test_on_the_documents_bump_nothing_fails_above_a_friction_of_a_tenth() -> None:
    """Whatever the fixed angles are, 90 to 165 degrees."""
    curve = curve_over(tracks.Bump().track())
    phi = np.radians(np.linspace(90.0, 165.0, 16))
    at = pose(UGV, curve, np.linspace(2.0, 7.0, 60)[:, None, None], phi[:, None], phi)
    of = forces(UGV, at)
    assert not fails(verdict(UGV, curve.track, at, of, 0.1)).any()
    assert required_friction(of).max() > 0.05  # so that it says something


def test_a_wheel_slips_where_the_friction_is_too_small() -> None:
    """And nowhere else: on a plane slope at tan of its angle, of the wheel that carries less."""
    curve = plane(0.2)
    at = pose(UGV, curve, 6.0, 2.0, 2.0)
    of = forces(UGV, at)
    needed = float(of.friction / of.normal_f)
    assert needed > 0.2  # than if both carried alike
    assert verdict(UGV, curve.track, at, of, 0.999 * needed).slips
    assert not fails(verdict(UGV, curve.track, at, of, 1.001 * needed))


def test_it_rolls_over_where_its_mass_is_no_longer_between_the_wheels() -> None:
    """A moment about the rear contact decides, through which the ground's forces on it go."""
    phi = math.radians(80.0)
    for slope, rolls in ((0.5, False), (1.2, True)):
        curve = plane(slope)
        at = pose(UGV, curve, 6.0, phi, phi)
        where = body_positions(UGV, at)
        parts = (
            (UGV.m_b, where.body),
            (UGV.m_l, where.leg_r + where.leg_f),
            (UGV.m_w, where.wheel_r + where.wheel_f),
        )
        mass_centre = sum(m * p.real for m, p in parts) * UGV.g / UGV.weight
        assert (mass_centre < at.rear.x) == rolls
        found = verdict(UGV, curve.track, at, forces(UGV, at), 10.0)
        assert bool(found.rolls_over) == rolls
        assert not found.slips


def test_the_body_bottoms_on_a_ridge_between_the_wheels() -> None:
    """A ridge as high as the belly, with the vehicle astride."""
    phi = math.radians(170.0)
    level = pose(UGV, CentreCurve(tracks.flat(), UGV.r, -2.0, 9.0), 5.0, phi, phi)
    free = float(clearance(UGV, tracks.flat(), level))
    belly = UGV.r + UGV.l * math.sin(phi) - UGV.half_height
    assert free == pytest.approx(belly, abs=1e-12)
    half = 0.5 * float(level.wheelbase)
    for height, bottoms in ((belly - 0.001, False), (belly + 0.001, True)):
        ridge = tracks.Bump(height, 4.0, 0.15).track()
        curve = curve_over(ridge)
        at = pose(UGV, curve, 4.0 + half, phi, phi)
        # whose top bends by 23/m between points of the ground that are 5 mm apart
        assert clearance(UGV, ridge, at) == pytest.approx(belly - height, abs=1e-4)
        assert bool(verdict(UGV, ridge, at, forces(UGV, at), 10.0).bottoms) == bottoms


@pytest.mark.parametrize("name", TRACKS)
def test_the_clearance_is_the_least_distance_along_belly_and_legs(name: str) -> None:
    """Against twenty thousand points of each line."""
    track, curve = TRACKS[name], curve_over(TRACKS[name])
    generator = np.random.default_rng(9)
    s = generator.uniform(2.5, 6.0, 40)
    phi_r, phi_f = generator.uniform(np.radians(90.0), np.radians(170.0), (2, 40))
    at = pose(UGV, curve, s, phi_r, phi_f)
    where = body_positions(UGV, at)
    down = -1j * UGV.half_height * np.exp(1j * at.psi)
    share = np.linspace(0.0, 1.0, 20001)
    lines = (
        (where.hip_r + down, where.hip_f + down),
        (where.hip_r, where.wheel_r),
        (where.hip_f, where.wheel_f),
    )
    least = np.full(40, np.inf)
    for begin, end in lines:
        points = begin[:, None] + share * (end - begin)[:, None]
        gap = points.imag - track.profile(points.real).height
        least = np.minimum(least, gap.min(axis=1))
    found = clearance(UGV, track, at)
    # the points are 40 um apart, and lines are as steep as 1 in front of a corner
    np.testing.assert_allclose(found, least, atol=1e-4)


@pytest.mark.parametrize(
    ("stations", "phi", "says"),
    [
        ([1.0], 2.0, "two or more stations"),
        ([2.0, 2.0], 2.0, "each ahead"),
        ([-0.5, 3.0], 2.0, "no place with its front wheel at -0.5 m"),
        ([2.0, 3.0], 1.0, "the wheels must not touch"),
    ],
)
def test_passages_that_are_none_are_refused(stations: list[float], phi: float, says: str) -> None:
    """One line says where."""
    with pytest.raises(ValueError, match=says):
        traversal(UGV, curve_over(tracks.Bump().track()), stations, phi, phi)


@pytest.mark.parametrize("stations", [9, 200])
def test_a_rear_wheel_that_would_jump_is_told(stations: int) -> None:
    """Down a hollow deeper than the wheels are apart, and up a steep hill behind the front one."""
    for height, width, phi in ((-1.0, 0.3, 2.0), (1.0, 0.25, 2.0)):
        curve = CentreCurve(tracks.Bump(height, 4.0, width).track(), UGV.r, -1.0, 9.0)
        with pytest.raises(ValueError, match="the rear wheel would have to jump from 3"):
            traversal(UGV, curve, np.linspace(1.5, 7.0, stations), phi, phi)


def test_stations_far_apart_are_no_jump() -> None:
    """Their works are inexact, and the residual says by how much."""
    curve = curve_over(TRACKS["steep"])
    assert traversal(UGV, curve, [1.5, 4.0, 7.5], 2.0, 2.0).energy_residual > 1e-3


def test_wheels_in_each_other_between_stations_are_refused() -> None:
    """Angles that pass each other bring the wheels together half way."""
    phi = np.radians([40.0, 100.0])
    with pytest.raises(ValueError, match="the wheels must not touch"):
        traversal(UGV, curve_over(tracks.Bump().track()), [4.0, 5.0], phi, phi[::-1])


def test_a_thin_ridge_counts_for_the_clearance() -> None:
    """However it lies, but for what its top, of a radius of 0.2 mm, rises between points."""
    ridge = tracks.Bump(0.25, 4.0, 0.01).track()
    curve, phi = curve_over(ridge), math.radians(115.0)
    s = np.linspace(4.5, 4.7, 23)
    at = pose(UGV, curve, s, phi, phi)
    assert np.ptp(at.psi) < 1e-12  # both wheels on level ground
    belly = UGV.r + UGV.l * math.sin(phi) - UGV.half_height
    np.testing.assert_allclose(clearance(UGV, ridge, at), belly - 0.25, atol=2e-4)

"""The vehicle that drives against quasi-static balance: torque, forces, slip, tipping."""

from itertools import pairwise

import numpy as np
import pytest
from tests.machines.ugv.drive import PACKAGE, VEHICLE, drive, mean_over

from footfall.machines.ugv.closed_form.forces import required_friction
from footfall.machines.ugv.closed_form.tracks import Bump, Steps
from footfall.machines.ugv.track_models import Surface, write_track

BUMP, HILL = Bump().track(), Bump(height=1.0).track()
PEAK = 31.45  # N m: of the balance over the document's bump, legs at 115 degrees
_ROWS = 25  # rows of 2 ms: facets are passed in less at 0.2 m/s


@pytest.fixture(scope="module")
def stretch(tmp_path_factory):
    """The document's bump from where it rises to its top, which has fewer boxes than all of it."""
    file = tmp_path_factory.mktemp("tracks") / "stretch.sdf"
    write_track(file, BUMP, Surface(turn=1e-3, begin=1.6, end=4.2))
    return str(file)


# --- torque and forces -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.05, 0.2])
def test_torque_and_forces_are_those_of_the_balance(stretch, speed):
    driven = drive(BUMP, stretch, speed=speed, start=3.3, duration=2.0)
    late = driven.after(1.2)
    balance = driven.balance
    # half a milliradian of a facet is 0.6 % of the peak, and inertia takes 0.1 % at 0.2 m/s
    assert np.abs(driven.torque_error(1.2)).max() < 0.01 * PEAK
    legs = np.abs(driven.legs - [balance.leg_r, balance.leg_f])[:, late]
    assert legs.max() < 0.01 * np.abs(balance.leg_f[late]).max()
    for k, normal in enumerate((balance.normal_r, balance.normal_f)):
        # impulses where a facet begins, m v times its turn, are even over some facets
        error = mean_over((driven.normal[k] - normal)[late], _ROWS)
        assert np.abs(error).max() < 1e-3 * VEHICLE.weight
        error = mean_over((driven.along[k] - balance.friction)[late], _ROWS)
        assert np.abs(error).max() < 1e-3 * VEHICLE.weight


@pytest.mark.slow
def test_no_wheel_slips_where_friction_does(stretch):
    driven = drive(BUMP, stretch, start=3.3, duration=1.5)
    # both rims roll as far, but for the way of the rear wheel, whose track is less steep: ds/cos
    assert np.abs(np.diff(driven.rolling, axis=0)).max() < 5e-4
    late = driven.after(1.2)
    ratio = np.abs(driven.along / np.maximum(driven.normal, 1.0))[:, late].max(axis=0)
    # friction that is required, but for the impulses where a facet begins
    error = mean_over(ratio - required_friction(driven.balance)[late], _ROWS)
    assert np.abs(error).max() < 1e-3


@pytest.mark.slow
def test_up_a_step_the_torque_jumps_as_the_balance_does():
    # from before the angle jump, where the wheel meets the edge, until it is on top
    file = f"{PACKAGE}/step.track"
    track = Steps((4.0,), (0.12,)).track()
    driven = drive(track, file, speed=0.1, start=3.7, duration=4.5, friction=1.2)
    edge = 4.0 - np.sqrt(0.3**2 - 0.18**2)
    before, on_edge = driven.s < edge - 1e-6, (driven.s > edge + 0.04) & (driven.s < 4.0)
    assert driven.s[-1] > 4.02
    assert np.abs(driven.balance.torque[before]).max() < 1e-6
    error = (driven.torque - driven.balance.torque)[on_edge]
    # the peak is 220 N m; wheels and body move up faster and slower, and the drive follows
    assert np.abs(error).max() < 0.03 * 220.0
    # the edge takes the speed along its normal: what is left gets the wheel up all the same
    assert driven.balance.torque[on_edge].max() > 150.0


@pytest.mark.slow
def test_the_difference_falls_with_the_square_of_the_speed(tmp_path):
    # on facets finer than the difference, up the bump where it bends upwards: where it bends down a
    # wheel at 0.8 m/s passes a facet in little more than a step, and is in the air between them
    file = tmp_path / "fine.sdf"
    write_track(file, BUMP, Surface(turn=4e-4, begin=0.5, end=4.0))
    places, errors = np.linspace(3.2, 3.4, 9), []
    for speed in (0.8, 0.4, 0.2):
        driven = drive(
            BUMP, str(file), speed=speed, start=1.9, duration=0.5 + 1.6 / speed, ramp=1.0
        )
        late = (driven.s > 3.1) & driven.after(1.0)
        rows = round(0.04 / speed / 2e-3)
        error = mean_over((driven.torque - driven.balance.torque)[late], rows)
        errors.append(np.interp(places, mean_over(driven.s[late], rows), error))
    falls = [np.linalg.norm(a) / np.linalg.norm(b) for a, b in pairwise(errors)]
    # 4, but for the drive's answer at 0.8 m/s, which is of the fourth order, and for the facets
    assert falls == pytest.approx([4.0, 4.0], rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("step", [1e-3, 2e-3])
def test_drake_drives_as_the_balance_says(stretch, step):
    # sap, as stiff as this project has it: softer contacts are worse, since where facets meet two
    # boxes press, each with its own stiffness
    driven = drive(
        BUMP, stretch, engine="drake-sap", speed=0.05, start=3.3, duration=2.0, time_step=step
    )
    # a facet turns by 1 mrad within a step; the longer it is, the longer what that takes is held
    assert np.abs(driven.torque_error(1.2)).max() < 0.012 * PEAK * step / 1e-3
    assert np.sqrt((driven.torque_error(1.2) ** 2).mean()) < 0.01 * PEAK


# --- slip and tipping --------------------------------------------------------------------------


@pytest.mark.slow
def test_wheels_slip_from_where_the_balance_needs_more_friction_than_there_is(stretch):
    # 0.0475 is needed at s = 3.2; a start that is slow enough takes 0.006 besides
    friction = 0.0475
    driven = drive(BUMP, stretch, start=2.9, speed=0.1, duration=6.5, friction=friction, ramp=3.0)
    needed = required_friction(driven.balance)
    apart = np.abs(np.diff(driven.rolling, axis=0))[0]
    first = int(np.flatnonzero(needed > friction)[0])
    assert driven.time[first] > 4.0
    # rims that hold roll apart at 0.3 mm/s, for the slopes under them differ; facets err by 0.6 %
    speed = np.abs(np.diff(mean_over(apart, _ROWS))) / 2e-3
    slipping = int(np.flatnonzero(speed > 1e-3)[0]) + _ROWS // 2
    assert abs(needed[slipping] - friction) < 0.02 * friction
    # then one wheel spins, and the vehicle falls behind what both roll on average
    rolled = driven.rolling.mean(axis=0) - driven.rolling[:, 0].mean()
    assert apart[-1] > 0.05
    assert rolled[-1] - rolled[first] > driven.s[-1] - driven.s[first] + 0.01
    ratio = np.abs(driven.along[:, 1:]) / driven.normal[:, 1:]
    assert ratio.max() < friction * (1.0 + 1e-9)


@pytest.mark.slow
def test_the_front_wheel_lifts_where_its_normal_force_ends():
    # legs under the body, on ground that holds; the hill's facets are 7 mrad
    driven = drive(
        HILL,
        f"{PACKAGE}/hill.track",
        start=3.02,
        speed=0.1,
        angles=(80.0, 80.0),
        duration=2.0,
        friction=50.0,
    )
    carried = driven.normal[1] > 0.0
    # without load for 30 ms: facets take it away for a step
    lost = np.flatnonzero(mean_over(carried, 15)[100:] == 0.0)
    lifts = 100 + int(lost[0])
    assert driven.s[lifts] > driven.s[0] + 0.05
    # facets, and what the wheel's inertia needs to be lifted
    assert abs(driven.balance.normal_f[lifts]) < 0.01 * VEHICLE.weight
    assert driven.balance.normal_f[100] > 0.04 * VEHICLE.weight

"""The document's fixed steps of a sliding foot: its rules one by one, and its order."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.pasibot.seventy_equations import sliding_inverse
from tests.machines.pasibot.walks import held_speed

from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.parameters import TEXT
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.document_scheme import document_scheme
from footfall.machines.pasibot.slip import lasting, slip_walk
from footfall.machines.pasibot.slip_drives import constant_speed, constant_torque
from footfall.textbook.convergence import observed_order

STEP = lasting(1, 3.0)


def rough(mu_s, mu_k=None):
    return SlidingProfile(replace(TEXT, mu_s=mu_s, mu_k=mu_s if mu_k is None else mu_k))


def errors(profile, drive, span, counts, **start):
    """Greatest difference of the slip from the event-located one, by the number of steps."""
    exact, time = slip_walk(profile, drive, span, **start), np.linspace(0.0, span, 1001)
    return np.array(
        [
            np.abs(
                document_scheme(profile, drive, span, span / n, **start).slip_at(time)
                - exact.at(time).slip
            ).max()
            for n in counts
        ]
    )


# --- order -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mu", "drive", "start"),
    [
        (0.05, constant_speed(3.0), {}),
        (0.03, constant_speed(3.0), {}),
        (0.05, held_speed(3.0, gain=0.3), {"rate": 3.0}),
    ],
    ids=["constant speed", "little friction", "speed held"],
)
def test_its_error_goes_as_the_time_step(mu, drive, start):
    counts = np.array([400, 800, 1600, 3200])
    found = errors(rough(mu), drive, 2.0 * STEP, counts, **start)
    order = observed_order(1.0 / counts, found)
    # where within a step a slide begins or ends is by chance, which blurs the slope a little
    assert 0.8 < order < 1.2
    assert found[0] > 1e-5
    assert found[-1] < found[0] / 5.0


def test_with_less_kinetic_friction_it_is_late_by_up_to_a_step():
    # the force drops at once when a foot comes loose: what lateness costs is of first order, and
    # by chance, since it is where the grid stands
    profile, drive = rough(0.2, 0.1), constant_speed(5.0)
    begin = slip_walk(profile, drive, 0.6).slides[0].begin
    late = []
    for n in (200, 233, 400, 533, 800):
        found = document_scheme(profile, drive, 0.6, 0.6 / n)
        late.append((found.time[found.direction != 0][0] - begin) / (0.6 / n))
    assert all(0.0 <= each < 1.0 for each in late)
    assert np.ptp(late) > 0.2
    counts = np.array([250, 500, 1000, 2000, 4000, 8000])
    found = errors(profile, drive, 1.2, counts)
    # within a constant times dt, though not by halves
    assert (found * counts).max() < 10.0 * (found * counts).min()
    assert found[-1] < 0.1 * found[0]


# --- rules -------------------------------------------------------------------------------------


def test_a_foot_that_is_held_has_the_forces_of_the_69_equations():
    found = document_scheme(rough(0.5), constant_speed(3.0), 0.9, 0.01)
    there = inverse(TEXT, found.th8, 3.0, 0.0)
    assert np.abs(found.torque - there.torque).max() < 1e-10
    assert np.abs(found.along + 1j * found.up - there.floor).max() < 1e-10
    assert np.all(found.slip == 0.0)
    assert np.diff(found.time) == pytest.approx(0.01)


def test_acceleration_is_kept_over_a_step_and_a_stop_cuts_it():
    found = document_scheme(rough(0.05), constant_speed(3.0), 2.0 * STEP, STEP / 150)
    step = np.diff(found.time)
    speed, sliding = found.speed[:-1], found.sliding[:-1]
    moved = found.slip[:-1] + speed * step + 0.5 * sliding * step**2
    assert found.slip[1:] == pytest.approx(moved, abs=1e-15)
    assert found.speed[1:] == pytest.approx(speed + sliding * step, abs=1e-15)
    stops = np.flatnonzero(step < STEP / 150 * (1.0 - 1e-9))
    assert stops.size >= 4
    for k in stops:
        # (36): then static friction, or the other direction
        assert step[k] == pytest.approx(-found.speed[k] / found.sliding[k], rel=1e-9)
        assert found.speed[k + 1] == 0.0
        assert found.direction[k + 1] != found.direction[k]
    # at an instant of static friction nothing moves, and (32) holds
    held = found.direction == 0
    assert np.all(found.speed[held] == 0.0)
    assert np.all(np.abs(found.along[held]) <= 0.05 * found.up[held])


def test_friction_opposes_the_slide_and_at_first_what_held_the_foot():
    found = document_scheme(rough(0.05, 0.04), constant_speed(3.0), STEP, STEP / 150)
    way = found.direction != 0
    assert np.all(found.speed[way] * found.direction[way] >= 0.0)
    turned = found.th8 - np.pi * (found.th8 > 1.5 * np.pi)
    there = sliding_inverse(TEXT, turned[way], 3.0, 0.0, 0.04 * found.direction[way])
    assert np.abs(found.sliding[way] - there.sliding).max() < 1e-11
    assert np.abs(found.torque[way] - there.torque).max() < 1e-10
    begins = 1 + np.flatnonzero((found.direction[1:] != 0) & (found.direction[:-1] == 0))
    held = inverse(TEXT, turned[begins], 3.0, 0.0).floor
    assert np.array_equal(np.sign(found.direction[begins]), -np.sign(held.real))
    assert np.all(np.abs(held.real) > 0.05 * held.imag)


def test_the_crank_goes_on_by_its_acceleration_of_the_beginning():
    found = document_scheme(rough(0.5), constant_torque(1.0), 0.4, 0.002)
    step = np.diff(found.time)
    assert found.rate[1:] == pytest.approx(found.rate[:-1] + found.acceleration[:-1] * step)
    exact = slip_walk(rough(0.5), constant_torque(1.0), 0.4).at(0.4)
    # of first order: some 0.002 of what it has turned
    assert found.th8[-1] == pytest.approx(float(exact.th8), abs=0.01)
    assert abs(found.th8[-1] - float(exact.th8)) > 1e-6


def test_it_does_not_notice_a_foot_that_would_lift():
    drive = constant_speed(12.0)
    assert slip_walk(rough(0.5), drive, 0.5).ending
    assert document_scheme(rough(0.5), drive, 0.5, 0.001).up.min() < 0.0


@pytest.mark.parametrize(("span", "dt"), [(0.0, 0.1), (1.0, 0.0), (1.0, -0.1)])
def test_spans_and_steps_that_are_none_are_refused(span, dt):
    with pytest.raises(ValueError, match="span and dt must be positive"):
        document_scheme(TEXT, constant_speed(3.0), span, dt)

"""The bouncing ball in closed form, against flights that were not summed."""

import numpy as np
import pytest

from footfall.textbook.bouncing_ball import BouncingBall

BALL = BouncingBall(h=0.5, e=0.7, g=9.81)


def test_flights_follow_one_another_as_parabolas():
    # flight by flight, with nothing but constant acceleration and v -> -e v
    t, speed = 0.0, np.sqrt(2.0 * BALL.g * BALL.h)
    times, peaks = [speed / BALL.g], []
    t = times[0]
    for _ in range(30):
        speed *= BALL.e
        t += 2.0 * speed / BALL.g
        times.append(t)
        peaks.append(speed**2 / (2.0 * BALL.g))
    # sums of 30 terms of order 1, rounded
    assert BALL.impact_times(31) == pytest.approx(np.array(times), abs=1e-14)
    assert BALL.peaks(30) == pytest.approx(np.array(peaks), rel=1e-13)
    # what is left after 31 impacts is 2 t_0 e^31 / (1 - e)
    left = 2.0 * times[0] * BALL.e**31 / (1.0 - BALL.e)
    assert BALL.end == pytest.approx(t + left, abs=1e-13)


def test_the_height_is_a_parabola_between_impacts_and_never_negative():
    for start, end in zip(BALL.impact_times(12)[:-1], BALL.impact_times(12)[1:], strict=True):
        t = np.linspace(start, end, 9)[1:-1]
        z, step = BALL.height(t), t[1] - t[0]
        # second differences of a parabola are exact up to rounding of z (1e-16) over step^2
        bend = np.diff(z, 2) / step**2
        assert bend == pytest.approx(np.full(5, -BALL.g), rel=1e-9 + 1e-15 / (BALL.g * step**2))
    t = np.linspace(0.0, 1.2 * BALL.end, 10_001)
    assert (BALL.height(t) >= 0.0).all()


def test_it_begins_at_its_height_and_lies_still_after_the_last_impact():
    assert BALL.height(np.array([0.0, BALL.end, 10.0])) == pytest.approx([0.5, 0.0, 0.0], abs=0.0)

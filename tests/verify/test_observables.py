"""Reading numbers off a trajectory."""

import numpy as np
import pytest
from tests.rows import Rows

from footfall.trajectory import Layout, Status
from footfall.verify.observables import (
    at,
    falls_below,
    position,
    velocity,
)


@pytest.fixture
def slowing():
    """A point with x = t - t^2/2 on a grid of tenths, up to its stop at t = 1 and half beyond."""
    builder = Rows(Layout(("x",), ("vx",), ("m",), ("m/s",)))
    for k in range(16):
        t = min(0.1 * k, 1.0)
        builder.append(0.1 * k, np.array([t - 0.5 * t**2]), np.array([1.0 - t]))
    return builder.finish(Status.DONE)


def test_a_value_between_rows_is_interpolated_and_none_beyond_the_end(slowing):
    # the velocity is linear in time, so that interpolation is exact up to rounding
    assert at(0.25, slowing, velocity(slowing, "vx")) == pytest.approx(0.75, abs=1e-15)
    assert np.isnan(at(1.6, slowing, velocity(slowing, "vx")))


def test_the_last_time_above_a_threshold(slowing):
    speed = falls_below(0.05, lambda trajectory: velocity(trajectory, "vx"))
    assert speed(slowing) == pytest.approx(0.95, abs=1e-15)


def test_what_ends_above_a_threshold_never_falls_below_it(slowing):
    assert np.isnan(falls_below(0.1, lambda trajectory: position(trajectory, "x"))(slowing))


def test_what_is_never_above_a_threshold_has_no_such_time(slowing):
    with pytest.raises(IndexError):
        falls_below(2.0, lambda trajectory: velocity(trajectory, "vx"))(slowing)

"""A body that tumbles: Euler's equations, energy and the momentum that stays in space."""

import numpy as np
import pytest

from footfall.textbook.free_body import FreeBody

BODY = FreeBody(I1=0.0167, I2=0.0283, I3=0.0417, a=10.0, b=6.0)
MOMENTS = np.array([BODY.I1, BODY.I2, BODY.I3])


def test_the_rates_obey_eulers_equations():
    time, step = np.linspace(0.0, 3.0, 40), 1e-5
    slope = (BODY.rates(time + step) - BODY.rates(time - step)) / (2.0 * step)
    omega = BODY.rates(time)
    # the differences of a smooth function of size 10 and rate 10 over 1e-5 s: 1e-8
    np.testing.assert_allclose(MOMENTS * slope, np.cross(MOMENTS * omega, omega), atol=1e-6)


def test_it_turns_over_about_its_middle_axis():
    omega = BODY.rates(np.linspace(0.0, 3.0, 1000))[:, 1]
    assert omega.max() > 10.0
    assert omega.min() < -10.0


def test_momentum_stays_where_it_is_in_space():
    start = MOMENTS * BODY.rates(np.array(0.0))
    for time in (0.7, 2.0):
        w, x, y, z = BODY.attitude(time)
        v = np.array([x, y, z])
        momentum = MOMENTS * BODY.rates(np.array(time))
        turned = momentum + 2.0 * np.cross(v, np.cross(v, momentum) + w * momentum)
        np.testing.assert_allclose(turned, start, atol=1e-9)  # integrated to twelve digits


@pytest.mark.parametrize(
    "numbers",
    [{"I1": 3.0}, {"a": -1.0}, {"a": 30.0}],
    ids=["moments out of order", "backwards", "beyond the other axis"],
)
def test_what_the_formulas_are_not_for_is_refused(numbers):
    with pytest.raises(ValueError, match="must"):
        FreeBody(**{"I1": 1.0, "I2": 2.0, "I3": 3.0, "a": 1.0, "b": 1.0} | numbers)

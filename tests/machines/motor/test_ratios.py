"""Sweeps of gear ratios: simulations against the closed form, and optima that were searched."""

import math

import numpy as np
import pytest
from tests.machines.sweeps import swept

RATIO = "motors.motor.gear_ratio"
FEW = f"{RATIO}: !LogRange {{begin: 25.0, end: 200.0, count: 4}}"
# from rest: where the derivative of T n / (J_l + J_m n^2) is 0
BEST = math.sqrt(0.05 / 3.31e-6)


def found(data, measure, **place):
    """Ratio of the optimum, in the engine that simulates and in closed form."""
    values = data[f"best_{RATIO}_of_{measure}"].sel(place)
    return values.sel(engine="drake-continuous"), values.sel(engine="closed-form")


@pytest.mark.slow
def test_the_search_finds_the_gear_of_the_largest_acceleration():
    speeds = "initial.velocities.load: !Values {values: [0.0, 8.0]}"
    result = swept("motor/ratio_sweep", f"analysis.over={{{FEW}, {speeds}}}")
    data, speed = result.data, "initial.velocities.load"
    values = data["start_acceleration"]
    # an acceleration is read off three rows a microsecond apart, beside rounding of their speeds
    np.testing.assert_allclose(values[0], values[1], rtol=1e-7)
    for one in found(data, "start_acceleration", **{speed: 0.0}):
        assert float(one) == pytest.approx(BEST, rel=1e-4)  # rounding hides the top of a hill
    # at 8 rad/s the line cuts the hill off where it gives 0.398 N m no more; in the microseconds of
    # a reading the speed goes on by a ten-thousandth
    corner = (1.00196 - 0.398) * 904.523 / (1.00196 * 8.0)
    for one in found(data, "start_acceleration", **{speed: 8.0}):
        assert float(one) == pytest.approx(corner, rel=2e-4)
    (claim,) = result.claims
    assert claim.verdict == "check"
    assert claim.value == float(found(data, "start_acceleration", **{speed: 0.0})[0])


@pytest.mark.slow
@pytest.mark.longest
def test_a_turn_is_quickest_with_less_gear_than_without_line_and_friction():
    search = "{measure: time_to_45_deg, over: motors.motor.gear_ratio, sense: min, tolerance: 0.02}"
    few = (f"analysis.over={{{FEW}}}", f"analysis.optima=[{search}]")
    data = swept("motor/turn_sweep", *few, "duration=0.2").data
    time = data["time_to_45_deg"].sel(engine="drake-continuous")
    # the accuracy of the integration, 1e-10, and the cubic between rows
    np.testing.assert_allclose(time, data["time_to_45_deg"].sel(engine="closed-form"), rtol=1e-7)
    free, _ = found(data, "time_to_45_deg", variant="without line and friction")
    assert float(free) == pytest.approx(BEST, rel=0.02)
    own, exact = found(data, "time_to_45_deg", variant="as it is")
    assert float(own) == pytest.approx(float(exact), rel=1e-9)
    assert float(own) < float(free)


def test_engines_with_steps_find_the_same_gear():
    # from rest, with the search among four ratios as coarse as a tenth of their distance
    rest = "initial.velocities.load: !Values {values: [0.0]}"
    data = swept(
        "motor/ratio_sweep", f"analysis.over={{{FEW}, {rest}}}",
        "analysis.engines=[moreau]",
        "analysis.optima=[{measure: start_acceleration, over: motors.motor.gear_ratio, "
        "tolerance: 0.1}]",
    ).data  # fmt: skip
    data = data.isel({"engine": 0, "initial.velocities.load": 0})
    found_ratio = float(data[f"best_{RATIO}_of_start_acceleration"])
    assert found_ratio == pytest.approx(BEST, rel=0.1)
    exact = 0.398 * found_ratio / (0.05 + 3.31e-6 * found_ratio**2)
    best = float(data[f"best_start_acceleration_over_{RATIO}"])
    assert best == pytest.approx(exact, rel=1e-4)

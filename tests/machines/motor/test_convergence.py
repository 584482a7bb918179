"""Convergence of the engines to the motor's closed form: to rounding, or with the first order."""

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.slow import some_slow

from footfall.textbook.convergence import observed_order

STEPS = (4e-3, 2e-3, 1e-3)
FINE = (4e-4, 2e-4, 1e-4)
# drake-lagged is drake-sap where there is no contact: the last test holds them to that
DISCRETE = some_slow(("moreau", "drake-sap", "drake-lagged"), "drake-lagged")


def errors(name, engine, steps, quantity, *settings):
    return [
        run(f"motor/{name}", engine, f"time_step={step}", *settings).metrics[f"{quantity}_error"]
        for step in steps
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "duration"), [("step", "1.2"), ("step_frictionless", "1.2"), ("dc_line", "0.048")]
)
def test_continuous_time_is_exact_whatever_the_rows(name, duration):
    for step in ("0.004", "0.001") if name != "dc_line" else ("0.0004", "0.0001"):
        metrics = run(
            f"motor/{name}", "drake-continuous", f"time_step={step}", f"duration={duration}"
        ).metrics
        # the scenario asks for 1e-10 a step, the corner of the line included
        assert metrics["speed_error"] < 1e-9
        assert metrics["angle_error"] < 1e-9


@pytest.mark.parametrize("engine", DISCRETE)
@pytest.mark.parametrize("quantity", ["speed", "angle"])
def test_friction_is_of_first_order(engine, quantity):
    found = errors("step", engine, STEPS, quantity, "duration=2.4")
    # rows that halve hit the largest error of a smooth curve alike
    assert observed_order(STEPS, found) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("engine", DISCRETE)
def test_without_friction_speeds_are_exact(engine):
    for error in errors("step_frictionless", engine, STEPS, "speed"):
        assert error < 1e-11  # rounding of some hundred steps


def test_without_friction_the_angle_is_exact_with_the_mean_of_two_speeds_alone():
    moreau = errors("step_frictionless", "moreau", STEPS, "angle")
    assert max(moreau) < 1e-11
    drake = errors("step_frictionless", "drake-sap", STEPS, "angle")
    assert observed_order(STEPS, drake) == pytest.approx(1.0, abs=1e-6)
    # the later speed of a step: ahead by half a step's turn
    speed = run("motor/step_frictionless", "closed-form").metrics["end_speed"]
    assert drake == pytest.approx([0.5 * step * speed for step in STEPS], rel=1e-9)


@pytest.mark.parametrize("engine", DISCRETE)
@pytest.mark.parametrize("quantity", ["speed", "angle"])
def test_a_line_that_is_sampled_at_the_start_of_a_step_is_of_first_order(engine, quantity):
    found = errors("dc_line", engine, FINE, quantity, "duration=0.048")
    # where in its step the corner falls is worth a little
    assert observed_order(FINE, found) == pytest.approx(1.0, abs=0.1)


def test_the_three_approximations_are_one_without_contact():
    ends = [
        run("motor/dc_line", engine, "duration=0.01").trajectory.data["q"].to_numpy()[-1, 0]
        for engine in ("drake-sap", "drake-lagged", "drake-similar")
    ]
    assert np.ptp(ends) == 0.0

"""The motor's problems: the numbers of the closed form are the scenarios', and Drake beside it."""

import pytest

from footfall.machines.motor.model import response_of
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall.verify.cases import motor
from footfall.verify.runner import run_case

BY_NAME = {case.name: case for case in motor.CASES}
RESPONSES = {
    "motor_step": motor.STEP,
    "motor_frictionless": motor.FREE,
    "motor_line": motor.LINE,
}


@pytest.mark.parametrize("name", BY_NAME)
def test_the_closed_form_has_the_numbers_of_the_scenario(name):
    case = BY_NAME[name]
    scenario = load_scenario(case.scenario, case.settings)
    own, used = response_of(context_of(scenario, build_robot(scenario))), RESPONSES[name]
    for field in ("J_l", "J_m", "n", "B", "stall", "no_load", "limit"):
        # read off the model by way of n^2
        assert getattr(own.motor, field) == pytest.approx(getattr(used.motor, field), rel=1e-14)
    assert own.asked == pytest.approx(used.asked, rel=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_NAME)
def test_drake_in_continuous_time_is_exact_at_every_step(name):
    result = run_case(BY_NAME[name], engines=["drake-continuous"])
    assert result is not None
    assert result.engines == ["moreau", "drake-continuous"]
    assert not result.failures
    for outcome in result.outcomes:
        if outcome.check.name.startswith(("speed", "angle")):
            # the scenario asks for an accuracy of 1e-10 a step
            assert (outcome.errors("drake-continuous") < 1e-9).all(), outcome.check.name

"""Every problem of the suite: the rigid engine passes it, and its case says what it runs."""

import pytest
from tests.slow import some_slow

from footfall.scenario.io import load_scenario
from footfall.scenario.names import scenario_names
from footfall.verify.cases import CASES
from footfall.verify.runner import run_case

BY_NAME = {case.name: case for case in CASES}


def test_names_are_unique():
    assert len(BY_NAME) == len(CASES)


# more than half a second each
_LONG = {"rimless_wheel", "four_bar", "four_bar_midpoint", "coin_midpoint", "belt", "bouncing_ball"}
_LONG |= {"motor_step", "motor_frictionless", "tumbling"}
_LONG |= {"incline_across", "incline_return", "incline_stop"}


@pytest.mark.parametrize("name", some_slow(list(BY_NAME), *_LONG))
def test_the_rigid_engine_passes(name):
    result = run_case(BY_NAME[name], engines=["moreau"])
    assert result is not None
    assert not result.failures
    wrong = [
        f"{outcome.check.name}: errors {outcome.errors('moreau')}, tolerance "
        f"{outcome.check.tolerance:g}, order {outcome.order}"
        for outcome in result.outcomes
        if not outcome.passed
    ]
    assert not wrong


@pytest.mark.parametrize("name", BY_NAME)
def test_a_case_can_be_repeated_by_its_name_alone(name):
    case = BY_NAME[name]
    assert case.scenario in scenario_names()
    assert case.scenario.startswith("verify/")
    scenario = load_scenario(case.scenario, case.settings)
    # all steps divide the duration, so that all runs end at the same time
    for step in case.steps:
        steps = scenario.duration / step
        assert steps == pytest.approx(round(steps), abs=1e-6), step


@pytest.mark.parametrize("name", BY_NAME)
def test_a_case_says_what_a_reader_needs(name):
    case = BY_NAME[name]
    assert case.statement.endswith(".")
    assert case.source
    for quantity in case.quantities:
        assert quantity.check.reason, quantity.check.name
        assert not quantity.check.reason.endswith(".")
    assert case.drake_note or not case.drake


def test_every_problem_among_the_scenarios_has_a_case():
    shipped = {name for name in scenario_names() if name.startswith("verify/")}
    assert shipped == {case.scenario for case in CASES}

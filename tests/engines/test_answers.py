"""Answers to what a step asks of kernels that are compiled apart."""

import pytest
from tests.engines.tiny import BALL, RADIUS, tiny

from footfall.engines import MoreauConfig
from footfall.engines.ask import CHAIN
from footfall.engines.moreau import MoreauEngine
from footfall.scenario.assemble import build_robot


def test_an_error_in_an_answer_is_raised_by_the_step_that_asked(tmp_path):
    scenario = tiny(
        tmp_path, BALL, moreau=MoreauConfig(solver="gauss-seidel"),
        positions={"ball_z": RADIUS - 1e-12},
    )  # fmt: skip
    robot = build_robot(scenario)
    engine = MoreauEngine(robot.model, robot.contacts, scenario.time_step, scenario.moreau)
    context = engine.CreateDefaultContext()
    engine.set_state(context, robot.initial_state)
    engine.GetInputPort("actuation").FixValue(context, [])
    states, efforts, applied, _, records = engine.arrays_for(3)

    def fails(_count, _number):
        raise ArithmeticError("told by the answer")

    answers = engine.handle.answers
    answered = answers._answers[CHAIN]
    answers._answers[CHAIN] = fails
    with pytest.raises(ArithmeticError, match="told by the answer"):
        engine.roll(context, states, efforts, applied, records)
    answers._answers[CHAIN] = answered
    assert engine.roll(context, states, efforts, applied, records) == (3, None)

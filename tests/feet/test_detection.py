"""Feet that are found, and feet that a scenario names."""

import numpy as np
import pytest
from tests.engines.tiny import BALL, STOPPED, simulate, tiny
from tests.feet.robots import HEEL_AND_TOE, TABLE

from footfall.errors import ScenarioError
from footfall.feet import find_feet
from footfall.scenario.assemble import build_robot
from footfall.scenario.schema import InitialState


def _feet(scenario):
    robot = build_robot(scenario)
    return find_feet(robot.model, robot.contacts, robot.initial_state, scenario.feet)


def test_links_that_stand_on_the_ground_are_feet(tmp_path):
    table = tiny(tmp_path, TABLE)
    table.initial = InitialState(drop_along="trunk", gap=0.3)
    feet = _feet(table)
    assert feet.names == ("fl", "fr", "hl", "hr")
    assert feet.tree.base.name() == "trunk"
    assert feet.tree.mass == pytest.approx(10.0)


def test_a_heel_and_its_toe_are_one_foot_and_a_lifted_one_is_another(tmp_path):
    # the left foot stands, the right one is 3 cm higher, of a robot of 1 m
    walker = tiny(tmp_path, HEEL_AND_TOE)
    walker.initial = InitialState(drop_along="trunk")
    feet = _feet(walker)
    found = {
        name: [link.name() for link in links]
        for name, links in zip(feet.names, feet.links, strict=True)
    }
    assert found == {"left_foot": ["left_foot", "left_toe"], "right_toe": ["right_toe"]}


def test_feet_have_the_names_that_they_are_given(tmp_path):
    walker = tiny(
        tmp_path, HEEL_AND_TOE, feet={"L": ["left_*"], "R": ["walker::right_foot", "right_toe"]}
    )
    feet = _feet(walker)
    assert feet.names == ("L", "R")
    assert [[link.name() for link in links] for links in feet.links] == [
        ["left_foot", "left_toe"],
        ["right_foot", "right_toe"],
    ]
    robot = build_robot(walker)
    of = dict(zip(robot.contacts.names, feet.of_contact.tolist(), strict=True))
    assert of["walker::left_toe#0"] == 0
    assert of["walker::right_foot#3"] == 1
    assert of["walker::trunk#0"] == -1


@pytest.mark.parametrize(
    ("feet", "message"),
    [
        (
            {"L": ["left_fot"]},
            "feet.L: there is no link 'left_fot' that can meet the ground; did you",
        ),
        ({"L": []}, "feet.L names no link"),
        ({"L": ["left_foot"], "M": ["left_*"]}, "link 'walker::left_foot' is in feet.L already"),
    ],
)
def test_feet_that_there_are_not_are_refused_before_the_run(tmp_path, feet, message):
    with pytest.raises(ScenarioError, match=message) as refused:
        simulate(tiny(tmp_path, HEEL_AND_TOE, feet=feet))
    assert "\n" not in str(refused.value)


def test_what_cannot_meet_the_ground_has_no_feet(tmp_path):
    run = simulate(
        tiny(tmp_path, STOPPED.format(effort=0, damping=0), welded="base", duration=0.01)
    )
    assert "foot" not in run.trajectory.data.dims
    com = run.trajectory.data["com"].to_numpy()
    assert com[0] == pytest.approx([0.0, 0.0, -1.0], abs=1e-9)  # the pendulum hangs 1 m below
    assert "fallen" not in run.metrics


def test_a_ball_is_its_own_foot_and_does_not_fall(tmp_path):
    ball = tiny(tmp_path, BALL, duration=0.05)
    ball.initial = InitialState(drop_along="ball", velocities={"ball_vx": 1.0})
    run = simulate(ball)
    data = run.trajectory.data
    assert data["foot"].values.tolist() == ["ball"]
    assert run.metrics["fallen"] == 0.0
    assert np.isfinite(data["foot_slip"].to_numpy()).all()

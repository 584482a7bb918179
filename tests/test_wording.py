"""Misspelt names: what was meant, or what there is."""

import pytest

from footfall.errors import ScenarioError
from footfall.scenario.io import parse_scenario
from footfall.wording import did_you_mean, listed, nearest


def test_a_slip_of_the_finger_is_mended():
    assert did_you_mean("thta1", ["theta1", "z"]) == "did you mean 'theta1'?"


def test_a_name_like_no_other_gets_the_list_in_its_order():
    assert did_you_mean("nose", ["knee", "foot"]) == "known: knee, foot"


def test_where_there_is_nothing_nothing_is_suggested():
    assert did_you_mean("nose", []) == "there is none"
    assert nearest("nose", []) == ""


def test_a_long_list_is_cut():
    names = [f"joint{i}" for i in range(15)]
    assert listed(names) == ", ".join(names[:12]) + " and 3 more"
    assert listed(names[:12]).endswith("joint11")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("machine: humanoid\nanalysis: !PredictionSweep {}", "!Sweep of the function trade_off"),
        ("machine: humanoid\ncontroller: !HumanoidWalk {torque_power: 1}", "leave it out"),
    ],
)
def test_what_earlier_versions_had_is_said_to_be_gone(text, part):
    with pytest.raises(ScenarioError, match="it is gone") as refused:
        parse_scenario(text, "mine.yaml")
    assert part in str(refused.value)
    assert "\n" not in str(refused.value)

"""Overrides from the command line: what they set, and the one line for what they cannot."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import ScenarioError
from footfall.overrides import apply_overrides

SCENARIO = {
    "seed": 1,
    "engine": {"_tag": "!MoreauConfig", "time_step": 1e-3, "solver": "ladder"},
    "pairs": [{"name": "foot", "friction": 1.0}, {"name": "knee", "friction": 0.5}],
    "positions": {},
    "view": None,
    "gains": [1.0, 2.0],
    "over": {"parameters.speed": [1.0], "parameters.gains.0": {"from": 1.0}, "parameters": None},
}


@pytest.mark.parametrize(
    ("setting", "path", "value"),
    [
        ("seed=3", ["seed"], 3),
        ("engine.time_step=5e-4", ["engine", "time_step"], 5e-4),
        ("engine.time_step=-1E3", ["engine", "time_step"], -1000.0),
        ("engine.time_step=.inf", ["engine", "time_step"], float("inf")),
        ("engine.solver=newton", ["engine", "solver"], "newton"),
        ("engine.solver='3'", ["engine", "solver"], "3"),
        ("engine.solver=a=b", ["engine", "solver"], "a=b"),
        ("engine.solver=''", ["engine", "solver"], ""),
        ("pairs.1.friction=0.3", ["pairs", 1, "friction"], 0.3),
        ("gains.0=7", ["gains", 0], 7),
        ("gains=[3, 4, 5]", ["gains"], [3, 4, 5]),
        ("over.parameters.speed=[2]", ["over", "parameters.speed"], [2]),
        ("over.parameters.gains.0.from=2", ["over", "parameters.gains.0", "from"], 2),
        ("view={port: 7000}", ["view"], {"port": 7000}),
        ("engine=null", ["engine"], None),
        (" seed = 3 ", ["seed"], 3),
        (
            "engine=!DrakeConfig {time_step: 1e-3, more: {a: [1]}}",
            ["engine"],
            {"_tag": "!DrakeConfig", "time_step": 1e-3, "more": {"a": [1]}},
        ),
        ("engine=!DrakeConfig", ["engine"], {"_tag": "!DrakeConfig"}),
    ],
)
def test_a_setting_changes_its_value_and_nothing_else(setting, path, value):
    expected = copy.deepcopy(SCENARIO)
    group = expected
    for key in path[:-1]:
        group = group[key]
    group[path[-1]] = value
    before = copy.deepcopy(SCENARIO)
    result = apply_overrides(SCENARIO, [setting])
    assert result == expected
    assert type(result["seed"]) is int
    assert before == SCENARIO


def test_settings_are_carried_out_in_order():
    result = apply_overrides(SCENARIO, ["seed=2", "engine=!D {dt: 1}", "engine.dt=2", "seed=3"])
    assert result["seed"] == 3
    assert result["engine"] == {"_tag": "!D", "dt": 2}


def test_only_an_open_group_takes_new_keys():
    result = apply_overrides(SCENARIO, ["positions.hip=0.1"], open_groups=["positions"])
    assert result["positions"] == {"hip": 0.1}
    with pytest.raises(ScenarioError, match="positions has no 'hip'; there is none"):
        apply_overrides(SCENARIO, ["positions.hip=0.1"])


@pytest.mark.parametrize(
    ("setting", "answer"),
    [
        ("engine.timestep=1", "engine has no 'timestep'; did you mean 'time_step'?"),
        ("sead=1", "the scenario has no 'sead'; did you mean 'seed'?"),
        ("engine.zz=1", "engine has no 'zz'; known: solver, time_step"),
        ("engine._tag=!DrakeConfig", "engine has no '_tag'"),
        ("pairs.2.friction=1", "pairs has positions 0 to 1, there is no 2"),
        ("pairs.-1.friction=1", "pairs is a list; write a position, not '-1'"),
        ("pairs.foot.friction=1", "pairs is a list; write a position, not 'foot'"),
        ("pairs.0.fricton=1", "pairs.0 has no 'fricton'; did you mean 'friction'?"),
        ("seed.a=1", "seed is 1 and has no parts"),
        ("view.port=1", "view is null and has no parts"),
        ("engine=drake", "that is a group; set one of its keys: solver, time_step"),
        ("positions=1", "that is a group; write it as {name: value}"),
        ("gains=1", "that is a list; write it as [a, b] or set one item"),
        ("seed", "write it as key=value"),
        ("=3", "write it as key=value"),
        ("engine..time_step=3", "write it as key=value"),
        ("seed=", "the value is missing"),
        ("seed=[1,", "the value is not YAML"),
        ("seed=a\nb: c", "the value is not YAML"),
        ("seed=2026-01-99", "the value is not YAML"),
        ("seed=!Tag 3", "the tag !Tag belongs to a group in braces"),
        ("seed=!!python/object/apply:os.getpid []", "the value is not YAML"),
    ],
)
def test_what_cannot_be_set_is_answered_in_one_line(setting, answer):
    with pytest.raises(ScenarioError) as caught:
        apply_overrides(SCENARIO, [setting])
    line = str(caught.value)
    assert answer in line
    assert line.startswith("--set ")
    assert "\n" not in line


@pytest.mark.slow
@settings(derandomize=True)
@given(st.text(max_size=30), st.text(max_size=30))
def test_nothing_typed_leads_to_a_traceback(path, value):
    for setting in (f"{path}={value}", f"seed={value}", f"engine={value}"):
        try:
            apply_overrides(SCENARIO, [setting])
        except ScenarioError as error:
            assert len(str(error).splitlines()) == 1  # noqa: PT017 (either end is right)

"""Cameras of a scenario: which one is chosen, what is kept, and what is refused."""

import pytest

from footfall.errors import ScenarioError
from footfall.scenario.cameras import Camera
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.show import view_of

# not in the order of the alphabet, in which Drake's writer puts what has names
TWO = """
cameras:
  side: {position: [0, -6, 1.5], target: [0, 0, 1], field_of_view: 40}
  above: {position: [0, 0, 9]}
"""


def _refused(text):
    with pytest.raises(ScenarioError) as refusal:
        parse_scenario(text)
    message = str(refusal.value)
    assert "\n" not in message
    return message


def test_the_first_of_the_file_is_looked_through_and_the_choice_is_kept():
    scenario = parse_scenario(TWO)
    assert view_of(scenario).camera == Camera([0.0, -6.0, 1.5], [0.0, 0.0, 1.0], 40.0)
    again = parse_scenario(dump_scenario(scenario))
    assert (again.camera, again.cameras) == ("side", scenario.cameras)


def test_a_file_may_choose_another_or_none():
    assert parse_scenario(TWO + "camera: above").camera == "above"
    free = parse_scenario(TWO + "camera: null")
    assert view_of(free).camera is None
    assert parse_scenario(dump_scenario(free)).camera is None


def test_without_cameras_a_scene_is_framed_by_itself():
    assert view_of(load_scenario("biped/climb")).camera is None


def test_cameras_can_be_set(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(TWO)
    low = "cameras.low={position: [1, -1, 0.1]}"
    scenario = load_scenario(str(path), [low, "camera=low", "cameras.side.position.2=3"])
    assert view_of(scenario).camera.position == [1.0, -1.0, 0.1]
    assert scenario.cameras["side"].position == [0.0, -6.0, 3.0]


@pytest.mark.parametrize(
    ("camera", "names"),
    [
        ("{position: [1, 2, 3], target: [1, 2, 3]}", "position and target"),
        ("{position: [.nan, 2, 3]}", "position"),
        ("{position: [0, 2]}", "three"),
        ("{target: [0, .inf, 0]}", "target"),
        ("{field_of_view: 0}", "field_of_view"),
        ("{field_of_view: 180}", "field_of_view"),
        ("{field_of_view: .nan}", "field_of_view"),
        ("{position: up}", "cameras.side.position"),
        ("{positoin: [0, 1, 2]}", "did you mean 'position'"),
        ("null", "cameras.side"),
    ],
)
def test_a_camera_that_looks_nowhere_is_refused_in_one_line(camera, names):
    assert names in _refused(f"cameras: {{side: {camera}}}")


def test_a_camera_that_there_is_not_is_refused_in_one_line():
    assert "did you mean 'above'" in _refused(TWO + "camera: abov")
    assert "no cameras" in _refused("camera: above")

"""The goalkeeper's controller in scenarios: paths as YAML has them, starts, and what is refused."""

import re

import numpy as np
import pytest

from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.closed_form.ball_paths import Arc, Curve, Line, Sine
from footfall.machines.goalkeeper.closed_form.bisector import bisector
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.scenario.names import scenario_names

PATHS = {
    "arc": Arc(),
    "listing": Arc(),
    "sine": Sine(),
    "to_blue": Line(),
    "to_yellow": Line(goal=[0.0, 6.0]),
    "shot_straight": Line([0.0, 1.8], [-1.0, 0.0]),
    "shot_curved": Curve([1.5, 1.2], [-1.2, 0.0]),
}
MODELS = """
directives:
- add_model: {name: keeper, file: package://footfall/sdf/goalkeeper/keeper.sdf}
- add_weld: {parent: terrain, child: keeper::rail}
- add_model: {name: ball, file: package://footfall/sdf/goalkeeper/guided_ball.sdf}
- add_weld: {parent: terrain, child: ball::rail}
"""


def _scenario(controller):
    return parse_scenario(f"name: goalkeeper/mine\nduration: 0.01\n{MODELS}{controller}", "mine")


@pytest.mark.parametrize(("name", "path"), PATHS.items())
def test_shipped_scenarios_have_the_listings_paths(name, path):
    assert load_scenario(f"goalkeeper/{name}").controller.path == path


def test_no_guided_scenario_is_left_out():
    guided = [
        name
        for name in scenario_names()
        if name.startswith("goalkeeper/")
        and isinstance(load_scenario(name).controller, Goalkeeping)
        and load_scenario(name).controller.path is not None
    ]
    assert sorted(guided) == sorted(f"goalkeeper/{name}" for name in PATHS)


@pytest.mark.parametrize(("name", "path"), PATHS.items())
def test_ball_and_keeper_start_where_the_path_says(name, path):
    machine = build_robot(load_scenario(f"goalkeeper/{name}"))
    place, velocity = path.position(np.array(0.0)), path.velocity(np.array(0.0))
    keeper, ball = machine.initial_state[0], machine.initial_state[1:3]
    assert ball == pytest.approx(place, abs=0.0)
    assert keeper == pytest.approx(bisector(place), abs=1e-15)
    # given to all digits, so that the first step is like the others
    assert machine.initial_state[3:] == pytest.approx([0.0, *velocity], rel=1e-15, abs=1e-15)


def test_another_path_starts_with_its_own_velocity():
    settings = ["controller.path.duration=4.0", "duration=0.5"]
    slower = load_scenario("goalkeeper/sine", settings)
    assert build_robot(slower).initial_state[3:] == pytest.approx([0.0, np.pi, 0.0], rel=1e-15)
    # a start with a jolt leaves the ball half a step times the jump of its velocity beside its path
    off = run_scenario(slower, "goalkeeper/sine", "moreau").metrics["path_error"]
    at_rest = load_scenario(
        "goalkeeper/sine", [*settings, "initial.velocities_from_reference=false"]
    )
    assert not build_robot(at_rest).initial_state[3:].any()
    jolted = run_scenario(at_rest, "goalkeeper/sine", "moreau").metrics["path_error"]
    assert off < 1e-5
    assert jolted == pytest.approx(0.5e-3 * np.pi, rel=1e-5)


def test_velocities_of_a_reference_that_there_is_not_are_one_line():
    free = load_scenario("goalkeeper/arc", ["controller.path=null", "initial.from_reference=false"])
    with pytest.raises(ScenarioError, match="velocities_from_reference needs a controller") as told:
        build_robot(free)
    assert "\n" not in str(told.value)


def test_the_reference_is_keeper_and_ball_over_time():
    scenario = load_scenario("goalkeeper/sine")
    reference = scenario.controller.reference(build_robot(scenario).plant)
    for source in (reference, reference.copy()):
        ahead, behind = source.sample(0.3 + 1e-6)[0], source.sample(0.3 - 1e-6)[0]
        rows = source.sample(0.3)
        assert rows.shape == (3, 3)
        assert rows[1] == pytest.approx((ahead - behind) / 2e-6, abs=1e-6)  # second order
    context = reference.CreateDefaultContext()
    context.SetTime(0.3)
    assert np.array_equal(reference.get_output_port().Eval(context), rows.ravel())


def test_what_is_written_is_read_back():
    scenario = _scenario("controller: !Goalkeeping {max_speed: 1.5, path: !Curve {goal: [1, 0]}}")
    assert scenario.controller == Goalkeeping(max_speed=1.5, path=Curve(goal=[1, 0]))
    written = dump_scenario(scenario)
    again = parse_scenario(written)
    assert again.controller == scenario.controller
    assert dump_scenario(again) == written
    free = _scenario("controller: !Goalkeeping {}")
    assert (
        free.controller == Goalkeeping(path=None) == parse_scenario(dump_scenario(free)).controller
    )


def test_a_path_is_changed_on_the_command_line():
    scenario = load_scenario(
        "goalkeeper/sine", ["controller.path.y=1.5", "controller.path.repeat=3"]
    )
    assert scenario.controller.path == Sine(y=1.5, repeat=3)


@pytest.mark.parametrize(
    ("controller", "told"),
    [
        ("!Goalkeeping {max_speed: 0}", "controller.max_speed is 0.*: give a positive number"),
        ("!Goalkeeping {max_acceleration: .inf}", "controller.max_acceleration is inf"),
        ("!Goalkeeping {saturation: 2.0}", "controller.saturation is 2.0: give a share"),
        ("!Goalkeeping {path: !Arcs {}}", "controller.path has the unknown tag !Arcs; did you"),
        ("!Goalkeeping {path: !Arc {c: 1.0}}", "unknown key controller.path.c"),
        ("!Goalkeeping {path: !Arc {turn: .inf}}", "controller.path.turn is inf: give a finite"),
        ("!Goalkeeping {path: !Sine {duration: 0.0}}", "controller.path.duration is 0.0"),
        ("!Goalkeeping {path: !Sine {repeat: 0}}", "controller.path.repeat is 0"),
        ("!Goalkeeping {path: !Sine {repeat: 1.5}}", "controller.path.repeat is 1.5: give a whole"),
        (
            "!Goalkeeping {path: !Line {start: [1.0]}}",
            r"controller.path.start is \[1.0\]: give 2 finite",
        ),
        ("!Goalkeeping {path: !Line {goal: 3}}", "controller.path.goal is 3: give a list"),
        ("!Goalkeeping {path: !Curve {bend: [.nan, 1]}}", "controller.path.bend is"),
        ("!Goalkeeping {path: 3}", "controller.path is 3: give a group"),
    ],
)
def test_wrong_controllers_are_refused_when_they_are_read(controller, told):
    with pytest.raises(ScenarioError) as refused:
        _scenario(f"controller: {controller}")
    message = str(refused.value)
    assert message.startswith("mine: ")
    assert "\n" not in message
    assert re.search(told, message), message


def test_the_listing_has_no_free_ball():
    scenario = load_scenario("goalkeeper/shot_rolling")
    with pytest.raises(ScenarioError, match="engine closed-form: the listing has no ball that is"):
        run_scenario(scenario, "goalkeeper/shot_rolling", "closed-form")


def test_a_guided_ball_without_a_path_lies_still():
    data = run_scenario(
        _scenario("controller: !Goalkeeping {}\ninitial: {positions: {ball_ball_y: 1.0}}"), "mine"
    ).trajectory.data
    assert not data["actuation"].sel(actuator=["ball_x", "ball_y"]).any()
    assert not data["v"].sel(velocity=["ball_ball_x", "ball_ball_y"]).any()

"""Settings that change while a run goes on, by a scenario or by hand, and the run repeated."""

from dataclasses import replace

import numpy as np
import pytest
from tests.engines.tiny import BALL, GRAVITY, POINT, simulate, tiny

from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import ScenarioError
from footfall.plants.pushes import Push
from footfall.run import run_scenario
from footfall.run_folder import make_run_folder
from footfall.saved import save_run
from footfall.scenario.changes import Change
from footfall.scenario.io import load_scenario, parse_scenario
from footfall.trajectory.events import CHANGED, NEVER_ACTS

BITS = ("q", "v", "impulse", "kinetic_energy", "potential_energy", "push_work")


class Script:
    """Conductor that does what it is told after so many steps, and takes few at a time."""

    def __init__(self, acts):
        self._acts = dict(acts)

    def begin(self, underway):
        self.underway = underway

    def steps(self, done):
        act = self._acts.pop(done, None)
        if act is not None:
            act(self.underway.interventions, done)
        return min([at - done for at in self._acts if at > done] + [3])

    def end(self, done):
        self.done = done


def _same_bits(one, other):
    return [
        name
        for name in BITS
        if not np.array_equal(one.trajectory.data[name], other.trajectory.data[name])
    ] == []


@pytest.mark.parametrize(
    ("engine", "tolerance"),
    [("moreau", 1e-12), ("drake-sap", 0.03)],  # rounding; the spring bears the weight a bit later
)
def test_friction_brakes_by_what_it_is_at_the_time(tmp_path, engine, tolerance):
    scenario = tiny(tmp_path, POINT, welded="slope", velocities={"x": 3.0}, duration=0.3)
    scenario = replace(
        scenario, time_step=0.002, friction=0.5, changes=[Change(time=0.1, friction=0.2)]
    )
    v = simulate(scenario, engine).trajectory.data["v"].sel(velocity="x").to_numpy()
    lost = GRAVITY * (0.5 * 0.1 + 0.2 * 0.2)
    assert v[-1] == pytest.approx(3.0 - lost, abs=tolerance)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fall_is_by_the_gravity_of_the_time_and_its_energy_is_accounted_for(tmp_path, engine):
    scenario = tiny(
        tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": 9.0}, duration=0.3, time_step=0.01,
        changes=[Change(time=0.2, gravity=2.0), Change(time=0.1, gravity=20.0)],
    )  # fmt: skip
    run = simulate(scenario, engine)
    data = run.trajectory.data
    speed = 0.1 * (GRAVITY + 20.0 + 2.0)
    tolerance = 1e-6 if engine == CONTINUOUS else 1e-12  # of the integrator; rounding
    assert float(data["v"].sel(velocity="ball_vz")[-1]) == pytest.approx(-speed, rel=tolerance)
    height = data["q"].sel(position="ball_z").to_numpy()
    given = 1.5 * ((20.0 - GRAVITY) * height[10] + (2.0 - 20.0) * height[20])
    assert float(data["push_work"][-1]) == pytest.approx(given, rel=1e-12)
    balance = (data["kinetic_energy"] + data["potential_energy"] - data["push_work"]).to_numpy()
    # schemes of first order lose g^2 dt^2 m / 2 a step in a fall, moreau's none
    assert np.abs(balance - balance[0]).max() < 1.5 * 30 * (20.0 * 0.01) ** 2
    assert [event.time for event in run.trajectory.events if event.kind == CHANGED] == [0.1, 0.2]


def test_the_model_has_the_gravity_of_the_scenario_back(tmp_path):
    scenario = tiny(
        tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": 9.0}, duration=0.02, time_step=0.01,
        changes=[Change(time=0.01, gravity=2.0)],
    )  # fmt: skip
    robot = simulate(scenario).robot
    assert robot.plant.gravity_field().gravity_vector()[2] == -GRAVITY


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_what_is_done_by_hand_is_kept_and_repeats_the_run_to_the_bit(tmp_path, engine):
    scenario = tiny(
        tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": 0.1}, velocities={"ball_vx": 1.0},
        duration=0.2, time_step=0.002, pushes=[Push("ball", duration=0.05, force=[1.0, 0, 0])],
        random_pushes=None,
    )  # fmt: skip
    plain = simulate(scenario, engine)
    led = simulate(scenario, engine, conductor=Script({}))
    assert _same_bits(plain, led)
    hand = Script(
        {
            17: lambda hands, done: hands.push(
                Push("ball", duration=0.03, force=[0, 4.0, 9.0]), done
            ),
            31: lambda hands, done: hands.change(Change(friction=0.05), done),
            44: lambda hands, done: hands.change(Change(gravity=3.0), done),
        }
    )
    run = simulate(scenario, engine, conductor=hand)
    assert hand.done == 100
    assert not _same_bits(plain, run)
    folder = make_run_folder("tiny", engine, tmp_path / "run")
    save_run(folder, "tiny", scenario, run)
    again = parse_scenario(folder.read_scenario(), "again", folder.path)
    assert [push.start for push in again.pushes] == [0.0, 18 * 0.002]
    assert [change.time for change in again.changes] == [31 * 0.002, 44 * 0.002]
    assert _same_bits(run, run_scenario(again, "again"))


def test_a_push_in_continuous_time_is_refused_by_hand(tmp_path):
    scenario = tiny(tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": 2.0}, duration=0.01)
    refused = []

    def push(hands, done):
        with pytest.raises(ScenarioError, match="no pushes by hand") as error:
            hands.push(Push("ball", force=[1.0, 0, 0]), done)
        refused.append(error)

    simulate(scenario, CONTINUOUS, conductor=Script({2: push}))
    assert refused


def test_gains_of_whole_body_control_change_and_others_are_refused():
    scenario = load_scenario("scenes/balance", ["duration=0.02"])
    seen = []
    hand = Script({15: lambda hands, _: seen.append(hands.adjustable())})
    scenario.changes = [Change(time=0.01, controller={"com.kp": 12.0, "posture.weight": 0.5})]
    run_scenario(scenario, "balance", conductor=hand)
    assert seen[0]["com.kp"] == 12.0
    assert seen[0]["posture.weight"] == pytest.approx(0.5)
    assert seen[0]["com.kd"] == 20.0
    scenario.changes = [Change(time=0.01, controller={"com.kpp": 12.0})]
    with pytest.raises(ScenarioError, match=r"com\.kpp"):
        run_scenario(scenario, "balance")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("{time: -1, friction: 0.5}", "time is -1"),
        ("{time: 1}", "changes nothing"),
        ("{friction: -0.5}", "friction is -0.5"),
        ("{gravity: .inf}", "gravity is inf"),
        ("{controller: {kp: .nan}}", "nan"),
    ],
)
def test_changes_that_are_none_are_refused(change, what):
    with pytest.raises(ScenarioError, match=what):
        parse_scenario(f"changes: [{change}]")


def test_an_engine_of_a_machine_refuses_them_and_a_late_one_is_told(tmp_path):
    scenario = load_scenario("hopper/report", ["duration=0.01"])
    scenario.changes = [Change(time=0.005, friction=0.5)]
    with pytest.raises(ScenarioError, match="it knows no changes"):
        run_scenario(scenario, "hopper", "hybrid")
    late = tiny(tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": 2.0}, duration=0.01)
    late.changes = [Change(time=0.02, friction=0.5)]
    assert NEVER_ACTS in [event.kind for event in simulate(late).trajectory.events]

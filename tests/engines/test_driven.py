"""Steps made at once, under laws and under held torques, against the same one by one."""

from dataclasses import replace

import numpy as np
import pytest
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource
from tests.engines.alone import alone
from tests.engines.test_actuation import SWITCHES, switching
from tests.engines.test_drives import ARM, servo
from tests.engines.tiny import BALL, BRICK, tiny

from footfall import simulation
from footfall.engines import MoreauConfig, MoreauEngine, moreau
from footfall.engines.moreau_step import FAR
from footfall.plants.motors import Motor
from footfall.plants.pushes import Push, PushSource
from footfall.scenario.assemble import build_robot
from footfall.scenario.changes import Change
from footfall.scenario.io import load_scenario
from footfall.simulation import Hooks
from footfall_controllers.controller import declare_ticks
from footfall_controllers.posture import Posture, Wave

HOOKS = Hooks(lambda: False, None)
PERIOD = 7e-3  # s
WHOLE_BODY = {"whole body": "scenes/balance", "walking": "scenes/trot"}


class Sampled(servo(3e-3, 1e-4, declared=False)):
    """Torques that are held between ticks."""

    def __init__(self, plant):
        super().__init__(plant)
        self._held = self.DeclareDiscreteState(1)
        declare_ticks(self, PERIOD, self._hold)

    def _hold(self, context, discrete):
        state = self._state.Eval(context)
        discrete.set_value(3e-3 * (1.0 - state[self._q]) - 1e-4 * state[self._v])

    def _calc(self, context, output):
        output.SetFromVector(context.get_discrete_state(self._held).get_value())


def held_by(kind, folder):
    """Scenario whose torques are held between ticks, or are not."""
    if kind in WHOLE_BODY:
        scenario = load_scenario(WHOLE_BODY[kind])
        push = Push("trunk", force=[40.0, 40.0, 0.0], start=0.0123, duration=0.02, frame="link")
        gains = Change(time=0.031, controller={"posture.kp": 40.0}, friction=0.3)
        return replace(scenario, duration=0.06, pushes=[push], changes=[gains])
    own = {"sampled": Sampled, "limited": Sampled, "feedthrough": servo(3e-3, 1e-4)}
    motors = {"motor": Motor(stall_torque=2e-3, no_load_speed=1.0)} if kind == "limited" else {}
    fields = {"controller": own.get(kind) or switching(kind), "motors": motors, "duration": 0.06}
    return tiny(folder, ARM.format(effort=1e9), welded="base", **fields)


def same(one, other, tolerance=0.0):
    """Compare all columns of two runs, and their events."""
    one, other = one.trajectory, other.trajectory
    assert (one.status, one.events) == (other.status, other.events)
    names = [name for name in one.data.variables if not name.startswith("control_")]
    assert set(names) <= set(other.data.variables)
    for name in names:
        found, wanted = one.data[name].to_numpy(), other.data[name].to_numpy()
        if found.dtype.kind != "f":
            np.testing.assert_array_equal(found, wanted)
            continue
        size = 1.0 + np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0)
        np.testing.assert_allclose(found, wanted, rtol=0.0, atol=tolerance * size, err_msg=name)


@pytest.fixture
def blocks(monkeypatch):
    """Count how often steps are made, alone or many at once."""
    made, drive = [], MoreauEngine._drive

    def counting(self, context, law, rows):
        made.append(len(rows.applied))
        return drive(self, context, law, rows)

    monkeypatch.setattr(MoreauEngine, "_drive", counting)
    return made


@pytest.mark.parametrize("kind", [*WHOLE_BODY, "sampled", "limited", "feedthrough", *SWITCHES])
def test_steps_foreseen_between_ticks_are_those_one_by_one_to_the_bit(
    tmp_path, monkeypatch, blocks, kind
):
    scenario = held_by(kind, tmp_path)
    robot = build_robot(scenario)
    foreseen = simulation.simulate(scenario, robot, "moreau", HOOKS)
    count = len(blocks)
    assert (count < 0.6 * scenario.num_steps) == (kind != "feedthrough")
    torques = np.unique(foreseen.trajectory.data["actuation"].to_numpy()[:, 0])
    assert (len(torques) > count) == (kind in {"limited", "feedthrough"})
    monkeypatch.setattr(moreau, "_MOST_AHEAD", 1)
    monkeypatch.setattr(simulation, "steps_held", lambda _: 0)  # a simulator does the ticks
    same(foreseen, simulation.simulate(scenario, robot, "moreau", HOOKS))
    assert len(blocks) - count == scenario.num_steps


def test_a_run_that_believes_what_it_foresaw_is_another(tmp_path, monkeypatch):
    scenario = held_by("sampled", tmp_path)
    robot = build_robot(scenario)
    one = simulation.simulate(scenario, robot, "moreau", HOOKS)
    monkeypatch.setattr(moreau, "foreseen", lambda *_: (True, True))
    with pytest.raises(AssertionError):
        same(simulation.simulate(scenario, robot, "moreau", HOOKS), one)


def test_a_failure_that_is_foreseen_and_does_not_come_changes_nothing(tmp_path, monkeypatch):
    scenario = held_by("sampled", tmp_path)
    robot = build_robot(scenario)
    one = simulation.simulate(scenario, robot, "moreau", HOOKS)
    failed, roll = [], moreau.roll

    def failing(handle, known, states, efforts, applied, off, records):
        if len(efforts) < 3:
            return roll(handle, known, states, efforts, applied, off, records)
        failed.append(len(efforts))
        roll(handle, known, states[:3], efforts[:2], applied[:2], off, records[:3])
        states[3] = records[3] = np.nan
        return 2, FAR

    monkeypatch.setattr(moreau, "roll", failing)
    same(simulation.simulate(scenario, robot, "moreau", HOOKS), one)
    assert len(failed) > 3


@pytest.mark.parametrize("what", ["state", "friction", "gravity", "pushes"])
def test_nothing_foreseen_outlasts_a_change(tmp_path, monkeypatch, what):
    scenario = tiny(tmp_path, BRICK, positions={"brick_qw": 1.0, "brick_z": 0.5}, duration=1.0)
    ends = []
    for most in (64, 1):
        monkeypatch.setattr(moreau, "_MOST_AHEAD", most)
        simulator, engine, context, robot = made = alone(scenario, "moreau", np.zeros(0))
        simulator.AdvanceTo(0.02)
        if what == "state":
            engine.set_state(context, made.output() + 0.01)
        elif what == "friction":
            engine.change_friction(context, robot.contacts)
        elif what == "gravity":
            engine.change_gravity(context, 1.0)
        else:
            pushed = replace(scenario, pushes=[Push("brick", force=[1.0, 2.0, 3.0])])
            engine.put(build_robot(pushed).pushes)
        simulator.AdvanceTo(0.03)
        ends.append(made.output())
    np.testing.assert_array_equal(*ends)


STAND = load_scenario("biped/stand")
WAVES = {"theta1": Wave(0.1, 0.3), "theta3": Wave(0.2, 1.3)}
POSTURE = Posture(positions={"theta1": 0.1}, feedforward=WAVES, period=0.02, at_midpoint=True)
GAINS = replace(POSTURE, kp=40.0, kd=3.0, gains_only=True)
LINE = {"tau*": Motor(stall_torque=9.0, no_load_speed=5.0)}
TURNING = Push("link2", start=0.0204, duration=0.03, force=[20.0, 0, 9.0], frame="link")
LAWS = {
    "inverse dynamics": replace(STAND, controller=POSTURE),
    "gains and motors": replace(STAND, controller=GAINS, motors=LINE),
    # of a controller that knows no gravity: the Simulator keeps what it computed for the moment
    "changes": replace(
        STAND,
        controller=GAINS,
        changes=[Change(time=0.03, gravity=8.0), Change(time=0.06, friction=0.2)],
    ),
    "rows left out": replace(STAND, controller=POSTURE, record_every=7),
    "torques": load_scenario("verify/motor_step"),
    "motor on its line": load_scenario("verify/motor_line"),
    "push alone": load_scenario("scenes/push"),
    "standing": load_scenario("scenes/quadruped"),
}


@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=pytest.mark.slow) if c == "standing" else c for c in LAWS]
)
def test_a_run_under_a_law_is_that_of_its_system(monkeypatch, blocks, case):
    scenario = replace(LAWS[case], duration=min(LAWS[case].duration, 0.1))
    if scenario.machine == "biped":
        scenario = replace(scenario, pushes=[replace(TURNING, link=_link(scenario))])
    robot = build_robot(scenario)
    by_law = simulation.simulate(scenario, robot, "moreau", HOOKS)
    assert len(blocks) < 0.5 * scenario.num_steps
    monkeypatch.setattr(simulation, "law_of", lambda *_: None)
    same(by_law, simulation.simulate(scenario, robot, "moreau", HOOKS), 1e-9)


def _link(scenario):
    """The trunk of the biped."""
    plant = build_robot(scenario).plant
    return plant.get_body(plant.GetBodyIndices(plant.GetModelInstanceByName("biped"))[-1]).name()


@pytest.mark.parametrize("scheme", ["moreau", "implicit-midpoint"])
def test_pushes_of_the_engine_are_those_at_its_port(tmp_path, scheme):
    turning = {"force": [9.0, -3.0, 5.0], "torque": [0.02, 0.1, -0.1], "at": [0.02, 0.03, 0.01]}
    pushes = [
        Push("ball", start=0.0107, duration=0.0211, frame="link", **turning),
        Push("ball", start=0.0, duration=0.05, shape="half_sine", **turning),
    ]
    spin = {"ball_wx": 3.0, "ball_wy": 20.0, "ball_vx": 1.0}
    start = {"ball_qw": 1.0, "ball_z": 5.0}
    scenario = tiny(
        tmp_path,
        BALL,
        positions=start,
        velocities=spin,
        pushes=pushes,
        time_step=2e-3,
        duration=1.0,
    )
    robot, found = build_robot(scenario), []
    for through_port in (True, False):
        builder = DiagramBuilder()
        config = MoreauConfig(scheme=scheme)
        engine = builder.AddSystem(MoreauEngine(robot.model, robot.contacts, 2e-3, config))
        source = builder.AddSystem(PushSource(robot.plant, robot.pushes, 2e-3))
        idle = builder.AddSystem(ConstantVectorSource(np.zeros(0)))
        builder.Connect(engine.GetOutputPort("state"), source.GetInputPort("state"))
        builder.Connect(idle.get_output_port(), engine.GetInputPort("actuation"))
        if through_port:
            builder.Connect(source.get_output_port(), engine.GetInputPort("applied_wrench"))
        else:
            engine.put(robot.pushes)
        simulator = Simulator(builder.Build())
        context = engine.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        engine.set_state(context, robot.initial_state)
        simulator.AdvanceTo(0.06)
        found.append(engine.GetOutputPort("state").Eval(context))
    assert np.abs(found[0]).max() > 5.5
    np.testing.assert_allclose(*found, rtol=1e-13, atol=1e-13)

"""Simulations that are led from step to step: to the bit what a run is, saved, and gone back to."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, EventStatus, LeafSystem, State
from tests.slow import some_slow

import footfall as ff
from footfall.api.loading import LoadedScenario
from footfall.api.simulation import Simulation
from footfall.arrays import Array
from footfall.errors import FootfallError, RunError
from footfall.plants.coordinates import bodies_of, normalise_quaternions, quaternion_places
from footfall.solvers import natural_map_residual

BLOCK = "package://footfall/sdf/toys/block.sdf"
ENGINES = ("moreau", "drake-sap", "drake-lagged", "mujoco")
PERIOD = 0.002  # s: of a controller at 500 Hz


def quadruped(**values: Any) -> LoadedScenario:
    return ff.load("quadruped", **({"duration": 0.25, "initial.gap": 0.02} | values))


class Pd:
    """Torques of a stance, out of [q; v] of the quadruped."""

    def __init__(self, stance: Array) -> None:
        self.stance = stance

    def __call__(self, state: Array) -> Array:
        return 60.0 * (self.stance - state[7:19]) - 1.5 * state[25:]


class PdSystem(LeafSystem):
    """The same as a system, whose torques are held for two steps."""

    def __init__(self, plant: MultibodyPlant, law: Pd) -> None:
        super().__init__()
        self._law = law
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._held = self.DeclareDiscreteState(12)
        self.DeclareVectorOutputPort("actuation", 12, self._calc_actuation)
        self.DeclarePeriodicUnrestrictedUpdateEvent(PERIOD, 0.0, self._tick)

    def _tick(self, context: Context, state: State) -> EventStatus:
        torques = self._law(self._state.Eval(context))
        state.get_mutable_discrete_state().set_value(self._held, torques)
        return EventStatus.Succeeded()

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        ticks = round(context.get_time() / 1e-3) % 2 == 0
        held = context.get_discrete_state(self._held).get_value()
        output.SetFromVector(self._law(self._state.Eval(context)) if ticks else held)


def led(simulation: Simulation, law: Pd, steps: int) -> list[Array]:
    """States after every step under a law at 500 Hz."""
    states = [simulation.state]
    for k in range(steps):
        if k % 2 == 0:
            torques = law(simulation.state)
        simulation.step(torques)
        states.append(simulation.state)
    return states


@pytest.mark.parametrize("engine", some_slow(ENGINES, "mujoco"))
def test_a_loop_of_ones_own_is_the_run_of_its_controller(engine: str) -> None:
    """Every bit of every step, recorded or not, whose record is that of the run."""
    loaded = quadruped()
    simulation = loaded.simulation(engine)
    law = Pd(simulation.q[7:] + 0.1)
    run = loaded.run(engine, controller=lambda plant: PdSystem(plant, law)).data
    states = led(simulation, law, 250)
    rows = np.array(states)
    normalise_quaternions(rows, [slice(0, 4)])  # as a record has them
    np.testing.assert_array_equal(rows, np.hstack((run["q"], run["v"])))
    recorded = loaded.simulation(engine, record=True)
    np.testing.assert_array_equal(led(recorded, law, 250), states)
    result = recorded.record()
    assert result.status == "done"
    for name in (
        "q",
        "v",
        "actuation",
        "impulse",
        "mode",
        "gap",
        "energy_residual",
        "foot_contact",
    ):
        # of the last row, no step tells the torques that would act from there
        np.testing.assert_array_equal(result.data[name][:-1], run[name][:-1], err_msg=name)
    assert result.metrics.keys() == loaded.run(engine).metrics.keys()


PUSH = {"link": "hip", "start": 0.02, "duration": 0.05, "force": [20.0, 0.0, 0.0]}


@pytest.mark.parametrize(
    ("loaded", "engine"),
    [
        (ff.load("biped/stand", duration=0.1, pushes=[PUSH]), "moreau"),
        (ff.load("biped/climb_geared", duration=0.1), "moreau"),
        (ff.load("hopper/report", duration=0.1), "moreau"),
        (ff.load("biped/climb", duration=0.1), "drake-sap"),
        (ff.load("compass/simplest", duration=0.1, **{"moreau.recover_gaps": False}), "moreau"),
        (ff.load(BLOCK, duration=0.1), "drake-continuous"),
        (
            ff.load(BLOCK, duration=0.1, changes=[{"time": 0.05, "gravity": 3.0}]),
            "moreau",
        ),
    ],
    ids=lambda given: getattr(given, "name", given),
)
@pytest.mark.parametrize("record", [False, True])
def test_the_scenarios_own_controller_is_that_of_a_run(
    loaded: LoadedScenario, engine: str, record: bool
) -> None:
    """Laws, drives, motors, pushes, feet in turns and changes, in periods of any length."""
    run = loaded.run(engine).data
    simulation = loaded.simulation(engine, record=record)
    for _ in range(2):
        simulation.reset()
        for steps in (1, 3, 46, 50):
            simulation.step(duration=steps * loaded.scenario.time_step)
            row = run.isel(time=round(simulation.time / loaded.scenario.time_step))
            state = simulation.state
            normalise_quaternions(state, quaternion_places(simulation._robot.plant))
            np.testing.assert_array_equal(state, np.concatenate((row["q"], row["v"])))


@pytest.mark.parametrize("speed", [19.5, 19.7, 19.9, 25.0])
def test_limits_of_speeds_hold_in_the_quickest_step(speed: float) -> None:
    """A joint about its limit of 20 rad/s is driven no further, as in steps under a law."""
    ends = []
    for quick in (True, False):
        simulation = quadruped().simulation()
        state = simulation.state
        state[26] = speed
        simulation.reset(state=state)
        if not quick:
            simulation._holds = None
        simulation.step(np.full(12, 5.0))
        ends.append(simulation.state)
    np.testing.assert_array_equal(*ends)
    assert ends[0][26] < max(20.0, speed)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_saved_state_goes_on_to_the_bit(engine: str, tmp_path: Path) -> None:
    """In memory, out of a file, in a clone and in another simulation of the scenario."""
    loaded = quadruped(controller=None)
    simulation = loaded.simulation(engine)
    law = Pd(simulation.q[7:])
    led(simulation, law, 60)
    saved = simulation.save(tmp_path / "state.npz")
    clone, other = simulation.clone(), loaded.simulation(engine)
    states = led(simulation, law, 40)
    np.testing.assert_array_equal(led(clone, law, 40), states)
    for start in (saved, tmp_path / "state.npz"):
        for one in (simulation, other):
            one.restore(start)
            assert one.time == pytest.approx(0.06, abs=1e-12)
            np.testing.assert_array_equal(led(one, law, 40), states)


def test_what_a_controller_holds_is_saved() -> None:
    """Torques between two ticks are discrete state."""
    law = Pd(np.zeros(12))
    loaded = quadruped(controller=lambda plant: PdSystem(plant, law))
    simulation = loaded.simulation()
    simulation.step(duration=0.031)
    saved = simulation.save()
    simulation.step(duration=0.02)
    state = simulation.state
    simulation.restore(saved)
    simulation.step(duration=0.02)
    np.testing.assert_array_equal(simulation.state, state)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize(
    "values",
    [
        {"friction": 0.1},
        {"friction": 0.1, "restitution": 0.5},
        {"gravity": 3.0},
        {"mass_scale": {"*": 2.0}},
        {"seed": 5},
    ],
    ids=str,
)
def test_parameters_are_those_of_the_scenario(engine: str, values: dict[str, Any]) -> None:
    """Set at the start, they make another scenario's motion, at every reset."""
    loaded = ff.load(BLOCK, duration=0.2, **{"initial.velocities": {"block_vx": 1.0}})
    changed, simulation = loaded.set(**values).simulation(engine), loaded.simulation(engine)
    simulation.set_parameters(**values)
    for _ in range(2):
        changed.reset()
        simulation.reset()
        changed.step(duration=0.2)
        simulation.step(duration=0.2)
        np.testing.assert_array_equal(simulation.state, changed.state)


def test_parameters_that_build_a_robot_keep_state_and_pushes() -> None:
    """A block four times as heavy falls on from where it was, under the push that it had."""
    simulation = ff.load(BLOCK, duration=0.2, gravity=0.0).simulation()
    simulation.apply({"link": "block", "force": [1.0, 0.0, 0.0], "duration": 10.0})
    simulation.step(duration=0.1)
    mass = float(simulation.energy.kinetic / (0.5 * simulation.v[3] ** 2))
    v, q = simulation.v, simulation.q
    simulation.set_parameters(mass_scale={"*": 4.0})
    np.testing.assert_array_equal((*simulation.q, *simulation.v), (*q, *v))
    simulation.step(duration=0.1)
    np.testing.assert_allclose(simulation.v[3] - v[3], 0.1 / (4.0 * mass), rtol=1e-12)
    assert simulation.time == pytest.approx(0.2)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_feet_bear_the_weight(engine: str) -> None:
    """At rest, the ground holds what gravity pulls: mass times 9.81 m/s^2."""
    simulation, law = quadruped().simulation(engine), Pd(np.zeros(12))
    for _ in range(300):
        torques = law(simulation.state)
        simulation.step(torques, PERIOD)
    mass = sum(body.default_mass() for body in bodies_of(simulation._robot.plant)[1:])
    forces = simulation.foot_forces
    assert forces.shape == (len(simulation.feet), 3)
    np.testing.assert_allclose(forces.sum(axis=0), [0.0, 0.0, 9.81 * mass], atol=0.05 * mass)
    contacts = simulation.contacts
    assert (contacts.mode > 0).sum() >= 4
    assert contacts.p_WC.shape == contacts.impulse.shape == (len(contacts.names), 3)


def test_energy_is_kept_in_flight() -> None:
    """A block that flies without turning loses in height what it gains in speed."""
    simulation = ff.load(BLOCK, **{"initial.gap": 1.0}).simulation()
    before = simulation.energy
    simulation.step(duration=0.2)
    after = simulation.energy
    mass = bodies_of(simulation._robot.plant)[1].default_mass()
    assert after.kinetic == pytest.approx(0.5 * mass * (9.81 * 0.2) ** 2, rel=1e-4)
    # the midpoint rule is exact for a parabola
    assert after.kinetic + after.potential == pytest.approx(before.potential, rel=1e-12)


def test_the_problem_of_a_step_is_the_one_that_it_solved() -> None:
    """u = W r + q, as the natural map accepts it; W of a ball by its mass and inertia."""
    simulation = ff.load("ball", duration=0.5, **{"initial.gap": 1e-9}).simulation()
    simulation.reset(state=np.concatenate((simulation.q, [0, 0, 0, 1.0, 0, -1.0])))
    simulation.step()
    problem, contacts = simulation.problem, simulation.contacts
    body = simulation._robot.plant.GetBodyByName("ball")
    inertia = body.default_spatial_inertia()
    mass = inertia.get_mass()
    moment = inertia.CalcRotationalInertia().get_moments()[0]
    radius = simulation.q[6] - contacts.gap[0]
    tangential = 1.0 / mass + radius**2 / moment
    np.testing.assert_allclose(problem.W, np.diag([1 / mass, tangential, tangential]), rtol=1e-6)
    np.testing.assert_allclose(problem.u, problem.W @ problem.r + problem.q, atol=1e-12)
    np.testing.assert_allclose(problem.r, contacts.impulse[0], rtol=1e-10, atol=1e-15)
    assert problem.names == (contacts.names[0],)
    assert natural_map_residual(problem.W, problem.q, problem.mu, problem.dim, problem.r) < 1e-10


def test_sensors_tell_a_program_what_they_tell_a_controller() -> None:
    """At rest, an IMU feels the ground's push: gravity upwards in its axes."""
    loaded = quadruped(sensors={"imu": {}, "encoders": {"noise": 1e-3}})
    simulation = loaded.simulation()
    law = Pd(np.zeros(12))
    for _ in range(300):
        simulation.step(law(simulation.state), PERIOD)
    told = simulation.sensors
    up = told["imu"][3:]
    np.testing.assert_allclose(np.linalg.norm(up), 9.81, rtol=1e-2)
    error = told["state"][7:19] - simulation.q[7:]
    assert 1e-4 < np.abs(error).max() < 1e-2


def geared(plant: MultibodyPlant) -> PdSystem:
    """A controller whose gains are in the drives."""
    system = PdSystem(plant, Pd(np.zeros(12)))
    system.pd_gains = (60.0, 1.5)
    return system


def pushed(**values: Any) -> None:
    """Push a quadruped at 0.01 s."""
    simulation = quadruped().simulation()
    simulation.step(duration=0.01)
    simulation.apply({"link": "trunk", "force": [1.0, 0.0, 0.0]} | values)


REFUSED = [
    ("simulation", lambda: quadruped().simulation("closed-form"), "takes no torques from step"),
    ("engine", lambda: quadruped().simulation("moro"), "there is no engine"),
    ("analysis", lambda: ff.load("humanoid/trade_off").simulation("moreau"), "an analysis"),
    ("shape", lambda: quadruped().simulation().step(np.zeros(11)), "give 12 numbers, of FL_roll"),
    ("one for all", lambda: quadruped().simulation().step(0.0), "have the shape ()"),
    ("text", lambda: quadruped().simulation().step(["a"] * 12), "are no numbers"),
    ("nan", lambda: quadruped().simulation().step([0.0] * 11 + [np.nan]), "'RR_knee' is no finite"),
    ("period", lambda: quadruped().simulation().step(None, 0.0015), "no whole number of time"),
    ("none", lambda: quadruped().simulation().step(None, 0.0), "no whole number of time"),
    ("state", lambda: quadruped().simulation().reset(state=[1.0]), "is not 37 finite numbers"),
    ("zero", lambda: quadruped().simulation().reset(state=np.zeros(37)), "a quaternion that is 0"),
    ("parameter", lambda: quadruped().simulation().set_parameters(frction=1.0), "friction"),
    ("negative", lambda: quadruped().simulation().set_parameters(friction=-1.0), "friction"),
    ("drives", lambda: quadruped(controller=geared).simulation().step(np.zeros(12)), "=None"),
    ("sensors", lambda: quadruped().simulation().sensors, "the scenario has none"),
    ("record", lambda: quadruped().simulation().record(), "record=True"),
    ("file", lambda: quadruped().simulation().restore("nowhere.npz"), "nowhere.npz"),
    ("problem", lambda: quadruped().simulation("drake-sap").problem, "of the engine moreau"),
    ("period of text", lambda: quadruped().simulation().step(None, "a"), "no whole number of time"),
    ("seed", lambda: quadruped().simulation().reset(seed=1.5), "give a whole number"),
    ("no number", lambda: quadruped().simulation().set_parameters(friction="a"), "friction"),
    (
        "start",
        lambda: quadruped().simulation().set_parameters(duration=3.0),
        "of a simulation's start",
    ),
    ("step", lambda: quadruped().simulation().set_parameters(time_step=5e-4), "time_step or what"),
    ("field", lambda: quadruped().simulation().apply({"lnk": "trunk"}), "unknown key push.lnk"),
    ("text", lambda: quadruped().simulation().apply("trunk"), "push is 'trunk': give a group"),
    ("force of text", lambda: pushed(force="left"), "apply: push.force is 'left': give a list"),
    ("number for a link", lambda: pushed(link=3), "apply: push.link is 3: give a text"),
    ("past", lambda: pushed(start=0.005), "starts at 0.005 s, and it is 0.01 s"),
    ("huge", lambda: quadruped().simulation().step(np.full(12, 1e200)), "no finite number"),
    ("far", lambda: quadruped().simulation().reset(state=np.full(37, 1e200)), "far too long"),
    ("no push", lambda: quadruped().simulation().apply({"link": "trunk"}), "neither force nor"),
    ("masked", lambda: quadruped().simulation().step(np.ma.masked_all(12)), "no finite number"),
    ("complex", lambda: quadruped().simulation().step(np.zeros(12) + 1j), "are no numbers"),
    ("folder", lambda: quadruped().simulation().save("no/where.npz"), "no folder no"),
    ("push", lambda: quadruped().simulation().apply({"link": "bas", "force": [1, 0, 0]}), "bas"),
]


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_push_begins_when_it_says(engine: str) -> None:
    """Applied beforehand it is the scenario's own, to the bit."""
    push = {"link": "trunk", "start": 0.03, "duration": 0.05, "force": np.array([0.0, 40.0, 0.0])}
    own = quadruped(pushes=[push]).simulation(engine)
    simulation = quadruped().simulation(engine)
    simulation.step(duration=0.01)
    simulation.apply(push)
    simulation.step(duration=0.09)
    own.step(duration=0.1)
    np.testing.assert_array_equal(simulation.state, own.state)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("ask", "told"), [row[1:] for row in REFUSED], ids=[r[0] for r in REFUSED])
def test_refusals_are_one_line(ask: Any, told: str) -> None:
    with pytest.raises(FootfallError, match=re.escape(told)) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_a_state_of_another_scenario_is_refused(tmp_path: Path) -> None:
    """Of another robot, another scenario of the robot, and another engine."""
    quadruped().simulation().save(tmp_path / "state.npz")
    for other, engine in ((ff.load("ball"), None), (quadruped(friction=0.3), None)):
        with pytest.raises(RunError, match="is not one of"):
            other.simulation(engine).restore(tmp_path / "state.npz")
    with pytest.raises(RunError, match="is not one of"):
        quadruped().simulation("drake-sap").restore(tmp_path / "state.npz")
    (tmp_path / "text.npz").write_text("text", encoding="utf-8")
    with pytest.raises(RunError, match="holds no state"):
        quadruped().simulation().restore(tmp_path / "text.npz")
    with pytest.raises(RunError, match=re.escape("{0}.npz holds no state")):
        quadruped().simulation().restore(tmp_path / "{0}.npz")


@pytest.mark.parametrize("record", [False, True])
def test_a_simulation_that_diverges_can_be_set_back(record: bool) -> None:
    """It says so once, then refuses to step, and begins anew."""
    simulation = quadruped().simulation(record=record)
    simulation.reset(state=np.concatenate((simulation.q, np.full(18, 1e7))))
    with pytest.raises(RunError, match="diverges"):
        simulation.step(np.zeros(12), 0.2)
    with pytest.raises(RunError, match="reset, or restore"):
        simulation.step(np.zeros(12))
    if record:
        assert simulation.record().status == "failed"
    simulation.reset()
    simulation.step(np.zeros(12))
    assert simulation.time == pytest.approx(1e-3)


@pytest.mark.parametrize("values", [{"friction": 0.3}, {"mass_scale": {"block": 2.0}}])
def test_nothing_is_changed_at_a_state_that_is_not_finite(values: dict[str, Any]) -> None:
    simulation = ff.load("package://footfall/sdf/toys/block.sdf").simulation("drake-sap")
    start = np.concatenate((simulation.q, np.full(6, 1e9)))
    simulation.reset(state=start)
    with pytest.raises(RunError, match="stops after"):
        simulation.step(duration=0.1)
    assert not np.isfinite(simulation.state).all()
    with pytest.raises(RunError, match="reset or restore one first"):
        simulation.set_parameters(**values)
    simulation.reset()
    simulation.set_parameters(**values)
    simulation.step()


def test_refused_parameters_leave_the_simulation_as_it_was() -> None:
    """Static friction below the friction of the files, and a spring between no joints."""
    simulation, other = quadruped().simulation(), quadruped().simulation()
    for values in ({"static_friction": 0.1}, {"joint_friction": {"FL_kne": 1.0}}):
        with pytest.raises(FootfallError):
            simulation.set_parameters(**values)
    for one in (simulation, other):
        one.set_parameters(friction=0.3)
        one.step(duration=0.2)
    np.testing.assert_array_equal(simulation.state, other.state)


def test_pushes_by_hand_go_on_until_others_are_set() -> None:
    """A block that is pushed in empty space, and then no more."""
    simulation = ff.load(BLOCK, gravity=0.0).simulation()
    simulation.apply({"link": "block", "force": [1.0, 0.0, 0.0]})
    simulation.step(duration=0.1)
    simulation.set_parameters(pushes=[{"link": "block", "force": [0.0, 1.0, 0.0]}])
    before = simulation.v
    simulation.step(duration=0.1)
    gained = simulation.v - before
    assert gained[3] == pytest.approx(0.0, abs=1e-12)
    assert gained[4] == pytest.approx(before[3] * 0.1 / 0.099, rel=1e-9)


def test_a_seed_draws_what_the_scenario_draws() -> None:
    """The same seed the same robot, friction and pushes; another seed others."""
    loaded = quadruped(
        randomise={"friction": {"_tag": "!Uniform", "min": 0.2, "max": 0.9}},
        random_pushes={"rate": 20.0, "force": 30.0},
    )
    simulation, ends = loaded.simulation(), []
    for seed in (1, 2, 1):
        simulation.reset(seed=seed)
        drawn = loaded.set(seed=seed)
        assert simulation.scenario.friction == drawn.scenario.friction
        simulation.step(duration=0.25)
        ends.append(simulation.state)
        run = drawn.run().data.isel(time=-1)
        np.testing.assert_array_equal(ends[-1][4:], np.concatenate((run["q"], run["v"]))[4:])
    assert (ends[0] == ends[2]).all()
    assert (ends[0] != ends[1]).any()

"""Running scenarios: what ends one early, what is kept of it, and requests that are refused."""

import signal
from dataclasses import replace

import numpy as np
import pytest
from numpy.linalg import LinAlgError
from pydrake.systems.framework import LeafSystem
from tests.engines.tiny import BALL, POINT, RADIUS, simulate, tiny
from tests.scenario.runs import run

from footfall.errors import ModelError, RunError, ScenarioError, UnexpectedError
from footfall.plants.contacts import PairRule
from footfall.registry.machines import get_machine
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.simulation import _explained
from footfall.solvers import ContactNotSolved, solve
from footfall.trajectory import Status
from footfall_controllers.inverse_dynamics import TracksReference

BOTH = ("moreau", "drake-sap")
EVERY = (*BOTH, "closed-form")


def _one_line(message):
    assert message
    assert "\n" not in message
    return message


class _Source(LeafSystem):
    """A reference that turns bad at 50 ms."""

    def __init__(self, size, bad):
        super().__init__()
        self._size, self._bad = size, bad
        self.DeclareVectorOutputPort("reference", 3 * size, self._calc)

    def sample(self, time):
        values = np.zeros((3, self._size))
        if time > 0.0495:
            values[0, 0] = self._bad()
        return values

    def copy(self):
        return _Source(self._size, self._bad)

    def _calc(self, context, output):
        output.SetFromVector(self.sample(context.get_time()).ravel())


class _BadController(TracksReference):
    """Stands in a scenario where a controller stands."""

    def __init__(self, bad):
        super().__init__(kp=100.0, kd=10.0)
        self._bad = bad

    def reference(self, plant):
        return _Source(plant.num_actuators(), self._bad)


class _Interrupting(_BadController):
    """The same in the middle of a step: it has no law that would be worked out before."""

    def __init__(self):
        super().__init__(_interrupt)

    def compiled_law(self, *_):
        return None


def _interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_controller_that_sends_no_number_ends_the_run(engine, bad):
    scenario = load_scenario("biped/stand", ["duration=0.2", "initial.from_reference=false"])
    scenario.controller = _BadController(lambda: bad)
    result = run_scenario(scenario, "biped/stand", engine)
    trajectory = result.trajectory
    assert trajectory.status is Status.FAILED
    assert "tau1" in _one_line(trajectory.message)
    assert "check its inputs and gains" in trajectory.message
    assert isinstance(result.error, RunError)
    # rows up to the last good one are kept, and sound
    assert 0.045 <= float(trajectory.data["time"][-1]) <= 0.05
    assert np.isfinite(trajectory.data["q"]).all()
    assert np.isfinite(trajectory.data["actuation"]).all()
    assert [event.kind for event in trajectory.events] == ["failed"]
    assert result.claims == ()


@pytest.mark.parametrize("engine", EVERY)
def test_a_diverging_run_ends_and_keeps_what_it_has(engine):
    # kd dt = 100: the explicit law multiplies errors by a hundred every step
    scenario = load_scenario("biped/stand", ["duration=1", "controller.kd=1e5"])
    result = run_scenario(scenario, "biped/stand", engine)
    trajectory = result.trajectory
    assert trajectory.status is Status.FAILED
    # which number overflows first differs: a torque, a velocity, or the stepper's impulses before
    # either
    assert any(word in _one_line(trajectory.message) for word in ("gains", "does not converge"))
    assert 1 <= len(trajectory.data["time"]) < 1000
    assert np.isfinite(trajectory.data["q"]).all()
    assert trajectory.events[-1].kind == "failed"


@pytest.mark.parametrize("engine", BOTH)
def test_ctrl_c_between_steps_keeps_the_rows(engine):
    reached = []

    def report(progress):
        reached.append(progress.time)
        if progress.time > 0.0495:
            raise KeyboardInterrupt

    scenario = load_scenario("biped/stand", ["duration=0.2"])
    result = run_scenario(scenario, "biped/stand", engine, report=report)
    trajectory = result.trajectory
    assert trajectory.status is Status.INTERRUPTED
    assert f"{reached[-1]:.4f} s" in _one_line(trajectory.message)
    assert len(trajectory.data["time"]) == round(reached[-1] / 1e-3) + 1
    assert 0.05 <= reached[-1] < 0.2
    assert result.metrics["duration"] == pytest.approx(reached[-1])
    assert result.claims == ()


@pytest.mark.parametrize("engine", BOTH)
def test_ctrl_c_within_a_step_keeps_the_rows(engine):
    # Drake calls Python in the middle of a step: the interrupt comes through its C++
    scenario = load_scenario("biped/stand", ["duration=0.2", "initial.from_reference=false"])
    scenario.controller = _Interrupting()
    trajectory = run_scenario(scenario, "biped/stand", engine).trajectory
    assert trajectory.status is Status.INTERRUPTED
    assert 49 <= len(trajectory.data["time"]) <= 51


def test_ctrl_c_while_a_run_is_made_ready_ends_it_at_once(tmp_path):
    begun = []

    def press(_plant):
        signal.raise_signal(signal.SIGINT)
        begun.append(True)

    with pytest.raises(KeyboardInterrupt):
        run_scenario(replace(tiny(tmp_path, BALL), controller=press), "tiny", "moreau")
    assert not begun


def test_an_unsolvable_contact_problem_ends_the_run_and_can_be_solved_again(tmp_path):
    settings = ["moreau.solver=fixed-point", "moreau.max_iterations=1"]
    result = run_scenario(load_scenario("biped/climb", settings), "biped/climb", "moreau")
    assert result.trajectory.status is Status.FAILED
    assert "not solved" in _one_line(result.trajectory.message)
    error = result.error
    assert isinstance(error, ContactNotSolved)
    error.problem.save(tmp_path / "problem.npz")
    again = type(error.problem).load(tmp_path / "problem.npz")
    # nothing is wrong with the problem: another solver takes it
    assert solve(again.W, again.q, again.mu, again.dim).residual <= 1e-10
    assert len(result.trajectory.data["time"]) >= 1


def test_a_short_run_counts_its_rows():
    result = run("biped/stand", "moreau", "duration=0.01")
    data = result.trajectory.data
    assert data.sizes["time"] == 11
    assert np.allclose(data["time"], np.arange(11) * 1e-3, atol=1e-15)
    assert not data["impulse"][0].any()  # nothing has happened before the first step


@pytest.mark.parametrize("engine", EVERY)
def test_progress_comes_now_and_then_and_at_the_end(engine):
    seen = []
    scenario = load_scenario("biped/stand", ["duration=0.05"])
    run_scenario(scenario, "biped/stand", engine, report=seen.append)
    if engine == "closed-form":
        return  # it is over at once
    times = [p.time for p in seen]
    assert len(times) > 3
    assert times == sorted(set(times))
    assert times[-1] == pytest.approx(0.05)
    assert all(p.duration == 0.05 for p in seen)
    assert max(p.contacts for p in seen) == 2


def test_the_same_scenario_gives_the_same_run():
    first, second = (
        run_scenario(load_scenario("biped/climb", ["duration=0.2"]), "biped/climb", "moreau")
        for _ in range(2)
    )
    assert first.trajectory.identical(second.trajectory)


@pytest.mark.parametrize(
    ("settings", "engine", "match"),
    [
        ((), "bullet", "there is no engine 'bullet'"),
        (("machine=''",), "closed-form", "no machine with such an engine; choose one of moreau"),
        (
            ('pairs=[{contact: "biped::foot_a", friction: 0.1}]',),
            "closed-form",
            "one mu and one e_n.*remove pairs",
        ),
        (
            ('pairs=[{contact: "biped::food_a", friction: 0.1}]',),
            "moreau",
            "no contact matches 'biped::food_a'",
        ),
        (("machine=hoper",), "moreau", "machine is 'hoper': choose one of"),
        (("directives=[]",), "moreau", "no model: add directives"),
        (("controller=null",), "moreau", "from_reference needs a controller"),
        (("initial.drop_along=x",), "moreau", "does not lift the machine"),
        (("initial.drop_along=w",), "moreau", "there is no 'w'; .*x, z"),
        (
            ("initial.positions={theta5: 1.0}",),
            "moreau",
            "there is no 'theta5'; did you mean 'theta",
        ),
        (("initial.velocities={theta: 1.0}",), "moreau", "did you mean 'theta"),
    ],
)
def test_requests_that_cannot_be_met_are_refused_in_one_line(settings, engine, match):
    scenario = load_scenario("biped/stand", ["duration=0.01", *settings])
    with pytest.raises(ScenarioError, match=match) as refused:
        run_scenario(scenario, "biped/stand", engine)
    _one_line(str(refused.value))


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        (("expected_actuators=[theta1, x]",), "x"),
        (
            ("controller.positions={x: 1.0}",),
            "joint 'x' has no actuator; actuated joints are theta1",
        ),
        (("directives.0.add_model.file=package://footfall/urdf/biped/no.urdf",), "no.urdf"),
        (("directives.1.add_weld.child=biped::slop",), "slop"),
    ],
)
def test_models_that_do_not_fit_are_refused_in_one_line(settings, match):
    scenario = load_scenario("biped/stand", ["duration=0.01", *settings])
    with pytest.raises(ModelError, match=match) as refused:
        run_scenario(scenario, "biped/stand", "moreau")
    _one_line(str(refused.value))


def test_names_and_units_come_from_the_plant(tmp_path):
    data = simulate(tiny(tmp_path, BALL, duration=0.01, positions={"ball_z": 1.0})).trajectory.data
    assert list(data["position_units"].to_numpy()) == ["1"] * 4 + ["m"] * 3
    assert list(data["velocity_units"].to_numpy()) == ["rad/s"] * 3 + ["m/s"] * 3
    assert data.sizes["actuator"] == 0
    data = run("biped/stand", "moreau", "duration=0.01").trajectory.data
    assert list(data["position"].to_numpy()) == ["x", "z", "theta1", "theta2", "theta3", "theta4"]
    assert list(data["position_units"].to_numpy()) == ["m", "m"] + ["rad"] * 4
    assert list(data["actuator"].to_numpy()) == ["tau1", "tau2", "tau3", "tau4"]
    assert data.attrs["engine"] == "moreau"


@pytest.mark.parametrize("engine", BOTH)
def test_a_machine_without_actuators_falls(tmp_path, engine):
    scenario = tiny(tmp_path, POINT, welded="slope", positions={"z": 3.0}, duration=0.5)
    result = simulate(scenario, engine)
    z = float(result.trajectory.data["q"].sel(position="z")[-1])
    # end-of-step positions fall g t dt / 2 = 2 mm too far
    assert z == pytest.approx(3.0 - 0.5 * 9.81 * 0.25, abs={"moreau": 1e-12}.get(engine, 3e-3))


@pytest.mark.parametrize("engine", BOTH)
def test_restitution_of_a_scenario_reaches_its_engine(tmp_path, engine):
    # Drake has none and ignores it: documented, and seen here
    scenario = tiny(
        tmp_path,
        BALL,
        restitution=0.8,
        duration=0.6,
        pairs=[PairRule("*", friction=0.5)],
        positions={"ball_z": RADIUS + 0.2},
    )
    data = simulate(scenario, engine).trajectory.data
    late = data["q"].sel(position="ball_z").to_numpy()[250:].max() - RADIUS
    assert late == pytest.approx({"moreau": 0.2 * 0.8**2, "drake-sap": 0.0}[engine], abs=0.02)


@pytest.mark.parametrize("engine", ["drake", "closed-form"])
def test_a_state_that_no_machine_has_is_a_failure(engine):
    # at 50 ms the feedback with kd = 100 1/s is far from stable, and every number stays finite
    scenario = load_scenario("biped/climb", ["duration=0.3", "time_step=0.05"])
    trajectory = run_scenario(scenario, "biped/climb", engine).trajectory
    assert trajectory.status is Status.FAILED
    assert "smaller time_step" in _one_line(trajectory.message)


@pytest.mark.slow
def test_claims_are_held_against_the_friction_that_acts():
    # mu = 1 from the file is the report's; another one for the feet alone is not
    same = load_scenario("biped/climb", ["friction=null"])
    assert len(run_scenario(same, "biped/climb").claims) == 2
    rules = "pairs=[{contact: 'biped::foot_*', friction: 0.3}]"
    other = load_scenario("biped/climb", [rules])
    assert not run_scenario(other, "biped/climb").claims


def test_a_study_of_another_machine_is_refused_in_one_line():
    scenario = load_scenario("smoke/Defaults", ["machine=biped"])
    with pytest.raises(
        ScenarioError, match="machine is 'biped', but the model is not that machine"
    ):
        run_scenario(scenario, scenario.name)


@pytest.mark.parametrize("what", [np.linalg.LinAlgError("Singular matrix"), OverflowError("large")])
def test_equations_without_a_solution_end_a_run_in_one_line(what):
    assert str(what) in _one_line(str(_explained(what, 0.5)))
    assert "t = 0.5000 s" in str(_explained(what, 0.5))


def test_a_mistake_of_our_own_is_told_with_its_traceback():
    error = _explained(TypeError("a mistake"), 0.5)
    assert isinstance(error, UnexpectedError)
    assert "a mistake" in _one_line(str(error))


@pytest.mark.parametrize("error", [LinAlgError("Singular matrix"), ZeroDivisionError("by zero")])
def test_equations_that_a_machine_s_own_engine_cannot_solve_are_one_line(monkeypatch, error):
    def fails(_):
        raise error

    machine = replace(get_machine("motor"), engines={"closed-form": fails})
    monkeypatch.setattr("footfall.run.get_machine", lambda _: machine)
    says = rf"engine closed-form cannot go on \({error}\): use a smaller time_step"
    with pytest.raises(RunError, match=says):
        run_scenario(load_scenario("motor/step"), "motor/step", "closed-form")

"""The climb by internal torques: optimal step, return map, controller, and walks in all engines."""

import functools
import itertools

import numpy as np
import pytest
from scipy.integrate import simpson
from tests.scenario.runs import run

from footfall.analysis.context import AnalysisContext
from footfall.analysis.nonlinear_programme import Effort
from footfall.errors import ModelError, RunError, ScenarioError
from footfall.machines.biped.closed_form.model import BipedParameters
from footfall.machines.biped.closed_form.pinned import (
    HIP,
    OTHER_FOOT,
    OTHER_LEG,
    PinnedBiped,
)
from footfall.machines.biped.gait.analysis import (
    OUTPUTS,
    PHASE,
    ConstrainedWalk,
    InternalGait,
    settings_of,
    starting,
)
from footfall.machines.biped.gait.programme import StepDemands, StepProgramme
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall_controllers.energy_shaping import FootPoint
from footfall_controllers.virtual_constraints import (
    Support,
    VirtualConstraints,
    VirtualConstraintsSystem,
)

BIPED = PinnedBiped(BipedParameters())
DEMANDS = StepDemands()


@functools.cache
def walk():
    programme = StepProgramme(BIPED, DEMANDS, 12)
    step, result = programme.solve(programme.guess(np.random.default_rng(3)), Effort("ipopt", 1500))
    assert result.solved
    return ConstrainedWalk(BIPED, step)


# --- the step ------------------------------------------------------------------------------------


def test_a_step_meets_its_demands():
    step = walk().step
    a, w, u = step.angles, step.rates, step.torques
    assert step.length / step.period >= DEMANDS.speed - 1e-6
    along, normal = BIPED.ground_force(a, w, BIPED.acceleration(a, w, u))
    assert normal.min() > DEMANDS.normal_force - 1e-6
    assert (np.abs(along) / normal).max() < DEMANDS.friction + 1e-6
    height = BIPED.place(OTHER_FOOT, a)[1]
    assert height[6] > DEMANDS.clearance
    assert abs(height[-1]) < 1e-6
    hit = BIPED.strike(a[:, -1], w[:, -1])
    assert hit.left[1] > DEMANDS.leaving - 1e-6  # the foot behind leaves: no second impulse
    assert abs(hit.impulse[0] / hit.impulse[1]) < DEMANDS.friction + 1e-6
    legs = list(OTHER_LEG)
    np.testing.assert_allclose(a[legs, -1], a[:, 0], atol=1e-6)
    np.testing.assert_allclose(hit.rates[legs], w[:, 0], atol=1e-5)
    # uphill: the work of the torques is what the hill and the strike take
    lifted = BIPED.mass * 9.81 * step.length * np.sin(np.deg2rad(5.0))
    power = (u * (OUTPUTS @ w)).sum(axis=0)
    work = simpson(power, dx=step.period / (power.size - 1))
    lost = BIPED.energy(a[:, -1], w[:, -1]) - BIPED.energy(a[:, 0], w[:, 0]) - lifted
    assert lost > 0.0
    assert work == pytest.approx(lifted + lost, rel=0.02)  # twelve intervals


def test_starts_and_solvers_lead_to_one_step():
    programme = StepProgramme(BIPED, DEMANDS, 12)
    start = programme.guess(np.random.default_rng(4))
    step, result = programme.solve(start, Effort("snopt", 1500))
    assert result.solved
    assert step.period == pytest.approx(walk().step.period, rel=1e-3)


@pytest.mark.slow
def test_the_return_map_comes_back_and_draws_in():
    start = walk().start()[:, None]
    found = walk().returned(start)
    np.testing.assert_allclose(found, start, atol=2e-3)  # of twelve intervals
    faster = start.copy()
    faster[3:] *= 1.02
    orbit = [faster]
    for _ in range(3):
        orbit.append(walk().returned(orbit[-1]))
    apart = [float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(orbit)]
    # a first step brings the outputs back, after which the speed alone is left
    ratio = apart[2] / apart[1]
    assert 0.3 < ratio < 0.8
    # speeds 2 % away, and twelve intervals
    assert np.abs(walk().multipliers()).max() == pytest.approx(ratio, abs=0.05)


# --- the controller ------------------------------------------------------------------------------


def _system(robot, gait):
    feet = tuple(FootPoint.of_contact(robot.contacts, f"biped::foot_{leg}") for leg in "ab")
    phase = np.array([[0, 0, 1.0, 0.5, 0, 0], [0, 0, 0, 0, 1.0, 0.5]])
    outputs = np.zeros((2, 3, 6))
    outputs[0, 0, 3] = outputs[0, 2, 5] = outputs[1, 0, 5] = outputs[1, 2, 3] = 1.0
    outputs[0, 1, [2, 4]] = -1.0, 1.0
    outputs[1, 1, [2, 4]] = 1.0, -1.0
    supports = tuple(Support(*one) for one in zip(feet, phase, outputs, strict=True))
    torques = np.array([[0, -1.0, 0], [1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
    return VirtualConstraintsSystem(robot.plant, supports, torques, gait, 1e-3)


def test_torques_from_drakes_plant_are_those_of_the_closed_form():
    robot = build_robot(load_scenario("biped/walk_internal"))
    one = walk()
    system = _system(robot, VirtualConstraints([], [], one.phases, one.values, one.slopes))
    rng = np.random.default_rng(2)
    for _ in range(10):
        a = one.step.angles[:, 5] + rng.normal(0.0, 0.05, 4)
        w = one.step.rates[:, 5] + rng.normal(0.0, 0.3, 4)
        x, z = BIPED.place(HIP, a)
        positions, velocities = (np.array([v[1], v[0] - v[1], v[2], v[3] - v[2]]) for v in (a, w))
        state = np.concatenate(([x, z], positions, BIPED.velocity(HIP, a, w), velocities))
        knee, hip, other = one.torques(np.concatenate((a, w)))
        np.testing.assert_allclose(system.torque(state, 0), [-hip, knee, hip, other], atol=1e-8)
        swapped = np.concatenate(
            ([x, z], positions[[2, 3, 0, 1]], state[6:8], velocities[[2, 3, 0, 1]])
        )
        np.testing.assert_allclose(system.torque(swapped, 1), [hip, other, -hip, knee], atol=1e-8)


def test_outputs_are_those_of_the_nodes_and_smooth_between():
    one = walk()
    s = one.phases[4]
    h, slope, _ = one.wanted(s)
    np.testing.assert_allclose(h, OUTPUTS @ one.step.angles[:, 4], atol=1e-14)
    d = 1e-6
    np.testing.assert_allclose(
        (one.wanted(s + d)[0] - one.wanted(s - d)[0]) / (2 * d), slope, atol=1e-6
    )
    assert PHASE @ one.step.angles[:, 4] == s


def test_no_moment_comes_from_outside():
    data = run("biped/walk_internal", "moreau", "duration=2.5").trajectory.data
    torque = data["actuation"].to_numpy()
    assert np.abs(torque[:, 0] + torque[:, 2]).max() == 0.0
    assert np.abs(torque).max() <= 20.0
    # three steps are made on feet that stand
    assert data["q"].to_numpy()[-1, 0] < -1.0


@pytest.mark.parametrize(
    ("settings", "error", "told"),
    [
        ("controller.feet=[]", ScenarioError, "give two feet or more"),
        ("controller.kp=0", ScenarioError, "kp is 0.0: give a positive number"),
        ("controller.taken_over=1.5", ScenarioError, "above 0 and below 1"),
        ("controller.most_torque=-1", ScenarioError, "give a positive torque"),
        ("controller.phases=[0.0, 0.0]", ScenarioError, "each larger than the one before"),
        ("controller.values=[[1.0]]", ScenarioError, "as phases has"),
        ("controller.torques=[{tau2: 1.0}]", ModelError, "as many torques"),
        (
            "controller.torques=[{tau2: 1.0}, {hip: 1.0}, {tau4: 1.0}]",
            ModelError,
            "torques has hip",
        ),
        ("controller.feet.0.phase={theta9: 1.0}", ModelError, "feet.0.phase has theta9"),
        ("controller.feet.0.foot=foot_a", ModelError, "no contact with the ground is 'foot_a'"),
    ],
)
def test_what_is_no_gait_is_refused_in_one_line(settings, error, told):
    with pytest.raises(error, match=told) as refused:
        run("biped/walk_internal", "moreau", "duration=0.01", settings)
    assert "\n" not in str(refused.value)


# --- the analysis --------------------------------------------------------------------------------


def _asked(**changes):
    scenario = load_scenario("biped/gait_internal")
    context = context_of(scenario, build_robot(scenario))
    return InternalGait(**changes).run(context, AnalysisContext())


@pytest.mark.slow
def test_the_search_ends_in_a_gait_that_can_be_run():
    found = _asked(intervals=16, starts=2)
    assert found.metrics["starts_solved"] == 2.0
    assert found.metrics["multipliers"][0] < 0.8
    assert found.metrics["joint_torque"] < 4.0
    assert found.metrics["cost_of_transport"] > np.sin(np.deg2rad(5.0))  # what the hill takes
    scenario = load_scenario("biped/gait_internal", ["analysis=null", *found.scenarios["walk"]])
    assert scenario.controller.phases[0] == pytest.approx(float(found.data["phase"][0]), abs=1e-6)
    assert scenario.initial.positions.keys() == starting(walk())[0].keys()


def test_what_cannot_be_found_is_told_in_one_line():
    with pytest.raises(RunError, match=r"none of 1 starts led to a step of 9 m/s"):
        _asked(speed=9.0, intervals=6, starts=1, iterations=20)
    with pytest.raises(ScenarioError, match=r"analysis\.speed is 0"):
        InternalGait(speed=0.0)
    assert "controller=!VirtualConstraints" in settings_of(walk())[0]


# --- long walks ----------------------------------------------------------------------------------

LONG = [
    ("moreau", 1.0, 20.0),
    ("drake-sap", 1.0, 20.0),
    ("moreau", 0.7, 80.0),  # more than 100 steps
    pytest.param("drake-sap", 0.7, 80.0, marks=pytest.mark.longest),
]


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "friction", "duration"), LONG)
def test_it_climbs_for_long_on_feet_that_hold(engine, friction, duration):
    settings = (f"friction={friction}", f"duration={duration}", "time_step=0.002")
    result = run("biped/walk_internal", engine, *settings)
    assert result.trajectory.status.value == "done"
    progress = -result.metrics["x_final"]
    assert progress > 0.4 * duration
    assert result.metrics["foot_slip"] < 0.05 * progress


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.98, 1.02])
def test_starts_that_are_off_come_back(share):
    initial = load_scenario("biped/walk_internal").initial
    settings = [f"initial.velocities.{name}={share * v}" for name, v in initial.velocities.items()]
    settings += [f"initial.positions.{name}={share * v}" for name, v in initial.positions.items()]
    result = run("biped/walk_internal", "moreau", "time_step=0.002", *settings)
    assert -result.metrics["x_final"] > 9.5

"""Whole-body control: what a tick sends obeys the laws of motion, the ground and the motors."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydrake.multibody.tree import JacobianWrtVariable

from footfall.errors import FootfallError
from footfall.plants.flat import motion
from footfall.plants.flat.checked import links_of
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.trajectory.events import CONTROL
from footfall_controllers.whole_body import solver
from footfall_controllers.whole_body.limits import JointLimits, stops_of, viable_bounds
from footfall_controllers.whole_body.motion_kernels import motion_rows
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.rows import TaskRows
from footfall_controllers.whole_body.solver import Outcome
from footfall_controllers.whole_body.tasks import Reference, Targets
from footfall_controllers.whole_body.terms import RobotTerms

SCENE, WALKER = "scenes/balance", "humanoid/stand"
G = 9.81


@cache
def standing(name=SCENE, *settings):
    """Robot of a scene, the controller's description, and the system."""
    scenario = load_scenario(name, settings)
    robot = build_robot(scenario)
    return robot, scenario.controller, scenario.controller.system(robot.plant)


def moving(robot, seed, speed=0.3):
    """State near the start: velocities of any direction, the trunk a little off."""
    rng, state = np.random.default_rng(seed), robot.initial_state.copy()
    nq, nv = robot.plant.num_positions(), robot.plant.num_velocities()
    state[1:4] += 0.05 * rng.normal(size=3)
    state[:4] /= np.linalg.norm(state[:4])
    state[7:nq] += 0.05 * rng.normal(size=nq - 7)
    state[nq:] = speed * rng.normal(size=nv)
    return state


def rows_at(rows, terms, targets):
    """Rows J v' = wanted and errors of tasks at the state of terms."""
    rows.ask(targets)
    count = len(rows.task_of)
    found = np.empty((count, len(terms.h))), np.empty(count), np.empty(len(rows.names))
    motion_rows(rows.table, rows.asked, terms.stack(), terms.whole, terms.q, terms.v, *found)
    return found


def forces_of(name, tick):
    """Forces of the ground by corner (n, 3) [N] out of a tick's multipliers, edge by edge."""
    robot, law, _ = standing(name)
    side = law.friction / np.sqrt(2.0)
    edges = np.array([[a * side, b * side, 1.0] for a in (1, -1) for b in (1, -1)])
    return tick.x[robot.plant.num_actuators() :].reshape(-1, 4) @ edges


def corner_jacobians(robot, law, context):
    """Jacobians of the corners, asked of the plant point by point: (n, 3, nv)."""
    plant = robot.plant
    world, kind = plant.world_frame(), JacobianWrtVariable.kV
    return np.vstack(
        [
            plant.CalcJacobianTranslationalVelocity(
                context, kind, plant.GetFrameByName(contact.link), np.array(p), world, world
            )
            for contact in law.contacts
            for p in contact.corners
        ]
    )


@pytest.mark.parametrize("name", [SCENE, WALKER])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_torques_forces_and_accelerations_obey_the_equations_of_motion(name, seed):
    robot, law, system = standing(name)
    plant, state = robot.plant, moving(robot, seed)
    tick = system.solve(state, Targets())
    assert tick.outcome is Outcome.SOLVED
    context = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, state)
    force = forces_of(name, tick)
    damping = np.zeros(plant.num_velocities())
    for joint in map(plant.get_joint, plant.GetJointIndices()):
        start = joint.velocity_start()
        damping[start : start + joint.num_velocities()] = joint.default_damping_vector()
    given_by = plant.MakeActuationMatrix() @ tick.torques
    given_by += corner_jacobians(robot, law, context).T @ force.ravel()
    given_by += plant.CalcGravityGeneralizedForces(context) - plant.CalcBiasTerm(context)
    given_by -= damping * plant.GetVelocities(context)
    wanted = plant.CalcMassMatrix(context) @ tick.programme.accelerations(tick.x)
    # rounding of sums of some hundred newton
    assert np.abs(wanted - given_by).max() < 1e-9
    # the cone itself, of which the programme knows a pyramid; an interior point is inside by 1e-7
    assert (np.hypot(force[:, 0], force[:, 1]) <= law.friction * force[:, 2] + 1e-5).all()
    assert (force[:, 2] >= -1e-5).all()


@pytest.mark.parametrize("name", [SCENE, WALKER])
def test_in_its_posture_the_robot_is_in_balance(name):
    robot, _, system = standing(name)
    plant = robot.plant
    tick = system.solve(robot.initial_state, Targets())
    total = forces_of(name, tick).sum(axis=0)
    weight = plant.CalcTotalMass(plant.CreateDefaultContext()) * G
    # small prices of forces pull at the weight by about 1e-5 of it
    assert total == pytest.approx([0.0, 0.0, weight], abs=1e-3 * weight)
    assert np.abs(tick.programme.accelerations(tick.x)).max() < 0.05


@pytest.mark.parametrize("seed", [1, 2])
def test_terms_are_those_of_the_plant(seed):
    robot, _, system = standing()
    plant, state = robot.plant, moving(robot, seed, speed=2.0)
    terms = system.terms
    terms.set_state(state)
    context, world, kind = terms.context, plant.world_frame(), JacobianWrtVariable.kV
    bias = plant.CalcBiasCenterOfMassTranslationalAcceleration(context, kind, world, world)
    momentum = plant.CalcSpatialMomentumInWorldAboutPoint(context, terms.p_com).rotational()
    for ours, theirs in (
        (terms.p_com, plant.CalcCenterOfMassPositionInWorld(context)),
        (terms.v_com, plant.CalcCenterOfMassTranslationalVelocityInWorld(context)),
        (terms.bias_com, bias.ravel()),
        (terms.momentum, momentum),
    ):
        assert ours == pytest.approx(theirs, abs=1e-12)  # sums of numbers of order 10
    # L' = A v' + bias, against a difference over 2 us; its error goes with the square of that
    force = np.random.default_rng(seed).normal(size=plant.num_velocities())
    h, v = 1e-6, state[plant.num_positions() :]
    ahead = []
    for sign in (1.0, -1.0):
        q = state[: plant.num_positions()] + sign * h * plant.MapVelocityToQDot(context, v)
        ahead.append(np.concatenate([q, v + sign * h * force]))
    slopes = []
    for there in ahead:
        terms.set_state(there)
        slopes.append(terms.momentum)
    terms.set_state(state)
    expected = (slopes[0] - slopes[1]) / (2.0 * h)
    assert terms.A_L @ force + terms.bias_L == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow  # it compiles the tick for rows of another layout
@pytest.mark.parametrize("name", [SCENE, WALKER])
def test_a_tick_by_flat_arrays_is_that_by_drakes_rows(name, monkeypatch):
    robot, law, flat = standing(name)
    known = links_of(robot.plant)._replace(holds_forces=False)
    monkeypatch.setattr(motion, "links_of", lambda _: known)
    asking = law.system(robot.plant)
    for seed in (1, 2):
        state = moving(robot, seed)
        one, other = (system.solve(state, Targets()) for system in (flat, asking))
        here, there = flat.terms, asking.terms
        rows = [(here.M, there.M), (here.h, there.h), *zip(here.whole, there.whole, strict=True)]
        for ours, drakes in (*rows, *zip(here.stack(), there.stack(), strict=True)):
            # rounding of sums of numbers of order 100 and less
            np.testing.assert_allclose(ours, drakes, rtol=1e-12, atol=1e-12)
        # the dearest price is 1e8 times the cheapest, by which rounding grows
        np.testing.assert_allclose(one.torques, other.torques, rtol=0.0, atol=1e-6)


def test_terms_that_have_moved_are_those_of_new_ones():
    robot, _, system = standing()
    terms = RobotTerms(robot.plant, system.terms.number)
    names = ("M", "h", "gravity", "R_trunk", "p_com", "v_com", "bias_com", "A_L", "bias_L")
    state = moving(robot, 1)
    for seed in (1, 2, 1):
        state[:] = moving(robot, seed)  # in the place of the one before
        terms.set_state(state)
        new = RobotTerms(robot.plant, terms.number)
        new.set_state(state)
        assert all(np.array_equal(getattr(terms, name), getattr(new, name)) for name in names)
        assert all(map(np.array_equal, terms.stack(), new.stack()))


def test_an_open_contact_bears_nothing_and_one_that_closes_a_part():
    robot, _, system = standing()
    for share, most in ((0.0, 2e-3), (0.05, 0.05 * 3.0 * 15.1 * G)):
        tick = system.solve(robot.initial_state, Targets(contacts={"FL_foot": share}))
        first = forces_of(SCENE, tick)[0, 2]
        assert first <= 4.0 * most  # each of four edges has the bound
        assert tick.outcome is Outcome.SOLVED
    # the size is the same, whatever is closed
    assert len(tick.x) == len(system.solve(robot.initial_state, Targets()).x)


def test_torques_stay_within_limits_that_bind():
    robot, _, system = standing(SCENE, 'controller.torque_limits={"*": 6.0}')
    pushed = robot.initial_state.copy()
    pushed[robot.plant.num_positions() + 4] = 0.5  # the trunk goes to the left
    tick = system.solve(pushed, Targets())
    free = standing()[2].solve(pushed, Targets())
    assert np.abs(free.torques).max() > 6.0
    assert tick.outcome is Outcome.SOLVED
    # what comes out is cut to them; what was solved for is within by itself
    assert np.abs(tick.programme.T @ tick.x + tick.programme.t).max() <= 6.0 + 1e-5


def conflict_of(system, tick):
    """Names of what contradicted each other in a tick."""
    flags = system.inspection.conflict(tick.told)
    return {name for name, flag in zip(system.inspection.constraints, flags, strict=True) if flag}


def test_a_stop_that_no_torque_can_keep_is_named_and_torques_stay_bounded():
    robot, _, system = standing(SCENE, 'controller.torque_limits={"*": 0.01}')
    plant, state = robot.plant, robot.initial_state.copy()
    knee = plant.GetJointByName("FL_knee")
    state[knee.position_start()] = knee.position_upper_limits()[0] - 0.03
    state[plant.num_positions() + knee.velocity_start()] = 5.0  # rad/s, towards the stop
    jump = Targets(contacts={contact.link: 0.0 for contact in standing()[1].contacts})
    tick = system.solve(state, jump)
    assert tick.outcome is Outcome.WITHOUT_JOINT_LIMITS
    # others take part, as what could move the trunk against the knee
    assert {"joint limit of FL_knee", "torque limit of FL_knee"} <= conflict_of(system, tick)
    # only the stop gave way: all torques are within their limits as they were solved
    assert np.abs(tick.programme.T @ tick.x + tick.programme.t).max() <= 0.01 + 1e-7
    # once the torque is allowed for, there is no conflict
    free = standing()[2].solve(state, jump)
    assert free.outcome is Outcome.SOLVED
    assert not conflict_of(standing()[2], free)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        # 8 m/s^2 sideways, where friction gives 0.5 g
        (["controller.tasks.com.feedforward=[0, 8.0, 0]"], "friction cone of "),
        # up with 3 g more, where contacts bear a weight each at most
        (
            [
                "controller.tasks.com.feedforward=[0, 0, 40.0]",
                *(f"controller.contacts.{k}.largest_force=150.0" for k in range(4)),
            ],
            "load limit of ",
        ),
    ],
)
def test_what_the_ground_cannot_give_to_a_hard_task_is_named(settings, named):
    robot, _, system = standing(SCENE, "controller.tasks.com.hard=true", *settings)
    tick = system.solve(robot.initial_state, Targets())
    assert tick.outcome is Outcome.WITHOUT_HARD_TASKS
    names = conflict_of(system, tick)
    feet = {name.removeprefix(named) for name in names if name.startswith(named)}
    assert feet == {"FL_foot", "FR_foot", "RL_foot", "RR_foot"}
    assert any(name.startswith("task com along ") for name in names)
    assert np.isfinite(tick.torques).all()


def test_a_hard_task_is_given_exactly_and_a_soft_one_is_not():
    asked = "controller.tasks.com.feedforward=[0, 1.0, 0]"
    found = {}
    for hard in ("true", "false"):
        # a soft one pays for the trunk's tilt
        given = [asked, f"controller.tasks.com.hard={hard}", "controller.tasks.com.weight=0.1"]
        robot, _, system = standing(SCENE, *given)
        tick = system.solve(robot.initial_state, Targets())
        assert tick.outcome is Outcome.SOLVED
        context = robot.plant.CreateDefaultContext()
        robot.plant.SetPositionsAndVelocities(context, robot.initial_state)
        J = robot.plant.CalcJacobianCenterOfMassTranslationalVelocity(
            context,
            JacobianWrtVariable.kV,
            robot.plant.world_frame(),
            robot.plant.world_frame(),
        )
        # at rest J' v is zero
        found[hard] = J @ tick.programme.accelerations(tick.x)
    assert found["true"] == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)
    assert abs(found["false"][1] - 1.0) > 1e-4


def test_without_a_solution_torques_are_finite_and_within_limits():
    robot, _, system = standing()
    programme = system.solve(robot.initial_state, Targets()).programme
    assert system.solver.solve(programme).outcome is Outcome.SOLVED
    upside_down = programme._replace(P=-programme.P)
    hopeless = programme._replace(c=np.full_like(programme.c, np.nan))
    for wrong in (upside_down, hopeless):
        found = system.solver.solve(wrong)
        assert found.outcome is Outcome.FALLBACK
        assert np.isfinite(found.x).all()
    crossed = programme._replace(
        low=np.where(np.isfinite(programme.high), programme.high + 1.0, programme.low)
    )
    found = system.solver.solve(crossed)
    assert found.outcome is Outcome.WITHOUT_JOINT_LIMITS
    assert np.isfinite(found.x).all()


@pytest.mark.parametrize(
    "settings", [('controller.torque_limits={"*": 6.0}',), ("controller.tasks.com.hard=true",)]
)
def test_interior_points_find_what_the_active_set_method_finds(settings, monkeypatch):
    robot, _, system = standing(SCENE, *settings)
    state = moving(robot, 7, speed=0.1)
    exact = system.solve(state, Targets())
    monkeypatch.setattr(system.solver, "cap", 0)  # iterations of the active-set method
    near = system.solve(state, Targets())
    assert exact.outcome is near.outcome is Outcome.SOLVED
    p = exact.programme
    costs = [0.5 * x @ p.P @ x + p.c @ x for x in (exact.x, near.x)]
    # interior points stop at a duality gap of 1e-7
    assert costs[0] == pytest.approx(costs[1], rel=1e-7)
    assert costs[0] <= costs[1] + 1e-6


def test_interior_points_that_end_too_early_are_not_believed(monkeypatch):
    robot, _, system = standing(SCENE, 'controller.torque_limits={"*": 6.0}')
    state = moving(robot, 7, speed=0.1)
    monkeypatch.setattr(system.solver, "cap", 0)  # iterations of the active-set method
    monkeypatch.setattr(solver, "_ITERATIONS", 4)
    assert system.solve(state, Targets()).outcome is Outcome.FALLBACK


def test_a_state_that_is_no_number_gets_the_torques_of_before_and_the_run_says_so(tmp_path):
    file = tmp_path / "loses.py"
    file.write_text(
        "import numpy as np\n"
        "from pydrake.systems.framework import LeafSystem\n"
        "class Loses(LeafSystem):\n"
        "    def __init__(self, plant):\n"
        "        super().__init__()\n"
        "        n = plant.num_multibody_states()\n"
        "        self.seen = self.DeclareVectorInputPort('state', n)\n"
        "        self.DeclareVectorOutputPort('state', n, self.calc)\n"
        "    def calc(self, context, output):\n"
        "        lost = 0.052 < context.get_time() < 0.068\n"
        "        output.SetFromVector(self.seen.Eval(context) * (np.nan if lost else 1.0))\n"
    )
    own = f"estimator=!Python {{file: {file}, name: Loses}}"
    result = run_scenario(load_scenario(SCENE, [own, "duration=0.1"]), SCENE)
    run = result.trajectory
    assert run.status.value == "done"
    assert result.metrics["unsolved_ticks"] == 3
    told = [event for event in run.events if event.kind == CONTROL]
    assert len(told) == 1
    assert told[0].time == pytest.approx(0.055)
    assert "in 3 of " in told[0].what
    assert "'a state that is a number' could not be kept: a fallback was sent" in told[0].what
    held = run.data["actuation"].sel(time=slice(0.0505, 0.0695)).to_numpy()
    assert np.isfinite(run.data["actuation"].to_numpy()).all()
    assert (held == held[0]).all()  # torques of the tick at 0.05 s, which are not zero
    assert np.abs(held[0]).max() > 1.0


def test_a_run_names_the_limits_that_it_could_not_keep():
    scenario = load_scenario(SCENE, ['controller.torque_limits={"*": 0.01}', "duration=0.4"])
    run = run_scenario(scenario, SCENE).trajectory
    told = [event.what for event in run.events if event.kind == CONTROL]
    assert any("torque limit of " in what and "joint limit of " in what for what in told)
    assert all("joint limits gave way" in what for what in told)
    assert np.abs(run.data["actuation"].to_numpy()).max() <= 0.01
    fine = run_scenario(load_scenario(SCENE, ["duration=0.05"]), SCENE).trajectory
    assert not [event for event in fine.events if event.kind == CONTROL]


@settings(max_examples=10, deadline=None)
@given(place=st.floats(0.0, 1.0), speed=st.floats(-1.0, 1.0))
def test_a_joint_pressed_against_its_stop_never_passes_it(place, speed):
    robot, _, system = standing()
    plant, limits = robot.plant, JointLimits(margin=0.0, braking=100.0, horizon=0.02)
    stops, bounds = stops_of(plant, limits), np.empty((2, plant.num_velocities()))
    joint = plant.GetJointByName("FL_knee")
    k, j = joint.position_start(), joint.velocity_start()
    lower, upper = joint.position_lower_limits()[0], joint.position_upper_limits()[0]
    q, v = robot.initial_state[: plant.num_positions()].copy(), np.zeros(plant.num_velocities())
    q[k] = lower + place * (upper - lower)
    gap = min(q[k] - lower, upper - q[k])
    lag = limits.braking * limits.horizon
    v[j] = speed * (np.sqrt(lag**2 + 2.0 * limits.braking * gap) - lag)  # that brakes can stop
    assert len(system.terms.driven) == plant.num_actuators()
    for press in (1, 0):
        qs, vs = q.copy(), v.copy()
        for _ in range(200):
            viable_bounds(stops, qs, vs, *bounds)
            a = np.clip((1e3, -1e3)[press], *bounds[:, j])
            vs[j] += 1e-3 * a
            qs[k] += 1e-3 * vs[j]
            # a velocity lags behind its bound: a tenth of the margin that is kept by default
            assert lower - 2e-3 <= qs[k] <= upper + 2e-3


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("controller.tasks.trunk.link=trunc", "trunc"),
        ("controller.contacts=[]", "controller.contacts is empty"),
        ("controller.contacts.0.corners=[[0, 0]]", "x, y, z"),
        ("controller.tasks.com.axes=xw", "some of x, y and z"),
        ("controller.tasks.com.kp=-1", "not negative"),
        ("controller.tasks.posture.positions={elbow: 1.0}", "no joint 'elbow'"),
        ("controller.torque_limits={elbow: 1.0}", "no driven joint 'elbow'"),
        ("controller.weights.force=0", "weights.force"),
        ("controller.joint_limits.braking=0", "joint_limits.braking"),
        ("controller.period=0.0015", "whole number of time steps"),
        ("controller.normal=[0, 0]", "give a direction"),
    ],
)
def test_nonsense_is_refused_in_one_line(setting, says):
    with pytest.raises(FootfallError, match=says) as refused:
        run_scenario(load_scenario(SCENE, [setting, "duration=0.01"]), SCENE)
    assert "\n" not in str(refused.value)


def _pushed(name, engine, duration):
    scenario = load_scenario(name, [f"duration={duration}"])
    return run_scenario(scenario, name, engine).trajectory


@pytest.mark.parametrize("engine", ["moreau", pytest.param("drake-sap", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "tilt"), [(SCENE, 4.0), pytest.param(WALKER, 1.0, marks=pytest.mark.slow)]
)
def test_a_robot_that_is_pushed_keeps_its_feet_and_comes_back(name, engine, tilt):
    run = _pushed(name, engine, 1.6 if name == SCENE else 4.0)
    assert run.status.value == "done", run.message
    data = run.data
    w = 1.0 - 2.0 * (data["q"][:, 1] ** 2 + data["q"][:, 2] ** 2)
    assert np.degrees(np.arccos(np.clip(w, -1.0, 1.0))).max() < tilt
    com = data["com"].values
    assert np.abs(com[:, :2] - com[0, :2]).max() > 0.01  # it was pushed
    assert np.abs(com[-1] - com[0]).max() < 2e-3
    # Drake's soft ground creeps; a foot that the push nearly lifts rubs a little
    assert data["foot_slip"].values[-1].max() < 1e-3


@pytest.mark.parametrize("seed", [1, 2])
def test_a_predicted_place_costs_what_the_performance_measure_says(seed):
    robot, _, system = standing()
    plant, terms = robot.plant, system.terms
    state = moving(robot, seed)
    rng, nq = np.random.default_rng(seed), plant.num_positions()
    task = PredictedPlace(link="FL_foot", at=[0.0, 0.02, -0.01], horizon=0.05, h=0.7, r=0.3)
    rows = TaskRows({"foot": task}, terms)
    reference = Reference(rng.normal(size=3), rng.normal(size=3), rng.normal(size=3))
    rows.hold(robot.initial_state[:nq])
    terms.set_state(state)
    J, wanted, _ = rows_at(rows, terms, Targets({"foot": reference}))
    # (3.136) itself, of the place (3.138) and the velocity (3.137) at the end of the horizon
    dt, q, v = task.horizon, state[:nq], state[nq:]
    context, world, kind = plant.CreateDefaultContext(), plant.world_frame(), JacobianWrtVariable.kV
    plant.SetPositions(context, q)
    frame = plant.GetFrameByName(task.link)
    place = plant.CalcPointsPositions(context, frame, np.array(task.at), world).ravel()

    def jacobian():
        return plant.CalcJacobianTranslationalVelocity(
            context, kind, frame, np.array(task.at), world, world
        )

    rate = jacobian() @ v
    plant.SetPositions(context, q + dt * plant.MapVelocityToQDot(context, v))
    J_p = jacobian()
    goal = reference.value + dt * reference.rate + 0.5 * dt**2 * reference.acceleration
    speed = reference.rate + dt * reference.acceleration

    def measure(a):
        then = J_p @ (v + dt * a)
        e_p, e_v = place + 0.5 * dt * (rate + then) - goal, then - speed
        return task.h * e_p @ e_p + dt**2 * task.r * e_v @ e_v

    one, other = 10.0 * rng.normal(size=(2, len(v)))
    ours = [np.sum((J @ a - wanted) ** 2) for a in (one, other)]
    # but for what no acceleration changes
    assert ours[0] - ours[1] == pytest.approx((measure(one) - measure(other)) / dt**4, rel=1e-9)

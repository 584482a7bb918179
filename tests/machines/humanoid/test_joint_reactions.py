"""Reactions in the humanoid's joints, against a recursion of its own, statics and other engines."""

import functools

import numpy as np
import pytest
from tests.machines.humanoid.recursion import joint_wrenches, links, needed
from tests.machines.humanoid.test_dynamics_agree import drake, level
from tests.machines.humanoid.test_walks import ENGINES, walk
from tests.machines.humanoid.walkers import DOUBLE, PHASES, context, walker

from footfall.machines.humanoid.closed_form.phases import JOINTS, GaitPhase, moving_joints
from footfall.machines.humanoid.closed_form.walker import CUT, Ground, accelerations
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.record import HeldBodies
from footfall.reactions import joint_reactions
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario

GRAVITY = 9.81


@functools.cache
def held_bodies():
    return HeldBodies(context().model.plant, drake()[1])


def recorded(w, solution):
    """Reactions that the record makes of state and solution (24,): (12, 6) as in a trajectory."""
    plant = context().model.plant
    own = plant.CreateDefaultContext()
    state = Coordinates(plant, w.p).state(w.ground, w.angle, w.rate)
    plant.SetPositionsAndVelocities(own, state)
    found = held_bodies().reactions([held_bodies().motion(own, w.ground, solution)])
    carried = found["joint_reaction"].isel(time=0).sel(joint=list(JOINTS)).to_numpy()
    return carried, float(found["reaction_unexplained"][0])


def in_world(carried, moving):
    """Turn what children of hinges carry (12, [m; f]) into [F; M] in the earth frame."""
    R = np.array([moving[1 + 6 * (k % 2) + k // 2].R for k in range(12)])
    turned = (R @ carried.reshape(12, 2, 3).swapaxes(1, 2)).swapaxes(1, 2)
    return turned[:, ::-1].reshape(12, 6)


def close(value, expected, relative):
    return np.abs(value - expected).max() <= relative * np.abs(expected).max()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("phase", PHASES)
def test_the_chain_of_bodies_needs_what_the_joints_carry(phase, seed):
    w = walker(phase, seed, toe_share=0.001)
    found = accelerations(w.p, w.ground, w.angle, w.rate, w.torque, CUT)
    moving = links(w.p, w.ground, w.angle, w.rate, found.angles)
    through, _ = joint_wrenches(w.p, w.ground, moving, found.wrench[1])
    carried, unexplained = recorded(w, np.append(found.angles, found.wrench))
    # as the accelerations, some 1e-11 of the largest moment
    assert close(in_world(carried, moving), through, 1e-10)
    assert unexplained < 1e-10 * np.abs(through).max()


@pytest.mark.parametrize("phase", DOUBLE)
def test_without_rank_the_joints_carry_what_their_bodies_need(phase):
    w = level(phase, seed=1)
    found = accelerations(w.p, w.ground, w.angle, w.rate, w.torque, CUT)
    moving = links(w.p, w.ground, w.angle, w.rate, found.angles)
    through, _ = joint_wrenches(w.p, w.ground, moving, found.wrench[1])
    carried, unexplained = recorded(w, np.append(found.angles, found.wrench))
    assert close(in_world(carried, moving), through, 1e-10)
    assert unexplained < 1e-10 * np.abs(through).max()


@pytest.mark.parametrize("engine", ENGINES)
def test_every_row_of_a_walk_balances_all_its_bodies(engine):
    data = walk("opc", 1.0, engine=engine)
    p = drake()[1]
    time, phase = data["time"].to_numpy(), data["gait_phase"].to_numpy()
    names = list(JOINTS)
    angle = data["q"].sel(position=names).to_numpy()
    rate = data["v"].sel(velocity=names).to_numpy()
    torque = data["actuation"].sel(actuator=names).to_numpy()
    carried = data["joint_reaction"].sel(joint=names).to_numpy()
    wrench, place = (
        np.nan_to_num(data[name].to_numpy()) for name in ("reaction", "reaction_place")
    )
    within = np.flatnonzero(phase[1:] == phase[:-1])
    assert set(phase[within]) == {0, 1, 2, 3}
    for k in within[::3]:
        ground = Ground(int(phase[k]), *place[k])
        # Euler's step tells the accelerations of its start
        second = (rate[k + 1] - rate[k]) / (time[k + 1] - time[k])
        moving = links(p, ground, angle[k], rate[k], second)
        through, _ = joint_wrenches(p, ground, moving, wrench[k, 1])
        on_children = in_world(carried[k], moving)
        # a loop that the closed form follows from either end is open by some micrometres, at some
        # hundred newtons; of it recursion leaves the difference to the flat foot. Else rounding
        slack = 1e-8 if engine == "hybrid" or phase[k] % 2 else 0.05
        assert on_children == pytest.approx(through, abs=slack)
        behind = np.arange(12) % 2 != ground.phase // 2
        assert close(on_children[behind], through[behind], 1e-9)
        # the hips hold the trunk
        hips = [_about_origin(-on_children[side], moving[1 + 6 * side].o) for side in (0, 1)]
        assert sum(hips) == pytest.approx(needed(p, moving)[0], abs=slack)
        # reactions give no power in a hinge that moves: its axis carries the motor's torque alone
        for j in moving_joints(GaitPhase(int(phase[k]))):
            axis = 0 if "roll" in JOINTS[j] else 1
            assert carried[k, j, axis] == pytest.approx(torque[k, j], abs=slack)


def _about_origin(wrench, place):
    return np.append(wrench[:3], wrench[3:] + np.cross(place, wrench[:3]))


@pytest.mark.slow
def test_on_a_foot_that_the_moreau_engine_holds_joints_carry_the_same():
    name, step, names = "humanoid/held_foot", 0.001, list(JOINTS)
    scenario = load_scenario(name, ["duration=0.01"])
    trajectory = run_scenario(scenario, name).trajectory
    found = joint_reactions(trajectory, build_robot(scenario))
    # the engine knows the weld where it looks for the mean velocity: rounding of v over dt
    assert float(found["unexplained"].max()) < 1e-8
    carried = found.sel(joint=[f"humanoid::{name}" for name in names]).to_numpy()
    angle = trajectory.data["q"].sel(position=names).to_numpy()
    rate = trajectory.data["v"].sel(velocity=names).to_numpy()
    torque = trajectory.data["actuation"].sel(actuator=names).to_numpy()
    p = drake()[1]
    ground = Ground(1, np.array([0.02, 0.1528, p.a10]), np.zeros(3))
    for k in range(1, len(angle)):
        middle, before = angle[k - 1] + 0.5 * step * rate[k - 1], rate[k - 1]
        second = accelerations(p, ground, middle, before, torque[k - 1], CUT).angles
        moving = links(p, ground, middle, before, second)
        through, _ = joint_wrenches(p, ground, moving, np.zeros(6))
        # of the first order in the step, of some 800 N: the weld holds velocities at its end, and
        # Coriolis forces are those of its mean velocity
        assert in_world(carried[k], moving) == pytest.approx(through, abs=0.02)


def test_a_recorded_row_in_so_many_is_that_row():
    scenario = load_scenario("humanoid/opc", ["duration=0.05"])
    trajectory, robot = run_scenario(scenario, "humanoid/opc").trajectory, build_robot(scenario)
    whole, few = (joint_reactions(trajectory, robot, every=every) for every in (1, 2))
    assert whole["joint"].to_numpy()[0] == "humanoid::left_hip_roll"
    np.testing.assert_array_equal(few, whole[::2])
    np.testing.assert_array_equal(whole, trajectory.data["joint_reaction"])
    assert few["unexplained"].sizes == {"time": 3}

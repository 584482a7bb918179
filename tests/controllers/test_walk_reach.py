"""Reach of a walk's posture, against a pendulum in closed form and inverse kinematics."""

import re
from functools import cache

import numpy as np
import pytest
from scipy.optimize import least_squares

from footfall.feet.gait import slip_of_steps
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.trajectory.events import TOO_FAST

WALK = "humanoid/walk"
GRAVITY = 9.81


@cache
def started(name, *changes):
    """Controller, model, and positions at the start, of a scenario."""
    scenario = load_scenario(name, changes)
    robot = build_robot(scenario)
    return (
        scenario.controller,
        robot.model,
        robot.initial_state[: robot.plant.num_positions()],
    )


def warning(name, *changes):
    controller, model, q = started(name, *changes)
    return controller.start_warning(model, q)


def at(speed):
    return f"controller.walk.velocity=[{speed}, 0.0]"


def reach(name, *changes):
    controller, model, q = started(name, *changes)
    return controller._reach(model, controller._walking(controller.walk, model)), q


def lacking(speed, swing, overlap):
    """Largest miss [m] of inverse kinematics while the foot behind leaves the ground.

    The centre of mass is over a zero-moment point that rests on a foot for a swing and goes on
    evenly for an overlap. Ahead of that foot it is odd about the middle of the swing, aside even,
    and both are odd about the middle of the overlap: hyperbolic sines and cosines meet smoothly.
    """
    controller, model, q = started(WALK)
    plant = model.plant
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    height = plant.CalcCenterOfMassPositionInWorld(context)[2]
    w, stride, width = np.sqrt(GRAVITY / height), speed * (swing + overlap), 0.2
    on, over = 0.5 * w * swing, 0.5 * w * overlap
    ahead = stride / overlap / w / (np.cosh(on) + np.sinh(on) / np.tanh(over))
    aside = width / overlap / w / (np.sinh(on) + np.cosh(on) / np.tanh(over))
    feet = [plant.GetBodyByName(f"{side}_foot") for side in ("right", "left")]
    corners = np.array(controller.contacts[0].corners)
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))

    def sole(foot):
        return foot.EvalPoseInWorld(context).multiply(middle)

    ground, legs, worst = sole(feet[0])[2], np.r_[4:7, 7:13, 14:20], 0.0
    for time in (0.0, 0.03, 0.06):  # since the foot has left
        share, rise = time / (0.95 * swing), time / (0.4 * swing)
        moved, lifted = (x**3 * (10.0 + x * (6.0 * x - 15.0)) for x in (share, rise))
        x, y = -ahead * np.sinh(on - w * time), aside * np.cosh(on - w * time)
        stand = np.array([0.0, -0.5 * width, ground])
        behind = [2.0 * stride * moved - stride, 0.5 * width, ground + 0.05 * lifted]
        com = [x, y - 0.5 * width, height]

        def off(values, com=com, stand=stand, behind=behind):
            posture = q.copy()
            posture[legs] = values
            plant.SetPositions(context, posture)
            turns = [foot.EvalPoseInWorld(context).rotation().matrix() for foot in feet]
            return np.concatenate(
                [
                    plant.CalcCenterOfMassPositionInWorld(context) - com,
                    sole(feet[0]) - stand,
                    sole(feet[1]) - behind,
                    *([R[2, 1], R[0, 2], R[1, 0]] for R in turns),
                ]
            )

        found = least_squares(off, q[legs], x_scale=0.1)
        worst = max(worst, float(np.abs(found.fun).max()))
    return worst


@pytest.mark.parametrize(
    ("swing", "overlap", "speed", "met"),
    [
        (0.6, 0.15, 0.4, True),
        (0.6, 0.15, 0.43, False),
        (0.45, 0.1, 0.54, True),
        (0.45, 0.1, 0.62, False),
    ],
)
def test_a_speed_is_reached_as_long_as_inverse_kinematics_has_a_solution(
    swing, overlap, speed, met
):
    times = f"controller.walk.swing={swing}", f"controller.walk.overlap={overlap}"
    posture, q = reach(WALK, at(speed), *times, 'controller.torque_limits={"*": 1e4}')
    assert posture.demand(q).is_met is met
    assert (lacking(speed, swing, overlap) < 1e-4) is met


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        *((f"humanoid/{name}", ()) for name in ("walk", "walk_fast", "walk_opc", "turn")),
        ("humanoid/walk_heel_toe", ()),
        ("humanoid/walk_heel_toe", ("controller.walk.roll=null",)),
        pytest.param("humanoid/slope", (), marks=pytest.mark.slow),
        pytest.param("humanoid/stairs", (), marks=pytest.mark.slow),
        ("scenes/trot", ()),
        # what was measured to walk, 0.41 and 0.78 m/s too
        (WALK, (at(0.4),)),
        ("humanoid/walk_fast", (at(0.78),)),
        pytest.param(WALK, (at(0.6), "controller.walk.com_height=auto"), marks=pytest.mark.slow),
        ("humanoid/stand", ()),
        (WALK, ("controller.walk.steps=0",)),
    ],
)
def test_nobody_is_warned_of_a_walk_that_walks(name, changes):
    assert warning(name, *changes) is None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            (at(0.45),),
            r"0.45 m/s, and its posture reaches 0.(39|4\d) m/s \(the leg .* is too short, by \d mm",
        ),
        (
            (at(0.3), 'controller.torque_limits={"*_knee": 15.0}'),
            "it cannot even step in place .*_knee would need .* times its largest torque",
        ),
    ],
)
def test_a_walk_that_falls_is_told_beforehand_in_one_line(changes, says):
    told = warning(WALK, *changes)
    assert told is not None
    assert re.search(says, told), told
    assert "\n" not in told


@pytest.mark.parametrize(("name", "speed"), [(WALK, 0.42), ("humanoid/walk_fast", 0.9)])
def test_what_was_measured_to_fall_is_not_met(name, speed):
    posture, q = reach(name, at(speed))
    assert not posture.demand(q).is_met


def standing_height(q):
    plant = started(WALK)[1].plant
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    return plant.CalcCenterOfMassPositionInWorld(context)[2]


def test_a_walk_is_lowered_by_what_its_legs_lack():
    posture, q = reach(WALK, at(0.45))
    stood = standing_height(q)
    height = posture.height(q)
    assert 0.9 * stood < height < stood
    assert not posture.demand(q).is_met
    assert posture.demand(q, height).is_met


@pytest.mark.slow
@pytest.mark.parametrize(
    ("speed", "engine"), [(0.2, "moreau"), (0.45, "drake-sap"), (0.6, "moreau"), (0.6, "drake-sap")]
)
def test_one_scenario_walks_slow_and_fast_when_it_lowers_itself(speed, engine):
    changes = at(speed), "controller.walk.com_height=auto", "controller.walk.steps=8"
    scenario = load_scenario(WALK, [*changes, "duration=8.0", "record_every=5"])
    run = run_scenario(scenario, WALK, engine).trajectory
    assert run.status.value == "done", run.message
    base = run.data["base_position"].values
    assert base[-1, 0] - base[0, 0] == pytest.approx(6.5 * 0.75 * speed, abs=0.1)
    assert np.abs(run.data["com_velocity"].values[-1]).max() < 0.1  # it stands
    assert np.concatenate(slip_of_steps(run.data)).max() < 1e-3
    assert not [event for event in run.events if event.kind == TOO_FAST]


@pytest.mark.slow
def test_a_walk_that_is_warned_of_falls():
    run = run_scenario(load_scenario(WALK, [at(0.6), "duration=8.0"]), WALK).trajectory
    assert run.status.value == "failed"
    assert run.events[0].kind == TOO_FAST

"""Parts of a walk, against what they are not made of: a pendulum, Drake's planner, geometry."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydrake.planning import ZmpPlanner
from pydrake.trajectories import PiecewisePolynomial
from tests.slow import some_longest

from footfall.errors import FootfallError
from footfall.feet.gait import slip_of_steps
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall_controllers.walking.capture_plan import PreviewPlan, Segment
from footfall_controllers.walking.divergent_component import (
    convex_hull,
    nearest_inside,
    step_shift,
    zero_moment_point,
)
from footfall_controllers.walking.footsteps import Footsteps, rotation
from footfall_controllers.walking.gait_schedule import GaitSchedule, Phase
from footfall_controllers.walking.swing_foot import lift, towards
from footfall_controllers.walking.walk_state import WalkState

W, G = 3.5, 9.81
FEET = [np.array(p) for p in ([0.0, 0.1], [0.1, -0.1], [0.3, 0.1], [0.5, -0.1], [0.5, 0.0])]
POINT = st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))


def segments():
    """Steps of 0.6 s, with 0.15 s from foot to foot."""
    found = []
    for start, end in pairwise(FEET):
        found += [Segment(0.6, start, start), Segment(0.15, start, end)]
    return [*found, Segment(1.0, FEET[-1], FEET[-1])]


def test_the_capture_point_follows_the_pendulum_all_along():
    plan, h = PreviewPlan(segments(), W), 1e-5
    for time in np.linspace(0.01, 3.9, 57):
        x, z = plan.at(time)
        slope = (plan.at(time + h)[0] - plan.at(time - h)[0]) / (2.0 * h)
        # central differences: h^2 w^3 / 6 of an error that a kink of z does not disturb
        assert slope == pytest.approx(W * (x - z), abs=1e-4)
    assert plan.at(50.0)[0] == pytest.approx(FEET[-1])


def test_the_plan_is_that_of_drakes_planner():
    parts = segments()
    plan = PreviewPlan(parts, W)
    times = np.cumsum([0.0, *(segment.length for segment in parts)])
    points = np.array([parts[0].start, *(segment.end for segment in parts)]).T
    planner = ZmpPlanner()
    # the pendulum begins on the plan, its capture point at that of the plan
    first = plan.at(0.0)[0]
    start = np.array([0.0, 0.1, *(W * (first - [0.0, 0.1]))])
    planner.Plan(
        PiecewisePolynomial.FirstOrderHold(times, points),
        start,
        G / W**2,
        G,
        np.eye(2),
        1e-9 * np.eye(2),
    )
    for time in np.linspace(0.0, 3.0, 16):
        theirs = planner.get_nominal_com(time) + planner.get_nominal_comd(time) / W
        # their price of accelerations, 1e-9, rounds corners off within some milliseconds
        assert plan.at(time)[0] == pytest.approx(theirs.ravel(), abs=1e-3)


@given(points=st.lists(POINT, min_size=3, max_size=12), point=POINT)
@settings(max_examples=60, deadline=None)
def test_no_point_of_a_hull_is_nearer_than_the_one_that_is_found(points, point):
    hull, there = convex_hull(np.array(points)), np.array(point)
    found = nearest_inside(hull, there)
    rng = np.random.default_rng(3)
    shares = rng.dirichlet(np.ones(len(points)), 200)
    others = shares @ np.array(points)
    assert np.linalg.norm(found - there) <= np.linalg.norm(others - there, axis=1).min() + 1e-8
    # and it lies in the hull itself: a hull with it has the same extent in every direction
    for angle in np.linspace(0.0, 2.0 * np.pi, 12):
        way = np.array([np.cos(angle), np.sin(angle)])
        assert found @ way <= (np.array(points) @ way).max() + 1e-8


@pytest.mark.parametrize("error", [[0.02, 0.0], [0.05, -0.04], [-0.2, 0.1]])
def test_the_shift_of_a_step_takes_out_what_the_sole_cannot(error):
    room, left = np.array([0.05, 0.02]), 0.4
    shift = step_shift(np.array(error), room, left, W)
    # the pendulum itself, with the largest help of the zero-moment point
    zmp = np.clip(np.array(error) / (1.0 - np.exp(-W * left)), -room, room)
    at_end, steps = np.array(error, dtype=float), 4000
    for _ in range(steps):
        at_end += left / steps * W * (at_end - zmp)
    assert shift == pytest.approx(at_end, abs=1e-3 * np.abs(error).max())  # Euler's error


def test_feedback_lets_an_error_of_the_capture_point_decay_at_its_gain():
    error, gain = np.array([0.03, -0.01]), 3.0
    z = zero_moment_point(error, np.zeros(2), gain, W)
    assert W * (error - z) == pytest.approx(-gain * error)


@given(share=st.floats(0.05, 0.85))
@settings(max_examples=20, deadline=None)
def test_a_swing_whose_goal_moves_goes_on_smoothly_and_rests_at_the_goal(share):
    start = (np.zeros(2), np.zeros(2), np.zeros(2))
    goal, other, length = np.array([0.4, 0.1]), np.array([0.5, 0.0]), 0.6
    now = share * length
    half = towards(start, goal, length, now)
    for before, after in zip(half, towards(half, other, length - now, 0.0), strict=True):
        assert before == pytest.approx(after, abs=1e-12)
    end = towards(half, other, length - now, (1.0 - 1e-9) * (length - now))
    for part, wanted in zip(end, (other, np.zeros(2), np.zeros(2)), strict=True):
        assert part == pytest.approx(wanted, abs=1e-5)  # a jerk of 1e3 m/s^3 over a nanosecond
    h = 1e-5
    rate = (towards(start, goal, length, now + h)[0] - towards(start, goal, length, now - h)[0]) / (
        2.0 * h
    )
    assert rate == pytest.approx(half[1], abs=1e-6)


def test_a_lift_clears_the_higher_end_and_comes_down_at_rest():
    heights = [lift(0.0, 0.02, 0.05, time, 0.5)[0][0] for time in np.linspace(0.0, 0.5, 101)]
    assert max(heights) == pytest.approx(0.07, abs=1e-4)
    assert heights[0] == 0.0
    assert heights[-1] == pytest.approx(0.02)
    assert min(heights) >= 0.0


def test_a_trot_has_its_phases_in_their_order_and_time():
    schedule = GaitSchedule([["a", "d"], ["b", "c"]], 4, 0.5, 0.3, 0.25, 0.05)
    phase, step, time, order = Phase.BEGIN, 0, 0.0, []
    while phase is not Phase.END:
        order.append((phase, step))
        time += schedule.length(phase, step)
        phase, step = schedule.after(phase, step)
    steps = [(kind, k) for k in range(4) for kind in (Phase.SWING, Phase.OVERLAP)]
    assert order == [(Phase.BEGIN, 0), (Phase.SHIFT, 0), *steps]
    assert time == pytest.approx(0.5 + 0.3 + 4 * 0.25 + 3 * 0.05 + 0.3)
    assert schedule.stance(Phase.SWING, 1, ["a", "b", "c", "d"]) == ["a", "d"]
    assert schedule.stance(Phase.OVERLAP, 1, ["a", "b"]) == ["a", "b"]


def test_footsteps_are_strides_apart_and_close_at_the_end():
    stance = {"left": np.array([0.0, 0.1]), "right": np.array([0.0, -0.1])}
    steps = Footsteps(stance, np.array([0.25, 0.0]), 0.0, 6)
    ahead = [steps.landing(("right", "left")[k % 2], k)[0][0] for k in range(6)]
    assert np.diff([0.0, *ahead]) == pytest.approx([0.125, 0.25, 0.25, 0.25, 0.25, 0.0])


def test_a_turning_walk_goes_along_a_circle():
    steps = Footsteps({"left": np.zeros(2)}, np.array([0.2, 0.0]), 0.1, 40)
    places = np.array([steps.body(k)[0] for k in range(40)])
    # chords of 0.1 rad: the radius of an arc of the stride's length
    assert np.linalg.norm(places - [0.0, 2.0], axis=1) == pytest.approx(np.full(40, 2.0))
    place, heading = steps.body(7.0)
    ahead = steps.body(7.001)[0] - place
    assert rotation(-heading) @ ahead == pytest.approx([0.2e-3, 0.0], abs=2e-8)


def test_the_state_of_a_walk_survives_as_a_vector():
    rng = np.random.default_rng(0)
    walk = WalkState(
        2, 5, 1.5, 1.4, 1.6, 0.5, 0.3, 0.1, 0.7, *rng.normal(size=(3, 2)), rng.normal(size=(4, 4)),
        rng.normal(size=(4, 9)), rng.normal(size=4), rng.normal(size=4), rng.normal(size=19),
    )  # fmt: skip
    vector = walk.to_vector()
    assert len(vector) == WalkState.size(4, 19)
    assert np.array_equal(WalkState.from_vector(vector, 4).to_vector(), vector)


def test_capture_points_end_each_segment():
    plan = PreviewPlan(segments(), W)
    times = np.cumsum([segment.length for segment in segments()])
    for time, end in zip(times, plan.ends, strict=True):
        assert plan.at(time)[0] == pytest.approx(end, abs=1e-9)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("controller.period=0.0", "a walk needs a period"),
        ("controller.walk.feet={}", "there is no foot"),
        ("controller.walk.feet.left=[left_hand]", "no link 'left_hand'"),
        ("controller.walk.groups=[[right], []]", "groups of feet"),
        ("controller.walk.groups=[[right, left]]", "leaves none to stand on"),
        ("controller.walk.swing=0", "swing is 0"),
        ("controller.walk.velocity=[0.3]", "ahead and aside"),
        ("controller.walk.margin=1.0", "below 1"),
        ("controller.walk.trunk=hut", "hut"),
        ("controller.walk.reach.ahead=-1", "not negative"),
        ("controller.walk.roll={settle: 0.2, rise: 0.1}", "at most the overlap"),
        ("controller.walk.roll={settle: 0.1, rise: 0.1, strike: 95.0}", "below 90"),
        ("controller.walk.roll={settle: 0.1, rise: 0.1, pressure: [0.9, 0.1]}", "two shares"),
        ("controller.walk.roll={settle: 0.1, rise: 0.0}", "rise is 0.0"),
    ],
)
def test_a_walk_that_is_none_is_refused_in_one_line(setting, says):
    with pytest.raises(FootfallError, match=says) as refused:
        run_scenario(load_scenario("humanoid/walk", [setting, "duration=0.01"]), "walk")
    assert "\n" not in str(refused.value)


def walked(name, engine, *changes):
    run = run_scenario(load_scenario(name, changes), name, engine).trajectory
    assert run.status.value == "done", run.message
    return run.data


def tilt(data):
    upright = 1.0 - 2.0 * (data["q"][:, 1] ** 2 + data["q"][:, 2] ** 2)
    return float(np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))).max())


def test_the_first_steps_of_a_walk_go_ahead_without_slipping():
    data = walked("humanoid/walk", "moreau", "duration=2.6")
    assert tilt(data) < 0.5
    assert (data["foot_contact"].values[-1000:].min(axis=0) == 0).all()  # both have swung
    assert data["com_velocity"].values[-750:, 0].mean() == pytest.approx(0.3, abs=0.05)
    assert data["foot_slip"].values[-1].max() < 1e-3
    # the ground's forces carry the robot: their mean is the weight, where it starts and ends alike
    force = data["foot_force"].values[:, :, 2].sum(axis=1)[1:].mean()
    v = data["com_velocity"].values[:, 2]
    weight = 56.0 * 9.81 + 56.0 * (v[-1] - v[0]) / 2.6
    assert force == pytest.approx(weight, rel=2e-3)  # a step's impulse is of its own end


QUICK = ("controller.walk.swing=0.45", "controller.walk.overlap=0.1")  # a step of 0.55 s
SIXTY = (*QUICK, "controller.walk.steps=60", "duration=34.5")


def margin_of_pressure(data):
    """Distance of the zero-moment point to the edge of the support polygon, over time."""
    margin = data["support_margin"].values[:, 1]
    return margin[np.isfinite(margin)]


LONG_WALKS = {
    "humanoid/walk": (60, 0.3 * 0.55, SIXTY),
    "humanoid/walk_fast": (30, 0.3, ()),
    "humanoid/walk_opc": (60, 0.3 * 0.55, SIXTY),
    "humanoid/walk_heel_toe": (20, 0.5 * 0.75, ("record_every=1",)),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "engine"),
    [
        *product(LONG_WALKS, ["moreau"]),
        ("humanoid/walk_fast", "drake-sap"),
        pytest.param("humanoid/walk_heel_toe", "drake-sap", marks=pytest.mark.longest),
        pytest.param("humanoid/walk", "drake-sap", marks=pytest.mark.longest),
        pytest.param("humanoid/walk_opc", "drake-sap", marks=pytest.mark.longest),
    ],
)
def test_long_walks_keep_upright_and_their_feet_where_they_are(name, engine):
    steps, stride, changes = LONG_WALKS[name]
    if (name, engine) == ("humanoid/walk_opc", "moreau"):
        steps, changes = 30, (*QUICK, "controller.walk.steps=30", "duration=18.0")
    data = walked(name, engine, "record_every=5", *changes)
    assert tilt(data) < 2.0
    moved = data["base_position"].values[-1] - data["base_position"].values[0]
    # it begins behind the middle of its soles, and ends above it
    assert moved[0] == pytest.approx((steps - 1.5) * stride, abs=0.1)
    assert abs(moved[1]) < 0.1
    assert (data["foot_contact"].values.min(axis=0) == 0).all()
    assert np.concatenate(slip_of_steps(data)).max() < 1e-3
    # inside the soles, to the rounding of the ground's forces at an edge
    assert margin_of_pressure(data).min() > -1e-3
    assert np.abs(data["actuation"]).max() <= 150.0
    if name == "humanoid/walk_heel_toe":
        rolls_from_heel_to_toe(data)


def rolls_from_heel_to_toe(data):
    """Assert that every landing is on the heel and every leaving over ball and toe."""
    gap, time = data["gap"], data["time"].values
    for side in data["foot"].values:
        heel, front = (
            np.nanmin(
                [gap.sel(contact=f"humanoid::{side}_{part}_{k}").values for k in ENDS], axis=0
            )
            for part in ("heel", "ball")
        )
        contact = data["foot_contact"].sel(foot=side).values
        landings = np.flatnonzero(np.diff(contact) == 1)[:-1]  # the last one is flat
        leaves = np.flatnonzero(np.diff(contact) == -1)[1:]  # and so is the first leaving
        assert len(landings) > 8
        # 0.243 m of sole at 6 degrees, and at 10; the robot does not follow to the last degree
        assert (front[landings] - heel[landings]).min() > 0.5 * 0.243 * np.sin(np.radians(6.0))
        assert (heel[leaves] - front[leaves]).min() > 0.5 * 0.243 * np.sin(np.radians(10.0))
        # the engine's contact alone says how the rest of the sole comes down, within 0.15 s
        for k in landings:
            down = np.flatnonzero((time > time[k]) & (time < time[k] + 0.15))
            assert front[down].min() < 1e-3


ENDS = ("left", "right")


SLIPPERY = ("friction=0.3", "controller.friction=0.25")
# a load that the controller does not know
LOADED = ('mass_scale={"humanoid::hat": 1.2}', "controller.knows_mass_scale=false")
NOISY = ("sensors={encoders: {velocity_noise: 0.05}}",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "changes", "most"),
    [
        ("moreau", SLIPPERY, 1e-3),
        pytest.param("moreau", LOADED, 1e-3, marks=pytest.mark.longest),
        pytest.param("moreau", NOISY, 1e-3, marks=pytest.mark.longest),
        # what is too much for a sole to stay where it is, but not to walk
        ("moreau", SLIPPERY + LOADED + NOISY, 3e-3),
        ("drake-sap", SLIPPERY + LOADED + NOISY, 3e-3),
    ],
    ids=["slippery", "loaded", "noisy", "all at once", "all at once in drake-sap"],
)
def test_a_walk_bears_what_its_model_does_not_say(engine, changes, most):
    data = walked(
        "humanoid/walk", engine, "record_every=5", *QUICK, *changes,
        "controller.walk.steps=8", "duration=6.0",
    )  # fmt: skip
    assert tilt(data) < 2.0
    moved = data["base_position"].values[-1] - data["base_position"].values[0]
    assert moved[0] == pytest.approx(6.5 * 0.165, abs=0.1)
    assert np.abs(data["com_velocity"].values[-1]).max() < 0.1  # it stands
    assert np.concatenate(slip_of_steps(data)).max() < most
    assert np.abs(data["actuation"]).max() <= 150.0


HEAVY = ('mass_scale={"*": 1.147}', "controller.knows_mass_scale=false")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes", "most"),
    [
        # a toe that lost its ground spun on, met it again in the swing, and was dragged by 55 mm
        ("humanoid/walk", (*HEAVY, "duration=11.0"), 2e-3),
        # 0.1 to 6 mm in its longest slip, by the last bits of its friction coefficient
        ("humanoid/slippery", (), 8e-3),
    ],
)
def test_toes_are_not_dragged(name, changes, most):
    data = walked(name, "moreau", "record_every=5", *changes)
    assert tilt(data) < 2.0
    assert np.concatenate(slip_of_steps(data)).max() < most


@pytest.mark.slow
@pytest.mark.parametrize("engine", some_longest(["moreau", "drake-sap"], "drake-sap"))
def test_a_quadruped_paces_on_two_legs_of_a_side(engine):
    data = walked(
        "scenes/trot", engine, "record_every=1", "duration=6.0", "pushes=[]",
        "controller.walk.groups=[[FL, RL], [FR, RR]]",
        "controller.walk.width=0.1", "controller.walk.velocity=[0.2, 0.0]",
    )  # fmt: skip
    contact = data["foot_contact"]
    # the legs of a side swing together: over most of the walk they stand or swing alike
    for front, rear in (("FL", "RL"), ("FR", "RR")):
        alike = contact.sel(foot=front) == contact.sel(foot=rear)
        assert float(alike.mean()) > 0.95
    swings = (contact.sel(foot="FL") == 0) & (contact.sel(foot="FR") == 0)
    assert float(swings.mean()) < 0.02  # never both sides
    assert float((contact.sel(foot="FL") == 0).mean()) > 0.2
    assert tilt(data) < 3.0
    base = data["base_position"].values
    assert base[-1, 0] - base[0, 0] == pytest.approx(14.5 * 0.06, abs=0.1)
    assert np.abs(data["com_velocity"].values[-1]).max() < 0.1  # it stands
    assert np.concatenate(slip_of_steps(data)).max() < 3e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ahead", "most", "engine"),
    [
        ("humanoid/push", 13 * 0.15, 2.0, "moreau"),
        ("humanoid/push", 13 * 0.15, 2.0, "drake-sap"),
        ("scenes/trot", 14.5 * 0.15, 3.0, "moreau"),
        pytest.param("scenes/trot", 14.5 * 0.15, 3.0, "drake-sap", marks=pytest.mark.longest),
    ],
)
def test_walks_that_are_pushed_go_on_by_steps_that_are_shifted(name, ahead, most, engine):
    data = walked(name, engine, "record_every=5")
    assert tilt(data) < most
    base = data["base_position"].values
    assert base[-1, 0] - base[0, 0] == pytest.approx(ahead, abs=0.1)
    assert np.abs(base[:, 1]).max() > 0.02  # it was pushed aside
    assert np.abs(data["com_velocity"].values[-1]).max() < 0.1  # and stands again
    assert data["foot_slip"].values[-1].max() < 3e-3

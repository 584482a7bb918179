"""The search for the longest jump: its parts, and that it is the same whoever does the work."""

import math
from dataclasses import replace

import numpy as np
import pytest

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext, Interrupted
from footfall.errors import ScenarioError
from footfall.machines.hopper.closed_form.model import TEXT, Hopper
from footfall.machines.hopper.published import START, TORQUE
from footfall.machines.hopper.rollout.simulator import RolloutSimulator
from footfall.machines.hopper.search.analysis import JumpSearch
from footfall.machines.hopper.search.design import (
    JumpDesign,
    design_of,
    distances,
    judged_jump,
    least_margins,
    sensitivity,
)
from footfall.machines.hopper.search.evolution import evolved
from footfall.machines.hopper.search.parametrization import JumpParametrization
from footfall.machines.hopper.search.refine import plan_of, trajectories_of
from footfall.machines.hopper.search.robust import corners, robust_search
from footfall.machines.hopper.search.score import Score
from footfall.machines.hopper.search.tasks import refine_by_programme, refine_torques, search
from footfall.machines.hopper.search.torques import (
    PLACES,
    as_torques,
    rows_of,
    rows_of_segments,
    search_space_of,
    segments_of,
    y_of_segments,
)
from footfall.machines.hopper.search.trust_region import SearchSpace, TrustRegionSearch
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

PLAN = JumpParametrization(run_up=2, push=2, flight=2, landing=2)
SMALL = {
    "searches": 2,
    "evaluations": 4000,
    "polished": 2,
    "steps": 8,
    "segments": 20,
    "refined": 0,
    "slides": 0,
}
ANGLES = (float(START[2]), float(START[3]))


@pytest.fixture(scope="module")
def context():
    scenario = load_scenario("hopper/report")
    return context_of(scenario, build_robot(scenario))


# --- tools ---------------------------------------------------------------------------------------


def test_evolution_finds_the_bottom_of_a_skew_valley_and_repeats_itself():
    def valley(x):
        return float((x[0] - 1.0) ** 2 + 100.0 * (x[1] + x[0]) ** 2 + (x[2] - 2.0) ** 2)

    def run():
        rng = np.random.default_rng(4)
        scale = np.array([1.0, 0.5, 2.0])
        return evolved(valley, np.zeros(3), scale, rng, evaluations=4000, population=10)

    place, least = run()
    # it stops where a generation differs by less than 1e-6
    assert place == pytest.approx([1.0, -1.0, 2.0], abs=5e-3)
    assert least == valley(place)
    np.testing.assert_array_equal(place, run()[0])


def climb_of(evaluate, y, **changes):
    n = len(y)
    space = SearchSpace(np.ones(n), np.full(n, -10.0), np.full(n, 10.0))
    return TrustRegionSearch(evaluate, replace(space, **changes), np.array(y, dtype=float))


def test_a_climb_ends_where_a_curved_bound_touches():
    # the farthest point along (3, 4) of the unit disc
    def evaluate(y):
        return np.array([3.0 * y[0] + 4.0 * y[1]]), np.array([1.0 - y @ y])

    ascent = climb_of(evaluate, [0.0, 0.0])
    while ascent.step():
        pass
    assert ascent.y == pytest.approx([0.6, 0.8], abs=2e-3)  # flat across: error^2 = what is gained
    assert ascent.merit == pytest.approx(5.0, abs=1e-5)


def test_a_climb_lifts_the_least_of_its_values():
    def evaluate(y):
        return np.array([1.0 - (y[0] - 1.0) ** 2, 1.0 - (y[0] + 1.0) ** 2]), np.array([1.0])

    ascent = climb_of(evaluate, [0.9])
    while ascent.step():
        pass
    assert ascent.y == pytest.approx([0.0], abs=1e-4)


def test_a_climb_keeps_its_rows_and_does_not_enter_what_is_not_valid():
    visited = []

    def evaluate(y):
        if y[1] > 2.0:
            return None
        visited.append(y)
        return np.array([y[0] + y[1]]), np.array([1.0])

    ascent = climb_of(evaluate, [0.0, 0.0], A=np.array([[1.0, 0.0]]), b=np.array([1.5]))
    while ascent.step():
        pass
    assert ascent.y[0] == pytest.approx(1.5, abs=1e-9)
    assert 1.9 < ascent.y[1] <= 2.0
    assert max(y[0] for y in visited) <= 1.5 + 2e-6  # derivatives look a difference beyond


def test_a_climb_from_nowhere_is_over():
    ascent = climb_of(lambda _y: None, [0.0])
    assert not ascent.step()
    assert ascent.merit == -math.inf


# --- plans and torques ---------------------------------------------------------------------------


def test_plans_begin_within_their_ranges_and_bend_as_their_numbers_say():
    rng = np.random.default_rng(2)
    low, high, scale = PLAN.ranges
    assert np.all(scale > 0.0)
    for _ in range(50):
        z = PLAN.anywhere(rng)
        assert np.all((z >= low) & (z <= high))
        angles, rows = PLAN.rows(z)
        assert len(rows) == PLAN.stages[1] + PLAN.landing
        assert angles == (z[0], z[1])
        # the second goal of the run-up is the start and both changes
        assert rows[1, 2] == pytest.approx(z[1] + z[3] + z[6], abs=1e-15)


def test_torques_and_segments_are_the_same_function():
    y = y_of_segments(ANGLES, TORQUE.segments)
    assert y[:2].tolist() == list(ANGLES)
    # four places tell a cubic: rounding alone, of coefficients over spans to the third power
    np.testing.assert_allclose(
        rows_of(y)[:, 1:5], rows_of_segments(TORQUE.segments)[:, 1:5], rtol=1e-9, atol=1e-7
    )
    for given, back in zip(TORQUE.segments, segments_of(y, 6), strict=True):
        times = given.start + PLACES * (given.end - given.start)
        np.testing.assert_allclose(back.value(times), given.value(times), atol=4e-6)


def test_segments_of_a_higher_degree_are_not_taken_for_cubics():
    segment = replace(TORQUE.segments[0], coefficients=(0.0, 0.0, 0.0, 0.0, 1.0))
    with pytest.raises(ValueError, match="degree"):
        y_of_segments(ANGLES, (segment,))


def test_the_bound_of_the_torque_holds_between_the_places_too():
    y = y_of_segments(ANGLES, TORQUE.segments)
    space = search_space_of(y, Hopper(TEXT))
    assert np.all(space.A @ y <= space.b)
    # four torques within the bound whose cubic is not: 10 in the middle, -10 at the ends
    y[3:7] = -9.9, 9.9, 9.9, -9.9
    assert np.any(space.A @ y > space.b)


def test_a_plan_becomes_the_same_jump_in_torques_of_time():
    rng = np.random.default_rng(3)
    score = Score(Hopper(TEXT), PLAN, 2e-3)
    while True:  # something that flies for a while
        z = PLAN.anywhere(rng)
        found = score.rollout(z)
        if found.outcome.landing > found.outcome.take_off + 0.05:
            break
    found = Score(Hopper(TEXT), PLAN, 2.5e-4).rollout(z)
    y = as_torques(Hopper(TEXT), PLAN, z, 400)
    again = RolloutSimulator(Hopper(TEXT), 2.5e-4).jump((y[0], y[1]), rows_of(y))
    # torques are met to 0.02 N m of some that are above 1
    assert again.outcome.take_off == pytest.approx(found.outcome.take_off, abs=2e-3)
    assert again.outcome.angular_momentum == pytest.approx(
        found.outcome.angular_momentum, rel=0.05, abs=1e-3
    )


def test_scores_are_the_better_the_longer_the_jump():
    score = Score(Hopper(TEXT), PLAN, 4e-3)
    rng = np.random.default_rng(8)
    values = []
    for _ in range(300):
        z = PLAN.anywhere(rng)
        found, value = score.rollout(z), score.jump(z)
        if found.jumps and found.angle_margins.min() > 0.0:
            assert value == pytest.approx(-found.distance, abs=1e-12)
        elif not found.jumps:
            assert value > 0.9
        values.append(value)
    assert min(values) < 1.0 < max(values)


# --- designs -------------------------------------------------------------------------------------

PUBLISHED = JumpDesign(*ANGLES, TORQUE.segments)


def test_the_published_design_is_judged_as_published_and_keeps_its_margins():
    found = judged_jump(TEXT, PUBLISHED)
    assert found.holds
    assert found.distance == pytest.approx(0.12542, abs=5e-6)
    margins = least_margins(found)
    assert margins["torque_above"] == pytest.approx(10.0 - 3.2, abs=1e-9)
    assert margins["PR_forward"] == pytest.approx(math.radians(109.0 - 54.0 - 30.0), abs=1e-9)


def test_a_jump_that_is_none_says_why():
    found = judged_jump(TEXT, JumpDesign(1.7, -0.5, ()))
    assert not found.holds
    assert "before P leaves the ground" in found.why


def test_mass_and_torque_are_one_parameter():
    # every force and inertia is proportional to the mass, so that d depends on torque/mass alone
    parts = np.array([-0.02, 0.0, 0.03])
    by_mass = distances(TEXT, PUBLISHED, "mass", 1.0 / (1.0 + parts) - 1.0)
    by_torque = distances(TEXT, PUBLISHED, "torque", parts)
    np.testing.assert_allclose(by_mass, by_torque, rtol=1e-9)
    slopes = [sensitivity(TEXT, PUBLISHED, what) for what in ("mass", "torque")]
    assert slopes[0] == pytest.approx(-slopes[1], rel=1e-4)  # differences of 1e-6


def test_corners_differ_both_ways():
    found = corners(TEXT, 0.1, 0.05)
    assert found[0] == TEXT
    assert sorted({round(one.mu, 9) for one in found}) == [0.27, 0.3, 0.33]
    assert sorted({round(one.m, 9) for one in found}) == [0.285, 0.3, 0.315]


# --- pieces and the whole ------------------------------------------------------------------------


def test_polish_leads_the_published_jump_on_and_keeps_its_margins():
    y = y_of_segments(ANGLES, TORQUE.segments)
    found = refine_torques(TEXT, None, y.tolist(), 10, 12)
    assert found["distance"] > 0.15
    jump = judged_jump(TEXT, design_of(TEXT, np.array(found["jump"])))
    assert jump.holds
    # steps of 1 ms against 1e-12, and numbers rounded to six digits
    assert jump.distance == pytest.approx(found["distance"], abs=2e-4)


def test_tracks_of_a_recorded_jump_are_its_phases():
    simulator, rows = RolloutSimulator(Hopper(TEXT), 1e-3), rows_of_segments(TORQUE.segments)
    simulated = simulator.jump(ANGLES, rows, most_recorded=2000)
    found = simulated.outcome
    trajectories = trajectories_of(simulated.record, found.landing)
    assert [trajectory.phase for trajectory in trajectories] == [
        "stick",
        "slip-",
        "flight",
        "slip+",
    ]
    ends = np.cumsum([trajectory.duration for trajectory in trajectories])
    assert ends[1:] == pytest.approx([found.take_off, found.landing, found.time], abs=1.1e-3)
    plan = plan_of(trajectories, ahead=False)
    assert (plan.take_off, plan.landing) == (2, 3)
    # straight lines between steps of 1 ms, taken at equal times: angles that turn at 20 rad/s
    assert trajectories[0].states[2, 0] == ANGLES[0]
    assert trajectories[-1].states[2, -1] == pytest.approx(math.pi, abs=0.03)


@pytest.mark.slow  # a nonlinear programme of some hundred variables, solved twice
def test_a_programme_leads_the_published_jump_farther_than_a_climb():
    y = y_of_segments(ANGLES, TORQUE.segments)
    improved_jump = refine_torques(TEXT, None, y.tolist(), 10, 12)
    found = refine_by_programme(TEXT, None, y.tolist(), 200)
    assert found["distance"] > improved_jump["distance"] > 0.15
    jump = judged_jump(TEXT, design_of(TEXT, np.array(found["jump"])))
    assert jump.holds
    # the programme's own steps against 1e-12
    assert jump.distance == pytest.approx(found["distance"], abs=1e-4)


def test_a_search_repeats_itself_and_its_seed_matters():
    one, again = (search(TEXT, PLAN, 3, 0, 1200) for _ in range(2))
    assert one["jump"] == again["jump"]
    assert one["history"] == again["history"]
    assert search(TEXT, PLAN, 3, 1, 1200)["jump"] != one["jump"]
    assert search(TEXT, PLAN, 4, 0, 1200)["jump"] != one["jump"]


def test_histories_only_improve():
    found = robust_search(TEXT, (0.02, 0.01), 1, 0, 3000)
    best = [distance for _, distance in found["history"]]
    counts = [count for count, _ in found["history"]]
    assert best == sorted(best)
    assert counts == sorted(counts)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("searches", -1),
        ("evaluations", 10),
        ("polished", 0),
        ("slides", -1),
        ("segments", 0),
        ("workers", 0),
        ("mu_part", 1.0),
        ("mass_part", math.nan),
    ],
)
def test_bad_options_are_told_in_one_line(option, value):
    with pytest.raises(ScenarioError, match=option) as caught:
        JumpSearch(**{option: value})
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_the_analysis_is_independent_of_its_workers_and_can_be_taken_up(context, tmp_path):
    options = {**SMALL, "robust": 0}
    alone = JumpSearch(**options, workers=1)
    first = Checkpoint(tmp_path / "pieces", "this")
    calls = []

    def stopped():
        calls.append(1)
        return len(calls) > 2

    with pytest.raises(Interrupted):
        alone.run(context, AnalysisContext(first, stopped=stopped))
    done = Checkpoint(tmp_path / "pieces", "this")
    assert "search 0" in done
    assert "polish own" not in done
    found = alone.run(context, AnalysisContext(done))
    together = JumpSearch(**options, workers=2).run(context, AnalysisContext())
    assert found.metrics == pytest.approx(together.metrics, nan_ok=True)
    assert found.scenarios == together.scenarios
    # the published jump led on is one of the candidates
    assert found.metrics["best_distance"] > 0.15
    assert set(found.metrics) == set(alone.metrics())


def test_the_jump_that_is_left_as_a_scenario_goes_as_far(context):
    found = JumpSearch(searches=0, steps=6, refined=0, slides=0, robust=0, workers=1).run(
        context, AnalysisContext()
    )
    scenario = load_scenario("hopper/report", found.scenarios["best"])
    again = context_of(scenario, build_robot(scenario))
    law = again.controller.profiles()["hinge"]
    angles = again.initial_state[2:4].tolist()
    jump = judged_jump(TEXT, JumpDesign(angles[0], angles[1], law.segments))
    assert jump.distance == found.metrics["best_distance"]


def test_a_machine_that_bounces_is_refused():
    scenario = load_scenario("hopper/report", ["restitution=0.5"])
    bouncing = context_of(scenario, build_robot(scenario))
    with pytest.raises(ScenarioError, match="restitution"):
        JumpSearch(searches=1).run(bouncing, AnalysisContext())

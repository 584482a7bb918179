"""The compass' report: what its figures compute, and that every kind of run has one."""

from dataclasses import replace

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.errors import RunError
from footfall.machines.compass import measures
from footfall.machines.compass.closed_form.model import LAB_CASE_1
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.measures import read_exact_cycle
from footfall.machines.compass.report.page import REPORT, dimension_sketch
from footfall.machines.compass.report.runs import read_walks
from footfall.report import Section
from footfall.report.return_map import roomy
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall.trajectory import Trajectory

NAME = "compass/lab_case2"
TWO_STEPS = ("duration=1.5",)
STEP = 1e-3
# a push after which it falls backwards
_PUSHED = ("duration=2.0", "initial.velocities.q2=2.5")


def _section(*engines, name=NAME, settings=TWO_STEPS):
    runs = {engine: run(name, engine, *settings) for engine in engines}
    return Section(name, load_scenario(name, settings), runs)


def _figures(section):
    """Titles of the machine's figures, by their charts."""
    made = [figure for figure in REPORT.figures(read_walks(section)) if figure is not None]
    return {figure.title: figure.chart for figure in made}


def _notes(section):
    return REPORT.notes(read_walks(section))


@pytest.fixture(scope="module")
def both():
    return _section("hybrid", "moreau")


@pytest.fixture(scope="module")
def walks(both):
    return read_walks(both)


@pytest.mark.slow
def test_forces_of_stances_and_strikes_carry_the_weight(walks):
    """Momentum over the run: all impulses are its change less that of the weight."""
    machine = walks.machine
    p, walk = machine.parameters, walks.first
    span = np.diff(walk.time, prepend=walk.time[0])
    total = sum(strike.impulse for strike in walk.strikes)
    total = total + np.nansum(walk.force(0.0) * span, axis=1)
    weight = machine.mass * p.g * np.array([np.sin(p.theta), -np.cos(p.theta)])
    moved = _momentum(machine, walk, -1) - _momentum(machine, walk, 0)
    # rounding of some thousand rows
    np.testing.assert_allclose(total, moved - weight * walk.time[-1], atol=1e-9)


@pytest.mark.slow
def test_means_of_forces_do_not_mix_stances_or_what_does_not_stand(walks):
    """Moreau's walk has nearly the forces of the exact step, also at both ends of a stance."""
    exact, walk = walks.cycle, walks.runs[1]
    force = walk.force(0.02)
    begin, end = walk.impacts[0, 1] + 1, walk.impacts[1, 0]
    assert np.isfinite(force[:, begin : end + 1]).all()
    since = walk.time[begin : end + 1] - walk.strikes[0].time
    wanted = np.array([np.interp(since, exact.time, component) for component in exact.force])
    assert np.abs(force[:, begin : end + 1] - wanted).max() < 0.03 * exact.force.max()
    assert np.isnan(force[:, walk.impacts[0, 1]]).all()


def test_a_portrait_breaks_at_strikes_and_its_jumps_join_the_ends(walks):
    walk = walks.first
    parted, jumps = walk.parted(walk.leg(0)), walk.jumps(walk.leg(0))
    gaps = np.flatnonzero(np.isnan(parted[0]))
    assert len(gaps) == len(walk.strikes) == jumps.shape[1] // 3
    np.testing.assert_array_equal(parted[:, gaps - 1], jumps[:, 0::3])
    np.testing.assert_array_equal(parted[:, gaps + 1], jumps[:, 1::3])
    # no time passes: the angle stays, the rate jumps
    np.testing.assert_allclose(jumps[0, 0::3], jumps[0, 1::3])
    assert (np.abs(jumps[1, 0::3] - jumps[1, 1::3]) > 1.0).all()


def _momentum(machine, walk, row):
    """Linear momentum in the slope frame, of masses whose places are functions of the state."""
    p = machine.parameters
    q, v = walk.states[:4, row], walk.states[4:, row]

    def masses(q):
        hip = q[:2]
        down_1 = -np.array([-np.sin(q[2]), np.cos(q[2])])
        down_2 = np.array([-np.sin(q[2] + q[3]), np.cos(q[2] + q[3])])
        return p.m * (2.0 * hip + p.s * (down_1 + down_2)) + p.m_hip * hip

    return np.imag(masses(q + 1e-30j * v)) / 1e-30


def test_the_exact_step_closes(walks):
    saved, cycle = walks.cycle, find_cycle(walks.machine.parameters)
    np.testing.assert_array_equal(saved.x[:, -1], cycle.before)
    np.testing.assert_array_equal(saved.published, cycle.published)
    np.testing.assert_array_equal(saved.multipliers, cycle.fixed_point.multipliers)
    np.testing.assert_array_equal(saved.x[:, 0], cycle.after)
    assert saved.time[-1] == saved.period == cycle.period
    assert saved.force[1].min() > 0.0
    ratio = np.abs(saved.force[0] / saved.force[1]).max()
    # sampled at 201 times: the largest is at an end of the step
    assert ratio == pytest.approx(cycle.friction_stance, rel=1e-9)
    assert saved.friction_stance == cycle.friction_stance


def test_the_exact_cycle_survives_being_saved(both, walks, tmp_path):
    both.first.trajectory.save(tmp_path / "trajectory.nc")
    again = read_exact_cycle(Trajectory.load(tmp_path / "trajectory.nc").data)
    for name, value in vars(walks.cycle).items():
        np.testing.assert_array_equal(getattr(again, name), value)


def test_scuffing_is_that_of_the_legs_at_mid_swing(walks):
    exact = -float(np.min(walks.machine.points(walks.cycle.x).foot_2[1]))
    # both sample a parabola of the same depth, at 1 ms and at 3 ms
    assert walks.first.scuffing == pytest.approx(exact, rel=1e-3)


def test_lengths_stand_where_the_report_has_them(drawn):
    dimension_sketch(LAB_CASE_1)
    lines = [np.array(line.get_xydata()) for line in drawn[0].axes[0].lines]
    legs = [line for line in lines if np.isclose(np.ptp(line, axis=0) @ np.ptp(line, axis=0), 0.64)]
    # two legs of 0.8 m from one hip onto one slope, whose feet are as far down it as along
    (first, second), slope = legs, lines[0]
    np.testing.assert_allclose(first[1], second[1])
    for leg in legs:
        (x, z), (down, fall) = leg[0] - slope[0], slope[1] - slope[0]
        assert abs(x * fall - z * down) < 1e-12
    centres = [line[0] for line in lines if len(line) == 1][:2]
    for centre, leg in zip(centres, legs, strict=True):
        assert np.linalg.norm(centre - leg[1]) == pytest.approx(0.5)  # s, from the hip


def test_the_report_has_its_figures_in_order(both):
    assert list(_figures(both)) == [
        "Phase portrait",
        "Return map",
        "Towards the cycle or away from it",
        "The walk: hybrid",
        "Friction that the standing foot needs",
        "Ground reaction inside its friction cone",
        "Steps",
        "Energy of the walk",
        "The walker's letters",
        "Generalized positions",
        "Generalized velocities",
    ]


def test_a_walk_without_a_heel_strike_has_its_figures():
    section = _section("hybrid", settings=("duration=0.2",))
    titles = _figures(section)
    assert "Return map" not in titles
    assert "Steps" not in titles
    assert "Phase portrait" in titles


def test_a_walker_without_a_gait_says_so_and_an_old_run_asks_to_be_run_again(both, monkeypatch):
    def none(*_):
        raise RunError("the compass has no periodic gait with these parameters.")

    monkeypatch.setattr(measures, "find_cycle", none)
    first = both.first
    context = context_of(both.scenario, both.robot)
    found = measures.find_exact_cycle(first.trajectory, context)
    names = [name for name in first.trajectory.data.data_vars if name.startswith("cycle_")]
    old = first.trajectory.data.drop_vars(names)
    for data, told in ((old.merge(found), "No periodic gait"), (old, "run the scenario again")):
        run = replace(first, trajectory=replace(first.trajectory, data=data))
        section = replace(both, runs={"hybrid": run})
        assert read_walks(section).cycle is None
        assert any(told in note for note in _notes(section))
    titles = _figures(section)
    assert {"Phase portrait", "Return map", "Steps"} <= set(titles)
    assert "Towards the cycle or away from it" not in titles


def test_notes_tell_scuffing_friction_and_stability(both):
    told = " ".join(_notes(both))
    for words in ("mm deep in hybrid", "coefficient of friction of 0.225", "is stable", "close to"):
        assert words in told
    assert "falls" not in told
    assert "Drake" not in told


def test_a_foot_that_is_in_the_ground_after_a_fall_does_not_count_as_scuffing():
    section = _section("hybrid", name="compass/goswami_push", settings=_PUSHED)
    (walk,) = read_walks(section).runs
    assert walk.scuffing < 0.02  # metres: a swing, pushed
    told = _notes(section)
    assert any("falls backwards" in note for note in told)
    assert "Return map" not in _figures(section)


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [(NAME, ("friction=0.1",), "too little"), ("compass/lab_case1", (), "is unstable")],
)
def test_notes_tell_that_a_gait_slides_or_is_unstable(name, settings, words):
    section = _section("hybrid", name=name, settings=("duration=0.2", *settings))
    assert any(words in note for note in _notes(section))


def test_the_return_map_holds_strikes_against_the_next_with_the_exact_fixed_point(both, walks):
    for k, panel in enumerate(_figures(both)["Return map"].shown):
        identity, fixed, *runs = panel.marks
        np.testing.assert_array_equal(identity.x, identity.y)
        exact = np.degrees(walks.cycle.published[k])
        np.testing.assert_array_equal((fixed.x, fixed.y), exact)
        for walk, mark in zip(walks.runs, runs, strict=True):
            states = np.degrees([strike.published[k] for strike in walk.strikes])
            np.testing.assert_array_equal(mark.x, states[:-1])
            np.testing.assert_array_equal(mark.y, states[1:])
        assert panel.scale("x").low == panel.scale("y").low < exact < panel.scale("x").high


def test_steps_and_their_friction_are_those_of_the_metrics(both, walks):
    charts, metrics = _figures(both), both.first.metrics
    for panel, name in zip(charts["Steps"].shown, ("step_period", "step_length"), strict=False):
        exact, first, *_ = panel.marks
        assert exact.y[0] == metrics[name.replace("step", "cycle")]
        assert first.y[0] == pytest.approx(metrics[name], abs=1e-9)
    energy = charts["Steps"].shown[2].marks
    assert energy[1].y == pytest.approx(metrics["energy_loss_per_step"], abs=1e-9)
    assert energy[0].y[0] == walks.cycle.lost
    ratio = charts["Friction that the standing foot needs"].shown[0].marks[0]
    assert np.nanmax(np.abs(ratio.y)) == pytest.approx(metrics["required_friction_stance"])


def test_axes_have_room_around_values_that_are_all_one():
    low, high = roomy(np.full(5, -2.0))
    assert low == pytest.approx(-2.02)
    assert high == pytest.approx(-1.98)
    assert roomy(np.array([1.0, 2.0])) == pytest.approx((0.9, 2.1))
    assert np.ptp(roomy(np.zeros(3))) > 0.0


def test_a_foot_that_touches_in_a_fall_is_no_strike_of_another_time():
    """Falling backwards, the legs of Moreau's walker meet on the ground: no strike is near."""
    section = _section("moreau", name="compass/goswami_push", settings=_PUSHED)
    (walk,) = read_walks(section).runs
    for strike in walk.strikes:
        # the ground takes at most 20 ms for a strike in any engine
        assert abs(strike.time - walk.time[strike.row]) <= 0.02 + STEP
    assert (np.diff([strike.time for strike in walk.strikes]) > 0.0).all()

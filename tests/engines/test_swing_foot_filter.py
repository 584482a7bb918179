"""Feet that take turns: the rule by itself, on two masses that fly as in one line, and on a compass
that walks.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import EventStatus
from tests.engines.alone import controlled
from tests.engines.tiny import GRAVITY, TWO_POINTS, columns, simulate, tiny
from tests.slow import some_slow

from footfall.contact import Mode
from footfall.errors import RunError, ScenarioError
from footfall.machines.compass.closed_form.model import LAB_CASE_2, Compass, heel_strike
from footfall.plants.contacts import SwingFeet
from footfall.plants.contacts.swing_foot_filter import (
    Foot,
    SwingFootFilter,
    off_after_step,
    off_at_start,
)
from footfall.plants.terrain import Terrain
from footfall.resources import share_root
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import dump_scenario, parse_scenario
from footfall.scenario.schema import InitialState, Scenario

DT = 1e-3
MASS = 2.0
ENGINES = some_slow(
    ["moreau", "drake-sap", "drake-lagged", "drake-similar"], "drake-lagged", "drake-similar"
)
TWO = ("moreau", "drake-sap")

FIRST_OFF, SECOND_OFF, NONE_OFF = (True, False), (False, True), (False, False)
NEITHER, FIRST, SECOND, BOTH = (False, False), (True, False), (False, True), (True, True)


# the rule by itself


@pytest.mark.parametrize(
    ("gaps", "places", "off"),
    [
        pytest.param((0.0, 0.1), (0.0, -0.2), SECOND_OFF, id="the higher foot behind swings"),
        pytest.param((0.0, 0.1), (0.0, 0.2), NONE_OFF, id="ahead it is about to touch down"),
        pytest.param((0.1, 0.0), (0.2, 0.0), NONE_OFF, id="whichever foot that is"),
        pytest.param((0.1, 0.0), (-0.2, 0.0), FIRST_OFF, id="and whichever swings"),
        pytest.param((0.0, 0.0), (0.0, 0.2), FIRST_OFF, id="of two on the ground the one behind"),
        pytest.param((1e-10, 0.0), (0.2, 0.0), SECOND_OFF, id="rounding does not make one lower"),
        pytest.param((-3e-3, -2e-3), (0.0, 0.2), SECOND_OFF, id="ahead, but not above the ground"),
        pytest.param((0.0, 0.0), (0.0, 0.0), SECOND_OFF, id="legs together: the first stands"),
    ],
)
def test_the_lower_foot_stands_at_the_start(gaps, places, off):
    assert off_at_start(gaps, places) == off


def long_feet(landed=0.0):
    """Feet of two points each, with no shapes: the rule alone."""
    feet = Foot(np.array([0, 1]), ()), Foot(np.array([2, 3]), ())
    return SwingFootFilter(feet, np.array([1.0, 0.0, 0.0]), landed)


def test_a_long_foot_is_ahead_where_its_middle_is():
    # heel and toe of a foot that stands, and of one a little ahead that tilts: its heel is lowest
    p_WC = np.zeros((4, 3))
    p_WC[:, 0] = [-0.1, 0.3, 0.0, 0.4]
    gap = np.array([0.01, 0.0, 0.02, 0.05])
    nothing_closed = np.zeros(0, dtype=np.int64)
    assert long_feet().off_after_step(SECOND_OFF, gap, p_WC, nothing_closed) == NONE_OFF
    assert long_feet().off_at_start(gap, p_WC) == NONE_OFF


def test_a_foot_below_the_height_that_is_given_has_landed_without_an_impulse():
    p_WC = np.zeros((4, 3))
    p_WC[:, 0] = [0.0, 0.1, 0.2, 0.3]
    soft, none = np.array([0.0, 0.0, 2e-6, 3e-6]), np.zeros(0, dtype=np.int64)
    assert long_feet().off_after_step(NONE_OFF, soft, p_WC, none) == NONE_OFF
    assert long_feet(1e-5).off_after_step(NONE_OFF, soft, p_WC, none) == FIRST_OFF
    assert long_feet(1e-6).off_after_step(NONE_OFF, soft, p_WC, none) == NONE_OFF
    # one that passes below the ground at mid-swing, off, has not
    assert long_feet(1e-5).off_after_step(SECOND_OFF, -soft, p_WC, none) == SECOND_OFF


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(
            [  # second foot swings: gaps, places, closed, off after it
                ((0.0, 5e-3), (0.0, -0.2), FIRST, SECOND_OFF),
                ((0.0, -1e-3), (0.0, -0.05), FIRST, SECOND_OFF),
                ((0.0, -1e-3), (0.0, 0.05), FIRST, SECOND_OFF),
                ((0.0, 1e-3), (0.0, 0.1), FIRST, NONE_OFF),
                ((0.0, 5e-3), (0.0, 0.2), FIRST, NONE_OFF),
                ((0.0, -1e-6), (0.0, 0.2), BOTH, FIRST_OFF),
                ((0.0, 0.0), (0.0, 0.2), SECOND, FIRST_OFF),
                ((1e-3, 0.0), (0.1, 0.2), SECOND, FIRST_OFF),
                ((1e-3, 0.0), (0.3, 0.2), SECOND, NONE_OFF),
            ],
            id="a walk",
        ),
        pytest.param(
            [
                ((0.0, 1e-3), (0.0, 0.1), FIRST, NONE_OFF),
                ((0.0, 1e-3), (0.0, -0.1), FIRST, SECOND_OFF),
                ((0.0, -1e-3), (0.0, -0.1), FIRST, SECOND_OFF),
            ],
            id="a foot that falls back behind the standing one",
        ),
        pytest.param(
            [
                ((0.1, 0.1), (0.0, -0.1), NEITHER, SECOND_OFF),
                ((0.1, 0.1), (0.0, 0.1), NEITHER, NONE_OFF),
                ((0.1, 0.1), (0.0, -0.1), NEITHER, NONE_OFF),
                ((0.1, 0.0), (0.0, -0.1), SECOND, NONE_OFF),
            ],
            id="in flight nothing is behind a foot that has closed",
        ),
        pytest.param(
            [((0.0, 1e-3), (0.0, 0.0), FIRST, SECOND_OFF)], id="side by side is not ahead"
        ),
    ],
)
def test_the_foot_behind_is_off_until_it_is_ahead_and_above(steps):
    off = SECOND_OFF if steps[0][3] != NONE_OFF else NONE_OFF
    for gaps, places, closed, expected in steps:
        off = off_after_step(off, gaps, places, closed)
        assert off == expected


LENGTH = st.floats(-1.0, 1.0)
LENGTHS = st.tuples(LENGTH, LENGTH)


@given(
    start=st.tuples(LENGTHS, LENGTHS),
    steps=st.lists(st.tuples(LENGTHS, LENGTHS, st.tuples(st.booleans(), st.booleans()))),
)
def test_never_are_both_feet_off(start, steps):
    off = off_at_start(*start)
    assert not all(off)
    for gaps, places, touching in steps:
        closed = touching[0] and not off[0], touching[1] and not off[1]  # an off foot never closes
        after = off_after_step(off, gaps, places, closed)
        assert not all(after)
        assert off_after_step(after, gaps, places, closed) == after
        # both are on at the latest when the foot is ahead and above: a foot that closes is ahead
        for foot in (0, 1):
            if off[foot] and not after[foot]:
                assert places[foot] > places[1 - foot]
                assert gaps[foot] > 0.0
        # mirrored, the feet exchange what they are
        swapped = [pair[::-1] for pair in (off, gaps, places, closed)]
        assert off_after_step(*swapped) == after[::-1]
        off = after


# two masses of 2 kg side by side: b flies over a, which stands at the origin


def _masses(folder, way=1.0, rule=True, **start):
    feet = SwingFeet(["two::a", "two::b"], ahead=[2.0 * way, 0.0])
    return tiny(
        folder,
        TWO_POINTS,
        welded="slope",
        duration=0.3,
        time_step=DT,
        alternating_feet=feet if rule else None,
        positions={"z_a": -1e-12, "x_b": way * start["x"], "z_b": start["z"]},
        velocities={"x_b": way * start["vx"], "z_b": start.get("vz", 0.0)},
    )


def _normal(result, *names):
    """Normal impulses of contacts, (time, k)."""
    return result.trajectory.data["impulse"].sel(contact=list(names), axis="n").to_numpy()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_foot_that_comes_down_behind_passes_through_the_ground(tmp_path, engine, way):
    # it falls from 2 cm through the ground 13 cm behind, and is below it when it gets ahead
    scenario = _masses(tmp_path, way, x=-0.2, z=0.02, vx=1.0)
    result = simulate(scenario, engine)
    time, x, z = columns(result, "x_b", "z_b")
    assert (way * x[-1], z[-1] < -0.1) == (pytest.approx(0.1, abs=1e-9), True)
    # free fall; Drake's step is first order in time, g t dt / 2
    error = 1e-12 if engine == "moreau" else GRAVITY * 0.3 * DT
    assert z == pytest.approx(0.02 - 0.5 * GRAVITY * time**2, abs=error)
    data = result.trajectory.data
    assert not data["impulse"].sel(contact="two::b").to_numpy().any()
    assert (data["mode"].sel(contact="two::b") == int(Mode.OPEN)).all()
    # its row keeps telling where it is: Moreau's of the middle of the step, half a step before
    gap = data["gap"].sel(contact="two::b").to_numpy()
    assert np.abs(gap - z).max() <= 0.5 * DT * (GRAVITY * 0.3) + 1e-9
    # the foot that stands carries its weight all the while; Drake's springs may ring at first
    weight = _normal(result, "two::a")[-100:]
    assert weight == pytest.approx(MASS * GRAVITY * DT, rel=1e-6 if engine == "moreau" else 0.02)


@pytest.mark.parametrize("engine", TWO)
def test_without_the_rule_it_stubs(tmp_path, engine):
    result = simulate(_masses(tmp_path, rule=False, x=-0.2, z=0.02, vx=1.0), engine)
    _, x, z = columns(result, "x_b", "z_b")
    stub = int(np.argmax(_normal(result, "two::b") > 0.0))
    assert x[stub] == pytest.approx(-0.2 + np.sqrt(2.0 * 0.02 / GRAVITY), abs=3.0 * DT)
    assert z.min() > -2e-3
    assert x[-1] < 0.0  # friction, mu = 1, stops it


@pytest.mark.parametrize("engine", ENGINES)
def test_a_foot_that_comes_down_ahead_closes_and_the_one_behind_lets_go(tmp_path, engine):
    # b starts behind, rises at once and lands 14 cm ahead of a, whose turn then begins
    result = simulate(_masses(tmp_path, x=-0.1, z=0.01, vx=1.0, vz=1.0), engine)
    time, z_a, x_b, z_b = columns(result, "z_a", "x_b", "z_b")
    impulse = _normal(result, "two::a", "two::b")
    strike = int(np.argmax(impulse[:, 1] > 0.0))
    fall = (1.0 + np.sqrt(1.0 + 2.0 * GRAVITY * 0.01)) / GRAVITY
    # the law acts at most two steps late
    assert time[strike] == pytest.approx(fall, abs=2.5 * DT)
    assert x_b[strike] > 0.0
    # what the landing takes, M v, and what ten steps of weight add; sap's springs rebound besides
    taken = impulse[strike : strike + 10, 1].sum() / (MASS * (GRAVITY * fall - 1.0))
    assert 0.99 < taken < (1.1 if engine == "moreau" else 1.3)
    assert z_b[strike:].min() > -2e-3
    # in the step of the strike a was on still, and carried its weight; no more after it
    assert impulse[strike, 0] == pytest.approx(MASS * GRAVITY * DT, rel=0.05)
    assert not impulse[strike + 1 :, 0].any()
    since = time[strike:] - time[strike]
    error = 1e-9 if engine == "moreau" else GRAVITY * 0.1 * DT + 1e-4
    assert z_a[strike:] - z_a[strike] == pytest.approx(-0.5 * GRAVITY * since**2, abs=error)


def test_recovered_gaps_leave_a_foot_alone_that_is_off(tmp_path):
    scenario = _masses(tmp_path, x=-0.1, z=0.01, vx=1.0, vz=1.0)
    scenario.moreau.recover_gaps = True
    result = simulate(scenario)
    time, z_a = columns(result, "z_a")
    strike = int(np.argmax(_normal(result, "two::b") > 0.0))
    since = time[strike:] - time[strike]
    assert z_a[strike:] - z_a[strike] == pytest.approx(-0.5 * GRAVITY * since**2, abs=1e-9)


# two bricks: feet of many points

BRICKS = """<robot name="bricks" xmlns:drake="http://drake.mit.edu">
  <link name="slope"/>{}
  <drake:collision_filter_group name="all">
    <drake:member link="brick_a"/><drake:member link="brick_b"/>
    <drake:ignored_collision_filter_group name="all"/>
  </drake:collision_filter_group>
</robot>""".format(
    "".join(
        f"""<link name="rail_{k}"/>
  <joint name="x_{k}" type="prismatic"><parent link="slope"/><child link="rail_{k}"/>
    <axis xyz="1 0 0"/><limit effort="0"/></joint>
  <joint name="z_{k}" type="prismatic"><parent link="rail_{k}"/><child link="brick_{k}"/>
    <axis xyz="0 0 1"/><limit effort="0"/></joint>
  <link name="brick_{k}">
    <inertial><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
    <collision name="toe_{k}"><origin xyz="0.1 0 0.01"/>
      <geometry><box size="0.05 0.04 0.02"/></geometry></collision>
    <collision name="heel_{k}"><origin xyz="-0.1 0 0.01"/>
      <geometry><box size="0.05 0.04 0.02"/></geometry></collision>
  </link>"""
        for k in "ab"
    )
)


@pytest.mark.parametrize("engine", TWO)
def test_feet_of_many_points_and_shapes_are_off_as_a_whole(tmp_path, engine):
    scenario = tiny(
        tmp_path,
        BRICKS,
        welded="slope",
        duration=0.1,
        time_step=DT,
        alternating_feet=SwingFeet(["bricks::*_a", "bricks::*_b"]),
        positions={"x_b": -0.05, "z_a": -1e-12, "z_b": 0.01},
    )
    swing_foot_filter = build_robot(scenario).contacts.swing_foot_filter
    assert [len(foot.points) for foot in swing_foot_filter.feet] == [16, 16]
    result = simulate(scenario, engine)
    time, z_a, z_b = columns(result, "z_a", "z_b")
    error = 1e-12 if engine == "moreau" else GRAVITY * 0.1 * DT
    assert z_b == pytest.approx(0.01 - 0.5 * GRAVITY * time**2, abs=error)
    assert z_a[-1] == pytest.approx(0.0, abs=1e-4)


# the compass walks down its slope

FEET = ["compass::foot_1", "compass::foot_2"]
MACHINE = Compass(LAB_CASE_2)
# published limit cycle before the impact (q1, q1', q2') of laboratory case 2; both feet are on the
# ground then: 2 q1 + q2 = pi
BEFORE = np.array([-0.1933, np.pi + 2.0 * 0.1933, -2.0262, -0.1253])


def _walk(folder, *, rule=True, duration=0.75, **fields):
    """Begin just after a heel strike: leg 1 stands ahead, foot 2 touches the ground behind."""
    x = heel_strike(MACHINE, BEFORE)
    hip, v_hip = MACHINE.points(x).hip, MACHINE.velocities(x).hip
    start = InitialState(
        positions={"x": hip[0], "z": hip[1] - 1e-12, "q1": x[0], "q2": x[1]},
        velocities={"x": v_hip[0], "z": v_hip[1], "q1": x[2], "q2": x[3]},
    )
    model = AddModel(name="compass", file=str(_case_2(folder)))
    weld = AddWeld(parent="terrain", child="compass::slope")
    return Scenario(
        directives=[ModelDirective(add_model=model), ModelDirective(add_weld=weld)],
        terrain=Terrain(slope_deg=-3.0),
        friction=1.0,
        duration=duration,
        time_step=fields.pop("time_step", DT),
        alternating_feet=SwingFeet(FEET) if rule else None,
        initial=start,
        **fields,
    )


def _case_2(folder) -> Path:
    """The shipped compass, which is case 1, with the legs of case 2."""
    text = (share_root() / "urdf" / "compass" / "compass.urdf").read_text(encoding="utf-8")
    for old, new in (("0 0 -0.5", "0 0 -0.45"), ("0 0 0.5", "0 0 0.45"), ('"0.1"', '"0.08"')):
        assert old in text
        text = text.replace(old, new)
    path = folder / "compass.urdf"
    path.write_text(text, encoding="utf-8")
    return path


def _strike(result):
    """Step in which foot 2 closes, behind the first ones, in which it leaves the ground."""
    impulse = _normal(result, *FEET)
    return int(np.flatnonzero(impulse[:, 1] > 0.0)[0]), impulse


@pytest.mark.parametrize("engine", ENGINES)
def test_a_compass_scuffs_unhindered_and_strikes_ahead_with_the_new_foot_only(tmp_path, engine):
    result = simulate(_walk(tmp_path), engine)
    data = result.trajectory.data
    time, q1, q2, w1, w2 = columns(result, "q1", "q2", "v:q1", "v:q2")
    strike, impulse = _strike(result)
    gap = data["gap"].sel(contact=FEET).to_numpy()
    # at mid-swing the swinging foot is a millimetre below the ground, and nobody holds it
    middle = gap[100:strike, 1]
    assert -4e-3 < middle.min() < -1e-3
    assert not impulse[1:strike, 1].any()
    # one period of the published cycle later it touches down descending, ahead by a step length
    before = np.array([q1, q2, w1, w2])[:, strike - 1]
    assert q2[strike] - np.pi > 0.3
    assert gap[strike - 1, 1] < gap[strike - 2, 1]
    # first order in time, and a strike that is seen up to two steps late at 15 rad/s^2; Drake's
    # stance foot hops and creeps besides
    assert before == pytest.approx(BEFORE, abs=0.02 if engine == "moreau" else 0.05)
    # the law of impact gives the old foot nothing, although it is on: in Drake at most what it
    # bore in the step before
    assert impulse[strike, 1] > 1.0
    assert impulse[strike, 0] <= (0.0 if engine == "moreau" else impulse[strike - 1, 0] + 1e-12)
    assert not impulse[strike + 1 :, 0].any()
    # and then it swings in its turn, through the ground as well
    assert gap[strike + 5 :, 0].max() > 5e-3
    assert time[strike] == pytest.approx(0.648, abs=5e-3)


# the memory is in the context


def _simulator(scenario, engine):
    return controlled(scenario, engine)[:3]


def _outputs(system, context):
    return np.concatenate(
        [system.GetOutputPort(name).Eval(context) for name in ("state", "contact_impulses")]
    )


@pytest.mark.parametrize("engine", some_slow(TWO, "drake-sap"))
def test_a_context_put_back_at_mid_swing_walks_on_bit_by_bit(tmp_path, engine):
    # at 0.25 s the swinging foot is below the ground: from the state alone it would stand
    simulator, system, context = _simulator(_walk(tmp_path), engine)
    system.watch(simulator)
    simulator.AdvanceTo(0.25)
    saved = simulator.get_context().Clone()
    gap = system.GetOutputPort("contact_report").Eval(context).gap
    assert gap[1] < -5e-4
    ends = []
    simulator.AdvanceTo(0.75)  # past the strike: another foot is off
    ends.append(_outputs(system, context))
    simulator.get_mutable_context().SetTimeStateAndParametersFrom(saved)
    simulator.Initialize()
    simulator.AdvanceTo(0.75)
    ends.append(_outputs(system, context))
    other = Simulator(simulator.get_system(), saved)
    system.watch(other)
    other.AdvanceTo(0.75)
    ends.append(_outputs(system, system.GetMyContextFromRoot(other.get_context())))
    assert ends[0][-3] > 0.0  # foot 2 stands at the end
    assert np.array_equal(ends[0], ends[1])
    assert np.array_equal(ends[0], ends[2])


@pytest.mark.parametrize("engine", TWO)
def test_two_contexts_have_feet_of_their_own(tmp_path, engine):
    simulator, system, context = _simulator(_walk(tmp_path), engine)
    system.watch(simulator)
    simulator.AdvanceTo(0.3)
    expected = _outputs(system, context)
    simulator, system, context = _simulator(_walk(tmp_path), engine)
    other = Simulator(simulator.get_system(), simulator.get_context().Clone())
    for one in (simulator, other):
        system.watch(one)
    other.AdvanceTo(0.7)  # there foot 1 is off by now
    for k in range(1, 301):
        simulator.AdvanceTo(k * DT)
        if k % 100 == 0:
            other.AdvanceTo(0.7 + 1e-4 * k)
    assert np.array_equal(_outputs(system, context), expected)


def test_setting_a_state_forgets_who_was_off(tmp_path):
    for engine in TWO:
        scenario = _walk(tmp_path)
        simulator, system, context = _simulator(scenario, engine)
        system.watch(simulator)
        simulator.AdvanceTo(0.7)
        assert _outputs(system, context)[-3] > 0.0
        system.set_state(context, build_robot(scenario).initial_state)
        simulator.AdvanceTo(0.71)
        assert _outputs(system, context)[-6] > 0.0
        assert _outputs(system, context)[-3] == 0.0


def test_drake_refuses_to_step_when_nobody_switches(tmp_path):
    simulator, _, _ = _simulator(_walk(tmp_path), "drake-sap")
    with pytest.raises(RunError, match=r"nobody carries alternating_feet out.*watch\(simulator\)"):
        simulator.AdvanceTo(0.01)


def test_watching_keeps_the_monitor_that_was_there(tmp_path):
    simulator, system, context = _simulator(_walk(tmp_path), "drake-sap")
    seen = []

    def monitor(root):
        seen.append(root.get_time())
        done = root.get_time() > 0.0205
        return EventStatus.ReachedTermination(system, "seen enough") if done else None

    simulator.set_monitor(monitor)
    system.watch(simulator)
    simulator.AdvanceTo(0.1)
    assert seen[-1] == pytest.approx(0.021, abs=1e-12)
    assert _outputs(system, context)[-3] == 0.0


# what a scenario may say


def _two(folder, **rule):
    feet = SwingFeet(**rule)
    return build_robot(tiny(folder, TWO_POINTS, welded="slope", alternating_feet=feet))


def _refused(folder, **rule):
    with pytest.raises(ScenarioError) as refused:
        _two(folder, **rule)
    message = str(refused.value)
    assert "\n" not in message
    return message


def test_wrong_rules_are_refused_in_one_line(tmp_path):
    assert "called 'two::aa'; did you mean 'two::a'?" in _refused(
        tmp_path, feet=["two::aa", "two::b"]
    )
    assert "'two::a' is in both feet" in _refused(tmp_path, feet=["two::a", "two::*"])
    assert "has 1 name(s)" in _refused(tmp_path, feet=["two::a"])
    assert "has 0 name(s)" in _refused(tmp_path)
    feet = ["two::a", "two::b"]
    for ahead in ([0.0, 0.0], [1.0], [np.inf, 0.0], [np.nan, 1.0], [1.0, 0.0, 0.0]):
        assert "give a direction along x and y" in _refused(tmp_path, feet=feet, ahead=ahead)
    for landed in (-1e-6, np.nan, np.inf):
        assert "give a finite height from 0 on" in _refused(tmp_path, feet=feet, landed=landed)


def test_what_is_written_is_read_back(tmp_path):
    text = dump_scenario(_masses(tmp_path, -1.0, x=-0.2, z=0.02, vx=1.0))
    scenario = parse_scenario(text)
    assert scenario.alternating_feet == SwingFeet(["two::a", "two::b"], [-2.0, 0.0])
    assert dump_scenario(scenario) == text
    assert parse_scenario("alternating_feet: null").alternating_feet is None
    for wrong in ("{feet: a}", "{ahead: [0, 0], feet: [a, b]}", "{foot: [a, b]}"):
        with pytest.raises(ScenarioError, match="alternating_feet"):
            parse_scenario(f"alternating_feet: {wrong}")

"""Starts that leave loops open or joint limits, moved to the nearest that do not."""

import numpy as np
import pytest
from pydrake.multibody.parsing import ModelDirective
from tests.engines.test_moreau_constraints import BOB, CLOSED, FOUR_BAR
from tests.engines.tiny import GEARS, STOPPED, columns, simulate, tiny

from footfall.errors import ScenarioError
from footfall.plants.constraints import Ball, Coupler
from footfall.plants.dynamics import Dynamics
from footfall.plants.nearest_posture import nearest_posture
from footfall.run_folder import make_run_folder
from footfall.saved import save_run
from footfall.scenario.assemble import build_robot
from footfall.scenario.drop import drop_scenario
from footfall.scenario.io import load_scenario, parse_scenario
from footfall.scenario.schema import InitialState
from footfall.trajectory.events import MOVED_START
from footfall.verify.cases.four_bar import LINKAGE

NAMES = ("hinge0", "couple", "hinge1")
# rods and bar are of one length: closed postures are (t, -t, t), and the nearest to a start is the
# foot of the perpendicular, t = (hinge0 - couple + hinge1) / 3
START = {"hinge0": 0.3, "couple": -0.2, "hinge1": 0.1}
FOOT = 0.2


def _limited(**limits):
    """Write the four-bar with limits (lower, upper) of some joints."""
    text = FOUR_BAR
    for name, (lower, upper) in limits.items():
        limit = f'<limit lower="{lower}" upper="{upper}" effort="0"/>'
        head = f'<joint name="{name}" type="revolute">'
        text = text.replace(head, head + limit)
    return text


def _posture(scenario):
    robot = build_robot(scenario)
    names = robot.plant.GetPositionNames(always_add_suffix=False)
    q = robot.initial_state[: robot.plant.num_positions()]
    return robot, [q[names.index(f"four_bar_{n}" if n not in names else n)] for n in NAMES]


def _placed(scenario, joints):
    """Return the directive of a scenario's model with default positions of joints."""
    model = scenario.directives[0].add_model
    model.default_joint_positions = joints
    return ModelDirective(add_model=model)


def _four_bar(folder, text=FOUR_BAR, **positions):
    return tiny(
        folder, text, welded="base", duration=0.01, constraints=[CLOSED],
        positions=START | positions,
    )  # fmt: skip


def test_an_open_four_bar_begins_at_the_foot_of_the_perpendicular(tmp_path):
    robot, posture = _posture(_four_bar(tmp_path))
    # t is found to the last step of the search, the loop is closed to rounding
    assert posture == pytest.approx([FOOT, -FOOT, FOOT], abs=1e-7)
    assert posture[0] == pytest.approx(posture[2], abs=1e-12)
    assert "open by" in robot.start_notes[0]
    assert "hinge0 0.3 -> 0.2 rad" in robot.start_notes[0]


def test_limits_hold_while_loops_close(tmp_path):
    text = _limited(hinge1=(-1.0, 0.15))
    _, posture = _posture(_four_bar(tmp_path, text))
    assert posture == pytest.approx([0.15, -0.15, 0.15], abs=1e-9)


def test_a_posture_that_no_limit_allows_is_refused_with_what_is_left(tmp_path):
    text = _limited(hinge0=(-0.1, 0.1), hinge1=(0.5, 0.6))
    with pytest.raises(ScenarioError, match=r"leaves 0\.\d+: correct") as refused:
        build_robot(_four_bar(tmp_path, text, hinge1=0.5))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_every_engine_begins_there_and_the_folder_says_so(tmp_path, engine):
    scenario = _four_bar(tmp_path)
    run = simulate(scenario, engine)
    first = [values[0] for values in columns(run, *NAMES)[1:]]
    assert first == pytest.approx([FOOT, -FOOT, FOOT], abs=1e-7)
    assert [event.kind for event in run.trajectory.events if event.kind == MOVED_START]
    folder = make_run_folder("bar", engine, tmp_path / "out")
    save_run(folder, "bar", scenario, run)
    kept = parse_scenario(folder.read_scenario())
    assert [kept.initial.positions[name] for name in NAMES] == first
    # run again it needs no moving
    assert build_robot(kept).start_notes == ()


def test_a_closed_start_stays_bit_by_bit(tmp_path):
    closed = {"hinge0": 0.123456, "couple": -0.123456, "hinge1": 0.123456}
    robot, posture = _posture(_four_bar(tmp_path, **closed))
    assert posture == [0.123456, -0.123456, 0.123456]
    assert robot.start_notes == ()


GEAR = Coupler(joint0="hinge0", joint1="hinge1", gear_ratio=2.0, offset=0.1)


@pytest.mark.parametrize(
    ("named", "moved"),
    [
        # q0 = 2 q1 + 0.1: a follower follows, a leader as well where the follower is named
        ({}, {"hinge0": 0.1}),
        ({"hinge1": 0.2}, {"hinge0": 0.5}),
        ({"hinge0": 0.5}, {"hinge1": 0.2}),
        # of two that contradict each other the leader stays
        ({"hinge0": 0.5, "hinge1": 0.1}, {"hinge0": 0.3}),
    ],
)
def test_gears_move_what_is_not_named(tmp_path, named, moved):
    scenario = tiny(tmp_path, FOUR_BAR, welded="base", constraints=[GEAR], positions=named)
    robot = build_robot(scenario)
    assert robot.moved == pytest.approx(moved, abs=1e-7)
    (note,) = robot.start_notes
    for name, value in moved.items():
        assert f"{name} {named.get(name, 0.0):g} -> {value:g} rad" in note
    assert ("name hinge1 alone, which the others follow" in note) == (len(named) == 2)


def test_a_start_beyond_a_joint_limit_moves_to_the_limit(tmp_path):
    text = STOPPED.format(effort=0, damping=0)
    robot = build_robot(tiny(tmp_path, text, welded="base", positions={"swing": 0.7}))
    assert robot.moved == {"swing": 0.5}
    assert "exceeded a joint limit by 0.2" in robot.start_notes[0]


def test_a_named_joint_stays_and_the_loop_follows(tmp_path):
    scenario = tiny(
        tmp_path, FOUR_BAR, welded="base", constraints=[CLOSED], positions={"hinge0": 0.3}
    )
    assert _posture(scenario)[1] == pytest.approx([0.3, -0.3, 0.3], abs=1e-9)
    # a joint that a directive places gives way to one that the scenario names
    placed = {"hinge0": [0.5], "couple": [0.0], "hinge1": [0.0]}
    scenario.directives[0] = _placed(scenario, placed)
    assert _posture(scenario)[1] == pytest.approx([0.3, -0.3, 0.3], abs=1e-9)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap", "drake-lagged"])
@pytest.mark.parametrize(
    ("named", "leader"),
    [({"a": 8.0}, 8.0), ({"c": -8.0}, 8.0), ({"a": 1.0, "b": 0.0}, 0.05 / (0.05 + 4 * 0.02))],
)
def test_gears_turn_from_the_start_as_their_teeth_let_them(tmp_path, engine, named, leader):
    # named a and b contradict each other: 0.05 (a - 1)^2 + 0.02 b^2 is least on b = -2 a
    scenario = tiny(tmp_path, GEARS, welded="stand", duration=0.003, positions={"a": 0.4})
    scenario.initial.velocities = named
    run = simulate(scenario, engine)
    start = {name: columns(run, name)[1][0] for name in "abc"}
    assert start == pytest.approx({"a": 0.4, "b": -0.5, "c": -0.25}, abs=1e-12)
    v = run.trajectory.data["v"].to_numpy()
    # nothing acts on the wheels: no impulse at the first step, which Drake solves to its tolerance
    assert v == pytest.approx(np.tile([leader, -2 * leader, -leader], (4, 1)), rel=1e-6)
    told = [event for event in run.trajectory.events if event.kind == MOVED_START]
    assert all(event.time == 0.0 for event in told)
    assert ("name a alone" in told[-1].what) == (len(named) == 2)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize("scheme", ["moreau", "implicit-midpoint"])
def test_a_four_bar_whose_crank_is_named_turns_by_freudensteins_ratios(engine, scheme):
    crank = 8.0
    scenario = load_scenario("verify/four_bar", ["duration=1e-3", f"moreau.scheme={scheme}"])
    scenario.initial = InitialState({"phi": 0.0}, {"phi": crank})
    scenario.directives[0] = _placed(scenario, {"coupler": [1.0], "psi": [1.8]})
    run = simulate(scenario, engine)
    _, phi, psi = columns(run, "phi", "psi")
    assert phi[0] == 0.0
    assert psi[0] == pytest.approx(float(LINKAGE.angles(np.array(0.0)).psi), abs=1e-9)
    v = run.trajectory.data["v"].to_numpy()
    names = [str(name) for name in run.trajectory.data["velocity"].to_numpy()]
    angles = LINKAGE.angles(np.array(0.0))
    rates = LINKAGE.ratios(angles)
    relative = [1.0, float(rates.beta) - 1.0, float(rates.psi)]  # the coupler turns on the crank
    at = [names.index(name) for name in ("phi", "coupler", "psi")]
    assert v[0, at] == pytest.approx(crank * np.array(relative), rel=1e-9)
    energy = (run.trajectory.data["kinetic_energy"] + run.trajectory.data["potential_energy"]).data
    # an impulse took four fifths of it; a step of 0.5 ms of the first order takes 1e-3
    assert energy[1] == pytest.approx(energy[0], abs=5e-3 * LINKAGE.energy(0.0, crank))


def test_a_free_base_comes_to_where_a_loop_wants_it(tmp_path):
    # a body in space that is tied to the ground's anchor: only its base can close the loop
    tie = Ball(a="bob::bob", b="bob::anchor", p_AP=[0.0, 0.0, 1.0])
    scenario = tiny(
        tmp_path, BOB, welded="anchor", constraints=[tie],
        positions={"bob_qw": 1.0, "bob_x": 0.1, "bob_z": -0.8},
    )  # fmt: skip
    state = build_robot(scenario).initial_state
    q, p = state[:4], state[4:7]
    # the tied point is R z from the body's origin: R z = (2(xz + wy), 2(yz - wx), 1 - 2(xx + yy))
    w, x, y, z = q
    tied = p + np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    assert tied == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_linkage_of_many_loops_is_closed_along_the_shortest_way():
    robot = build_robot(load_scenario("pasibot/walk"))
    closed = robot.initial_state[: robot.plant.num_positions()]
    start = closed + np.random.default_rng(1).uniform(-0.1, 0.1, len(closed))
    found = nearest_posture(robot.model, robot.contacts, start).q
    residual, rows = Dynamics(robot.model, robot.contacts).bilateral_violation(found)
    assert np.abs(residual).max() < 1e-12
    # the way from the start has no part along the motions that the loops leave free, or it would
    # not be the shortest; 1e-6: the weight of the equations is finite
    singular = np.linalg.svd(rows)
    free = singular.Vh[(singular.S > 1e-9).sum() :]
    assert len(free) > 0
    assert np.abs(free @ (found - start)).max() < 1e-6
    assert np.abs(found - start).max() > 0.05


def _sdf(folder):
    """Write a hand with a finger that mimics another, free in space."""
    links = "".join(
        f"<link name='{name}'><inertial><mass>1</mass></inertial><collision name='{name}'>"
        "<geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>"
        for name in "hab"
    )
    joints = "".join(
        f"<joint name='{name}' type='revolute'><parent>h</parent><child>{child}</child>"
        f"<axis><xyz>0 1 0</xyz>{limit}</axis>{mimic}</joint>"
        for name, child, limit, mimic in (
            ("leads", "a", "<limit><lower>0.2</lower><upper>1</upper></limit>", ""),
            ("follows", "b", "", "<drake:mimic joint='leads' multiplier='-2' offset='0.1'/>"),
        )
    )
    path = folder / "hand.sdf"
    path.write_text(
        "<sdf version='1.9' xmlns:drake='drake.mit.edu'><model name='hand'>"
        f"{links}{joints}</model></sdf>"
    )
    return path


def test_a_follower_of_an_sdf_file_follows_where_drop_puts_its_leader(tmp_path):
    # the leader starts on its limit, as its default lies outside
    robot = build_robot(drop_scenario(str(_sdf(tmp_path))).scenario)
    names = robot.plant.GetPositionNames(always_add_suffix=False)
    q = dict(zip((n.removeprefix("hand_") for n in names), robot.initial_state, strict=False))
    assert (q["leads"], q["follows"]) == pytest.approx((0.2, -0.3))

"""Starts that leave loops open or joint limits, moved to the nearest that do not."""

import numpy as np
import pytest
from tests.engines.test_moreau_constraints import BOB, CLOSED, FOUR_BAR
from tests.engines.tiny import STOPPED, columns, simulate, tiny

from footfall.errors import ScenarioError
from footfall.plants.constraints import Ball, Coupler
from footfall.plants.dynamics import Dynamics
from footfall.plants.nearest_posture import nearest_posture
from footfall.run_folder import make_run_folder
from footfall.saved import save_run
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario, parse_scenario
from footfall.trajectory.events import MOVED_START

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


def test_gears_share_the_way_and_a_limit_is_its_own_nearest_posture(tmp_path):
    gear = Coupler(joint0="hinge0", joint1="hinge1", gear_ratio=2.0)
    scenario = tiny(
        tmp_path, FOUR_BAR, welded="base", constraints=[gear], positions={"hinge0": 0.5}
    )
    robot = build_robot(scenario)
    # nearest to (0.5, 0) on q0 = 2 q1: the foot (0.4, 0.2)
    assert robot.moved == pytest.approx({"hinge0": 0.4, "hinge1": 0.2}, abs=1e-7)
    text = STOPPED.format(effort=0, damping=0)
    robot = build_robot(tiny(tmp_path, text, welded="base", positions={"swing": 0.7}))
    assert robot.moved == {"swing": 0.5}
    assert "exceeded a joint limit by 0.2" in robot.start_notes[0]


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

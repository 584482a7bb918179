"""Closed loops, gears and dry joints in the Moreau engine, against mechanics and Drake's own."""

import numpy as np
import pytest
from scipy.integrate import quad
from tests.engines.tiny import GRAVITY, columns, simulate, tiny
from tests.slow import some_slow

from footfall.errors import ModelError
from footfall.plants.constraints import Ball, Coupler, Distance, Weld

# a free point of 1 kg that is only told how to move; a small inertia keeps it regular
BOB = """<robot name="bob"><link name="anchor"/><link name="bob">
  <inertial><mass value="1"/>
    <inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial></link></robot>"""

# two rods of 1 m, 1 kg, hinged 1 m apart to the same base; their tips are 1 m apart
FOUR_BAR = """<robot name="four_bar"><link name="base"/>{}
  <joint name="couple" type="revolute"><parent link="rod0"/><child link="bar"/>
    <origin xyz="0 0 -1"/><axis xyz="0 -1 0"/></joint>
  <link name="bar"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0.0833333333333333" iyz="0" izz="0.0833333333333333"/>
    </inertial></link></robot>""".format(
    "".join(
        f"""<joint name="hinge{k}" type="revolute"><parent link="base"/><child link="rod{k}"/>
      <origin xyz="{k} 0 2"/><axis xyz="0 -1 0"/></joint>
      <link name="rod{k}"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
        <inertia ixx="0.0833333333333333" ixy="0" ixz="0" iyy="0.0833333333333333" iyz="0" izz="0"/>
      </inertial></link>"""
        for k in range(2)
    )
)
CLOSED = Ball(a="four_bar::bar", b="four_bar::rod1", p_AP=[1.0, 0.0, 0.0], p_BQ=[0.0, 0.0, -1.0])


def _pendulum_period(length, amplitude):
    """Exact period by the elliptic integral, for a point mass."""
    k = np.sin(amplitude / 2.0)
    integral, _ = quad(lambda p: 1.0 / np.sqrt(1.0 - (k * np.sin(p)) ** 2), 0.0, np.pi / 2.0)
    return 4.0 * np.sqrt(length / GRAVITY) * integral


@pytest.mark.parametrize("kind", some_slow(["ball", "distance"], "ball"))
def test_a_constrained_point_is_a_pendulum(tmp_path, kind):
    length, amplitude = 0.8, 1.0
    start = length * np.array([np.sin(amplitude), -np.cos(amplitude)])
    if kind == "distance":
        constraint = Distance(a="bob::bob", b="bob::anchor", distance=length)
    else:
        arm = [float(-start[0]), 0.0, float(-start[1])]
        constraint = Ball(a="bob::bob", b="bob::anchor", p_AP=arm)
    scenario = tiny(
        tmp_path, BOB, welded="anchor", duration=2.5, constraints=[constraint],
        positions={"bob_qw": 1.0, "bob_x": start[0], "bob_z": start[1]},
    )  # fmt: skip
    run = simulate(scenario)
    data = run.trajectory.data
    time, x, z = columns(run, "bob_x", "bob_z")
    crossings = time[np.flatnonzero(np.diff(np.sign(x)) != 0)]
    inertia = 1e-3 if kind == "ball" else 0.0  # a point held by its arm turns with it
    stretch = np.sqrt(1.0 + inertia / length**2)
    expected = stretch * _pendulum_period(length, amplitude) / 2.0
    assert np.diff(crossings) == pytest.approx([expected] * (len(crossings) - 1), abs=2e-3)
    # projected back at every step: the length stays to rounding
    assert np.hypot(x, z) == pytest.approx(np.full(len(x), length), abs=1e-12)
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    assert np.ptp(energy) < 2e-2 * GRAVITY * length  # first order in dt


def test_drakes_four_bar_agrees_and_shows_its_gap(tmp_path):
    positions = {"hinge0": 0.1, "hinge1": 0.1, "couple": -0.1}
    scenario = tiny(
        tmp_path, FOUR_BAR, welded="base", duration=1.0, constraints=[CLOSED], positions=positions
    )
    ours, drakes = (columns(simulate(scenario, e), "hinge0")[1] for e in ("moreau", "drake-sap"))
    # both are first order in dt; Drake's loop opens by some micrometres
    assert np.abs(ours - drakes).max() < 1e-3


def test_a_coupler_gears_two_rods(tmp_path):
    scenario = tiny(
        tmp_path, FOUR_BAR, welded="base", duration=0.5, positions={"hinge0": 0.3, "hinge1": 0.16},
        constraints=[Coupler(joint0="hinge0", joint1="hinge1", gear_ratio=2.0, offset=-0.02)],
    )  # fmt: skip
    _, first, second = columns(simulate(scenario), "hinge0", "hinge1")
    assert np.abs(first - (2.0 * second - 0.02)).max() < 1e-12
    assert np.ptp(first) > 0.1


def test_a_weld_holds_a_free_body(tmp_path):
    scenario = tiny(
        tmp_path, BOB, welded="anchor", duration=0.3, constraints=[Weld("bob::bob", "bob::anchor")],
        positions={"bob_qw": 1.0}, velocities={"bob_vx": 1.0, "bob_wy": 1.0},
    )  # fmt: skip
    data = simulate(scenario).trajectory.data
    assert np.abs(data["v"].to_numpy()[1:]).max() < 1e-12  # the first step takes the speed away
    assert np.abs(data["q"].to_numpy()[:, 4:]).max() < 1e-12


def test_an_open_loop_is_closed_before_the_first_step(tmp_path):
    positions = {"hinge0": 0.1, "hinge1": 0.1, "couple": -0.09}
    scenario = tiny(
        tmp_path, FOUR_BAR, welded="base", duration=0.01, constraints=[CLOSED], positions=positions
    )
    _, first, second = columns(simulate(scenario), "hinge0", "hinge1")
    # the parallelogram that is nearest, to rounding from the first row on
    assert np.abs(first - second).max() < 1e-12
    assert first[0] == pytest.approx(0.29 / 3.0, abs=1e-6)


def test_unknown_frames_are_one_line(tmp_path):
    scenario = tiny(tmp_path, BOB, welded="anchor", constraints=[Weld("bob::bobb", "bob::anchor")])
    with pytest.raises(ModelError, match="bobb") as refused:
        simulate(scenario)
    assert "\n" not in str(refused.value)


ROD = """<robot name="rod"><link name="base"/>
  <joint name="swing" type="revolute"><parent link="base"/><child link="rod"/>
    <origin xyz="0 0 2"/><axis xyz="0 -1 0"/></joint>
  <link name="rod"><inertial><origin xyz="0 0 -1"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link></robot>"""


@pytest.mark.parametrize(("angle", "sticks"), [(0.10, True), (0.103, False)])
def test_a_dry_joint_sticks_until_gravity_exceeds_its_friction(tmp_path, angle, sticks):
    effort = 1.0  # m g l sin(angle) = 1 at 0.1021 rad
    scenario = tiny(
        tmp_path, ROD, welded="base", duration=0.5, positions={"swing": angle},
        joint_friction={"swing": effort},
    )  # fmt: skip
    _, swing, speed = columns(simulate(scenario), "swing", "v:swing")
    assert (np.abs(speed).max() < 1e-12) == sticks
    assert (swing[-1] == pytest.approx(angle, abs=1e-12)) == sticks


def test_a_dry_pendulum_loses_the_same_angle_every_swing_and_stops(tmp_path):
    effort, start = 0.2, 0.2
    scenario = tiny(
        tmp_path, ROD, welded="base", duration=6.0, positions={"swing": start},
        joint_friction={"swing": effort},
    )  # fmt: skip
    _, swing, speed = columns(simulate(scenario), "swing", "v:swing")
    turns = np.abs(swing[np.flatnonzero(np.diff(np.sign(speed)) != 0)])
    # energy: m g l (cos b - cos a) = effort (a + b); small angles lose 2 effort / m g l a swing
    lost = -np.diff(turns[turns > 0.05])
    assert lost == pytest.approx([2.0 * effort / GRAVITY] * len(lost), rel=2e-2)
    assert np.abs(speed[-100:]).max() < 1e-12
    assert abs(swing[-1]) <= effort / GRAVITY + 1e-3

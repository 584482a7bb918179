"""Shapes on the ground and against each other, each against what mechanics says of it."""

import numpy as np
import pytest
from tests.engines.tiny import GRAVITY, columns, simulate, tiny

MASS, RADIUS, HALF = 2.0, 0.1, 0.15

_LINK = """<robot name="{name}" xmlns:drake="http://drake.mit.edu"><link name="{name}">
  <inertial><mass value="2"/>
    <inertia ixx="{i[0]}" ixy="0" ixz="0" iyy="{i[1]}" iyz="0" izz="{i[2]}"/></inertial>
  <collision name="skin"><geometry>{shape}</geometry>
    <drake:proximity_properties><drake:mu_dynamic value="1"/></drake:proximity_properties>
  </collision></link></robot>"""


def _solid(name, shape, moments):
    return _LINK.format(name=name, shape=shape, i=moments)


_ACROSS = MASS * (3.0 * RADIUS**2 + (2.0 * HALF) ** 2) / 12.0
CYLINDER = _solid(
    "cylinder",
    f'<cylinder radius="{RADIUS}" length="{2.0 * HALF}"/>',
    (_ACROSS, _ACROSS, 0.5 * MASS * RADIUS**2),
)
CAPSULE = _solid(
    "capsule", f'<capsule radius="{RADIUS}" length="{2.0 * HALF}"/>', (0.03, 0.03, 0.01)
)

LYING = {"qw": np.sqrt(0.5), "qx": np.sqrt(0.5)}  # the axis z of a cylinder along y of the ground


def _placed(name, height, turn=None, **others):
    turn = turn or {"qw": 1.0, "qx": 0.0}
    return {f"{name}_{key}": value for key, value in (turn | {"z": height} | others).items()}


@pytest.mark.parametrize("slope", [-4.0, -12.0])
def test_a_cylinder_rolls_down_at_two_thirds_of_what_sliding_would_give(tmp_path, slope):
    angle, duration = np.deg2rad(-slope), 0.5
    normal = np.array([np.sin(angle), np.cos(angle)])
    start = (RADIUS - 1e-9) * normal
    scenario = tiny(
        tmp_path, CYLINDER, slope_deg=slope, duration=duration,
        positions=_placed("cylinder", start[1], LYING, x=start[0]),
    )  # fmt: skip
    _, x, z = columns(simulate(scenario), "cylinder_x", "cylinder_z")
    along = np.hypot(x[-1] - x[0], z[-1] - z[0])
    # rolling: a = g sin / (1 + I / m r^2); one step late at most, as v dt
    expected = GRAVITY * np.sin(angle) / 1.5 * duration**2 / 2.0
    assert along == pytest.approx(expected, rel=4e-3)


def test_a_cylinder_stands_on_its_end(tmp_path):
    scenario = tiny(tmp_path, CYLINDER, duration=0.5, positions=_placed("cylinder", HALF - 1e-9))
    data = simulate(scenario).trajectory.data
    assert np.abs(data["v"].to_numpy()).max() < 1e-9
    # all points of the lower rim together carry the weight
    force = data["impulse"].to_numpy()[-1, :, 0].sum() / 1e-3
    assert force == pytest.approx(MASS * GRAVITY, rel=1e-9)


def test_an_ellipsoid_rocks_with_its_own_period(tmp_path):
    # lying on the axis c, rolling about y: small rocking with no slip has
    # omega^2 = m g (rho - c) / (I + m c^2), rho = a^2 / c the radius of curvature underneath
    a, c = 0.2, 0.1
    shape = f'<drake:ellipsoid a="{a}" b="0.1" c="{c}"/>'
    inertia = MASS / 5.0 * (a * a + c * c)
    text = _solid("rocker", shape, (MASS / 5 * (0.01 + c * c), inertia, MASS / 5 * (a * a + 0.01)))
    omega = np.sqrt(MASS * GRAVITY * (a * a / c - c) / (inertia + MASS * c * c))
    tilt = 0.02
    turn = {"qw": np.cos(tilt / 2.0), "qx": 0.0, "qy": np.sin(tilt / 2.0)}
    height = np.sqrt((a * np.sin(tilt)) ** 2 + (c * np.cos(tilt)) ** 2)
    scenario = tiny(
        tmp_path,
        text,
        duration=0.9,
        time_step=2e-4,
        positions=_placed("rocker", height - 1e-9, turn),
    )
    time, lean = columns(simulate(scenario), "rocker_qy")
    crossings = time[np.flatnonzero(np.diff(np.sign(lean)) != 0)]
    periods = 2.0 * np.diff(crossings)
    # the amplitude changes the period by about tilt^2, the step by dt
    assert np.mean(periods) == pytest.approx(2.0 * np.pi / omega, rel=5e-3)


def test_a_capsule_lies_on_both_ends(tmp_path):
    scenario = tiny(
        tmp_path, CAPSULE, duration=0.3, positions=_placed("capsule", RADIUS - 1e-9, LYING)
    )
    data = simulate(scenario).trajectory.data
    loads = data["impulse"].to_numpy()[-1, :, 0] / 1e-3
    assert loads == pytest.approx([MASS * GRAVITY / 2.0] * 2, rel=1e-9)


def _balls(count, gap=0.0):
    """Balls of 1 kg on one rail along x, which touch or nearly touch."""
    links = "".join(
        f"""<joint name="x{k}" type="prismatic"><parent link="rail"/><child link="ball{k}"/>
        <origin xyz="{k * (2.0 * RADIUS + gap)} 0 1"/><axis xyz="1 0 0"/><limit effort="0"/></joint>
        <link name="ball{k}"><inertial><mass value="1"/>
        <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>
        <collision name="ball{k}"><geometry><sphere radius="{RADIUS}"/></geometry></collision>
        </link>"""
        for k in range(count)
    )
    return f"""<robot name="cradle"><link name="rail"/>{links}</robot>"""


@pytest.mark.parametrize("e_n", [0.0, 0.5, 1.0])
def test_two_balls_collide_as_newton_says(tmp_path, e_n):
    scenario = tiny(
        tmp_path, _balls(2, gap=0.01), welded="rail", duration=0.1, restitution=e_n,
        velocities={"x0": 1.0},
    )  # fmt: skip
    _, v0, v1 = columns(simulate(scenario), "v:x0", "v:x1")
    assert v0[-1] + v1[-1] == pytest.approx(1.0, abs=1e-12)  # momentum
    assert v1[-1] - v0[-1] == pytest.approx(e_n, abs=1e-9)  # restitution


def test_newtons_cradle_with_touching_balls_keeps_energy_and_moves_them_all(tmp_path):
    # one simultaneous impact with e = 1: Moreau's law reflects every contact velocity, so the
    # first ball's speed difference passes the row only if the balls are apart
    scenario = tiny(
        tmp_path, _balls(3), welded="rail", duration=0.05, restitution=1.0,
        positions={"x0": -0.01}, velocities={"x0": 1.0},
    )  # fmt: skip
    data = simulate(scenario).trajectory.data
    v = data["v"].to_numpy()
    assert v.sum(axis=1) == pytest.approx(np.ones(len(v)), abs=1e-12)
    assert (v[-1] ** 2).sum() == pytest.approx(1.0, abs=1e-9)
    # the contact 1|2 is at rest before, and Newton's law leaves it so: balls 1 and 2 stay together
    assert v[-1, 1] == pytest.approx(v[-1, 2], abs=1e-9)
    assert v[-1] == pytest.approx([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], abs=1e-9)


def test_newtons_cradle_with_gaps_passes_the_speed_on(tmp_path):
    scenario = tiny(
        tmp_path, _balls(3, gap=0.02), welded="rail", duration=0.1, restitution=1.0,
        velocities={"x0": 1.0},
    )  # fmt: skip
    data = simulate(scenario).trajectory.data
    assert data["v"].to_numpy()[-1] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)


_STACK = """<robot name="stack">{}</robot>""".format(
    "".join(
        f"""<link name="box{k}"><inertial><mass value="2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
      <collision name="box{k}"><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>"""
        for k in range(2)
    )
)


def test_a_box_rests_on_a_box(tmp_path):
    scenario = tiny(
        tmp_path, _STACK, duration=0.3, friction=0.5,
        positions={"box0_qw": 1.0, "box0_z": 0.05 - 1e-9, "box1_qw": 1.0, "box1_z": 0.15 - 2e-9},
    )  # fmt: skip
    data = simulate(scenario).trajectory.data
    assert np.abs(data["v"].to_numpy()).max() < 1e-8
    pressed = data["impulse"].to_numpy()[-1, :, 0] / 1e-3
    between = ["|" in name for name in data["contact"].to_numpy()]
    assert sum(between) == 1  # five points carry, one contact is reported
    assert pressed[between].sum() == pytest.approx(MASS * GRAVITY, rel=1e-6)
    assert pressed[~np.array(between)].sum() == pytest.approx(2.0 * MASS * GRAVITY, rel=1e-6)

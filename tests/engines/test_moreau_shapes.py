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


@pytest.mark.parametrize(
    ("text", "name", "height", "turn"),
    [(CYLINDER, "cylinder", HALF, None), (CAPSULE, "capsule", RADIUS, LYING)],
    ids=["cylinder on its end", "lying capsule"],
)
def test_all_points_of_a_body_carry_its_weight(tmp_path, text, name, height, turn):
    scenario = tiny(tmp_path, text, duration=0.3, positions=_placed(name, height - 1e-9, turn))
    data = simulate(scenario).trajectory.data
    assert np.abs(data["v"].to_numpy()).max() < 1e-9
    loads = data["impulse"].to_numpy()[-1, :, 0] / 1e-3
    assert loads.sum() == pytest.approx(MASS * GRAVITY, rel=1e-9)
    if turn is LYING:  # on both ends alike
        assert loads == pytest.approx([MASS * GRAVITY / 2.0] * 2, rel=1e-9)

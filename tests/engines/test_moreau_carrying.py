"""Bodies that carry each other: stacks, a box on a trolley, a ball in a vice."""

import numpy as np
import pytest
from tests.engines.alone import alone
from tests.engines.scenery import (
    MASS,
    RESTING,
    TOUCH,
    at,
    box,
    loads,
    motion,
    play,
    scene,
    scenery,
    sdf_box,
)
from tests.engines.tiny import GRAVITY, tiny

from footfall.plants.coordinates import coordinate_names


def _stack(folder, count, engine="moreau", **fields):
    size = (0.2, 0.2, 0.1)
    names = [f"box{k}" for k in range(count)]
    poses = {
        n: at((0.0, 0.0, 0.05 + 0.1 * k - (k + 1) * TOUCH), yaw=20.0 * k)
        for k, n in enumerate(names)
    }
    bodies = {n: box(size, MASS) for n in names}
    return play(scene(folder, bodies, poses, friction=0.5, **fields), engine)


def test_a_stack_of_three_boxes_stays_where_it_is(tmp_path):
    run = _stack(tmp_path, 3, duration=0.5)
    for k in range(3):
        p, v = motion(run, f"box{k}")
        assert np.abs(v).max() < 1e-9  # the solver's tolerance in the first step
        assert np.abs(v[100:]).max() < 1e-12
        assert np.abs(p - p[0]).max() < 1e-10
    for step in (1, 250, -1):
        found = loads(run, step)
        ground = sum(load for name, load in found.items() if "|" not in name)
        assert ground == pytest.approx(3.0 * MASS * GRAVITY, rel=1e-9)
        # each interface carries the weight above it
        assert found["box0::skin|box1::skin"] == pytest.approx(2.0 * MASS * GRAVITY, rel=1e-9)
        assert found["box1::skin|box2::skin"] == pytest.approx(MASS * GRAVITY, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["drake-sap", "drake-lagged"])
def test_drakes_stack_carries_the_same(tmp_path, engine):
    run = _stack(tmp_path, 3, engine, duration=1.0)
    data = run.trajectory.data
    for name, above in (("box0::skin|box1::skin", 2.0), ("box1::skin|box2::skin", 1.0)):
        mean = data["impulse"].sel(contact=name, axis="n")[-200:].mean() / 1e-3
        # what still rocks after most of a second
        assert float(mean) == pytest.approx(above * MASS * GRAVITY, rel=2e-2)


TROLLEY = """<robot name="trolley" xmlns:drake="http://drake.mit.edu"><link name="rail"/>
  <joint name="drive" type="prismatic"><parent link="rail"/><child link="plate"/>
    <origin xyz="0 0 0.5"/><axis xyz="1 0 0"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type><joint name="drive"/>
    <actuator name="motor"/></transmission>
  <link name="plate"><inertial><mass value="3"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <collision name="top"><geometry><box size="2 1 0.1"/></geometry></collision></link>
  <link name="cargo"><inertial><mass value="2"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision name="skin"><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
</robot>"""
PLATE, CARGO = 3.0, 2.0


def _pushed(scenario, engine, efforts, duration):
    """Velocities by name, and loads by contact [N], under constant efforts."""
    pushed = alone(scenario, engine, efforts)
    pushed.simulator.AdvanceTo(duration)
    v = pushed.output()[pushed.robot.plant.num_positions() :]
    report = pushed.output("contact_report")
    forces = report.impulse[:, 0] / scenario.time_step
    names = coordinate_names(pushed.robot.plant)[1]
    return dict(zip(names, v, strict=True)), dict(zip(report.names, forces, strict=True))


@pytest.mark.parametrize(
    ("engine", "share"),
    # lagged drags the box along even at 1.5 mu g: it has one point of contact between two boxes,
    # which jumps, and friction by the normal force of the step before
    [("moreau", s) for s in (0.9, 0.99, 1.01, 1.5)] + [("drake-sap", s) for s in (0.9, 1.5)],
)
def test_a_box_on_a_trolley_goes_along_up_to_mu_g(tmp_path, engine, share):
    mu, duration = 0.4, 0.3
    acceleration = share * mu * GRAVITY
    scenario = tiny(
        tmp_path,
        TROLLEY,
        welded="rail",
        friction=mu,
        positions={"cargo_qw": 1.0, "cargo_z": 0.6 - TOUCH},
    )
    v, _ = _pushed(scenario, engine, [(PLATE + CARGO) * acceleration], duration)
    plate, cargo = v["drive"], v["cargo_vx"]
    # above mu g it gets mu g, and the trolley the rest of the force
    held = min(acceleration, mu * GRAVITY)
    rest = ((PLATE + CARGO) * acceleration - CARGO * held) / PLATE
    # Moreau: the solver's 1e-10 over 300 steps. Drake: the box settles for some ms with less
    # friction, and creeps
    tolerance = 1e-8 if engine == "moreau" else 0.05
    assert cargo == pytest.approx(held * duration, abs=tolerance)
    assert plate == pytest.approx(rest * duration, abs=tolerance)
    if engine == "moreau":
        assert (abs(plate - cargo) < 1e-8) == (share < 1.0)


VICE = """<robot name="vice" xmlns:drake="http://drake.mit.edu"><link name="rail"/>
  {}
  <link name="ball"><inertial><mass value="2"/>
    <inertia ixx="0.008" ixy="0" ixz="0" iyy="0.008" iyz="0" izz="0.008"/></inertial>
    <collision name="skin"><geometry><sphere radius="0.1"/></geometry></collision></link>
</robot>""".format(
    "".join(
        f"""<joint name="{side}" type="prismatic"><parent link="rail"/><child link="{side}_jaw"/>
    <origin xyz="0 0 1"/><axis xyz="{axis} 0 0"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type><joint name="{side}"/>
    <actuator name="push_{side}"/></transmission>
  <link name="{side}_jaw"><inertial><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision name="{side}"><geometry><box size="0.1 0.5 0.5"/></geometry></collision></link>"""
        for side, axis in (("left", 1), ("right", -1))
    )
)


@pytest.mark.parametrize("margin", [0.99, 1.01])
def test_a_ball_caught_between_two_jaws_is_held_by_twice_mu_n(tmp_path, margin):
    mu = 0.5
    push = margin * MASS * GRAVITY / (2.0 * mu)
    scenario = tiny(
        tmp_path, VICE, welded="rail", friction=mu,
        positions={"ball_qw": 1.0, "ball_z": 1.0, "left": -0.15 + TOUCH, "right": -0.15 + TOUCH},
    )  # fmt: skip
    duration = 0.2
    v, normal = _pushed(scenario, "moreau", [push, push], duration)
    assert normal["vice::left|vice::skin"] == pytest.approx(push, rel=1e-8)
    assert normal["vice::right|vice::skin"] == pytest.approx(push, rel=1e-8)
    # what friction does not hold falls: g - 2 mu N / m
    assert v["ball_vz"] == pytest.approx(min(0.0, -(1.0 - margin) * GRAVITY * duration), abs=1e-8)


@pytest.mark.parametrize(
    ("law", "duration"),
    [
        ("newton", 1.0),
        pytest.param("chatterjee-ruina", 1.5, marks=pytest.mark.slow),
        ("poisson", 0.5),  # its problem is double
    ],
)
def test_a_heap_of_every_shape_in_a_tray_gains_no_energy_and_sinks_into_nothing(
    tmp_path, law, duration
):
    rng = np.random.default_rng(1)
    walls = {
        f"wall{k}": (sdf_box((1.0, 0.1, 0.4)), at(yaw=90.0 * k) @ at((0.0, 0.45, 0.2)))
        for k in range(4)
    }
    bodies, poses = {"tray": scenery("tray", **walls)}, {}
    for k, (body, _, _) in enumerate([*RESTING.values(), *list(RESTING.values())[:2]]):
        turn = dict(zip(("roll", "pitch", "yaw"), rng.uniform(-90.0, 90.0, 3), strict=True))
        bodies[f"k{k}"] = body
        poses[f"k{k}"] = at((*rng.uniform(-0.15, 0.15, 2), 0.3 + 0.45 * k), **turn)
    e_n, dt = (0.0 if law == "newton" else 0.3), 1e-3
    scenario = scene(
        tmp_path, bodies, poses, friction=0.5, restitution=e_n, duration=duration, time_step=dt
    )
    scenario.moreau.impact_law = law
    data = play(scenario).trajectory.data
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    # of 250 J: bodies that turn in flight, at up to 20 rad/s, are integrated to first order
    assert (energy - np.minimum.accumulate(energy)).max() < 1e-5 * energy[0]
    # a step at the fastest fall, and twice that where two bodies meet
    fastest = np.sqrt(2.0 * GRAVITY * 3.6)
    assert np.nanmin(data["gap"].to_numpy()) > -2.0 * fastest * dt
    touched = data["contact"].to_numpy()[(data["impulse"].sel(axis="n") > 0.0).any("time")]
    assert len(touched) > (15 if duration >= 1.0 else 3)

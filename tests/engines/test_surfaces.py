"""Scenery of many boxes that is one surface: its name, its coefficients, its sums, what it does."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from tests.engines.alone import controlled
from tests.engines.scenery import (
    MASS,
    RADIUS,
    TOUCH,
    at,
    ball,
    box,
    cylinder,
    motion,
    play,
    scene,
    scenery,
    sdf_box,
    tiles,
)
from tests.engines.tiny import GRAVITY
from tests.slow import some_slow

from footfall.contact import Mode
from footfall.plants.contacts import PairRule
from footfall.plants.contacts.axes import axes_in_terrain
from footfall.reactions import joint_reactions
from footfall.scenario.assemble import build_robot

WEIGHT = MASS * GRAVITY
CONTACT = "ball::skin|valley::floor"
LEFT, RIGHT = np.deg2rad(-50.0), np.deg2rad(20.0)  # slopes of the two facets of a valley
BOTTOM = 1.0  # m: height of its lowest line, well above the ground


def valley(left=LEFT, right=RIGHT, length=1.0):
    """Two facets that meet at x = 0."""
    ends = [(-np.cos(left), -np.sin(left)), (0.0, 0.0), (np.cos(right), np.sin(right))]
    return tiles("valley", length * np.array(ends) + [0.0, BOTTOM])


def in_the_corner(left=LEFT, right=RIGHT):
    """Centre of a sphere that touches both facets."""
    rows = [[-np.sin(a), np.cos(a)] for a in (left, right)]
    x, z = np.linalg.solve(rows, [RADIUS - TOUCH, RADIUS - TOUCH])
    return float(x), 0.0, float(BOTTOM + z)


def pushes(run, contact=CONTACT):
    """Impulses of a contact in the world, (time, 3) [N s]."""
    data = run.trajectory.data.sel(contact=contact)
    axes = axes_in_terrain(data["contact_normal"].to_numpy(), np.eye(3))
    return np.einsum("kij,kj->ki", axes, data["impulse"].to_numpy())


@pytest.mark.parametrize("first", ["valley", "ball"])
def test_a_surface_is_one_contact_for_every_shape_and_comes_second(tmp_path, first):
    bodies = {"valley": valley(), "ball": ball(RADIUS, MASS), "other": ball(RADIUS, MASS)}
    order = sorted(bodies, key=lambda name: name != first)
    contacts = build_robot(scene(tmp_path, {name: bodies[name] for name in order})).contacts
    assert set(contacts.names) == {
        "ball::skin", "other::skin", "ball::skin|other::skin", CONTACT, "other::skin|valley::floor",
    }  # fmt: skip
    assert len(contacts) == 2 + 1 + 2 * 2
    where = contacts.reported_as[[pair.first for pair in contacts.pairs if pair.on_surface]]
    assert sorted(contacts.names[k] for k in where) == 2 * [CONTACT] + 2 * [
        "other::skin|valley::floor"
    ]


def test_numbers_of_what_moves_or_of_what_a_shape_is_called_make_no_surface(tmp_path):
    floor = sdf_box((1.0, 1.0, 0.1))
    pieces = {"step": (floor, at()), "step#0": (floor, at((1, 0, 0)))}
    numbered = ball(RADIUS, MASS).urdf("ball").replace('"skin"', '"skin#0"')
    scenario = scene(tmp_path, {"s": scenery("s", **pieces), "ball": ball(RADIUS, MASS)})
    names = build_robot(scenario).contacts.names
    assert {n for n in names if "|" in n} == {"s::step|ball::skin", "s::step#0|ball::skin"}
    (tmp_path / "numbered").mkdir()
    scenario = scene(tmp_path / "numbered", {"ball": ball(RADIUS, MASS), "cube": box((1, 1, 1), 1)})
    (tmp_path / "numbered" / "ball.urdf").write_text(numbered)
    names = build_robot(scenario).contacts.names
    assert "ball::skin#0|cube::skin" in names
    assert [n for n in names if n.startswith("cube")] == [f"cube::skin#{k}" for k in range(8)]


def test_links_with_pieces_of_one_name_have_a_surface_each(tmp_path):
    floor = sdf_box((1.0, 1.0, 0.1))
    one = scenery("s", **{"step#0": (floor, at()), "step#1": (floor, at((1, 0, 0)))})
    link = one[one.index("<link") : one.index("</model>")]
    other = link.replace('<link name="s"', '<link name="t"').replace("step#1", "step#7")
    bodies = {"s": one.replace(link, link + other), "ball": ball(RADIUS, MASS)}
    contacts = build_robot(scene(tmp_path, bodies)).contacts
    found = {"ball::skin|s::s/step", "ball::skin|s::t/step"}
    assert {n for n in contacts.names if "|" in n} == found
    assert [pair.on_surface for pair in contacts.pairs] == 4 * [True]


def test_rules_name_the_surface_and_pieces_keep_the_friction_of_the_file(tmp_path):
    rough = "<drake:proximity_properties><drake:mu_dynamic>0.25</drake:mu_dynamic>"
    text = valley().replace("</collision>", f"{rough}</drake:proximity_properties></collision>", 1)
    contacts = build_robot(scene(tmp_path, {"valley": text, "ball": ball(RADIUS, MASS)})).contacts
    # 2ab/(a+b) with the ball, which says nothing and has Drake's default of 1
    assert sorted(contacts.mu[contacts.num_ground :]) == [0.4, 1.0]
    scenario = scene(tmp_path, {"valley": text, "ball": ball(RADIUS, MASS)})
    scenario.pairs = [PairRule("*|valley::floor", friction=0.3, restitution=0.5)]
    contacts = build_robot(scenario).contacts
    assert contacts.mu[contacts.num_ground :].tolist() == [0.3, 0.3]
    assert contacts.restitution.tolist() == [0.0, 0.5, 0.5]


@pytest.mark.parametrize(
    "engine",
    some_slow(
        ["moreau", "drake-sap", "drake-lagged", "drake-continuous"],
        "drake-lagged",
        "drake-continuous",
    ),
)
@pytest.mark.parametrize("friction", [0.0, 0.6])
def test_the_impulse_in_a_corner_is_what_changes_the_momentum(tmp_path, engine, friction):
    bodies = {"valley": valley(), "ball": ball(RADIUS, MASS)}
    where = {"ball": at(in_the_corner())}
    start = {"ball": {"vx": 0.4, "vy": 0.3, "wz": 5.0}} if friction else {}
    run = play(scene(tmp_path, bodies, where, start, friction=friction, duration=0.15), engine)
    v = motion(run, "ball")[1][:, 3:]
    dt = float(run.trajectory.data["time"][1])
    given = MASS * np.diff(v, axis=0) + [0.0, 0.0, WEIGHT * dt]
    found = pushes(run)[1:]
    if engine == "moreau":
        assert found == pytest.approx(given, abs=1e-14)  # rounding of 1 N s
    elif engine == "drake-continuous":
        # the integrator's accuracy of 1e-3 or better, and the trapezoidal rule between its steps
        assert found.sum(axis=0) == pytest.approx(given.sum(axis=0), abs=0.02 * WEIGHT * 0.15)
    else:
        # Drake's solver stops at 1e-5 of its momenta at the worst
        assert found == pytest.approx(given, abs=1e-4)
    told = run.trajectory.data.sel(contact=CONTACT)
    assert told["impulse"].sel(axis="n").min() >= 0.0  # it is pushed, along normals that
    assert told["contact_normal"].sel(xyz="z").min() > 0.0  # point out of the surface
    # the facets' normals are 70 degrees apart: without turning, the sum would be another one
    n, t, s = np.abs(run.trajectory.data["impulse"].sel(contact=CONTACT).to_numpy()[1:]).T
    assert n.max() > 0.0
    assert t.max() > 0.1 * n.max()
    if friction == 0.0 and engine == "moreau":
        assert found == pytest.approx(np.tile([0.0, 0.0, WEIGHT * dt], (len(found), 1)), abs=1e-12)
        # frictionless: sines by Lami's rule; the steeper facet has the lesser share
        shares = WEIGHT * dt * np.sin([RIGHT, -LEFT]) / np.sin(RIGHT - LEFT)
        assert n[-1] == pytest.approx(shares[1] + shares[0] * np.cos(RIGHT - LEFT), rel=1e-9)
        assert s.max() < 1e-14


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_so_is_that_on_a_shape_that_is_no_ball(tmp_path, engine):
    """A leaning drum."""
    bodies = {"ball": cylinder(0.1, 0.3, MASS), "valley": valley()}  # and loaded first
    where = {"ball": at((0.02, 0.0, BOTTOM + 0.25), roll=80.0, yaw=20.0)}
    start = {"ball": {"vx": 0.2, "vy": 0.3, "wy": 2.0}}
    run = play(scene(tmp_path, bodies, where, start, friction=0.5, duration=0.3), engine)
    dt = float(run.trajectory.data["time"][1])
    given = MASS * np.diff(motion(run, "ball")[1][:, 3:], axis=0) + [0.0, 0.0, WEIGHT * dt]
    # rounding, and where Drake's solver stops
    assert pushes(run)[1:] == pytest.approx(given, abs=1e-14 if engine == "moreau" else 1e-4)
    told = run.trajectory.data.sel(contact=CONTACT)
    n = told["impulse"].sel(axis="n")
    assert 0.0 <= n.min() < WEIGHT * dt < n.max()
    assert (told["mode"] > Mode.OPEN)[n > 0.0].all()  # what bears leads, no open point beside it


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_controllers_read_the_same_impulses_as_reports(tmp_path, engine):
    bodies = {"valley": valley(), "ball": ball(RADIUS, MASS)}
    scenario = scene(tmp_path, bodies, {"ball": at(in_the_corner())}, friction=0.6)
    held = controlled(scenario, engine)
    held.simulator.AdvanceTo(0.02)
    impulses = held.output("contact_impulses").reshape(-1, 3)
    report = held.output("contact_report")
    assert impulses[held.robot.contacts.names.index(CONTACT), 0] > 0.0
    assert np.array_equal(impulses, report.impulse)


def test_a_rolling_ball_passes_a_corner_as_angular_momentum_says(tmp_path):
    """Without gravity; about the new point of contact the old facet gives no moment."""
    bend, speed = np.deg2rad(25.0), 1.0
    bodies = {"valley": valley(0.0, bend), "ball": ball(RADIUS, MASS)}
    pose = at((-0.1, 0.0, BOTTOM + RADIUS - TOUCH))
    start = {"ball": {"vx": speed, "wy": speed / RADIUS}}
    run = play(
        scene(tmp_path, bodies, {"ball": pose}, start, friction=1.0, gravity=0.0, duration=0.2)
    )
    v = motion(run, "ball")[1]
    after = speed * (0.4 + np.cos(bend)) / 1.4  # I = 2/5 m r^2
    expected = [0.0, after / RADIUS, 0.0, after * np.cos(bend), 0.0, after * np.sin(bend)]
    assert v[-1] == pytest.approx(expected, abs=1e-9)  # the solver's tolerance
    assert pushes(run)[1:].sum(axis=0) == pytest.approx(MASS * (v[-1] - v[0])[3:], abs=1e-12)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_ball_slides_on_a_surface_by_its_own_friction(tmp_path, engine):
    """On a ramp so steep that it slides as it rolls, a = g (sin - mu cos), by a rule of its own."""
    steep, mu = np.deg2rad(60.0), 0.2
    bodies = {"valley": valley(-steep, 0.0), "ball": ball(RADIUS, MASS)}
    n = np.array([np.sin(steep), 0.0, np.cos(steep)])
    place = np.array([-0.5 * np.cos(steep), 0.0, BOTTOM + 0.5 * np.sin(steep)])
    scenario = scene(tmp_path, bodies, {"ball": at(place + (RADIUS - TOUCH) * n)}, friction=0.9)
    scenario.pairs, scenario.duration = [PairRule("*|valley::floor", friction=mu)], 0.2
    v = motion(play(scenario, engine), "ball")[1][:, 3:]
    gained = 0.2 * GRAVITY * (np.sin(steep) - mu * np.cos(steep))
    # Drake's compliance lets the ball fall for some milliseconds before it bears
    assert np.linalg.norm(v[-1]) == pytest.approx(gained, rel=1e-9 if engine == "moreau" else 0.02)


SPAN, TILES, HOLLOW = np.deg2rad(80.0), 40, 1.0  # of a circular hollow: angle, boxes, radius [m]
START, DURATION = np.deg2rad(-30.0), 0.9


def _down_the_hollow(folder, engine):
    angles = np.linspace(-0.5 * SPAN, 0.5 * SPAN, TILES + 1)
    round_ = np.column_stack((HOLLOW * np.sin(angles), 2.0 - HOLLOW * np.cos(angles)))
    facet = angles[np.searchsorted(angles, START)] - 0.5 * SPAN / TILES  # its middle
    away = HOLLOW * np.cos(0.5 * SPAN / TILES) - RADIUS + TOUCH
    pose = at((float(away * np.sin(facet)), 0.0, float(2.0 - away * np.cos(facet))))
    bodies = {"ball": ball(RADIUS, MASS), "hollow": tiles("hollow", round_)}
    scenario = scene(folder, bodies, {"ball": pose}, friction=0.8, duration=DURATION)
    return play(scenario, engine), facet, away


def test_a_ball_rolls_through_a_hollow_of_boxes_as_through_a_round_one(tmp_path):
    run, facet, away = _down_the_hollow(tmp_path, "moreau")
    data = run.trajectory.data
    p, v = motion(run, "ball")
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    assert np.diff(energy).max() < 1e-9  # nothing but plastic impacts at the seams
    # of the energy of rolling a seam takes 1 - ((I + m r^2 cos d) / (I + m r^2))^2 = d^2 / 1.4,
    # and the ball passes so many; twice that for the order of the step and for what it starts with
    bend = SPAN / TILES
    fall = MASS * GRAVITY * away * (1.0 - np.cos(facet))
    seams = np.abs(np.diff(np.arcsin(p[:, 0] / away))).sum() / bend
    assert 0.0 < energy[0] - energy[-1] < 2.0 * seams * bend**2 / 1.4 * fall
    # the round hollow: 7/5 a theta'' = -g sin theta; at the bottom 7/10 m v^2 is the fall
    bottom = int(np.argmax(p[:, 0] > 0.0))
    speed = np.sqrt(fall / (0.7 * MASS))
    lost = 0.5 * seams * bend**2 / 1.4  # of the speed, as of half the energy
    assert v[bottom, 3] == pytest.approx(speed, rel=2.0 * lost)
    # it stays where the faces are, but for the seams: a polygon is nearer by a (1 - cos d/2)
    depth = away - np.hypot(p[:, 0], p[:, 2] - 2.0)
    assert np.abs(depth).max() < 2.0 * HOLLOW * bend**2


@pytest.mark.parametrize(
    "engine",
    [
        *some_slow(["drake-sap", "drake-lagged"], "drake-sap", "drake-lagged"),
        pytest.param("drake-continuous", marks=[pytest.mark.slow, pytest.mark.longest]),
    ],
)
def test_drakes_engines_roll_through_the_hollow_alike(tmp_path, engine):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    rigid, _, away = _down_the_hollow(tmp_path / "one", "moreau")
    soft, _, _ = _down_the_hollow(tmp_path / "two", engine)
    names = [run.trajectory.data["contact"].to_numpy().tolist() for run in (rigid, soft)]
    assert names[0] == names[1] == ["ball::skin", "ball::skin|hollow::floor"]
    x, y = (motion(run, "ball")[0][:, 0] for run in (rigid, soft))
    # seams take some 2 % of a rigid ball's energy, less of a soft one's, and it sinks in by 0.1 mm
    assert y == pytest.approx(x, abs=0.05 * away)
    ways = [pushes(run, "ball::skin|hollow::floor").sum(axis=0) for run in (rigid, soft)]
    assert ways[1] == pytest.approx(ways[0], abs=0.05 * WEIGHT * DURATION)


CART = """<robot name="cart"><link name="cart"><inertial><mass value="3"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="wheel"><inertial><mass value="2"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision name="tyre"><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="axle" type="continuous"><parent link="cart"/><child link="wheel"/>
    <axis xyz="0 1 0"/></joint></robot>"""


def _cart(folder, ground, place):
    """A cart on one wheel at rest, and its machine."""
    scenario = scene(folder, {"valley": ground, "cart": box((1, 1, 1), 1)}, friction=0.5)
    (folder / "cart.urdf").write_text(CART)
    places = dict(zip(("x", "y", "z"), place, strict=True))
    scenario.initial.positions = {"cart_qw": 1.0} | {f"cart_{k}": p for k, p in places.items()}
    scenario.duration = 0.02
    return play(scenario).trajectory, build_robot(scenario)


def test_the_axle_of_a_wheel_in_a_corner_carries_what_is_above(tmp_path):
    carried = joint_reactions(*_cart(tmp_path, valley(), in_the_corner()))
    force = carried.sel(joint="cart::axle")[-1]
    assert float(carried["unexplained"][1:].max()) < 1e-9
    # at rest: the weight of the cart's 3 kg, to the solver's tolerance
    assert force.to_numpy() == pytest.approx([0, 0, 0, 0, 0, -3.0 * GRAVITY], abs=1e-6)


def test_reactions_do_without_normals_where_a_file_has_none(tmp_path):
    trajectory, machine = _cart(tmp_path, valley(0.0, 0.0), (-0.2, 0.0, BOTTOM + RADIUS - TOUCH))
    unknown = xr.full_like(trajectory.data["contact_normal"], np.nan)
    bare = replace(trajectory, data=trajectory.data.assign(contact_normal=unknown))
    told, found = joint_reactions(trajectory, machine), joint_reactions(bare, machine)
    assert np.array_equal(found[1:], told[1:])
    assert np.abs(found.sel(joint="cart::axle", component="fz")[1:]).min() > 2.0 * GRAVITY

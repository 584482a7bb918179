"""Every shape on scenery that is fixed to the world: boxes, convex meshes, stairs, edges, corners.

What is on a box must do what mechanics says of it, and what it does on the half-space.
"""

import numpy as np
import pytest
from pydrake.common.schema import Transform
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from tests.engines.scenery import (
    MASS,
    PYRAMID,
    RADIUS,
    RESTING,
    TOUCH,
    at,
    ball,
    box,
    leaning,
    loads,
    mesh,
    motion,
    play,
    prism,
    scene,
    scenery,
    sdf_box,
    sdf_mesh,
    write_obj,
)
from tests.engines.tiny import GRAVITY
from tests.slow import some_slow

WEIGHT = MASS * GRAVITY
FLOOR = sdf_box((2.0, 1.0, 0.5))


def _support(folder, kind, X, size=(2.0, 1.0, 0.5)):
    """A fixed box, or the same as a convex mesh, whose upper face has its middle at X."""
    middle = X @ RigidTransform([0.0, 0.0, -0.5 * size[2]])
    if kind == "box":
        return scenery("floor", top=(sdf_box(size), middle))
    half = 0.5 * np.array(size)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    return scenery("floor", top=(sdf_mesh(write_obj(folder / "floor.obj", corners)), middle))


@pytest.mark.parametrize("kind", ["box", "mesh"])
@pytest.mark.parametrize("name", RESTING)
def test_every_shape_rests_on_a_fixed_body(tmp_path, name, kind):
    body, turn, height = RESTING[name]
    floor = _support(tmp_path, kind, at((0.0, 0.0, 1.0)))
    pose = at((0.1, 0.05, 1.0 + height - TOUCH), **turn)
    run = play(scene(tmp_path, {"floor": floor, "b": body}, {"b": pose}, duration=0.2))
    p, v = motion(run, "b")
    # the solver's 1e-10 of 0.02 N s in the first step; rounding after it
    assert np.abs(v).max() < 1e-9
    assert np.abs(v[100:]).max() < 1e-12
    assert np.abs(p - p[0]).max() < 1e-10
    # one contact carries all of it; the ground 1 m below carries nothing
    assert loads(run) == pytest.approx({"floor::top|b::skin": WEIGHT}, rel=1e-9)


def test_scenery_may_be_welded_to_the_world_as_well(tmp_path):
    # a URDF has no <static>; its mass does not matter then
    body, turn, height = RESTING["box"]
    pose = at((0.1, 0.05, 1.0 + height - TOUCH), **turn)
    static = scenery("floor", top=(FLOOR, at((0.0, 0.0, 0.75))))
    still = play(scene(tmp_path, {"floor": static, "b": body}, {"b": pose}, duration=0.2))
    scenario = scene(tmp_path, {"b": body}, {"b": pose}, duration=0.2)
    path = tmp_path / "floor.urdf"
    path.write_text(box((2.0, 1.0, 0.5), 7.0).urdf("floor"), encoding="utf-8")
    place = Transform(translation=[0.0, 0.0, 0.75])
    scenario.directives += [
        ModelDirective(add_model=AddModel(name="floor", file=str(path))),
        ModelDirective(add_weld=AddWeld(parent="world", child="floor::floor", X_PC=place)),
    ]
    welded = play(scenario)
    assert loads(welded) == pytest.approx({"b::skin|floor::skin": WEIGHT}, rel=1e-9)
    # the pair the other way round: n turns round with it
    (p, v), (p_still, v_still) = motion(welded, "b"), motion(still, "b")
    assert p == pytest.approx(p_still, abs=1e-10)  # the solver's tolerance
    assert v == pytest.approx(v_still, abs=1e-9)


def test_a_convex_mesh_rests_on_boxes_and_meshes(tmp_path):
    obj = write_obj(tmp_path / "pyramid.obj", PYRAMID)
    body = mesh(obj, MASS, (0.01, 0.01, 0.01), centre=(0.0, 0.0, 0.0375))
    for kind in ("box", "mesh"):
        floor = _support(tmp_path, kind, at((0.0, 0.0, 1.0)))
        pose = at((0.1, 0.05, 1.0 - TOUCH), yaw=30.0)
        run = play(scene(tmp_path, {"floor": floor, "b": body}, {"b": pose}, duration=0.3))
        assert np.abs(motion(run, "b")[1]).max() < 1e-9  # the first step's tolerance, as above
        assert loads(run) == pytest.approx({"floor::top|b::skin": WEIGHT}, rel=1e-9)


SLOPE = 15.0
ROLLING = {"sphere": 2.0 / 5.0, "lying capsule": 1.0 / 2.0, "lying cylinder": 1.0 / 2.0}


@pytest.mark.parametrize("kind", some_slow(["box", "mesh"], "mesh"))
@pytest.mark.parametrize("name", ["sphere", "box", "lying capsule", "lying cylinder", "ellipsoid"])
def test_an_inclined_box_is_an_inclined_half_space(tmp_path, name, kind):
    # down towards +x; mu = 0.2 lets round bodies roll and the box slide
    body, turn, height = RESTING[name]
    mu, alpha, duration = 0.2, np.deg2rad(SLOPE), 0.4
    tilted = RigidTransform(leaning(alpha), [0.0, 0.0, 0.0])
    fields = {"friction": mu, "duration": duration}
    turned = at(**({} if name == "box" else turn))
    pose = tilted @ RigidTransform([0.0, 0.0, height - TOUCH]) @ turned
    on_ground = play(scene(tmp_path, {"b": body}, {"b": pose}, slope_deg=-SLOPE, **fields))
    lift = RigidTransform([0.0, 0.0, 2.0])
    floor = _support(tmp_path, kind, lift @ tilted, (4.0, 1.0, 0.5))
    on_box = play(scene(tmp_path, {"floor": floor, "b": body}, {"b": lift @ pose}, **fields))
    (p, v), (p_box, v_box) = motion(on_ground, "b"), motion(on_box, "b")
    # the solver's 1e-10 of the impulses of 400 steps
    assert v_box == pytest.approx(v, abs=1e-8)
    assert p_box - p_box[0] == pytest.approx(p - p[0], abs=1e-8)
    along = v_box[-1, 3:] @ leaning(alpha).matrix()[:, 0]
    if name in ROLLING:
        pull = GRAVITY * np.sin(alpha) / (1.0 + ROLLING[name])
    elif name == "box":
        pull = GRAVITY * (np.sin(alpha) - mu * np.cos(alpha))
    else:
        return  # an ellipsoid rolls unevenly
    # constant forces are integrated exactly but for rounding and the solver's tolerance
    assert along == pytest.approx(pull * duration, rel=1e-7)


@pytest.mark.parametrize("margin", [0.99, 1.01])
def test_a_mesh_sticks_on_a_mesh_up_to_the_angle_of_friction(tmp_path, margin):
    # a frustum on a wedge that rises by 15 degrees towards -x
    alpha = np.deg2rad(SLOPE)
    profile = np.array([[-2.0, 0.0], [2.0, 0.0], [-2.0, 4.0 * np.tan(alpha)]])
    wedge = scenery("floor", top=(sdf_mesh(prism(tmp_path / "wedge.obj", profile, 1.0)), at()))
    frustum = np.array(
        [
            [x * s, y * s, z]
            for z, s in ((0.0, 1.0), (0.1, 0.6))
            for x in (-0.1, 0.1)
            for y in (-0.1, 0.1)
        ]
    )
    body = mesh(
        write_obj(tmp_path / "frustum.obj", frustum), MASS, (0.02, 0.02, 0.02), centre=(0, 0, 0.04)
    )
    middle = RigidTransform(leaning(alpha), [0.0, 0.0, 2.0 * np.tan(alpha)])
    pose = middle @ RigidTransform([0.0, 0.0, -TOUCH])
    mu, duration = margin * np.tan(alpha), 0.4
    bodies = {"floor": wedge, "b": body}
    run = play(scene(tmp_path, bodies, {"b": pose}, friction=mu, duration=duration))
    speed = np.linalg.norm(motion(run, "b")[1][-1, 3:])
    pull = max(0.0, GRAVITY * (np.sin(alpha) - mu * np.cos(alpha)))
    assert speed == pytest.approx(pull * duration, abs=1e-8)  # the solver's 1e-10 over 400 steps


@pytest.mark.parametrize(("left", "right"), [(45.0, 45.0), (30.0, 60.0), (20.0, 50.0)])
def test_a_ball_in_a_groove_presses_on_its_walls_by_the_law_of_sines(tmp_path, left, right):
    # walls that rise to either side; N_left / sin(right) = N_right / sin(left) = W / sin(sum)
    walls = {}
    for name, angle in (("left", left), ("right", -right)):
        X = at((0.0, 0.0, 1.0), pitch=angle)
        outward = -0.5 if angle > 0.0 else 0.5
        walls[name] = (sdf_box((1.0, 1.0, 0.2)), X @ RigidTransform([outward, 0.0, -0.1]))
    a, b = np.deg2rad(left), np.deg2rad(right)
    # where both walls are RADIUS - TOUCH away: p . n_i = (radius - touch) over the line at z = 1
    normals = np.array([[np.sin(a), np.cos(a)], [-np.sin(b), np.cos(b)]])
    x, z = np.linalg.solve(normals, np.full(2, RADIUS - TOUCH))
    bodies = {"walls": scenery("walls", **walls), "b": ball(RADIUS, MASS)}
    run = play(scene(tmp_path, bodies, {"b": at((x, 0.0, 1.0 + z))}, friction=0.0, duration=0.2))
    share = WEIGHT / np.sin(a + b)
    expected = {"walls::left|b::skin": share * np.sin(b), "walls::right|b::skin": share * np.sin(a)}
    assert loads(run) == pytest.approx(expected, rel=1e-9)
    assert np.abs(motion(run, "b")[1]).max() < 1e-9


def test_a_cube_in_a_right_angled_groove_presses_on_both_walls_alike(tmp_path):
    walls = {
        name: (
            sdf_box((1.0, 1.0, 0.2)),
            at((0.0, 0.0, 1.0), pitch=angle) @ RigidTransform([-np.sign(angle) * 0.5, 0.0, -0.1]),
        )
        for name, angle in (("left", 45.0), ("right", -45.0))
    }
    pose = at((0.0, 0.0, 1.0 + 0.1 * np.sqrt(2.0) - np.sqrt(2.0) * TOUCH), pitch=45.0)
    bodies = {"walls": scenery("walls", **walls), "b": box((0.2, 0.2, 0.2), MASS)}
    for mu in (0.0, 0.5):  # with friction the walls may carry part of it along themselves
        run = play(scene(tmp_path, bodies, {"b": pose}, friction=mu, duration=0.2))
        assert np.abs(motion(run, "b")[1]).max() < 1e-9
        found = loads(run)
        if mu == 0.0:
            each = WEIGHT / np.sqrt(2.0)
            expected = {f"walls::{side}|b::skin": each for side in ("left", "right")}
            assert found == pytest.approx(expected, rel=1e-9)
        # friction at most mu N pulls up as well
        assert WEIGHT / (1.0 + mu) <= sum(found.values()) / np.sqrt(2.0) * (1.0 + 1e-9)


@pytest.mark.parametrize("alpha", [10.0, 35.0])
def test_a_ball_on_a_slope_leans_on_a_wall(tmp_path, alpha):
    # the half-space falls towards -x, where a wall stands: N = W / cos, wall W tan
    angle = np.deg2rad(alpha)
    wall = scenery("wall", face=(sdf_box((0.2, 1.0, 2.0)), at((-0.1, 0.0, 0.5))))
    x = RADIUS - TOUCH
    z = (x * np.sin(angle) + RADIUS - TOUCH) / np.cos(angle)
    scenario = scene(
        tmp_path, {"wall": wall, "b": ball(RADIUS, MASS)}, {"b": at((x, 0.0, z))},
        slope_deg=alpha, friction=0.0, duration=0.2,
    )  # fmt: skip
    expected = {"b::skin": WEIGHT / np.cos(angle), "wall::face|b::skin": WEIGHT * np.tan(angle)}
    run = play(scenario)
    assert loads(run) == pytest.approx(expected, rel=1e-9)
    assert np.abs(motion(run, "b")[1]).max() < 1e-9


@pytest.mark.parametrize("x", some_slow([0.0, 0.07, -0.05], 0.07, -0.05))
def test_a_body_stands_half_on_the_ground_and_half_on_a_box_as_high(tmp_path, x):
    flush = scenery("plate", top=(sdf_box((1.0, 1.0, 0.2)), at((0.5, 0.0, -0.1))))
    bodies = {"plate": flush, "b": box((0.2, 0.2, 0.1), MASS)}
    run = play(scene(tmp_path, bodies, {"b": at((x, 0.0, 0.05 - TOUCH))}, duration=0.2))
    assert sum(loads(run).values()) == pytest.approx(WEIGHT, rel=1e-9)
    assert np.abs(motion(run, "b")[1]).max() < 1e-9


@pytest.mark.parametrize("name", ["sphere", "box"])
@pytest.mark.parametrize("slope_deg", [0.0, -10.0])
def test_a_body_that_has_landed_passes_the_side_of_a_plate_in_the_ground(tmp_path, name, slope_deg):
    # 0.1 mm deep; without friction it goes on, slowly enough to meet the side in many steps
    body, _, height = RESTING[name]
    X_WT = RigidTransform(leaning(-np.deg2rad(slope_deg)), np.zeros(3))
    plate = scenery("plate", top=(sdf_box((1.0, 1.0, 0.2)), X_WT @ at((0.5, 0.0, -0.1))))
    start = X_WT @ at((-0.103 if name == "box" else -0.003, 0.0, height - 1e-4))
    along = X_WT.rotation().matrix()[:, 0]
    speeds = dict(zip(("vx", "vy", "vz"), 0.02 * along, strict=True))
    run = play(
        scene(
            tmp_path, {"plate": plate, "b": body}, {"b": start}, {"b": speeds},
            slope_deg=slope_deg, friction=0.0, duration=0.3,
        )
    )  # fmt: skip
    p, v = motion(run, "b")
    gained = -GRAVITY * along[2] * 0.3
    assert v[-1, 3:] == pytest.approx((0.02 + gained) * along, abs=1e-9)
    assert (p[-1] - p[0]) @ along > 0.005  # past the side


@pytest.mark.parametrize("rise", [1e-3, 0.02, 0.1])
def test_a_plank_leans_on_a_step(tmp_path, rise):
    # one end on the ground, the step's edge under it; without friction it would slide off
    step = scenery("step", top=(sdf_box((1.0, 1.0, rise)), at((0.5, 0.0, 0.5 * rise))))
    reach, half, thick = 0.3, 0.5, 0.02  # of the edge from the lower end, of the plank
    lean = np.arcsin(rise / reach)
    turn = leaning(-lean)  # x rises
    low = np.array([-reach * np.cos(lean), 0.0, 0.0])  # its lower edge on the ground
    centre = low + turn.multiply([half, 0.0, 0.5 * thick]) - np.array([0.0, 0.0, TOUCH])
    plank = box((2.0 * half, 0.2, thick), MASS)
    bodies = {"step": step, "plank": plank}
    run = play(
        scene(tmp_path, bodies, {"plank": RigidTransform(turn, centre)}, friction=1.0, duration=0.2)
    )
    assert motion(run, "plank")[1][10, 1] > 0.0  # its centre is beyond the edge: it tips over it
    bodies = {"step": step, "plank": box((2.0 * reach - 0.02, 0.2, thick), MASS)}
    shorter = low + turn.multiply([reach - 0.01, 0.0, 0.5 * thick]) - np.array([0.0, 0.0, TOUCH])
    run = play(
        scene(
            tmp_path, bodies, {"plank": RigidTransform(turn, shorter)}, friction=1.0, duration=0.2
        )
    )
    assert np.abs(motion(run, "plank")[1]).max() < 1e-9
    found = loads(run)
    # moments about the low edge: W times the arm of the centre, N times the reach
    arm = (reach - 0.01) * np.cos(lean) - 0.5 * thick * np.sin(lean)
    assert found["step::top|plank::skin"] == pytest.approx(WEIGHT * arm / reach, rel=1e-6)

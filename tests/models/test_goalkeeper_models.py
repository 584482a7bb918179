"""The keeper's and the balls' SDF against the report."""

import numpy as np
import pytest
from pydrake.geometry import HalfSpace, Mesh, Role, Sphere
from tests.models.goalkeeper import BALLS, FACETS, HEIGHT, KEEPER, MASS, SEMI_AXES, R, X, Y, spec

from footfall.plants.coordinates import coordinate_names
from footfall.plants.loading.load import load_model
from footfall.resources import share_root

FOLDER = share_root() / "sdf" / "goalkeeper"
ORANGE, DARK_ORANGE = np.array([255, 170, 0]) / 255.0, np.array([255, 140, 0]) / 255.0


@pytest.fixture(scope="module", params=BALLS)
def model(request):
    return load_model(spec(request.param))


def _mesh():
    """Corners, normals of facets and facets, as places and normals, of the .obj file."""
    rows = {"v": [], "vn": [], "f": []}
    for line in (FOLDER / "keeper.obj").read_text().splitlines():
        kind, *words = line.split()
        if kind != "#":
            rows[kind].append(words)
    corners, normals = (np.array(rows[kind], dtype=float) for kind in ("v", "vn"))
    facets = [np.array([word.split("//") for word in words], dtype=int) - 1 for words in rows["f"]]
    return corners, normals, [(f[:, 0], set(f[:, 1])) for f in facets]


def test_mesh_is_the_prism_of_the_listing():
    corners, normals, facets = _mesh()
    theta = 2.0 * np.pi * np.arange(FACETS) / FACETS
    ring = np.column_stack((SEMI_AXES[0] * np.cos(theta), SEMI_AXES[1] * np.sin(theta)))
    for level, z in enumerate((0.0, HEIGHT)):
        rim = corners[level * FACETS : (level + 1) * FACETS]
        # fifteen digits
        assert np.allclose(rim[:, :2], ring, rtol=0.0, atol=1e-15)
        assert np.array_equal(rim[:, 2], np.full(FACETS, z))
    assert len(corners) == 2 * FACETS
    assert len(facets) == FACETS + 2
    middle = [0.0, 0.0, 0.5 * HEIGHT]
    for places, (normal,) in facets:
        first, second, third = corners[places[:3]]
        outward = np.cross(second - first, third - first)
        outward /= np.linalg.norm(outward)
        assert np.allclose(normals[normal], outward, rtol=0.0, atol=1e-13)
        assert outward @ (first - middle) > 0.0


def _moments_of_the_mesh():
    """Volume, centre and second moments (3, 3) about the origin, over cones from the origin."""
    corners, _, facets = _mesh()
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for places, _ in facets:
        for k in range(1, len(places) - 1):
            tip = corners[places[[0, k, k + 1]]]
            part = np.linalg.det(tip) / 6.0
            total = tip.sum(axis=0)
            volume += part
            first += part * total / 4.0
            second += part * (tip.T @ tip + np.outer(total, total)) / 20.0
    return volume, first / volume, second


def _inertia(model, name):
    """Mass, centre in the link's frame, and central inertia of a link."""
    plant = model.plant
    context = plant.CreateDefaultContext()
    body = plant.GetBodyByName(*name)
    inertia = body.CalcSpatialInertiaInBodyFrame(context)
    central = inertia.Shift(inertia.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
    return inertia.get_mass(), inertia.get_com(), central


def test_keeper_is_a_solid_prism_of_tulips_mass(model):
    mass, centre, central = _inertia(
        model, ("keeper", model.plant.GetModelInstanceByName("keeper"))
    )
    assert mass == pytest.approx(KEEPER, rel=1e-12)
    volume, middle, second = _moments_of_the_mesh()
    second = second / volume - np.outer(middle, middle)
    expected = mass * (np.trace(second) * np.eye(3) - second)
    assert np.allclose(centre, middle, rtol=0.0, atol=1e-12)
    # the file has twelve digits
    assert np.allclose(central, expected, rtol=0.0, atol=1e-11)


def test_both_balls_are_the_same_shell(model):
    instance = model.plant.GetModelInstanceByName("ball")
    mass, centre, central = _inertia(model, ("ball", instance))
    assert mass == MASS
    assert np.array_equal(centre, np.zeros(3))
    assert np.allclose(central, 2.0 / 3.0 * MASS * R**2 * np.eye(3), rtol=1e-12, atol=0.0)


def _geometries(model, role):
    """Shapes with their pose in the world and their colour, by full name."""
    scene = model.scene_graph
    query = scene.get_query_output_port().Eval(
        scene.GetMyContextFromRoot(model.diagram.CreateDefaultContext())
    )
    inspector = scene.model_inspector()
    found = {}
    for geometry in inspector.GetAllGeometryIds(role):
        properties = inspector.GetIllustrationProperties(geometry)
        drawn = properties is not None and properties.HasProperty("phong", "diffuse")
        colour = properties.GetProperty("phong", "diffuse") if drawn else None
        pose = query.GetPoseInWorld(geometry)
        found[inspector.GetName(geometry)] = (inspector.GetShape(geometry), pose, colour)
    return found


def test_what_is_drawn_is_what_the_listing_draws(model):
    drawn = _geometries(model, Role.kIllustration)
    prism, pose, colour = drawn["keeper::keeper"]
    assert isinstance(prism, Mesh)
    assert np.array_equal(pose.translation(), np.zeros(3))
    # colours are kept in single precision
    rgb = [colour.r(), colour.g(), colour.b()]
    assert np.allclose(rgb, DARK_ORANGE, rtol=0.0, atol=1e-7)
    sphere, pose, colour = drawn["ball::ball"]
    assert isinstance(sphere, Sphere)
    assert sphere.radius() == R
    resting = [0.0, 1.8 if model.plant.num_positions() > 3 else 0.0, R]
    assert np.array_equal(pose.translation(), resting)
    assert np.allclose([colour.r(), colour.g(), colour.b()], ORANGE, rtol=0.0, atol=1e-7)
    others = {name for name in drawn if not name.startswith("field::")}
    assert others == {"keeper::keeper", "ball::ball", "terrain_visual"}


def test_what_can_be_met_is_the_prism_a_little_higher_and_the_free_ball(model):
    free = model.plant.num_positions() > 3
    shapes = _geometries(model, Role.kProximity)
    moving = {
        name
        for name, (shape, *_) in shapes.items()
        if not name.startswith("field::") and not isinstance(shape, HalfSpace)
    }
    assert moving == ({"keeper::keeper", "ball::ball"} if free else {"keeper::keeper"})
    assert np.array_equal(shapes["keeper::keeper"][1].translation(), [0.0, 0.0, 0.01])
    if free:
        assert shapes["ball::ball"][0].radius() == R
    inspector = model.scene_graph.model_inspector()
    (keeper,) = (
        geometry
        for geometry in inspector.GetAllGeometryIds(Role.kProximity)
        if inspector.GetName(geometry) == "keeper::keeper"
    )
    hull = inspector.GetConvexHull(keeper)
    corners = np.array([hull.vertex(k) for k in range(hull.num_vertices())])
    ours, _, _ = _mesh()
    assert len(corners) == len(ours)
    assert all(np.abs(corners - corner).max(axis=1).min() < 1e-12 for corner in ours)


def test_coordinates_are_those_of_the_card(model):
    q, v = coordinate_names(model.plant)
    names = {"keeper_x", "ball_ball_x", "ball_ball_y"}
    actuators = [model.plant.get_joint_actuator(i) for i in model.plant.GetJointActuatorIndices()]
    assert np.isinf([actuator.effort_limit() for actuator in actuators]).all()
    if model.plant.num_positions() == 3:
        assert (q, v) == (["keeper_x", "ball_ball_x", "ball_ball_y"],) * 2
        assert [actuator.name() for actuator in actuators] == ["x", "ball_x", "ball_y"]
    else:
        assert names < set(q)
        assert [q.index(name) for name in ("ball_ball_x", "ball_ball_y")] == [X, Y]
        assert {"keeper_x", "ball_ball_vx", "ball_ball_vy"} < set(v)
        assert [actuator.name() for actuator in actuators] == ["x"]


def test_total_mass_is_that_of_keeper_and_ball(model):
    total = model.plant.CalcTotalMass(model.plant.CreateDefaultContext())
    assert total == pytest.approx(KEEPER + MASS, rel=1e-12)

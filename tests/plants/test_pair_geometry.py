"""Distance, normal and touching points of two solids, against Drake's distances and by hand."""

import itertools

import numpy as np
import pytest
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import Box, Capsule, Convex, Cylinder, Ellipsoid, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
from pydrake.multibody.tree import SpatialInertia
from pydrake.systems.framework import DiagramBuilder

from footfall.plants.contacts.patch import touching_points
from footfall.plants.contacts.separation import sigma
from footfall.plants.contacts.shapes import MANY, NEAR, posed, solid_of_shape

UP = (0.0, 0.0, 1.0)
PYRAMID = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 1.5]], dtype=float)
SHAPES = {
    "sphere": Sphere(0.1),
    "capsule": Capsule(0.06, 0.2),
    "box": Box(0.2, 0.3, 0.1),
    "mesh": Convex(0.1 * PYRAMID.T, "pyramid"),
    "cylinder": Cylinder(0.1, 0.2),
    "ellipsoid": Ellipsoid(0.1, 0.15, 0.08),
}


class Two:
    """Two free bodies with one shape each."""

    def __init__(self, *shapes):
        builder = DiagramBuilder()
        self.plant, self._graph = AddMultibodyPlantSceneGraph(builder, 0.0)
        rough, unit = CoulombFriction(1.0, 1.0), SpatialInertia.SolidSphereWithMass(1.0, 0.1)
        self.ids = []
        for name, shape in zip("ab", shapes, strict=True):
            body = self.plant.AddRigidBody(name, unit)
            place = RigidTransform()
            self.ids.append(self.plant.RegisterCollisionGeometry(body, place, shape, name, rough))
        self.plant.Finalize()
        self._diagram = builder.Build()
        self._root = self._diagram.CreateDefaultContext()
        inspector = self._graph.model_inspector()
        self._solids = [solid_of_shape(inspector, g) for g in self.ids]

    def place(self, *poses):
        context = self.plant.GetMyMutableContextFromRoot(self._root)
        for name, X_WB in zip("ab", poses, strict=True):
            self.plant.SetFreeBodyPose(context, self.plant.GetBodyByName(name), X_WB)
        self.solids = [posed(s, X_WB) for s, X_WB in zip(self._solids, poses, strict=True)]

    def drakes(self):
        query = self._graph.get_query_output_port().Eval(
            self._graph.GetMyContextFromRoot(self._root)
        )
        return query.ComputeSignedDistancePairClosestPoints(*self.ids)

    def touch(self, hint=UP):
        n, points, gaps = touching_points(*self.solids, hint)
        return np.array(n), points, gaps


def _touching(shape_a, X_WA, shape_b, X_WB=None):
    two = Two(shape_a, shape_b)
    two.place(X_WA, X_WB or RigidTransform())
    return two.touch()


def _random_pose(rng, distance):
    w = rng.normal(size=4)
    p = rng.normal(size=3)
    return RigidTransform(Quaternion(w / np.linalg.norm(w)), distance * p / np.linalg.norm(p))


PAIRS = list(itertools.combinations_with_replacement(SHAPES, 2))


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_signed_distances_are_drakes_or_better(pair):
    rng = np.random.default_rng(7)
    two = Two(*(SHAPES[name] for name in pair))
    depths = 0
    for _ in range(150):
        two.place(_random_pose(rng, 0.0), _random_pose(rng, rng.uniform(0.02, 0.3)))
        witness = two.drakes()
        n, _, gaps = two.touch(tuple(witness.nhat_BA_W.tolist()))
        distance = sigma(*two.solids, tuple(n.tolist()))
        # by definition no direction separates more than the best; hints of Drake's may replace
        # another direction that separates by less than rounding more
        assert distance >= sigma(*two.solids, tuple(witness.nhat_BA_W.tolist())) - 1e-12
        # Drake's query between convex shapes stops at 1e-6, and now and then earlier when they are
        # apart, where its distance is that of two points of the shapes, too long by up to 2e-3
        assert distance <= witness.distance + 1e-7
        assert distance == pytest.approx(
            witness.distance, abs=2e-6 if witness.distance < 0.0 else 2e-2
        )
        depths += witness.distance < 0.0
        # the deepest point is as deep as the distance says; nearly parallel edges within 1e-3 of
        # their lengths
        assert gaps.min() == pytest.approx(distance, abs=1e-4 if len(gaps) > 1 else 1e-12)
    assert 30 < depths < 150


@pytest.mark.parametrize("depth", [1e-3, 1e-6, 1e-9, 1e-12])
def test_boxes_that_barely_touch_have_the_normal_of_their_faces(depth):
    two = Two(Box(0.2, 0.2, 0.1), Box(1.0, 1.0, 0.5))
    two.place(RigidTransform([0.1, 0.2, 0.3 - depth]), RigidTransform())
    n, points, gaps = two.touch()
    assert n.tolist() == [0.0, 0.0, 1.0]
    # half an ulp of heights of 0.3 m
    assert gaps == pytest.approx(np.full(4, -depth), abs=1e-16)
    corners = np.array(list(itertools.product((0.0, 0.2), (0.1, 0.3))))
    found = points[np.lexsort((points[:, 1], points[:, 0]))]
    assert found[:, :2] == pytest.approx(corners, abs=1e-15)


def test_crossing_planks_touch_in_the_corners_of_their_common_square():
    two = Two(Box(1.0, 0.1, 0.02), Box(0.2, 1.0, 0.02))
    two.place(RigidTransform([0.0, 0.0, 0.02 - 1e-9]), RigidTransform())
    _, points, gaps = two.touch()
    assert gaps == pytest.approx(np.full(4, -1e-9), abs=1e-17)
    assert np.abs(points[:, :2]) == pytest.approx(np.tile([0.1, 0.05], (4, 1)), abs=1e-15)


def test_a_box_over_a_ledge_touches_to_the_very_edge():
    two = Two(Box(0.2, 0.2, 0.1), Box(1.0, 1.0, 0.5))
    two.place(RigidTransform([0.49, 0.0, 0.3 - 1e-9]), RigidTransform())
    _, points, _ = two.touch()
    assert sorted(set(points[:, 0].round(12))) == [0.39, 0.5]


def test_a_box_that_tips_over_a_ledge_turns_about_its_edge():
    lean = 0.01
    R = RotationMatrix.MakeYRotation(lean)
    edge = np.array([0.5, 0.0, 0.25])
    # its lower face lies on the edge, 20 mm from its middle
    centre = edge + R.multiply([0.02, 0.0, 0.05 - 1e-9])
    two = Two(Box(0.2, 0.2, 0.1), Box(1.0, 1.0, 0.5))
    two.place(RigidTransform(R, centre), RigidTransform())
    n, points, gaps = two.touch()
    assert n == pytest.approx([np.sin(lean), 0.0, np.cos(lean)], abs=1e-15)
    carrying = points[gaps <= 0.0]
    assert len(carrying) == 2
    assert carrying[:, 0] == pytest.approx([0.5, 0.5], abs=1e-8)


def test_boxes_touch_edge_to_edge_in_one_point():
    # a box that stands on an edge, across the edge of another that does so, too
    eighth = RotationMatrix.MakeXRotation(np.pi / 4.0)
    other = RotationMatrix.MakeYRotation(np.pi / 4.0)
    half = 0.1 * np.sqrt(2.0)
    two = Two(Box(0.2, 0.2, 0.2), Box(0.2, 0.2, 0.2))
    two.place(RigidTransform(eighth, [0.03, 0.02, 2.0 * half - 1e-6]), RigidTransform(other))
    n, points, gaps = two.touch()
    assert n == pytest.approx([0.0, 0.0, 1.0], abs=1e-15)
    assert gaps == pytest.approx([-1e-6], abs=1e-16)
    assert points == pytest.approx(np.array([[0.0, 0.02, half]]), abs=1e-6)


def test_a_capsule_on_a_box_touches_from_end_to_end_of_what_is_on_it():
    lying = RotationMatrix.MakeYRotation(np.pi / 2.0)
    n, points, gaps = _touching(
        Capsule(0.05, 0.4), RigidTransform(lying, [0.4, 0.0, 0.3 - 1e-9]), Box(1.0, 1.0, 0.5)
    )
    assert n == pytest.approx([0.0, 0.0, 1.0], abs=1e-16)
    assert sorted(points[:, 0]) == pytest.approx([0.2, 0.5], abs=1e-15)
    assert gaps == pytest.approx([-1e-9, -1e-9], abs=1e-16)


@pytest.mark.parametrize("shape", [Capsule(0.05, 0.4), Cylinder(0.05, 0.4)])
def test_parallel_rollers_touch_along_a_line_and_crossed_ones_in_a_point(shape):
    n, points, gaps = _touching(shape, RigidTransform([0.06, 0.08 - 1e-9, 0.1]), shape)
    assert n == pytest.approx([0.6, 0.8, 0.0], abs=1e-8)
    assert sorted(points[:, 2]) == pytest.approx([-0.1, 0.2], abs=1e-12)
    assert gaps == pytest.approx([-8e-10, -8e-10], abs=1e-15)
    turned = RotationMatrix.MakeYRotation(0.7)
    n, points, gaps = _touching(shape, RigidTransform(turned, [0.02, 0.1 - 1e-9, 0.0]), shape)
    assert n == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)
    assert gaps == pytest.approx([-1e-9], abs=1e-16)


@pytest.mark.parametrize("turn", [0.0, 0.3, 2.0])
def test_a_cylinder_lies_on_a_line_and_stands_on_its_rim(turn):
    lying = RotationMatrix.MakeXRotation(np.pi / 2.0) @ RotationMatrix.MakeZRotation(turn)
    floor = Box(1.0, 1.0, 0.5)
    n, points, gaps = _touching(
        Cylinder(0.1, 0.3), RigidTransform(lying, [0.0, 0.0, 0.35 - 1e-9]), floor
    )
    assert n == pytest.approx([0.0, 0.0, 1.0], abs=1e-15)
    assert sorted(points[:, 1]) == pytest.approx([-0.15, 0.15], abs=1e-15)
    assert gaps == pytest.approx([-1e-9, -1e-9], abs=1e-16)
    upright = RigidTransform(RotationMatrix.MakeZRotation(turn), [0.0, 0.0, 0.4 - 1e-9])
    _, points, gaps = _touching(Cylinder(0.1, 0.3), upright, floor)
    assert len(points) >= 8
    assert np.hypot(points[:, 0], points[:, 1]) == pytest.approx(np.full(len(points), 0.1))


def test_a_leaning_cylinder_touches_with_the_lowest_point_of_its_rim():
    lean = 0.3
    height = 0.15 * np.cos(lean) + 0.1 * np.sin(lean)
    R = RotationMatrix.MakeYRotation(lean)
    _, points, gaps = _touching(
        Cylinder(0.1, 0.3), RigidTransform(R, [0.0, 0.0, 0.25 + height - 1e-9]), Box(1.0, 1.0, 0.5)
    )
    lowest = R.multiply([0.1, 0.0, -0.15])
    assert gaps == pytest.approx([-1e-9], abs=1e-16)
    assert points[0, :2] == pytest.approx(lowest[:2], abs=1e-15)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_touching_points_are_symmetric_in_the_two_solids(pair):
    rng = np.random.default_rng(3)
    one, other = (Two(*(SHAPES[name] for name in names)) for names in (pair, pair[::-1]))
    for _ in range(30):
        X_WA, X_WB = _random_pose(rng, 0.0), _random_pose(rng, rng.uniform(0.02, 0.2))
        one.place(X_WA, X_WB)
        other.place(X_WB, X_WA)
        hint = one.drakes().nhat_BA_W
        n, _, gaps = one.touch(tuple(hint.tolist()))
        m, _, back = other.touch(tuple((-hint).tolist()))
        # two directions may separate alike, to the rounding that prefers those of faces
        assert gaps.min() == pytest.approx(back.min(), abs=1e-4 if len(gaps) > 1 else 1e-10)
        if np.linalg.norm(n + m) < 1e-3:
            assert len(gaps) == len(back)


@pytest.mark.parametrize("name", ["box", "mesh"])
def test_polyhedra_are_closed_and_their_edges_know_their_faces(name):
    two = Two(SHAPES[name], SHAPES["sphere"])
    two.place(RigidTransform(), RigidTransform([1.0, 0.0, 0.0]))
    solid = two.solids[0]
    assert len(solid.vertices) - len(solid.edges) + len(solid.normals) == 2  # Euler
    for (start, end), (i, k) in zip(solid.edges, solid.sides, strict=True):
        along = solid.vertices[end] - solid.vertices[start]
        assert np.cross(solid.normals[k], solid.normals[i]) @ along > 0.0
    for normal, loop in zip(solid.normals, solid.loops, strict=True):
        heights = solid.vertices @ normal
        corners = loop[loop >= 0]
        assert heights[corners] == pytest.approx(np.full(len(corners), heights.max()), abs=1e-15)


def test_distances_of_hulls_with_hundreds_of_edges_are_drakes():
    rng = np.random.default_rng(5)
    round_points = rng.normal(size=(3, 150))
    round_points *= np.array([[0.1], [0.15], [0.08]]) / np.linalg.norm(round_points, axis=0)
    hull = Convex(round_points, "pebble")
    two = Two(hull, hull)
    two.place(RigidTransform(), RigidTransform([1.0, 0.0, 0.0]))
    assert len(two.solids[0].edges) ** 2 > MANY
    touching = 0
    for _ in range(100):
        two.place(_random_pose(rng, 0.0), _random_pose(rng, rng.uniform(0.15, 0.25)))
        witness = two.drakes()
        if witness.distance > 0.5 * NEAR:
            continue
        n, _, gaps = two.touch()
        distance = sigma(*two.solids, tuple(n.tolist()))
        if distance > 0.0:  # a lower bound: corners that face each other are farther apart
            assert witness.distance - 0.5 * NEAR <= distance <= witness.distance + 1e-7
        else:
            touching += 1
            assert distance == pytest.approx(witness.distance, abs=2e-6)
            assert gaps.min() == pytest.approx(distance, abs=1e-4)
    assert touching > 30


@pytest.mark.parametrize("name", SHAPES)
def test_solids_in_the_same_place_have_a_unit_normal(name):
    two = Two(SHAPES[name], SHAPES[name])
    two.place(RigidTransform(), RigidTransform())
    n, points, gaps = two.touch()
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-14)
    assert np.isfinite(points).all()
    assert np.isfinite(gaps).all()


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_depth_of_a_touch_is_found_though_drakes_direction_is_noise_there(pair):
    # Where solids just touch, Drake's query has rounding for a direction, no number, or an error;
    # it is handed over all the same. Solids that are moved along their own normal keep it.
    rng = np.random.default_rng(11)
    two = Two(*(SHAPES[name] for name in pair))
    tried = exact = 0
    for _ in range(25):
        X_WA, X_WB = _random_pose(rng, 0.0), _random_pose(rng, 0.3)

        def depth_at(p, X_WA=X_WA, X_WB=X_WB):
            two.place(X_WA, RigidTransform(X_WB.rotation(), p))
            try:
                hint = two.drakes().nhat_BA_W
            except RuntimeError:  # as the engine does it
                hint = np.full(3, np.nan)
            n, _, _ = two.touch(tuple(hint.tolist()) if np.isfinite(hint).all() else UP)
            return -sigma(*two.solids, tuple(n.tolist())), n

        p, want = X_WB.translation(), 1e-4
        for _ in range(8):  # towards each other, until they are 0.1 mm deep
            depth, n = depth_at(p)
            p = p + (want - depth) * n
        depth, n = depth_at(p)
        if abs(depth - want) > 1e-9:  # a corner, which has many normals
            continue
        for less in (1e-5, 1e-6, 1e-8, 1e-12, 0.0, -1e-9, -1e-6):
            found, _ = depth_at(p + (less - want) * n)
            tried += 1
            exact += abs(found - less) < 1e-9
            # A corner may come out by a nearer face. Newton's method may end at another part.
            assert found <= less + 1e-9
            assert found == pytest.approx(less, abs=2e-5)
    assert tried >= 35
    if "mesh" not in pair and pair != ("box", "box"):
        assert exact >= 0.98 * tried

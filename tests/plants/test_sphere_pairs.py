"""Spheres against many shapes in one loop: the same as pair by pair, and nobody else is asked."""

import numpy as np
import pytest
from tests.engines.scenery import (
    PYRAMID,
    RADIUS,
    at,
    ball,
    box,
    scene,
    scenery,
    sdf_box,
    sdf_mesh,
    write_obj,
)
from tests.plants.measured_pair import measured

from footfall.plants.contacts.shapes import NEAR
from footfall.plants.contacts.spheres import is_of_sphere
from footfall.plants.dynamics import Dynamics
from footfall.plants.kinematics import Kinematics
from footfall.scenario.assemble import build_robot

ROOM = ((-0.4, -0.4, 2.6), (0.4, 0.4, 3.4))  # m: in the air


def _pieces(folder, rng):
    """Boxes and pyramids at random places."""
    shapes = [sdf_box((0.3, 0.2, 0.1)), sdf_box((0.02, 0.5, 0.1))]
    shapes.append(sdf_mesh(write_obj(folder / "pyramid.obj", PYRAMID)))
    pieces = {}
    for k in range(30):
        roll, pitch, yaw = rng.uniform(-180.0, 180.0, 3)
        place = tuple(rng.uniform(*ROOM))
        pieces[f"rock#{k}"] = (shapes[k % 3], at(place, roll=roll, pitch=pitch, yaw=yaw))
    return scenery("rocks", **pieces)


@pytest.fixture
def scattered(tmp_path):
    """Two balls, a cube and scenery, all of which may touch each other."""
    rng = np.random.default_rng(7)
    bodies = {"a": ball(RADIUS, 1.0), "rocks": _pieces(tmp_path, rng), "b": ball(0.03, 1.0)}
    machine = build_robot(scene(tmp_path, bodies | {"cube": box((0.1, 0.1, 0.1), 1.0)}))
    return machine, Dynamics(machine.model, machine.contacts), rng


def _at_random(plant, rng):
    q = np.zeros(plant.num_positions())
    for k in range(0, len(q), 7):
        turn = rng.standard_normal(4)
        q[k : k + 4] = turn / np.linalg.norm(turn)
        q[k + 4 : k + 7] = rng.uniform(*ROOM)
    return q


def _nearest_by_drake(machine, context, pair, p_WC):
    """The point nearest to p_WC between the two in which Drake finds the shapes nearest."""
    query = machine.plant.get_geometry_query_input_port().Eval(context)
    found = query.ComputeSignedDistancePairClosestPoints(pair.a, pair.b)
    a = query.GetPoseInWorld(found.id_A) @ found.p_ACa
    between = query.GetPoseInWorld(found.id_B) @ found.p_BCb - a
    share = np.clip((p_WC - a) @ between / (between @ between), 0.0, 1.0)
    return a + share * between


@pytest.mark.slow
def test_gaps_places_and_normals_are_those_of_pair_by_pair(scattered):
    machine, dynamics, rng = scattered
    kinematics = Kinematics(machine.plant)
    seen = np.zeros(3, dtype=int)
    for _ in range(200):
        q = _at_random(machine.plant, rng)
        dynamics.set_state(np.concatenate((q, np.zeros(machine.plant.num_velocities()))))
        gap, p_WC = dynamics.gaps()
        kinematics.place(dynamics.context, q)
        for number, pair in enumerate(machine.contacts.pairs):
            if pair.is_intricate:
                continue
            expected, place, n_W = measured(pair, kinematics)
            found, places = gap[pair.first], slice(pair.first, pair.first + len(pair))
            if np.isinf(found):
                # nothing near is left out; the bound is good to rounding. Boxes that do not overlap
                # may be nearer.
                assert expected[0] > (NEAR - 1e-12 if is_of_sphere(pair) else 0.0)
                assert not dynamics.measure.normals.of_pairs[number].any()
            else:
                # in closed form: places within 1 m, to rounding, which an edge that is a
                # millimetre from the centre makes a hundred times that of the normal
                assert np.allclose(gap[places], expected, rtol=0.0, atol=1e-14)
                if found > 1e-5 and not is_of_sphere(pair):  # edges do not tell where it is nearest
                    place[0] = _nearest_by_drake(machine, dynamics.context, pair, p_WC[pair.first])
                apart = np.abs(p_WC[places] - place)
                assert np.nanmax(apart) <= (1e-14 if found <= 1e-5 or is_of_sphere(pair) else 1e-6)
                assert np.array_equal(np.isnan(p_WC[places]), np.isnan(place))
                normal = dynamics.measure.normals.of_pairs[number]
                assert np.allclose(normal, n_W, rtol=0.0, atol=1e-12)
            seen += [np.isinf(found), 0.0 < found < np.inf, found <= 0.0]
    assert seen.min() > 100  # far, near and touching ones have occurred


def test_bounds_of_far_spheres_count_edges_as_well_as_faces(scattered):
    """A box's corner is far from a ball that its faces' planes cut: edges count as well."""
    machine, dynamics, rng = scattered
    farther = []
    for _ in range(100):
        q = _at_random(machine.plant, rng)
        dynamics.set_state(np.concatenate((q, np.zeros(machine.plant.num_velocities()))))
        gap, _ = dynamics.gaps()
        measured = gap[[pair.first for pair in machine.contacts.pairs if len(pair) == 1]]
        farther += (measured[np.isfinite(measured)] > NEAR).tolist()
    assert np.mean(farther) < 0.05  # what is left are corners

"""All gaps in one kernel: what touches is never lost, and distances are exact."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.scenery import (
    PYRAMID,
    at,
    ball,
    box,
    capsule,
    cylinder,
    ellipsoid,
    mesh,
    scene,
    scenery,
    sdf_box,
    write_obj,
)

from footfall.plants.contacts.gaps import measure_gaps
from footfall.plants.contacts.pairs import gap_scratch
from footfall.plants.contacts.shapes import NEAR
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot

_DRAKE = 1e-4  # m: what Drake's distances of round shapes are good for


@pytest.fixture(scope="module")
def bodies(tmp_path_factory):
    """Bodies of every shape over a box that is fixed to the world, and Drake's view of them."""
    folder = tmp_path_factory.mktemp("bodies")
    corners = np.random.default_rng(3).standard_normal((40, 3))
    corners *= 0.1 / np.linalg.norm(corners, axis=1)[:, None]
    stone = write_obj(folder / "stone.obj", corners)
    made = {
        "ball": ball(0.08, 1.0),
        "box": box((0.2, 0.1, 0.15), 1.0),
        "capsule": capsule(0.04, 0.2, 1.0),
        "cylinder": cylinder(0.06, 0.2, 1.0),
        "ellipsoid": ellipsoid(0.1, 0.06, 0.08, 1.0),
        "pyramid": mesh(write_obj(folder / "pyramid.obj", PYRAMID), 1.0, (0.01,) * 3),
        "stone": mesh(stone, 1.0, (0.004,) * 3),
        "plate": scenery("plate", top=(sdf_box((0.5, 0.5, 0.1)), at((0.0, 0.0, 0.05)))),
    }
    machine = build_robot(scene(folder, made))
    root = machine.model.diagram.CreateDefaultContext()
    return machine, Dynamics(machine.model, machine.contacts), root


def _placed(machine, seed, spread):
    rng = np.random.default_rng(seed)
    q = np.zeros(machine.plant.num_positions())
    for k in range(0, len(q), 7):
        turn = rng.standard_normal(4)
        q[k : k + 4] = turn / np.linalg.norm(turn)
        q[k + 4 : k + 7] = rng.uniform(-spread, spread, 3) + np.array([0.0, 0.0, 0.15])
    return q


@settings(max_examples=15, deadline=None, database=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 0.4))
def test_no_contact_is_lost_and_distances_are_those_of_drake(bodies, seed, spread):
    machine, dynamics, root = bodies
    scene_graph, plant = machine.model.scene_graph, machine.plant
    q = _placed(machine, seed, spread)
    plant.SetPositions(plant.GetMyMutableContextFromRoot(root), q)
    query = scene_graph.get_query_output_port().Eval(scene_graph.GetMyContextFromRoot(root))
    dynamics.set_state(np.concatenate((q, np.zeros(plant.num_velocities()))))
    gap, _ = dynamics.gaps()
    for pair in machine.contacts.pairs:
        try:
            distance = query.ComputeSignedDistancePairClosestPoints(pair.a, pair.b).distance
        except RuntimeError:  # where they just touch
            continue
        found = gap[pair.first : pair.first + len(pair)].min()
        if distance < -_DRAKE:
            assert found < 0.0
        elif distance > _DRAKE:
            assert np.isinf(found) or abs(found - distance) < _DRAKE
            assert found > 0.0


def test_answers_do_not_depend_on_what_was_near_before(bodies):
    """To rounding; far hulls give the compiled loop their lowest corner alone."""
    machine, dynamics, _ = bodies
    measure, contacts = dynamics.measure, machine.contacts
    kept = _room(measure, contacts)
    for seed in range(30):
        q = _placed(machine, seed, 0.2)
        dynamics.set_state(np.concatenate((q, np.zeros(machine.plant.num_velocities()))))
        whole, places = dynamics.gaps()
        poses = measure._kinematics.poses
        fresh = _room(measure, contacts)
        for scratch, *filled in (kept, fresh):
            measure_gaps(*measure.gap_tables, scratch, poses, q, *filled)
        for one, other in zip(kept[1:], fresh[1:], strict=True):
            known = np.isfinite(kept[1]) if len(one) == len(kept[1]) else slice(None)
            assert np.allclose(one[known], other[known], rtol=0.0, atol=1e-9, equal_nan=True)
        gap = kept[1]
        for shape in contacts.ground:
            own = slice(shape.first, shape.first + len(shape.points))
            near = whole[own] <= NEAR if len(shape.points) > 8 else np.isfinite(whole[own])
            near[whole[own].argmin()] = True
            assert np.array_equal(np.isfinite(gap[own]), near)
            assert np.array_equal(gap[own][near], whole[own][near])
            assert np.allclose(kept[2][own][near], places[own][near], rtol=0.0, atol=1e-15)


def _room(measure, contacts):
    """Scratch, gaps, places and normals for a first call."""
    count = len(contacts)
    scratch = gap_scratch(measure.gap_tables[2])
    places, normals = np.full((count, 3), np.nan), np.zeros((len(contacts.pairs), 3))
    return scratch, np.full(count, np.inf), places, normals

"""Hulls with many edges that pass each other: exact gaps, near and far."""

import numpy as np
import pytest
from scipy.optimize import nnls
from tests.engines.scenery import mesh, scene, write_obj
from tests.plants.measured_pair import measured, placed

from footfall.plants.contacts.shapes import NEAR
from footfall.plants.dynamics import Dynamics
from footfall.plants.kinematics import Kinematics
from footfall.scenario.assemble import build_robot


def _distance(pair, kinematics):
    """Distance of two hulls as that of the nearest convex combinations of their corners."""
    solids, poses = placed(pair, kinematics)
    a, b = (s.vertices @ X[:, :3].T + X[:, 3] for s, X in zip(solids, poses, strict=True))
    weight = 1e3  # of what makes each combination a convex one
    sums = np.kron(np.eye(2), np.ones(len(a)))
    shares, _ = nnls(np.vstack([np.hstack([a.T, -b.T]), weight * sums]), [0, 0, 0, weight, weight])
    return np.linalg.norm(a.T @ shares[: len(a)] - b.T @ shares[len(a) :])


@pytest.mark.slow
def test_gaps_of_stones_that_pass_each_other_are_exact(tmp_path):
    """To 1e-7, as the programme is; to the bit where stones touch."""
    rng = np.random.default_rng(5)
    corners = rng.standard_normal((40, 3))
    corners *= 0.1 / np.linalg.norm(corners, axis=1)[:, None]
    stone = mesh(write_obj(tmp_path / "stone.obj", corners), 1.0, (0.004, 0.004, 0.004))
    machine = build_robot(scene(tmp_path, {"a": stone, "b": stone}))
    pair = machine.contacts.pairs[0]
    assert pair.is_intricate
    dynamics, kinematics = Dynamics(machine.model, machine.contacts), Kinematics(machine.plant)
    q = np.zeros(14)
    q[[0, 7]], q[[6, 13]] = 1.0, 1.0
    seen, looked_at = np.zeros(3, dtype=int), 0
    for x in np.linspace(-0.3, 0.3, 3001):
        q[4], q[5] = x, 0.185 + 0.02 * x
        q[1:4] = 0.3 * x, -0.5 * x, x
        dynamics.set_state(np.concatenate((q, np.zeros(12))))
        kinematics.place(dynamics.context, q)
        gap, _ = dynamics.gaps()
        found, exact = gap[pair.first], measured(pair, kinematics)[0][0]
        if np.isinf(found):
            assert exact > 0.0
        elif exact > 1e-4:
            assert exact - 1e-9 < found
            looked_at += 1
            if looked_at % 20 == 0:
                assert abs(found - _distance(pair, kinematics)) < 1e-7
        elif exact <= 0.0:
            assert found == exact
        seen += [np.isinf(found), 0.0 < found <= NEAR, found <= 0.0]
    assert seen.min() > 100

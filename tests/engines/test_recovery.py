"""Recovered gaps and loops in one kernel, against the same in Python, and what they promise."""

from pathlib import Path

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective

from footfall.engines.step_ends import Ends, Recovery
from footfall.plants.contacts import collect_contacts
from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import ModelSpec, load_model

DATA = Path(__file__).parents[1] / "data" / "energy"


def dynamics_of(file):
    directives = [ModelDirective(add_model=AddModel(name="m", file=str(file)))]
    model = load_model(ModelSpec(directives))
    return Dynamics(model, collect_contacts(model))


def sunk(dynamics, rng, depth, spread=0.5):
    """A posture whose lowest point is so deep in the ground, with what touches there."""
    plant = dynamics.plant
    q = plant.GetPositions(plant.CreateDefaultContext())
    q += rng.uniform(-spread, spread, len(q))
    normalise_quaternions(q, quaternion_places(plant))
    v = rng.normal(size=plant.num_velocities())
    dynamics.set_state(np.concatenate((q, v)))
    touching = dynamics.gaps()[0][: dynamics.contacts.num_ground]
    body = plant.GetFloatingBaseBodies().pop()
    q[plant.get_body(body).floating_positions_start() + 6] -= touching.min() + depth
    dynamics.set_state(np.concatenate((q, v)))
    gap, mass = dynamics.gaps()[0], dynamics.mass_matrix()
    active = np.flatnonzero((gap < 0.02) & np.isfinite(gap))
    active = active[dynamics.measure.is_fixed(active)]
    return Ends(q, v, mass), active, rng.random(len(active)) < 0.5


@pytest.fixture(scope="module", params=["c74", "c108"])
def dynamics(request):
    return dynamics_of(DATA / f"{request.param}.urdf")


@pytest.mark.parametrize("depth", [1e-6, 1e-2, 0.1])
def test_the_kernel_recovers_what_python_does(dynamics, depth):
    rng, recovery = np.random.default_rng(1), Recovery(dynamics, recover_gaps=True)
    for _ in range(5):
        ends, active, pressed = sunk(dynamics, rng, depth)
        assert len(active) > 0
        expected, left = recovery._in_python(ends, active, pressed)
        assert dynamics.projection.knows(active)
        found = dynamics.projection.recover(ends.q, ends.v, ends.mass, active, pressed)
        np.testing.assert_allclose(found[0], expected, rtol=0.0, atol=1e-12)
        assert found[1] == pytest.approx(left, abs=1e-12)


def test_slight_penetration_is_closed_by_the_smallest_change(dynamics):
    rng = np.random.default_rng(2)
    ends, active, _ = sunk(dynamics, rng, 1e-7, spread=0.02)
    gap, J = dynamics.gaps()[0][active], dynamics.measure.jacobian(active)[:, 0]
    wrong = gap < 0.0
    assert wrong.any()
    moved, left = dynamics.projection.recover(ends.q, ends.v, ends.mass, active, wrong)
    assert left < 1e-12
    dynamics.set_state(np.concatenate((moved, ends.v)))
    np.testing.assert_allclose(dynamics.gaps()[0][active][wrong], 0.0, atol=1e-12)
    lower = np.linalg.cholesky(ends.mass)
    half = np.linalg.solve(lower, J[wrong].T).T
    change = np.linalg.solve(lower.T, np.linalg.lstsq(half, -gap[wrong], rcond=1e-9)[0])
    expected = dynamics.advance_positions(ends.q, change, 1.0)
    np.testing.assert_allclose(moved, expected, rtol=0.0, atol=1e-12)


def test_recovered_positions_give_no_energy(dynamics):
    rng, limited = np.random.default_rng(3), 0
    for _ in range(10):
        ends, active, pressed = sunk(dynamics, rng, 0.1)
        before = dynamics.kinetic_energy_at(ends.q, ends.v)
        marks = np.zeros((2, len(dynamics.contacts)), dtype=np.bool_)
        marks[0, active] = marks[1, active[pressed]] = True
        full, _ = dynamics.project_positions(ends.q, ends.mass, *marks)
        limited += dynamics.kinetic_energy_at(full, ends.v) > 1.001 * before
        moved, _ = dynamics.projection.recover(ends.q, ends.v, ends.mass, active, pressed)
        assert dynamics.kinetic_energy_at(moved, ends.v) <= 1.001 * before * (1.0 + 1e-9)
    assert limited > 0


def test_contacts_between_bodies_are_left_to_python(dynamics):
    of_pairs = np.flatnonzero(~dynamics.measure.is_fixed(np.arange(len(dynamics.contacts))))
    some = np.arange(dynamics.contacts.num_ground)
    assert dynamics.projection.knows(some)
    for pair in of_pairs[:1]:
        assert not dynamics.projection.knows(np.append(some, pair))

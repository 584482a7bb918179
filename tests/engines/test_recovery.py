"""Ends of steps on closed loops and at gap zero, against Newton's method in numpy."""

from pathlib import Path

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.tiny import BRICK, simulate, tiny

from footfall.engines import MoreauConfig, MoreauEngine, machine
from footfall.engines.moreau_step import roll
from footfall.engines.record import CONSTRAINT_GAP, GAP, is_pressed, known_rows
from footfall.engines.tables import COINCIDENT, DONE
from footfall.plants.constraints import Ball, Coupler, Distance, Weld
from footfall.plants.contacts import collect_contacts
from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.dynamics import Dynamics
from footfall.plants.forces import ImplicitForces
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario

DATA = Path(__file__).parents[1] / "data" / "energy"
DT = 1e-5

# a crank, a rod and a slider in a plane; a rod on a cardan joint; and two bodies that float
_LINK = """<link name="{}"><inertial><mass>1</mass><inertia><ixx>0.02</ixx><iyy>0.03</iyy>
  <izz>0.04</izz></inertia></inertial></link>"""
_JOINT = """<joint name="{}" type="{}"><parent>{}</parent><child>{}</child>
  <pose relative_to="{}">{} 0 0 0 0 0</pose>{}</joint>"""
_AXIS = "<axis><xyz>{}</xyz></axis>"
MACHINE = """<sdf version="1.9"><model name="m">{}{}</model></sdf>""".format(
    "".join(_LINK.format(k) for k in ("crank", "rod", "slider", "arm", "free", "other")),
    "".join(
        _JOINT.format(*each)
        for each in (
            ("turn", "revolute", "world", "crank", "crank", 0, _AXIS.format("0 1 0")),
            ("swing", "revolute", "crank", "rod", "crank", 0.3, _AXIS.format("0 1 0")),
            ("slide", "prismatic", "world", "slider", "slider", 0, _AXIS.format("1 0 0")),
            (
                *("cardan", "universal", "slider", "arm", "slider", 0),
                _AXIS.format("1 0 0") + "<axis2><xyz>0 1 0</xyz></axis2>",
            ),
        )
    ),
)
RODS = Ball("m::rod", "m::slider", [0.7, 0.0, 0.0])
LOOPS = {
    "redundant in space": [RODS],
    "twice the same": [RODS, RODS],
    "all kinds": [
        RODS,
        Distance("m::arm", "m::free", [0.1, 0.2, 0.3], [0.0, 0.1, 0.0], 0.9),
        Weld("m::free", "m::other"),
        Coupler("slide", "turn", 0.5, 0.7),
    ],
}


def dynamics_of(file, constraints=()):
    directives = [ModelDirective(add_model=AddModel(name="m", file=str(file)))]
    model = load_model(ModelSpec(directives, constraints=list(constraints)))
    return Dynamics(model, collect_contacts(model))


def linked(folder, constraints):
    path = folder / "machine.sdf"
    path.write_text(MACHINE)
    return dynamics_of(path, constraints)


def step(dynamics, state, *, recover_gaps):
    """Make a step; returns [q; v] and the record at its end, q where it was to end, and M."""
    config = MoreauConfig(recover_gaps=recover_gaps)
    engine = MoreauEngine(dynamics.model, dynamics.contacts, DT, config)
    states, efforts, applied, off, records = engine.arrays_for(1)
    states[0], nq = state, dynamics.plant.num_positions()
    assert roll(engine.handle, 0, states, efforts, applied, off, records) == (1, DONE)
    middle = dynamics.advance_positions(states[0, :nq], states[0, nq:], 0.5 * DT)
    dynamics.set_state(np.concatenate((middle, states[0, nq:])))
    mass = dynamics.mass_matrix() + np.diag(ImplicitForces(dynamics.plant, DT).in_joints)
    return states[1], records[1], dynamics.advance_positions(middle, states[1, nq:], 0.5 * DT), mass


def newton(dynamics, q, mass, closed, pressed, steps=4):
    """Move q by singular values in the metric of M; closed, pressed (n,): contacts."""
    lower = np.linalg.cholesky(mass)
    for _ in range(steps):
        g, G = dynamics.bilateral_violation(q)
        gap = dynamics.gaps()[0]
        wrong = (closed & (gap < 0.0)) | (pressed & (gap > 0.0) & np.isfinite(gap))
        rows = np.vstack((G, dynamics.contact_jacobian(wrong)[:, 0]))
        half = np.linalg.solve(lower, rows.T).T
        least = np.linalg.lstsq(half, -np.concatenate((g, gap[wrong])), rcond=1e-9)[0]
        q = dynamics.advance_positions(q, np.linalg.solve(lower.T, least), 1.0)
    return q


def touching(dynamics, record):
    """Contacts that took part in a first step, and those that bore a load and do not part."""
    rows, which = known_rows(record)
    marks = np.zeros((2, len(dynamics.contacts)), dtype=bool)
    marks[0, which[rows[:, GAP] <= 1e-9]] = True
    marks[1, which[[is_pressed(row) for row in rows]]] = True
    return marks


def sunk(dynamics, rng, depth, spread):
    """A state whose lowest point is so deep in the ground."""
    plant = dynamics.plant
    q = plant.GetPositions(plant.CreateDefaultContext())
    q += rng.uniform(-spread, spread, len(q))
    normalise_quaternions(q, quaternion_places(plant))
    v = rng.normal(size=plant.num_velocities())
    dynamics.set_state(np.concatenate((q, v)))
    lowest = dynamics.gaps()[0][: dynamics.contacts.num_ground].min()
    body = plant.GetFloatingBaseBodies().pop()
    q[plant.get_body(body).floating_positions_start() + 6] -= lowest + depth
    return np.concatenate((q, v))


@pytest.fixture(scope="module", params=["c74", "c108"])
def dynamics(request):
    return dynamics_of(DATA / f"{request.param}.urdf")


def test_slight_penetration_is_closed_by_the_smallest_change(dynamics):
    rng, nq, bearing, way = np.random.default_rng(2), dynamics.plant.num_positions(), 0, 0.0
    for _ in range(5):
        state, record, before, mass = step(
            dynamics, sunk(dynamics, rng, 1e-6, spread=0.02), recover_gaps=True
        )
        closed, pressed = touching(dynamics, record)
        assert closed.any()
        bearing += pressed.any()
        expected = newton(dynamics, before, mass, closed, pressed)
        np.testing.assert_allclose(state[:nq], expected, rtol=0.0, atol=1e-12)
        assert record[CONSTRAINT_GAP] < 1e-12
        way = max(way, np.abs(expected - before).max())
    assert bearing > 0
    assert way > 1e-7


def test_recovered_positions_give_no_energy(dynamics):
    rng, nq, limited = np.random.default_rng(3), dynamics.plant.num_positions(), 0

    def kinetic(q, v):
        dynamics.set_state(np.concatenate((q, v)))
        return dynamics.kinetic_energy()

    for _ in range(10):
        state, record, before, mass = step(
            dynamics, sunk(dynamics, rng, 0.1, spread=0.5), recover_gaps=True
        )
        moved, v = state[:nq], state[nq:]
        full = newton(dynamics, before, mass, *touching(dynamics, record))
        limited += kinetic(full, v) > 1.001 * kinetic(before, v)
        assert kinetic(moved, v) <= 1.001 * kinetic(before, v) * (1.0 + 1e-9)
    assert limited > 0


def test_bodies_that_are_in_each_other_are_moved_apart_by_the_smallest_change():
    robot = build_robot(load_scenario("scenes/stack"))
    dynamics, state = Dynamics(robot.model, robot.contacts), robot.initial_state.copy()
    nq, rng = dynamics.plant.num_positions(), np.random.default_rng(0)
    state[nq:] = 1e-2 * rng.normal(size=len(state) - nq)
    dynamics.set_state(state)
    # the second body comes down into the first
    gap = dynamics.gaps()[0][dynamics.contacts.num_ground :]
    lowest = gap.min()
    assert np.isfinite(lowest)
    bodies = sorted(dynamics.plant.GetFloatingBaseBodies())
    heights = [dynamics.plant.get_body(b).floating_positions_start() + 6 for b in bodies]
    state[max(heights, key=lambda k: state[k])] -= lowest + 1e-6
    state, record, before, mass = step(dynamics, state, recover_gaps=True)
    closed, pressed = touching(dynamics, record)
    assert closed[dynamics.contacts.num_ground :].any()
    expected = newton(dynamics, before, mass, closed, pressed)
    np.testing.assert_allclose(state[:nq], expected, rtol=0.0, atol=1e-12)
    assert np.abs(expected - before).max() > 1e-8


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_closed_by_the_smallest_change(name, tmp_path):
    dynamics, rng = linked(tmp_path, LOOPS[name]), np.random.default_rng(3)
    plant = dynamics.plant
    nq, none = plant.num_positions(), np.zeros((2, len(dynamics.contacts)), dtype=bool)
    q = plant.GetPositions(plant.CreateDefaultContext()) + rng.uniform(-0.2, 0.2, nq)
    normalise_quaternions(q, quaternion_places(plant))
    dynamics.set_state(np.concatenate((q, np.zeros(plant.num_velocities()))))
    mass = dynamics.mass_matrix()
    q = newton(dynamics, q, mass, *none, steps=30)
    assert np.abs(dynamics.bilateral_violation(q)[0]).max() < 1e-12
    off = dynamics.advance_positions(q, rng.normal(size=len(mass)), 1e-4)
    state = np.concatenate((off, np.zeros(len(mass))))
    state, record, before, mass = step(dynamics, state, recover_gaps=False)
    assert record[CONSTRAINT_GAP] < 1e-13
    assert np.abs(dynamics.bilateral_violation(state[:nq])[0]).max() < 1e-13
    expected = newton(dynamics, before, mass, *none)
    np.testing.assert_allclose(state[:nq], expected, rtol=0.0, atol=1e-14)
    assert np.abs(expected - before).max() > 1e-5


def test_positions_on_the_loops_stay(tmp_path):
    dynamics = linked(tmp_path, [Coupler("slide", "turn", 0.5, 0.7)])
    plant = dynamics.plant
    q = plant.GetPositions(plant.CreateDefaultContext())
    q[plant.GetJointByName("slide").position_start()] = 0.7
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, 0.0])
    state = np.concatenate((q, np.zeros(plant.num_velocities())))
    np.testing.assert_array_equal(step(dynamics, state, recover_gaps=False)[0], state)


def test_points_that_coincide_end_the_step(tmp_path):
    dynamics = linked(tmp_path, [Distance("m::free", "m::free", distance=1.0)])
    engine = MoreauEngine(dynamics.model, dynamics.contacts, DT)
    assert roll(engine.handle, 0, *engine.arrays_for(1)) == (0, COINCIDENT)


@pytest.mark.parametrize("scheme", ["moreau", "implicit-midpoint"])
def test_memory_grows_with_the_contacts(scheme, monkeypatch, tmp_path):
    scenario = tiny(
        tmp_path, BRICK, positions={"brick_qw": 1.0, "brick_z": 0.0199}, duration=3e-3,
        velocities={"brick_vx": 1.0}, moreau=MoreauConfig(scheme=scheme, recover_gaps=True),
    )  # fmt: skip
    found = []
    for rows in (machine._MOST_ROWS, 0):
        monkeypatch.setattr(machine, "_MOST_ROWS", rows)
        found.append(simulate(scenario).trajectory.data)
    assert found[0]["impulse"].any()
    np.testing.assert_array_equal(found[0]["q"], found[1]["q"])


def test_steps_with_loops_and_recovered_gaps_need_no_python(tmp_path):
    for dynamics, recover_gaps in ((linked(tmp_path, [RODS]), False), (linked(tmp_path, []), True)):
        config = MoreauConfig(recover_gaps=recover_gaps)
        engine = MoreauEngine(dynamics.model, dynamics.contacts, DT, config)
        assert engine.rolls

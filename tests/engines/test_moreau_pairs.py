"""Body against body: momentum, action and reaction, stacks, moving ground, filters, names."""

import itertools

import numpy as np
import pytest
from pydrake.multibody.parsing import (
    AddCollisionFilterGroup,
    AddModel,
    ModelDirective,
)
from tests.engines.scenery import (
    MASS,
    PYRAMID,
    RESTING,
    TOUCH,
    Body,
    at,
    ball,
    mesh,
    motion,
    play,
    scene,
    write_obj,
)
from tests.engines.tiny import GRAVITY
from tests.slow import some_slow

SHAPES = ("sphere", "box", "lying capsule", "lying cylinder", "ellipsoid", "mesh")
PAIRS = list(itertools.combinations_with_replacement(SHAPES, 2))
INERTIA = 0.01
ENGINES = ("moreau", "drake-sap", "drake-lagged")


def _alike(folder, name):
    """A shape with the inertia of a sphere, so that no gyroscopic moment turns it."""
    moments = (INERTIA, INERTIA, INERTIA)
    if name == "mesh":
        return mesh(write_obj(folder / "pyramid.obj", PYRAMID - [0.0, 0.0, 0.0375]), MASS, moments)
    return Body(RESTING[name][0].shape, MASS, moments)


def _collision(folder, first, second, engine="moreau"):
    """Two spinning bodies that fly at each other."""
    rng = np.random.default_rng([4, SHAPES.index(first), SHAPES.index(second)])
    turns = rng.uniform(-90.0, 90.0, (2, 3))
    poses = [
        at(p, **dict(zip(("roll", "pitch", "yaw"), turn, strict=True)))
        for p, turn in zip(((0.0, 0.0, 5.0), (0.6, 0.02, 5.03)), turns, strict=True)
    ]
    scenario = scene(
        folder,
        {"a": _alike(folder, first), "b": _alike(folder, second)},
        dict(zip("ab", poses, strict=True)),
        {"a": {"vx": 1.0, "wz": 2.0}, "b": {"vx": -2.0, "wy": 3.0, "wx": -1.0}},
        friction=0.5,
        restitution=0.3,
        duration=0.3,
    )
    return play(scenario, engine)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_bodies_that_collide_in_flight_keep_their_momentum(tmp_path, first, second):
    run = _collision(tmp_path, first, second)
    data = run.trajectory.data
    (p_a, v_a), (p_b, v_b) = motion(run, "a"), motion(run, "b")
    dt, weight = float(data["time"][1]), np.array([0.0, 0.0, -MASS * GRAVITY])
    given_a, given_b = (MASS * np.diff(v[:, 3:], axis=0) - weight * dt for v in (v_a, v_b))
    # what one gets the other gives, to the rounding of 4 N s; the report has the size of it
    assert given_a == pytest.approx(-given_b, abs=1e-14)
    impulse = data["impulse"].sel(contact="a::skin|b::skin").to_numpy()[1:]
    size = np.linalg.norm(impulse, axis=1)
    assert size == pytest.approx(np.linalg.norm(given_a, axis=1), abs=1e-14)
    assert size.max() > 0.1
    assert (impulse[:, 0] >= 0.0).all()
    # angular momentum about the origin: gravity alone changes it, at the middle of each step
    angular = sum(
        MASS * np.cross(p, v[:, 3:]) + INERTIA * v[:, :3] for p, v in ((p_a, v_a), (p_b, v_b))
    )
    middle = p_a[:-1] + p_b[:-1] + 0.5 * dt * (v_a + v_b)[:-1, 3:]
    # a common point for both impulses: nothing is left but the rounding of 30 kg m^2/s
    assert np.diff(angular, axis=0) == pytest.approx(np.cross(middle, weight * dt), abs=1e-13)


@pytest.mark.parametrize("engine", some_slow(["drake-sap", "drake-lagged"], "drake-lagged"))
@pytest.mark.parametrize(("first", "second"), [("sphere", "sphere"), ("box", "lying capsule")])
def test_drakes_engine_keeps_momentum_and_names_the_pair_alike(tmp_path, first, second, engine):
    run = _collision(tmp_path, first, second, engine)
    data = run.trajectory.data
    assert "a::skin|b::skin" in data["contact"].to_numpy()
    assert data["impulse"].sel(contact="a::skin|b::skin", axis="n").max() > 0.01
    (_, v_a), (_, v_b) = motion(run, "a"), motion(run, "b")
    total = MASS * (v_a + v_b)[:, 3:]
    fallen = np.outer(data["time"].to_numpy(), [0.0, 0.0, -2.0 * MASS * GRAVITY])
    # Drake's solver stops at 1e-5 of its momenta at the worst
    assert total == pytest.approx(total[0] + fallen, abs=1e-4)


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-lagged"))
def test_models_of_one_file_are_told_apart_by_their_names(tmp_path, engine):
    scenario = scene(tmp_path, {"body": ball(0.1, MASS)}, duration=0.3, friction=0.5)
    file = scenario.directives[0].add_model.file
    scenario.directives = [
        ModelDirective(add_model=AddModel(name=name, file=file)) for name in ("left", "right")
    ]
    start = {"left_body_x": -0.3, "right_body_x": 0.3, "left_body_z": 0.1, "right_body_z": 0.1}
    scenario.initial.positions = start | {"left_body_qw": 1.0, "right_body_qw": 1.0}
    scenario.initial.velocities = {"left_body_vx": 2.0}
    data = play(scenario, engine).trajectory.data
    assert data["contact"].to_numpy().tolist() == [
        "left::skin", "right::skin", "left::skin|right::skin",
    ]  # fmt: skip
    hit = (data["impulse"].sel(contact="left::skin|right::skin", axis="n") > 0.0).to_numpy()
    assert hit.any()
    assert float(data["v"].sel(velocity="right_body_vx")[-1]) > 0.5


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_filter_groups_of_the_scenario_part_the_models(tmp_path, engine):
    bodies = {"left": ball(0.1, MASS), "right": ball(0.1, MASS)}
    poses = {"left": at((-0.3, 0.0, 0.1 - TOUCH)), "right": at((0.0, 0.0, 0.1 - TOUCH))}
    scenario = scene(
        tmp_path, bodies, poses, {"left": {"vx": 2.0, "wy": 20.0}}, duration=0.4, friction=0.5
    )
    group = AddCollisionFilterGroup(
        name="ghosts", members=["left::left", "right::right"],
        ignored_collision_filter_groups=["ghosts"],
    )  # fmt: skip
    scenario.directives.append(ModelDirective(add_collision_filter_group=group))
    run = play(scenario, engine)
    assert run.trajectory.data["contact"].to_numpy().tolist() == ["left::skin", "right::skin"]
    # the one rolls through the other, both still on the ground
    x = motion(run, "left")[0][-1, 0]
    assert x == pytest.approx(0.5, abs=1e-6 if engine == "moreau" else 2e-2)
    assert np.abs(motion(run, "right")[0][-1] - [0.0, 0.0, 0.1]).max() < 1e-3

"""Many bodies: islands keep to themselves, and a wall of bricks stands on its weight."""

import numpy as np
import pytest
from pydrake.common.schema import Transform
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.scenery import TOUCH, at, ball, box, play, scene, scenery, sdf_box
from tests.engines.tiny import BRICK, GRAVITY, simulate

from footfall.engines import MoreauConfig
from footfall.scenario.schema import InitialState, Scenario
from footfall.solvers import ContactNotSolved, solve
from footfall.trajectory.events import RESIDUAL

MASS, LENGTH, HEIGHT = 1.2, 0.2, 0.04
LAYERS = 4
WALL = [
    ((LENGTH + 2e-3) * (k + 0.5 * layer), 0.0, HEIGHT * (layer + 0.5) - 1e-6 * (layer + 1))
    for layer in range(LAYERS)
    for k in range(LAYERS - layer)
]


# 1 kg of 0.2 x 0.1 x 0.05 m
LOW = """<robot name="brick"><link name="brick">
  <inertial><mass value="1"/><inertia ixx="0.00104166667" iyy="0.00354166667" izz="0.00416666667"
    ixy="0" ixz="0" iyz="0"/></inertial>
  <collision name="box"><geometry><box size="0.2 0.1 0.05"/></geometry></collision>
</link></robot>"""


def _scene(folder, places, **fields):
    """Bricks by the places of their centres [m]."""
    path = folder / "brick.urdf"
    path.write_text(BRICK)
    positions = {}
    for k, place in enumerate(places):
        prefix = f"b{k}_" if len(places) > 1 else ""
        values = zip(("qw", "x", "y", "z"), (1.0, *place), strict=True)
        positions |= {f"{prefix}brick_{key}": value for key, value in values}
    models = [AddModel(name=f"b{k}", file=str(path)) for k in range(len(places))]
    return Scenario(
        directives=[ModelDirective(add_model=model) for model in models],
        initial=InitialState(positions=positions),
        friction=0.6,
        **fields,
    )


def test_islands_step_as_if_they_were_alone(tmp_path):
    places = [(float(k), 0.2 * k, 0.5 * HEIGHT + 1e-3 * k) for k in range(3)]
    together = simulate(_scene(tmp_path, places, duration=0.1)).trajectory.data
    for k, place in enumerate(places):
        alone = simulate(_scene(tmp_path, [place], duration=0.1)).trajectory.data
        ours = together["q"].to_numpy()[:, 7 * k : 7 * k + 7]
        np.testing.assert_allclose(ours, alone["q"].to_numpy(), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("law", ["newton", "poisson", "chatterjee-ruina"])
def test_bodies_between_the_ground_and_a_fixed_wall_are_islands_of_their_own(tmp_path, law):
    """Cubes slide on the ground into a wall, which is the first body of its pairs, and stop there.

    Both contacts of a cube belong to one island; a ball beside them only falls.
    """
    bodies = {"wall": scenery("wall", face=(sdf_box((0.1, 3.0, 0.4)), at((0.15, 1.0, 0.2))))}
    poses, speeds = {}, {}
    for k in range(3):
        bodies[f"cube{k}"] = box((0.2, 0.2, 0.2), 2.0)
        poses[f"cube{k}"] = at((TOUCH - 4e-4, 0.8 * k, 0.1 - TOUCH))
        speeds[f"cube{k}"] = {"vx": 0.5}
    bodies["ball"], poses["ball"] = ball(0.1, 1.0), at((-1.0, 0.0, 3.0))
    scenario = scene(tmp_path, bodies, poses, speeds, friction=0.1, duration=0.02)
    scenario.moreau.impact_law = law
    data = play(scenario).trajectory.data
    names = data["velocity"].values.tolist()
    for k in range(3):
        own = [names.index(name) for name in names if f"cube{k}" in name]
        assert np.abs(data["v"].to_numpy()[-1, own]).max() < 1e-9


def test_a_wall_of_bricks_stands_on_its_weight(tmp_path):
    """Each brick lies across two: one island, in many ways statically undetermined."""
    data = simulate(_scene(tmp_path, WALL, duration=0.05)).trajectory.data
    assert np.abs(data["v"]).max() < 1e-6  # m/s, of 0.5 that a brick would have fallen to
    on_ground = [name for name in data["contact"].to_numpy() if "|" not in name]
    force = data["impulse"].sel(contact=on_ground, axis="n").sum("contact").to_numpy()[1:] / 1e-3
    np.testing.assert_allclose(force, len(WALL) * MASS * GRAVITY, rtol=1e-4)
    assert float(data["residual"].max()) <= 1e-10


def test_an_island_that_is_not_solved_leaves_its_problem_and_the_best_impulses(tmp_path):
    config = MoreauConfig(solver="fixed-point", max_iterations=1)
    error = simulate(_scene(tmp_path, WALL[:2], duration=1e-3, moreau=config)).error
    assert isinstance(error, ContactNotSolved)
    problem, best = error.problem, error.best
    # with all impulses of the island in it: the velocities are those that they leave
    np.testing.assert_allclose(problem.W @ best.r + problem.q, best.u, atol=1e-12)
    assert solve(problem.W, problem.q, problem.mu, problem.dim).residual <= 1e-10


@pytest.mark.slow
def test_a_wall_of_sixty_four_bricks_that_touch_on_all_sides_stands(tmp_path):
    """516 points: a step comes within 3e-10 of its problem, and the run goes on and says so."""
    path = tmp_path / "low.urdf"
    path.write_text(LOW)
    models = []
    for k in range(64):
        layer = k // 8
        place = [round(0.2 * (k % 8) + 0.1 * (layer % 2), 6), 0.0, round(0.05 * layer + 0.025, 6)]
        pose = {"brick": Transform(translation=place)}
        models.append(AddModel(name=f"b{k}", file=str(path), default_free_body_pose=pose))
    directives = [ModelDirective(add_model=model) for model in models]
    run = simulate(Scenario(directives=directives, friction=0.7, duration=0.02)).trajectory
    height = run.data["q"].sel(position=[f"b{k}_brick_z" for k in range(64)]).to_numpy()
    assert np.abs(height - height[0]).max() < 1e-4  # m: a brick that nothing bears falls 2 mm
    residual = run.data["residual"].to_numpy()[1:]
    assert residual.max() <= 1e-8
    told = [event.what for event in run.events if event.kind == RESIDUAL]
    assert len(told) == (residual.max() > 1e-10)


@pytest.mark.parametrize("every", [1, 7])
def test_steps_that_are_less_exact_than_was_asked_are_counted_once(tmp_path, every):
    asked = 1e-17  # less than rounding leaves
    config = MoreauConfig(tolerance=asked, solver="gauss-seidel", max_iterations=40)
    place = (0.0, 0.0, 0.5 * HEIGHT + 1e-3)
    scene = _scene(tmp_path, [place], duration=0.05, moreau=config, record_every=every)
    result = simulate(scene)
    residual = result.trajectory.data["residual"].to_numpy()
    assert asked < residual.max() <= 1e-10
    told = [event for event in result.trajectory.events if event.kind == RESIDUAL]
    assert len(told) == 1
    assert f"{residual.max():.1e} at most" in told[0].what
    assert result.metrics["max_residual"] == residual.max()
    if every == 1:
        steps = np.flatnonzero(residual > asked)
        assert told[0].what.startswith(f"{len(steps)} of 50 steps, first at t = {told[0].time:.4f}")
        assert told[0].time == result.trajectory.data["time"].to_numpy()[steps[0]]

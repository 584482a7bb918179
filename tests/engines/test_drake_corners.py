"""Drake's engines with the points of the rigid engine: corners of boxes, rims of cylinders."""

import numpy as np
import pytest
from pydrake.geometry import Role
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from pydrake.systems.framework import DiagramBuilder
from tests.engines.tiny import BALL, BRICK, GRAVITY, RADIUS, columns, simulate, tiny
from tests.slow import some_slow

from footfall.engines.drake import DrakeConfig, add_drake_engine
from footfall.plants.pushes import Push
from footfall.scenario.assemble import build_robot

CAN = """<robot name="can"><link name="can">
  <inertial><mass value="1"/><inertia ixx="0.00396" iyy="0.00396" izz="0.00125"/></inertial>
  <collision name="wall"><geometry><cylinder radius="0.05" length="0.2"/></geometry></collision>
</link></robot>"""
PLATE = """<robot name="plate"><link name="top"><collision name="slab">
  <origin xyz="0 0 0.1"/><geometry><box size="8 4 0.2"/></geometry></collision></link></robot>"""


def _launched(folder, height=0.0, **fields):
    """A brick launched flat at 3 m/s on ground of mu = 0.5."""
    places = {"brick_z": height + 0.02}
    return tiny(
        folder, BRICK, friction=0.5, duration=0.75, time_step=1e-3, positions=places,
        velocities={"brick_vx": 3.0}, **fields,
    )  # fmt: skip


def _on_a_plate(folder):
    (folder / "plate.urdf").write_text(PLATE)
    scenario = _launched(folder, height=0.2)
    plate = AddModel(name="plate", file=str(folder / "plate.urdf"))
    weld = AddWeld(parent="world", child="plate::top")
    scenario.directives += [ModelDirective(add_model=plate), ModelDirective(add_weld=weld)]
    return scenario


@pytest.mark.parametrize("made", [_launched, pytest.param(_on_a_plate, marks=pytest.mark.slow)])
def test_a_brick_launched_flat_stops_where_friction_stops_it(tmp_path, made):
    run = simulate(made(tmp_path), "drake-lagged")
    _, x, qw = columns(run, "brick_x", "brick_qw")
    # four springs of k/m = 1e5 each take pi/2 sqrt(m / 4 k) = 2.5 ms to carry, the way 2 dv/v
    # longer with the dv = mu g 1.25 ms that is not lost meanwhile
    assert x[-1] == pytest.approx(9.0 / (2.0 * 0.5 * GRAVITY), rel=4.1e-3)
    assert 1.0 - np.abs(qw).min() < 1e-9
    # the whole weight, under the names of the file
    load = run.trajectory.data["impulse"].isel(time=-1).sel(axis="n").to_series().dropna()
    assert load.sum() == pytest.approx(1.2 * GRAVITY * 1e-3, rel=1e-3)
    assert all("brick::box" in name for name in load.index)


@pytest.mark.parametrize("engine", some_slow(["drake-sap", "drake-lagged"], "drake-sap"))
@pytest.mark.parametrize("text", some_slow([CAN, BRICK], BRICK))
def test_what_is_pushed_less_than_friction_stays_upright_as_in_the_rigid_engine(
    tmp_path, engine, text
):
    name, height, mass = ("brick", 0.02, 1.2) if text is BRICK else ("can", 0.1, 1.0)
    push = Push(name, start=0.1, duration=0.2, force=[0.3 * mass * GRAVITY, 0.0, 0.0])
    scenario = tiny(
        tmp_path, text, friction=0.5, duration=0.4, time_step=1e-3,
        positions={f"{name}_z": height}, pushes=[push],
    )  # fmt: skip
    x, turned = {}, {}
    for each in ("moreau", engine):
        _, x[each], qx, qy = columns(
            simulate(scenario, each), f"{name}_x", f"{name}_qx", f"{name}_qy"
        )
        turned[each] = 2.0 * np.hypot(qx, qy)
    # what stands on springs of k/m = 1e5 leans by some g / (k/m) over a radius of some cm
    assert turned[engine].max() < 3e-3
    assert turned[engine][-1] < 1e-4  # upright again
    assert x[engine][-1] == pytest.approx(x["moreau"][-1], abs=2e-4)


def test_contact_points_of_files_are_drakes_own(tmp_path):
    scenario = tiny(tmp_path, BRICK)
    robot = build_robot(scenario)
    counts = {}
    for points in ("corners", "file"):
        config = DrakeConfig(contact_points=points)
        engine = add_drake_engine(DiagramBuilder(), robot.model, robot.contacts, 1e-3, config)
        inspector = engine.geometries.scene_graph.model_inspector()
        counts[points] = len(inspector.GetAllGeometryIds(Role.kProximity))
    assert counts == {"corners": 10, "file": 2}  # brick and ground
    ball = {}
    for points in counts:
        dropped = tiny(tmp_path, BALL, duration=0.05, positions={"ball_z": RADIUS})
        dropped.drake.contact_points = points
        ball[points] = simulate(dropped, "drake-sap").trajectory.data["q"].to_numpy()
    assert np.array_equal(ball["corners"], ball["file"])


@pytest.mark.slow
def test_a_brick_falls_over_an_edge_and_not_through_it(tmp_path):
    # two corners are on a step, and the middle is 1 cm beyond its edge, which meets no corner
    scenario = _on_a_plate(tmp_path)
    (tmp_path / "plate.urdf").write_text(PLATE.replace('xyz="0 0 0.1"', 'xyz="-4 0 0.1"'))
    scenario.initial.positions = {"brick_z": 0.22, "brick_x": 0.01}
    scenario.initial.velocities = {}
    scenario.duration = 0.15
    heights = [columns(simulate(scenario, e), "brick_z")[1] for e in ("moreau", "drake-lagged")]
    # its core holds it once it has sunk by 0.2 mm: it tips by the same path some 20 ms ahead, and
    # without an edge it would be 0.1 m lower
    assert heights[1][-1] == pytest.approx(heights[0][-1], abs=3e-3)

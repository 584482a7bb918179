"""The box around a machine has all corners of its shapes in it, and its sizes are found once."""

import numpy as np
import pytest
from pydrake.geometry import SceneGraphInspector
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.tiny import BRICK, tiny

from footfall.plants.loading.load import ModelSpec, load_model
from footfall.scenario.assemble import build_robot
from footfall.show.extent import bounds, sizes_of


@pytest.fixture
def model(tmp_path):
    return build_robot(tiny(tmp_path, BRICK)).model


def test_a_box_that_turns_and_moves_stays_in_its_bounds(model):
    # half a turn about z, and the way between two runs of one time
    q = np.array([[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]], [[0.0, 0.0, 0.0, 1.0, 3.0, 0.0, 1.0]]])
    low, high = bounds(model.plant, model.scene_graph, q)
    np.testing.assert_allclose(high - low, (high - low)[:1].repeat(2, axis=0), atol=1e-12)
    np.testing.assert_allclose(0.5 * (low + high)[1] - 0.5 * (low + high)[0], [3.0, 0.0, 0.0])
    together = bounds(model.plant, model.scene_graph, q.reshape(1, 2, 7))
    np.testing.assert_allclose(together, [low.min(axis=0)[None], high.max(axis=0)[None]])


def test_shapes_of_a_model_are_measured_once(model, monkeypatch):
    first = sizes_of(model)

    def refused(*_):
        raise AssertionError

    monkeypatch.setattr(SceneGraphInspector, "GetObbInGeometryFrame", refused)
    assert sizes_of(model) is first


def test_links_with_one_mesh_measure_it_once(tmp_path, monkeypatch):
    (tmp_path / "leg.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    )
    links = "".join(
        f"<link name='{name}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
        f"</inertial><visual><geometry><mesh filename='leg.obj' scale='{size} 1 1'/></geometry>"
        "</visual></link>"
        for name, size in (("a", 1), ("b", 1), ("c", 2))
    )
    joints = "".join(
        f"<joint name='to_{name}' type='fixed'><parent link='a'/><child link='{name}'/>"
        f"<origin xyz='{x} 0 0'/></joint>"
        for name, x in (("b", 10), ("c", 20))
    )
    file = tmp_path / "legs.urdf"
    file.write_text(f"<robot name='legs'>{links}{joints}</robot>")
    model = load_model(ModelSpec([ModelDirective(add_model=AddModel(name="m", file=str(file)))]))
    usual, measured = SceneGraphInspector.GetObbInGeometryFrame, []

    def counted(inspector, geometry):
        measured.append(geometry)
        return usual(inspector, geometry)

    monkeypatch.setattr(SceneGraphInspector, "GetObbInGeometryFrame", counted)
    q = model.plant.GetDefaultPositions()[None, None]
    low, high = bounds(model.plant, model.scene_graph, q)
    assert len(measured) == 2  # of one scale, and of the other
    # Drake's boxes of a tetrahedron are larger than it, by a little along its edges
    assert low[0][0] <= 0.0
    assert 22.0 <= high[0][0] < 23.0

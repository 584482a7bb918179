"""The box around a machine has all corners of its shapes in it, and its sizes are found once."""

import numpy as np
import pytest
from pydrake.geometry import SceneGraphInspector
from tests.engines.tiny import BRICK, tiny

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

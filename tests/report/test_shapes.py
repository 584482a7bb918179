"""Shapes as figures show them."""

import numpy as np
from pydrake.geometry import Role
from tests.engines.tiny import tiny

from footfall.report.plan_view import shape_colour
from footfall.scenario.assemble import build_robot

UNPAINTED = """<robot name="plain">
  <link name="body">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual name="hull"><geometry><box size="1 1 1"/></geometry></visual>
  </link>
</robot>"""


def test_a_shape_whose_file_names_no_colour_has_one(tmp_path):
    inspector = build_robot(tiny(tmp_path, UNPAINTED)).model.scene_graph.model_inspector()
    shapes = inspector.GetAllGeometryIds(Role.kIllustration)
    (hull,) = [shape for shape in shapes if inspector.GetName(shape) == "plain::hull"]
    assert not inspector.GetIllustrationProperties(hull).HasProperty("phong", "diffuse")
    colour = shape_colour(inspector, hull)
    assert colour.shape == (3,)
    assert np.ptp(colour) == 0.0  # grey

import subprocess
import sys

import numpy as np
import pytest
from pydrake.common.yaml import yaml_load_typed
from pydrake.geometry import Role
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from pydrake.multibody.plant import MultibodyPlantConfig
from pydrake.systems.framework import DiagramBuilder

from footfall.errors import ModelError, ScenarioError
from footfall.plants.loading.load import ModelSpec, add_model, load_model
from footfall.plants.terrain import Terrain

# A ball on two rails (x along the slope, z off it) with a pendulum, masses that are easy to sum.
BALL = """<robot name="ball" xmlns:drake="http://drake.mit.edu">
  <link name="rail"/>
  <link name="carriage"/>
  <link name="ball">
    <inertial><mass value="1.5"/></inertial>
    <collision name="skin">
      <geometry><sphere radius="0.25"/></geometry>
      <drake:proximity_properties>
        <drake:mu_dynamic value="0.4"/>
        <drake:point_contact_stiffness value="12345"/>
      </drake:proximity_properties>
    </collision>
  </link>
  <link name="bob">
    <inertial><origin xyz="0 0 -0.5"/><mass value="0.5"/></inertial>
  </link>
  <joint name="x" type="prismatic">
    <parent link="rail"/><child link="carriage"/><axis xyz="1 0 0"/>
  </joint>
  <joint name="z" type="prismatic">
    <parent link="carriage"/><child link="ball"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="swing" type="revolute">
    <parent link="ball"/><child link="bob"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5"/>
  </joint>
  <transmission>
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="swing"/>
    <actuator name="motor"/>
  </transmission>
</robot>
"""
MASS = 2.0
GRAVITY = 9.81


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.urdf"
    path.write_text(BALL)
    return path


def on_slope(path, **fields):
    return ModelSpec(
        [
            ModelDirective(add_model=AddModel(name="ball", file=str(path))),
            ModelDirective(add_weld=AddWeld(parent="terrain", child="ball::rail")),
        ],
        **fields,
    )


def test_a_plant_is_continuous_and_finalized_unless_a_config_says_otherwise(ball):
    model = load_model(on_slope(ball))
    assert model.plant.is_finalized()
    assert model.plant.time_step() == 0.0
    builder, config = DiagramBuilder(), MultibodyPlantConfig(time_step=2e-3)
    discrete, _ = add_model(builder, on_slope(ball), config=config)
    assert discrete.time_step() == 2e-3


@pytest.mark.parametrize("time_step", [0.0, 1e-3])
@pytest.mark.parametrize(
    ("slope", "gravity"),
    [(-30.0, GRAVITY), (0.0, 10.0), (12.5, 1.62), (80.0, GRAVITY), (30.0, 0.0)],
)
def test_weight_splits_into_its_parts_along_and_off_the_slope(ball, slope, gravity, time_step):
    spec = on_slope(ball, terrain=Terrain(slope_deg=slope), gravity=gravity)
    builder, config = DiagramBuilder(), MultibodyPlantConfig(time_step=time_step)
    plant, _ = add_model(builder, spec, config=config)
    force = plant.CalcGravityGeneralizedForces(plant.CreateDefaultContext())
    angle = np.radians(slope)
    # Uphill is +x: weight pulls towards -x where the slope rises. Sums of three terms: a few eps.
    assert force[0] == pytest.approx(-MASS * gravity * np.sin(angle), abs=1e-13)
    assert force[1] == pytest.approx(-MASS * gravity * np.cos(angle), abs=1e-13)


@pytest.mark.parametrize("gravity", [-9.81, float("nan"), float("inf")])
def test_a_gravity_that_pulls_upwards_or_is_no_number_is_refused(ball, gravity):
    with pytest.raises(ScenarioError, match=r"gravity is .*: give a finite number of m/s\^2"):
        on_slope(ball, gravity=gravity)


@pytest.mark.parametrize("slope", [-40.0, 0.0, 25.0])
def test_a_height_above_the_world_is_a_distance_to_the_slope(ball, slope):
    spec = on_slope(ball, terrain=Terrain(slope_deg=slope))
    spec.directives[1].add_weld.parent = "world"
    model = load_model(spec)
    context = model.diagram.CreateDefaultContext()
    x, z = 0.7, 1.1
    model.plant.SetPositions(model.plant.GetMyMutableContextFromRoot(context), [x, z, 0.0])
    query = model.scene_graph.get_query_output_port().Eval(
        model.scene_graph.GetMyContextFromRoot(context)
    )
    (pair,) = query.inspector().GetCollisionCandidates()
    found = query.ComputeSignedDistancePairClosestPoints(*pair)
    angle = np.radians(slope)
    # From the line z = x tan(slope) of the x-z plane; geometry of order one: a few eps.
    distance = (z - x * np.tan(angle)) * np.cos(angle) - 0.25
    assert found.distance == pytest.approx(distance, abs=1e-14)


def test_the_terrain_frame_has_its_normal_up_and_its_x_axis_along_the_slope():
    X_WT = Terrain(slope_deg=30.0).X_WTerrain()
    x, y, z = X_WT.rotation().matrix().T
    np.testing.assert_allclose(x, [np.sqrt(3) / 2, 0, 0.5], atol=1e-15)
    np.testing.assert_allclose(y, [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(z, [-0.5, 0, np.sqrt(3) / 2], atol=1e-15)


def test_the_visible_slab_ends_exactly_at_the_plane(ball):
    terrain = Terrain(slope_deg=-17.0)
    model = load_model(on_slope(ball, terrain=terrain))
    inspector = model.scene_graph.model_inspector()
    (slab,) = inspector.GetAllGeometryIds(Role.kIllustration)
    assert slab in inspector.GetAllGeometryIds(Role.kPerception)
    X_TSlab = terrain.X_WTerrain().inverse() @ inspector.GetPoseInFrame(slab)
    top = X_TSlab @ RigidTransform([0, 0, 0.5 * inspector.GetShape(slab).height()])
    np.testing.assert_allclose(top.translation(), 0.0, atol=1e-15)
    assert X_TSlab.rotation().IsNearlyIdentity(1e-15)


def test_default_joint_positions_of_a_directive_survive(ball):
    spec = on_slope(ball)
    spec.directives[0].add_model.default_joint_positions = {"swing": np.array([0.3])}
    model = load_model(spec)
    context = model.diagram.CreateDefaultContext()
    q = model.plant.GetPositions(model.plant.GetMyContextFromRoot(context))
    np.testing.assert_array_equal(q, [0.0, 0.0, 0.3])


def test_a_plain_path_is_relative_to_the_working_directory(ball, monkeypatch):
    monkeypatch.chdir(ball.parent)
    spec = on_slope("ball.urdf")
    assert load_model(spec).plant.num_positions() == 3
    assert spec.directives[0].add_model.file == "ball.urdf"  # the caller's directives stay theirs


def test_directives_in_a_file_are_followed(ball, tmp_path):
    (tmp_path / "scene.dmd.yaml").write_text(
        "directives:\n"
        f"- add_model: {{name: ball, file: 'file://{ball}'}}\n"
        "- add_weld: {parent: terrain, child: 'ball::rail'}\n"
    )
    data = f"""
    directives: [{{add_directives: {{file: {tmp_path}/scene.dmd.yaml}}}}]
    terrain: {{slope_deg: -5, friction: 0.5}}
    """
    spec = yaml_load_typed(schema=ModelSpec, data=data)
    assert spec.terrain == Terrain(slope_deg=-5.0, friction=0.5)
    assert load_model(spec).plant.num_positions() == 3


def test_a_ros_package_knows_its_own_name(tmp_path):
    (tmp_path / "package.xml").write_text("<package><name>my_robot</name></package>")
    (tmp_path / "urdf").mkdir()
    (tmp_path / "mesh.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    path = tmp_path / "urdf" / "ball.urdf"
    mesh = '<mesh filename="package://my_robot/mesh.obj"/>'
    path.write_text(BALL.replace('<sphere radius="0.25"/>', mesh))
    assert load_model(on_slope(path)).plant.num_collision_geometries() == 2


def test_a_model_can_be_added_to_a_builder_of_ones_own(ball):
    builder = DiagramBuilder()
    plant, scene_graph = add_model(builder, on_slope(ball))
    diagram = builder.Build()
    assert {plant.get_name(), scene_graph.get_name()} <= {
        s.get_name() for s in diagram.GetSystems()
    }


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"slope_deg": float("nan")}, "slope_deg"),
        ({"slope_deg": 90.0}, "slope_deg"),
        ({"slope_deg": -120.0}, "slope_deg"),
        ({"friction": -0.1}, "friction"),
        ({"friction": float("nan")}, "friction"),
        ({"friction": float("inf")}, "friction"),
    ],
)
def test_bad_fields_of_the_terrain_are_refused(ball, fields, words):
    with pytest.raises(ScenarioError, match=words):
        Terrain(**fields)
    spec = on_slope(ball)
    for name, value in fields.items():
        setattr(spec.terrain, name, value)  # as Drake's YAML reader does
    with pytest.raises(ScenarioError, match=words):
        load_model(spec)


@pytest.mark.parametrize(
    "setting",
    [
        {"time_step": -1e-3},
        {"time_step": float("nan")},
        {"contact_model": "magic"},
        {"discrete_contact_approximation": "magic"},
    ],
)
def test_a_nonsense_configuration_of_the_plant_is_refused_in_one_line(ball, setting):
    with pytest.raises(ScenarioError) as refused:
        add_model(DiagramBuilder(), on_slope(ball), config=MultibodyPlantConfig(**setting))
    assert "\n" not in str(refused.value)


def test_a_fault_after_parsing_is_told_as_well(ball):
    with pytest.raises(ModelError, match="did you mean 'swing'"):
        load_model(on_slope(ball), expected_actuators=["swnig"])


def test_loading_is_silent(ball):
    # In a process of its own, because Drake makes its remark on half-spaces once per process.
    code = (
        "from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective\n"
        "from footfall.plants.loading.load import ModelSpec, load_model\n"
        f"spec = ModelSpec([ModelDirective(add_model=AddModel(name='b', file={str(ball)!r})),\n"
        "    ModelDirective(add_weld=AddWeld(parent='terrain', child='b::rail'))])\n"
        "load_model(spec).diagram.CreateDefaultContext()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

"""Constraints that model files declare, under the names that Drake gives to the models."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddDirectives, AddModelInstance, ModelDirective
from pydrake.multibody.plant import MultibodyPlantConfig
from pydrake.systems.framework import DiagramBuilder
from tests.plants.files import INERTIAL, loaded, spec_of

from footfall.errors import ModelError
from footfall.plants.constraints import Ball, BilateralRows, Coupler, Distance, Weld
from footfall.plants.loading.load import ModelSpec, add_model, load_model

DRAKE = 'xmlns:drake="http://drake.mit.edu"'
JOINTS_URDF = """
  <joint name="left" type="prismatic"><parent link="palm"/><child link="a"/><axis xyz="0 1 0"/>
    {mimic}</joint>
  <joint name="right" type="prismatic"><parent link="palm"/><child link="b"/><axis xyz="0 1 0"/>
  </joint>"""
BALL_URDF = """<drake:ball_constraint>
    <drake:ball_constraint_body_A name="a"/><drake:ball_constraint_body_B name="b"/>
    <drake:ball_constraint_p_AP value="0.5 0 -1e-1"/><drake:ball_constraint_p_BQ value="0 0 1"/>
  </drake:ball_constraint>"""
BALL_SDF = """<drake:ball_constraint>
    <drake:ball_constraint_body_A>a</drake:ball_constraint_body_A>
    <drake:ball_constraint_body_B> b </drake:ball_constraint_body_B>
    <drake:ball_constraint_p_AP>0.5 0 -1e-1</drake:ball_constraint_p_AP>
    <drake:ball_constraint_p_BQ>0 0 1</drake:ball_constraint_p_BQ>
  </drake:ball_constraint>"""
TENDON = """<drake:tendon_constraint>
    <drake:tendon_constraint_joint name="left" a="1"/>
    <drake:tendon_constraint_joint name="right" a="1"/>
    <drake:tendon_constraint_offset value="0"/>
    <drake:tendon_constraint_lower_limit value="-1"/>
    <drake:tendon_constraint_upper_limit value="1"/>
    <drake:tendon_constraint_stiffness value="1e5"/>
    <drake:tendon_constraint_damping value="10"/>
  </drake:tendon_constraint>"""
MUJOCO = """<mujoco model="m"><worldbody>
  <body name="a"><freejoint/><geom type="sphere" size="1"/></body>
  <body name="b"><freejoint/><geom type="sphere" size="1"/></body></worldbody>
  <equality><connect body1="a" body2="b" anchor="0 0 0"/></equality></mujoco>"""


def urdf(folder, name="hand", mimic='<mimic joint="right"/>', more=BALL_URDF, joints=JOINTS_URDF):
    links = "".join(f'<link name="{link}">{INERTIAL}</link>' for link in ("palm", "a", "b"))
    path = folder / f"{name}.urdf"
    path.write_text(
        f'<robot name="{name}" {DRAKE}>{links}{joints.format(mimic=mimic)}{more}</robot>'
    )
    return path


def sdf_body(mimic='<drake:mimic joint="right" multiplier="-2" offset="0.25"/>', more=BALL_SDF):
    links = "".join(f'<link name="{link}"/>' for link in ("palm", "a", "b"))
    axis = "<axis><xyz>0 1 0</xyz></axis>"
    return (
        f"{links}"
        f'<joint name="left" type="prismatic"><parent>palm</parent><child>a</child>{axis}{mimic}'
        "</joint>"
        f'<joint name="right" type="prismatic"><parent>palm</parent><child>b</child>{axis}</joint>'
        f"{more}"
    )


def sdf(folder, content, name="outer"):
    path = folder / f"{name}.sdf"
    path.write_text(f'<sdf version="1.9" {DRAKE}><model name="{name}">{content}</model></sdf>')
    return path


def ball(scope):
    return Ball(f"{scope}::a", f"{scope}::b", [0.5, 0.0, -0.1], [0.0, 0.0, 1.0])


def gear(scope, ratio=-2.0, offset=0.25):
    return Coupler(f"{scope}::left", f"{scope}::right", ratio, offset)


def of_urdf(scope):
    return [gear(scope, 1.0, 0.0), ball(scope)]


def of_sdf(scope):
    return [gear(scope), ball(scope)]


def assert_constraints(model, expected):
    """The list as a set, the names known to the plant, and as many as Drake counts."""
    assert sorted(map(repr, model.constraints)) == sorted(map(repr, expected))
    assert not model.unread
    model.require_all_read()
    BilateralRows(model.plant, model.constraints, model.plant.CreateDefaultContext())
    assert model.plant.num_constraints() == len(expected)


GEARED = '<mimic joint="right" multiplier="-2" offset="0.25"/>'
SCREW = """<drake:joint name="left" type="screw"><parent link="palm"/><child link="a"/>
  <axis xyz="0 1 0"/><drake:screw_thread_pitch value="0.1"/>{mimic}</drake:joint>
  <joint name="right" type="continuous"><parent link="palm"/><child link="b"/>
  <axis xyz="0 1 0"/></joint>"""
FIXED = JOINTS_URDF.replace("prismatic", "fixed")  # nothing to gear
IGNORED = JOINTS_URDF.replace('name="left" type', 'name="left" drake_ignore="true" type')


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (urdf, of_urdf("m")),  # a mimic of the usual ratio
        (lambda folder: urdf(folder, mimic=GEARED, more=""), [gear("m")]),
        (lambda folder: urdf(folder, joints=SCREW), of_urdf("m")),
        # what Drake passes over
        (lambda folder: urdf(folder, joints=FIXED, more=""), []),
        (lambda folder: urdf(folder, joints=IGNORED, more=""), []),
        (lambda folder: sdf(folder, sdf_body()), of_sdf("m")),
    ],
    ids=["urdf", "urdf with a ratio", "screw", "fixed joints", "ignored joints", "sdf"],
)
def test_a_file_gives_its_balls_and_its_mimics(tmp_path, write, expected):
    assert_constraints(loaded(write(tmp_path)), expected)


def test_instances_of_one_file_have_constraints_of_their_own(tmp_path):
    path = urdf(tmp_path)
    assert_constraints(loaded(path, "m", "n"), of_urdf("m") + of_urdf("n"))


def test_a_namespace_of_directives_stands_before_the_names(tmp_path):
    scene = tmp_path / "scene.dmd.yaml"
    path = urdf(tmp_path)
    scene.write_text(f"directives:\n- add_model: {{name: m, file: 'file://{path}'}}\n")
    spec = ModelSpec(
        [
            ModelDirective(add_model_instance=AddModelInstance(name="left")),
            ModelDirective(add_directives=AddDirectives(file=str(scene), model_namespace="left")),
        ]
    )
    assert_constraints(load_model(spec), of_urdf("left::m"))


def test_models_nested_in_an_sdf_and_included_by_it_are_found_under_drakes_names(tmp_path):
    inner_sdf, inner_urdf = sdf(tmp_path, sdf_body(), "inner"), urdf(tmp_path, "hand")
    outer = sdf(
        tmp_path,
        f"""<link name="own"/><model name="nested">{sdf_body()}</model>
        <include><uri>file://{inner_sdf}</uri></include>
        <include><uri>file://{inner_sdf}</uri><name>again</name></include>
        <include><uri>file://{inner_urdf}</uri></include>
        <include><uri>file://{inner_urdf}</uri><name>other</name></include>""",
    )
    expected = of_sdf("m::nested") + of_sdf("m::inner") + of_sdf("m::again")
    # Drake keeps the file's name before a URDF in it, whatever the directive calls the model
    expected += of_urdf("outer::hand") + of_urdf("outer::other")
    assert_constraints(loaded(outer), expected)


def test_a_urdf_that_is_merged_into_an_sdf_is_found_under_drakes_name(tmp_path):
    path = urdf(tmp_path)
    outer = sdf(
        tmp_path, f'<link name="own"/><include merge="true"><uri>file://{path}</uri></include>'
    )
    assert_constraints(loaded(outer), of_urdf("outer"))


def test_a_mimic_that_is_merged_into_an_sdf_belongs_to_it(tmp_path):
    inner = sdf(tmp_path, sdf_body(more=""), "inner")
    outer = sdf(tmp_path, f'<include merge="true"><uri>file://{inner}</uri></include>')
    assert_constraints(loaded(outer), [gear("m")])


def test_a_ball_that_drake_drops_as_it_merges_files_is_refused(tmp_path):
    inner = sdf(tmp_path, sdf_body(), "inner")
    outer = sdf(tmp_path, f'<include merge="true"><uri>file://{inner}</uri></include>')
    with pytest.raises(ModelError, match=r"takes 1 of the 2 .* include it without") as refused:
        loaded(outer)
    assert str(outer) in str(refused.value)


@pytest.mark.parametrize("inside", ["model", "include"])
def test_the_one_model_of_a_world_takes_the_directives_name(tmp_path, inside):
    inner = sdf(tmp_path, sdf_body(), "inner")
    content = {
        "model": f'<model name="any">{sdf_body()}</model>',
        "include": f"<include><uri>file://{inner}</uri><name>any</name></include>",
    }
    world = tmp_path / "world.sdf"
    world.write_text(f'<sdf version="1.9" {DRAKE}><world name="w">{content[inside]}</world></sdf>')
    assert_constraints(loaded(world), of_sdf("m"))


def test_constraints_of_the_scenario_come_beside_those_of_the_files(tmp_path):
    rod = Distance("m::a", "m::b", distance=2.0)
    model = load_model(spec_of(urdf(tmp_path), constraints=[rod]))
    assert model.constraints == (rod, *of_urdf("m"))
    assert not model.unread
    assert model.plant.num_constraints() == 2  # a continuous plant does not take the rod


def test_a_discrete_plant_has_every_constraint_once(tmp_path):
    rod = Distance("m::a", "m::b", distance=2.0)
    config = MultibodyPlantConfig(time_step=1e-3, discrete_contact_approximation="sap")
    builder = DiagramBuilder()
    plant, _ = add_model(builder, spec_of(urdf(tmp_path), constraints=[rod]), config=config)
    assert plant.num_constraints() == 3


def test_tendons_are_told_by_file_and_line(tmp_path):
    path = urdf(tmp_path, more=BALL_URDF + "\n" + TENDON)
    model = loaded(path)
    assert model.constraints == tuple(of_urdf("m"))
    line = path.read_text()[: path.read_text().index("<drake:tendon")].count("\n") + 1
    with pytest.raises(ModelError, match="choose engine drake") as refused:
        model.require_all_read()
    assert str(refused.value).startswith(f"{path}:{line}: <drake:tendon_constraint> is of a kind")
    assert "\n" not in str(refused.value)


def test_loops_of_mujoco_are_read(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MUJOCO.replace('name="b"', 'name="b" pos="0.3 0 1" euler="20 30 40"'))
    model = loaded(path)
    (ball,) = model.constraints
    assert (ball.a, ball.b) == ("m::a", "m::b")
    assert not model.unread
    # closed where the file has its bodies: both ends are one point
    residual, _ = BilateralRows(model.plant, [ball], model.plant.CreateDefaultContext()).evaluate()
    assert np.abs(residual).max() < 1e-15


@pytest.mark.parametrize(
    "constraint",
    [
        ball("m"),
        Distance("m::a", "m::b", [0.5, 0.0, 0.2], [0.0, 0.3, 1.0]),
        Weld("m::a", "m::b"),
        gear("m"),
    ],
    ids=["ball", "distance", "weld", "coupler"],
)
def test_the_loads_of_a_constraint_have_the_power_of_its_multipliers(tmp_path, constraint):
    # virtual power: multipliers times G v is the power of the loads, and of the joints in a coupler
    plant = loaded(urdf(tmp_path, more="")).plant
    context = plant.CreateDefaultContext()
    rng = np.random.default_rng(3)
    q = plant.GetPositions(context) + 0.3 * rng.standard_normal(plant.num_positions())
    q[:4] /= np.linalg.norm(q[:4])
    v = rng.standard_normal(plant.num_velocities())
    plant.SetPositionsAndVelocities(context, np.concatenate((q, v)))
    rows = BilateralRows(plant, [constraint], context)
    G = rows.evaluate()[1]
    multipliers = rng.standard_normal(len(G))
    loads = rows.wrenches(multipliers)
    power = 0.0
    for load in loads:
        V_WB = load.body.EvalSpatialVelocityInWorld(context)
        p_BP_W = load.p_W - load.body.EvalPoseInWorld(context).translation()
        v_WP = V_WB.translational() + np.cross(V_WB.rotational(), p_BP_W)
        power += load.force_W @ v_WP + load.torque_W @ V_WB.rotational()
    expected = 0.0 if isinstance(constraint, Coupler) else multipliers @ (G @ v)
    assert power == pytest.approx(expected, abs=1e-13)  # a dozen products of order one

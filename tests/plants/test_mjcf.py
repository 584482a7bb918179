"""MuJoCo's MJCF files: what they say against mechanics, and what is lost of them in words."""

import numpy as np
import pytest
import trimesh
from tests.cli.command import footfall
from tests.engines.tiny import GRAVITY
from tests.plants.files import loaded_text

from footfall.errors import ModelError
from footfall.plants.contacts import collect_contacts
from footfall.plants.coordinates import actuators_of
from footfall.plants.loading.standing_postures import standing_posture
from footfall.scenario.drop import drop_scenario

PENDULUM = """<mujoco model="pendulum">
  <compiler angle="radian"/>
  <default>
    <default class="rubbing"><joint frictionloss="0.25"/></default>
    <joint armature="{armature}"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1" pos="0 0 -3"/>
    <body name="rod" pos="0 0 2">
      <joint name="hinge" axis="0 1 0" {joint}/>
      <inertial pos="0 0 -0.8" mass="2" diaginertia="1e-3 1e-3 1e-3"/>
      <geom type="sphere" size="0.05" pos="0 0 -0.8"/>
    </body>
  </worldbody>
  <actuator>{actuator}</actuator>
</mujoco>"""
MOTOR = '<motor name="m" joint="hinge" gear="6" ctrlrange="-5 5"/>'
BALL = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="1 1 0.1"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom type="sphere" size="0.1" mass="3"/></body>
</worldbody></mujoco>"""
# two rods of 1 m, whose tips a bar of 1 m joins
FOUR_BAR = """<mujoco><worldbody>
  <body name="rod0" pos="0 0 2"><joint name="hinge0" axis="0 -1 0"/>
    <inertial pos="0 0 -0.5" mass="1" diaginertia="0.08333333 0.08333333 1e-6"/>
    <body name="bar" pos="0 0 -1"><joint name="couple" axis="0 -1 0"/>
      <inertial pos="0.5 0 0" mass="1" diaginertia="1e-6 0.08333333 0.08333333"/></body></body>
  <body name="rod1" pos="1 0 2"><joint name="hinge1" axis="0 -1 0"/>
    <inertial pos="0 0 -0.5" mass="1" diaginertia="0.08333333 0.08333333 1e-6"/></body>
</worldbody><equality><connect body1="bar" body2="rod1" anchor="1 0 0"/></equality></mujoco>"""


def _pendulum(armature=0.0, joint="", actuator=MOTOR):
    return PENDULUM.format(armature=armature, joint=joint, actuator=actuator)


BRACES = "{0} of {} in }{ {x"


def test_names_and_folders_may_have_braces(tmp_path):
    folder = tmp_path / BRACES
    folder.mkdir()
    text = _pendulum(0.1, 'frictionloss="0.2"').replace('name="m"', f'name="{BRACES}"')
    (motor,) = actuators_of(loaded_text(folder, text).plant)
    assert motor.effort_limit() == 30.0
    with pytest.raises(ModelError, match=r"frictionloss of joint 'hinge' is 'much'; write a"):
        loaded_text(folder, _pendulum(0.1, 'frictionloss="much"'))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('mass="2"', 'mass="-1"', "robot.xml:11: mass of <inertial> is -1 kg; give a positive one"),
        ('mass="2"', 'mass="0"', "mass of <inertial> is 0 kg"),
        ('name="hinge"', 'name=""', "robot.xml:10: the name of a <joint> is empty; write one, or"),
        ('name="rod"', 'name=""', "robot.xml:9: the name of a <body> is empty"),
    ],
)
def test_bad_masses_and_names_of_mjcf_are_refused_with_file_and_line(tmp_path, old, new, says):
    with pytest.raises(ModelError, match=says):
        loaded_text(tmp_path, _pendulum().replace(old, new))


@pytest.mark.parametrize("armature", [0.0, 0.5])
def test_a_pendulum_has_the_inertia_and_the_weight_of_its_file(tmp_path, armature):
    plant = loaded_text(tmp_path, _pendulum(armature)).plant
    context = plant.CreateDefaultContext()
    # at the joint, whatever the gear
    inertia = 2.0 * 0.8**2 + 1e-3 + armature
    assert plant.CalcMassMatrix(context)[0, 0] == pytest.approx(inertia, rel=1e-12)
    plant.SetPositions(context, [0.6])
    moment = -2.0 * GRAVITY * 0.8 * np.sin(0.6)
    assert plant.CalcGravityGeneralizedForces(context)[0] == pytest.approx(moment, rel=1e-12)


def test_the_plane_of_a_file_is_not_a_second_ground(tmp_path):
    model = loaded_text(tmp_path, BALL)
    assert len(collect_contacts(model).names) == 1
    (note,) = model.warnings.known
    assert note.startswith("robot.xml: its plane (floor) is left out")


def test_effort_limits_are_those_at_the_joint(tmp_path):
    # in MuJoCo a control of 5 through a gear of 6 is 30 N m
    (motor,) = actuators_of(loaded_text(tmp_path, _pendulum(0.36)).plant)
    assert motor.effort_limit() == 30.0
    assert motor.default_rotor_inertia() * motor.default_gear_ratio() ** 2 == pytest.approx(0.36)


@pytest.mark.parametrize(
    ("actuator", "limit"),
    [
        ('<position name="s" joint="hinge" kp="50" ctrlrange="-1 1" forcerange="-7 7"/>', 7.0),
        ('<general name="s" joint="hinge" gainprm="9" biastype="affine" gear="2"/>', np.inf),
    ],
)
def test_servos_become_motors_and_that_is_told(tmp_path, actuator, limit):
    model = loaded_text(tmp_path, _pendulum(actuator=actuator))
    (motor,) = actuators_of(model.plant)
    assert motor.effort_limit() == limit
    assert not motor.has_controller()
    assert any("whose torque a controller gives: s" in line for line in model.warnings.known)


def test_friction_loss_is_dry_friction_by_class(tmp_path):
    model = loaded_text(tmp_path, _pendulum(joint='class="rubbing"'))
    assert model.joint_friction == {"m::hinge": 0.25}


def test_tags_of_mjcf_that_are_left_out_are_named_with_their_line(tmp_path):
    lost = """<tendon><fixed name="t"><joint joint="hinge" coef="1"/></fixed></tendon>
    <visual/><sensor/><option gravity="0 0 -1.62" timestep="0.01"/></mujoco>"""
    text = _pendulum(joint='stiffness="3"', actuator="").replace("</mujoco>", lost)
    model = loaded_text(tmp_path, text)
    line = 1 + text[: text.index("<tendon>")].count("\n")
    told = model.warnings.known
    assert f"robot.xml:{line}: <tendon> in <mujoco> is left out" in told
    assert any("gravity 0 0 -1.62 is left out" in note for note in told)
    assert len(told) == 3  # and the plane
    assert model.plant.gravity_field().gravity_vector()[2] == -GRAVITY


def test_included_files_and_meshes_of_other_formats_come_in(tmp_path):
    (tmp_path / "parts").mkdir()
    trimesh.creation.box((0.2, 0.2, 0.2)).export(tmp_path / "parts" / "cube.stl")
    body = BALL.replace('type="sphere" size="0.1"', 'type="mesh" mesh="cube"')
    asset = '<compiler meshdir="parts"/><asset><mesh file="cube.stl"/></asset>'
    (tmp_path / "body.xml").write_text(body.replace("<worldbody>", f"{asset}<worldbody>"))
    model = loaded_text(tmp_path, '<mujoco><include file="body.xml"/><tendon/></mujoco>')
    # lines are not those of one file any more
    assert "robot.xml: <tendon> in <mujoco> is left out" in model.warnings.known
    ball = model.plant.GetBodyByName("ball")
    assert ball.default_mass() == pytest.approx(3.0)
    # a homogeneous cube: m a^2 / 6
    moments = ball.default_rotational_inertia().get_moments()
    assert moments == pytest.approx([3.0 * 0.2**2 / 6.0] * 3, rel=1e-6)


def test_a_keyframe_is_the_posture_in_which_a_robot_stands(tmp_path):
    key = """<keyframe><key name="up" qpos="9 9 9"/><key name="home" qpos="0.3 -0.3 0.2"/>
      <key name="standing" qpos="1 2"/></keyframe></mujoco>"""
    file = tmp_path / "bar.xml"
    file.write_text(FOUR_BAR.replace("</mujoco>", key))
    # the second name has too few numbers; of the joints some may be unknown
    name, posture = standing_posture(file, {"hinge0", "hinge1"})
    assert name == "home of bar.xml"
    assert posture == {"hinge0": 0.3, "hinge1": 0.2}
    file.write_text(BALL.replace("</mujoco>", '<keyframe><key qpos="0"/></keyframe></mujoco>'))
    assert standing_posture(file, {"ball"}) == ("", {})


def test_the_format_is_that_of_the_contents_not_of_the_name(tmp_path):
    urdf = """<robot name="r"><link name="l"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
    assert loaded_text(tmp_path, urdf).plant.GetBodyByName("l").default_mass() == 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<html/>", "robot.xml: begins with <html>, which is no model"),
        ("<mujoco><worldbody></mujoco>", "robot.xml:1: the XML is broken here"),
        ('<mujoco>\n<include file="no.xml"/></mujoco>', "robot.xml:2: the included file"),
        ('<mujoco><include file="robot.xml"/></mujoco>', "includes itself"),
        ('<mujoco><asset>\n<mesh file="no.stl"/></asset></mujoco>', "robot.xml:2: mesh 'no.stl'"),
        (PENDULUM.format(armature="x", joint="", actuator=""), "armature of joint 'hinge' is 'x'"),
        (BALL.replace('"3"', '"-3"'), "robot.xml"),
    ],
)
def test_broken_files_are_one_line_with_the_users_file(tmp_path, text, words):
    with pytest.raises(ModelError) as refused:
        loaded_text(tmp_path, text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "/footfall-" not in str(refused.value)


def test_a_file_of_mujoco_is_dropped_as_any_robot(tmp_path, capsys):
    file = tmp_path / "ball.xml"
    file.write_text(BALL)
    assert drop_scenario(str(file)).warnings.known
    status, said, err = footfall(
        "drop", str(file), "--duration", "0.01", "--no-report", "--out", str(tmp_path / "out"),
        capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    assert "drake-sap" in said
    assert err.count("its plane (floor) is left out") == 1

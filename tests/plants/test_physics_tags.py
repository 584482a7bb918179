"""Tags that carry physics: a line for each kind that is not taken over, and none for what is."""

import numpy as np
import pytest
import trimesh
from tests.plants.files import loaded_text

from footfall.errors import ModelError
from footfall.plants.contacts import collect_contacts
from footfall.plants.loading.physics_tags import TAGS

_LINK = """<link name="{name}">{inside}<inertial><mass value="1"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision name="{name}_ball"><geometry><sphere radius=".1"/></geometry>{more}</collision>
  </link>"""
_JOINT = """<joint name="{child}_joint" type="{kind}">
  <parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="1" effort="3" velocity="9"/>{inside}</joint>"""
SDF = """<sdf version="1.9"><model name="robot">{model}
  <link name="base">{link}{inertial}<collision name="ball"><geometry><sphere><radius>.1</radius>
    </sphere></geometry><surface>{surface}</surface></collision></link>
  <link name="arm"><inertial><mass>1</mass><inertia><ixx>.1</ixx></inertia></inertial></link>
  <joint name="elbow" type="revolute"><parent>base</parent><child>arm</child>
    <axis><xyz>0 1 0</xyz><limit>{limit}</limit></axis>{joint}</joint></model></sdf>"""
MJCF = """<mujoco model="robot"><default><geom solref="0.02 1"/></default><worldbody>
  <body name="base"><freejoint name="free"/><geom name="skin" size="0.1" {geom}/>
    <body name="arm"><joint name="elbow" {joint}/><geom size="0.1"/>
      <body name="hand"><joint name="wrist" type="ball" {ball}/><geom size="0.1"/></body></body>
  </body></worldbody>{more}</mujoco>"""


def _urdf(link="", joint="", shape="", more="", kind="revolute"):
    parts = [
        _LINK.format(name="base", inside=link, more=shape),
        _LINK.format(name="arm", inside="", more=""),
        _LINK.format(name="hand", inside="", more=""),
        _JOINT.format(parent="base", child="arm", inside=joint, kind=kind),
        _JOINT.format(parent="arm", child="hand", inside="", kind="revolute"),
        more,
    ]
    return "\n".join(
        ['<robot name="robot" xmlns:drake="http://drake.mit.edu">', *parts, "</robot>"]
    )


def _sdf(**parts):
    mass = "<inertial><mass>1</mass><inertia><ixx>.1</ixx></inertia></inertial>"
    names = ("model", "link", "surface", "limit", "joint")
    return SDF.format(**{"inertial": mass} | dict.fromkeys(names, "") | parts)


def _mjcf(**parts):
    return MJCF.format(**dict.fromkeys(("geom", "joint", "ball", "more"), "") | parts)


def _gazebo(inside, reference="base"):
    return _urdf(more=f'<gazebo reference="{reference}">{inside}</gazebo>')


NAMED = [
    (_gazebo("<kp>1e6</kp><kd>1</kd>"), ["<kp>, <kd>", "of base", "contact is rigid"]),
    (_gazebo("<dampingFactor>.1</dampingFactor>"), ["drag", "of base"]),
    (_gazebo("<mu1>1</mu1><mu2>.5</mu2>"), ["differs by direction", "of base", "smaller"]),
    (_gazebo("<stopErp>.2</stopErp>", "arm_joint"), ["soft stops", "of arm_joint", "rigid"]),
    (_gazebo("<mu1>1</mu1>", "bsae"), ["<gazebo reference> names bsae", "does not have"]),
    (_urdf(more='<gazebo><plugin name="p" filename="libp.so"/></gazebo>'), ["<plugin>"]),
    (_urdf(more="<gazebo><static>true</static></gazebo>"), ["<static>", "add_weld"]),
    (_gazebo("<turnGravityOff>1</turnGravityOff>"), ["without gravity", "of base", "left out"]),
    (
        _gazebo("<surface><friction><torsional><coefficient>1</coefficient></torsional></friction>"
                "</surface>"),
        ["torsional friction", "of base"],
    ),
    (
        _urdf(more='<gazebo reference="arm_joint"><springStiffness>3</springStiffness></gazebo>',
              kind="fixed"),
        ["spring of a joint", "of arm_joint", "one coordinate"],
    ),
    (_urdf('<contact><rolling_friction value=".1"/></contact>'), ["rolling", "of base"]),
    (_urdf('<contact><stiffness value="9"/><damping value="1"/></contact>'), ["<stiffness>, <da"]),
    (_urdf('<contact><inertia_scaling value="2"/></contact>'), ["mass_scale"]),
    (_urdf(shape='<contact_coefficients mu="0.3"/>'), ["<mu>", "of base", "nobody reads"]),
    (_urdf(joint='<joint_properties damping="1"/>'), ["<damping>", "of arm_joint"]),
    (_urdf(joint='<dynamics K="3"/>'), ["<K>", "of arm_joint", "nobody reads"]),
    (_urdf("<gravity>0</gravity>"), ["<gravity>", "of base", "nobody reads them in URDF"]),
    (_sdf(surface="<friction><ode><slip1>.1</slip1></ode></friction>"), ["<slip1>", "of base"]),
    (_sdf(surface="<friction><bullet><friction>.1</friction></bullet></friction>"), ["Bullet"]),
    (_sdf(surface="<bounce><threshold>.1</threshold></bounce>"), ["<threshold>"]),
    (_sdf(surface="<contact><ode><kp>1e5</kp></ode></contact>"), ["<kp>", "contact is rigid"]),
    (_sdf(link="<kinematic>true</kinematic>"), ["<kinematic>", "of base"]),
    (_sdf(link="<gravity>false</gravity>"), ["<gravity>", "of base", "left out"]),
    (_sdf(link="<enable_wind>true</enable_wind>"), ["<enable_wind>", "wind"]),
    (_sdf(link="<velocity_decay><linear>5</linear></velocity_decay>"), ["drag", "<linear>"]),
    (_sdf(model='<plugin name="p" filename="libp.so"/>'), ["<plugin>", "of robot"]),
    (_sdf(inertial=""), ["not given, of base", "1 kg or 1 kg m^2"]),
    (_sdf(inertial="<inertial><mass>2</mass></inertial>"), ["not given, of base"]),
    (_sdf(limit="<dissipation>9</dissipation>"), ["soft stops", "of elbow"]),
    (_sdf(limit="<effort>2</effort><velocity>0</velocity>"), ["limit of 0", "of elbow", "none"]),
    (_sdf(joint="<physics><ode><cfm_damping>1</cfm_damping></ode></physics>"), ["<physics>"]),
    (_sdf(model="<allow_auto_disable>1</allow_auto_disable>"), ["<allow_auto_disable>"]),
    (_mjcf(joint='springdamper="1 1"'), ["<springdamper>", "of elbow"]),
    (_mjcf(geom='contype="2" conaffinity="4"'), ["contype", "left out"]),
    (_mjcf(ball='stiffness="2"'), ["wrist", "more than one coordinate"]),
    (_mjcf(joint='frictionloss="2"').replace('name="elbow"', ""), ["no name"]),
    (_mjcf(more='<equality><weld body1="arm" body2="hand"/></equality>'), ["<weld>"]),
    (
        _mjcf(more='<equality><joint joint1="elbow" polycoef="1 0 0 0 0"/></equality>'),
        ["<joint> in <equality>"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), NAMED)
def test_physics_tags_that_are_left_out_are_named_in_one_line(tmp_path, text, words):
    lines = [line for line in loaded_text(tmp_path, text).warnings.lines() if "solref" not in line]
    assert len(lines) == 1, lines
    assert lines[0].startswith("robot.")
    for word in words:
        assert word in lines[0]


SILENT = [
    _gazebo("<mu1>.3</mu1><mu2>.3</mu2><fdir1>1 0 0</fdir1><maxVel>1</maxVel>"),
    _gazebo("<material>Gazebo/Red</material><sensor/><dampingFactor>0</dampingFactor>"),
    _gazebo("<springStiffness>3</springStiffness>", "arm_joint"),
    _urdf('<contact><lateral_friction value=".1"/><rolling_friction value="0.0"/></contact>'),
    _sdf(surface="<friction><ode><mu>1</mu><mu2>1</mu2></ode><torsional><coefficient>0</coefficient>"
         "</torsional></friction>"),
    _sdf(link="<gravity>true</gravity><kinematic>false</kinematic><enable_wind>0</enable_wind>"),
    _sdf(limit="<effort>0</effort><velocity>0</velocity>"),
    '<sdf version="1.9"><model name="wall"><static>true</static><link name="wall"/></model></sdf>',
    _sdf(model="<self_collide>false</self_collide>", limit="<velocity>3</velocity>"),
    _mjcf(joint='stiffness="2" springref="10" frictionloss="1"'),
]  # fmt: skip


@pytest.mark.parametrize("text", SILENT)
def test_physics_tags_that_are_taken_over_are_not_named(tmp_path, text):
    assert [
        line for line in loaded_text(tmp_path, text).warnings.lines() if "solref" not in line
    ] == []


def test_tags_of_one_kind_are_named_in_one_line(tmp_path):
    blocks = "".join(
        f'<gazebo reference="{link}"><kp>1e6</kp><kd>1</kd></gazebo>'
        for link in ("base", "arm", "hand")
    )
    (line,) = loaded_text(tmp_path, _urdf(more=blocks)).warnings.lines()
    assert "(<kp>, <kd>) of base, arm, hand: left out" in line
    softness = [
        line for line in loaded_text(tmp_path, _mjcf()).warnings.lines() if "solref" in line
    ]
    assert len(softness) == 1


def _mu(model):
    contacts = collect_contacts(model)
    return dict(zip(contacts.names, contacts.mu, strict=True))


def test_drakes_own_friction_beats_that_of_other_simulators(tmp_path):
    own = """<drake:proximity_properties><drake:mu_dynamic value="0.5"/>
      <drake:mu_static value="0.5"/></drake:proximity_properties>"""
    text = _urdf(
        "<contact><lateral_friction value='0.1'/></contact>",
        shape=own,
        more='<gazebo reference="arm"><mu1>0.2</mu1></gazebo>',
    )
    mu = _mu(loaded_text(tmp_path, text))
    # 2ab/(a+b) with the ground's 1
    assert mu["m::base_ball"] == pytest.approx(1.0 / 1.5)
    assert mu["m::arm_ball"] == pytest.approx(0.4 / 1.2)
    assert mu["m::hand_ball"] == pytest.approx(1.0)


def test_links_that_do_not_collide_with_each_other_still_meet_others(tmp_path):
    names = {}
    for inside in ("", "<selfCollide>false</selfCollide>"):
        text = _urdf(more=f"<gazebo>{inside}</gazebo>")
        names[inside] = {name for name in _mu(loaded_text(tmp_path, text)) if "_ball" in name}
    full, apart = names.values()
    assert full - apart == {"m::base_ball|m::hand_ball"}  # joints part the others
    assert {"m::base_ball", "m::arm_ball", "m::hand_ball"} <= apart


@pytest.mark.parametrize(
    ("masks", "meets"), [((1, 2), False), ((1, 3), True), ((0, 65535), False), ((6, 2), True)]
)
def test_shapes_meet_whose_masks_have_a_bit_in_common(tmp_path, masks, meets):
    links = "".join(
        f"""<link name="l{number}"><pose>{number} 0 1 0 0 0</pose><inertial><mass>1</mass><inertia>
        <ixx>1</ixx></inertia></inertial><collision name="c"><geometry><sphere><radius>.1</radius>
        </sphere></geometry><surface><contact><collide_bitmask>{mask}</collide_bitmask></contact>
        </surface></collision></link>"""
        for number, mask in enumerate(masks)
    )
    model = loaded_text(tmp_path, f'<sdf version="1.9"><model name="two">{links}</model></sdf>')
    assert any("|" in name for name in _mu(model)) is meets
    assert sum("|" not in name for name in _mu(model)) == sum(mask > 0 for mask in masks)


def test_an_mjcf_actuator_has_the_limit_of_its_joint(tmp_path):
    motor = '<actuator><motor joint="elbow" forcerange="-9 9"/></actuator>'
    model = loaded_text(tmp_path, _mjcf(joint='actuatorfrcrange="-2 3"', more=motor))
    (index,) = model.plant.GetJointActuatorIndices()
    assert model.plant.get_joint_actuator(index).effort_limit() == 3.0


def test_a_mask_that_is_no_number_is_refused(tmp_path):
    mask = "<contact><collide_bitmask>all</collide_bitmask></contact>"
    with pytest.raises(ModelError, match="<collide_bitmask> is 'all'; write a whole number"):
        loaded_text(tmp_path, _sdf(surface=mask))


def test_every_tag_of_the_table_is_in_one_row_of_its_format():
    places = [(row.form, place) for row in TAGS for place in row.places.split()]
    assert len(places) == len(set(places))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("ring", "33 % more volume"),  # of a ring of 0.5 and 1 m: 1 / (1 - 0.25)
        ("ball", ""),
        ("box", ""),
    ],
)
def test_meshes_that_become_hulls_are_told_with_what_that_adds(tmp_path, kind, words):
    meshes = {
        "ring": lambda: trimesh.creation.annulus(0.5, 1.0, 1.0),
        "ball": lambda: trimesh.creation.icosphere(2, 0.1),
        "box": lambda: trimesh.creation.box((1, 2, 3)),
    }
    meshes[kind]().export(tmp_path / "part.obj")
    text = _urdf().replace('<sphere radius=".1"/>', '<mesh filename="part.obj"/>')
    lines = loaded_text(tmp_path, text).warnings.lines()
    if not words:
        assert lines == ()
        return
    (line,) = lines
    assert "count as their hulls: part.obj of m::base" in line
    assert words in line


def test_the_depth_that_a_hull_fills_is_told(tmp_path):
    corners = np.array([(x, y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    vertices = [(0.3 * x, 0.3 * y, z) for z in (0.0, 0.2) for x, y in corners]
    vertices += [(0.2 * x, 0.2 * y, z) for z in (0.2, 0.05) for x, y in corners]
    quads = [(3, 2, 1, 0), (12, 13, 14, 15)]
    for low in (0, 4, 8):
        quads += [
            (low + k, low + (k + 1) % 4, low + 4 + (k + 1) % 4, low + 4 + k) for k in range(4)
        ]
    lines = [f"v {x} {y} {z}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(k + 1) for k in quad) for quad in quads]
    (tmp_path / "bowl.obj").write_text("\n".join(lines))
    text = _urdf().replace('<sphere radius=".1"/>', '<mesh filename="bowl.obj" scale="2 2 2"/>', 1)
    (line,) = loaded_text(tmp_path, text).warnings.lines()
    # 0.072 m^3 round a hole of 0.4 x 0.4 x 0.15, at twice the size
    assert "bowl.obj of m::base (50 % more volume, up to 0.3 m deep)" in line

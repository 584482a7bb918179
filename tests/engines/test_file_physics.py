"""Tags of other simulators move machines as closed forms say."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from pydrake.systems.framework import LeafSystem
from tests.engines.tiny import GRAVITY, columns, simulate, tiny
from tests.slow import some_slow

from footfall.errors import ModelError
from footfall.scenario.io import parse_scenario
from footfall.scenario.schema import InitialState, Scenario
from footfall.trajectory.events import LEFT_OUT

ENGINES = some_slow(("moreau", "drake-sap", "drake-lagged", "mujoco"), "mujoco")

_BOX = '<collision name="box"><geometry><box size="0.4 0.3 0.1"/></geometry></collision>'
_MASS = """<inertial><mass value="2"/>
  <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>"""
BRICK = f'<robot name="brick"><link name="brick">{{inside}}{_MASS}{_BOX}</link>{{beside}}</robot>'
GAZEBO = '<gazebo reference="brick">{}</gazebo>'
SDF_BRICK = """<sdf version="1.9"><model name="brick">{model}<link name="brick">{link}
  <inertial><mass>2</mass>
    <inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz></inertia></inertial>
  <collision name="box"><geometry><box><size>0.4 0.3 0.1</size></box></geometry>
    <surface>{surface}</surface></collision></link></model></sdf>"""


def _ode(mu, mu2):
    return f"<friction><ode><mu>{mu}</mu><mu2>{mu2}</mu2></ode></friction>"


def _sdf(model="", link="", surface=""):
    return SDF_BRICK.format(model=model, link=link, surface=surface)


def _urdf(inside="", beside=""):
    return BRICK.format(inside=inside, beside=beside)


def _scenario(folder, text, velocities="{}", height=0.05, slope=0.0, more=""):
    """A brick that begins flat at a height over ground of friction 0.2."""
    file = folder / ("brick.sdf" if text.startswith("<sdf") else "brick.urdf")
    file.write_text(text)
    return parse_scenario(
        f"""duration: 0.5
terrain: {{slope_deg: {slope}, friction: 0.2}}
directives:
- add_model:
    {{name: b, file: "{file}", default_free_body_pose:
      {{brick: {{base_frame: terrain, translation: [0, 0, {height}]}}}}}}
initial: {{velocities: {velocities}}}
{more}""",
        "test",
    )


@pytest.mark.parametrize(
    "text",
    [
        _urdf(beside=GAZEBO.format("<mu1>0.2</mu1><mu2>0.2</mu2>")),
        _urdf(beside=GAZEBO.format('<mu1 value="0.2"/>')),
        _urdf(beside=GAZEBO.format("<mu1>0.2</mu1><mu2>0.9</mu2>")),
        _urdf(inside='<contact><lateral_friction value="0.2"/></contact>'),
        _sdf(surface=_ode(0.2, 0.2)),
        _sdf(surface=_ode(0.9, 0.2)),
        _sdf(surface=_ode(0.2, 0.9)),
    ],
    ids=["mu1-mu2", "mu1", "smaller", "lateral_friction", "sdf", "sdf-mu2", "sdf-mu"],
)
@pytest.mark.parametrize("engine", ["moreau", pytest.param("drake-sap", marks=pytest.mark.slow)])
def test_a_brick_slides_with_the_friction_of_its_tags(tmp_path, text, engine):
    slope = np.radians(20.0)
    run = simulate(_scenario(tmp_path, text, slope=-20.0), engine)
    vx, vz = (columns(run, f"v:brick_v{axis}")[1][-1] for axis in "xz")
    expected = GRAVITY * (np.sin(slope) - 0.2 * np.cos(slope)) * 0.5
    # Drake's brick sinks in at first and then slides a little above its rest
    assert np.hypot(vx, vz) == pytest.approx(expected, rel=1e-6 if engine == "moreau" else 2e-2)


BOUNCE = "<bounce><restitution_coefficient>0.6</restitution_coefficient></bounce>"


@pytest.mark.parametrize(
    ("text", "more", "e"),
    [
        (_sdf(surface=BOUNCE), "", 0.6),
        (_urdf(inside='<contact><restitution value="0.6"/></contact>'), "", 0.6),
        (
            _urdf(beside=GAZEBO.format(f"<collision><surface>{BOUNCE}</surface></collision>")),
            "",
            0.6,
        ),
        (_sdf(surface=BOUNCE), "restitution: 0.0", 0.0),
        (_sdf(surface=BOUNCE), "restitution: 0.3", 0.3),
        (_sdf(), "", 0.0),
    ],
    ids=["sdf", "pybullet", "gazebo", "scenario-0", "scenario", "none"],
)
def test_a_brick_rises_again_as_its_restitution_says(tmp_path, text, more, e):
    fall = 0.2
    run = simulate(_scenario(tmp_path, text, height=0.05 + fall, more=more))
    time, z = columns(run, "brick_z")
    after = time > np.sqrt(2.0 * fall / GRAVITY)
    # a step of 1 ms sets the velocity of the impact, and with it twice the height, off by 5e-3
    assert z[after].max() - 0.05 == pytest.approx(e**2 * fall, rel=2e-2, abs=1e-3)


def test_restitution_of_files_is_named_in_engines_without_it(tmp_path):
    run = simulate(_scenario(tmp_path, _sdf(surface=BOUNCE)), "drake-sap")
    (line,) = [each.what for each in run.trajectory.events if "restitution" in each.what]
    assert line == "Drake knows no restitution: that of b::box is left out"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "text",
    [
        _sdf(link="<gravity>false</gravity>"),
        _urdf(beside=GAZEBO.format("<turnGravityOff>true</turnGravityOff>")),
        _urdf(beside=GAZEBO.format("<gravity>false</gravity>")),
    ],
    ids=["sdf", "turnGravityOff", "gazebo"],
)
def test_a_brick_without_gravity_flies_straight(tmp_path, text, engine):
    run = simulate(_scenario(tmp_path, text, "{brick_vx: 0.3}", height=1.0), engine)
    time, x, z = columns(run, "brick_x", "brick_z")
    assert np.abs(x - 0.3 * time).max() < 1e-12
    assert np.abs(z - 1.0).max() < 1e-12
    assert run.trajectory.data["potential_energy"].to_numpy() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_shape_without_a_bit_falls_through_the_ground(tmp_path, engine):
    mask = "<contact><collide_bitmask>{}</collide_bitmask></contact>"
    depths = []
    for bits in ("0", "0x02"):
        run = simulate(_scenario(tmp_path, _sdf(surface=mask.format(bits))), engine)
        depths.append(0.05 - columns(run, "brick_z")[1][-1])
    assert depths[0] == pytest.approx(0.5 * GRAVITY * 0.5**2, rel=5e-3)  # of steps
    assert abs(depths[1]) < 2e-4


ROD = """<robot name="rod"><link name="base"/>
  <link name="arm"><inertial><mass value="2"/>
    <inertia ixx="0.05" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hub" type="{kind}"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit effort="2" velocity="{velocity}"{ends}/><dynamics damping="{damping}"/>
  </joint>
  <transmission name="t"><type>transmission_interface/SimpleTransmission</type>
    <joint name="hub"/><actuator name="hub"/></transmission>{beside}</robot>"""
SPRING = """<gazebo reference="hub"><springStiffness>{k}</springStiffness>
  <springReference>0.2</springReference></gazebo>"""
MJCF_SPRING = """<mujoco model="rod"><worldbody><body name="base"><body name="arm">
    <joint name="hub" axis="0 1 0" type="{kind}" stiffness="{k}" springref="{rest}"/>
    <inertial pos="0 0 0" mass="2" diaginertia="0.05 0.05 0.05"/></body></body></worldbody>
  </mujoco>"""


def _of_mjcf(folder, text, positions):
    """Return a scenario of a second with an MJCF file."""
    file = folder / "robot.xml"
    file.write_text(text)
    directives = [ModelDirective(add_model=AddModel(name="r", file=str(file)))]
    return Scenario(directives=directives, initial=InitialState(positions=positions))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("form", "kind"),
    [("urdf", "revolute"), ("urdf", "prismatic"), ("mjcf", "hinge"), ("mjcf", "slide")],
)
def test_a_spring_swings_about_its_rest_with_its_frequency(tmp_path, form, kind, engine):
    turns = kind in ("revolute", "hinge")
    inertia, k = (0.05, 5.0) if turns else (2.0, 200.0)  # 10 rad/s both
    text = ROD.format(
        kind=kind, velocity=0, damping=0, beside=SPRING.format(k=k), ends=' lower="-9" upper="9"'
    )
    if form == "mjcf":
        rest = np.degrees(0.2) if turns else 0.2  # MuJoCo's angles are degrees
        text = MJCF_SPRING.format(kind=kind, k=k, rest=rest)
    if form == "mjcf":
        scenario = _of_mjcf(tmp_path, text, {"hub": 0.3})
    else:
        scenario = tiny(tmp_path, text, welded="base", positions={"hub": 0.3}, duration=1.0)
    time, q = columns(simulate(scenario, engine), "hub")
    assert q == pytest.approx(0.2 + 0.1 * np.cos(np.sqrt(k / inertia) * time), abs=1.5e-3)


GEARS = """<mujoco model="gears"><worldbody><body name="base">
  <body name="a"><joint name="fast" axis="0 1 0"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.05 0.05 0.05"/></body>
  <body name="b"><joint name="slow" axis="0 1 0" stiffness="4"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.05 0.05 0.05"/></body>
  </body></worldbody>
  <equality><joint joint1="fast" joint2="slow" polycoef="0.1 2 0 0 0"/></equality></mujoco>"""


@pytest.mark.parametrize(("engine", "gap"), [("moreau", 1e-9), ("drake-sap", 1e-3)])
def test_gears_of_mjcf_hold_and_swing_as_one(tmp_path, engine, gap):
    scenario = _of_mjcf(tmp_path, GEARS, {"fast": 0.5, "slow": 0.2})
    time, fast, slow = columns(simulate(scenario, engine), "fast", "slow")
    assert np.abs(fast - 2.0 * slow - 0.1).max() < gap
    # the energy is that of (2^2 + 1) 0.05 kg m^2 at the slow joint
    assert slow == pytest.approx(0.2 * np.cos(np.sqrt(4.0 / 0.25) * time), abs=1e-3)


def push(torque):
    """Class of controllers that ask for one torque of every actuator."""

    class Push(LeafSystem):
        def __init__(self, plant):
            super().__init__()
            self.DeclareVectorInputPort("state", plant.num_multibody_states())
            asked = [torque] * plant.num_actuators()
            self.DeclareVectorOutputPort(
                "actuation", len(asked), lambda _, out: out.SetFromVector(asked)
            )

    return Push


def _hub(folder, controller, velocity=15.0, damping=0.0, **fields):
    text = ROD.format(kind="continuous", velocity=velocity, damping=damping, beside="", ends="")
    return tiny(folder, text, welded="base", controller=controller, **fields)


@pytest.mark.parametrize("engine", [*ENGINES, "drake-continuous"])
def test_a_wheel_spins_up_to_its_velocity_limit_and_no_further(tmp_path, engine):
    time, speed = columns(simulate(_hub(tmp_path, push(100.0), duration=0.5), engine), "v:hub")
    # 2 N m at 0.05 kg m^2, then the last hundredth with the time constant J 0.15 / 2 N m
    taper = 0.05 * 0.15 / 2.0
    left = np.maximum(time - 0.99 * 15.0 / 40.0, 0.0)
    expected = np.where(left > 0.0, 15.0 - 0.15 * np.exp(-left / taper), 40.0 * time)
    assert speed == pytest.approx(expected, abs=0.02)  # steps of 1 ms
    assert speed.max() < 15.0 + 1e-9


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize(
    ("sign", "torque", "end"), [(1, 9.0, 20.0), (1, -9.0, 16.0), (-1, 9.0, -16.0)]
)
def test_beyond_a_velocity_limit_a_motor_only_brakes(tmp_path, engine, sign, torque, end):
    start = {"hub": 20.0 * sign}
    scenario = _hub(tmp_path, push(torque), velocities=start, duration=0.1)
    (_, speed) = columns(simulate(scenario, engine), "v:hub")
    assert speed[-1] == pytest.approx(end, rel=1e-9)


def test_under_load_a_wheel_turns_at_its_limit_and_a_limit_of_0_is_none(tmp_path):
    # 0.1 N m s/rad takes 1.5 of the 2 N m at the limit
    loaded = _hub(tmp_path, push(9.0), damping=0.1, duration=1.0)
    assert columns(simulate(loaded), "v:hub")[1][-1] == pytest.approx(15.0, rel=1e-2)
    run = simulate(_hub(tmp_path, push(9.0), velocity=0.0, duration=1.0))
    assert columns(run, "v:hub")[1][-1] == pytest.approx(40.0, rel=1e-9)
    told = [event.what for event in run.trajectory.events if event.kind == LEFT_OUT]
    assert told == ["rod.urdf:5: velocity limit of 0 (<velocity>) of hub: counts as none"]


@pytest.mark.parametrize("engine", ENGINES)
def test_drives_with_gains_keep_to_a_velocity_limit(tmp_path, engine):
    kp, kd, goal, most = 50.0, 2.0, 1.5, 3.0

    class Servo(LeafSystem):
        pd_gains = (kp, kd)

        def __init__(self, _plant):
            super().__init__()
            self._state = self.DeclareVectorInputPort("state", 2)
            self.DeclareVectorOutputPort("actuation", 1, self._calc)

        def _calc(self, context, output):
            q, v = self._state.Eval(context)
            output.SetFromVector([kp * (goal - q) - kd * v])

    run = simulate(_hub(tmp_path, Servo, velocity=most, duration=2.0), engine)
    time, q, speed = columns(run, "hub", "v:hub")
    assert speed.max() < most * 1.001
    assert speed[(time > 0.2) & (time < 0.4)] == pytest.approx(most, rel=1e-2)
    assert q[-1] == pytest.approx(goal, abs=1e-3)


@pytest.mark.parametrize("e", ["1.5", "-0.1", "much"])
def test_values_that_no_law_takes_are_refused_with_their_line(tmp_path, e):
    text = _sdf(surface=BOUNCE.replace("0.6", e))
    with pytest.raises(ModelError, match=r"brick\.sdf:\d+: restitution of link 'brick' is") as said:
        simulate(_scenario(tmp_path, text))
    assert "from 0 to 1" in str(said.value)

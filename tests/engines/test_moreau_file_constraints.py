"""Loops and gears declared in model files move in both engines as those of a scenario do."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from tests.engines.tiny import GRAVITY, columns, simulate, tiny
from tests.slow import some_slow

from footfall.errors import ModelError
from footfall.plants.constraints import Ball, Coupler
from footfall.scenario.schema import InitialState, Scenario

DRAKE = 'xmlns:drake="http://drake.mit.edu"'
THIN = 1.0 / 12.0  # kg m^2, a rod of 1 m and 1 kg
START = {"hinge0": 0.3, "hinge1": 0.3, "couple": -0.3}
# the bar's end on the second rod's end, in the bodies' own frames
CLOSED = Ball(a="four_bar::bar", b="four_bar::rod1", p_AP=[1.0, 0.0, 0.0], p_BQ=[0.0, 0.0, -1.0])

# two rods of 1 m, hinged 1.2 m apart to a base, and a bar of 1 m at the end of the first: no
# parallelogram, so that all three turn differently
FOUR_BAR_URDF = """<robot name="four_bar" xmlns:drake="http://drake.mit.edu"><link name="base"/>
  <joint name="hinge0" type="revolute"><parent link="base"/><child link="rod0"/>
    <origin xyz="0 0 2"/><axis xyz="0 -1 0"/></joint>
  <joint name="hinge1" type="revolute"><parent link="base"/><child link="rod1"/>
    <origin xyz="1.2 0 2"/><axis xyz="0 -1 0"/></joint>
  <joint name="couple" type="revolute"><parent link="rod0"/><child link="bar"/>
    <origin xyz="0 0 -1"/><axis xyz="0 -1 0"/></joint>
  <link name="rod0"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="{I}" ixy="0" ixz="0" iyy="{I}" iyz="0" izz="0"/></inertial></link>
  <link name="rod1"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="{I}" ixy="0" ixz="0" iyy="{I}" iyz="0" izz="0"/></inertial></link>
  <link name="bar"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="{I}" iyz="0" izz="{I}"/></inertial></link>
  {more}</robot>"""
BALL_URDF = """<drake:ball_constraint>
    <drake:ball_constraint_body_A name="bar"/><drake:ball_constraint_body_B name="rod1"/>
    <drake:ball_constraint_p_AP value="1 0 0"/><drake:ball_constraint_p_BQ value="0 0 -1"/>
  </drake:ball_constraint>"""

# two fingers of 3 kg and 1 kg on upright rails, of which one mirrors the other
GRIPPER_URDF = """<robot name="gripper"><link name="palm"/>
  <joint name="heavy" type="prismatic"><parent link="palm"/><child link="a"/><axis xyz="0 0 1"/>
    </joint>
  <joint name="light" type="prismatic"><parent link="palm"/><child link="b"/><axis xyz="0 0 1"/>
    <mimic joint="heavy" multiplier="-1" offset="0.2"/></joint>
  <link name="a"><inertial><mass value="3"/></inertial></link>
  <link name="b"><inertial><mass value="1"/></inertial></link></robot>"""
GRIPPER_SDF = f"""<sdf version="1.9" {DRAKE}><model name="gripper"><link name="palm"/>
  <link name="a"><inertial><mass>3</mass></inertial></link>
  <link name="b"><inertial><mass>1</mass></inertial></link>
  <joint name="heavy" type="prismatic"><parent>palm</parent><child>a</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="light" type="prismatic"><parent>palm</parent><child>b</child>
    <axis><xyz>0 0 1</xyz></axis><drake:mimic joint="heavy" multiplier="-1" offset="0.2"/></joint>
  </model></sdf>"""


def written(folder, text, suffix, welded, **fields):
    """A scenario of one model file of either format, named after its model, welded by one link."""
    name = "four_bar" if "four_bar" in text else "gripper"
    path = folder / f"{name}.{suffix}"
    path.write_text(text)
    positions = fields.pop("positions")
    return Scenario(
        directives=[
            ModelDirective(add_model=AddModel(name=name, file=str(path))),
            ModelDirective(add_weld=AddWeld(parent="terrain", child=f"{name}::{welded}")),
        ],
        initial=InitialState(positions=positions),
        **fields,
    )


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_loop_of_a_file_moves_as_that_of_a_scenario(tmp_path, engine):
    urdf = FOUR_BAR_URDF.replace("{I}", str(THIN))
    of_scenario = written(
        tmp_path, urdf.replace("{more}", ""), "urdf", "base", positions=START,
        constraints=[CLOSED], duration=0.3,
    )  # fmt: skip
    expected = simulate(of_scenario, engine).trajectory.data
    text = urdf.replace("{more}", BALL_URDF)
    of_file = written(tmp_path, text, "urdf", "base", positions=START, duration=0.3)
    found = simulate(of_file, engine).trajectory.data
    for name, dim in (("q", "position"), ("v", "velocity")):
        # the same equations in another order of joints: rounding, over three hundred steps
        apart = found[name].sel({dim: expected[dim]}) - expected[name]
        assert np.abs(apart.to_numpy()).max() < 1e-12
    assert np.ptp(found["q"].to_numpy(), axis=0).min() > 0.05  # and it does move
    impulses = found["impulse"].to_numpy()
    assert impulses.shape[1] == 0  # the loop alone holds it


@pytest.mark.parametrize(("text", "suffix"), [(GRIPPER_URDF, "urdf"), (GRIPPER_SDF, "sdf")])
def test_a_mimic_gripper_is_atwoods_machine(tmp_path, text, suffix):
    scenario = written(
        tmp_path, text, suffix, "palm", positions={"heavy": 0.1, "light": 0.1}, duration=0.5
    )
    time, heavy, light, speed = columns(simulate(scenario), "heavy", "light", "v:heavy")
    # a = (m_a - m_b) / (m_a + m_b) g, constant: the midpoint rule makes no error
    fall = 0.5 * GRAVITY
    assert speed == pytest.approx(-fall * time, abs=1e-12)
    assert heavy == pytest.approx(0.1 - 0.5 * fall * time**2, abs=1e-12)
    assert light == pytest.approx(0.2 - heavy, abs=1e-12)


def test_drakes_gripper_is_geared_as_well(tmp_path):
    scenario = written(
        tmp_path, GRIPPER_SDF, "sdf", "palm", positions={"heavy": 0.1, "light": 0.1}, duration=0.2
    )
    time, heavy, light = columns(simulate(scenario, "drake-sap"), "heavy", "light")
    # Drake's constraint is a stiff spring, and its steps are of first order in dt
    assert np.abs(light - (0.2 - heavy)).max() < 1e-4
    assert heavy == pytest.approx(0.1 - 0.25 * GRAVITY * time**2, abs=2e-3)


def test_a_gear_of_a_file_and_a_loop_of_the_scenario_hold_together(tmp_path):
    # the loop leaves one freedom, the gear takes it: nothing moves but to rounding
    urdf = FOUR_BAR_URDF.replace("{I}", str(THIN)).replace("{more}", "")
    place = '<origin xyz="1.2 0 2"/><axis xyz="0 -1 0"/>'
    geared = urdf.replace(place, place + '<mimic joint="hinge0" multiplier="-1"/>')
    scenario = written(
        tmp_path, geared, "urdf", "base", positions={"hinge0": 0.1, "hinge1": -0.1},
        constraints=[CLOSED, Coupler("couple", "hinge0", -1.0)], duration=0.05,
    )  # fmt: skip
    _, first, second, bar = columns(simulate(scenario), "hinge0", "hinge1", "couple")
    # ends at 2 - cos and sin + 1 = 1.2 - sin: the rods stand at sin = 0.1, the bar level
    assert first[1:] == pytest.approx([np.arcsin(0.1)] * (len(first) - 1), abs=1e-12)
    assert second[1:] == pytest.approx(-first[1:], abs=1e-12)
    assert bar[1:] == pytest.approx(-first[1:], abs=1e-12)


TENDON = """<drake:tendon_constraint>
    <drake:tendon_constraint_joint name="heavy" a="1"/>
    <drake:tendon_constraint_joint name="light" a="1"/>
    <drake:tendon_constraint_offset value="0"/>
    <drake:tendon_constraint_lower_limit value="-1"/>
    <drake:tendon_constraint_upper_limit value="0.2"/>
    <drake:tendon_constraint_stiffness value="1e6"/>
    <drake:tendon_constraint_damping value="10"/>
  </drake:tendon_constraint></robot>"""


def test_what_only_drakes_engine_knows_is_refused_in_moreau_and_runs_there(tmp_path):
    text = GRIPPER_URDF.replace("</robot>", TENDON)
    text = text.replace('name="gripper"', f'name="gripper" {DRAKE}')
    scenario = written(
        tmp_path, text, "urdf", "palm", positions={"heavy": 0.1, "light": 0.1}, duration=0.01
    )
    with pytest.raises(ModelError, match="choose engine drake") as refused:
        simulate(scenario)
    assert "gripper.urdf:7: <drake:tendon_constraint>" in str(refused.value)
    assert simulate(scenario, "drake-sap").trajectory.status.value == "done"


# a free block of 2 kg on a bushing of 800 N/m and 4 N s/m, at whose centre it hangs
BUSHED = f"""<robot name="bushed" {DRAKE}><link name="base"/>
  <link name="block"><inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <frame name="seat" link="base" xyz="0 0 1" rpy="0 0 0"/>
  <frame name="core" link="block" xyz="0 0 0" rpy="0 0 0"/>
  <drake:linear_bushing_rpy>
    <drake:bushing_frameA name="seat"/><drake:bushing_frameC name="core"/>
    <drake:bushing_torque_stiffness value="50 50 50"/>
    <drake:bushing_torque_damping value="0.1 0.1 0.1"/>
    <drake:bushing_force_stiffness value="800 800 800"/>
    <drake:bushing_force_damping value="4 4 4"/>
  </drake:linear_bushing_rpy></robot>"""


@pytest.mark.parametrize("engine", some_slow(["moreau", "drake-sap"], "drake-sap"))
def test_a_block_on_a_bushing_rings_down_to_its_sag(tmp_path, engine):
    scenario = tiny(
        tmp_path, BUSHED, welded="base", duration=0.5, time_step=1e-4,
        positions={"block_qw": 1.0, "block_z": 1.0},
    )  # fmt: skip
    time, z = columns(simulate(scenario, engine), "block_z")
    omega, decay = np.sqrt(800.0 / 2.0), 4.0 / (2.0 * 2.0)
    damped = np.sqrt(omega**2 - decay**2)
    sag = 2.0 * GRAVITY / 800.0
    wave = np.cos(damped * time) + decay / damped * np.sin(damped * time)
    expected = 1.0 - sag * (1.0 - np.exp(-decay * time) * wave)
    # first order in dt: omega dt / 2 of the sag
    assert np.abs(z - expected).max() < 2e-3 * sag

"""The script that writes humanoids of any size, run as a reader runs it."""

import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.scripts.script import run_script

from footfall.plants.loading.load import ModelSpec, load_model


def test_a_walker_of_another_size_is_written_and_stands_in_a_plant(tmp_path):
    out = tmp_path / "walker.urdf"
    told = run_script("humanoid_model", "--mass", 70, "--height", 1.75, "--hip-yaw", "--out", out)
    assert told.returncode == 0, told.stderr
    assert told.stdout == f"{out}: 70 kg\n"
    add = ModelDirective(add_model=AddModel(name="walker", file=str(out)))
    plant = load_model(ModelSpec(directives=[add])).plant
    assert plant.CalcTotalMass(plant.CreateDefaultContext()) == pytest.approx(70.0, rel=1e-12)
    assert plant.HasJointNamed("left_hip_yaw")
    knee = plant.GetJointByName("left_knee").frame_on_parent().GetFixedPoseInBodyFrame()
    assert knee.translation()[2] == pytest.approx(-0.245 * 1.75, rel=1e-12)


def test_a_mass_that_is_none_is_refused_in_one_line(tmp_path):
    told = run_script("humanoid_model", "--mass", -3, "--out", tmp_path / "walker.urdf")
    assert told.returncode == 2
    assert told.stderr == "humanoid_model: mass is -3.0: give a positive number\n"

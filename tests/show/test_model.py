"""Looking at a model file."""

import pytest

from footfall.errors import ModelError
from footfall.resources import share_root
from footfall.show import start_meshcat, view_model

BIPED = "urdf/biped/biped.urdf"


@pytest.mark.parametrize("name", ["biped", f"package://footfall/{BIPED}", "path"])
def test_a_model_is_shown_by_name_address_or_path(name):
    meshcat = start_meshcat()
    view_model(str(share_root() / BIPED) if name == "path" else name, meshcat, loop_once=True)
    assert meshcat.HasPath("/drake/illustration/model/hip")


@pytest.mark.parametrize("name", ["bipde", "no/such.urdf", "package://footfall/urdf/no.urdf"])
def test_a_model_that_is_not_there_is_refused_in_one_line(name):
    with pytest.raises(ModelError) as refusal:
        view_model(name, start_meshcat(), loop_once=True)
    assert "\n" not in str(refusal.value)


def test_a_broken_model_is_refused_in_one_line(tmp_path):
    broken = tmp_path / "broken.urdf"
    broken.write_text('<robot name="broken"><link name="a"></robot>')
    with pytest.raises(ModelError) as refusal:
        view_model(str(broken), start_meshcat(), loop_once=True)
    assert "broken.urdf" in str(refusal.value)
    assert "\n" not in str(refusal.value)

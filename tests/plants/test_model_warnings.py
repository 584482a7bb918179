"""Drake's warnings about a model, in words and a line for each kind."""

import logging

import pytest
from tests.cli.command import footfall
from tests.plants.files import loaded

from footfall.plants.loading.model_warnings import warnings_of
from footfall.plants.messages import listening

_LINK = """<link name="{name}"><inertial><mass value="1"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><sphere radius=".1"/></geometry></collision></link>"""
_HINGE = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{name}"/>
  <limit lower="-1" upper="1" effort="3" velocity="9"/></joint>
  <transmission name="t_{name}"><type>transmission_interface/{kind}</type>
  <joint name="{name}"/><actuator name="m_{name}"/></transmission>"""


def _chain(folder, kinds):
    """Write a robot whose joints j0, j1, ... have transmissions of some kinds."""
    parts = [_LINK.format(name="base")]
    for number, kind in enumerate(kinds):
        parent = f"j{number - 1}" if number else "base"
        parts += [_LINK.format(name=f"j{number}")]
        parts += [_HINGE.format(name=f"j{number}", parent=parent, kind=kind)]
    file = folder / "chain.urdf"
    file.write_text("\n".join(['<robot name="chain">', *parts, "</robot>"]))
    return file


def test_transmissions_that_drake_leaves_out_are_one_line(tmp_path, caplog, capfd):
    kinds = ["SimpleTransmission", "DifferentialTransmission", "FourBarLinkage", "Other"]
    model = loaded(_chain(tmp_path, kinds))
    assert model.plant.num_actuators() == 1  # what the line says has happened
    (line,) = model.warnings.known
    assert "chain.urdf:" in line
    assert "its actuator is left out (and 2 more of the kind)" in line
    assert model.warnings.unknown == ()
    assert len(model.warnings.raw) == 3
    assert not caplog.records
    assert capfd.readouterr().err == ""


def test_a_sound_robot_has_no_warnings(tmp_path):
    assert loaded(_chain(tmp_path, ["SimpleTransmission"])).warnings.lines() == ()


def test_a_warning_that_nobody_knows_is_counted_and_kept():
    logger = logging.getLogger("drake")
    with listening() as outer:
        with listening() as inner:
            logger.warning("/a/b.sdf:3: warning: something odd")
            logger.warning("/a/b.sdf:4: warning: something odd")
        logger.warning("later")
    assert len(inner) == 2
    assert len(outer) == 3
    warnings = warnings_of(inner)
    assert warnings.known == ()
    assert warnings.lines() == ("Drake has 2 more warnings about the model, which --verbose shows",)


def test_drakes_warnings_outside_of_loading_reach_the_log(caplog):
    logging.getLogger("drake").warning("something odd")
    assert [record.getMessage() for record in caplog.records] == ["something odd"]


@pytest.mark.parametrize("verbose", [False, True])
def test_a_run_tells_warnings_once_and_keeps_drakes_words(tmp_path, capsys, verbose):
    out = tmp_path / "out"
    file = _chain(tmp_path, ["SimpleTransmission", "Other"])
    status, _, err = footfall(
        "drop", str(file), "--duration", "0.002", "--out", str(out), "--no-report",
        *(["--verbose"] if verbose else []), capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    told = [line for line in err.splitlines() if "another type" in line]
    assert len(told) == 1  # of two engines
    assert told[0].startswith("footfall: chain.urdf:")
    kept = (out / "moreau" / "drake.log").read_text()
    assert "SimpleTransmission" in kept
    assert ("drake: " in err) is verbose

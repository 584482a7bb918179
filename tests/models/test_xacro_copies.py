"""Compiled copies of the machines' xacro files, and the defaults of these."""

import pytest
from tests.machines.compass.closed_form.cases import SETS
from tests.models import pasibot, test_compass, test_hopper
from tests.models.planar import compiled, plain

from footfall.machines.hopper.closed_form.model import TEXT as HOPPER
from footfall.machines.pasibot.closed_form.linkage import TEXT as PASIBOT
from footfall.resources import share_root


@pytest.mark.parametrize("machine", ["compass", "hopper", "humanoid", "pasibot", "quadruped"])
def test_a_compiled_copy_is_what_the_xacro_file_gives(machine):
    # make again: xacro MACHINE.urdf.xacro -o MACHINE.urdf
    copy = share_root() / "urdf" / machine / f"{machine}.urdf"
    assert plain(copy.read_text()) == plain(compiled(machine))


@pytest.mark.parametrize(
    ("machine", "parameters", "arguments"),
    [
        ("compass", SETS["authors"], test_compass.ARGUMENTS),
        ("hopper", HOPPER, test_hopper.ARGUMENTS),
        ("pasibot", PASIBOT, pasibot.ARGUMENTS),
    ],
    ids=["compass", "hopper", "pasibot"],
)
def test_defaults_are_those_of_the_document(machine, parameters, arguments):
    named = compiled(machine, **{name: getattr(parameters, name) for name in arguments})
    assert plain(named) == plain(compiled(machine))

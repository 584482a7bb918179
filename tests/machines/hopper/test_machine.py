"""Plants that are the document's hopper, and their parameters."""

import pytest
from tests.machines.hopper.machine import context, scenario

from footfall.errors import ModelError
from footfall.machines.hopper.model import POINTS, exact_parameters, parameters_of
from footfall.plants.contacts import PairRule
from footfall.plants.terrain import Terrain
from footfall.resources import share_root
from footfall.scenario.assemble import build_robot

FOLDER = share_root() / "urdf" / "hopper"
P = POINTS[0]


def test_parameters_are_those_of_the_file():
    of = context(
        arguments={"hopper": {"m": 0.5, "l": 0.2, "tau_max": 4.0}},
        friction=None,
        gravity=9.8,
        controller=None,
        pairs=[PairRule(contact=P, friction=0.7, restitution=0.2, tangential_restitution=0.1)],
    )
    p = parameters_of(of.model, of.contacts)
    assert (p.m, p.l, p.mu, p.tau_max, p.g, p.e_n, p.e_t) == (0.5, 0.2, 0.7, 4.0, 9.8, 0.2, 0.1)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"terrain": Terrain(slope_deg=3.0)}, "level ground"),
        ({"static_friction": 0.5}, "one coefficient of friction"),
        ({"joint_friction": {"theta2": 0.1}}, "no dry friction in joints"),
        ({"gravity": 0.0}, "set gravity above 0"),
    ],
)
def test_other_machines_are_refused_in_a_line(changes, says):
    of = context(**changes)
    with pytest.raises(ModelError, match=says) as refused:
        exact_parameters(of.model, of.contacts)
    assert "\n" not in str(refused.value)


def test_unequal_links_are_refused(tmp_path):
    text = (FOLDER / "hopper.urdf").read_text()
    heavy = tmp_path / "hopper.urdf"
    heavy.write_text(text.replace('<mass value="0.3"/>', '<mass value="0.4"/>', 1))
    given = scenario()
    given.directives[0].add_model.file = str(heavy)
    given.arguments = {}
    machine = build_robot(given)
    with pytest.raises(ModelError, match="two equal uniform links"):
        parameters_of(machine.model, machine.contacts)

"""Shapes that their joints keep above the ground are no contacts with it."""

import pytest
from pydrake.multibody.parsing import AddWeld, ModelDirective
from tests.plants.files import INERTIAL, spec_of, written

from footfall.plants.contacts import collect_contacts
from footfall.plants.loading.load import load_model
from footfall.plants.terrain import Terrain

_PUCK = (
    "<robot name='puck'><link name='base'/>"
    "<link name='arm'>" + INERTIAL + "</link>"
    "<joint name='first' type='{first}'><parent link='base'/><child link='arm'/>"
    "<axis xyz='{along}'/><limit lower='-9' upper='9' effort='0'/></joint>"
    "<link name='puck'>" + INERTIAL + "<collision name='disc'><origin xyz='0 0 {height}'/>"
    "<geometry><cylinder radius='0.2' length='0.1'/></geometry></collision></link>"
    "<joint name='second' type='{second}'><parent link='arm'/><child link='puck'/>"
    "<axis xyz='{about}'/><limit lower='-9' upper='9' effort='0'/></joint></robot>"
)
# a rail along x, and on it a turntable
_ALOFT = {
    "first": "prismatic",
    "along": "1 0 0",
    "second": "revolute",
    "about": "0 0 1",
    "height": 0.3,
}


def _names(tmp_path, slope_deg=0.0, parent="terrain", **changed):
    path = written(tmp_path, _PUCK.format(**(_ALOFT | changed)))
    spec = spec_of(path, terrain=Terrain(slope_deg=slope_deg))
    spec.directives.append(ModelDirective(add_weld=AddWeld(parent=parent, child="m::base")))
    contacts = collect_contacts(load_model(spec))
    return contacts.names[: contacts.num_touching]


def test_shapes_that_slide_and_turn_above_the_ground_have_no_contact_with_it(tmp_path):
    assert _names(tmp_path) == ()
    assert _names(tmp_path, slope_deg=20.0) == ()  # its rail is the slope's


@pytest.mark.parametrize(
    "changed",
    [
        {"height": 0.05},  # it lies on the ground, and rubs
        {"height": 0.04},
        {"along": "0 0 1"},
        {"along": "1 0 1e-6"},
        {"about": "0 1 0"},
        {"second": "prismatic"},  # up and down
        {"first": "floating"},
    ],
)
def test_shapes_that_may_come_down_have_contacts_with_the_ground(tmp_path, changed):
    assert len(_names(tmp_path, **changed)) == 8


def test_a_level_rail_over_a_slope_leads_to_the_ground(tmp_path):
    assert len(_names(tmp_path, slope_deg=20.0, parent="world")) == 8

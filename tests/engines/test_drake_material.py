"""Friction that Drake's geometries get: the scenario's, or what gives every pair its own."""

import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.tiny import TWO_POINTS, tiny

from footfall.contact import combine_friction
from footfall.engines.drake_material import geometry_friction, set_friction
from footfall.plants.contacts import ContactMaterial, PairRule, collect_contacts
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.scenario.assemble import build_robot

STIFF = """<robot name="stiff" xmlns:drake="http://drake.mit.edu"><link name="base">
  <inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision name="skin"><geometry><sphere radius="0.1"/></geometry>
    <drake:proximity_properties><drake:point_contact_stiffness value="12345"/>
      <drake:mu_dynamic value="0.4"/><drake:mu_static value="0.6"/></drake:proximity_properties>
  </collision></link></robot>"""


def material_of(model, geometry, name):
    properties = model.scene_graph.model_inspector().GetProximityProperties(geometry)
    return properties.GetProperty("material", name)


def test_friction_leaves_all_else_of_the_files_alone(tmp_path):
    path = tmp_path / "stiff.urdf"
    path.write_text(STIFF)
    directive = ModelDirective(add_model=AddModel(name="stiff", file=str(path)))
    model = load_model(ModelSpec([directive]))
    contacts = collect_contacts(model, ContactMaterial(friction=0.3))
    own = contacts.geometry_friction
    before = model.scene_graph.model_inspector().GetCollisionCandidates()
    set_friction(
        model.plant, model.scene_graph, contacts, {geometry: [geometry] for geometry in own}
    )
    assert model.scene_graph.model_inspector().GetCollisionCandidates() == before
    assert len(own) == 2
    for geometry in own:
        law = material_of(model, geometry, "coulomb_friction")
        assert (law.dynamic_friction(), law.static_friction()) == (0.3, 0.3)
    skin = contacts.ground[0].geometry
    assert material_of(model, skin, "point_contact_stiffness") == 12345.0


@pytest.mark.parametrize(
    ("rules", "direct"),
    [
        ([], True),
        ([PairRule("*", friction=0.2)], True),
        ([PairRule("two::b", restitution=0.5)], True),
        ([PairRule("two::b", friction=0.2)], False),
        ([PairRule("two::b", friction=0.0)], False),
    ],
)
def test_pairs_get_their_friction_from_their_geometries(tmp_path, rules, direct):
    contacts = build_robot(
        tiny(tmp_path, TWO_POINTS, welded="slope", friction=0.6, pairs=rules)
    ).contacts
    own = geometry_friction(contacts)
    for shape in contacts.ground:
        pair = combine_friction(own[shape.geometry], own[contacts.terrain])
        assert pair == pytest.approx(contacts.mu[shape.first], rel=1e-15)
    assert (len(set(own.values())) == 1) is direct


def test_friction_of_files_is_left_as_it_is(tmp_path):
    scenario = tiny(tmp_path, TWO_POINTS, welded="slope")
    scenario.terrain.friction = 0.3
    contacts = build_robot(scenario).contacts
    assert geometry_friction(contacts) == contacts.geometry_friction
    assert geometry_friction(contacts)[contacts.terrain] == 0.3

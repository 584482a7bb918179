"""Contact points of shapes, friction and restitution of pairs, planar or spatial."""

import numpy as np
import pytest
from pydrake.math import RotationMatrix
from tests.engines.tiny import BALL, BRICK, POINT, STOPPED, tiny
from tests.plants.files import INERTIAL, loaded_text

from footfall.errors import ModelError, ScenarioError
from footfall.plants.contacts import ContactMaterial, PairRule, collect_contacts
from footfall.plants.contacts.axes import axes_in_terrain
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario

FREE = f"""<robot name="free" xmlns:drake="http://drake.mit.edu">
  <link name="body">
    {INERTIAL}{{collisions}}
  </link>
</robot>"""


def _contacts(folder, text, **fields):
    machine = build_robot(tiny(folder, text, **fields))
    return machine.contacts, Dynamics(machine.model, machine.contacts)


def _collision(name, shape, origin="0 0 0", mu=""):
    friction = f"<drake:mu_dynamic value='{mu}'/>" if mu else ""
    properties = f"<drake:proximity_properties>{friction}</drake:proximity_properties>"
    body = f"<origin xyz='{origin}'/><geometry>{shape}</geometry>{properties}"
    return f"<collision name='{name}'>{body}</collision>"


def _lowest(dynamics, height, axis, angle):
    """Smallest gap of a body lifted and turned."""
    half = 0.5 * angle
    quaternion = np.concatenate(([np.cos(half)], np.sin(half) * np.asarray(axis)))
    dynamics.set_state(np.concatenate((quaternion, [0.0, 0.0, height], np.zeros(6))))
    return dynamics.gaps()[0].min()


# extent below the centre of a shape that is turned about x, by elementary geometry
SHAPES = {
    "sphere": ("<sphere radius='0.2'/>", 1, lambda _s, _c: 0.2),
    "capsule": ("<drake:capsule radius='0.2' length='1.0'/>", 2, lambda _, c: 0.5 * c + 0.2),
    "box": ("<box size='0.4 0.6 1.0'/>", 8, lambda s, c: 0.3 * s + 0.5 * c),
    # four points of each rim, the lowest one first
    "cylinder": ("<cylinder radius='0.2' length='0.6'/>", 8, lambda s, c: 0.2 * s + 0.3 * c),
    # sqrt of the sum of (axis times direction)^2
    "ellipsoid": (
        "<drake:ellipsoid a='0.1' b='0.2' c='0.3'/>",
        1,
        lambda s, c: np.hypot(0.2 * s, 0.3 * c),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_touches_the_ground_with_its_lowest_points(tmp_path, name):
    shape, count, extent = SHAPES[name]
    contacts, dynamics = _contacts(tmp_path, FREE.format(collisions=_collision(name, shape)))
    assert len(contacts) == count
    for turn in np.linspace(0.0, np.pi / 2.0, 5):
        depth = extent(np.sin(turn), np.cos(turn))
        assert _lowest(dynamics, 3.0, [1, 0, 0], turn) == pytest.approx(3.0 - depth, abs=1e-14)


def test_convex_mesh_touches_with_its_vertices(tmp_path):
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 2)]
    faces = ["1 3 2", "1 2 4", "2 3 4", "1 4 3"]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {face}" for face in faces]
    (tmp_path / "wedge.obj").write_text("\n".join(lines) + "\n")
    mesh = f"<mesh filename='{tmp_path}/wedge.obj'><drake:declare_convex/></mesh>"
    contacts, dynamics = _contacts(tmp_path, FREE.format(collisions=_collision("wedge", mesh)))
    assert len(contacts) == 4
    assert _lowest(dynamics, 3.0, [1, 0, 0], np.pi) == pytest.approx(3.0 - 2.0, abs=1e-14)


def test_two_moving_bodies_are_a_pair(tmp_path):
    other = BALL.split('<link name="ball">')[1].replace("</robot>", "")
    contacts, _ = _contacts(
        tmp_path, BALL.replace("</robot>", f'<link name="second">{other}</robot>')
    )
    assert len(contacts.pairs) == 1
    assert len(contacts.names) == contacts.num_ground + 1
    assert contacts.names[-1] == "|".join(contacts.names[:2])
    assert contacts.reported_as.tolist() == [0, 1, 2]


def test_shapes_without_names_are_told_apart(tmp_path):
    nameless = "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
    links = "".join(
        f"<link name='{name}'>{INERTIAL}{nameless * count}</link>"
        for name, count in (("a", 1), ("b", 2))
    )
    contacts, _ = _contacts(tmp_path, f'<robot name="two">{links}</robot>')
    ground = contacts.names[: contacts.num_ground]
    assert ground == ("two::a/Sphere", "two::b/Sphere", "two::b/Sphere_1")
    assert len(set(contacts.names)) == len(contacts.names)


def test_friction_of_a_pair_is_drakes_rule(tmp_path):
    both = _collision("rough", "<sphere radius='0.1'/>", mu="0.6") + _collision(
        "plain", "<sphere radius='0.1'/>", origin="1 0 0"
    )
    scenario = tiny(tmp_path, FREE.format(collisions=both))
    scenario.terrain.friction = 0.3
    contacts = build_robot(scenario).contacts
    # 2ab/(a+b) with the ground's 0.3; a geometry that says nothing has Drake's default of 1
    assert dict(zip(contacts.names, contacts.mu, strict=True)) == pytest.approx(
        {"free::rough": 2 * 0.6 * 0.3 / 0.9, "free::plain": 2 * 1.0 * 0.3 / 1.3}, rel=1e-15
    )


def test_rules_of_pairs_apply_in_order():
    machine = build_robot(load_scenario("biped/stand"))
    rules = [
        PairRule("biped::foot_*", friction=0.4, restitution=0.1),
        PairRule("biped::foot_b", friction=0.2),
    ]
    contacts = collect_contacts(machine.model, ContactMaterial(restitution=0.3, rules=rules))
    assert contacts.mu.tolist() == [1.0, 1.0, 0.4, 1.0, 0.2]
    assert contacts.restitution.tolist() == [0.3, 0.3, 0.1, 0.3, 0.1]


def test_a_rule_that_matches_nothing_names_the_contacts():
    machine = build_robot(load_scenario("biped/stand"))
    with pytest.raises(ScenarioError, match=r"'biped::foot'.*biped::foot_a") as refused:
        collect_contacts(
            machine.model, ContactMaterial(rules=[PairRule("biped::foot", friction=0.1)])
        )
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("friction", [0.0, 0.3, 2.0])
def test_one_friction_for_every_pair(friction):
    model = build_robot(load_scenario("biped/stand")).model
    contacts = collect_contacts(model, ContactMaterial(friction=friction))
    # with equal partners Drake's rule 2ab/(a+b) gives that value back
    assert contacts.mu == pytest.approx(np.full(5, friction), rel=1e-15)
    assert contacts.mu_static.tolist() == contacts.mu.tolist()


@pytest.mark.parametrize("of", [ContactMaterial, PairRule])
@pytest.mark.parametrize("value", [-0.1, np.inf, np.nan])
@pytest.mark.parametrize("name", ["friction", "static_friction", "restitution"])
def test_coefficients_that_no_law_takes_are_refused(of, name, value):
    with pytest.raises(ScenarioError, match=rf"{name} is .*: give a number from 0 to"):
        of(**{name: value})


@pytest.mark.parametrize(
    ("text", "fields", "dim"),
    [(POINT, {"welded": "slope", "slope_deg": -20.0}, 2), (BALL, {}, 3), (BRICK, {}, 3)],
    ids=["point", "ball", "brick"],
)
def test_dimension_of_contacts_is_2_for_planar_machines(tmp_path, text, fields, dim):
    assert _contacts(tmp_path, text, **fields)[0].dim == dim


def test_filtered_pairs_do_not_count(tmp_path):
    filtered = POINT.replace(
        "</robot>",
        "<drake:collision_filter_group name='off'><drake:member link='mass'/>"
        "<drake:ignored_collision_filter_group name='off'/></drake:collision_filter_group></robot>",
    )
    # the group ignores itself, not the ground: the contact stays
    assert len(_contacts(tmp_path, filtered, welded="slope")[0]) == 1
    # what is welded to the world never touches it: Drake filters such pairs itself
    welded = FREE.format(collisions=_collision("still", "<sphere radius='0.1'/>"))
    assert len(_contacts(tmp_path, welded, welded="body")[0]) == 0


def test_joint_limits_come_after_the_points(tmp_path):
    contacts, dynamics = _contacts(tmp_path, STOPPED.format(effort=0, damping=0), welded="base")
    assert contacts.names == ("swing:lower", "swing:upper")
    assert contacts.num_touching == 0
    dynamics.set_state(np.array([0.2, 1.5]))
    gap, _ = dynamics.gaps()
    assert gap == pytest.approx([0.7, 0.3], abs=1e-15)
    rates = dynamics.contact_jacobian(np.array([True, True])) @ np.array([1.5])
    assert rates[:, 0].tolist() == [1.5, -1.5]
    assert np.array_equal(rates[:, 1:], np.zeros((2, 2)))


def test_a_model_with_a_ground_of_its_own_is_refused(tmp_path):
    text = (
        "<sdf version='1.9'><model name='floor'><static>true</static><link name='slab'>"
        "<collision name='plane'><geometry><plane><normal>0 0 1</normal></plane></geometry>"
        "</collision></link></model></sdf>"
    )
    model = loaded_text(tmp_path, text, "floor")
    with pytest.raises(ModelError, match="a ground of its own, 'floor::plane'"):
        collect_contacts(model)


def test_a_planar_machine_has_its_tangent_in_its_plane_whatever_it_touches(tmp_path):
    _, dynamics = _contacts(tmp_path, POINT, welded="slope", slope_deg=20.0)
    R_WT = RotationMatrix.MakeYRotation(np.deg2rad(-20.0)).matrix()
    normals = np.random.default_rng(5).normal(size=(50, 3)) * [0.3, 1.0, 0.3]  # mostly sideways
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    axes = dynamics.axes.about_each(normals)
    assert axes[:, :, 2] == pytest.approx(np.tile([0.0, 1.0, 0.0], (50, 1)), abs=1e-14)
    # and who reads the normals in a file finds the same axes
    assert axes_in_terrain(axes[:, :, 0], R_WT) == pytest.approx(axes, abs=1e-14)


def test_only_the_pieces_of_a_surface_share_a_name(tmp_path):
    """A corner of a box and a ball that is called like it stay two contacts, though of one name."""
    shapes = _collision("foot", "<box size='0.1 0.1 0.1'/>")
    shapes += _collision("foot#0", "<sphere radius='0.1'/>", origin="0 0 1")
    contacts, _ = _contacts(tmp_path, FREE.format(collisions=shapes))
    assert contacts.reported_as.tolist() == list(range(9))

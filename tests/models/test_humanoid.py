"""The humanoid's URDF against tables 2.2 to 2.7 of the thesis, for any mass and height."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.models.planar import close, compiled, shaken

from footfall.errors import ModelError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters
from footfall.machines.humanoid.closed_form.phases import JOINTS
from footfall.machines.humanoid.model import parameters_of
from footfall.plants.contacts import collect_contacts
from footfall.plants.coordinates import actuators_of
from footfall.plants.loading.load import ModelSpec, load_model

# tables 2.4 and 2.5: mass [kg], moments of inertia xx, yy, zz about the mass centre [kg m^2]
BODIES = {
    "hat": (37.968, (1.5139, 1.2851, 0.3594)),
    "thigh": (5.6, (0.07679, 0.07679, 0.00977)),
    "shank": (2.604, (0.03465, 0.03465, 0.00208)),
    "foot": (0.812, (0.00049, 0.00361, 0.00384)),
}
# table 2.6 and (3.1): mass centres in the body's frame [m]; the feet's, table 2.7, to its digits
CENTRES = {"hat": (0, 0, 0.1528), "thigh": (0, 0, -0.196), "shank": (0, 0, -0.1968)}
# tables 2.6 and 2.7: joints in the frame of the body nearer to the trunk [m]
PLACES = {
    "hip_roll": (0, 0.1528, 0),
    "hip_pitch": (0, 0, 0),
    "knee": (0, 0, -0.392),
    "ankle_pitch": (0, 0, -0.3936),
    "ankle_roll": (0, 0, 0),
    "toe": (0.2432, 0, -0.0624),
}
AXES = {"hip_roll": 0, "hip_pitch": 1, "knee": 1, "ankle_pitch": 1, "ankle_roll": 0, "toe": 1}


def load_text(folder, text):
    path = folder / "humanoid.urdf"
    path.write_text(text)
    add = ModelDirective(add_model=AddModel(name="humanoid", file=str(path)))
    return load_model(ModelSpec([add]))


def model_of(folder, **arguments):
    """The model of a xacro file's arguments."""
    return load_text(folder, compiled("humanoid", **arguments))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    return model_of(tmp_path_factory.mktemp("shipped"))


def actuator_names(plant):
    """Names of the driven joints in the order of the port."""
    return [actuator.joint().name() for actuator in actuators_of(plant)]


def inertia_of(plant, *names):
    """Mass, mass centre in the first body's frame and inertia about it, of bodies that are held."""
    context = plant.CreateDefaultContext()
    bodies = [plant.GetBodyByName(name).index() for name in names]
    frame = plant.GetFrameByName(names[0])
    found = plant.CalcSpatialInertia(context, frame, bodies)
    centre = found.get_com()
    about = found.Shift(centre).CalcRotationalInertia().CopyToFullMatrix3()
    return found.get_mass(), centre, about


def test_numbers_of_the_closed_form_are_the_tables():
    p = HumanoidParameters().numbers()
    lengths = (p.a1, p.a4, p.a6, p.a10, p.d10, p.c1, p.c4, p.c6)
    table = (0.3056, 0.392, 0.3936, 0.0624, 0.2432, 0.1528, 0.196, 0.1968)
    assert lengths == pytest.approx(table, rel=1e-14)
    assert (p.m1, p.m4, p.m6, p.foot_m) == pytest.approx((37.968, 5.6, 2.604, 0.812), rel=1e-14)
    assert (p.hat_xx, p.hat_yy, p.hat_zz) == BODIES["hat"][1]
    assert (p.thigh_t, p.thigh_t, p.thigh_z) == BODIES["thigh"][1]
    assert (p.shank_t, p.shank_t, p.shank_z) == BODIES["shank"][1]
    assert (p.foot_xx, p.foot_yy, p.foot_zz) == BODIES["foot"][1]
    assert p.foot_x == pytest.approx(0.081, abs=1e-4)  # 0.333 d10, table 2.7, for (3.1)'s d10 / 3
    # table 2.7's c10z = 0.666 a10 is below the ankle, as l_10,6 of (3.1) says
    assert -p.foot_z == pytest.approx(0.0415, abs=2e-4)
    assert p.g == 9.81
    # without a mass of the toe the sole is the whole foot
    assert (p.sole_m, p.sole_x, p.sole_z) == pytest.approx((p.foot_m, p.foot_x, p.foot_z))
    sole = (p.sole_xx, p.sole_yy, p.sole_zz, p.sole_xz)
    assert sole == pytest.approx((*BODIES["foot"][1], 0.0), abs=1e-16)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", BODIES)
def test_bodies_have_mass_and_inertia_of_the_tables(shipped, name, side):
    names = (name,) if name == "hat" else (f"{side}_{name}",)
    if name == "foot":
        names += (f"{side}_toe",)  # in one piece with the foot in the table
    mass, centre, inertia = inertia_of(shipped.plant, *names)
    assert mass == pytest.approx(BODIES[name][0], rel=1e-14)
    assert inertia == pytest.approx(np.diag(BODIES[name][1]), rel=1e-12, abs=1e-15)
    expected = CENTRES.get(name, (0.2432 / 3, 0, -2 * 0.0624 / 3))
    assert centre == pytest.approx(np.array(expected), abs=1e-15)


@pytest.mark.parametrize("side", ["left", "right"])
def test_joints_are_where_the_tables_have_them(shipped, side):
    parents = ["hat", f"{side}_hip", f"{side}_thigh", f"{side}_shank", f"{side}_ankle"]
    parents.append(f"{side}_foot")
    for (name, place), parent in zip(PLACES.items(), parents, strict=True):
        joint = shipped.plant.GetJointByName(f"{side}_{name}")
        assert joint.parent_body().name() == parent
        pose = joint.frame_on_parent().GetFixedPoseInBodyFrame()
        mirror = [1.0, 1.0 if side == "left" else -1.0, 1.0]
        assert pose.translation() == pytest.approx(np.array(place) * mirror, abs=1e-15)
        assert pose.rotation().IsExactlyIdentity()
        assert np.array_equal(joint.revolute_axis(), np.eye(3)[AXES[name]])  # table 2.3
        assert np.isinf([*joint.position_lower_limits(), *joint.position_upper_limits()]).all()


def test_every_joint_has_an_actuator_of_its_name(shipped):
    plant = shipped.plant
    assert sorted(actuator_names(plant)) == sorted(JOINTS)
    assert all(np.isinf(actuator.effort_limit()) for actuator in actuators_of(plant))
    assert plant.num_velocities() == 18


def test_soles_and_toes_touch_the_ground_at_twelve_points(shipped, tmp_path):
    contacts = collect_contacts(shipped)
    assert contacts.num_ground == 12
    inspector = shipped.scene_graph.model_inspector()
    half = 0.5 * 0.055 * 1.6
    places = [inspector.GetPoseInFrame(s.geometry).translation() for s in contacts.ground]
    assert {round(abs(place[1]), 12) for place in places} == {round(half, 12)}
    ahead = {round(place[0], 12) for place in places}
    assert ahead == {0.0, 0.2432, 0.048}
    assert collect_contacts(model_of(tmp_path, contacts=False)).num_ground == 0


@pytest.mark.parametrize("share", [0.001, 0.08])
def test_toe_and_sole_share_the_tables_foot(share, tmp_path):
    plant = model_of(tmp_path, toe_share=share).plant
    toe = plant.GetBodyByName("left_toe")
    assert toe.default_mass() == pytest.approx(share * 0.812, rel=1e-14)
    mass, centre, inertia = inertia_of(plant, "left_foot", "left_toe")
    assert mass == pytest.approx(0.812, rel=1e-14)
    assert centre == pytest.approx([0.2432 / 3, 0, -2 * 0.0624 / 3], abs=1e-15)
    assert inertia == pytest.approx(np.diag(BODIES["foot"][1]), rel=1e-12, abs=1e-15)


# arguments of the xacro file, and what is read off the model again
SIZES = (
    {"mass": 80.0, "height": 1.9},
    {"mass": 20.0, "height": 1.1, "hat_centre": 1.014, "toe_share": 0.05, "toe_length": 0.04},
)


@pytest.mark.parametrize("size", SIZES)
def test_any_mass_and_height_give_the_closed_forms_numbers(size, tmp_path):
    model = model_of(tmp_path, **size)
    plant = model.plant
    # which itself compares every body with the closed form's numbers, to 1e-9
    parameters = parameters_of(model)
    assert parameters == HumanoidParameters(**{"toe_share": 0.001, **size})
    p = parameters.numbers()
    assert plant.CalcTotalMass(plant.CreateDefaultContext()) == pytest.approx(size["mass"])
    scale = size["mass"] / 56.0 * (size["height"] / 1.6) ** 2
    assert p.hat_xx == pytest.approx(1.5139 * scale, rel=1e-14)
    assert p.d10 == pytest.approx(0.152 * size["height"], rel=1e-14)


@pytest.mark.parametrize("variant", [{"hip_yaw": True}, {"waist": True}])
def test_variants_are_the_same_walker_while_their_joints_are_straight(variant, shipped, tmp_path):
    plain_, other = shipped.plant, model_of(tmp_path, **variant).plant
    trunk = ("hat", "trunk") if "waist" in variant else ("hat",)
    found, expected = inertia_of(other, *trunk), inertia_of(plain_, "hat")
    for one, two in zip(found, expected, strict=True):
        assert one == pytest.approx(two, rel=1e-12, abs=1e-15)
    more = (
        {"waist_roll", "waist_pitch"} if "waist" in variant else {"left_hip_yaw", "right_hip_yaw"}
    )
    assert set(actuator_names(other)) == set(JOINTS) | more
    # in any posture of the others M, and forces of gravity and motion, are the same
    generator = np.random.default_rng(3)
    contexts = [plant.CreateDefaultContext() for plant in (plain_, other)]
    for joint in JOINTS:
        angle, rate = generator.uniform(-1.0, 1.0, 2)
        for plant, context in zip((plain_, other), contexts, strict=True):
            named = plant.GetJointByName(joint)
            named.set_angle(context, angle)
            named.set_angular_rate(context, rate)
    columns = [
        [*range(6), *(plant.GetJointByName(name).velocity_start() for name in JOINTS)]
        for plant in (plain_, other)
    ]
    terms = []
    for plant, context, kept in zip((plain_, other), contexts, columns, strict=True):
        M = plant.CalcMassMatrix(context)[np.ix_(kept, kept)]
        load = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
        terms.append(np.append(M.ravel(), load[kept]))
    assert close(*terms)


@pytest.mark.parametrize("variant", [{"hip_yaw": True}, {"waist": True}])
def test_a_variant_is_not_the_thesiss_walker(variant, tmp_path):
    model = model_of(tmp_path, **variant)
    with pytest.raises(ModelError) as caught:
        parameters_of(model)
    assert "\n" not in str(caught.value)


def test_a_changed_body_is_told(tmp_path):
    text = compiled("humanoid").replace("5.6000000000000005", "5.7").replace('"5.6"', '"5.7"')
    model = load_text(tmp_path, text)
    with pytest.raises(ModelError, match=r"the mass of 'left_thigh' is not that of the thesis"):
        parameters_of(model)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"mass": 0.0}, "mass is 0.0: give a positive number"),
        ({"height": -1.6}, "height is -1.6: give a positive number"),
        ({"g": float("nan")}, "g is nan: give a positive number"),
        ({"hat_centre": -0.1}, "hat_centre is -0.1: give a finite number that is not negative"),
        ({"toe_share": 0.1}, "toe_share 0.1 and toe_length 0.03 leaves a foot with moments of"),
        ({"toe_share": 0.2}, "toe_share is 0.2: give a share of the foot from 0 to below 0.2"),
    ],
)
def test_bad_humanoid_parameters_are_refused(wrong, says):
    with pytest.raises(ValueError, match=says):
        HumanoidParameters(**wrong)


# an integrator with error control would follow toes of 0.8 g that nothing holds, for minutes
@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_a_second_of_noise_brings_no_warning(engine, shipped, caplog):
    start = np.zeros(19 + 18)
    start[0], start[6] = 1.0, 0.848  # straight legs: soles on the ground
    # a toe of 0.8 g, which no torque holds, would turn at 1e7 rad/s^2 under that of a leg
    torques = np.array([0.0 if "toe" in name else 5.0 for name in actuator_names(shipped.plant)])
    state = shaken(shipped, engine, start, torques, caplog)
    assert state[6] < 0.848  # it sinks, or falls; nothing but its feet touches the ground

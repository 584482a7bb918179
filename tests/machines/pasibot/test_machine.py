"""PASIBOT's parameters read off a model, its states, and what is refused as another machine."""

from dataclasses import fields, replace

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from tests.models.pasibot import FOLDER, SETS, Machine

from footfall.errors import ModelError
from footfall.machines.pasibot.closed_form.linkage import TEXT
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, exchange
from footfall.machines.pasibot.control import CrankMotor, gait
from footfall.machines.pasibot.model import (
    coordinates,
    exact_parameters,
    is_held,
    parameters_of,
    state_of,
)
from footfall.plants.contacts import ContactMaterial, collect_contacts
from footfall.plants.coordinates import coordinate_names
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.motors import Motor
from footfall.plants.terrain import Terrain
from footfall_controllers.crank_motor import CrankSpeed


def loaded(text=None, folder=None, friction=None, **spec):
    """The plain file, or one with another text, and its contacts."""
    file = FOLDER / "pasibot.urdf"
    if text is not None:
        file = folder / "pasibot.urdf"
        file.write_text(text)
    directives = [
        ModelDirective(add_model=AddModel(name="pasibot", file=str(file))),
        ModelDirective(add_weld=AddWeld(parent="terrain", child="pasibot::ground")),
    ]
    model = load_model(ModelSpec(directives, **spec))
    return model, collect_contacts(model, ContactMaterial(friction=friction))


# --- parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize("standing", ["held", "foot_1", "both"])
@pytest.mark.parametrize("parameters", SETS.values(), ids=list(SETS))
def test_parameters_come_back_from_the_plant(parameters, standing):
    machine = Machine(parameters, standing)
    found = parameters_of(machine.model, machine.contacts)
    # friction is that of the pair, 2 a b / (a + b) with the ground's 1, and a held foot has none
    rough = 2.0 * 0.2 / 1.2 if standing != "held" else 0.2
    for each in fields(TEXT):
        value, wanted = getattr(found, each.name), getattr(parameters, each.name)
        if each.name in ("mu_s", "mu_k"):
            wanted = rough
        # twelve digits are kept, so that what a person wrote comes back
        assert value == (pytest.approx(wanted, rel=1e-11) if wanted == rough else wanted), each.name
    assert is_held(machine.plant) == (standing == "held")
    assert exact_parameters(machine.model, machine.contacts) == found


def test_friction_and_gravity_are_the_scenarios():
    model, contacts = loaded(friction=0.07, gravity=1.62)
    found = parameters_of(model, contacts)
    assert (found.mu_s, found.mu_k, found.g) == (0.07, 0.07, 1.62)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('name="motor"', 'name="engine"', "one motor"),
        ('name="toe_2"', 'name="tip_2"', "touches the ground"),
        ('link name="rocker_2"', 'link name="arm"', "no rocker_2"),
        ('joint name="K2"', 'joint name="knee"', "differ in"),
        ('mass value="0.23707', 'mass value="0.33707', "masses and inertias"),
        ('ball_constraint_p_AP value="0.068365', 'ball_constraint_p_AP value="0.068465', "closed"),
    ],
)
def test_another_machine_is_refused_in_one_line(old, new, told, tmp_path):
    text = (FOLDER / "pasibot.urdf").read_text()
    assert old in text
    text = text.replace(old, new, 1)
    if "link name" in old:
        for where in ('parent link="', 'child link="', 'body_A name="', 'body_B name="'):
            text = text.replace(f'{where}rocker_2"', f'{where}arm"')
    with pytest.raises(ModelError, match=told) as caught:
        parameters_of(*loaded(text, tmp_path))
    assert "\n" not in str(caught.value)


def test_a_slope_and_no_gravity_are_refused():
    with pytest.raises(ModelError, match="level ground"):
        parameters_of(*loaded(terrain=Terrain(slope_deg=3.0)))
    with pytest.raises(ModelError, match="gravity above 0"):
        parameters_of(*loaded(gravity=0.0))


def test_the_exact_machine_has_no_motor_of_its_own():
    model, contacts = loaded(motors={"motor": Motor(rotor_inertia=1e-4, gear_ratio=10.0)})
    assert parameters_of(model, contacts).density == TEXT.density
    with pytest.raises(ModelError, match="motors with inertia"):
        exact_parameters(model, contacts)


# --- states ------------------------------------------------------------------------------------


def test_states_are_in_the_plants_order_and_come_back():
    model, _ = loaded()
    moving = coordinates(TEXT, 4.0, 2.0, slide=0.1, slide_rate=-0.2)
    q, v = coordinate_names(model.plant)
    state = state_of(model.plant, TEXT, 4.0, 2.0, slide=0.1, slide_rate=-0.2)
    assert set(moving) == set(q)
    assert state[: len(q)] == pytest.approx([moving[name][0] for name in q], abs=0.0)
    assert state[len(q) :] == pytest.approx([moving[name][1] for name in v], abs=0.0)
    assert moving["crank"] == (4.0 - STEP_BEGINS, 2.0)
    assert (moving["x"], moving["z"], moving["tilt"]) == ((0.1, -0.2), (0.0, 0.0), (0.0, 0.0))


def test_velocities_are_the_derivatives_of_positions():
    rate, h = 1.7, 1e-5
    for th8 in np.linspace(1.7, 10.5, 12):
        behind, at, ahead = (coordinates(TEXT, th8 + k * h * rate, rate) for k in (-1, 0, 1))
        for name, (_, velocity) in at.items():
            slope = (ahead[name][0] - behind[name][0]) / (2.0 * h)
            # h^2 times a third derivative of some 10, and roundings over h
            assert velocity == pytest.approx(slope, abs=1e-7), (name, th8)


def test_foot_1_goes_two_steps_ahead_in_a_turn_of_the_crank():
    step = exchange(TEXT)["step"]
    start, half, turn = (coordinates(TEXT, STEP_BEGINS + k * np.pi, 3.0) for k in (0, 1, 2))
    assert start["x"][0] == 0.0
    assert abs(half["x"][0]) < 1e-15  # while it is the other foot's turn
    assert turn["x"][0] == pytest.approx(2.0 * step, abs=1e-15)
    for name in set(start) - {"x", "crank", "P1", "P2"}:
        assert turn[name][0] == pytest.approx(start[name][0], abs=1e-14)
        assert turn[name][1] == pytest.approx(start[name][1], abs=1e-13)


def test_the_gait_is_where_the_motor_is():
    model, contacts = loaded()
    controller = CrankMotor(speeds=[CrankSpeed(0.0, 2.0)], angle=0.7)
    state = state_of(model.plant, replace(TEXT, mu_s=0.3, mu_k=0.3), STEP_BEGINS + 0.7, 2.0)
    assert np.array_equal(gait(model, contacts, controller), state)
    standing = gait(model, contacts, None)
    assert np.abs(standing).max() < 1e-15

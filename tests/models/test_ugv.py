"""The vehicle's SDF against the document's numbers and the closed form."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.errors import ModelError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import forces, potential
from footfall.machines.ugv.closed_form.position import UgvParameters, body_positions, pose
from footfall.machines.ugv.closed_form.tracks import Steps, flat
from footfall.machines.ugv.ground import standing_state
from footfall.machines.ugv.model import (
    COORDINATES,
    POINTS,
    WHEELS,
    parameters_of,
    rows_of,
    wheel_centres,
    wheel_contacts,
)
from footfall.plants.coordinates import actuators_of, coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.resources import share_root
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import parse_scenario

FILE = share_root() / "sdf" / "ugv" / "ugv.sdf"
DOCUMENT = UgvParameters()

TEXT = """
directives:
- add_model: {{name: ugv, file: {file}}}
- add_weld: {{parent: terrain, child: "ugv::ground"}}
{more}
"""
STEP = "- add_model: {name: track, file: package://footfall/sdf/tracks/step.track}"


def machine_of(file=FILE, more=""):
    return build_robot(parse_scenario(TEXT.format(file=file, more=more)))


@pytest.fixture(scope="module")
def machine():
    return machine_of()


@pytest.fixture(scope="module")
def on_step():
    return machine_of(more=STEP)


def _states(count):
    generator = np.random.default_rng(3)
    q = generator.uniform(-1.0, 1.0, (count, 7))
    q[:, [3, 5]] = generator.uniform(1.2, 3.0, (count, 2))
    return q


# --- the model ---------------------------------------------------------------------------------


def test_the_document_is_what_is_read_off_the_file(machine):
    assert parameters_of(machine.model, machine.contacts) == DOCUMENT


@pytest.mark.parametrize(
    ("link", "across"),
    [
        ("body", 300.0 * (0.83**2 + 0.2**2) / 12.0),
        ("rear_leg", 20.0 * 0.35**2 / 12.0),
        ("front_leg", 20.0 * 0.35**2 / 12.0),
        ("rear_wheel", 50.0 * 0.3**2 / 2.0),
        ("front_wheel", 50.0 * 0.3**2 / 2.0),
    ],
)
def test_inertias_across_the_plane_are_those_of_the_card(machine, link, across):
    inertia = machine.plant.GetBodyByName(link).default_spatial_inertia()
    central = inertia.Shift(inertia.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
    # the file has twelve digits
    assert central[1, 1] == pytest.approx(across, rel=1e-11)


def test_coordinates_and_actuators_are_called_as_the_card_says(machine):
    q, v = coordinate_names(machine.plant)
    assert sorted(q) == sorted(COORDINATES)
    assert q == v
    assert [COORDINATES[k] for k in np.argsort(rows_of(machine.model))] == q
    limits = {a.joint().name(): a.effort_limit() for a in actuators_of(machine.plant)}
    assert limits == {"rear_hip": 5e3, "rear_axle": 3e3, "front_hip": 5e3, "front_axle": 3e3}


def test_it_touches_the_ground_and_not_itself(machine, on_step):
    assert machine.contacts.names == POINTS
    assert machine.contacts.dim == 2
    assert set(on_step.contacts.names) == {*POINTS, *(f"{name}|track::surface" for name in POINTS)}
    rear, front = wheel_contacts(on_step.contacts)
    assert rear == ("ugv::rear_wheel", "ugv::rear_wheel|track::surface")
    assert front == ("ugv::front_wheel", "ugv::front_wheel|track::surface")


def test_the_belly_is_0_1_m_below_the_hips_at_any_pitch(machine):
    dynamics = Dynamics(machine.model, machine.contacts)
    belly = [k for k, name in enumerate(machine.contacts.names) if "belly" in name]
    for q in _states(5):
        state = np.zeros(14)
        state[rows_of(machine.model)] = q
        dynamics.set_state(state)
        gap, place = dynamics.gaps()
        along = np.array([-0.315, -0.105, 0.105, 0.315])
        heights = q[1] + along * np.sin(q[2]) - 0.1
        assert gap[belly] == pytest.approx(heights, abs=1e-12)
        assert place[belly, 0] == pytest.approx(q[0] + along * np.cos(q[2]), abs=1e-12)


def test_places_of_all_masses_are_those_of_the_closed_form(machine):
    # a pose of the closed form on level ground, seen by the plant
    curve = CentreCurve(flat(), DOCUMENT.r, -5.0, 5.0)
    plant = machine.plant
    context = plant.CreateDefaultContext()
    for q in _states(8):
        at = pose(DOCUMENT, curve, 1.0, q[3], q[5])
        where = body_positions(DOCUMENT, at)
        wanted = np.array([where.body.real, where.body.imag, at.psi, q[3], 0.0, q[5], 0.0])
        full = np.zeros(7)
        full[rows_of(machine.model)] = wanted
        plant.SetPositions(context, full)
        for link, place in (
            ("body", where.body),
            ("rear_leg", where.leg_r),
            ("front_leg", where.leg_f),
            ("rear_wheel", where.wheel_r),
            ("front_wheel", where.wheel_f),
        ):
            body = plant.GetBodyByName(link)
            x, y, z = body.EvalPoseInWorld(context).multiply(body.default_com())
            assert (x, y, z) == pytest.approx((place.real, 0.0, place.imag), abs=1e-12)
        rear, front = wheel_centres(DOCUMENT, wanted)
        assert complex(rear) == pytest.approx(complex(where.wheel_r), abs=1e-12)
        assert complex(front) == pytest.approx(complex(where.wheel_f), abs=1e-12)
        assert plant.CalcPotentialEnergy(context) == pytest.approx(
            float(potential(DOCUMENT, at)), rel=1e-12
        )


def test_a_wheel_that_turns_ahead_rolls_ahead(machine):
    # without slip, at rest but for the wheels: the contact point stands still
    dynamics = Dynamics(machine.model, machine.contacts)
    state = np.zeros(14)
    rows = np.array(rows_of(machine.model))
    state[rows] = [0.0, 0.65, 0.0, np.pi / 2, 0.0, np.pi / 2, 0.0]
    state[7 + rows[[0, 4, 6]]] = [0.6, 2.0, 2.0]
    dynamics.set_state(state)
    wheels = np.array([name in WHEELS for name in machine.contacts.names])
    velocity = dynamics.contact_jacobian(wheels) @ state[7:]
    assert velocity == pytest.approx(np.zeros((2, 3)), abs=1e-15)


# --- where it starts ---------------------------------------------------------------------------


def _drive(s, rear, front, **law):
    text = TEXT.format(file=FILE, more=STEP)
    station = f"{{position: {s}, rear: {rear}, front: {front}}}"
    scenario = parse_scenario(text + f"controller: !WheelLegDrive {{stations: [{station}]}}\n")
    scenario.controller = replace(scenario.controller, **law)
    return scenario


@pytest.mark.parametrize(
    ("s", "rear", "front"),
    [(2.0, 115.0, 115.0), (2.0, 95.0, 140.0), (3.85, 115.0, 115.0), (4.9, 130.0, 100.0)],
)
def test_it_starts_in_the_balance_of_the_closed_form(on_step, s, rear, front):
    # on level ground and on the step's edge, front wheel and rear wheel, where boxes are exact; the
    # start solves the plant's own equations of motion
    scenario = _drive(s, rear, front)
    state = standing_state(on_step.model, on_step.contacts, scenario.controller)
    q = state[rows_of(on_step.model)]
    assert not state[7:].any()
    at = pose(
        DOCUMENT, CentreCurve(Steps((4.0,), (0.12,)).track(), DOCUMENT.r, 0.0, 6.0), s, q[3], q[5]
    )
    balance = forces(DOCUMENT, at)
    assert q[2] == pytest.approx(float(at.psi), abs=1e-11)
    rolled = 0.5 * (q[4] + q[6] + q[3] - q[5]) - q[2]
    law = scenario.controller
    wanted, _ = law.plan.at(s)
    held = [law.leg_kp * (wanted[0] - q[3]), law.leg_kp * (wanted[1] - q[5]), -law.ki * rolled]
    expected = [float(balance.leg_r), float(balance.leg_f), float(balance.torque)]
    # the legs settle to 1e-12 rad, times leg_kp
    assert held == pytest.approx(expected, abs=1e-6)


def test_nothing_moves_at_the_start():
    scenario = _drive(2.0, 115.0, 115.0)
    scenario.machine, scenario.initial.on_gait = "ugv", True
    scenario.controller.speed = 0.0
    scenario.moreau.recover_gaps = True
    scenario.duration = 0.1
    data = run_scenario(scenario, "rest").trajectory.data
    # rounding of torques of some 1e2 N m, over 0.1 s
    assert np.abs(data["v"].values).max() < 1e-9


@pytest.mark.parametrize(
    ("angle", "law", "fault"),
    [
        (60.0, {}, "would be in each other"),
        (220.0, {}, "body is in the ground"),
        (115.0, {"leg_kp": 0.0}, "give controller.leg_kp above 0"),
    ],
)
def test_a_start_where_the_vehicle_cannot_stand_is_refused(on_step, angle, law, fault):
    drive = _drive(2.0, angle, angle, **law).controller
    with pytest.raises(ModelError, match=fault):
        standing_state(on_step.model, on_step.contacts, drive)


# --- other machines ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("<mass>50</mass>", "<mass>51</mass>", "wheels' masses differ"),
        (
            "<pose>0.175 0 0 0 0 0</pose>",
            "<pose>0.1 0 0 0 0 0</pose>",
            "rear_leg is not in",
        ),
        ("<radius>0.3</radius></sphere>", "<radius>0.31</radius></sphere>", "wheels' radii differ"),
        ('name="belly_1"', 'name="chin"', "touches the ground with"),
        ('name="pitch"', 'name="tilt"', "coordinates"),
        ("<effort>3000</effort>", "<effort>0</effort>", "drives"),
    ],
)
def test_what_is_no_ugv_is_refused_in_one_line(tmp_path: Path, old, new, fault):
    text = FILE.read_text()
    assert old in text
    file = tmp_path / "ugv.sdf"
    file.write_text(text.replace(old, new, 1))
    other = machine_of(file)
    with pytest.raises(ModelError, match=fault) as caught:
        parameters_of(other.model, other.contacts)
    assert "\n" not in str(caught.value)


def test_a_slope_under_the_vehicle_is_refused():
    scenario = parse_scenario(TEXT.format(file=FILE, more="terrain: {slope_deg: 3.0}"))
    other = build_robot(scenario)
    with pytest.raises(ModelError, match="slopes by 3 degrees"):
        parameters_of(other.model, other.contacts)


@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_torques_move_the_vehicle_without_a_warning(engine):
    scenario = parse_scenario(
        TEXT.format(file=FILE, more=STEP)
        + """initial: {positions: {x: 3.2, z: 0.7, rear_hip: 1.8, front_hip: 1.8}}
controller: !TorqueProfile
  torques:
    rear_hip: [{start: 0.0, end: 0.1, coefficients: [-300.0, 9000.0, -60000.0]}]
    front_axle: [{start: 0.0, end: 0.1, coefficients: [200.0, -7000.0]}]
duration: 0.2
time_step: 2.0e-3
"""
    )
    data = run_scenario(scenario, "noise", engine).trajectory.data
    assert np.isfinite(data["q"]).all()

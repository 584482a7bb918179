"""The vehicle's quasi-static engine, judged by the plant's own statics, and what runs tell."""

import functools
import re

import numpy as np
import pytest
from pydrake.multibody.tree import JacobianWrtVariable
from tests.scenario.runs import run

from footfall.errors import FootfallError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.position import UgvParameters
from footfall.machines.ugv.closed_form.tracks import Bump
from footfall.machines.ugv.closed_form.traversal import traversal
from footfall.machines.ugv.measures import (
    RESIDUAL,
    TRAVERSAL_METRICS,
    claims,
    is_documents,
    observables_of,
    traversal_metrics,
)
from footfall.plants.dynamics import Dynamics
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status

COARSE = "time_step=0.01"
MOVES = (
    "controller.stations=[{position: 2.4, rear: 115, front: 115}, "
    "{position: 4.0, rear: 100, front: 140}, {position: 6.0, rear: 130, front: 95}]"
)
CLIMBS = ("ugv/step_drive", "closed-form", COARSE)


@pytest.fixture(scope="module")
def moving():
    """Over the bump with legs that move."""
    return run("ugv/drive", "closed-form", COARSE, MOVES)


@pytest.fixture(scope="module")
def still():
    """Over the bump with legs that are held."""
    return run("ugv/drive", "closed-form", COARSE)


@functools.cache
def _setting(name, *settings):
    scenario = load_scenario(name, settings)
    return context_of(scenario, build_robot(scenario))


def _read(name, *settings):
    return observables_of(run(name, "closed-form", *settings).trajectory, _setting(name, *settings))


# --- the engine ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ugv/drive", "ugv/step_drive"])
def test_motors_and_ground_hold_the_plant_in_balance(name):
    """Weight, motors and contact forces of a row, all by Drake's plant, add up to nothing."""
    settings = (COARSE, MOVES) if name == "ugv/drive" else (COARSE,)
    data = run(name, "closed-form", *settings).trajectory.data
    machine = build_robot(load_scenario(name, settings))
    plant = machine.model.plant
    context = plant.CreateDefaultContext()
    world = plant.world_frame()
    for k in np.random.default_rng(3).integers(1, data.sizes["time"], 25):
        row = data.isel(time=int(k))
        plant.SetPositions(context, row["q"].to_numpy())
        pull = plant.CalcGravityGeneralizedForces(context)
        pull = pull + plant.MakeActuationMatrix() @ row["actuation"].to_numpy()
        for contact in row["contact"].to_numpy():
            n, t, _ = row["impulse"].sel(contact=contact).to_numpy() / 0.01
            if n == 0.0:
                continue
            normal = row["contact_normal"].sel(contact=contact).to_numpy()
            force = n * normal + t * np.array([normal[2], 0.0, -normal[0]])
            body = plant.GetBodyByName(contact.split("|")[0].rpartition("::")[2])
            place = row["contact_point"].sel(contact=contact).to_numpy()
            at = body.EvalPoseInWorld(context).inverse().multiply(place)
            jacobian = plant.CalcJacobianTranslationalVelocity(
                context, JacobianWrtVariable.kV, body.body_frame(), at, world, world
            )
            pull = pull + jacobian.T @ force
        # of 4.3 kN and 1 kN m: rounding of products
        assert np.abs(pull).max() < 1e-8


@pytest.mark.slow
def test_the_plant_knows_its_energy_and_where_its_wheels_are(moving):
    machine = build_robot(load_scenario("ugv/drive", (COARSE, MOVES)))
    dynamics = Dynamics(machine.model, machine.contacts)
    data = moving.trajectory.data
    heights = []
    for k in (1, 600, 1200, 2000):
        row = data.isel(time=k)
        dynamics.set_state(np.concatenate((row["q"], row["v"])))
        heights.append(dynamics.potential_energy() - float(row["potential_energy"]))
        gaps = dynamics.gaps()[0]
        named = np.array(machine.contacts.names)[machine.contacts.reported_as]
        for wheel in ("rear", "front"):
            # on the boxes' chords, which are below the spline by up to turn * length / 8
            mine = [name.startswith(f"ugv::{wheel}_wheel") for name in named]
            assert abs(gaps[mine].min()) < 2e-5
    assert np.ptp(heights) < 1e-9


def test_velocities_are_rates_of_the_coordinates(moving):
    data = moving.trajectory.data
    q, v = data["q"].to_numpy(), data["v"].to_numpy()
    rates = (q[2:] - q[:-2]) / 0.02
    # v''' dt^2/6; non-smooth points of the track and stations of the drive make v' jump: v' dt/2
    assert np.abs(rates - v[1:-1]).max() < 1e-3
    assert np.median(np.abs(rates - v[1:-1])) < 1e-6


def test_wheels_roll_as_the_drive_wants():
    context = _setting("ugv/drive", COARSE, MOVES)
    law = context.controller
    read = _read("ugv/drive", COARSE, MOVES)
    pitch, rear, rear_axle, front, front_axle = read.q[2:]
    rolled = 0.5 * (rear_axle - pitch + rear + front_axle - pitch - front)
    wanted = [law.wanted(float(t))[0] / 0.3 for t in read.time]
    # interpolated in a table of millimetres
    assert rolled - rolled[0] == pytest.approx(np.array(wanted), abs=1e-6)


def test_work_becomes_height_and_nothing_else(moving):
    data = moving.trajectory.data
    lifted = data["potential_energy"] - data["potential_energy"][0]
    assert np.abs(data["actuator_work"] - lifted).max() < 1e-9
    assert moving.metrics["energy_drift"] < 1e-9
    # the legs move: without their work the account is open
    assert abs(moving.metrics["leg_work"]) > 10.0


@pytest.mark.slow
def test_the_way_back_takes_the_same_torque_at_the_same_place():
    station = "controller.stations=[{position: 6.7, rear: 115, front: 115}]"
    back = _read("ugv/drive", COARSE, "controller.speed=-0.2", station)
    ahead = _read("ugv/drive", COARSE)
    assert back.s_f[-1] < 2.5
    order = np.argsort(back.s_f)
    there = np.interp(ahead.s_f[1:-100], back.s_f[order], back.torque[order])
    # between rows 2 mm apart a torque that bends by 60 N m/m^2
    assert ahead.torque[1:-100] == pytest.approx(there, abs=1e-3)


def test_a_step_is_the_tracks_from_where_the_wheel_touches_it():
    data = run(*CLIMBS).trajectory.data
    mode = data["mode"].to_numpy() > 0
    names = data["contact"].to_numpy().tolist()
    read = _read(CLIMBS[0], COARSE)
    for wheel, place in (("rear", read.rear.real), ("front", read.front.real)):
        ground, track = (
            mode[:, names.index(name)]
            for name in (f"ugv::{wheel}_wheel", f"ugv::{wheel}_wheel|track::surface")
        )
        assert (ground ^ track).all()
        # it meets the edge where sin(beta) = sqrt(1 - (1 - h/r)^2)
        assert place[track.argmax()] == pytest.approx(4.0 - 0.3 * np.sqrt(1 - 0.6**2), abs=2e-3)


# --- how it ends ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("ugv/step_drive", ("friction=0.8",), "a wheel slips at .* front one needs .* 0.98"),
        ("ugv/step_drive", ("controller.limit=300",), "the motors stall at .* 429"),
        (
            "ugv/steep_drive",
            ("controller.stations=[{position: 2.4, rear: 178, front: 178}]",),
            "body or legs sit on the ground at t = 11",
        ),
        (
            "ugv/step_drive",
            (
                "friction=20",
                "controller.limit=5000",
                "controller.stations=[{position: 3.6, rear: 20, front: 100}]",
            ),
            "the vehicle rolls over at .* hold its front wheel",
        ),
    ],
    ids=["slips", "stalls", "sits", "rolls over"],
)
def test_a_passage_that_fails_says_where_and_keeps_its_rows(name, settings, told):
    found = run(name, "closed-form", COARSE, *settings)
    assert found.trajectory.status is Status.FAILED
    assert np.isfinite(found.trajectory.data["q"].to_numpy()).all()
    assert found.trajectory.data.sizes["time"] > 300
    assert not found.claims
    assert re.search(told, found.trajectory.message)
    assert found.trajectory.events[-1].what == found.trajectory.message


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (("controller=null",), "controller WheelLegDrive alone"),
        (("initial.on_gait=false",), "does not rest on its track"),
        (("controller.stations=[{position: 4.0, rear: 60, front: 60}]",), "each other"),
    ],
    ids=["no drive", "in the air", "wheel in wheel"],
)
def test_what_it_does_not_know_is_refused(settings, told):
    scenario = load_scenario("ugv/drive", settings)
    with pytest.raises(FootfallError, match=told):
        run_scenario(scenario, "ugv/drive", "closed-form")


# --- measures and claims -------------------------------------------------------------------------


def test_measures_of_the_engine_are_those_of_the_passage(still):
    given = UgvParameters()
    curve = CentreCurve(Bump().track(), given.r, 0.0, 8.0)
    read = _read("ugv/drive", COARSE)
    stations = read.s_f[read.steady]
    angle = np.radians(115.0)
    wanted = traversal_metrics(
        given, Bump().track(), traversal(given, curve, stations, angle, angle)
    )
    assert set(wanted) == set(TRAVERSAL_METRICS) | set(RESIDUAL)
    for name in TRAVERSAL_METRICS:
        # boxes err by 1e-5 in slope, of 0.086; works between rows by the trapezoid rule
        assert still.metrics[name] == pytest.approx(wanted[name], rel=1e-3, abs=0.02), name
    assert still.metrics["torque_error"] < 1e-12


@pytest.mark.slow
def test_a_driven_vehicle_takes_the_quasi_static_torque():
    settings = ("duration=3.0", "controller.ramp=0.5", "controller.speed=0.1")
    found = run("ugv/drive", "moreau", *settings)
    metrics = found.metrics
    # facets turn by 1e-3 rad, a hundredth of the steepest slope
    assert metrics["torque_error"] < 0.03
    assert metrics["lift_time"] == 0.0
    assert metrics["wheel_slip"] < 1e-9
    assert metrics["min_normal_force"] > 1900.0
    slow = run("ugv/drive", "closed-form", *settings).metrics
    for name in ("torque_max", "required_friction"):
        assert metrics[name] == pytest.approx(slow[name], rel=0.03)


def test_claims_are_predicted_and_say_what_is_assumed(still):
    (passes,) = still.claims  # the balance itself is not judged by itself
    assert (passes.value, passes.verdict) == (1.0, "predicted")
    for claim in still.claims:
        assert "radius" in claim.reason
        assert "section 8, figure 24" in claim.source


def test_other_machines_tracks_and_angles_have_no_claims(moving):
    assert not moving.claims
    assert not run(*CLIMBS).claims
    assert is_documents(UgvParameters(), Bump().track())
    assert not is_documents(UgvParameters(r=0.25), Bump().track())
    assert not is_documents(UgvParameters(), Bump(height=0.11).track())


def test_a_passage_with_a_lift_a_slide_or_no_end_differs(still):
    of = _setting("ugv/drive", COARSE)
    for name, value in (("lift_time", 0.01), ("wheel_slip", 1.0), ("front_way", 1.5)):
        (claim,) = claims("", of, still.metrics | {name: value})
        assert (claim.value, claim.verdict) == (0.0, "differs")


def test_a_balance_that_ends_where_a_wheel_slips_does_not_pass():
    """The bump asks for a friction of 0.0513 at these angles."""
    (claim,) = run("ugv/drive", "closed-form", COARSE, "friction=0.04").claims
    assert (claim.value, claim.verdict) == (0.0, "differs")


def test_a_run_too_short_for_the_bump_has_no_verdict_on_it():
    assert not run("ugv/drive", "closed-form", COARSE, "duration=3").claims

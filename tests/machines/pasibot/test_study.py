"""PASIBOT's own engines, its metrics and claims: two derivations against each other and physics."""

import copy
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.machines.pasibot.seventy_equations import sliding_forward
from tests.scenario.runs import run

from footfall.errors import ModelError, ScenarioError
from footfall.machines.pasibot.claims import claims, is_text
from footfall.machines.pasibot.closed_form.linkage import TEXT, image_ratio, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS
from footfall.machines.pasibot.closed_form.newton_euler import forward
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.measures import WalkObservables, measures, slides, slip_of_steps
from footfall.registry.claims import Claim
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

# more than a step at 3 rad/s, in few rows
STEP = ("duration=1.2", "time_step=0.01")
PUSH = (
    "analysis=null",
    "duration=1.0",
    "time_step=0.01",
    "controller.torques.motor.0.coefficients=[0.9]",
)


def column(name, engine, *settings):
    return run("pasibot/walk", engine, *STEP, *settings).trajectory.data[name].to_numpy()


@pytest.mark.parametrize(
    "name",
    ["q", "v", "actuation", "impulse", "gap", "contact_point", "kinetic_energy", "actuator_work"],
)
def test_newton_and_euler_give_what_two_degrees_of_freedom_do(name):
    """69 equations beside two, at constant speed with a foot that holds.

    Work is an integral here and a difference of energies there: 1e-11 J.
    """
    np.testing.assert_allclose(
        column(name, "closed-form"), column(name, "hybrid"), rtol=0.0, atol=1e-9
    )


@pytest.mark.slow
def test_starting_and_braking_give_and_take_the_energy_of_the_walk():
    found = run("pasibot/start_stop", "closed-form", "time_step=0.01")
    data = found.trajectory.data
    time, work = data["time"].to_numpy(), data["actuator_work"].to_numpy()
    kinetic = data["kinetic_energy"].to_numpy()
    assert found.metrics["steps_made"] == pytest.approx(4.0, abs=1e-4)
    # it stops in the pose that it had; a braking motor takes energy back
    assert work[-1] == pytest.approx(work[0], abs=1e-4 * kinetic.max())
    at = np.searchsorted(time, (0.5, 4.188790))
    assert kinetic[0] == 0.0
    assert (kinetic[at] > 0.1 * kinetic.max()).all()
    assert found.metrics["amplification"] == pytest.approx(2.0, abs=1e-12)


def test_an_ankle_whose_pantograph_is_smaller_is_told():
    points = 3.0 * np.exp(1j * np.linspace(0.0, 1.0, 20)) + 5.0
    assert image_ratio(points, 4.0 - 1.5 * points) == pytest.approx(1.5, abs=1e-14)
    assert np.isnan(image_ratio(points[:1], points[:1]))


@pytest.mark.slow
def test_a_torque_drives_a_sliding_foot_as_the_seventy_equations_have_it():
    """The scenario's run beside (36), integrated by scipy over its first slide.

    Newton's and Euler's equations of all links, of which the engine knows nothing.
    """
    settings = ("analysis=null", "time_step=1e-3", "duration=0.8")
    data = run("pasibot/slip_torque", "hybrid", *settings).trajectory.data
    sliding = (data["mode"] == 2).any("contact").to_numpy()
    rows = np.flatnonzero(sliding)
    first, last = rows[0] - 1, rows[np.flatnonzero(np.diff(rows, append=np.inf) > 1)[0]]
    q, v = data["q"].sel(position=["crank", "x"]), data["v"].sel(velocity=["crank", "x"])
    states = np.hstack((q, v))[:, [0, 2, 1, 3]]  # th8 and x with their rates
    states[:, 0] += STEP_BEGINS
    # until then the foot is held by what static friction can give, 0.5
    held = forward(TEXT, *states[first, :2], 1.0)
    assert abs(held.floor.real) / held.floor.imag == pytest.approx(0.5, abs=1e-9)
    back = -0.4  # against a slide to the rear

    def rates(_time, state):
        found = sliding_forward(TEXT, state[0], state[1], 1.0, back)
        return [state[1], float(found.acceleration), state[3], float(found.sliding)]

    span = data["time"].to_numpy()[[first, last]]
    exact = solve_ivp(rates, span, states[first], "DOP853", rtol=1e-8, atol=1e-9).y[:, -1]
    np.testing.assert_allclose(states[last], exact, rtol=0.0, atol=1e-6)
    assert states[last, 2] - states[first, 2] < -0.004


def test_impulses_are_momentum_and_weight():
    """Newton's law over the whole run, of masses and the closed form alone."""
    data = run("pasibot/walk", "hybrid", *STEP).trajectory.data
    mass = total_mass(TEXT)
    total = data["impulse"].sum(("time", "contact")).to_numpy()
    # the machine's momentum along the floor is S th8', and V' th8'/g upwards
    th8 = np.array([STEP_BEGINS, STEP_BEGINS + 3.0 * 1.2 - np.pi])
    at = two_freedoms(TEXT, th8)
    assert total[0] == pytest.approx(mass * 9.81 * 1.2 + 3.0 * np.diff(at.gravity)[0] / 9.81)
    assert total[1] == pytest.approx(3.0 * np.diff(at.sway)[0], rel=1e-9)


def test_metrics_are_those_of_the_closed_form():
    metrics = run("pasibot/walk", "hybrid", *STEP).metrics
    at = two_freedoms(TEXT, np.linspace(STEP_BEGINS, STEP_ENDS, 2001))
    torque = np.asarray(at.inverse(3.0, 0.0).torque)
    # rows are 0.03 rad apart: the torque's peak is missed by less than half of that
    assert metrics["peak_torque"] == pytest.approx(torque.max(), abs=3e-3)
    assert metrics["min_torque"] == pytest.approx(torque.min(), abs=3e-3)
    assert metrics["slip_threshold_mu"] == pytest.approx(0.08, abs=2e-4)
    assert metrics["start_torque"] == pytest.approx(0.84, abs=1e-4)
    assert metrics["static_torque"] == pytest.approx(at.gravity.max(), abs=1e-4)
    assert metrics["loop_gap"] < 1e-14
    assert metrics["closure_residual"] < 1e-12
    assert metrics["slip_distance_per_step"] == pytest.approx([0.0], abs=1e-12)
    assert metrics["slip_intervals"] == []
    assert -5.0 * TEXT.l8 < metrics["zmp_behind"] < metrics["zmp_ahead"] < 7.0 * TEXT.l8


@pytest.mark.slow
def test_the_closure_residual_is_what_an_engine_gives_way():
    short = ("duration=0.1", "time_step=2e-3")
    # Moreau's positions are projected onto the loops, Drake's constraints are springs
    exact = run("pasibot/walk", "moreau", *short)
    soft = run("pasibot/walk", "drake", *short)
    assert exact.metrics["closure_residual"] < 1e-9
    assert 1e-7 < soft.metrics["closure_residual"] < 1e-2
    scenario = load_scenario("pasibot/walk", short)
    context = context_of(scenario, build_robot(scenario))
    bent = copy.deepcopy(exact.trajectory)
    bent.data["q"].loc[{"position": "K1"}] += 1e-3
    assert measures(bent, context)["closure_residual"] == pytest.approx(1e-3, rel=1e-6)


def test_a_foot_that_slides_is_read_as_the_events_have_it():
    found = run("pasibot/walk", "hybrid", *STEP, "friction=0.06").metrics
    # of the sketch in fixed steps that the event-driven walk was held against: 1.523 mm
    assert found["slip_distance_per_step"] == pytest.approx([1.523e-3], abs=2e-6)
    ((begin, end),) = found["slip_intervals"]
    # rows are 0.0095 steps apart, and a foot counts as sliding from 0.1 mm/s on
    assert begin == pytest.approx(0.464, abs=0.02)
    assert end == pytest.approx(0.651, abs=0.01)
    # forces are means of 10 ms: before and after the slide it comes near to what there is
    assert 0.055 < found["slip_threshold_mu"] < 0.06 + 1e-9


def test_slides_in_opposite_directions_are_two():
    phase = np.linspace(0.0, 2.0, 201)
    speed = np.where((phase > 0.2) & (phase < 0.4), 1.0, 0.0)
    speed = np.where((phase >= 0.4) & (phase < 0.6), -0.5, speed)
    slide = np.concatenate(([0.0], np.cumsum(speed[:-1]) * 0.01))
    none = np.full_like(phase, np.nan)
    rubs = np.full(phase.shape, fill_value=True)
    gait = WalkObservables(phase, phase, none, slide, speed, rubs, none, none, none)
    assert np.allclose(slides(gait, 1e-3), [(0.2, 0.4), (0.39, 0.6)], atol=0.011)
    assert slides(gait, 0.15)[0][0] == pytest.approx(0.2, abs=0.011)
    assert len(slides(gait, 0.15)) == 1
    assert slip_of_steps(gait) == pytest.approx([slide[-1], 0.0], abs=1e-12)
    back = replace(gait, phase=phase[::-1])
    assert slip_of_steps(back) == []
    assert slides(replace(gait, rubbing=~rubs), 1e-3) == []  # moved, but not by sliding


@pytest.mark.slow
def test_held_feet_tell_what_they_need():
    events = run("pasibot/walk", "closed-form", *STEP, "friction=0.05").trajectory.events
    (told,) = [event for event in events if event.kind == "slides"]
    assert "friction of up to 0.08 is needed, it has 0.05" in told.what
    # where the event-driven foot begins to slide, but for the rows' 10 ms
    walked = run("pasibot/walk", "hybrid", *STEP, "friction=0.05").trajectory.events
    first = next(event for event in walked if event.kind.startswith("slides"))
    assert told.time == pytest.approx(first.time, abs=0.011)


def test_fast_walks_would_tip_over():
    fast = ("controller.speeds.0.speed=4.6", "friction=0.9", "duration=0.7", "time_step=0.01")
    events = run("pasibot/walk", "hybrid", *fast).trajectory.events
    assert any("tip over" in event.what for event in events)


# --- claims --------------------------------------------------------------------------------------


def verdicts(name, engine, *settings):
    return {claim.name: claim.verdict for claim in run(name, engine, *settings).claims}


def test_what_was_fitted_is_called_so():
    assert set(verdicts("pasibot/walk", "hybrid", *STEP).values()) == {"fitted"}


def test_a_slide_at_mid_step_is_a_prediction():
    found = verdicts("pasibot/walk", "hybrid", *STEP, "friction=0.07")
    (at_mid_step,) = (name for name in found if "mid-step" in name)
    assert found[at_mid_step] == "predicted"


def test_another_machine_is_not_judged():
    heavier = "arguments={pasibot: {hip_load: 5.0}}"
    assert verdicts("pasibot/walk", "hybrid", *STEP, heavier) == {}
    assert is_text(replace(TEXT, mu_s=0.5))
    assert not is_text(replace(TEXT, knee="rearward"))


def pushed(torque, duration):
    law = f"controller.torques.motor.0.coefficients=[{torque}]"
    settings = ("analysis=null", "time_step=0.02", law, "friction=1.2", f"duration={duration}")
    return verdicts("pasibot/start", "hybrid", *settings)


@pytest.mark.slow
def test_a_torque_starts_it_or_does_not():
    names = pushed(0.8, 2.0) | pushed(0.9, 1.3)
    assert list(names.values()) == ["fitted", "fitted"]
    assert "0.8 N m do not start" in next(iter(names))
    assert pushed(0.8, 1.0) == pushed(0.84, 2.0) == {}  # not decided yet, and never


def test_claims_can_fail(walk_setting):
    told = {"steps_made": 2.0, "slip_intervals": [], "slip_threshold_mu": 0.1, "amplification": 1.9}
    wrong = claims("", walk_setting, told)
    assert [(type(one), one.verdict) for one in wrong] == [(Claim, "differs")] * 2


@pytest.fixture
def walk_setting():
    scenario = load_scenario("pasibot/walk", STEP)
    return context_of(scenario, build_robot(scenario))


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "settings", "words"),
    [
        ("hybrid", ("initial.on_gait=false",), "set initial.on_gait"),
        ("closed-form", ("initial.positions={P1: 0.1}",), "crank from 0 to pi, not at -0.0985"),
        ("hybrid", ("initial.positions={crank: 3.5}",), "crank from 0 to pi"),
        ("closed-form", ("initial.velocities={x: 0.1}",), "slides at 0.1 m/s"),
        ("hybrid", ("controller=!Posture {}",), "knows the controllers"),
        ("hybrid", ("arguments={pasibot: {standing: held}}",), "standing: both"),
        ("hybrid", ("joint_friction={crank: 0.1}",), "dry friction in joints"),
    ],
)
def test_what_closed_forms_do_not_know_is_refused(engine, settings, words):
    if "held" in settings[0]:
        settings = (*settings, "alternating_feet=null")
    with pytest.raises((ScenarioError, ModelError), match=words) as caught:
        run("pasibot/walk", engine, *STEP, *settings)
    assert "\n" not in str(caught.value)
    if "crank" not in settings[0] or "joint" in settings[0]:
        assert f"engine {engine}" in str(caught.value)

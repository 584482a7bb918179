"""The biped with motors: their rotors in M, at landings, in the control law and in the walk."""

from dataclasses import replace

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.slow import some_slow

from footfall.errors import ScenarioError
from footfall.machines.biped.closed_form.model import Biped
from footfall.machines.biped.engine import parameters_of
from footfall.machines.biped.report.page import notes
from footfall.plants.dynamics import Dynamics
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.report.tables import number
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

GEARED = "biped/climb_geared"
NOMINAL = 3.31e-6 * 155.0**2  # J n^2 of the scenario [kg m^2]
UNEQUAL = (0.02, 0.3, 0.11, 0.45)  # kg m^2, so that a mixed-up joint shows
MASSES = np.array(Biped().parameters.m)


def _rotors(reflected):
    """The scenario's field for reflected inertias: gears of 100."""
    motors = [
        f"tau{k}: {{rotor_inertia: {value / 100.0**2}, gear_ratio: 100}}"
        for k, value in enumerate(reflected, start=1)
    ]
    return f"motors={{{', '.join(motors)}}}"


def _machine(reflected, name="biped/drop"):
    return build_robot(load_scenario(name, [_rotors(reflected)]))


def test_motors_add_to_the_diagonal_of_m_and_to_nothing_else():
    bare, geared = (
        Dynamics(machine.model, machine.contacts)
        for machine in (build_robot(load_scenario("biped/drop")), _machine(UNEQUAL))
    )
    scenario = load_scenario("biped/drop", [_rotors(UNEQUAL)])
    oracle = Biped(parameters_of(context_of(scenario, build_robot(scenario))))
    added = np.diag([0.0, 0.0, *UNEQUAL])
    rng = np.random.default_rng(7)
    for _ in range(50):
        q, v = rng.uniform(-np.pi, np.pi, 6), rng.uniform(-10.0, 10.0, 6)
        for dynamics in (bare, geared):
            dynamics.set_state(np.concatenate((q, v)))
        # entries of M up to 3, of h up to some hundreds: some tens of roundings each
        assert np.abs(geared.mass_matrix() - bare.mass_matrix() - added).max() <= 1e-12
        assert np.abs(geared.mass_matrix() - oracle.mass_matrix(q)).max() <= 1e-12
        assert np.abs(geared.h() - bare.h()).max() <= 1e-11
        assert np.abs(geared.h() - oracle.h(q, v)).max() <= 1e-11
        spun = bare.kinetic_energy() + 0.5 * np.array(UNEQUAL) @ v[2:] ** 2
        assert geared.kinetic_energy() == pytest.approx(spun, rel=1e-12)
        assert oracle.kinetic_energy(q, v) == pytest.approx(spun, rel=1e-12)


def _landing(engine, reflected, speed=(0.2, -1.0)):
    """One step without gravity from a translation: the impact of the lower foot and no more."""
    x, z = speed
    case = ("gravity=0", "restitution=0", "duration=0.001", "initial.gap=1e-4")
    moving = f"initial.velocities={{x: {x}, z: {z}}}"
    data = run("biped/drop", engine, *case, moving, _rotors(reflected)).trajectory.data
    impulse = np.zeros((5, 2))
    impulse[:] = data["impulse"].sel(axis=["t", "n"])[1]
    return data["q"].to_numpy()[0], data["v"].to_numpy()[:2], impulse


def _velocities(r, v):
    """Velocities of the five masses, by v_B = v_A + w x r_AB along both legs."""
    found = np.zeros((5, 2))
    found[0] = v[:2]
    for knee, thigh in ((1, 2), (3, 4)):
        foot = knee + 1
        found[knee] = found[0] + v[thigh] * _turned(r[knee] - r[0])
        found[foot] = found[knee] + (v[thigh] + v[thigh + 1]) * _turned(r[foot] - r[knee])
    return found


def _turned(r):
    return np.array([-r[1], r[0]])


def _moment(r, p):
    return r[0] * p[1] - r[1] * p[0]


@pytest.mark.parametrize("engine", ["moreau", "closed-form"])
def test_a_landing_gives_rotors_the_momentum_that_the_legs_lose(engine):
    # angular momentum of every part of a leg that can turn about its joint: what the ground gives
    # is in the masses and, through the gear, in the rotor
    q, v, impulse = _landing(engine, UNEQUAL)
    r = Biped().points(q)
    jump = MASSES[:, None] * (_velocities(r, v[1]) - _velocities(r, v[0]))
    given = jump - impulse
    # impulses of 1 N s, solved to 1e-12
    assert np.abs(given.sum(axis=0)).max() <= 1e-10
    turned = UNEQUAL * (v[1] - v[0])[2:]
    for knee, hip_rotor, knee_rotor in ((1, 0, 1), (3, 2, 3)):
        foot = knee + 1
        about_knee = _moment(r[foot] - r[knee], given[foot])
        about_hip = _moment(r[foot] - r[0], given[foot]) + _moment(r[knee] - r[0], given[knee])
        assert about_knee + turned[knee_rotor] == pytest.approx(0.0, abs=1e-10)
        assert about_hip + turned[hip_rotor] == pytest.approx(0.0, abs=1e-10)
    assert np.abs(turned).min() > 1e-5  # kg m^2/s: every rotor takes part
    assert np.abs(turned).max() > 0.05


def test_the_law_makes_up_for_the_rotors():
    # in the air: what the joints miss of the commanded accelerations is the falling hip's doing
    # alone, M (q'' - a_q) = 0 in the rows of the joints, with the rotors in M
    settings = ("initial.gap=1", "duration=0.02", _rotors(UNEQUAL))
    scenario = load_scenario(GEARED, settings)
    data = run(GEARED, "moreau", *settings).trajectory.data
    reference, dt = build_robot(scenario).reference, scenario.time_step
    q, v = data["q"].to_numpy(), data["v"].to_numpy()
    without = []
    for k in range(20):
        q_m = q[k] + 0.5 * dt * v[k]
        wanted = np.zeros(6)
        angle, rate, acceleration = reference.sample(k * dt)
        wanted[2:] = acceleration + 1e4 * (angle - q_m[2:]) + 100.0 * (rate - v[k, 2:])
        missed = (v[k + 1] - v[k]) / dt - wanted
        links = Biped().mass_matrix(q_m)
        # v of some rad/s has a rounding of 1e-15, of which dt makes 1e-12
        rest = (links + np.diag([0.0, 0.0, *UNEQUAL])) @ missed
        assert np.abs(rest[2:]).max() <= 1e-10
        without.append(np.abs((links @ missed)[2:]).max())
    assert max(without) > 0.1  # N m


@pytest.mark.slow
@pytest.mark.parametrize("engine", some_slow(["moreau", "closed-form", "drake-sap"], "drake-sap"))
def test_the_geared_climb_is_the_climb_with_harder_work(engine):
    geared, bare = run(GEARED, engine), run("biped/climb", engine)
    assert geared.trajectory.status.value == "done"
    # J n^2 is 16 % of what a shank has about its knee, and 4 % of a leg about the hip: the walk
    # stays what it is, to 1 cm in 7 m, and the feet slide less
    assert geared.metrics["x_final"] == pytest.approx(bare.metrics["x_final"], abs=0.01)
    assert geared.metrics["foot_slip"] < bare.metrics["foot_slip"]
    assert geared.metrics["swing_clearance"] == pytest.approx(
        bare.metrics["swing_clearance"], abs=1e-3
    )
    assert geared.metrics["tracking_error"] == pytest.approx(
        bare.metrics["tracking_error"], rel=0.02
    )
    knees = [
        float(np.abs(one.trajectory.data["actuation"].sel(actuator=["tau2", "tau4"])).max())
        for one in (bare, geared)
    ]
    assert knees[1] > 1.2 * knees[0]
    assert geared.metrics["rotor_torque"] == pytest.approx(geared.metrics["joint_torque"] / 155.0)
    assert "rotor_torque" not in bare.metrics


def test_rotors_of_absolute_angles_hold_the_robot_up_as_an_outer_moment_does():
    # without tau1 + tau3 the climb falls; heavy rotors of the thighs lean on a body that does not
    # turn, as that moment did
    settings = ("controller.internal_torques_only=true", "duration=1")
    heights = [
        run(GEARED, "closed-form", *settings, f"motors.tau*.gear_ratio={ratio}")
        .trajectory.data["q"]
        .sel(position="z")
        .min()
        for ratio in (155.0, 800.0)
    ]
    assert heights[0] < 0.8
    assert heights[1] > 1.0


@pytest.mark.slow
def test_rotors_have_the_least_torque_behind_the_gear_of_part_i():
    # n = sqrt(J_l / J) for the knees, with J_l = m l^2 = 0.5 kg m^2
    best = np.sqrt(0.5 / 3.31e-6)

    def at_rotors(ratio):
        # the torque of the knees repeats itself with the period of the gait, 1.9 s
        settings = [f"motors.tau*.gear_ratio={ratio}", "duration=2.5"]
        data = run_scenario(load_scenario(GEARED, settings), GEARED, "closed-form").trajectory.data
        return float(np.abs(data["actuation"].sel(actuator=["tau2", "tau4"])).max()) / ratio

    at_best = at_rotors(best)
    assert at_rotors(0.5 * best) > at_best
    assert at_rotors(2.0 * best) > at_best


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ratio", "walks"), [(100.0, False), (250.0, True), (800.0, False)], ids=str
)
def test_a_real_motor_carries_the_walk_behind_some_gears(ratio, walks):
    # too low a gear and the current ends the torque, too high a one and the voltage the speed
    scenario = load_scenario(GEARED)
    (motor,) = load_scenario("motor/dc_line").motors.values()
    scenario.motors = {"tau*": replace(motor, gear_ratio=ratio)}
    metrics = run_scenario(scenario, GEARED, "moreau").metrics
    follows = metrics["tracking_error"] < 0.03
    climbs = abs(metrics["x_final"] + 7.0) < 0.35
    assert (follows, climbs) == (walks, walks)


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ("motors.tau*.friction=1e-6", "no friction in its joints or motors"),
        ("motors.tau2={torque_limit: 0.5}", "no motors whose torque is limited"),
        ("motors.tau2={stall_torque: 1.0, no_load_speed: 900}", "no motors whose torque"),
    ],
)
def test_the_reports_stepper_takes_rotors_alone(wrong, names):
    scenario = load_scenario(GEARED, [wrong, "duration=0.01"])
    with pytest.raises(ScenarioError, match=names) as refused:
        run_scenario(scenario, GEARED, "closed-form")
    assert "\n" not in str(refused.value)
    assert run_scenario(scenario, GEARED, "moreau").trajectory.status.value == "done"


@pytest.mark.slow
def test_figures_of_a_robot_without_motors_do_not_judge_one_with():
    assert run(GEARED, "closed-form").claims == ()
    motors = "motors.tau*={rotor_inertia: 3.31e-6, gear_ratio: 155}"
    assert run("biped/climb", "closed-form", motors).claims == ()
    assert len(run("biped/climb", "closed-form").claims) == 2


def test_notes_tell_of_the_rotors_with_their_largest_torque_where_there_are_some():
    told = {}
    for name in (GEARED, "biped/climb"):
        short = run(name, "closed-form", "duration=0.4")
        section = Section(name, load_scenario(name, ["duration=0.4"]), {"closed-form": short})
        told[name] = " ".join(notes(views_of(section)))
        assert ("rotor" in told[name]) == (name == GEARED)
    largest = run(GEARED, "closed-form", "duration=0.4").metrics["rotor_torque"]
    assert f"{number(largest, 3)} N m" in told[GEARED]

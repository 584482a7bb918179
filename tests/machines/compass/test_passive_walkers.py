"""The two passive walkers in closed form, beside the engines that simulate their models."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.errors import RunError, ScenarioError
from footfall.hybrid import find_fixed_point
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.closed_form.simplest import LONG_SCALING, LONG_STEP
from footfall.machines.compass.cycle import cycle_at
from footfall.machines.compass.simplest.gait import limit_gait
from footfall.machines.compass.walker import return_map
from footfall.machines.rimless_wheel.model import wheel_of
from footfall.plants.dynamics import Dynamics
from footfall.registry.machines import machines
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status
from footfall.verify.cases.rimless_wheel import WHEEL

RIMLESS, SIMPLEST = "rimless_wheel/roll", "compass/simplest"
SETTLES = "compass/rimless_wheel_settles"


def run(name, engine, *settings):
    return run_scenario(load_scenario(name, settings), name, engine)


def impact_rows(data):
    """Rows after an impact: no time has passed since the row before."""
    return np.flatnonzero(np.diff(data["time"].to_numpy()) == 0.0) + 1


@pytest.fixture(scope="module")
def wheel():
    return run(RIMLESS, "closed-form")


@pytest.fixture(scope="module")
def simplest():
    return run(SIMPLEST, "hybrid", "time_step=0.002")


# --- the rimless wheel ---------------------------------------------------------------------------


def test_the_wheel_is_read_off_its_model():
    machine = build_robot(load_scenario(RIMLESS))
    exact = wheel_of(machine.model, machine.contacts).closed_form()
    found = (exact.m, exact.J, exact.l, exact.n, exact.gamma, exact.g)
    expected = (WHEEL.m, WHEEL.J, WHEEL.l, WHEEL.n, WHEEL.gamma, WHEEL.g)
    assert found == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("name", "engine"), [(RIMLESS, "closed-form"), (SIMPLEST, "hybrid")])
def test_rows_stand_at_the_time_steps_and_twice_at_every_impact(name, engine):
    found = run(name, engine, "time_step=0.002")
    time = found.trajectory.data["time"].to_numpy()
    rows = impact_rows(found.trajectory.data)
    assert len(rows) == found.metrics["steps"] > 4
    regular = np.delete(time, np.concatenate((rows - 1, rows)))
    assert regular == pytest.approx(0.002 * np.arange(round(time[-1] / 0.002) + 1), abs=1e-12)


def test_the_plant_knows_the_energies_and_feet_of_the_closed_form(wheel):
    machine = build_robot(load_scenario(RIMLESS))
    dynamics = Dynamics(machine.model, machine.contacts)
    data = wheel.trajectory.data
    for row in np.random.default_rng(0).integers(0, data.sizes["time"], 20):
        here = data.isel(time=row)
        dynamics.set_state(np.concatenate((here["q"], here["v"])))
        assert float(here["kinetic_energy"]) == pytest.approx(dynamics.kinetic_energy(), rel=1e-13)
        potential = dynamics.potential_energy()
        assert float(here["potential_energy"]) == pytest.approx(potential, abs=1e-13)
        assert here["gap"].to_numpy() == pytest.approx(dynamics.gaps()[0], abs=1e-14)
    assert data["gap"].min() > -1e-14


def test_the_ground_turns_the_wheel_as_its_impulses_say(wheel):
    # only the linear momentum went into the impulses; their moment about the hub turns the wheel
    data = wheel.trajectory.data
    turned = WHEEL.J * np.diff(data["v"].sel(velocity="turn").to_numpy())
    hub, foot = data["q"].to_numpy()[:, :2], data["contact_point"].to_numpy()[:, :, ::2]
    cos, sin = np.cos(WHEEL.gamma), np.sin(WHEEL.gamma)
    hub = hub @ np.array([[cos, -sin], [sin, cos]])  # from the slope's axes to the world's
    arm = foot - hub[:, None]
    normal, tangential = (data["impulse"].sel(axis=axis).to_numpy() for axis in "nt")
    force = np.stack((tangential * cos + normal * sin, normal * cos - tangential * sin), axis=-1)
    moment = (arm[:, :, 1] * force[:, :, 0] - arm[:, :, 0] * force[:, :, 1]).sum(axis=1)
    rows = impact_rows(data)
    # at an impact nothing moves: rounding alone
    assert moment[rows] == pytest.approx(turned[rows - 1], abs=1e-14)
    # between rows the arm turns: that of the mean arm errs by (|a''| |f| / 6 + |a'| |f'| / 12) dt^3
    # = (3 * 10 / 6 + 1.2 * 20 / 12) 1e-9
    smooth = np.setdiff1d(np.arange(1, len(moment)), rows)
    before = (arm[smooth - 1, :, 1] * force[smooth, :, 0]).sum(axis=1)
    before -= (arm[smooth - 1, :, 0] * force[smooth, :, 1]).sum(axis=1)
    mean = 0.5 * (before + moment[smooth])
    assert mean == pytest.approx(turned[smooth - 1], abs=7e-9)


def test_a_faster_wheel_comes_to_its_steady_roll_by_its_multiplier():
    found = run(SETTLES, "closed-form")
    data = found.trajectory.data
    rates = data["v"].sel(velocity="turn").to_numpy()[impact_rows(data) - 1]
    away = rates**2 - found.metrics["steady_rate"] ** 2
    # the map is linear in the square; the landings are quadratures to 1e-13
    assert away[1:] / away[:-1] == pytest.approx(found.metrics["largest_multiplier"], rel=1e-9)


def test_the_steady_roll_repeats_itself_with_its_friction_and_loss(wheel):
    found = wheel.metrics
    assert found["distance_from_cycle"] < 1e-13
    for measured, exact in (
        ("step_period", "cycle_period"),
        ("step_length", "cycle_length"),
        ("energy_loss_per_step", "cycle_energy_loss"),
        ("required_friction_impact", "cycle_friction_impact"),
    ):
        assert found[measured] == pytest.approx(found[exact], rel=1e-11)
    # the mean over a row against the value at its end: the ratio changes by 0.8 / s
    stance = found["cycle_friction_stance"]
    assert found["required_friction_stance"] == pytest.approx(stance, abs=1e-3)
    # what it loses is what its descent gives
    drop = found["cycle_length"] * np.sin(WHEEL.gamma)
    assert found["energy_loss_per_step"] == pytest.approx(WHEEL.m * WHEEL.g * drop, rel=1e-12)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_engines_roll_as_the_closed_form_says(wheel, engine):
    found = run(RIMLESS, engine).metrics
    assert np.isnan(found["measured_multiplier"])  # nothing to see in a steady roll
    assert found["steps"] == wheel.metrics["steps"]
    # a foot lands up to a step late: 2.5 rad/s times 1 ms in 22.5 degrees are 0.6 %
    for name in ("step_period", "impact_rate", "energy_loss_per_step", "required_friction_impact"):
        assert found[name] == pytest.approx(wheel.metrics[name], rel=6e-3)


@pytest.mark.parametrize("engine", ["closed-form", "moreau", "drake-sap"])
def test_engines_settle_by_the_multiplier(engine):
    found = run(SETTLES, engine)
    assert [claim.verdict for claim in found.claims] == ["reproduced"]
    if engine == "closed-form":
        assert found.metrics["measured_multiplier"] == pytest.approx(WHEEL.eta**2, rel=1e-9)


@pytest.mark.slow
def test_the_step_period_of_moreau_is_of_order_one():
    # where in a step a foot lands is chance: the root mean square of some steps of about a size
    period = WHEEL.step_time(WHEEL.eta * WHEEL.fixed_point)
    sizes = 8e-3 * 2.0 ** -np.arange(4)
    errors = []
    for size in sizes:
        around = size * (1.0 + 0.04 * np.arange(6))
        off = [
            run(RIMLESS, "moreau", f"time_step={step}").metrics["step_period"] - period
            for step in around
        ]
        errors.append(np.sqrt(np.mean(np.square(off))))
    order = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    # six draws leave each error uncertain by a third or so, and the slope by 0.2
    assert order == pytest.approx(1.0, abs=0.3)
    # a foot that lands a step late is late by that, and leaves the wheel as much too slow
    assert (np.array(errors) < 2.0 * sizes).all()


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        (["restitution=0.5"], ScenarioError, "plastic"),
        (["terrain.slope_deg=6", "initial.on_gait=false"], RunError, "below 0"),
        (["terrain.slope_deg=-1"], RunError, "no steady roll"),
        (["initial.positions.z=0.6"], ScenarioError, "no foot stands"),
    ],
)
def test_what_the_closed_form_of_the_wheel_cannot_do_is_refused(settings, error, words):
    with pytest.raises(error, match=words):
        run(RIMLESS, "closed-form", *settings)


@pytest.mark.parametrize(
    ("rate", "words"), [(0.9, "does not get over its spoke"), (4.6, "would have to pull")]
)
def test_a_roll_that_the_closed_form_cannot_follow_ends_with_its_reason(rate, words):
    cos, sin = WHEEL.l * np.cos(WHEEL.alpha), WHEEL.l * np.sin(WHEEL.alpha)
    velocities = {"turn": rate, "x": rate * cos, "z": rate * sin}
    settings = [f"initial.velocities.{name}={value}" for name, value in velocities.items()]
    found = run(RIMLESS, "closed-form", *settings).trajectory
    assert found.status is Status.FAILED
    assert words in found.message


# --- the simplest walker -------------------------------------------------------------------------


def test_the_simplest_walker_walks_on_its_gait(simplest):
    found = simplest.metrics
    assert found["distance_from_limit"] < 1e-11
    assert found["step_period"] == pytest.approx(found["limit_period"], rel=1e-11)
    assert found["step_length"] == pytest.approx(found["limit_length"], rel=1e-11)
    # what it loses is what its descent gives, and the weight of the hip is 9.81 N
    drop = found["limit_length"] * np.sin(LONG_STEP.gamma)
    assert found["energy_loss_per_step"] == pytest.approx(9.81 * drop, rel=1e-11)
    data = simplest.trajectory.data
    assert found["energy_drift"] < 1e-12 * float(data["potential_energy"][0]) * 10.0


def test_the_ground_pushes_the_hip_of_the_simplest_walker_along_the_leg(simplest):
    # a leg of no mass carries no moment: the impulse of a heel strike points to the hip
    data = simplest.trajectory.data
    for row in impact_rows(data):
        here = data.isel(time=row)
        foot = int(here["impulse"].sel(axis="n").to_numpy().argmax())
        normal, tangential = here["impulse"].isel(contact=foot).to_numpy()[:2]
        leg = here["q"].sel(position="q1").item()
        if foot == 1:
            leg += here["q"].sel(position="q2").item() - np.pi
        assert tangential / normal == pytest.approx(-np.tan(leg), abs=1e-11)


def test_the_published_gait_is_reproduced_and_its_multipliers_are_explained(simplest):
    verdicts = [claim.verdict for claim in simplest.claims]
    expected = ["reproduced"] * 2 + ["fitted"] * 2 + ["differs"] * 2 + ["reproduced"]
    assert verdicts == expected
    elsewhere = run(SIMPLEST, "hybrid", "terrain.slope_deg=-0.4", "duration=0.1")
    assert not elsewhere.claims


def test_the_simplest_walker_starts_anywhere_and_comes_to_its_gait():
    # a second foot forward, half a degree off: the multipliers' modulus is 0.589
    found = run(SIMPLEST, "hybrid", "duration=30", "time_step=0.01", "initial.velocities.q2=0.03")
    data = found.trajectory.data
    state = data["q"].to_numpy()[impact_rows(data) - 1]
    standing = np.minimum(state[:, 2], state[:, 2] + state[:, 3] - np.pi)
    away = np.abs(standing + LONG_STEP.theta)
    assert away[-1] < 1e-4 * away.max()


def _light(ratio):
    """A compass with its legs' mass at the feet; l = g = m_hip = 1."""
    return CompassParameters(1.0, ratio, 0.0, 1.0, m_hip=1.0, theta=LONG_STEP.gamma, g=1.0)


def test_the_compass_of_light_feet_tends_to_the_limit_by_order_one():
    limit = limit_gait(LONG_STEP.gamma)
    guess = np.array([limit.after[0], limit.after[2], -limit.after[3]])
    ratios = 1e-3 * 2.0 ** -np.arange(4)
    places, periods = [], []
    for ratio in ratios:
        parameters = _light(ratio)
        found = find_fixed_point(return_map(parameters), guess, parameters.theta)
        cycle = cycle_at(parameters, found)
        places.append(np.abs(cycle.published - limit.published).max())
        periods.append(abs(cycle.period - limit.period))
        # one multiplier is that of the swinging leg's rate, which the limit forgets
        assert found.multipliers[:2].real == pytest.approx(-0.1901, abs=10.0 * ratio)
    for away in (places, periods):
        order = np.log2(np.array(away[:-1]) / away[1:])
        # what is left of the second order is some ratios, 1e-2
        assert order == pytest.approx(1.0, abs=0.02)


def _engine_of(study, name, *settings):
    scenario = load_scenario(name, settings)
    machine = build_robot(scenario)
    return machines()[study].engines["hybrid"](context_of(scenario, machine)).data


def test_a_walk_on_light_feet_stays_beside_that_of_the_limit_by_order_one():
    settings = ["duration=1.2", "time_step=0.01"]  # the first step: its heel strike is later
    apart = []
    for ratio in (2e-3, 1e-3):
        here = [*settings, f"arguments.compass.m={ratio}"]
        limit = _engine_of("simplest_walker", SIMPLEST, *here)
        compass = _engine_of("compass", SIMPLEST, *here)
        apart.append(float(np.abs(limit["q"] - compass["q"]).max()))
    assert np.log2(apart[0] / apart[1]) == pytest.approx(1.0, abs=0.05)


@pytest.mark.slow
def test_moreau_walks_the_compass_of_light_feet_like_the_limit(simplest):
    found = run(SIMPLEST, "moreau", "time_step=0.0005").metrics
    assert found["steps"] == simplest.metrics["steps"]
    # a foot may land 0.2 mm deep, which takes 6 % of a step's energy, thus 3 % of its speed
    limit = simplest.metrics
    assert found["step_period"] == pytest.approx(limit["limit_period"], rel=5e-3)
    assert found["step_length"] == pytest.approx(limit["limit_length"], rel=2e-2)
    assert found["distance_from_limit"] < 0.03


def test_the_limit_has_no_hip_torque_and_no_rebound():
    with pytest.raises(ScenarioError, match="plastic"):
        run(SIMPLEST, "hybrid", "restitution=0.5")
    machine = build_robot(load_scenario(SIMPLEST))
    context = context_of(load_scenario(SIMPLEST), machine)
    with pytest.raises(ScenarioError, match="no torque"):
        machines()["simplest_walker"].engines["hybrid"](replace(context, controller=object()))


def test_a_slope_without_a_gait_says_so():
    with pytest.raises(RunError, match="no gait"):
        run(SIMPLEST, "hybrid", "terrain.slope_deg=1.0")


def test_the_gait_is_that_of_the_scaling_laws():
    # the laws leave out the order gamma^(5/3) in theta, 4e-4 at 0.009
    limit = limit_gait(LONG_STEP.gamma)
    expected = LONG_SCALING.gait(LONG_STEP.gamma)
    assert limit.fixed_point.orbit[0] == pytest.approx(expected, abs=2e-3)
    assert limit.period == pytest.approx(LONG_SCALING.duration(LONG_STEP.gamma), abs=5e-3)


# --- all studies ---------------------------------------------------------------------------------


def test_no_two_studies_mean_different_things_by_one_name():
    known = {}
    for study in machines().values():
        for name, said in study.metrics.items():
            assert known.setdefault(name, said) == said

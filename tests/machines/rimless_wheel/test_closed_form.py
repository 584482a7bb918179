"""The rimless wheel in closed form, beside the engines that simulate its model."""

import numpy as np
import pytest
from tests.machines.walking import impact_rows
from tests.scenario.runs import run
from tests.slow import some_slow

from footfall.errors import RunError, ScenarioError
from footfall.machines.rimless_wheel.model import wheel_of
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.textbook.convergence import observed_order
from footfall.trajectory import Status
from footfall.verify.cases.rimless_wheel import WHEEL

ROLL, SETTLES = "rimless_wheel/roll", "rimless_wheel/settles"


def spinning(rate):
    """Settings of a start just after an impact with another rate of turn [rad/s]."""
    cos, sin = WHEEL.l * np.cos(WHEEL.alpha), WHEEL.l * np.sin(WHEEL.alpha)
    velocities = {"turn": rate, "x": rate * cos, "z": rate * sin}
    return [f"initial.velocities.{name}={value}" for name, value in velocities.items()]


@pytest.fixture(scope="module")
def wheel():
    return run(ROLL, "closed-form")


def test_the_wheel_is_read_off_its_model():
    machine = build_robot(load_scenario(ROLL))
    exact = wheel_of(machine.model, machine.contacts).closed_form()
    found = (exact.m, exact.J, exact.l, exact.n, exact.gamma, exact.g)
    expected = (WHEEL.m, WHEEL.J, WHEEL.l, WHEEL.n, WHEEL.gamma, WHEEL.g)
    assert found == pytest.approx(expected, rel=1e-14)


def test_the_plant_knows_the_energies_and_feet_of_the_closed_form(wheel):
    machine = build_robot(load_scenario(ROLL))
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
    assert found["distance_from_cycle"] < 1e-11  # integration at 1e-12
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


@pytest.mark.parametrize("engine", some_slow(["moreau", "drake-sap"], "drake-sap"))
def test_engines_roll_as_the_closed_form_says(wheel, engine):
    found = run(ROLL, engine).metrics
    assert np.isnan(found["measured_multiplier"])  # nothing to see in a steady roll
    assert found["steps"] == wheel.metrics["steps"]
    # a foot lands up to a step late: 2.5 rad/s times 1 ms in 22.5 degrees are 0.6 %
    for name in ("step_period", "impact_rate", "energy_loss_per_step", "required_friction_impact"):
        assert found[name] == pytest.approx(wheel.metrics[name], rel=6e-3)


@pytest.mark.parametrize("engine", some_slow(["closed-form", "moreau", "drake-sap"], "drake-sap"))
def test_engines_settle_by_the_multiplier(engine):
    found = run(SETTLES, engine)
    assert [claim.verdict for claim in found.claims] == ["check"]
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
            run(ROLL, "moreau", f"time_step={step}").metrics["step_period"] - period
            for step in around
        ]
        errors.append(np.sqrt(np.mean(np.square(off))))
    order = observed_order(sizes, errors)
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
        (spinning(4.6), ScenarioError, "would have to pull"),
    ],
)
def test_what_the_closed_form_of_the_wheel_cannot_do_is_refused(settings, error, words):
    with pytest.raises(error, match=words):
        run(ROLL, "closed-form", *settings)


def test_a_wheel_that_does_not_get_over_its_spoke_ends_there():
    trajectory = run(ROLL, "closed-form", *spinning(0.9)).trajectory
    assert trajectory.status is Status.FAILED
    assert "does not get over its spoke" in trajectory.message
    assert float(trajectory.data["v"].sel(velocity="turn")[-1]) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("old", "new"), [("compass/rimless_wheel", ROLL), ("compass/rimless_wheel_settles", SETTLES)]
)
def test_names_that_scenarios_had_say_what_they_are_now(old, new):
    with pytest.raises(ScenarioError, match=f"it is {new} now"):
        load_scenario(old)

"""The compass in engines that know nothing of gaits: rigid and compliant contact, by time steps.

What they are held against is the exact cycle, of which their walks begin.
"""

import functools

import numpy as np
import pytest
from tests.machines.compass.machine import closed_form, context
from tests.scenario.runs import run

from footfall.contact import Mode
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.measures import heel_strikes
from footfall.machines.compass.model import FEET, stance_of, state_of
from footfall.machines.compass.system import after_strike
from footfall.textbook.convergence import observed_order
from footfall.trajectory import Status

STABLE = ("lab_case2", "goswami")
STEPS = (4e-3, 2e-3, 1e-3, 5e-4)
# A step of a stable walker that is simulated with a time step dt errs by less than this times dt in
# every component after its strike: a closing is seen, and acts, up to half a step late, in which
# rates change by 15 rad/s^2; the test of the order holds the engine to it.
ERROR = 8.0


@functools.cache
def cycle_of(name):
    return find_cycle(closed_form(context(name)).parameters)


@functools.cache
def first_strike(name, engine, dt):
    """The first strike of a walk from the cycle, and the arrays of the run."""
    duration = 1.1 * cycle_of(name).period
    found = run(f"compass/{name}", engine, f"time_step={dt}", f"duration={duration}")
    return heel_strikes(found.trajectory.data, closed_form(context(name)))[0], found.trajectory.data


def walked(name, engine, *settings):
    """A run, and its strikes' distances from the exact cycle as the sheet gives it, (k, 3)."""
    found = run(f"compass/{name}", engine, *settings)
    strikes = heel_strikes(found.trajectory.data, closed_form(context(name)))
    cycle = cycle_of(name)
    return found, np.array([strike.published - cycle.published for strike in strikes])


def after(data, machine, strike):
    """State when both feet were on the ground, with the leg that stands then as leg 1, (4,)."""
    state = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))[strike.row]
    x = stance_of(machine, state, strike.foot).s
    late = float(data["time"][strike.row]) - strike.time
    return x - late * machine.derivative(0.0, x)


def normal(data):
    """Normal impulses of both feet, (N, 2)."""
    return data["impulse"].sel(contact=list(FEET), axis="n").to_numpy()


# --- rung 4 and 6: a step, and its order in the time step ----------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", STABLE)
def test_a_step_of_the_rigid_engine_is_of_order_one(name):
    cycle, errors = cycle_of(name), []
    for dt in STEPS:
        strike, data = first_strike(name, "moreau", dt)
        landed = np.abs(after(data, closed_form(context(name)), strike) - cycle.after)
        assert landed.max() < ERROR * dt
        parts = [strike.time - cycle.period, strike.length - cycle.length]
        parts += [*(strike.before - cycle.before), *landed, *(strike.impulse - cycle.impulse)]
        errors.append(np.linalg.norm(parts))
    # The largest is the impulse of the strike, in whose step the old foot is still carried by it:
    # weight times dt, times the place of the strike in its step, which is arbitrary. So single
    # errors jump by up to a factor; of four of them that moves the slope by some hundredths.
    assert observed_order(STEPS, errors) == pytest.approx(1.0, abs=0.15)
    constants = np.array(errors) / STEPS
    assert constants.max() < 2.0 * constants.min()


@pytest.mark.parametrize("name", STABLE)
def test_of_two_closed_feet_the_new_one_alone_is_struck(name):
    # the law decides it: both gaps are closed, and the old foot would be drawn into the ground
    for dt in (1e-3, 5e-4):
        strike, data = first_strike(name, "moreau", dt)
        old, impulse = 1 - strike.foot, normal(data)
        gap = data["gap"].sel(contact=list(FEET)).to_numpy()[strike.row]
        assert gap[strike.foot] < 0.0
        # at zero with the step before, and half a step of turning on; what was pressed takes part
        assert abs(gap[old]) < 1e-5
        assert impulse[strike.row, old] == 0.0
        assert impulse[strike.row, strike.foot] > 0.9 * cycle_of(name).impulse[1]
        mode = data["mode"].sel(contact=list(FEET)).to_numpy()[strike.row]
        assert mode[strike.foot] == int(Mode.STICK)
        assert mode[old] == int(Mode.OPEN)
        # before it carries alone, and so does the other after it
        assert impulse[strike.row - 1, old] > 0.0
        assert not impulse[1 : strike.row, strike.foot].any()
        assert not impulse[strike.row :, old].any()


@pytest.mark.parametrize("name", STABLE)
def test_an_impulse_loses_what_the_slope_gave(name):
    dt = 5e-4
    strike, data = first_strike(name, "moreau", dt)
    lost = cycle_of(name).lost
    work = np.diff(data["contact_work"].to_numpy())
    # of order one in the time step; a foot that sticks does none in others, but for the first one
    assert -work[strike.row - 1] == pytest.approx(lost, rel=0.01)
    assert abs(np.delete(work, strike.row - 1).sum()) < 1e-3 * lost
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=2e-3)


@pytest.mark.parametrize(
    ("name", "dt"),
    [
        ("goswami", 1e-3),
        pytest.param("goswami", 5e-4, marks=pytest.mark.slow),
        pytest.param("lab_case2", 1e-3, marks=pytest.mark.slow),
        pytest.param("lab_case2", 5e-4, marks=pytest.mark.slow),
    ],
)
def test_a_compliant_ground_makes_the_same_step(name, dt):
    # Drake's sap with the near-rigid material. Its error is of order one in the time step as well:
    # positions move with the velocity at the end of a step, so that a strike is a step late.
    strike, data = first_strike(name, "drake-sap", dt)
    cycle = cycle_of(name)
    assert strike.time == pytest.approx(cycle.period, abs=3.0 * dt)
    assert strike.length == pytest.approx(cycle.length, abs=3.0 * dt)
    # q2' changes by 15 rad/s^2: 3 dt of it, and of the ground's yielding another
    assert np.abs(strike.before - cycle.before)[:3].max() < 15.0 * dt
    assert abs(strike.before[3] - cycle.before[3]) < 30.0 * dt
    # the impulse takes several steps, and in those the ground carries the weight besides: 1 ms is
    # coarse for that
    rough = 0.2 if dt == 1e-3 else 0.02
    assert strike.impulse == pytest.approx(cycle.impulse, abs=rough * cycle.impulse[1])
    # the old foot, which the springs let go in that step, bears 2 % of it and then nothing
    old = normal(data)[:, 1 - strike.foot]
    assert old[strike.row] < 0.03 * cycle.impulse[1]
    assert not old[strike.row + 1 :].any()


# --- rung 5: long walks --------------------------------------------------------------------------


def bound(name, dt, error=ERROR):
    """Distance that errors of error dt in every step carry a walk away, to first order.

    The sum over all steps before: each error grows and decays by the powers of the map's D.
    """
    D, power, total = cycle_of(name).fixed_point.D, np.eye(3), 0.0
    for _ in range(200):
        total += np.abs(power).sum(axis=1).max()
        power = D @ power
    return error * dt * total


def fifty(name):
    return f"duration={50.9 * cycle_of(name).period}"


@pytest.mark.parametrize(
    ("name", "dt"),
    [
        ("goswami", 4e-3),
        pytest.param("goswami", 1e-3, marks=[pytest.mark.slow, pytest.mark.longest]),
        # errors of case 2 grow tenfold before they decay: 4 ms is too much for it
        pytest.param("lab_case2", 2e-3, marks=pytest.mark.slow),
        pytest.param("lab_case2", 1e-3, marks=pytest.mark.slow),
        pytest.param("lab_case2", 5e-4, marks=[pytest.mark.slow, pytest.mark.longest]),
    ],
)
def test_fifty_steps_stay_by_the_cycle(name, dt):
    found, away = walked(name, "moreau", f"time_step={dt}", fifty(name))
    assert found.trajectory.status is Status.DONE
    assert len(away) in (50, 51)  # periods err by less than a thousandth
    assert np.abs(away).max() < bound(name, dt)
    # it walks on, not away: where in a step a strike is looks like chance, and of two maxima of 25
    # such the larger is not twice the other
    half = len(away) // 2
    assert np.abs(away[half:]).max() < 2.0 * np.abs(away[:half]).max()
    # the standing foot sticks: no step slips
    assert found.metrics["required_friction_stance"] < 0.3


def started_beside(name, away):
    """Overrides that begin a walk at y = (q1, q1', q2') off the cycle's."""
    cycle, machine = cycle_of(name), closed_form(context(name))
    state = state_of(machine, 0, 0.0, after_strike(cycle.fixed_point.orbit[0] + away))
    names = ("x", "z", "q1", "q2")
    settings = ["initial.on_gait=false"]
    for group, values in (("positions", state[:4]), ("velocities", state[4:])):
        settings += [
            f"initial.{group}.{n}={v}" for n, v in zip(names, values.tolist(), strict=True)
        ]
    return settings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "dt", "error"),
    [
        # of second order nothing is left, of third order a few thousandths
        ("hybrid", 1e-3, 0.01),
        # errors of the step are alike on both sides, but for where in a time step the strikes are
        ("moreau", 5e-4, 0.1),
    ],
)
def test_beside_an_unstable_cycle_two_walks_part_by_its_multiplier(engine, dt, error):
    name, small = "lab_case1", 0.004
    fixed = cycle_of(name).fixed_point
    values, vectors = np.linalg.eig(fixed.D)
    worst = int(np.argmax(np.abs(values)))
    multiplier, direction = values[worst].real, vectors[:, worst].real
    assert multiplier < -2.5
    along = np.linalg.inv(vectors).real[worst]
    walker, landed = closed_form(context(name)), []
    for sign in (1.0, -1.0):
        settings = started_beside(name, sign * small * direction)
        duration = 1.2 * cycle_of(name).period
        found = run(f"compass/{name}", engine, *settings, f"time_step={dt}", f"duration={duration}")
        (strike,) = heel_strikes(found.trajectory.data, walker)
        landed.append(along @ after(found.trajectory.data, walker, strike)[[0, 2, 3]])
    parted = (landed[0] - landed[1]) / (2.0 * small)
    assert parted == pytest.approx(multiplier, abs=error)


@pytest.mark.slow
def test_the_unstable_cycle_is_left_and_the_walker_falls():
    found, away = walked("lab_case1", "moreau")
    trajectory = found.trajectory
    assert trajectory.status is Status.FAILED
    assert trajectory.message.startswith("fallen at t = ")
    assert "compass::hip is 0.29" in trajectory.message  # it falls at 2 m/s: 2 mm in a step
    assert "\n" not in trajectory.message
    assert trajectory.events[-1].kind == "failed"
    assert found.claims == ()
    # first by the error of a step, then faster and faster
    distance = np.abs(away).max(axis=1)
    assert distance[0] < ERROR * 1e-3
    assert (np.diff(distance) > 0.0).all()
    assert distance[-1] > 0.3


# --- with the hip's help -------------------------------------------------------------------------


@pytest.mark.slow
def test_a_push_that_fells_the_passive_walker_does_not_fell_the_shaped_one():
    assert run("compass/goswami_push", "hybrid").trajectory.status is Status.FAILED  # no contact
    felled = run("compass/goswami_push", "moreau")
    assert felled.trajectory.status is Status.DONE
    assert "as expected by 3 s" in felled.trajectory.message
    assert not felled.claims  # of a gait, which this is none
    found, away = walked("goswami_shaped", "hybrid")
    assert found.trajectory.status is Status.DONE
    distance = np.abs(away).max(axis=1)
    assert distance[0] > 0.1
    # twenty steps at the largest multiplier of the shaped walker
    assert distance[-1] < 0.05 * distance[0]
    assert found.metrics["largest_torque"] <= 10.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["goswami_shaped", "lab_case1_shaped"])
def test_the_shaped_walkers_walk_to_the_end_in_the_rigid_engine(name):
    exact, _ = walked(name, "hybrid")
    found, _ = walked(name, "moreau")
    assert found.trajectory.status is Status.DONE
    assert found.metrics["steps"] == exact.metrics["steps"]
    # order one in the time step of 1 ms
    assert found.metrics["step_period"] == pytest.approx(exact.metrics["step_period"], abs=1e-3)
    assert found.metrics["largest_torque"] == pytest.approx(
        exact.metrics["largest_torque"], rel=0.03
    )


@pytest.mark.slow
def test_the_hip_makes_the_unstable_cycle_stable():
    # its target is a little below the energy of the passive cycle, so that it is another gait
    of = context("lab_case1_shaped")
    found, away = walked("lab_case1_shaped", "hybrid", "duration=4.0")
    multipliers = np.array(found.metrics["multipliers"])
    assert found.metrics["largest_multiplier"] < 1.0
    assert np.hypot(*multipliers.T).max() == pytest.approx(found.metrics["largest_multiplier"])
    assert found.metrics["distance_from_cycle"] < 1e-9
    assert cycle_of("lab_case1").energy > of.controller.energy
    # against the passive cycle it is far away
    assert np.abs(away).max() > 1e-2

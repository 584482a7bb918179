"""The event-driven compass as an engine: its trajectory judged by Drake's plant of the machine.

The engine uses the closed form alone, so that energies, momenta and feet of the plant are physics
that it does not know; nor does it use that an impact keeps the moment of momentum about its foot.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.compass.machine import (
    Judge,
    closed_form,
    context,
    standing,
    states,
    walk,
)
from tests.machines.walking import impact_rows
from tests.scenario.runs import run

from footfall.errors import ScenarioError
from footfall.machines.compass.closed_form.model import swap
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.hybrid_engine import hybrid
from footfall.machines.compass.model import FEET, parameters_of, stance_of, state_of
from footfall.machines.compass.system import ground_force, hip_torque
from footfall.trajectory import Status
from footfall_controllers.energy_shaping import EnergyShaping, FootPoint
from footfall_controllers.posture import Posture

WALKS = ("lab_case2", "goswami", "goswami_shaped")
DT = 1e-3


@pytest.fixture(scope="module", params=WALKS)
def walked(request):
    """Judgement of a trajectory by the plant, and both; two or three steps are enough."""
    of = context(request.param, "duration=2.3", f"time_step={DT}")
    data, judge = walk(of).data, Judge(of)
    return judge.rows(data), data, judge


@pytest.mark.slow
def test_the_standing_foot_rests_on_the_ground_and_the_other_is_where_the_plant_has_it(walked):
    rows, data, _ = walked
    foot, each = standing(data), np.arange(data.sizes["time"])
    # roundings of positions of some metres and rates of some 1/s
    assert np.abs(rows.gap[each, foot]).max() < 1e-12
    assert np.abs(rows.velocity[each, foot]).max() < 1e-12
    assert np.abs(data["gap"].sel(contact=list(FEET)).to_numpy() - rows.gap).max() < 1e-12
    points = data["contact_point"].sel(contact=list(FEET)).to_numpy()
    assert np.abs(points - rows.p_WC).max() < 1e-12
    # it stays where it is for as long as it stands
    changes = np.flatnonzero(np.diff(foot)) + 1
    assert np.array_equal(changes, impact_rows(data))
    moved = np.abs(np.diff(rows.p_WC[each, foot], axis=0)).max(axis=1)
    assert np.delete(moved, changes - 1).max() < 1e-12


def test_energies_are_those_of_the_plant_and_the_account_closes(walked):
    rows, data, _ = walked
    # roundings of energies of 300 J
    assert data["kinetic_energy"].to_numpy() == pytest.approx(rows.kinetic, abs=1e-11)
    assert data["potential_energy"].to_numpy() == pytest.approx(rows.potential, abs=1e-11)
    total = rows.kinetic + rows.potential - data["actuator_work"] - data["contact_work"]
    # integration at a relative error of 1e-12 of 150 J; rows between events are of its
    # interpolant, some times coarser
    assert np.ptp(total.to_numpy()) < 1e-8


def test_the_hip_does_the_work_of_its_torque():
    # the engine takes the work from the energy; torque times rate has to add up to it
    data = walk(context("goswami_shaped", "duration=2.3", f"time_step={DT}")).data
    time, torque = data["time"].to_numpy(), data["actuation"].to_numpy()[:, 0]
    power = torque * data["v"].sel(velocity="q2").to_numpy()
    assert np.abs(power).max() > 1.0
    summed = np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(time))
    # the trapezoidal rule: dt^2 / 12 times the change of a power's rate of 100 W/s, a few times
    assert data["actuator_work"].to_numpy()[1:] == pytest.approx(summed, abs=2e-4 * DT / 1e-3)


def test_the_ground_gives_the_momentum_that_the_plant_has(walked):
    rows, data, judge = walked
    impulse = data["impulse"].sel(axis=["t", "n"]).to_numpy().sum(axis=1)
    span = np.diff(data["time"].to_numpy())[:, None]
    given = np.diff(rows.linear, axis=0) - span * judge.weight_T[[0, 2]]
    # roundings of momenta of up to 30 N s
    assert np.abs(impulse[1:] - given).max() < 1e-12 * 30.0
    assert not impulse[0].any()
    # the swinging foot gets nothing, the standing one is pushed
    foot = standing(data)
    normal = data["impulse"].sel(contact=list(FEET), axis="n").to_numpy()
    assert not normal[np.arange(len(foot)), 1 - foot].any()
    assert (normal[np.arange(1, len(foot)), foot[1:]] > 0.0).all()


def test_the_weight_alone_turns_the_walker_about_its_foot(walked):
    # between heel strikes: the ground's force goes through the foot, and the hip's torque is inside
    rows, data, _ = walked
    smooth = np.setdiff1d(np.arange(1, data.sizes["time"]), impact_rows(data))
    span = np.diff(data["time"].to_numpy())[smooth - 1]
    turned = 0.5 * (rows.moment[smooth] + rows.moment[smooth - 1]) * span
    # the trapezoidal rule: dt^3 / 12 times the moment's second rate, some 1000 N m/s^2 (as the legs
    # cross at some radians a second)
    assert np.abs(np.diff(rows.spin)[smooth - 1] - turned).max() < 1000.0 * DT**3 / 12.0


def test_a_heel_strike_keeps_the_moment_of_momentum_about_the_new_foot(walked):
    _, data, judge = walked
    rows, foot = states(data), standing(data)
    struck = impact_rows(data)
    assert len(struck) >= 3
    for row in struck:
        before, after = rows[row - 1], rows[row]
        assert np.abs(before[:4] - after[:4]).max() < 1e-12  # it takes no time
        judge.put(after)
        _, p_WC, velocity = judge.feet(after[4:])
        new, old = foot[row], 1 - foot[row]
        kept = judge.momentum(p_WC[new])[0]
        mass = judge.dynamics.mass_matrix()
        judge.put(before)
        gap = judge.feet(before[4:])[0]
        # roundings of a moment of 20 kg m^2/s
        assert judge.momentum(p_WC[new])[0] == pytest.approx(kept, abs=2e-12 * 20.0)
        assert np.abs(gap).max() < 1e-12  # both feet on the ground
        assert velocity[old, 0] > 0.0  # and the old one leaves it
        # Carnot: what is lost is the energy of the velocities that are
        gone = before[4:] - after[4:]
        lost = -float(np.diff(data["contact_work"].to_numpy())[row - 1])
        assert 0.5 * gone @ mass @ gone == pytest.approx(lost, abs=1e-11)


def test_rows_stand_at_the_time_steps_and_twice_at_every_strike():
    of = context("goswami")
    data = walk(of, time_step=0.01, duration=2.0).data
    time = data["time"].to_numpy()
    struck = impact_rows(data)
    assert len(struck) == 2
    regular = np.delete(time, np.concatenate((struck - 1, struck)))
    assert regular == pytest.approx(0.01 * np.arange(201), abs=1e-12)


@pytest.mark.parametrize("parts", [2, 7, 100])
def test_a_strike_at_a_time_step_has_no_row_beside_it(parts):
    of = context("goswami")
    period = find_cycle(parameters_of(of.model, of.contacts)).period
    data = walk(of, time_step=period / parts, duration=2.5 * period).data
    time, steps = data["time"].to_numpy(), round(2.5 * parts)
    rows = np.concatenate([np.arange(steps + 1), [parts, 2 * parts]])
    assert time == pytest.approx(np.sort(rows) * period / parts, abs=1e-11)
    assert len(impact_rows(data)) == 2
    assert np.isfinite(data["impulse"]).all()


def test_a_walk_may_end_as_its_foot_strikes():
    of = context("goswami")
    period = find_cycle(parameters_of(of.model, of.contacts)).period
    trajectory = walk(of, time_step=period / 10, duration=2.0 * period)
    assert trajectory.status is Status.DONE
    time = trajectory.data["time"].to_numpy()
    assert time[-1] == pytest.approx(2.0 * period, abs=1e-11)
    # whether the last strike is in is a matter of rounding
    assert len(impact_rows(trajectory.data)) in (1, 2)
    assert np.isfinite(trajectory.data["v"]).all()


def test_the_other_foot_walks_the_mirrored_walk():
    of = context("goswami_shaped", "duration=2.3", f"time_step={DT}")
    machine = closed_form(of)
    stance = stance_of(machine, of.initial_state, 0)
    mirrored = state_of(machine, 1, stance.position, stance.s)
    one, other = walk(of).data, walk(of, initial_state=mirrored).data
    assert (standing(one) == 1 - standing(other)).all()
    rows, swapped = states(one), states(other)
    hip, legs = [0, 1, 4, 5], [2, 3, 6, 7]
    # q1 + q2 - pi is rounded once at the start, and a stable walk does not forget it at once
    assert np.abs(rows[:, hip] - swapped[:, hip]).max() < 1e-13
    assert np.abs(swap(swapped[:, legs].T) - rows[:, legs].T).max() < 1e-12
    assert one["actuation"].to_numpy() == pytest.approx(-other["actuation"].to_numpy(), abs=1e-11)
    assert np.abs(one["actuation"]).max() > 1.0
    for name in ("impulse", "gap"):
        assert one[name].to_numpy()[:, ::-1] == pytest.approx(other[name].to_numpy(), abs=1e-11)
    for name in ("kinetic_energy", "potential_energy", "contact_work", "actuator_work"):
        assert one[name].to_numpy() == pytest.approx(other[name].to_numpy(), abs=1e-11)


def test_a_start_with_the_swing_foot_ahead_comes_to_its_strike():
    of = context("goswami", "duration=2.3", f"time_step={DT}")
    data, machine = walk(of).data, closed_form(of)
    late = impact_rows(data)[0] - 60
    state = states(data)[late]
    assert stance_of(machine, state, 0).s[1] > np.pi
    rest = walk(of, initial_state=state, duration=0.5).data
    first = data["time"].to_numpy()
    # the row that it begins with is of the interpolant, 1e-10 from the integrator's path
    assert rest["time"].to_numpy()[impact_rows(rest)] == pytest.approx(
        first[impact_rows(data)[:1]] - first[late], abs=1e-9
    )


# --- starts and ends -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        pytest.param({1: 0.01}, ["compass::foot_1 is 0.01 m", "set initial.on_gait"], id="above"),
        pytest.param({1: -1e-4}, ["0.0001 m from the ground"], id="in the ground"),
        pytest.param({4: -0.9}, ["moves at"], id="sliding"),
        pytest.param({6: 0.0, 7: 0.0}, ["no foot stands"], id="falling"),
    ],
)
def test_a_start_on_no_foot_is_refused_in_one_line(change, parts):
    of = context("goswami")
    state = of.initial_state.copy()
    for place, value in change.items():
        state[place] = value if place > 3 else state[place] + value
    with pytest.raises(ScenarioError) as refused:
        hybrid(replace(of, initial_state=state))
    message = str(refused.value)
    assert "\n" not in message
    for part in ["engine hybrid", *parts]:
        assert part in message


def test_rounding_of_a_start_is_forgiven():
    of = context("goswami")
    state = of.initial_state + 1e-9
    assert walk(of, initial_state=state, duration=0.8).status is Status.DONE


def test_a_controller_that_it_does_not_know_is_refused_in_one_line():
    with pytest.raises(ScenarioError, match="does not know the controller Posture") as refused:
        walk(context("goswami"), controller=Posture())
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("lean", [0.9, -0.9], ids=["backward", "forward"])
def test_a_walker_that_is_let_go_far_out_falls(lean):
    # with both legs together at 52 degrees, at rest; it turns on over its foot to 60
    of = context("goswami")
    machine = closed_form(of)
    start = state_of(machine, 0, 0.0, np.array([lean, np.pi, 0.0, 0.0]))
    fallen = walk(of, initial_state=start, duration=6.0)
    assert fallen.status is Status.FAILED
    assert fallen.message.startswith("the walker falls at t = ")
    assert "\n" not in fallen.message
    assert fallen.events[-1].kind == "failed"
    last = stance_of(machine, states(fallen.data)[-1], 0)
    # the root of the guard, polished to rounding
    assert last.s[0] == pytest.approx(np.sign(lean) * np.pi / 3.0, abs=1e-12)
    assert float(fallen.data["time"][-1]) == fallen.events[-1].time


def test_a_ground_that_would_have_to_pull_ends_a_walk():
    found = run("compass/goswami_push", "hybrid")
    trajectory = found.trajectory
    assert trajectory.status is Status.FAILED
    assert "the ground would have to pull" in trajectory.message
    assert found.claims == ()
    data = trajectory.data
    # all pushes before it are pushes
    assert (data["impulse"].sel(axis="n").to_numpy().sum(axis=1)[1:] > 0.0).all()
    of = context("goswami_push")
    machine = closed_form(of)
    last = stance_of(machine, states(data)[-1], int(standing(data)[-1])).s
    # zero to the root's polish, 1e-12 s times 1000 N/s
    assert abs(ground_force(machine, None, last)[1]) < 1e-6


# --- the controller ------------------------------------------------------------------------------


def test_on_the_passive_gait_the_hip_has_nothing_to_do():
    # unless told otherwise it goes to the energy of that gait
    of = context("goswami_shaped")
    machine = closed_form(of)
    cycle = find_cycle(machine.parameters)
    assert law_of(of.controller, of.model, of.contacts).energy == cycle.energy
    start = state_of(machine, 0, 0.0, cycle.after)
    data = walk(of, initial_state=start, duration=2.0, time_step=0.01).data
    # the gain times roundings of 150 J in the path
    assert np.abs(data["actuation"]).max() < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["goswami_shaped", "lab_case1_shaped"])
def test_the_law_of_the_hip_is_that_of_the_system_that_drives_other_engines(name):
    of = context(name)
    machine = closed_form(of)
    law = law_of(of.controller, of.model, of.contacts)
    feet = tuple(FootPoint.of_contact(of.contacts, foot) for foot in FEET)
    system = EnergyShaping(of.model.plant, feet, law)
    rng, seen = np.random.default_rng(31), []
    for k in range(40):
        x = np.concatenate([rng.uniform(-0.4, 0.4, 2), rng.uniform(-2.0, 2.0, 2)])
        x[1] += np.pi
        foot = k % 2
        torque = hip_torque(machine, law, x)
        port = system.torque(state_of(machine, foot, rng.uniform(-5.0, 5.0), x))[0]
        # roundings of energies of 1000 J, times gain and rate
        assert port == pytest.approx(torque if foot == 0 else -torque, abs=1e-10)
        seen.append(abs(torque))
    assert max(seen) > 0.3 * of.controller.most_torque
    # and so it is in a trajectory, at every row
    data = walk(of, duration=1.0, time_step=0.02).data
    told = data["actuation"].to_numpy()[:, 0]
    asked = [system.torque(state)[0] for state in states(data)]
    assert told == pytest.approx(asked, abs=1e-10)

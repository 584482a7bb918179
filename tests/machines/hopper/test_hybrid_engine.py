"""The event-driven hopper as an engine: its trajectory judged by Drake's plant of the machine.

The engine uses the closed form alone, so that energies, momenta and points of the plant are physics
that it does not know.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.hopper.machine import (
    closed_form,
    context,
    published_jump,
    scenario,
    states,
)

from footfall.contact import Mode
from footfall.errors import ScenarioError
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.model import POINTS
from footfall.plants.contacts import PairRule
from footfall.plants.dynamics import Dynamics
from footfall.run import run_scenario
from footfall.trajectory import Status
from footfall_controllers.posture import Posture

P, Q, _ = POINTS
OPEN, STICKS, SLIPS = (int(mode) for mode in (Mode.OPEN, Mode.STICK, Mode.SLIP))


def start(theta1=109.0, theta2=-108.0, z=0.0, v=(0.0, 0.0), w=(0.0, 0.0)):
    return np.array([0.0, z, np.deg2rad(theta1), np.deg2rad(theta2), *v, *w])


RUNS = {
    "published": published_jump,
    "bounces": lambda: ran(
        start(100.0, -20.0, 0.02), controller=None, restitution=0.4, friction=0.9
    ),
    "slides and stands": lambda: ran(start(v=(0.3, 0.0)), controller=None),
    "Q strikes first": lambda: ran(
        start(60.0, -100.0, 0.3, w=(0.0, -10.0)), controller=None, duration=1.0
    ),
}


def ran(x, **changes):
    of = context(x, **changes)
    return of, hybrid(of)


@pytest.fixture(scope="module", params=RUNS.values(), ids=list(RUNS))
def jumped(request):
    of, trajectory = request.param()
    return of, trajectory, Dynamics(of.model, of.contacts)


def contact(data, name, variable):
    return data[variable].sel(contact=name).to_numpy()


def test_it_is_done_and_says_how_it_ended(jumped):
    _, trajectory, _ = jumped
    assert trajectory.status is Status.DONE
    assert trajectory.data.attrs["engine"] == "hybrid"
    times = [event.time for event in trajectory.events]
    assert times == sorted(times)
    assert trajectory.events[0].kind in ("stick", "slip+", "slip-", "flight")
    assert "reaches the ground" in trajectory.message
    assert trajectory.events[-1].kind in ("Q lands", "R lands")


def test_points_and_energies_are_those_of_the_plant_and_the_account_closes(jumped):
    _, trajectory, dynamics = jumped
    data, energies = trajectory.data, []
    points, gaps = data["contact_point"].to_numpy(), data["gap"].to_numpy()
    for k, state in enumerate(states(data)):
        dynamics.set_state(state)
        gap, p_WC = dynamics.gaps()
        energies.append([dynamics.kinetic_energy(), dynamics.potential_energy()])
        # roundings of places of some decimetres
        assert np.abs(gaps[k] - gap).max() < 1e-14
        assert np.abs(points[k] - p_WC).max() < 1e-14
    kinetic, potential = np.array(energies).T
    assert data["kinetic_energy"].to_numpy() == pytest.approx(kinetic, abs=1e-13)
    assert data["potential_energy"].to_numpy() == pytest.approx(potential, abs=1e-13)
    total = kinetic + potential - data["actuator_work"] - data["contact_work"]
    # rows between events are of the integrator's interpolant, some times coarser than 1e-12
    assert np.ptp(total.to_numpy()) < 1e-10


def test_impulses_change_the_momentum_of_the_plant(jumped):
    of, trajectory, dynamics = jumped
    data, times, momenta = trajectory.data, trajectory.data["time"].to_numpy(), []
    plant = of.model.plant
    for state in states(data):
        dynamics.set_state(state)
        found = plant.CalcSpatialMomentumInWorldAboutPoint(dynamics.context, [0.0, 0.0, 0.0])
        momenta.append([*found.translational()[[2, 0]], -found.rotational()[1]])
    moved = np.diff(np.array(momenta), axis=0)
    impulse = data["impulse"].to_numpy()[:, :, :2]
    weight = (
        plant.CalcTotalMass(dynamics.context) * of.model.plant.gravity_field().gravity_vector()[2]
    )
    pushed = moved[:, :2] - np.outer(np.diff(times), [weight, 0.0])
    assert np.abs(impulse.sum(axis=1)[1:] - pushed).max() < 1e-10
    # an impact acts at a point of the ground: the moment about the origin that it brings, which the
    # engine does not use
    struck = np.flatnonzero(np.diff(times) == 0.0)
    assert struck.size > 0 or trajectory.events[0].kind != "flight"
    places = data["contact_point"].to_numpy()
    for k in struck:
        normal, spot = impulse[k + 1, :, 0], places[k + 1, :, 0]
        assert moved[k, 2] == pytest.approx(normal @ spot, abs=1e-12)


def test_modes_belong_to_impulses_and_velocities(jumped):
    of, trajectory, _ = jumped
    data = trajectory.data
    mode, impulse = contact(data, P, "mode"), contact(data, P, "impulse")
    velocity = contact(data, P, "contact_velocity")
    twice = np.diff(data["time"].to_numpy()) == 0.0
    hit = np.diff(data["v"].to_numpy(), axis=0).any(axis=1)
    struck = np.flatnonzero(twice & hit) + 1
    smooth = np.flatnonzero(~twice) + 1
    # where the torque jumps alone, nothing is pressed meanwhile
    assert np.abs(data["impulse"].to_numpy()[1:][twice & ~hit]).max(initial=0.0) < 1e-15
    resting = [event.time for event in trajectory.events if "accumulate" in event.what]
    for k in smooth:
        n, t = impulse[k, :2]
        if mode[k] == OPEN:
            assert (n, t) == (0.0, 0.0) or data["time"][k] in resting
            continue
        # momenta of 1e-13 N s
        assert n > -1e-11
        assert abs(t) <= of.mu[0] * n + 1e-11
        assert abs(velocity[k, 0]) < 1e-15
        if mode[k] == STICKS:
            assert abs(velocity[k, 1]) < 1e-15
        else:
            assert abs(t) == pytest.approx(of.mu[0] * n, abs=1e-11)
    for k in struck:
        names = [name for name in POINTS if contact(data, name, "impulse")[k, 0] > 0.0]
        assert len(names) == 1
        n, t = contact(data, names[0], "impulse")[k, :2]
        assert abs(t) <= of.mu[0] * n * (1.0 + 1e-12)
        assert contact(data, names[0], "mode")[k] in (STICKS, SLIPS)


def test_dissipation_is_the_work_of_the_contacts(jumped):
    _, trajectory, _ = jumped
    data = trajectory.data
    taken = data["dissipation"].to_numpy().sum(axis=1)
    # where bounces accumulate a state is extrapolated, to some roundings of 1e-6 s at 10 J/s
    assert (taken > -1e-10).all()
    assert np.cumsum(taken) == pytest.approx(-data["contact_work"].to_numpy(), abs=1e-12)


def test_rows_stand_at_all_steps_and_at_events():
    of, trajectory = published_jump()
    times = trajectory.data["time"].to_numpy()
    steps = np.arange(int(times[-1] / of.time_step) + 1) * of.time_step
    assert np.abs(steps[:, None] - times).min(axis=1).max() < 1e-12
    phases = [e.time for e in trajectory.events if e.kind in ("slip-", "flight", "slip+")]
    assert np.isin(phases, times).all()
    # twice where the torque jumps and at the impact, and nowhere else
    told = [e.time for e in trajectory.events if e.kind in ("torque jumps", "P lands")]
    assert times[1:][np.diff(times) == 0.0].tolist() == told


def test_the_row_of_an_impact_says_what_the_impact_did():
    # published: P slides on, with all the friction that there is against it; more of it stops P
    fallen = hybrid(context(start(100.0, -20.0, 0.02), controller=None, friction=0.9))
    for trajectory, mu, mode in ((published_jump()[1], 0.3, SLIPS), (fallen, 0.9, STICKS)):
        data = trajectory.data
        hit = np.diff(data["v"].to_numpy(), axis=0).any(axis=1)
        row = np.flatnonzero((np.diff(data["time"].to_numpy()) == 0.0) & hit)[0] + 1
        up, along = contact(data, P, "impulse")[row, :2]
        slides = abs(data["v"].to_numpy()[row, 0]) > 0.1
        assert contact(data, P, "mode")[row] == mode
        assert slides == (mode == SLIPS)
        assert (abs(along) > (1.0 - 1e-12) * mu * up) == slides


# --- events --------------------------------------------------------------------------------------


def test_the_published_jump_is_told():
    _, trajectory = published_jump()
    kinds = [event.kind for event in trajectory.events]
    jumps = ["torque jumps", "flight", "torque jumps", "torque jumps"]
    assert kinds == ["stick", "slip-", *jumps, "P lands", "slip+", "Q lands"]
    efforts = trajectory.data["actuation"].to_numpy()[:, 0]
    times = trajectory.data["time"].to_numpy()
    assert efforts[times == 0.04] == pytest.approx([3.2])
    assert not efforts[times > 0.35].any()


def test_a_lost_constraint_is_told_and_ends_nothing():
    # nearly straight, it falls over through the 60 degrees of the line PR
    of = context(start(140.0, 5.0), controller=None, duration=1.0)
    trajectory = hybrid(of)
    (violated,) = [event for event in trajectory.events if event.kind == "PR_backward"]
    rows = states(trajectory.data)
    line = np.degrees(rows[:, 2] + 0.5 * rows[:, 3])
    first = np.flatnonzero(line > 150.0)[0]
    assert 0.0 <= trajectory.data["time"].to_numpy()[first] - violated.time <= of.time_step
    assert trajectory.status is Status.DONE
    assert "reaches the ground" in trajectory.message


def test_a_start_beyond_a_constraint_is_told():
    of = context(start(115.0, 80.0), controller=None, duration=0.05)
    violated = [event.kind for event in hybrid(of).events if event.time == 0.0]
    assert violated == ["slip+", "PR_backward", "R_above_Q"]


def test_a_run_that_stays_on_the_ground_is_done():
    trajectory = hybrid(context(start(90.0, 0.0), controller=None, duration=0.1))
    assert trajectory.status is Status.DONE
    assert trajectory.message == ""
    assert trajectory.data["time"].to_numpy()[-1] == pytest.approx(0.1)
    assert [event.kind for event in trajectory.events] == ["stick"]


# --- the same as other engines -------------------------------------------------------------------


def test_the_moreau_engine_comes_to_the_same_jump():
    # its error is of the order of a step in the times of events, at velocities of some m/s
    step, before_landing = 2e-4, 0.35
    given = scenario(time_step=step, duration=before_landing)
    stepped = run_scenario(given, "hopper", "moreau").trajectory.data
    exact = hybrid(context(time_step=step, duration=before_landing)).data
    assert states(stepped)[-1] == pytest.approx(states(exact)[-1], abs=100.0 * step)
    assert float(stepped["potential_energy"][0]) == float(exact["potential_energy"][0])


# --- which starts and controllers it takes -------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "says"),
    [
        (start(z=-0.01), "P is 0.01 m in the ground"),
        (start(v=(0.0, -0.5)), "P moves into the ground at 0.5 m/s"),
        (start(-10.0, 30.0), "Q is at a height of -0.0521 m"),
        (start(60.0, -170.0), "R is at a height of"),
        (start(90.0, 180.0), "folded"),
        (start(90.0, -200.0), "folded"),
    ],
)
def test_starts_that_are_none_are_refused_in_a_line(x, says):
    with pytest.raises(ScenarioError, match=says) as refused:
        hybrid(context(x, controller=None))
    assert "\n" not in str(refused.value)


def test_a_start_above_the_ground_falls():
    trajectory = hybrid(context(start(z=0.02), controller=None))
    assert [event.kind for event in trajectory.events][:3] == ["flight", "P lands", "stick"]


def test_a_controller_that_it_does_not_know_is_refused():
    of = replace(context(controller=None), controller=Posture())
    with pytest.raises(ScenarioError, match="does not know the controller Posture"):
        hybrid(of)


def test_friction_of_Q_is_its_own():
    # with P in the air Q strikes, without friction of its own: no impulse along the ground
    x = start(60.0, -100.0, 0.3, w=(0.0, -10.0))
    of = context(x, controller=None, duration=1.0, pairs=[PairRule(contact=Q, friction=0.0)])
    data = hybrid(of).data
    n, t = contact(data, Q, "impulse")[-1, :2]
    assert n > 0.0
    assert abs(t) < 1e-15
    assert closed_form(of).parameters.mu == 0.3

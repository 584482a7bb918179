"""Much friction: where no phase of the hopper can go on, or several can (Painleve).

Which ways are open is counted from Lagrange's equations, derived from where the masses are; what
the event-driven hopper does there is held against the Moreau engine on Drake's plant.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.machines.hopper.closed_form.lagrangian import Lagrangian, held
from tests.machines.hopper.machine import DT, Pieces, context, moreau, states
from tests.machines.hopper.motions import SLIDING, run_of

from footfall.hybrid import Ending
from footfall.hybrid.contact import phase_of
from footfall.machines.hopper.closed_form.model import TEXT, Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.system import NO_TORQUE, ConstantTorque, begin

ROUGH = replace(TEXT, mu=1.5, tau_max=1e3)
REFERENCE = Lagrangian(ROUGH)
# straight and steep, it slides away from where it leans to: friction turns it into the ground
STEEP = np.array([0.0, 0.0, np.arctan(np.sqrt(7.0)), 0.0, -1.0, 0.0, 0.0, 0.0])
# the same, and it turns fast enough to lift P
TURNING = STEEP + 30.0 * np.eye(8)[6]


def ways(x, torque=0.0, reference=REFERENCE, mu=ROUGH.mu):
    """Phases that Coulomb's law leaves open to a sliding point, by one linear system each."""
    q, v = x[:4], x[4:]
    M, W = reference.at(reference.inertia, q, v), reference.at(reference.jacobian, q, v)[:2]
    bias = reference.at(reference.coriolis, q, v) + reference.at(reference.gravity, q, v)
    push = np.array([0.0, 0.0, 0.0, torque])
    sigma = np.sign(x[4])
    friction = (W[1:] - sigma * mu * W[:1]).T
    system = np.block([[M, -friction], [W[1:], np.zeros((1, 1))]])
    pressing = np.linalg.solve(system, np.append(push - bias, 0.0))[4]
    rising = np.linalg.solve(M, push - bias)[1]
    found = [phase for phase, sign in SLIDING.items() if sign == sigma and pressing > 0.0]
    return tuple(found) + ((JumpPhase.FLIGHT,) if rising > 0.0 else ())


# --- no way on -----------------------------------------------------------------------------------


def test_where_nothing_can_go_on_an_impact_without_collision_stops_the_point():
    assert ways(STEEP) == ()
    machine = Hopper(ROUGH)
    first = begin(machine, NO_TORQUE, STEEP)
    after = first.state[:8]
    assert after[4:6].tolist() == [0.0, 0.0]
    assert np.array_equal(after[:4], STEEP[:4])
    # its impulse is within the cone, and acts at P: the moment about P stays, and energy goes
    t, n = first.outputs["jam"]
    assert abs(t) <= ROUGH.mu * n
    q = STEEP[:4]
    M = REFERENCE.at(REFERENCE.inertia, q, np.zeros(4))
    changed = M @ (after[4:] - STEEP[4:])
    assert changed == pytest.approx([t, n, 0.0, 0.0], abs=1e-14)
    lost = 0.5 * STEEP[4:] @ M @ STEEP[4:] - 0.5 * after[4:] @ M @ after[4:]
    assert lost == pytest.approx(float(first.outputs["lost"]), rel=1e-12)
    assert lost > 0.0


@pytest.mark.parametrize("e_t", [-1.0, -0.5, 0.5])
def test_an_impact_without_collision_has_no_restitution(e_t):
    found = begin(Hopper(replace(ROUGH, e_n=0.5, e_t=e_t)), NO_TORQUE, STEEP)
    assert np.array_equal(found.state, begin(Hopper(ROUGH), NO_TORQUE, STEEP).state)


def test_the_run_goes_on_from_there_without_gaining_energy():
    machine = Hopper(ROUGH)
    run = run_of(machine, NO_TORQUE, STEEP, 0.5)
    assert run.ending is Ending.GUARD
    energy = [machine.energy(x[:8]) for piece in run.segments for x in (piece.x_start, piece.x_end)]
    assert max(energy) <= machine.energy(STEEP)
    assert (np.diff(energy) < 1e-11).all()


def test_the_engine_tells_it_and_its_account_closes():
    of = context(STEEP, friction=ROUGH.mu, controller=None, duration=0.2)
    found = hybrid(of)
    kinds = [event.kind for event in found.events]
    assert kinds[:2] == ["impact without collision", "stick"]
    data = found.data
    assert data["time"].to_numpy()[:2].tolist() == [0.0, 0.0]
    energy = data["kinetic_energy"] + data["potential_energy"] - data["contact_work"]
    assert np.ptp(energy.to_numpy()) < 1e-11
    assert (np.diff(data["contact_work"].to_numpy()) <= 1e-12).all()
    before, after = (data["impulse"].sel(contact="hopper::P").to_numpy()[k] for k in (0, 1))
    assert not before.any()
    assert after[0] > 0.0


# --- more than one way on ------------------------------------------------------------------------


def test_of_two_ways_the_one_without_a_force_is_taken_and_told():
    assert ways(TURNING) == (JumpPhase.SLIP_BACKWARD, JumpPhase.FLIGHT)
    machine = Hopper(ROUGH)
    first = begin(machine, NO_TORQUE, TURNING)
    assert phase_of(first.mode) is JumpPhase.FLIGHT
    assert int(first.outputs["consistent"]) == 2
    assert np.array_equal(first.state[:8], TURNING)
    of = context(TURNING, friction=ROUGH.mu, controller=None, duration=0.02)
    kinds = [event.kind for event in hybrid(of).events]
    assert kinds[:2] == ["indeterminate", "flight"]
    run = run_of(machine, NO_TORQUE, TURNING, 0.02)
    assert run.segments[0].path(1e-3)[1] > 0.0


@pytest.mark.parametrize(
    ("theta1", "rate", "edge"), [(60.0, 30.0, "edge backward"), (110.0, -30.0, "edge forward")]
)
def test_a_pressed_point_lets_go_at_the_edge_of_its_cone_where_sliding_cannot_begin(
    theta1, rate, edge
):
    x = np.array([0.0, 0.0, np.deg2rad(theta1), 0.0, 0.0, 0.0, 0.0, 0.0])
    machine = Hopper(ROUGH)
    run = run_of(machine, Pieces((lambda t: rate * t,)), x, 0.05)
    event = run.events[0]
    assert (event.guard, phase_of(event.after)) == (edge, JumpPhase.FLIGHT)
    # it is pressed there, on the edge of the cone
    state, torque = event.x_before[:8], rate * event.time
    t, n = pressed_at_rest(state, torque)
    assert n > 1.0
    assert abs(t) == pytest.approx(ROUGH.mu * n, rel=1e-9)
    # a little further on it can neither stand nor slide either way, but leave
    further = torque * 1.001
    t, n = pressed_at_rest(state, further)
    assert abs(t) > ROUGH.mu * n
    for speed in (1e-9, -1e-9):
        moving = state + np.array([0.0, 0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0])
        sliding = [way for way in ways(moving, further) if way is not JumpPhase.FLIGHT]
        for way in sliding:
            assert SLIDING[way] * slide_rate(moving, further) < 0.0
    assert JumpPhase.FLIGHT in ways(state + 1e-9 * np.eye(8)[4], further)


def test_of_several_ways_the_one_that_it_is_on_goes_on():
    # shortly before its force comes to the edge the point could slide or leave as well; a second
    # piece of the same torque changes nothing
    x = np.array([0.0, 0.0, np.deg2rad(60.0), *np.zeros(5)])
    machine, ramp = Hopper(ROUGH), lambda t: 30.0 * t
    whole = run_of(machine, Pieces((ramp,)), x, 0.05)
    late = whole.events[0].time - 2e-4
    cut = run_of(machine, Pieces((ramp, ramp), (late,)), x, 0.05)
    jumped, edge = cut.events[:2]
    assert int(jumped.outputs["consistent"]) == 3
    assert phase_of(jumped.after) is JumpPhase.STICK
    assert edge.time == pytest.approx(whole.events[0].time, abs=1e-10)


def equations(x, torque):
    """M, its bias and the torque's push at a state, and the Jacobian of P."""
    q, v = x[:4], x[4:]
    M, W = REFERENCE.at(REFERENCE.inertia, q, v), REFERENCE.at(REFERENCE.jacobian, q, v)[:2]
    bias = REFERENCE.at(REFERENCE.coriolis, q, v) + REFERENCE.at(REFERENCE.gravity, q, v)
    return M, bias, np.array([0.0, 0.0, 0.0, torque]), W


def pressed_at_rest(x, torque):
    """Force (t, n) that holds P."""
    return held(*equations(x, torque), np.zeros(2))[1]


def slide_rate(x, torque):
    """Acceleration of P along the ground while it slides."""
    M, bias, push, W = equations(x, torque)
    friction = (W[1:] - np.sign(x[4]) * ROUGH.mu * W[:1]).T
    system = np.block([[M, -friction], [W[1:], np.zeros((1, 1))]])
    return np.linalg.solve(system, np.append(push - bias, 0.0))[0]


# --- beside the Moreau engine --------------------------------------------------------------------


def test_moreaus_law_stops_the_point_as_the_impact_without_collision_does():
    # one step solves the same problem with the impulse of the weight, DT m g, besides
    after = begin(Hopper(ROUGH), NO_TORQUE, STEEP).state[:8]
    found = moreau(STEEP, 5 * DT, ROUGH.mu)[1]
    assert found[4:6] == pytest.approx([0.0, 0.0], abs=1e-9)
    # accelerations of some 100 rad/s^2
    assert found[4:] == pytest.approx(after[4:], abs=500.0 * DT)


@pytest.mark.parametrize("x", [STEEP, TURNING], ids=["no way on", "two ways on"])
def test_moreaus_law_goes_the_same_way_on(x):
    of = context(x, friction=ROUGH.mu, controller=None, duration=0.05, time_step=DT)
    exact = states(hybrid(of).data)[-1]
    # a step of DT is off by DT in the time of events, at rates of 50 rad/s
    assert moreau(x, 0.05, ROUGH.mu)[-1] == pytest.approx(exact, abs=200.0 * DT)


# --- any state -----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    theta1=st.floats(0.35, 2.8),
    theta12=st.floats(0.1, 3.0),
    speed=st.one_of(st.floats(0.05, 2.0), st.floats(-2.0, -0.05)),
    turns=st.tuples(st.floats(-12.0, 12.0), st.floats(-12.0, 12.0)),
    torque=st.floats(-5.0, 5.0),
)
def test_of_all_ways_one_that_is_open_is_taken_and_a_jam_only_where_none_is(
    theta1, theta12, speed, turns, torque
):
    x = np.array([0.0, 0.0, theta1, theta12 - theta1, speed, 0.0, *turns])
    machine, drive = Hopper(ROUGH), ConstantTorque(torque)
    first, open_ways = begin(machine, drive, x), ways(x, torque)
    if not open_ways:
        assert "jam" in first.outputs
        assert machine.energy(first.state[:8]) < machine.energy(x)
        return
    assert "jam" not in first.outputs
    assert int(first.outputs["consistent"]) == len(open_ways)
    assert phase_of(first.mode) in open_ways
    run = run_of(machine, drive, x, 0.05)
    for piece in run.segments:
        assert piece.path(np.linspace(piece.start, piece.end, 30))[1].min() > -1e-10
    for event in run.events:
        before, after = (machine.energy(y[:8]) for y in (event.x_before, event.x_after))
        assert after <= before + 1e-11 * before

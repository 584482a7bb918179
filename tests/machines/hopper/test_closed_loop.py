"""Closed loops round the force of the ground, where friction leaves them without a solution."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from tests.machines.hopper.closed_form.cases import lever
from tests.machines.hopper.closed_form.lagrangian import Lagrangian
from tests.machines.hopper.machine import context
from tests.machines.hopper.motions import at

from footfall.hybrid import Options, simulate
from footfall.hybrid.contact import phase_of
from footfall.machines.hopper import motion
from footfall.machines.hopper.closed_form.model import TEXT, Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.control import AngleKnot, AngleTracking, AngleTrackingLaw
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.motion import motion_from
from footfall.machines.hopper.observables import jump_of
from footfall.machines.hopper.system import (
    NO_WAY,
    ConstantTorque,
    HopperSystem,
    begin,
    ending_of,
)
from footfall.trajectory import Status

ROUGH = replace(TEXT, mu=0.7)
REFERENCE = Lagrangian(ROUGH)
LOOP = AngleTracking(knots=[AngleKnot(0.0, 1.0), AngleKnot(1.0, 2.0)], kp=100.0, kd=20.0)
# a sliding P, pressed by its friction, whose link 2 is to turn faster than any torque turns it
SLIDING = np.array([0.0, 0.0, 2.2677, -1.5504, 0.8792, 0.0, 3.6583, -2.5072])


def drive(machine):
    return AngleTrackingLaw(machine, LOOP.law())


def turn(x, torque):
    """theta12'' of a P that slides forward or leaves, from Lagrange's equations alone."""
    q, v = x[:4], x[4:]
    M, W = REFERENCE.at(REFERENCE.inertia, q, v), REFERENCE.at(REFERENCE.jacobian, q, v)[:2]
    bias = REFERENCE.at(REFERENCE.coriolis, q, v) + REFERENCE.at(REFERENCE.gravity, q, v)
    push = np.array([0.0, 0.0, 0.0, torque]) - bias
    friction = (W[1:] - ROUGH.mu * W[:1]).T
    system = np.block([[M, -friction], [W[1:], np.zeros((1, 1))]])
    answer = np.linalg.solve(system, np.append(push, 0.0))
    rates = answer[:4] if answer[4] > 0.0 else np.linalg.solve(M, push)
    return rates[2] + rates[3]


def test_no_torque_of_the_motor_does_what_the_law_asks_for():
    # so that a run which ends there is right to do so: the machine alone has one way on for every
    # torque, and none of them turns link 2 as fast as the law wants it
    machine = Hopper(ROUGH)
    assert lever(machine, SLIDING[:4], 1.0) > 0.0
    wanted = LOOP.law().wanted(0, 0.0, SLIDING)
    for torque in np.linspace(-10.0, 10.0, 401):
        system = HopperSystem(machine, ConstantTorque(torque))
        assert len(system.consistent(0, 0.0, np.append(SLIDING, [0.0, 0.0]))) == 1
        assert turn(SLIDING, torque) < wanted
    best = minimize_scalar(
        lambda tau: -turn(SLIDING, tau), (-1.0, 1.0), (-10.0, 10.0), method="bounded"
    )
    assert -best.fun < wanted


def test_where_a_law_has_no_solution_the_run_fails_and_says_what_to_do():
    machine = Hopper(ROUGH)
    found = motion_from(machine, drive(machine), SLIDING)
    of = context(SLIDING, friction=ROUGH.mu, controller=LOOP)
    trajectory = hybrid(of)
    assert trajectory.status is Status.FAILED
    for message in (found.jump.why, trajectory.message, jump_of(trajectory, machine).why):
        assert "no phase of P agrees with the torque" in message
        assert "lower the friction" in message
        assert "\n" not in message
    assert [event.kind for event in trajectory.events] == [Status.FAILED.value]
    assert trajectory.data["q"].to_numpy() == pytest.approx(SLIDING[None, :4], abs=0.0)


# P lands, slides on, and there is no torque for it any more
LANDING = np.array([0.0, 0.0, 2.0571, -0.8672, 0.0, 0.0, -0.8117, 5.4515])


def test_a_run_keeps_what_went_before():
    of = context(LANDING, friction=0.85, controller=LOOP, duration=0.15)
    trajectory = hybrid(of)
    data = trajectory.data
    time = data["time"].to_numpy()
    assert trajectory.status is Status.FAILED
    assert f"at t = {time[-1]:.6g} s" in trajectory.message
    assert [event.kind for event in trajectory.events][-2:] == ["P lands", Status.FAILED.value]
    # flight up to the impact, the impact, and nothing after it
    assert time[-2] == time[-1] < 0.15
    height, impulse = (
        data["q"].to_numpy()[:, 1],
        data["impulse"].sel(contact="hopper::P").to_numpy(),
    )
    assert height[-3] > 0.0
    assert height[-1] == 0.0
    assert impulse[-1, 0] > 0.0
    energy = data["kinetic_energy"] + data["potential_energy"]
    account = energy - data["actuator_work"] - data["contact_work"]
    # rows of the integrator's interpolant
    assert np.ptp(account.to_numpy()) < 1e-10


# P slides backward, and the torque that the law wants grows beyond all bounds
POLE = np.array([0.0, 0.0, 0.754, 1.3208, -1.3596, 0.0, 4.083, 7.2913])


def test_where_the_torque_of_a_law_has_a_pole_there_is_no_way_on():
    machine = Hopper(replace(TEXT, mu=0.85))
    law = drive(machine)
    first = begin(machine, law, POLE)
    run = simulate(HopperSystem(machine, law).system(), first.mode, first.state, (0.0, 0.15))
    assert run.mode == NO_WAY
    assert "no phase of P agrees" in ending_of(run)
    (piece,) = run.segments
    assert phase_of(piece.mode) is JumpPhase.SLIP_BACKWARD
    # what a torque does to link 2 changes its sign there, by Lagrange's equations: sliding back,
    # 1 N m gives no theta12'' at the end, and gave some before
    gains = [gain(x[:8], 0.85) for x in (piece.x_start, piece.path(0.5 * run.time), piece.x_end)]
    assert np.abs(gains[:2]).min() > 1e-2
    assert abs(gains[2]) < 1e-8 * np.abs(gains).max()


def gain(x, mu):
    """theta12'' that 1 N m adds while P slides backward [rad/s^2]."""
    M = REFERENCE.at(REFERENCE.inertia, x[:4], x[4:])
    W = REFERENCE.at(REFERENCE.jacobian, x[:4], x[4:])[:2]
    system = np.block([[M, -(W[1:] + mu * W[:1]).T], [W[1:], np.zeros((1, 1))]])
    answer = np.linalg.solve(system, [0.0, 0.0, 0.0, 1.0, 0.0])
    return answer[2] + answer[3]


def test_with_the_friction_of_the_text_a_law_always_has_a_solution():
    # with none of 0.43 and below a torque in slip turns link 2 the wrong way
    machine, rng = Hopper(TEXT), np.random.default_rng(12)
    law = drive(machine)
    for _ in range(300):
        low, high = rng.uniform([0.3, 0.05], [2.8, 3.0])
        sliding = rng.choice([0.0, rng.uniform(-2.0, 2.0)])
        x = np.array([0.0, 0.0, low, high - low, sliding, 0.0, *rng.uniform(-8.0, 8.0, 2)])
        first = begin(machine, law, x)
        assert first.mode != NO_WAY
        assert int(first.outputs["consistent"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gains", "limit"),
    [
        ({"kp": 1e9, "kd": 0.0}, {"_OPTIONS": Options(most_events=20)}),
        ({"kp": 100.0, "kd": 1e12}, {"_MOST_STEPS": 100}),
    ],
    ids=["from bound to bound", "stiff"],
)
def test_a_loop_that_is_too_stiff_is_given_up_in_a_line(monkeypatch, gains, limit):
    for name, value in limit.items():
        monkeypatch.setattr(motion, name, value)
    knots = [AngleKnot(0.0, 0.02), AngleKnot(0.2, 0.6)]
    trajectory = hybrid(context(at(), controller=AngleTracking(knots=knots, **gains)))
    assert trajectory.status is Status.FAILED
    assert "the gains of the controller are too large" in trajectory.message
    assert "\n" not in trajectory.message

"""The hopper with its hinge held straight, by the motor or by a coupler, is a rod of length 4 l.

It is held against the closed form of the rod on rough ground, which knows nothing of the hopper.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.machines.hopper.machine import DT, moreau
from tests.machines.hopper.motions import run_of

from footfall.hybrid.contact import phase_of
from footfall.machines.hopper.closed_form.model import TEXT, Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase, acceleration
from footfall.machines.hopper.system import begin
from footfall.plants.constraints import Coupler
from footfall.textbook.rod import Rod, critical_friction

ROUGH = replace(TEXT, mu=1.5, tau_max=1e3)
ROD = Rod(m=2.0 * TEXT.m, l=2.0 * TEXT.l, g=TEXT.g)


@dataclass(frozen=True)
class Straight:
    """The torque that keeps the hinge from turning in a phase: the hopper is a rod."""

    machine: Hopper
    breaks: tuple = ()

    def torque(self, phase, _piece, _t, x):
        free, more = (acceleration(self.machine, phase, x, tau)[3] for tau in (0.0, 1.0))
        return -free / (more - free)


def straight(theta, speed=0.0, omega=0.0):
    return np.array([0.0, 0.0, theta, 0.0, speed, 0.0, omega, 0.0])


@pytest.mark.parametrize("mu", [0.1, 0.5])
def test_held_straight_it_slides_down_as_a_rod_does(mu):
    machine, speed, theta = Hopper(replace(ROUGH, mu=mu)), 2.0, np.deg2rad(40.0)
    run = run_of(machine, Straight(machine), straight(theta, -speed), 1.0)
    exact = ROD.slide(theta, speed, mu)
    assert [phase_of(piece.mode) for piece in run.segments] == [JumpPhase.SLIP_BACKWARD]
    # the end of the rod, and its middle, at 1e-10 of both integrations; flat, the hopper's Q and R
    # come down at once
    assert run.time == pytest.approx(exact.time, abs=1e-9)
    assert run.events[-1].guard in ("Q lands", "R lands")
    for t in np.linspace(0.0, run.time, 7):
        x = run.at(t)
        middle, angle, _, turn = exact.path(t)
        assert x[2] == pytest.approx(angle, abs=1e-8)
        assert x[6] == pytest.approx(turn, abs=1e-7)
        start = ROD.l * np.cos(theta)
        assert x[0] + ROD.l * np.cos(x[2]) == pytest.approx(middle + start, abs=1e-8)
        assert abs(x[3]) < 1e-10


def test_held_straight_it_stands_until_the_rods_force_leaves_the_cone():
    machine, theta = Hopper(replace(ROUGH, mu=0.4)), np.deg2rad(70.0)
    run = run_of(machine, Straight(machine), straight(theta), 1.0)
    event = run.events[0]
    swing = ROD.hinged(theta, 0.0, event.time)
    assert event.x_before[[2, 6]] == pytest.approx(swing(event.time), abs=1e-9)
    n, t = ROD.hinge_force(*swing(event.time))
    assert event.guard == ("edge backward" if t > 0.0 else "edge forward")
    assert abs(t) == pytest.approx(0.4 * n, rel=1e-8)
    earlier = [ROD.hinge_force(*swing(s)) for s in np.linspace(0.0, 0.99 * event.time, 50)]
    assert all(abs(t) < 0.4 * n for n, t in earlier)


@settings(max_examples=60)
@given(theta=st.floats(0.1, 1.5), omega=st.floats(-20.0, 20.0), mu=st.floats(0.1, 4.0))
def test_held_straight_it_is_in_painleves_region_where_the_rod_is(theta, omega, mu):
    machine = Hopper(replace(ROUGH, mu=mu))
    first = begin(machine, Straight(machine), straight(theta, -1.0, omega))
    rising = bool(ROD.free_acceleration(theta, omega)[0] > 0.0)
    slides = ROD.sliding_force(theta, omega, mu) > 0.0
    if not slides and not rising:
        assert mu > critical_friction(theta)
        assert "jam" in first.outputs
        return
    assert int(first.outputs["consistent"]) == slides + rising
    phase = JumpPhase.FLIGHT if rising else JumpPhase.SLIP_BACKWARD
    assert phase_of(first.mode) is phase


def test_welded_straight_the_moreau_engine_jams_it_as_the_rod():
    theta, speed = np.arctan(np.sqrt(7.0)), 1.0
    assert ROUGH.mu > critical_friction(theta)
    straightened = [Coupler(joint0="theta2", joint1="theta1", gear_ratio=1e-12)]
    x = straight(theta, -speed)
    found = moreau(x, 3 * DT, ROUGH.mu, constraints=straightened)[1]
    _, _, turn = ROD.jam(theta, speed)
    assert found[[4, 5]] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert found[6] == pytest.approx(turn, abs=500.0 * DT)

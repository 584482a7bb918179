"""The rigid engine on a rod in Painleve's region, and of Kane's paradox."""

import math

import numpy as np
import pytest

from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.textbook.planar_impact import stopping
from footfall.verify.cases.double_pendulum import BEFORE, PENDULUM
from footfall.verify.cases.double_pendulum import CASES as PENDULUMS
from footfall.verify.cases.rod import JAM_ANGLE, JAM_SPEED, ROD


def run(name, *settings):
    return run_scenario(load_scenario(f"verify/{name}", settings), name, "moreau").trajectory


def rates(trajectory):
    return trajectory.data["v"].sel(velocity=["x", "z", "theta"]).to_numpy()


@pytest.mark.parametrize("restitution", [0.0, 0.9])
@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-4, 1e-5])
def test_the_jam_does_not_depend_on_the_step_nor_on_restitution(step, restitution):
    trajectory = run("rod_jam", f"time_step={step}", "duration=1e-2", f"restitution={restitution}")
    # one step of falling about the end is in it: g dt for the centre, 3/4 g dt / l for the turn
    allowed = ROD.g / ROD.l * step
    assert rates(trajectory)[1] == pytest.approx(ROD.jam(JAM_ANGLE, JAM_SPEED), abs=allowed)


def test_a_fast_rod_jams_and_lifts_off():
    fast = 4.0
    v = ROD.jam(JAM_ANGLE, fast)
    held = stopping(ROD.delassus(JAM_ANGLE), ROD.free_acceleration(JAM_ANGLE, v[2]))
    assert held[0] < 0.0  # it would have to be held down
    trajectory = run("rod_jam", "time_step=1e-3", "duration=0.05", f"initial.velocities.x={-fast}")
    end = rates(trajectory)[-1]
    # it flies: the turn stays, to the first order of the step in which it jammed
    assert end[2] == pytest.approx(v[2], abs=ROD.g / ROD.l * 1e-3)
    assert (trajectory.data["impulse"].to_numpy()[2:] == 0.0).all()


@pytest.mark.parametrize("share", [0.98, 1.02])
def test_the_rod_jams_beyond_the_critical_friction_only(share):
    trajectory = run("rod_jam", "time_step=1e-5", "duration=1e-4", f"friction={share * 4.0 / 3.0}")
    slip = rates(trajectory)[1] @ np.array([1.0, 0.0, ROD.l * math.sin(JAM_ANGLE)])
    if share > 1.0:
        assert slip == pytest.approx(0.0, abs=1e-4)  # g dt
    else:
        # it goes on sliding, under a force that friction makes 1 / (1 - share) times larger
        W = ROD.delassus(JAM_ANGLE)
        force = ROD.sliding_force(JAM_ANGLE, 0.0, share * 4.0 / 3.0)
        braked = (W[1, 0] + share * 4.0 / 3.0 * W[1, 1]) * force * 1e-5
        assert slip == pytest.approx(braked - JAM_SPEED, rel=1e-2)
        assert slip < -0.99


def test_where_lifting_sliding_and_jamming_are_all_possible_the_rod_lifts():
    omega = 5.0  # l sin(theta) omega^2 > g: the end accelerates upwards without contact
    x = -1.0 - ROD.l * math.sin(JAM_ANGLE) * omega
    z = ROD.l * math.cos(JAM_ANGLE) * omega
    start = f"initial.velocities={{x: {x}, z: {z}, theta: {omega}}}"
    trajectory = run("rod_jam", "time_step=1e-3", "duration=0.02", start)
    assert (trajectory.data["impulse"].to_numpy() == 0.0).all()


def test_newtons_gain_is_an_event_with_its_numbers():
    gain = PENDULUMS[0].quantities[0].check.target
    (event,) = run("double_pendulum").events
    assert event.kind == "energy-gain"
    assert event.time == pytest.approx(0.0405, abs=1e-9)  # the end of the step of the impact
    kinetic = 0.5 * BEFORE @ PENDULUM.mass_matrix(np.deg2rad([20.0, 30.0])) @ BEFORE
    assert f"{gain:.3g} J" in event.what
    assert f"{kinetic:.3g} J" in event.what


@pytest.mark.parametrize(
    ("name", "law"),
    [("double_pendulum_poisson", "poisson"), ("double_pendulum", "chatterjee-ruina")],
)
def test_the_other_laws_give_no_energy_and_no_event(name, law):
    trajectory = run(name, f"moreau.impact_law={law}")
    assert not trajectory.events
    assert trajectory.data["contact_work"].to_numpy()[-1] < -1.0

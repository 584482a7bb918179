"""Whatever state, torque, friction and bounce: the laws hold at every step, and no energy comes
from nowhere.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource

from footfall.engines import MoreauConfig, MoreauEngine
from footfall.machines.biped.closed_form.model import Biped
from footfall.plants.contacts import ContactMaterial, PairRule, collect_contacts
from footfall.plants.loading.load import load_model
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario

DT = 1e-3
STEPS = 12
BIPED = Biped()
MODEL = load_model(build_robot(load_scenario("biped/stand")).model.spec)

angles = st.lists(st.floats(-3.0, 3.0), min_size=4, max_size=4)
speeds = st.lists(st.floats(-8.0, 8.0), min_size=6, max_size=6)
torques = st.lists(st.floats(-200.0, 200.0), min_size=4, max_size=4)


def _steps(theta, speed, torque, mu, e_n, depth, config=None):
    """Step from a posture that touches the ground; yields (q_A, v_A, q_E, v_E, report)."""
    rules = [PairRule("*", friction=mu)]
    contacts = collect_contacts(MODEL, ContactMaterial(restitution=e_n, rules=rules))
    builder = DiagramBuilder()
    engine = builder.AddSystem(MoreauEngine(MODEL, contacts, DT, config or MoreauConfig()))
    source = builder.AddSystem(ConstantVectorSource(np.array(torque)))
    builder.Connect(source.get_output_port(), engine.GetInputPort("actuation"))
    simulator = Simulator(builder.Build())
    context = engine.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    theta = np.array(theta)
    lowest = BIPED.g_n(np.concatenate(([0.0, 0.0], theta))).min()
    state = np.concatenate(([0.0, -lowest - depth], theta, speed))
    engine.set_state(context, state)
    for k in range(1, STEPS + 1):
        before = engine.GetOutputPort("state").Eval(context).copy()
        simulator.AdvanceTo(k * DT)
        after = engine.GetOutputPort("state").Eval(context).copy()
        yield (
            before[:6],
            before[6:],
            after[:6],
            after[6:],
            engine.GetOutputPort("contact_report").Eval(context),
        )


@pytest.mark.slow
@settings(max_examples=120)
@given(angles, speeds, torques, st.floats(0.0, 0.9), st.floats(0.0, 1.0), st.floats(0.0, 1e-3))
def test_the_laws_hold_at_every_step(theta, speed, torque, mu, e_n, depth):
    for q_a, v_a, q_e, v_e, report in _steps(theta, speed, torque, mu, e_n, depth):
        q_m = q_a + 0.5 * DT * v_a
        normal, along = report.impulse[:, 0], report.impulse[:, 1]
        closed = report.gap <= 0.0
        assert np.allclose(
            report.gap, BIPED.g_n(q_m), rtol=0.0, atol=1e-14 * max(1.0, np.abs(q_m).max())
        )
        size = np.abs(report.impulse).max()
        # solutions are accepted at 1e-10 of the impulses; velocities follow with W <= 2 / kg
        slack = 1e-8 * max(size, 1e-3)
        assert report.residual <= 1e-10
        # what was pressed in the last step still acts where rounding opens it
        assert not report.impulse[report.gap > 1e-12].any()
        assert not report.impulse[:, 2].any()
        assert (normal >= -slack).all()
        assert (np.abs(along) <= mu * normal + slack).all()
        gamma_a, gamma_e = BIPED.w_n(q_m).T @ v_a, BIPED.w_n(q_m).T @ v_e
        assert (gamma_e + e_n * gamma_a)[closed].min(initial=0.0) >= -1e-7 * max(
            1.0, np.abs(v_e).max()
        )
        assert np.allclose(
            q_e, q_m + 0.5 * DT * v_e, rtol=0.0, atol=1e-14 * max(1.0, np.abs(q_e).max())
        )


@pytest.mark.slow
@settings(max_examples=60)
@given(angles, speeds, torques, st.floats(0.0, 0.9), st.floats(0.0, 1e-3))
def test_plastic_contacts_take_energy(theta, speed, torque, mu, depth):
    # Lambda . (gamma_A + gamma_E) / 2 per step, computed here from states: friction and e = 0 only
    # dissipate, but for a contact that separates already and is pressed back in the same step: h dt
    # times its gamma_A
    for step, (q_a, v_a, _, v_e, report) in enumerate(_steps(theta, speed, torque, mu, 0.0, depth)):
        q_m = q_a + 0.5 * DT * v_a
        mean = 0.5 * (v_a + v_e)
        work = report.impulse[:, 0] @ (BIPED.w_n(q_m).T @ mean) + report.impulse[:, 1] @ (
            BIPED.w_t(q_m).T @ mean
        )
        if step == 0:  # later, work on contacts that stay closed is the step's error, and no law's
            assert report.work.sum() == pytest.approx(work, abs=1e-9 * max(1.0, abs(work)))
        mass = BIPED.mass_matrix(q_m)
        push = DT * np.linalg.solve(mass, np.concatenate(([0.0, 0.0], torque)) + BIPED.h(q_m, v_a))
        # a step's own forces may do work through the contact, second order in dt; an impact may not
        allowed = np.abs(push) @ np.abs(mass @ push) + 1e-9
        assert work <= allowed


@settings(max_examples=60)
@given(angles, speeds, st.floats(0.0, 1e-3))
def test_elastic_frictionless_contacts_keep_energy(theta, speed, depth):
    # e = 1: xi Lambda = 0 and gamma_E = -gamma_A there, so that Lambda (gamma_A + gamma_E) / 2 = 0
    # to the solver's 1e-10
    for _, _, _, _, report in _steps(theta, speed, [0.0] * 4, 0.0, 1.0, depth):
        size = np.abs(report.impulse).max() * max(1.0, np.abs(report.velocity).max())
        assert np.abs(report.work).max() <= 1e-8 * max(size, 1e-3)


@pytest.mark.slow
@settings(max_examples=25)
@given(angles, speeds, st.floats(0.0, 0.9), st.floats(0.0, 1e-3))
def test_the_laws_hold_in_steps_of_second_order_and_no_energy_comes_of_them(
    theta, speed, mu, depth
):
    first, last = None, None
    midpoint = MoreauConfig(scheme="implicit-midpoint")
    for q_a, v_a, q_e, v_e, report in _steps(theta, speed, [0.0] * 4, mu, 0.0, depth, midpoint):
        first, last = first or (q_a, v_a), (q_e, v_e)
        normal, along = report.impulse[:, 0], report.impulse[:, 1]
        slack = 1e-8 * max(np.abs(report.impulse).max(), 1e-3)
        assert report.residual <= 1e-10
        assert (normal >= -slack).all()
        assert (np.abs(along) <= mu * normal + slack).all()
        assert report.velocity[normal > slack, 0].min(initial=0.0) >= -1e-7 * max(
            1.0, np.abs(v_e).max()
        )
        # twice the mean velocity is the way that a step goes
        np.testing.assert_allclose(q_e - q_a, 0.5 * DT * (v_a + v_e), rtol=0.0, atol=1e-9)
    before, after = (
        0.5 * v @ BIPED.mass_matrix(q) @ v + BIPED.potential_energy(q) for q, v in (first, last)
    )
    kinetic = 0.5 * first[1] @ BIPED.mass_matrix(first[0]) @ first[1]
    # a landing is of first order in the way of its step, a hundredth of a radian
    assert after <= before + 0.01 * kinetic + 1e-6


def test_penetration_stays_within_a_step_of_approach():
    # from 0.1 m up: 1.4 m/s and turning legs; what lies in the ground got there within one step
    rng = np.random.default_rng(8)
    for _ in range(10):
        theta, speed = rng.uniform(-1.0, 1.0, 4), rng.uniform(-2.0, 2.0, 6)
        deepest, fastest = 0.0, 0.0
        for _, v_a, q_e, v_e, _ in _steps(theta, speed, np.zeros(4), 0.5, 0.0, 0.0):
            fastest = max(
                fastest, np.abs(BIPED.w_n(q_e).T @ v_a).max(), np.abs(BIPED.w_n(q_e).T @ v_e).max()
            )
            deepest = min(deepest, BIPED.g_n(q_e).min())
        assert deepest >= -fastest * DT

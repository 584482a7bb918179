"""The transcribed stepper: its switches, its fixed point, and laws that it does not state."""

import numpy as np
import pytest

from footfall.machines.biped.closed_form import stepper as biped_stepper
from footfall.machines.biped.closed_form.model import Biped, BipedParameters
from footfall.machines.biped.closed_form.stepper import JointReference, StepperOptions

MACHINE = Biped()
POSTURE = np.array([-0.3, 0.4, 0.2, 0.3])
DT = 1e-3


def _start(gap):
    return np.concatenate(([0.0, MACHINE.standing_height(POSTURE) + gap], POSTURE))


def _held(steps, posture=POSTURE):
    still = np.zeros((steps, 4))
    return JointReference(np.tile(posture, (steps, 1)), still, still)


def _run(steps, *, gap=0.0, reference=None, speed=None, parameters=None, **options):
    u0 = np.zeros(6) if speed is None else np.asarray(speed, dtype=float)
    return biped_stepper.run(
        _start(gap), u0, DT, reference, steps, StepperOptions(**options), parameters
    )


def test_one_step_in_the_air_is_the_printed_formula():
    speed = np.array([0.3, -0.2, 1.0, -2.0, 0.5, 1.5])
    result = _run(1, gap=1.0, speed=speed)
    q_m = result.q[0] + 0.5 * DT * speed
    u_e = speed + DT * np.linalg.solve(MACHINE.mass_matrix(q_m), MACHINE.h(q_m, speed))
    assert np.abs(result.u[1] - u_e).max() <= 1e-14
    assert np.abs(result.q[1] - (q_m + 0.5 * DT * u_e)).max() <= 1e-15
    assert result.iterations[0] == 0


def test_a_landing_step_fulfils_the_printed_laws():
    # Signorini, Newton and Coulomb, checked from the result alone
    mu, e_n = 0.4, 0.3
    result = _run(400, gap=0.05, mu=mu, e_n=e_n, tolerance=1e-13)
    assert result.converged
    touched = 0
    for j in range(400):
        q_m = result.q[j] + 0.5 * DT * result.u[j]
        closed = MACHINE.g_n(q_m) <= 0.0
        lam_n, lam_t = result.lambda_n[j + 1], result.lambda_t[j + 1]
        assert not lam_n[~closed].any()
        approach, end = MACHINE.w_n(q_m).T @ result.u[j], MACHINE.w_n(q_m).T @ result.u[j + 1]
        xi = (end + e_n * approach)[closed]
        slip = (MACHINE.w_t(q_m).T @ result.u[j + 1])[closed]
        n, t = lam_n[closed], lam_t[closed]
        # the fixed point stops when impulses change by less than 1e-13; velocities are then good to
        # 1e-11
        assert (n >= 0.0).all()
        assert (xi >= -1e-11).all()
        assert np.abs(n * xi).max(initial=0.0) <= 1e-11
        assert (np.abs(t) <= mu * n + 1e-12).all()
        # friction on the boundary of its interval wherever the point slides, against the sliding
        assert (
            np.abs((t + mu * n * np.sign(slip)) * (np.abs(slip) > 1e-9)).max(initial=0.0) <= 1e-10
        )
        # and the jump in momentum is that of the impulses
        momentum = MACHINE.mass_matrix(q_m) @ (result.u[j + 1] - result.u[j])
        force = (
            DT * MACHINE.h(q_m, result.u[j]) + MACHINE.w_n(q_m) @ lam_n + MACHINE.w_t(q_m) @ lam_t
        )
        assert np.abs(momentum - force).max() <= 1e-12
        touched += int(closed.any())
    assert touched > 10


def test_place_of_the_approach_velocity_matters_only_with_restitution():
    with_e = [_run(300, gap=0.05, e_n=0.5, approach_at_start=switch) for switch in (False, True)]
    without = [_run(300, gap=0.05, e_n=0.0, approach_at_start=switch) for switch in (False, True)]
    assert np.array_equal(without[0].q, without[1].q)
    # half a step of 1 ms at turning rates of 1 rad/s: per mille of the velocity after the impact
    apart = np.abs(with_e[0].u - with_e[1].u).max()
    assert 1e-6 < apart < 0.1


def test_control_at_the_midpoint_sees_half_a_step_ahead():
    # in the air, thrown: the torque of the first step is M a - H at q_M or at q_A
    speed = np.array([0.0, 0.0, 3.0, -4.0, 2.0, 1.0])
    for midpoint in (True, False):
        result = _run(1, gap=1.0, speed=speed, reference=_held(1), control_at_midpoint=midpoint)
        q = result.q[0] + (0.5 * DT * speed if midpoint else 0.0)
        wanted = np.concatenate(([0.0, 0.0], 1e4 * (POSTURE - q[2:]) - 100.0 * speed[2:]))
        tau = MACHINE.mass_matrix(q) @ wanted - MACHINE.h(q, speed)
        # rounding of torques of 1000 N m
        assert np.abs(result.tau[0, 2:] - tau[2:]).max() <= 1e-11
        assert np.array_equal(result.tau[0, :2], [0.0, 0.0])


def test_internal_torques_leave_no_external_pitch_moment():
    shifted = POSTURE + np.array([0.02, -0.01, 0.01, 0.03])
    reference = _held(200, shifted)
    free = _run(200, reference=reference)
    internal = _run(200, reference=reference, internal_torques_only=True)
    assert np.abs(free.tau[:, 2] + free.tau[:, 4]).max() > 1.0
    assert np.array_equal(internal.tau[:, 2] + internal.tau[:, 4], np.zeros(200))
    # at the first step, from the same state, the torque between the thighs is the same and the
    # knees' as well
    assert internal.tau[0, 2] == 0.5 * (free.tau[0, 2] - free.tau[0, 4])
    assert np.array_equal(internal.tau[0, [3, 5]], free.tau[0, [3, 5]])


def test_a_held_posture_comes_to_rest_on_both_feet():
    # in the posture of stage 1 the external pitch moment keeps the robot up
    posture = np.array([-0.267, 0.301, -0.267, 0.301])
    start = np.concatenate(([0.0, MACHINE.standing_height(posture)], posture))
    result = biped_stepper.run(start, np.zeros(6), DT, _held(1000, posture), 1000)
    assert result.converged
    assert np.abs(result.u[-1]).max() <= 1e-6
    # the feet carry the weight, 3 kg, and hold it on the slope
    assert result.lambda_n[-1].sum() == pytest.approx(
        3 * 9.81 * np.cos(np.deg2rad(5.0)) * DT, rel=1e-6
    )
    assert result.lambda_t[-1].sum() == pytest.approx(
        -3 * 9.81 * np.sin(np.deg2rad(5.0)) * DT, rel=1e-6
    )


@pytest.mark.parametrize("r", [0.1, 0.3, 0.5, 0.8])
def test_the_fixed_point_does_not_depend_on_r(r):
    reference = _run(150, gap=0.05, r=0.5)
    other = _run(150, gap=0.05, r=r)
    # the largest eigenvalue of the Delassus matrix is below 1 / min(m) = 2: r < 1 converges, to
    # 1e-12 in impulses
    assert np.abs(other.q - reference.q).max() <= 1e-11
    assert other.converged


def test_too_large_an_r_is_owned_up_to():
    result = _run(300, gap=0.05, r=3.0, max_iterations=2000)
    assert not result.converged
    assert len(result.q) == len(result.u) == len(result.tau) + 1 == len(result.iterations) + 1
    assert np.isfinite(result.q).all()


def test_divergence_ends_the_run_before_the_numbers_do():
    # at 1 ms a damping rate of 1e5 / s is fifty times what an explicit law stands
    result = _run(500, reference=_held(500), kd=1e5)
    assert result.diverged
    assert len(result.q) == len(result.tau) + 1 < 501
    assert np.isfinite(result.q).all()
    assert np.isfinite(result.u).all()


def test_other_masses_and_slopes_reach_the_equations():
    # frictionless, on one rigid slope: the mass centre slides with g sin(alpha), whatever the
    # machine
    parameters = BipedParameters(m=(2.0, 0.4, 0.7, 0.6, 0.5), alpha=np.deg2rad(-12.0), g=3.7)
    result = _run(500, mu=0.0, parameters=parameters)
    machine, masses = Biped(parameters), np.array(parameters.m)
    centre = (
        masses @ machine.points(result.q[-1])[:, 0] - masses @ machine.points(result.q[0])[:, 0]
    )
    fallen = 0.5 * 3.7 * np.sin(np.deg2rad(12.0)) * (500 * DT) ** 2
    # first order: M at the middle of the steps; legs fold with some rad/s
    assert centre / masses.sum() == pytest.approx(fallen, abs=2e-3 * fallen)


def test_iterations_are_counted_in_whole_numbers():
    assert _run(100, gap=0.001).iterations.dtype == np.int64


@pytest.mark.parametrize(
    "wrong",
    [
        {"mu": -0.1},
        {"mu": np.inf},
        {"mu": np.nan},
        {"e_n": -0.1},
        {"e_n": 1.1},
        {"e_n": np.nan},
        {"r": 0.0},
        {"r": -0.5},
        {"r": np.nan},
        {"tolerance": 0.0},
        {"tolerance": np.nan},
        {"max_iterations": 0},
        {"kp": np.inf},
        {"kd": np.nan},
    ],
)
def test_options_that_make_no_step_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=name):
        StepperOptions(**wrong)


def test_a_short_reference_is_refused():
    with pytest.raises(ValueError, match="5 rows, 10 steps"):
        _run(10, reference=_held(5))

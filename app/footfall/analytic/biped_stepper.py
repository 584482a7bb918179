"""The report's time-stepping loop for the biped, transcribed (part II, sections v to vii).

An oracle: its own loop, its own matrices, its own augmented-Lagrangian fixed point; nothing of it
is shared with the engines it judges. One step from t_A to t_E (section v, steps 1 to 7):

    q_M = q_A + dt/2 u_A
    M_M (u_E - u_A) = H(q_M, u_A) dt + W_N Lambda_N + W_T Lambda_T + S tau dt
    Lambda_N = prox_[0, inf) (Lambda_N - r (gamma_NE + e_N gamma_NA))
    Lambda_T = prox_[-mu Lambda_N, mu Lambda_N] (Lambda_T - r gamma_TE)
    q_E = q_M + dt/2 u_E

with the active set g_N(q_M) <= 0 and the control law of section vi, tau = M_M a_q - H_M,
a_q = theta_d'' + Kp (theta_d - theta) + Kd (theta_d' - theta'), whose first two entries are set to
zero.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from footfall.analytic.biped import (
    NUM_POINTS,
    NUM_Q,
    Array,
    BipedParameters,
    convective_kernel,
    h_kernel,
    jacobians_kernel,
    mass_matrix_kernel,
    points_kernel,
)
from footfall.jit import njit


@dataclass(frozen=True)
class StepperOptions:
    """What the report fixes in its main script, and what its text leaves open.

    approach_at_start: take gamma_NA with W_N at q_A as the text says; the listing takes it at q_M.
    control_at_midpoint: evaluate the control law at (q_M, u_A) as the listing does, else at (q_A,
    u_A).
    internal_torques_only: remove the external pitch moment tau_3 + tau_5, keeping (tau_3 - tau_5) /
    2.
    """

    mu: float = 1.0
    e_n: float = 0.0
    r: float = 0.5
    tolerance: float = 1e-12
    max_iterations: int = 200_000
    kp: float = 1e4
    kd: float = 100.0
    approach_at_start: bool = False
    control_at_midpoint: bool = True
    internal_torques_only: bool = False


@dataclass(frozen=True)
class StepperResult:
    """States and impulses of N steps.

    t (N+1,), q and u (N+1, 6), tau (N, 6), Lambda_N and Lambda_T (N+1, 5), iterations (N,).

    ``converged`` is False when a fixed point ran out of iterations, ``diverged`` True when a
    velocity became no number or too large for one; the arrays then end before that step.
    """

    t: Array
    q: Array
    u: Array
    tau: Array
    lambda_n: Array
    lambda_t: Array
    iterations: Array
    converged: bool
    diverged: bool


@dataclass(frozen=True)
class JointReference:
    """One row a step: theta [rad], theta' [rad/s], theta'' [rad/s^2], each of shape (N, 4)."""

    theta: Array
    theta_d: Array
    theta_dd: Array = field(repr=False)


def run(
    q0: Array,
    u0: Array,
    dt: float,
    reference: JointReference | None,
    num_steps: int,
    options: StepperOptions | None = None,
    parameters: BipedParameters | None = None,
) -> StepperResult:
    """Integrate ``num_steps`` steps of length dt [s].

    Without a reference the joints are free (tau = 0).
    """
    options = options if options is not None else StepperOptions()
    masses, lengths, gravity = (
        parameters if parameters is not None else BipedParameters()
    ).packed()
    if reference is None:
        theta = theta_d = theta_dd = np.zeros((0, 4))
    else:
        theta, theta_d, theta_dd = reference.theta, reference.theta_d, reference.theta_dd
        if len(theta) < num_steps:
            message = f"the reference has {len(theta)} rows, {num_steps} steps need as many"
            raise ValueError(message)
    q, u, tau, lam_n, lam_t, iterations, done, diverged = _run_kernel(
        np.asarray(q0, dtype=np.float64),
        np.asarray(u0, dtype=np.float64),
        dt,
        num_steps,
        theta,
        theta_d,
        theta_dd,
        masses,
        lengths,
        gravity,
        options.mu,
        options.e_n,
        options.r,
        options.tolerance,
        options.max_iterations,
        options.kp,
        options.kd,
        options.approach_at_start,
        options.control_at_midpoint,
        options.internal_torques_only,
    )
    return StepperResult(
        t=np.multiply(dt, np.arange(done + 1), dtype=np.float64),
        q=q[: done + 1],
        u=u[: done + 1],
        tau=tau[:done],
        lambda_n=lam_n[: done + 1],
        lambda_t=lam_t[: done + 1],
        iterations=iterations[:done],
        converged=done == num_steps or diverged,
        diverged=diverged,
    )


@njit
def _matrices(
    q: Array, u: Array, masses: Array, lengths: Array, gravity: Array
) -> tuple[Array, Array, Array]:
    jac = jacobians_kernel(q, lengths)
    h = h_kernel(jac, convective_kernel(q, u, lengths), masses, gravity)
    return jac, mass_matrix_kernel(jac, masses), h


@njit
def _torque(
    q: Array,
    u: Array,
    mass: Array,
    h: Array,
    theta: Array,
    theta_d: Array,
    theta_dd: Array,
    kp: float,
    kd: float,
    internal_only: bool,
) -> Array:
    a_q = np.zeros(NUM_Q)
    for j in range(4):
        a_q[2 + j] = theta_dd[j] + kp * (theta[j] - q[2 + j]) + kd * (theta_d[j] - u[2 + j])
    tau = mass @ a_q - h
    tau[:2] = 0.0
    if internal_only:
        hip = 0.5 * (tau[2] - tau[4])
        tau[2], tau[4] = hip, -hip
    return tau


@njit
def _fixed_point(
    delassus_n: Array,
    delassus_t: Array,
    free_n: Array,
    free_t: Array,
    mu: float,
    r: float,
    tolerance: float,
    max_iterations: int,
    lam_n: Array,
    lam_t: Array,
) -> int:
    """Iterate in place and return the count, -1 if it ran out.

    The rows of ``delassus_*`` map [Lambda_N, Lambda_T] to velocities.
    """
    m = lam_n.size
    both = np.empty(2 * m)
    for k in range(max_iterations):
        both[:m], both[m:] = lam_n, lam_t
        gamma_n = delassus_n @ both + free_n
        gamma_t = delassus_t @ both + free_t
        change_n = 0.0
        change_t = 0.0
        for i in range(m):
            new_n = max(lam_n[i] - r * gamma_n[i], 0.0)
            bound = mu * lam_n[i]
            new_t = min(max(-bound, lam_t[i] - r * gamma_t[i]), bound)
            change_n += (new_n - lam_n[i]) ** 2
            change_t += (new_t - lam_t[i]) ** 2
            lam_n[i], lam_t[i] = new_n, new_t
        if np.sqrt(change_n) + np.sqrt(change_t) < tolerance:
            return k + 1
    return -1


@njit
def _normal_velocities(jac: Array, u: Array) -> Array:
    gamma = np.zeros(NUM_POINTS)
    for i in range(NUM_POINTS):
        gamma[i] = jac[i, 1] @ u
    return gamma


@njit
def _land(
    mass: Array,
    jac: Array,
    active: npt.NDArray[np.int64],
    u_free: Array,
    rebound: Array,
    mu: float,
    r: float,
    tolerance: float,
    max_iterations: int,
    lam_n: Array,
    lam_t: Array,
) -> tuple[int, Array]:
    """Change the impulses (5,) of the active points from the guess to the solution, in place.

    ``rebound`` (5,) is e_N gamma_NA. Returns the iterations, -1 if there is no end of them, and
    M^-1 (W_N Lambda_N + W_T Lambda_T).
    """
    m = active.size
    rows = np.empty((2 * m, NUM_Q))
    for i in range(m):
        rows[i], rows[m + i] = jac[active[i], 1], jac[active[i], 0]
    inv_m_wt = np.linalg.solve(mass, np.ascontiguousarray(rows.T))
    delassus, free = rows @ inv_m_wt, rows @ u_free
    active_n, active_t = lam_n[active], lam_t[active]
    count = _fixed_point(
        delassus[:m],
        delassus[m:],
        free[:m] + rebound[active],
        free[m:],
        mu,
        r,
        tolerance,
        max_iterations,
        active_n,
        active_t,
    )
    for i in range(m):
        lam_n[active[i]], lam_t[active[i]] = active_n[i], active_t[i]
    jump = np.zeros(NUM_Q)
    jump += inv_m_wt @ np.concatenate((active_n, active_t))
    return count, jump


@njit
def _run_kernel(
    q0: Array,
    u0: Array,
    dt: float,
    num_steps: int,
    theta: Array,
    theta_d: Array,
    theta_dd: Array,
    masses: Array,
    lengths: Array,
    gravity: Array,
    mu: float,
    e_n: float,
    r: float,
    tolerance: float,
    max_iterations: int,
    kp: float,
    kd: float,
    approach_at_start: bool,
    control_at_midpoint: bool,
    internal_only: bool,
) -> tuple[Array, Array, Array, Array, Array, Array, int, bool]:
    q = np.empty((num_steps + 1, NUM_Q))
    u = np.empty((num_steps + 1, NUM_Q))
    tau = np.zeros((num_steps, NUM_Q))
    lam_n = np.zeros((num_steps + 1, NUM_POINTS))
    lam_t = np.zeros((num_steps + 1, NUM_POINTS))
    iterations = np.zeros(num_steps)
    q[0], u[0] = q0, u0
    for j in range(num_steps):
        q_a, u_a = q[j], u[j]
        q_m = q_a + 0.5 * dt * u_a
        jac, mass, h = _matrices(q_m, u_a, masses, lengths, gravity)
        if theta.shape[0] > 0:
            if control_at_midpoint:
                tau[j] = _torque(
                    q_m, u_a, mass, h, theta[j], theta_d[j], theta_dd[j], kp, kd, internal_only
                )
            else:
                _, mass_a, h_a = _matrices(q_a, u_a, masses, lengths, gravity)
                tau[j] = _torque(
                    q_a, u_a, mass_a, h_a, theta[j], theta_d[j], theta_dd[j], kp, kd, internal_only
                )
        force = h + tau[j]
        if not np.isfinite(force @ force):
            return q, u, tau, lam_n, lam_t, iterations, j, True
        u_e = u_a + np.linalg.solve(mass, force * dt)
        active = np.nonzero(points_kernel(q_m, lengths)[:, 1] <= 0.0)[0]
        if active.size > 0:
            jac_a = jacobians_kernel(q_a, lengths) if approach_at_start else jac
            for i in active:
                lam_n[j + 1, i], lam_t[j + 1, i] = lam_n[j, i], lam_t[j, i]
            count, jump = _land(
                mass,
                jac,
                active,
                u_e,
                e_n * _normal_velocities(jac_a, u_a),
                mu,
                r,
                tolerance,
                max_iterations,
                lam_n[j + 1],
                lam_t[j + 1],
            )
            if count < 0:
                return q, u, tau, lam_n, lam_t, iterations, j, False
            iterations[j] = count
            u_e = u_e + jump
        if not np.isfinite(u_e @ u_e):
            return q, u, tau, lam_n, lam_t, iterations, j, True
        u[j + 1] = u_e
        q[j + 1] = q_m + 0.5 * dt * u_e
    return q, u, tau, lam_n, lam_t, iterations, num_steps, False

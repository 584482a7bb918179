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

from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.checked import Checked, between, finite, not_negative, positive
from footfall.jit import njit
from footfall.machines.biped.closed_form.model import (
    NUM_POINTS,
    NUM_Q,
    BipedParameters,
    PackedParameters,
    convective_kernel,
    h_kernel,
    jacobians_kernel,
    mass_matrix_kernel,
    points_kernel,
)


class PackedOptions(NamedTuple):
    """The options as the kernels take them, which know named tuples but no dataclasses."""

    mu: float
    e_n: float
    r: float
    tolerance: float
    max_iterations: int
    kp: float
    kd: float
    approach_at_start: bool
    control_at_midpoint: bool
    internal_torques_only: bool
    gains_only: bool


@dataclass(frozen=True)
class StepperOptions(Checked):
    """Settings that the report fixes in its main script or that its text leaves open.

    mu, e_n: friction and restitution of all contacts. r [kg], tolerance [N s] and max_iterations
    are those of the fixed point. kp [1/s^2], kd [1/s]: gains of the commanded acceleration.

    Raises ValueError for numbers that make no step.
    """

    mu: float = not_negative(1.0)
    e_n: float = between(0.0, 0.0, 1.0)
    r: float = positive(0.5)
    tolerance: float = positive(1e-12)
    max_iterations: int = positive(200_000)
    kp: float = finite(1e4)
    kd: float = finite(100.0)
    # Take gamma_NA with W_N at q_A, as the text says; the listing takes it at q_M.
    approach_at_start: bool = False
    # Evaluate the control law at (q_M, u_A), as the listing does; else at (q_A, u_A).
    control_at_midpoint: bool = True
    # Remove the external pitch moment tau_3 + tau_5: only (tau_3 - tau_5)/2 and its opposite stay.
    internal_torques_only: bool = False
    # PD control, tau = a_q: the line of the listing that is commented out.
    gains_only: bool = False

    def packed(self) -> PackedOptions:
        """Return the same for the kernels."""
        return PackedOptions(**asdict(self))


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
    iterations: npt.NDArray[np.int64]
    converged: bool
    diverged: bool


class JointReference(NamedTuple):
    """One row a step: theta [rad], theta' [rad/s], theta'' [rad/s^2], each of shape (N, 4)."""

    theta: Array
    theta_d: Array
    theta_dd: Array


_FREE = JointReference(np.zeros((0, 4)), np.zeros((0, 4)), np.zeros((0, 4)))
"""No rows: the joints are free."""


def run(
    q0: Array,
    u0: Array,
    dt: float,
    reference: JointReference | None,
    num_steps: int,
    options: StepperOptions | None = None,
    parameters: BipedParameters | None = None,
) -> StepperResult:
    """Integrate ``num_steps`` steps of length dt [s] from q0, u0 (6,), SI, slope frame.

    Without a reference the joints are free (tau = 0). Raises ValueError for a reference with fewer
    rows than steps.
    """
    if reference is not None and len(reference.theta) < num_steps:
        raise ValueError(
            f"the reference has {len(reference.theta)} rows, {num_steps} steps need as many"
        )
    q, u, tau, lam_n, lam_t, iterations, done, diverged = _run_kernel(
        np.asarray(q0, dtype=np.float64),
        np.asarray(u0, dtype=np.float64),
        dt,
        num_steps,
        _FREE if reference is None else JointReference(*map(np.ascontiguousarray, reference)),
        (parameters or BipedParameters()).packed(),
        (options or StepperOptions()).packed(),
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
def _matrices(q: Array, u: Array, machine: PackedParameters) -> tuple[Array, Array, Array]:
    """Jacobians of the points, M and H."""
    jac = jacobians_kernel(q, machine.lengths)
    convective = convective_kernel(q, u, machine.lengths)
    h = h_kernel(jac, convective, machine.masses, machine.gravity)
    return jac, mass_matrix_kernel(jac, machine), h


@njit
def _torque(
    q: Array,
    u: Array,
    mass: Array,
    h: Array,
    reference: JointReference,
    step: int,
    options: PackedOptions,
) -> Array:
    """The control law at (q, u), whose M and H are given."""
    a_q = np.zeros(NUM_Q)
    for j in range(4):
        a_q[2 + j] = (
            reference.theta_dd[step, j]
            + options.kp * (reference.theta[step, j] - q[2 + j])
            + options.kd * (reference.theta_d[step, j] - u[2 + j])
        )
    tau = a_q if options.gains_only else mass @ a_q - h
    tau[:2] = 0.0
    if options.internal_torques_only:
        hip = 0.5 * (tau[2] - tau[4])
        tau[2], tau[4] = hip, -hip
    return tau


@njit
def _fixed_point(
    delassus: Array, free: Array, options: PackedOptions, lam_n: Array, lam_t: Array
) -> int:
    """Iterate in place and return the count, -1 if it ran out.

    ``delassus`` @ [Lambda_N, Lambda_T] + ``free`` is [gamma_NE + e_N gamma_NA, gamma_TE].
    """
    m = lam_n.size
    both = np.empty(2 * m)
    for k in range(options.max_iterations):
        both[:m], both[m:] = lam_n, lam_t
        gamma = delassus @ both + free
        change_n = 0.0
        change_t = 0.0
        for i in range(m):
            new_n = max(lam_n[i] - options.r * gamma[i], 0.0)
            bound = options.mu * lam_n[i]
            new_t = min(max(-bound, lam_t[i] - options.r * gamma[m + i]), bound)
            change_n += (new_n - lam_n[i]) ** 2
            change_t += (new_t - lam_t[i]) ** 2
            lam_n[i], lam_t[i] = new_n, new_t
        if np.sqrt(change_n) + np.sqrt(change_t) < options.tolerance:
            return k + 1
    return -1


@njit
def _land(
    mass: Array,
    jac: Array,
    active: npt.NDArray[np.int64],
    u_free: Array,
    rebound: Array,
    options: PackedOptions,
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
    free = rows @ u_free
    free[:m] += rebound[active]
    active_n, active_t = lam_n[active], lam_t[active]
    count = _fixed_point(rows @ inv_m_wt, free, options, active_n, active_t)
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
    reference: JointReference,
    machine: PackedParameters,
    options: PackedOptions,
) -> tuple[Array, Array, Array, Array, Array, npt.NDArray[np.int64], int, bool]:
    """The loop of section v; the arrays of ``StepperResult``, the steps done, whether diverged."""
    q = np.empty((num_steps + 1, NUM_Q))
    u = np.empty((num_steps + 1, NUM_Q))
    tau = np.zeros((num_steps, NUM_Q))
    lam_n = np.zeros((num_steps + 1, NUM_POINTS))
    lam_t = np.zeros((num_steps + 1, NUM_POINTS))
    iterations = np.zeros(num_steps, dtype=np.int64)
    q[0], u[0] = q0, u0
    for j in range(num_steps):
        q_a, u_a = q[j], u[j]
        q_m = q_a + 0.5 * dt * u_a
        jac, mass, h = _matrices(q_m, u_a, machine)
        if reference.theta.shape[0] > 0:
            if options.control_at_midpoint:
                tau[j] = _torque(q_m, u_a, mass, h, reference, j, options)
            else:
                _, mass_a, h_a = _matrices(q_a, u_a, machine)
                tau[j] = _torque(q_a, u_a, mass_a, h_a, reference, j, options)
        force = h + tau[j]
        if not np.isfinite(force @ force):
            return q, u, tau, lam_n, lam_t, iterations, j, True
        u_e = u_a + np.linalg.solve(mass, force * dt)
        active = np.nonzero(points_kernel(q_m, machine.lengths)[:, 1] <= 0.0)[0]
        if active.size > 0:
            jac_a = jacobians_kernel(q_a, machine.lengths) if options.approach_at_start else jac
            rebound = np.zeros(NUM_POINTS)
            for i in active:
                rebound[i] = options.e_n * (jac_a[i, 1] @ u_a)
                lam_n[j + 1, i], lam_t[j + 1, i] = lam_n[j, i], lam_t[j, i]
            count, jump = _land(
                mass, jac, active, u_e, rebound, options, lam_n[j + 1], lam_t[j + 1]
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

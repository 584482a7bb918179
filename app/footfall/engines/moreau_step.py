"""One Moreau step at velocity level, fused into one compiled kernel.

    M_M (v_E - v_A) = (h_M + B tau) dt + J_M^T Lambda + G^T lambda
    xi_n = gamma_En + e_n gamma_An >= 0,  Lambda_n >= 0,  xi_n Lambda_n = 0
    |Lambda_t| <= mu Lambda_n, against xi_t = gamma_Et + e_t gamma_At where that is not 0
    G v_E = 0 for bilateral constraints

after Moreau (1988) as given by Leine & Glocker (2003); gamma = J_M v, so that the approach velocity
gamma_A is taken at the midpoint, as in the listing of the biped report. Other impact laws than
Newton's change v_A first (``footfall.engines.impacts``); the forces then act with e_n = e_t = 0.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import (
    Mode,
    add_restitution,
    break_away,
    catch_reversed,
    classify,
    friction_at_start,
)
from footfall.contact.coefficients import E_N, E_T, MU, MU_STATIC, PRELOAD, SIDE
from footfall.engines.impacts import (
    NEWTON,
    Solved,
    SolverOptions,
    also,
    give_normal_impulses,
    impact,
    numbers_of_failure,
    solved,
)
from footfall.engines.record import (
    CONSTRAINT_WORK,
    ENERGY_GAIN,
    ENERGY_RESIDUAL,
    IMPULSE,
    ITERATIONS,
    MODE,
    RESIDUAL,
    STAGE,
    VELOCITY,
    WORK,
)
from footfall.engines.rows import (
    after_force,
    back_substitute,
    cholesky,
    forward_substitute,
    held_rows,
    held_velocity,
    hold,
    let_rigid_rows_be,
    rigid_rows,
    rows_and_guess,
    work_of_holding,
)
from footfall.jit import njit
from footfall.solvers.problem import SOLVED

# what ``classify`` takes for zero: a share of the largest impulse, and a share of this speed [m/s]
MODE_TOLERANCE = 1e-8
MODE_SPEED = 1.0
REST = MODE_TOLERANCE * MODE_SPEED
# of the speed that the step's forces give: an approach that is slower is rounding, and no impact
_SLIGHT = 1e-9
_OPEN, _STICK = int(Mode.OPEN), int(Mode.STICK)


class ContactStep(NamedTuple):
    """A step with the k active of n contacts, as its kernel takes it.

    constraints (m, nv): bilateral rows G. jacobian (k, 3, nv), rows [n, t, s]; active (k,) indices;
    laws (n, columns of ``contact.coefficients``). guess (k, 3): impulses of the last step; before
    (k,): modes there. after: rows of the record of this one, places (k,): those of the active ones.
    """

    mass: Array
    force: Array
    v_a: Array
    dt: float
    constraints: Array
    jacobian: Array
    active: npt.NDArray[np.int64]
    laws: Array
    guess: Array
    before: npt.NDArray[np.int64]
    after: Array
    places: npt.NDArray[np.int64]
    dim: int
    impact_law: int
    options: SolverOptions


class Balance(NamedTuple):
    """Energy of a step [J].

    constraint_work: of the bilateral constraints. residual: kinetic energy gained with M held at
    the midpoint, less the work of all forces and impulses; zero but for rounding. gain: what the
    laws of contact gave, where they did not take.
    """

    constraint_work: float
    residual: float
    gain: float


@njit
def free_step(
    mass: Array, force: Array, v_a: Array, dt: float, constraints: Array
) -> tuple[Array, Balance]:
    """End velocity of a step without contact, under the bilateral rows G v_E = 0, (m, nv)."""
    lower = cholesky(mass)
    held = hold(lower, constraints)
    free = after_force(lower, force, v_a, dt)
    v_e = held_velocity(lower, held, free)
    nothing = np.zeros((0, v_a.size))
    constraint_work = work_of_holding(held, nothing, np.zeros(0), free, v_a, v_e)
    work = float(0.5 * dt * force @ (v_a + v_e)) + constraint_work
    return v_e, Balance(constraint_work, kinetic_gain(mass, v_a, v_e) - work, 0.0)


@njit
def contact_step(step: ContactStep) -> tuple[Array, Solved, Balance]:
    """Step with the active contacts; fills their rows of ``after``.

    Returns v_E, the last contact problem with its answer, and the energy balance.
    """
    mass, force, v_a = step.mass, step.force, step.v_a
    dt, dim, options = step.dt, step.dim, step.options
    laws = step.laws[step.active]
    rows, guess = rows_and_guess(step.jacobian, laws, step.guess, dim)
    lower = cholesky(mass)
    held = hold(lower, step.constraints)
    half_free = forward_substitute(lower, rows)
    half = held_rows(held, half_free)
    rigid = rigid_rows(half)
    rows[rigid], half_free[rigid], half[rigid] = 0.0, 0.0, 0.0
    delassus = half @ half.T
    let_rigid_rows_be(delassus, rigid, dim)
    gamma_a = rows @ v_a
    mu = friction_at_start(laws[:, MU].copy(), laws[:, MU_STATIC].copy(), gamma_a, dim, REST)

    v_i, r_i, impact_work, spent = v_a, np.zeros(guess.size), 0.0, (0.0, 0)
    if step.impact_law != NEWTON and _strikes(lower, force, v_a, dt, rows, gamma_a, dim):
        at_start = held_velocity(lower, held, v_a)
        gamma = rows @ at_start
        r_i, problem = impact(step.impact_law, delassus, gamma, mu, laws, dim, options)
        if problem.status != SOLVED:
            return v_a, problem, Balance(0.0, 0.0, 0.0)
        spent = problem.residual, problem.iterations
        v_i = at_start + back_substitute(lower, half.T @ r_i)
        impact_work = work_of_holding(held, half_free, r_i, v_a, v_a, v_i)

    free = after_force(lower, force, v_i, dt)
    v_free = held_velocity(lower, held, free)
    q = rows @ v_free
    if step.impact_law == NEWTON:
        add_restitution(q, gamma_a, laws[:, E_N].copy(), laws[:, E_T].copy(), dim)
    gamma_i = rows @ v_i
    problem = _with_friction(delassus, q, mu, laws, gamma_i, guess, dt, dim, options)
    problem = also(problem, *spent)
    v_e = v_free + back_substitute(lower, half.T @ problem.r)

    gamma_e = rows @ v_e
    works = np.empty(mu.size)
    gain = 0.0
    gamma_free = rows @ v_free
    for i in range(mu.size):
        block = slice(i * dim, (i + 1) * dim)
        struck = float(0.5 * r_i[block] @ (gamma_a[block] + gamma_i[block]))
        works[i] = struck + 0.5 * problem.r[block] @ (gamma_i[block] + gamma_e[block])
        if laws[i, PRELOAD] == 0.0:
            law = 0.5 * problem.r[block] @ (gamma_free[block] + gamma_e[block])
            gain += struck + float(law)
    constraint_work = impact_work + work_of_holding(held, half_free, problem.r, free, v_i, v_e)
    work = float(0.5 * dt * force @ (v_i + v_e)) + works.sum() + constraint_work
    balance = Balance(constraint_work, kinetic_gain(mass, v_a, v_e) - work, min(gain, works.sum()))
    acting, gamma = (r_i, np.zeros_like(gamma_e)) if r_i.any() else (problem.r, gamma_e)
    works -= turning_works(step.before, acting, gamma_a, gamma, gamma_e, dim)
    write_rows(step.after, step.places, problem.r + r_i, gamma_e, works, mu, laws, dim)
    return v_e, problem, balance


@njit
def turning_works(
    before: npt.NDArray[np.int64], r: Array, gamma_a: Array, gamma: Array, gamma_e: Array, dim: int
) -> Array:
    """Work (k,) of impulses r on contacts that stay closed, as J turns from step to step [J].

    A closed contact does not approach, and one that sticks does not slide: where v_A does so with
    the J of this step and did not with that of the last one, it is the step's error, and no law's.
    gamma_a, gamma: velocities before and after r; gamma_e: at the end of the step.
    """
    works = np.zeros(before.size)
    for i in np.flatnonzero(before != _OPEN):
        n, end = i * dim, (i + 1) * dim
        sticks = before[i] == _STICK and np.abs(gamma_e[n + 1 : end]).max() <= REST
        for k in range(n, end if sticks else n + 1):
            works[i] += 0.5 * r[k] * (gamma_a[k] + gamma[k])
    return works


@njit
def _strikes(
    lower: Array, force: Array, v_a: Array, dt: float, rows: Array, gamma_a: Array, dim: int
) -> bool:
    """Return whether a closed contact approaches by more than rounding, as at rest."""
    approach = gamma_a[::dim].min()
    if approach >= 0.0:
        return False
    gained = rows @ (after_force(lower, force, v_a, dt) - v_a)
    return bool(approach < -_SLIGHT * np.abs(gained[::dim]).max())


@njit
def recorded_step(record: Array, step: ContactStep) -> tuple[Array, Array]:
    """Do what ``contact_step`` does and fill the record's tail; v_E and `numbers_of_failure`.

    What else the step knows stays in compiled code: handing it out takes microseconds.
    """
    v_e, problem, balance = contact_step(step)
    write_tail(record, problem, balance)
    return v_e, numbers_of_failure(problem)


@njit
def write_tail(record: Array, problem: Solved, balance: Balance) -> None:
    """Write how a step was solved, and its energy, behind the rows of its record."""
    record[RESIDUAL], record[ITERATIONS] = problem.residual, problem.iterations
    record[STAGE], record[CONSTRAINT_WORK] = problem.stage, balance.constraint_work
    record[ENERGY_RESIDUAL], record[ENERGY_GAIN] = balance.residual, balance.gain


@njit
def actuated_force(actuation_matrix: Array, tau: Array, limits: Array) -> Array:
    """Generalized force B tau (nv,) of the actuators, each within its limit."""
    force = np.zeros(actuation_matrix.shape[0])
    for a in range(tau.size):
        within = min(max(tau[a], -limits[a]), limits[a])
        for v in range(force.size):
            force[v] += actuation_matrix[v, a] * within
    return force


@njit
def kinetic_gain(mass: Array, v: Array, v_end: Array) -> float:
    """Kinetic energy gained from v to v_end [J]."""
    return float(0.5 * (v_end - v) @ (mass @ (v_end + v)))


@njit
def _with_friction(
    delassus: Array,
    q: Array,
    mu: Array,
    laws: Array,
    gamma: Array,
    guess: Array,
    dt: float,
    dim: int,
    options: SolverOptions,
) -> Solved:
    """Solve the step's problem, again while contacts come to rest in it or break away.

    gamma (k*dim,): velocities when the forces begin to act. mu becomes what the contacts end with.
    """
    give_normal_impulses(delassus, q, laws, dt, dim)
    kinetic, static = laws[:, MU].copy(), laws[:, MU_STATIC].copy()
    caught = np.zeros(mu.size, dtype=np.bool_)
    while True:
        problem = solved(delassus, q, mu, guess, dim, options)
        if problem.status != SOLVED:
            return problem
        if catch_reversed(mu, static, caught, gamma, problem.u, dim):
            continue
        if not break_away(mu, kinetic, problem.r, problem.u, dim, REST):
            return problem


@njit
def write_rows(
    after: Array,
    places: npt.NDArray[np.int64],
    r: Array,
    gamma_e: Array,
    works: Array,
    mu: Array,
    laws: Array,
    dim: int,
) -> None:
    """Write impulses, velocities, work and modes of the active contacts into their rows."""
    count = places.size
    impulse, velocity = np.zeros((count, 3)), np.zeros((count, 3))
    for i in range(count):
        for d in range(dim):
            impulse[i, d], velocity[i, d] = r[i * dim + d], gamma_e[i * dim + d]
    modes = classify(impulse, velocity, mu, MODE_TOLERANCE, MODE_SPEED)
    for i in range(count):
        for d in range(dim):
            stretch = laws[i, SIDE] if d == 2 else 1.0
            after[places[i], IMPULSE + d] = stretch * impulse[i, d]
            after[places[i], VELOCITY + d] = velocity[i, d] / stretch
        after[places[i], WORK] = works[i]
        after[places[i], MODE] = modes[i]

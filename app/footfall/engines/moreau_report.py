"""Contact report of a Moreau step, from its record; its contact problem, solved or not."""

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.contact.coefficients import E_N, E_T, MU, MU_STATIC, SIDE
from footfall.engines.contact_part import BOUND, LAST, MU_NOW, RIGID, Q, R, U
from footfall.engines.impacts import ACCEPTED, NEWTON, Solved
from footfall.engines.ports import ContactReport
from footfall.engines.record import (
    CONSTRAINT_GAP,
    CONSTRAINT_WORK,
    ENERGY_GAIN,
    ENERGY_RESIDUAL,
    GAP,
    IMPULSE,
    ITERATIONS,
    MODE,
    NORMAL,
    POINT,
    RESIDUAL,
    STAGE,
    VELOCITY,
    WORK,
    known_rows,
)
from footfall.engines.summary import impulses_of_contacts, summary
from footfall.engines.tables import EXTRA, V_FREE, V_I, VECTORS, Machine, Memory
from footfall.errors import RunError
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.dynamics import Dynamics
from footfall.plants.flat.dynamics import full_matrix
from footfall.solvers import (
    ContactNotSolved,
    ContactProblem,
    Impulses,
    SolverStage,
    SolverStatus,
    StepProblem,
    natural_map_residual,
)
from footfall.solvers.compact import DRY, expand
from footfall.solvers.problem import NOT_SOLVED

START = VECTORS - 1  # row of the memory: velocity that a step of second order starts from


def impulses_of(record: Array, contacts: ContactSet, axes: ContactAxes) -> Array:
    """Impulses of the contacts that are reported, (n, 3) in [n, t, s] [N s]."""
    rows, which = known_rows(record)
    axes_W = axes.about_each(rows[:, NORMAL : NORMAL + 3].copy())
    impulse = rows[:, IMPULSE : IMPULSE + 3]
    return impulses_of_contacts(impulse, rows[:, GAP], axes_W, contacts, which)


def report_of(record: Array, contacts: ContactSet, axes: ContactAxes) -> ContactReport:
    """The report of a record; axes: those that belong to a normal."""
    rows, which = known_rows(record)
    axes_W = axes.about_each(rows[:, NORMAL : NORMAL + 3].copy())
    dry = len(contacts) - len(contacts.frictions)
    rows[which >= dry, GAP] = np.nan  # dry joints have no gap
    points = ContactReport(
        names=contacts.names,
        p_WC=rows[:, POINT : POINT + 3],
        gap=rows[:, GAP],
        impulse=rows[:, IMPULSE : IMPULSE + 3],
        velocity=rows[:, VELOCITY : VELOCITY + 3],
        mode=rows[:, MODE].astype(np.int8),
        work=rows[:, WORK],
        residual=float(record[RESIDUAL]),
        iterations=int(record[ITERATIONS]),
        stage=int(record[STAGE]),
        constraint_gap=float(record[CONSTRAINT_GAP]),
        constraint_work=float(record[CONSTRAINT_WORK]),
        energy_residual=float(record[ENERGY_RESIDUAL]),
        energy_gain=float(record[ENERGY_GAIN]),
    )
    return summary(points, axes_W, contacts, which)


def failed_problem(machine: Machine, memory: Memory, record: Array) -> Solved:
    """Return the problem that a step left unsolved in the memory, with all rows of each contact.

    record: of the step.
    """
    g, count, dim = memory.group, int(memory.counts[4]), machine.surfaces.dim
    rows, n, mu = g.rows, g.first[count], g.contacts[MU_NOW]
    r, u = np.zeros((2, count * dim))
    if machine.rules.impact_law != NEWTON:
        place = np.arange(n)
        parts = g.W[:n, :n].copy(), rows[Q, :n].copy(), mu[:count].copy(), rows[LAST, :n].copy()
    else:
        first = g.first[: count + 1]
        contact = np.repeat(np.arange(count), np.diff(first))
        place = np.arange(n) - first[contact] + dim * contact + (g.kind[contact] == DRY)
        known = g.contacts[BOUND], g.W, rows[Q], rows[LAST]
        parts = expand(count, g.kind, g.first, dim, mu, *known)
    r[place], u[place] = rows[R, :n], rows[U, :n]
    stage, iterations = int(record[STAGE]), int(record[ITERATIONS])
    return Solved(*parts, r, u, float(record[RESIDUAL]), stage, iterations, NOT_SOLVED)


def unsolved(failed: Solved, dim: int, tolerance: float) -> ContactNotSolved:
    """Return the error of a step, with its problem and the best impulses."""
    problem = ContactProblem(failed.W, failed.q, failed.mu, dim, failed.guess)
    stage, status = SolverStage(failed.stage), SolverStatus.NOT_SOLVED
    best = Impulses(failed.r, failed.u, failed.residual, stage, failed.iterations, status)
    return ContactNotSolved(problem, best, max(tolerance, ACCEPTED))


def problem_of(
    machine: Machine,
    memory: Memory,
    dynamics: Dynamics,
    contacts: ContactSet,
    state: Array,
    record: Array,
) -> StepProblem:
    """Return the contact problem of the step that the memory holds, all islands in one.

    The Jacobian is that of the dynamics and W is set up densely, both apart from compiled code.
    state: [q; v] at the start of the step; record: of its end. Raises RunError for a step with an
    impact that comes before the forces.
    """
    s, begun, rules, dim = machine.surfaces, memory.begun, machine.rules, machine.surfaces.dim
    q_m, count, full = memory.q_m, int(memory.counts[0]), rules.impact_law != NEWTON
    active, nq, v_a = begun.active[:count].copy(), q_m.size, state[memory.q_m.size :]
    if full and not np.array_equal(memory.vectors[V_I], v_a):
        raise RunError("the step has an impact that is no part of its contact problem.")
    dynamics.set_state(np.concatenate((q_m, v_a)))
    G = dynamics.constraint_jacobian()
    if rules.midpoint:  # whose contacts are measured where the middle was foreseen
        q_m = dynamics.advance_positions(state[:nq], v_a, 0.5 * rules.dt)
        dynamics.set_state(np.concatenate((q_m, v_a)))
        v_a = memory.vectors[START]
    mask, laws = np.zeros(len(contacts), dtype=np.bool_), s.laws[active]
    mask[active] = True
    J = dynamics.contact_jacobian(mask)[:, :dim].copy()
    J[:, 2:] *= laws[:, SIDE].reshape(-1, 1, 1)
    J = J.reshape(count * dim, len(v_a))
    mass = memory.mass.copy()
    mass[np.arange(len(v_a)), machine.depth] += memory.vectors[EXTRA]
    M = full_matrix(machine.depth, machine.path, mass)
    moved = np.linalg.solve(M, J.T)
    if len(G):
        held = np.linalg.solve(M, G.T)
        moved -= held @ np.linalg.lstsq(G @ held, G @ moved, rcond=None)[0]
    v_free = memory.vectors[V_FREE]
    surface = active < len(s.links)
    dry = active >= len(s.links) + s.stops
    bounce = np.zeros((count, dim))
    if not full:
        bounce[:, 0], bounce[:, 1:] = laws[:, E_N], laws[:, E_T].reshape(-1, 1)
        bounce[dry] = 0.0
    w = bounce.ravel() * (J @ v_a)
    W, q = J @ moved, J @ v_free + w
    known, which = known_rows(record)
    rows = known[np.searchsorted(which, active)]
    stretch = np.ones((count, dim))
    stretch[:, 2:] = laws[:, SIDE].reshape(-1, 1)
    r = (rows[:, IMPULSE : IMPULSE + dim] / stretch).ravel()
    sticks = (rows[:, MODE] == Mode.STICK) & (laws[:, MU_STATIC] > laws[:, MU])
    mu = np.where(surface | (full & dry), np.where(sticks, laws[:, MU_STATIC], laws[:, MU]), dry)
    _give_diagonals(W, q, dim, np.where(dry, r[::dim], 0.0))
    return StepProblem(
        W,
        q,
        mu,
        dim,
        (begun.guess[:count, :dim] / stretch).ravel(),
        r=r,
        residual=natural_map_residual(W, q, mu, dim, r),
        stage=SolverStage(int(record[STAGE])),
        names=tuple(contacts.names[k] for k in contacts.reported_as[active]),
        M=M,
        H=J.T.copy(),
        G=G.T.copy(),
        f=M @ v_free,
        w=w,
        v=v_free + moved @ r,
    )


def _give_diagonals(W: Array, q: Array, dim: int, given: Array) -> None:
    """Give rows along which nothing moves a diagonal of their own, as the step does.

    given (n,): normal impulses of dry joints [N s], else 0.
    """
    still = np.diag(W) <= RIGID * np.diag(W).max(initial=0.0)
    W[still], W[:, still], q[still] = 0.0, 0.0, 0.0
    largest = np.repeat(np.diag(W).reshape(-1, dim).max(axis=1, initial=0.0), dim)
    W[still, still] = np.where(largest > 0.0, largest, 1.0)[still]
    q[::dim] -= np.diag(W)[::dim] * given

"""Contact report of a Moreau step, from its record; the failure of one that is not solved."""

import numpy as np

from footfall.arrays import Array, Indices
from footfall.contact.coefficients import SIDE
from footfall.engines.impacts import ACCEPTED, Solved
from footfall.engines.islands import (
    Island,
    IslandsStep,
    dense_step,
    islands_step,
    velocities_of,
)
from footfall.engines.moreau_step import ContactStep, contact_step
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
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import ContactAxes
from footfall.solvers import ContactNotSolved, ContactProblem, Impulses, SolverStage, SolverStatus


def impulses_of(record: Array, contacts: ContactSet, axes: ContactAxes) -> Array:
    """Impulses of the contacts that are reported, (n, 3) in [n, t, s] [N s]."""
    rows, which = known_rows(record)
    axes_W = axes.about_each(rows[:, NORMAL : NORMAL + 3])
    impulse = rows[:, IMPULSE : IMPULSE + 3]
    return impulses_of_contacts(impulse, rows[:, GAP], axes_W, contacts, which)


def report_of(record: Array, contacts: ContactSet, axes: ContactAxes) -> ContactReport:
    """The report of a record; axes: those that belong to a normal."""
    rows, which = known_rows(record)
    axes_W = axes.about_each(rows[:, NORMAL : NORMAL + 3])
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


def unsolved(step: ContactStep) -> ContactNotSolved:
    """Return the error of a step that is not solved, with its problem and the best impulses."""
    return _not_solved(contact_step(step)[1], step)


def _not_solved(found: Solved, step: ContactStep) -> ContactNotSolved:
    problem = ContactProblem(found.W, found.q, found.mu, step.dim, found.guess)
    stage, status = SolverStage(found.stage), SolverStatus(found.status)
    best = Impulses(found.r, found.u, found.residual, stage, found.iterations, status)
    return ContactNotSolved(problem, best, max(step.options.tolerance, ACCEPTED))


def unsolved_island(islands: IslandsStep, failed: Indices) -> ContactNotSolved:
    """Return the error of a step in which these contacts, an island, were not solved."""
    of_tree = np.unique(islands.blocks.trees[failed])
    island = Island(of_tree[of_tree >= 0], failed)
    velocities = velocities_of(islands.trees, island.trees)
    step = dense_step(islands, island, velocities, islands.step.options)
    found = islands_step(islands)[1]
    if found.W.size > 0:
        return unsolved(step)
    half = np.linalg.solve(np.linalg.cholesky(step.mass), _stretched_rows(step).T)
    return _not_solved(found._replace(W=half.T @ half), step)


def _stretched_rows(step: ContactStep) -> Array:
    """Rows of the Jacobian as the contact problem has them, (k*dim, nv)."""
    rows = step.jacobian[:, : step.dim].copy()
    if step.dim == 3:
        rows[:, 2] *= step.laws[step.active, SIDE, None]
    return rows.reshape(-1, rows.shape[2])

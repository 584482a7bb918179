"""Contact report of a Moreau step, from its record; the failure of one that is not solved."""

import numpy as np

from footfall.arrays import Array
from footfall.engines.impacts import ACCEPTED
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


def unsolved(numbers: Array, dim: int, tolerance: float) -> ContactNotSolved:
    """Return the error of a step, with its problem and the best impulses.

    numbers: those that ``footfall.engines.impacts.numbers_of_failure`` puts together.
    """
    count, residual, stage, iterations = numbers[:4].tolist()
    size = int(count) * dim
    parts = np.split(numbers[4:], np.cumsum((int(count), size, size, size, size)))
    mu, q, guess, r, u, W = parts
    problem = ContactProblem(W.reshape(size, size), q, mu, dim, guess)
    stage, status = SolverStage(int(stage)), SolverStatus.NOT_SOLVED
    best = Impulses(r, u, residual, stage, int(iterations), status)
    return ContactNotSolved(problem, best, max(tolerance, ACCEPTED))

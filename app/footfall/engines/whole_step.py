"""A step of Moreau's midpoint rule in one compiled kernel."""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.engines.impacts import SolverOptions
from footfall.engines.moreau_step import ContactStep, free_step, recorded_step
from footfall.engines.record import CONSTRAINT_WORK, BegunRecord, begin_record, rows_of
from footfall.jit import njit
from footfall.plants.contacts.measure import Normals
from footfall.plants.flat.dynamics import Scratch, advance, full_matrix, mass_and_force
from footfall.plants.flat.touch import Touch, gaps, jacobian
from footfall.plants.flat.tree import Tree


@njit
def whole_step(
    tree: Tree,
    work: Scratch,
    touch: Touch,
    normals: Normals,
    laws: Array,
    options: SolverOptions,
    impact_law: int,
    release: float,
    dt: float,
    q: Array,
    v: Array,
    motors: Array,
    extra: Array,
    last: Array,
) -> tuple[Array, Array, Array, Array]:
    q_m, q_e = np.empty_like(q), np.empty_like(q)
    advance(tree.kind, tree.position, tree.velocity, q, v, 0.5 * dt, q_m)
    mass_and_force(tree, work, q_m, v)
    count, nv = touch.kind.size, v.size
    gap, place = np.zeros(count), np.full((count, 3), np.nan)
    gaps(
        touch.kind, touch.link, touch.p, touch.radius, touch.position, touch.sign, touch.bound,
        touch.axes, touch.level, q_m, work.pose, gap, place,
    )
    begun = begin_record(gap, place, normals, last, 0.0, release)
    mass = full_matrix(tree.depth, tree.path, work.H)
    for k in range(nv):
        mass[k, k] += extra[k]
    force = work.h + motors
    none = np.zeros((0, nv))
    record = begun.record
    failure = np.zeros(0)
    if begun.active.size == 0:
        v_e, balance = free_step(mass, force, v, dt, none)
        record[CONSTRAINT_WORK], record[CONSTRAINT_WORK + 1] = balance.constraint_work, balance.residual
    else:
        rows = jacobian(
            touch.kind, touch.link, touch.velocity, touch.sign, touch.axes, tree.reference,
            tree.depth, tree.path, work.pose, work.twist, begun.active, place, nv,
        )
        after = record[: record.size - 7].reshape(-1, 16)
        step = ContactStep(
            mass, force, v, dt, none, rows, begun.active, laws, begun.guess, begun.before,
            after, begun.places, touch.dim, impact_law, options,
        )
        v_e, failure = recorded_step(record, step)
    advance(tree.kind, tree.position, tree.velocity, q_m, v_e, 0.5 * dt, q_e)
    return q_e, v_e, record, failure


@njit
def many(tree, work, touch, normals, laws, options, impact_law, release, dt, q, v, motors, extra, last, n):
    for _ in range(n):
        q, v, last, f = whole_step(tree, work, touch, normals, laws, options, impact_law, release, dt, q, v, motors, extra, last)
    return q, v, last

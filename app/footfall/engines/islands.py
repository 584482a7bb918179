"""A step of many trees of links: each island of trees that contacts join is solved apart.

Trees that nothing touches move freely. A small island has its contact problem set up densely, as
that of a single machine is; one with many rows is solved for the velocities of its trees, whose
matrix has blocks where trees touch.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.engines.impacts import NEWTON, Solved, SolverOptions, also, numbers_of_failure
from footfall.engines.moreau_step import Balance, ContactStep, contact_step, free_step, write_tail
from footfall.engines.network_step import NetworkStep, network_step
from footfall.engines.rows import after_force, cholesky
from footfall.jit import njit
from footfall.plants.contacts.measure import JacobianBlocks
from footfall.plants.kinematics import Trees
from footfall.solvers.kernels import FALLBACK_CHAIN
from footfall.solvers.problem import NEWTON as NEWTONS_METHOD
from footfall.solvers.problem import SOLVED

# rows of an island, beyond which it is solved for velocities; of one tree alone, which has fewer
# blocks to gain by
MANY_ROWS, MANY_OF_A_TREE = 36, 60
NEWTON_ROWS, _NEWTON_STEPS = 60, 15  # up to so many, a few steps of Newton's method come first
MOST_ROWS = 600  # of one that is tried densely where that fails; it takes seconds


class IslandsStep(NamedTuple):
    """The like of ``ContactStep``, with the Jacobian in blocks and no bilateral constraints."""

    step: ContactStep
    blocks: JacobianBlocks
    trees: Trees


class Island(NamedTuple):
    """Trees (n,) that contacts (k,) join; contacts are places among the active ones."""

    trees: Indices
    contacts: Indices


@njit
def accelerations_of(mass: Array, force: Array, trees: Trees) -> Array:
    """M^-1 f, tree by tree, (nv,)."""
    found = np.empty(force.size)
    for tree in range(trees.sizes.size):
        at = slice(trees.starts[tree], trees.starts[tree] + trees.sizes[tree])
        lower = cholesky(np.ascontiguousarray(mass[at, at]))
        found[at] = after_force(lower, force[at], np.zeros(trees.sizes[tree]), 1.0)
    return found


@njit
def islands_of(touched: Indices, count: int) -> tuple[Indices, Indices]:
    """Island of each of so many trees, (count,), -1 for those untouched; and of each contact.

    touched (k, 2): the trees of the contacts, -1 for none.
    """
    leader = np.arange(count)
    for k in range(touched.shape[0]):
        a, b = touched[k]
        if a >= 0 and b >= 0:
            a, b = _leader(leader, a), _leader(leader, b)
            leader[max(a, b)] = min(a, b)
    number, islands = np.full(count, -1), 0
    of_tree, of_contact = np.full(count, -1), np.full(touched.shape[0], -1)
    for k in range(touched.shape[0]):
        first = _leader(leader, touched[k, 0])
        if number[first] < 0:
            number[first] = islands
            islands += 1
        of_contact[k] = number[first]
    for tree in range(count):
        of_tree[tree] = number[_leader(leader, tree)]
    return of_tree, of_contact


@njit
def _leader(leader: Indices, tree: int) -> int:
    while leader[tree] != tree:
        leader[tree] = leader[leader[tree]]
        tree = leader[tree]
    return tree


@njit
def islands_step(all_of: IslandsStep) -> tuple[Array, Solved, Balance]:
    """Step of all islands; fills the rows of ``after``.

    Returns v_E, the worst problem with its answer or the first that was not solved, and the energy
    balance of all islands.
    """
    step, trees = all_of.step, all_of.trees
    of_tree, of_contact = islands_of(all_of.blocks.trees, trees.sizes.size)
    v_e, none = step.v_a.copy(), np.zeros(0)
    worst = Solved(np.zeros((0, 0)), none, none, none, none, none, 0.0, 0, 0, 0)
    constraint_work, residual, gain, iterations = 0.0, 0.0, 0.0, 0
    for tree in range(trees.sizes.size):
        if of_tree[tree] >= 0:
            continue
        at = slice(trees.starts[tree], trees.starts[tree] + trees.sizes[tree])
        mass = np.ascontiguousarray(step.mass[at, at])
        nothing = np.zeros((0, trees.sizes[tree]))
        v_e[at], balance = free_step(mass, step.force[at], step.v_a[at], step.dt, nothing)
        residual += balance.residual
    for number in range(of_contact.max() + 1 if of_contact.size > 0 else 0):
        island = Island(np.flatnonzero(of_tree == number), np.flatnonzero(of_contact == number))
        solved, balance = _island_step(all_of, island, v_e)
        constraint_work += balance.constraint_work
        residual, gain = residual + balance.residual, gain + balance.gain
        iterations += solved.iterations
        if solved.status != SOLVED:
            return v_e, solved, Balance(constraint_work, residual, gain)
        if solved.residual >= worst.residual:
            worst = solved
    balance = Balance(constraint_work, residual, gain)
    answer = also(worst, worst.residual, iterations - worst.iterations)
    return v_e, answer, balance


@njit
def recorded_islands(record: Array, all_of: IslandsStep) -> tuple[Array, Array]:
    """Do what ``islands_step`` does and fill the record's tail; v_E and `numbers_of_failure`."""
    v_e, problem, balance = islands_step(all_of)
    write_tail(record, problem, balance)
    return v_e, numbers_of_failure(problem)


@njit
def _island_step(all_of: IslandsStep, island: Island, v_e: Array) -> tuple[Solved, Balance]:
    """Step of one island; writes its part of v_E and its rows of ``after``."""
    step, rows = all_of.step, _rows_of(all_of, island)
    options, most = step.options, MANY_ROWS if island.trees.size > 1 else MANY_OF_A_TREE
    if rows <= most or step.impact_law != NEWTON or options.method != FALLBACK_CHAIN:
        return _densely(all_of, island, options, v_e)
    if rows <= NEWTON_ROWS:
        few = SolverOptions(
            NEWTONS_METHOD, options.tolerance, options.prox_parameter, _NEWTON_STEPS
        )
        solved, balance = _densely(all_of, island, few, v_e)
        if solved.residual <= options.tolerance:
            return solved, balance
    network = _network(all_of, island)
    solved, balance = network_step(network, v_e)
    if solved.residual <= options.tolerance or island.contacts.size * step.dim > MOST_ROWS:
        return solved, balance
    dense, of_dense = _densely(all_of, island, options, v_e)
    if dense.residual <= solved.residual:
        return dense, of_dense
    return network_step(network, v_e)  # the nearer of the two, written anew


@njit
def _densely(
    all_of: IslandsStep, island: Island, options: SolverOptions, v_e: Array
) -> tuple[Solved, Balance]:
    """Step of an island with a dense Jacobian; writes its part of v_E."""
    velocities = velocities_of(all_of.trees, island.trees)
    local, solved, balance = contact_step(dense_step(all_of, island, velocities, options))
    for k in range(velocities.size):
        v_e[velocities[k]] = local[k]
    return solved, balance


@njit
def _rows_of(all_of: IslandsStep, island: Island) -> int:
    """Count the rows of an island that move something: joint limits and dry joints have one."""
    count = 0
    for contact in island.contacts:
        for d in range(all_of.step.dim):
            count += 1 if np.any(all_of.blocks.rows[contact, :, d] != 0.0) else 0
    return count


@njit
def velocities_of(trees: Trees, some: Indices) -> Indices:
    """Places of the velocities of some trees."""
    places = np.empty(trees.sizes[some].sum(), dtype=np.int64)
    end = 0
    for tree in some:
        for column in range(trees.sizes[tree]):
            places[end] = trees.starts[tree] + column
            end += 1
    return places


@njit
def dense_step(
    all_of: IslandsStep, island: Island, velocities: Indices, options: SolverOptions
) -> ContactStep:
    """The step of an island alone, with its own velocities and a dense Jacobian."""
    step, blocks, trees = all_of.step, all_of.blocks, all_of.trees
    size, contacts = velocities.size, island.contacts
    mass = np.zeros((size, size))
    first = np.full(trees.sizes.size, -1)
    end = 0
    for tree in island.trees:
        first[tree] = end
        at, start, width = end, trees.starts[tree], trees.sizes[tree]
        mass[at : at + width, at : at + width] = step.mass[
            start : start + width, start : start + width
        ]
        end += width
    jacobian = np.zeros((contacts.size, 3, size))
    for k, contact in enumerate(contacts):
        for side in range(2):
            tree = blocks.trees[contact, side]
            if tree >= 0:
                for d in range(3):
                    for column in range(trees.sizes[tree]):
                        entry = blocks.rows[contact, side, d, column]
                        jacobian[k, d, first[tree] + column] = entry
    return ContactStep(
        mass,
        step.force[velocities],
        step.v_a[velocities],
        step.dt,
        np.zeros((0, size)),
        jacobian,
        step.active[contacts],
        step.laws,
        step.guess[contacts],
        step.before[contacts],
        step.after,
        step.places[contacts],
        step.dim,
        step.impact_law,
        options,
    )


@njit
def _network(all_of: IslandsStep, island: Island) -> NetworkStep:
    """The step of an island alone, with blocks."""
    step, trees, contacts = all_of.step, all_of.trees, island.contacts
    number = np.full(trees.sizes.size, -1)
    for k, tree in enumerate(island.trees):
        number[tree] = k
    touched = all_of.blocks.trees[contacts]
    for k in range(touched.shape[0]):
        for side in range(2):
            if touched[k, side] >= 0:
                touched[k, side] = number[touched[k, side]]
    sizes = trees.sizes[island.trees]
    return NetworkStep(
        step.mass,
        step.force,
        step.v_a,
        step.dt,
        trees.starts[island.trees],
        sizes,
        np.cumsum(sizes) - sizes,
        all_of.blocks.rows[contacts],
        touched,
        step.laws[step.active[contacts]],
        step.guess[contacts],
        step.before[contacts],
        step.after,
        step.places[contacts],
        step.dim,
        step.options.tolerance,
        step.options.max_iterations,
    )

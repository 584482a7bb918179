"""Islands: trees of links that contacts join, and the step of a large one as a network of trees."""

import numpy as np

from footfall.arrays import Array, Indices
from footfall.engines.contact_part import contact_rows
from footfall.engines.network_step import NetworkStep
from footfall.engines.tables import FREE, Machine, Memory
from footfall.jit import njit


@njit
def touched_trees(
    count: int, active: Indices, links: Indices, column: Indices, last: Indices, tree_of: Indices
) -> Indices:
    """Trees that the active contacts touch, (count, 2), -1 for none.

    links (m, 2): of contacts of surfaces; column (n, 2): as of ``JointTable``. last: of the links,
    tree_of (nv,).
    """
    touched = np.full((count, 2), -1)
    for i in range(count):
        c = active[i]
        if c >= links.shape[0]:
            touched[i, 0] = tree_of[column[c - links.shape[0], 1]]
            continue
        for end in range(2):  # the first may be fixed
            v_last = last[links[c, end]]
            if v_last >= 0 and touched[i, 0] < 0:
                touched[i, 0] = tree_of[v_last]
            elif v_last >= 0 and tree_of[v_last] != touched[i, 0]:
                touched[i, 1] = tree_of[v_last]
    return touched


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
def mark_islands(
    count: int,
    active: Indices,
    links: Indices,
    column: Indices,
    last: Indices,
    tree_of: Indices,
    of_tree: Indices,
    of_contact: Indices,
) -> int:
    """Fill the island of each tree, -1 for untouched ones, and of each contact; count them."""
    touched = touched_trees(count, active, links, column, last, tree_of)
    trees, contacts = islands_of(touched, of_tree.size)
    of_tree[:] = trees
    islands = 0
    for i in range(count):
        of_contact[i] = contacts[i]
        islands = max(islands, contacts[i] + 1)
    return islands


@njit
def network_of(
    m: Machine, w: Memory, count: int, number: int, v_a: Array, after: Array
) -> NetworkStep:
    """The step of an island by its number, of so many contacts in ``Memory.some``.

    v_a (nv,): velocities at the start; after: rows of the record.
    """
    s, tree_of, begun, rules = m.surfaces, m.tree.tree, w.begun, m.rules
    some, of_tree, last, J = w.some, w.of_tree, m.tree.last, w.group.J
    trees = np.flatnonzero(of_tree == number)
    local, sizes = np.full(of_tree.size, -1), np.zeros(trees.size, dtype=np.int64)
    starts = np.full(trees.size, -1)
    for k in range(trees.size):
        local[trees[k]] = k
    for k in range(tree_of.size):
        tree = local[tree_of[k]]
        if tree >= 0:
            if starts[tree] < 0:
                starts[tree] = k
            sizes[tree] += 1
    widest = sizes.max()
    blocks, touched = np.zeros((count, 2, 3, widest)), np.full((count, 2), -1)
    laws = np.empty((count, s.laws.shape[1]))
    own_guess, own_before = np.empty((count, 3)), np.empty(count, dtype=np.int64)
    own_places, dims = np.empty(count, dtype=np.int64), s.dim
    for i in range(count):
        c = begun.active[some[i]]
        laws[i], own_guess[i] = s.laws[c], begun.guess[some[i]]
        own_before[i], own_places[i] = begun.before[some[i]], begun.places[some[i]]
        if c >= s.links.shape[0]:
            joint = c - s.links.shape[0]
            v = s.column[joint, 1]
            tree = local[tree_of[v]]
            touched[i, 0] = tree
            blocks[i, 0, s.column[joint, 0], v - starts[tree]] = s.sign[joint]
            continue
        ends = 0
        for end in range(2):
            v_last = last[s.links[c, end]]
            if v_last >= 0 and (ends == 0 or touched[i, 0] != local[tree_of[v_last]]):
                touched[i, ends] = local[tree_of[v_last]]
                ends += 1
        for side in range(ends):
            tree = touched[i, side]
            for k in range(starts[tree], starts[tree] + sizes[tree]):
                for d in range(dims):
                    J[k, d] = 0.0
        contact_rows(
            s, m.tree, w.work, w.normals, c, 0, 1.0, True, w.place[c], w.group.axes, w.group.used, J
        )  # fmt: skip
        for side in range(ends):
            tree = touched[i, side]
            for k in range(sizes[tree]):
                for d in range(dims):
                    blocks[i, side, d, k] = J[starts[tree] + k, d]
    return NetworkStep(
        m.depth, m.path, w.L, w.vectors[FREE], v_a, rules.dt, starts, sizes,
        np.cumsum(sizes) - sizes, blocks, touched, laws, own_guess, own_before, after, own_places,
        dims, rules.options.tolerance, rules.options.max_iterations,
    )  # fmt: skip

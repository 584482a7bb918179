"""Energies and forces of a tree of links at many states, in one compiled call without matrices."""

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.flat.dynamics import Scratch, mass_and_force, place_links
from footfall.plants.flat.tree import Tree


@njit
def energies(
    tree: Tree,
    work: Scratch,
    gravity: Array,
    states: Array,
    link: Indices,
    p_L: Array,
    kinetic: Array,
    potential: Array,
    p_W: Array,
) -> None:
    """Fill the energies (n,) [J] at n states [q; v], and the places (n, k, 3) [m] of points.

    gravity (3,): as it is now [m/s^2]. potential: of moving links, and of springs. link (k,), p_L
    (k, 3): links of the points, and their places in the frames of these.
    """
    parent, first, pose, twist = tree.parent, tree.velocity, work.pose, work.twist
    nv = tree.depth.size
    for n in range(states.shape[0]):
        q, v = states[n, : states.shape[1] - nv], states[n, states.shape[1] - nv :]
        place_links(tree, work, q)
        _velocities(parent, first, tree.last, twist, v, work.V)
        kinetic[n], potential[n] = energies_at(tree, work, gravity, q, v)
        for k in range(link.size):
            R, p = pose[link[k]], p_L[k]
            for i in range(3):
                p_W[n, k, i] = R[i, 3] + R[i, 0] * p[0] + R[i, 1] * p[1] + R[i, 2] * p[2]


@njit
def energies_at(
    tree: Tree, work: Scratch, gravity: Array, q: Array, v: Array
) -> tuple[float, float]:
    """Return kinetic and potential energy [J] at a state of which work has poses and velocities."""
    T, U = _of_links(
        tree.reference, tree.mass, tree.centre, tree.inertia, gravity, work.pose, work.V
    )
    for k in range(v.size):
        T += 0.5 * tree.rotor[k] * v[k] ** 2
        U += 0.5 * tree.stiffness[k] * (q[tree.sprung[k]] - tree.slack[k]) ** 2
    return T, U


@njit
def energy_about(tree: Tree, work: Scratch, q: Array, v: Array, p_W: Array) -> float:
    """Return the energy [J] as `energies_at`, with nothing that weighs at the height of a point."""
    T, U = energies_at(tree, work, tree.gravity, q, v)
    return T + U + tree.mass[1:].sum() * (tree.gravity * p_W).sum()


@njit
def _velocities(
    parent: Indices, first: Indices, last: Indices, twist: Array, v: Array, V: Array
) -> None:
    """Fill the velocities of links about the reference point of their tree."""
    for link in range(1, parent.size):
        for i in range(6):
            along = V[parent[link], i]
            for k in range(first[link], last[link] + 1):
                along += v[k] * twist[k, i]
            V[link, i] = along


@njit
def _of_links(
    reference: Indices,
    mass: Array,
    centre: Array,
    inertia: Array,
    gravity: Array,
    pose: Array,
    V: Array,
) -> tuple[float, float]:
    """Kinetic energy of links, 1/2 m v_C^2 + 1/2 w I_C w, and potential energy in a field [J]."""
    T = U = 0.0
    for link in range(1, mass.size):
        m, o, R, c, I = mass[link], reference[link], pose[link], centre[link], inertia[link]
        a, b, d = V[link, 0], V[link, 1], V[link, 2]
        p = R[0, 0] * a + R[1, 0] * b + R[2, 0] * d  # the angular velocity in the link's frame
        q = R[0, 1] * a + R[1, 1] * b + R[2, 1] * d
        r = R[0, 2] * a + R[1, 2] * b + R[2, 2] * d
        T += 0.5 * (I[0] * p * p + I[1] * q * q + I[2] * r * r)
        T += I[3] * p * q + I[4] * p * r + I[5] * q * r
        x = R[0, 3] + R[0, 0] * c[0] + R[0, 1] * c[1] + R[0, 2] * c[2]
        y = R[1, 3] + R[1, 0] * c[0] + R[1, 1] * c[1] + R[1, 2] * c[2]
        z = R[2, 3] + R[2, 0] * c[0] + R[2, 1] * c[1] + R[2, 2] * c[2]
        U -= m * (gravity[0] * x + gravity[1] * y + gravity[2] * z)
        x, y, z = x - pose[o, 0, 3], y - pose[o, 1, 3], z - pose[o, 2, 3]
        u = V[link, 3] + b * z - d * y
        v = V[link, 4] + d * x - a * z
        w = V[link, 5] + a * y - b * x
        T += 0.5 * m * (u * u + v * v + w * w)
    return T, U


@njit
def forces(tree: Tree, work: Scratch, states: Array, force: Array) -> None:
    """Fill h without the dampers, (n, nv), at n states [q; v]: gravity, springs and inertia."""
    nv = tree.depth.size
    for n in range(states.shape[0]):
        q, v = states[n, : states.shape[1] - nv], states[n, states.shape[1] - nv :]
        mass_and_force(tree, work, q, v)
        for k in range(nv):
            force[n, k] = work.h[k] + tree.damping[k] * v[k]

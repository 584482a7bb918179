"""Impact laws: Newton's on velocity level, Poisson's, and Chatterjee's.

Poisson's: the impulse of expansion is e_n times that of compression. Compression is a plastic
impact with friction: u_C = W r_C + gamma-, u_Cn = 0 where pressed. In expansion every contact gives
back e_n r_Cn at least, and more only where it would be pressed in again:

    u_E = W r_E + u_C
    r_En - e_n r_Cn >= 0,  u_En >= 0,  (r_En - e_n r_Cn) u_En = 0
    |r_ET| <= mu r_En, against u_ET where it slips

after F. Pfeiffer, Ch. Glocker: Multibody Dynamics with Unilateral Contacts, Wiley 1996, ch. 8, with
no tangential restitution.

Chatterjee and Ruina's algebraic law is for a collision of one contact:

    P_I  = -gamma_n / W_nn n           stops the approach without friction
    P_II = -W^-1 gamma                 stops the contact point
    P    = (1 + e_n) P_I + (1 + e_t) (P_II - P_I)

and where that P leaves the friction cone, the factor 1 + e_t gives way to the kappa that puts P on
it. With e_n <= 1, -1 <= e_t <= 1 the law never gives energy.

Source: A. Chatterjee, A. Ruina: A new algebraic rigid-body collision law based on impulse space
considerations. Journal of Applied Mechanics 65 (1998) 939-951.
"""

import math

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit


@njit
def chatterjee_ruina(W: Array, gamma: Array, mu: float, e_n: float, e_t: float) -> Array:
    """Impulse P (dim,) [N s] of a contact that approaches with gamma (dim,) [m/s], gamma_n < 0.

    W (dim, dim) [1/kg]: the contact's own block, W_nn > 0; it may be singular along a tangent that
    the machine cannot follow, which then bears nothing.
    """
    stop = -gamma[0] / W[0, 0]
    inverse: Array = np.linalg.pinv(W, 1e-12)  # type: ignore[assignment] # pinv has no dtype
    turn = -(inverse @ gamma)  # P_II - P_I
    turn[0] -= stop
    impulse = (1.0 + e_t) * turn
    impulse[0] += (1.0 + e_n) * stop
    if _friction(impulse) <= mu * impulse[0]:
        return impulse
    kappa = mu * (1.0 + e_n) * stop / (_friction(turn) - mu * turn[0])
    impulse = kappa * turn
    impulse[0] += (1.0 + e_n) * stop
    return impulse


@njit
def _friction(impulse: Array) -> float:
    """Size of the tangential part."""
    total = 0.0
    for d in range(1, impulse.size):
        total += impulse[d] ** 2
    return math.sqrt(total)


@njit
def expansion_problem(
    W: Array, u_c: Array, r_c: Array, mu: Array, e_n: Array, dim: int
) -> tuple[Array, Array, Array, npt.NDArray[np.int64]]:
    """Write expansion as a contact problem (W_E, q_E, mu_E) for the impulses.

    W (n*dim, n*dim) [1/kg], u_c, r_c (n*dim,) [m/s, N s] after compression, mu, e_n (n,). The first
    n contacts bear r_En - e_n r_Cn. Behind them each contact that gives an impulse back has a copy
    with the normal impulse e_n r_Cn, which only rubs: the two friction discs together are the disc
    of r_En. Also returns which contact each copy belongs to.
    """
    n = mu.size
    stored = np.flatnonzero(e_n * r_c[::dim] > 0.0)
    count = n * dim
    size = count + stored.size * dim
    q_e, mu_e = np.zeros(size), np.concatenate((mu, mu[stored]))
    q_e[:count] = u_c
    for i in stored:
        q_e[:count] += W[:, i * dim] * (e_n[i] * r_c[i * dim])
    source = np.full(size, -1)
    source[:count] = np.arange(count)
    W_e = np.zeros((size, size))
    for k in range(stored.size):
        i, first = stored[k], count + k * dim
        W_e[first, first] = W[i * dim, i * dim]
        q_e[first] = -W[i * dim, i * dim] * e_n[i] * r_c[i * dim]
        for d in range(1, dim):
            source[first + d] = i * dim + d
            q_e[first + d] = q_e[i * dim + d]
    for a in range(size):
        for b in range(size):
            if source[a] >= 0 and source[b] >= 0:
                W_e[a, b] = W[source[a], source[b]]
    return W_e, q_e, mu_e, stored


@njit
def total_impulses(r_c: Array, r_e: Array, stored: npt.NDArray[np.int64], dim: int) -> Array:
    """Impulses of the whole impact, (n*dim,), from compression and the problem of expansion."""
    total = r_c + r_e[: r_c.size]
    for k in range(stored.size):
        for d in range(dim):
            total[stored[k] * dim + d] += r_e[r_c.size + k * dim + d]
    return total


@njit
def add_restitution(q: Array, gamma: Array, e_n: Array, e_t: Array, dim: int) -> None:
    """Put xi = gamma+ + e gamma- in the place of gamma+ in a contact problem: q += e gamma-.

    ``q`` (n*dim,) free velocities [m/s], changed in place: u = W r + q is then xi, and Signorini's
    and Coulomb's laws for xi are Newton's impact law with friction. ``gamma`` (n*dim,) velocities
    before the step [m/s], the normal ones negative where the surfaces approach; ``e_n``, ``e_t``
    (n,) in [0, 1].

    The law holds for every closed contact, also for one that separates already (gamma_n- > 0): an
    impact elsewhere may then drive it back at up to e_n gamma_n- before it resists. (Moreau 1988;
    Leine and Glocker 2003.)
    """
    for i in range(e_n.size):
        q[i * dim] += e_n[i] * gamma[i * dim]
        for d in range(1, dim):
            q[i * dim + d] += e_t[i] * gamma[i * dim + d]

"""Poisson's impact law: the impulse of expansion is e_n times that of compression.

Compression is a plastic impact with friction: u_C = W r_C + gamma-, u_Cn = 0 where pressed. In
expansion every contact gives back e_n r_Cn at least, and more only where it would be pressed in
again:

    u_E = W r_E + u_C
    r_En - e_n r_Cn >= 0,  u_En >= 0,  (r_En - e_n r_Cn) u_En = 0
    |r_ET| <= mu r_En, against u_ET where it slips

after F. Pfeiffer, Ch. Glocker: Multibody Dynamics with Unilateral Contacts, Wiley 1996, ch. 8, with
no tangential restitution.
"""

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit


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

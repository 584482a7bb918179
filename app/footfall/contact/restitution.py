"""Newton's impact law on velocity level, normal and tangential."""

from footfall.arrays import Array
from footfall.jit import njit


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

"""Newton's impact law on velocity level."""

import numpy as np
import numpy.typing as npt

from footfall.jit import njit

Array = npt.NDArray[np.float64]


@njit
def add_restitution(q: Array, approach: Array, e_n: Array, dim: int) -> None:
    """Put xi = gamma+ + e_n gamma- in the place of gamma+ in a contact problem: q_n += e_n gamma-.

    ``q`` (n*dim,) free velocities [m/s], changed in place: u = W r + q is then xi, and Signorini's
    law for xi is Newton's impact law. ``approach`` (n,) normal velocities gamma- before the step
    [m/s], negative where the surfaces approach; ``e_n`` (n,) in [0, 1].

    The law holds for every closed contact, also for one that separates already (gamma- > 0): an
    impact elsewhere may then drive it back at up to e_n gamma- before it resists. (Moreau 1988;
    Leine and Glocker 2003.)
    """
    for i in range(approach.shape[0]):
        q[i * dim] += e_n[i] * approach[i]

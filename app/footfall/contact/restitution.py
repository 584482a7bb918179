"""Newton's impact law on velocity level."""

import numpy as np
import numpy.typing as npt

from footfall.jit import njit

Array = npt.NDArray[np.float64]


@njit
def newton(q: Array, approach: Array, e_n: Array, dim: int) -> None:
    """Put gamma+ >= -e_n gamma- into a contact problem: q_n += e_n gamma- where gamma- < 0.

    ``q`` (n*dim,) free velocities [m/s], changed in place: u = W r + q is then gamma+ + e_n gamma-.
    ``approach`` (n,) normal velocities gamma- before the step [m/s], negative where the surfaces
    approach; ``e_n`` (n,) in [0, 1]. A contact that separates already keeps its q: with its
    positive gamma- the unilateral law would let it approach again. (Moreau 1988; Glocker 2001.)
    """
    for i in range(approach.shape[0]):
        if approach[i] < 0.0:
            q[i * dim] += e_n[i] * approach[i]

"""Evolution of a normal distribution towards the least of a function (CMA-ES), seeded.

Source: N. Hansen: The CMA evolution strategy: a tutorial. arXiv:1604.00772; his package `cma`.
"""

from collections.abc import Callable

import numpy as np

from footfall.arrays import Array

_FLAT = 1e-6  # m: a generation that differs by less has come to an end


def evolved(
    score: Callable[[Array], float],
    centre: Array,
    scale: Array,
    rng: np.random.Generator,
    *,
    evaluations: int,
    population: int,
    spread: float = 0.3,
) -> tuple[Array, float]:
    """The best point found, and its score; spread: the first standard deviation, in scales."""
    import cma

    options = {
        "seed": int(rng.integers(1, 2**31)),
        "verbose": -9,
        "popsize": population,
        "maxfevals": evaluations,
        "tolfun": _FLAT,
    }
    strategy = cma.CMAEvolutionStrategy(np.zeros(centre.size), spread, options)
    while not strategy.stop():
        asked = strategy.ask()
        strategy.tell(asked, [score(centre + scale * np.asarray(one)) for one in asked])
    found = strategy.result
    return centre + scale * np.asarray(found.xbest), float(found.fbest)

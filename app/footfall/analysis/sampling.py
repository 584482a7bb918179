"""Samples of distributions of a scenario's values: an axis along which all of them vary."""

from collections.abc import Mapping

import numpy as np

from footfall.analysis.axes import Axis, Change
from footfall.analysis.distributions import Distribution

SAMPLE = "sample"
"""Name of the axis of samples."""
SEED = "seed"
"""Name of the axis of seeds."""
RANDOM, LATIN_HYPERCUBE = "random", "latin-hypercube"
METHODS = (LATIN_HYPERCUBE, RANDOM)


def axis_of_samples(drawn: Mapping[str, Distribution], count: int, method: str, seed: int) -> Axis:
    """Return the axis of so many samples of values, by their paths, drawn together.

    method: LATIN_HYPERCUBE, of which every equal share of each distribution has one, or RANDOM.
    """
    generator = np.random.default_rng(seed)
    size = (count, len(drawn))
    if method == RANDOM:
        shares = generator.random(size)
    else:
        from scipy.stats import qmc  # takes a third of a second to import

        shares = qmc.LatinHypercube(len(drawn), rng=generator).random(count)
    changes = [
        Change({path: float(one.at(u)) for (path, one), u in zip(drawn.items(), row, strict=True)})
        for row in shares.tolist()
    ]
    return Axis(SAMPLE, tuple(range(count)), tuple(changes))

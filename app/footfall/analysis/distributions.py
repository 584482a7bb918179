"""Distributions of numbers that vary, and samples of them as an axis along which all of them vary.

They are named as in Drake's ``pydrake.common.schema``.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.special import ndtri

from footfall.analysis.axes import Axis, Change
from footfall.checked import Checked, finite, not_negative, positive
from footfall.errors import ScenarioError

_TINY = 2.0**-54  # of probability: no draw is nearer to the end of a distribution


class Distribution(Protocol):
    """Distribution of a number by its quantiles."""

    def at(self, u: float) -> float:
        """Return the number below which the share u of all draws lies, 0 <= u < 1."""


def _require_order(low: float, high: float, what: str) -> None:
    if high < low:
        raise ScenarioError(f"{what}: max is {high:g}, below min, {low:g}: exchange them.")


@dataclass
class Uniform(Checked, at="!Uniform: "):
    """Every number between two is as likely as another."""

    # Smallest.
    min: float = finite(0.0)
    # Largest.
    max: float = finite(0.0)

    def __post_init__(self) -> None:
        """Refuse ends that are none."""
        super().__post_init__()
        _require_order(self.min, self.max, "!Uniform")

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.min:g} to {self.max:g}, evenly"

    def at(self, u: float) -> float:
        """Return the quantile of u."""
        return self.min + u * (self.max - self.min)


@dataclass
class Gaussian(Checked, at="!Gaussian: "):
    """Normal distribution."""

    # Mean.
    mean: float = finite(0.0)
    # Standard deviation.
    stddev: float = not_negative(0.0)

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.mean:g} ± {self.stddev:g}, normal"

    def at(self, u: float) -> float:
        """Return the quantile of u."""
        return self.mean + self.stddev * float(ndtri(max(u, _TINY)))


@dataclass
class LogUniform(Checked, at="!LogUniform: "):
    """A number whose logarithm is uniform, for sizes of several orders."""

    # Smallest, above 0.
    min: float = positive(1.0)
    # Largest.
    max: float = finite(1.0)

    def __post_init__(self) -> None:
        """Refuse ends that have no logarithm."""
        super().__post_init__()
        _require_order(self.min, self.max, "!LogUniform")

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.min:g} to {self.max:g}, evenly in the logarithm"

    def at(self, u: float) -> float:
        """Return the quantile of u."""
        value = self.min * (self.max / self.min) ** u
        return min(max(value, self.min), self.max)


@dataclass
class UniformDiscrete:
    """One of some values, each as likely as another."""

    # The values.
    values: list[float] = field(default_factory=lambda: [0.0])

    def __post_init__(self) -> None:
        """Refuse a choice of nothing."""
        if not self.values or not all(math.isfinite(value) for value in self.values):
            raise ScenarioError(
                f"!UniformDiscrete: values is {self.values}: give finite numbers, one or more."
            )

    def __str__(self) -> str:
        """Return it in words."""
        return f"one of {', '.join(f'{value:g}' for value in self.values)}"

    def at(self, u: float) -> float:
        """Return the quantile of u, in the order of the values."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]


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

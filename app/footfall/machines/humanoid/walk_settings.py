"""Groups of settings of a walk: values and weights by support, springs at joints, gains."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from dataclasses import dataclass
from typing import TypeAlias

from footfall.errors import ScenarioError

Weight: TypeAlias = list[float] | float | int  # Drake's reader takes 1 as an int
"""One number for all, or a list of one for each."""


@dataclass
class BySupport:
    """A value for double and one for single support."""

    double: float = 0.0
    single: float = 0.0

    @property
    def pair(self) -> tuple[float, float]:
        """Both, double support first."""
        return self.double, self.single


@dataclass
class Weights:
    """Weights for double and single support: one number for all of them, or a list of each."""

    double: Weight = 1.0
    single: Weight = 1.0

    def each(self, *, double: bool, count: int) -> tuple[float, ...]:
        """Return the weights (count,) of a support."""
        given = self.double if double else self.single
        return tuple(given) if isinstance(given, list) else (float(given),) * count

    def scaled(self, factor: float) -> "Weights":
        """Return all weights times a factor."""
        pair = (
            [factor * each for each in given] if isinstance(given, list) else factor * given
            for given in (self.double, self.single)
        )
        return Weights(*pair)

    def require(self, name: str, kind: str, each: tuple[str, ...], *, positive: bool) -> None:
        """Raise ScenarioError, one line, unless they are weights of each of some quantities.

        name, kind: of the field and the support in it; each: words for the quantities; positive:
        none may be 0.
        """
        weights = self.each(double=kind == "double", count=len(each))
        if len(weights) != len(each):
            raise ScenarioError(
                f"{name}.{kind} has {len(weights)} weights: give one number for all, or "
                f"{len(each)}: {', '.join(each)}."
            )
        listed = isinstance(getattr(self, kind), list)
        for k, weight in enumerate(weights):
            where = f"{name}.{kind}.{k}" if listed else f"{name}.{kind}"
            if not (math.isfinite(weight) and weight >= 0.0):
                raise ScenarioError(f"{where} is {weight}: give a weight, not below 0.")
            if weight == 0.0 and positive:
                raise ScenarioError(
                    f"{where} is 0: give a positive weight, or motions that no point shows have no "
                    "acceleration."
                )


@dataclass
class JointSpring:
    """Spring beside the motors of a joint on both sides."""

    # Stiffness [N m/rad].
    stiffness: float = 0.0
    # Angle at rest [rad].
    rest: float = 0.0


@dataclass
class Feedback:
    """Gains of the error of places and velocities."""

    # Gain of places [1/s^2].
    kp: float = 400.0
    # Gain of velocities [1/s].
    kd: float = 40.0

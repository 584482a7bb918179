"""Changes of settings at a time of a run: friction, gravity, parameters of the controller."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from footfall.errors import ScenarioError
from footfall.plants.loading.load import check_gravity

_STRONGEST = 1e3  # m/s^2


@dataclass
class Change:
    """Settings that are other ones from some time on; what is left out stays as it is."""

    # When [s]; the step that begins nearest to it is the first one with the new values.
    time: float = 0.0
    # Coulomb coefficient of every contact pair, sliding or not; `pairs` go on to have their own.
    friction: float | None = None
    # Gravity [m/s^2], straight down.
    gravity: float | None = None
    # Parameters of the controller that it says may change while it runs, by name: a !WholeBody has
    # gains and weights of its tasks, as in {trunk.kp: 80}.
    controller: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse times and values that are none."""
        if not 0.0 <= self.time < math.inf:
            raise ScenarioError(f"changes: time is {self.time}: give seconds from 0 on.")
        if self.friction is not None and not 0.0 <= self.friction < math.inf:
            raise ScenarioError(
                f"changes: friction is {self.friction}: give a finite number from 0."
            )
        if self.gravity is not None:
            check_gravity(self.gravity)
            if self.gravity > _STRONGEST:
                raise ScenarioError(
                    f"changes: gravity is {self.gravity}: give at most {_STRONGEST:g} m/s^2."
                )
        for name, value in self.controller.items():
            if not math.isfinite(value):
                message = f"changes: controller.{name} is {value}: give a finite number."
                raise ScenarioError(message)

    @property
    def is_empty(self) -> bool:
        """True if it changes nothing."""
        return self.friction is None and self.gravity is None and not self.controller

    def __str__(self) -> str:
        """Say in a few words what changes."""
        told = []
        if self.friction is not None:
            told.append(f"friction {self.friction:g}")
        if self.gravity is not None:
            told.append(f"gravity {self.gravity:g} m/s^2")
        told += [f"controller {name} {value:g}" for name, value in self.controller.items()]
        return ", ".join(told)


def check_changes(changes: Sequence[Change]) -> None:
    """Raise ScenarioError for a change that changes nothing."""
    for k, change in enumerate(changes):
        if change.is_empty:
            raise ScenarioError(
                f"changes.{k} changes nothing: give friction, gravity, or parameters of the "
                "controller."
            )

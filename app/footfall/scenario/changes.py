"""Changes of settings at a time of a run: friction, gravity, parameters of the controller."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Sequence
from dataclasses import dataclass

from footfall.checked import Checked, finite, not_negative
from footfall.errors import ScenarioError
from footfall.plants.load import check_gravity

_STRONGEST = 1e3  # m/s^2


@dataclass
class Change(Checked, at="changes: "):
    """Settings that are other ones from some time on; what is left out stays as it is."""

    # When [s]; the step that begins nearest to it is the first one with the new values.
    time: float = not_negative(0.0, "give seconds from 0 on")
    # Coulomb coefficient of every contact pair, sliding or not; `pairs` go on to have their own.
    friction: float | None = not_negative(None)
    # Gravity [m/s^2], straight down.
    gravity: float | None = None
    # Parameters of the controller that it says may change while it runs, by name: a !WholeBody has
    # gains and weights of its tasks, as in {trunk.kp: 80}.
    controller: dict[str, float] = finite({})

    def __post_init__(self) -> None:
        """Refuse times and values that are none."""
        super().__post_init__()
        if self.gravity is not None:
            check_gravity(self.gravity)
            if self.gravity > _STRONGEST:
                raise ScenarioError(
                    f"changes: gravity is {self.gravity}: give at most {_STRONGEST:g} m/s^2."
                )

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

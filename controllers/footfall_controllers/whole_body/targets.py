"""Targets of a whole-body controller: references of its tasks, and contacts that are closed."""

from dataclasses import dataclass, field

import numpy as np

from footfall.arrays import Array


@dataclass(frozen=True, eq=False)
class Reference:
    """Value of a task, with its rate and acceleration.

    value: (3,) place [m], or (3, 3) rotation; rate and acceleration: (3,), of the world.
    """

    value: Array
    rate: Array = field(default_factory=lambda: np.zeros(3))
    acceleration: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True, eq=False)
class Targets:
    """References by task, and activation by link.

    tasks: by the name of a task; a task without one keeps its start. active: tasks that count, by
    name, from 0 to 1, where that is not 1. contacts: activation of contacts by label, likewise.
    normals: of the ground (3,) by link, where they are not the controller's.
    """

    tasks: dict[str, Reference] = field(default_factory=dict)
    active: dict[str, float] = field(default_factory=dict)
    contacts: dict[str, float] = field(default_factory=dict)
    normals: dict[str, Array] = field(default_factory=dict)

"""State of a walk between two ticks, as a vector that a simulation keeps."""

from dataclasses import dataclass, field, fields
from itertools import pairwise

import numpy as np

from footfall.arrays import Array


@dataclass
class WalkState:
    """State of a walk of F feet.

    phase, step: of the schedule. since: when the phase began [s]. time: of the tick [s]. origin,
    heading: of the path of the body, in the world [m, rad]. level: of the ground that the centre of
    mass is led over [m]. shift: of all landings to come, by feedback [m]. left: zero-moment point
    at which the phase began [m]. places (F, 4): of the feet that stand, and where those in the air
    took off, with heading [m, rad]. swings (F, 9): position, velocity and acceleration of the feet
    in the air. q: positions at the start.
    """

    phase: int = 0
    step: int = 0
    since: float = 0.0
    time: float = 0.0
    heading: float = 0.0
    level: float = 0.0
    origin: Array = field(default_factory=lambda: np.zeros(2))
    shift: Array = field(default_factory=lambda: np.zeros(2))
    left: Array = field(default_factory=lambda: np.zeros(2))
    places: Array = field(default_factory=lambda: np.zeros((0, 4)))
    swings: Array = field(default_factory=lambda: np.zeros((0, 9)))
    q: Array = field(default_factory=lambda: np.zeros(0))

    def to_vector(self) -> Array:
        """Return all of it as one vector."""
        return np.concatenate([np.ravel(getattr(self, part.name)) for part in fields(self)])

    @classmethod
    def from_vector(cls, vector: Array, feet: int) -> "WalkState":
        """Return the state of a walk of so many feet."""
        phase, step, since, time, heading, level = vector[:6]
        ends = np.cumsum([6, 2, 2, 2, 4 * feet, 9 * feet])
        origin, shift, left, places, swings = (vector[a:b].copy() for a, b in pairwise(ends))
        return cls(
            int(phase),
            int(step),
            since,
            time,
            heading,
            level,
            origin,
            shift,
            left,
            places.reshape(feet, 4),
            swings.reshape(feet, 9),
            vector[ends[-1] :].copy(),
        )

    @staticmethod
    def size(feet: int, positions: int) -> int:
        """Count of numbers of a state."""
        return 12 + 13 * feet + positions

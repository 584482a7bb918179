"""State of a walk between two ticks, as a vector that a simulation keeps."""

from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np

from footfall.arrays import Array


@dataclass
class WalkState:
    """State of a walk of F feet.

    phase, step: of the schedule. since: when the phase began, begun: when the swing of the step
    did, time: of the tick [s]. length: of the phase [s]. origin, heading: of the path of the body,
    in the world [m, rad]. level: of the ground that the centre of mass is led over, height: of it
    over that in steps, 0: as at the start [m]. shift: of
    all landings to come, by feedback [m]. left: zero-moment point at which the phase began [m].
    places (F, 4): of the feet that stand, and where those in the air took off, with heading
    [m, rad]. swings (F, 9): position, velocity and acceleration of the feet in the air. felt (F,):
    how long the feet have been felt, down (F,): when they landed in this step, ALOFT for those that
    have not [s]. q: positions at the start.
    """

    phase: int = 0
    step: int = 0
    since: float = 0.0
    begun: float = 0.0
    time: float = 0.0
    length: float = np.inf
    heading: float = 0.0
    level: float = 0.0
    height: float = 0.0
    origin: Array = field(default_factory=lambda: np.zeros(2))
    shift: Array = field(default_factory=lambda: np.zeros(2))
    left: Array = field(default_factory=lambda: np.zeros(2))
    places: Array = field(default_factory=lambda: np.zeros((0, 4)))
    swings: Array = field(default_factory=lambda: np.zeros((0, 9)))
    felt: Array = field(default_factory=lambda: np.zeros(0))
    down: Array = field(default_factory=lambda: np.zeros(0))
    q: Array = field(default_factory=lambda: np.zeros(0))

    def to_vector(self) -> Array:
        """Return all of it as one vector."""
        numbers = (
            self.phase,
            self.step,
            self.since,
            self.begun,
            self.time,
            self.length,
            self.heading,
            self.level,
            self.height,
        )
        places, swings = self.places.ravel(), self.swings.ravel()
        parts = self.origin, self.shift, self.left, places, swings, self.felt, self.down, self.q
        return np.concatenate([numbers, *parts])

    @classmethod
    def from_vector(cls, vector: Array, feet: int) -> "WalkState":
        """Return the state of a walk of so many feet."""
        own = vector.copy()
        phase, step, since, begun, time, length, heading, level, height = own[:9].tolist()
        ends = list(accumulate([9, 2, 2, 2, 4 * feet, 9 * feet, feet, feet]))
        origin, shift, left, places, swings, felt, down = (own[a:b] for a, b in pairwise(ends))
        return cls(
            int(phase),
            int(step),
            since,
            begun,
            time,
            length,
            heading,
            level,
            height,
            origin,
            shift,
            left,
            places.reshape(feet, 4),
            swings.reshape(feet, 9),
            felt,
            down,
            own[ends[-1] :],
        )

    @staticmethod
    def size(feet: int, positions: int) -> int:
        """Count of numbers of a state."""
        return 15 + 15 * feet + positions

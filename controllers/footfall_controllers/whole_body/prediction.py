"""Optimal predictive control as a task: the performance measure (3.136) of points of links.

Source: G. Ozyurt, 3-D humanoid gait simulation using an optimal predictive control (METU 2005),
(3.136) to (3.142). There it is a control of its own, `footfall_controllers.optimal_predictive`;
here it is one of the costs of a whole-body controller, whose ground only pushes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.checked import not_negative, positive
from footfall.plants.flat.motion import PlantMotion
from footfall.plants.names import require_frames
from footfall_controllers.whole_body.tasks import Place, Reference


@dataclass
class PredictedPlace(Place):
    """Place of a point, predicted over a horizon dt: e_p' H e_p + e_v' R e_v of its end (3.136).

    H = h, R = dt^2 r. The measure is divided by dt^4, which leaves its minimum where it is: so its
    weight stands beside those of other tasks. kp and kd are not used.
    """

    # How far is predicted: dt [s].
    horizon: float = positive(0.05, "give a time above 0")
    # Weights of errors of position and of velocity.
    h: float = not_negative(1.0)
    r: float = not_negative(1.0)

    kind: ClassVar[str] = "predicted place"

    def __post_init__(self) -> None:
        """Refuse horizons and weights that are none."""
        super().__post_init__()
        if self.relative_to or self.axes_of:
            raise self.refusal("it is told in the world: leave relative_to and axes_of out")
        if self.h + self.r == 0.0:
            raise self.refusal("h and r are 0: give one")

    def measure(self, asked: "Prediction", v: Array) -> tuple[Array, Array]:
        """Return rows (3, nv) and wanted (3,) of least squares that are this measure over dt^4.

        e_p = dt^2/2 (J_p a - y_p), e_v = dt (J_p a - y_v): two parabolas in J_p a, whose sum is
        one, but for a part without a.
        """
        dt = self.horizon
        then = asked.J @ v
        of_place = -2.0 / dt**2 * (asked.place + 0.5 * dt * (asked.rate + then) - asked.wanted)
        of_rate = (asked.wanted_rate - then) / dt
        share = 0.25 * self.h + self.r
        root = np.sqrt(share)
        wanted = (0.25 * self.h * of_place + self.r * of_rate) / share
        return root * asked.J, root * wanted


@dataclass(frozen=True, eq=False)
class Prediction:
    """A point now, and what (3.136) needs of the end of the horizon.

    place, rate (3,): p and p' now [m, m/s]; J (3, nv): J_p, the Jacobian at q + q' dt (3.141);
    wanted, wanted_rate: p* and v* at t + dt.
    """

    place: Array
    rate: Array
    J: Array
    wanted: Array
    wanted_rate: Array


class Lookahead:
    """Jacobians of the points of tasks at q + q' dt, for one horizon."""

    def __init__(
        self, plant: MultibodyPlant, horizon: float, tasks: Mapping[str, PredictedPlace]
    ) -> None:
        """Take the plant, dt [s], and the tasks; raises ModelError for unknown links."""
        frames = require_frames(plant, [task.link for task in tasks.values()])
        points = [(frame, task.at) for frame, task in zip(frames, tasks.values(), strict=True)]
        self._motion, self._horizon = PlantMotion(plant, points), horizon
        self._place = {name: k for k, name in enumerate(tasks)}

    def move(self, q: Array, v: Array) -> None:
        """Predict the positions a horizon after a state, at its velocities."""
        self._motion.set(self._motion.ahead(q, v, self._horizon), v)

    def jacobian(self, name: str) -> Array:
        """Return the Jacobian (3, nv) of a task's point in the world."""
        return self._motion.frames.J[self._place[name], 3:]


def over_horizon(reference: Reference, horizon: float) -> tuple[Array, Array]:
    """Place p* and velocity v* (3,) a horizon [s] after a reference, at its acceleration."""
    rate = reference.rate + horizon * reference.acceleration
    return reference.value + 0.5 * horizon * (reference.rate + rate), rate

"""Pushes as arrows on the links that they act on: forces, and torques with two heads.

Frames: W world, B the link, Q the point where a push acts. The longest arrow is the largest push of
a run, so that a breeze is to be seen as well as a kick.
"""

from collections.abc import Sequence

import numpy as np
from pydrake.geometry import Meshcat

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.plants.pushes import body_of
from footfall.show.arrows import LONGEST, Arrow, ForceScale
from footfall.show.colours import PUSH_COLOUR, TWIST_COLOUR, to_rgba
from footfall.show.extent import sizes_of
from footfall.trajectory.pushes import LINK, LinkPush

_KINDS = (("force", PUSH_COLOUR, 1), ("torque", TWIST_COLOUR, 2))  # with heads of the arrow


class PushArrows:
    """Arrows of pushes below one Meshcat path."""

    def __init__(
        self, meshcat: Meshcat, path: str, pushes: Sequence[LinkPush], model: Model
    ) -> None:
        """Put the arrows' shapes into Meshcat, hidden."""
        self._plant, self._context = model.plant, model.plant.CreateDefaultContext()
        length = sizes_of(model).weight
        self._drawn: set[int] = set()
        self._begun = False
        self._arrows = []
        for kind, colour, heads in _KINDS:
            vectors = np.array([getattr(push, kind) for push in pushes]).reshape(-1, 3)
            sizes = np.linalg.norm(vectors, axis=1)
            scale = ForceScale(float(sizes.max(initial=0.0)) / LONGEST, length)
            for k in np.flatnonzero(sizes).tolist():
                arrow = Arrow(meshcat, f"{path}/{k}/{kind}", to_rgba(colour), scale, heads)
                body = body_of(model.plant, pushes[k])
                self._arrows.append((arrow, pushes[k], body, vectors[k]))

    def draw(self, q: Array, begin: float, end: float, time: float | None = None) -> None:
        """Draw the means from begin to end [s] at the positions q; time: of a recording [s].

        The first call hides what does not act, for a recording that is played again; later ones
        leave that alone, so that of thousands of pushes only a few are moved in a frame.
        """
        self._plant.SetPositions(self._context, q)
        before, self._drawn = self._drawn, set()
        for k, (arrow, push, body, largest) in enumerate(self._arrows):
            share = push.mean_share(begin, end)
            if share != 0.0:
                self._drawn.add(k)
            elif self._begun and k not in before:
                continue
            X_WB = body.EvalPoseInWorld(self._context)
            vector = share * largest
            if push.frame == LINK:
                vector = X_WB.rotation().multiply(vector)
            arrow.draw(X_WB.multiply(np.array(push.p_BQ)), vector.tolist(), time)
        self._begun = True

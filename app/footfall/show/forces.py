"""Contact forces as scenes draw them, and those of a saved run as means over any time.

Frames: W world; contact axes [n, t, s].
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.show.arrows import axes_of
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import bore_ever


@dataclass(frozen=True, eq=False)
class Forces:
    """Forces of the ground and of bodies at n contacts, (n, 3) each.

    p_WC [m]; axes_W (n, 3, 3): [n, t, s] as columns in W; force in them [N].
    """

    p_WC: Array
    axes_W: Array
    force: Array

    @property
    def force_W(self) -> Array:
        """Forces in W, zero where a contact has no place."""
        force: Array = np.einsum("cij,cj->ci", self.axes_W, self.force)
        return force

    def pressing(self) -> npt.NDArray[np.bool_]:
        """Say which contacts have a place and are pressed, (n,)."""
        return np.isfinite(self.p_WC).all(axis=1) & (self.force[:, 0] > 0.0)


class RecordedForces:
    """Forces at the contacts that bore something at some time; names: of these."""

    def __init__(self, model: Model, trajectory: Trajectory) -> None:
        """Take a run of a model."""
        data = trajectory.data
        data = data.isel(contact=np.flatnonzero(bore_ever(data)))
        point = data["contact_point"].to_numpy()
        placed = np.isfinite(point[1:]).any(axis=(0, 2))  # joint limits have no place
        kept = np.flatnonzero(placed)
        self.names = [str(name) for name in data["contact"].values[kept]]
        self._time = data["time"].to_numpy()
        self._point = point[:, kept]
        self._normal = data["contact_normal"].to_numpy()[:, kept]
        self._R_WT = model.spec.terrain.X_WTerrain().rotation().matrix()
        impulse = np.nan_to_num(data["impulse"].to_numpy()[:, kept])
        impulse_W = np.zeros_like(impulse)  # axes turn as a wheel goes over a hill
        for k, name in enumerate(self.names):
            axes_W = axes_of([name] * len(impulse), self._normal[:, k], self._R_WT)
            impulse_W[:, k] = np.einsum("rij,rj->ri", axes_W, impulse[:, k])
        self._summed = np.cumsum(impulse_W, axis=0)

    def mean(self, begin: float, end: float) -> Forces | None:
        """Return the mean forces of the rows from begin to end [s], of one row at least."""
        if not self.names or len(self._time) < 2:
            return None
        first, last = (
            int(np.searchsorted(self._time, t + 1e-9, side="right")) - 1 for t in (begin, end)
        )
        last = min(max(last, 1), len(self._time) - 1)
        # rows of an impact share their time
        before = int(np.searchsorted(self._time, self._time[last])) - 1
        first = max(min(first, before), 0)
        span = self._time[last] - self._time[first]
        if span <= 0.0:
            return None
        axes_W = axes_of(self.names, self._normal[last], self._R_WT)
        force_W: Array = (self._summed[last] - self._summed[first]) / span
        return Forces(self._point[last], axes_W, np.einsum("cij,ci->cj", axes_W, force_W))

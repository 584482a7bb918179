"""Trajectories of rows that a test makes one by one."""

import numpy as np

from footfall.engines.step_log import contact_columns
from footfall.trajectory import Trajectory, trajectory_from_arrays
from footfall.trajectory.variables import VARIABLES


class Rows:
    """Takes rows of a layout, and makes their trajectory."""

    def __init__(self, layout):
        self.layout = layout
        self._times, self._rows = [], []

    def append(self, time, q, v, actuation=None, contacts=None, **energies):
        """Add a row; contacts: as an engine reports them."""
        one = {"q": np.array(q), "v": np.array(v), **energies}
        if actuation is not None:
            one["actuation"] = np.array(actuation)
        if contacts is not None:
            one |= {name: values[0] for name, values in contact_columns([contacts]).items()}
            one |= {n: getattr(contacts, n) for n in ("residual", "iterations", "stage")}
        self._times.append(time)
        self._rows.append(one)

    def finish(self, status, message="", events=(), attributes=None):
        """The trajectory; what a row leaves out is unknown."""
        some = {name: np.shape(value) for row in self._rows for name, value in row.items()}
        columns = {
            name: np.array([row.get(name, np.full(shape, _fill(name))) for row in self._rows])
            for name, shape in some.items()
            if name != "contact_normal" or shape  # which such reports do not tell
        }
        time = np.array(self._times, dtype=np.float64)
        made = trajectory_from_arrays(self.layout, time, attributes=attributes, **columns)
        return Trajectory(made.data, tuple(events), status, message)


def _fill(name):
    return VARIABLES[name].fill

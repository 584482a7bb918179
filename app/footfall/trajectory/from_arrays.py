"""Trajectories of whole columns, for engines that compute all their rows at once."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.trajectory.events import Event, Status
from footfall.trajectory.record import Trajectory
from footfall.trajectory.variables import VARIABLES, Layout


def trajectory_from_arrays(
    layout: Layout,
    time: Array,
    *,
    events: Iterable[Event] = (),
    failure: str = "",
    attributes: Mapping[str, str] | None = None,
    **columns: npt.ArrayLike,
) -> Trajectory:
    """Return the trajectory of columns that are named as in VARIABLES, time first in their shapes.

    time (N,) [s] may repeat, as before and after an impact, but not decrease. A column is a scalar
    where all its values are the same; one that is left out is as TrajectoryBuilder leaves it: NaN,
    modes -1. failure says why the run ended before its time, if it did: the status is FAILED then,
    and a last event says so. attributes: texts to keep in the file, such as the engine. Raises
    RunError for a time that goes back and for a column of an unknown name or of another shape.
    """
    if not (np.diff(time) >= 0.0).all() or np.isnan(time).any():
        raise RunError("trajectory: a time goes back or is not a number")
    unknown = columns.keys() - VARIABLES.keys()
    if unknown:
        raise RunError(f"trajectory: there is no variable {', '.join(sorted(unknown))}")
    filled = {}
    for name in VARIABLES:
        filled[name] = empty_column(layout, name, len(time))
        if name in columns:
            values = np.asarray(columns[name])
            if values.shape not in ((), filled[name].shape):
                expected = filled[name].shape
                raise RunError(f"trajectory: {name} has the shape {values.shape}, not {expected}")
            filled[name][...] = values
    data = dataset(layout, np.array(time, dtype=np.float64), filled, attributes)
    if not failure:
        return Trajectory(data, tuple(events), Status.DONE, "")
    last = Event(float(time[-1]), Status.FAILED.value, failure)
    return Trajectory(data, (*events, last), Status.FAILED, failure)


def empty_column(layout: Layout, name: str, rows: int) -> npt.NDArray[Any]:
    """Return a column of a variable in which nothing is known yet."""
    variable = VARIABLES[name]
    shape = (rows, *(layout.size(dim) for dim in variable.dims))
    return np.full(shape, variable.fill, dtype=variable.dtype)


def dataset(
    layout: Layout,
    time: Array,
    columns: Mapping[str, Any],
    attributes: Mapping[str, str] | None,
) -> xr.Dataset:
    """Label all columns, arrays or what stands for them, with dimensions, names and units.

    columns: one for each of VARIABLES.
    """
    variables = {
        name: (("time", *variable.dims), columns[name], variable.attrs)
        for name, variable in VARIABLES.items()
    }
    times = ("time", time, {"units": "s", "long_name": "time"})
    return xr.Dataset(variables, {"time": times, **layout.coordinates()}, dict(attributes or {}))

"""Trajectories as NetCDF4 files, which Python, MATLAB and Julia open.

The events lie on a dimension of their own; status and message are attributes of the file.
"""

from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from footfall.errors import RunError
from footfall.files import replacing
from footfall.trajectory.events import Event, Status
from footfall.trajectory.variables import VARIABLES

_FORMAT = "footfall trajectory 1"
_OWN_ATTRIBUTES = ("format", "status", "message")
_EVENT_VARIABLES = ("event_time", "event_kind", "event_what")


def write(
    path: Path, data: xr.Dataset, events: tuple[Event, ...], status: Status, message: str
) -> None:
    """Write the parts of a trajectory; see Trajectory.save."""
    whole = data.assign(_event_variables(events))
    whole.attrs.update(format=_FORMAT, status=status.value, message=message)
    with replacing(path) as temporary:
        try:
            whole.to_netcdf(temporary, "w", "NETCDF4", engine="netcdf4", encoding=_encoding(whole))
        except RuntimeError as error:
            raise RunError(f"cannot write {path}: {error}; is the disk full?") from error


def read(path: Path) -> tuple[xr.Dataset, tuple[Event, ...], Status, str]:
    """Read the parts of a trajectory; see Trajectory.load."""
    if not path.is_file():
        raise RunError(f"there is no trajectory file {path}")
    try:
        data = xr.load_dataset(path, engine="netcdf4", decode_times=False, mask_and_scale=False)
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        raise RunError(f"{path} is damaged or no NetCDF4 file; run the scenario again") from error
    data = _with_push_work(_with_normals(_with_stage(data)))
    _refuse_foreign(data, path)
    events = _events(data)
    status, message = Status(data.attrs["status"]), str(data.attrs.get("message", ""))
    data = _with_plain_text(data.drop_vars(_EVENT_VARIABLES).drop_encoding())
    for name in _OWN_ATTRIBUTES:
        data.attrs.pop(name, None)
    return data, events, status, message


def _encoding(data: xr.Dataset) -> dict[str, dict[str, Any]]:
    """Numbers are deflated lightly and have no fill value, so that what is read is what was."""
    plain: dict[str, Any] = {"_FillValue": None}
    deflated = {"zlib": True, "complevel": 1, "shuffle": True, **plain}
    return {
        str(name): deflated if variable.size and variable.dtype.kind in "fi" else plain
        for name, variable in data.variables.items()
        if variable.dtype.kind in "fi"
    }


def _event_variables(events: tuple[Event, ...]) -> dict[str, Any]:
    """The events as three variables on a dimension of their own."""
    time = np.array([event.time for event in events], dtype=np.float64)
    kind = np.array([event.kind for event in events], dtype=np.str_)
    what = np.array([event.what for event in events], dtype=np.str_)
    return {
        "event_time": ("event", time, {"units": "s", "long_name": "time of the event"}),
        "event_kind": ("event", kind, {"units": "1", "long_name": "kind of the event"}),
        "event_what": ("event", what, {"units": "1", "long_name": "what happened"}),
    }


def _events(data: xr.Dataset) -> tuple[Event, ...]:
    """The events back from their variables."""
    columns = [data[name].values for name in _EVENT_VARIABLES]
    return tuple(
        Event(float(time), str(kind), str(what)) for time, kind, what in zip(*columns, strict=True)
    )


def _with_stage(data: xr.Dataset) -> xr.Dataset:
    """Give the stage of the solver its name, which older files call rung."""
    if "stage" in data or "rung" not in data:
        return data
    name = "stage"
    renamed = data.rename_vars(rung=name)
    renamed[name].attrs.update(VARIABLES[name].attrs)
    return renamed


def _with_normals(data: xr.Dataset) -> xr.Dataset:
    """Add unknown normals of contacts to older files, which have none."""
    name = "contact_normal"
    if name in data or "contact_point" not in data:
        return data
    unknown = xr.full_like(data["contact_point"], np.nan).drop_attrs()
    return data.assign({name: unknown.assign_attrs(VARIABLES[name].attrs)})


def _with_push_work(data: xr.Dataset) -> xr.Dataset:
    """Add the work of pushes to older files, whose runs had none."""
    name, like = "push_work", "actuator_work"
    if name in data or like not in data:
        return data
    nothing = xr.zeros_like(data[like]).drop_attrs()
    return data.assign({name: nothing.assign_attrs(VARIABLES[name].attrs)})


def _refuse_foreign(data: xr.Dataset, path: Path) -> None:
    """Raise RunError unless the file says it is ours and has every variable on its dimensions."""
    if data.attrs.get("format") != _FORMAT:
        raise RunError(f"{path} is not a footfall trajectory; give one that `footfall run` wrote")
    expected = {name: ("time", *variable.dims) for name, variable in VARIABLES.items()}
    expected |= dict.fromkeys(_EVENT_VARIABLES, ("event",))
    for name, dims in expected.items():
        if name not in data or data[name].dims != dims:
            raise RunError(f"{path}: the variable {name} is missing or misshapen; run it again")
    if data.attrs.get("status") not in {status.value for status in Status}:
        raise RunError(f"{path}: the status is missing or unknown; run the scenario again")


def _with_plain_text(data: xr.Dataset) -> xr.Dataset:
    """Names as numpy text again, not as the objects that come out of the file."""
    texts = {
        name: (coord.dims, coord.values.astype(np.str_), coord.attrs)
        for name, coord in data.coords.items()
        if name != "time"
    }
    return data.assign_coords(texts)

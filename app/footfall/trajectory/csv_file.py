"""Trajectories as CSV: a row a time, a column a series, with the unit in its heading."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import xarray as xr

from footfall.files import replacing
from footfall.trajectory.series import all_series, find_series
from footfall.trajectory.sparse_array import contact_table

_MANY = 50  # contacts


def without_idle_contacts(data: xr.Dataset) -> xr.Dataset:
    """Leave out contacts that never touched where there are many, as corners of hulls are."""
    if data.sizes["contact"] <= _MANY:
        return data
    table = contact_table(data)
    touches = (table.columns["mode"] > 0) | table.columns["impulse"].any(axis=1)
    return data.isel(contact=np.unique(table.contact[touches]))


def write_csv(data: xr.Dataset, path: Path, names: Sequence[str] = ()) -> int:
    """Write time series and return the number of columns, time included.

    names: series as `find_series` takes them, all unless given. A heading is the full name and the
    unit, ``q.theta1 [rad]``; what has none stands alone. Numbers are in SI with all their digits,
    empty where there is none. Raises RunError for a name that there is not, and where the file
    cannot be written.
    """
    if names:
        found = [series for name in names for series in find_series(data, name)]
    else:
        found = list(all_series(data))
    headings = ["time [s]", *(f"{s.name} [{s.unit}]" if s.unit else s.name for s in found)]
    columns = [data["time"].to_numpy(), *(series.values for series in found)]
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(headings)
        for row in np.column_stack(columns).tolist():
            writer.writerow([value if value == value else "" for value in row])  # noqa: PLR0124 (NaN)
    return len(headings)

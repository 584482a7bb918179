"""Differences between two trajectories of one machine, coordinate by coordinate.

Both are laid on the times of the reference inside the window that both cover, the other one by
linear interpolation; a jump (an impact) is therefore smeared over one of its time steps. A mode
belongs to the step that ends at its time, so the mode at a time between is that of the next row.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.trajectory import Trajectory
from footfall.trajectory.variables import UNKNOWN_MODE

_STATES = {"q": "position", "v": "velocity"}
_COORDINATES = ("position", "position_units", "velocity", "velocity_units")
_ENERGIES = ("kinetic_energy", "potential_energy", "actuator_work", "contact_work")
_MEASURES = {
    "max": "largest absolute difference",
    "rms": "root of the time mean of the squared difference",
    "final": "difference at the last common time",
}
_SAME_TIME = 1e-9
"""Times closer than this (relative to the largest time, or to 1 s) are one: k dt is rounded."""


@dataclass(frozen=True)
class Difference:
    """One row of a comparison: a quantity with its unit, and how far ``other`` is from reference.

    ``maximum`` is the largest absolute difference, ``rms`` its root mean square over time, and
    ``final`` the difference other - reference at the last common time.
    """

    quantity: str
    unit: str
    maximum: float
    rms: float
    final: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two trajectories held against each other.

    ``data`` has dq, dv and the energies' differences (other - reference) over time, their
    ``_max``, ``_rms`` and ``_final``, the kinetic and potential energy summed as ``d_energy``, and
    per common contact ``mode_divergence`` (s, NaN when the modes never part) and
    ``mode_agreement`` (fraction of the times with both modes known). Where both tell of feet, per
    common foot ``gait_divergence`` (s) and ``gait_agreement``, of being in contact or not.
    """

    reference: str
    other: str
    data: xr.Dataset
    rows: tuple[Difference, ...]

    @property
    def first_mode_divergence(self) -> float | None:
        """First time (s) at which the modes of some contact differ; None when they never do."""
        times = self.data["mode_divergence"].values
        return None if np.isnan(times).all() else float(np.nanmin(times))


def compare(
    reference: Trajectory,
    other: Trajectory,
    names: tuple[str, str] = ("reference", "other"),
) -> Comparison:
    """Differences of ``other`` from ``reference`` over the window of time that both cover.

    Positions and velocities are matched by name, in whatever order; of the contacts those that
    both have. Raises RunError when the coordinates or their units differ or no time is common.
    """
    b = _matched(reference.data, other.data, names)
    a = reference.data.isel(time=_common(reference.data, b, names))
    data = xr.Dataset(coords={name: a[name] for name in ("time", *_COORDINATES)})
    with np.errstate(invalid="ignore", over="ignore"):  # runs that diverged may be compared too
        for name in (*_STATES, *_energies(a, b)):
            prefix = "d" if name in _STATES else "d_"
            apart = _on_times(b[name], a["time"].values) - a[name].values
            _add(data, prefix + name, a[name].copy(data=apart), a[name].attrs)
        energy = data["d_kinetic_energy"] + data["d_potential_energy"]
        _add(data, "d_energy", energy, {"units": "J", "long_name": "kinetic and potential energy"})
    data = data.assign(_modes(a, b)).assign(_gaits(a, b))
    data.attrs.update(reference=names[0], other=names[1])
    return Comparison(*names, data, tuple(_rows(data)))


def compare_all(trajectories: Mapping[str, Trajectory]) -> tuple[Comparison, ...]:
    """Compare every trajectory with the first one."""
    if not trajectories:
        raise RunError("there is no trajectory to compare.")
    (reference, first), *others = trajectories.items()
    return tuple(compare(first, each, (reference, name)) for name, each in others)


def _energies(*runs: xr.Dataset) -> tuple[str, ...]:
    """Names of energies and works; that of pushes only where a run has some."""
    pushed = any(np.nan_to_num(run["push_work"].to_numpy()).any() for run in runs)
    return (*_ENERGIES, "push_work") if pushed else _ENERGIES


def _matched(a: xr.Dataset, b: xr.Dataset, names: tuple[str, str]) -> xr.Dataset:
    """``b`` with its coordinates in the order of ``a``."""
    for dim in _STATES.values():
        own, others = set(a[dim].values.tolist()), set(b[dim].values.tolist())
        if own != others:
            odd = ", ".join(sorted(own ^ others))
            raise RunError(f"cannot compare {names[0]} with {names[1]}: not both have {dim} {odd}")
        b = b.sel({dim: a[dim].values})
        unlike = a[f"{dim}_units"].values != b[f"{dim}_units"].values
        if unlike.any():
            odd = ", ".join(a[dim].values[unlike].tolist())
            raise RunError(f"cannot compare {names[0]} with {names[1]}: units differ for {odd}")
    return b


def _common(a: xr.Dataset, b: xr.Dataset, names: tuple[str, str]) -> npt.NDArray[np.bool_]:
    """Return the mask of the rows of ``a`` in the window that both cover."""
    pair = f"{names[0]} with {names[1]}"
    if not (a.sizes["time"] and b.sizes["time"]):
        raise RunError(f"cannot compare {pair}: one of them has no rows")
    time, window = a["time"].values, b["time"].values[[0, -1]]
    slack = _slack(time, window)
    common: npt.NDArray[np.bool_] = (time >= window[0] - slack) & (time <= window[1] + slack)
    if not common.any():
        raise RunError(f"cannot compare {pair}: they have no time in common")
    return common


def _slack(a: Array, b: Array) -> float:
    """Return the distance up to which two times count as the same."""
    return _SAME_TIME * max(1.0, float(np.abs([a[0], a[-1], b[0], b[-1]]).max()))


def _on_times(values: xr.DataArray, time: Array) -> Array:
    """Values (time, ...) at other times by linear interpolation; exact where the times are own."""
    own, table = values["time"].values, values.values
    if np.array_equal(own, time):
        return np.asarray(table, dtype=np.float64)
    columns = table.reshape(len(own), -1)
    laid = np.empty((len(time), columns.shape[1]))
    for index, column in enumerate(columns.T):
        laid[:, index] = np.interp(time, own, column)
    return laid.reshape(len(time), *table.shape[1:])


def _add(data: xr.Dataset, name: str, difference: xr.DataArray, attrs: Mapping[str, str]) -> None:
    """Put a difference over time and its three measures into ``data``."""
    values, dims, what = difference.values, difference.dims, attrs["long_name"]
    measures = {
        "max": np.abs(values).max(axis=0),
        "rms": _rms(data["time"].values, values),
        "final": values[-1],
    }
    data[name] = (dims, values, {**attrs, "long_name": f"difference of {what}"})
    for measure, result in measures.items():
        long_name = f"{_MEASURES[measure]} of {what}"
        data[f"{name}_{measure}"] = (dims[1:], result, {**attrs, "long_name": long_name})


def _rms(time: Array, difference: Array) -> Array:
    """Root of the time mean of the square (trapezoidal, so that dense rows do not weigh more)."""
    span = time[-1] - time[0]
    if span == 0:
        return np.sqrt(np.mean(difference**2, axis=0))
    return np.sqrt(np.trapezoid(difference**2, time, axis=0) / span)


def _modes(a: xr.Dataset, b: xr.Dataset) -> dict[str, xr.DataArray]:
    """Return the time when the modes of common contacts first differ, and the share that agrees."""
    there = set(b["contact"].values.tolist())
    contacts = [name for name in a["contact"].values.tolist() if name in there]
    time, own = a["time"].values, b["time"].values
    slack = _slack(time, own)
    following = np.minimum(np.searchsorted(own, time - slack), len(own) - 1)
    mode_a = a["mode"].values[:, _columns(a, contacts)]
    mode_b = b["mode"].values[following][:, _columns(b, contacts)]
    known = (mode_a != UNKNOWN_MODE) & (mode_b != UNKNOWN_MODE)
    known &= following[:, None] > 0  # a run's first row ends no step that could have a mode
    apart = known & (mode_a != mode_b)
    count = known.sum(axis=0)
    first = np.where(apart.any(axis=0), time[apart.argmax(axis=0)], np.nan)
    agreement = np.where(count > 0, 1 - apart.sum(axis=0) / np.maximum(count, 1), np.nan)
    kept = {"contact": a["contact"].isel(contact=_columns(a, contacts))}
    first_attrs = {"units": "s", "long_name": "first time at which the modes differ"}
    agreement_attrs = {"units": "1", "long_name": "fraction of the times with the same mode"}
    return {
        "mode_divergence": xr.DataArray(first, kept, ("contact",), attrs=first_attrs),
        "mode_agreement": xr.DataArray(agreement, kept, ("contact",), attrs=agreement_attrs),
    }


def _gaits(a: xr.Dataset, b: xr.Dataset) -> dict[str, xr.DataArray]:
    """Return when feet are first in contact in one run alone, and the share that agrees."""
    if "foot_contact" not in a or "foot_contact" not in b:
        return {}
    there = set(b["foot"].values.tolist())
    feet = [name for name in a["foot"].values.tolist() if name in there]
    time, own = a["time"].values, b["time"].values
    following = np.minimum(np.searchsorted(own, time - _slack(time, own)), len(own) - 1)
    of_b = b["foot_contact"].sel(foot=feet).values[following]
    apart = a["foot_contact"].sel(foot=feet).values != of_b
    first = np.where(apart.any(axis=0), time[apart.argmax(axis=0)], np.nan)
    coords = {"foot": feet}
    first_attrs = {"units": "s", "long_name": "first time at which one foot alone is in contact"}
    agreement_attrs = {"units": "1", "long_name": "fraction of the times with the same contact"}
    return {
        "gait_divergence": xr.DataArray(first, coords, ("foot",), attrs=first_attrs),
        "gait_agreement": xr.DataArray(
            1.0 - apart.mean(axis=0), coords, ("foot",), attrs=agreement_attrs
        ),
    }


def _columns(data: xr.Dataset, contacts: list[str]) -> npt.NDArray[np.intp]:
    """Return the indices of the named contacts in the data."""
    names = data["contact"].values.tolist()
    return np.array([names.index(name) for name in contacts], dtype=np.intp)


def _rows(data: xr.Dataset) -> list[Difference]:
    """Rows for a table: every coordinate, then the energies that both runs recorded."""
    rows = [
        Difference(f"{name} {label}", str(unit), *_measures(data, f"d{name}", index))
        for name, dim in _STATES.items()
        for index, (label, unit) in enumerate(
            zip(data[dim].values, data[f"{dim}_units"].values, strict=True)
        )
    ]
    for name in (*_ENERGIES, "push_work", "energy"):
        if f"d_{name}" in data and not np.isnan(data[f"d_{name}"].values).all():
            label = name.replace("_", " ")
            rows.append(Difference(label, "J", *_measures(data, f"d_{name}")))
    return rows


def _measures(data: xr.Dataset, name: str, index: int | None = None) -> tuple[float, float, float]:
    """Maximum, rms and final difference of one quantity."""
    values = [data[f"{name}_{measure}"].values for measure in _MEASURES]
    maximum, rms, final = (float(value if index is None else value[index]) for value in values)
    return maximum, rms, final

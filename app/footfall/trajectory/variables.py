"""Contents of a trajectory: its variables with their units, and the names along its dimensions."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.errors import RunError
from footfall.yaml_loader import table_beside

AXES = ("n", "t", "s")
XYZ = ("x", "y", "z")

RECORD_EVERY = "record_every"
"""Attribute of a trajectory whose rows have several steps each: so many."""

UNKNOWN_MODE = -1
"""Mode of a contact in a row that came without a contact report."""

MODE_FLAGS = {
    "flag_values": np.array([UNKNOWN_MODE, 0, 1, 2], dtype=np.int8),
    "flag_meanings": "unknown open stick slip",
}


@dataclass(frozen=True)
class Variable:
    """One variable of a trajectory: dimensions after time, unit, meaning and type."""

    dims: tuple[str, ...]
    units: str
    long_name: str
    dtype: str = "f8"
    fill: float = np.nan
    flags: dict[str, Any] = field(default_factory=dict)

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes as they stand in the dataset and the file."""
        return {"units": self.units, "long_name": self.long_name, **self.flags}


def meanings() -> dict[str, Any]:
    """Return the tables of ``meanings.yaml``: what trajectories and metrics hold."""
    return table_beside(__file__, "meanings.yaml")


def metric_meanings(group: str, **words: str) -> dict[str, tuple[str, str]]:
    """Return unit and meaning of the metrics of a group; words: for their names in braces."""
    known = meanings()[group].items()
    return {name: (unit, meaning.format(**words)) for name, (unit, meaning) in known}


VARIABLES = {
    name: Variable(
        tuple(of.get("dims", "").split()),
        of["unit"],
        of["meaning"],
        of.get("dtype", "f8"),
        of.get("fill", np.nan),
        MODE_FLAGS if name == "mode" else {},
    )
    for name, of in meanings()["variables"].items()
}


_NAMED = ("position", "velocity", "actuator", "contact", "sensor")


@dataclass(frozen=True)
class Layout:
    """The names and units along the dimensions of a trajectory, in the order of the plant.

    ``position_units`` are "m", "rad" or "1" (quaternion), ``velocity_units`` "m/s" or "rad/s",
    ``actuator_units`` "N" or "N m", ``contact_units`` (of the gap) "m", "rad" or "1", one for each
    name; contacts are in metres when nothing is said. ``sensor``: readings, if there are sensors.
    Raises RunError when a name occurs twice or the units do not fit the names.
    """

    position: tuple[str, ...]
    velocity: tuple[str, ...]
    position_units: tuple[str, ...]
    velocity_units: tuple[str, ...]
    actuator: tuple[str, ...] = ()
    actuator_units: tuple[str, ...] = ()
    contact: tuple[str, ...] = ()
    contact_units: tuple[str, ...] | None = None
    sensor: tuple[str, ...] = ()
    sensor_units: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse repeated names and units that do not match their names."""
        for dim in _NAMED:
            _refuse_repeats(dim, getattr(self, dim))
        if self.contact_units is None:
            object.__setattr__(self, "contact_units", ("m",) * len(self.contact))
        for dim in _NAMED:
            names, units = getattr(self, dim), getattr(self, f"{dim}_units")
            if len(units) != len(names):
                raise RunError(f"trajectory: {len(names)} {dim} names but {len(units)} units")

    def size(self, dim: str) -> int:
        """Length of a dimension other than time."""
        others = {"axis": len(AXES), "xyz": len(XYZ)}
        return others[dim] if dim in others else len(getattr(self, dim))

    def coordinates(self) -> dict[str, tuple[str, npt.NDArray[np.str_], dict[str, str]]]:
        """Coordinates of every dimension but time, as xarray takes them."""
        return {
            "position": ("position", _strings(self.position), _named("generalized position")),
            "velocity": ("velocity", _strings(self.velocity), _named("generalized velocity")),
            "actuator": ("actuator", _strings(self.actuator), _named("actuator")),
            "contact": ("contact", _strings(self.contact), _named("contact pair")),
            "sensor": ("sensor", _strings(self.sensor), _named("reading of a sensor")),
            "axis": ("axis", _strings(AXES), _named("normal n and tangents t, s of the terrain")),
            "xyz": ("xyz", _strings(XYZ), _named("axis of the world frame")),
            "position_units": ("position", _strings(self.position_units), _named("unit of q")),
            "velocity_units": ("velocity", _strings(self.velocity_units), _named("unit of v")),
            "actuator_units": ("actuator", _strings(self.actuator_units), _named("unit of effort")),
            "contact_units": (
                "contact",
                _strings(self.contact_units or ()),
                _named("unit of the gap"),
            ),
            "sensor_units": ("sensor", _strings(self.sensor_units), _named("unit of a reading")),
        }


def _refuse_repeats(dim: str, names: Iterable[str]) -> None:
    """Raise RunError when a name occurs twice: rows are found by name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise RunError(f"trajectory: the {dim} name {name!r} occurs twice; rename one of them")
        seen.add(name)


def _strings(names: tuple[str, ...]) -> npt.NDArray[np.str_]:
    """Names as an array of text, also when there are none."""
    return np.array(names, dtype=np.str_)


def _named(long_name: str) -> dict[str, str]:
    """Attributes of a coordinate that has no unit of its own."""
    return {"long_name": long_name, "units": "1"}

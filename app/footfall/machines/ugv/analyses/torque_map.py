"""Torque over the angles of both legs and the place on the track: all that an optimum chooses from.

The document computes it "for a set of discretized values of the front wheel position" and "for any
combination of a set of discretized values of the angles" (section 8).
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.arrays import Array
from footfall.machines.ugv.analyses.labelled import dataset, rows
from footfall.machines.ugv.analyses.traversal_task import (
    TraversalTask,
    check_engine,
    check_map,
    check_range,
    check_stations,
    traversal_task,
)
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.tracks import Bump, Sine, Steps, TrackPoints
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM

_BESIDE = 1e-9  # m: how near to a jump its two sides are
_KEPT = ("torque", "required_friction", "min_normal", "clearance", "outcome")
_OVER = ("phi_r", "phi_f", "station")
_TOLD = {
    "lowest_torque": ("N m", "smallest torque of all angles that pass"),
    "highest_torque": ("N m", "largest torque of all angles that pass"),
    "least_effort": ("N m", "least size of the torque of all angles that pass"),
}


@dataclass
class TorqueMap:
    """Torque, friction, normal force and clearance over both angles and the place."""

    # Where it drives: !Bump, !Steps, !Sine or !TrackPoints. Absent: on the track of the model.
    track: Bump | Steps | Sine | TrackPoints | None = None
    # Abscissas of the centre of the front wheel, from and to [m].
    begin: float = 1.5
    end: float = 8.0
    # Places between them, evenly spaced; beside them the two sides of every jump of the torque at
    # the front wheel. (Where it jumps at the rear one depends on the angles.)
    stations: int = 60
    # Angles of either leg, from and to [degrees]: 90 stands down, 180 is in line with the body.
    from_angle: float = 80.0
    to_angle: float = 175.0
    # How many angles of each leg, evenly spaced.
    angles: int = 20
    # Engine that computes it: closed-form, there is no other.
    engine: str = CLOSED_FORM

    def __post_init__(self) -> None:
        """Refuse what is no map."""
        check_engine(self.engine)
        check_stations(self.begin, self.end, self.stations)
        check_range("from_angle", self.from_angle, "to_angle", self.to_angle)
        check_map(self.stations, self.angles)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "passing_share": ("1", "points of the map at which the vehicle passes, of all"),
            "passing_torque_max": ("N m", "largest torque where it passes"),
            "passing_torque_min": ("N m", "smallest torque where it passes"),
            "least_peak": (
                "N m",
                "largest size of the torque if each place has the map's angles of the least there",
            ),
            "fixed_peak": (
                "N m",
                "least peak of the size of the torque, at the map's places, of angles that stay",
            ),
            "fixed_angles": ("rad", "these angles, of the rear and of the front leg"),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """The map, place by place; raises ScenarioError for a track without room for it."""
        phi = np.radians(np.linspace(self.from_angle, self.to_angle, self.angles))
        stations = np.linspace(self.begin, self.end, self.stations)
        task = traversal_task(context, self.track, stations, phi[:, None], phi)
        task = replace(task, stations=_with_jumps(task))
        slices: list[dict[str, Array]] = []
        for k, s in enumerate(task.stations):
            analysis.go_on(f"front wheel at {s:.3f} m", k / len(task.stations))
            slices.append(_slice(task, float(s), phi))
        columns = {name: np.stack([one[name] for one in slices], axis=-1) for name in slices[0]}
        data = _data(task, columns, phi)
        return AnalysisResult(data, _metrics(data))


def _with_jumps(task: TraversalTask) -> Array:
    """Stations, and both sides of places where the front wheel touches twice and torques jump."""
    begin, end = task.stations[[0, -1]]
    angle_jumps = task.curve.angle_jumps
    inside = angle_jumps[(angle_jumps > begin + _BESIDE) & (angle_jumps < end - _BESIDE)]
    return np.unique(np.concatenate((task.stations, inside - _BESIDE, inside + _BESIDE)))


def _slice(task: TraversalTask, s: float, phi: Array) -> dict[str, Array]:
    """The map at one place of the front wheel, arrays over (phi_r, phi_f)."""
    at = pose(task.parameters, task.curve, s, phi[:, None], phi)
    of = forces(task.parameters, at)
    known = rows(task, at, of)
    return {name: known[name] for name in _KEPT}


def _data(task: TraversalTask, columns: dict[str, Array], phi: Array) -> xr.Dataset:
    passing, torque = columns["outcome"] == 0, columns["torque"]
    over_angles = (0, 1)
    some = passing.any(axis=over_angles)
    lowest = np.where(passing, torque, np.inf).min(axis=over_angles)
    highest = np.where(passing, torque, -np.inf).max(axis=over_angles)
    effort = np.where(passing, np.abs(torque), np.inf).min(axis=over_angles)
    variables: dict[str, tuple[tuple[str, ...], npt.ArrayLike]] = {
        name: (_OVER, values) for name, values in columns.items()
    }
    for name, values in (
        ("lowest_torque", lowest),
        ("highest_torque", highest),
        ("least_effort", effort),
    ):
        variables[name] = (("station",), np.where(some, values, np.nan))
    coordinates: dict[str, tuple[tuple[str, ...], npt.ArrayLike]] = {
        "phi_r": (("phi_r",), phi),
        "phi_f": (("phi_f",), phi),
        "station": (("station",), task.stations),
    }
    return dataset(task, variables, coordinates, _TOLD, {"engine": CLOSED_FORM})


def _metrics(data: xr.Dataset) -> dict[str, Metric]:
    passing = data["outcome"].to_numpy() == 0
    torque, effort = data["torque"].to_numpy(), data["least_effort"].to_numpy()
    found: dict[str, Metric] = {"passing_share": float(passing.mean())}
    if passing.any():
        found["passing_torque_max"] = float(torque[passing].max())
        found["passing_torque_min"] = float(torque[passing].min())
    if np.isfinite(effort).all():
        found["least_peak"] = float(effort.max())
    peaks = np.where(passing.all(axis=-1), np.abs(torque).max(axis=-1), np.inf)
    if np.isfinite(peaks).any():
        row, column = np.unravel_index(int(np.argmin(peaks)), peaks.shape)
        found["fixed_peak"] = float(peaks[row, column])
        angles = data["phi_r"].to_numpy()[row], data["phi_f"].to_numpy()[column]
        found["fixed_angles"] = [float(angle) for angle in angles]
    return found

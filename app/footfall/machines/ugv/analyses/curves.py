"""The document's Figure 24: torque along the track for several pairs of angles that stay.

What is done at every pair: the traversal of `closed_form`, whose rows stand on both sides of places
where a wheel touches the track twice, and the torque jumps.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.ugv.analyses.labelled import dataset, rows
from footfall.machines.ugv.analyses.traversal_task import (
    ALIKE,
    TraversalTask,
    check_angle,
    check_engine,
    check_stations,
    traversal_task,
)
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.closed_form.traversal import Traversal, traversal
from footfall.machines.ugv.measures import RESIDUAL, TRAVERSAL_METRICS, traversal_metrics
from footfall.machines.ugv.tracks import Bump, Sine, Steps, TrackPoints
from footfall.metrics import Metric
from footfall.registry.claims import Claim, stated
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM

FAILURES = {
    "rolls_over_from": "the ground would have to hold a wheel down",
    "slips_from": "a wheel that is pressed down needs more friction than there is",
    "bottoms_from": "body or legs reach into the ground",
}
"""Metrics of where a traversal first fails, with what they mean."""

_SOURCE = "Corral et al. 2016, section 8, Figure 24"
_MOST_PAIRS = 24
_MOST_STATIONS = 10_000
_OPPOSITE = 1e-3  # of the largest torque


@dataclass
class AnglePair:
    """Angles between the body and the legs [degrees]: 90 stands down, 180 is in line with it."""

    # Of the rear leg.
    rear: float = 115.0
    # Of the front leg.
    front: float = 115.0


@dataclass
class UgvCurves:
    """Torque, forces, friction and clearance over the track, for pairs of angles that stay."""

    # Where it drives: !Bump, !Steps, !Sine or !TrackPoints. Absent: on the track of the model.
    track: Bump | Steps | Sine | TrackPoints | None = None
    # Abscissas of the centre of the front wheel, from and to [m].
    begin: float = 0.5
    end: float = 9.0
    # Places between them, evenly spaced; beside them the two sides of every jump.
    stations: int = 426
    # Pairs of angles, {rear, front} in degrees.
    angles: list[AnglePair] = field(
        default_factory=lambda: [AnglePair(90.0, 90.0), AnglePair(115.0, 115.0)]
    )
    # Engine that computes it: closed-form, there is no other.
    engine: str = CLOSED_FORM

    def __post_init__(self) -> None:
        """Refuse what is no figure."""
        check_engine(self.engine)
        check_stations(self.begin, self.end, self.stations, _MOST_STATIONS)
        pairs = [(pair.rear, pair.front) for pair in self.angles]
        if not 1 <= len(pairs) == len(set(pairs)) <= _MOST_PAIRS:
            raise ScenarioError(f"analysis.angles: give 1 to {_MOST_PAIRS} pairs, each once.")
        for k, pair in enumerate(self.angles):
            check_angle(f"analysis.angles.{k}.rear", pair.rear)
            check_angle(f"analysis.angles.{k}.front", pair.front)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        shared = TRAVERSAL_METRICS | RESIDUAL
        found = {
            name: (unit, f"{meaning}; of every pair") for name, (unit, meaning) in shared.items()
        }
        for name, meaning in FAILURES.items():
            found[name] = ("m", f"first place of every pair where {meaning}")
        return found

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """All curves; raises ScenarioError for pairs that have no place somewhere on the track."""
        phi_r = np.radians([pair.rear for pair in self.angles])
        phi_f = np.radians([pair.front for pair in self.angles])
        stations = np.linspace(self.begin, self.end, self.stations)
        task = traversal_task(context, self.track, stations, phi_r, phi_f)
        traversals = []
        for k, pair in enumerate(self.angles):
            what = f"{pair.rear:g} and {pair.front:g} degrees"
            analysis.go_on(what, k / (len(self.angles) + 1))
            traversals.append(_traverse(task, phi_r[k], phi_f[k]))
        analysis.go_on("all of them", len(self.angles) / (len(self.angles) + 1))
        s = np.unique(np.concatenate([one.s for one in traversals]))
        data = _data(task, s, phi_r, phi_f)
        each = [traversal_metrics(task.parameters, task.track, one) for one in traversals]
        metrics: dict[str, Metric] = {name: [one[name] for one in each] for name in each[0]}
        metrics |= _first_places(data)
        return AnalysisResult(data, metrics, _claims(task, data, traversals))


def _traverse(task: TraversalTask, phi_r: float, phi_f: float) -> Traversal:
    try:
        return traversal(task.parameters, task.curve, task.stations, phi_r, phi_f)
    except ValueError as error:
        raise ScenarioError(f"analysis.angles: {error}.") from error


def _data(task: TraversalTask, s: Array, phi_r: Array, phi_f: Array) -> xr.Dataset:
    """Rows of all pairs at the same places s (n,) [m]."""
    at = pose(task.parameters, task.curve, s, phi_r[:, None], phi_f[:, None])
    of = forces(task.parameters, at)
    over = ("angles", "station")
    return dataset(
        task,
        {name: (over, values) for name, values in rows(task, at, of).items()},
        {
            "station": (("station",), s),
            "phi_r": (("angles",), phi_r),
            "phi_f": (("angles",), phi_f),
        },
        {},
        {"engine": CLOSED_FORM},
    )


def _first_places(data: xr.Dataset) -> dict[str, Metric]:
    """Return where each pair first fails in each way [m]; NaN for never."""
    s, lifted = data["station"].to_numpy(), data["min_normal"].to_numpy() <= 0.0
    flags = {
        "rolls_over_from": lifted,
        "slips_from": ~lifted & (data["required_friction"].to_numpy() > data.attrs["friction"]),
        "bottoms_from": data["clearance"].to_numpy() < 0.0,
    }
    return {
        name: np.where(those.any(axis=1), s[those.argmax(axis=1)], math.nan).tolist()
        for name, those in flags.items()
    }


def _claims(task: TraversalTask, data: xr.Dataset, traversals: Sequence[Traversal]) -> list[Claim]:
    """Return what holds for the document's vehicle on its bump, whose figure is lost."""
    wheels = data[["rear_z", "front_z"]].isel(station=[0, -1]).to_array().to_numpy()
    left = float(np.abs(wheels - task.parameters.r).max())
    if not task.is_text or left > ALIKE:
        return []
    work = max(abs(float(one.works.wheels[-1])) for one in traversals)
    quadrature = max(one.energy_residual for one in traversals)
    return [
        _predicted(
            "work of the wheels over the bump, of any pair of angles",
            "J",
            work,
            task.parameters.weight * left + quadrature,
            "from level ground to level ground at angles that stay: what is lost uphill comes back "
            f"downhill, but for {left:.1e} m that a wheel stands higher at an end, and quadrature",
        ),
        _predicted(
            "torque of a pair, and of the pair swapped where the bump's top mirrors it: their sum "
            "over the largest torque",
            "1",
            _oddness(task, data),
            _OPPOSITE,
            "bump and vehicle are the same seen in a mirror, which turns the torque about; read "
            "off a track of facets, slopes err by some 1e-5",
        ),
    ]


def _oddness(task: TraversalTask, data: xr.Dataset) -> float:
    """Largest sum of torques that are each other's mirror image, over the largest torque."""
    phi_r, phi_f = (data[name].to_numpy()[:, None] for name in ("phi_r", "phi_f"))
    seen = 2.0 * Bump().place - data["rear_x"].to_numpy()  # of the front wheel in the mirror
    at = pose(task.parameters, task.curve, seen, phi_f, phi_r)
    torque = data["torque"].to_numpy()
    off = forces(task.parameters, at).torque + torque
    return float(np.nanmax(np.abs(off)) / np.abs(torque).max())


def _predicted(name: str, unit: str, value: float, tolerance: float, reason: str) -> Claim:
    """A statement that follows from the document's equations: of a value that is to be 0."""
    return stated(name, unit, abs(value), tolerance, "at most", source=_SOURCE, reason=reason)

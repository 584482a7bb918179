"""Playing saved trajectories of one machine in Meshcat, several runs together, with a recording."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat, Rgba
from pydrake.math import RigidTransform

from footfall.errors import RunError
from footfall.plants.coordinates import coordinate_names
from footfall.plants.load import Model, ModelSpec, load_model
from footfall.show.arrows import ContactArrows
from footfall.show.camera import frame_way
from footfall.show.colours import run_colour, to_rgba
from footfall.show.extent import sizes_of
from footfall.show.meshcat import start_meshcat
from footfall.show.stage import CONTACT_FORCES, SCENE, Actor, add_ground_marks
from footfall.trajectory import Trajectory

Array = npt.NDArray[np.float64]

_MOST_FRAMES = 3000  # a longer recording gets fewer frames a second, for its page to open

GHOST_ALPHA = 0.75


@dataclass(frozen=True)
class Cast:
    """How one run is seen: its Meshcat path, and its colour (None: the model's own)."""

    run: str
    path: str
    colour: str | None


def cast_of(runs: Sequence[str]) -> list[Cast]:
    """The legend of a replay: the first run has the model's own colours, the others are tinted."""
    return [
        Cast(run, f"{SCENE}/{run}", None if index == 0 else run_colour(index))
        for index, run in enumerate(runs)
    ]


def replay(
    trajectories: Mapping[str, Trajectory], spec: ModelSpec, meshcat: Meshcat, fps: float = 30.0
) -> None:
    """Record runs of one model into Meshcat, where the browser plays them.

    Names of runs become Meshcat paths. The first run has the model's own colours and its contact
    forces (mean of each frame), the others are tinted. Raises RunError for a trajectory of another
    machine or without a finite row.
    """
    model = load_model(spec)
    tracks = {run: _track(run, trajectory, model) for run, trajectory in trajectories.items()}
    if not tracks:
        raise RunError("there is nothing to replay: give at least one trajectory.")
    start, end = min(t[0] for t, _ in tracks.values()), max(t[-1] for t, _ in tracks.values())
    fps = min(fps, _MOST_FRAMES / max(end - start, 1e-9))
    times = start + np.arange(int((end - start) * fps + 1e-6) + 1) / fps
    lane = sizes_of(model).lane  # runs would cover each other in one
    meshcat.StartRecording(frames_per_second=fps, set_visualizations_while_recording=False)
    add_ground_marks(meshcat, spec.terrain)
    for index, cast in enumerate(cast_of(list(tracks))):
        tint: Rgba | None = to_rgba(cast.colour, GHOST_ALPHA) if cast.colour else None
        actor = Actor(meshcat, model, cast.path, tint)
        meshcat.SetTransform(cast.path, RigidTransform([0.0, index * lane, 0.0]))
        for time, q in zip(times - start, _sampled(*tracks[cast.run], times), strict=True):
            actor.pose(q, float(time))
    first = next(iter(trajectories.values()))
    _record_forces(meshcat, model, first, times)
    seen = [_sampled(*track, times) for track in tracks.values()]
    frame_way(meshcat, model, times - start, np.stack(seen, axis=1))
    meshcat.StopRecording()
    meshcat.PublishRecording()


def recording_html(
    trajectories: Mapping[str, Trajectory], spec: ModelSpec, fps: float = 30.0
) -> str:
    """Return the replay as one HTML page that plays offline; see ``replay``."""
    meshcat = start_meshcat()
    replay(trajectories, spec, meshcat, fps)
    page: str = meshcat.StaticHtml()
    return page


def _track(run: str, trajectory: Trajectory, model: Model) -> tuple[Array, Array]:
    """Times (N,) and positions (N, nq) of the rows that are finite, in the model's order."""
    data = trajectory.data
    names = coordinate_names(model.plant)[0]
    if sorted(data["position"].values.tolist()) != sorted(names):
        found = ", ".join(data["position"].values.tolist())
        raise RunError(f"run {run} is not of this model: it has the positions {found}.")
    q = data["q"].sel(position=names).to_numpy()
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        message = f"run {run} has no finite row to show: run the scenario again."
        raise RunError(message)
    return data["time"].to_numpy()[finite], q[finite]


def _sampled(time: Array, q: Array, at: Array) -> Array:
    """Rows that are last at or before the given times (the first row before the start)."""
    rows = np.searchsorted(time, at + 1e-9, side="right") - 1
    return q[np.clip(rows, 0, len(time) - 1)]


def _record_forces(meshcat: Meshcat, model: Model, trajectory: Trajectory, times: Array) -> None:
    data = trajectory.data
    impulse, point = data["impulse"].to_numpy(), data["contact_point"].to_numpy()
    placed = np.isfinite(point[1:]).any(axis=(0, 2))  # joint limits have no place
    pushed = np.nan_to_num(impulse[:, :, 0]).max(axis=0, initial=0.0) > 0.0
    touched = np.flatnonzero(pushed & placed)
    if len(touched) == 0 or len(times) < 2:
        return
    arrows = ContactArrows(
        meshcat, CONTACT_FORCES, [str(data["contact"].values[i]) for i in touched], model
    )
    rows = np.searchsorted(data["time"].to_numpy(), times + 1e-9, side="right") - 1
    summed = np.cumsum(np.nan_to_num(impulse[:, touched]), axis=0)
    period = times[1] - times[0]
    before = summed[0]
    for time, row in zip(times - times[0], rows, strict=True):
        arrows.draw(point[row, touched], (summed[row] - before) / period, float(time))
        before = summed[row]

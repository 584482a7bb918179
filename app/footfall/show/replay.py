"""Playing saved trajectories of one machine in Meshcat, several runs together, with a recording."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import Meshcat, Rgba
from pydrake.math import RigidTransform

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.plants.coordinates import coordinate_names
from footfall.plants.loading.load import Model, ModelSpec, load_model
from footfall.show.camera import frame_path, place_camera
from footfall.show.colours import run_colour, to_rgba
from footfall.show.extent import Sizes, sizes_of
from footfall.show.forces import RecordedForces
from footfall.show.layers import Layers, shown_at_first
from footfall.show.meshcat import start_meshcat
from footfall.show.stage import DASHED, SCENE, TRACES, Actor, add_ground_marks
from footfall.show.trace import DashedLines, draw_traces
from footfall.show.view import PLAIN, View
from footfall.trajectory import Trajectory
from footfall.trajectory.pushes import pushes_of

_FRAMES = 30.0  # a second
_MOST_FRAMES = 3000  # a longer recording gets fewer frames a second, for its page to open
_FEWEST_FRAMES = 80  # a shorter one gets more, to be watched slowly

GHOST_ALPHA = 0.75
_HAIR = 1e-3  # m


@dataclass(frozen=True)
class Cast:
    """Meshcat path of one run, and its colour (None: the model's own)."""

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
    trajectories: Mapping[str, Trajectory],
    machine: ModelSpec | Model,
    meshcat: Meshcat,
    view: View = PLAIN,
) -> None:
    """Record runs of one model into Meshcat, where the browser plays them.

    Names of runs become Meshcat paths. The first run has the model's own colours, its contact
    forces (mean of each frame) with the cones of the view, and its pushes; the others are tinted.
    machine: what its model is made of, or the model, where there is one already. Raises RunError
    for a trajectory of another machine or without a finite row, ModelError for a contact or frame
    of the view that the model lacks.
    """
    model = machine if isinstance(machine, Model) else load_model(machine)
    tracks = {run: track_of(run, trajectory, model) for run, trajectory in trajectories.items()}
    if not tracks:
        raise RunError("there is nothing to replay: give at least one trajectory.")
    start, end = min(t[0] for t, _ in tracks.values()), max(t[-1] for t, _ in tracks.values())
    span = max(end - start, 1e-9)
    fps = min(max(_FRAMES, _FEWEST_FRAMES / span), _MOST_FRAMES / span)
    frames = np.arange(int((end - start) * fps + 1e-6) + 1)
    times = start + frames / fps
    # Meshcat cuts a time down to its frame: in the middle of it no rounding loses one
    clock: Array = np.asarray((frames + 0.5) / fps)
    sizes = sizes_of(model)
    meshcat.StartRecording(frames_per_second=fps, set_visualizations_while_recording=False)
    add_ground_marks(meshcat, model.spec.terrain, sizes.marks)
    for index, cast in enumerate(cast_of(list(tracks))):
        tint: Rgba | None = to_rgba(cast.colour, GHOST_ALPHA) if cast.colour else None
        actor = Actor(meshcat, model, cast.path, tint)
        meshcat.SetTransform(cast.path, RigidTransform(index * apart(sizes)))
        seen = _sampled(*tracks[cast.run], times)
        own = view.dashed if index > 0 else ()  # the first run has its layers
        dashed = DashedLines(meshcat, model, f"{cast.path}/{DASHED}", own)
        for time, q in zip(clock, seen, strict=True):
            actor.pose(q, float(time))
            dashed.draw(q, float(time))
        draw_traces(meshcat, model, f"{cast.path}/{TRACES}", view.traced, seen, clock)
    first = next(iter(trajectories.values()))
    forces = RecordedForces(model, first)
    layers = Layers(meshcat, model, forces.names, view, cast_of(list(tracks))[0].path)
    layers.shown |= shown_at_first(view)
    layers.put_pushes(pushes_of(first.data))
    seen = _sampled(*next(iter(tracks.values())), times)
    for end, time, q in zip(times.tolist(), clock.tolist(), seen, strict=True):
        begin = end - 1.0 / fps
        layers.draw(q, forces.mean(begin, end), begin, end, time)
    whole = np.stack([_sampled(*track, times) for track in tracks.values()], axis=1)
    if view.camera is None:
        frame_path(meshcat, model, clock, whole)
    else:
        place_camera(meshcat, view.camera)
    meshcat.StopRecording()
    meshcat.PublishRecording()


def apart(sizes: Sizes) -> Array:
    """From one run to the next [m]: beside it, or as far as keeps surfaces apart.

    Runs would cover each other in one position, and surfaces at the same place flicker.
    """
    return np.array([0.0, sizes.spacing, 0.0]) if sizes.spacing > 0.0 else np.full(3, _HAIR)


def recording_html(
    trajectories: Mapping[str, Trajectory],
    machine: ModelSpec | Model,
    view: View = PLAIN,
) -> str:
    """Return the replay as one HTML page that plays offline; see ``replay``."""
    meshcat = start_meshcat()
    replay(trajectories, machine, meshcat, view)
    page: str = meshcat.StaticHtml()
    return page


def track_of(run: str, trajectory: Trajectory, model: Model) -> tuple[Array, Array]:
    """Times (N,) and positions (N, nq) of the rows that are finite, in the model's order."""
    data = trajectory.data
    names = coordinate_names(model.plant)[0]
    if sorted(data["position"].values.tolist()) != sorted(names):
        held = ", ".join(data["position"].values.tolist())
        raise RunError(f"run {run} is not of this model: it has the positions {held}.")
    q = data["q"].sel(position=names).to_numpy()
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise RunError(f"run {run} has no finite row to show: run the scenario again.")
    return data["time"].to_numpy()[finite], q[finite]


def _sampled(time: Array, q: Array, at: Array) -> Array:
    """Rows that are last at or before the given times (the first row before the start)."""
    rows = np.searchsorted(time, at + 1e-9, side="right") - 1
    return q[np.clip(rows, 0, len(time) - 1)]

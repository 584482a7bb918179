"""Saved runs on a page: played, paused, stepped and scrubbed like one that is simulated."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr
from pydrake.geometry import Meshcat
from pydrake.math import RigidTransform

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.scenario.cameras import Camera
from footfall.show.colours import to_rgba
from footfall.show.extent import sizes_of
from footfall.show.forces import RecordedForces, cones_of
from footfall.show.layers import Layers
from footfall.show.live.controls import FRAME_PERIOD, Clock, Command, Controls
from footfall.show.live.display import Display, legend, paths_of
from footfall.show.replay import GHOST_ALPHA, apart, cast_of, track_of
from footfall.show.stage import SCENE, Actor, add_ground_marks
from footfall.show.trace import draw_traces, traces_of
from footfall.show.view import View
from footfall.trajectory import Trajectory
from footfall.trajectory.pushes import pushes_of
from footfall.trajectory.series import Series, find_series

_MOST_ROWS = 4000  # of a plot
_PATIENCE = 0.5  # s
CLOSE, RESTART = "close", "restart"


class Player:
    """Plays runs of one model; the first has its own colours, its forces and pushes."""

    def __init__(
        self,
        meshcat: Meshcat,
        controls: Controls,
        display: Display,
        model: Model,
        contacts: ContactSet,
        trajectories: Mapping[str, Trajectory],
        view: View,
        *,
        cameras: Mapping[str, Camera],
        plots: Sequence[str] = (),
        strict: bool = True,
    ) -> None:
        """Put the runs into the scene.

        strict: what runs lack of the plots is an error. Raises RunError as ``replay`` does.
        """
        self._meshcat, self._controls, self._display = meshcat, controls, display
        tracks = {run: track_of(run, each, model) for run, each in trajectories.items()}
        self._tracks = list(tracks.values())
        self._start = min(t[0] for t, _ in self._tracks)
        self._end = max(t[-1] for t, _ in self._tracks)
        self._cast = cast_of(list(tracks))
        meshcat.Delete(SCENE)
        add_ground_marks(meshcat, model.spec.terrain, sizes_of(model).marks)
        self._actors = [
            Actor(meshcat, model, c.path, to_rgba(c.colour, GHOST_ALPHA) if c.colour else None)
            for c in self._cast
        ]
        self._aside = apart(sizes_of(model))
        self._beside = True
        self._place()
        first = next(iter(trajectories.values()))
        self._forces = RecordedForces(model, first)
        seen = replace(view, cones=cones_of(contacts))
        self._layers = Layers(meshcat, model, self._forces.names, seen, self._cast[0].path)
        self._layers.put_pushes(pushes_of(first.data))
        traced = paths_of(view, model.plant)
        runs = {cast.run: cast.colour for cast in self._cast}
        self._legend = legend(traces_of(traced), runs)
        whole = self._tracks[0][1]
        draw_traces(meshcat, model, f"{self._cast[0].path}/traces", traced, whole)
        display.take(self._layers, [cast.path for cast in self._cast])
        display.frame(model, whole[0], cameras)
        self._tell(trajectories, plots, strict=strict)
        self._clock, self._at, self._next_frame = Clock(), self._start, 0.0
        self._shown = (-1.0, "")

    def play(self, interrupted: Callable[[], bool], *, at_end: bool = False) -> str:
        """Play until the page says ``close`` or ``restart``, or somebody interrupts.

        at_end: begin there, paused, as after a run that was watched. Returns what ended it.
        """
        self._at = self._end if at_end else self._start
        self._clock.play(self._at)
        if at_end:
            self._clock.pause()
        while not interrupted():
            command = self._controls.take(_PATIENCE if self._clock.paused else self._spare())
            while command is not None:
                if command.name in {CLOSE, RESTART}:
                    return command.name
                self._obey(command)
                command = self._controls.take()
            if not self._clock.paused:
                self._at = min(max(self._clock.target(), self._start), self._end)
                if self._at >= self._end:
                    self._clock.pause()
            self._draw()
        return CLOSE

    def _spare(self) -> float:
        """Time until the next frame [s]."""
        spare = max(self._next_frame - time.perf_counter(), 1e-3)
        self._next_frame = time.perf_counter() + spare + FRAME_PERIOD
        return spare

    def _obey(self, command: Command) -> None:
        if command.name == "play" and self._at >= self._end:
            self._at = self._start
        if command.name == "seek":
            self._at = min(max(command.number("value"), self._start), self._end)
            self._clock.pause()
        elif command.name == "step":
            self._step(int(command.number("count", 1.0)))
        elif command.name == "beside":
            self._beside = command.values.get("value") is True
            self._place()
        elif not self._clock.obey(command, self._at):
            self._display.obey(command, self._q(0))
        self._shown = (-1.0, "")

    def _step(self, count: int) -> None:
        """Go on or back by so many rows of the first run."""
        times = self._tracks[0][0]
        row = int(np.searchsorted(times, self._at + 1e-9, side="right")) - 1 + count
        self._at = float(times[min(max(row, 0), len(times) - 1)])
        self._clock.pause()

    def _q(self, run: int) -> Array:
        times, q = self._tracks[run]
        row = int(np.searchsorted(times, self._at + 1e-9, side="right")) - 1
        row_q: Array = q[min(max(row, 0), len(times) - 1)]
        return row_q

    def _draw(self) -> None:
        status = "paused" if self._clock.paused else "running"
        if self._shown != (self._at, status):
            self._shown = (self._at, status)
            for run, actor in enumerate(self._actors):
                actor.pose(self._q(run))
            q = self._q(0)
            self._display.go_along(q)
            span = 0.0 if self._clock.paused else FRAME_PERIOD * min(self._clock.speed, 1.0)
            forces = self._forces.mean(self._at - span, self._at)
            self._layers.draw(q, forces, self._at - max(span, 1e-3), self._at + 1e-9)
        self._controls.state = {
            "time": self._at,
            "rate": self._clock.rate(self._at),
            "status": status,
            "speed": self._clock.speed,
            "beside": self._beside,
            **self._display.told(),
        }

    def _place(self) -> None:
        """Put the runs beside each other or into each other."""
        for index, cast in enumerate(self._cast):
            shift = index * self._aside if self._beside else np.zeros(3)
            self._meshcat.SetTransform(cast.path, RigidTransform(shift))

    def _tell(
        self, trajectories: Mapping[str, Trajectory], plots: Sequence[str], *, strict: bool
    ) -> None:
        named, rows = _plotted(trajectories, plots, strict=strict)
        self._controls.put_rows(rows)
        self._controls.tell_about(
            mode="replay",
            engine=", ".join(trajectories),
            start=self._start,
            duration=self._end,
            links=[],
            adjustable={},
            changes=False,
            runs=len(self._cast),
            plots=named,
            legend=self._legend,
            **self._display.choices(),
        )


def _plotted(
    trajectories: Mapping[str, Trajectory], plots: Sequence[str], *, strict: bool
) -> tuple[list[dict[str, str]], list[list[float]]]:
    """Return names and units of series of the runs, and their rows at the times of the first."""
    if not plots:
        return [], []
    first = next(iter(trajectories.values())).data["time"].to_numpy()
    times = first[:: max(1, len(first) // _MOST_ROWS)]
    named, columns = [], [times]
    for run, trajectory in trajectories.items():
        data = trajectory.data
        for name in plots:
            for series in _found(data, name, strict=strict):
                angle = series.unit.startswith("rad")
                unit = series.unit.replace("rad", "°") if angle else series.unit
                label = series.name if len(trajectories) == 1 else f"{series.name}, {run}"
                named.append({"name": label, "unit": unit, "group": series.name})
                values = np.interp(times, data["time"].to_numpy(), series.values, right=np.nan)
                columns.append(np.rad2deg(values) if angle else values)
    return named, np.column_stack(columns).tolist()


def _found(data: xr.Dataset, name: str, *, strict: bool) -> list[Series]:
    """Return the series of a name; nothing for one that there is not, unless that is an error."""
    try:
        return find_series(data, name)
    except RunError:
        if strict:
            raise
        return []

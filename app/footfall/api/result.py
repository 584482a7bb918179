"""The result of a simulation as programs and notebooks hold it."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import xarray as xr

from footfall.api.html import Animation, table_of
from footfall.metrics import Metric, common_unit, short, text_of
from footfall.registry.claims import Claim
from footfall.registry.machines import known_metrics
from footfall.report import section_of, write_reports
from footfall.run import Run
from footfall.run_folder import make_run_folder
from footfall.saved import save_run
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event, Status, Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class RunResult:
    """A run: its trajectory, metrics and claims, and what can be made of them.

    Nothing is written, opened or served but by a method that says so.
    """

    def __init__(self, scenario: Scenario, run: Run, folder: Path | None = None) -> None:
        """Take a run of a scenario; folder: where it is kept, if anywhere."""
        self.scenario, self.run, self.folder = scenario, run, folder

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return self.scenario.name or "scenario"

    @property
    def engine(self) -> str:
        """Name of the engine."""
        return self.run.engine

    @property
    def trajectory(self) -> Trajectory:
        """Labelled arrays, events, status and message."""
        return self.run.trajectory

    @property
    def data(self) -> xr.Dataset:
        """Labelled arrays over time in SI; every variable has ``units`` and ``long_name``."""
        return self.run.trajectory.data

    @property
    def metrics(self) -> dict[str, Metric]:
        """Numbers by name in SI, see the reference of metrics; lists and groups where one is not.

        `describe` says unit and meaning of each.
        """
        return self.run.metrics

    @property
    def claims(self) -> Sequence[Claim]:
        """Published values beside those of this run, each with its verdict."""
        return self.run.claims

    @property
    def status(self) -> str:
        """``done``, ``failed`` or ``interrupted``."""
        return str(self.trajectory.status.value)

    @property
    def message(self) -> str:
        """One line on why a run that is not done has ended."""
        return self.trajectory.message

    @property
    def events(self) -> tuple[Event, ...]:
        """Events on the way, by time."""
        return self.trajectory.events

    def describe(self, metric: str) -> str:
        """Return unit and meaning of a metric in words; empty for one that nobody describes."""
        unit, meaning = self._known().get(metric, ("", ""))
        return f"{meaning} [{unit}]" if unit not in ("", "1") else meaning

    def series(self) -> list[str]:
        """Return the names that `plot` takes: of coordinates, actuators, feet, and variables."""
        from footfall.trajectory.series import names_of

        return names_of(self.data)

    def plot(self, *names: str, ax: "Axes | None" = None) -> "Figure":
        """Plot time series by name and return the matplotlib figure; angles in degrees.

        names: of coordinates (``theta1``), actuators, feet, contacts, observables or variables
        (``kinetic_energy``, ``com.z``, ``v.theta1``). Series of one unit share a panel; bands show
        when something pushes. ax: draw into axes of your own, which are given one unit. Raises
        RunError with the nearest name for one that there is not.
        """
        from footfall.api.plotting import plot_runs

        return plot_runs({self.engine: self.trajectory}, names, ax)

    def animate(self, *, camera: str | None = None, viewer: str = "page") -> Animation:
        """Return the animation, which a notebook shows inline; nothing is opened.

        viewer: ``page``, an HTML page with everything inside, which needs no server; ``meshcat``,
        the viewer of the PyPI package meshcat (extra ``notebook``), which serves on this machine.
        camera: one of the scenario's by name, else the machine is framed.
        """
        from footfall.api.animation import animate

        return animate(self.scenario, {self.engine: self.trajectory}, camera, viewer)

    def watch(self, *plots: str) -> None:
        """Play the run on a page, whose address is told, until it is closed there, or by Ctrl-C.

        plots: names of series that are plotted beside the scene, as `plot` takes them.
        """
        from footfall.api.watching import watch

        watch(self.scenario, {self.engine: self.trajectory}, plots)

    def video(
        self, path: str | Path, *, camera: str | None = None, fps: float = 30.0, speed: float = 1.0
    ) -> Path:
        """Write a film as MP4 or GIF, rendered without a display, and return its path.

        camera: one of the scenario's by name, else the path is framed. fps: frames a second. speed:
        simulated over shown time. Needs ffmpeg (extra ``video``); raises RunError without.
        """
        from footfall.api.animation import view_through
        from footfall.plants.loading.load import load_model
        from footfall.report.film import write_film
        from footfall.scenario.assemble import model_spec

        seen = view_through(self.scenario, camera).camera
        model = load_model(model_spec(self.scenario))
        write_film(model, self.trajectory, Path(path), camera=seen, fps=fps, speed=speed)
        return Path(path)

    def save(self, folder: str | Path | None = None) -> Path:
        """Write the folder of the run as ``footfall run`` does, and return its path.

        folder: new or empty; left out: ``runs/<scenario>/<engine>/<time>``. A run that was read
        back from a folder is copied with it. Raises RunError where it cannot be written.
        """
        made = make_run_folder(self.name, self.engine, folder)
        if self.folder is None:
            save_run(made, self.name, self.scenario, self.run)
        else:
            shutil.copytree(self.folder, made.path, dirs_exist_ok=True)
        self.folder = made.path
        return made.path

    def report(self, path: str | Path | None = None) -> Path:
        """Write the report, one HTML page with figures and animation, and return its path.

        path: of the page; left out: ``report.html`` in the folder of the run, which is saved first
        if it is not. Raises RunError where it cannot be written.
        """
        if path is None:
            folder = self.folder if self.folder is not None else self.save()
            path = folder / "report.html"
        write_reports([section_of(self.scenario, {self.engine: self.run})], path)
        return Path(path)

    def _known(self) -> dict[str, tuple[str, str]]:
        return known_metrics(self.scenario.machine, self.data)

    def __repr__(self) -> str:
        time = self.data["time"].to_numpy()
        end = f"{time[-1]:g} s" if len(time) else "no step"
        why = "" if self.trajectory.status is Status.DONE else f" ({self.message})"
        count = len(self.metrics)
        return f"<run of {self.name} in {self.engine}: {self.status}{why}, {end}, {count} metrics>"

    def _repr_html_(self) -> str:
        known = self._known()
        rows = []
        for name, value in self.metrics.items():
            unit, meaning = known.get(name, ("", ""))
            shared = common_unit(value, unit).removeprefix("1")
            rows.append((name, text_of(value, short, unit), shared, meaning))
        claims = [
            f"{claim.name}: {short(claim.value)}, held to {claim.held_to(short)}: {claim.verdict}"
            for claim in self.claims
        ]
        status = self.status if not self.message else f"{self.status}: {self.message}"
        return table_of(f"{self.name} in {self.engine}", status, rows, notes=claims)

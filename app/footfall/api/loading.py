"""Scenarios as programs hold them: loaded by name, from a file, or made of a model file."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footfall.api.html import table_of
from footfall.scenario.io import changed, dump_scenario, load_scenario
from footfall.scenario.names import is_path
from footfall.scenario.schema import Scenario
from footfall.trust import trust as trust_files
from footfall.trust import trusting_all

if TYPE_CHECKING:
    from pydrake.systems.framework import System

    from footfall.api.result import RunResult
    from footfall.api.simulation import Simulation
    from footfall_controllers.controller import Controller

_MODELS = (".urdf", ".sdf", ".xacro", ".xml", ".mjcf")


def load(
    scenario: str | Path,
    /,
    *,
    trust: bool = False,
    **values: Any,  # noqa: ANN401 (of any field)
) -> "LoadedScenario":
    """Load a scenario, or make one of a robot's model file.

    scenario: a name (``biped/climb``, see ``footfall.scenarios()``); a YAML file (``mine.yaml``,
    ``mine.yaml:name``); a URDF, SDF, MJCF or xacro file, by its path or package:// address; or the
    name of a robot that ships (``quadruped``). A bare model gets the scenario of ``footfall drop``:
    it falls from 0.2 m (``initial.gap``) for 2 s; its root must be free in space. trust: let its
    xacro files run code and read the environment and files from anywhere, from now on in this
    process.
    values: changes by path, as ``set`` takes them.

    Raises FootfallError, one line, for what is missing, broken, unknown or of the wrong type.
    """
    with trusting_all() if trust else nullcontext():
        loaded = _loaded(str(scenario), values)
    if trust:
        models = [directive.add_model for directive in loaded.scenario.directives]
        trust_files(model.file for model in models if model is not None)
    return loaded


def _loaded(name: str, values: Mapping[str, Any]) -> "LoadedScenario":
    """Return a scenario by its name or file, or that of a bare model."""
    if name.endswith(_MODELS) or ("/" not in name and not is_path(name)):
        return _of_model(name, values)
    return LoadedScenario(load_scenario(name)).set(**values)


def _of_model(model: str, values: Mapping[str, Any]) -> "LoadedScenario":
    """Return the scenario in which a robot falls on the ground."""
    from footfall.scenario.drop import drop_scenario

    dropped = drop_scenario(model, change=lambda scenario: changed(scenario, values))
    return LoadedScenario(
        dropped.scenario, (*dropped.notes, *dropped.friction, *dropped.warnings.known)
    )


@dataclass(frozen=True, eq=False, repr=False)
class LoadedScenario:
    """A scenario that can be changed, run, compared and saved.

    scenario: its fields, as `footfall.scenario.schema.Scenario` has them. notes: a line about each
    thing that a model did not say and that was chosen for it.
    """

    scenario: Scenario
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name, as machine/name or a path."""
        return self.scenario.name

    def set(self, **values: Any) -> "LoadedScenario":  # noqa: ANN401 (of any field)
        """Return another scenario with some values changed; this one stays as it is.

        Paths with dots go in as a mapping: ``.set(friction=0.5, **{"controller.kp": 40.0})``. A
        value is a number, text, list, group (dict) or array, in SI and radians, but where a field
        says degrees. Raises ScenarioError, one line.
        """
        if not values:
            return self
        return LoadedScenario(changed(self.scenario, values), self.notes)

    def run(
        self,
        engine: str | None = None,
        *,
        controller: "System | Controller | type | None" = None,
        pushes: Sequence[Any] | None = None,
        seed: int | None = None,
        out: str | Path | None = None,
        view: bool = False,
        plots: Sequence[str] = (),
        **values: Any,  # noqa: ANN401 (of any field)
    ) -> "RunResult":
        """Simulate and return the result; nothing is written unless ``out`` names a new folder.

        engine: the scenario's own unless named, see ``footfall.engine_names``. controller: a
        LeafSystem with an input ``state`` and an output ``actuation``, its class, a function of the
        plant, or a description of footfall.control. pushes: groups with link, start, duration,
        force, as in a scenario. view: lead it on a page, whose address is told, from the moment
        when a browser shows it; plots: names of values that grow there, as in ``theta1``; what was
        done by hand is in the scenario of the result. values: more changes, as ``set`` takes them.

        A run that diverges or falls is returned with its status and what was computed. Raises
        FootfallError, one line, for a request that is wrong.
        """
        from footfall.api.running import run

        given = {"controller": controller, "pushes": pushes, "seed": seed}
        values |= {name: value for name, value in given.items() if value is not None}
        return run(self.set(**values).scenario, engine, out, view=view, plots=plots)

    def simulation(self, engine: str | None = None, *, record: bool = False) -> "Simulation":
        """Return a simulation that is led from step to step, at its start.

        engine: the scenario's own unless named, one with ports. record: keep every step, for
        `Simulation.record`. Raises FootfallError, one line, for a request that is wrong.
        """
        from footfall.api.simulation import Simulation

        return Simulation(self.scenario, engine, record=record)

    def to_yaml(self) -> str:
        """Return all fields as YAML, which ``load`` reads from a file."""
        return dump_scenario(self.scenario)

    def save(self, path: str | Path) -> Path:
        """Write all fields to a YAML file; returns its path."""
        from footfall.files import write_text

        write_text(Path(path), self.to_yaml())
        return Path(path)

    def __repr__(self) -> str:
        s = self.scenario
        what = f"analysis {type(s.analysis).__name__}" if s.analysis is not None else s.engine
        return f"<footfall {s.name or 'scenario'}: {what}, {s.duration:g} s by {s.time_step:g} s>"

    def _repr_html_(self) -> str:
        s = self.scenario
        friction = "of the files" if s.friction is None else f"{s.friction:g}"
        kind = "none" if s.controller is None else type(s.controller).__name__
        controller = str(getattr(s.controller, "title", kind))
        rows = [
            ("engine", s.engine),
            ("duration", f"{s.duration:g} s"),
            ("time step", f"{s.time_step:g} s"),
            ("slope", f"{s.terrain.slope_deg:g}°"),
            ("friction", friction),
            ("controller", controller),
            ("pushes", str(len(s.pushes))),
            ("seed", str(s.seed)),
        ]
        return table_of(s.name, s.description, rows, notes=self.notes)

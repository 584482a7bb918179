"""From model directives to a finalized plant standing on its terrain: all stages of loading.

`read_files` finds, expands and mends files; `load_model` checks them and builds a plant.
"""

import copy
import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from pydrake.geometry import SceneGraph
from pydrake.multibody.parsing import (
    AddModel,
    ModelDirective,
    ModelDirectives,
    ProcessModelDirectives,
)
from pydrake.multibody.plant import (
    AddMultibodyPlant,
    MultibodyPlant,
    MultibodyPlantConfig,
)
from pydrake.systems.framework import Diagram, DiagramBuilder

from footfall.errors import ModelError, ScenarioError, reason_of, refusing
from footfall.folder_lock import temporary_folder
from footfall.plants.constraints import Ball, Constraint, add_to_drake
from footfall.plants.loading.expansion import expand_files
from footfall.plants.loading.file_constraints import DeclaredConstraint, constraints_of_files
from footfall.plants.loading.file_physics import add_to_plant, give_to_shapes, notes_on
from footfall.plants.loading.mending import Mended, check_mass_scale, mend_files
from footfall.plants.loading.meshes import line_about_hulls
from footfall.plants.loading.model_check import Checked, check_files
from footfall.plants.loading.model_files import (
    ALONE,
    Argument,
    Copy,
    ModelFile,
    find_files,
    with_sources,
)
from footfall.plants.loading.model_warnings import NO_WARNINGS, ModelWarnings, warnings_of
from footfall.plants.loading.plant_check import check_plant, require_plain_names
from footfall.plants.loading.uris import Packages, known_packages
from footfall.plants.messages import explain, listening, one_line
from footfall.plants.motors import Motor, set_motors
from footfall.plants.terrain import Ground, Surface, Terrain, add_terrain
from footfall.resources import parser_of

EARTH = 9.81  # m/s^2: Drake's own, which a model has that nothing is said of


@dataclass
class ModelSpec:
    """Models, how they are attached, and the ground."""

    # Drake model directives: add_model, add_weld, add_frame, ... A frame named "terrain" exists.
    # A file without package:// or file:// is relative to the working directory.
    directives: list[ModelDirective] = field(default_factory=list)
    # The ground.
    terrain: Ground = field(default_factory=Terrain)
    # Gravity [m/s^2], straight down in the world whatever the slope.
    gravity: float = EARTH
    # Folders of packages by name, for package:// addresses in the models.
    packages: dict[str, str] = field(default_factory=dict)
    # Arguments of models whose file is a .xacro one, by the names of model and argument.
    arguments: dict[str, dict[str, Argument]] = field(default_factory=dict)
    # Factors of mass and inertia by link or pattern.
    mass_scale: dict[str, float] = field(default_factory=dict)
    # Motors by actuator, whose inertia and friction the joints feel.
    motors: dict[str, Motor] = field(default_factory=dict)
    # Closed loops and gears beside those of the files; the Moreau engine takes them, a discrete
    # plant gets them, a continuous one has no use for them.
    constraints: list[Constraint] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_gravity(self.gravity)
        check_mass_scale(self.mass_scale)


@dataclass(frozen=True)
class Files:
    """Files of models as Drake reads them, for the length of a `with` block.

    directives: naming these. packages: those that they need. mended: the files, and what is known
    of them beside what Drake reads.
    """

    directives: Sequence[ModelDirective]
    packages: Packages
    mended: Mended
    copies: Sequence[Copy]

    def with_sources(self, text: str) -> str:
        """Return a text with the user's files in place of copies."""
        return with_sources(text, self.copies)

    def check(self) -> Checked:
        """Judge the files; raises ModelError, one line."""
        checked = check_files(self.mended.files, self.packages)
        checked.physics.add(self.mended.physics)
        return checked


@contextmanager
def read_files(
    directives: Sequence[ModelDirective],
    packages: Packages,
    arguments: Mapping[str, Mapping[str, Argument]] | None = None,
    mass_scale: Mapping[str, float] | None = None,
) -> Iterator[Files]:
    """Find, expand and mend the files of directives, for the length of a `with` block.

    arguments: of xacro files, by name of the model. mass_scale: factors of masses by link, as
    `mass_scale.factors` takes them. Raises ModelError and ScenarioError, one line that names the
    user's files, also for whatever else is raised in the block, which is to hold all that reads the
    files.
    """
    copies: list[Copy] = []
    named = [model.file for part in directives if (model := part.add_model or part.add_directives)]

    def explained(error: BaseException) -> str:
        return explain(with_sources(one_line(error), copies), directives, named)

    try:
        with (
            refusing(ModelError, explained),
            temporary_folder() as name,
            _UsersFiles(lambda text: with_sources(text, copies)),
        ):
            folder = Path(name).resolve()
            files = find_files(directives, packages)
            files, expanded = expand_files(files, arguments or {}, packages, folder)
            copies += expanded
            mended = mend_files(files, mass_scale or {}, folder)
            copies += mended.copies
            yield Files(_naming(directives, mended.files), packages, mended, copies)
    except ModelError as error:
        raise ModelError(with_sources(str(error), copies)) from error


@contextmanager
def read_file(file: str, arguments: Mapping[str, Argument], packages: Packages) -> Iterator[Files]:
    """Do as `read_files` does with one directive, for one file, whose model is called "model"."""
    directive = ModelDirective(add_model=AddModel(name=ALONE, file=file))
    with read_files([directive], packages, {ALONE: arguments}) as files:
        yield files


def _naming(
    directives: Sequence[ModelDirective], files: Sequence[ModelFile]
) -> list[ModelDirective]:
    """Return directives that name files by URIs, as Drake takes them, and copies of them."""
    paths = {file.place: file.path for file in files}
    changed = []
    for place, directive in enumerate(map(copy.deepcopy, directives)):
        part = directive.add_model or directive.add_directives
        path = paths.get(place)
        if part is not None and (path is not None or "://" not in part.file):
            part.file = f"file://{path or Path(part.file).resolve()}"
            if directive.add_model is not None:
                directive.add_model = part  # Drake hands out copies
            else:
                directive.add_directives = part
        changed.append(directive)
    return changed


class _UsersFiles(logging.Filter):
    """Lets Drake's warnings, for the length of a `with` block, speak of the user's files."""

    def __init__(self, with_sources: Callable[[str], str]) -> None:
        super().__init__()
        self._with_sources = with_sources

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._with_sources(record.getMessage()), ()
        return True

    def __enter__(self) -> None:
        logging.getLogger("drake").filters.insert(0, self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger("drake").removeFilter(self)


@dataclass(frozen=True)
class Model:
    """A finalized plant with its SceneGraph inside a diagram of their own.

    constraints: all bilateral ones, those of the spec and those of the files. unread: a line about
    constraints of the files that are not among them, which only Drake's engine knows; or empty.
    joint_friction: what the files say [N m or N], by full joint name, ``model::joint``. warnings:
    what Drake said of the files. surface: what makes the ground uneven, if anything does.
    """

    diagram: Diagram
    plant: MultibodyPlant
    scene_graph: SceneGraph
    spec: ModelSpec
    constraints: tuple[Constraint, ...]
    unread: str
    joint_friction: Mapping[str, float]
    warnings: ModelWarnings = NO_WARNINGS
    surface: Surface | None = None

    def require_all_read(self) -> None:
        """Raise ModelError if the files declare constraints that only Drake's engine knows."""
        if self.unread:
            raise ModelError(self.unread)


def load_model(
    spec: ModelSpec, *, expected_actuators: Sequence[str] = (), judged: bool = True
) -> Model:
    """Load a machine onto its terrain as a diagram of its own, with a continuous plant.

    expected_actuators: joints, plain or `model::joint`, that something is going to drive. judged:
    whether the finalized plant is judged as well as the files; who looks for a start need not.
    Raises ModelError for whatever is wrong with the model.
    """
    builder = DiagramBuilder()
    with _files_of(spec) as files, listening() as warnings:
        plant, scene_graph, checked = _add_checked(builder, spec, files)
        if judged:
            check_plant(plant, expected_actuators)
        checked = _with_connects(checked, files, plant)
        own = [*spec.constraints, *files.mended.couplers]
        of_files, unread = constraints_of_files(plant, checked.constraints, checked.files)
    constraints = (*own, *of_files)
    dry = checked.physics.joint_friction
    unread = files.with_sources(unread)
    hulls = line_about_hulls(scene_graph.model_inspector()) if judged else ""
    of_tags = map(files.with_sources, notes_on(plant, checked.physics))
    notes = [*files.mended.notes, *of_tags, *filter(None, [hulls])]
    lines, ground = warnings_of(warnings, notes), spec.terrain.surface()
    return Model(builder.Build(), plant, scene_graph, spec, constraints, unread, dry, lines, ground)


def add_model(
    builder: DiagramBuilder,
    spec: ModelSpec,
    *,
    config: MultibodyPlantConfig | None = None,
    complete: Callable[[MultibodyPlant], None] | None = None,
) -> tuple[MultibodyPlant, SceneGraph]:
    """Add the finalized plant and its SceneGraph to a builder; otherwise like `load_model`.

    config: of the plant, which without one is continuous. complete: adds to it what is not in the
    files, before it is finalized. Raises ScenarioError for a config that is none.
    """
    with _files_of(spec) as files, listening():  # which says what it said of the provider
        plant, scene_graph, _ = _add_checked(builder, spec, files, config, complete)
        check_plant(plant)
        return plant, scene_graph


def _with_connects(checked: Checked, files: Files, plant: MultibodyPlant) -> Checked:
    """Add the closed loops of MJCF files, whose second point is where the first is at the start."""
    context = plant.CreateDefaultContext()
    declared = list(checked.constraints)
    for name, mjcf in files.mended.mjcf.items():
        instance = plant.GetModelInstanceByName(name)
        for loop in mjcf.connects:
            X_WA, X_WB = (
                plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(body, instance))
                for body in (loop.a, loop.b)
            )
            p_BQ = X_WB.inverse().multiply(X_WA.multiply(np.array(loop.p_AP))).tolist()
            ball = Ball(f"{name}::{loop.a}", f"{name}::{loop.b}", list(loop.p_AP), p_BQ)
            declared.append(DeclaredConstraint(ball, f"{name}:{loop.line}", "connect"))
    return checked._replace(constraints=tuple(declared))


def _files_of(spec: ModelSpec) -> AbstractContextManager[Files]:
    packages = known_packages(spec.packages)
    return read_files(spec.directives, packages, spec.arguments, spec.mass_scale)


def _add_checked(
    builder: DiagramBuilder,
    spec: ModelSpec,
    files: Files,
    config: MultibodyPlantConfig | None = None,
    complete: Callable[[MultibodyPlant], None] | None = None,
) -> tuple[MultibodyPlant, SceneGraph, Checked]:
    """Add a plant to a builder; returns what is known of its files as well."""
    spec.__post_init__()  # Drake's YAML reader fills fields in after they were checked
    checked = files.check()
    plant, scene_graph = _add_plant(builder, config)
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -spec.gravity])
    add_terrain(plant, spec.terrain)
    with _refusing_guesses(files.directives, [str(path) for path in checked.files]):
        directives = ModelDirectives(directives=list(files.directives))
        ProcessModelDirectives(directives, parser_of(plant, files.packages))
        require_plain_names(plant)
        add_to_plant(plant, checked.physics)
        set_motors(plant, spec.motors)
        if plant.time_step() > 0.0:
            add_to_drake(plant, [*spec.constraints, *files.mended.couplers])
        if complete is not None:
            complete(plant)
        plant.Finalize()
        give_to_shapes(plant, scene_graph, checked.physics)
    return plant, scene_graph, checked


def check_gravity(value: float) -> None:
    """Raise ScenarioError for a gravity that is no number or pulls upwards."""
    if not 0.0 <= value < math.inf:
        raise ScenarioError(f"gravity is {value}: give a finite number of m/s^2 from 0.")


def _add_plant(
    builder: DiagramBuilder, config: MultibodyPlantConfig | None
) -> tuple[MultibodyPlant, SceneGraph]:
    with refusing(
        ScenarioError,
        lambda error: f"plant configuration: {reason_of(error)}; correct this setting.",
    ):
        plant, scene_graph = AddMultibodyPlant(
            config or MultibodyPlantConfig(time_step=0.0), builder
        )
    return plant, scene_graph


@contextmanager
def _refusing_guesses(directives: Sequence[ModelDirective], files: list[str]) -> Iterator[None]:
    """Turn Drake's guesses at an inertia into a refusal."""
    with listening() as warnings:
        yield
    for warning in warnings:
        if "inertia matrix" in warning or "central inertia" in warning:
            raise ModelError(explain(warning, directives, files))

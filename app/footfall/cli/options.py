"""Arguments and options that several commands take, and how they are read."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from footfall.errors import ScenarioError
from footfall.trust import trusting_all
from footfall.workers import Workers

if TYPE_CHECKING:
    from footfall.scenario.schema import Scenario


ScenarioName = Annotated[
    str, typer.Argument(help="machine/name (see footfall list) or a path to a YAML file")
]
ModelName = Annotated[
    str,
    typer.Argument(help="a machine's name, a URDF, SDF, MJCF or .xacro file, a package:// address"),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="change one value, as in terrain.slope_deg=-3"),
]
Out = Annotated[Path | None, typer.Option(help="folder to write to; must be new or empty")]
Seed = Annotated[int | None, typer.Option(help="seed of everything random")]


def _trust(context: typer.Context, wanted: bool) -> bool:
    """Trust all model files until the command is done, if that is wanted; return whether it is."""
    if wanted:
        context.with_resource(trusting_all())
    return wanted


Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="let xacro files run code and read the environment and files from anywhere",
        callback=_trust,
    ),
]
Report = Annotated[
    bool,
    typer.Option(
        "--report/--no-report", help="write the page; footfall report RUN does so at any time"
    ),
]
View = Annotated[
    bool,
    typer.Option("--view", help="watch and lead it on a page in a browser, on this machine only"),
]
OpenPage = Annotated[
    bool, typer.Option("--open", help="open the page in the browser (means --view)")
]
WaitForBrowser = Annotated[
    bool, typer.Option("--wait", help="begin when a browser shows the page (means --view)")
]
PlotNames = Annotated[
    list[str] | None,
    typer.Option(
        "--plot", metavar="NAME", help="plot a value beside the scene, as in theta1 (means --view)"
    ),
]
Port = Annotated[
    int | None, typer.Option(help="port of the page; the first free one from 7100 unless given")
]
Host = Annotated[
    str, typer.Option(help="who may watch: localhost, this machine only; *, everybody")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="show Drake's own warnings about the model as well")
]
WorkerCount = Annotated[
    int | None,
    typer.Option("--workers", help="processes that share an analysis, 0 for one a core"),
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Dask scheduler whose workers do it, tcp://host:8786"),
]


def workers_asked(
    count: int | None, scheduler: str | None, *, surely: bool = True
) -> Workers | None:
    """Return the processes that a user asks for; None for those that an analysis has by itself.

    Where they will surely be wanted they are prepared, which goes on while the command reads the
    rest of what is asked.
    """
    asked = Workers(count or 0, scheduler or "")
    if surely:
        asked.prepare()
    return None if count is None and scheduler is None else asked


def run_command(scenario: Path, *, trust: bool) -> str:
    """Return the command that runs a scenario file, which trusts its models if this one did."""
    return f"footfall run {shlex.quote(str(scenario))}" + (" --trust" if trust else "")


Value: TypeAlias = float | bool | int | str

Arguments = Annotated[
    list[str] | None,
    typer.Option("--arg", metavar="NAME=VALUE", help="argument of a .xacro file, as in mass=5"),
]


def read_arguments(given: Sequence[str] | None) -> dict[str, Value]:
    """Read ``--arg`` options: numbers and truth values as YAML has them, all else as text.

    Raises ScenarioError, one line, for one that is not NAME=VALUE or is given twice.
    """
    arguments: dict[str, Value] = {}
    for option in given or ():
        name, equals, text = option.partition("=")
        if not equals or not name.isidentifier():
            raise ScenarioError(f"--arg {option}: write it as NAME=VALUE, such as mass=5.")
        if name in arguments:
            raise ScenarioError(f"--arg {option}: {name} is given twice; leave one out.")
        arguments[name] = _value(text)
    return arguments


def _value(text: str) -> Value:
    import yaml

    from footfall.overrides import read_yaml

    try:
        value = read_yaml(text)
    except (yaml.YAMLError, ValueError):
        return text
    return value if isinstance(value, bool | int | float | str) else text


CameraName = Annotated[
    str | None,
    typer.Option(
        "--camera", metavar="NAME", help="which of the scenario's cameras to look through"
    ),
]


def look_through(scenario: "Scenario", camera: str | None) -> None:
    """Let a scene be seen through the camera of a name, if one is given.

    Raises ScenarioError for a name that the scenario has no camera of.
    """
    from footfall.scenario.cameras import check_camera

    if camera is not None:
        check_camera(camera, scenario.cameras)
        scenario.camera = camera


def parts(text: str) -> list[str]:
    """Return the words of a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def load(scenario: str, settings: list[str] | None, seed: int | None) -> "Scenario":
    """Load a scenario with the overrides of the command line."""
    from footfall.scenario.io import load_scenario

    seeded = [f"seed={seed}"] if seed is not None else []
    return load_scenario(scenario, [*(settings or []), *seeded])

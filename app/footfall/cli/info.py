"""Commands that inform: list, cite, check."""

import importlib.metadata
import json
import platform
import shutil
from pathlib import Path
from typing import Annotated

import typer

from footfall.cli.options import ScenarioName
from footfall.engine_names import ABILITIES, ENGINE_NAMES
from footfall.errors import ScenarioError


def list_scenarios(
    beginning: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="a machine, or how names begin; all unless said; 'engines': what these can do",
        ),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="names and lines as JSON, for programs")
    ] = False,
) -> None:
    """List the scenarios that ship, or what each engine can do."""
    if beginning == "engines":
        lines = {
            name: ", ".join(what for what, able in ABILITIES.items() if name in able.engines)
            for name in ENGINE_NAMES
        }
    else:
        lines = scenarios_beginning(beginning)
    if as_json:
        typer.echo(json.dumps(lines, indent=2, ensure_ascii=False))
        return
    from rich.table import Table

    from footfall.cli.tables import console

    table = Table("name", "what it is", box=None, pad_edge=False)
    for name, description in lines.items():
        table.add_row(name, description)
    console().print(table)


def scenarios_beginning(beginning: str) -> dict[str, str]:
    """Names of the scenarios that begin so, with their lines; raises ScenarioError without any."""
    from footfall.scenario.names import scenario_descriptions
    from footfall.wording import did_you_mean

    known = scenario_descriptions()
    listed = {name: text for name, text in known.items() if name.startswith(beginning)}
    if not listed:
        heads = list(dict.fromkeys(name.partition("/")[0] for name in known))
        raise ScenarioError(
            f"no scenario begins with '{beginning}'; {did_you_mean(beginning, heads)}"
        )
    return listed


def cite(scenario: ScenarioName) -> None:
    """Print what to cite for a scenario, and what is misprinted in its source."""
    from footfall.registry.machines import get_machine
    from footfall.scenario.io import load_scenario

    machine = get_machine(load_scenario(scenario).machine)
    if machine is None:
        typer.echo(
            f"{scenario} belongs to no published machine; cite footfall itself (CITATION.cff)."
        )
        return
    typer.echo(f"{machine.citation}\n\n{machine.bibtex}")
    for one in machine.misprints:
        typer.echo(f"\n{one.where}: {one.printed}\n  right: {one.correct}\n  {one.consequence}")


_PACKAGES = (
    "footfall",
    "drake",
    "numpy",
    "scipy",
    "numba",
    "xarray",
    "netCDF4",
    "matplotlib",
    "typer",
    "rich",
    "jinja2",
)


def check() -> int:
    """Say what is installed, what works and what is missing."""
    from rich.console import Console

    console = Console(soft_wrap=True)
    console.print(
        f"python      {platform.python_version()} on {platform.system()} {platform.machine()}"
    )
    missing = 0
    for name in _PACKAGES:
        try:
            console.print(f"{name:<11} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing += 1
            console.print(f"{name:<11} missing: pip install {name}")
    for label, probe in (
        ("models", _models),
        ("renderer", _renderer),
        ("meshcat", _meshcat),
        ("browser", _browser),
    ):
        works, message = probe()
        missing += not works
        console.print(f"{label:<11} {message}")
    return 0 if missing == 0 else 1


def _models() -> tuple[bool, str]:
    """Count the models that ship."""
    from footfall.errors import ModelError
    from footfall.resources import share_root

    try:
        root = share_root()
    except ModelError as error:
        return False, str(error)
    return True, f"{len(list(root.glob('urdf/*/*.urdf')))} URDF below {root}"


def _renderer() -> tuple[bool, str]:
    """Render one empty image, as reports and snapshots need it."""
    try:
        from pydrake.geometry import MakeRenderEngineVtk, RenderEngineVtkParams

        MakeRenderEngineVtk(RenderEngineVtkParams())
    except (ImportError, RuntimeError) as error:
        return False, f"VTK does not work: {' '.join(str(error).split())}"
    return True, "VTK works without a display"


def _meshcat() -> tuple[bool, str]:
    """Start a Meshcat server, as viewing and replaying need it."""
    from footfall.errors import FootfallError
    from footfall.show.meshcat import start_meshcat

    try:
        start_meshcat()
    except FootfallError as error:
        return False, str(error)
    return True, "serves localhost, this machine only"


def _browser() -> tuple[bool, str]:
    """Look for a browser, which only the browser tests need: pages open in any."""
    for name in ("chromium", "chromium-browser", "google-chrome", "firefox"):
        path = shutil.which(name)
        if path:
            return True, str(Path(path))
    return (
        True,
        "none found here; open reports on another machine (the browser tests need chromium)",
    )

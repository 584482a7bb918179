"""The command that makes a sound copy of a robot's file: repair."""

from pathlib import Path
from typing import Annotated

import typer

from footfall.cli.arguments import Arguments, read_arguments
from footfall.cli.options import Out, Trust


def repair(
    context: typer.Context,
    model: Annotated[str, typer.Argument(help="a URDF or .xacro file, or a package:// address")],
    arguments: Arguments = None,
    out: Out = None,
    tolerance: Annotated[
        float,
        typer.Option(help="how far a sphere, capsule or box may be from a collision mesh [m]"),
    ] = 3e-3,
    verbose: Annotated[bool, typer.Option("--verbose", help="tell every change")] = False,
    _trust: Trust = False,
) -> None:
    """Copy a URDF that is refused, with shapes, inertias and actuators that Drake takes.

    A .xacro file becomes a URDF. One line sums up what was changed. Without --out the copy goes
    into the folder NAME_repaired.
    """
    from footfall.run_folder import require_unused

    require_unused(out)
    values = read_arguments(arguments)
    from footfall.plants.loading.load import read_file
    from footfall.plants.loading.model_files import stem_of
    from footfall.plants.loading.uris import known_packages
    from footfall.plants.repair import repair_urdf
    from footfall.resources import model_file

    file = model_file(model, arguments=bool(values))
    ended = "mended" if context.info_name == "mend" else "repaired"
    folder = out if out is not None else Path(f"{stem_of(file)}_{ended}")
    require_unused(folder)
    with read_file(file, values, known_packages({})) as files:
        path = next((one.path for one in files.mended.files), Path(file))
        repaired = repair_urdf(path, folder, tolerance=tolerance)
    for note in repaired.notes if verbose else ():
        typer.echo(note)
    typer.echo(f"{repaired.summary} written: {repaired.file}")

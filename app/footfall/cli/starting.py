"""The command that gives a robot of one's own a folder to start from: new."""

from pathlib import Path
from typing import Annotated

import typer

from footfall.cli.arguments import Arguments, read_arguments
from footfall.cli.options import Out, Trust, run_command


def new(
    model: Annotated[
        str,
        typer.Argument(
            help="a machine's name, a URDF, SDF, MJCF or .xacro file, a package:// address"
        ),
    ],
    arguments: Arguments = None,
    out: Out = None,
    trust: Trust = False,
) -> None:
    """Write a scenario in which a robot stands, with a controller file to change.

    Its root must be free in space. A URDF that is refused is repaired into the folder. Without
    --out the folder is NAME_stand.
    """
    from footfall.run_folder import require_unused

    require_unused(out)
    values = read_arguments(arguments)
    from footfall.plants.loading.model_files import stem_of
    from footfall.scenario.starter import write_starter

    folder = out if out is not None else Path(f"{stem_of(model)}_stand")
    require_unused(folder)
    starter = write_starter(model, folder, values)
    for note in starter.notes:
        typer.echo(note)
    again = run_command(starter.scenario, trust=trust)
    typer.echo(f"written: {starter.scenario} and stand.py; next: {again}")

"""The command that makes a sound copy of a robot's file: mend."""

from pathlib import Path
from typing import Annotated

import typer


def mend(
    model: Annotated[str, typer.Argument(help="a URDF file, or a package:// address")],
    out: Annotated[
        Path | None, typer.Option(help="folder to write to; must be new or empty")
    ] = None,
) -> None:
    """Copy a URDF that is refused, with hulls for its meshes and inertias that bodies have.

    Every change is told. Without --out the copy goes into the folder NAME_mended.
    """
    from footfall.run_folder import require_unused

    require_unused(out)
    from footfall.plants.mend import mend_urdf
    from footfall.plants.model_check import known_packages
    from footfall.plants.uris import resolve
    from footfall.resources import model_file

    path = resolve(model_file(model), known_packages({}), Path.cwd(), model) or Path(model)
    folder = out if out is not None else Path(f"{path.stem}_mended")
    require_unused(folder)
    mended = mend_urdf(path, folder)
    for note in mended.notes:
        typer.echo(note)
    typer.echo(f"written: {mended.file}; look at it with footfall view {mended.file}")

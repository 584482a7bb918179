"""Meshes as OBJ files, which last as long as the process: who draws a model reads them later."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from footfall.folder_lock import temporary_folder
from footfall.plants.repair.mesh_files import load_scene


def as_obj(path: Path) -> Path:
    """Return a mesh file as an OBJ one; raises ModelError, one line, for what is no mesh."""
    path = path.resolve()
    return path if path.suffix.lower() == ".obj" else _converted(path, path.stat().st_mtime_ns)


@cache
def _folder() -> "TemporaryDirectory[str]":
    return temporary_folder()


@cache
def _converted(path: Path, changed: int) -> Path:
    folder = Path(_folder().name) / f"{abs(hash((path, changed))):x}"
    folder.mkdir(exist_ok=True)
    target = folder / f"{path.stem}.obj"
    load_scene(path).to_mesh().export(target)
    return target

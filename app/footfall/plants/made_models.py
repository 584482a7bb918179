"""Models that a function makes of a file with their parameters, as SDF that everything else reads.

Which endings there are is registered: by a machine, for models of its own kind. What is made lasts
as long as the process, since who draws a model reads its meshes later.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

from pydrake.multibody.parsing import ModelDirective

from footfall.errors import ModelError
from footfall.folder_lock import temporary_folder
from footfall.plants.uris import Packages, resolve

Maker = Callable[[Path, Path], None]
"""Takes a file of parameters and the SDF file to write; raises FootfallError, one line."""

_MAKERS: dict[str, str] = {}


def register_makers(makers: Mapping[str, str]) -> None:
    """Take makers by the ending of their files, ``.kind``, each as ``package.module:name``."""
    _MAKERS.update(makers)


def with_made(
    directives: Sequence[ModelDirective], packages: Packages
) -> tuple[list[ModelDirective], dict[Path, Path]]:
    """Directives with SDF files in place of files of parameters, and these by what was made.

    Raises ModelError or ScenarioError, one line, for a file that is not there or makes no model.
    """
    plain, sources = [], {}
    for directive in directives:
        part = directive.add_model
        maker = None if part is None else _MAKERS.get(Path(part.file).suffix.lower())
        if maker is not None:
            source = resolve(part.file, packages, Path.cwd(), "")
            if source is None:
                raise ModelError(f"{part.file}: is no file of this machine; give its path.")
            target = _made(maker, source.resolve(), source.stat().st_mtime_ns)
            sources[target] = source
            directive = copy.deepcopy(directive)  # noqa: PLW2901 (its place in the list)
            part = directive.add_model
            part.file = str(target)
            directive.add_model = part  # Drake hands out copies
        plain.append(directive)
    return plain, sources


@cache
def _folder() -> "TemporaryDirectory[str]":
    return temporary_folder()


@cache
def _made(maker: str, source: Path, changed: int) -> Path:
    folder = Path(_folder().name) / f"{abs(hash((maker, source, changed))):x}"
    folder.mkdir(exist_ok=True)
    target = folder / f"{source.stem}.sdf"
    make: Maker = resolve_name(maker)
    make(source, target)
    return target

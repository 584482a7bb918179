"""Folders that a xacro file may read: its own, its package's, and those of known packages."""

import os
import re
from pathlib import Path

from pydrake.multibody.parsing import PackageMap

from footfall.plants.xacro_limits import Refused

_PARTS = ("urdf", "xacro", "robots")
"""Folders in which the files of a robot lie beside its meshes and numbers."""


class Places:
    """Folders in which files of one model may lie.

    file: the model's own. packages: those that were named before it was read. everywhere: any
    folder will do.
    """

    def __init__(self, file: Path, packages: PackageMap, *, everywhere: bool = False) -> None:
        self._everywhere = everywhere
        names = packages.GetPackageNames()
        self._folders = [Path(packages.GetPath(name)) for name in names]
        self._folders.append(file.parent)
        if file.parent.name in _PARTS and _is_modest(file.parent.parent):
            self._folders.append(file.parent.parent)
        manifest = next((one for one in file.parents if (one / "package.xml").is_file()), None)
        if manifest is not None and _is_modest(manifest):
            self._folders.append(manifest)
        self._above = file.parent.parents[:2]
        self._folders = [folder.resolve() for folder in self._folders]

    def add_package(self, folder: Path) -> None:
        """Let a folder be read that was found by a package's name near above the model."""
        if folder in self._above and _is_modest(folder):
            self._folders.append(folder.resolve())

    def require(self, name: str) -> None:
        """Raise Refused for a file, or the pattern of files, that lies elsewhere."""
        start = re.split(r"[*?\[]", name, maxsplit=1)[0]
        path = Path(start if start == name else os.path.dirname(start)).resolve()  # noqa: PTH120 (a text)
        if not self._everywhere and not any(
            path.is_relative_to(folder) for folder in self._folders
        ):
            raise Refused(
                f"'{name}' lies outside of the model's folder and of known packages; "
                "copy it there, or name its folder in packages"
            )


def _is_modest(folder: Path) -> bool:
    """Return whether a folder is none that holds everything of a user, or more."""
    return folder != Path(folder.anchor) and not Path.home().is_relative_to(folder)

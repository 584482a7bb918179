"""Packages by name, and resolution of the URIs in directives and model files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree as ET

from footfall.errors import ModelError
from footfall.plants.messages import did_you_mean
from footfall.resources import package_map

Packages: TypeAlias = dict[str, str]
"""Folders of packages by name, which a reading of files adds to."""

_DOWNLOADED = "drake_models"  # Drake would fetch it, so `footfall.resources` takes it out


def known_packages(named: Mapping[str, str]) -> Packages:
    """Our own package, those of ROS_PACKAGE_PATH, and folders by name."""
    ours = package_map()
    ours.PopulateFromRosPackagePath()
    known = {name: ours.GetPath(name) for name in ours.GetPackageNames()}
    for name, folder in named.items():
        if not Path(folder).is_dir():
            raise ModelError(f"packages: '{folder}' of package '{name}' is no folder; correct it.")
        if name in known and not Path(known[name]).samefile(folder):
            raise ModelError(
                f"packages: '{name}' is known already, {known[name]}: give your package "
                "another name."
            )
        known[name] = str(Path(folder).resolve())
    return known


def resolve(uri: str, packages: Packages, folder: Path, where: str) -> Path | None:
    """File that a URI names; plain paths are relative to a folder.

    A package that nobody named is looked for among the folders above, and becomes known if it is
    one of them. `where` begins the message. None for what only Drake can judge: other schemes.
    Raises ModelError for an unknown package or a file that is not there.
    """
    if not uri:
        raise ModelError(f"{where} names no file; write its path or package:// URI.")
    scheme, separator, rest = uri.partition("://")
    if not separator:
        path = folder / uri
    elif scheme == "file":
        path = Path(rest)
    elif scheme in ("package", "model"):
        package, _, inside = rest.partition("/")
        if not package:
            raise ModelError(
                f"{where}: '{uri}' names no package; write {scheme}://{rest.lstrip('/')}, or let "
                "`footfall repair` do so in a copy of the file."
            )
        path = package_folder(package, packages, folder, where, uri) / inside
    else:
        return None
    if not _is_file(path):
        raise ModelError(f"{where}: '{uri}' is not there (looked for {path}); correct the path.")
    return path.resolve()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def package_folder(
    package: str, packages: Packages, folder: Path, where: str, uri: str = ""
) -> Path:
    """Folder of a package by name; one that is above a folder becomes known.

    uri: of a file in it, which a folder above must have. `where` begins the message of the
    ModelError for a package that is neither.
    """
    if package in packages:
        return Path(packages[package])
    inside = uri.partition("://")[2].partition("/")[2]
    for parent in (folder, *folder.parents):
        if parent.name == package and (not uri or _is_file(parent / inside)):
            packages[package] = str(parent)
            return parent
    raise _unknown(package, f"'{uri}'" if uri else f"$(find {package})", packages, where)


def _unknown(package: str, what: str, packages: Packages, where: str) -> ModelError:
    if package == _DOWNLOADED:
        return ModelError(
            f"{where}: {what} is of the package '{package}', which Drake would download; footfall "
            f"downloads nothing: get it from github.com/RobotLocomotion/models and say where it "
            f"is: packages: {{{package}: FOLDER}} in the scenario."
        )
    known = did_you_mean(package, packages).rstrip("?")
    return ModelError(
        f"{where}: {what} is of an unknown package '{package}' ({known}); say where it is: "
        f"packages: {{{package}: FOLDER}} in the scenario, --set packages.{package}=FOLDER, or "
        "ROS_PACKAGE_PATH."
    )


def add_package_of(path: Path, packages: Packages) -> None:
    """Make the ROS package that a model file lies in known by its package.xml, if there is one."""
    for folder in path.parents:
        manifest = folder / "package.xml"
        if manifest.is_file():
            _add_manifest(manifest, packages)
            return


def _add_manifest(manifest: Path, packages: Packages) -> None:
    try:
        name = ET.parse(manifest).findtext("name", "").strip()  # noqa: S314 (the user's own file)
    except (OSError, ET.ParseError):
        name = ""
    if not name:
        raise ModelError(f"{manifest}: gives no package name; add <name> or remove it.")
    packages.setdefault(name, str(manifest.parent))

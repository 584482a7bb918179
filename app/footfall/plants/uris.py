"""Resolution of the URIs in directives and model files."""

from pathlib import Path

from pydrake.multibody.parsing import PackageMap

from footfall.errors import ModelError
from footfall.plants.wording import did_you_mean

_DOWNLOADED = "drake_models"  # Drake would fetch it, so `footfall.resources` takes it out


def resolve(uri: str, packages: PackageMap, folder: Path, where: str) -> Path | None:
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
        if not packages.Contains(package):
            _look_above(package, inside, folder, packages)
        if not packages.Contains(package):
            raise _unknown(package, f"'{uri}'", packages, where)
        path = Path(packages.GetPath(package)) / inside
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


def package_folder(package: str, packages: PackageMap, folder: Path, where: str) -> Path:
    """Folder of a package by name; one that is above a folder becomes known.

    `where` begins the message of the ModelError for a package that is neither.
    """
    if packages.Contains(package):
        return Path(packages.GetPath(package))
    for parent in (folder, *folder.parents):
        if parent.name == package:
            packages.Add(package, str(parent))
            return parent
    raise _unknown(package, f"$(find {package})", packages, where)


def _unknown(package: str, what: str, packages: PackageMap, where: str) -> ModelError:
    if package == _DOWNLOADED:
        return ModelError(
            f"{where}: {what} is of the package '{package}', which Drake would download; footfall "
            f"downloads nothing: get it from github.com/RobotLocomotion/models and say where it "
            f"is: packages: {{{package}: FOLDER}} in the scenario."
        )
    known = did_you_mean(package, packages.GetPackageNames()).rstrip("?")
    return ModelError(
        f"{where}: {what} is of an unknown package '{package}' ({known}); say where it is: "
        f"packages: {{{package}: FOLDER}} in the scenario, --set packages.{package}=FOLDER, or "
        "ROS_PACKAGE_PATH."
    )


def _look_above(package: str, inside: str, folder: Path, packages: PackageMap) -> None:
    """Make a package known if a folder above a model has its name and holds the file."""
    for parent in (folder, *folder.parents):
        if parent.name == package and _is_file(parent / inside):
            packages.Add(package, str(parent))
            return


def add_package_of(path: Path, packages: PackageMap) -> None:
    """Make the ROS package that a model file lies in known by its package.xml, if there is one."""
    for folder in path.parents:
        manifest = folder / "package.xml"
        if manifest.is_file():
            _add_manifest(manifest, packages)
            return


def _add_manifest(manifest: Path, packages: PackageMap) -> None:
    others = PackageMap.MakeEmpty()
    try:
        others.AddPackageXml(str(manifest))
    except RuntimeError as error:
        raise ModelError(f"{manifest}: gives no package name; add <name> or remove it.") from error
    for name in others.GetPackageNames():
        if not packages.Contains(name):
            packages.Add(name, others.GetPath(name))

"""Folder of the model files, and the one PackageMap that names them."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from footfall.errors import ModelError
from footfall.wording import did_you_mean

if TYPE_CHECKING:
    from pydrake.multibody.parsing import PackageMap

PACKAGE = "footfall"
_DOWNLOADED = "drake_models"
_KINDS = ("urdf", "sdf")
_XACRO = ".xacro"
_ENDINGS = (".urdf", ".sdf", f".urdf{_XACRO}")


@cache
def share_root() -> Path:
    """Return the folder that has the models: ``urdf/``, and ``sdf/`` where there is one.

    An installed wheel carries them in ``share/`` beside this file; in a checkout (editable
    install) they are at its root. Raises ModelError if neither place has them.
    """
    here = Path(__file__).resolve().parent
    for root in (here / "share", here.parents[1]):
        if (root / "urdf").is_dir():
            return root
    raise ModelError(f"no model files beside {here}: the installation is incomplete, reinstall it")


def package_map() -> "PackageMap":
    """Return a new map in which ``package://footfall/urdf/...`` names our models.

    Drake's own package ``drake`` is in it as well; not ``drake_models``, which it would download.
    """
    from pydrake.multibody.parsing import PackageMap

    packages = PackageMap()
    forget_downloads(packages)
    packages.Add(PACKAGE, str(share_root()))
    return packages


def forget_downloads(packages: "PackageMap") -> None:
    """Take packages out of a map that Drake would fetch from the network."""
    if packages.Contains(_DOWNLOADED):
        packages.Remove(_DOWNLOADED)


def model_file(model: str, *, arguments: bool = False) -> str:
    """Return the path or URL of a model, which may be the bare name of a machine that ships.

    arguments: whether the file is to take some, as only one in xacro does. Raises ModelError for a
    name that no machine has. A path or URL is returned as it is: whoever reads the file says that
    it is not there.
    """
    if "://" in model or Path(model).exists():
        return model
    own = [file for file in _models() if file.parent.name == model]
    if own:
        file = min(own, key=lambda file: (file.suffix == _XACRO) != arguments)
        return f"package://{PACKAGE}/{file.relative_to(share_root())}"
    if Path(model).suffix:
        return model
    raise ModelError(
        f"there is no model '{model}': give a URDF, SDF, MJCF or xacro file, or a machine that "
        f"ships; {did_you_mean(model, _machines())}"
    )


def _machines() -> list[str]:
    """Names of the machines that ship: folders with a model of the same name."""
    return sorted({file.parent.name for file in _models()})


def _models() -> list[Path]:
    """Files of the machines that ship."""
    folders = [folder for kind in _KINDS for folder in share_root().glob(f"{kind}/*/")]
    files = [folder / f"{folder.name}{ending}" for folder in folders for ending in _ENDINGS]
    return [file for file in files if file.is_file()]

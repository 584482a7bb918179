"""Folder of the model files, and the one PackageMap that names them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from footfall.errors import ModelError
from footfall.wording import did_you_mean

if TYPE_CHECKING:
    from pydrake.multibody.parsing import PackageMap, Parser
    from pydrake.multibody.plant import MultibodyPlant

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
    if packages.Contains(_DOWNLOADED):
        packages.Remove(_DOWNLOADED)
    packages.Add(PACKAGE, str(share_root()))
    return packages


def parser_of(plant: "MultibodyPlant", packages: Mapping[str, str]) -> "Parser":
    """Return Drake's parser for a plant, which knows packages by name, and downloads none."""
    from pydrake.multibody.parsing import Parser

    parser = Parser(plant)
    known = parser.package_map()
    if known.Contains(_DOWNLOADED):
        known.Remove(_DOWNLOADED)
    for name, folder in packages.items():
        if not known.Contains(name):
            known.Add(name, folder)
    return parser


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
        f"ships; {did_you_mean(model, sorted({file.parent.name for file in _models()}))}"
    )


def _models() -> list[Path]:
    """Files of the machines that ship."""
    folders = [folder for kind in _KINDS for folder in share_root().glob(f"{kind}/*/")]
    files = [folder / f"{folder.name}{ending}" for folder in folders for ending in _ENDINGS]
    return [file for file in files if file.is_file()]

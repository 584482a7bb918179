"""Where the model files live, and the one PackageMap that names them."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from footfall.errors import ModelError
from footfall.wording import did_you_mean

if TYPE_CHECKING:
    from pydrake.multibody.parsing import PackageMap

PACKAGE = "footfall"
_KINDS = ("urdf", "sdf")


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

    The packages that Drake knows by itself (``drake``, ``drake_models``) are in it as well.
    """
    from pydrake.multibody.parsing import PackageMap

    packages = PackageMap()
    packages.Add(PACKAGE, str(share_root()))
    return packages


def model_file(model: str) -> str:
    """Return the path or URL of a model, which may be the bare name of a machine that ships.

    Raises ModelError for a name that no machine has. A path or URL is returned as it is: whoever
    reads the file says that it is not there.
    """
    if "://" in model or Path(model).exists():
        return model
    for kind in _KINDS:
        place = f"{kind}/{model}/{model}.{kind}"
        if (share_root() / place).is_file():
            return f"package://{PACKAGE}/{place}"
    if Path(model).suffix:
        return model
    raise ModelError(
        f"there is no model '{model}': give a URDF or SDF file, or a machine that ships; "
        f"{did_you_mean(model, _machines())}"
    )


def _machines() -> list[str]:
    """Names of the machines that ship: folders with a model of the same name."""
    files = [file for kind in _KINDS for file in share_root().glob(f"{kind}/*/*.{kind}")]
    return sorted({file.stem for file in files if file.parent.name == file.stem})

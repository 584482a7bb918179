"""Where the model files live, and the one PackageMap that names them."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from footfall.errors import ModelError

if TYPE_CHECKING:
    from pydrake.multibody.parsing import PackageMap

PACKAGE = "footfall"


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

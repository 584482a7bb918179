"""The model files are found, and the one package name leads to them."""

import shutil

import pytest

from footfall import resources
from footfall.errors import ModelError


@pytest.fixture
def installed_at(tmp_path, monkeypatch):
    """Make footfall.resources believe that it lies in a folder of its own."""
    module = tmp_path / "site" / "lib" / "footfall" / "resources.py"
    module.parent.mkdir(parents=True)
    monkeypatch.setattr(resources, "__file__", str(module))
    resources.share_root.cache_clear()
    yield module.parent
    resources.share_root.cache_clear()


def test_models_are_found():
    assert (resources.share_root() / "urdf" / "biped" / "biped.urdf").is_file()


def test_models_beside_the_module_come_first(installed_at):
    (installed_at / "share" / "urdf").mkdir(parents=True)
    (installed_at.parents[1] / "urdf").mkdir()
    assert resources.share_root() == installed_at / "share"
    shutil.rmtree(installed_at / "share")
    resources.share_root.cache_clear()
    assert resources.share_root() == installed_at.parents[1]


def test_no_models_is_an_error_of_one_line(installed_at):
    with pytest.raises(ModelError) as raised:
        resources.share_root()
    assert str(installed_at) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_package_name_leads_to_the_models():
    packages = resources.package_map()
    assert packages.Contains("footfall")
    assert packages.ResolveUrl("package://footfall/urdf/biped/biped.urdf") == str(
        resources.share_root() / "urdf" / "biped" / "biped.urdf"
    )


def test_each_map_is_its_own():
    resources.package_map().Remove("footfall")
    assert resources.package_map().Contains("footfall")

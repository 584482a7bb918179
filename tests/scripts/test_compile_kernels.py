"""Kernels that are compiled before the tests start."""

import importlib

import pytest
from tests.scripts.script import SCRIPTS

# what a search compiles when it is asked for: tests of one machine call these, others none
SEARCHES = ("machines/ugv/",)


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("compile_kernels")


def test_all_kernels_but_those_of_searches_are_reached(script, monkeypatch):
    monkeypatch.setattr(script, "is_compiled", lambda _path: False)
    reached = {path for path in script.kernel_files() if path.is_relative_to(script.FOOTFALL)}
    everywhere = {path for path in script.FOOTFALL.rglob("*.py") if b"\n@njit" in path.read_bytes()}
    others = {path.relative_to(script.FOOTFALL).as_posix() for path in everywhere - reached}
    assert reached < everywhere
    seldom = {name for name in others if name.endswith(script.SELDOM)}
    assert len(seldom) == len(script.SELDOM)
    assert all(name.startswith(SEARCHES) for name in others - seldom), others


def test_nothing_is_done_or_said_where_all_are_compiled(script, monkeypatch, capsys):
    monkeypatch.setattr(script, "is_compiled", lambda _path: True)
    monkeypatch.setattr(script, "ProcessPoolExecutor", None)
    script.main()
    assert capsys.readouterr() == ("", "")

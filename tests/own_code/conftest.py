"""A folder with a pendulum and code of a user's."""

import pytest
from tests.own_code import pendulum


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pendulum.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path

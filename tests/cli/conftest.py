"""Helpers that tests of commands share."""

import pytest
from tests.cli.command import done


@pytest.fixture(autouse=True)
def _blank(blank):
    """Draw no figures but those of runs that several tests share."""


@pytest.fixture(scope="session")
def dropped(tmp_path_factory):
    """The folder of a short run of biped/drop, and what was said; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("dropped") / "run"
    return folder, done("run", "biped/drop", "--set", "duration=0.05", "--out", folder)

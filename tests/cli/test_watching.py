"""Options of commands whose runs are watched: what happens before a browser is there."""

import os
import signal

import pytest
from tests.cli.command import footfall

from footfall.show.live.controls import Controls


@pytest.mark.parametrize(
    "command", [("run", "scenes/push"), ("compare", "scenes/push", "--engines", "moreau,drake")]
)
def test_ctrl_c_while_a_browser_is_awaited_ends_the_command_and_leaves_nothing(
    command, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(Controls, "take", lambda *_: os.kill(os.getpid(), signal.SIGINT))
    status, _, _ = footfall(*command, "--wait", "--out", tmp_path / "run", capsys=capsys)
    assert status == 130
    assert not (tmp_path / "run").exists()


def test_an_engine_that_shows_nothing_is_refused_before_there_is_a_folder(tmp_path, capsys):
    asked = ("compare", "biped/climb", "--engines", "hybrid,moreau", "--view")
    status, _, err = footfall(*asked, "--out", tmp_path / "run", capsys=capsys)
    assert status == 2
    assert "hybrid cannot be watched" in err
    assert not (tmp_path / "run").exists()

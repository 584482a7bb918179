"""Options of commands whose runs are watched: what happens before a browser is there."""

import os
import signal

import pytest
from tests.cli.command import footfall

from footfall.show.live import LiveView
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


@pytest.mark.parametrize(
    ("scenario", "begun"), [("humanoid/opc", True), ("motor/step", False)], ids=["rows", "at once"]
)
def test_a_run_of_a_machine_s_own_engine_stays_on_its_page(
    scenario, begun, tmp_path, capsys, monkeypatch
):
    """At its end where it was led row by row, from its start where it is shown then first."""
    stays = []

    def play(_, runs, *_others, at_end, again):
        stays.append((list(runs), at_end, again))
        return False

    monkeypatch.setattr(LiveView, "play", play)
    asked = ("run", scenario, "--engine", "closed-form", "--set", "duration=0.05", "--view")
    status, _, err = footfall(*asked, "--no-report", "--out", tmp_path / "run", capsys=capsys)
    assert status == 0
    assert "watch it at" in err
    assert stays == [(["closed-form"], begun, True)]

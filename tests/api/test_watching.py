"""Runs that programs lead and play on a page."""

import math

import numpy as np
import pytest

import footfall as ff
from footfall.show.live import LiveView
from footfall.show.live.controls import Command


@pytest.fixture
def unseen(monkeypatch):
    """Pages begin without a browser; the list has what each was asked for before it began."""
    asked = []

    def begin(self, _interrupted):
        self.run.clock.speed = math.inf
        for command in asked:
            self.page.controls.put(command)

    monkeypatch.setattr(LiveView, "wait_for_browser", begin)
    return asked


@pytest.mark.slow
def test_a_led_run_has_what_was_done_by_hand_in_its_scenario(unseen, capsys):
    ball = ff.load("scenes/push", duration=0.02, pushes=[])
    plain = ball.run()
    led = ball.run(view=True, plots=["v.block_vx"])
    assert "watch it at http://localhost:" in capsys.readouterr().err
    np.testing.assert_array_equal(led.data["q"], plain.data["q"])
    unseen.append(Command("push", {"link": "block", "force": [9.0, 0, 0], "duration": 1.0}))
    pushed = ball.run(view=True)
    assert [push.link for push in pushed.scenario.pushes] == ["block"]
    again = ff.LoadedScenario(pushed.scenario).run()
    np.testing.assert_array_equal(again.data["q"], pushed.data["q"])


def test_a_result_is_played_until_it_is_closed(monkeypatch, capsys):
    result = ff.load("scenes/push", duration=0.02).run()
    show = LiveView.show

    def shown(self, *arguments, **options):
        self.page.controls.put(Command("close"))
        return show(self, *arguments, **options)

    monkeypatch.setattr(LiveView, "show", shown)
    result.watch("q.block_x")
    assert "watch it at" in capsys.readouterr().err


def test_what_shows_nothing_while_it_computes_is_played_until_it_is_closed(unseen, monkeypatch):
    played = []

    def play(_, trajectories, *_others):
        played.extend(trajectories)

    monkeypatch.setattr(LiveView, "play", play)
    result = ff.load("motor/step").run("closed-form", view=True)
    assert played == ["closed-form"]
    assert result.status == "done"
    assert unseen == []

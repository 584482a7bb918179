"""Arrows in a recording: what a frame repeats is not written again."""

import numpy as np
import pytest

from footfall.show.colours import PUSH_COLOUR, to_rgba
from footfall.show.forces import Arrow, ForceScale


class Recorder:
    """Stands for Meshcat and keeps when a path is shown or hidden, and moved."""

    def __init__(self):
        self.shown, self.moved = [], []

    def SetObject(self, *_):
        pass

    def SetTransform(self, path, _, time=None):
        if path == "/arrow" and time is not None:
            self.moved.append(time)

    def SetProperty(self, _, name, value, time=None):
        if name == "visible" and time is not None:
            self.shown.append((value, time))


def test_a_recording_keeps_when_an_arrow_comes_and_goes_not_every_frame():
    recorder = Recorder()
    arrow = Arrow(recorder, "/arrow", to_rgba(PUSH_COLOUR), ForceScale(100.0, 1.0))
    for frame, force in enumerate((0.0, 0.0, 20.0, 30.0, 30.0, 0.0, 0.0, 10.0)):
        arrow.draw(np.zeros(3), (0.0, 0.0, force), float(frame))
    assert recorder.shown == [(False, 0.0), (True, 2.0), (False, 5.0), (True, 7.0)]
    assert recorder.moved == [2.0, 3.0, 4.0, 7.0]


def test_a_drawing_that_is_watched_says_only_what_is_to_be_seen():
    """A force of 100 N is as long as a metre; one of 0.2 N more is not told from it."""
    recorder = Recorder()
    said = []
    recorder.SetProperty = lambda _path, name, value, _time=None: said.append((name, value))
    arrow = Arrow(recorder, "/arrow", to_rgba(PUSH_COLOUR), ForceScale(100.0, 1.0))
    said.clear()
    for force in (0.0, 0.0, 100.0, 100.2, 100.2, 101.0, 0.0):
        arrow.draw(np.zeros(3), (0.0, 0.0, force), None)
    assert [value for name, value in said if name == "visible"] == [False, True, False]
    lengths = [value[2] for name, value in said if name == "scale"]
    assert lengths == pytest.approx([1.0, 1.01], abs=1e-12)


def test_small_changes_of_an_arrow_add_up_to_one_that_is_drawn():
    recorder = Recorder()
    lengths = []
    recorder.SetProperty = lambda _path, name, value, _time=None: (
        lengths.append(value[2]) if name == "scale" else None
    )
    arrow = Arrow(recorder, "/arrow", to_rgba(PUSH_COLOUR), ForceScale(100.0, 1.0))
    for force in np.linspace(100.0, 120.0, 201):
        arrow.draw(np.zeros(3), (0.0, 0.0, force), None)
    assert abs(lengths[-1] - 1.2) < 0.005
    assert 20 < len(lengths) < 100

"""Arrows in a recording: what a frame repeats is not written again."""

import numpy as np

from footfall.show.arrows import Arrow, ForceScale
from footfall.show.colours import PUSH_COLOUR, to_rgba


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
        arrow.draw(np.zeros(3), np.array([0.0, 0.0, force]), float(frame))
    assert recorder.shown == [(False, 0.0), (True, 2.0), (False, 5.0), (True, 7.0)]
    assert recorder.moved == [2.0, 3.0, 4.0, 7.0]


def test_a_drawing_that_is_watched_says_it_each_time():
    recorder = Recorder()
    said = []
    recorder.SetProperty = lambda _path, _name, value, _time=None: said.append(value)
    arrow = Arrow(recorder, "/arrow", to_rgba(PUSH_COLOUR), ForceScale(100.0, 1.0))
    said.clear()
    for _ in range(2):
        arrow.draw(np.zeros(3), np.zeros(3), None)
    assert said == [False, False]

"""Frames are drawn sixty times a second at most, and take a small share of a busy thread."""

import time

import pytest

from footfall.show.live.controls import FRAME_PERIOD, Frames


def _work(seconds):
    """Keep this thread busy."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("cost", [0.002, 0.01])
def test_a_thread_that_is_busy_draws_for_a_small_share_of_its_time(cost):
    frames, drawing, began = Frames(), 0.0, time.thread_time()
    late = time.perf_counter()
    while time.thread_time() - began < 0.4:
        if frames.is_due():
            slow = time.perf_counter() - late >= 0.25  # then it draws whatever it costs
            late = time.perf_counter()
            with frames.drawn():
                _work(cost)
            drawing += 0.0 if slow else cost
        _work(0.0005)
    # the first frame is free
    assert drawing <= 0.066 * 0.4 + 2.0 * cost


def test_the_next_frame_is_due_after_its_period_and_at_once_when_it_is_wanted():
    frames = Frames()
    with frames.drawn():
        pass
    assert not frames.is_due()
    frames.hurry()
    assert frames.is_due()
    with frames.drawn():
        _work(0.003)
    frames.has_time()  # as a run that waits
    time.sleep(2.0 * FRAME_PERIOD)
    assert frames.is_due()

"""Ctrl-C is heard between steps, once; twice it interrupts."""

import signal
import threading

import pytest

from footfall.interrupt import hearing_ctrl_c


def test_ctrl_c_is_heard_and_does_not_interrupt():
    with hearing_ctrl_c() as interrupted:
        assert not interrupted()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()


def test_a_second_ctrl_c_interrupts_at_once():
    def press_twice():
        with hearing_ctrl_c():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        press_twice()


def test_afterwards_ctrl_c_is_what_it_was():
    before = signal.getsignal(signal.SIGINT)
    with hearing_ctrl_c():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_another_thread_runs_without_hearing():
    heard = []

    def work():
        with hearing_ctrl_c() as interrupted:
            heard.append(interrupted())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert heard == [False]

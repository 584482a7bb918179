"""Ctrl-C is heard between steps, once; twice it interrupts."""

import signal
import threading

import pytest

from footfall.interrupt import heard, hearing_ctrl_c, note_begun, shielded


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


def test_before_a_loop_has_begun_the_first_ctrl_c_interrupts_at_once():
    def press():
        with hearing_ctrl_c(begun=False):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        press()
    with hearing_ctrl_c(begun=False) as interrupted:
        note_begun()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()


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


def test_what_comes_at_the_end_of_an_inner_loop_is_heard_by_the_outer_one():
    with hearing_ctrl_c() as interrupted:
        with hearing_ctrl_c():
            signal.raise_signal(signal.SIGINT)  # after the last time that it asks
        assert interrupted()


def test_what_an_inner_loop_heard_ends_the_outer_one_too():
    with hearing_ctrl_c() as interrupted:
        with hearing_ctrl_c() as inner:
            signal.raise_signal(signal.SIGINT)
            assert inner()
        assert interrupted()


def test_an_inner_loop_hears_what_came_before_it_began():
    with hearing_ctrl_c():
        signal.raise_signal(signal.SIGINT)
        with shielded(), hearing_ctrl_c() as inner:
            assert inner()


def test_what_comes_at_the_end_of_a_shielded_loop_ends_the_program_behind_it():
    done = []

    def work():
        with shielded():
            with hearing_ctrl_c():
                signal.raise_signal(signal.SIGINT)
            done.append("written")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["written"]


def test_what_comes_at_the_end_of_a_loop_of_its_own_is_passed_over():
    with hearing_ctrl_c():
        signal.raise_signal(signal.SIGINT)
    assert not heard()


def test_long_work_below_a_loop_asks_for_it():
    assert not heard()
    with hearing_ctrl_c() as interrupted:
        assert not heard()
        signal.raise_signal(signal.SIGINT)
        with shielded():
            assert heard()
        assert interrupted()
    assert not heard()

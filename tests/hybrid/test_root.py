"""The pieces on which a function is monotone, against functions whose extrema are known."""

import numpy as np
import pytest

from footfall.hybrid.crossing import monotone_intervals, node_times


def test_nodes_have_both_ends_exactly():
    times = node_times(0.1, 0.7)
    assert (times[0], times[-1]) == (0.1, 0.7)
    assert (np.diff(times) > 0.0).all()


def test_what_keeps_clear_of_zero_has_its_ends_only():
    assert monotone_intervals(lambda t: 1.5 + np.sin(t), 0.0, 3.0, 0.1).tolist() == [0.0, 3.0]
    # within the margin it is looked at
    assert len(monotone_intervals(lambda t: 1.05 + np.sin(t), 0.0, 6.0, 0.1)) > 2


@pytest.mark.parametrize("rhythm", [2.0, 17.0, 300.0])
def test_every_zero_of_a_fast_function_has_a_piece_of_its_own(rhythm):
    def value(t):
        return np.sin(rhythm * t + 0.3)

    breaks = monotone_intervals(value, 0.0, 2.0, 1e-10)
    zeros = (np.pi * np.arange(1, 400) - 0.3) / rhythm
    counts, _ = np.histogram(zeros[zeros < 2.0], breaks)
    assert counts.max() == 1
    assert counts.tolist() == (np.diff(np.sign(value(breaks))) != 0.0).astype(int).tolist()


def test_a_pair_of_zeros_close_together_is_parted():
    # between 0.5 -+ 1e-5 the function is below zero by 1e-10
    breaks = monotone_intervals(lambda t: (t - 0.5) ** 2 - 1e-10, 0.0, 2.0, 0.0)
    assert np.abs(breaks - 0.5).min() <= 1e-10
    assert ((breaks - 0.5) ** 2 - 1e-10).min() < 0.0


def test_short_intervals_far_from_zero_are_not_halved_for_rounding():
    calls = []

    def value(t):
        calls.append(t)
        return (t - 100.0) * 1e3 - (t - 100.0) ** 2 * 1e9

    # times near 100 are rounded to 1e-14, a millionth of a percent of the interval
    breaks = monotone_intervals(value, 100.0, 100.0 + 1e-6, 0.0)
    assert len(calls) == 1
    assert np.abs(breaks - 100.0 - 5e-7).min() <= 1e-12

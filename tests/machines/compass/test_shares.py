"""Intervals of shares and of their ratio, against draws whose share is known."""

import numpy as np
import pytest

from footfall.machines.compass.analyses.basin import share_interval, share_ratio


@pytest.mark.parametrize("share", [0.003, 0.04, 0.5])
def test_an_interval_has_the_share_in_95_of_100_samples(share):
    sample, times = 2000, 4000
    counts = np.random.default_rng(1).binomial(sample, share, times)
    low, high = share_interval(counts, sample)
    # 4000 trials count 95 % to 0.35 %; of counts, which are whole, coverage varies by 1.5 %
    assert ((low <= share) & (share <= high)).mean() == pytest.approx(0.95, abs=0.025)


def test_no_count_and_all_counts_have_intervals():
    low, high = share_interval([0, 50], 50)
    assert (low[0], high[1]) == pytest.approx((0.0, 1.0), abs=1e-15)
    assert high[0] == pytest.approx(1.0 - low[1], rel=1e-12)
    assert 0.0 < high[0] < 0.1


def test_the_error_of_a_ratio_is_its_scatter_over_samples():
    random = np.random.default_rng(2)
    ratios, errors = [], []
    for _ in range(600):
        draws = random.random(4000)
        # 2.5 % and 4 %, of which they share 2 %
        ratio, error = share_ratio(draws < 0.025, (draws > 0.005) & (draws < 0.045))
        ratios.append(ratio)
        errors.append(error)
    # the scatter of 600 samples is known to 3 %; the delta method errs by one over the count, 100
    assert np.mean(errors) == pytest.approx(np.std(ratios), rel=0.1)
    assert np.mean(ratios) == pytest.approx(1.6, rel=0.02)
    nothing = np.zeros(5, bool)
    assert np.isnan(share_ratio(nothing, ~nothing)).all()
    assert share_ratio(~nothing, nothing) == (0.0, 0.0)

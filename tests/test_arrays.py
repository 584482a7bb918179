"""Stretches of flags."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from footfall.arrays import stretches


@given(hnp.arrays(np.bool_, st.integers(0, 30)))
def test_stretches_are_apart_and_cover_what_is_set_alone(on):
    pairs = stretches(on)
    assert pairs.shape[1:] == (2,)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert (pairs[1:, 0] > pairs[:-1, 1]).all()
    covered = np.zeros_like(on)
    for begin, end in pairs:
        covered[begin:end] = True
    np.testing.assert_array_equal(covered, on)

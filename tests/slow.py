"""Parameters of which some take too long for the fast suite."""

import pytest


def some_slow(values, *slow):
    """The values, those among ``slow`` marked as slow."""
    return [
        pytest.param(value, marks=pytest.mark.slow) if value in slow else value for value in values
    ]


def some_longest(values, *longest):
    """The values, those among ``longest`` marked as what even the slow suite leaves out."""
    return [
        pytest.param(value, marks=pytest.mark.longest) if value in longest else value
        for value in values
    ]

"""Parameters of which some take too long for the fast suite, or for CI."""

import pytest


def some_slow(values, *slow):
    """The values, those among ``slow`` marked as slow."""
    return _marked(values, slow, pytest.mark.slow)


def some_longest(values, *longest):
    """The values, those among ``longest`` marked as what even the slow suite leaves out."""
    return _marked(values, longest, pytest.mark.longest)


def _marked(values, some, mark):
    return [pytest.param(value, marks=mark) if value in some else value for value in values]

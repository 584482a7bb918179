"""Parameters of which some take too long for the fast suite."""

import pytest


def some_slow(values, *slow):
    """The values, those among ``slow`` marked as slow."""
    return [
        pytest.param(value, marks=pytest.mark.slow) if value in slow else value for value in values
    ]

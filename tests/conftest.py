"""What every test shares: figures need no screen, and a test that failed once fails again."""

import os

import pytest
from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")

# The examples are drawn from a fixed seed. No deadline: the first example may wait for numba.
settings.register_profile("footfall", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("footfall")


@pytest.fixture
def drawn(monkeypatch):
    """The matplotlib figures of pictures, drawn, which a page has only as images."""
    kept = []

    def keep(figure, **_):
        kept.append(figure)
        figure.canvas.draw()
        return "data:,"

    from footfall.report import figure as figures  # the pictures are drawn by it

    monkeypatch.setattr(figures, "_embedded", keep)
    return kept

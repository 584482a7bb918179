"""What tests of pictures share."""

import pytest

from footfall.report import picture


@pytest.fixture
def drawn(monkeypatch):
    """The matplotlib figures of pictures, drawn, which a page has only as images."""
    kept = []

    def keep(figure, **_):
        kept.append(figure)
        figure.canvas.draw()
        return "data:,"

    monkeypatch.setattr(picture, "_embedded", keep)
    return kept

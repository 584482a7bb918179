"""Of shapes with many corners, those that are near are kept, and the nearest of each."""

from types import SimpleNamespace

import numpy as np
import pytest

from footfall.contact import Mode
from footfall.engines.step_log import FarCorners
from footfall.trajectory.contact_table import FAR, ContactTable

BALL, BOX, ROWS = 40, 8, 25


@pytest.fixture(scope="module")
def contacts():
    """Two shapes with many corners and a box between them, as far as the filter asks."""
    firsts = (0, BALL, BALL + BOX)
    shapes = [
        SimpleNamespace(first=first, points=range(size))
        for first, size in zip(firsts, (BALL, BOX, BALL), strict=True)
    ]
    count = 2 * BALL + BOX
    return SimpleNamespace(
        ground=shapes, names=tuple(map(str, range(count))), reported_as=np.arange(count)
    )


def table(contacts):
    """All corners in every row: the shapes fall and bounce at heights of some centimetres."""
    rng = np.random.default_rng(3)
    count = len(contacts.names)
    row, contact = np.divmod(np.arange(ROWS * count), count)
    height = 0.03 * np.abs(np.sin(np.arange(ROWS)))[row]
    gap = height + 0.02 * rng.random(len(row)) - 1e-3
    closed = (gap < 0.0) & (rng.random(len(row)) < 0.7)  # and some that do not act
    columns = {name: np.full(len(row), far) for name, far in FAR.items()}
    for name in ("impulse", "contact_velocity", "contact_point", "contact_normal"):
        columns[name] = np.repeat(columns[name][:, None], 3, axis=1)
    columns |= {"gap": gap, "mode": np.where(closed, Mode.STICK, Mode.OPEN)}
    columns["impulse"][closed, 0] = 1.0
    return ContactTable(row, contact, columns)


def test_nothing_is_lost_but_far_corners_that_are_not_the_nearest(contacts):
    whole = table(contacts)
    part = FarCorners(contacts).without(whole)
    assert 0.1 < len(part) / len(whole) < 0.6
    dense = [each.dense("gap", ROWS, len(contacts.names)) for each in (whole, part)]
    for shape in contacts.ground:
        corners = slice(shape.first, shape.first + len(shape.points))
        least = [np.nanmin(gap[:, corners], axis=1) for gap in dense]
        np.testing.assert_array_equal(*least)
    near = dense[0] <= 5e-3
    np.testing.assert_array_equal(dense[1][near], dense[0][near])
    box = slice(BALL, BALL + BOX)
    np.testing.assert_array_equal(dense[1][:, box], dense[0][:, box])
    impulses = [each.dense("impulse", ROWS, len(contacts.names)) for each in (whole, part)]
    np.testing.assert_array_equal(*impulses)

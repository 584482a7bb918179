"""Branches of maps whose fixed points, folds and flips are known in closed form."""

import numpy as np
import pytest
from tests.hybrid.maps import Henon, Logistic, SaddleNode

from footfall.hybrid import BranchOptions, NotFound, find_fixed_point, follow_branch, locate_flip
from footfall.hybrid.flip import doubled


def arrays(branch):
    """Parameters (k,) and orbits (k, period, m) of a branch."""
    return np.array([at.p for at in branch.points]), np.array([at.orbit for at in branch.points])


@pytest.mark.parametrize("end", [4.0, 0.5])
def test_the_branch_of_the_logistic_map_is_its_closed_form(end):
    start = find_fixed_point(Logistic(), [0.6], 2.5)
    branch = follow_branch(Logistic(), start, end)
    p, orbits = arrays(branch)
    assert (branch.stop, p[0]) == ("", 2.5)
    # the border is met along p itself
    assert p[-1] == pytest.approx(end, rel=1e-14)
    # Newton's method ends where its square is rounding; x goes through 0 at p = 1
    np.testing.assert_allclose(orbits[:, 0, 0], 1.0 - 1.0 / p, rtol=1e-13, atol=1e-13)
    multipliers = np.array([at.multipliers[0] for at in branch.points])
    np.testing.assert_allclose(multipliers, 2.0 - p, atol=1e-12)
    assert [at.stable for at in branch.points] == (np.abs(2.0 - p) < 1.0).tolist()


def test_a_branch_goes_around_a_fold_and_back_to_where_it_began():
    start = find_fixed_point(SaddleNode(), [1.1], 1.0)
    branch = follow_branch(SaddleNode(), start, -1.0)
    p, orbits = arrays(branch)
    assert branch.stop == ""
    assert p[-1] == pytest.approx(1.0, rel=1e-14)
    np.testing.assert_allclose(orbits[:, 0, 0] ** 2, p, atol=1e-13)
    assert orbits[-1, 0, 0] == pytest.approx(-1.0)
    assert [at.stable for at in branch.points[1:]] == (orbits[1:, 0, 0] > 0.0).tolist()


def test_the_area_of_the_henon_map_shrinks_alike_on_all_of_its_branch():
    start = find_fixed_point(Henon(), [0.8, 0.2], 0.2)
    down = follow_branch(Henon(), start, -0.5, BranchOptions(most=60))
    # beyond the fold the other fixed point goes to infinity as p comes back to 0
    assert "60 points were found" in down.stop
    for at in (*follow_branch(Henon(), start, 1.4).points, *down.points):
        assert np.prod(at.multipliers) == pytest.approx(-0.3, rel=1e-12)


def test_an_orbit_of_period_two_is_followed_through_complex_multipliers():
    b = 0.3
    flip = locate_flip(
        Henon(b), *(find_fixed_point(Henon(b), [0.8, 0.2], each) for each in (0.3, 0.45))
    )
    branch = follow_branch(Henon(b), doubled(Henon(b), flip, 0.05), 1.0)
    p, orbits = arrays(branch)
    assert orbits.shape[1:] == (2, 2)
    # x_1 + x_2 = (1 - b)/p, x_1 x_2 = ((1 - b)^2 - p)/p^2
    np.testing.assert_allclose(orbits[:, :, 0].sum(axis=1), (1.0 - b) / p, rtol=1e-12)
    product = ((1.0 - b) ** 2 - p) / p**2
    np.testing.assert_allclose(orbits[:, :, 0].prod(axis=1), product, rtol=1e-11)
    assert any(np.abs(at.multipliers.imag).max() > 0.01 for at in branch.points)


def test_a_branch_ends_where_the_orbit_does_not_return():
    start = find_fixed_point(SaddleNode(), [0.5], 0.2)
    branch = follow_branch(SaddleNode(cliff=0.8), start, 1.0)
    assert "beyond the cliff" in branch.stop
    # steps get shorter down to 1e-7 of the scale; the scale of p is 0.8
    assert branch.points[-1].p == pytest.approx(0.64, abs=1e-6)


def test_every_point_of_a_branch_is_reported():
    reported = []
    branch = follow_branch(
        Logistic(), find_fixed_point(Logistic(), [0.6], 2.5), 3.0, report=reported.append
    )
    assert reported == [at.p for at in branch.points]


def test_branches_without_a_range_or_a_beginning_are_refused():
    start = find_fixed_point(Logistic(), [0.6], 2.5)
    with pytest.raises(ValueError, match="needs a range"):
        follow_branch(Logistic(), start, 2.5)
    with pytest.raises(NotFound, match="no branch begins"):
        follow_branch(SaddleNode(cliff=0.1), find_fixed_point(SaddleNode(), [0.5], 0.2), 1.0)

"""Branches of maps whose fixed points, folds and bifurcations are known in closed form."""

import math

import numpy as np
import pytest
from tests.hybrid.maps import Delayed, Henon, Logistic, Saddle, SaddleNode

from footfall.hybrid.branch import BranchEnd, follow_branch
from footfall.hybrid.branch_follow import BranchOptions
from footfall.hybrid.branch_special import Special
from footfall.hybrid.fixed_point import NotFound, find_fixed_point
from footfall.hybrid.shooting import LinearisedMany


def test_the_branch_of_the_logistic_map_is_its_closed_form():
    start = find_fixed_point(Logistic(), [0.6], 2.5)
    branch = follow_branch(Logistic(), start, 4.0)
    assert branch.end is BranchEnd.END_OF_RANGE
    assert branch.p[0] == 2.5
    # the border is met along p itself
    assert branch.p[-1] == pytest.approx(4.0, rel=1e-14)
    # Newton's method ends where its square is rounding
    np.testing.assert_allclose(branch.orbits[:, 0, 0], 1.0 - 1.0 / branch.p, rtol=1e-13)
    np.testing.assert_allclose(branch.multipliers[:, 0], 2.0 - branch.p, atol=1e-12)
    assert [each.stable for each in branch.points] == (branch.p < 3.0).tolist()
    (flip,) = branch.special
    assert flip.kind is Special.FLIP
    assert flip.point.p == pytest.approx(3.0, rel=1e-12)
    assert branch.p[flip.after] < 3.0 < branch.p[flip.after + 1]


def test_a_branch_can_be_followed_downwards_and_meets_the_other_one():
    # at p = 1 the fixed points 0 and 1 - 1/p go through each other
    branch = follow_branch(Logistic(), find_fixed_point(Logistic(), [0.6], 2.5), 0.5)
    assert branch.end is BranchEnd.END_OF_RANGE
    assert branch.p[-1] == pytest.approx(0.5, rel=1e-14)
    (crossing,) = branch.special
    assert crossing.kind is Special.BRANCHING
    # two branches meet there, so that the bordered system is singular: half the digits
    assert crossing.point.p == pytest.approx(1.0, abs=1e-7)


def test_a_branch_goes_around_a_fold_and_back_to_where_it_began():
    start = find_fixed_point(SaddleNode(), [1.1], 1.0)
    branch = follow_branch(SaddleNode(), start, -1.0)
    assert branch.end is BranchEnd.END_OF_RANGE
    assert branch.p[-1] == pytest.approx(1.0, rel=1e-14)
    np.testing.assert_allclose(branch.orbits[:, 0, 0] ** 2, branch.p, atol=1e-13)
    assert branch.orbits[-1, 0, 0] == pytest.approx(-1.0)
    (fold,) = branch.special
    assert fold.kind is Special.FOLD
    # p is flat at the fold: the square of the error of x
    assert fold.point.p == pytest.approx(0.0, abs=1e-14)
    assert [each.stable for each in branch.points[1:]] == (branch.orbits[1:, 0, 0] > 0.0).tolist()


def test_fold_and_flip_of_the_henon_map():
    b = 0.3
    start = find_fixed_point(Henon(b), [0.8, 0.2], 0.2)
    up = follow_branch(Henon(b), start, 1.4)
    (flip,) = up.special
    assert flip.kind is Special.FLIP
    assert flip.point.p == pytest.approx(0.75 * (1.0 - b) ** 2, rel=1e-13)
    down = follow_branch(Henon(b), start, -0.5, BranchOptions(most=60))
    # beyond the fold the other fixed point goes to infinity as p comes back to 0
    assert down.end is BranchEnd.MOST_POINTS
    (fold,) = down.special
    assert fold.kind is Special.FOLD
    assert fold.point.p == pytest.approx(-0.25 * (1.0 - b) ** 2, abs=1e-14)
    # area shrinks by b everywhere: the multipliers' product, which the code does not use
    np.testing.assert_allclose(np.prod(up.multipliers, axis=1), -b, rtol=1e-12)


def test_the_invariant_circle_of_the_delayed_logistic_map_is_announced():
    start = find_fixed_point(Delayed(), [0.4, 0.4], 1.7)
    branch = follow_branch(Delayed(), start, 2.4)
    (circle,) = branch.special
    assert circle.kind is Special.NEIMARK_SACKER
    assert circle.point.p == pytest.approx(2.0, rel=1e-12)
    # exp(+-i pi/3): a sixth of a turn
    sixth = complex(0.5, math.sqrt(0.75))
    np.testing.assert_allclose(circle.point.multipliers, [sixth, sixth.conjugate()], rtol=1e-12)


def test_a_pair_of_real_multipliers_with_product_one_is_not_announced():
    branch = follow_branch(Saddle(), find_fixed_point(Saddle(), [0.0, 0.0], 0.2), 0.9)
    np.testing.assert_allclose(branch.multipliers[-1], [2.0, 0.9], rtol=1e-13)
    assert branch.special == ()


def test_an_orbit_of_period_two_is_followed_through_complex_multipliers():
    b = 0.3
    # x_1 + x_2 = (1 - b)/p, x_1 x_2 = ((1 - b)^2 - p)/p^2
    start = find_fixed_point(Henon(b), [1.387, -0.066], 0.6, period=2)
    branch = follow_branch(Henon(b), start, 1.0)
    assert branch.orbits.shape[1:] == (2, 2)
    assert (np.abs(branch.multipliers.imag) > 0.01).any()
    (flip,) = branch.special
    expected = (1.0 - b) ** 2 + 0.25 * (1.0 + b) ** 2
    assert flip.kind is Special.FLIP
    assert flip.point.p == pytest.approx(expected, rel=1e-12)


def test_an_orbit_of_period_two_meets_the_one_of_period_one_and_comes_back_in_the_other_order():
    start = find_fixed_point(Logistic(), [0.48], 3.3, period=2)
    branch = follow_branch(Logistic(), start, 2.5)
    (meeting,) = branch.special
    assert meeting.kind is Special.BRANCHING
    # the bordered system is singular there: half the digits
    assert meeting.point.p == pytest.approx(3.0, abs=1e-7)
    assert branch.end is BranchEnd.END_OF_RANGE
    np.testing.assert_allclose(branch.orbits[-1], branch.orbits[0][::-1], rtol=1e-12)
    assert [each.stable for each in branch.points[1:]] == [True] * (len(branch.points) - 1)


def test_maps_of_many_points_are_asked_for_all_points_at_once():
    asked = []

    class Many(Henon):
        def linearised_many(self, y, p):
            asked.append(y.shape)
            one = [Henon.linearised(self, each, p) for each in y.T]
            return LinearisedMany(*(np.stack(each, axis=-1) for each in zip(*one, strict=True)))

    start = find_fixed_point(Henon(), [1.387, -0.066], 0.6, period=2)
    single, many = (follow_branch(each, start, 1.0) for each in (Henon(), Many()))
    assert set(asked) == {(2, 2)}
    np.testing.assert_array_equal(many.p, single.p)
    np.testing.assert_array_equal(many.multipliers, single.multipliers)


def test_a_branch_ends_where_the_orbit_does_not_return():
    start = find_fixed_point(SaddleNode(), [0.5], 0.2)
    branch = follow_branch(SaddleNode(cliff=0.8), start, 1.0)
    assert branch.end is BranchEnd.NO_RETURN
    assert "beyond the cliff" in branch.message
    # steps get shorter down to 1e-7 of the scale; the scale of p is 0.8
    assert branch.p[-1] == pytest.approx(0.64, abs=1e-6)


def test_whoever_is_told_may_stop_a_branch():
    outputs = []
    start = find_fixed_point(Logistic(), [0.6], 2.5)
    branch = follow_branch(Logistic(), start, 4.0, report=lambda p: outputs.append(p) or p > 3.0)
    assert branch.end is BranchEnd.STOPPED
    assert outputs == branch.p.tolist()
    assert (np.diff(branch.p) > 0.0).all()
    assert branch.p[-2] <= 3.0 < branch.p[-1]


def test_branches_without_a_range_or_a_beginning_are_refused():
    start = find_fixed_point(Logistic(), [0.6], 2.5)
    with pytest.raises(ValueError, match="needs a range"):
        follow_branch(Logistic(), start, 2.5)
    with pytest.raises(NotFound, match="no branch begins"):
        follow_branch(SaddleNode(cliff=0.1), find_fixed_point(SaddleNode(), [0.5], 0.2), 1.0)

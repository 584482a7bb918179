"""Special points of a branch, by functions that change their sign there.

Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, section 10.2. Flips: det(D + I). Folds: the
component of the tangent along p, which is det(D - I) over the determinant of the bordered system.
Branching: that determinant itself; p may turn there, too, as it does where an orbit of twice the
period begins. Neimark and Sacker's: the product of mu_i mu_j - 1 over all pairs of multipliers,
where the pair is complex (a real pair with product one is no bifurcation).
"""

from collections.abc import Callable
from enum import Enum
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.hybrid.branch_curve import BranchCurve, CurvePoint

_LEAST = 1e-15  # relative error of numbers, as brentq takes it

Test = Callable[[CurvePoint], float]


class Special(Enum):
    """Kinds of special points."""

    FLIP = "flip"
    FOLD = "fold"
    NEIMARK_SACKER = "Neimark-Sacker"
    BRANCHING = "branching"


class SpecialOnCurve(NamedTuple):
    """A special point of a curve."""

    kind: Special
    at: CurvePoint


def special_between(curve: BranchCurve, a: CurvePoint, b: CurvePoint) -> list[SpecialOnCurve]:
    """Special points between two points of a curve, in order; raises NotContinued.

    Two of a kind cancel in the signs and are missed.
    """
    chord = b.w - a.w
    rounding = _LEAST * (1.0 + np.abs(a.w).max() / np.linalg.norm(chord))
    known = {0.0: a, 1.0: b}

    def between(share: float) -> CurvePoint:
        """The point on a plane across the chord, from the nearest one known and its tangent."""
        if share not in known:
            nearest = min(known, key=lambda each: abs(each - share))
            at = known[nearest]
            ahead = (share - nearest) * (chord @ chord) / (chord @ at.tangent)
            known[share] = curve.point(at.w + ahead * at.tangent, chord)
        return known[share]

    found = []
    for kind, test in _tests(curve, a, b):
        if test(a) * test(b) >= 0.0:
            continue
        share = brentq(lambda x, test=test: test(between(x)), 0.0, 1.0, xtol=rounding, rtol=_LEAST)
        at = between(share)
        if kind is not Special.NEIMARK_SACKER or _has_complex_pair(at):
            found.append((share, SpecialOnCurve(kind, at)))
    return [each for _, each in sorted(found, key=lambda pair: pair[0])]


def _tests(curve: BranchCurve, a: CurvePoint, b: CurvePoint) -> list[tuple[Special, Test]]:
    """The functions to look at; a turn where another branch crosses is no fold."""
    crossing = curve.bordered(a) * curve.bordered(b) < 0.0
    third: tuple[Special, Test] = (
        (Special.BRANCHING, curve.bordered) if crossing else (Special.FOLD, _fold)
    )
    return [
        (Special.FLIP, lambda at: flip_test(at.D)),
        (Special.NEIMARK_SACKER, _neimark_sacker),
        third,
    ]


def flip_test(D: Array) -> float:
    """The determinant of D + I: zero where a multiplier is -1."""
    return float(np.linalg.det(D + np.eye(len(D))))


def _fold(at: CurvePoint) -> float:
    return float(at.tangent[-1])


def _neimark_sacker(at: CurvePoint) -> float:
    products = [a * b - 1.0 for a, b in combinations(at.multipliers, 2)]
    return float(np.prod(products).real) if products else 1.0


def _has_complex_pair(at: CurvePoint) -> bool:
    """Return whether the two multipliers whose product is nearest to one are complex."""
    pairs = combinations(at.multipliers, 2)
    nearest = min(pairs, key=lambda pair: abs(pair[0] * pair[1] - 1.0))
    return bool(abs(nearest[0].imag) > 0.0)

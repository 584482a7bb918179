"""A programme whose solution is known in closed form."""

import signal
from dataclasses import dataclass

import numpy as np
import pytest

from footfall.analysis.context import Interrupted
from footfall.analysis.nonlinear_programme import (
    SOLVERS,
    Effort,
    LinearConstraint,
    LinearCost,
    NonlinearProgramme,
    QuadraticCost,
)
from footfall.interrupt import hearing_ctrl_c

SCALE = np.array([2.0, 0.5])
BOTH = np.arange(2)
WIDE = np.full(2, 10.0)


@dataclass(frozen=True)
class Disc:
    """x0^2 + x1^2 <= 1."""

    @property
    def variables(self):
        return BOTH

    def bounds(self):
        return np.array([-np.inf]), np.array([1.0])

    def pattern(self):
        return [(0, 0), (0, 1)]

    def values(self, z):
        return np.array([np.sum((SCALE * z) ** 2)])

    def gradients(self, z):
        return self.values(z), (2.0 * SCALE**2 * z)[None]


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_farthest_point_of_a_disc_is_found(solver):
    farthest = LinearCost(-SCALE, BOTH)  # the sum of x, in scaled variables
    programme = NonlinearProgramme(-WIDE, WIDE, SCALE, farthest, [Disc()])
    found = programme.solve(np.array([0.3, 0.1]), Effort(solver))
    assert found.solved, found.message
    np.testing.assert_allclose(found.values, np.sqrt(0.5), rtol=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_linear_constraints_and_bounds_are_in_the_callers_units(solver):
    squares = QuadraticCost(np.diag(SCALE**2), BOTH)
    line = LinearConstraint(np.array([[1.0, 1.0]]), BOTH, np.array([1.0]), np.array([np.inf]))
    low = np.array([0.7, -10.0])
    programme = NonlinearProgramme(low, WIDE, SCALE, squares, [], [line])
    found = programme.solve(np.array([5.0, 5.0]), Effort(solver))
    assert found.solved, found.message
    np.testing.assert_allclose(found.values, [0.7, 0.3], rtol=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_has_no_solution_is_not_solved(solver):
    apart = LinearConstraint(np.array([[1.0, 1.0]]), BOTH, np.array([3.0]), np.array([np.inf]))
    programme = NonlinearProgramme(-WIDE, WIDE, SCALE, LinearCost(-SCALE, BOTH), [Disc()], [apart])
    found = programme.solve(np.zeros(2), Effort(solver))
    assert not found.solved


class PressedDisc(Disc):
    """The same, at whose third evaluation somebody presses Ctrl-C."""

    def __init__(self):
        super().__init__()
        object.__setattr__(self, "calls", [])

    def gradients(self, z):
        self.calls.append(z)
        if len(self.calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return super().gradients(z)


@pytest.mark.parametrize("solver", SOLVERS)
def test_ctrl_c_ends_a_solution_under_way(solver):
    disc, farthest = PressedDisc(), LinearCost(-SCALE, BOTH)
    programme = NonlinearProgramme(-WIDE, WIDE, SCALE, farthest, [disc])
    with hearing_ctrl_c() as interrupted:
        with pytest.raises(Interrupted):
            programme.solve(np.array([0.3, 0.1]), Effort(solver))
        assert interrupted()
    assert len(disc.calls) == 3

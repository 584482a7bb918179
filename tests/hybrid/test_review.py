"""Requests that no event-driven simulation can meet."""

import numpy as np
import pytest

from footfall.hybrid import FALLING, Guard, HybridMode, HybridSystem, Transition, simulate, step_to


def falling_ball():
    """A ball that is let go and bounces plastically."""
    ground = Guard("ground", lambda _, x: x[0], FALLING, lambda _, x: Transition("flight", 0.0 * x))
    flight = HybridMode("flight", lambda _, x: np.array([x[1], -9.81 + 0.0 * x[0]]), (ground,))
    return HybridSystem({"flight": flight}, ("height", "velocity"))


def test_a_guard_that_no_mode_has_is_not_waited_for():
    with pytest.raises(ValueError, match="no guard 'grund', only ground"):
        simulate(falling_ball(), "flight", [1.0, 0.0], (0.0, 9.0), until="grund")
    with pytest.raises(ValueError, match="no guard 'grund', only ground"):
        step_to(falling_ball(), "flight", [1.0, 0.0], "grund", 9.0)

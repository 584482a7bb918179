"""The rimless wheel as an event-driven system, whose steps are known in closed form."""

import numpy as np

from footfall.hybrid import FALLING, RISING, Guard, HybridMode, HybridSystem, Transition
from footfall.textbook.rimless_wheel import RimlessWheel

WHEEL = RimlessWheel(m=1.0, J=0.1, l=1.0, n=8, gamma=0.2)
PULL = WHEEL.m * WHEEL.g * WHEEL.l / WHEEL.inertia


def rolling(gamma=WHEEL.gamma):
    """(lean, omega) of the standing spoke, from the normal of a slope that may be complex."""
    strike = Guard(
        "strike",
        lambda _, x: x[0] - WHEEL.alpha,
        RISING,
        lambda _, x: Transition("roll", np.array([x[0] - 2.0 * WHEEL.alpha, WHEEL.eta * x[1]])),
    )
    back = Guard("back", lambda _, x: x[0] + WHEEL.alpha, FALLING)

    def roll(_, x):
        return np.array([x[1], PULL * np.sin(x[0] + gamma)])

    return HybridSystem({"roll": HybridMode("roll", roll, (strike, back))}, ("lean", "omega"))


def after_impact(omega):
    """States (2, ...) just after an impact."""
    return np.array([0.0 * omega - WHEEL.alpha, omega])

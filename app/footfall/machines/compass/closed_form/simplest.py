"""Closed form of the simplest walker: a point mass at the hip, feet of no mass on legs of no mass.

It is the compass with all mass of the legs at the feet in the limit m / m_hip -> 0: the hip is an
inverted pendulum that feels nothing of the swinging leg, which hangs on it. Without dimension:
lengths in l, time in sqrt(l / g), so that the slope gamma [rad] is the only parameter.

State y = (theta, phi, theta', phi'), component first: shape (4,) or (4, k), real or complex. theta:
angle of the standing leg from the slope's normal, counter-clockwise; phi: the angle by which the
other leg is behind it, so that the compass has q1 = theta, q2 = pi - phi. It walks to +x, downhill,
with theta' < 0. The equation numbers are those of the paper.

Source: M. Garcia, A. Chatterjee, A. Ruina, M. Coleman: The simplest walking model: stability,
complexity, and scaling. ASME Journal of Biomechanical Engineering 120 (1998) 281-288.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from footfall.hybrid.component_first import Number, State

COMPONENT_NAMES = ("theta", "phi", "dtheta", "dphi")


class PublishedGait(NamedTuple):
    """A gait of period one: theta, theta' just after a heel strike, multipliers of its return map.

    Its other two components follow, see `after_strike`.
    """

    gamma: float
    theta: float
    dtheta: float
    multipliers: tuple[complex, complex]


# The program that made the paper's results (M. Garcia, 1998) gives the gait at gamma = 0.009 "to
# 1e-10": it is 9e-11 off. Its multipliers are coarser: right are -0.190099841 +- 0.557598777i.
LONG_STEP = PublishedGait(
    0.009,
    0.20031090049483,
    -0.19983247291764,
    (-0.19120868949940 + 0.55633363687106j, -0.19120868949940 - 0.55633363687106j),
)


class Scaling(NamedTuple):
    """Table 1: a gait of period one on a small slope, where theta is the angle after a heel strike.

    duration of a step = tau0 + tau1 gamma^(2/3), theta = Theta0 gamma^(1/3) + Theta1 gamma,
    theta' = alpha theta + c1 gamma.
    """

    tau0: float
    tau1: float
    Theta0: float
    Theta1: float
    alpha: float
    c1: float

    def gait(self, gamma: float) -> State:
        """Return (theta, theta') just after a heel strike, shape (2,), for a slope gamma [rad]."""
        theta = self.Theta0 * math.cbrt(gamma) + self.Theta1 * gamma
        return np.array([theta, self.alpha * theta + self.c1 * gamma])

    def duration(self, gamma: float) -> float:
        """Time of a step, in sqrt(l / g), for a slope gamma [rad]."""
        return self.tau0 + self.tau1 * math.cbrt(gamma) ** 2


# Theta1 is ours: the table is quoted with -0.270837, which none of the gaits that there are
# follows. All other numbers are right to their last digit.
LONG_SCALING = Scaling(3.812092, 1.579129, 0.970956, -0.18657, -1.045203, 1.062895)

# The long gait is stable below this slope, where gaits of period two branch off.
FIRST_FLIP = 0.0151


def sigma(y: State) -> Number:
    """2 theta - phi: 0 where both feet are on the ground (3); falling at a heel strike."""
    return 2.0 * y[0] - y[1]


def delta(y: State) -> Number:
    """- phi: positive where the swinging foot is ahead of the standing one."""
    return -y[1]


def after_strike(theta: Number, dtheta: Number) -> State:
    """State that a heel strike leaves with given theta and theta', shape (4, ...)."""
    return np.array([theta, 2.0 * theta, dtheta, (1.0 - np.cos(2.0 * theta)) * dtheta])


def heel_strike(y: State) -> State:
    """State after the heel strike and the exchange of the legs, (4), shape of y.

    The hip keeps what of its velocity is across the new standing leg; the old foot, free of force,
    keeps its rest across the old one.
    """
    theta, phi, dtheta, _ = y
    share = np.cos(phi)
    return np.array([theta - phi, -phi, share * dtheta, share * (1.0 - share) * dtheta])


def to_compass(y: State) -> State:
    """State (q1, q2, q1', q2') of the compass whose legs stand alike, shape of y."""
    theta, phi, dtheta, dphi = y
    return np.array([theta, np.pi - phi, dtheta, -dphi])


@dataclass(frozen=True)
class SimplestWalker:
    """The walker on a slope gamma [rad], |gamma| < pi / 2, which may have an imaginary part.

    Of k walkers at once it may be an array (k,).
    """

    gamma: float

    def __post_init__(self) -> None:
        """Refuse slopes that nothing stands on."""
        if not np.max(np.abs(np.real(self.gamma))) < 0.5 * math.pi:
            raise ValueError(f"|gamma| < pi / 2 is needed, got {self.gamma}")

    def derivative(self, _: Number, y: State) -> State:
        """Rates y' = (theta', phi', theta'', phi'') at any time, (1) and (2), shape of y."""
        theta, phi, dtheta, dphi = y
        turning = np.sin(theta - self.gamma)
        swinging = (dtheta * dtheta - np.cos(theta - self.gamma)) * np.sin(phi)
        return np.array([dtheta, dphi, turning, turning + swinging])

    def energy(self, y: State) -> Number:
        """Energy of the hip in its weight times l, from the standing foot: constant over a step."""
        return 0.5 * y[2] * y[2] + np.cos(y[0] - self.gamma)

    def pull(self, y: State) -> Number:
        """Force of the ground along the standing leg, in weights of the hip; positive pushes."""
        return np.cos(y[0] - self.gamma) - y[2] * y[2]

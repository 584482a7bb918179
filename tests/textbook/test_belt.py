"""Stick-slip on a belt against an integration of both bodies, and against energy."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.belt import Belt

LIGHT = Belt(m=1.3, k=20.0, mu_s=0.5, mu_k=0.3, M=2e3, g=9.7)  # a belt that slows visibly
HEAVY = Belt(m=1.0, k=25.0, mu_s=0.4, mu_k=0.3, M=1e12)


def integrated(belt, V, times):
    """[x, x', belt's speed] at times: each phase integrated to its event."""
    load = belt.m * belt.g

    def rate(_, s, sticks):
        if sticks:
            a = -belt.k * s[0] / (belt.M + belt.m)
            return [s[1], a, a]
        return [s[1], (belt.mu_k * load - belt.k * s[0]) / belt.m, -belt.mu_k * load / belt.M]

    def breaks(_, s, sticks):  # friction on the block is k x + m x''
        hold = belt.k * s[0] * belt.M / (belt.M + belt.m)
        return belt.mu_s * load - hold if sticks else 1.0

    def catches_up(_, s, sticks):
        return -1.0 if sticks else s[1] - s[2]

    breaks.terminal = catches_up.terminal = True
    breaks.direction, catches_up.direction = -1.0, 1.0
    rows, state, now, sticks = np.empty((len(times), 3)), [belt.break_away, V, V], 0.0, False
    while now < times[-1]:
        if not sticks:  # let go of the belt's speed, where the event begins
            state = [state[0], state[1] - 1e-13, state[2]]
        solved = solve_ivp(
            rate, (now, times[-1] + 1e-9), state, args=(sticks,), method="DOP853",
            rtol=1e-12, atol=1e-14, dense_output=True, events=(breaks, catches_up),
        )  # fmt: skip
        inside = (times >= now) & (times <= solved.t[-1])
        rows[inside] = solved.sol(times[inside]).T
        state, now, sticks = solved.y[:, -1].tolist(), solved.t[-1], not sticks
    return rows


@pytest.mark.parametrize("belt", [LIGHT, HEAVY])
def test_the_cycle_is_that_of_the_equations_of_motion(belt):
    times = np.linspace(0.0, 3.5, 200)
    assert len(belt.phases(0.2, 3.5)) > 4
    expected = integrated(belt, 0.2, times)[:, 0]
    # the integrator's events: 1e-12 of the speed, over the acceleration
    assert belt.extension(0.2, times) == pytest.approx(expected, abs=1e-8)


def test_a_belt_that_keeps_its_speed_repeats_its_cycle():
    d, v = (HEAVY.mu_s - HEAVY.mu_k) * HEAVY.m * HEAVY.g / HEAVY.k, 0.1
    stick = 2.0 * d / v
    slip = 2.0 * (math.pi - math.atan(d * HEAVY.omega / v)) / HEAVY.omega
    starts = [phase.time for phase in HEAVY.phases(0.1, 5.0)]
    lengths = np.diff(starts)
    # the belt's mass is 1e12 times the block's
    assert lengths[0::2] == pytest.approx([slip] * len(lengths[0::2]), rel=1e-9)
    assert lengths[1::2] == pytest.approx([stick] * len(lengths[1::2]), rel=1e-9)
    x = HEAVY.extension(0.1, np.linspace(0.0, 5.0, 100_001))
    assert np.ptp(x) == pytest.approx(2.0 * HEAVY.amplitude(0.1), abs=1e-9)


def test_friction_takes_what_the_bodies_and_the_spring_lose():
    slip, stick, again = LIGHT.phases(0.2, 2.0)[:3]

    def energy(phase):
        kinetic = 0.5 * (LIGHT.m + LIGHT.M) * phase.V**2
        return kinetic + 0.5 * LIGHT.k * phase.x**2

    assert energy(slip) - energy(stick) == pytest.approx(LIGHT.loss(slip), rel=1e-11)
    assert energy(stick) == pytest.approx(energy(again), rel=1e-11)


@pytest.mark.parametrize(
    ("change", "message"), [({"mu_s": 0.3}, "mu_s > mu_k"), ({"k": -1.0}, "positive")]
)
def test_what_does_not_stick_and_slip_is_refused(change, message):
    good = {"m": 1.0, "k": 25.0, "mu_s": 0.4, "mu_k": 0.3, "M": 1e5}
    with pytest.raises(ValueError, match=message):
        Belt(**(good | change))

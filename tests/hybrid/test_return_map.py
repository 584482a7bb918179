"""Return maps and their derivatives against closed forms, and against differences."""

import math
from dataclasses import replace

import numpy as np
import pytest

from footfall.hybrid import (
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    SectionMap,
    Transition,
    batch_derivative,
    find_fixed_point,
    simulate,
)


def by_differences(function, x, step):
    """Derivative of a motion (m,) with its start (n,) by differences of order 6."""
    columns = []
    for axis in np.eye(len(x)):
        odd = [function(x + k * step * axis) - function(x - k * step * axis) for k in (1, 2, 3)]
        columns.append((45.0 * odd[0] - 9.0 * odd[1] + odd[2]) / (60.0 * step))
    return np.stack(columns, axis=-1)


def test_an_oscillator_that_hits_a_wall_has_the_derivative_of_its_closed_form():
    # x = x0 cos t + v0 sin t meets x = d with v = sqrt(x0^2 + v0^2 - d^2); v -> -e v
    d, e = 0.4, 0.8

    def swing(_, x):
        return np.array([x[1], -x[0]])

    def bounce(_, x):
        return Transition("only", np.array([x[0], -e * x[1]]))

    wall = Guard("wall", lambda _, x: x[0] - d, RISING, bounce)
    system = HybridSystem({"only": HybridMode("only", swing, (wall,))}, ("x", "v"))
    x0 = np.array([-0.9, 0.3])
    passage, D = batch_derivative(system, "only", x0[:, None], "wall", 9.0, 0.02, np.eye(2))
    v = math.sqrt(x0 @ x0 - d * d)
    assert passage.x[:, 0] == pytest.approx([d, -e * v], rel=1e-12)
    assert D[:, :, 0] == pytest.approx(np.array([[0.0, 0.0], -e * x0 / v]), abs=1e-11)
    # it leaves the wall with -e v, comes back with e v, and leaves with -e^2 v, whatever v is
    _, again = batch_derivative(system, "only", passage.x, "wall", 9.0, 0.02, np.eye(2))
    assert again[1, 1, 0] == pytest.approx(e, rel=1e-11)


def table(A=0.01, w=20.0, e=0.7, h=0.02):
    """A ball over a table z = A sin(w t) that a motor switches off at a height of the ball."""

    def fall(_, x):
        return np.array([x[1], -G - 0.2 * x[1] * np.sqrt(1.0 + x[1] ** 2)])

    def floor(t):
        return A * np.sin(w * t + 2.0)

    def bounce(t, x):
        speed = A * w * np.cos(w * t + 2.0)
        # the floor gives way in proportion to the time, so that the reset depends on it by itself
        return Transition("up", np.array([x[0], (1.0 + e) * speed - e * x[1] + 0.1 * t]))

    def boost(t, x):
        return Transition("down", np.array([x[0] + 0.01 * np.sin(t), 1.1 * x[1] + x[0]]))

    def light(t, x):
        return np.array([x[1], -0.7 * G * np.cos(0.3 * t) + 0.0 * x[1]])

    hits = Guard("hits", lambda t, x: x[0] - floor(t), FALLING, bounce)
    passes = Guard("passes", lambda t, x: x[0] - h - 0.1 * t, RISING, boost)
    return HybridSystem(
        {"down": HybridMode("down", fall, (hits,)), "up": HybridMode("up", light, (passes, hits))},
        ("z", "v"),
    )


def test_derivatives_go_through_modes_moving_guards_and_resets_that_know_the_time():
    system, x0, count = table(), np.array([0.2, -0.3]), 3

    def run(x):
        """State after the third impact."""
        events = simulate(system, "down", x, (0.0, 5.0)).events
        hits = [event for event in events if event.guard == "hits"]
        return hits[count - 1].x_after

    events = simulate(system, "down", x0, (0.0, 5.0)).events
    names = [event.guard for event in events[:5]]
    assert names == ["hits", "passes", "hits", "passes", "hits"]
    how = ("down 0", x0[:, None], "last", 5.0, 2e-3, np.eye(2))
    passage, D = batch_derivative(_counting(system, count), *how)
    assert passage.x[:, 0] == pytest.approx(run(x0), abs=1e-11)
    # rounding over 2e-4, and the sixth power of 2e-4 times growth
    assert D[:, :, 0] == pytest.approx(by_differences(run, x0, 2e-4), abs=1e-9)


def _counting(system, count):
    """The same system with its modes once per impact, so that the last impact has its own name."""
    modes = {}
    for k in range(count):
        for name, mode in system.modes.items():
            guards = []
            for guard in mode.guards:
                last = guard.name == "hits" and k == count - 1
                ahead = min(k + (guard.name == "hits"), count - 1)

                def reset(t, x, guard=guard, ahead=ahead):
                    transition = guard.reset(t, x)
                    return Transition(f"{transition.mode} {ahead}", transition.state)

                guards.append(replace(guard, name="last" if last else guard.name, reset=reset))
            label = f"{name} {k}"
            modes[label] = HybridMode(label, mode.derivative, tuple(guards))
    return HybridSystem(modes, system.components)


# A ball (restitution e) on a table z = A sin(phase), phase' = w, so that time is a component.
# With Gamma = A w^2 / g the orbit that bounces once a period has, just after the impact,
#     v = g T / 2,  cos(phase) = pi (1 - e) / (Gamma (1 + e)),  T = 2 pi / w
# and det D = e^2, trace D = 1 + e^2 - (1 + e)^2 Gamma sin(phase), so that it flips (multiplier -1)
# at Gamma^2 = (pi (1 - e) / (1 + e))^2 + (2 (1 + e^2) / (1 + e)^2)^2.
# P. J. Holmes: The dynamics of repeated impacts with a sinusoidally vibrating table, Journal of
# Sound and Vibration 84 (1982) 173-189; J. Guckenheimer, P. Holmes: Nonlinear Oscillations,
# Dynamical Systems, and Bifurcations of Vector Fields, Springer 1983, section 2.4.
G, E, W = 9.81, 0.5, 40.0
FLIP = math.hypot(math.pi * (1.0 - E) / (1.0 + E), 2.0 * (1.0 + E**2) / (1.0 + E) ** 2)


def shaken(gamma):
    """State: height above the table, the ball's own velocity, phase of the table."""
    A = gamma * G / W**2

    def fall(_, x):
        return np.array([x[1] - A * W * np.cos(x[2]), -G + 0.0 * x[1], W + 0.0 * x[1]])

    def bounce(_, x):
        table = A * W * np.cos(x[2])
        after = (1.0 + E) * table - E * x[1]
        return Transition("air", np.array([0.0 * x[0], after, x[2] - 2.0 * np.pi]))

    hits = Guard("hits", lambda _, x: x[0], FALLING, bounce)
    return HybridSystem({"air": HybridMode("air", fall, (hits,))}, ("gap", "v", "phase"))


def shaken_map():
    def embed(y):
        return np.array([0.0 * y[0], y[0], y[1]])

    return SectionMap(shaken, "air", "hits", embed, lambda x: x[1:], 3.0, 2e-3)


def bouncing_once_a_period(gamma):
    phase = math.acos(math.pi * (1.0 - E) / (gamma * (1.0 + E)))
    return np.array([G * math.pi / W, phase])


@pytest.mark.parametrize("gamma", [1.06, 1.2, 1.5, 1.7])
def test_a_ball_bounces_on_a_shaken_table_once_a_period(gamma):
    known = bouncing_once_a_period(gamma)
    bounces = find_fixed_point(shaken_map(), known * [1.001, 1.001], gamma)
    # phase: cos is flat near the fold, where errors of 1e-12 grow by 1 / sin(phase)
    assert bounces.orbit[0] == pytest.approx(known, abs=2e-11)
    trace = 1.0 + E**2 - (1.0 + E) ** 2 * gamma * math.sin(known[1])
    expected = np.sort_complex(np.roots([1.0, -trace, E**2]))
    assert np.sort_complex(bounces.multipliers) == pytest.approx(
        np.sort_complex(expected), abs=1e-9
    )
    assert np.linalg.det(bounces.D) == pytest.approx(E**2, rel=1e-10)
    assert bounces.stable == (gamma < FLIP)


def test_the_ball_flips_at_the_known_acceleration():
    bounces = find_fixed_point(shaken_map(), bouncing_once_a_period(FLIP), FLIP)
    # the larger of the multipliers -1 and -e^2; errors of the orbit, 1e-12, times 10
    assert bounces.multipliers[0].real == pytest.approx(-1.0, abs=1e-10)
    assert bounces.multipliers[1].real == pytest.approx(-(E**2), abs=1e-10)

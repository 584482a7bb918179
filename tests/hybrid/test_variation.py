"""Derivatives of motions through events against closed forms and against differences."""

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
    NoReturn,
    Transition,
    jacobian,
    simulate,
    step_to,
)
from footfall.textbook.rimless_wheel import RimlessWheel

G = 9.81
WHEEL = RimlessWheel(m=1.4, J=0.06, l=0.6, n=9, gamma=np.deg2rad(7.0), g=9.7)


def by_differences(function, x, step):
    """Derivative of a motion (m,) with its start (n,) by differences of order 6."""
    columns = []
    for axis in np.eye(len(x)):
        odd = [function(x + k * step * axis) - function(x - k * step * axis) for k in (1, 2, 3)]
        columns.append((45.0 * odd[0] - 9.0 * odd[1] + odd[2]) / (60.0 * step))
    return np.stack(columns, axis=-1)


def test_a_complex_step_gives_the_derivative_to_rounding():
    def function(x):
        return np.array([x[0] * np.exp(x[1]), np.sin(x[0]) / x[1], x[0] ** 3])

    x = np.array([0.7, 1.3])
    exact = [
        [math.exp(1.3), 0.7 * math.exp(1.3)],
        [math.cos(0.7) / 1.3, -math.sin(0.7) / 1.69],
        [3.0 * 0.49, 0.0],
    ]
    assert jacobian(function, x) == pytest.approx(np.array(exact), rel=4e-16)


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
    done = step_to(system, "only", x0, "wall", 9.0)
    v = math.sqrt(x0 @ x0 - d * d)
    assert done.x_before == pytest.approx([d, v], rel=1e-12)
    assert done.x_after == pytest.approx([d, -e * v], rel=1e-12)
    assert done.mode_after == "only"
    assert done.D[0] == pytest.approx([0.0, 0.0], abs=1e-11)
    assert done.D[1] == pytest.approx(-e * x0 / v, abs=1e-11)
    basis = np.array([math.cos(done.time), math.sin(done.time)])
    assert done.time_gradient == pytest.approx(-basis / v, rel=1e-11)
    # it leaves the wall with -e v, comes back with e v, and leaves with -e^2 v, whatever v is
    again = step_to(system, "only", done.x_after, "wall", 9.0)
    assert again.D[1, 1] == pytest.approx(e, rel=1e-11)


def wheel(gamma):
    weight = WHEEL.m * WHEEL.g * WHEEL.l / WHEEL.inertia

    def roll(_, x):
        return np.array([x[1], weight * np.sin(x[0])])

    def strike(_, x):
        return Transition("roll", np.array([x[0] - 2.0 * WHEEL.alpha, WHEEL.eta * x[1]]))

    ahead = Guard("strike", lambda _, x: x[0] - gamma - WHEEL.alpha, RISING, strike)
    back = Guard("back", lambda _, x: x[0] - gamma + WHEEL.alpha, FALLING)
    return HybridSystem({"roll": HybridMode("roll", roll, (ahead, back))}, ("theta", "omega"))


@pytest.mark.parametrize("omega", [1.6, 2.0, 4.0])
def test_a_step_of_the_rimless_wheel_has_its_known_derivative(omega):
    first = WHEEL.gamma - WHEEL.alpha
    done = step_to(wheel(WHEEL.gamma), "roll", [first, omega], "strike", 5.0)
    arrival = WHEEL.before_impact(omega)
    assert done.time == pytest.approx(WHEEL.step_time(omega), abs=1e-11)
    assert done.x_before[1] == pytest.approx(arrival, rel=1e-12)
    # omega+ = eta sqrt(omega^2 + gain); a turn of the start by d theta changes the energy alone
    weight = WHEEL.m * WHEEL.g * WHEEL.l / WHEEL.inertia
    expected = WHEEL.eta / arrival * np.array([-weight * math.sin(first), omega])
    assert done.D[1] == pytest.approx(expected, rel=1e-11)
    assert done.D[0] == pytest.approx([0.0, 0.0], abs=1e-12)


def table(A=0.01, w=20.0, e=0.7, h=0.02):
    """A ball over a table z = A sin(w t) that a motor switches off at a height of the ball."""

    def fall(_, x):
        return np.array([x[1], -G - 0.2 * x[1] * np.sqrt(1.0 + x[1] ** 2)])

    def floor(t):
        return A * np.sin(w * t)

    def bounce(t, x):
        speed = A * w * np.cos(w * t)
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
        """Time and state after the third impact."""
        events = simulate(system, "down", x, (0.1, 5.0)).events
        hits = [event for event in events if event.guard == "hits"]
        return np.array([hits[count - 1].time, *hits[count - 1].x_after])

    events = simulate(system, "down", x0, (0.1, 5.0)).events
    names = [event.guard for event in events[:5]]
    assert names == ["hits", "passes", "hits", "passes", "hits"]
    done = step_to(_counting(system, count), "down 0", x0, "last", 5.0, t0=0.1)
    exact = np.vstack([done.time_gradient, done.D])
    assert done.time == pytest.approx(run(x0)[0], abs=1e-12)
    # rounding over 2e-4, and the sixth power of 2e-4 times growth
    assert exact == pytest.approx(by_differences(run, x0, 2e-4), abs=1e-10)


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


def test_the_derivatives_of_single_passages_multiply_to_that_of_all():
    # autonomous: D over two steps of the wheel is the product, and so is what omega^2 says
    first = WHEEL.gamma - WHEEL.alpha
    one = step_to(wheel(WHEEL.gamma), "roll", [first, 2.0], "strike", 5.0)
    two = step_to(wheel(WHEEL.gamma), "roll", one.x_after, "strike", 5.0)
    omega = [2.0, one.x_after[1], two.x_after[1]]
    # d(omega_2^2) / d(omega_0^2) = eta^4
    product = two.D @ one.D
    assert product[1, 1] == pytest.approx(WHEEL.eta**4 * omega[0] / omega[2], rel=1e-11)


def test_an_orbit_that_does_not_come_is_told():
    first = WHEEL.gamma - WHEEL.alpha
    system = wheel(WHEEL.gamma)
    with pytest.raises(NoReturn, match="'strike' does not happen: guard 'back' ended it"):
        step_to(system, "roll", [first, 0.3], "strike", 5.0)
    with pytest.raises(NoReturn, match=r"'strike' does not happen within 0\.1 s"):
        step_to(system, "roll", [first, 2.0], "strike", 0.1)
    with pytest.raises(NoReturn, match="guard 'back' has no reset"):
        step_to(system, "roll", [first, 0.3], "back", 5.0)

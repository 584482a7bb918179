"""Exact derivatives of a motion, through all its events: variational equations and saltation.

With X = dx/dx0 at a fixed time, f(t, x) the derivative of a mode, J = df/dx:

    X' = J X                                                        within a segment
    tau = dt/dx0 = -(g_x X) / (g_t + g_x f)                         time of an event g(t, x) = 0
    D = dx+/dx0 = R_x (X + f tau) + R_t tau                         state after its reset R(t, x)
    X+ = D - f+ tau                                                 again at a fixed time

X+ X^-1 is the saltation matrix. A parameter p is one more column, with f_p, g_p and R_p added. The
state and X make one larger system that is simulated as any other, so that X obeys the tolerances
too. All derivatives of f, g, R are taken by complex steps. Sources: P. C. Mueller: Calculation of
Lyapunov exponents for dynamic systems with discontinuities, Chaos, Solitons & Fractals 5 (1995)
1671-1681; R. I. Leine, H. Nijmeijer: Dynamics and Bifurcations of Non-Smooth Mechanical Systems,
Springer 2004, chapter 7.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import FootfallError
from footfall.hybrid.complex_step import STEP, jacobian, jacobian_by_columns, perturbed
from footfall.hybrid.model import Guard, HybridMode, HybridSystem, State, Transition
from footfall.hybrid.options import Options
from footfall.hybrid.parameter import Parameter
from footfall.hybrid.run import Ending, HybridEvent, HybridRun
from footfall.hybrid.simulate import simulate

__all__ = ["NoReturn", "Passage", "jacobian", "passage", "step_to"]


class NoReturn(FootfallError):
    """A motion that does not come to the guard that was waited for: what happened, and when."""


class Passage(NamedTuple):
    """A motion up to and through an event, and its derivatives.

    time [s] of the event, states (n,) before and after it, the mode that follows, D (n, m): change
    of the state after the event with each of m variations of the start (and the time of the event
    free to change), time_gradient (m,): change of that time.
    """

    time: float
    x_before: Array
    x_after: Array
    mode_after: str
    D: Array
    time_gradient: Array


def step_to(
    system: HybridSystem,
    mode: str,
    x0: npt.ArrayLike,
    guard_name: str,
    most_time: float,
    t0: float = 0.0,
    options: Options | None = None,
) -> Passage:
    """Go from x0 (n,) in a mode at t0 [s] through the first event of a guard; D is dx_after/dx0.

    Raises NoReturn if the guard does not fire within most_time [s] or the motion ends before.
    """
    start = np.array(x0, dtype=np.float64)
    varied = np.eye(len(start))
    return passage(system, mode, start, varied, guard_name, most_time, t0=t0, options=options)


def passage(
    system: HybridSystem,
    mode: str,
    x0: Array,
    varied: Array,
    guard_name: str,
    most_time: float,
    *,
    t0: float = 0.0,
    parameter: Parameter | None = None,
    options: Options | None = None,
) -> Passage:
    """As ``step_to`` for m variations of the start, the columns of ``varied`` (n, m).

    parameter: of the system, which the last column varies besides.
    """
    n = len(x0)
    larger = _with_variations(system, n, varied.shape[1], parameter)
    y0 = np.concatenate([x0, varied.ravel()])
    run = simulate(larger, mode, y0, (t0, t0 + most_time), options, until=guard_name)
    last = arrival(run, guard_name, most_time)
    return Passage(
        last.time, last.x_before[:n], last.x_after[:n], run.mode,
        np.asarray(last.outputs["D"]), np.asarray(last.outputs["time_gradient"]),
    )  # fmt: skip


def arrival(run: HybridRun, guard_name: str, most_time: float) -> HybridEvent:
    """The event with which a simulation up to a guard ended; raises NoReturn for another end."""
    last = run.events[-1] if run.events else None
    if last is not None and run.ending is Ending.GUARD and last.guard == guard_name:
        if last.after is not None:
            return last
        raise NoReturn(f"guard '{guard_name}' has no reset, so that nothing follows it")
    if run.ending is Ending.END_OF_TIME:
        raise NoReturn(f"'{guard_name}' does not happen within {most_time:.6g} s")
    raise NoReturn(f"'{guard_name}' does not happen: {run.message}")


def _with_variations(
    system: HybridSystem, n: int, m: int, parameter: Parameter | None
) -> HybridSystem:
    """The system of states y = (x, X), X: (n, m) row by row."""
    modes = {}
    for name, mode in system.modes.items():
        guards = tuple(
            _varied_guard(system, mode, index, m, parameter) for index in range(len(mode.guards))
        )
        modes[name] = HybridMode(name, _varied_derivative(mode, n, m, parameter), guards)
    varied = [f"d {name} / d {k}" for name in system.components for k in range(m)]
    return HybridSystem(modes, (*system.components, *varied))


def _varied_derivative(
    mode: HybridMode, n: int, m: int, parameter: Parameter | None
) -> Callable[[float, Array], Array]:
    """Derivative of (x, X): one call of the mode's derivative with n complex states gives both."""
    function, name = mode.derivative, mode.name
    forcing = None
    if parameter is not None:
        forcing = parameter.of_systems(lambda s: s.modes[name].derivative)

    def derivative(t: float, y: Array) -> Array:
        moved = function(t, perturbed(y[:n]))
        rates = np.empty(n + n * m)
        rates[:n] = moved.real[:, 0]
        varied = rates[n:].reshape(n, m)
        varied[:] = (moved.imag / STEP) @ y[n:].reshape(n, m)
        if forcing is not None:
            varied[:, -1] += forcing(t, y[:n])
        return rates

    return derivative


def _varied_guard(
    system: HybridSystem, mode: HybridMode, index: int, m: int, parameter: Parameter | None
) -> Guard:
    """A guard of (x, X), whose reset takes X along."""
    guard, n, name = mode.guards[index], len(system.components), mode.name
    given = guard.reset

    def value(t: State, y: State) -> State:
        return guard.value(t, y[:n])

    if given is None:
        return Guard(guard.name, value, guard.direction)

    def reset(t: float, y: Array) -> Transition:
        x, X = y[:n], y[n:].reshape(n, m)
        transition = given(t, x)
        slope = mode.derivative(t, x)
        following = system.modes[transition.mode].derivative(t, transition.state)
        gradient = np.imag(np.broadcast_to(guard.value(t, perturbed(x)), (n,))) / STEP
        moving = gradient @ slope + np.imag(guard.value(t + 1j * STEP, x)) / STEP
        across = gradient @ X
        R_x = jacobian_by_columns(lambda state: given(t, state).state, x)
        R_t = np.imag(given(t + 1j * STEP, x).state) / STEP
        if parameter is not None:
            across[-1] += parameter.of_systems(lambda s: s.modes[name].guards[index].value)(t, x)
        if moving == 0.0:
            raise NoReturn(
                f"the motion grazes guard '{guard.name}' at t = {t:.9g} s: no derivative"
            )
        tau = -across / moving
        D = R_x @ (X + np.outer(slope, tau)) + np.outer(R_t, tau)
        if parameter is not None:
            D[:, -1] += parameter.of_systems(_state_after(name, index))(t, x)
        after = np.concatenate([transition.state, (D - np.outer(following, tau)).ravel()])
        return Transition(transition.mode, after, {"D": D, "time_gradient": tau})

    return Guard(guard.name, value, guard.direction, reset)


def _state_after(mode: str, index: int) -> Callable[[HybridSystem], Callable[..., State]]:
    """Picks out of a system what a guard's reset makes of a state."""

    def pick(system: HybridSystem) -> Callable[..., State]:
        reset = system.modes[mode].guards[index].reset
        if reset is None:
            raise ValueError(f"guard {index} of mode '{mode}' has lost its reset")
        return lambda t, x: reset(t, x).state

    return pick

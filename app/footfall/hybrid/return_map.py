"""Return maps: from just after an event of a guard to just after its next one, with derivatives.

Derivatives of a motion through all its events are exact: variational equations and saltation. With
X = dx/dx0 at a fixed time, f(t, x) the derivative of a mode, J = df/dx:

    X' = J X                                                        within a segment
    tau = dt/dx0 = -(g_x X) / (g_t + g_x f)                         time of an event g(t, x) = 0
    D = dx+/dx0 = R_x (X + f tau) + R_t tau                         state after its reset R(t, x)
    X+ = D - f+ tau                                                 again at a fixed time

X+ X^-1 is the saltation matrix. A parameter p is one more column, with f_p, g_p and R_p added. The
state and X make one larger system that is simulated as any
other, so that X obeys the tolerances too. All derivatives of f, g, R are taken by complex steps.
Sources: P. C. Mueller: Calculation of Lyapunov exponents for dynamic systems with discontinuities,
Chaos, Solitons & Fractals 5 (1995) 1671-1681; R. I. Leine, H. Nijmeijer: Dynamics and Bifurcations
of Non-Smooth Mechanical Systems, Springer 2004, chapter 7.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from footfall.arrays import Array
from footfall.errors import FootfallError
from footfall.hybrid.component_first import STEP, State, jacobian_by_columns, perturbed
from footfall.hybrid.model import Guard, HybridMode, HybridSystem, Transition
from footfall.hybrid.run import Ending, HybridEvent, HybridRun, Options
from footfall.hybrid.simulate import simulate


class NoReturn(FootfallError):
    """A motion that does not come to the guard that was waited for: what happened, and when."""


class Linearised(NamedTuple):
    """Value (m,) of a map, its derivatives D (m, m) with y and D_p (m,) with the parameter.

    At k points (m, k), (m, m, k) and (m, k).
    """

    value: Array
    D: Array
    D_p: Array


class ParametricMap(Protocol):
    """A map of points y (m,) with a parameter p; raises NoReturn where it has no value."""

    def linearised(self, y: Array, p: float) -> Linearised:
        """Image of y with exact derivatives."""
        ...


class ManyPointsMap(ParametricMap, Protocol):
    """A map that does many points y (m, k) in about the time of one; raises NoReturn for any."""

    def linearised_many(self, y: Array, p: float) -> Linearised:
        """Images with exact derivatives."""
        ...


class SectionMap:
    """Return map of a family of hybrid systems to the section on which a guard has just fired.

    family(p): the system, of real and complex p. embed(y): the state x (n,) in ``mode`` just after
    the guard; project(x): the point y (m,); both analytic, called with one point. most_time [s]: a
    motion that has not come back by then does not return. Passages begin at time 0: a system that
    depends on time itself wants its phase among the components.
    """

    def __init__(
        self,
        family: Callable[[Any], HybridSystem],
        mode: str,
        guard: str,
        embed: Callable[[State], State],
        project: Callable[[State], State],
        most_time: float,
        *,
        options: Options | None = None,
    ) -> None:
        self._family, self._mode, self._guard = family, mode, guard
        self._embed, self._project = embed, project
        self._most_time, self._options = most_time, options

    def value(self, y: Array, p: float) -> Array:
        """Image of y, (m,); raises NoReturn."""
        last = self._arrival(self._family(p), self._embed(np.asarray(y, dtype=np.float64)))
        return np.asarray(self._project(last.x_after), dtype=np.float64)

    def linearised(self, y: Array, p: float) -> Linearised:
        """Image of y and its exact derivatives; raises NoReturn."""
        y = np.asarray(y, dtype=np.float64)
        x0 = np.asarray(self._embed(y), dtype=np.float64)
        along = jacobian_by_columns(self._embed, y)
        along = np.column_stack([along, np.zeros(len(x0))])
        beside = self._family(p + 1j * STEP)
        varied = with_variations(self._family(p), len(x0), along.shape[1], beside)
        last = self._arrival(varied, np.concatenate([x0, along.ravel()]))
        x = last.x_after[: len(x0)]
        out = jacobian_by_columns(self._project, x)
        value = np.asarray(self._project(x), dtype=np.float64)
        D = np.asarray(last.outputs["D"])
        return Linearised(value, out @ D[:, :-1], out @ D[:, -1])

    def _arrival(self, system: HybridSystem, x0: Array) -> HybridEvent:
        """The return of a start (n,); raises NoReturn for another end of its motion."""
        span = (0.0, self._most_time)
        run = simulate(system, self._mode, x0, span, self._options, until=self._guard)
        last = arrival(run, self._guard, self._most_time)
        if run.mode != self._mode:
            raise NoReturn(f"'{self._guard}' leads to mode '{run.mode}', not to '{self._mode}'")
        return last


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


def with_variations(
    system: HybridSystem, n: int, m: int, beside: HybridSystem | None = None
) -> HybridSystem:
    """The system of states y = (x, X), X: (n, m) row by row, for m variations of the start.

    beside: the system a complex step of its parameter beside, which the last column varies besides.
    Outputs of its events are D (n, m), the change of the state after the event, and time_gradient
    (m,), that of its time.
    """
    modes = {}
    for name, mode in system.modes.items():
        moved = None if beside is None else beside.modes[name]
        guards = tuple(_varied_guard(system, mode, k, m, moved) for k in range(len(mode.guards)))
        modes[name] = HybridMode(name, _varied_derivative(mode, n, m, moved), guards)
    varied = [f"d {name} / d {k}" for name in system.components for k in range(m)]
    return HybridSystem(modes, (*system.components, *varied))


def _by_parameter(moved: State) -> Array:
    """Derivative with the parameter of what a system a complex step of it beside gives."""
    return 0.0 + np.real(-1j / STEP * np.asarray(moved))


def _varied_derivative(
    mode: HybridMode, n: int, m: int, beside: HybridMode | None
) -> Callable[[float, Array], Array]:
    """Derivative of (x, X): one call of the mode's derivative with n complex states gives both."""

    def derivative(t: float, y: Array) -> Array:
        moved = mode.derivative(t, perturbed(y[:n]))
        rates = np.empty(n + n * m)
        rates[:n] = moved.real[:, 0]
        varied = rates[n:].reshape(n, m)
        varied[:] = (moved.imag / STEP) @ y[n:].reshape(n, m)
        if beside is not None:
            varied[:, -1] += _by_parameter(beside.derivative(t, y[:n]))
        return rates

    return derivative


def _varied_guard(
    system: HybridSystem, mode: HybridMode, index: int, m: int, beside: HybridMode | None
) -> Guard:
    """A guard of (x, X), whose reset takes X along."""
    n, guard = len(system.components), mode.guards[index]
    given, moved = guard.reset, None if beside is None else beside.guards[index]

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
        if moving == 0.0:
            raise NoReturn(
                f"the motion grazes guard '{guard.name}' at t = {t:.9g} s: no derivative"
            )
        across = gradient @ X
        if moved is not None:
            across[-1] += _by_parameter(moved.value(t, x))
        tau = -across / moving
        R_x = jacobian_by_columns(lambda state: given(t, state).state, x)
        R_t = np.imag(given(t + 1j * STEP, x).state) / STEP
        D = R_x @ (X + np.outer(slope, tau)) + np.outer(R_t, tau)
        if moved is not None and moved.reset is not None:
            D[:, -1] += _by_parameter(moved.reset(t, x).state)
        after = np.concatenate([transition.state, (D - np.outer(following, tau)).ravel()])
        return Transition(transition.mode, after, {"D": D, "time_gradient": tau})

    return Guard(guard.name, value, guard.direction, reset)

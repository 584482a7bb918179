"""One step of many states at once, and the fraction of a step at which a guard is zero.

The step is that of Dormand and Prince of order 8 with 12 stages (Hairer, Norsett and Wanner:
Solving Ordinary Differential Equations I, section II.5), whose coefficients scipy publishes. Its
size is the caller's; nothing here estimates an error.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import DOP853

from footfall.arrays import Array
from footfall.hybrid.model import Guard, State

Rate = Callable[[Any, State], State]

_A, _B, _C = DOP853.A, DOP853.B, DOP853.C
_IMAGINARY = 1e-30  # of the complex step that gives slopes, whatever may be in x and parameters
_CLOSE = 1e-10  # a Newton correction below this leaves less than rounding to the next one
_MOST = 100  # iterations: bisection alone needs 53


def step_batch(rate: Rate, t: State, x: State, h: State) -> State:
    """States (n, k) after a step h (k,) [s] of every member from x at times t (k,)."""
    K = np.empty((len(_C), *x.shape), dtype=np.result_type(x, h))
    part = (lambda z: z) if np.iscomplexobj(K) else np.real  # parameters may be complex
    K[0] = part(rate(t, x))
    for s in range(1, len(_C)):
        K[s] = part(rate(t + _C[s] * h, x + h * _weighted(_A[s, :s], K[:s])))
    return np.asarray(x + h * _weighted(_B, K))


def _weighted(weights: Array, K: State) -> State:
    """Sum of stages by real weights: complex stages as pairs, or BLAS would make all complex."""
    pairs = weights @ K.reshape(len(weights), -1).view(np.float64)
    return np.asarray(pairs.view(K.dtype).reshape(K.shape[1:]))


def value_and_slope(guard: Guard, rate: Rate, t: Array, x: Array) -> tuple[Array, Array]:
    """Values of a guard of real members and their rates of change along the motion, (k,) each."""
    along = guard.value(t + 1j * _IMAGINARY, x + 1j * _IMAGINARY * rate(t, x))
    along = np.broadcast_to(along, t.shape)
    return np.real(along), np.imag(along) / _IMAGINARY


def fraction_of_zero(
    guard: Guard, rate: Rate, t: State, x: State, h: Array, sign: Array, fresh: Array
) -> State:
    """Return the fraction of the step at which each member's guard is zero; complex with x.

    The step is taken again with each fraction tried. sign (k,): of the value at the beginning, the
    value at the end has the other one. fresh (k,) bool: the value at the beginning is zero, too,
    and another zero is wanted: that of value/fraction. The root is found of real parts, by Newton's
    method inside a bracket; a last correction makes it the analytic function of complex states.
    """
    theta = np.full(h.shape, 0.5)
    ends = np.zeros(h.shape), np.ones(h.shape)
    open_ = np.arange(h.size)
    for _ in range(_MOST):
        tried = theta[open_]
        value, slope = _at_fraction(guard, rate, t[open_].real, x[:, open_].real, h[open_] * tried)
        slope = slope * h[open_]
        divisor = np.where(fresh[open_], tried, 1.0)
        value, slope = value / divisor, (slope - (divisor < 1.0) * value / divisor) / divisor
        before = value * sign[open_] > 0.0
        ends[0][open_[before]] = tried[before]
        ends[1][open_[~before]] = tried[~before]
        low, high = ends[0][open_], ends[1][open_]
        with np.errstate(divide="ignore", invalid="ignore"):
            new = tried - value / slope
        new = np.where((new > low) & (new <= high), new, 0.5 * (low + high))
        theta[open_] = new
        open_ = open_[np.abs(new - tried) > _CLOSE]
        if not open_.size:
            break
    return _refined(guard, rate, t, x, h, theta)


def _at_fraction(guard: Guard, rate: Rate, t: Array, x: Array, h: Array) -> tuple[Array, Array]:
    return value_and_slope(guard, rate, t + h, step_batch(rate, t, x, h))


def _refined(guard: Guard, rate: Rate, t: State, x: State, h: Array, theta: Array) -> State:
    """One more correction by Newton's method, whose imaginary part is exact to first order."""
    then = step_batch(rate, t, x, h * theta)
    _, slope = value_and_slope(guard, rate, (t + h * theta).real, then.real)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = -guard.value(t + h * theta, then) / (slope * h)
    change = np.where(np.isfinite(change), change, 0.0)
    # where the guard is grazed its slope is rounding, and so would the real correction be
    real = theta + np.clip(np.real(change), -_CLOSE, _CLOSE)
    return np.asarray(real + 1j * np.imag(change)) if np.iscomplexobj(x) else real

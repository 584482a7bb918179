"""Ordinary differential equations, integrated until only a time stepper's error is left to see."""

from collections.abc import Callable
from typing import Any

import numpy.typing as npt
from scipy.integrate import solve_ivp


def integrate(
    rate: Callable[[float, Any], npt.ArrayLike],
    span: float,
    start: npt.ArrayLike,
    *,
    relative: float = 1e-12,
    event: Callable[[float, Any], float] | None = None,
) -> Any:  # noqa: ANN401 (scipy's answer, whose class it does not name)
    """Integrate from time 0 over a span [s] by DOP853; ``sol`` of the answer is the path.

    relative: error of a step, beside an absolute one of 1e-13. event: as scipy takes it.
    """
    return solve_ivp(
        rate,
        (0.0, span),
        start,
        method="DOP853",
        rtol=relative,
        atol=1e-13,
        dense_output=True,
        events=event,
    )

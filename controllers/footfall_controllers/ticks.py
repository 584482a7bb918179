"""Ticks of a controller with a period: each just before a step of the engine."""

from collections.abc import Callable

from pydrake.systems.framework import Context, DiscreteValues, LeafSystem

_BEFORE = 1e-10  # s: more than rounding of times, less than any step


def declare_ticks(
    system: LeafSystem, period: float, update: Callable[[Context, DiscreteValues], None]
) -> None:
    """Declare a discrete update every period [s], the first one period after the start.

    Steps of an engine come at multiples of their own length. A tick at a multiple of the period
    would come now before the step of that time and now with it, as both products happen to be
    rounded, and its torques would act a step earlier or later. So it comes before every time.
    """
    system.DeclarePeriodicDiscreteUpdateEvent(period, period - _BEFORE, update)

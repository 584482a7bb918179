"""The problems of the suite, one module each, in the order in which the report shows them."""

from footfall.verify.case import Case
from footfall.verify.cases import (
    belt,
    bouncing_ball,
    coin,
    cradle,
    double_pendulum,
    four_bar,
    incline,
    motor,
    rimless_wheel,
    rocking_block,
    rod,
    rolling,
    tumbling,
)

_PROBLEMS = (
    *(bouncing_ball, incline, rolling, cradle, rocking_block, coin, tumbling, double_pendulum),
    *(belt, rod, rimless_wheel, four_bar, motor),
)
CASES: tuple[Case, ...] = tuple(case for problem in _PROBLEMS for case in problem.CASES)

__all__ = ["CASES"]

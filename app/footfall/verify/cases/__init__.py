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

CASES: tuple[Case, ...] = (
    *bouncing_ball.CASES,
    *incline.CASES,
    *rolling.CASES,
    *cradle.CASES,
    *rocking_block.CASES,
    *coin.CASES,
    *tumbling.CASES,
    *double_pendulum.CASES,
    *belt.CASES,
    *rod.CASES,
    *rimless_wheel.CASES,
    *four_bar.CASES,
    *motor.CASES,
)

__all__ = ["CASES"]

"""Positions and velocities of the hopper's points; margins of its poses.

Frames, shapes and the source: `closed_form.model`.
"""

import math
from typing import NamedTuple

from footfall.hybrid.component_first import Number, State, parts, stacked
from footfall.machines.hopper.closed_form.model import CG, Hopper, Point

STEEPEST_LINE = math.radians(60.0)  # line PR from the y axis, in absolute value: item 5


def position(machine: Hopper, q: State, point: Point) -> State:
    """R of a point, (2, ...) [m]; r_CG with the y that the document leaves out."""
    (x, y, th1, th2, *_), sin, cos = parts(q)
    a, b = point.along_1 * machine.parameters.l, point.along_2 * machine.parameters.l
    th12 = th1 + th2
    return stacked(x + a * cos(th1) + b * cos(th12), y + a * sin(th1) + b * sin(th12))


def velocity(machine: Hopper, x: State, point: Point) -> State:
    """Velocity of a point, (2, ...) [m/s]."""
    (_, _, th1, th2, dx, dy, w1, w2), sin, cos = parts(x)
    a, b = point.along_1 * machine.parameters.l * w1, point.along_2 * machine.parameters.l
    th12, b = th1 + th2, b * (w1 + w2)
    return stacked(dx - a * sin(th1) - b * sin(th12), dy + a * cos(th1) + b * cos(th12))


def momentum(machine: Hopper, x: State) -> State:
    """Momentum of both links, (2, ...) [kg m/s]."""
    return machine.mass * velocity(machine, x, CG)


class JumpMargins(NamedTuple):
    """Margins of items 2 and 5, of a pose and of the torque, each met where it is positive.

    height_P, height_Q, height_R: above the ground [m]; P may be at 0, Q or R at 0 end the jump.
    Q_above_P, R_above_Q [m]: 0 < theta1 < pi and 0 < theta1 + theta2 < pi. PR_forward, PR_backward
    [rad]: theta1 + theta2/2 above 30 and below 150 degrees, which is the angle of the line PR while
    nothing is folded. unfolded_left, unfolded_right [rad]: theta2 below pi and above -pi.
    torque_above, torque_below [N m]: tau below tau_max and above -tau_max.
    """

    height_P: Number
    height_Q: Number
    height_R: Number
    Q_above_P: Number
    R_above_Q: Number
    PR_forward: Number
    PR_backward: Number
    unfolded_left: Number
    unfolded_right: Number
    torque_above: Number
    torque_below: Number


def margins(machine: Hopper, q: State, torque: Number = 0.0) -> JumpMargins:
    """All margins of a pose and a torque tau [N m]; analytic, so that they serve as guards."""
    p = machine.parameters
    (_, y, th1, th2, *_), sin, _ = parts(q)
    rise_1, rise_2 = 2.0 * p.l * sin(th1), 2.0 * p.l * sin(th1 + th2)
    line = th1 + 0.5 * th2 - 0.5 * math.pi
    return JumpMargins(
        height_P=y,
        height_Q=y + rise_1,
        height_R=y + rise_1 + rise_2,
        Q_above_P=rise_1,
        R_above_Q=rise_2,
        PR_forward=STEEPEST_LINE + line,
        PR_backward=STEEPEST_LINE - line,
        unfolded_left=math.pi - th2,
        unfolded_right=math.pi + th2,
        torque_above=p.tau_max - torque,
        torque_below=p.tau_max + torque,
    )

"""Positions, velocities and accelerations of the hopper's points; margins of its poses.

Frames, shapes and the source: `closed_form.model`.
"""

import math
from typing import NamedTuple

from footfall.hybrid.component_first import Number, State, parts, stacked
from footfall.machines.hopper.closed_form.model import CENTRE_1, CENTRE_2, CG, Hopper, Point

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


def point_acceleration(machine: Hopper, x: State, second: State, point: Point) -> State:
    """Acceleration of a point, (2, ...) [m/s^2]; second: q'' (4, ...) of the motion."""
    (_, _, th1, th2, _, _, w1, w2), sin, cos = parts(x)
    a, b = point.along_1 * machine.parameters.l, point.along_2 * machine.parameters.l
    w12, turn_1, turn_2 = w1 + w2, second[2], second[2] + second[3]
    s1, c1, s12, c12 = sin(th1), cos(th1), sin(th1 + th2), cos(th1 + th2)
    return stacked(
        second[0] - a * (turn_1 * s1 + w1 * w1 * c1) - b * (turn_2 * s12 + w12 * w12 * c12),
        second[1] + a * (turn_1 * c1 - w1 * w1 * s1) + b * (turn_2 * c12 - w12 * w12 * s12),
    )


def jacobian(machine: Hopper, q: State, point: Point) -> State:
    """W(q) of a point in the order (t, n): its velocity = W q', shape (2, 4, ...)."""
    (_, _, th1, th2, *_), sin, cos = parts(q)
    a, b = point.along_1 * machine.parameters.l, point.along_2 * machine.parameters.l
    t4, n4 = -b * sin(th1 + th2), b * cos(th1 + th2)
    rows = stacked(1.0, 0.0, t4 - a * sin(th1), t4, 0.0, 1.0, n4 + a * cos(th1), n4)
    return rows.reshape(2, 4, *rows.shape[1:])


def momentum(machine: Hopper, x: State) -> State:
    """Momentum of both links, (2, ...) [kg m/s]."""
    return machine.mass * velocity(machine, x, CG)


def angular_momentum_about(machine: Hopper, x: State, about: State) -> Number:
    """Angular momentum of both links about a place (2, ...) at rest [kg m^2/s]."""
    m, l = machine.parameters.m, machine.parameters.l
    own = m * l * l / 3.0  # I_c of a uniform link of length 2 l
    total = own * (2.0 * x[6] + x[7])
    for centre in (CENTRE_1, CENTRE_2):
        r, v = position(machine, x, centre), velocity(machine, x, centre)
        total = total + m * ((r[0] - about[0]) * v[1] - (r[1] - about[1]) * v[0])
    return total


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

"""Heel strike of the compass: foot 2 arrives and stays, foot 1 leaves, and the legs swap names.

Plastic and instantaneous, in the coordinates (x, y, q1, q2) of the walker without a ground, x and y
those of the hip (the document's (47)-(49) call it G). (46) reads, corrected,

    [[A1, -J_R2^T], [J_R2, 0]] [v+; I_R] = [A1 v-; 0],  v = (x', y', q1', q2')

The ground pushes foot 2 alone, so that the moments of momentum of the whole walker about foot 2 and
of leg 1 about the hip are kept: two equations for the two rates after. These are solved here. The
document has no hip mass: m_hip is an extension, as in `closed_form.model`, which says
frames, shapes and the source.
"""

from typing import NamedTuple

import numpy as np

from footfall.hybrid.component_first import State, parts, stacked
from footfall.machines.compass.closed_form.model import Compass


class LegImpact(NamedTuple):
    """State and impulse after an impact, component first.

    x: (q1, q2, q1'+, q2'+), the legs not yet swapped; hip: velocity of the hip (x'+, y'+) [m/s];
    impulse: I_R of the ground on foot 2 (tangential, normal) [N s].
    """

    x: State
    hip: State
    impulse: State


def free_inertia(machine: Compass, q: State) -> State:
    """A1(q) of (56), in hip coordinates (x, y, q1, q2), shape (4, 4, ...).

    Against the printed coefficients: a factor s in those between hip and legs, a43 = a34.
    """
    (q1, q2, *_), sin, cos = parts(q)
    arm, leg, total = machine.swing_arm, machine.leg_inertia, machine.mass
    a14, a24 = -arm * cos(q1 + q2), -arm * sin(q1 + q2)
    a13, a23 = arm * cos(q1) + a14, arm * sin(q1) + a24
    rows = stacked(
        *(total, 0.0, a13, a14),
        *(0.0, total, a23, a24),
        *(a13, a23, 2.0 * leg, leg),
        *(a14, a24, leg, leg),
    )
    return rows.reshape(4, 4, *rows.shape[1:])


def impact(machine: Compass, x: State) -> LegImpact:
    """Rates, hip velocity and impulse after touch-down of foot 2; x before, with foot 1 at rest."""
    p = machine.parameters
    (q1, q2, w1, w2), sin, cos = parts(x)
    c, before_2 = cos(q2), w1 + w2
    leg, rest, coupling = machine.leg_inertia, machine.stance_inertia, machine.coupling * c
    offset_inertia = p.I - p.m * p.s * (p.l - p.s)
    of_leg = offset_inertia * w1  # leg 1 about the hip
    # all about foot 2, less that
    of_rest = offset_inertia * before_2 - (2.0 * p.m * (p.l - p.s) + p.m_hip * p.l) * p.l * c * w1
    determinant = leg * rest - coupling * coupling
    turn_1 = (rest * of_leg - coupling * of_rest) / determinant
    turn_2 = (leg * of_rest - coupling * of_leg) / determinant
    s1, c1, s2, c2 = sin(q1), cos(q1), sin(q1 + q2), cos(q1 + q2)
    hip = stacked(p.l * turn_2 * c2, p.l * turn_2 * s2)
    # momentum after less momentum before: along (-c1, -s1) of leg 1 and along (-c2, -s2) of leg 2
    across_1 = -machine.swing_arm * turn_1 - machine.stance_arm * w1
    across_2 = -machine.stance_arm * turn_2 - machine.swing_arm * before_2
    impulse = stacked(-across_1 * c1 - across_2 * c2, -across_1 * s1 - across_2 * s2)
    return LegImpact(stacked(q1, q2, turn_1, turn_2 - turn_1), hip, impulse)


def swap(x: State) -> State:
    """The same walker with the names of the legs exchanged, shape of x; twice is once around.

    q1 <- q1 + q2 - pi, q2 <- 2 pi - q2, and their rates; the document does not print it.
    """
    q1, q2, w1, w2 = x
    return np.array([q1 + q2 - np.pi, 2.0 * np.pi - q2, w1 + w2, -w2])


def heel_strike(machine: Compass, x: State) -> State:
    """State with which the next step begins: impact, then swap; shape of x."""
    return swap(impact(machine, x).x)

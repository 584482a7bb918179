"""Generalized forces of pushes on links, by the flat arrays of a plant.

Frames: W world, B the body that is pushed, L its link, Q the point where a push acts.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Flags, Indices
from footfall.jit import njit
from footfall.plants.flat.checked import links_of
from footfall.plants.flat.dynamics import add_wrench
from footfall.plants.flat.tree import Tree
from footfall.plants.pushes import body_of
from footfall.trajectory.pushes import LINK, LinkPush


class PushTable(NamedTuple):
    """Pushes, n of them: links (n,), places in them p_LQ (n, 3), largest force and torque (n, 3).

    turns (n,): force and torque turn with their link, in whose axes they are given.
    """

    link: Indices
    p_LQ: Array
    force: Array
    torque: Array
    turns: Flags


def push_table(plant: MultibodyPlant, pushes: Sequence[LinkPush]) -> PushTable:
    """Return the table of some pushes."""
    count, links = len(pushes), links_of(plant)
    p_LQ, force, torque = np.zeros((3, count, 3))
    table = PushTable(
        np.zeros(count, dtype=np.int64), p_LQ, force, torque, np.zeros(count, dtype=np.bool_)
    )
    for k, push in enumerate(pushes):
        body = int(body_of(plant, push).index())
        R_LB, p_LB = links.pose[body]
        table.link[k], table.turns[k] = links.of_body[body], push.frame == LINK
        p_LQ[k] = p_LB + R_LB @ np.array(push.p_BQ)
        turn = R_LB if push.frame == LINK else np.eye(3)
        force[k], torque[k] = turn @ np.array(push.force), turn @ np.array(push.torque)
    return table


def mean_shares(pushes: Sequence[LinkPush], first: int, steps: int, dt: float) -> Array:
    """Return the mean share of each push in steps of length dt [s] from a number on, (steps, n)."""
    shares = np.zeros((steps, len(pushes)))
    for column, push in zip(shares.T, pushes, strict=True):
        if push.start < (first + steps) * dt and first * dt < push.end:
            for k in range(steps):
                column[k] = push.mean_share((first + k) * dt, (first + k + 1) * dt)
    return shares


@njit
def turned(table: PushTable, shares: Array, pose: Array, acting: Array) -> None:
    """Fill forces and torques in W (n, 2, 3) at poses of the links.

    shares (n,): of the largest.
    """
    for n in range(shares.size):
        X = pose[table.link[n]]
        for i in range(3):
            f, t = table.force[n, i], table.torque[n, i]
            if table.turns[n]:
                f = t = 0.0
                for j in range(3):
                    f += X[i, j] * table.force[n, j]
                    t += X[i, j] * table.torque[n, j]
            acting[n, 0, i], acting[n, 1, i] = shares[n] * f, shares[n] * t


@njit
def add_pushes(
    tree: Tree, table: PushTable, acting: Array, pose: Array, twist: Array, total: Array
) -> None:
    """Add the generalized force of forces and torques (n, 2, 3), at poses of the links."""
    for n in range(len(acting)):
        link, p_W = table.link[n], np.empty(3)
        X, p = pose[link], table.p_LQ[n]
        for i in range(3):
            p_W[i] = X[i, 0] * p[0] + X[i, 1] * p[1] + X[i, 2] * p[2] + X[i, 3]
        force, torque = acting[n]
        add_wrench(
            *(tree.last, tree.reference, tree.depth, tree.path, twist, pose, link, p_W),
            *(force, torque, total),
        )

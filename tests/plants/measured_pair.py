"""A pair of shapes measured by itself, from edge to edge: what loops over many are held to."""

import numpy as np

from footfall.plants.contacts.pairs import lean_of
from footfall.plants.contacts.patch import measure_pair
from footfall.plants.contacts.shapes import posed


def placed(pair, kinematics):
    """Solids in the frames of their links, and the poses of these."""
    bodies = (pair.body_a, pair.body_b)
    solids = [
        posed(solid, kinematics.within(body.body_frame()))
        for solid, body in zip((pair.solid_a, pair.solid_b), bodies, strict=True)
    ]
    return solids, [kinematics.poses[kinematics.link_of(body)] for body in bodies]


def measured(pair, kinematics):
    """Gaps, places and normal of a pair."""
    solids, poses = placed(pair, kinematics)
    gap, p_WC, n_W = np.full(len(pair), np.inf), np.full((len(pair), 3), np.nan), np.zeros(3)
    measure_pair(*solids, *poses, (0.0, 0.0, 1.0), lean_of(pair, kinematics), n_W, gap, p_WC)
    return gap, p_WC, n_W

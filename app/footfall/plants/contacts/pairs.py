"""Gaps, places and normals of the contacts between bodies, of which one may be fixed to the world.

Pairs of spheres with spheres or polyhedra are looked at in a loop of their own; of the others only
those whose boxes overlap and that are not known to be far apart.
"""

from collections.abc import Callable, Sequence

import numpy as np
from pydrake.geometry import QueryObject

from footfall.arrays import Array
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.other_pairs import OtherPairs
from footfall.plants.contacts.spheres import SpherePairs, is_of_sphere
from footfall.plants.contacts.tiles import TiledGround
from footfall.plants.kinematics import Kinematics


class PairPoints:
    """The contacts of pairs of bodies.

    normals (pairs, 3): unit normals n_W from b to a of the pairs that are near, else 0.
    """

    def __init__(
        self,
        pairs: Sequence[BodyPair],
        kinematics: Kinematics,
        query: Callable[[], QueryObject],
    ) -> None:
        """Take the pairs and the kinematics of their bodies.

        query: gives the QueryObject at the state that the poses of the kinematics belong to.
        """
        self.normals = np.zeros((len(pairs), 3))
        self._kinematics = kinematics
        of_spheres = [k for k, pair in enumerate(pairs) if is_of_sphere(pair)]
        leans = [_lean(pair, kinematics) for pair in pairs]
        own = [leans[k] for k in of_spheres]
        self._spheres = SpherePairs(pairs, of_spheres, own, kinematics) if of_spheres else None
        left = sorted(set(range(len(pairs))).difference(of_spheres))
        self._others = OtherPairs(pairs, left, leans, kinematics, query) if left else None
        self._tiled = TiledGround(pairs, kinematics)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.normals)

    def measure(self, gap: Array, p_WC: Array) -> None:
        """Put in the gaps [m] and places [m] of pairs that are near; the rest is left."""
        poses = self._kinematics.poses
        if self._spheres is not None:
            self._spheres.measure(poses, self.normals, gap, p_WC)
        if self._others is not None:
            self._others.measure(poses, self._tiled.far(poses), self.normals, gap, p_WC)
        if len(self._tiled) > 0:
            self._tiled.leave_out_hidden(self.normals, gap, p_WC)


def _lean(pair: BodyPair, kinematics: Kinematics) -> float:
    """Return the place of the contacts of a pair, as ``measure_pair`` wants it.

    Half-way between the surfaces the angular momentum of two moving bodies is kept; beside a body
    that is fixed to the world the moving one touches with its own surface.
    """
    link_a, link_b = (kinematics.link_of(body) for body in (pair.body_a, pair.body_b))
    return 0.5 * (link_b == 0) - 0.5 * (link_a == 0)

"""Distances between capsules on a robot's links, which a whole-body controller keeps.

The gap d of a pair may close as fast as d'' >= -kd d' - kp (d - margin) lets it: a gap that begins
above its margin stays there, and one below comes back damped. Soft: what is missing of it has a
price, so that limits that the robot cannot break come first.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.checked import (
    Checked,
    checked,
    metadata,
    not_negative,
    positive,
    vectors,
)
from footfall.errors import ScenarioError
from footfall.jit import njit
from footfall.plants.coordinates import joints_of
from footfall.plants.flat.motion import FrameMotions
from footfall_controllers.whole_body.terms import RobotTerms

_CROSSED = 1e-9  # m: axes that are closer have no direction between them


@dataclass
class Capsule(Checked, at="the capsule of '{self.link}': "):
    """A capsule on a link: all that is within a radius of the line between two points."""

    # The link.
    link: str = ""
    # Ends of its axis in the link's frame [m]; one of them: a ball.
    ends: list[list[float]] = vectors([], "give ends as [[x, y, z], [x, y, z]] [m]", most=2)
    # Its radius [m].
    radius: float = positive(0.05)


_PAIRS = metadata(
    lambda pairs: all(len(pair) == 2 and pair[0] != pair[1] for pair in pairs),
    "give pairs of links, [[left, right], ...]",
)


@dataclass
class SelfCollision(Checked, at="self_collision."):
    """Capsules that keep their distance."""

    # What the robot's links are taken for.
    capsules: list[Capsule] = field(default_factory=list)
    # Pairs of links; empty: all with capsules that no joint connects.
    pairs: list[list[str]] = checked([], _PAIRS)
    # Gap that is kept [m].
    margin: float = not_negative(0.02)
    # Gains by which a gap comes back to its margin, and slows down before it [1/s^2 and 1/s].
    kp: float = positive(400.0)
    kd: float = positive(40.0)
    # Price of the square of what is missing of that [s^4/m^2].
    weight: float = positive(1e4)


class Capsules(NamedTuple):
    """Pairs (k, 2) of capsules: link (n,), ends (n, 2, 3), radius (n,); and as `SelfCollision`."""

    pairs: Indices
    link: Indices
    ends: Array
    radius: Array
    margin: float
    kp: float
    kd: float


class KeptDistances:
    """Pairs of capsules as a table; names: of the pairs; price: of the slacks of their rows."""

    def __init__(self, chosen: SelfCollision | None, terms: RobotTerms) -> None:
        """Choose pairs; raises ScenarioError for pairs without capsules."""
        chosen = chosen or SelfCollision()
        capsules = chosen.capsules
        for capsule in capsules:
            if not capsule.ends:
                raise ScenarioError(f"the capsule of '{capsule.link}' has no ends: give some.")
        pairs = _pairs(chosen, terms.plant)
        self.names = [f"{capsules[a].link} and {capsules[b].link}" for a, b in pairs]
        self.price = chosen.weight
        self.table = Capsules(
            np.array(pairs, dtype=np.int64).reshape(-1, 2),
            np.array([terms.number[c.link] for c in capsules], dtype=np.int64),
            np.array([[c.ends[0], c.ends[-1]] for c in capsules]).reshape(-1, 2, 3),
            np.array([c.radius for c in capsules], dtype=np.float64),
            *(chosen.margin, chosen.kp, chosen.kd),
        )


def _pairs(chosen: SelfCollision, plant: MultibodyPlant) -> list[tuple[int, int]]:
    """Return places of the capsules of each pair."""
    by_link: dict[str, list[int]] = {}
    for k, capsule in enumerate(chosen.capsules):
        by_link.setdefault(capsule.link, []).append(k)
    links: Sequence[Sequence[str]] = chosen.pairs
    if not links:
        joined = {
            frozenset((joint.parent_body().name(), joint.child_body().name()))
            for joint in joints_of(plant)
        }
        names = list(by_link)
        links = [
            (a, b)
            for k, a in enumerate(names)
            for b in names[k + 1 :]
            if frozenset((a, b)) not in joined
        ]
    _require_capsules(links, by_link)
    return [(a, b) for first, second in links for a in by_link[first] for b in by_link[second]]


def _require_capsules(links: Sequence[Sequence[str]], by_link: Mapping[str, list[int]]) -> None:
    for name in (name for pair in links for name in pair):
        if name not in by_link:
            raise ScenarioError(
                f"self_collision.pairs: '{name}' has no capsule; those that have are "
                f"{', '.join(by_link) or 'none'}."
            )


@njit
def gap_rows(capsules: Capsules, links: FrameMotions, J: Array, least: Array) -> None:
    """Fill rows J v' >= least, (k, nv) and (k,), that keep the distances of pairs of capsules.

    Of a gap d, d' = J v and d'' = J v' + bias at most.
    """
    pairs, link, ends, radius = capsules.pairs, capsules.link, capsules.ends, capsules.radius
    r = np.zeros((2, 3))
    for k in range(len(pairs)):
        a, b = link[pairs[k, 0]], link[pairs[k, 1]]
        first, second = ends[pairs[k, 0]], ends[pairs[k, 1]]
        p, q = _in_world(links, a, first), _in_world(links, b, second)
        s, t = nearest(p, q)
        n = p[0] + s * (p[1] - p[0]) - q[0] - t * (q[1] - q[0])
        apart = math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2)
        if apart < _CROSSED:  # axes that cross: away from each other's links
            n = links.p[a] - links.p[b]
            n = n / max(math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2), _CROSSED)
        else:
            n = n / apart
        gap = apart - radius[pairs[k, 0]] - radius[pairs[k, 1]]
        r[0] = p[0] + s * (p[1] - p[0]) - links.p[a]
        r[1] = q[0] + t * (q[1] - q[0]) - links.p[b]
        J[k], rate, bias = 0.0, 0.0, 0.0
        for side in range(2):
            which, sign = (a, 1.0) if side == 0 else (b, -1.0)
            arm = np.cross(r[side], n)  # n.(w x r) = w.(r x n)
            for i in range(J.shape[1]):
                total = 0.0
                for axis in range(3):
                    total += links.J[which, axis, i] * arm[axis]
                    total += links.J[which, 3 + axis, i] * n[axis]
                J[k, i] += sign * total
            w = links.V[which, :3]
            swing = np.cross(w, np.cross(w, r[side]))
            for axis in range(3):
                rate += sign * links.V[which, axis] * arm[axis]
                rate += sign * links.V[which, 3 + axis] * n[axis]
                bias += sign * links.bias[which, axis] * arm[axis]
                bias += sign * (links.bias[which, 3 + axis] + swing[axis]) * n[axis]
        least[k] = -capsules.kd * rate - capsules.kp * (gap - capsules.margin) - bias


@njit
def _in_world(links: FrameMotions, link: int, ends: Array) -> Array:
    found = np.empty((2, 3))
    for k in range(2):
        for i in range(3):
            found[k, i] = links.p[link, i]
            for j in range(3):
                found[k, i] += links.R[link, i, j] * ends[k, j]
    return found


@njit
def nearest(p: Array, q: Array) -> tuple[float, float]:
    """Shares s, t along two lines (2, 3) of the points of them that are nearest to each other.

    C. Ericson, Real-Time Collision Detection, 2005, section 5.1.9.
    """
    u, v, w = p[1] - p[0], q[1] - q[0], p[0] - q[0]
    a, e = (u * u).sum(), (v * v).sum()
    b, c, f = (u * v).sum(), (u * w).sum(), (v * w).sum()
    if a == 0.0 and e == 0.0:
        return 0.0, 0.0
    if a == 0.0:
        return 0.0, min(max(f / e, 0.0), 1.0)
    if e == 0.0:
        return min(max(-c / a, 0.0), 1.0), 0.0
    s, across = 0.0, a * e - b * b
    if across > 1e-12 * a * e:  # else parallel: any will do
        s = min(max((b * f - c * e) / across, 0.0), 1.0)
    t = (b * s + f) / e
    if t < 0.0:
        t, s = 0.0, min(max(-c / a, 0.0), 1.0)
    elif t > 1.0:
        t, s = 1.0, min(max((b - c) / a, 0.0), 1.0)
    return s, t

"""Reach of a walk: how fast legs and motors let a robot walk from a posture, worked out ahead.

The walk is planned as its controller leads it while nothing disturbs it: feet, trunk and height
have their references, the centre of mass is that of the pendulum over the planned zero-moment
point. Inverse kinematics puts the robot there, moment by moment. What legs cannot meet is missing
of the height of the centre of mass; torques are those of the motion through these postures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.plants.coordinates import (
    actuators_of,
    collect_limits,
    normalise_quaternions,
    quaternion_places,
)
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.walk import WalkParameters
from footfall_controllers.walking.walk_references import WalkReferences
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.terms import RobotTerms

_GRID = 0.025  # s: from posture to posture
_STEPS = 3  # that are looked at on a plane: half a stride, and two whole ones
_PATCH = 2  # corners; a foot of more does not turn
_HEIGHT, _PLACE, _TURN = 0.1, 10.0, 3.0  # prices in the inverse kinematics: the height gives way
_DAMPING = 1e-3  # of it
_ROUNDS, _FAR, _NEAR = 10, 0.3, 1e-6  # of it; most and least of a round [rad or m]
_SHORT = 5e-4  # m: less is missing of no leg
# Torque over its limit for moments. The trunk is taken to stay upright, and what the legs swing is
# borne by ankles; robots walk at 1.6, since their trunk gives way.
_PEAK = 2.0
_HALVINGS = 5  # of the speed that is reached
_LOWER, _LOWEST = (
    0.02,
    0.3,
)  # steps in which a walk is lowered, and most; of the height at the start
_SPARE = 0.015  # of it: height that stays in the legs of a walk that is lowered


@dataclass(frozen=True)
class Demand:
    """Most that a walk asks of a posture.

    short: of the height of the centre of mass that the legs lack [m]; binding: the leg, or the
    joints that are at their stops then. torque: over its limit, the largest of all actuators, and
    motor: of which joint.
    """

    short: float
    binding: str
    torque: float
    motor: str

    @property
    def is_met(self) -> bool:
        """True where legs and motors meet it."""
        return self.short <= _SHORT and self.torque <= _PEAK

    def __str__(self) -> str:
        """Say what binds."""
        if self.short > _SHORT:
            return f"{self.binding}, by {1e3 * self.short:.0f} mm of height"
        return f"{self.motor} would need {self.torque:.1f} times its largest torque"


@dataclass(frozen=True, eq=False)
class _Posture:
    """Positions of a moment, time since the one before [s], feet that stand, what is missing."""

    q: Array
    after: float
    standing: Sequence[int]
    short: float
    foot: int


class WalkReach:
    """Postures of a planned walk of a robot, against its legs and motors."""

    def __init__(self, plant: MultibodyPlant, parameters: WalkParameters, most: Array) -> None:
        """Take the walk; most (nu,): largest torques of the actuators [N m or N]."""
        self._terms = RobotTerms(plant, parameters.links)
        gait = replace(parameters.gait, by_contact=None)
        self._p, self._most = replace(parameters, gait=gait), most
        self._motors = [actuator.joint().name() for actuator in actuators_of(plant)]
        self._feet = list(parameters.feet.values())
        self._quaternions = quaternion_places(plant)
        self._stops = collect_limits(plant)
        self._still = np.zeros(plant.num_velocities())
        self._low = np.full(plant.num_positions(), -np.inf)
        self._high = -self._low
        for stop in self._stops:
            (self._low if stop.sign > 0.0 else self._high)[stop.position] = stop.bound
        self._lowered: dict[bytes, float] = {}

    def height(self, q: Array) -> float:
        """Height of the centre of mass at which a walk from positions q is met [m].

        The one nearest to that at the start, or that at the start where none is.
        """
        of = q.tobytes()
        if of not in self._lowered:
            stood = WalkReferences(self._terms, self._p).geometry.stance(q).stood
            lower = np.arange(0.0, _LOWEST, _LOWER) if self._p.gait.steps else np.zeros(0)
            heights = (stood * (1.0 - share) for share in lower.tolist())
            self._lowered[of] = next((h for h in heights if self._spares(q, h, stood)), stood)
        return self._lowered[of]

    def _spares(self, q: Array, height: float, stood: float) -> bool:
        return self.demand(q, height + _SPARE * stood).is_met and self.demand(q, height).is_met

    def warning(self, q: Array, *, lowers: bool) -> str | None:
        """Return a line on a walk from positions q that legs or motors do not meet.

        lowers: the walk is lowered by what its legs lack.
        """
        if not self._p.gait.steps:
            return None
        height = self.height(q) if lowers else 0.0
        asked = self.demand(q, height)
        if asked.is_met:
            return None
        speed, least, most = float(np.linalg.norm(self._p.velocity)), 0.0, 1.0
        reached = "from its posture it cannot even step in place"
        if self.demand(q, height, share=0.0).is_met:
            for _ in range(_HALVINGS):
                middle = 0.5 * (least + most)
                met = self.demand(q, height, share=middle).is_met
                least, most = (middle, most) if met else (least, middle)
            reached = f"its posture reaches {least * speed:.2f} m/s"
        auto = "" if lowers else "set controller.walk.com_height=auto, "
        return (
            f"the walk is to go at {speed:.2f} m/s, and {reached} ({asked}): {auto}start with "
            "knees bent more, or take shorter steps, velocity x (swing + overlap)"
        )

    def demand(self, q: Array, height: float = 0.0, *, share: float = 1.0) -> Demand:
        """Return what a walk from positions q asks, at a share of its velocity.

        height: of the centre of mass in steps, 0: as at the start [m].
        """
        postures = self._postures(q, height, share)
        worst = max(postures, key=lambda posture: posture.short)
        shares = self._shares(postures)
        k = int(shares.argmax())
        return Demand(worst.short, self._binding(worst), float(shares[k]), self._motors[k])

    def _binding(self, worst: _Posture) -> str:
        at = [s for s in self._stops if abs(worst.q[s.position] - s.bound) < _NEAR]
        names = ", ".join(stop.name for stop in at)
        if names:
            return f"joints are at their stops ({names})"
        return f"the leg of the foot '{list(self._p.feet)[worst.foot]}' is too short"

    def _postures(self, q: Array, height: float, share: float) -> list[_Posture]:
        """Return postures of the walk, from the end of its beginning on."""
        terms = self._terms
        velocity = (share * self._p.velocity).tolist()
        p = replace(self._p, gait=replace(self._p.gait, velocity=velocity))
        references = WalkReferences(terms, p)
        walk = references.fresh(q, 0.0, height)
        w, now = references.geometry.start(walk).frequency, walk.length
        steps = min(p.gait.steps, _STEPS) if p.ground.flat else p.gait.steps
        terms.set_state(np.concatenate([q, self._still]))
        references.follow(walk, now, adjusted=False)
        com, postures = references.planned(walk, now), list[_Posture]()
        while walk.phase != Phase.END and walk.step < steps:
            count = int(np.ceil(walk.length / _GRID - 1e-9))
            for k in range(count):
                h = walk.length / count
                then = walk.since + (k + 1) * h
                # c' = w (x - c), with the mean of the capture point x over the time between
                x = 0.5 * (references.planned(walk, then - h) + references.planned(walk, then))
                com = x + np.exp(-w * h) * (com - x)
                posture = self._posture(q, references, walk, com, then, h)
                postures.append(posture)
                q = posture.q
            now += walk.length
            references.follow(walk, now, adjusted=False)
        return postures

    def _posture(
        self,
        q: Array,
        references: WalkReferences,
        walk: WalkState,
        com: Array,
        now: float,
        after: float,
    ) -> _Posture:
        """Return the posture at a moment by inverse kinematics, from the one before."""
        terms, plant = self._terms, self._terms.plant
        to_com = np.append(com, references.rise(walk, now).value[2])
        upright = references.trunk(walk, now)
        soles = [references.sole(walk, k, now) for k in range(len(self._feet))]
        misses = np.zeros(len(soles))
        for _ in range(_ROUNDS):
            terms.set_state(np.concatenate([q, self._still]))
            trunk, off_com = terms.link(self._p.gait.trunk), to_com - terms.p_com
            rows = [_PLACE * terms.J_com[:2], _HEIGHT * terms.J_com[2:], _TURN * trunk.J[:3]]
            off = [_PLACE * off_com[:2], _HEIGHT * off_com[2:], _TURN * _turn(trunk.R, upright)]
            for k, (foot, (place, turn)) in enumerate(zip(self._feet, soles, strict=True)):
                link = terms.link(foot.link)
                at, _, J, _ = link.at(foot.centre)
                misses[k] = np.linalg.norm(place.value - at)
                rows.append(_PLACE * J)
                off.append(_PLACE * (place.value - at))
                if len(foot.corners) > _PATCH:
                    rows.append(_TURN * link.J[:3])
                    off.append(_TURN * _turn(link.R, turn.value))
            A, e = np.concatenate(rows), np.concatenate(off)
            pull = A.T @ e
            for stop in self._stops:
                beyond = stop.sign * (q[stop.position] - stop.bound) <= 0.0
                if beyond and stop.sign * pull[stop.velocity] < 0.0:
                    A[:, stop.velocity] = 0.0
            way = np.linalg.solve(A.T @ A + _DAMPING**2 * np.eye(len(pull)), A.T @ e)
            length = float(np.abs(way).max())
            way *= min(1.0, _FAR / max(length, _NEAR))
            q = q + plant.MapVelocityToQDot(terms.context, way)
            normalise_quaternions(q, self._quaternions)
            q = np.clip(q, self._low, self._high)
            if length < _NEAR:
                break
        terms.set_state(np.concatenate([q, self._still]))
        standing, short = references.geometry.standing(walk), float(to_com[2] - terms.p_com[2])
        return _Posture(q, after, standing, short, int(misses.argmax()))

    def _shares(self, postures: Sequence[_Posture]) -> Array:
        """Largest torques (nu,) over their limits, of the motion through postures."""
        terms, plant = self._terms, self._terms.plant
        rates = []
        for before, here in pairwise(postures):
            terms.set_state(np.concatenate([0.5 * (before.q + here.q), self._still]))
            rate = (here.q - before.q) / here.after
            rates.append(plant.MapQDotToVelocity(terms.context, rate))
        shares = np.zeros(len(self._motors))
        most = np.where(self._most > 0.0, self._most, np.inf)  # a motor without torque is none
        for here, after, v, then in zip(postures[1:], postures[2:], rates, rates[1:], strict=False):
            terms.set_state(np.concatenate([here.q, 0.5 * (v + then)]))
            wanted = terms.M @ ((then - v) / (0.5 * (here.after + after.after))) + terms.h
            J = np.concatenate(
                [
                    terms.link(self._feet[k].link).at(corner)[2]
                    for k in here.standing
                    for corner in self._feet[k].corners
                ]
            )
            forces = np.linalg.lstsq(J[:, terms.base].T, wanted[terms.base], rcond=1e-9)[0]
            torques = terms.efforts_of @ (wanted - J.T @ forces)[terms.driven]
            shares = np.maximum(shares, np.abs(torques) / most)
        return shares


def _turn(R: Array, to: Array) -> Array:
    """Turn (3,) that takes one orientation near to another, about the axes of the world."""
    E = to @ R.T
    return 0.5 * np.array([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]])

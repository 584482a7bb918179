"""Places of a walk: which feet stand and swing, where they land, what they stand on.

They count from the start: where the feet stand, what is level, how high the centre of mass is.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.divergent_component import convex_hull
from footfall_controllers.walking.footholds import Foothold, Footholds
from footfall_controllers.walking.footsteps import Footsteps, rotation, turned
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.memory import Memory
from footfall_controllers.walking.predicted_points import lean_of
from footfall_controllers.walking.touch_down import ALOFT
from footfall_controllers.walking.walk import WalkParameters
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.terms import RobotTerms


@dataclass(frozen=True, eq=False)
class Stance:
    """Stance at the start of a walk.

    heading: of the trunk in the world [rad]. origin: between the feet (2,) [m]. places (F, 4): of
    the soles, with the heading. soles: outlines of the feet, all contacts of each (n, 2), about its
    place, in the axes of a walk along x [m]. above (F,): of the soles over the ground that is known
    [m]. level: orientations of the feet, as on level ground, and trunk that of the trunk, of a walk
    along x. hips: height of the trunk's origin over the centre of mass [m]; lean (2, 2): see
    `predicted_points.Hips`. ground: mean height of the soles; stood: height of the centre of mass
    over it, height: the same in steps [m]; frequency: of its pendulum then [1/s].
    """

    heading: float
    origin: Array
    places: Array
    above: Array
    soles: Mapping[str, Array]
    level: list[Array]
    trunk: Array
    hips: float
    lean: Array
    ground: float
    stood: float
    height: float
    frequency: float
    footsteps: Footsteps


class WalkStart:
    """Works out the stance at the start out of the positions there, once."""

    def __init__(self, terms: RobotTerms, parameters: WalkParameters) -> None:
        """Take terms that know the feet's links and the trunk."""
        self._terms, self._p = terms, parameters
        self._of = b"", 0.0
        self._found: Stance | None = None

    def at(self, q: Array, height: float = 0.0) -> Stance:
        """Return it for positions, and a height in steps [m]; moves the terms when they are new."""
        stance, of = self._found, (q.tobytes(), height)
        if stance is not None and self._of == of:
            return stance
        if stance is None or self._of[0] != of[0]:
            terms = self._terms
            was = None if stance is None else np.concatenate([terms.q, terms.v])
            stance = self._work_out(q)
            if was is not None:
                terms.set_state(was)
        led = height or stance.stood
        gravity = float(np.linalg.norm(self._terms.gravity))
        self._of = of
        self._found = replace(stance, height=led, frequency=float(np.sqrt(gravity / led)))
        return self._found

    def _work_out(self, q: Array) -> Stance:
        terms, p = self._terms, self._p
        terms.set_state(np.concatenate([q, np.zeros(terms.plant.num_velocities())]))
        trunk = terms.link(p.gait.trunk).R
        heading = float(np.arctan2(trunk[1, 0], trunk[0, 0]))
        links = [terms.link(foot.link) for foot in p.feet.values()]
        soles = [link.at(foot.centre)[0] for link, foot in zip(links, p.feet.values(), strict=True)]
        places = np.column_stack([soles, np.full(len(soles), heading)])
        origin = places[:, :2].mean(axis=0)
        stance = {}
        for name, place in zip(p.feet, places, strict=True):
            x, y = rotation(-heading) @ (place[:2] - origin)
            y = y if p.gait.width is None else np.copysign(0.5 * p.gait.width, y)
            stance[name] = np.array([x, y])
        period = p.gait.period
        steps = Footsteps(stance, p.velocity * period, p.turn * period, p.gait.steps)
        outlines = self._outlines(soles)
        holds = Footholds(p.ground, outlines, p.gait.footholds)
        below = [holds.at(name, sole[:2], 0.0) for name, sole in zip(p.feet, soles, strict=True)]
        ground = float(places[:, 2].mean())
        height = float(terms.p_com[2]) - ground
        back = turned(-heading)
        return Stance(
            heading=heading,
            origin=origin,
            places=places,
            above=places[:, 2] - [hold.height for hold in below],
            soles={name: sole @ back[:2, :2].T for name, sole in outlines.items()},
            level=[back @ hold.tilt.T @ link.R for hold, link in zip(below, links, strict=True)],
            trunk=back @ trunk,
            hips=float(terms.link(p.gait.trunk).p[2] - terms.p_com[2]),
            lean=lean_of(terms, p.gait.trunk, p.feet.values()),
            ground=ground,
            stood=height,
            height=height,
            frequency=0.0,
            footsteps=steps,
        )

    def _outlines(self, soles: Sequence[Array]) -> dict[str, Array]:
        """Corners (n, 2) of all contacts of each foot, about the middle of its sole."""
        return {
            name: np.concatenate(
                [
                    (link.p + corners @ link.R.T - sole)[:, :2]
                    for link, corners in (
                        (self._terms.link(contact), corners)
                        for contact, corners in foot.contacts.items()
                    )
                ]
            )
            for (name, foot), sole in zip(self._p.feet.items(), soles, strict=True)
        }


RETURN = 0.5
"""Share of the shift of a landing that is left for the next one: back to the path."""


def middle(places: Array) -> Array:
    """Mean (2,) of places (n, 2 or more)."""
    return places[:, :2].mean(axis=0)


class WalkGeometry:
    """Feet of a walk on its ground; feet are counted in the order of the parameters."""

    def __init__(self, terms: RobotTerms, parameters: WalkParameters) -> None:
        """Take terms that know the feet's links and the trunk."""
        self.p = parameters
        self.names = list(parameters.feet)
        self._terms = terms
        self._start = WalkStart(terms, parameters)
        self._number = {name: k for k, name in enumerate(self.names)}
        self._footholds = Memory[Footholds]()
        self._landings = Memory[Foothold]()
        self._polygons = Memory[Array]()

    def start(self, walk: WalkState) -> Stance:
        """Stance at the start of a walk."""
        return self._start.at(walk.q, walk.height)

    def stance(self, q: Array) -> Stance:
        """Stance at positions, as a start."""
        return self._start.at(q)

    def footholds(self, walk: WalkState) -> Footholds:
        """Footholds of the soles as they are at the start."""
        start, p = self.start(walk), self.p
        return self._footholds.get(
            start, lambda: Footholds(p.ground, start.soles, p.gait.footholds)
        )

    def course(self, walk: WalkState) -> tuple[Hashable, ...]:
        """Return all that the landings of a walk depend on."""
        origin, shift = walk.origin.tobytes(), walk.shift.tobytes()
        return self.start(walk), walk.step, walk.heading, origin, shift

    def swinging(self, walk: WalkState) -> list[int]:
        """Feet in the air."""
        if walk.phase != Phase.SWING:
            return []
        return [k for k in self.group(walk.step) if walk.down[k] == ALOFT]

    def group(self, step: int) -> list[int]:
        """Feet that swing in a step."""
        return [self._number[name] for name in self.p.gait.group(step)]

    def bearing(self, walk: WalkState) -> list[int]:
        """Feet that stand while others swing in a step."""
        swings = self.group(walk.step)
        return [k for k in range(len(self.names)) if k not in swings]

    def standing(self, walk: WalkState) -> list[int]:
        """Feet on the ground."""
        swinging = self.swinging(walk)
        return [k for k in range(len(self.names)) if k not in swinging]

    def landing(self, walk: WalkState, k: int, step: int, *, shifted: bool = True) -> Foothold:
        """Foothold on which a foot lands in a step; shifted: by the feedback."""
        of = (k, step, shifted, *self.course(walk))
        return self._landings.get(of, lambda: self._landing(walk, k, step, shifted=shifted))

    def _landing(self, walk: WalkState, k: int, step: int, *, shifted: bool) -> Foothold:
        place, heading = self.start(walk).footsteps.landing(self.names[k], step)
        there = walk.origin + rotation(walk.heading) @ place
        if shifted:
            there = there + RETURN ** max(step - walk.step, 0) * walk.shift
        return self.footholds(walk).near(self.names[k], there, walk.heading + heading)

    def planned_place(self, walk: WalkState, k: int, step: int) -> Array:
        """Place (2,) at which a foot would stand before a step, were nothing shifted."""
        for earlier in range(step - 1, -1, -1):
            if self.names[k] in self.p.gait.group(earlier):
                return self.landing(walk, k, earlier, shifted=False).place
        return self.start(walk).places[k, :2]

    def measured(self, walk: WalkState, k: int, offset: Array) -> Array:
        """Place, height of the ground and heading (4,) of a foot now, where it stands.

        offset: of the middle of its sole from where it were if the foot were flat (3,) [m].
        """
        foot = self.p.feet[self.names[k]]
        link = self._terms.link(foot.link)
        R = link.R @ self.start(walk).level[k].T
        heading = float(np.arctan2(R[1, 0], R[0, 0]))
        sole = link.at(foot.centre)[0] - offset
        if self.p.gait.by_contact is not None:  # the ground is as high as the foot finds it
            return np.array([*sole, heading])
        place = sole[:2]
        height = self.footholds(walk).at(self.names[k], place, heading).height
        return np.array([*place, height + self.start(walk).above[k], heading])

    def height(self, walk: WalkState, k: int, foothold: Foothold) -> float:
        """Height of the middle of a sole that stands on a foothold, as far as is known."""
        height = float(foothold.height + self.start(walk).above[k])
        if self.p.gait.by_contact is None:
            return height
        # by as much as the feet that stand are higher than the ground is believed to be
        off = [
            walk.places[j, 2] - self.below(walk, j).height - self.start(walk).above[j]
            for j in self.bearing(walk)
        ]
        return height + float(np.mean(off))

    def pressed(self, places: Array, share: int) -> Array:
        """Place (2,) of the zero-moment point over feet that stand, at places (n, 4).

        share: 0 at the beginning of the swing of the others, 1 at its end.
        """
        roll, centre = self.p.gait.roll, middle(places)
        if roll is None:
            return centre
        lengths = [float(np.ptp(foot.corners[:, 0])) for foot in self.p.feet.values()]
        ahead = (roll.pressure[share] - 0.5) * min(lengths)
        heading = places[:, 3].mean()
        return centre + ahead * rotation(heading)[:, 0]

    def below(self, walk: WalkState, k: int) -> Foothold:
        """Ground on which a foot stands, or took off."""
        place = walk.places[k]
        return self.footholds(walk).at(self.names[k], place[:2], float(place[3]))

    def polygon(
        self, walk: WalkState, standing: Sequence[int], some: Mapping[int, Array] | None = None
    ) -> Array:
        """Support polygon (m, 2) of feet that stand, by the corners of their contacts.

        some: corners (n, 3) by foot, where not all of them bear.
        """
        some = some or {}
        bearing = tuple((k, corners.tobytes()) for k, corners in some.items())
        of = (self.start(walk), walk.places.tobytes(), *standing, *bearing)
        return self._polygons.get(of, lambda: self._polygon(walk, standing, some))

    def _polygon(
        self, walk: WalkState, standing: Sequence[int], some: Mapping[int, Array]
    ) -> Array:
        points = []
        for k in standing:
            foot = self.p.feet[self.names[k]]
            R = self.below(walk, k).axes @ self.start(walk).level[k]
            corners = some.get(k, foot.corners)
            points.append(walk.places[k, :2] + ((corners - foot.centre) @ R.T)[:, :2])
        return convex_hull(np.concatenate(points))

"""Start of a walk: where the feet stand, what is level, how high the centre of mass is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.footholds import Footholds
from footfall_controllers.walking.footsteps import Footsteps, rotation, turned
from footfall_controllers.walking.predicted_points import lean_of
from footfall_controllers.walking.walk import WalkParameters
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
        found, of = self._found, (q.tobytes(), height)
        if found is not None and self._of == of:
            return found
        if found is None or self._of[0] != of[0]:
            terms = self._terms
            was = None if found is None else np.concatenate([terms.q, terms.v])
            found = self._work_out(q)
            if was is not None:
                terms.set_state(was)
        led = height or found.stood
        gravity = float(np.linalg.norm(self._terms.gravity))
        self._of = of
        self._found = replace(found, height=led, frequency=float(np.sqrt(gravity / led)))
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

"""References of a walk at a time: where feet, trunk and centre of mass are to be."""

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.capture_plan import CapturePlan, more_shift
from footfall_controllers.walking.divergent_component import (
    nearest_inside,
    shrunk,
    zero_moment_point,
)
from footfall_controllers.walking.footsteps import rotation, turned
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.memory import Memory
from footfall_controllers.walking.predicted_points import Hips, in_points
from footfall_controllers.walking.rolling_feet import RollingFeet
from footfall_controllers.walking.step_cycle import StepCycle
from footfall_controllers.walking.swing_foot import EARLY, Motion, clearing_height, lift, towards
from footfall_controllers.walking.touch_down import ALOFT
from footfall_controllers.walking.walk import WalkParameters
from footfall_controllers.walking.walk_geometry import WalkGeometry, middle
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.tasks import Reference, Targets
from footfall_controllers.whole_body.terms import RobotTerms

_SOFT = 0.35  # m/s^2: way over squared time; least jerk takes 5.8 times that, a fifth of gravity
_GHOST = 0.02  # activation of a contact that is about to open, or has just closed


class WalkReferences:
    """References of a walk, and the walk's state from tick to tick.

    The capture point follows a plan over the steps to come. Its error moves the zero-moment point
    within the feet that stand, and, where that is not enough, the landings.
    """

    def __init__(self, terms: RobotTerms, parameters: WalkParameters) -> None:
        """Take terms that know the feet's links and the trunk, and have the state of the robot."""
        self.terms, self.p = terms, parameters
        self.geometry = WalkGeometry(terms, parameters)
        self.capture = CapturePlan(self.geometry)
        self.rolling = RollingFeet(self.geometry, parameters.gait.roll)
        self.cycle = StepCycle(terms, self.geometry, self.rolling)
        self._lifts, self._swings = Memory[float](), Memory[Motion]()

    def fresh(self, q: Array, now: float, height: float = 0.0) -> WalkState:
        """Return the state of a walk that begins with positions q; moves the terms.

        height: of the centre of mass over the ground in steps [m]; 0: as at the start.
        """
        start, feet = self.geometry.stance(q), len(self.geometry.names)
        way = abs(height - start.stood) if height else 0.0
        return WalkState(
            int(Phase.BEGIN),
            since=now,
            time=now,
            length=max(self.p.gait.length(Phase.BEGIN, 0), float(np.sqrt(way / _SOFT))),
            heading=start.heading,
            level=start.ground,
            height=height,
            origin=start.origin,
            left=middle(start.places),
            places=start.places,
            swings=np.zeros((feet, 9)),
            felt=np.zeros(feet),
            down=np.full(feet, ALOFT),
            q=q,
        )

    def follow(self, walk: WalkState, now: float, *, adjusted: bool = True) -> None:
        """Take a walk on to a time; adjusted: landings follow the error of the capture point."""
        self.cycle.follow(walk, now)
        if walk.phase == Phase.SWING:
            if adjusted:
                error, _ = self.error(walk, now)
                walk.shift = walk.shift + more_shift(self.geometry, walk, error, now)
            for k in self.geometry.swinging(walk):
                walk.swings[k] = np.concatenate(self.swing(walk, k, now))
        walk.time = now

    def planned(self, walk: WalkState, now: float) -> Array:
        """Capture point (2,) of the plan [m]."""
        x, _ = self.capture.error(walk, np.zeros(2), now)
        return -x

    def error(self, walk: WalkState, now: float) -> tuple[Array, Array]:
        """Error of the capture point, and the zero-moment point that is planned."""
        terms, w = self.terms, self.geometry.start(walk).frequency
        point = (terms.p_com + terms.v_com / w)[:2]
        return self.capture.error(walk, point, now)

    def swing(self, walk: WalkState, k: int, now: float) -> Motion:
        """Position, velocity and acceleration of the middle of a swinging sole, if it is flat."""
        # a tick and the targets at its time ask for the same, unless the tick shifts the landing
        where = walk.swings[k].tobytes(), walk.places.tobytes()
        of = (k, now, walk.since, walk.time, *where, *self.geometry.course(walk))
        return self._swings.get(of, lambda: self._swing_of(walk, k, now))

    def _swing_of(self, walk: WalkState, k: int, now: float) -> Motion:
        length = self.p.gait.swing
        goal, took_off = self.geometry.landing(walk, k, walk.step), self.geometry.below(walk, k)
        left = walk.since + EARLY * length - walk.time
        p, v, a = walk.swings[k].reshape(3, 3)[:, :2]
        across = towards((p, v, a), goal.place, left, now - walk.time)
        sole = self.geometry.footholds(walk).soles[self.geometry.names[k]]
        height = self._lifts.get(
            (k, took_off, goal),
            lambda: clearing_height(
                self.p.ground, sole, (took_off, goal), self.p.gait.height, EARLY
            ),
        )
        heights = float(walk.places[k, 2]), self.geometry.height(walk, k, goal)
        up = lift(*heights, height, now - walk.since, length)
        position, velocity, acceleration = (
            np.concatenate(pair) for pair in zip(across, up, strict=True)
        )
        if self.p.gait.by_contact is not None:  # a foot that is late looks for the ground
            below = self.p.gait.by_contact.below(now - walk.since - length)
            for part, more in zip((position, velocity, acceleration), below, strict=True):
                part[2] -= more
        return position, velocity, acceleration

    def targets(self, walk: WalkState, now: float) -> Targets:
        """Return the targets at the state of the terms."""
        geometry = self.geometry
        start = geometry.start(walk)
        tasks = {
            "com": Reference(self.terms.p_com, self.terms.v_com, self._push(walk, now)),
            "height": self.rise(walk, now),
            "trunk": Reference(self.trunk(walk, now)),
        }
        active: dict[str, float] = {}
        flat = self.contacts(walk, now)
        contacts = self.rolling.shares(walk, now, flat)
        swinging, landed = geometry.swinging(walk), self._landed(walk)
        for k, name in enumerate(self.geometry.names):
            active[f"place/{name}"] = active[f"turn/{name}"] = 1.0 if k in swinging else 0.0
            if k in landed:
                active[f"place/{name}"] = 1.0 - flat[self.p.feet[name].link]
                active[f"turn/{name}"] = active[f"place/{name}"]
            if self.rolling.rolls(walk, k):
                active[f"turn/{name}"] = self.rolling.led(k, contacts)
            if active[f"turn/{name}"] > 0.0:
                tasks[f"place/{name}"], tasks[f"turn/{name}"] = self.sole(walk, k, now)
        targets = Targets(tasks, active, contacts, self._normals(walk))
        law = self.p.gait.predictive
        if law is not None:
            trunk = self.terms.link(self.p.gait.trunk)
            turn = rotation(self.heading(walk, now) - walk.heading)
            hips = Hips(trunk.p, trunk.V[3:], start.hips, turn @ start.lean @ turn.T)
            soles = {name: (foot.corners, foot.centre) for name, foot in self.p.feet.items()}
            return in_points(targets, hips, law.above, soles)
        return targets

    def sole(self, walk: WalkState, k: int, now: float) -> tuple[Reference, Reference]:
        """Place of the middle of a foot's sole, and orientation of the link that is led."""
        swings = k in self.geometry.swinging(walk)
        middle = self.swing(walk, k, now) if swings else self._stands(walk, k)
        axes = self.rolling.axes(walk, k, now)
        offset = self.rolling.offset(walk, k, axes[0], now)
        place = Reference(*(one + more for one, more in zip(middle, offset, strict=True)))
        return place, Reference(*self.rolling.turn(walk, k, axes, now))

    def trunk(self, walk: WalkState, now: float) -> Array:
        """Orientation (3, 3) of the trunk."""
        return turned(self.heading(walk, now)) @ self.geometry.start(walk).trunk

    def _landed(self, walk: WalkState) -> list[int]:
        """Feet that swung last, led on until their contacts have taken over."""
        if walk.phase not in {Phase.SWING, Phase.OVERLAP}:
            return []
        return [k for k in self.geometry.group(walk.step) if walk.down[k] != ALOFT]

    def _push(self, walk: WalkState, now: float) -> Array:
        """Acceleration of the centre of mass (3,) that leads the capture point back to its plan."""
        geometry = self.geometry
        error, z = self.error(walk, now)
        w = geometry.start(walk).frequency
        some = self.rolling.corners(walk, now)
        polygon = shrunk(geometry.polygon(walk, geometry.standing(walk), some), self.p.gait.margin)
        z = nearest_inside(polygon, zero_moment_point(error, z, self.p.gait.gain, w))
        push = np.zeros(3)
        push[:2] = w**2 * (self.terms.p_com[:2] - z)
        return push

    def rise(self, walk: WalkState, now: float) -> Reference:
        """Height of the centre of mass: in swings it follows the ground."""
        rest, start = np.zeros(1), self.geometry.start(walk)
        height = start.height
        motion: Motion = (np.array([walk.level]), rest, rest)
        if walk.phase == Phase.BEGIN and start.stood != height:
            stood = (motion[0] + start.stood - height, rest, rest)
            motion = towards(stood, motion[0], walk.length, now - walk.since)
        if walk.phase == Phase.SWING:
            goal, length = np.array([self.cycle.lowest(walk)]), self.p.gait.swing
            motion = towards(motion, goal, length, now - walk.since)
        up = np.array([0.0, 0.0, 1.0])
        return Reference((motion[0] + height) * up, motion[1] * up, motion[2] * up)

    @staticmethod
    def _stands(walk: WalkState, k: int) -> Motion:
        """Place of the middle of a sole that stands, at rest."""
        return walk.places[k, :3], np.zeros(3), np.zeros(3)

    def _normals(self, walk: WalkState) -> dict[str, Array]:
        """Normals of inclined ground by link of a contact."""
        normals: dict[str, Array] = {}
        for k, name in enumerate(self.geometry.names):
            normal = self.geometry.below(walk, k).normal
            if normal[2] < 1.0:
                normals |= dict.fromkeys(self.p.feet[name].contacts, normal)
        return normals

    def heading(self, walk: WalkState, now: float) -> float:
        """Heading of the trunk: that of the path, from step to step."""
        steps = self.geometry.start(walk).footsteps
        if walk.phase in {Phase.BEGIN, Phase.SHIFT}:
            return walk.heading
        schedule = self.p.gait
        index = walk.step + min((now - walk.begun) / schedule.period, 1.0) - 0.5
        if walk.phase == Phase.END:
            index = float(schedule.steps)
        return walk.heading + steps.body(index)[1]

    def contacts(self, walk: WalkState, now: float) -> dict[str, float]:
        """Activation of contacts by link: they close and open in ramps."""
        schedule, phase = self.p.gait, Phase(walk.phase)
        gone, activations = now - walk.since, dict[str, float]()
        left = walk.length - gone
        swinging = self.geometry.swinging(walk)
        following, after = schedule.after(phase, walk.step)
        landed = self._landed(walk)
        lifting = schedule.group(after) if following is Phase.SWING else ()
        for k, name in enumerate(self.geometry.names):
            on = 0.0 if k in swinging else 1.0
            if k in landed:
                on = min(on, max((now - walk.down[k]) / self.p.gait.ramp, _GHOST))
            if name in lifting:
                on = min(on, max(left / self.p.gait.ramp, _GHOST))
            activations |= dict.fromkeys(self.p.feet[name].contacts, on)
        return activations

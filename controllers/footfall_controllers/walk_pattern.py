"""Walking: targets of feet, trunk and centre of mass, step by step, for a whole-body controller."""

import numpy as np
from pydrake.common.value import AbstractValue, Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context, DiscreteValues, LeafSystem

from footfall.arrays import Array
from footfall_controllers.ticks import declare_ticks
from footfall_controllers.walking.capture_plan import capture_error
from footfall_controllers.walking.clearance import clearing_height
from footfall_controllers.walking.divergent_component import (
    nearest_inside,
    shrunk,
    zero_moment_point,
)
from footfall_controllers.walking.footholds import Foothold
from footfall_controllers.walking.footsteps import rotation
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.predicted_points import Hips, in_points
from footfall_controllers.walking.rolling_feet import RollingFeet
from footfall_controllers.walking.sole_turn import axes_on, turn_between
from footfall_controllers.walking.step_adjustment import more_shift
from footfall_controllers.walking.swing_foot import Motion, lift, towards
from footfall_controllers.walking.walk_geometry import RETURN, WalkGeometry, middle
from footfall_controllers.walking.walk_parameters import WalkParameters
from footfall_controllers.walking.walk_start import turned
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.targets import Reference, Targets
from footfall_controllers.whole_body.terms import RobotTerms

_GHOST = 0.02  # activation of a contact that is about to open, or has just closed
_EARLY = 0.95  # of a swing: the foot is above its place by then, and turned as the ground is


class WalkPattern(LeafSystem):
    """Targets of a whole-body controller that let a robot walk.

    Input ``state`` ([q; v]), output ``targets`` (abstract, `Targets`): tasks ``com`` (acceleration
    of the centre of mass, along x and y), ``height``, ``trunk``, and of each foot ``place/NAME``
    and ``turn/NAME``, with contacts by link; or these as points, see `predicted_points`.

    The capture point follows a plan over the steps to come. Its error moves the zero-moment point
    within the feet that stand, and, where that is not enough, the landings.
    """

    def __init__(self, plant: MultibodyPlant, parameters: WalkParameters) -> None:
        """Look links up; raises ModelError for those that the plant does not have."""
        super().__init__()
        self._p = parameters
        self._names = list(parameters.feet)
        links = [
            parameters.trunk,
            *(link for foot in parameters.feet.values() for link in foot.contacts),
        ]
        self._terms = RobotTerms(plant, links)
        self._nq = plant.num_positions()
        self._geometry = WalkGeometry(self._terms, parameters)
        self._rolling = RollingFeet(self._geometry, parameters.roll)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        feet = len(self._names)
        # none before the simulation begins
        self._walk = self.DeclareDiscreteState(np.full(WalkState.size(feet, self._nq), np.nan))
        self.DeclareInitializationDiscreteUpdateEvent(self._begin)
        declare_ticks(self, parameters.period, self._tick)
        self.DeclareAbstractOutputPort("targets", lambda: Value(Targets()), self._calc_targets)

    def walk(self, context: Context) -> WalkState:
        """State of the walk in a context; one that has not begun begins with the robot's state."""
        vector = context.get_discrete_state(self._walk).value()
        if np.isnan(vector).any():
            return self._fresh(context)
        return WalkState.from_vector(vector, len(self._names))

    def _begin(self, context: Context, discrete: DiscreteValues) -> None:
        discrete.set_value(self._walk, self._fresh(context).to_vector())

    def _fresh(self, context: Context) -> WalkState:
        q = self._state.Eval(context)[: self._nq]
        start, now = self._geometry.stance(q), context.get_time()
        return WalkState(
            int(Phase.BEGIN),
            time=now,
            since=now,
            heading=start.heading,
            level=start.ground,
            origin=start.origin,
            left=middle(start.places),
            places=start.places,
            swings=np.zeros((len(self._names), 9)),
            q=q,
        )

    def _tick(self, context: Context, discrete: DiscreteValues) -> None:
        walk, now = self.walk(context), context.get_time()
        self._terms.set_state(self._state.Eval(context))
        self._follow_schedule(walk, now)
        if walk.phase == Phase.SWING:
            error, _ = self._error(walk, now)
            walk.shift = walk.shift + more_shift(self._geometry, walk, error, now)
            for k in self._geometry.swinging(walk):
                walk.swings[k] = np.concatenate(self._swing(walk, k, now))
        walk.time = now
        discrete.set_value(self._walk, walk.to_vector())

    def _follow_schedule(self, walk: WalkState, now: float) -> None:
        """Go on to the next phase when its time has come."""
        geometry, schedule = self._geometry, self._p.schedule
        phase = Phase(walk.phase)
        if now - walk.since < schedule.length(phase, walk.step) - 1e-9:
            return
        if phase is Phase.SWING:
            walk.left = geometry.pressed(walk.places[geometry.standing(walk)], 1)
            walk.level = self._lowest(walk)
            for k in geometry.swinging(walk):
                walk.places[k] = geometry.measured(walk, k, self._offset(walk, k, now)[0])
        else:
            walk.left = middle(walk.places)
        following, walk.step = schedule.after(phase, walk.step)
        walk.phase, walk.since, walk.time = int(following), now, now
        if following is Phase.SWING:
            self._lift_off(walk)

    def _lift_off(self, walk: WalkState) -> None:
        """Begin a swing where the feet are."""
        geometry = self._geometry
        if walk.step:
            walk.shift = RETURN * walk.shift
        offsets = [self._offset(walk, k, walk.since)[0] for k in range(len(self._names))]
        for k, offset in enumerate(offsets):
            walk.places[k] = geometry.measured(walk, k, offset)
        for k in geometry.swinging(walk):
            foot = self._p.feet[self._names[k]]
            p = self._terms.link(foot.link).at(foot.centre)[0] - offsets[k]
            walk.swings[k] = np.concatenate([p, np.zeros(6)])
            walk.places[k, 2] = p[2]

    def _lowest(self, walk: WalkState) -> float:
        """Level of the ground at the end of a swing: of the lower foot, so that its leg reaches."""
        geometry = self._geometry
        standing = walk.places[geometry.standing(walk), 2].mean()
        landing = [self._height(walk, k, self._landing(walk, k)) for k in geometry.swinging(walk)]
        return float(min(standing, np.mean(landing)))

    def _landing(self, walk: WalkState, k: int) -> Foothold:
        """Foothold that a foot in the air is going to."""
        return self._geometry.landing(walk, k, walk.step)

    def _height(self, walk: WalkState, k: int, foothold: Foothold) -> float:
        """Height of the middle of a sole that stands on a foothold."""
        return float(foothold.height + self._geometry.start(walk).above[k])

    def _error(self, walk: WalkState, now: float) -> tuple[Array, Array]:
        """Error of the capture point, and the zero-moment point that is planned."""
        terms, w = self._terms, self._geometry.start(walk).frequency
        point = (terms.p_com + terms.v_com / w)[:2]
        return capture_error(self._geometry, walk, point, now)

    def _swing(self, walk: WalkState, k: int, now: float) -> Motion:
        """Position, velocity and acceleration of the middle of a swinging sole, if it is flat."""
        length = self._p.schedule.swing
        goal, took_off = self._landing(walk, k), self._geometry.below(walk, k)
        left = walk.since + _EARLY * length - walk.time
        p, v, a = walk.swings[k].reshape(3, 3)[:, :2]
        across = towards((p, v, a), goal.place, left, now - walk.time)
        sole = self._geometry.footholds(walk).soles[self._names[k]]
        height = clearing_height(self._p.ground, sole, (took_off, goal), self._p.height, _EARLY)
        ends = float(walk.places[k, 2]), self._height(walk, k, goal)
        up = lift(*ends, height, now - walk.since, length)
        position, velocity, acceleration = (
            np.concatenate(pair) for pair in zip(across, up, strict=True)
        )
        return position, velocity, acceleration

    def _calc_targets(self, context: Context, output: AbstractValue) -> None:
        walk, now = self.walk(context), context.get_time()
        self._terms.set_state(self._state.Eval(context))
        geometry = self._geometry
        start = geometry.start(walk)
        tasks = {
            "com": Reference(self._terms.p_com, self._terms.v_com, self._push(walk, now)),
            "height": self._rise(walk, now),
            "trunk": Reference(turned(self._heading(walk, now)) @ start.trunk),
        }
        active: dict[str, float] = {}
        flat = self._contacts(walk, now)
        contacts = self._rolling.shares(walk, now, flat)
        swinging, landed = geometry.swinging(walk), self._landed(walk)
        for k, name in enumerate(self._names):
            active[f"place/{name}"] = active[f"turn/{name}"] = 1.0 if k in swinging else 0.0
            if k in landed:
                active[f"place/{name}"] = 1.0 - flat[self._p.feet[name].link]
                active[f"turn/{name}"] = active[f"place/{name}"]
            if self._rolling.rolls(walk, k):
                active[f"turn/{name}"] = self._rolling.led(k, contacts)
            if active[f"turn/{name}"] > 0.0:
                middle = self._swing(walk, k, now) if k in swinging else self._stands(walk, k)
                offset = self._offset(walk, k, now)
                tasks[f"place/{name}"] = Reference(
                    *(one + more for one, more in zip(middle, offset, strict=True))
                )
                axes = self._axes(walk, k, now)
                tasks[f"turn/{name}"] = Reference(*self._rolling.turn(walk, k, axes, now))
        targets = Targets(tasks, active, contacts, self._normals(walk))
        if self._p.above is not None:
            trunk = self._terms.link(self._p.trunk)
            turn = rotation(self._heading(walk, now) - walk.heading)
            hips = Hips(trunk.p, trunk.V[3:], start.hips, turn @ start.lean @ turn.T)
            soles = {name: (foot.corners, foot.centre) for name, foot in self._p.feet.items()}
            targets = in_points(targets, hips, self._p.above, soles)
        output.set_value(targets)

    def _landed(self, walk: WalkState) -> list[int]:
        """Feet of the last swing, led on until their contacts have taken over."""
        if walk.phase != Phase.OVERLAP:
            return []
        return [self._names.index(name) for name in self._p.schedule.group(walk.step)]

    def _push(self, walk: WalkState, now: float) -> Array:
        """Acceleration of the centre of mass (3,) that leads the capture point back to its plan."""
        geometry = self._geometry
        error, z = self._error(walk, now)
        w = geometry.start(walk).frequency
        some = self._rolling.corners(walk, now)
        polygon = shrunk(geometry.polygon(walk, geometry.standing(walk), some), self._p.margin)
        z = nearest_inside(polygon, zero_moment_point(error, z, self._p.gain, w))
        push = np.zeros(3)
        push[:2] = w**2 * (self._terms.p_com[:2] - z)
        return push

    def _rise(self, walk: WalkState, now: float) -> Reference:
        """Height of the centre of mass: in swings it follows the ground."""
        rest = np.zeros(1)
        motion: Motion = (np.array([walk.level]), rest, rest)
        if walk.phase == Phase.SWING:
            goal, length = np.array([self._lowest(walk)]), self._p.schedule.swing
            motion = towards(motion, goal, length, now - walk.since)
        height = self._geometry.start(walk).height
        up = np.array([0.0, 0.0, 1.0])
        return Reference((motion[0] + height) * up, motion[1] * up, motion[2] * up)

    @staticmethod
    def _stands(walk: WalkState, k: int) -> Motion:
        """Place of the middle of a sole that stands, at rest."""
        return walk.places[k, :3], np.zeros(3), np.zeros(3)

    def _offset(self, walk: WalkState, k: int, now: float) -> Motion:
        """Offset of the middle of a sole by the roll of the foot."""
        return self._rolling.offset(walk, k, self._axes(walk, k, now)[0], now)

    def _axes(self, walk: WalkState, k: int, now: float) -> Motion:
        """Axes of a flat sole; in the air they turn over to those of where it lands."""
        below = axes_on(self._geometry.below(walk, k))
        if k not in self._geometry.swinging(walk):
            return below, np.zeros(3), np.zeros(3)
        end, length = axes_on(self._landing(walk, k)), _EARLY * self._p.schedule.swing
        return turn_between(below, end, length, now - walk.since)

    def _normals(self, walk: WalkState) -> dict[str, Array]:
        """Normals of inclined ground by link of a contact."""
        found: dict[str, Array] = {}
        for k, name in enumerate(self._names):
            normal = self._geometry.below(walk, k).normal
            if normal[2] < 1.0:
                found |= dict.fromkeys(self._p.feet[name].contacts, normal)
        return found

    def _heading(self, walk: WalkState, now: float) -> float:
        """Heading of the trunk: that of the path, from step to step."""
        steps = self._geometry.start(walk).footsteps
        if walk.phase in {Phase.BEGIN, Phase.SHIFT}:
            return walk.heading
        schedule = self._p.schedule
        gone = now - walk.since + (schedule.swing if walk.phase == Phase.OVERLAP else 0.0)
        index = walk.step + min(gone / schedule.period, 1.0) - 0.5
        if walk.phase == Phase.END:
            index = float(schedule.steps)
        return walk.heading + steps.body(index)[1]

    def _contacts(self, walk: WalkState, now: float) -> dict[str, float]:
        """Activation of contacts by link: they close and open in ramps."""
        schedule, phase = self._p.schedule, Phase(walk.phase)
        gone, found = now - walk.since, dict[str, float]()
        left = schedule.length(phase, walk.step) - gone
        swinging = self._geometry.swinging(walk)
        following, after = schedule.after(phase, walk.step)
        landed = schedule.group(walk.step) if phase is Phase.OVERLAP else ()
        lifting = schedule.group(after) if following is Phase.SWING else ()
        for k, name in enumerate(self._names):
            on = 0.0 if k in swinging else 1.0
            if name in landed:
                on = min(on, max(gone / self._p.ramp, _GHOST))
            if name in lifting:
                on = min(on, max(left / self._p.ramp, _GHOST))
            found |= dict.fromkeys(self._p.feet[name].contacts, on)
        return found

"""Walking: targets of feet, trunk and centre of mass, step by step, for a whole-body controller."""

import numpy as np
from pydrake.common.value import AbstractValue, Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context, DiscreteValues, LeafSystem

from footfall.arrays import Array
from footfall_controllers.ticks import declare_ticks
from footfall_controllers.walking.capture_plan import CapturePlan
from footfall_controllers.walking.clearance import clearing_height
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
from footfall_controllers.walking.step_adjustment import more_shift
from footfall_controllers.walking.step_cycle import StepCycle
from footfall_controllers.walking.swing_foot import EARLY, Motion, lift, towards
from footfall_controllers.walking.touch_down import ALOFT
from footfall_controllers.walking.walk_geometry import WalkGeometry, middle
from footfall_controllers.walking.walk_parameters import WalkParameters
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.targets import Reference, Targets
from footfall_controllers.whole_body.terms import RobotTerms

_GHOST = 0.02  # activation of a contact that is about to open, or has just closed
_FELT = 0.5  # of the port of contacts


class WalkPattern(LeafSystem):
    """Targets of a whole-body controller that let a robot walk.

    Input ``state`` ([q; v]) and, where touch-downs end swings, ``contact`` (feet,), above 0.5 for a
    foot that is felt. Output ``targets`` (abstract, `Targets`): tasks ``com`` (acceleration of the
    centre of mass, along x and y), ``height``, ``trunk``, and of each foot ``place/NAME`` and
    ``turn/NAME``, with contacts by link; or these as points, see `predicted_points`.

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
        self._plan = CapturePlan(self._geometry)
        self._rolling = RollingFeet(self._geometry, parameters.roll)
        self._cycle = StepCycle(self._terms, self._geometry, self._rolling)
        self._lifts, self._swings = Memory[float](), Memory[Motion]()
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        feet = len(self._names)
        self._contact = self.DeclareVectorInputPort("contact", feet)
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
            since=now,
            time=now,
            length=self._p.schedule.length(Phase.BEGIN, 0),
            heading=start.heading,
            level=start.ground,
            origin=start.origin,
            left=middle(start.places),
            places=start.places,
            swings=np.zeros((len(self._names), 9)),
            felt=np.zeros(len(self._names)),
            down=np.full(len(self._names), ALOFT),
            q=q,
        )

    def _tick(self, context: Context, discrete: DiscreteValues) -> None:
        walk, now = self.walk(context), context.get_time()
        self._terms.set_state(self._state.Eval(context))
        if self._p.touch_down is not None:
            self._cycle.feel(walk, self._contact.Eval(context) > _FELT, now)
        self._cycle.follow(walk, now)
        if walk.phase == Phase.SWING:
            error, _ = self._error(walk, now)
            walk.shift = walk.shift + more_shift(self._geometry, walk, error, now)
            for k in self._geometry.swinging(walk):
                walk.swings[k] = np.concatenate(self._swing(walk, k, now))
        walk.time = now
        discrete.set_value(self._walk, walk.to_vector())

    def _error(self, walk: WalkState, now: float) -> tuple[Array, Array]:
        """Error of the capture point, and the zero-moment point that is planned."""
        terms, w = self._terms, self._geometry.start(walk).frequency
        point = (terms.p_com + terms.v_com / w)[:2]
        return self._plan.error(walk, point, now)

    def _swing(self, walk: WalkState, k: int, now: float) -> Motion:
        """Position, velocity and acceleration of the middle of a swinging sole, if it is flat."""
        # a tick and the targets at its time ask for the same, unless the tick shifts the landing
        where = walk.swings[k].tobytes(), walk.places.tobytes()
        of = (k, now, walk.since, walk.time, *where, *self._geometry.course(walk))
        return self._swings.get(of, lambda: self._swing_of(walk, k, now))

    def _swing_of(self, walk: WalkState, k: int, now: float) -> Motion:
        length = self._p.schedule.swing
        goal, took_off = self._geometry.landing(walk, k, walk.step), self._geometry.below(walk, k)
        left = walk.since + EARLY * length - walk.time
        p, v, a = walk.swings[k].reshape(3, 3)[:, :2]
        across = towards((p, v, a), goal.place, left, now - walk.time)
        sole = self._geometry.footholds(walk).soles[self._names[k]]
        height = self._lifts.get(
            (k, took_off, goal),
            lambda: clearing_height(self._p.ground, sole, (took_off, goal), self._p.height, EARLY),
        )
        ends = float(walk.places[k, 2]), self._geometry.height(walk, k, goal)
        up = lift(*ends, height, now - walk.since, length)
        position, velocity, acceleration = (
            np.concatenate(pair) for pair in zip(across, up, strict=True)
        )
        if self._p.touch_down is not None:  # a foot that is late looks for the ground
            below = self._p.touch_down.below(now - walk.since - length)
            for part, more in zip((position, velocity, acceleration), below, strict=True):
                part[2] -= more
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
                axes = self._rolling.axes(walk, k, now)
                offset = self._rolling.offset(walk, k, axes[0], now)
                tasks[f"place/{name}"] = Reference(
                    *(one + more for one, more in zip(middle, offset, strict=True))
                )
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
        """Feet that swung last, led on until their contacts have taken over."""
        if walk.phase not in {Phase.SWING, Phase.OVERLAP}:
            return []
        return [k for k in self._geometry.group(walk.step) if walk.down[k] != ALOFT]

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
            goal, length = np.array([self._cycle.lowest(walk)]), self._p.schedule.swing
            motion = towards(motion, goal, length, now - walk.since)
        height = self._geometry.start(walk).height
        up = np.array([0.0, 0.0, 1.0])
        return Reference((motion[0] + height) * up, motion[1] * up, motion[2] * up)

    @staticmethod
    def _stands(walk: WalkState, k: int) -> Motion:
        """Place of the middle of a sole that stands, at rest."""
        return walk.places[k, :3], np.zeros(3), np.zeros(3)

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
        index = walk.step + min((now - walk.begun) / schedule.period, 1.0) - 0.5
        if walk.phase == Phase.END:
            index = float(schedule.steps)
        return walk.heading + steps.body(index)[1]

    def _contacts(self, walk: WalkState, now: float) -> dict[str, float]:
        """Activation of contacts by link: they close and open in ramps."""
        schedule, phase = self._p.schedule, Phase(walk.phase)
        gone, found = now - walk.since, dict[str, float]()
        left = walk.length - gone
        swinging = self._geometry.swinging(walk)
        following, after = schedule.after(phase, walk.step)
        landed = self._landed(walk)
        lifting = schedule.group(after) if following is Phase.SWING else ()
        for k, name in enumerate(self._names):
            on = 0.0 if k in swinging else 1.0
            if k in landed:
                on = min(on, max((now - walk.down[k]) / self._p.ramp, _GHOST))
            if name in lifting:
                on = min(on, max(left / self._p.ramp, _GHOST))
            found |= dict.fromkeys(self._p.feet[name].contacts, on)
        return found

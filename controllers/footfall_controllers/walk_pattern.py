"""Walking: targets of feet, trunk and centre of mass, step by step, for a whole-body controller."""

from collections.abc import Sequence

import numpy as np
from pydrake.common.value import AbstractValue, Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context, DiscreteValues, LeafSystem

from footfall.arrays import Array
from footfall_controllers.walking.divergent_component import (
    convex_hull,
    nearest_inside,
    shrunk,
    step_shift,
    zero_moment_point,
)
from footfall_controllers.walking.footsteps import rotation
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.preview_plan import Segment, planned
from footfall_controllers.walking.swing_foot import lift, towards
from footfall_controllers.walking.walk_parameters import WalkParameters
from footfall_controllers.walking.walk_start import WalkStart, turned
from footfall_controllers.walking.walk_state import WalkState
from footfall_controllers.whole_body.targets import Reference, Targets
from footfall_controllers.whole_body.terms import RobotTerms

_AHEAD = 4  # steps that the plan looks ahead; e^-(w T) of each counts
_SETTLED = 0.08  # s before a landing, its place is not changed any more
_LEAST = 1e-3  # m: smaller shifts of a step are left to the zero-moment point
_RETURN = 0.5  # of the shift of a landing is left for the next one: back to the path
_ROOM = 0.7  # of the half sole, which the feedback is trusted with for the rest of a step
_GHOST = 0.02  # activation of a contact that is about to open, or has just closed
_EARLY = 0.95  # of a swing: the foot is above its place by then


class WalkPattern(LeafSystem):
    """Targets of a whole-body controller that let a robot walk.

    Input ``state`` ([q; v]), output ``targets`` (abstract, `Targets`): tasks ``com`` (acceleration
    of the centre of mass, along x and y), ``height``, ``trunk``, and of each foot ``place/NAME``
    and ``turn/NAME``, with contacts by link.

    The capture point follows a plan over the steps to come. Its error moves the zero-moment point
    within the feet that stand, and, where that is not enough, the landings.
    """

    def __init__(self, plant: MultibodyPlant, parameters: WalkParameters) -> None:
        """Look links up; raises ModelError for those that the plant does not have."""
        super().__init__()
        self._p = parameters
        self._names = list(parameters.feet)
        links = [parameters.trunk, *(foot.link for foot in parameters.feet.values())]
        self._terms = RobotTerms(plant, links)
        self._nq = plant.num_positions()
        self._start = WalkStart(self._terms, parameters)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        feet = len(self._names)
        # none before the simulation begins
        self._walk = self.DeclareDiscreteState(np.full(WalkState.size(feet, self._nq), np.nan))
        self.DeclareInitializationDiscreteUpdateEvent(self._begin)
        self.DeclarePeriodicDiscreteUpdateEvent(parameters.period, parameters.period, self._tick)
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
        start, now = self._start.at(q), context.get_time()
        return WalkState(
            int(Phase.BEGIN),
            time=now,
            since=now,
            heading=start.heading,
            origin=start.origin,
            left=self._middle(start.places),
            places=start.places,
            swings=np.zeros((len(self._names), 9)),
            q=q,
        )

    def _tick(self, context: Context, discrete: DiscreteValues) -> None:
        walk, now = self.walk(context), context.get_time()
        self._terms.set_state(self._state.Eval(context))
        self._follow_schedule(walk, now)
        self._adjust(walk, now)
        if walk.phase == Phase.SWING:
            for k in self._swinging(walk):
                motion = self._swing(walk, k, now)
                walk.swings[k] = np.concatenate(motion)
        walk.time = now
        discrete.set_value(self._walk, walk.to_vector())

    def _follow_schedule(self, walk: WalkState, now: float) -> None:
        """Go on to the next phase when its time has come."""
        schedule = self._p.schedule
        phase = Phase(walk.phase)
        if now - walk.since < schedule.length(phase, walk.step) - 1e-9:
            return
        stood = self._standing(walk)
        if phase is Phase.SWING:
            walk.left = self._middle(walk.places[stood])
            for k in self._swinging(walk):
                walk.places[k] = self._measured(walk, k)
        else:
            walk.left = self._middle(walk.places)
        following, walk.step = schedule.after(phase, walk.step)
        walk.phase, walk.since, walk.time = int(following), now, now
        if following is Phase.SWING:
            if walk.step:
                walk.shift = _RETURN * walk.shift
            for k in range(len(self._names)):
                walk.places[k] = self._measured(walk, k)
            for k in self._swinging(walk):
                foot = self._p.feet[self._names[k]]
                p = self._terms.link(foot.link).at(foot.centre)[0]
                walk.swings[k] = np.concatenate([p, np.zeros(6)])
                walk.places[k, 2] = p[2]

    def _measured(self, walk: WalkState, k: int) -> Array:
        """Place and heading of a foot now; its height is that of the start, where it stands."""
        foot = self._p.feet[self._names[k]]
        link = self._terms.link(foot.link)
        turned = link.R @ self._start.at(walk.q).level[k].T
        heading = np.arctan2(turned[1, 0], turned[0, 0])
        x, y, _ = link.at(foot.centre)[0]
        return np.array([x, y, self._start.at(walk.q).places[k, 2], heading])

    def _swinging(self, walk: WalkState) -> list[int]:
        if walk.phase != Phase.SWING:
            return []
        return [self._names.index(name) for name in self._p.schedule.group(walk.step)]

    def _standing(self, walk: WalkState) -> list[int]:
        swinging = self._swinging(walk)
        return [k for k in range(len(self._names)) if k not in swinging]

    def _landing(self, walk: WalkState, k: int, step: int, *, shifted: bool = True) -> Array:
        """Place (2,) and heading (1,) in the world with which a foot lands in a step."""
        steps = self._start.at(walk.q).footsteps
        place, heading = steps.landing(self._names[k], step)
        there = walk.origin + rotation(walk.heading) @ place
        if shifted:
            there = there + _RETURN ** max(step - walk.step, 0) * walk.shift
        return np.array([*there, walk.heading + heading])

    @staticmethod
    def _middle(places: Array) -> Array:
        middle: Array = places[:, :2].mean(axis=0)
        return middle

    def _segments(self, walk: WalkState) -> list[Segment]:
        """Course of the zero-moment point from the beginning of the phase, some steps ahead."""
        schedule, phase, step = self._p.schedule, Phase(walk.phase), walk.step
        places = walk.places[:, :2].copy()
        at, found = walk.left, []
        for _ in range(2 * _AHEAD):
            length = schedule.length(phase, step)
            if not np.isfinite(length):
                break
            following, after = schedule.after(phase, step)
            if phase is Phase.SWING:
                group = [self._names.index(name) for name in schedule.group(step)]
                stand = [k for k in range(len(places)) if k not in group]
                goal = places[stand].mean(axis=0)
                at = goal
                for k in group:
                    places[k] = self._landing(walk, k, step)[:2]
            elif following is Phase.SWING:
                group = [self._names.index(name) for name in schedule.group(after)]
                goal = places[[k for k in range(len(places)) if k not in group]].mean(axis=0)
            else:
                goal = places.mean(axis=0) if phase is not Phase.BEGIN else at
            if length > 0.0:
                found.append(Segment(length, at, goal))
            at, phase, step = goal, following, after
        return [*found, Segment(1.0, at, at)]

    def _error(self, walk: WalkState, now: float) -> tuple[Array, Array, float]:
        """Error of the capture point, planned zero-moment point, natural frequency."""
        w = self._start.at(walk.q).frequency
        x, z = planned(self._segments(walk), w, now - walk.since)
        terms = self._terms
        return (terms.p_com + terms.v_com / w)[:2] - x, z, w

    def _adjust(self, walk: WalkState, now: float) -> None:
        """Shift the landings by what the zero-moment point cannot take out of the error."""
        schedule, reach = self._p.schedule, self._p.reach
        left = walk.since + schedule.swing - now
        if walk.phase != Phase.SWING or left < _SETTLED or not any(reach):
            return
        error, _, w = self._error(walk, now)
        standing, k = self._standing(walk), self._swinging(walk)[0]
        hull = self._hull(walk, standing)
        room = np.zeros(2)
        if len(hull) > 2:
            room = _ROOM * 0.5 * (1.0 - self._p.margin) * (hull.max(axis=0) - hull.min(axis=0))
        # of a shift that the landings after it go back on, the capture point follows a part
        decay = np.exp(-w * schedule.period)
        share = (1.0 - decay) / (1.0 - _RETURN * decay)
        delta = step_shift(error, room, left, w) / share
        if np.abs(delta).max() < _LEAST:
            return
        goal = self._landing(walk, k, walk.step)
        planned_places = [self._planned_place(walk, j, walk.step) for j in standing]
        nominal = self._landing(walk, k, walk.step, shifted=False)[:2]
        nominal = nominal - np.mean(planned_places, axis=0)
        turn = rotation(goal[2])
        off = turn.T @ (goal[:2] + delta - self._middle(walk.places[standing]) - nominal)
        aside = (turn.T @ nominal)[1]
        ahead, outwards, inwards = reach
        low, high = -inwards, outwards
        if len(self._swinging(walk)) > 1:
            low, high = -outwards, outwards
        elif aside < 0.0:
            low, high = -outwards, inwards
        kept = turn @ np.clip(off, [-ahead, low], [ahead, high])
        moved = self._middle(walk.places[standing]) + nominal + kept - goal[:2]
        walk.shift = walk.shift + moved

    def _planned_place(self, walk: WalkState, k: int, step: int) -> Array:
        """Place (2,) at which a foot would stand before a step, were nothing adjusted."""
        for earlier in range(step - 1, -1, -1):
            if self._names[k] in self._p.schedule.group(earlier):
                return self._landing(walk, k, earlier, shifted=False)[:2]
        place: Array = self._start.at(walk.q).places[k, :2]
        return place

    def _hull(self, walk: WalkState, standing: Sequence[int]) -> Array:
        """Support polygon of feet that stand, by the corners of their contacts."""
        points = []
        for k in standing:
            foot = self._p.feet[self._names[k]]
            level = self._start.at(walk.q).level[k]
            corners = (foot.corners - foot.centre) @ level.T
            points.append(walk.places[k, :2] + corners[:, :2] @ rotation(walk.places[k, 3]).T)
        return convex_hull(np.concatenate(points))

    def _swing(self, walk: WalkState, k: int, now: float) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of the middle of a swinging sole."""
        length = self._p.schedule.swing
        goal = self._landing(walk, k, walk.step)
        left = walk.since + _EARLY * length - walk.time
        p, v, a = walk.swings[k].reshape(3, 3)[:, :2]
        across = towards((p, v, a), goal[:2], left, now - walk.time)
        end = self._start.at(walk.q).places[k, 2]
        up = lift(walk.places[k, 2], end, self._p.height, now - walk.since, length)
        position, velocity, acceleration = (
            np.concatenate(pair) for pair in zip(across, up, strict=True)
        )
        return position, velocity, acceleration

    def _calc_targets(self, context: Context, output: AbstractValue) -> None:
        walk, now = self.walk(context), context.get_time()
        self._terms.set_state(self._state.Eval(context))
        start = self._start.at(walk.q)
        error, z, w = self._error(walk, now)
        hull = shrunk(self._hull(walk, self._standing(walk)), self._p.margin)
        z = nearest_inside(hull, zero_moment_point(error, z, self._p.gain, w))
        push = np.zeros(3)
        push[:2] = w**2 * (self._terms.p_com[:2] - z)
        still = np.zeros(3)
        tasks = {
            "com": Reference(self._terms.p_com, self._terms.v_com, push),
            "height": Reference(np.array([0.0, 0.0, start.height])),
            "trunk": Reference(turned(self._heading(walk, now)) @ start.trunk),
        }
        active: dict[str, float] = {}
        swinging = self._swinging(walk)
        share = min((now - walk.since) / self._p.schedule.swing, 1.0)
        for k, name in enumerate(self._names):
            active[f"place/{name}"] = active[f"turn/{name}"] = float(k in swinging)
            if k in swinging:
                tasks[f"place/{name}"] = Reference(*self._swing(walk, k, now))
                lifted, landing = walk.places[k, 3], self._landing(walk, k, walk.step)[2]
                heading = lifted + share * (landing - lifted)
                tasks[f"turn/{name}"] = Reference(turned(heading) @ start.level[k], still, still)
        output.set_value(Targets(tasks, active, self._contacts(walk, now)))

    def _heading(self, walk: WalkState, now: float) -> float:
        """Heading of the trunk: that of the path, from step to step."""
        steps = self._start.at(walk.q).footsteps
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
        swinging = self._swinging(walk)
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

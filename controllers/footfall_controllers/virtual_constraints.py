"""Virtual constraints on a walker with point feet, held by input-output linearisation.

A step has a phase s, a combination of the coordinates that rises while the foot stands, and outputs
y = H q - h(s), as many as independent torques. With the standing foot at rest,

    M v' + C = B T c + J^T f,   J v' + J' v = 0,   (H - h' p) v' = h'' s'^2 - kp y - kd y'

give the torques. Held at 0 the outputs leave one degree of freedom, the zero dynamics. If h is read
along a periodic gait, a strike at the end of a step leads from y = 0 to y = 0: along the zero
dynamics velocities before a strike have one direction, and so have those behind it.

Source: J. W. Grizzle, G. Abba, F. Plestan, "Asymptotically stable walking for biped robots", IEEE
Transactions on Automatic Control 46 (2001) 51-64; E. R. Westervelt, J. W. Grizzle, D. E.
Koditschek, "Hybrid zero dynamics of planar biped walkers", ibid. 48 (2003) 42-56.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from scipy.interpolate import CubicHermiteSpline

from footfall.arrays import Array
from footfall.checked import between, finite, positive
from footfall.jit import njit
from footfall.plants.coordinates import actuator_names, coordinate_names
from footfall.plants.flat.motion import PlantMotion
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.energy_shaping import FootPoint

_PERIOD = 1e-3  # s, between looks at the feet where the engine has no steps
_ALONG = 1e-9  # rows of a foot's Jacobian that are smaller: directions in which nothing moves


@dataclass(frozen=True, eq=False)
class Support:
    """A foot that may stand, with the phase (nq,) and outputs (m, nq), combinations of q."""

    foot: FootPoint
    phase: Array
    outputs: Array


@dataclass
class StandingFoot:
    """A foot that stands during a step, with the coordinates of that step."""

    # Contact with the ground, model::contact.
    foot: str = ""
    # The phase by coordinate: what has to rise during the step.
    phase: dict[str, float] = field(default_factory=dict)
    # The outputs, each by coordinate, in the same order for every foot.
    outputs: list[dict[str, float]] = field(default_factory=list)


@dataclass
class VirtualConstraints(Controller):
    """Hold outputs on functions of a phase, one standing foot after the other (point feet)."""

    # Feet in the order in which they stand; after the last one the first.
    feet: list[StandingFoot] = field(default_factory=list)
    # Independent torques, each by actuator; {hip_a: 1.0, hip_b: -1.0} is one between two thighs.
    torques: list[dict[str, float]] = field(default_factory=list)
    # Phases of a step, rising; of every output its values there, and its slopes over the phase.
    phases: list[float] = finite([])
    values: list[list[float]] = finite([])
    slopes: list[list[float]] = finite([])
    # Gains of an output's error e, e'' + kd e' + kp e = 0 [1/s^2] and [1/s].
    kp: float = positive(400.0)
    kd: float = positive(40.0)
    # Share of the phases from which on the next foot may take over.
    taken_over: float = between(0.6, 0.0, 1.0, open_low=True, open_high=True)
    # Bound of every actuator's torque [N m]; .inf: none.
    most_torque: float = between(math.inf, 0.0, math.inf, "give a positive torque", open_low=True)

    def __post_init__(self) -> None:
        """Refuse what is no gait; nothing at all is refused when it is asked for."""
        super().__post_init__()
        n = len(self.phases)
        if not (n or self.feet):
            return
        if n < 2 or not (np.diff(self.phases) > 0.0).all():
            raise self.refusal("phases: give two or more, each larger than the one before")
        for name in ("values", "slopes"):
            if any(len(row) != n for row in getattr(self, name)):
                raise self.refusal(f"{name}: give {n} numbers for each output, as phases has")
        if len(self.values) != len(self.slopes):
            raise self.refusal("slopes: give as many outputs as values has")

    @property
    def threshold(self) -> float:
        """Phase from which on the other foot may take over."""
        first, last = float(self.phases[0]), float(self.phases[-1])
        return first + self.taken_over * (last - first)

    def system_for(self, wiring: Wiring) -> "VirtualConstraintsSystem":
        """Return the system of a machine; raises ScenarioError, ValueError for what it lacks."""
        if len(self.feet) < 2:
            raise self.refusal("feet: give two feet or more, in their order")
        plant = wiring.model.plant
        supports = tuple(
            Support(
                FootPoint.of_contact(wiring.contacts, one.foot),
                _row(plant, one.phase, f"feet.{index}.phase"),
                np.array(
                    [_row(plant, out, f"feet.{index}.outputs") for out in one.outputs]
                ).reshape(len(one.outputs), plant.num_positions()),
            )
            for index, one in enumerate(self.feet)
        )
        names = actuator_names(plant)
        basis = np.array([_weights(names, one, "torques") for one in self.torques]).T
        period = wiring.time_step or _PERIOD
        return VirtualConstraintsSystem(plant, supports, basis, self, period)


class VirtualConstraintsSystem(LeafSystem):
    """Torques that hold the outputs of a gait at 0 while one foot after the other stands.

    Input ``state`` [q; v]; output ``actuation`` [N m]. Discrete state: which support it is, looked
    at every period. The next one takes over where the phase is far enough and its foot the slower
    one: a foot that has landed rests, and the one behind leaves the ground.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        supports: tuple[Support, ...],
        torques: Array,
        gait: VirtualConstraints,
        period: float,
    ) -> None:
        """Take a continuous-time plant, which is kept, and torques (actuators, m), the basis T.

        Raises ValueError unless supports, torques and gait have as many outputs.
        """
        super().__init__()
        count = len(gait.values)
        if torques.shape[1] != count or any(len(one.outputs) != count for one in supports):
            raise ValueError(
                f"the gait has {count} outputs: give every support as many, and as many torques"
            )
        self._nq, self._supports, self._gait = plant.num_positions(), supports, gait
        self._torques = torques
        self._inputs = plant.MakeActuationMatrix() @ torques
        feet = [one.foot for one in supports]
        self._motion = PlantMotion(
            plant, [(foot.body_of(plant).body_frame(), foot.p_BC) for foot in feet]
        )
        # knots, and coefficients (4, knots - 1, m), the cube's before the others
        spline = CubicHermiteSpline(gait.phases, gait.values, gait.slopes, axis=1)
        self._knots, self._cubics = spline.x, np.ascontiguousarray(spline.c)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        index = self.DeclareDiscreteState(1)
        self.DeclarePeriodicDiscreteUpdateEvent(period, 0.0, self._take_over)
        # a state that begins with another foot is seen before the first torque
        self.DeclareInitializationDiscreteUpdateEvent(self._begin)
        self.DeclareVectorOutputPort(
            "actuation",
            plant.num_actuators(),
            self._calc_actuation,
            {self.input_port_ticket(self._state.get_index()), self.discrete_state_ticket(index)},
        )

    def torque(self, state: Array, support: int) -> Array:
        """Torques [N m] of all actuators at a state while a support stands."""
        gait, one, motion = self._gait, self._supports[support], self._motion
        q, v = state[: self._nq], state[self._nq :]
        motion.set(q, v)
        J, convective = motion.frames.J[support, 3:], motion.frames.bias[support, 3:]
        table = self._knots, self._cubics, gait.kp, gait.kd, gait.most_torque
        rows = J, convective, self._inputs, self._torques, one.phase, one.outputs
        return outputs_torque(motion.M, motion.resting(), *rows, *table, q, v)

    def _foot(self, support: int) -> tuple[Array, Array]:
        """Jacobian of a foot in the directions in which it moves, and J' v [m/s^2]."""
        frames = self._motion.frames
        J, convective = frames.J[support, 3:], frames.bias[support, 3:]
        moves = np.abs(J).max(axis=1) > _ALONG
        return J[moves], convective[moves]

    def _speed(self, support: int, v: Array) -> float:
        return float(np.linalg.norm(self._foot(support)[0] @ v))

    def _next(self, state: Array, support: int) -> int:
        """Support that stands now, if this one did."""
        q, v = state[: self._nq], state[self._nq :]
        other = (support + 1) % len(self._supports)
        if float(self._supports[support].phase @ q) < self._gait.threshold:
            return support
        self._motion.set(q, v)
        return other if self._speed(other, v) < self._speed(support, v) else support

    def _take_over(self, context: Context, values: object) -> None:
        state, support = self._state.Eval(context), int(context.get_discrete_state_vector()[0])
        values.get_mutable_vector().SetAtIndex(0, float(self._next(state, support)))  # type: ignore[attr-defined] # Drake's

    def _begin(self, context: Context, values: object) -> None:
        state = self._state.Eval(context)
        q = state[: self._nq]
        apart = [abs(float(one.phase @ q) - self._gait.phases[0]) for one in self._supports]
        values.get_mutable_vector().SetAtIndex(0, float(np.argmin(apart)))  # type: ignore[attr-defined] # Drake's

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        support = int(context.get_discrete_state_vector()[0])
        output.SetFromVector(self.torque(self._state.Eval(context), support))


def _row(plant: MultibodyPlant, weights: Mapping[str, float], where: str) -> Array:
    return _weights(coordinate_names(plant)[0], weights, where)


def _weights(names: list[str], weights: Mapping[str, float], where: str) -> Array:
    """Weights of all names; raises ValueError for one that is not there."""
    unknown = [name for name in weights if name not in names]
    if unknown:
        raise ValueError(f"{where} has {unknown[0]}; there are {', '.join(names)}")
    return np.array([weights.get(name, 0.0) for name in names])


@njit
def outputs_torque(
    M: Array,
    resting: Array,
    J: Array,
    convective: Array,
    inputs: Array,
    basis: Array,
    phase: Array,
    outputs: Array,
    knots: Array,
    cubics: Array,
    kp: float,
    kd: float,
    most: float,
    q: Array,
    v: Array,
) -> Array:
    """Return torques of the actuators that hold outputs, each [N m] at most.

    resting (nv,): C less gravity; J (3, nv), convective (3,): of the foot, and J' v; inputs
    (nv, m): B T; basis (nu, m): T; cubics (4, knots - 1, m): the cube's coefficients first.
    """
    s, rate, k = (phase * q).sum(), (phase * v).sum(), knots.size - 2
    while k > 0 and s < knots[k]:
        k -= 1
    u, c3, c2, c1 = s - knots[k], cubics[0, k], cubics[1, k], cubics[2, k]
    h, slope = ((c3 * u + c2) * u + c1) * u + cubics[3, k], (3.0 * c3 * u + 2.0 * c2) * u + c1
    bend = 6.0 * c3 * u + 2.0 * c2
    n, m, end = v.size, h.size, v.size
    A, b = np.zeros((n + 3 + m, n + 3 + m)), np.zeros(n + 3 + m)
    A[:n, :n], b[:n] = M, -resting
    for i in range(3):  # in the directions in which the foot moves
        if np.abs(J[i]).max() > _ALONG:
            A[:n, end], A[end, :n], b[end] = -J[i], J[i], -convective[i]
            end += 1
    for i in range(m):
        D = outputs[i] - slope[i] * phase
        y, y_rate = (outputs[i] * q).sum() - h[i], (D * v).sum()
        A[:n, end + i], A[end + i, :n] = -inputs[:, i], D
        b[end + i] = bend[i] * rate**2 - kp * y - kd * y_rate
    size = end + m
    x = np.linalg.solve(np.ascontiguousarray(A[:size, :size]), b[:size])
    torques = np.dot(basis, x[end:])
    return np.minimum(np.maximum(torques, -most), most)

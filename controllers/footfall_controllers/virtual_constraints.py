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
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, LeafSystem
from scipy.interpolate import CubicHermiteSpline

from footfall.arrays import Array
from footfall.checked import between, finite, positive
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuator_names, coordinate_names
from footfall.plants.flat.motion import NO_FRAMES, PlantMotion
from footfall.plants.flat.outputs import (
    OutputsLaw,
    first_support,
    next_support,
    outputs_torque,
)
from footfall_controllers.controller import Controller, LawRequest, Wiring
from footfall_controllers.energy_shaping import FootPoint

_PERIOD = 1e-3  # s, between looks at the feet where the engine has no steps


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
        return self._system(wiring.model.plant, wiring.contacts, wiring.time_step or _PERIOD)

    def compiled_law(self, asked: LawRequest) -> OutputsLaw | None:
        """Return the law of the state; None for a plant that the flat arrays do not hold."""
        return self._system(asked.model.plant, asked.contacts, asked.time_step).law

    def _system(
        self, plant: MultibodyPlant, contacts: ContactSet, period: float
    ) -> "VirtualConstraintsSystem":
        if len(self.feet) < 2:
            raise self.refusal("feet: give two feet or more, in their order")
        supports = tuple(
            Support(
                FootPoint.of_contact(contacts, one.foot),
                _row(plant, one.phase, f"feet.{index}.phase"),
                np.array(
                    [_row(plant, out, f"feet.{index}.outputs") for out in one.outputs]
                ).reshape(len(one.outputs), plant.num_positions()),
            )
            for index, one in enumerate(self.feet)
        )
        names = actuator_names(plant)
        basis = np.array([_weights(names, one, "torques") for one in self.torques]).T
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
        self._nq = plant.num_positions()
        feet = [one.foot for one in supports]
        self._motion = PlantMotion(
            plant, [(foot.body_of(plant).body_frame(), foot.p_BC) for foot in feet]
        )
        # knots, and coefficients (4, knots - 1, m), the cube's before the others
        spline = CubicHermiteSpline(gait.phases, gait.values, gait.slopes, axis=1)
        self._law = OutputsLaw(
            phase=np.array([one.phase for one in supports]),
            outputs=np.array([one.outputs for one in supports]),
            inputs=plant.MakeActuationMatrix() @ torques,
            basis=torques,
            knots=np.asarray(spline.x),
            cubics=np.ascontiguousarray(spline.c),
            kp=gait.kp,
            kd=gait.kd,
            most=gait.most_torque,
            threshold=gait.threshold,
            feet=self._motion.fixed or NO_FRAMES,
        )
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

    @property
    def law(self) -> OutputsLaw | None:
        """The law for compiled runs; None for a plant that the flat arrays do not hold."""
        return None if self._motion.fixed is None else self._law

    def torque(self, state: Array, support: int) -> Array:
        """Torques [N m] of all actuators at a state while a support stands."""
        motion, (q, v) = self._motion, np.split(state, [self._nq])
        motion.set(q, v)
        frames = motion.frames
        return outputs_torque(
            self._law, support, motion.M, motion.resting(), frames.J, frames.bias, q, v
        )

    def _take_over(self, context: Context, values: DiscreteValues) -> None:
        state, support = self._state.Eval(context), int(context.get_discrete_state_vector()[0])
        q, v = np.split(state, [self._nq])
        self._motion.set(q, v)
        values.set_value([float(next_support(self._law, support, q, self._motion.frames.V))])

    def _begin(self, context: Context, values: DiscreteValues) -> None:
        values.set_value([float(first_support(self._law, self._state.Eval(context)[: self._nq]))])

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

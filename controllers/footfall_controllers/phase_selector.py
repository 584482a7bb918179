"""Phase of walking on two feet by where heels and trunk are, with the switching of a thesis.

Source: G. Ozyurt (METU 2005), section 4.1, figure 4.2. Phases are numbered as there, from 0: left
foot flat in double support, left single, right double, right single support.
"""

from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import (
    BasicVector,
    Context,
    EventStatus,
    LeafSystem,
    State,
    UnrestrictedUpdateEvent,
    WitnessFunctionDirection,
)

from footfall.arrays import Array
from footfall.checked import Checked, finite, one_of, positive
from footfall.errors import RunError
from footfall_controllers.tracked_points import TrackedPoint, TrackedPoints

NUM_PHASES = 4
NEAR = 0.02
_FELT = {True: -1.0, False: 1.0}  # m: beyond what the other conditions are
NAMES = ("left double", "left single", "right double", "right single")


@dataclass(frozen=True)
class PhaseSelectorParameters(Checked, at="controller."):
    """Points and thresholds.

    trunk, heels: points O1, and A10, A11 of the left and the right foot. near: the trunk has come
    to the foot ahead when it is this near behind its heel [m]; grounded: height of a heel that is
    on the ground [m]; overdue: the trunk is this far beyond that place [m] and the heel behind has
    not come up: the foot goes all the same. patience: longest phase [s].
    """

    trunk: TrackedPoint
    heels: tuple[TrackedPoint, TrackedPoint]
    near: float = finite(NEAR)
    grounded: float = positive(0.001)
    overdue: float = positive(0.05)
    patience: float = positive(5.0)
    first: int = one_of(0, range(NUM_PHASES))


class PhaseSelector(LeafSystem):
    """The four phases in turn; each ends where the thesis's condition for the next one holds.

    The thesis asks all four conditions at every step, whatever the phase; two of them can hold at
    once near a touch-down, or none. Here only the next phase can follow (hysteresis), and double
    support ends once the trunk is overdue even where the heel behind stays down (no deadlock).
    A phase that outlasts the patience raises RunError.

    Inputs: ``state`` [q; v]; ``landing`` [q; v], the state with which the next phase starts;
    ``contact`` (2,), if connected: 1 where the left and the right foot bear a load, which then says
    in place of the height of the heel that a foot is down.
    Outputs: ``phase`` [index, time of its start]; ``start`` [q; v] when it started; ``next_phase``;
    ``guard``: positive while the phase lasts [m]. Its zero is a witness function, so that a
    simulator with an accuracy locates the switch; it is asked for at every step as well.
    """

    def __init__(self, plant: MultibodyPlant, parameters: PhaseSelectorParameters) -> None:
        """Take a continuous-time plant as the model of the robot."""
        super().__init__()
        self._plant = plant
        self._parameters = parameters
        self._context = plant.CreateDefaultContext()
        self._points = TrackedPoints(plant, (parameters.trunk, *parameters.heels))
        size = plant.num_multibody_states()
        self._state = self.DeclareVectorInputPort("state", size)
        self._landing = self.DeclareVectorInputPort("landing", size)
        self._contact = self.DeclareVectorInputPort("contact", 2)
        self._phase = self.DeclareDiscreteState([float(parameters.first), 0.0])
        self._start = self.DeclareDiscreteState(np.full(size, np.nan))
        self.DeclareStateOutputPort("phase", self._phase)
        self.DeclareStateOutputPort("start", self._start)
        self.DeclareVectorOutputPort("next_phase", 1, self._calc_next, {self.xd_ticket()})
        self._guard_port = self.DeclareVectorOutputPort("guard", 1, self._calc_guard)
        self.DeclareInitializationUnrestrictedUpdateEvent(self._begin)
        self.DeclarePerStepUnrestrictedUpdateEvent(self._switch_if_due)
        self._witness = self.MakeWitnessFunction(
            "end of the phase",
            WitnessFunctionDirection.kPositiveThenNonPositive,
            self._guard,
            UnrestrictedUpdateEvent(self._on_witness),
        )

    def DoGetWitnessFunctions(self, _context: Context) -> list[object]:
        """Return the witness of the end of the phase."""
        return [self._witness]

    def _guard(self, context: Context) -> float:
        return float(self._guard_port.Eval(context)[0])

    def guard(self, state: Array, phase: int, felt: bool | None = None) -> float:
        """Return how far a phase is from its end [m]; not positive where it is over.

        felt: whether the swinging foot bears a load; None: its height tells whether it is down.
        """
        self._plant.SetPositionsAndVelocities(self._context, state)
        trunk, *heels = self._points.positions(self._context)
        flat, other = heels[phase // 2], heels[1 - phase // 2]
        p = self._parameters
        ahead = float(flat[0] - trunk[0])
        if phase % 2 == 0:
            left = ahead - p.near
            return min(max(left, p.grounded - float(other[2])), left + p.overdue)
        height, passed = float(other[2]), float(other[0] - flat[0])
        reached = max(-passed, p.near - float(other[0] - trunk[0]))
        down = height - p.grounded if felt is None else _FELT[felt]
        return max(down, reached)

    def _index(self, context: Context) -> int:
        return int(context.get_discrete_state(self._phase).value()[0])

    def _begin(self, context: Context, state: State) -> EventStatus:
        self._write(state, self._index(context), context.get_time(), self._state.Eval(context))
        return EventStatus.Succeeded()

    def _on_witness(self, context: Context, _event: object, state: State) -> EventStatus:
        following = (self._index(context) + 1) % NUM_PHASES
        self._write(state, following, context.get_time(), self._landing.Eval(context))
        return EventStatus.Succeeded()

    def _switch_if_due(self, context: Context, state: State) -> EventStatus:
        if self._guard(context) <= 0.0:
            return self._on_witness(context, None, state)
        index, start = context.get_discrete_state(self._phase).value()
        if context.get_time() - start > self._parameters.patience:
            message = (
                f"phase {NAMES[int(index)]} support of t = {start:.3f} s does not end: after "
                f"{self._parameters.patience:g} s its condition is still "
                f"{1e3 * self._guard(context):.3g} mm away; the reference does not lead there."
            )
            raise RunError(message)
        return EventStatus.DidNothing()

    def _write(self, state: State, phase: int, time: float, start: Array) -> None:
        discrete = state.get_mutable_discrete_state()
        discrete.get_mutable_vector(int(self._phase)).SetFromVector([float(phase), time])
        discrete.get_mutable_vector(int(self._start)).SetFromVector(start)

    def _calc_next(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector([float((self._index(context) + 1) % NUM_PHASES)])

    def _calc_guard(self, context: Context, output: BasicVector) -> None:
        phase, felt = self._index(context), None
        if self._contact.HasValue(context):
            felt = bool(self._contact.Eval(context)[1 - phase // 2])
        output.SetFromVector([self.guard(self._state.Eval(context), phase, felt)])

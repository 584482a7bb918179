"""Source of pushes: what acts on a machine's links, for the port ``applied_wrench`` of any engine.

Frames: W world, B the link.
"""

import math
from collections.abc import Sequence

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.systems.framework import Context, DiscreteValues, EventStatus, LeafSystem

from footfall.plants.pushes import applied, body_of
from footfall.trajectory.pushes import LINK, LinkPush

_ONCE = 1e15  # s: the period of an event that comes once


class PushSource(LeafSystem):
    """Output ``applied_wrench``, a list of Drake's ExternallyAppliedSpatialForce; input ``state``.

    time_step [s]: of the engine that is driven. An engine holds what it samples at the start of a
    step for the whole step. It is given the mean over that step: a push then gives its whole
    impulse wherever in a step it begins and ends. time_step 0 is for an engine that integrates in
    continuous time: it gets the value at the time asked for, and an event at each beginning and end
    lets the integrator step onto it; which of the pushes act is in the context between two of them.
    state: [q; v] of the plant, whose links' axes turn the pushes that are given in them.
    """

    def __init__(
        self, plant: MultibodyPlant, pushes: Sequence[LinkPush], time_step: float = 0.0
    ) -> None:
        """Take the plant, which must outlive this system."""
        super().__init__()
        self._time_step = time_step
        self._plant, self._context = plant, plant.CreateDefaultContext()
        self.put(pushes)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareAbstractOutputPort(
            "applied_wrench",
            Value[list[ExternallyAppliedSpatialForce]],
            self._calc_wrenches,
        )
        times = {time for push in pushes for time in (push.start, push.end)}
        self._times = np.array(sorted(time for time in times if math.isfinite(time)))
        if time_step == 0.0:
            self._interval = self.DeclareDiscreteState(1)
            self.DeclareInitializationDiscreteUpdateEvent(self._enter)
            for time in self._times.tolist():
                self.DeclarePeriodicDiscreteUpdateEvent(_ONCE, time, self._enter)

    @property
    def is_continuous(self) -> bool:
        """True if it is for an engine that integrates in continuous time."""
        return self._time_step == 0.0

    def put(self, pushes: Sequence[LinkPush]) -> None:
        """Replace the pushes while a simulation by steps is under way.

        An output that was computed for the time of now stays: new pushes begin with the next step.
        """
        self._pushes = [(body_of(self._plant, push), push) for push in pushes]

    def _enter(self, context: Context, discrete: DiscreteValues) -> EventStatus:
        """Keep the number of the interval between beginnings and ends that starts now."""
        number = np.searchsorted(self._times, context.get_time(), side="right")
        discrete.set_value(0, np.array([float(number)]))
        return EventStatus.Succeeded()

    def _calc_wrenches(
        self, context: Context, output: Value[list[ExternallyAppliedSpatialForce]]
    ) -> None:
        shares = self._shares(context)
        acting = [
            (body, push, share)
            for (body, push), share in zip(self._pushes, shares, strict=True)
            if share != 0.0
        ]
        if any(push.frame == LINK for _, push, _ in acting):
            self._plant.SetPositionsAndVelocities(self._context, self._state.Eval(context))
        output.set_value([applied(*each, self._context) for each in acting])

    def _shares(self, context: Context) -> list[float]:
        """Share of each push that acts."""
        time = context.get_time()
        if self._time_step > 0.0:
            step = round(time / self._time_step)
            begin, end = step * self._time_step, (step + 1) * self._time_step
            return [push.mean_share(begin, end) for _, push in self._pushes]
        number = int(context.get_discrete_state(self._interval).get_value()[0])
        if number == 0:
            return [0.0] * len(self._pushes)
        last = self._times[number - 1]
        return [
            push.share(time) if push.start <= last < push.end else 0.0 for _, push in self._pushes
        ]

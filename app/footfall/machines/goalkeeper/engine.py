"""The listing itself as an engine: the ball on its path, the keeper at once where it should be.

Nothing is driven and nothing touches: a picture goes over the field. Actuation is 0 throughout; the
work of the actuators is told as what the motion would take.

Source: J. Kanehara, report on project TUlip (2009), listing Global_Trajectory.m.
"""

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.reading import POSITIONS
from footfall.plants.coordinates import coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Status, Trajectory, TrajectoryBuilder


def closed_form(context: MachineContext) -> Trajectory:
    """Run the listing; raises ScenarioError, one line, where the ball is free."""
    plant, control = context.model.plant, context.controller
    names = coordinate_names(plant)[0]
    if not isinstance(control, Goalkeeping) or control.path is None or len(names) > len(POSITIONS):
        message = (
            "engine closed-form: the listing has no ball that is free, it draws one on a path: "
            "give the controller Goalkeeping a path and the model a guided ball, or choose moreau "
            "or drake."
        )
        raise ScenarioError(message)
    path, law = control.path.path(), control.law()
    steps = np.arange(round(context.duration / context.time_step) + 1, dtype=np.float64)
    time: Array = steps * context.time_step
    ball, velocity = path.position(time), path.velocity(time)
    keeper, rate = law.target(ball, velocity)
    order = [POSITIONS.index(name) for name in names]
    q = np.column_stack((keeper, ball))[:, order]
    v = np.column_stack((rate, velocity))[:, order]
    builder = TrajectoryBuilder(layout_of(plant, context.contacts), len(time))
    dynamics = Dynamics(context.model, context.contacts)
    row = _Untouched(context)
    first = np.nan
    for k in range(len(time)):
        dynamics.set_state(np.concatenate((q[k], v[k])))
        row.look(dynamics)
        kinetic, potential = dynamics.kinetic_energy(), dynamics.potential_energy()
        first = kinetic + potential if k == 0 else first
        builder.append(
            float(time[k]),
            q[k],
            v[k],
            np.zeros(plant.num_actuators()),
            row,
            kinetic_energy=kinetic,
            potential_energy=potential,
            actuator_work=kinetic + potential - first,
            contact_work=0.0,
            damping_work=0.0,
            constraint_work=0.0,
            energy_gain=0.0,
        )
    return builder.finish(Status.DONE, attributes={"engine": CLOSED_FORM})


class _Untouched:
    """A contact report in which nothing touches, in the axes [n, t, s]."""

    def __init__(self, context: MachineContext) -> None:
        self._reported_as = context.contacts.reported_as
        count = len(context.contacts.names)
        self.impulse = np.zeros((count, 3))
        self.velocity = np.zeros((count, 3))
        self.gap = np.zeros(count)
        self.p_WC = np.full((count, 3), np.nan)
        self.mode = np.full(count, int(Mode.OPEN), dtype=np.int8)
        self.work = np.zeros(count)
        self.residual = np.nan  # nothing is solved
        self.normal = np.nan  # the ground's, if any
        self.iterations = 0
        self.rung = 0

    def look(self, dynamics: Dynamics) -> None:
        """Take the gaps at a state."""
        self.gap.fill(np.inf)
        np.minimum.at(self.gap, self._reported_as, dynamics.gaps()[0])

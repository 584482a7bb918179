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
from footfall.machines.goalkeeper.measures import POSITIONS
from footfall.plants.coordinates import coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Trajectory, trajectory_from_arrays


def closed_form(context: MachineContext) -> Trajectory:
    """Run the listing; raises ScenarioError, one line, where the ball is free."""
    plant, control = context.model.plant, context.controller
    names = coordinate_names(plant)[0]
    if not isinstance(control, Goalkeeping) or control.path is None or len(names) > len(POSITIONS):
        raise ScenarioError(
            "engine closed-form: the listing has no ball that is free, it draws one on a path: "
            "give the controller Goalkeeping a path and the model a guided ball, or choose moreau "
            "or drake."
        )
    path = control.path
    steps = np.arange(round(context.duration / context.time_step) + 1, dtype=np.float64)
    time: Array = steps * context.time_step
    ball, velocity = path.position(time), path.velocity(time)
    keeper, rate = control.target(ball, velocity)
    order = [POSITIONS.index(name) for name in names]
    q = np.column_stack((keeper, ball))[:, order]
    v = np.column_stack((rate, velocity))[:, order]
    kinetic, potential, gap = _along(context, q, v)
    return trajectory_from_arrays(
        layout_of(plant, context.contacts),
        time,
        q=q,
        v=v,
        actuation=0.0,
        impulse=0.0,
        contact_velocity=0.0,
        gap=gap,
        mode=int(Mode.OPEN),
        dissipation=0.0,
        kinetic_energy=kinetic,
        potential_energy=potential,
        actuator_work=kinetic + potential - (kinetic[0] + potential[0]),
        contact_work=0.0,
        damping_work=0.0,
        constraint_work=0.0,
        energy_gain=0.0,
        attributes={"engine": CLOSED_FORM},
    )


def _along(context: MachineContext, q: Array, v: Array) -> tuple[Array, Array, Array]:
    """Kinetic and potential energy (N,) [J] and gaps (N, contacts) [m] of states (N,)."""
    dynamics = Dynamics(context.model, context.contacts)
    kinetic, potential = np.empty((2, len(q)))
    gap = np.full((len(q), len(context.contacts.names)), np.inf)
    for k, state in enumerate(np.concatenate((q, v), axis=1)):
        dynamics.set_state(state)
        kinetic[k], potential[k] = dynamics.kinetic_energy(), dynamics.potential_energy()
        np.minimum.at(gap[k], context.contacts.reported_as, dynamics.gaps()[0])
    return kinetic, potential, gap

"""The biped's closed form as an engine: the report's own stepper, and its result as a trajectory.

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part II.
"""

from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.contact import classify
from footfall.control.controller import Reference, TracksReference
from footfall.errors import ScenarioError
from footfall.machines.biped.closed_form import stepper as biped_stepper
from footfall.machines.biped.closed_form.model import (
    COORDINATE_NAMES,
    POINT_NAMES,
    Biped,
)
from footfall.machines.biped.model import ACTUATORS, parameters_of, require_rotors_only
from footfall.registry.context import MachineContext
from footfall.trajectory import Event, Layout, Status, Trajectory, TrajectoryBuilder

LAYOUT = Layout(
    position=COORDINATE_NAMES,
    velocity=COORDINATE_NAMES,
    position_units=("m", "m", "rad", "rad", "rad", "rad"),
    velocity_units=("m/s", "m/s", "rad/s", "rad/s", "rad/s", "rad/s"),
    actuator=ACTUATORS,
    actuator_units=("N m",) * 4,
    contact=tuple(f"biped::{name}" for name in POINT_NAMES),
)


def closed_form(context: MachineContext) -> Trajectory:
    """Run the report's own stepper; raises ScenarioError for what it cannot express."""
    if np.ptp(context.mu) > 0.0 or np.ptp(context.e_n) > 0.0:
        message = (
            "engine closed-form: the report's stepper has one mu and one e_n for all contacts; "
            "remove pairs."
        )
        raise ScenarioError(message)
    require_rotors_only(context.model)
    steps = round(context.duration / context.time_step)
    options = biped_stepper.StepperOptions(mu=float(context.mu[0]), e_n=float(context.e_n[0]))
    reference = None
    if context.reference is not None and isinstance(context.controller, TracksReference):
        reference = joint_reference(context.reference, context.time_step, steps)
        law = context.controller.law(context.time_step)
        options = replace(
            options,
            kp=law.kp,
            kd=law.kd,
            control_at_midpoint=law.lookahead > 0.0,
            internal_torques_only=bool(law.balanced),
        )
    parameters = parameters_of(context)
    q, u = context.initial_state[:6], context.initial_state[6:]
    result = biped_stepper.run(q, u, context.time_step, reference, steps, options, parameters)
    return _as_trajectory(result, options, Biped(parameters))


def joint_reference(
    source: Reference, time_step: float, steps: int
) -> biped_stepper.JointReference:
    """Sample a reference of the four joints at the start of every step of time_step [s]."""
    table = np.array([source.sample(k * time_step) for k in range(steps)]).reshape(-1, 3, 4)
    return biped_stepper.JointReference(table[:, 0], table[:, 1], table[:, 2])


def _as_trajectory(
    result: biped_stepper.StepperResult, options: biped_stepper.StepperOptions, machine: Biped
) -> Trajectory:
    """The rows that an engine would have recorded, with how the run ended."""
    builder = TrajectoryBuilder(LAYOUT, len(result.t))
    actuator_work = contact_work = 0.0
    torque = result.tau[:, 2:] if len(result.tau) > 0 else np.zeros((1, 4))
    dt = float(result.t[1] - result.t[0]) if len(result.t) > 1 else 0.0
    for k, time in enumerate(result.t):
        q, u = result.q[k], result.u[k]
        report = _Row(len(POINT_NAMES))
        if k > 0:
            before, mean = result.u[k - 1], 0.5 * (result.u[k - 1] + u)
            q_m = result.q[k - 1] + 0.5 * dt * before
            report.fill(machine, q_m, u, result.lambda_n[k], result.lambda_t[k], options.mu)
            report.iterations = int(result.iterations[k - 1])
            actuator_work += dt * float(result.tau[k - 1] @ mean)
            report.work = result.lambda_n[k] * (machine.w_n(q_m).T @ mean)
            report.work += result.lambda_t[k] * (machine.w_t(q_m).T @ mean)
            contact_work += float(report.work.sum())
        builder.append(
            float(time),
            q,
            u,
            torque[min(k, len(torque) - 1)],
            report,
            kinetic_energy=machine.kinetic_energy(q, u),
            potential_energy=machine.potential_energy(q),
            actuator_work=actuator_work,
            contact_work=contact_work,
        )
    if result.converged and not result.diverged:
        return builder.finish(Status.DONE)
    time = float(result.t[-1])
    if result.diverged:
        message = (
            f"the state diverges at t = {time:.4f} s: use a smaller time_step or softer gains."
        )
    else:
        message = (
            f"the report's fixed point does not converge at t = {time:.4f} s: "
            "use the engine moreau, whose solvers do not depend on its r."
        )
    return builder.finish(Status.FAILED, message, [Event(time, Status.FAILED.value, message)])


class _Row:
    """A contact report of the stepper, in the axes [n, t, s] with s empty."""

    def __init__(self, count: int) -> None:
        self.impulse = np.zeros((count, 3))
        self.velocity = np.zeros((count, 3))
        self.gap = np.zeros(count)
        self.p_WC = np.zeros((count, 3))
        self.mode = np.zeros(count, dtype=np.int8)
        self.work = np.zeros(count)
        self.residual = np.nan  # the stepper judges itself by its last change, not by a natural map
        self.normal = np.nan  # all have the ground's
        self.iterations = 0
        self.rung = 0

    def fill(
        self, machine: Biped, q_m: Array, u: Array, lambda_n: Array, lambda_t: Array, mu: float
    ) -> None:
        """Take a step's impulses; points are in the slope frame turned into the world."""
        alpha = machine.parameters.alpha
        self.gap = machine.g_n(q_m)
        self.impulse[:, 0], self.impulse[:, 1] = lambda_n, lambda_t
        active = self.gap <= 0.0
        self.velocity[active, 0] = (machine.w_n(q_m).T @ u)[active]
        self.velocity[active, 1] = (machine.w_t(q_m).T @ u)[active]
        self.mode[active] = classify(
            self.impulse[active], self.velocity[active], np.full(active.sum(), mu)
        )
        x, z = machine.points(q_m).T
        self.p_WC[:, 0] = x * np.cos(alpha) - z * np.sin(alpha)
        self.p_WC[:, 2] = x * np.sin(alpha) + z * np.cos(alpha)

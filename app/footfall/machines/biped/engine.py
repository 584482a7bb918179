"""The biped's closed form as an engine: the report's own stepper, and its result as a trajectory.

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part II.
"""

from dataclasses import replace

import numpy as np

from footfall.contact import classify
from footfall.errors import ScenarioError
from footfall.machines.biped.closed_form import stepper as biped_stepper
from footfall.machines.biped.closed_form.model import (
    COORDINATE_NAMES,
    POINT_NAMES,
    Biped,
    BipedParameters,
)
from footfall.machines.biped.closed_form.stepper import StepperOptions
from footfall.plants.coordinates import joint_damping
from footfall.plants.loading.load import Model
from footfall.plants.motors import reflected_inertias
from footfall.registry.context import MachineContext
from footfall.trajectory import Layout, Trajectory, trajectory_from_arrays
from footfall_controllers.controller import Reference
from footfall_controllers.inverse_dynamics import TracksReference

POINTS = tuple(f"biped::{name}" for name in POINT_NAMES)
"""Names of the contacts, in the order of the closed form's points."""
FEET = ("biped::foot_a", "biped::foot_b")
JOINTS = ("theta1", "theta2", "theta3", "theta4")
ACTUATORS = ("tau1", "tau2", "tau3", "tau4")


def parameters_of(context: MachineContext) -> BipedParameters:
    """The report's machine on the scenario's slope, with the rotors of the scenario's motors."""
    rotors = reflected_inertias(context.model.plant)
    tau1, tau2, tau3, tau4 = (rotors.get(name, 0.0) for name in ACTUATORS)
    return BipedParameters(
        alpha=context.slope, g=context.gravity, reflected=(tau1, tau2, tau3, tau4)
    )


def require_rotors_only(model: Model) -> None:
    """Raise ScenarioError for what the report's stepper has not: friction, limits of torque."""
    more = {
        "friction in its joints or motors": joint_damping(model.plant).any(),
        "motors whose torque is limited": any(m.is_limited for m in model.spec.motors.values()),
    }
    for what, there in more.items():
        if there:
            raise ScenarioError(
                f"engine closed-form: the report's stepper has no {what}, only rotors that turn: "
                "take them out of the scenario, or choose moreau or drake."
            )


LAYOUT = Layout(
    position=COORDINATE_NAMES,
    velocity=COORDINATE_NAMES,
    position_units=("m", "m", "rad", "rad", "rad", "rad"),
    velocity_units=("m/s", "m/s", "rad/s", "rad/s", "rad/s", "rad/s"),
    actuator=ACTUATORS,
    actuator_units=("N m",) * 4,
    contact=POINTS,
)


def closed_form(context: MachineContext) -> Trajectory:
    """Run the report's own stepper; raises ScenarioError for what it cannot express."""
    if np.ptp(context.mu) > 0.0 or np.ptp(context.e_n) > 0.0:
        raise ScenarioError(
            "engine closed-form: the report's stepper has one mu and one e_n for all contacts; "
            "remove pairs."
        )
    require_rotors_only(context.model)
    steps = round(context.duration / context.time_step)
    options = StepperOptions(mu=float(context.mu[0]), e_n=float(context.e_n[0]))
    reference = None
    if context.reference is not None and isinstance(context.controller, TracksReference):
        reference = joint_reference(context.reference, context.time_step, steps)
        law = context.controller
        options = replace(
            options,
            kp=law.kp,
            kd=law.kd,
            control_at_midpoint=law.at_midpoint,
            internal_torques_only=bool(law.balanced),
            gains_only=law.gains_only,
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
    result: biped_stepper.StepperResult, options: StepperOptions, machine: Biped
) -> Trajectory:
    """The trajectory that an engine would have recorded, with how the run ended."""
    rows, count = len(result.t), len(POINTS)
    impulse, velocity, p_WC = np.zeros((3, rows, count, 3))
    gap, work = np.zeros((rows, count)), np.zeros((rows, count))
    mode = np.zeros((rows, count), dtype=np.int8)
    actuator_work = np.zeros(rows)
    iterations = np.zeros(rows, dtype=np.int32)
    impulse[1:, :, 0] = result.lambda_n[1:]
    impulse[1:, :, 1] = result.lambda_t[1:]
    iterations[1:] = result.iterations[: rows - 1]
    dt = float(result.t[1] - result.t[0]) if rows > 1 else 0.0
    cos, sin = np.cos(machine.parameters.alpha), np.sin(machine.parameters.alpha)
    for k in range(1, rows):
        u, before = result.u[k], result.u[k - 1]
        mean = 0.5 * (before + u)
        q_m = result.q[k - 1] + 0.5 * dt * before
        w_n, w_t = machine.w_n(q_m).T, machine.w_t(q_m).T
        gap[k] = machine.g_n(q_m)
        active = gap[k] <= 0.0
        velocity[k, active, 0], velocity[k, active, 1] = (w_n @ u)[active], (w_t @ u)[active]
        mode[k, active] = classify(
            impulse[k, active], velocity[k, active], np.full(active.sum(), options.mu)
        )
        x, z = machine.points(q_m).T  # in the slope frame, turned into the world
        p_WC[k, :, 0] = x * cos - z * sin
        p_WC[k, :, 2] = x * sin + z * cos
        work[k] = result.lambda_n[k] * (w_n @ mean)
        work[k] += result.lambda_t[k] * (w_t @ mean)
        actuator_work[k] = actuator_work[k - 1] + dt * float(result.tau[k - 1] @ mean)
    last = np.minimum(np.arange(rows), max(len(result.tau) - 1, 0))
    return trajectory_from_arrays(
        LAYOUT,
        result.t,
        failure=_failure(result),
        q=result.q,
        v=result.u,
        actuation=result.tau[last, 2:] if len(result.tau) > 0 else 0.0,
        gap=gap,
        mode=mode,
        dissipation=0.0 - work,
        iterations=iterations,
        kinetic_energy=[
            machine.kinetic_energy(q, u) for q, u in zip(result.q, result.u, strict=True)
        ],
        potential_energy=[machine.potential_energy(q) for q in result.q],
        actuator_work=actuator_work,
        contact_work=np.cumsum(work.sum(axis=1)),
        impulse=impulse,
        contact_velocity=velocity,
        contact_point=p_WC,
    )


def _failure(result: biped_stepper.StepperResult) -> str:
    """The reason why the stepper ended before its time; '' if it did not."""
    time = float(result.t[-1])
    if result.diverged:
        return f"the state diverges at t = {time:.4f} s: use a smaller time_step or softer gains."
    if not result.converged:
        return (
            f"the report's fixed point does not converge at t = {time:.4f} s: "
            "use the engine moreau, whose solvers do not depend on its r."
        )
    return ""

"""The gait of a slope on other ground: actuation by an ankle besides the hip.

The document leaves the matrix B of A q'' + H + Q = B Gamma to the actuation, and does not give it.
By virtual work, with Gamma the torque of an actuator between two bodies and its angle c . q:

    hip, between the legs         B = (0, 1)
    ankle, ground to standing leg B = (1, 0)
    both                          B = 1

With the hip alone the energy can be led, not the motion. With both, every torque on q can be had:

    Gamma = Q_ground(q) - Q_slope(q)

gives the walker on its ground the motion of the passive one on a slope, in coordinates that turn
with the ground; a heel strike knows no gravity (M. W. Spong, F. Bullo: Controlled symmetries and
passive walking. IEEE Transactions on Automatic Control 50 (2005) 1025-1031). What is not the same
is the force of the ground: the foot has to be long enough for the ankle's torque.

States, frames and the source: `closed_form.model`.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from footfall.hybrid import HybridSystem, SectionMap, State, Transition, simulate
from footfall.machines.compass.closed_form.impact import impact, swap
from footfall.machines.compass.closed_form.model import (
    COMPONENT_NAMES,
    Compass,
    CompassParameters,
    delta,
    sigma,
)
from footfall.machines.compass.cycle import Cycle
from footfall.machines.compass.system import (
    BEHIND,
    SECTION,
    STRIKE,
    after_strike,
    striding,
    walking_system,
)

ACTUATION = {
    "hip": np.array([[0.0], [1.0]]),
    "ankle": np.array([[1.0], [0.0]]),
    "ankle and hip": np.eye(2),
}
"""B by where the actuators are."""
_POINTS = 2001  # of a step, at which its largest values are looked for
_MOST_TIME = 10.0  # s


@dataclass(frozen=True)
class Carried:
    """Torques, work and contact forces of a step on ground other than the slope of its gait.

    ankle, hip: largest torque [N m]; work: of both over a step [J]; foot: largest distance from
    the ankle at which the ground has to bear it [m]; normal: least force [N]; friction: largest
    coefficient needed before the strike.
    """

    ankle: float
    hip: float
    work: float
    foot: float
    normal: float
    friction: float


def carrying_torques(machine: Compass, slope: CompassParameters, q: State) -> State:
    """Torques of ankle and hip (2, ...) [N m] with which the machine moves as one on the slope."""
    found: State = machine.gravity(q) - Compass(slope).gravity(q)
    return found


def carried_system(
    machine: Compass, slope: CompassParameters, actuators: str = "ankle and hip"
) -> HybridSystem:
    """The walker on its own ground, with what its actuators can give of the torques.

    actuators: a name of `ACTUATION`; those that are not there give nothing.
    """
    B = ACTUATION[actuators]

    def acceleration(x: State) -> State:
        torques = carrying_torques(machine, slope, x)
        load = B @ (B.T @ torques) - machine.coriolis(x) - machine.gravity(x)
        (a, b), (_, d) = machine.inertia(x)
        return np.array([d * load[0] - b * load[1], a * load[1] - b * load[0]]) / (a * d - b * b)

    def derivative(_: Any, x: State) -> State:  # noqa: ANN401 (real or complex)
        return np.concatenate([x[2:], acceleration(x)])

    def strikes(_: Any, x: State) -> Transition:  # noqa: ANN401
        return Transition(BEHIND, swap(impact(machine, x).x))

    return striding(
        derivative,
        strikes,
        legs=(sigma, delta),
        normal=lambda x: machine.reaction(x, acceleration(x))[1],
        components=COMPONENT_NAMES,
    )


def carried_map(
    parameters: CompassParameters, slope: float, actuators: str = "ankle and hip"
) -> SectionMap:
    """Return map of y = (q1, q1', q2') after a heel strike; slope [rad]: of the gait."""

    def member(theta: Any) -> HybridSystem:  # noqa: ANN401 (real or complex)
        machine = Compass(replace(parameters, theta=theta))
        return carried_system(machine, replace(parameters, theta=slope), actuators)

    return SectionMap(
        member,
        mode=BEHIND,
        guard=STRIKE,
        embed=lambda y, _: after_strike(y),
        project=lambda x, _: x[SECTION],
        most_time=_MOST_TIME,
    )


def carried(cycle: Cycle, theta: float) -> Carried:
    """Return torques, work and contact forces of a cycle's gait on ground of slope theta [rad]."""
    passive, machine = Compass(cycle.parameters), Compass(replace(cycle.parameters, theta=theta))
    run = simulate(walking_system(passive), BEHIND, cycle.after, (0.0, np.inf), until=STRIKE)
    time = np.linspace(0.0, cycle.period, _POINTS)
    x = np.column_stack([run.at(time[:-1]), cycle.before])
    torques = carrying_torques(machine, cycle.parameters, x)
    along, normal = machine.reaction(x, passive.acceleration(x))
    power = (torques * x[2:]).sum(axis=0)
    return Carried(
        ankle=float(np.abs(torques[0]).max()),
        hip=float(np.abs(torques[1]).max()),
        work=float(np.trapezoid(power, time)),
        foot=float(np.abs(torques[0] / normal).max()),
        normal=float(normal.min()),
        friction=float(np.abs(along / normal).max()),
    )

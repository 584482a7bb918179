"""Motions of the hopper that go through all its transitions, and a judge who knows Newton's law.

The judge knows where the links' middles are, mass and gravity. Differences of the mass centre's
velocity along the motion give the force of the ground; nothing of the equations of motion, of the
guards or of the choice of phases is used.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from tests.machines.hopper.machine import Pieces

from footfall.hybrid import Options, simulate
from footfall.machines.hopper.closed_form.model import TEXT, HopperParameters
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.system import NO_TORQUE, HopperSystem, begin

STEP = 1e-4  # s, of differences along a motion
FORWARD, BACKWARD = "edge forward", "edge backward"
VANISHES, STOPS, LANDS = "lambda_n vanishes", "sliding stops", "P lands"
SLIDING = {JumpPhase.SLIP_FORWARD: 1.0, JumpPhase.SLIP_BACKWARD: -1.0}
SLIPPERY = replace(TEXT, mu=0.05)


def at(theta1=109.0, theta2=-108.0, z=0.0, v=(0.0, 0.0), w=(0.0, 0.0)):
    """A start: angles in degrees, height and velocity of P, rates of the angles."""
    return np.array([0.0, z, np.deg2rad(theta1), np.deg2rad(theta2), *v, *w])


def steps(*torques, times=()):
    """Constant torques, one after another."""
    return Pieces(tuple(lambda t, c=c: c + 0.0 * t for c in torques), times)


@dataclass(frozen=True)
class Case:
    """A motion that is to go through some phases; sequence: (guard, phase after it), in order."""

    start: JumpPhase
    sequence: tuple
    x: Any = field(default_factory=at)
    drive: Any = NO_TORQUE
    parameters: HopperParameters = TEXT
    horizon: float = 0.3


STICK, FLIGHT = JumpPhase.STICK, JumpPhase.FLIGHT
AHEAD, BACK = JumpPhase.SLIP_FORWARD, JumpPhase.SLIP_BACKWARD
CASES = {
    # without a jump of the torque
    "stick to slip-": Case(
        STICK,
        ((BACKWARD, BACK), (VANISHES, FLIGHT)),
        drive=Pieces((lambda t: 40.0 * t,)),
        horizon=0.2,
    ),
    "stick to slip+": Case(
        STICK,
        ((FORWARD, AHEAD), (VANISHES, FLIGHT), ("R lands", None)),
        drive=Pieces((lambda t: -40.0 * t,)),
    ),
    "slip+ to stick": Case(AHEAD, ((STOPS, STICK), ("R lands", None)), at(v=(0.3, 0.0))),
    "slip- to stick": Case(
        BACK, ((STOPS, STICK), (FORWARD, AHEAD), ("R lands", None)), at(v=(-0.3, 0.0))
    ),
    "slip+ to slip-": Case(
        AHEAD, ((STOPS, BACK), (VANISHES, FLIGHT)), at(v=(0.2, 0.0)), steps(1.0), SLIPPERY, 0.2
    ),
    "slip- to slip+": Case(
        BACK, ((STOPS, AHEAD), ("R lands", None)), at(v=(-0.2, 0.0)), NO_TORQUE, SLIPPERY
    ),
    # at jumps of the torque
    "stick to flight": Case(
        STICK,
        (("torque jumps 1", FLIGHT), ("R lands", None)),
        drive=steps(0.0, -5.0, times=(0.02,)),
    ),
    "stick to stick": Case(
        STICK, (("torque jumps 1", STICK),), drive=steps(0.0, 0.7, times=(0.01,)), horizon=0.03
    ),
    "stick to slip- at a jump": Case(
        STICK,
        (("torque jumps 1", BACK), (VANISHES, FLIGHT)),
        drive=steps(0.6, 6.0, times=(0.01,)),
        horizon=0.1,
    ),
    "stick to slip+ at a jump": Case(
        STICK,
        (("torque jumps 1", AHEAD), (VANISHES, FLIGHT)),
        drive=steps(0.6, -0.4, times=(0.01,)),
        horizon=0.1,
    ),
    "slip+ to flight at a jump": Case(
        AHEAD,
        (("torque jumps 1", FLIGHT), ("R lands", None)),
        at(v=(0.5, 0.0)),
        steps(0.0, -3.0, times=(0.02,)),
        SLIPPERY,
    ),
    "slip+ to slip+": Case(
        AHEAD,
        (("torque jumps 1", AHEAD),),
        at(v=(0.5, 0.0)),
        steps(0.0, 0.5, times=(0.02,)),
        SLIPPERY,
        0.05,
    ),
    "flight to flight": Case(
        FLIGHT,
        (("torque jumps 1", FLIGHT),),
        at(z=0.3),
        steps(0.5, -0.5, times=(0.05,)),
        horizon=0.1,
    ),
    # landings
    "flight to stick": Case(FLIGHT, ((LANDS, STICK), ("R lands", None)), at(z=0.02)),
    "flight to slip+": Case(
        FLIGHT,
        ((LANDS, AHEAD), (STOPS, STICK), ("R lands", None)),
        at(z=0.02, v=(0.5, 0.0)),
    ),
    "flight to slip-": Case(
        FLIGHT, ((LANDS, BACK), ("Q lands", None)), at(100.0, -60.0, 0.05, (-1.5, 0.0))
    ),
    "P lands and leaves": Case(
        FLIGHT, ((LANDS, FLIGHT), ("R lands", None)), at(z=0.01, v=(0.0, -1.0)), steps(-1.0)
    ),
    "P rebounds": Case(
        FLIGHT,
        ((LANDS, FLIGHT), (LANDS, FLIGHT)),
        at(100.0, -20.0, 0.02),
        NO_TORQUE,
        replace(TEXT, e_n=0.4, mu=0.9),
        0.14,
    ),
    # ends
    "Q lands in slip": Case(
        BACK, ((STOPS, AHEAD), ("Q lands", None)), at(30.0, 60.0), NO_TORQUE, horizon=1.0
    ),
    "Q lands in flight": Case(
        FLIGHT, (("Q lands", None),), at(60.0, -100.0, 0.3, w=(0.0, -10.0)), horizon=1.0
    ),
    "nothing moves": Case(STICK, (), at(90.0, 0.0)),
    # the motor's bound
    "saturated in stick and in flight": Case(
        STICK,
        (
            ("torque saturates", STICK),
            ("torque returns", STICK),
            (FORWARD, AHEAD),
            (VANISHES, FLIGHT),
            ("torque saturates", FLIGHT),
        ),
        drive=Pieces((lambda t: 2.0 * np.sin(40.0 * t),)),
        parameters=replace(TEXT, tau_max=1.0),
        horizon=0.12,
    ),
}


def run_of(machine, drive, x, horizon, **options):
    first = begin(machine, drive, x)
    system = HopperSystem(machine, drive).system()
    return simulate(system, first.mode, first.state, (0.0, horizon), Options(**options))


# --- the judge -----------------------------------------------------------------------------------


def centre_velocity(machine, x):
    """Velocity of the mass centre, the mean of those of the links' middles, (2, k)."""
    l = machine.parameters.l
    angles, turns = (x[2], x[2] + x[3]), (x[6], x[6] + x[7])
    links = [
        2.0 * l * w * np.array([-np.sin(a), np.cos(a)]) for a, w in zip(angles, turns, strict=True)
    ]
    return x[4:6] + 0.75 * links[0] + 0.25 * links[1]


def force_at(machine, path, t, side):
    """Force of the ground (2,) by Newton, from differences along a motion.

    side: 0 uses times around t, -1 and 1 those before and after.
    """
    if side == 0:
        offsets, weights = [-2, -1, 1, 2], np.array([1.0, -8.0, 8.0, -1.0]) / 12.0
    else:
        offsets = [side * k for k in range(5)]
        weights = -side * np.array([25.0, -48.0, 36.0, -16.0, 3.0]) / 12.0
    times = t + STEP * np.array(offsets)
    a = centre_velocity(machine, path(times)[:8]) @ weights / STEP
    return machine.mass * (a + np.array([0.0, machine.parameters.g]))


def link_middles(l, x):
    """Places and velocities of the links' middles, (2, k) each."""
    first, second = x[2], x[2] + x[3]
    turns = x[6], x[6] + x[7]
    one, two = (np.array([np.cos(a), np.sin(a)]) for a in (first, second))
    across = np.array([-one[1], one[0]]), np.array([-two[1], two[0]])
    places = x[:2] + l * one, x[:2] + 2.0 * l * one + l * two
    speeds = (
        x[4:6] + l * turns[0] * across[0],
        x[4:6] + 2.0 * l * turns[0] * across[0] + l * turns[1] * across[1],
    )
    return places, speeds

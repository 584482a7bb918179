"""Walkers in random postures on the ground, in any of their phases."""

import functools
from typing import NamedTuple

import numpy as np
import scipy.linalg

from footfall.machines.humanoid.closed_form.chain import chain_motion, leg_from_foot, place
from footfall.machines.humanoid.closed_form.newton_euler import double_support, single_support
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters
from footfall.machines.humanoid.closed_form.phases import TOE, GaitPhase, moving_joints
from footfall.machines.humanoid.closed_form.walker import Ground
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

PHASES = tuple(GaitPhase)
DOUBLE = tuple(phase for phase in GaitPhase if phase.is_double)
SINGLE = tuple(phase for phase in GaitPhase if not phase.is_double)
ROLL = np.array([0, 1, 8, 9])  # indices of hip and ankle rolls


class Walker(NamedTuple):
    """A walker in motion: numbers, ground, angles, rates and torques (12,)."""

    p: object
    ground: Ground
    angle: np.ndarray
    rate: np.ndarray
    torque: np.ndarray

    @property
    def phase(self):
        return GaitPhase(self.ground.phase)

    @property
    def columns(self):
        return moving_joints(self.phase)

    @property
    def equations(self):
        return equations(self.p, self.ground, self.angle, self.rate)


def equations(p, ground, angle, rate):
    """Newton-Euler equations of a phase."""
    phase = GaitPhase(ground.phase)
    columns = moving_joints(phase)
    if phase.is_double:
        return double_support(
            p, phase.side, ground.ankle, ground.toe, angle[columns], rate[columns]
        )
    return single_support(p, phase.side, ground.ankle, angle[columns], rate[columns])


def reduced(equations):
    """M, B, A of (3.117), reactions eliminated as in (3.119) to (3.122).

    The thesis looks for rows whose block D22 can be inverted, by trying random interchanges; an
    orthonormal basis of the left null space of all reactions' columns gives the same torques.
    """
    n = equations.A.shape[1]
    rows = scipy.linalg.null_space(equations.gamma[:, n:].T).T
    return rows @ equations.gamma[:, :n], rows @ equations.b, rows @ equations.A


@functools.cache
def context(name="opc", *settings):
    """A shipped scenario of the walker as its machine sees it; must not be changed."""
    scenario = load_scenario(f"humanoid/{name}", settings)
    return context_of(scenario, build_robot(scenario))


def walker(phase, seed, **parameters):
    """A walker in a random posture and motion that its feet allow."""
    generator = np.random.default_rng(seed)
    p = HumanoidParameters(**parameters).numbers()
    angle = generator.uniform(-0.6, 0.6, 12)
    angle[2 * TOE :] = 0.0
    ankle = np.append(generator.uniform(-1.0, 1.0, 2), p.a10)
    rate, torque = generator.normal(size=12), 20.0 * generator.normal(size=12)
    still = np.setdiff1d(np.arange(12), moving_joints(phase))
    if not phase.is_double:
        rate[still] = torque[still] = 0.0
        return Walker(p, Ground(int(phase), ankle, np.zeros(3)), angle, rate, torque)
    toe = on_its_toe(p, phase, ankle, angle)
    ground = Ground(int(phase), ankle, toe)
    rate[still] = torque[still] = 0.0
    columns = moving_joints(phase)
    closure = equations(p, ground, angle, rate).closure
    rate[columns] -= np.linalg.pinv(closure) @ closure @ rate[columns]
    return Walker(p, ground, angle, rate, torque)


def on_its_toe(p, phase, ankle, angle):
    """Place of the toe's hinge, and in place the angles that lay the toe level.

    The legs turn the trunk by Rx Ry Rx and Ry Rx Ry Rx, so the toe, the ankle's roll and the sum of
    the pitches of the leg on its toe are the Euler angles YXY of what the others leave.
    """
    side, other = phase.side, 1 - phase.side
    columns = np.concatenate([moving_joints(GaitPhase(phase + 1))])
    motion = chain_motion(leg_from_foot(p, side), ankle, angle[columns], np.zeros(10))
    Q = motion.R[5]  # of the hip's link: Ry(-toe) Rx(-ankle roll) Ry(-sum of pitches)
    sine = np.sign(angle[8 + other]) * np.hypot(Q[0, 1], Q[2, 1])
    angle[8 + other] = -np.arctan2(sine, Q[1, 1])
    angle[10 + other] = -np.arctan2(Q[0, 1] / sine, Q[2, 1] / sine)
    pitches = -np.arctan2(Q[1, 0] / sine, -Q[1, 2] / sine)
    angle[2 + other] = pitches - angle[4 + other] - angle[6 + other]
    motion = chain_motion(leg_from_foot(p, side), ankle, angle[columns], np.zeros(10))
    return place(motion, 9, np.array([p.d10, 0.0, -p.a10]))

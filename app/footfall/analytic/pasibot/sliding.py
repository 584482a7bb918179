"""The 69 equations of PASIBOT on a foot that slides, extended as section 7 does: (31) to (36).

A foot that slides has an acceleration x1'' along the floor, which every link shares, (16), (17): a
column of masses m_i, in the rows of Newton's law along x, makes room for it in (19), and a row for
the law of friction

    f01x + mu_k f01y sign(x1') = 0,    f01 = m_1 (x1'' + j g) + f12 + f1|12,

in which the floor's force is that of the foot's own equations, (29). The 70 unknowns are those of
`bodies.unknowns` and x1''; where T8 is given, th8'' takes its place. Without slip the matrices are
those of `newton_euler`. `two_freedoms` is the same machine in two equations.

The moment about the foot's mass centre, (30), gives the zero-moment point. (30) to (36) are lost;
they are rebuilt from the text, which says what is added where.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from footfall.analytic.pasibot.bodies import LINKS, PAIRS, PLACE, Body, bodies
from footfall.analytic.pasibot.jets import Array
from footfall.analytic.pasibot.motion import STEP_BEGINS, STEP_ENDS, Pose, pose
from footfall.analytic.pasibot.newton_euler import SIZE, coefficients, right_side
from footfall.analytic.pasibot.parameters import PasibotParameters
from footfall.analytic.pasibot.start import Peak
from footfall.analytic.pasibot.two_freedoms import TwoFreedoms, two_freedoms

_TORQUE, _SLIDING = SIZE - 1, SIZE


class SlidingDynamics(NamedTuple):
    """As `newton_euler.Dynamics`, and sliding: x1'' [m/s^2], the last of the unknowns (..., 70)."""

    torque: Array
    acceleration: Array
    sliding: Array
    joints: Array
    floor: Array
    zmp: Array
    unknowns: Array


def sliding_inverse(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    acceleration: float | Array,
    friction: float | Array,
) -> SlidingDynamics:
    """Torque, x1'' and all forces of a given motion of the crank, (34).

    th8 [rad], rate th8', acceleration th8''; friction: mu_k with the sign of x1', or of the motion
    that is imminent.
    """
    th8, rate, acceleration, friction = _broadcast(th8, rate, acceleration, friction)
    at, of = pose(parameters, th8), bodies(parameters)
    A, known, slope = _system(parameters, at, of, rate, friction)
    solution = _solve(A, known + slope * acceleration[..., None])
    return _read(parameters, at, solution, solution[..., _TORQUE], acceleration)


def sliding_forward(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    torque: float | Array,
    friction: float | Array,
) -> SlidingDynamics:
    """Accelerations th8'' and x1'' and all forces under a given torque T8 [N m], (36).

    Raises ValueError beyond Painleve's friction, see `two_freedoms`.
    """
    th8, rate, torque, friction = _broadcast(th8, rate, torque, friction)
    two_freedoms(parameters, th8).determinant(friction)  # refuses what has no answer
    at, of = pose(parameters, th8), bodies(parameters)
    A, known, slope = _system(parameters, at, of, rate, friction)
    known = known - A[..., _TORQUE] * torque[..., None]
    A[..., _TORQUE] = -slope
    solution = _solve(A, known)
    return _read(parameters, at, solution, torque, solution[..., _TORQUE])


def painleve_friction(parameters: PasibotParameters) -> Peak:
    """Least mu_k at which the determinant of (36) vanishes within a step, and where it does.

    There no force of the floor is large enough. The direction of sliding is the sign of S V' there.
    Below it a torque and the rates determine all forces.
    """

    def least(at: TwoFreedoms) -> Array:
        whole = at.inertia * at.mass - at.sway * at.sway
        return np.asarray(at.g * whole / np.abs(at.sway * at.gravity))

    grid = np.linspace(STEP_BEGINS, STEP_ENDS, 721)
    found = least(two_freedoms(parameters, grid))
    best = int(np.argmin(found))
    finer = minimize_scalar(
        lambda th8: float(least(two_freedoms(parameters, th8))),
        bounds=(grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]),
        method="bounded",
        options={"xatol": 1e-10},
    )
    if finer.fun < found[best]:
        return Peak(float(finer.fun), float(finer.x))
    return Peak(float(found[best]), float(grid[best]))


def _system(
    parameters: PasibotParameters, at: Pose, of: dict[str, Body], rate: Array, friction: Array
) -> tuple[Array, Array, Array]:
    """Matrix (..., 70, 70), right side without th8'' and what multiplies th8'' in it, (..., 70)."""
    shape = at.joints.value.shape[1:]
    A = np.zeros((*shape, SIZE + 1, SIZE + 1))
    A[..., :SIZE, :SIZE] = coefficients(at)
    for link in LINKS[1:]:
        A[..., 3 * (PLACE[link] - 1), _SLIDING] = -of[link].mass
    column = 0
    for pair in PAIRS:
        if pair.first == "1":
            A[..., SIZE, column] = 1.0
            A[..., SIZE, column + 1] = friction
        column += 1 if pair.sliding else 2
    foot = of["1"].mass
    A[..., SIZE, _SLIDING] = foot
    known, slope = np.zeros((*shape, SIZE + 1)), np.zeros((*shape, SIZE + 1))
    known[..., :SIZE], slope[..., :SIZE] = right_side(parameters, at, rate)
    known[..., SIZE] = -friction * foot * parameters.g
    return A, known, slope


def _read(
    parameters: PasibotParameters, at: Pose, solution: Array, torque: Array, acceleration: Array
) -> SlidingDynamics:
    """The unknowns by what they are, and the supporting foot's equations, (29) and (30)."""
    joints, column = [], 0
    for pair in PAIRS:
        if pair.sliding:
            joints.append(solution[..., column] * at.slot.value)
            column += 1
        else:
            joints.append(solution[..., column] + 1j * solution[..., column + 1])
            column += 2
    sliding, foot = solution[..., _SLIDING], bodies(parameters)["1"]
    centre = at.centres.value[PLACE["1"]]
    mine = [place for place, pair in enumerate(PAIRS) if pair.first == "1"]
    floor = foot.mass * (sliding + 1j * parameters.g) + sum(joints[place] for place in mine)
    moment = sum(
        np.imag(np.conj(at.joints.value[place] - centre) * joints[place]) for place in mine
    )
    zmp = np.real(centre) + (moment - np.imag(centre) * np.real(floor)) / np.imag(floor)
    return SlidingDynamics(torque, acceleration, sliding, np.array(joints), floor, zmp, solution)


def _solve(A: Array, b: Array) -> Array:
    """A x = b; one correction takes back what elimination lost."""
    solution = np.linalg.solve(A, b[..., None])
    corrected: Array = (solution + np.linalg.solve(A, b[..., None] - A @ solution))[..., 0]
    return corrected


def _broadcast(*values: float | Array) -> list[Array]:
    """Values as arrays of one shape."""
    return list(np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in values)))

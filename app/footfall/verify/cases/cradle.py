"""Newton's cradle: what laws of impact make of three balls, touching or a little apart."""

import numpy as np

from footfall.arrays import Array
from footfall.textbook.cradle import newton, one_after_another, poisson
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, Measured, case
from footfall.verify.observables import last_position, last_velocity, position_of

MASSES = np.ones(3)  # kg
ARRIVING = np.array([1.0, 0.0, 0.0])  # m/s
ELASTIC = np.ones(2)
MIXED = np.array([0.0, 1.0])
WAY = 0.05  # m, before the first ball arrives
GAP = 1e-3  # m, between the last two balls where they are apart

_STEPS = (4e-3, 2e-3, 1e-3)
_DURATION = 0.1  # s, of the scenario


def _momentum(trajectory: Trajectory) -> float:
    speeds = np.array([last_velocity(f"x{ball}")(trajectory) for ball in (1, 2, 3)])
    return float(MASSES @ speeds)


def _kinetic(trajectory: Trajectory) -> float:
    return float(trajectory.data["kinetic_energy"].to_numpy()[-1])


def _case(name: str, speeds: Array, gap: float = 0.0) -> Case:
    """Case in which the balls leave with these speeds, the last two of them a gap apart."""
    quantities: dict[str, Measured] = {
        f"speed of ball {ball} at the end": (float(speed), last_velocity(f"x{ball}"), 1e-10)
        for ball, speed in enumerate(speeds, start=1)
    }
    quantities["momentum at the end"] = float(MASSES @ ARRIVING), _momentum, 1e-10
    quantities["kinetic energy at the end"] = float(0.5 * MASSES @ speeds**2), _kinetic, 1e-10

    def place(t: Array) -> Array:
        """Place of the last ball [m], which the first one reaches through the gaps."""
        return gap + speeds[2] * np.maximum(t - (WAY + gap) / ARRIVING[0], 0.0)

    late = 2.0 * float(speeds[2]) * _STEPS[-1]
    end = float(place(np.array(_DURATION)))
    quantities["place of the last ball at the end"] = end, last_position("x3"), late
    return case(name, _STEPS, quantities, position_of("x3"), place)


_NEWTON, _ = newton(MASSES, ELASTIC, ARRIVING)
_POISSONS, _ = poisson(MASSES, ELASTIC, ARRIVING)
_MIXED_NEWTON, _ = newton(MASSES, MIXED, ARRIVING)
_MIXED_POISSON, _ = poisson(MASSES, MIXED, ARRIVING)
_APART = one_after_another(MASSES, ELASTIC, ARRIVING, np.array([-WAY, 0.0, GAP]))

CASES = (
    _case("cradle_newton", _NEWTON),
    _case("cradle_poisson", _POISSONS),
    _case("cradle_mixed_newton", _MIXED_NEWTON),
    _case("cradle_mixed_poisson", _MIXED_POISSON),
    _case("cradle_apart", _APART, GAP),
)

"""A four-bar linkage whose loop a ball constraint closes."""

import numpy as np

from footfall.textbook.four_bar import FourBar
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, case
from footfall.verify.observables import energy_error, last_position, position, position_of

LINKAGE = FourBar(a=0.3, b=0.9, c=0.8, d=1.0, m_a=0.5, m_b=1.0, m_c=1.0, g=9.81)
START, RATE = 0.0, 10.0  # rad, rad/s
END = 0.6  # s


def _gap(trajectory: Trajectory) -> float:
    """Largest distance between the ends of coupler and rocker [m]."""
    phi, psi = position(trajectory, "phi"), position(trajectory, "psi")
    beta = phi + position(trajectory, "coupler")
    ends = LINKAGE.a * np.exp(1j * phi) + LINKAGE.b * np.exp(1j * beta)
    return float(np.abs(ends - LINKAGE.d - LINKAGE.c * np.exp(1j * psi)).max())


def _case(name: str, crank: float, rocker: float, energy: float) -> Case:
    """Case of a scheme: tolerances of crank, rocker and energy."""
    end = LINKAGE.turn(START, RATE, np.array([END]))
    return case(
        name,
        (2e-3, 1e-3, 5e-4, 2.5e-4),
        {
            "angle of the crank after 0.6 s": (float(end[0]), last_position("phi"), crank),
            "angle of the rocker after 0.6 s": (
                float(LINKAGE.angles(end).psi[0]),
                last_position("psi"),
                rocker,
            ),
            "largest error of the energy": (0.0, energy_error, energy),
            "largest gap of the loop": (0.0, _gap, 1e-12),
        },
        position_of("psi"),
        lambda time: LINKAGE.angles(LINKAGE.turn(START, RATE, time)).psi,
    )


CASES = (
    _case("four_bar", 5e-2, 1e-2, 0.2),
    _case("four_bar_midpoint", 2e-6, 5e-7, 1e-4),
)

"""A four-bar linkage whose loop a ball constraint closes."""

import numpy as np

from footfall.textbook.four_bar import FourBar
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, Quantity, quantity
from footfall.verify.observables import energy_error, last_position, position, position_curve

LINKAGE = FourBar(a=0.3, b=0.9, c=0.8, d=1.0, m_a=0.5, m_b=1.0, m_c=1.0, g=9.81)
START, RATE = 0.0, 10.0  # rad, rad/s
END = 0.6  # s
_STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4)
_END_ANGLE = LINKAGE.turn(START, RATE, np.array([END]))


def _gap(trajectory: Trajectory) -> float:
    """Largest distance between the ends of coupler and rocker [m]."""
    phi, psi = position(trajectory, "phi"), position(trajectory, "psi")
    beta = phi + position(trajectory, "coupler")
    ends = LINKAGE.a * np.exp(1j * phi) + LINKAGE.b * np.exp(1j * beta)
    return float(np.abs(ends - LINKAGE.d - LINKAGE.c * np.exp(1j * psi)).max())


_CURVE = CaseCurve(
    "angle of the rocker (rad)",
    position_curve("psi"),
    lambda time: LINKAGE.angles(LINKAGE.turn(START, RATE, time)).psi,
)


def _quantities(
    tolerances: tuple[float, float, float], *, order: float, angle: str, energy: str
) -> tuple[Quantity, ...]:
    """Quantities of a scheme: tolerances of crank, rocker and energy, with their reasons."""
    return (
        quantity(
            "angle of the crank after 0.6 s",
            "rad",
            float(_END_ANGLE[0]),
            last_position("phi"),
            tolerances[0],
            angle,
            order=order,
        ),
        quantity(
            "angle of the rocker after 0.6 s",
            "rad",
            float(LINKAGE.angles(_END_ANGLE).psi[0]),
            last_position("psi"),
            tolerances[1],
            "as the crank's",
            order=order,
        ),
        quantity(
            "largest error of the energy",
            "J",
            0.0,
            energy_error,
            tolerances[2],
            energy,
            order=order,
        ),
        quantity(
            "largest gap of the loop",
            "m",
            0.0,
            _gap,
            1e-12,
            "positions are moved back onto the loop at every step, to rounding",
        ),
    )


CASES = (
    Case(
        name="four_bar",
        title="A four-bar linkage turns under gravity",
        statement=(
            "Crank, coupler and rocker of uniform bars; a ball constraint closes the loop. "
            "Freudenstein's equation gives the rocker's angle from the crank's, energy the "
            "crank's rate: φ' = √(2 (E − V(φ))/J(φ)) with the reduced moment J, which is "
            "integrated to 12 digits. The loop must stay closed all the way."
        ),
        source=(
            "F. Freudenstein, Transactions of the ASME 77 (1955) 853–861; R. S. Hartenberg, J. "
            "Denavit, Kinematic Synthesis of Linkages, McGraw-Hill 1964"
        ),
        scenario="verify/four_bar",
        steps=_STEPS,
        quantities=_quantities(
            (5e-2, 1e-2, 0.2),
            order=1.0,
            angle="the loop is held at velocity level in the middle of the step: first order",
            energy="every step takes away the velocity by which the loop has turned in it: dt² a "
            "step",
        ),
        curve=_CURVE,
        drake=("drake-sap",),
        drake_note=(
            "Drake's constraints are those of its SAP solver in all approximations; sap stands for "
            "them. Its loop opens by 0.40 mm at 2 ms and 6 µm at 0.25 ms, as dt²; its angles are "
            "four times nearer than Moreau's at the same step, with the same order."
        ),
    ),
    Case(
        name="four_bar_midpoint",
        title="The same linkage by the implicit midpoint rule",
        statement=(
            "With moreau.scheme: implicit-midpoint the loop is closed at the end of every step, in "
            "position and in velocity, and its impulses act as they lie in the middle. The step "
            "read backwards is the same step, so that energy only swings, with dt²."
        ),
        source="E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, Springer 2006",
        scenario="verify/four_bar",
        settings=("moreau.scheme=implicit-midpoint",),
        steps=_STEPS,
        quantities=_quantities(
            (2e-6, 5e-7, 1e-4), order=2.0, angle="second order", energy="second order, no trend"
        ),
        curve=_CURVE,
        drake=(),
    ),
)

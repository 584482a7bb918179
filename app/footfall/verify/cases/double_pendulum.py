"""Kane's double pendulum: a frictional impact to which Newton's law gives energy."""

from collections.abc import Callable

import numpy as np

from footfall.arrays import Array
from footfall.textbook import planar_impact
from footfall.textbook.double_pendulum import DoublePendulum
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, quantity
from footfall.verify.observables import energy, last_position, position, times

Law = Callable[[Array, Array, float, float], planar_impact.Answer]

PENDULUM = DoublePendulum(m=1.0, l=1.0, g=9.81)
AT_IMPACT = np.deg2rad([20.0, 30.0])
BEFORE = np.array([-1.0, -2.0])  # rad/s
IMPACT_TIME = 0.04  # s; a whole number of every step
MU, E_N = 0.5, 0.5
END = 0.2  # s; before the tip comes back
_STEPS = (4e-3, 2e-3, 1e-3, 5e-4)
_SOURCE = "T. R. Kane, D. A. Levinson, Dynamics: Theory and Applications, McGraw-Hill 1985"
_IMPACT = (
    "the step of the impact is carried out half a step deep in the ground, and has gravity in it"
)
_FLIGHT = "first order of the flight and of the velocities that the impact leaves"


def _energy(trajectory: Trajectory) -> Array:
    """Energy since the start [J]."""
    own = energy(trajectory)
    return own - own[0]


def _impulse(axis: str) -> Callable[[Trajectory], float]:
    return lambda trajectory: float(trajectory.data["impulse"].sel(axis=axis).sum())


def _lower(trajectory: Trajectory) -> float:
    """Angle of the lower rod from the vertical at the end [rad]."""
    return float(position(trajectory, "shoulder")[-1] + position(trajectory, "elbow")[-1])


def _case(name: str, law: Law, title: str, statement: str, source: str, **fields: object) -> Case:
    """Everything but the words is the same for all laws."""
    W, u = PENDULUM.delassus(AT_IMPACT), PENDULUM.tip_jacobian(AT_IMPACT) @ BEFORE
    r = law(W, u, MU, E_N).r
    gain = planar_impact.energy_change(W, u, r)
    after = PENDULUM.after_impact(AT_IMPACT, BEFORE, r)
    end = PENDULUM.flight(AT_IMPACT, after, END - IMPACT_TIME)(np.array(END - IMPACT_TIME))
    kinetic = 0.5 * BEFORE @ PENDULUM.mass_matrix(AT_IMPACT) @ BEFORE
    words = {
        "gain": f"{gain:+.3f} J".replace("-", "−"),
        "share": f"{100.0 * gain / kinetic:+.0f} %".replace("-", "−"),
    }
    return Case(
        name=name,
        title=title,
        statement=statement.format(**words),
        source=source,
        steps=_STEPS,
        quantities=(
            quantity(
                "energy gained in the impact",
                "J",
                gain,
                lambda t: float(_energy(t)[-1]),
                4e-3,
                _IMPACT,
                order=1.0,
            ),
            quantity("normal impulse", "N s", float(r[0]), _impulse("n"), 2e-2, _IMPACT, order=1.0),
            quantity(
                "friction impulse", "N s", float(r[1]), _impulse("t"), 5e-3, _IMPACT, order=1.0
            ),
            quantity(
                "angle of the upper rod at 0.2 s",
                "rad",
                float(end[0]),
                last_position("shoulder"),
                2e-4,
                _FLIGHT,
                order=1.0,
            ),
            quantity(
                "angle of the lower rod at 0.2 s",
                "rad",
                float(end[1]),
                _lower,
                1e-3,
                _FLIGHT,
                order=1.0,
            ),
        ),
        curve=CaseCurve(
            "energy since the start (J)",
            lambda trajectory: (times(trajectory), _energy(trajectory)),
            lambda time: np.where(time < IMPACT_TIME, 0.0, gain),
        ),
        **fields,  # type: ignore[arg-type] # scenario, settings, engines and note
    )


CASES = (
    _case(
        "double_pendulum",
        planar_impact.newton,
        "Kane's double pendulum: an impact that gives energy",
        "Two rods hang from a pin; the tip strikes rough ground (μ = 0.5) with 20° and 30° from "
        "the vertical, −1 and −2 rad/s. Newton's law, uₙ⁺ = −e uₙ⁻ with e = 0.5, stops the "
        "sliding tip and needs so large a friction impulse for it that the kinetic energy grows: "
        "{gain}, {share}. The engine carries the law out, and reports the gain as an event of the "
        "run.",
        f"{_SOURCE}; W of the tip is inverted by hand in footfall.textbook.planar_impact",
        scenario="verify/double_pendulum",
        drake_note=(
            "Drake's contact has no restitution: the pendulum loses 1.1 to 1.5 J where Newton "
            "gives it 1.36 J. A plastic impact takes 1.13 J, and so does sap at 2 and 4 ms; at "
            "smaller steps the tip strikes once more before 0.2 s. Lagged at 4 ms stops it by "
            "friction without any normal impulse."
        ),
    ),
    _case(
        "double_pendulum_poisson",
        planar_impact.poisson,
        "Kane's double pendulum by Poisson's law",
        "The same impact, with e = 0.5 the ratio of the normal impulses in expansion and "
        "compression. Now the kinetic energy changes by {gain}, {share}: the tip slides through "
        "compression and sticks in expansion.",
        "F. Pfeiffer, Ch. Glocker, Multibody Dynamics with Unilateral Contacts, Wiley 1996, ch. "
        "8;"
        f"{_SOURCE}",
        scenario="verify/double_pendulum_poisson",
        drake=(),
    ),
    _case(
        "double_pendulum_chatterjee",
        planar_impact.chatterjee_ruina,
        "Kane's double pendulum by Chatterjee and Ruina's law",
        "The same impact by the algebraic law with e = 0.5 and tangential restitution 0, whose "
        "impulse lies between that of no friction and that of sticking. The kinetic energy "
        "changes by {gain}, {share}.",
        "A. Chatterjee, A. Ruina, Journal of Applied Mechanics 65 (1998) 939–951",
        scenario="verify/double_pendulum",
        settings=("moreau.impact_law=chatterjee-ruina",),
        drake=(),
    ),
)

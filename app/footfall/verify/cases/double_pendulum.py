"""Kane's double pendulum: a frictional impact to which Newton's law gives energy."""

from collections.abc import Callable

import numpy as np

from footfall.arrays import Array
from footfall.textbook import planar_impact
from footfall.textbook.double_pendulum import DoublePendulum
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, case
from footfall.verify.observables import energy, last_position, position

Law = Callable[[Array, Array, float, float], planar_impact.Answer]

PENDULUM = DoublePendulum(m=1.0, l=1.0, g=9.81)
AT_IMPACT = np.deg2rad([20.0, 30.0])
BEFORE = np.array([-1.0, -2.0])  # rad/s
IMPACT_TIME = 0.04  # s; a whole number of every step
MU, E_N = 0.5, 0.5
END = 0.2  # s; before the tip comes back
_STEPS = (4e-3, 2e-3, 1e-3, 5e-4)


def _energy(trajectory: Trajectory) -> Array:
    """Energy since the start [J]."""
    own = energy(trajectory)
    return own - own[0]


def _impulse(axis: str) -> Callable[[Trajectory], float]:
    return lambda trajectory: float(trajectory.data["impulse"].sel(axis=axis).sum())


def _lower(trajectory: Trajectory) -> float:
    """Angle of the lower rod from the vertical at the end [rad]."""
    return float(position(trajectory, "shoulder")[-1] + position(trajectory, "elbow")[-1])


def _case(name: str, law: Law) -> Case:
    """Everything but the words is the same for all laws."""
    W, u = PENDULUM.delassus(AT_IMPACT), PENDULUM.tip_jacobian(AT_IMPACT) @ BEFORE
    r = law(W, u, MU, E_N).r
    gain = planar_impact.energy_change(W, u, r)
    after = PENDULUM.after_impact(AT_IMPACT, BEFORE, r)
    end = PENDULUM.flight(AT_IMPACT, after, END - IMPACT_TIME)(np.array(END - IMPACT_TIME))
    kinetic = 0.5 * BEFORE @ PENDULUM.mass_matrix(AT_IMPACT) @ BEFORE
    return case(
        name,
        _STEPS,
        {
            "energy gained in the impact": (gain, lambda t: float(_energy(t)[-1]), 4e-3),
            "normal impulse": (float(r[0]), _impulse("n"), 2e-2),
            "friction impulse": (float(r[1]), _impulse("t"), 5e-3),
            "angle of the upper rod at 0.2 s": (float(end[0]), last_position("shoulder"), 2e-4),
            "angle of the lower rod at 0.2 s": (float(end[1]), _lower, 1e-3),
        },
        _energy,
        lambda time: np.where(time < IMPACT_TIME, 0.0, gain),
        gain=f"{gain:+.3f} J".replace("-", "−"),
        share=f"{100.0 * gain / kinetic:+.0f} %".replace("-", "−"),
    )


CASES = (
    _case("double_pendulum", planar_impact.newton),
    _case("double_pendulum_poisson", planar_impact.poisson),
    _case("double_pendulum_chatterjee", planar_impact.chatterjee_ruina),
)

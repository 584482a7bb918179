"""The smallest problem: a ball falls, and touches nothing before the end."""

from footfall.verify import Case, CaseCurve, quantity
from footfall.verify.observables import at, position, position_of

G = 9.81  # m/s^2


def _fallen(trajectory):
    """Fall of the ball after 0.2 s."""
    height = position(trajectory, "ball_z")
    return height[0] - at(0.2, trajectory, height)


def fallen(exact=0.5 * G * 0.2**2, tolerance=1e-12, order=None):
    """Its way, held against an exact one."""
    return quantity("way after 0.2 s", "m", exact, _fallen, tolerance, "rounding", order)


FALLEN = fallen()
FALL = Case(
    name="fall",
    title="A ball falls",
    statement="It falls by g t^(2)/2.",
    source="Galilei",
    scenario="smoke/Defaults",
    steps=(1e-2, 5e-3),
    quantities=(FALLEN,),
    curve=CaseCurve("height (m)", position_of("ball_z"), lambda t: 0.5 - 0.5 * G * t**2),
    settings=("duration=0.25",),
    drake=("drake-sap",),
)

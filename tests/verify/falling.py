"""The smallest problem: a ball falls, and touches nothing before the end."""

from footfall.verify import Case, CaseCurve, Quantity
from footfall.verify.observables import at, position, position_curve

G = 9.81  # m/s^2


def _fallen(trajectory):
    """Fall of the ball after 0.2 s."""
    height = position(trajectory, "ball_z")
    return height[0] - at(0.2, trajectory, height)


FALLEN = Quantity("way after 0.2 s", "m", 0.5 * G * 0.2**2, _fallen, 1e-12, "rounding")
FALL = Case(
    name="fall",
    title="A ball falls",
    statement="It falls by g t^(2)/2.",
    source="Galilei",
    scenario="smoke/Defaults",
    steps=(1e-2, 5e-3),
    quantities=(FALLEN,),
    curve=CaseCurve("height (m)", position_curve("ball_z"), lambda t: 0.5 - 0.5 * G * t**2),
    settings=("duration=0.25",),
    drake=("drake-sap",),
)

"""Options of MuJoCo in a scenario."""

from dataclasses import dataclass

from footfall.checked import Checked, checked, metadata, not_negative, one_of, positive

IMPLICIT = "implicitfast"

_SOLREF = metadata(
    lambda given: len(given) == 2 and (min(given) > 0.0 or max(given) <= 0.0),
    "give time constant [s] and damping ratio, both above 0, or -stiffness and -damping",
)
_SOLIMP = metadata(
    lambda given: (
        len(given) == 5
        and min(given[:2]) > 0.0
        and max(given[:2]) < 1.0
        and given[2] > 0.0
        and 0.0 < given[3] < 1.0
        and given[4] >= 1.0
    ),
    "give d_0 and d_width between 0 and 1, width above 0 [m], midpoint between 0 and 1, and power "
    "from 1 on",
)


@dataclass
class MujocoConfig(Checked, at="mujoco."):
    """Options of MuJoCo: its friction, the softness of its constraints, and its solver."""

    # Friction cone: elliptic, or pyramidal, with four faces.
    cone: str = one_of("elliptic", ("elliptic", "pyramidal"))
    # How much harder friction is than the normal force, in elliptic cones: with more of it what
    # sticks creeps less.
    impratio: float = positive(1.0)
    # Reference of contacts, joint limits, dry joints and loops: time constant [s], not below two
    # time steps, and damping ratio; or -stiffness [1/s^2] and -damping [1/s]. MuJoCo's own.
    solref: list[float] = checked([0.02, 1.0], _SOLREF)
    # Impedance of the same: d_0, d_width, width [m], midpoint, power. MuJoCo's own.
    solimp: list[float] = checked([0.9, 0.95, 0.001, 0.5, 2.0], _SOLIMP)
    # implicitfast, in which dampers and gains of drives take the velocity at the end of a step;
    # Euler, in which only dampers of joints do; or RK4, in which nothing does.
    integrator: str = one_of(IMPLICIT, (IMPLICIT, "Euler", "RK4"))
    # Iterations of the solver at most.
    iterations: int = positive(100)
    # Improvement by an iteration, relative to the scale of the machine, below which it ends.
    tolerance: float = not_negative(1e-8)
    # A touching contact counts as sticking below this slip speed [m/s].
    stick_speed: float = positive(1e-3)

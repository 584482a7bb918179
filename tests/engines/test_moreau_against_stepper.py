"""The Moreau engine, which has the URDF, against the report's stepper, which has the report's
matrices.
"""

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.slow import some_slow

GRID = 5.0 / 4999.0  # the listing's dt = (tf - t0) / (N - 1) with N = 5000 steps

CASES = {
    "climb": ("biped/climb",),
    "report's time grid": (
        "biped/climb",
        f"time_step={GRID}",
        f"controller.sample_period={GRID}",
        f"duration={5000 * GRID}",
    ),
    "climb, bouncing": ("biped/climb", "restitution=0.5", "duration=1"),
    "climb, slipping": ("biped/climb", "friction=0.3", "duration=1"),
    "climb, by the report's solver": ("biped/climb", "moreau.solver=fixed-point", "duration=1"),
    "climb with motors": ("biped/climb_geared",),
    "climb with heavy rotors": ("biped/climb_geared", "motors.tau*.gear_ratio=800", "duration=1"),
    "slide": ("biped/slide",),
    "internal torques": ("biped/climb_internal",),
    "law at the start of a step": ("biped/climb", "controller.at_midpoint=false", "duration=1"),
    "stage 1 on flat ground": ("biped/gait", "duration=3"),
    "stand": ("biped/stand", "duration=0.5"),
}
LONG = ("report's time grid", "climb with motors", "climb with heavy rotors", "slide")
LONG += ("stage 1 on flat ground",)


def _difference(name, *settings):
    """Largest differences over time: of q [m or rad], v, and torque over its size."""
    oracle = run(name, "closed-form", *settings).trajectory
    engine = run(name, "moreau", *settings).trajectory
    assert oracle.status.value == engine.status.value == "done"
    assert np.array_equal(oracle.data["time"], engine.data["time"])
    difference = np.abs(oracle.data - engine.data)
    return oracle, engine, difference


@pytest.mark.parametrize("name", some_slow(CASES, *LONG))
def test_same_states(name):
    # both solve the same equations: the difference is rounding and the solvers' 1e-10 to 1e-12 on
    # impulses, fed back with gains of 1e4 through 5000 steps. Measured: 1e-12 to 5e-11.
    _, _, difference = _difference(*CASES[name])
    assert float(difference["q"].max()) <= 1e-8
    # velocities jump: some tens of times more
    assert float(difference["v"].max()) <= 1e-6


@pytest.mark.parametrize("friction", [0.0, 1.0])
@pytest.mark.parametrize("restitution", some_slow([0.0, 0.5, 1.0], 0.5))
def test_same_states_of_a_limp_robot_that_falls(restitution, friction):
    # 1 s: a double pendulum doubles errors every 0.1 s or so, 1e-16 becomes 1e-13; measured below
    # 1e-12
    case = ("biped/drop", f"restitution={restitution}", f"friction={friction}")
    _, _, difference = _difference(*case)
    assert float(difference["q"].max()) <= 1e-8


def test_same_impulses_modes_and_account():
    oracle, engine, difference = _difference("biped/climb")
    # impulses up to 2 N s
    assert float(difference["impulse"].max()) <= 1e-8
    # gains of 1e4 times 1e-12, and M; of 1000 N m. The stepper has no torque for the row after its
    # last step.
    assert float(difference["actuation"][:-1].max()) <= 1e-5
    assert np.array_equal(oracle.data["mode"], engine.data["mode"])
    assert (engine.data["mode"] == 1).any()
    for name in ("kinetic_energy", "potential_energy", "actuator_work"):
        assert float(difference[name].max()) <= 1e-6  # of hundreds of joules
    # the stepper counts what feet that stay closed do as J turns, which no law asks for
    assert float(difference["contact_work"].max()) < 0.06 * -float(oracle.data["contact_work"][-1])
    for name in ("gap", "contact_point"):
        assert float(difference[name][1:].max()) <= 1e-8
    # at touching points; open ones report no velocity in either
    assert float(difference["contact_velocity"].max()) <= 1e-6

"""Every solver ends in the same state: contact problems of walking have one solution, whoever finds
it.
"""

import numpy as np
import pytest
from tests.scenario.runs import run_climb
from tests.slow import some_slow

SOLVERS = ("enumeration", "newton", "gauss-seidel", "proximal", "fixed-point")
DURATION = "duration=1.5"  # two steps, with a landing and double support


@pytest.mark.parametrize("solver", some_slow(SOLVERS, "enumeration", "proximal"))
def test_same_climb_by_every_solver(solver):
    chain = run_climb("moreau", DURATION)
    other = run_climb("moreau", DURATION, f"moreau.solver={solver}")
    assert other.trajectory.status.value == "done", other.trajectory.message
    # up to two feet at mu <= 1 the solution is unique; each is accepted at 1e-10 of impulses up to
    # 2 N s, and errors of one step decay under the gains: 1e-9 leaves a factor of ten
    apart = np.abs(other.trajectory.data["q"] - chain.trajectory.data["q"])
    assert float(apart.max()) <= 1e-9
    assert other.metrics["max_residual"] <= 1e-10


def test_the_report_of_a_run_names_the_stage():
    data = run_climb("moreau", DURATION, "moreau.solver=newton").trajectory.data
    loaded = (data["impulse"].sel(axis="n") > 0.0).any("contact").to_numpy()
    assert loaded.any()
    assert (data["stage"].to_numpy()[loaded] == 2).all()
    assert (data["iterations"].to_numpy()[loaded] > 0).all()

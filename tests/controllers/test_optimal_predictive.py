"""Criteria of predictive control that do not fit, and its weight of power.

That its accelerations are those of the thesis's formulas is asked in
tests/machines/humanoid/closed_form/test_opc.py.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.humanoid.walkers import PHASES, context, walker

from footfall.errors import ModelError, ScenarioError
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.plants.supports import Support
from footfall_controllers.optimal_predictive import (
    OptimalPredictive,
)
from footfall_controllers.tracked_points import TrackedPoint


def law(phase, **changes):
    """The shipped law of a phase, changed."""
    return replace(HumanoidWalk().predictive(walker(phase, 0, toe_share=0.001).p, phase), **changes)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"h": (1.0,) * 8}, "h has 8 weights where 9 are needed"),
        ({"r": (1.0,) * 10}, "r has 10 weights where 9 are needed"),
        ({"s": (1.0,)}, "s has 1 weights where 10 are needed"),
        ({"h": (-1.0,) + (1.0,) * 8}, "h is .*not negative"),
        ({"s": (np.nan,) * 10}, "s is .*not negative"),
        ({"s": (0.0,) * 10}, "give s > 0"),
        ({"horizon": 0.0}, "horizon is 0.0"),
        ({"power": -1.0}, "power is -1.0"),
    ],
)
def test_laws_that_do_not_fit_are_refused(wrong, says):
    with pytest.raises(ScenarioError, match=says):
        law(PHASES[1], **wrong)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"support": Support(("left_fot",))}, "left_fot"),
        ({"points": (TrackedPoint("hatt"),) * 3}, "hatt"),
        ({"free": ("left_knie",) + ("left_knee",) * 9}, "left_knie"),
    ],
)
def test_unknown_names_are_told(wrong, says):
    with pytest.raises(ModelError, match=says):
        OptimalPredictive(context().model.plant, [law(PHASES[1], **wrong)])


def test_no_law_at_all_is_refused():
    with pytest.raises(ValueError, match="needs the law of at least one phase"):
        OptimalPredictive(context().model.plant, [])


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
def test_a_weight_of_power_lessens_the_power(phase):
    w = walker(phase, 1, toe_share=0.001)
    plant = context().model.plant
    state = Coordinates(plant, w.p).state(w.ground, w.angle, w.rate)
    own = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    v = plant.GetVelocities(own)
    load = plant.CalcBiasTerm(own) - plant.CalcGravityGeneralizedForces(own)
    powers = []
    for weight in (0.0, 1e-3, 1e3):
        system = OptimalPredictive(plant, [law(phase, power=weight)])
        inner = system.CreateDefaultContext()
        system.GetInputPort("state").FixValue(inner, state)
        system.GetInputPort("reference").FixValue(
            inner, np.zeros(system.GetInputPort("reference").size())
        )
        system.GetInputPort("phase").FixValue(inner, [0.0, 0.0])
        a = system.GetOutputPort("acceleration").Eval(inner)
        powers.append(abs(v @ (plant.CalcMassMatrix(own) @ a + load)))
    assert powers[2] < powers[1] < powers[0]
    assert powers[2] < 1e-3 * powers[0]

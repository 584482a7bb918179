"""The shipped law of predictive control beside the thesis's, which tests write from its pages."""

import numpy as np
import pytest
from tests.machines.humanoid.printed_law import command, commanded, jacobian, outputs
from tests.machines.humanoid.recursion import links
from tests.machines.humanoid.walkers import PHASES, context, walker

from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.control import BySupport, HumanoidWalk, Weights
from footfall_controllers.optimal_predictive import OptimalPredictive

DT = 0.03


def setting(phase, seed):
    """A walker, and wishes (2, m) and weights h, r (m,), s (k,) drawn for it."""
    w = walker(phase, seed, toe_share=0.001)
    generator = np.random.default_rng(seed + 100)
    m, k = (6, 5) if phase.is_double else (9, 10)
    p = outputs(w, w.angle, w.rate)[0]
    wanted = np.array([p + 0.02 * generator.normal(size=m), generator.normal(size=m)])
    h, r, s = (generator.uniform(0.5, 2.0, size) for size in (m, m, k))
    return w, wanted, (h, r, 1e-2 * s)


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
def test_places_of_the_printed_law_are_the_walkers(phase):
    w = walker(phase, 0, toe_share=0.001)
    moving = links(w.p, w.ground, w.angle, w.rate, np.zeros(12))
    O1, up = moving[0].o, moving[0].R[:, 2]
    swinging = moving[5 + 6 * (1 - phase.side)]
    expected = [O1, O1 + w.p.c1 * up]
    if not phase.is_double:
        expected.insert(1, swinging.o - w.p.a10 * swinging.R[:, 2])
    assert outputs(w, w.angle, w.rate)[0] == pytest.approx(np.concatenate(expected), abs=1e-13)
    h, J = 1e-6, jacobian(w, w.angle)
    for column, j in zip(J.T, commanded(w), strict=True):
        one, other = (outputs(w, w.angle + s * np.eye(12)[j], w.rate)[0] for s in (h, -h))
        assert column == pytest.approx((one - other) / (2 * h), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("phase", PHASES)
def test_the_shipped_law_commands_the_same_with_weights_one_by_one(phase, seed):
    w, wanted, weights = setting(phase, seed)
    kind = "double" if phase.is_double else "single"
    h, r, s = (Weights(**{kind: values.tolist()}) for values in weights)
    gait = HumanoidWalk(
        position_weight=h,
        velocity_weight=r,
        acceleration_weight=s,
        horizon=BySupport(DT, DT),
    )
    plant = context().model.plant
    coordinates = Coordinates(plant, w.p)
    system = OptimalPredictive(plant, [gait.predictive(w.p, phase)])
    own = system.CreateDefaultContext()
    system.GetInputPort("state").FixValue(own, coordinates.state(w.ground, w.angle, w.rate))
    system.GetInputPort("reference").FixValue(own, wanted.ravel())
    system.GetInputPort("phase").FixValue(own, [0.0, 0.0])
    found = system.GetOutputPort("acceleration").Eval(own)[coordinates.v]
    expected = command(w, wanted, *weights, DT)
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize(("toe", "rows", "commands"), [(False, 6, 5), (True, 7, 6)])
def test_double_support_has_the_outputs_and_the_commands_of_3_156_unless_the_toe_is_tracked(
    toe, rows, commands
):
    law = HumanoidWalk(track_toe=toe).predictive(walker(PHASES[0], 0).p, PHASES[0])
    assert (law.rows, len(law.free)) == (rows, commands)
    assert (len(law.h), len(law.r), len(law.s)) == (rows, rows, commands)

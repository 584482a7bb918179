"""The predictive control as it is printed, and the controller for any plant beside it."""

import functools

import numpy as np
import pytest
from tests.machines.humanoid.recursion import links
from tests.machines.humanoid.walkers import PHASES, context, walker

from footfall.machines.humanoid.closed_form.opc import (
    Wanted,
    Weights,
    command,
    controlled,
    measure,
)
from footfall.machines.humanoid.closed_form.phases import NAMES, SIDES
from footfall.machines.humanoid.held_plant import Coordinates
from footfall.machines.humanoid.points import heels
from footfall.machines.humanoid.supports import support
from footfall_controllers.optimal_predictive import (
    OptimalPredictive,
    PredictivePhase,
)
from footfall_controllers.tracked_points import TrackedPoint


def setting(phase, seed):
    """A walker, and weights and wishes drawn for it."""
    w = walker(phase, seed, toe_share=0.001)
    generator = np.random.default_rng(seed + 100)
    m, k = (6, 5) if phase.is_double else (9, 10)
    p, J = controlled(w.p, w.ground, w.angle[own(w)])
    wanted = Wanted(p + 0.02 * generator.normal(size=m), generator.normal(size=m))
    h, r, s = (generator.uniform(0.5, 2.0, size) for size in (m, m, k))
    return w, wanted, Weights(h, r, 1e-2 * s, 0.03), J


def own(w):
    """Indices of the joints whose accelerations are chosen, from the flat foot on."""
    return w.columns[:5:-1] if w.phase.is_double else w.columns


@pytest.mark.parametrize("phase", PHASES)
def test_places_are_the_walkers_and_jacobians_finite_differences(phase):
    w, _, _, J = setting(phase, 0)
    q = w.angle[own(w)]
    p, _ = controlled(w.p, w.ground, q)
    moving = links(w.p, w.ground, w.angle, w.rate, np.zeros(12))
    O1, up = moving[0].o, moving[0].R[:, 2]
    swinging = moving[5 + 6 * (1 - phase.side)]
    expected = [O1, O1 + w.p.c1 * up]
    if not phase.is_double:
        expected.insert(1, swinging.o - w.p.a10 * swinging.R[:, 2])
    assert p == pytest.approx(np.concatenate(expected), abs=1e-13)
    h = 1e-6
    for j, step in enumerate(h * np.eye(len(q))):
        one, other = (controlled(w.p, w.ground, q + s * step)[0] for s in (1, -1))
        assert J[:, j] == pytest.approx((one - other) / (2 * h), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("phase", PHASES)
def test_the_minimum_is_the_least_of_3_136(phase, seed):
    w, wanted, weights, J = setting(phase, seed)
    q, rate, dt = w.angle[own(w)], w.rate[own(w)], weights.dt
    p, Jp = controlled(w.p, w.ground, q)[0], controlled(w.p, w.ground, q + rate * dt)[1]

    def performance(a):
        """(3.136) to (3.142), from predictions and not from their derivatives."""
        then = Jp @ (rate + a * dt)
        e_p = p + 0.5 * (J @ rate + then) * dt - wanted.p
        e_v = then - wanted.v
        found = 0.5 * e_p @ (weights.h * e_p) + 0.5 * dt**2 * e_v @ (weights.r * e_v)
        return found + 0.5 * 4.0 * dt**4 * a @ (weights.s * a)

    G, K = measure(w.p, w.ground, q, rate, wanted, weights)
    best = command(w.p, w.ground, w.angle, w.rate, wanted, weights)[own(w)]
    least = performance(best)
    for step in np.random.default_rng(seed).normal(size=(8, len(q))):
        rise = performance(best + step) - least
        assert rise > 0.0
        # the measure is a square: its rise is that of G alone
        assert rise == pytest.approx(0.5 * step @ G @ step, rel=1e-6, abs=1e-12 * least)
    slope = (performance(best + 1e-3) - performance(best - 1e-3)) / 2e-3
    assert slope == pytest.approx(0.0, abs=1e-9 * max(1.0, np.abs(K).max() * 1e3))


@functools.cache
def controller(phase, weights):
    """The controller for any plant with the thesis's choice of points and joints."""
    p = walker(phase, 0, toe_share=0.001).p
    h, r, s, dt = weights
    flat, other = SIDES[phase.side], SIDES[1 - phase.side]
    stands = [f"{flat}_{name}" for name in NAMES[4::-1]]
    points = [TrackedPoint("hat"), TrackedPoint("hat", (0.0, 0.0, p.c1))]
    swings = []
    if not phase.is_double:
        points.insert(1, heels(p)[1 - phase.side])
        swings = [f"{other}_{name}" for name in NAMES[:5]]
    law = PredictivePhase(support(phase), tuple(points), (), (*stands, *swings), h, r, s, dt)
    return OptimalPredictive(context().model.plant, [law])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("phase", PHASES)
def test_the_controller_of_any_plant_commands_the_same(phase, seed):
    w, wanted, weights, _ = setting(phase, seed)
    plant = context().model.plant
    coordinates = Coordinates(plant, w.p)
    tuples = (*(tuple(float(x) for x in values) for values in weights[:3]), weights.dt)
    system = controller(phase, tuples)
    own_ = system.CreateDefaultContext()
    system.GetInputPort("state").FixValue(own_, coordinates.state(w.ground, w.angle, w.rate))
    system.GetInputPort("reference").FixValue(own_, np.concatenate(wanted))
    system.GetInputPort("phase").FixValue(own_, [0.0, 0.0])
    found = system.GetOutputPort("acceleration").Eval(own_)[coordinates.v]
    expected = command(w.p, w.ground, w.angle, w.rate, wanted, weights)
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())

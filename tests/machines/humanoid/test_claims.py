"""Claims of the thesis's chapter 5: which runs they are held against, and with what verdict."""

import pytest
from tests.scenario.runs import run

from footfall.machines.humanoid.claims import claims
from footfall.registry.claims import Claim
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

OPC, TWO_CYCLES = "humanoid/opc", ("duration=2.8",)


@pytest.fixture(scope="module")
def walk():
    return run(OPC, "closed-form", *TWO_CYCLES)


@pytest.fixture(scope="module")
def judged(walk) -> dict[str, Claim]:
    return {claim.name: claim for claim in walk.claims}


def _context(name, *settings):
    scenario = load_scenario(name, settings)
    return context_of(scenario, build_robot(scenario))


def _starting(judged, begin):
    (claim,) = (claim for name, claim in judged.items() if name.startswith(begin))
    return claim


@pytest.mark.parametrize(
    ("begin", "verdict"),
    [
        ("two successive gait cycles are sustained", "fitted"),
        ("two gait cycles take", "differs"),
        ("step: travel of the swinging heel", "fitted"),
        ("largest height of the swinging heel", "fitted"),
        ("speed of the trunk in double support", "reproduced"),
        ("speed of the trunk in single support", "reproduced"),
        ("the trunk oscillates", "differs"),
        ("a soft touch", "predicted"),
        ("angles deviate a little", "differs"),
        ("angles go on from double into single", "predicted"),
        ("torques are smaller in double", "predicted"),
        ("starting from rest takes higher torques", "predicted"),
        ("time of computing", "differs"),
    ],
)
def test_statements_of_chapter_5(judged, begin, verdict):
    claim = _starting(judged, begin)
    assert claim.verdict == verdict, claim
    assert claim.source.startswith("Özyurt 2005, chapter")
    assert claim.reason


def test_published_numbers_are_the_printed_ones(walk, judged):
    assert _starting(judged, "two gait cycles take").published == 1.77
    taken = _starting(judged, "time of computing")
    assert taken.value == pytest.approx(1.0 / walk.metrics["realtime_factor"])
    assert taken.published == pytest.approx(7.158, abs=1e-3)
    assert _starting(judged, "step: travel").published == 0.4


def test_the_time_of_two_cycles_is_that_of_the_events(walk, judged):
    downs = [event for event in walk.trajectory.events if "left foot flat, double" in event.what]
    taken = _starting(judged, "two gait cycles take").value
    assert taken == pytest.approx(downs[1].time, abs=1e-9)  # it starts in the same phase


def test_a_walk_of_other_references_is_not_held_against_the_thesis_s(walk):
    context = _context("humanoid/opc_smooth")
    names = [claim.name for claim in claims("", context, walk.metrics)]
    assert len(names) == 2
    assert names[0].startswith("the walk goes on")


def test_weights_and_horizons_are_free(walk):
    weights = "controller.acceleration_weight={double: 0.01, single: 0.001}"
    context = _context(OPC, weights, *TWO_CYCLES)
    assert len(claims("", context, walk.metrics)) == len(walk.claims)


def test_another_body_has_no_claims(walk):
    context = _context(OPC, "arguments={humanoid: {mass: '70'}}")
    assert claims("", context, walk.metrics) == []


def test_a_walk_that_ends_early_does_not_go_on(walk):
    found = claims("", _context(OPC, "duration=20.0"), walk.metrics)
    (claim,) = (claim for claim in found if claim.name.startswith("the walk goes on"))
    assert claim.verdict == "differs"

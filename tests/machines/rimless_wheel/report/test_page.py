"""The rimless wheel's report: its portrait and its return map against the closed form."""

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.rimless_wheel.report.page import REPORT
from footfall.report import Section
from footfall.scenario.io import load_scenario

SHORT = ("duration=1.2",)


def _section(name, engine, *settings):
    return Section(name, load_scenario(name, settings), {engine: run(name, engine, *settings)})


@pytest.fixture(scope="module")
def rolls():
    return REPORT.read(_section("rimless_wheel/settles", "closed-form", *SHORT))


def test_the_return_map_of_a_roll_lies_on_the_exact_line(rolls):
    wheel = rolls.first.wheel.closed_form()
    _, panel = REPORT.figures(rolls)[0].chart.shown
    law, identity, fixed, dots = panel.marks
    np.testing.assert_allclose(dots.y, wheel.eta**2 * dots.x + wheel.gain, rtol=1e-6)
    np.testing.assert_allclose(law.y, wheel.eta**2 * law.x + wheel.gain)
    np.testing.assert_array_equal(identity.x, identity.y)
    assert fixed.x == fixed.y == pytest.approx(wheel.fixed_point**2)


def test_a_stance_of_the_portrait_keeps_its_energy_and_the_spoke_its_side(rolls):
    wheel = rolls.first.wheel.closed_form()
    lean, rate = rolls.first.portrait()
    gaps = np.flatnonzero(np.isnan(lean))
    assert len(gaps) >= 2
    pull = 2.0 * wheel.m * wheel.g * wheel.l / wheel.inertia
    for begin, end in zip(gaps[:-1] + 1, gaps[1:], strict=True):
        turn = wheel.gamma + np.radians(lean[begin:end])
        energy = rate[begin:end] ** 2 + pull * np.cos(turn)
        np.testing.assert_allclose(energy, energy[0], rtol=1e-6)
        np.testing.assert_allclose(
            np.degrees(wheel.alpha), [-lean[begin], lean[end - 1]], rtol=1e-6
        )


def test_a_wheel_that_does_not_roll_on_has_its_page():
    start = ("initial.on_gait=false", "initial.drop_along=z", "terrain.slope_deg=-0.1")
    rolls = REPORT.read(_section("rimless_wheel/roll", "moreau", "duration=0.1", *start))
    first, *_ = REPORT.figures(rolls)
    assert "exact map" not in first.note
    assert len(first.chart.shown) == 1  # the portrait: there is no impact
    assert REPORT.notes(rolls)

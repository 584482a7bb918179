"""Steps of the authors' program: what its logs lack, and that its steps are the cause."""

import pytest

from footfall.machines.hopper.authors import published_distance
from footfall.machines.hopper.authors_steps import program_distance
from footfall.machines.hopper.closed_form.model import CODE, TEXT
from footfall.machines.hopper.published import DISTANCE

# Both public logs of the program are this much below the distance without errors of integration [m]
LOGGED = 4.352e-5


@pytest.mark.parametrize("early", [False, True])
def test_the_programs_steps_lack_what_its_logs_do(early):
    exact = published_distance(CODE, early_impact=early)
    lacks = exact - program_distance(CODE, early_impact=early)
    assert lacks == pytest.approx(LOGGED, abs=2e-8)


def test_the_published_digits_are_those_of_the_programs_steps():
    # num2str prints five digits, without zeros at the end
    assert f"{program_distance(CODE, early_impact=True):.5g}" == f"{DISTANCE:.5g}"
    assert f"{published_distance(CODE, early_impact=True):.5g}" != f"{DISTANCE:.5g}"


@pytest.mark.parametrize("parameters", [CODE, TEXT])
def test_fine_steps_are_exact_however_late_they_turn(parameters):
    # what makes the difference is an error of the integration, and no other motion
    exact = published_distance(parameters)
    for late in (False, True):
        found = program_distance(parameters, tolerance=1e-12, late=late)
        assert found == pytest.approx(exact, abs=1e-10)


def test_the_late_direction_makes_nine_tenths_of_it():
    left = published_distance(CODE) - program_distance(CODE, late=False)
    assert 0.0 < left < 0.1 * LOGGED

"""The suite itself: that it can fail, that it says why, and that it keeps what is done."""

import dataclasses
import signal
from dataclasses import replace

import numpy as np
import pytest
from tests.verify.falling import FALL, FALLEN, G, fallen

from footfall.trajectory import Status
from footfall.verify.runner import JUDGED, run_case, run_cases, simulate


def test_a_right_closed_form_passes():
    result = run_case(FALL)
    assert result.passed
    (outcome,) = result.outcomes
    assert outcome.passed
    assert outcome.order is None
    assert result.engines == ["moreau", "drake-sap"]
    assert not result.failures
    # free flight under constant gravity is exact in a midpoint step: rounding of 25 steps
    assert outcome.errors("moreau") == pytest.approx(0.0, abs=1e-14)
    # Drake's symplectic Euler is g t dt/2 away, and is not judged
    assert outcome.errors("drake-sap")[-1] == pytest.approx(0.5 * G * 0.2 * 5e-3, rel=1e-6)
    time, height = result.curves["moreau"]
    assert len(time) == len(height) == 51  # of the finest step
    assert height[0] == 0.5


def test_a_wrong_closed_form_fails():
    wrong = fallen(0.5 * 9.80 * 0.2**2)  # g is 9.81
    result = run_case(replace(FALL, quantities=(FALLEN, wrong)), engines=["moreau"])
    assert [outcome.passed for outcome in result.outcomes] == [True, False]
    assert not result.passed


def test_an_error_that_does_not_shrink_fails_where_an_order_is_claimed():
    # within its tolerance at every step, but the same at all of them
    flat = fallen(FALLEN.check.target + 1e-4, 1e-3, order=1.0)
    result = run_case(replace(FALL, quantities=(flat,)), engines=["moreau"])
    assert result.outcomes[0].order == pytest.approx(0.0, abs=1e-6)
    assert not result.passed


def test_an_error_of_zero_has_an_order_too():
    exact = replace(fallen(0.0, order=1.0), measure=lambda _: 0.0)
    result = run_case(replace(FALL, quantities=(exact,)), engines=["moreau"])
    # a slope of equal logarithms, but for rounding of the step's
    assert result.outcomes[0].order == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "measure",
    [lambda _: np.nan, lambda _: np.zeros(0)[0], lambda _: max([])],
    ids=["nan", "index", "value"],
)
def test_what_a_run_does_not_have_fails_without_a_traceback(measure):
    missing = replace(FALLEN, measure=measure, order=1.0)
    result = run_case(replace(FALL, quantities=(missing,)), engines=["moreau"])
    assert np.isnan(result.outcomes[0].values["moreau"]).all()
    assert not result.passed


def test_a_wrong_setting_fails_with_its_message():
    result = run_case(replace(FALL, settings=("frictoin=0.1",)), engines=["moreau"])
    assert not result.passed
    assert set(result.failures) == {"moreau at 0.01 s", "moreau at 0.005 s"}
    assert "did you mean" in result.failures["moreau at 0.01 s"]
    assert not result.curves


def test_a_run_that_fails_fails_the_case_even_at_a_coarse_step():
    def fails_when_coarse(scenario, engine, label):
        trajectory = simulate(scenario, engine, label)
        if scenario.time_step == 5e-3:
            return trajectory
        return dataclasses.replace(trajectory, status=Status.FAILED, message="too\n coarse")

    result = run_case(FALL, ["moreau"], fails_when_coarse)
    assert result.failures == {"moreau at 0.01 s": "too coarse"}
    assert result.outcomes[0].passed
    assert not result.passed


def test_a_drake_run_that_fails_is_told_and_not_judged():
    def fails_in_drake(scenario, engine, label):
        trajectory = simulate(scenario, engine, label)
        if engine == JUDGED:
            return trajectory
        return dataclasses.replace(trajectory, status=Status.FAILED, message="diverges")

    result = run_case(FALL, None, fails_in_drake)
    assert result.failures["drake-sap at 0.005 s"] == "diverges"
    assert "drake-sap" not in result.curves
    assert result.passed


def test_only_the_engines_that_are_named_run_and_moreau_always():
    ran = []

    def note(scenario, engine, label):
        ran.append(label)
        return simulate(scenario, engine, label)

    run_case(FALL, ["drake-lagged"], note)
    assert ran == ["fall, moreau at 0.01 s", "fall, moreau at 0.005 s"]


def test_ctrl_c_keeps_the_cases_that_are_done():
    ran, told = [], []

    def interrupted_second(scenario, engine, label):
        ran.append(label)
        if len(ran) == 3:
            signal.raise_signal(signal.SIGINT)
        return simulate(scenario, engine, label)

    cases = [replace(FALL, name=name) for name in ("first", "second", "third")]
    results, interrupted = run_cases(cases, ["moreau"], interrupted_second, told.append)
    assert interrupted
    # the signal comes before a run of the second case, which hears nothing of it itself
    assert [result.case.name for result in results] == ["first"]
    assert told == results
    assert len(ran) == 3


def test_ctrl_c_within_a_run_leaves_its_case_out():
    def interrupted(scenario, engine, label):
        trajectory = simulate(scenario, engine, label)
        return dataclasses.replace(trajectory, status=Status.INTERRUPTED)

    assert run_cases([FALL], ["moreau"], interrupted) == ([], True)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"steps": (1e-3,)}, "two steps"),
        ({"steps": (1e-3, 1e-2)}, "from coarse to fine"),
        ({"steps": (1e-2, 1e-2)}, "from coarse to fine"),
        ({"quantities": ()}, "a quantity"),
        ({"drake": ("bullet",)}, "bullet"),
    ],
)
def test_a_case_refuses_what_could_not_be_judged(change, says):
    with pytest.raises(ValueError, match=says):
        replace(FALL, **change)


@pytest.mark.parametrize("bad", [{"exact": np.nan}, {"tolerance": 0.0}, {"tolerance": np.inf}])
def test_a_quantity_refuses_what_would_let_all_or_nothing_pass(bad):
    with pytest.raises(ValueError, match="way after"):
        fallen(**bad)

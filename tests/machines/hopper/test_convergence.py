"""The analysis of the convergence: what it refuses, and what it finds."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.hopper.jumps import analysis, context

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import Interrupted
from footfall.errors import ScenarioError
from footfall.machines.hopper.convergence import QUANTITIES, JumpConvergence
from footfall.machines.hopper.hybrid_engine import hybrid

SMALL = JumpConvergence(time_steps=[4e-3, 2e-3], samples=1, engines=["moreau", "drake-lagged"])


def test_findings_have_errors_orders_and_what_they_are_held_against():
    told = []
    result = SMALL.run(
        context("report"),
        replace(analysis("report"), tell=lambda _what, share: told.append(share)),
    )
    data = result.data
    assert data["error"].dims == ("quantity", "engine", "time_step")
    assert data["quantity_units"].values.tolist() == [unit for unit, _ in QUANTITIES.values()]
    assert np.isfinite(data["error"]).all()
    assert (data["error"].sel(quantity="landing_time") > 0.0).all()
    assert told == sorted(told)
    assert len(told) == 4
    assert set(result.metrics) == set(SMALL.metrics())
    exact = hybrid(context("report")).data["impulse"].sel(contact="hopper::P", axis="n")
    assert result.metrics["exact_landing_impulse_n"] in exact.to_numpy()


def test_what_is_done_is_taken_up_again(tmp_path):
    path = tmp_path / "pieces.jsonl"
    count = iter(range(10))
    with pytest.raises(Interrupted):
        SMALL.run(
            context("report"),
            replace(
                analysis("report"), checkpoint=Checkpoint(path), stopped=lambda: next(count) >= 2
            ),
        )
    assert len(path.read_text().splitlines()) == 2
    done = SMALL.run(context("report"), replace(analysis("report"), checkpoint=Checkpoint(path)))
    anew = SMALL.run(context("report"), analysis("report"))
    assert np.array_equal(done.data["error"], anew.data["error"], equal_nan=True)


def test_a_step_that_an_engine_cannot_take_is_no_number():
    # the torque folds the machine up within some steps of a quarter of a second
    coarse = JumpConvergence(time_steps=[0.2, 0.1], samples=1, engines=["moreau"])
    result = coarse.run(context("report"), analysis("report"))
    assert math.isnan(result.metrics["order_reach"])


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"time_steps": [1e-3]}, "time_steps"),
        ({"time_steps": [1e-3, 1e-3]}, "time_steps"),
        ({"time_steps": [1e-3, 1e-3, 5e-4]}, "time_steps"),
        ({"time_steps": [1e-3, -1e-3]}, "time_steps"),
        ({"time_steps": [1e-3, math.nan]}, "time_steps"),
        ({"samples": 0}, "samples"),
        ({"samples": 10_000}, "samples"),
        ({"engines": ["hybrid"]}, "engines"),
        ({"engines": []}, "engines"),
        ({"engines": ["moreau", "moreau"]}, "engines"),
    ],
)
def test_a_wrong_request_is_one_line(options, names):
    with pytest.raises(ScenarioError, match=f"analysis.{names}") as refused:
        JumpConvergence(**options)
    assert "\n" not in str(refused.value)


def test_what_is_no_jump_converges_to_nothing():
    with pytest.raises(ScenarioError, match="needs a jump"):
        SMALL.run(context("rest"), analysis("rest"))

"""The figures of PASIBOT's document: curves against the closed form, verdicts, ledger, refusals."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.errors import ScenarioError
from footfall.machines.pasibot.analyses.curve import angle_curve, slip_curve, varied
from footfall.machines.pasibot.analyses.curves import PasibotCurves
from footfall.machines.pasibot.closed_form.bodies import total_mass, weighing
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.parameters import TEXT
from footfall.machines.pasibot.predictions import linkage
from footfall.scenario.io import load_scenario

FEW = ("analysis.points=21",)


def analyse(name, *settings, checkpoint=None, tell=lambda _what, _share: None):
    scenario = load_scenario(f"pasibot/{name}", (*FEW, *settings))
    return analyse_scenario(scenario, checkpoint or Checkpoint(), tell).result


def verdicts(result):
    return {claim.name: claim.verdict for claim in result.claims}


def test_torques_are_those_of_the_69_equations():
    data = analyse("torque", "analysis.values=[2.0,5.0]").data
    assert data["torque"].dims == ("speed", "phase")
    phase = data["phase"].to_numpy()
    for speed in (2.0, 5.0):
        exact = inverse(TEXT, np.pi * (0.5 + phase), speed, 0.0).torque
        # the model's numbers are read back to 12 digits
        np.testing.assert_allclose(data["torque"].sel(speed=speed), exact, atol=1e-9)


def test_what_the_text_says_of_the_mechanism_holds_of_the_printed_lengths_alone():
    kinds = {claim.name: claim for claim in analyse("torque", "analysis.values=[1.0]").claims}
    found = {name.partition(" ")[0]: claim for name, claim in kinds.items()}
    assert (found["23"].value, found["23"].verdict) == (69.0, "reproduced")
    assert {found[word].verdict for word in ("the", "C", "a")} == {"predicted"}
    # what is drawn from 1 to 4 rad/s is not of one shape, nor hardly different up to 3
    low, shape, _ = (claim for name, claim in kinds.items() if name.startswith("torque "))
    assert (low.verdict, shape.verdict) == ("differs", "differs")
    assert low.value == pytest.approx(0.1323, abs=1e-4)
    assert shape.value == pytest.approx(0.8812, abs=1e-4)
    # with another distance of the pivots in the hip feet change places in the air
    other = linkage(replace(TEXT, base=2.05))
    assert other["exchange_error"] > 1e-3
    assert other["straightness"] > 0.02


def test_a_load_changes_the_torque_slightly():
    result = analyse("load", "analysis.values=[0.0,15.0]")
    bare, loaded = result.data["torque"].to_numpy()
    # by a tenth of its range at most, though the machine then weighs two and a half times as much
    assert 0.0 < np.abs(loaded - bare).max() < 0.1 * np.ptp(bare)
    assert set(verdicts(result).values()) == {"predicted"}


def test_torques_below_084_swing_back_and_above_walk():
    result = analyse("start", "analysis.values=[0.83,0.85]", "duration=2.0")
    back, on = result.metrics["steps_made"]
    assert back < 1.0 < on
    assert result.data["angle"].sel(torque=0.83).max() < np.pi
    kinds = verdicts(result)
    assert sorted(kinds.values()) == ["differs", "fitted"]
    # the other reading of the same words is not what the machine was fitted for
    assert kinds["the same, read as the largest torque that holds it at rest"] == "differs"


def test_the_weight_that_one_newton_metre_starts_goes_with_it():
    # torques at rest go as the weight: 9.715 kg / 0.84 N m * 1 N m
    limit = total_mass(TEXT) / 0.84
    values = f"analysis.values=[{limit - 0.1},{limit + 0.1}]"
    on, back = analyse("weight", values, "duration=3.0").metrics["steps_made"]
    assert back < 1.0 < on


def test_slip_is_none_at_008_and_grows_below():
    result = analyse("slip_mu", "analysis.values=[0.06,0.07,0.081]")
    ways = [slips[0] for slips in result.metrics["slip_distance_per_step"]]
    assert ways == sorted(ways, reverse=True)
    assert ways[2] == pytest.approx(0.0, abs=1e-15)
    assert ways[0] == pytest.approx(1.523e-3, abs=1e-6)  # as a march in fixed steps has it
    assert result.metrics["slip_intervals"][2] == []
    assert result.data["slip"].to_numpy()[0, -1] == pytest.approx(2.0 * ways[0])
    kinds = verdicts(result)
    assert kinds["a single slide begins at mid-step (phase, friction 0.07)"] == "predicted"
    ankle = "it lasts until the swinging leg is highest, read of the ankle (phase of its end)"
    assert kinds[ankle] == "differs"


def test_less_kinetic_friction_slides_further_from_the_same_point():
    result = analyse("slip_kinetic", "analysis.steps=1")
    ways = [slips[0] for slips in result.metrics["slip_distance_per_step"]]
    assert ways == sorted(ways)
    begins = [intervals[0][0] for intervals in result.metrics["slip_intervals"]]
    assert np.ptp(begins) < 1e-9
    assert set(verdicts(result).values()) == {"predicted"}


def test_another_machine_has_curves_and_no_claims():
    result = analyse("torque", "analysis.values=[1.0]", "arguments={pasibot: {knee: rearward}}")
    assert result.claims == []
    assert result.data.sizes["speed"] == 1


def test_curves_that_are_done_are_not_computed_again(tmp_path):
    kept = Checkpoint(tmp_path / "pieces.jsonl", "same")
    first = analyse("slip_speed", "analysis.values=[3.0,4.0]", checkpoint=kept)
    lines = (tmp_path / "pieces.jsonl").read_text().splitlines()
    assert len(lines) == 2
    (tmp_path / "pieces.jsonl").write_text(lines[1].replace("slip at speed 4.0", "slip") + "\n")
    with pytest.raises(Exception, match="damaged"):
        Checkpoint(tmp_path / "pieces.jsonl", "same")
    (tmp_path / "pieces.jsonl").write_text(lines[1] + "\n")
    again = analyse(
        "slip_speed", "analysis.values=[3.0,4.0]", checkpoint=Checkpoint(kept._path, "same")
    )
    assert again.data.identical(first.data)
    assert len((tmp_path / "pieces.jsonl").read_text().splitlines()) == 2


def test_progress_ends_below_the_whole():
    told = []
    analyse("torque", "analysis.values=[1.0]", tell=lambda what, share: told.append((what, share)))
    assert [what for what, _ in told] == ["torque at speed 1.0", "claims"]
    assert all(0.0 <= share < 1.0 for _, share in told)


@pytest.mark.slow
def test_an_engine_with_a_floor_takes_nearly_the_same_torque():
    settings = ("analysis.values=[3.0]", "analysis.engine=drake", "time_step=0.002")
    result = analyse("torque", *settings)
    exact = analyse("torque", "analysis.values=[3.0]").data["torque"].to_numpy()[0]
    simulated = result.data["torque"].to_numpy()[0]
    within = slice(3, -2)  # of the step, without the exchanges, at which both feet carry
    # steps of 2 ms, soft loops, and a floor that the toe touches
    np.testing.assert_allclose(simulated[within], exact[within], atol=0.05)
    assert result.claims == []  # which are of the machine, not of an engine


@pytest.mark.slow
def test_the_documents_fixed_steps_are_held_against_the_events():
    settings = ("analysis.values=[0.05]", "analysis.steps=1")
    coarse, fine = (
        analyse("slip_mu", *settings, f"time_step={dt}").metrics["as_written_errors"][0]
        for dt in (4e-3, 2e-3)
    )
    # of first order: a constant acceleration for a step, and a stop within it
    assert coarse / fine == pytest.approx(2.0, rel=0.25)
    assert fine < 1e-4


def test_slip_in_moreaus_engine_is_that_of_the_events():
    settings = ("analysis.values=[0.05]", "analysis.steps=1")
    (events,) = analyse("slip_mu", *settings).metrics["slip_distance_per_step"]
    simulated = analyse("slip_mu", *settings, "analysis.engine=moreau", "time_step=0.002")
    (slid,) = simulated.metrics["slip_distance_per_step"]
    # 3.5 mm; steps of 2 ms, and both feet near the exchange, take or give tenths of a millimetre
    assert slid[0] == pytest.approx(events[0], abs=0.3e-3)


# --- one curve -----------------------------------------------------------------------------------


def test_variations_are_what_they_say():
    assert total_mass(varied(TEXT, "weight", 12.0)) == pytest.approx(12.0)
    assert total_mass(varied(TEXT, "load", 5.0)) == pytest.approx(total_mass(TEXT) + 5.0)
    assert varied(TEXT, "kinetic", 0.1).mu_s == TEXT.mu_s
    assert varied(TEXT, "speed", 4.0) == TEXT
    assert weighing(TEXT, total_mass(TEXT)).density == pytest.approx(TEXT.density)


def test_a_constant_torque_runs_away_until_the_floor_would_pull():
    told = angle_curve(TEXT, 1.0, 2.0, 201).summary
    assert told["floor_until"] == pytest.approx(1.25, abs=0.02)
    assert told["friction"] == pytest.approx(0.56, abs=0.01)
    assert angle_curve(TEXT, 0.5, 2.0, 201).summary["floor_until"] == 2.0


def test_a_speed_that_no_floor_holds_down_has_no_curve_of_slip():
    with pytest.raises(ValueError, match="hold the foot down"):
        slip_curve(TEXT, 11.0, 1, 11, 1e-3)


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"show": "angle", "vary": "speed"}, "analysis.vary is 'speed' for 'angle'"),
        ({"values": []}, "give 1 to 100"),
        ({"values": [1.0, 1.0]}, "each once"),
        ({"values": [float("nan")]}, "finite"),
        ({"values": [0.0]}, "speed must be positive"),
        ({"vary": "load", "values": [-1.0]}, "load must not be negative"),
        ({"steps": 0}, "steps is 0"),
        ({"show": "angle", "vary": "torque", "values": [50.0]}, "a torque beyond 20 N m"),
        ({"points": 2}, "points is 2"),
        ({"engine": "closed-form", "show": "slip"}, "engine is 'closed-form': choose one of hybr"),
    ],
)
def test_what_is_no_figure_is_refused(settings, words):
    with pytest.raises(ScenarioError, match=words) as caught:
        PasibotCurves(**settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("load", ("controller=null",), "need a !CrankMotor"),
        ("weight", ("controller=null",), "need a !TorqueProfile"),
        ("slip_kinetic", ("analysis.values=[0.3]",), "kinetic 0.3: mu_k = 0.3 above mu_s = 0.2"),
        ("slip_speed", ("analysis.values=[11.0]",), "speed 11: .*hold the foot down"),
    ],
)
def test_scenarios_that_lack_what_curves_share_are_refused(name, settings, words):
    settings = (*settings, *(("initial.on_gait=false",) if "null" in settings[0] else ()))
    with pytest.raises(ScenarioError, match=words) as caught:
        analyse(name, *settings)
    assert "\n" not in str(caught.value)

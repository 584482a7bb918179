"""Analyses of the compass on small settings: what they find, and that they can be interrupted."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.compass.machine import closed_form, context
from tests.machines.sweeps import over, swept

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext, Interrupted, load_arrays
from footfall.analysis.functions import Case
from footfall.errors import RunError, ScenarioError
from footfall.hybrid import BranchOptions, Flip, NoReturn, find_fixed_point, simulate
from footfall.machines.compass.analyses import basin
from footfall.machines.compass.analyses import bifurcation as bifurcations
from footfall.machines.compass.analyses.bifurcation import Bifurcation, SlopeFamily, periods_of
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.closed_form.simplest import FIRST_FLIP
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.system import (
    BEHIND,
    SECTION,
    STRIKE,
    after_strike,
    embed,
    return_map,
    simplest_map,
    simplest_system,
    walking_system,
)

GOSWAMI = "goswami"


def found(analysis, checkpoint=None):
    return analysis.run(context(GOSWAMI), AnalysisContext(checkpoint or Checkpoint()))


def parameters():
    return closed_form(context(GOSWAMI)).parameters


def same(one, other):
    """Return whether two results are the same to the last bit."""
    assert one.data.identical(other.data)
    assert repr(one.metrics) == repr(other.metrics)
    assert list(one.claims) == list(other.claims)


def piece_by_piece(asked, path):
    """AnalysisResult of an analysis that is interrupted after every piece; and how often it was."""

    def kept():
        return path.read_text().count("\n") if path.exists() else 0

    for sessions in range(1000):
        begun = kept()
        # the checkpoint is read anew, and one piece more is allowed
        analysis = AnalysisContext(Checkpoint(path), stopped=lambda begun=begun: kept() > begun)
        try:
            return asked.run(context(GOSWAMI), analysis), sessions
        except Interrupted:
            assert kept() == begun + 1
    raise AssertionError("it does not come to an end")


def held(result, analysis, tmp_path):
    """Properties of all results: units, names of metrics, and a file that gives them back."""
    assert all("units" in array.attrs for array in result.data.data_vars.values())
    assert set(result.metrics) == set(analysis.metrics())
    result.save(tmp_path / "findings.nc")
    assert load_arrays(tmp_path / "findings.nc").identical(result.data)


def turned_by_events(system, embed, section, gait):
    """Change of a gait by an event-driven step, and of a small change along its flip, over that.

    The integrator and its search for events are others than those of the return map.
    """
    v, y, h = Flip.at(gait).direction, gait.orbit[0], 1e-5

    def step(y):
        run = simulate(system, BEHIND, embed(y), (0.0, math.inf), until=STRIKE)
        return run.events[-1].x_after[section]

    return step(y) - y, (step(y + h * v) - step(y - h * v)) / (2.0 * h) @ v


# --- bifurcations --------------------------------------------------------------------------------

# slopes of the simplest walker: below its first doubling, at it, and on gaits of two and four steps
SIMPLEST = Bifurcation("simplest", 0.80, 1.02, slopes=4, settle=150, keep=16, doublings=2)


# no farther than its first doubling, with points of the branch farther apart
BRIEF = Bifurcation("simplest", 0.84, 0.89, slopes=2, settle=10, keep=4, doublings=1)
FAR_APART = BranchOptions(longest=0.1)


@pytest.fixture(scope="module")
def simplest():
    return found(SIMPLEST)


@pytest.fixture(scope="module")
def brief(tmp_path_factory):
    path = tmp_path_factory.mktemp("brief") / "pieces.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bifurcations, "BranchOptions", lambda **_: FAR_APART)
        return found(BRIEF, Checkpoint(path)), path


@pytest.mark.slow
def test_the_simplest_walker_doubles_its_period_where_garcia_says(simplest):
    result = simplest
    first, second = result.metrics["period_doubling_slopes"]
    assert first == pytest.approx(0.0151, abs=5e-5)
    assert first == pytest.approx(FIRST_FLIP, abs=5e-5)
    (claim,) = result.claims
    assert (claim.verdict, claim.value) == ("reproduced", first)
    assert result.metrics["doubled_periods"] == [1.0, 2.0]
    degrees = result.metrics["period_doubling_slopes_deg"]
    assert np.radians(degrees) == pytest.approx([first, second], rel=1e-15)


@pytest.mark.slow
def test_at_the_doubling_an_event_driven_step_turns_the_gait_over(simplest):
    first = simplest.metrics["period_doubling_slopes"][0]
    gait = find_fixed_point(simplest_map(), simplest.data["gait"].to_numpy()[-1], first)
    away, turned = turned_by_events(simplest_system(first), embed, [0, 2], gait)
    assert away == pytest.approx([0.0, 0.0], abs=1e-11)
    assert turned == pytest.approx(-1.0, abs=1e-6)  # of differences: rounding of 1e-12 over 1e-5


@pytest.mark.slow
def test_on_either_side_of_the_doublings_walks_have_one_two_and_four_steps(simplest):
    result, data = simplest, simplest.data
    first, second = result.metrics["period_doubling_slopes"]
    slopes = data["slope"].to_numpy()
    assert slopes == pytest.approx(
        [np.radians(0.8), first, 0.5 * (first + np.radians(1.02)), np.radians(1.02)], rel=1e-12
    )
    assert first < slopes[2] < second < slopes[3]
    # at the doubling itself walks settle by a root of the number of steps only
    assert data["period"].to_numpy()[[0, 2, 3]].tolist() == [1, 2, 4]
    # where the gait of period one is stable walks settle on it, and nowhere else
    branch = data["branch_slope"].to_numpy()
    gait = np.array([np.interp(slopes, branch, column) for column in data["gait"].to_numpy().T]).T
    away = np.abs(data["walk"].to_numpy() - gait[:, None]).max(axis=(1, 2))
    assert away[0] < 1e-4  # of the interpolation between points of the branch
    assert (away[2:] > 1e-3).all()
    assert np.isfinite(data["step_time"]).all()
    # nothing is lost, so that no end is found
    assert np.isnan(result.metrics["first_lost_slope_deg"])
    assert result.metrics["last_slope_deg"] == pytest.approx(1.02, abs=1e-12)


@pytest.mark.slow
def test_a_multiplier_passes_minus_one_at_the_doubling(brief):
    data = brief[0].data
    (first,) = brief[0].metrics["period_doubling_slopes"]
    assert first == pytest.approx(FIRST_FLIP, abs=5e-5)
    slopes = data["branch_slope"].to_numpy()
    assert (np.diff(slopes) > 0.0).all()
    lowest = data["multiplier_real"].to_numpy().min(axis=1)
    assert np.array_equal(lowest < -1.0, slopes > first)
    assert set(lowest < -1.0) == {False, True}


@pytest.mark.slow
def test_a_bifurcation_goes_on_where_it_was_interrupted(brief, tmp_path, monkeypatch):
    result, path = brief
    held(result, BRIEF, tmp_path)
    # from any piece on: its file without the last pieces, and with them at once
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 3  # branch, doubling, diagram
    for count in (len(lines), len(lines) - 1):
        part = tmp_path / f"{count}.jsonl"
        part.write_text("".join(lines[:count]))
        same(found(BRIEF, Checkpoint(part)), result)
        assert part.read_bytes() == path.read_bytes()

    def no_work(*_):
        raise AssertionError("it is done already")

    for name in ("follow_branch", "locate_flip", "next_flip"):
        monkeypatch.setattr(bifurcations, name, no_work)
    monkeypatch.setattr(SlopeFamily, "step", no_work)
    same(found(BRIEF, Checkpoint(path)), result)


@pytest.mark.slow
def test_goswamis_compass_doubles_its_period_where_a_step_turns_the_gait_over():
    analysis = Bifurcation("compass", 4.3, 4.7, slopes=2, settle=200, keep=8, doublings=1)
    result = found(analysis)
    first = result.metrics["period_doubling_slopes"][0]
    assert not result.claims  # no source of a number was at hand
    assert result.data["period"].to_numpy().tolist() == [1, 2]
    walker = replace(parameters(), theta=first)
    guess = find_cycle(parameters()).fixed_point.orbit[0]
    gait = find_fixed_point(return_map(walker), guess, first)
    system = walking_system(Compass(walker))
    away, turned = turned_by_events(system, after_strike, SECTION, gait)
    assert away == pytest.approx([0.0, 0.0, 0.0], abs=1e-10)
    assert turned == pytest.approx(-1.0, abs=1e-5)


@pytest.mark.slow
@pytest.mark.longest
def test_the_end_of_walking_is_between_a_walk_that_lasts_and_one_that_does_not():
    analysis = Bifurcation("simplest", 1.04, 1.2, slopes=5, settle=60, keep=8, doublings=1)
    result = found(analysis)
    last, lost = (result.metrics[n] for n in ("last_slope_deg", "first_lost_slope_deg"))
    # Garcia et al.: no stable walking beyond 0.019 rad
    assert 1.04 < last < lost < 1.2
    assert lost == pytest.approx(np.degrees(0.019), abs=0.03)
    assert lost - last < 0.16 / 4 / 16 + 1e-9
    periods = result.data["period"].to_numpy()
    assert periods[-1] == -1
    assert periods[0] != -1


def test_periods_are_counted():
    phase = np.arange(12.0)
    walks = np.array(
        [
            np.full(12, 3.0),
            phase % 2,
            phase % 3,
            phase % 6,
            phase % 7,  # more than half of what is kept: nobody can tell
            np.sin(phase),
            np.where(phase == 11.0, np.nan, 1.0),
        ]
    )[:, :, None]
    assert periods_of(walks).tolist() == [1, 2, 3, 6, 0, 0, -1]
    # of several components all have to come back
    both = np.concatenate([walks[:3], walks[[2, 1, 0]]], axis=2)
    assert periods_of(both).tolist() == [3, 2, 3]
    # and so near that rounding is no difference, but a drift is
    drift = 1.0 + np.array([[1e-9], [1e-4]]) * phase
    assert periods_of(drift[:, :, None]).tolist() == [1, 0]


# --- basins --------------------------------------------------------------------------------------


def basins(monkeypatch, *, lower=None, upper=None, **parameters):
    """Answers of the function `basin` by gain, in a box of one's own."""
    for name, corner in (("LOWER", lower), ("UPPER", upper)):
        if corner is not None:
            monkeypatch.setattr(basin, name, np.array(corner))
    case = Case(context(GOSWAMI), "hybrid", None)
    gains = parameters.pop("gains", [0.0])
    return [basin.basin(case, gain=gain, most_torque=10.0, **parameters) for gain in gains]


def around():
    """A box whose slice is centred on Goswami's gait."""
    _, rate, swing = find_cycle(parameters()).fixed_point.orbit[0]
    return {"lower": [0.2, rate - 0.2, swing - 1.5], "upper": [0.35, rate + 0.2, swing + 1.5]}


@pytest.fixture(scope="module")
def small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(basin, "_BATCH", 20)
        return basins(patch, **around(), points=7, sample=40, gains=[0.0, 0.2])


@pytest.mark.slow
def test_a_start_on_the_gait_is_there_at_once(small):
    gait = find_cycle(parameters()).fixed_point.orbit[0]
    for data in small:
        middle = data.isel(rate=3, swing=3)
        assert int(middle["outcome"]) == basin.ARRIVES
        assert float(middle["steps"]) == 0.0
        assert [float(middle["rate"]), float(middle["swing"])] == pytest.approx(gait[1:], abs=1e-12)


@pytest.mark.slow
def test_outcomes_are_what_single_walks_do(small):
    data = small[0]
    walk, walker = return_map(parameters()), parameters()
    gait = find_cycle(walker).fixed_point.orbit[0]
    ends = set()
    for i, j in [(1, 3), (3, 2), (6, 6), (2, 1), (4, 4), (3, 5)]:
        y = np.array([gait[0], float(data["rate"][i]), float(data["swing"][j])])
        outcome, steps = basin.FALLS, 0
        while steps < 100:
            if np.abs(y - gait).max() < 0.02:
                outcome = basin.ARRIVES
                break
            if 2.0 * y[1] + y[2] >= 0.0:  # the foot behind would be driven into the ground
                break
            steps += 1
            try:
                y = walk.linearised(y[:, None], walker.theta).value[:, 0]
            except NoReturn:
                break
        assert int(data["outcome"][i, j]) == outcome
        known = float(data["steps"][i, j])
        assert known == steps if outcome == basin.ARRIVES else np.isnan(known)
        ends.add(outcome)
    assert ends == {basin.FALLS, basin.ARRIVES}


@pytest.mark.slow
def test_shares_are_those_of_the_outcomes(small):
    for data in small:
        outcomes = data["outcome"].to_numpy()
        assert float(data["slice_share"]) == (outcomes == basin.ARRIVES).mean()
        assert float(data["undecided_share"]) == (outcomes == basin.UNDECIDED).mean()
        share = float(data["share"])
        assert 40.0 * share == pytest.approx(round(40.0 * share), abs=1e-12)  # of whole starts
        assert 0.0 <= float(data["share_from"]) <= share <= float(data["share_to"]) <= 1.0


def test_a_box_of_falls_has_shares_of_zero(monkeypatch):
    # the gait is in the box, but the one start that is drawn and the corners of the slice fall
    box = {"lower": [0.1, -6.0, -8.0], "upper": [0.5, -0.5, 2.0]}
    (data,) = basins(monkeypatch, **box, points=2, sample=1)
    assert float(data["slice_share"]) == float(data["share"]) == 0.0
    assert np.isnan(float(data["median_steps"]))


@pytest.mark.slow
def test_the_hip_wins_starts_that_the_passive_walker_loses(monkeypatch):
    found = basins(monkeypatch, points=41, most_steps=60, sample=4000, gains=[0.0, 0.15, 1.0])
    passive, shaped, strong = (data["outcome"].to_numpy() == basin.ARRIVES for data in found)
    # it moves the basin: a part of it is won, another lost
    assert (shaped & ~passive).mean() > 0.1 * passive.mean()
    assert (passive & ~shaped).any()
    assert float(found[1]["share_from"]) > float(found[0]["share_to"])
    # too strong a hip brakes the swing leg
    assert strong.mean() < 0.6 * passive.mean()


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"points": 1}, "points 1"),
        ({"points": 10**4}, "no more than 10000000"),
        ({"most_steps": 0}, "most_steps 0"),
        ({"sample": 0}, "sample is 0"),
        ({"gains": [-0.1]}, "gain is -0.1"),
        ({"gains": [math.inf]}, "gain is inf"),
    ],
)
def test_numbers_that_make_no_basin_are_refused_in_one_line(parameters, match, monkeypatch):
    with pytest.raises(ScenarioError, match=match) as refused:
        basins(monkeypatch, **parameters)
    assert "\n" not in str(refused.value)


# --- masses of the hip ---------------------------------------------------------------------------


@pytest.mark.slow
def test_gaits_of_two_hips_are_those_that_are_found_alone():
    hips = over(arguments__compass__m_hip=[10.0, 12.5])
    result = swept("compass/mass_ratio", hips, "analysis.borders=[]", "analysis.optima=[]")
    data = result.data.isel(engine=0)
    for place, mass in enumerate((10.0, 12.5)):
        walker = type(parameters())(**{**vars(parameters()), "m_hip": mass})
        cycle = find_cycle(walker)
        row = data.isel({"arguments.compass.m_hip": place})
        assert float(row["step_period"]) == pytest.approx(cycle.period, abs=1e-10)
        assert float(row["step_length"]) == pytest.approx(cycle.length, abs=1e-10)
        largest = np.abs(cycle.fixed_point.multipliers).max()
        assert float(row["largest_multiplier"]) == pytest.approx(largest, abs=1e-8)
        assert float(row["friction_impact"]) == pytest.approx(cycle.friction_impact, abs=1e-9)
    assert data["success"].to_numpy().tolist() == [1, 1]
    change = np.diff(data["step_period"].to_numpy())[0] / 0.5
    assert result.metrics["step_period_sensitivity"] == pytest.approx(change, rel=1e-12)
    # the doubling of the scenario's own walker, 4.39 degrees
    assert float(data["first_doubling"][0]) == pytest.approx(4.3909, abs=1e-4)
    # of a walker whose neighbours the sweep has not, nothing is told
    away = swept(
        "compass/mass_ratio", over(arguments__compass__m_hip=[15.0, 20.0]), "analysis.borders=[]",
        "analysis.optima=[]",
    )  # fmt: skip
    assert math.isnan(away.metrics["step_period_sensitivity"])


# --- what they refuse ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Bifurcation(walker="rimless"), "walker is 'rimless'.*compass, simplest"),
        (lambda: Bifurcation(from_deg=0.0), "0 < from_deg < to_deg < 45"),
        (lambda: Bifurcation(from_deg=3.0, to_deg=2.0), "3.0 to 2.0"),
        (lambda: Bifurcation(to_deg=45.0), "< 45"),
        (lambda: Bifurcation(from_deg=float("nan")), "nan"),
        (lambda: Bifurcation(slopes=1), "slopes is 1: give a number from 2"),
        (lambda: Bifurcation(settle=0), "settle is 0"),
        (lambda: Bifurcation(keep=0), "keep is 0"),
        (lambda: Bifurcation(doublings=0), "doublings is 0"),
        (lambda: Bifurcation(slopes=10**6, settle=10**6), "give fewer"),
    ],
)
def test_options_that_make_no_analysis_are_refused_in_one_line(make, match):
    with pytest.raises(ScenarioError, match=match) as refused:
        make()
    message = str(refused.value)
    assert message.startswith("analysis")
    assert "\n" not in message


def test_a_walker_without_a_gait_has_no_analysis():
    # level ground: there is nothing to begin with
    level = context("goswami_push", "terrain.slope_deg=2.0", "initial.on_gait=false")
    with pytest.raises(RunError, match="no periodic gait"):
        Bifurcation().run(level, AnalysisContext())
    with pytest.raises(RunError, match="no periodic gait"):
        basin.basin(Case(level, "hybrid", None))

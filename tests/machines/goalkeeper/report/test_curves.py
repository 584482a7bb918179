"""The goalkeeper over time and its shots: curves, tables, and what is told of them."""

import re

import numpy as np
import pytest
from tests.machines.goalkeeper.report.sections import SHOT, section_of

from footfall.machines.goalkeeper.report.curves import keeper_over_time
from footfall.machines.goalkeeper.report.notes import lifted
from footfall.machines.goalkeeper.report.page import notes, tables
from footfall.machines.goalkeeper.report.runs import read_keeper_runs
from footfall.machines.goalkeeper.report.shot import (
    closed_form,
    first_hit,
    first_obstacle,
    shot_over_time,
    shot_table,
)

STEP, GRAVITY, MU, MASS = 1e-3, 9.81, 0.5, 0.294


# --- the keeper over time ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_curve_of_the_keeper_is_the_trajectory_s(arc, plotted):
    keeper_over_time(read_keeper_runs(arc))
    panel = plotted[0].axes[0]
    curves = {one.get_label(): np.array(one.get_xydata()) for one in panel.lines}
    for name, each in arc.runs.items():
        data = each.trajectory.data
        places = data["q"].sel(position="keeper_x").to_numpy()
        np.testing.assert_array_equal(curves[f"keeper, {name}"][:, 0], data["time"].to_numpy())
        np.testing.assert_array_equal(curves[f"keeper, {name}"][:, 1], places)
    # the listing's keeper is at its target at once
    np.testing.assert_allclose(
        curves["target"][:, 1], curves["keeper, closed-form"][:, 1], atol=5e-3
    )


def test_bounds_are_drawn_and_kept(goal, plotted):
    runs = read_keeper_runs(goal)
    keeper_over_time(runs)
    place, speed, acceleration, _ = plotted[0].axes

    def bounds(panel):
        flat = [one for one in panel.lines if np.array_equal(one.get_xdata(), [0.0, 1.0])]
        return sorted(float(one.get_ydata()[0]) for one in flat)

    assert bounds(place) == pytest.approx([-0.91, 0.91])
    assert bounds(speed) == [-0.5, 0.5]
    assert bounds(acceleration) == [-2.0, 2.0]
    run = runs.first
    # rounding of a difference of speeds over a step
    assert np.abs(run.acceleration[1]).max() <= 2.0 + 1e-9
    assert np.abs(run.observed.keeper_speed).max() <= 0.5 + 1e-12
    assert np.abs(run.observed.keeper).max() <= 0.91 + 1e-12


def test_times_of_saturation_are_shaded(goal, plotted):
    runs = read_keeper_runs(goal)
    keeper_over_time(runs)
    run = runs.first
    a, b = (np.hypot(run.observed.ball[:, 0] - x, run.observed.ball[:, 1]) for x in (-1.3, 1.3))
    beyond = np.abs(1.3 * (a - b) / (a + b)) > 0.91
    assert beyond.any()
    shaded = np.zeros(len(run.time), dtype=bool)
    for patch in plotted[0].axes[2].patches:
        start, end = patch.get_x(), patch.get_x() + patch.get_width()
        shaded |= (run.time >= start - 1e-9) & (run.time <= end + 1e-9)
    np.testing.assert_array_equal(shaded, beyond)


# --- the shot ------------------------------------------------------------------------------------


def test_the_closed_form_is_drawn_up_to_the_first_touch(save, plotted):
    runs = read_keeper_runs(save)
    shot_over_time(save, runs)
    panel = plotted[0].axes[0]
    curves = {one.get_label(): np.array(one.get_xydata()) for one in panel.lines}
    met, what = first_obstacle(runs.first)
    assert what == "keeper"
    time, speed = curves["closed form"].T
    assert time[-1] == met
    driven = curves["moreau"][: len(time) - 1, 1]
    # friction is constant, then none: Moreau's steps are exact
    assert driven == pytest.approx(speed[:-1], abs=1e-12)
    # momentum about the lowest point is kept: v (1 + 2/3) = v0
    assert speed[-1] == pytest.approx(0.6 * speed[0])


def test_a_ball_with_spin_has_no_closed_form_beside_it():
    section = section_of(
        SHOT, "moreau", settings=("initial.velocities.ball_ball_wz=1.0", "duration=0.01")
    )
    assert closed_form(section, read_keeper_runs(section).first) is None


def test_the_impulse_of_the_touch_is_the_ball_s_momentum(save):
    run = read_keeper_runs(save).first
    hit = first_hit(run)
    row = int(run.observed.touching.argmax())
    v = run.data["v"].sel(velocity=[f"ball_ball_v{axis}" for axis in "xyz"]).to_numpy()
    change = MASS * np.linalg.norm(v[row] - v[row - 1])
    # the step's weight and friction
    assert np.hypot(hit.normal, hit.along) == pytest.approx(change, abs=2.0 * MASS * GRAVITY * STEP)
    assert hit.along <= MU * hit.normal + 1e-9  # friction
    assert hit.after < hit.before


def test_the_table_tells_what_became_of_every_shot(save, goal):
    (row,) = shot_table(read_keeper_runs(save)).rows
    assert row[1] == "saved"
    assert row[2].startswith("keeper at 0.9")
    (row,) = shot_table(read_keeper_runs(goal)).rows
    assert row[1] == "goal"
    assert row[3] == "–"  # noqa: RUF001 (a dash, as the page has it)


@pytest.mark.slow
def test_only_sap_lifts_a_ball_that_slides():
    short = ("duration=0.3",)
    section = section_of(SHOT, "moreau", "drake-lagged", "drake-sap", settings=short)
    ((name, height),) = lifted(read_keeper_runs(section))
    assert name == "drake-sap"
    # at least a centimetre of the 115 mm that mu v = 1.5 m/s would throw it
    assert 0.01 < height < (MU * 3.0) ** 2 / (2.0 * GRAVITY)
    assert f"In drake-sap the ball rises {1e3 * height:.0f} mm" in " ".join(notes(section))


# --- what is told --------------------------------------------------------------------------------


def test_the_table_s_angles_are_equal_and_its_ratios_too(arc):
    (table,) = tables(arc)
    assert len(table.rows) > 4
    for row in table.rows:
        assert row[2] == row[4]  # AB:AC and BD:DC
        first, second = row[5].split(", ")
        assert first == second
    late = [row for row in table.rows if len(set(row[7].split(", "))) > 1]
    assert late  # a keeper with bounds does not halve it


def test_notes_say_what_is_published_and_what_is_assumed(arc, save):
    told = " ".join(notes(arc))
    wanted = float(np.abs(read_keeper_runs(arc).first.target[1]).max())
    for words in ("BD:DC = AB:AC", "Published are", "Assumed are", f"{wanted:.3g} m/s", "0.91 m"):
        assert words in told
    assert "slides" not in told
    told = " ".join(notes(save))
    assert re.search(r"moreau: saved, the ball meets the keeper at 0\.9\d+ s with 1\.8 m/s", told)
    assert "thin shell" in told

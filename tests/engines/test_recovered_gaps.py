"""With recover_gaps a pressed contact stays pressed, also where the machine moves about it."""

import numpy as np
import pytest
from tests.engines.tiny import BRICK, simulate, tiny
from tests.scenario.runs import run

STEP = 1e-3


def stance_breaks(run_, contact):
    """Single open steps between closed ones."""
    mode = run_.trajectory.data["mode"].sel(contact=contact).to_numpy()
    return int(((mode[1:-1] == 0) & (mode[:-2] > 0) & (mode[2:] > 0)).sum())


@pytest.mark.parametrize("foot", ["biped::foot_a", "biped::foot_b"])
def test_a_stance_foot_does_not_open_for_single_steps(foot):
    # Moreau's own scheme lets the foot drift out by dt^2/2 v.dJ.v, and land again
    assert stance_breaks(run("biped/climb", "moreau", "duration=2"), foot) > 10
    kept = run("biped/climb", "moreau", "duration=2", "moreau.recover_gaps=true")
    assert stance_breaks(kept, foot) == 0


@pytest.mark.slow
@pytest.mark.parametrize("foot", ["biped::foot_a", "biped::foot_b"])
def test_a_pressed_foot_drifts_to_the_release_gap_and_no_farther(foot):
    # by some 1e-6 m a step: what is pressed drops out after tens of steps instead of every one
    breaks, release = {}, {"moreau": 1e-12, "once in a while": 1e-5, "never": 1e-4}
    for name, gap in release.items():
        held = run("biped/climb", "moreau", "duration=2", f"moreau.release_gap={gap}")
        data = held.trajectory.data.sel(contact=foot)
        pressed = data["mode"].to_numpy()[1:] > 0
        assert data["gap"].to_numpy()[1:][pressed].max() <= gap
        breaks[name] = stance_breaks(held, foot)
    assert breaks["moreau"] > 2 * breaks["once in a while"] > 0
    assert breaks["never"] <= 1


def test_the_foot_of_a_stance_keeps_its_gap_at_zero():
    data = run("biped/climb", "moreau", "duration=2", "moreau.recover_gaps=true").trajectory.data
    mode = data["mode"].to_numpy()
    held = (mode[1:] > 0) & (mode[:-1] > 0)
    # gaps are of the middle of a step: zero at its start, and dt^2/8 v.dJ.v off, 1e-6 at 3 m/s
    gap = data["gap"].to_numpy()[1:]
    assert np.abs(gap[held]).max() < 3e-6


def test_what_is_pulled_up_still_lifts(tmp_path):
    # it stands, and is thrown up by one corner: that corner leaves at once
    scenario = tiny(
        tmp_path, BRICK, friction=1.0, duration=0.05, time_step=STEP,
        positions={"brick_z": 0.02 - 1e-12}, velocities={"brick_vz": 0.5, "brick_wy": -4.0},
    )  # fmt: skip
    scenario.moreau.recover_gaps = True
    data = simulate(scenario).trajectory.data
    # one end rises at 0.5 + 0.4, the other at 0.5 - 0.4 m/s: nothing holds either in 9 ms
    assert (data["mode"].to_numpy()[1:10] == 0).all()

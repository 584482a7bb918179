"""The scenes that ship do what they say, in either engine."""

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.slow import some_slow

from footfall.metrics import scalar

ENGINES = ("moreau", "drake-sap")
GRAVITY = 9.81


def _carrying(data):
    """Names of the contacts that carry at some time, with the first such time [s]."""
    carries = (data["impulse"].sel(axis="n") > 0.0).to_numpy()
    times = data["time"].to_numpy()
    names = data["contact"].to_numpy()
    return {str(names[k]): times[np.argmax(carries[:, k])] for k in np.flatnonzero(carries.any(0))}


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
def test_the_block_tumbles_down_the_stairs_and_lies_on_the_ground(engine):
    # how far it tumbles hangs on how hard the steps are: on harder ones it stops on the last
    soft = ["drake.stiffness=1e6"] if engine == "drake-sap" else []
    data = run("scenes/stairs", engine, *soft).trajectory.data
    assert len([name for name in _carrying(data) if name.startswith("stairs::step")]) >= 2
    x, z = (data["q"].sel(position=f"block_{k}").to_numpy() for k in "xz")
    assert x[-1] > 1.2 + 0.1  # beyond the last step
    # on one of its faces; Drake's ground gives way by some micrometres
    assert z[-1] == pytest.approx(0.1, abs=2e-3)
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    lost = energy[0] - energy[-1]
    start = 0.5 * (2.5**2 + 0.1**2) + 0.5 * 36.0 / 150.0  # of 1 kg and 1/150 kg m^2
    # all of its speed and 0.75 m of height, and what it still rocks
    assert lost == pytest.approx(start + 0.75 * GRAVITY, rel=5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
def test_the_ball_knocks_the_stack_over(engine):
    data = run("scenes/stack", engine).trajectory.data
    touched = _carrying(data)
    hit = min(time for name, time in touched.items() if "ball::ball" in name and "|" in name)
    # 0.8 m at 5 m/s; a ball of radius 0.1 m and a block 0.1 m deep, turned by 15 degrees
    assert hit == pytest.approx(0.8 / 5.0, abs=0.01)
    height = data["q"].sel(position="upper_block_z").to_numpy()
    assert height[0] == pytest.approx(0.5, abs=1e-9)
    assert height[-1] < 0.35  # it lies lower than on two blocks, in whichever way it fell


def test_the_stack_stands_until_the_ball_comes():
    data = run("scenes/stack", "moreau").trajectory.data
    before = data.isel(time=slice(1, 300))  # 0.15 s
    blocks = [v for v in data["velocity"].to_numpy() if "block" in v]
    # the solver's 1e-10 of 5 mN s in the first step
    assert np.abs(before["v"].sel(velocity=blocks)).max() < 1e-9
    load = before["impulse"].sel(axis="n") / 5e-4
    for name, above in (("lower::block|middle::block", 2.0), ("middle::block|upper::block", 1.0)):
        assert load.sel(contact=name).to_numpy() == pytest.approx(above * GRAVITY, rel=1e-8)


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
def test_the_carts_roll_bump_and_part(engine):
    data = run("scenes/two_robots", engine).trajectory.data
    left, right = (
        data["v"].sel(velocity=f"{name}_chassis_vx").to_numpy() for name in ("left", "right")
    )
    time = data["time"].to_numpy()
    bump = _carrying(data)["left::bumper|right::bumper"]
    # bumpers 2 x 0.23 m of the way of 1.6 m, at 1.5 + 0.788 m/s; one is askew
    assert bump == pytest.approx((1.6 - 0.46) / 2.288, abs=0.01)
    rolling = (time > 0.05) & (time < bump - 0.01)
    # wheels roll without loss; the speeds of the scenario are rounded to 1e-3
    tolerance = 1e-3 if engine == "moreau" else 2e-3
    assert left[rolling] == pytest.approx(np.full(rolling.sum(), 1.5), abs=tolerance)
    assert right[rolling] == pytest.approx(np.full(rolling.sum(), -0.788), abs=tolerance)
    # They part, and the turning wheels have carried some momentum into the ground.
    assert left[-1] < right[-1]
    total = 0.5 * (1.5 - 0.788)
    assert 0.5 * (left[-1] + right[-1]) == pytest.approx(total, abs=0.1)


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
def test_the_pushed_block_slides_as_far_as_friction_lets_it(engine):
    result = run("scenes/push", engine)
    data = result.trajectory.data
    force, friction, length = 8.0, 0.3 * GRAVITY, 0.2  # of 1 kg
    speed = (force - friction) * length
    pushed, slid = 0.5 * speed * length, 0.5 * speed**2 / friction
    x = data["q"].sel(position="block_x").to_numpy()
    # It comes to rest within a step of 0.5 ms. On Drake's ground what slides rides on a gap of
    # mu v (dt + relaxation time), some millimetres: it rises at first and rubs less as it sinks.
    tolerance = 1e-6 if engine == "moreau" else 0.05
    assert x[-1] == pytest.approx(pushed + slid, rel=tolerance)
    assert result.metrics["push_work"] == pytest.approx(force * pushed, rel=tolerance)
    assert result.metrics["push_impulse"] == pytest.approx(force * length, rel=1e-12)
    # nothing of the work is left
    assert data["contact_work"].to_numpy()[-1] == pytest.approx(-force * pushed, rel=tolerance)
    assert result.metrics["energy_drift"] < tolerance * force * pushed
    assert result.metrics["energy_lost"] == pytest.approx(force * pushed, rel=tolerance)


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
def test_the_quadruped_takes_a_push_and_stands_again(engine):
    result = run("scenes/quadruped", engine)
    data = result.trajectory.data
    assert scalar(result.metrics, "push_impulse") == pytest.approx(5.0)
    weight = 15.0 * GRAVITY
    up = data["foot_force"].to_numpy()[:, :, 2].sum(axis=1)
    time = data["time"].to_numpy()
    # in rest before and after, the ground gives the weight
    for rest in ((time > 0.8) & (time < 1.0), time > 2.4):
        assert up[rest].mean() == pytest.approx(weight, rel=1e-3)
    side = data["base_position"].to_numpy()[:, 1]
    assert side[time < 1.2].max() > 0.005
    assert abs(side[-1]) < 2e-4

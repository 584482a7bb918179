"""Every n-th step: rows are those of the whole run, and what happened between is in them."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from footfall.errors import RunError, ScenarioError
from footfall.plants.contacts.axes import axes_about_each
from footfall.reactions import joint_reactions
from footfall.recorder.thinning import Thinning
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status
from footfall.trajectory.contact_table import FAR, ContactTable
from footfall.trajectory.rows import Rows

EVERY = 7
SUMMED = ("impulse", "dissipation")
AS_THEY_ARE = (
    "time", "q", "v", "actuation", "kinetic_energy", "potential_energy", "actuator_work",
    "contact_work", "damping_work", "push_work", "energy_residual", "gap",
)  # fmt: skip


@cache
def ran(every, scenario="scenes/push", *settings):
    """A block that a push makes slide, or another scenario."""
    loaded = load_scenario(scenario, ["duration=0.6", *settings, f"record_every={every}"])
    return run_scenario(loaded, scenario)


def ends(data):
    """Rows of a run of all steps that a run of fewer rows keeps."""
    last = data.sizes["time"] - 1
    return np.unique([*range(0, last, EVERY), last])


def test_rows_are_those_of_the_whole_run_to_the_last_digit():
    whole, thin = ran(1).trajectory, ran(EVERY).trajectory
    assert (whole.data.sizes["time"] - 1) % EVERY != 0  # the last row has fewer steps
    for name in AS_THEY_ARE:
        expected = whole.data[name].to_numpy()[ends(whole.data)]
        np.testing.assert_array_equal(thin.data[name].to_numpy(), expected, err_msg=name)
    assert thin.data.attrs["record_every"] == str(EVERY)
    assert thin.events == whole.events
    assert (thin.status, thin.message) == (Status.DONE, "")


def test_what_happened_between_rows_is_in_them():
    whole, thin = ran(1).trajectory.data, ran(EVERY).trajectory.data
    row = np.searchsorted(ends(whole), np.arange(whole.sizes["time"]))
    for name in SUMMED:
        total = np.zeros(thin[name].shape)
        np.add.at(total, row, whole[name].to_numpy())
        np.testing.assert_allclose(thin[name].to_numpy(), total, rtol=1e-12, atol=1e-15)
    for name in ("residual", "iterations"):
        largest = [whole[name].to_numpy()[row == k].max() for k in range(len(thin["time"]))]
        np.testing.assert_array_equal(thin[name].to_numpy(), largest)
    closed = [
        (whole["mode"].to_numpy()[row == k] > 0).any(axis=0) for k in range(len(thin["time"]))
    ]
    np.testing.assert_array_equal(thin["mode"].to_numpy() > 0, closed)


def test_a_short_bounce_between_two_rows_is_not_lost():
    # momentum, which the recording does not use: m v_E - m v_A = sum of impulses - m g T
    run = ran(100, "verify/bouncing_ball")
    data, g = run.trajectory.data, 9.81
    normal = data["impulse"].sel(axis="n").sum("contact").to_numpy()
    rows = np.flatnonzero(normal > 0.0)
    assert 0 < len(rows) < data.sizes["time"] - 1
    robot = build_robot(load_scenario("verify/bouncing_ball"))
    mass = robot.plant.CalcTotalMass(robot.plant.CreateDefaultContext())
    up = data["v"].to_numpy()[:, -1]
    gained = mass * (np.diff(up) + g * np.diff(data["time"].to_numpy()))
    np.testing.assert_allclose(normal[1:], gained, rtol=1e-10, atol=1e-12)
    assert (data["mode"].to_numpy()[rows] > 0).any(axis=1).all()
    place = data["contact_point"].to_numpy()[rows]
    assert np.isfinite(place).all(axis=2).any(axis=1).all()


def test_the_end_of_a_run_that_fails_is_kept():
    settings = "fallen_below={block: 10.0}", "duration=0.1"
    run = ran(50, "scenes/push", *settings)
    assert run.trajectory.status is Status.FAILED
    step = load_scenario("scenes/push").time_step
    np.testing.assert_allclose(run.trajectory.data["time"], [0.0, step])


@pytest.mark.parametrize(
    ("scenario", "settings", "message"),
    [
        ("scenes/push", ["record_every=0"], "record_every is 0: give a whole number of steps"),
        ("scenes/push", ["record_every=2.5"], "record_every"),
        ("scenes/push", ["record_every=true"], "record_every"),
        ("scenes/push", ["record_every=1000000"], "give less"),
        ("compass/bifurcation", ["record_every=2"], "record_every is for single runs"),
        ("compass/report", ["record_every=2"], "engine hybrid: it knows no record_every"),
        ("biped/stand", ["record_every=2"], "the metrics of biped are read off every step"),
    ],
)
def test_nonsense_and_what_needs_every_step_is_refused_in_one_line(scenario, settings, message):
    with pytest.raises(ScenarioError, match=message) as refused:
        run_scenario(load_scenario(scenario, settings), scenario)
    assert "\n" not in str(refused.value)


def test_forces_in_joints_are_not_told_of_rows_of_several_steps():
    robot = build_robot(load_scenario("scenes/push"))
    with pytest.raises(RunError, match="one in 7 is recorded"):
        joint_reactions(ran(EVERY).trajectory, robot)


def test_impulses_along_turning_normals_add_up_in_the_world():
    rng = np.random.default_rng(1)
    count, steps = 3, 10
    row, contact = np.divmod(np.arange(count * steps), count)
    normals = rng.standard_normal((len(row), 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    columns = {
        name: np.full(
            (len(row), 3) if name in ("contact_velocity", "contact_point") else len(row), far
        )
        for name, far in FAR.items()
    }
    columns |= {"contact_normal": normals, "impulse": rng.standard_normal((len(row), 3))}
    columns["mode"] = np.ones(len(row), dtype=np.int8)
    names = ("residual", "iterations", "stage")
    rows = Rows(
        np.arange(steps) * 1e-3,
        {name: np.zeros(steps) for name in names},
        ContactTable(row, contact, columns),
    )
    R_WT = np.ascontiguousarray(np.linalg.qr(rng.standard_normal((3, 3)))[0])
    thinning = Thinning(4, SimpleNamespace(R_WT=R_WT, planar=False))
    parts = [thinning.add(rows.part(0, 3)), thinning.add(rows.part(3, 10)), thinning.rest()]
    assert [len(part.time) for part in parts] == [1, 2, 1]  # 0; 1..4, 5..8; 9

    def in_world(table):
        axes = axes_about_each(table.columns["contact_normal"], R_WT, False)
        return np.einsum("kij,kj->ki", axes, table.columns["impulse"])

    every = in_world(rows.contacts)
    for part, (begin, end) in zip(
        (parts[0], parts[1].part(0, 1), parts[1].part(1, 2), parts[2]),
        ((0, 1), (1, 5), (5, 9), (9, 10)),
        strict=True,
    ):
        for c in range(count):
            own = (contact == c) & (row >= begin) & (row < end)
            np.testing.assert_allclose(
                in_world(part.contacts)[c], every[own].sum(axis=0), atol=1e-12
            )

"""Rollouts: to the bit what a run is, whoever else rolls and on how many threads."""

import os
import signal
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import xarray as xr
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import LeafSystem
from tests.plants.test_reactions import TREE

import footfall as ff
from footfall import interrupt
from footfall.api import rolling
from footfall.api.loading import LoadedScenario
from footfall.arrays import Array

BLOCK = "package://footfall/sdf/toys/block.sdf"
ALL = ("q", "v", "impulse", "kinetic_energy", "potential_energy")
Load: TypeAlias = Callable[[], LoadedScenario]  # not before the test runs


class Held(LeafSystem):
    """No torque, by code that no kernel runs."""

    def __init__(self, plant: MultibodyPlant) -> None:
        super().__init__()
        count = plant.num_actuators()
        self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", count, lambda _, out: out.SetZero())


def block(**values: Any) -> LoadedScenario:
    """A block that is thrown, turns, and comes to rest."""
    thrown = {"block_wx": 3.0, "block_wy": 2.0, "block_vx": 1.0}
    return ff.load(BLOCK, **({"duration": 0.5, "initial.velocities": thrown} | values))


@cache
def plain() -> LoadedScenario:
    """The block as it is."""
    return block()


def walker() -> LoadedScenario:
    """A walker whose feet take turns."""
    free: dict[str, Any] = {"controller": None, "moreau.recover_gaps": False}
    return ff.load("compass/simplest", engine="moreau", duration=0.1, **free)


def starts(loaded: LoadedScenario, worlds: int, spread: float = 0.05) -> Array:
    """States about the start of a scenario."""
    data = ff.rollout(loaded, every=10_000)
    start = np.concatenate((data["q"][0, 0], data["v"][0, 0]))
    return start + spread * np.random.default_rng(3).standard_normal((worlds, len(start)))


def world(data: xr.Dataset, number: int) -> xr.Dataset:
    """A world of a rollout, without what is asked of its number."""
    return data.isel(world=[number])


@pytest.mark.parametrize("every", [1, 7])
def test_one_world_is_a_run_to_the_bit(every: int) -> None:
    """q, v, impulses and energies of all rows, and the largest residual of all steps."""
    loaded = block(record_every=every)
    run, data = loaded.run().data, ff.rollout(loaded, record=ALL)
    for name in ALL:
        np.testing.assert_array_equal(data[name][0], run[name], err_msg=name)
        assert data[name].attrs == run[name].attrs
    for name in data.coords:
        np.testing.assert_array_equal(data[name], run[name])
    assert data["residual"].item() == run["residual"].max().item()
    assert (data["steps"].item(), data["status"].item(), data["message"].item()) == (
        500,
        "done",
        "",
    )


@pytest.mark.parametrize(
    ("load", "parameters"),
    [
        (plain, {"friction": np.linspace(0.1, 0.9, 6)}),
        (plain, {"restitution": np.full(6, 0.5), "friction": 0.3}),
        (plain, {"gravity": [9.0, 9.5, 9.0, 9.81, 9.81, 9.81]}),
        (lambda: ff.load("scenes/stack", duration=0.1), {}),
        (walker, {}),
    ],
    ids=["friction", "restitution", "gravity", "pairs", "feet in turns"],
)
def test_a_batch_is_its_worlds_one_by_one(load: Load, parameters: dict[str, Any]) -> None:
    """The same bits for one thread and for two, whose worlds come in any order."""
    loaded = load()
    states = starts(loaded, 6, 0.005)
    one, two = (
        ff.rollout(loaded, states=states, parameters=parameters, record=ALL, threads=threads)
        for threads in (1, 2)
    )
    assert one.identical(two)
    for number, state in enumerate(states):
        own = {path: np.broadcast_to(of, 6)[number].item() for path, of in parameters.items()}
        alone = ff.rollout(loaded.set(**own), states=state, record=ALL)
        for name in (*ALL, "residual", "steps", "status", "message"):
            np.testing.assert_array_equal(one[name][number], alone[name][0], err_msg=name)


PUSH = {"link": "hip", "start": 0.02, "duration": 0.05, "force": [20.0, 0.0, 0.0]}


@pytest.mark.parametrize(
    ("scenario", "values"),
    [
        ("biped/stand", {"pushes": [PUSH]}),
        ("biped/climb_geared", {}),
        ("hopper/report", {"engine": "moreau"}),
    ],
)
def test_controllers_drives_motors_and_pushes_are_those_of_a_run(
    scenario: str, values: dict[str, Any]
) -> None:
    """To the bit, and the same on every thread."""
    loaded = ff.load(scenario, duration=0.1, **values)
    run, data = loaded.run().data, ff.rollout(loaded)
    states = np.repeat(np.hstack((run["q"], run["v"]))[:1], 3, axis=0)
    several = ff.rollout(loaded, states=states, threads=2)
    for name in ("q", "v"):
        np.testing.assert_array_equal(data[name][0], run[name], err_msg=name)
        for number in range(3):
            np.testing.assert_array_equal(several[name][number], run[name], err_msg=name)


def test_as_few_rows_and_torques_as_there_can_be() -> None:
    """Start and end, however large ``every`` is; torques of no actuators say how many steps."""
    data = ff.rollout(plain(), torques=np.zeros((5, 0)), every=10**30)
    whole = ff.rollout(plain(), torques=np.zeros((2, 5, 0)))
    np.testing.assert_array_equal(data["time"], whole["time"][[0, -1]])
    for world in range(2):
        np.testing.assert_array_equal(data["q"][0], whole["q"][world, [0, -1]])


def test_free_flight_is_the_closed_form() -> None:
    """Blocks thrown high fall by g t^2 / 2, each from its height under its gravity."""
    loaded = block(**{"initial.velocities": {}})
    heights, gravity = np.array([3.0, 5.0, 8.0]), np.array([9.0, 9.81, 1.6])
    states = np.zeros((3, 13))
    states[:, 0], states[:, 6], states[:, 12] = 1.0, heights, 2.0
    data = ff.rollout(loaded, states=states, parameters={"gravity": gravity}, every=100)
    t = data["time"].to_numpy()
    expected = heights[:, None] + 2.0 * t - 0.5 * gravity[:, None] * t**2
    found = data["q"].sel(position="block_z")
    np.testing.assert_allclose(found, expected, rtol=1e-12)  # rounding of 500 steps
    np.testing.assert_array_equal(data["gravity"], gravity)
    assert data["gravity"].attrs["units"] == "m/s^2"


def test_torques_turn_a_pendulum_as_they_should(tmp_path: Path) -> None:
    """A wheel without gravity: angle tau t^2 / 2 I, for every world its own torque."""
    file = tmp_path / "wheel.urdf"
    file.write_text(
        '<robot name="wheel"><link name="wheel"><inertial><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="0.5" iyz="0" izz="1"/></inertial></link>'
        '<joint name="axle" type="continuous"><parent link="world"/><child link="wheel"/>'
        '<axis xyz="0 1 0"/></joint><link name="world"/><transmission>'
        "<type>transmission_interface/SimpleTransmission</type>"
        '<joint name="axle"/><actuator name="motor"/></transmission></robot>'
    )
    directives = [{"add_model": {"name": "wheel", "file": str(file)}}]
    loaded = ff.load("smoke/Defaults").set(directives=directives, gravity=0.0)
    torques = np.array([0.0, 1.0, -2.0])[:, None, None] * np.ones((3, 200, 1))
    data = ff.rollout(loaded, torques=torques)
    t = data["time"].to_numpy()
    assert len(t) == 201
    np.testing.assert_allclose(
        data["q"][:, :, 0], torques[:, 0] * t**2 / (2.0 * 0.5), rtol=1e-12, atol=1e-15
    )


def test_a_world_that_fails_ends_alone() -> None:
    """A state that diverges, and a fall; the others are as they were without them."""
    loaded = block(fallen_below={"block": 0.2})
    states = np.repeat(starts(loaded, 1, 0.0), 3, axis=0)
    states[:, 6] = [0.5, 5.0, 5.0]  # the first falls to the ground, the others hardly
    states[1, 7] = 9e11
    data = ff.rollout(loaded, states=states, threads=2)
    assert data["status"].to_numpy().tolist() == ["failed", "failed", "done"]
    assert data["message"][0].item().startswith("fallen at t = 0.2")
    assert "diverges" in data["message"][1].item()
    assert data["message"][2].item() == ""
    fallen = int(data["steps"][0])
    height = data["q"].sel(position="block_z")[0].to_numpy()
    assert height[fallen] < 0.2 <= height[fallen - 1]
    assert np.isnan(height[fallen + 1 :]).all()
    alone = ff.rollout(loaded, states=states[2])
    np.testing.assert_array_equal(data["q"][2], alone["q"][0])
    run = loaded.set(**{"initial.gap": 0.2}).run()
    same = ff.rollout(loaded.set(**{"initial.gap": 0.2}))
    assert same["message"].item() == run.message
    np.testing.assert_array_equal(same["q"][0, : int(same["steps"][0]) + 1], run.data["q"])


def test_laws_that_do_not_fit_fail_their_world() -> None:
    """A block of friction 0.6 in its file, that sticks less than it slides."""
    parameters = {"static_friction": [0.1, 0.9]}
    data = ff.rollout(plain(), parameters=parameters, threads=2)
    assert data["status"].to_numpy().tolist() == ["failed", "done"]
    assert "below its friction" in data["message"][0].item()
    assert data["steps"].to_numpy().tolist() == [0, 500]


def test_ctrl_c_ends_all_worlds_within_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that were done are told, and every world that was not done is interrupted."""
    loaded = block(duration=1000.0)
    states = starts(plain(), 4)  # which compiles as well
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))

    def note_begun() -> None:
        interrupt.note_begun()
        timer.start()

    monkeypatch.setattr(rolling, "note_begun", note_begun)
    begun = time.monotonic()
    data = ff.rollout(loaded, states=states, threads=2, every=100_000)
    assert time.monotonic() - begun < 5.0
    assert set(data["status"].to_numpy()) == {"interrupted"}
    assert data["steps"].max() > 0


def test_a_model_that_changes_is_read_again(tmp_path: Path) -> None:
    """Machines are kept by what the scenario says and by when the file was written."""
    file, text = tmp_path / "block.sdf", Path("sdf/toys/block.sdf").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    loaded = ff.load(str(file), duration=0.4)
    before = ff.rollout(loaded, record=("kinetic_energy",))
    file.write_text(text.replace("<mass>1.0<", "<mass>2.0<"), encoding="utf-8")
    os.utime(file, ns=(1, 1))
    after = ff.rollout(loaded, record=("kinetic_energy",))
    np.testing.assert_allclose(
        after["kinetic_energy"][0, 100], 2.0 * before["kinetic_energy"][0, 100], rtol=1e-12
    )


REFUSED = {
    "an engine of others": (lambda: block(engine="drake"), {}, "the engine drake"),
    "a controller of the user's": (
        lambda: ff.load("biped/stand", controller=Held, **{"initial.from_reference": False}),
        {},
        "controller.* is not compiled",
    ),
    "a controller beside torques": (
        lambda: ff.load("biped/stand"),
        {"torques": np.zeros((9, 4))},
        "beside",
    ),
    "an analysis": (lambda: ff.load("biped/friction_map", engine="moreau"), {}, "an analysis"),
    "changes": (lambda: block(changes=[{"time": 0.1, "gravity": 1.0}]), {}, "changes"),
    "states of another size": (plain, {"states": np.zeros((2, 5))}, "block_qw"),
    "states of another shape": (plain, {"states": np.zeros((2, 2, 13))}, "shape"),
    "states that are no number": (plain, {"states": np.full(13, np.nan)}, r"states .*\(0,\)"),
    "no quaternion": (plain, {"states": np.zeros(13)}, "quaternion"),
    "text for states": (plain, {"states": "abc"}, "states are no numbers"),
    "complex states": (plain, {"states": np.full(13, 1j)}, "states are no numbers"),
    "torques of another size": (plain, {"torques": np.zeros((9, 2))}, "2 actuators"),
    "an unknown name": (plain, {"parameters": {"fricton": [1.0]}}, "friction"),
    "a name below a number": (plain, {"parameters": {"friction.a": [1.0]}}, "friction"),
    "a number that is none": (plain, {"parameters": {"friction": [np.inf]}}, "friction"),
    "a number of no law": (plain, {"parameters": {"friction": [0.1, -1.0]}}, "world 1.*friction"),
    "text for a parameter": (
        plain,
        {"parameters": {"friction": ["a"]}},
        "one finite number a world",
    ),
    "what all have in common": (plain, {"parameters": {"time_step": [0.1]}}, "time_step"),
    "worlds that differ": (
        plain,
        {"states": np.ones((2, 13)), "parameters": {"friction": [1.0] * 3}},
        "states of 2, parameters.friction of 3",
    ),
    "threads": (plain, {"threads": -1}, "threads is -1"),
    "every": (plain, {"every": 0}, "every is 0"),
    "a name to record": (plain, {"record": ["qq"]}, "no 'qq'"),
    "a number to record": (plain, {"record": 3}, "no 3"),
    "lists of unlike lengths": (plain, {"parameters": {"friction": [[1.0], []]}}, "one finite"),
    "a number for parameters": (plain, {"parameters": 3}, "give numbers by path"),
}


@pytest.mark.parametrize(("load", "asked", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_refusals(load: Load, asked: dict[str, Any], told: str) -> None:
    """One line each, before anything rolls."""
    loaded = load()
    with pytest.raises(ff.FootfallError, match=told) as refused:
        ff.rollout(loaded, **asked)
    assert "\n" not in str(refused.value)


def test_a_step_that_asks_drake_is_refused(tmp_path: Path) -> None:
    """The line says what the compiled step does not know."""
    file = tmp_path / "tree.urdf"
    ball = '<collision name="ball"><geometry><sphere radius="0.1"/></geometry></collision></link>'
    file.write_text(TREE.replace("</link>", ball, 1), encoding="utf-8")
    with pytest.raises(ff.FootfallError, match=r"not all of its step .*LinearSpring"):
        ff.rollout(ff.load(str(file)))

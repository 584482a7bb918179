"""Trained policies as controllers: a known law, the environment that they learned in, refusals."""

import re
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import footfall as ff
from footfall.errors import FootfallError

QUADRUPED = {"scenario": "scenes/quadruped", "pushes": [], "duration": 0.2}
NAMES = [
    f"{leg}_{joint}" for leg in ("FL", "FR", "RL", "RR") for joint in ("roll", "pitch", "knee")
]


def network(path, matrix, *, tanh=False, inputs=("seen",)):
    """Write the network of a matrix whose last column is an offset, y = A x + b, or its tanh."""
    weights = np.asarray(matrix, dtype=np.float32)
    nodes = [helper.make_node("Gemm", ["seen", "A", "b"], ["y"], transB=1)]
    if tanh:
        nodes.append(helper.make_node("Tanh", ["y"], ["z"]))
    shapes = dict.fromkeys(inputs, (1, weights.shape[1] - 1))
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, of) for n, of in shapes.items()],
        [helper.make_tensor_value_info("z" if tanh else "y", TensorProto.FLOAT, (1, len(weights)))],
        [
            numpy_helper.from_array(weights[:, :-1].copy(), "A"),
            numpy_helper.from_array(weights[:, -1].copy(), "b"),
        ],
    )
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), path)
    return str(path)


def matrix_of(seed, columns, size=0.1):
    return size * np.random.default_rng(seed).standard_normal((12, columns)).astype(np.float32)


def with_policy(engine="moreau", scenario=QUADRUPED, **fields):
    values = {name: value for name, value in scenario.items() if name != "scenario"}
    loaded = ff.load(scenario["scenario"], controller={"_tag": "!Policy", **fields}, **values)
    return loaded.run(engine=engine)


@pytest.mark.parametrize("kind", ["onnx", "npy"])
@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_linear_policy_of_torques_is_the_linear_law(tmp_path, kind, engine):
    """PD control as a matrix of observations, held over five steps, with the limits far away."""
    law = np.hstack((-40.0 * np.eye(12), -1.0 * np.eye(12), np.zeros((12, 1))))
    file = tmp_path / f"law.{kind}"
    network(file, law) if kind == "onnx" else np.save(file, law[:, :-1])
    run = with_policy(
        engine, file=str(file), observations=["joints", "joint_speeds"], actions="torques",
        scale=[1.0], clip=1e3, period=0.005,
    )  # fmt: skip
    data = run.data.sel(position=NAMES, velocity=NAMES)
    q, v = data["q"].values, data["v"].values
    told = -40.0 * (q - q[0]) - v
    held = np.repeat(told[:-1:5], 5, axis=0)
    np.testing.assert_allclose(run.data["actuation"].values[:-1], held, atol=2e-4)
    assert np.abs(held[100:]).max() > 1.0


@pytest.mark.parametrize("actions", ["positions", "torques"])
def test_an_episode_is_the_run_with_the_policy(tmp_path, actions):
    """To the bit, where the network is what acts on the environment."""
    asked = {
        "observations": ["clock", "command", "gravity", "spin", "velocity", "place", "joints",
                         "joint_speeds", "action"],
        "actions": actions, "scale": [0.2 if actions == "positions" else 5.0],
        "kp": [50.0], "kd": [1.0], "period": 0.01, "command": [0.5, -0.1], "clock": 3.0,
    }  # fmt: skip
    size = 2 + 2 + 12 + 36
    weights = matrix_of(0, size + 1)
    file = network(tmp_path / "policy.onnx", weights, tanh=True)
    ort = pytest.importorskip("onnxruntime")
    session = ort.InferenceSession(file, providers=["CPUExecutionProvider"])
    lists = {name: asked[name][0] for name in ("scale", "kp", "kd")}
    env = ff.Env(**QUADRUPED, **(asked | lists), record=True)
    seen, _ = env.reset(seed=0)
    cut = False
    while not cut:
        seen, _, _, cut, _ = env.step(session.run(None, {"seen": seen[None]})[0][0])
    episode = env.simulation.record().data
    run = with_policy(file=file, **asked).data
    for name in ("q", "v", "impulse"):
        np.testing.assert_array_equal(run[name], episode[name])
    np.testing.assert_array_equal(run["actuation"][:-1], episode["actuation"][:-1])
    assert np.abs(run["q"][-1] - run["q"][0]).max() > 0.01


def test_order_scales_positions_and_history_are_those_of_the_policy(tmp_path):
    """Joints the other way round and observations in other units make the same run."""
    weights = np.hstack((matrix_of(1, 24, 0.3), matrix_of(2, 1)))
    back = np.arange(12)[::-1]
    turned = weights[back][:, [*back, *(12 + back), 24]]
    turned[:, :12] /= 2.0
    kp = np.linspace(40.0, 60.0, 12)
    sees = {"observations": ["joints", "joint_speeds"]}
    run = with_policy(file=network(tmp_path / "a.onnx", weights), kp=kp.tolist(), **sees)
    # of two periods, of which the older one is passed over
    older = np.zeros((12, 24))
    past = np.hstack((older, turned[:, :-1], turned[:, -1:]))
    rest = run.data["q"][0].sel(position=NAMES).values
    again = with_policy(
        file=network(tmp_path / "b.onnx", past), joints=NAMES[::-1], kp=kp[::-1].tolist(),
        scales={"joints": 2.0}, history=2,
        positions=dict(zip(NAMES, rest.tolist(), strict=True)), **sees,
    )  # fmt: skip
    np.testing.assert_allclose(again.data["q"], run.data["q"], atol=1e-5)
    # the older one is what was seen a period before, and at the start what is seen then
    past = np.hstack((weights[:, :-1], older, weights[:, -1:]))
    late = with_policy(file=network(tmp_path / "c.onnx", past), kp=kp.tolist(), history=2, **sees)
    same = late.data["q"].values == run.data["q"].values
    assert same[:21].all()
    assert not same[41].all()


def test_sensors_and_matrices_with_tanh(tmp_path):
    """Readings of an IMU, as the run keeps them, by a matrix whose product is squashed."""
    weights = matrix_of(3, 7)
    np.save(tmp_path / "imu.npy", weights)
    sensors = {"imu": {"link": "trunk"}}
    run = with_policy(
        scenario=QUADRUPED | {"sensors": sensors}, file=str(tmp_path / "imu.npy"),
        observations=["imu"], activation="tanh", actions="torques", scale=[3.0], period=0.001,
    )  # fmt: skip
    told = run.data["reading"].values[:, -6:]
    acted = 3.0 * np.tanh(told @ weights[:, :-1].T + weights[:, -1])
    np.testing.assert_allclose(run.data["actuation"].values[:-1], acted[:-1], atol=1e-5)


def test_a_state_that_is_saved_between_two_actions_goes_on_to_the_bit(tmp_path):
    file = network(tmp_path / "policy.onnx", matrix_of(4, 25, 0.3))
    fields = {"file": file, "observations": ["joints", "action"]}
    values = {"pushes": [], "controller": {"_tag": "!Policy", **fields}}
    simulation = ff.load("scenes/quadruped", **values).simulation()
    simulation.step(duration=0.033)
    saved = simulation.save()
    simulation.step(duration=0.05)
    state = simulation.state
    simulation.restore(saved)
    simulation.step(duration=0.05)
    np.testing.assert_array_equal(simulation.state, state)


def test_the_folder_of_a_run_keeps_the_policy_and_runs_again(tmp_path):
    file = tmp_path / "mine.onnx"
    network(file, matrix_of(5, 25))
    content = file.read_bytes()
    controller = {"_tag": "!Policy", "file": str(file), "observations": ["joints", "joint_speeds"]}
    scenario = ff.load("scenes/quadruped", controller=controller, pushes=[], duration=0.05)
    run = scenario.run(engine="moreau", out=tmp_path / "run")
    file.unlink()
    assert (tmp_path / "run" / "policy" / "mine.onnx").read_bytes() == content
    again = ff.load(tmp_path / "run" / "scenario.yaml").run(engine="moreau")
    assert again.data["q"].equals(run.data["q"])
    assert "sha256" in (tmp_path / "run" / "provenance.json").read_text()


REFUSED = [
    ({}, {"file": "none.onnx"}, "none.onnx' cannot be read: No such file"),
    ({}, {"file": "policy.pt"}, "give a .onnx or .npy file"),
    ({}, {"file": ""}, "give a .onnx or .npy file"),
    (
        {},
        {"observations": ["joints"]},
        "takes 24 numbers, and observations have 12 (joints 12; history 1)",
    ),
    ({}, {"history": 2}, "takes 24 numbers, and observations have 48"),
    ({"rows": 11}, {}, "gives 11 actions, and the robot has 12 actuated joints"),
    ({"inputs": ("seen", "h")}, {}, "has the inputs seen, h: export a policy with one"),
    ({"text": b"no network"}, {}, "is no such policy: "),
    ({"text": b"no array", "ending": ".npy"}, {}, "is no such policy: "),
    ({"array": np.zeros(24), "ending": ".npy"}, {}, "is no matrix"),
    ({"array": np.zeros((12, 30)), "ending": ".npy"}, {}, "takes 29 numbers, and observations"),
    ({}, {"observations": []}, "observations: name what the policy sees"),
    ({}, {"observations": ["gravitas"]}, "observations: there is no 'gravitas'; did you mean"),
    ({}, {"observations": ["foot_loads"]}, "observations: there is no 'foot_loads'"),
    ({}, {"observations": ["imu"]}, "imu: the scenario has none: give sensors"),
    ({}, {"scales": {"joint": 1.0}}, "observations: there is no 'joint'; did you mean 'joints'"),
    ({}, {"joints": ["FL_rol", *NAMES[1:]]}, "joint 'FL_rol' has no actuator"),
    ({}, {"joints": NAMES[1:]}, "joints: name each actuated joint once: FL_roll"),
    ({}, {"positions": {"FL_rol": 0.0}}, "joint 'FL_rol' has no actuator"),
    ({}, {"kp": [1.0, 2.0]}, "kp is [1.0, 2.0]: give one finite number, or 12"),
    ({}, {"kd": []}, "kd is []: give one"),
    ({}, {"period": 0.0025}, "period 0.0025 s is no whole number of time steps of 0.001 s"),
    ({}, {"actions": "torque"}, "choose one of positions, torques"),
    ({}, {"history": 0}, "history is 0: give a whole number"),
]


@pytest.mark.parametrize(("made", "fields", "why"), REFUSED)
def test_what_does_not_fit_is_told_in_one_line(tmp_path, made, fields, why):
    file = tmp_path / f"policy{made.get('ending', '.onnx')}"
    if "text" in made:
        file.write_bytes(made["text"])
    elif "array" in made:
        np.save(file, made["array"])
    else:
        network(
            file, matrix_of(0, 25)[: made.get("rows", 12)], inputs=made.get("inputs", ("seen",))
        )
    given = {"file": str(file), "observations": ["joints", "joint_speeds"], **fields}
    with pytest.raises(FootfallError, match=re.escape(why)) as refused:
        with_policy(**given)
    assert "\n" not in str(refused.value)


def test_actions_that_are_no_numbers_end_the_run(tmp_path):
    np.save(tmp_path / "policy.npy", np.full((12, 24), np.nan))
    fields = {"file": str(tmp_path / "policy.npy"), "observations": ["joints", "joint_speeds"]}
    run = with_policy(**fields)
    assert run.status == "failed"
    assert "the policy's actions at t = 0.0000 s are no numbers" in run.message


def test_a_network_without_its_runtime_says_what_to_install(tmp_path, monkeypatch):
    file = network(tmp_path / "policy.onnx", matrix_of(0, 25))
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(FootfallError, match=re.escape("pip install 'footfall[policy]'")):
        with_policy(file=file)

"""The examples of the guide to learning, as a reader copies them, with few generations."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
import yaml
from tests.cli.command import done
from tests.controllers.test_policy import matrix_of, network

import footfall as ff

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "learning.md"
TEXT = GUIDE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_evolution_finds_policies_that_are_controllers_of_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    learn = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)[1]
    assert "GENERATIONS, CANDIDATES = 30, 12" in learn
    learn = learn.replace("30, 12", "2, 4").replace('"duration": 4.0', '"duration": 0.5')
    found = {}
    exec(learn, found)  # noqa: S102 (what the guide shows)
    assert len(found["best"]) == 2
    (command,) = re.findall(r"^    footfall (run .*)$", TEXT, re.MULTILINE)
    done(*shlex.split(command.replace("duration=4", "duration=0.3")), "--out", "run")
    assert (tmp_path / "run" / "report.html").is_file()
    place = json.loads(Path("run/metrics.json").read_text())["metrics"]["final_base_position"]
    env = ff.Env(**found["task"] | {"randomise": {}}, **found["sees"])
    seen, _ = env.reset(seed=0)
    for _ in range(15):
        seen, *_ = env.step(found["act"](np.load("trot.npy"), seen))
    np.testing.assert_allclose(place, env.simulation.q[4:7], atol=1e-6)


def test_the_policy_of_the_guide_runs(tmp_path):
    (block,) = re.findall(r"```yaml\ncontroller: !Policy\n(.*?)```", TEXT, re.DOTALL)
    file = network(tmp_path / "walk.onnx", matrix_of(0, 49))
    controller = yaml.safe_load(block) | {"_tag": "!Policy", "file": file}
    run = ff.load("scenes/quadruped", controller=controller, pushes=[], duration=0.05).run()
    assert run.status == "done"

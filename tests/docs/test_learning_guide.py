"""The examples of the guide to learning, as a reader copies them, with few generations."""

import re
from pathlib import Path

import numpy as np
import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "learning.md"


@pytest.mark.slow
def test_evolution_finds_policies_that_become_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, learn, show = re.findall(
        r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert "GENERATIONS, CANDIDATES = 30, 12" in learn
    learn = learn.replace("30, 12", "2, 4").replace('"duration": 4.0', '"duration": 0.5')
    found = {}
    exec(learn, found)  # noqa: S102 (what the guide shows)
    assert len(found["best"]) == 2
    assert np.load("trot.npy").shape == (3, 7)
    exec(show, found)  # noqa: S102 (what the guide shows)
    assert found["run"].status == "done"
    assert Path("trot.html").is_file()

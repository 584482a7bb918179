"""The examples of the guide to Python, as a reader copies them."""

import re
from pathlib import Path

import numpy as np
import pytest

import footfall as ff

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "python.md"


def _code(heading):
    section = GUIDE.read_text(encoding="utf-8").partition(heading)[2]
    return re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]


def test_a_loop_of_ones_own_goes_back_to_where_it_stood():
    found = {}
    exec(_code("## A loop of your own"), found)  # noqa: S102 (what the guide shows)
    sim, slid = found["sim"], found["slid"]
    assert sim.time == pytest.approx(1.0)
    # friction holds 0.6 m g against 40 N, and 0.1 m g does not
    assert abs(slid[0.6]) < 0.03 < slid[0.1]


@pytest.mark.slow
def test_cubes_come_to_rest_on_their_faces():
    code = _code("## Many worlds at once")
    assert "19)" in code
    found = {"ff": ff}
    exec(code.replace("19)", "7)"), found)  # noqa: S102 (what the guide shows)
    worlds, up, tilt, face = (found[name] for name in ("worlds", "up", "tilt", "face"))
    assert worlds.sizes["world"] == 49
    assert set(worlds["status"].to_numpy()) == {"done"}
    assert float(worlds["residual"].max()) < 1e-9
    # unless it stands on an edge for ever, which by symmetry one of 45 degrees would
    resting = ~(np.abs(tilt) == 45.0).any(axis=1)
    np.testing.assert_allclose(np.abs(up[resting]).max(axis=1), 1.0, atol=1e-6)
    about_x, about_y = np.abs(tilt.T)
    np.testing.assert_array_equal(face[(about_x == 0.0) & (about_y < 45.0)], 2)
    np.testing.assert_array_equal(face[(about_x == 0.0) & (about_y > 45.0)], 0)
    np.testing.assert_array_equal(face[(about_y == 0.0) & (about_x > 45.0)], 1)

"""The page on event-driven simulation: its program is what runs."""

import re

import pytest
from tests.tracked import ROOT


def test_the_program_of_event_driven_simulation_runs():
    text = (ROOT / "docs" / "theory" / "event_driven.md").read_text()
    (program,) = re.findall(r"\n((?:    .*\n|\n)*    run = simulate.*\n)", text)
    names = {}
    lines = [line.removeprefix("    ") for line in program.splitlines()]
    exec("import numpy as np\n" + "\n".join(lines), names)  # noqa: S102 (a program of ours)
    # dropped from 1 m with e = 0.8: sqrt(2/g) down, then flights that shrink by 0.8
    fall = (2.0 / 9.81) ** 0.5
    times = [event.time for event in names["run"].events]
    assert times[:2] == pytest.approx([fall, fall * (1.0 + 2.0 * 0.8)], rel=1e-11)

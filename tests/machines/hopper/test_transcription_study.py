import numpy as np
import pytest
from tests.machines.hopper.machine import context

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext
from footfall.errors import ScenarioError
from footfall.machines.hopper.transcription import analysis as transcription
from footfall.machines.hopper.transcription.analysis import JumpTranscription


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"slides": 0}, "slides is 0"),
        ({"force": 0.0}, "the slack is"),
        ({"angle": float("nan")}, "the slack is"),
        ({"solver": "newton"}, "solver newton"),
        ({"iterations": 0}, "iterations 0"),
        ({"starts": 0}, "starts 0"),
    ],
)
def test_options_without_meaning_are_refused(options, words):
    with pytest.raises(ScenarioError, match=words):
        JumpTranscription(**options)


@pytest.mark.slow
@pytest.mark.longest
def test_the_jumps_of_a_scenario_are_confirmed_and_kept(tmp_path, monkeypatch):
    hopper = context()
    told = []
    slide = JumpTranscription(slides=1)

    def analysis():
        checkpoint = Checkpoint(tmp_path / "pieces.jsonl", "hopper")
        return AnalysisContext(checkpoint, lambda what, share: told.append((what, share)))

    found = slide.run(hopper, analysis())
    assert set(found.metrics) == set(slide.metrics())
    ahead, behind = found.metrics["distances"]
    # centimetres apart, and five times the authors' 0.1336 m
    assert behind > ahead + 0.02 > 0.67
    assert told == [("1 slide", 0.0), ("Q behind", 0.5)]
    bound = found.data["spin_bound"].interp(line=np.radians(60.0))
    assert (found.data["spin_distance"] < bound).all()
    # a second time nothing is solved: all is in the checkpoint
    monkeypatch.setattr(transcription, "confirmed_jump", None)
    again = slide.run(hopper, analysis())
    assert again.metrics == found.metrics

import pytest
from tests.machines.hopper.machine import context

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext
from footfall.errors import ScenarioError
from footfall.machines.hopper.transcription import analysis as transcription
from footfall.machines.hopper.transcription.analysis import JumpTranscription


@pytest.mark.parametrize("slides", [0, 5])
def test_slides_that_no_run_up_has_are_refused(slides):
    with pytest.raises(ScenarioError, match=f"^analysis: slides is {slides}: give 1 to 4"):
        JumpTranscription(slides=slides)


@pytest.mark.slow
@pytest.mark.longest
def test_the_jumps_of_a_scenario_are_confirmed_and_kept(tmp_path, monkeypatch):
    hopper = context()
    progress = []
    slide = JumpTranscription(slides=1)

    def analysis():
        checkpoint = Checkpoint(tmp_path / "pieces.jsonl", "hopper")
        return AnalysisContext(checkpoint, lambda what, share: progress.append((what, share)))

    result = slide.run(hopper, analysis())
    assert set(result.metrics) == set(slide.metrics())
    ahead, behind = result.metrics["distances"]
    # centimetres apart, and five times the authors' 0.1336 m
    assert behind > ahead + 0.02 > 0.67
    assert progress == [("1 slide", 0.0), ("Q behind", 0.5)]
    assert result.data["jump_distance"].sel(jump="Q behind") == behind
    # a second time nothing is solved: all is in the checkpoint
    monkeypatch.setattr(transcription, "confirmed_jump", None)
    again = slide.run(hopper, analysis())
    assert again.metrics == result.metrics

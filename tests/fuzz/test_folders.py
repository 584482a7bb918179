"""No damaged run folder ends in a traceback.

``python -m tests.fuzz.folders SEED COUNT`` tries more.
"""

import pytest
from tests.fuzz.folders import tried


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_damaged_run_folders_are_shown_or_refused_in_one_line(tmp_path):
    outcomes = tried(range(100), tmp_path)
    assert not [f"seed {s}: {what}" for s, what in outcomes.items() if "FAULT" in what]
    refused = sum("refused" in what for what in outcomes.values())
    assert 20 < refused < 90

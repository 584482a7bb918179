"""No file of a user ends in a traceback, a hang or a dead interpreter.

`python -m tests.fuzz` does so with any number of files. A case that fails is made again by its
kind and seed: ``tests.fuzz.mutations.mutated("model", 7)``.
"""

import pytest
from tests.fuzz.mutations import MODEL, SCENARIO
from tests.fuzz.workers import Worker, outcomes

_CASES = {MODEL: 100, SCENARIO: 60}


@pytest.mark.slow
def test_a_case_that_ends_or_hangs_the_interpreter_is_seen(tmp_path):
    worker = Worker(tmp_path, patience=5.0)
    try:
        found = [worker.load(MODEL, seed) for seed in (-1, -2)]
    finally:
        worker.end()
    assert found == ["DEAD -6", "HANG"]


@pytest.mark.slow
@pytest.mark.parametrize("what", _CASES)
def test_mutated_files_are_taken_or_refused_in_one_line(what):
    found = dict(outcomes((what, seed) for seed in range(_CASES[what])))
    bad = {case: end for case, end in found.items() if not end.startswith(("sound", "refused"))}
    assert not bad, "\n".join(f"{case}: {end}" for case, end in bad.items())
    # faults that are always refused, or never, would test little
    shares = [sum(end.startswith(kind) for end in found.values()) for kind in ("sound", "refused")]
    assert min(shares) > _CASES[what] // 10

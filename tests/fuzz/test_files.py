"""No file of a user ends in a traceback, a hang or a dead interpreter.

A case that fails is made again by its seed: ``tests.fuzz.mutations.mutated(seed)``.
"""

import selectors
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fuzz.mutations import MJCF

_CASES = 2_000
_OF_MUJOCO = 400
_PATIENCE = 60.0  # s a case; the first imports Drake, all others take a tenth of a second
_ROOT = Path(__file__).parents[2]


class _Worker:
    """A process that loads cases, and is made anew when it dies or hangs."""

    def __init__(self, folder, patience=_PATIENCE):
        self._folder = folder
        self._patience = patience
        self._process = None

    def load(self, seed):
        """Load a case; returns what became of it."""
        if self._process is None:
            command = [sys.executable, "-m", "tests.fuzz.worker", str(self._folder)]
            self._process = subprocess.Popen(
                command, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
        self._process.stdin.write(f"{seed}\n")
        self._process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            answer = self._process.stdout.readline() if selector.select(self._patience) else None
        if answer:
            return answer.rstrip("\n")
        status = self.end()
        return "HANG" if answer is None else f"DEAD {status}"

    def end(self):
        """End the process; returns how it had ended itself, if it had."""
        process, self._process = self._process, None
        if process is None:
            return None
        try:
            return process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()
        finally:
            process.stdin.close()
            process.stdout.close()


@pytest.mark.slow
def test_a_case_that_ends_or_hangs_the_interpreter_is_seen(tmp_path):
    worker = _Worker(tmp_path, patience=5.0)
    try:
        outcomes = [worker.load(seed) for seed in (-1, -2, 0)]
    finally:
        worker.end()
    assert outcomes[:2] == ["DEAD -6", "HANG"]
    assert outcomes[2].startswith(("sound", "refused"))


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(_CASES), range(MJCF, MJCF + _OF_MUJOCO)])
def test_mutated_files_are_loaded_or_refused_in_one_line(tmp_path, seeds):
    worker = _Worker(tmp_path)
    try:
        outcomes = {seed: worker.load(seed) for seed in seeds}
    finally:
        worker.end()
    bad = {s: what for s, what in outcomes.items() if not what.startswith(("sound", "refused"))}
    assert not bad, "\n".join(f"seed {seed}: {what}" for seed, what in bad.items())
    # faults that are always refused, or never, would test little
    shares = [sum(o.startswith(kind) for o in outcomes.values()) for kind in ("sound", "refused")]
    assert min(shares) > len(seeds) // 10

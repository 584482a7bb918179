"""Cases in processes of their own, which may hang or die without the one that asks them."""

import selectors
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PATIENCE = 300.0  # s a case: one may compile a kernel on a busy machine, most take 0.1 s
_BATCH = 100  # cases of a process, which keeps what it has compiled and read
_ROOT = Path(__file__).parents[2]

Case = tuple[str, int]


class Worker:
    """A process that loads cases, and is made anew when it dies or hangs."""

    def __init__(self, folder, patience=PATIENCE):
        self._folder = folder
        self._patience = patience
        self._process = None

    def load(self, what, seed):
        """Load a case; returns what became of it."""
        if self._process is None:
            command = [sys.executable, "-m", "tests.fuzz.worker", str(self._folder)]
            self._process = subprocess.Popen(
                command, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
        self._process.stdin.write(f"{what} {seed}\n")
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


def outcomes(cases: Iterable[Case], processes: int = 1) -> Iterator[tuple[Case, str]]:
    """Load cases in so many processes; yields each with what became of it, batch by batch."""
    cases = list(cases)
    batches = [cases[k : k + _BATCH] for k in range(0, len(cases), _BATCH)]
    with ThreadPoolExecutor(processes) as pool:
        for found in pool.map(_of_batch, batches):
            yield from found


def _of_batch(cases: list[Case]) -> list[tuple[Case, str]]:
    with tempfile.TemporaryDirectory() as folder:
        worker = Worker(folder)
        try:
            return [(case, worker.load(*case)) for case in cases]
        finally:
            worker.end()

"""Programs that stop at chosen places until they are told to go on, so that signals can be sent."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

# A place says its name on stdout and waits for a line on stdin; signals that are not handled by an
# exception do not end the wait.
PLACES = """
import sys

def reach(name):
    sys.__stdout__.write(f"AT {name}\\n")
    sys.__stdout__.flush()
    sys.stdin.readline()

def stop_before(owner, attribute, name, times=1):
    function, left = getattr(owner, attribute), [times]
    def stopping(*values, **named):
        left[0] -= 1
        if left[0] == 0:
            reach(name)
        return function(*values, **named)
    setattr(owner, attribute, stopping)
"""


class Program:
    """A process that runs a text; `reached` waits for a place, `go_on` lets it go on."""

    def __init__(self, process):
        self.process = process

    def reached(self, name):
        for line in self.process.stdout:
            if line == f"AT {name}\n":
                return
        raise AssertionError(f"{name} is never reached: {self.process.stderr.read()}")

    def send(self, number):
        os.kill(self.process.pid, number)

    def go_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def ends(self):
        """Exit status, and what was printed on stderr."""
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err


@contextmanager
def program(text, folder):
    """A program as it runs in a folder; it is ended behind the block."""
    process = subprocess.Popen(
        [sys.executable, "-c", PLACES + text],
        cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Program(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()


def is_alive(pid):
    """Return whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

"""Show the slowest tests of a run, and the time by folder.

    python scripts/slowest_tests.py                  # of the last `make test`
    python scripts/slowest_tests.py other.xml --count 50

It reads what `pytest --junitxml` wrote. A time is that of one worker: set up, run, taken down. What
several tests share (a run, a model) counts for the one that came first.
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from rich.console import Console
from rich.table import Table

TESTS = "tests"
LAST = Path(__file__).resolve().parents[1] / "build" / "tests.xml"


class Test(NamedTuple):
    """A test of a run: its file below tests/, its name with parameters, its time [s]."""

    file: str
    name: str
    time: float

    @property
    def folder(self) -> str:
        """Folder below tests/; what lies deeper counts to a machine's."""
        folders = self.file.split("/")[:-1]
        return "/".join(folders[: 2 if folders[:1] == ["machines"] else 1]) or "."


def main() -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, nargs="?", default=LAST, help="JUnit XML of a run")
    parser.add_argument("--count", type=int, default=20, help="how many tests are shown")
    arguments = parser.parse_args()
    if not arguments.report.is_file():
        parser.error(f"{arguments.report} is not there: make test writes {LAST.name}")
    tests = read(arguments.report)
    console = Console()
    console.print(slowest(tests, arguments.count))
    console.print(by_folder(tests))


def read(report: Path) -> list[Test]:
    """Return the tests of a JUnit XML, the slowest first."""
    # the file is this machine's own, from the last run of pytest
    cases = ET.parse(report).iter("testcase")  # noqa: S314
    tests = [
        Test(file_of(case.get("classname", "")), case.get("name", ""), float(case.get("time", 0)))
        for case in cases
    ]
    return sorted(tests, key=lambda test: -test.time)


def file_of(module: str) -> str:
    """Return the file below tests/ of a dotted module (a class may follow it)."""
    parts = module.removeprefix(f"{TESTS}.").split(".")
    last = next((k for k, part in enumerate(parts) if part.startswith("test_")), len(parts) - 1)
    return "/".join(parts[: last + 1]) + ".py"


def slowest(tests: list[Test], count: int) -> Table:
    """Return the table of the slowest tests."""
    table = Table("s", "file", "test", title=f"the {min(count, len(tests))} slowest tests")
    table.columns[0].justify = "right"
    for column in table.columns[1:]:
        column.overflow = "fold"
    for test in tests[:count]:
        table.add_row(f"{test.time:.1f}", test.file, test.name)
    return table


def by_folder(tests: list[Test]) -> Table:
    """Return the table of tests and times by folder, and their sum."""
    times: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for test in tests:
        times[test.folder] += test.time
        counts[test.folder] += 1
    table = Table("s", "tests", "folder", title="time by folder", show_footer=True)
    table.columns[0].justify = table.columns[1].justify = "right"
    for folder, time in times.most_common():
        table.add_row(f"{time:.1f}", str(counts[folder]), folder)
    for column, total in zip(
        table.columns, (f"{times.total():.1f}", str(len(tests)), ""), strict=True
    ):
        column.footer = total
    return table


if __name__ == "__main__":
    main()

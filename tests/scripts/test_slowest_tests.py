"""The tables of the slowest tests, out of what pytest writes of a run."""

import pytest
from tests.scripts.script import refusal, run_script


@pytest.fixture
def report(tmp_path):
    """JUnit XML in the shape that pytest writes, of four tests in three folders."""
    cases = [
        ("tests.cli.test_verify", "test_a", 1.5),
        ("tests.machines.hopper.report.test_page", "test_b[1]", 4.25),
        ("tests.machines.hopper.test_march.TestOnIce", "test_c", 2.0),
        ("tests.test_run", "test_d", 0.25),
    ]
    lines = "".join(f'<testcase classname="{c}" name="{n}" time="{t}"/>' for c, n, t in cases)
    path = tmp_path / "tests.xml"
    path.write_text(f"<testsuites><testsuite>{lines}</testsuite></testsuites>")
    return path


def rows(table):
    """Cells of the lines of a table that hold any."""
    return [
        [cell.strip() for cell in line.strip("│┃").replace("┃", "│").split("│")]
        for line in table.splitlines()
        if line.startswith(("│", "┃"))
    ]


def test_the_slowest_come_first_and_folders_are_summed(report):
    done = run_script("slowest_tests", report, "--count", 2)
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout) == [
        ["s", "file", "test"],
        ["4.2", "machines/hopper/report/test_page.py", "test_b[1]"],
        ["2.0", "machines/hopper/test_march.py", "test_c"],
        ["s", "tests", "folder"],
        ["6.2", "2", "machines/hopper"],
        ["1.5", "1", "cli"],
        ["0.2", "1", "."],
        ["8.0", "4", ""],
    ]


def test_a_report_that_is_not_there_is_refused(tmp_path):
    assert "is not there" in refusal("slowest_tests", tmp_path / "none.xml")

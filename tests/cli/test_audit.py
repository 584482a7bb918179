"""Audits: what a robot survives, where it slips and creeps, in which engines."""

import re

import pytest
from tests.cli.command import done, footfall
from tests.engines.tiny import GRAVITY, tiny
from tests.feet.robots import TABLE

from footfall.scenario.io import dump_scenario
from footfall.scenario.schema import InitialState


@pytest.fixture
def table(tmp_path):
    """A file of a table that stands on four feet, on a slope of 15 degrees."""
    scenario = tiny(tmp_path, TABLE, slope_deg=15.0, duration=0.3)
    scenario.initial = InitialState(drop_along="trunk")
    file = tmp_path / "table.yaml"
    file.write_text(dump_scenario(scenario))
    return file


def test_a_table_on_a_slope_slips_where_friction_is_low(table, tmp_path):
    over = ("--over", "friction=0.1,0.7", "--workers", "1", "--out", tmp_path / "audit")
    told = done("audit", table, *over)
    # (g sin a - mu g cos a) t^2 / 2; Drake's feet sink in and swing first
    way = 0.5 * GRAVITY * (0.2588 - 0.1 * 0.9659) * 0.3**2
    slips, stands = re.findall(r"^ friction .*$", told, re.MULTILINE)
    assert float(re.search(r"survives, slips (\S+) m", slips)[1]) == pytest.approx(way, rel=0.05)
    assert slips.count("survives, slips") == stands.count("survives") == 2
    assert "slips" not in stands
    assert "creeps" not in slips
    assert "In each engine" in (tmp_path / "audit" / "report.html").read_text()


def test_what_cannot_be_audited_is_one_line(table, capsys):
    status, _, told = footfall("audit", table, "--engines", "moreau,bullet", capsys=capsys)
    assert status == 2
    assert "bullet" in told
    assert len(told.splitlines()) == 1

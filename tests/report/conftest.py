"""The page that tests of its file and tests in a browser look at."""

import pytest
from tests.scenario.runs import run

from footfall.provenance import collect_provenance
from footfall.report import Section, write_reports
from footfall.scenario.io import load_scenario

LONG = ("duration=1.0",)
SHOWN = {"biped/climb": ("moreau", "drake", "closed-form"), "smoke/Defaults": ("moreau",)}


@pytest.fixture(scope="session")
def report_page(tmp_path_factory):
    """The file of a page with a biped in three engines, which has every figure, and with a ball."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    sections = []
    for name, engines in SHOWN.items():
        runs = {engine: run(name, engine, *LONG) for engine in engines}
        sections.append(Section(name, load_scenario(name, LONG), runs, collect_provenance(0)))
    write_reports(sections, path)
    return path

"""The page of an analysis: complete, self-contained, and true to the folder it is made from."""

import re

import numpy as np
import pytest
import xarray as xr
from tests.report.analyses import SMALL, analysed
from tests.slow import some_slow

from footfall.analysis.context import load_arrays
from footfall.errors import RunError
from footfall.machines.compass.report.bifurcation import bifurcation_contents
from footfall.registry.machines import analysis_types
from footfall.report import write_analysis_page
from footfall.run_folder import RunFolder

FIGURES = {
    "InternalGait": ("Torques and joints", "Ground and clearance"),
    "Bifurcation": ("Where walks settle", "The cascade of doublings, closer", "Multipliers of the"),
    "Sweep": (
        "steps over q1&#39; after heel strike and q2&#39; after heel strike",
        "outcome over q1&#39; after heel strike and q2&#39; after heel strike",
        "share over gain of the hip",
    ),
    "LegAngles": (
        "Figure 25a: angles of the legs and torque",
        "Figure 25b: sequence over the track",
    ),
}


# each takes seconds to compute: their pages are written in the slow suite
LONG = {
    *("Bifurcation",),
    *("LegAngles", "InternalGait"),
}
every_kind = pytest.mark.parametrize("kind", some_slow(list(SMALL), *LONG))


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders of small analyses by kind, each computed when a test first asks for it."""
    parent = tmp_path_factory.mktemp("analyses")
    return Lazy(lambda kind: analysed(kind, parent))


@pytest.fixture(scope="module")
def pages(folders):
    """Pages of these by kind."""

    def page(kind):
        write_analysis_page(folders[kind])
        return folders[kind].report.read_text(encoding="utf-8")

    return Lazy(page)


class Lazy(dict):
    """A dictionary that makes what is missing."""

    def __init__(self, make):
        super().__init__()
        self._make = make

    def __missing__(self, key):
        self[key] = self._make(key)
        return self[key]


def test_every_analysis_has_its_figures():
    kinds = {kind.__name__ for kind in analysis_types()}
    assert kinds | {"Sweep"} == set(SMALL) == set(FIGURES)


@pytest.mark.slow
@every_kind
def test_a_page_has_figures_metrics_and_where_it_comes_from(kind, pages):
    page = pages[kind]
    for words in (*FIGURES[kind], "Metrics", "Where this comes from", SMALL[kind][0], kind):
        assert words in page
    alts = re.findall(r'(?:<img [^>]*alt|role="group" aria-label)="([^"]*)"', page)
    assert len(alts) == len(FIGURES[kind])
    assert all(len(alt) > 30 for alt in alts)


@pytest.mark.slow
@every_kind
def test_a_page_loads_nothing_and_its_links_lead_somewhere(kind, pages):
    page = pages[kind]
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert all(address.startswith(("data:", "#")) for address in addresses)
    places = set(re.findall(r'id="([^"]*)"', page))
    assert {address[1:] for address in addresses if address.startswith("#")} <= places


@pytest.mark.slow
@every_kind
def test_a_page_can_be_written_again(kind, folders, pages):
    write_analysis_page(folders[kind])
    assert folders[kind].report.read_text(encoding="utf-8") == pages[kind]


@pytest.mark.slow
def test_doublings_are_told_to_a_millionth_of_a_degree(folders, pages):
    slope = np.degrees(load_arrays(folders["Bifurcation"].result)["flip_slope"].to_numpy())
    assert slope.shape == (1,)
    assert f"{slope[0]:.6f}" in pages["Bifurcation"]
    assert "1 to 2" in pages["Bifurcation"]
    assert "Goswami" in pages["Bifurcation"]  # its claim about this slope


def test_ratios_stand_beside_the_distances_that_they_are_of():
    """A cascade whose distances shrink by exactly four."""
    flips = np.radians([4.0, 5.0, 5.25, 5.3125])
    data = _diagram(flips)
    (table,) = bifurcation_contents(data, {}).tables
    assert [row[-1] for row in table.rows] == ["–", "–", "4", "4"]  # noqa: RUF001 (a dash for none)
    assert [row[3] for row in table.rows][1:] == ["1.000000", "0.250000", "0.062500"]


def test_a_diagram_without_doublings_has_no_table_of_them():
    contents = bifurcation_contents(_diagram(np.zeros(0)), {})
    assert not contents.tables
    assert len(contents.figures) == 2


def test_a_branch_that_ends_early_and_walks_that_do_are_told_in_whole_sentences():
    ends = "The gait of period one ends at 3 degrees: no point beyond."
    data = _diagram(np.zeros(0)).assign_attrs(stops=f"{ends} {ends}")
    metrics = {"last_slope_deg": 5.0, "first_lost_slope_deg": 5.0 + 3e-5}
    notes = bifurcation_contents(data, metrics).notes
    assert f"{ends} {ends}" in notes
    assert any("up to about 5.0000 degrees; 3 × 10⁻⁵ degrees steeper" in note for note in notes)  # noqa: RUF001
    assert not any(".." in note for note in notes)


def test_every_dot_of_a_diagram_is_drawn():
    """As many as are settled, however many there are."""
    slopes, kept = 300, 20
    data = _diagram(np.zeros(0)).isel(slope=np.arange(slopes) % 5, kept=np.arange(kept) % 4)
    data["slope"] = np.radians(np.linspace(3.0, 5.5, slopes))
    for panel in bifurcation_contents(data, {}).figures[0].chart.shown:
        assert max(len(mark.x) for mark in panel.marks) == slopes * kept


def _diagram(flips):
    """Arrays of a bifurcation with walks that stay where they are."""
    slope = np.radians(np.linspace(3.0, 5.5, 6))
    walk = np.full((6, 4, 3), 0.2)
    walk[-1] = np.nan  # does not last
    parts = ("branch_slope", "multiplier")
    return xr.Dataset(
        {
            "walk": (("slope", "kept", "component"), walk),
            "step_time": (("slope", "kept"), walk[:, :, 0] + 0.5),
            "gait": (("branch_slope", "component"), np.full((6, 3), 0.2)),
            "multiplier_real": (parts, np.tile([-0.9, 0.2, 0.1], (6, 1))),
            "multiplier_imag": (parts, np.zeros((6, 3))),
            "flip_period": ("flip_slope", 2 ** np.arange(len(flips))),
        },
        {"slope": slope, "branch_slope": slope, "flip_slope": flips},
        {"walker": "simplest"},
    )


def test_a_folder_without_findings_is_told(tmp_path, folders):
    for name in ("scenario.yaml", "metrics.json", "provenance.json"):
        (tmp_path / name).write_bytes((folders["Sweep"].path / name).read_bytes())
    with pytest.raises(RunError, match=r"findings\.nc is missing or damaged"):
        write_analysis_page(RunFolder(tmp_path))


def test_damaged_metrics_are_told(tmp_path, folders):
    for path in folders["Sweep"].path.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    metrics = (tmp_path / "metrics.json").read_text()
    (tmp_path / "metrics.json").write_text(re.sub('"runs": [0-9.]+', '"runs": "x"', metrics))
    with pytest.raises(RunError, match="damaged"):
        write_analysis_page(RunFolder(tmp_path))

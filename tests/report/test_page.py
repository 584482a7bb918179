"""The page: complete, self-contained, safe, and honest about runs that went wrong."""

import html.parser
import re
from dataclasses import replace

import numpy as np
import pytest
from tests.engines.tiny import BRICK, STOPPED, simulate, tiny
from tests.scenario.runs import run

from footfall.errors import RunError
from footfall.provenance import collect_provenance
from footfall.registry.claims import judged
from footfall.registry.machines import machines
from footfall.report import Section, read_section, read_sections, write_reports
from footfall.report.section import SavedRun
from footfall.report.tables import claim_rows
from footfall.run_folder import make_run_folder
from footfall.saved import save_run
from footfall.scenario.io import load_scenario
from footfall.trajectory import Event, Status, Trajectory
from footfall.trajectory.events import ENERGY_DRIFT

SHORT = ("duration=0.3",)
ENGINES = ("moreau", "drake", "closed-form")


class _Reader(html.parser.HTMLParser):
    """Collects what a page has; checks that every element that is opened is closed."""

    _VOID = ("meta", "link", "img", "input", "br")

    def __init__(self, page):
        super().__init__()
        self.elements = []
        self.text = []
        self._open = []
        self.feed(page)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self._VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


def _section(name, *engines, **changes):
    scenario = load_scenario(name, SHORT)
    runs = {engine: run(name, engine, *SHORT) for engine in engines}
    return Section(name, replace(scenario, **changes), runs, collect_provenance(0))


def _read(sections, folder):
    path = folder / "report.html"
    write_reports(sections, path)
    return _Reader(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page(report_page):
    return _Reader(report_page.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_both_scenarios_and_every_engine_are_there(page):
    text = " ".join(page.text)
    for word in ("biped/climb", "smoke/Defaults", *ENGINES, "fitted", "external pitch moment"):
        assert word in text
    assert len(page.all("iframe")) == 2


@pytest.mark.slow
def test_misprints_of_the_source_are_on_the_page(page):
    assert {cell for one in machines()["biped"].misprints for cell in one} <= set(page.text)


def test_nothing_is_loaded_from_elsewhere(page):
    for tag, attributes in page.elements:
        for name in ("src", "href", "srcset", "action", "poster"):
            if name in attributes:
                assert attributes[name].startswith(("data:", "#")), (tag, attributes[name][:80])
    assert not any(re.search(r"@import|url\((?!#)", text) for text in page.text)


def test_every_picture_has_words(page):
    charts = [attributes for attributes in page.all("div") if "data-chart" in attributes]
    words = [one["aria-label"] for one in charts] + [one["alt"] for one in page.all("img")]
    assert len(words) > 25  # 20 of the biped, those of any robot again of the ball
    assert all(len(each) > 30 for each in words)
    assert all(attributes["title"] for attributes in page.all("iframe"))


def test_links_within_the_page_lead_somewhere(page):
    places = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    links = [attributes["href"] for attributes in page.all("a")]
    assert links
    assert {link.removeprefix("#") for link in links} <= places


def test_controls_have_names(page):
    for attributes in page.all("input"):
        assert attributes["type"] == "checkbox" or attributes["aria-label"]


@pytest.mark.usefixtures("blank")
def test_text_of_the_user_is_text(tmp_path):
    nasty = '<script>alert("x")</script> & <img src=x>'
    read = _read([_section("biped/climb", "moreau", description=nasty)], tmp_path)
    # of our own theme, inflate, player and charts with their data; a viewer and its scene
    assert len(read.all("script")) == 7
    assert nasty in "".join(read.text)


@pytest.mark.usefixtures("blank")
def test_a_machine_without_study_or_actuators(tmp_path):
    scenario = tiny(tmp_path, BRICK, duration=0.4, positions={"brick_z": 0.3}, slope_deg=10.0)
    runs = {engine: simulate(scenario, engine) for engine in ("moreau", "drake")}
    text = " ".join(_read([Section("brick", scenario, runs)], tmp_path).text)
    for word in ("Generalized positions", "Gait diagram", "Energy", "brick_qw"):
        assert word in text
    assert "Actuation" not in text


def test_a_machine_without_contacts(tmp_path):
    urdf = STOPPED.format(effort=0, damping=0).replace('lower="-0.5" upper="0.5"', "")
    scenario = tiny(tmp_path, urdf, welded="base", duration=0.2, positions={"swing": 0.3})
    text = " ".join(
        _read([Section("swing", scenario, {"moreau": simulate(scenario)})], tmp_path).text
    )
    assert "Energy" in text
    assert "Gaps" not in text


def _ended(whole, rows, status, message):
    cut = Trajectory(whole.trajectory.data.isel(time=slice(rows)), (), status, message)
    return SavedRun(cut, {"duration": np.nan}, ())


@pytest.mark.usefixtures("blank")
def test_a_run_that_failed_is_shown_as_far_as_it_came(tmp_path):
    section = _section("biped/climb", "moreau", "drake")
    broken = _ended(section.first, 150, Status.FAILED, "the state diverges at t = 0.150 s")
    read = _read(
        [replace(section, runs={"moreau": broken, "drake": section.runs["drake"]})], tmp_path
    )
    assert "moreau: failed. the state diverges at t = 0.150 s" in "".join(read.text)
    assert "Engine against engine" in "".join(read.text)


def test_what_is_told_at_the_prompt_is_on_the_page(tmp_path):
    section = _section("biped/climb", "moreau")
    told = Event(0.1, ENERGY_DRIFT, "numerical error gives 3 J: use a smaller time_step")
    own = Event(0.1, "touch-down", "left")  # a machine's page tells of it
    short = _ended(section.first, 1, Status.DONE, "")
    trajectory = replace(short.trajectory, events=(told, own))
    read = _read(
        [replace(section, runs={"moreau": replace(short, trajectory=trajectory)})], tmp_path
    )
    assert [attrs.get("class") for attrs in read.all("p")].count("told") == 1
    assert "moreau: numerical error gives 3 J: use a smaller time_step." in "".join(read.text)


@pytest.mark.parametrize("rows", [0, 1])
def test_a_run_that_was_over_at_once_has_a_page(rows, tmp_path):
    section = _section("biped/climb", "moreau")
    over = _ended(section.first, rows, Status.INTERRUPTED, "interrupted at t = 0.0000 s")
    read = _read([replace(section, runs={"moreau": over})], tmp_path)
    assert "interrupted at t = 0.0000 s" in "".join(read.text)
    assert not read.all("iframe")


def _of_two_rows(section):
    runs = {n: _ended(r, 2, Status.INTERRUPTED, "") for n, r in section.runs.items()}
    return replace(section, runs=runs)


def test_two_rows_are_enough(tmp_path):
    section = _of_two_rows(_section("smoke/Defaults", "moreau"))
    assert _read([section], tmp_path).all("iframe")


@pytest.mark.usefixtures("blank")
def test_two_rows_are_enough_for_a_machine(tmp_path):
    section = _of_two_rows(_section("biped/climb", "moreau", "drake"))
    assert _read([section], tmp_path).all("iframe")


@pytest.mark.slow
def test_numbers_that_are_none_do_not_stop_the_page(tmp_path):
    section = _section("biped/climb", "moreau")
    data = section.first.trajectory.data.copy(deep=True)
    for name in ("q", "v", "actuation", "impulse", "gap", "kinetic_energy", "residual"):
        data[name][200:] = np.nan
    broken = SavedRun(Trajectory(data, (), Status.FAILED, "diverges"), {}, ())
    assert _figures(_read([replace(section, runs={"moreau": broken})], tmp_path))
    data["q"][:] = np.nan
    assert not _figures(_read([replace(section, runs={"moreau": broken})], tmp_path))


def _figures(page):
    """Elements of figures, as pictures or drawn in the page."""
    charts = [attributes for attributes in page.all("div") if "data-chart" in attributes]
    return charts + page.all("img")


def _saved(folder, name, engine):
    own = make_run_folder(name, engine, folder)
    save_run(own, name, load_scenario(name, SHORT), run(name, engine, *SHORT))
    return own


@pytest.mark.slow
@pytest.mark.usefixtures("blank")
def test_a_page_made_from_folders_says_what_the_page_of_the_runs_says(tmp_path):
    folders = [_saved(tmp_path / engine, "biped/climb", engine) for engine in ("moreau", "drake")]
    read = read_section(folders)
    live = _section("biped/climb", "moreau", "drake")
    assert read.name == live.name
    assert list(read.runs) == list(live.runs)
    for name, saved in read.runs.items():
        assert saved.trajectory.data["q"].equals(live.runs[name].trajectory.data["q"])
        assert list(saved.claims) == list(live.runs[name].claims)
        assert saved.metrics == pytest.approx(live.runs[name].metrics, nan_ok=True)
    assert "biped/climb" in "".join(_read([read], tmp_path).text)


def test_folders_of_two_scenarios_become_two_sections(tmp_path):
    names = ("biped/climb", "biped/slide")
    folders = [_saved(tmp_path / str(k), name, "moreau") for k, name in enumerate(names)]
    assert [section.name for section in read_sections(folders)] == list(names)


def test_two_runs_of_one_engine_keep_apart(tmp_path):
    folders = [_saved(tmp_path / str(k), "biped/climb", "moreau") for k in range(2)]
    assert list(read_section(folders).runs) == ["moreau", "moreau (1)"]


def test_a_run_without_provenance_has_a_page(tmp_path):
    folder = _saved(tmp_path / "run", "biped/climb", "moreau")
    (folder.path / "provenance.json").unlink()
    assert read_section([folder]).provenance is None


def test_no_folder_is_refused():
    with pytest.raises(RunError, match="no run to report"):
        read_section([])


@pytest.mark.slow
@pytest.mark.usefixtures("blank")
def test_a_page_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(RunError, match="there is no folder"):
        write_reports([_section("biped/climb", "moreau")], tmp_path / "no" / "report.html")


def test_a_claim_is_written_to_the_digits_of_its_tolerance():
    claim = judged("rate", "rad/s", 0.20031090054, 0.20031090049483, 1e-10, source="s", reason="r")
    rough = replace(claim, tolerance=0.05)
    fine, coarse = claim_rows({"moreau": [claim, rough]})
    assert (fine.value, fine.published) == ("0.20031090054 rad/s", "0.20031090049 rad/s")
    assert coarse.value == "0.2003 rad/s"

"""Figure of where the energy went."""

from tests.scenario.runs import run

from footfall.report.contact_figures import dissipation_figures
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.scenario.io import load_scenario


def section(*settings):
    name = "biped/drop"
    runs = {engine: run(name, engine, *settings) for engine in ("moreau", "drake-sap")}
    return views_of(Section(name, load_scenario(name, settings), runs))


def test_every_contact_that_took_energy_has_its_bar():
    (picture,) = dissipation_figures(section("duration=0.4"))
    assert picture.title == "Energy taken by contacts"
    assert "moreau" in picture.alt


def test_a_flight_takes_nothing():
    assert dissipation_figures(section("duration=0.02")) == []

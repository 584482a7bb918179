"""Report on the biped's motors, against runs and matrices."""

from dataclasses import replace

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.biped.report.page import motor_tables, notes
from footfall.report.section import Section
from footfall.report.wording import number
from footfall.scenario.io import load_scenario

SHORT = ("duration=0.4",)
GEARED = "biped/climb_geared"


def _section(name, *engines):
    runs = {engine: run(name, engine, *SHORT) for engine in engines}
    return Section(name, load_scenario(name, SHORT), runs)


@pytest.fixture(scope="module")
def section():
    return _section(GEARED, "closed-form", "moreau")


def test_rotors_stand_beside_links_with_the_torques_of_both(section):
    table = motor_tables(section)[0]
    data = section.first.trajectory.data
    # a straight leg has m l^2 + m (2 l)^2 = 2.5 kg m^2 about the hip, a shank m l^2 about the knee
    shank, felt = 0.5, 3.31e-6 * 155.0**2
    for place, row in enumerate(table.rows, start=1):
        largest = float(np.abs(data["actuation"].sel(actuator=f"tau{place}")).max())
        told = dict(zip(table.headings, row, strict=True))
        assert told["motor"] == f"tau{place}"
        assert told["J n² [kg m²]"] == number(felt, 3)
        assert told["largest torque at the joint [N m]"] == number(largest, 3)
        assert told["at the rotor [N m]"] == number(largest / 155.0, 3)
        if place in (2, 4):
            assert told["links J_l [kg m²]"] == number(shank, 3)
            assert told["J n² of J_l [%]"] == number(100.0 * felt / shank, 3)
            assert told["sqrt(J_l / J)"] == number(np.sqrt(shank / 3.31e-6), 3)
        else:
            least, most = map(float, told["links J_l [kg m²]"].split(" to "))
            assert 1.0 < least < most <= 2.5


def test_the_walk_stands_beside_the_one_without_motors(section):
    table = motor_tables(section)[1]
    assert table.headings[2:] == ("closed-form", "closed-form, without motors")
    bare = run("biped/climb", "closed-form", *SHORT).metrics
    geared = run(GEARED, "closed-form", *SHORT).metrics
    told = {row[0]: row[2:] for row in table.rows}
    for meaning, metric in (
        ("largest torque at a joint", "joint_torque"),
        ("energy that landings and sliding feet take", "contact_loss"),
    ):
        assert told[meaning] == (number(geared[metric]), number(bare[metric]))
        assert geared[metric] != bare[metric]


def test_an_old_run_without_the_walk_beside_it_stands_alone(section):
    run = section.first
    data = run.trajectory.data.drop_vars(("baseline", "baseline_metric"))
    old = replace(run, trajectory=replace(run.trajectory, data=data))
    alone = Section(GEARED, section.scenario, {"closed-form": old})
    assert [table.title for table in motor_tables(alone)] == ["Rotors and links"]
    assert any("run the scenario again" in note for note in notes(alone))
    assert not any("run the scenario again" in note for note in notes(section))


def test_notes_tell_of_the_rotors_with_their_largest_torque(section):
    told = " ".join(notes(section))
    largest = section.first.metrics["rotor_torque"]
    assert "rotor" in told
    assert f"{number(largest, 3)} N m" in told


def test_a_climb_without_motors_says_nothing_of_them():
    section = _section("biped/climb", "closed-form")
    assert motor_tables(section) == []
    assert "rotor" not in " ".join(notes(section))

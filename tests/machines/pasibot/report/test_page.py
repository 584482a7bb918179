"""PASIBOT's report: what its figures show, by lengths, forces and events that they do not use."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.pasibot.closed_form.linkage import PAIRS, TEXT, link_lengths
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.report.linkage import (
    COLOURS,
    PHASES,
    gait_sequence,
    joint_table,
    matrix_of_equations,
    scuffing,
)
from footfall.machines.pasibot.report.page import (
    figures,
    notes,
    phases,
    read_walks,
    slip,
    tables,
    torque_over_step,
    zero_moment_point,
)
from footfall.machines.pasibot.slip_system import constant_speed
from footfall.machines.pasibot.slip_walk import slip_walk
from footfall.reactions import joint_reactions
from footfall.registry.machines import machines
from footfall.report.charts.picture import figure_of
from footfall.report.machine_report import report_of
from footfall.report.section import Section
from footfall.report.tables import NONE
from footfall.scenario.io import load_scenario

NAME = "pasibot/walk"
SHORT = ("duration=1.4", "time_step=0.002", "friction=0.05")
HOLDS = ("duration=1.1", "time_step=0.005", "friction=0.2")
RATE, MU = 3.0, 0.05


# joints of the plant's tree, and the forces that go through them
JOINTS = {
    "crank": "f8|13",
    "E1": "f1|2",
    "G1": "f2|4",
    "D1": "f4|13",
    "upper_D1": "f6|13",
    "B1": "f9|13",
    "P1": "f7|8",
    "S1": "f10|13",
    "K1": "f2|3",
    "plate_K1": "f3|5",
    "U1": "f10|11",
    "Y1": "f1|12",
    "D2": "f13|4'",
    "G2": "f2'|4'",
    "E2": "f1'|2'",
    "upper_D2": "f13|6'",
    "B2": "f13|9'",
    "P2": "f8|7'",
    "S2": "f13|10'",
    "K2": "f2'|3'",
    "plate_K2": "f3'|5'",
    "U2": "f10'|11'",
    "Y2": "f1'|12'",
}


@functools.cache
def _walks(settings, *engines):
    runs = {engine: run(NAME, engine, *settings) for engine in engines}
    return read_walks(Section(NAME, load_scenario(NAME, settings), runs))


@pytest.fixture(scope="module")
def sliding():
    """A foot that slides, in the engine that finds when, and in one with steps."""
    return _walks(SHORT, "hybrid", "moreau")


@pytest.fixture(scope="module")
def held():
    return _walks(HOLDS, "closed-form")


@pytest.fixture(scope="module")
def walked():
    """The same slides without plant, trajectory and report."""
    return slip_walk(replace(TEXT, mu_s=MU, mu_k=MU), constant_speed(RATE), 1.4)


def _shown(walks):
    """Figures by title, as far as there are some."""
    return {one.title: one for one in figures(walks) if one is not None}


def _by_label(panel):
    return {str(one.get_label()): np.array(one.get_xydata(), dtype=float) for one in panel.lines}


def _of(panel, link):
    """Ways of the lines of a link, the supporting leg's first."""
    colour = COLOURS[link]
    return [np.array(line.get_xydata()) for line in panel.lines if line.get_color() == colour]


# --- the report ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("plotted")
def test_figures_come_in_order_and_are_told_in_words(sliding):
    assert report_of(machines()["pasibot"]).figures is figures
    found = _shown(sliding)
    assert list(found) == [
        "The gait over a step",
        "Chebyshev's line and its image",
        "The swinging foot",
        "Torque of the motor",
        "Force of the floor on the supporting foot",
        "Zero-moment point",
        "Forces between the links",
        "Slip",
        "Distance from the closed form",
        "Generalized positions",
        "Generalized velocities",
    ]
    for picture in found.values():
        assert len(picture.alt) > 40
    for title in list(found)[3:6]:
        assert "hybrid and moreau" in found[title].alt


@pytest.mark.slow
def test_a_foot_that_is_held_has_neither_slip_nor_errors(held):
    titles = _shown(held)
    assert "Slip" not in titles
    assert "Distance from the closed form" not in titles
    slid, forces = tables(held)
    assert slid.rows == [("closed-form", NONE, NONE, NONE, NONE, "no slide")]
    assert len(forces.rows) == 35


def test_the_matrix_has_ones_for_forces_and_three_rows_a_link(drawn):
    matrix_of_equations(TEXT)
    panel = drawn[0].axes[0]
    A = np.asarray(panel.images[0].get_array().filled(np.nan))
    assert A.shape == (69, 69)
    forces = np.delete(A, np.s_[2::3], axis=0)[:, :-1]
    ones = np.nansum(np.abs(forces) == 1.0)
    # 33 forces of two components; each acts on two links, but for f1|2 and f1|12 on the held foot
    assert ones == 2 * 2 * 33 - 2 * 2
    assert np.isfinite(A[:, -1]).sum() == 2


@pytest.mark.slow
def test_a_foot_in_the_grip_of_the_ground_has_no_floor_to_show():
    settings = ("duration=0.02", "arguments.pasibot={standing: held}", "alternating_feet=null")
    walks = _walks(settings, "moreau")
    titles = _shown(walks)
    assert "Torque of the motor" in titles
    assert not {"Force of the floor on the supporting foot", "Zero-moment point"} & set(titles)
    assert not any("take turns" in note for note in notes(walks))


@pytest.mark.slow
def test_forces_between_links_are_those_that_the_joints_of_the_plant_carry():
    # by Drake's spatial algebra from what the Moreau engine did, which knows no such equations
    settings = ("duration=0.9", "friction=0.2")
    section = _walks(settings, "moreau").section
    carried = joint_reactions(section.runs["moreau"].trajectory, section.robot, every=5)
    th8 = STEP_BEGINS + RATE * carried["time"].to_numpy()
    sizes = np.abs(inverse(TEXT, th8, RATE, 0.0).joints)
    of_pair = {pair.name: size for pair, size in zip(PAIRS, sizes, strict=True)}
    settled = slice(10, -1)
    for joint, pair in JOINTS.items():
        force = np.linalg.norm(carried.sel(joint=f"pasibot::{joint}").to_numpy()[:, 3:], axis=1)
        off = force[settled] - of_pair[pair][settled]
        assert np.sqrt(np.mean(off**2)) < 5e-3 * of_pair[pair].max(), joint  # of order dt
    table = joint_table(TEXT, RATE)
    assert [row[0] for row in table.rows] == [pair.name for pair in PAIRS]
    largest = {row[0]: float(row[3]) for row in table.rows}
    phase = np.linspace(0.0, 1.0, 401)
    every = np.abs(inverse(TEXT, STEP_BEGINS + np.pi * phase, RATE, 0.0).joints).max(axis=1)
    assert list(largest.values()) == pytest.approx(every, rel=5e-4)  # four digits are told


# --- the linkage ---------------------------------------------------------------------------------


def test_links_are_as_long_as_they_are_and_stand_on_the_ground(drawn):
    gait_sequence(TEXT)
    (figure,) = drawn
    lengths = {number: length * TEXT.l8 for number, length in link_lengths(TEXT).items()}
    numbers = {2: "tibia", 3: "femur", 4: "lower tendon", 6: "upper tendon", 7: "connecting rod"}
    numbers |= {8: "crank", 9: "rocker", 10: "stabiliser", 11: "femur bar", 12: "tibia bar"}
    assert len(figure.axes) == len(PHASES)
    for panel in figure.axes:
        assert panel.get_aspect() == 1.0
        for number, link in numbers.items():
            ways = _of(panel, link)
            assert len(ways) == (1 if link == "crank" else 2)
            for distance in ways:
                long = float(np.linalg.norm(distance[-1] - distance[0]))
                assert long == pytest.approx(lengths[number], rel=1e-12)
        own, other = _of(panel, "foot")
        assert np.abs(own[[0, 3, 4], 1]).max() < 1e-15  # heel and toe
        assert other[:, 1].min() > -1.01 * scuffing(TEXT)
        low, high = panel.get_ylim()
        assert low < 0.0
        assert high > own[:, 1].max()


# --- torque, floor, slip -------------------------------------------------------------------------


def test_the_torque_behind_the_runs_is_that_of_the_69_equations(held):
    lines = _by_label(figure_of(torque_over_step(held, RATE).chart).axes[0])
    for label in ("closed form, foot held", "closed-form"):
        phase, torque = lines[label].T
        seen = np.isfinite(torque)
        assert seen.sum() > 200
        at = inverse(TEXT, STEP_BEGINS + np.pi * phase[seen], RATE, 0.0)
        # rounding of angles that count on, in a torque whose slope is 20 N m per step
        np.testing.assert_allclose(torque[seen], at.torque, atol=1e-9)


@pytest.mark.slow
def test_slides_are_those_that_were_simulated(sliding, walked):
    hybrid = sliding.first
    shown = [slide for slide in walked.slides if abs(slide.distance) > hybrid.shown]
    assert len(hybrid.slides) == len(shown) >= 3
    for found, slide in zip(hybrid.slides, shown, strict=True):
        # times to 1e-9 s, of 1.05 s a step; the phase between rows is linear
        assert found.begin == pytest.approx(slide.begin_phase, abs=1e-8)
        assert found.end == pytest.approx(slide.end_phase, abs=1e-8)
        assert found.distance == pytest.approx(slide.distance, abs=1e-9)


@pytest.mark.slow
def test_slides_are_named_bands_over_steps_and_over_time(sliding, walked):
    """Slides begin and end where they do without plant and page; each direction has its name."""
    chart = slip(sliding).chart
    told = {entry.label for entry in chart.legend if entry.kind == "area"}
    assert told == {"slide ahead, hybrid", "slide back, hybrid"}
    shown = [one for one in walked.slides if abs(one.distance) > sliding.first.shown]
    names = ["slide ahead" if one.distance > 0.0 else "slide back" for one in shown]
    over_time = phases(sliding)
    assert [phase.name for phase in over_time] == names
    for phase, one in zip(over_time, shown, strict=True):
        assert (phase.begin, phase.end) == pytest.approx((one.begin, one.end), abs=1e-7)
    bands = [mark for mark in chart.panels[0, 0].marks if mark.kind == "area"]
    ends = np.concatenate([mark.x[np.isfinite(mark.x)] for mark in bands])
    phases_of = [end for one in shown for end in (one.begin_phase, one.end_phase)]
    assert np.unique(ends.round(6)) == pytest.approx(sorted(phases_of), abs=1e-6)


def test_the_zero_moment_point_is_where_the_closed_form_has_it(held):
    """The 69 equations, (30), against heel's and toe's shares of a trajectory."""
    (panel,) = figure_of(zero_moment_point(held).chart).axes
    phase, zmp = _by_label(panel)["closed-form"].T
    seen = np.isfinite(zmp) & (phase < 0.99)
    assert seen.sum() > 150
    # a row has the forces of the time since the one before it: half a time step
    half = 0.5 * 0.005 * RATE
    at = inverse(TEXT, STEP_BEGINS + np.pi * phase[seen] - half, RATE, 0.0)
    np.testing.assert_allclose(zmp[seen], 1e3 * at.zmp, atol=1e-6)


# --- what is told --------------------------------------------------------------------------------


@pytest.mark.slow
def test_notes_tell_what_is_fitted_assumed_and_chosen(sliding):
    told = " ".join(notes(sliding))
    for words in (
        "0.84 N m",
        "from 0.163 to 0.351 of the step",
        "The crank is 27.35 mm long, a step 218.8 mm",
        "(Painlevé)",
        "needs a friction of 0.08, most at a phase of 0.512",
        "0.17 mm into it",
        "*_1 and *_2 take turns",
        "2.59 N m would be needed",
    ):
        assert words in told
    assert "closed-form holds" not in told


@pytest.mark.slow
def test_a_machine_of_its_own_is_told_nothing_of_the_text():
    settings = (*HOLDS, "arguments.pasibot={density: 3.0}")
    told = " ".join(notes(_walks(settings, "closed-form")))
    assert "0.84 N m" not in told
    assert "closed-form holds" in told

"""One leg of PASIBOT: its loops, what they were chosen for, and exact derivatives."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import every_assembly

from footfall.machines.pasibot.closed_form.jets import Jet, angle, constant, square_root, turning
from footfall.machines.pasibot.closed_form.linkage import TEXT, leg, margins, pivots

AROUND = np.linspace(0.0, 2.0 * np.pi, 721)
STANCE = np.linspace(0.5 * np.pi, 1.5 * np.pi, 721)
# coordinates of some ten units, a few operations from one to the next
ROUNDING = 1e-13


def values(parameters, th8):
    return {name: jet.value for name, jet in leg(parameters, th8)._asdict().items()}


# --- the loops ---------------------------------------------------------------------------------


@every_assembly
def test_links_are_as_long_as_printed_all_the_way_round(parameters):
    at, (B, D) = values(parameters, AROUND), pivots(parameters)
    lengths = [
        (at["P"], 1.0), (at["C"] - at["P"], 5.0), (at["M"] - B, 2.5), (at["M"] - at["P"], 2.5),
        (at["F"] - at["C"], 3.0), (at["F"] - D, 6.0), (at["K"] - at["C"], 9.0),
        (at["G"] - D, 6.0), (at["E"] - at["K"], 18.0), (at["S"] - at["C"], 4.2),
        (at["W"] - at["U"], 9.0), (at["Y"] - at["X"], 18.0), (D - B, 12.0),
    ]  # fmt: skip
    for link, length in lengths:
        assert np.abs(np.abs(link) - length).max() < ROUNDING
    # the ends that the loops (3) to (5) close at
    assert np.abs(at["M"] - 0.5 * (at["P"] + at["C"])).max() < ROUNDING
    assert np.abs(at["S"].imag - 4.0).max() < ROUNDING
    # G and F are on the straight links K E and C K
    assert np.abs(at["G"] - at["K"] - (at["E"] - at["K"]) / 3.0).max() < ROUNDING
    assert np.abs(at["F"] - at["C"] - (at["K"] - at["C"]) / 3.0).max() < ROUNDING


@every_assembly
def test_parallelograms_keep_foot_and_stabiliser_parallel(parameters):
    at = values(parameters, AROUND)
    offsets = (at["U"] - at["C"], at["W"] - at["K"], at["X"] - at["K"], at["Y"] - at["E"])
    for offset in offsets:
        assert np.abs(offset - 1.5 / 4.2 * (at["S"] - at["C"])).max() < ROUNDING
    D = pivots(parameters)[1]
    assert np.abs((at["G"] - D) - (at["K"] - at["F"])).max() < ROUNDING
    assert np.abs((at["G"] - at["K"]) - (D - at["F"])).max() < ROUNDING


@every_assembly
def test_the_pantograph_turns_the_path_of_C_over_and_doubles_it(parameters):
    at, D = values(parameters, AROUND), pivots(parameters)[1]
    assert np.abs((at["E"] - D) + 2.0 * (at["C"] - D)).max() < ROUNDING


def test_another_amplification_is_kept_too():
    parameters = replace(TEXT, amplification=1.7)
    at, D = values(parameters, AROUND), pivots(parameters)[1]
    assert np.abs((at["E"] - D) + 1.7 * (at["C"] - D)).max() < ROUNDING


@every_assembly
def test_the_supporting_foot_hardly_tilts_and_hardly_rises(parameters):
    at = values(parameters, STANCE)
    tilt = np.degrees(np.angle(at["e1"]))
    assert 0.13 < np.abs(tilt).max() < 0.14
    # quasi-straight: to a hundredth of the crank along four of them
    assert np.abs(at["C"].imag - 4.0).max() < 0.01
    assert at["C"][[0, -1]] == pytest.approx([4.0 + 4.0j, 4.0j], abs=ROUNDING)
    assert np.all(np.diff(at["C"].real) < 0.0)


@every_assembly
def test_each_end_of_the_straight_path_is_met_smoothly(parameters):
    # height and slope of the path vanish there, and C has the same speed at both ends
    ends = leg(parameters, np.array([0.5, 1.5]) * np.pi)
    assert ends.C.value.imag == pytest.approx(4.0, abs=ROUNDING)
    assert ends.C.first == pytest.approx([-1.0, -1.0], abs=ROUNDING)
    assert ends.e1.value == pytest.approx(1.0, abs=ROUNDING)
    assert ends.e1.first == pytest.approx(0.0, abs=ROUNDING)


@every_assembly
def test_knee_and_slot_end_are_where_the_parameters_say(parameters):
    at = values(parameters, AROUND)
    # x is to the rear: a knee that bends forward is ahead of the line from C to E
    way = (at["K"] - at["C"]) / (at["E"] - at["C"])
    assert np.all(way.imag > 0.0 if parameters.knee == "forward" else way.imag < 0.0)
    behind = (at["S"] - at["C"]).real > 0.0
    assert np.all(behind == (parameters.slot_end == "behind"))


@pytest.mark.parametrize("slot_end", ["behind", "ahead"])
def test_the_other_knee_is_the_mirror_image_of_a_turn_backwards(slot_end):
    # the base of the linkage is symmetric about the vertical through B and D
    other = "ahead" if slot_end == "behind" else "behind"
    here = values(replace(TEXT, knee="forward", slot_end=slot_end), AROUND)
    there = values(replace(TEXT, knee="rearward", slot_end=other), np.pi - (AROUND - np.pi))
    for name in "CFKGESUWXY":
        assert np.abs(here[name] - (4.0 - there[name].conj())).max() < ROUNDING


# --- the document's formulas, and derivatives --------------------------------------------------


def document(th8, knee, end):
    """Angles of the links by sine, cosine and their inverses; th8 may be complex."""
    B, D = (2.0, 0.0), (2.0, 12.0)
    P = np.cos(th8), np.sin(th8)
    across = B[0] - P[0], B[1] - P[1]
    square = across[0] ** 2 + across[1] ** 2
    height = np.sqrt(6.25 / square - 0.25)
    M = (
        0.5 * (P[0] + B[0]) - across[1] * height,
        0.5 * (P[1] + B[1]) + across[0] * height,
    )
    C = 2.0 * M[0] - P[0], 2.0 * M[1] - P[1]
    r = np.sqrt((D[0] - C[0]) ** 2 + (D[1] - C[1]) ** 2)
    upright = 0.5 * np.pi - np.arctan((D[0] - C[0]) / (D[1] - C[1]))
    th3 = upright + knee * np.arccos((r * r - 27.0) / (6.0 * r))
    th2 = upright - knee * np.arccos((r * r + 27.0) / (12.0 * r))
    th1 = end * np.arcsin((4.0 - C[1]) / 4.2)
    th7 = 0.5 * np.pi - np.arctan((C[0] - P[0]) / (C[1] - P[1]))
    th9 = 0.5 * np.pi - np.arctan((M[0] - B[0]) / (M[1] - B[1]))
    return np.array([th7, th9, th3, th2, th1])


def by_contour(function, place, order, radius=0.1, points=64):
    """Derivative by Cauchy's integral, which loses the rounding of a value over radius^order."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    around = function(place + radius * turn)
    factor = {0: 1.0, 1: 1.0, 2: 2.0}[order]
    return factor * np.real((around * turn**-order).mean(axis=-1)) / radius**order


@every_assembly
def test_angles_and_their_derivatives_are_those_of_the_formulas(parameters):
    knee = 1.0 if parameters.knee == "forward" else -1.0
    end = 1.0 if parameters.slot_end == "behind" else -1.0
    for place in np.linspace(0.1, 6.2, 40):
        at = leg(parameters, place)
        found = [angle(e, 1j) for e in (at.e7, at.e9, at.e3, at.e2)] + [angle(at.e1, 1.0)]
        for order, name in enumerate(("value", "first", "second")):
            expected = by_contour(lambda th8: document(th8, knee, end), place, order)
            here = np.array([getattr(jet, name) for jet in found])
            # each order takes another power of the radius, .1, from the rounding of some radians
            assert np.abs(here - expected).max() < 2e-14 / 0.1**order


def test_jets_follow_the_rules_of_differentiation():
    x = np.linspace(0.2, 1.4, 7)
    sine, cosine = turning(x).imag, turning(x).real
    tangent = sine / cosine
    assert tangent.value == pytest.approx(np.tan(x), rel=1e-14)
    assert tangent.first == pytest.approx(1.0 / np.cos(x) ** 2, rel=1e-14)
    assert tangent.second == pytest.approx(2.0 * np.tan(x) / np.cos(x) ** 2, rel=1e-13)
    root = square_root(1.0 - 0.5 * sine * sine)
    back = root * root + 0.5 * sine * sine
    assert back.value == pytest.approx(1.0, rel=1e-15)
    assert np.abs(back.first).max() < 1e-15
    assert np.abs(back.second).max() < 1e-14
    inverse = 2.0 / (1.0 + cosine)
    assert inverse.first == pytest.approx(2.0 * np.sin(x) / (1.0 + np.cos(x)) ** 2, rel=1e-14)
    assert (2.0 - inverse - constant(2.0) + inverse).second == pytest.approx(0.0, abs=1e-15)


def test_a_jet_and_an_array_make_a_jet_whichever_is_first():
    array, jet = np.array([1.0, 2.0]), turning(np.array([0.3, 0.4]))
    for both in ((array * jet, jet * array), (array + jet, jet + array)):
        assert all(isinstance(each, Jet) for each in both)
        assert both[0].value == pytest.approx(both[1].value)
    assert (array - jet).first == pytest.approx(-jet.first)
    assert (array / jet).value == pytest.approx(array / jet.value)


def test_velocity_and_acceleration_are_those_of_a_motion():
    def place(time):
        return leg(TEXT, 2.0 + 1.5 * time + 0.7 * time**2).E

    step = 1e-4
    at = place(0.0)
    before, after = place(-step).value, place(step).value
    # differences: step^2 of derivatives of some hundred
    assert at.velocity(1.5) == pytest.approx((after - before) / (2.0 * step), abs=1e-5)
    second = (after - 2.0 * at.value + before) / step**2
    assert at.acceleration(1.5, 1.4) == pytest.approx(second, abs=1e-4)


# --- what cannot be built ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"l9": 0.5}, "rod l7 and the rocker l9 .* at th8 = 0.0 degrees"),
        ({"l9": 3.5}, "rod l7 and the rocker l9 .* at th8 = 0.0 degrees"),
        ({"l7": 3.0, "l9": 1.4}, "rod l7 and the rocker l9 .* at th8 = 148.5 degrees"),
        ({"femur_part": 2.0}, "femur part CF and the tendon l6 .* degrees"),
        ({"drop": 14.0}, "femur part CF and the tendon l6 .* degrees"),
        ({"l10": 0.85}, "stabiliser l10 does not reach the slot at th8 = 0.0 degrees"),
        ({"slot": 8.5}, "stabiliser l10 does not reach the slot"),
    ],
)
def test_linkages_that_cannot_turn_round_are_refused_in_one_line(change, message):
    with pytest.raises(ValueError, match=message) as refusal:
        replace(TEXT, **change)
    assert "\n" not in str(refusal.value)


def test_a_loop_closes_up_to_its_triangle_inequality():
    # |B - P| is from 1 to 3, half the rod 2.5: a rocker between 1.5 and 3.5 meets it
    for rocker, closes in ((1.499, False), (1.501, True), (3.499, True), (3.501, False)):
        machine = copy(TEXT)
        object.__setattr__(machine, "l9", rocker)  # which a constructor would refuse
        found = margins(machine, AROUND).rod
        assert (found > 0.0).all() == closes

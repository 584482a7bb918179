"""PASIBOT's numbers: where they are from, what they add up to, and which are refused."""

from dataclasses import replace

import pytest

from footfall.machines.pasibot.closed_form.linkage import (
    LINK_INDEX,
    LINKS,
    PAIRS,
    TEXT,
    bodies,
    link_lengths,
    sources,
    total_mass,
    unknowns,
    weighing,
)

# --- sources -----------------------------------------------------------------------------------


def test_every_number_says_where_it_is_from():
    for unit, origin, reason in sources().values():
        assert origin in {"published", "fitted", "assumed"}
        assert unit in {"m", "kg", "kg/m", "m/s^2", "l8", "1", ""}
        assert len(reason) > 5


def test_only_the_two_lost_scales_are_fitted():
    assert [name for name, source in sources().items() if source.origin == "fitted"] == [
        "l8",
        "density",
    ]


def test_lengths_that_the_text_prints_follow():
    lengths = link_lengths(TEXT)
    # l4 = l6 = 6, l7 = 5, l9 = 2.5, l10 = 4.2; femur and tibia by the amplification of 2
    assert [lengths[i] for i in (4, 6, 7, 9, 10)] == [6.0, 6.0, 5.0, 2.5, 4.2]
    assert (lengths[3], lengths[2]) == (9.0, 18.0)
    assert (lengths[11], lengths[12]) == (lengths[3], lengths[2])


# --- links and pairs ---------------------------------------------------------------------------


def test_there_are_as_many_links_pairs_and_unknowns_as_in_the_text():
    assert len(LINKS) == 24
    assert LINKS[:13] == tuple(str(i) for i in range(1, 14))
    assert sum(not pair.sliding for pair in PAIRS) == 33
    assert [pair.name for pair in PAIRS if pair.sliding] == ["f10|13", "f13|10'"]
    assert len(unknowns()) == len(set(unknowns())) == 69
    assert unknowns()[-1] == "T8"
    assert all(LINK_INDEX[pair.first] < LINK_INDEX[pair.second] for pair in PAIRS)


def test_at_a_shared_pin_one_link_carries_the_others():
    # the loops that the text names: 9, 7, 3, 6, 13 and 8, 7, 10, 13
    for point, expected in (
        ("C", ["f3|7", "f7|10"]),
        ("K", ["f2|3", "f3|5"]),
        ("D", ["f4|13", "f6|13"]),
    ):
        assert [pair.name for pair in PAIRS if (pair.point, pair.leg) == (point, 1)] == expected


# --- masses ------------------------------------------------------------------------------------


def test_masses_go_by_length_and_the_hip_is_its_share():
    of = bodies(TEXT)
    bars = [of[name] for name in LINKS if name != "13"]
    for body in bars:
        assert body.mass / body.length == pytest.approx(TEXT.density, rel=1e-14)
        assert body.inertia == pytest.approx(body.mass * body.length**2 / 12.0, rel=1e-14)
    hip = of["13"]
    assert hip.length == 12.0 * TEXT.l8
    assert hip.inertia == pytest.approx(hip.mass * hip.length**2 / 12.0, rel=1e-14)
    assert hip.mass == pytest.approx(TEXT.hip_share * total_mass(TEXT), rel=1e-14)
    assert all(of[f"{i}'"] == of[str(i)] for i in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12))


def test_the_load_is_on_the_hip_alone():
    loaded, bare = bodies(replace(TEXT, hip_load=5.0)), bodies(TEXT)
    changed = [name for name in LINKS if loaded[name] != bare[name]]
    assert changed == ["13"]
    assert loaded["13"].mass - bare["13"].mass == pytest.approx(5.0, rel=1e-14)
    assert loaded["13"].inertia == bare["13"].inertia


def test_a_total_weight_is_reached_by_the_density_of_all_links():
    heavy = weighing(replace(TEXT, hip_load=2.0), 12.0)
    assert total_mass(heavy) == pytest.approx(14.0, rel=1e-14)
    assert replace(heavy, density=TEXT.density, hip_load=0.0) == TEXT


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"density": -1.0}, "density must be positive, got -1.0"),
        ({"hip_load": -2.0}, "hip_load must not be negative"),
        ({"hip_share": -0.1}, "hip_share must not be negative"),
        ({"hip_share": 1.0}, "hip_share must be below 1"),
        ({"l8": 0.0}, "l8 must be positive"),
        ({"g": float("nan")}, "g must be a finite number"),
        ({"l7": "5"}, "l7 must be a finite number, got '5'"),
        ({"mu_s": 0.1, "mu_k": 0.2}, "mu_k = 0.2 above mu_s = 0.1"),
        ({"mu_k": -0.2}, "mu_k must not be negative"),
        ({"knee": "sideways"}, "knee must be one of"),
        ({"slot_end": "up"}, "slot_end must be one of"),
        ({"femur_bar": 0.0}, "femur_bar must be positive"),
    ],
)
def test_numbers_that_no_machine_has_are_refused(change, message):
    with pytest.raises(ValueError, match=message) as refusal:
        replace(TEXT, **change)
    assert "\n" not in str(refusal.value)

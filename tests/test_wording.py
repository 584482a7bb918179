"""Misspelt names: what was meant, or what there is."""

from footfall.wording import did_you_mean, listed, nearest


def test_a_slip_of_the_finger_is_mended():
    assert did_you_mean("thta1", ["theta1", "z"]) == "did you mean 'theta1'?"


def test_a_name_like_no_other_gets_the_list_in_its_order():
    assert did_you_mean("nose", ["knee", "foot"]) == "known: knee, foot"


def test_where_there_is_nothing_nothing_is_suggested():
    assert did_you_mean("nose", []) == "there is none"
    assert nearest("nose", []) == ""


def test_a_long_list_is_cut():
    names = [f"joint{i}" for i in range(15)]
    assert listed(names) == ", ".join(names[:12]) + " and 3 more"
    assert listed(names[:12]).endswith("joint11")

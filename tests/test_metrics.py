"""Values of metrics: numbers, lists of them, and what JSON makes of both."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.metrics import from_json, scalar, text_of
from footfall.registry.machines import known_metrics

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
LISTS = st.recursive(NUMBERS, lambda inner: st.lists(inner, max_size=3), max_leaves=8)
METRICS = LISTS | st.dictionaries(st.text(), NUMBERS, max_size=5)


@pytest.mark.slow
@given(METRICS)
def test_a_metric_survives_json(metric):
    assert from_json(json.loads(json.dumps(metric))) == metric


def test_null_was_no_finite_number():
    assert math.isnan(from_json(None))
    found = from_json([1, None, [2.5, None]])
    assert found[0] == 1.0
    assert isinstance(found[0], float)
    assert math.isnan(found[1])
    assert math.isnan(found[2][1])


@pytest.mark.parametrize("value", ["3", True, {"a": [1.0]}, {"a": True}, [1.0, False], [["x"]]])
def test_anything_else_is_no_metric(value):
    with pytest.raises(TypeError, match="is no metric"):
        from_json(value)


def test_the_number_of_a_name():
    metrics = {"steps": 3.0, "count": 2, "state": [0.1, 0.2], "by_foot": {"left": 1.0}}
    assert scalar(metrics, "steps") == 3.0
    assert scalar(metrics, "count") == 2.0
    assert isinstance(scalar(metrics, "count"), float)
    # several numbers are none, and neither is what is not there
    assert math.isnan(scalar(metrics, "state"))
    assert math.isnan(scalar(metrics, "by_foot"))
    assert math.isnan(scalar(metrics, "speed"))


def test_a_metric_in_words():
    assert text_of(2.0, "{:.2f}".format) == "2.00"
    assert text_of(2, "{:.2f}".format) == "2.00"
    assert text_of([0.5, [1.0, -1.0]], "{:.1f}".format) == "[0.5, [1.0, -1.0]]"
    assert text_of([], "{:.1f}".format) == "[]"


def test_of_many_numbers_by_name_the_largest_are_told():
    two = "{:.1f}".format
    assert text_of({"left": 1.0, "right": -2.0}, two) == "right -2.0, left 1.0"
    many = {f"joint_{k}": float(k) for k in range(6)}
    assert text_of(many, two) == "joint_5 5.0, joint_4 4.0, joint_3 3.0 and 3 lower"
    assert text_of(dict.fromkeys(many, 0.5), two) == "0.5 (all 6)"
    assert text_of({"a": math.nan, "b": 1.0}, two) == "b 1.0, a nan"
    assert text_of({}, two) == ""


def test_every_known_metric_has_unit_and_meaning():
    for name, (unit, meaning) in known_metrics().items():
        assert unit, name
        assert meaning, name
        assert "\n" not in meaning

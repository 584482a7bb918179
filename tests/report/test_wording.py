"""Numbers and lists as a reader sees them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.report.tables import listed, nearly_all, number

_PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹\N{MINUS SIGN}", "-0123456789-")


def _read(text):
    """Words that a reader understands."""
    return float(text.translate(_PLAIN).replace(" \N{MULTIPLICATION SIGN} 10", "e"))


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(3, 6))
def test_what_is_read_is_what_was_written(value, digits):
    # powers of ten get one digit less than asked for: half a unit of the last digit
    assert math.isclose(_read(number(value, digits)), value, rel_tol=0.5001 * 10 ** (2 - digits))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-7.0, "\N{MINUS SIGN}7"),
        (123456.0, "123456"),
        (4.2e-16, "4.20 \N{MULTIPLICATION SIGN} 10⁻¹⁶"),
        (math.nan, "\N{EN DASH}"),
        (-math.inf, "\N{MINUS SIGN}∞"),
    ],
)
def test_special_numbers(value, text):
    assert number(value) == text


def test_lists():
    assert [listed([]), listed("a"), listed("ab"), listed("abc")] == [
        "nothing", "a", "a and b", "a, b and c",
    ]  # fmt: skip


@given(st.floats(0.0, 1.0, exclude_max=True))
def test_what_is_not_all_is_not_said_to_be_all(share):
    text = nearly_all(share)
    assert float(text.removesuffix(" %")) < 100.0
    assert math.isclose(float(text.removesuffix(" %")), 100.0 * share, abs_tol=0.0501)

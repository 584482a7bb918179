"""The record of a step: which contacts have a row, and what a new one takes over from the last."""

import numpy as np
import pytest
from tests.engines.tiny import simulate, tiny

from footfall.contact import Mode
from footfall.engines import moreau, step_log
from footfall.engines.record import (
    IMPULSE,
    MODE,
    POINT,
    VELOCITY,
    WHICH,
    Begun,
    begin_record,
    empty_record,
    known_rows,
    rows_of,
)

TOUCHING = (0.0, 1e-12)


def _begin(gap, last):
    """The new record; of those that take part their indices, rows and impulses."""
    gap, n = np.array(gap), len(gap)
    p_WC, up = np.arange(3.0 * n).reshape(-1, 3), np.array([0.0, 0.0, 1.0])
    record, whole = np.empty_like(last), [np.zeros(n, dtype=np.int64) for _ in range(4)]
    active, places, before, ground = whole
    ground[:] = -1
    guess, none = np.zeros((n, 3)), np.zeros((0, 3))
    count = begin_record(
        gap, p_WC, ground, up, none, np.zeros((0, 5), np.int64), np.zeros(0, np.int64), last,
        *TOUCHING, record,
        Begun(active, places, guess, before, np.zeros(0, dtype=np.int64)),
    )  # fmt: skip
    if count < 0:
        return None
    return record, active[:count], places[:count], guess[:count]


def _loaded(record, places):
    """Give rows an impulse and a mode, as a step would."""
    for k, place in enumerate(places):
        row = rows_of(record)[place]
        row[IMPULSE : IMPULSE + 3] = 1.0 + k, 2.0, 3.0
        row[MODE] = Mode.STICK
    return record


def test_what_is_far_apart_has_no_row():
    record, active, places, *_ = _begin([np.inf, -1e-3, np.inf, 0.5, 0.0], empty_record(5))
    rows, which = known_rows(record)
    assert which.tolist() == [1, 3, 4]
    assert active.tolist() == [1, 4]
    assert rows_of(record)[places, WHICH].tolist() == [1.0, 4.0]
    assert rows[:, POINT].tolist() == [3.0, 9.0, 12.0]


def test_impulses_follow_their_contact_to_another_row():
    record, _, places, guess = _begin([0.0, np.inf, 0.0], empty_record(3))
    assert not guess.any()
    last = _loaded(record, places)
    _, active, _, guess = _begin([np.inf, 0.0, 0.0], last)
    assert active.tolist() == [1, 2]
    assert guess.tolist() == [[0.0] * 3, [2.0, 2.0, 3.0]]


def test_what_was_pressed_takes_part_until_it_parts():
    record, _, places, *_ = _begin([0.0, 0.0, 1.0], empty_record(3))
    last = _loaded(record, places)
    rows_of(last)[1, VELOCITY] = 1e-3  # thrown off
    _, active, *_ = _begin([5e-13, 5e-13, 5e-13], last)
    assert active.tolist() == [0]
    _, active, *_ = _begin([2e-12, 0.0, 0.0], last)
    assert active.tolist() == [1, 2]


def test_where_rows_are_short_open_contacts_go_without():
    record, active, *_ = _begin([1.0, 0.0, 1.0, 0.0], empty_record(2))
    assert known_rows(record)[1].tolist() == active.tolist() == [1, 3]


@pytest.mark.parametrize("touching", [3, 4])
def test_a_crowd_has_no_record(touching):
    gap = [0.0] * touching + [1.0] * (4 - touching)
    assert _begin(gap, empty_record(2)) is None


_BOX = """<link name="{0}">
  <inertial><mass value="2"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  <collision name="{0}"><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>"""


def test_too_many_points_at_once_end_a_run_with_what_to_do(tmp_path, monkeypatch):
    for module in (moreau, step_log):
        monkeypatch.setattr(module, "rows_for", lambda _: 2)  # a box stands on four points
    text = f'<robot name="stack">{_BOX.format("lower")}{_BOX.format("upper")}</robot>'
    heights = {"lower_z": 0.05 - 1e-6, "upper_z": 0.15 - 2e-6}
    positions = {"lower_qw": 1.0, "upper_qw": 1.0, **heights}
    run = simulate(tiny(tmp_path, text, duration=0.01, positions=positions))
    assert "filter the collisions" in str(run.error)
    assert "\n" not in str(run.error)

"""Contact states: which loads are stances, and which are bounces."""

import numpy as np
import pytest

from footfall.feet.gait import contact_states, events

TIME = 1e-3 * np.arange(1001)


def _loaded(*stances):
    """Loads of one foot: in the steps that end after a and not after b, for stances (a, b) [s]."""
    found = np.zeros((len(TIME), 1), dtype=bool)
    for a, b in stances:
        found[round(1e3 * a) + 1 : round(1e3 * b) + 1] = True
    return found


def _happened(loaded):
    states = contact_states(TIME, loaded)
    return [(round(event.time, 9), event.kind) for event in events(TIME, states, ["foot"])]


def test_a_stance_begins_with_its_first_loaded_step_and_ends_with_its_last():
    assert _happened(_loaded((0.2, 0.5))) == [(0.201, "touch-down"), (0.5, "lift-off")]


def test_a_foot_that_rattles_as_it_lands_touches_down_once():
    rattling = _loaded((0.2, 0.201), (0.215, 0.216), (0.23, 0.5), (0.51, 0.7))
    assert _happened(rattling) == [(0.201, "touch-down"), (0.7, "lift-off")]


def test_load_in_every_other_step_is_one_stance():
    loaded = _loaded((0.2, 0.5)) & (np.arange(len(TIME)) % 2 == 1)[:, None]
    assert _happened(loaded) == [(0.201, "touch-down"), (0.499, "lift-off")]


def test_a_foot_that_grazes_the_ground_does_not_touch_down():
    assert _happened(_loaded((0.2, 0.21), (0.4, 0.401))) == []


def test_what_begins_or_ends_with_the_run_is_no_event():
    loaded = _loaded((0.0, 1.0))
    loaded[[1, -1]] = False  # a step without load, as there is with loads in every other
    assert _happened(loaded) == []
    assert contact_states(TIME, loaded).all()


@pytest.mark.parametrize("step", [5e-3, 0.02])
def test_long_steps_have_a_longer_memory(step):
    time = step * np.arange(50)
    loaded = np.ones((50, 1), dtype=bool)
    loaded[20] = False
    assert contact_states(time, loaded).all()

"""The biped's measures on motions made by hand, of which the answer is known."""

import numpy as np
import pytest
import xarray as xr

from footfall.contact import Mode
from footfall.machines.biped.closed_form.model import COORDINATE_NAMES
from footfall.machines.biped.engine import FEET
from footfall.machines.biped.measures import foot_slip_so_far, joint_clearance
from footfall.trajectory import Status, Trajectory


def _data(q, mode):
    coords = {"position": list(COORDINATE_NAMES), "contact": list(FEET)}
    variables = {"q": (("time", "position"), q), "mode": (("time", "contact"), mode)}
    return xr.Dataset(variables, coords | {"time": 0.1 * np.arange(len(q))})


def _shifted(x):
    """The robot with straight legs, pushed along the slope to each x."""
    q = np.zeros((len(x), 6))
    q[:, 0], q[:, 1] = x, 2.0
    return q


def test_only_loaded_feet_slide_and_both_directions_count():
    x = [0.0, 0.1, 0.3, 0.2, 0.6]
    # the mode of a row is that of the step which ends there
    mode = np.array(
        [
            [Mode.SLIP, Mode.SLIP],  # before the first step there is nothing
            [Mode.SLIP, Mode.OPEN],  # one foot by 0.1
            [Mode.STICK, Mode.SLIP],  # both by 0.2: sticking feet that move count as well
            [Mode.OPEN, Mode.SLIP],  # one foot by 0.1, backwards
            [Mode.OPEN, Mode.OPEN],  # in the air
        ]
    )
    data = _data(_shifted(x), mode)
    assert foot_slip_so_far(data) == pytest.approx([0.0, 0.1, 0.5, 0.6, 0.6])
    trajectory = Trajectory(data, (), Status.DONE, "")
    assert foot_slip_so_far(trajectory.data)[-1] == pytest.approx(0.6)


def test_joint_clearance_is_that_of_the_lowest_joint():
    # legs straight down: hip at 2 m, both knees at 1 m
    data = _data(_shifted([0.0, 0.1]), np.zeros((2, 2), dtype=int))
    assert joint_clearance(Trajectory(data, (), Status.DONE, "")) == pytest.approx(1.0)

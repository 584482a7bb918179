"""A waist of two hinges: the trunk bends where it is pushed, and the legs need less torque."""

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.trajectory import Status


@pytest.mark.slow
def test_a_waist_takes_part_of_a_push_and_spares_the_legs():
    pushes = "pushes.0.force=[280.0,0.0,0.0]", "pushes.1.force=[0.0,350.0,0.0]"
    free, stiff = run("humanoid/waist", "moreau"), run("humanoid/stand", "moreau", *pushes)
    assert free.trajectory.status is stiff.trajectory.status is Status.DONE
    bends = free.trajectory.data["q"].sel(position=["waist_pitch", "waist_roll"])
    assert (np.degrees(np.abs(bends).max("time")) > 10.0).all()
    legs = stiff.trajectory.data["actuator"].values
    torque = [
        one.trajectory.data["actuation"].sel(actuator=legs).to_numpy() for one in (free, stiff)
    ]
    rms = [np.sqrt(np.mean(each**2)) for each in torque]
    assert rms[0] < 0.95 * rms[1]
    assert np.abs(torque[0]).max() < 0.95 * np.abs(torque[1]).max()

"""Runs in which Drake works out motion and forces, where the flat arrays cannot, are as others."""

import numpy as np
import pytest
from tests.engines.tiny import BRICK, STOPPED, simulate, tiny

from footfall.engines import MoreauConfig
from footfall.errors import ModelError
from footfall.plants.flat import checked
from footfall.trajectory.events import SLOWER


def _scenes(folder):
    spin = {"brick_wx": 3.0, "brick_wy": 2.0}
    return {
        "tumbling brick": tiny(
            folder, BRICK, duration=0.3, positions={"brick_z": 0.12}, velocities=spin
        ),
        "pendulum at its stops": tiny(
            folder,
            STOPPED.format(effort=0, damping=0.3),
            welded="base",
            duration=0.5,
            positions={"swing": 0.4},
            velocities={"swing": 3.0},
        ),
    }


@pytest.mark.parametrize("name", ["tumbling brick", "pendulum at its stops"])
def test_runs_by_drake_are_those_by_the_arrays(name, tmp_path, monkeypatch):
    scenario = _scenes(tmp_path)[name]
    by_arrays = simulate(scenario)
    flat = by_arrays.trajectory.data
    assert not [event for event in by_arrays.trajectory.events if event.kind == SLOWER]
    forced = []
    monkeypatch.setattr(checked, "difference", lambda *what: forced.append(what) or "by force")
    by_drake = simulate(scenario)
    asked = by_drake.trajectory.data
    assert forced
    told = [event.what for event in by_drake.trajectory.events if event.kind == SLOWER]
    assert told == ["Drake works out the motion, which takes longer: by force"]
    assert np.abs(flat["v"].to_numpy()).max() > 1.0
    for variable in ("q", "v", "gap"):  # impulses at the corners of a face are no unique numbers
        found, expected = asked[variable].to_numpy(), flat[variable].to_numpy()
        assert np.allclose(found, expected, rtol=0.0, atol=1e-9, equal_nan=True)


def test_the_midpoint_rule_refuses_forces_that_drake_alone_knows(tmp_path, monkeypatch):
    monkeypatch.setattr(checked, "difference", lambda *_: "the compiled forces are not Drake's")
    scenario = tiny(tmp_path, BRICK, moreau=MoreauConfig(scheme="implicit-midpoint"))
    message = (
        "moreau.scheme: implicit-midpoint cannot be used where the compiled forces are not "
        "Drake's: leave it out."
    )
    with pytest.raises(ModelError, match=f"^{message}$"):
        simulate(scenario)

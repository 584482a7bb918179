"""Energy that nothing gave is reported, and fails a run where it is much; clean runs are not."""

import re
from pathlib import Path

import pytest
from tests.engines.tiny import BALL, STOPPED, simulate, tiny

from footfall.run import run_scenario
from footfall.scenario.drop import drop_scenario
from footfall.trajectory import Status
from footfall.trajectory.energy_watch import FAILED, REPORTED
from footfall.trajectory.events import ENERGY_DRIFT

# small links that spin fast: made by a seeded generator, not by anybody's design
_DATA = Path(__file__).parents[1] / "data" / "energy"
_THROWN = (
    "terrain.slope_deg=-47.01", "friction=0", "restitution=1", "time_step=5e-3",
    "initial.positions={l0_qw: 1.3621, l0_qx: -0.7748, l0_qy: 1.2547, l0_qz: 3.1567}",
    "initial.velocities={l0_wx: -1.576, l0_wy: 2.524, l0_wz: -2.555, l0_vx: -4.644, l0_vy: 0.271}",
)  # fmt: skip
_RECOVERED = (
    "terrain.slope_deg=57.46", "friction=0", "moreau.recover_gaps=true",
    "initial.positions={l0_qw: -0.2399, l0_qx: -0.6921, l0_qy: 0.4006, l0_qz: -1.5897}",
    "initial.velocities={l0_wx: 0.221, l0_wy: 2.408, l0_wz: -1.574, l0_vx: 4.190, l0_vy: 2.716}",
)  # fmt: skip

_STRUCK = (
    "terrain.slope_deg=18.09", "friction=1.205", "restitution=1", "moreau.impact_law=poisson",
    "initial.positions={l0_qw: -2.0734, l0_qx: -0.6866, l0_qy: -0.8279, l0_qz: 0.4534}",
)  # fmt: skip


def _dropped(name, height, duration, *settings):
    file = str(_DATA / f"{name}.urdf")
    dropped = drop_scenario(file, height=height, duration=duration, settings=settings)
    return run_scenario(dropped.scenario, dropped.scenario.name, "moreau")


def _gains(result):
    """Events of energy that was gained; coarse steps of these robots lose some, too."""
    drifts = [event for event in result.trajectory.events if event.kind == ENERGY_DRIFT]
    return [event for event in drifts if "gives" in event.what]


def _gained(result):
    """Energy at the end of a machine that only elastic or dissipative forces act on [J]."""
    data = result.trajectory.data
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    return energy[-1] - energy[0]


def test_a_gain_leaves_an_event_that_says_what_to_do():
    result = _dropped("c108", 0.5, 0.2, *_THROWN)
    assert result.trajectory.status is Status.DONE
    (event,) = _gains(result)
    most = float(result.trajectory.data["kinetic_energy"].max())
    assert REPORTED < _gained(result) / most < FAILED
    reported = float(re.search(r"gives ([\d.]+) J", event.what).group(1))
    # nothing takes from elastic contacts
    assert reported == pytest.approx(_gained(result), rel=1e-2)
    assert event.what.endswith("use a smaller time_step, such as 0.0005")
    assert not _gains(_dropped("c108", 0.5, 0.2, *_THROWN, "time_step=5e-4"))


@pytest.mark.slow
def test_a_large_gain_ends_a_run_with_all_that_was_computed():
    """Looked at every 100 rows, of which a gain has to last as many."""
    result = _dropped("c108", 0.5, 6.0, *_THROWN, "time_step=2e-2")
    trajectory = result.trajectory
    assert trajectory.status is Status.FAILED
    assert trajectory.message.endswith("use a smaller time_step, such as 0.002.")
    assert trajectory.events[-1].what == trajectory.message
    assert not _gains(result)  # the message says it
    crossed = float(re.search(r"by t = ([\d.]+) s", trajectory.message).group(1))
    rows = trajectory.data.sizes["time"]
    assert 100 <= rows - crossed / 2e-2 <= 201
    assert _gained(result) > FAILED * float(trajectory.data["kinetic_energy"][0])


def test_a_gain_of_gaps_that_are_recovered_says_that_they_need_not_be():
    settings = (*_THROWN, "time_step=1e-2", "moreau.recover_gaps=true")
    (event,) = _gains(_dropped("c108", 0.5, 3.0, *settings))
    assert event.what.endswith("such as 0.001, or moreau.recover_gaps=false")


@pytest.mark.slow
def test_what_is_given_to_no_motion_is_no_gain():
    """A damper that is stiff for the step; an impact law's own energy; gaps left and recovered.

    A light link would turn far out of a small penetration, on a hinge that carries 485 kg.
    """
    damped = _dropped("damped", 0.2, 0.1, "initial.velocities={j: 1.0}")
    struck = _dropped("c59", 0.5, 0.4, *_STRUCK)
    left = _dropped("c74", 0.001, 0.4, *_RECOVERED, "moreau.recover_gaps=false")
    recovered = _dropped("c74", 0.001, 0.4, *_RECOVERED)
    accurate = _dropped("c74", 0.001, 0.4, *_RECOVERED, "moreau.scheme=implicit-midpoint")
    for result in (damped, struck, left, recovered, accurate):
        assert not _gains(result)
        assert "gives" not in result.trajectory.message
    for result in (damped, left, recovered, accurate):
        assert _gained(result) < 0.0
    # its tumbling is of first order in the step, a hundredth of the 169 J that it has
    assert abs(_gained(struck)) < 0.01 * 169.0


def test_what_swings_bounces_and_rolls_is_not_accused(tmp_path):
    swinging = STOPPED.format(effort=0, damping=0.0)
    scenario = tiny(tmp_path, swinging, welded="base", positions={"swing": 0.4}, duration=1.0)
    for engine in ("moreau", "drake-sap"):
        assert not _gains(simulate(scenario, engine))
    rolling = {"ball_z": 0.1, "ball_qw": 1.0}
    for fields in (
        {"positions": {**rolling, "ball_z": 0.4}, "restitution": 0.8},
        {
            "positions": rolling | {"ball_z": 0.1016},
            "velocities": {"ball_vx": 1.0},
            "slope_deg": 10.0,
        },
    ):
        result = simulate(tiny(tmp_path, BALL, friction=0.7, duration=0.8, **fields))
        assert not result.trajectory.events
        assert abs(float(result.trajectory.data["contact_work"][-1])) > 0.0

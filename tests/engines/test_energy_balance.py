"""The account of energy: every step closes, and a law of impact that gives energy is told."""

import numpy as np
import pytest
from tests.engines.tiny import STOPPED, TWO_POINTS, simulate, tiny
from tests.scenario.runs import run

from footfall.plants.constraints import Coupler
from footfall.trajectory.events import ENERGY_GAIN, ENERGY_INCOMPLETE, SLOWER

# a bob of 1 kg on a rail, held by a bushing of 100 N/m along it
BUSHING = """<robot name="held" xmlns:drake="http://drake.mit.edu">
  <link name="base"/>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="bob"/><axis xyz="1 0 0"/>
    <limit effort="0"/></joint>
  <link name="bob">
    <inertial><mass value="1"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
  </link>
  <frame name="wall" link="base" rpy="0 0 0" xyz="0 0 0"/>
  <frame name="hook" link="bob" rpy="0 0 0" xyz="0 0 0"/>
  <drake:linear_bushing_rpy>
    <drake:bushing_frameA name="wall"/><drake:bushing_frameC name="hook"/>
    <drake:bushing_torque_stiffness value="0 0 0"/><drake:bushing_torque_damping value="0 0 0"/>
    <drake:bushing_force_stiffness value="100 0 0"/><drake:bushing_force_damping value="0 0 0"/>
  </drake:linear_bushing_rpy>
</robot>"""

LOOP = ("biped/drop", "biped/climb")


@pytest.mark.parametrize("law", ["newton", "poisson", "chatterjee-ruina"])
@pytest.mark.parametrize("name", LOOP)
def test_kinetic_energy_and_work_balance_in_every_step(name, law):
    result = run(name, "moreau", "duration=0.5", "restitution=0.5", f"moreau.impact_law={law}")
    data = result.trajectory.data
    # rounding of a few J, in 500 steps
    assert np.abs(data["energy_residual"]).max() < 500 * 50 * np.finfo(float).eps
    assert data["dissipation"].sum().item() == pytest.approx(-data["contact_work"][-1].item())


@pytest.mark.parametrize("engine", ["drake-sap", "drake-lagged", "moreau"])
def test_what_holds_two_masses_together_does_no_work(tmp_path, engine):
    # 2 kg at 1 m/s, to which 2 kg are coupled that nobody names: they start and go on together
    scenario = tiny(
        tmp_path, TWO_POINTS, welded="slope", duration=0.05, time_step=1e-3,
        positions={"z_a": 9.0, "z_b": 9.0}, velocities={"x_a": 1.0},
        constraints=[Coupler(joint0="two::x_a", joint1="two::x_b")],
    )  # fmt: skip
    result = simulate(scenario, engine)
    data = result.trajectory.data
    assert data["v"].sel(velocity=["x_a", "x_b"])[-1].to_numpy() == pytest.approx(1.0, abs=1e-9)
    assert np.abs(data["constraint_work"]).max() < 1e-9
    # of the fall alone: half a step's weight too soon, m g^2 dt t / 2
    fall = 0.5 * 4.0 * 9.81**2 * 1e-3 * 0.05
    assert result.metrics["energy_drift"] == pytest.approx(fall * (engine != "moreau"), abs=1e-9)


@pytest.mark.slow
def test_loops_of_drake_are_in_the_account():
    drifts = []
    for step in (1e-3, 2.5e-4):
        result = run("pasibot/walk", "drake", "duration=0.05", f"time_step={step}")
        data = result.trajectory.data
        assert np.isfinite(data["constraint_work"]).all()
        drifts.append(result.metrics["energy_drift"])
    # the drift is the step's error, of first order at least
    assert drifts[1] < 0.25 * drifts[0]
    assert drifts[0] < 1e-2 * float(np.ptp(data["actuator_work"].to_numpy()))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["hybrid", "closed-form"])
def test_a_closed_form_tells_how_its_account_closes(engine):
    result = run("pasibot/walk", engine, "duration=0.3")
    assert 0.0 <= result.metrics["energy_residual"] < 1e-11  # quadrature
    assert not np.isnan(result.trajectory.data["push_work"]).any()


def test_dampers_are_in_the_account(tmp_path):
    text = STOPPED.format(effort=0, damping=2.0)
    scenario = tiny(
        tmp_path, text, welded="base", positions={"swing": 0.4}, duration=0.3, time_step=1e-4
    )
    result = simulate(scenario)
    lost = -float(result.trajectory.data["damping_work"][-1])
    assert lost > 0.1
    # of first order: 1e-4 s times the power
    assert result.metrics["energy_drift"] < 1e-3 * lost


def test_newtons_law_with_friction_is_told_when_it_gives_energy():
    result = run("biped/drop", "moreau", "duration=0.4", "restitution=1", "friction=1")
    events = [event for event in result.trajectory.events if event.kind == ENERGY_GAIN]
    assert len(events) == 1
    assert "gives" in events[0].what
    assert " J to a kinetic energy of " in events[0].what
    assert events[0].what.endswith("try moreau.impact_law=poisson or chatterjee-ruina")
    gained = np.diff(result.trajectory.data["energy_gain"])
    assert result.metrics["energy_gain"] == pytest.approx(gained.sum())
    assert events[0].time == pytest.approx(
        float(result.trajectory.data["time"][1 + np.flatnonzero(gained)[0]])
    )


@pytest.mark.parametrize("settings", [
    ("restitution=0",),
    ("restitution=1", "friction=0"),
    ("restitution=0.5", "moreau.impact_law=poisson"),
    ("restitution=1", "tangential_restitution=1", "moreau.impact_law=chatterjee-ruina"),
])  # fmt: skip
def test_laws_that_cannot_give_energy_are_not_accused(settings):
    result = run("biped/drop", "moreau", "duration=0.6", *settings)
    assert result.metrics["energy_gain"] == 0.0
    assert not result.trajectory.events


def test_a_bushing_swings_though_drake_does_not_tell_its_energy(tmp_path):
    scenario = tiny(
        tmp_path, BUSHING, welded="base", positions={"slide": 0.1}, duration=0.3, time_step=1e-4
    )
    result = simulate(scenario)
    x = result.trajectory.data["q"].to_numpy()[:, 0]
    time = result.trajectory.data["time"].to_numpy()
    # omega = 10 rad/s; the midpoint scheme is of second order without velocity in h
    assert x == pytest.approx(0.1 * np.cos(10.0 * time), abs=1e-6)
    kinds = [event.kind for event in result.trajectory.events]
    assert kinds == [ENERGY_INCOMPLETE, SLOWER]  # forces of a bushing are Drake's alone

"""The recorded actuation is what acts: it alone moves an arm as it was recorded to move.

Without gravity, damping and contact a step obeys J (v_E - v_A) = dt tau, whatever the scheme.
"""

import numpy as np
import pytest
from pydrake.common.value import Value
from pydrake.systems.framework import EventStatus
from tests.engines.test_drives import ENGINES, INERTIA, arm, servo
from tests.engines.tiny import columns, simulate

from footfall.engines import MoreauConfig
from footfall.plants.motors import Motor
from footfall.plants.sensing import Actuators
from footfall.scenario.changes import Change

MIDPOINT = MoreauConfig(scheme="implicit-midpoint")
LINE = {"motor": Motor(stall_torque=0.02, no_load_speed=30.0)}


class Counting(servo(0.0, 0.0)):
    """Torques that grow with a count, which is changed at the beginning of every step."""

    def __init__(self, plant):
        super().__init__(plant)
        self.DeclareAbstractState(Value(0))
        self.DeclarePeriodicUnrestrictedUpdateEvent(1e-3, 0.0, self._count)

    def _count(self, context, state):
        count = context.get_abstract_state(0).get_value()
        state.get_mutable_abstract_state(0).set_value(count + 1)
        return EventStatus.Succeeded()

    def _calc(self, context, output):
        output.SetFromVector([1e-3 * context.get_abstract_state(0).get_value()])


CASES = {
    "a limit": (servo(1e-2, 0.0, declared=False), {"effort": 2e-3}),
    "a drive": (servo(1e3, 0.5), {}),
    "a drive at its limit": (servo(1e3, 2.0, goal=5.0), {"effort": 0.05}),
    "a drive at its limit by the midpoint rule": (
        servo(1e3, 2.0, goal=5.0),
        {"effort": 0.05, "moreau": MIDPOINT},
    ),
    "a motor's line": (servo(1e-1, 0.0, declared=False), {"motors": LINE}),
    "noise and delay": (
        servo(1e-2, 1e-4, declared=False),
        {"actuators": Actuators(noise=1e-3, delay=3e-3), "effort": 5e-3},
    ),
    "a state": (Counting, {}),
    "every fifth row": (servo(1e3, 2.0, goal=5.0), {"effort": 0.05, "record_every": 5}),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES)
def test_the_motion_follows_from_it(tmp_path, case, engine):
    controller, fields = CASES[case]
    scenario = arm(tmp_path, controller, duration=0.05, **fields)
    run = simulate(scenario, engine)
    _, rate = columns(run, "v:hinge")
    torque = run.trajectory.data["actuation"].to_numpy()[:, 0]
    assert np.ptp(rate) > 0.1
    if scenario.record_every == 1:
        gained = 1e-3 * torque[:-1] / INERTIA
        np.testing.assert_allclose(np.diff(rate), gained, rtol=1e-6, atol=1e-9 * np.ptp(rate))
    assert np.abs(torque).max() <= fields.get("effort", np.inf)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_rows_of_several_steps_have_what_acts_from_them_on(tmp_path, engine):
    each, fifth = (
        simulate(
            arm(tmp_path, servo(1e3, 2.0, goal=5.0), effort=0.05, duration=0.2, record_every=every),
            engine,
        ).trajectory.data["actuation"]
        for every in (1, 5)
    )
    np.testing.assert_array_equal(fifth, each[::5])


class Adjusted(servo(0.0, 0.0)):
    """A torque that changes while a run goes on."""

    torque = 1e-3

    def adjustable(self):
        return {"torque": self.torque}

    def adjust(self, _name, value):
        self.torque = value

    def _calc(self, _context, output):
        output.SetFromVector([self.torque])


@pytest.mark.parametrize("engine", ENGINES)
def test_the_motion_follows_from_it_when_settings_change(tmp_path, engine):
    changes = [Change(time=0.01, gravity=5.0, controller={"torque": -2e-3})]
    run = simulate(arm(tmp_path, Adjusted, duration=0.03, changes=changes), engine)
    _, rate = columns(run, "v:hinge")
    torque = run.trajectory.data["actuation"].to_numpy()[:, 0]
    assert set(torque) == {1e-3, -2e-3}
    np.testing.assert_allclose(np.diff(rate), 1e-3 * torque[:-1] / INERTIA, rtol=1e-6)

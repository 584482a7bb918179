"""The recorded actuation is what acts: it alone moves an arm as it was recorded to move.

Without gravity, damping and contact a step obeys J (v_E - v_A) = dt tau, whatever the scheme.
"""

import numpy as np
import pytest
from pydrake.common.value import Value
from pydrake.systems.framework import EventStatus
from tests.engines.test_drives import ARM, ENGINES, INERTIA, arm, servo
from tests.engines.tiny import columns, simulate, tiny

from footfall.engines import CONTINUOUS, MoreauConfig
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


def switching(declare):
    """Class of controllers with a torque of a phase, and a next one from every seventh step on.

    declare: how the switch is, as a name of Drake's.
    """

    class Switching(servo(0.0, 0.0, declared=False)):
        def __init__(self, plant):
            super().__init__(plant)
            self._phase = self.DeclareDiscreteState(1)
            every = () if "PerStep" in declare else (7e-3, 0.0)
            getattr(self, declare)(*every, self._switch)

        def _switch(self, context, state):
            discrete = getattr(state, "get_mutable_discrete_state", lambda: state)()
            # a count of updates would tell how often a step is begun, which is not the same
            discrete.set_value(np.array([round(context.get_time() / 1e-3) // 7 + 1.0]))
            return EventStatus.Succeeded()

        def _calc(self, context, output):
            phase = int(context.get_discrete_state(self._phase).get_value()[0])
            output.SetFromVector([1e-3 * (-1.2) ** phase])

    return Switching


SWITCHES = (
    "DeclarePeriodicDiscreteUpdateEvent",
    "DeclarePeriodicUnrestrictedUpdateEvent",
    "DeclarePerStepDiscreteUpdateEvent",
    "DeclarePerStepUnrestrictedUpdateEvent",
)


@pytest.mark.parametrize("engine", [*ENGINES, CONTINUOUS])
@pytest.mark.parametrize("declare", SWITCHES)
def test_the_first_step_of_a_phase_has_the_torque_that_it_was_given(tmp_path, declare, engine):
    """The largest torque of a phase that grows; and the work of all is the energy of the arm."""
    turning = ARM.format(effort=1e9).replace("revolute", "continuous")  # without a joint's stops
    turning = turning.replace('lower="-20" upper="20"', "")
    scenario = tiny(tmp_path, turning, welded="base", controller=switching(declare), duration=0.05)
    data = simulate(scenario, engine).trajectory.data
    torque, rate = data["actuation"].to_numpy()[:, 0], data["v"].to_numpy()[:, 0]
    given = np.diff(rate) * INERTIA / 1e-3
    np.testing.assert_allclose(torque[:-1], given, rtol=1e-9)
    assert np.abs(torque[:-1]).max() == pytest.approx(np.abs(given).max(), rel=1e-12)
    assert len(np.unique(torque[:-1].round(9))) >= 8
    work, energy = data["actuator_work"].to_numpy(), data["kinetic_energy"].to_numpy()
    np.testing.assert_allclose(work, energy, rtol=0.0, atol=1e-9 * energy.max())


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

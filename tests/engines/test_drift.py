"""Drift of energy, gaps and loops by the scheme is told, and fails a run where it is much."""

import numpy as np
import pytest
from pydrake.systems.framework import BasicVector, LeafSystem
from tests.engines.test_drives import ENGINES, INERTIA, arm, servo
from tests.engines.tiny import BALL, BRICK, GRAVITY, simulate, tiny
from tests.scenario.runs import run

from footfall.engines import MoreauConfig
from footfall.plants.dynamics import Dynamics
from footfall.plants.sensing import Actuators
from footfall.recorder.drift import DriftWatch, sinking
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status
from footfall.trajectory.contact_table import table_of
from footfall.trajectory.energy_watch import FAILED, REPORTED
from footfall.trajectory.events import CHATTER, ENERGY_DRIFT, GAP_DRIFT
from footfall.trajectory.rows import Rows

TOLD = (ENERGY_DRIFT, GAP_DRIFT, CHATTER)
MASS, RADIUS = 0.4, 0.0375
COIN = f"""<robot name="coin"><link name="coin">
  <inertial><mass value="{MASS}"/><inertia ixx="{0.25 * MASS * RADIUS**2}" ixy="0" ixz="0"
    iyy="{0.25 * MASS * RADIUS**2}" iyz="0" izz="{0.5 * MASS * RADIUS**2}"/></inertial>
  <collision name="rim"><geometry><cylinder radius="{RADIUS}" length="2e-6"/></geometry></collision>
</link></robot>"""


def told(run, *kinds):
    return [event for event in run.trajectory.events if event.kind in (kinds or TOLD)]


def coin(folder, tilt_deg, **fields):
    """Return a thin coin that rolls on its rim about a centre at rest.

    It turns about its diameter through the point of contact, which rests as the centre does, and
    precesses with Omega^2 sin(tilt) = 4 g / r (H. K. Moffatt, Nature 404 (2000) 833).
    """
    tilt = np.radians(tilt_deg)
    rate = np.sqrt(4.0 * GRAVITY / (RADIUS * np.sin(tilt))) * np.sin(tilt)
    # the lowest point lies along x' of the coin, which is turned by the tilt about y
    turned = {"coin_qw": np.cos(0.5 * tilt), "coin_qy": np.sin(0.5 * tilt)}
    return tiny(
        folder, COIN, friction=1.0, time_step=1e-3,
        positions=turned | {"coin_z": RADIUS * np.sin(tilt) + 1e-6 * np.cos(tilt)},
        velocities={"coin_wx": rate * np.cos(tilt), "coin_wz": -rate * np.sin(tilt)},
        **fields,
    )  # fmt: skip


def test_a_coin_that_sinks_is_told(tmp_path):
    """Its energy, 3/2 m g z, and its height stay; it sticks and bounces not."""
    result = simulate(coin(tmp_path, 20.0, duration=0.15))
    data = result.trajectory.data
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    height = RADIUS * np.sin(np.radians(20.0))
    whole = energy - energy[0] + 1.5 * MASS * GRAVITY * height
    assert whole[0] == pytest.approx(float(data["kinetic_energy"][0]) + MASS * GRAVITY * height)
    lost = energy[0] - energy[-1]
    assert lost > 0.1 * whole[0]
    # no law took it: neither pressing nor sticking contacts work
    assert result.metrics["energy_drift"] == pytest.approx(lost, rel=0.02)
    assert abs(float(data["contact_work"][-1])) < 0.02 * lost
    (drift,) = told(result, ENERGY_DRIFT)
    assert "takes" in drift.what
    assert "use moreau.scheme=implicit-midpoint" in drift.what
    (sunk,) = told(result, GAP_DRIFT)
    assert f"sunk by {-result.metrics['min_gap']:.2g} m" in sunk.what
    assert "moreau.recover_gaps=true" in sunk.what
    assert result.trajectory.status is Status.DONE


@pytest.mark.slow
def test_the_midpoint_rule_keeps_the_coin_and_tells_nothing(tmp_path):
    scheme = MoreauConfig(scheme="implicit-midpoint")
    result = simulate(coin(tmp_path, 20.0, duration=0.06, moreau=scheme))
    assert not told(result)
    assert result.metrics["energy_drift"] < 1e-2 * MASS * GRAVITY * RADIUS
    assert result.metrics["min_gap"] > -5e-5


@pytest.mark.slow
def test_a_coin_whose_energy_is_damped_away_fails(tmp_path):
    result = simulate(coin(tmp_path, 20.0, duration=1.0))
    assert result.trajectory.status is Status.FAILED
    assert "implicit-midpoint" in result.trajectory.message
    assert result.trajectory.data.sizes["time"] > 100


@pytest.mark.slow
def test_loops_that_damp_are_no_work_of_loops():
    """The four-bar linkage has no motor, no damper and no contact: its energy stays."""
    result = run("verify/four_bar", "moreau", "duration=2")
    data = result.trajectory.data
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    assert energy[0] - energy[-1] > REPORTED * float(data["kinetic_energy"].max())
    assert not np.diff(
        data["constraint_work"][1:]
    ).any()  # but for the start, where velocities join
    assert result.metrics["energy_drift"] == pytest.approx(
        np.abs(energy - energy[0]).max(), rel=1e-3
    )
    (event,) = told(result)
    assert "numerical error takes" in event.what


def at(state, dynamics):
    """A row without contacts."""
    q, v = np.split(state[None], [dynamics.plant.num_positions()], axis=1)
    none = np.zeros((1, 0))
    nothing = {"mode": none.astype(np.int8), "gap": none}
    missing = {
        name: np.zeros((1, 0, 3))
        for name in ("impulse", "contact_velocity", "contact_point", "contact_normal")
    }
    table = table_of(nothing | missing | {"dissipation": none})
    return Rows(np.zeros(1), {"q": q, "v": v}, table)


def test_loops_that_are_open_are_told():
    """By how far masses have to move to close them, root mean square, over the gyration radius."""
    scenario = load_scenario("verify/four_bar")
    robot = build_robot(scenario)
    dynamics = Dynamics(robot.model, robot.contacts)
    for share, fails in ((0.5, False), (2.0, True)):
        watch = DriftWatch(scenario, "drake-sap", dynamics, robot.initial_state)
        watch.look(at(robot.initial_state, dynamics))
        assert not watch.events()
        state = robot.initial_state.copy()
        dynamics.set_state(state)
        mass = dynamics.mass_matrix()
        gap, rows = dynamics.bilateral_violation(state[: robot.plant.num_positions()])
        # off the loop along the metric's own normal, so that the way back is known
        way = np.linalg.solve(mass, rows.T @ np.ones(len(gap)))
        way /= np.sqrt(way @ mass @ way / watch.mass)
        state[: len(way)] += share * FAILED * watch.size * way
        watch.look(at(state, dynamics))
        (event,) = watch.events()
        told_share = float(event.what.partition(" % of")[0].rpartition(" ")[2])
        assert told_share == pytest.approx(100.0 * share * FAILED, rel=0.2)  # not linear
        assert bool(watch.failure) == fails


@pytest.mark.parametrize("rows", [1, 3, 10])
@pytest.mark.parametrize(
    ("gaps", "depths"),
    [
        ([-1.0, -1.5, -2.0, -2.5, -3.0], [0.0, 0.5, 1.0, 1.5, 2.0]),  # lands deep, and sinks
        ([-1.0, -1.0, np.nan, -2.0, -2.5], [0.0, 0.0, np.nan, 0.0, 0.5]),  # lifts off between
    ],
)
def test_sinking_is_counted_from_where_a_contact_closed(gaps, depths, rows):
    closing, closed_at = np.full(2, np.nan), np.full(2, -2)
    for start in range(0, len(gaps), rows):
        gap, depth = (np.array(each[start : start + rows]) for each in (gaps, depths))
        row = np.flatnonzero(np.isfinite(gap))
        contact, mode = np.ones_like(row), np.ones(len(row), dtype=np.int8)
        kept = closing, closed_at, start
        begin, worst, deepest, _ = sinking(row, contact, mode, gap[row], np.ones(2), *kept)
        sunk = np.flatnonzero(depth > REPORTED)
        assert (begin, worst) == ((sunk[0], len(row) - 1) if len(sunk) else (-1, -1))
        assert deepest == (depth[sunk[-1]] if len(sunk) else 0.0)


@pytest.mark.parametrize(
    "case",
    [
        (BRICK, {"restitution": 0.3, "friction": 0.4, "velocities": {"brick_vx": 1.0}}),
        (BALL, {"restitution": 0.8, "friction": 0.5, "velocities": {"ball_wy": 20.0}}),
    ],
    ids=["a brick that lands and slides", "a ball that bounces, slides and rolls"],
)
def test_what_laws_take_is_no_drift(tmp_path, case):
    text, fields = case
    name = text.split('"')[1]
    start = {f"{name}_z": 0.3, f"{name}_qw": 1.0, f"{name}_qx": 0.1}
    result = simulate(tiny(tmp_path, text, positions=start, duration=1.0, **fields))
    assert float(result.trajectory.data["contact_work"][-1]) < -1.0  # J
    assert not told(result)
    assert result.trajectory.status is Status.DONE


@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_a_walk_is_not_accused(engine):
    assert not told(run("biped/climb", engine, "duration=0.3"))


def ticking(kd, period):
    """Class of controllers with torques -kd (v - 1), held for a period [s]."""

    class Ticking(LeafSystem):
        def __init__(self, plant):
            super().__init__()
            self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
            held = self.DeclareDiscreteState(BasicVector([0.0]))
            self.DeclareStateOutputPort("actuation", held)
            self.DeclarePeriodicDiscreteUpdateEvent(period, 0.0, self._tick)

        def _tick(self, context, discrete):
            discrete.set_value(0, [-kd * (self._state.Eval(context)[1] - 1.0)])

    return Ticking


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("factor", [0.9, 1.05])
def test_a_held_damper_chatters_beyond_its_bound(tmp_path, engine, factor):
    """kd T > 2 J, and more with every period."""
    bound = 2.0 * INERTIA / 1e-3
    scenario = arm(
        tmp_path, servo(0.05, factor * bound, declared=False), effort=1e3, duration=0.1
    )  # fmt: skip
    events = told(simulate(scenario, engine), CHATTER)
    assert len(events) == int(factor > 1.0)
    for event in events:
        assert "'motor'" in event.what
        assert "every period of 0.001 s" in event.what
        gain, bears = (
            float(event.what.partition(before)[2].split()[0]) for before in ("(by ", "kd below ")
        )
        assert gain == pytest.approx(factor * bound, rel=0.05)
        assert bears == pytest.approx(bound, rel=0.05)


def test_a_controller_chatters_with_its_own_period(tmp_path):
    scenario = arm(tmp_path, ticking(0.12, 5e-3), effort=0.5, duration=0.3)
    (event,) = told(simulate(scenario), CHATTER)
    assert "every period of 0.005 s" in event.what
    # at its limit the torque tells of no gain
    assert "by " not in event.what.partition("against its joint")[2].partition("with")[0]


def test_noise_and_declared_gains_do_not_chatter(tmp_path):
    noisy = arm(
        tmp_path, servo(1e-2, 1e-4, declared=False), duration=1.0, actuators=Actuators(noise=1e-3)
    )
    assert not told(simulate(noisy))
    assert not told(simulate(arm(tmp_path, servo(1e3, 2.0), duration=0.1)))

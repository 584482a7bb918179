"""Metrics of every run, on trajectories whose metrics are plain to see."""

import numpy as np
import pytest
from tests.rows import Rows

from footfall.trajectory import Layout, Status
from footfall.trajectory.measures import common_measures, settling_measures

LAYOUT = Layout(("x",), ("x",), ("m",), ("m/s",), contact=("foot",))


class _Row:
    def __init__(self, gap, iterations, residual):
        self.gap = np.array([gap])
        self.impulse = self.velocity = self.p_WC = np.zeros((1, 3))
        self.work = np.zeros(1)
        self.normal = np.nan
        self.mode = np.zeros(1, dtype=np.int8)
        self.iterations, self.residual, self.stage = iterations, residual, 0


def _trajectory(rows):
    builder = Rows(LAYOUT)
    for k, (kinetic, work, contact, gap, iterations, residual) in enumerate(rows):
        builder.append(
            0.1 * k,
            np.zeros(1),
            np.zeros(1),
            np.zeros(0),
            _Row(gap, iterations, residual),
            kinetic_energy=kinetic,
            potential_energy=1.0,
            actuator_work=work,
            contact_work=contact,
        )
    return builder.finish(Status.DONE)


def test_metrics_of_a_run():
    rows = [
        (2.0, 0.0, 0.0, -9.0, 0, 0.0),  # no step has ended yet: its gap does not count
        (5.0, 3.0, 0.0, -1e-3, 4, 1e-12),
        (3.5, 3.0, -1.2, 2e-3, 0, 0.0),
        (4.5, 3.0, -1.2, 1e-3, 9, 3e-11),
    ]
    metrics = common_measures(_trajectory(rows), wall_time=0.15)
    assert metrics["duration"] == pytest.approx(0.3)
    assert metrics["min_gap"] == -1e-3
    assert metrics["energy_drift"] == pytest.approx(0.7)  # 4.5 - 2 - 3 + 1.2
    assert metrics["max_residual"] == 3e-11
    assert metrics["median_iterations"] == 6.5  # of the steps that had a contact
    assert metrics["realtime_factor"] == pytest.approx(2.0)


def test_residuals_that_an_engine_does_not_have_are_left_out():
    metrics = common_measures(_trajectory([(0.0, 0.0, 0.0, 1.0, 0, np.nan)] * 3), wall_time=1.0)
    assert np.isnan(metrics["max_residual"])
    assert np.isnan(metrics["median_iterations"])


def test_runs_that_hardly_began():
    assert common_measures(_trajectory([]), wall_time=1.0) == {"duration": 0.0}
    one = common_measures(_trajectory([(1.0, 0.0, 0.0, 0.1, 0, 0.0)]), wall_time=0.0)
    assert one["duration"] == 0.0
    assert np.isnan(one["min_gap"])
    assert np.isnan(one["realtime_factor"])


def _settling(speeds, gaps, energies):
    builder = Rows(LAYOUT)
    for k, (speed, gap, energy) in enumerate(zip(speeds, gaps, energies, strict=True)):
        builder.append(
            0.1 * k,
            np.zeros(1),
            np.array([speed]),
            np.zeros(0),
            _Row(gap, 0, 0.0),
            kinetic_energy=energy,
            potential_energy=1.0,
            actuator_work=0.5 * k,
            contact_work=0.0,
        )
    return settling_measures(builder.finish(Status.DONE))


def test_a_machine_rests_from_when_on_it_moves_no_more():
    # slow at 0.1 s while it turns round, at rest from 0.3 s on
    found = _settling(
        [1.0, 5e-4, -2.0, 9e-4, 2e-5], [0.1, 0.0, -2e-3, -1e-3, -1e-4], [7, 6, 5, 2, 1]
    )
    assert found["rest_time"] == pytest.approx(0.3)
    assert found["final_speed"] == 2e-5
    assert found["final_penetration"] == 1e-4
    assert found["energy_lost"] == pytest.approx(8.0)  # 7 - 1 and 2 J of work


def test_a_machine_that_moves_at_the_end_does_not_rest():
    found = _settling([0.0, 0.0, 1.1e-3], [np.nan] * 3, [0.0] * 3)
    assert np.isnan(found["rest_time"])
    assert found["final_speed"] == 1.1e-3
    assert found["final_penetration"] == 0.0  # nothing ever touched
    assert _settling([], [], []) == {}

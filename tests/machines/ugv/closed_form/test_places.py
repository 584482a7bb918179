"""Places between stations: they meet the extremes of a traversal, wherever its stations are."""

import numpy as np
import pytest
from tests.machines.ugv.closed_form.cases import TRACKS, UGV, curve_over

from footfall.machines.ugv.closed_form.forces import (
    clearance,
    forces,
    least_normal,
    required_friction,
)
from footfall.machines.ugv.closed_form.traversal import all_places, poses_at, traversal
from footfall.machines.ugv.measures import traversal_metrics

EXTREMES = ("torque_max", "torque_min", "required_friction", "min_normal_force", "clearance_min")


def crossed(name, stations=15):
    """A traversal at stations 40 cm apart, with legs that move."""
    s = np.linspace(1.6, 7.2, stations)
    return traversal(UGV, curve_over(TRACKS[name]), s, 2.0 + 0.2 * np.sin(s), 2.1 - 0.1 * s / 7.0)


def extremes(name, places, rows):
    """The metrics of EXTREMES, of some places alone."""
    at = poses_at(UGV, rows, places)
    of = forces(UGV, at)
    return np.array(
        [
            of.torque.max(),
            of.torque.min(),
            required_friction(of).max(),
            least_normal(of).min(),
            clearance(UGV, TRACKS[name], at).min(),
        ]
    )


@pytest.mark.parametrize("name", ["bump", "steep", "stairs", "down"])
def test_metrics_of_a_traversal_are_those_of_all_places(name):
    rows = crossed(name)
    metrics = traversal_metrics(UGV, TRACKS[name], rows)
    found = np.array([metrics[one] for one in EXTREMES])
    fine = np.unique(np.concatenate((rows.s, np.linspace(rows.s[0], rows.s[-1], 14_001))))
    every = extremes(name, fine, rows)
    spread = np.abs(every - extremes(name, rows.s[:1], rows))
    # places a millimetre apart, or 0.4 mm, miss a millionth of what bends within a decimetre
    assert (np.abs(found - every) <= 1e-5 * spread + 1e-9).all()
    assert metrics["torque_range"] == found[0] - found[1]


def test_stations_alone_miss_extremes():
    rows = crossed("bump")
    at_stations, metrics = (
        extremes("bump", rows.s, rows),
        traversal_metrics(UGV, TRACKS["bump"], rows),
    )
    assert metrics["torque_max"] > at_stations[0] + 0.05
    assert metrics["required_friction"] > at_stations[2] + 1e-5


def test_places_are_close_and_rows_among_them():
    rows = crossed("stairs")
    places = all_places(rows)
    assert set(rows.s) <= set(places)
    assert np.diff(places).min() > 0.0
    assert np.diff(places).max() < 1.001e-3

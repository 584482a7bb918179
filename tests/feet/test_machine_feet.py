"""Feet of machines: support, landings, impacts and friction demand of impulses written by hand."""

import numpy as np
import pytest
import xarray as xr

from footfall.feet import MachineFeet, friction_demand

STEP = 0.005


def run(impulse: object, engine: str = "moreau") -> xr.Dataset:
    """A run of contacts heel, toe and tip with impulses (N, 3, 3), in even steps."""
    values = np.asarray(impulse, dtype=np.float64)
    return xr.Dataset(
        {"impulse": (("time", "contact", "axis"), values)},
        {"time": STEP * np.arange(len(values)), "contact": ["heel", "toe", "tip"]},
        {"engine": engine},
    )


def normal(*rows: tuple[float, float, float]) -> np.ndarray:
    """Impulses along the normals alone."""
    values = np.zeros((len(rows), 3, 3))
    values[:, :, 0] = rows
    return values


def test_contacts_of_one_foot_add_up_and_a_foot_without_contact_bears_none() -> None:
    """A box stands on several points, and what a constraint holds reports no impulse."""
    feet = MachineFeet(run(normal((0, 0, 0), (1, 2, 4))), [("heel", "toe"), "tip", "held"])
    assert feet.impulse[1, :, 0].tolist() == [3.0, 4.0, 0.0]
    assert feet.supporting.tolist() == [-1, 1]
    assert feet.force[1, :, 0] == pytest.approx([3.0 / STEP, 4.0 / STEP, 0.0])


def test_support_goes_from_foot_to_foot_over_a_flight() -> None:
    """The change is in the row in which the other foot bears more, the flight before left out."""
    rows = normal((2, 0, 0), (2, 1, 0), (0, 0, 0), (0, 3, 0), (0, 3, 1), (5, 3, 1))
    feet = MachineFeet(run(rows), ["heel", "toe", "tip"])
    assert feet.support_changes() == [(3, 0, 1), (5, 1, 0)]
    assert feet.landings() == [(1, 1), (3, 1), (4, 2), (5, 0)]


@pytest.mark.parametrize(
    ("rows", "standing"),
    [
        ([(0, 0, 0), (0, 2, 0), (0, 0, 0), (3, 2, 0), (0, 0, 0)], [1, 1, 1, 0, 0]),
        ([(0, 0, 0), (0, 0, 0)], [-1, -1]),
    ],
)
def test_a_foot_stands_until_another_carries(rows: list, standing: list) -> None:
    """Also in rows without load, and before any there was; nobody stands in a flight."""
    assert MachineFeet(run(normal(*rows)), ["heel", "toe", "tip"]).standing.tolist() == standing


def test_rows_at_an_event_have_no_force() -> None:
    """An event-driven run has two rows at an impact, with no time between them."""
    data = run(normal((1, 0, 0), (1, 0, 0), (1e-17, 0, 0), (1, 0, 0)))
    data["time"] = [0.0, 1.0, 1.0, 2.0]
    force = MachineFeet(data, ["heel"]).force[:, 0, 0]
    assert np.isnan(force[[0, 2]]).all()
    assert force[[1, 3]].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("engine", "expected"), [("moreau", 4.0), ("drake", 10.0)])
def test_impact_is_one_row_by_rigid_laws_and_less_what_a_compliant_ground_carries(
    engine: str, expected: float
) -> None:
    """In 20 ms the ground gives 14 in four rows, of which it carries 1 a row all the time."""
    rows = normal((0, 0, 0), (4, 0, 0), (4, 0, 0), (3, 0, 0), (3, 0, 0), *[(1, 0, 0)] * 8)
    assert MachineFeet(run(rows, engine), ["heel"]).impact(1, 0)[0] == pytest.approx(expected)


def test_friction_demand_needs_a_press_and_leaves_impacts_out() -> None:
    """The tangential part has two directions; a foot that is pulled or free demands none."""
    load = np.array([[2.0, 0.6, 0.8], [0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]])
    assert friction_demand(load) == pytest.approx([0.5, np.nan, np.nan], nan_ok=True)
    rows = normal((1, 0, 0), (1, 0, 0), (9, 0, 0), (1, 0, 0))
    rows[:, 0, 1] = [0.1, -0.2, 9.0, 0.3]
    demand = MachineFeet(run(rows), ["heel"]).stance_friction([2])
    assert demand == pytest.approx([0.1, 0.2, np.nan, 0.3], nan_ok=True)

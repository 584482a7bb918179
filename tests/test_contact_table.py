"""Contacts as they occur: what is kept of them reads like the dense arrays that it came from."""

import pickle

import netCDF4
import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import RunError
from footfall.trajectory import Layout, Status, Trajectory, trajectory_from_arrays
from footfall.trajectory.contact_table import (
    CONTACT_VARIABLES,
    FAR,
    bore_ever,
    contact_table,
    occurring,
    table_of,
)
from footfall.trajectory.series import without_idle_contacts
from footfall.trajectory.variables import VARIABLES

ROWS, CONTACTS = 7, 5
LAYOUT = Layout(("x",), ("v",), ("m",), ("m/s",), contact=tuple("abcde"))


def dense(seed=0):
    """Columns in which about a third of the contacts occur; "e" never does."""
    rng = np.random.default_rng(seed)
    there = rng.random((ROWS, CONTACTS)) < 0.35
    there[:, -1] = False
    columns = {}
    for name in CONTACT_VARIABLES:
        shape = (ROWS, CONTACTS, *(LAYOUT.size(dim) for dim in VARIABLES[name].dims[1:]))
        values = np.full(shape, FAR[name], dtype=VARIABLES[name].dtype)
        some = rng.standard_normal(shape) if name != "mode" else rng.integers(0, 3, shape)
        values[there] = some[there]
        columns[name] = values
    columns["gap"][there] = rng.random(there.sum())  # known wherever there is an entry
    return columns


def kept(tmp_path, seed=0):
    """A trajectory of these columns that came from a file, and so is kept as entries."""
    columns = dense(seed)
    time = np.arange(ROWS) * 1e-3
    whole = trajectory_from_arrays(LAYOUT, time, q=0.0, v=0.0, **columns)
    whole.save(tmp_path / "run.nc")
    return whole, Trajectory.load(tmp_path / "run.nc")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return kept(tmp_path_factory.mktemp("run"))[1].data


def slices(size):
    """Slices; xarray itself stumbles over empty ones that go backwards."""
    return st.slices(size).filter(lambda index: len(range(size)[index]) > 0)


places = st.one_of(
    st.integers(-CONTACTS, CONTACTS - 1),
    slices(CONTACTS),
    st.lists(st.integers(-CONTACTS, CONTACTS - 1), max_size=6),
)
moments = st.one_of(
    st.integers(-ROWS, ROWS - 1),
    slices(ROWS),
    st.lists(st.integers(-ROWS, ROWS - 1), max_size=9),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(row=moments, contact=places, axis=st.one_of(st.integers(-3, 2), slices(3)))
def test_any_part_of_a_variable_is_that_of_the_dense_array(data, row, contact, axis):
    told = data["impulse"].isel(time=row, contact=contact, axis=axis).to_numpy()
    expected = dense()["impulse"]
    for dim, index in ((2, axis), (1, contact), (0, row)):
        expected = np.take(expected, np.arange(expected.shape[dim])[index], axis=dim)
    np.testing.assert_array_equal(told, expected)


def test_a_run_comes_back_from_its_file_and_holds_no_dense_array(tmp_path):
    whole, again = kept(tmp_path)
    assert again.identical(whole)
    table = contact_table(again.data)
    assert len(table) == np.isfinite(dense()["gap"]).sum()
    assert contact_table(again.data.isel(time=slice(None))) is table
    part = contact_table(again.data.isel(time=slice(2, 5)))  # of no table as a whole
    lines = (table.row >= 2) & (table.row < 5)
    np.testing.assert_array_equal(part.columns["impulse"], table.columns["impulse"][lines])
    assert occurring(again.data).tolist() == [0, 1, 2, 3]
    assert bore_ever(again.data).tolist() == [True] * 4 + [False]


def test_a_run_can_be_written_into_merged_and_pickled(tmp_path):
    whole, again = kept(tmp_path)
    copied = pickle.loads(pickle.dumps(again.data))  # noqa: S301 (what was written here)
    more = copied.assign(load=copied["impulse"].sel(axis="n").sum("contact"))
    more = more.merge(xr.Dataset({"other": ("time", np.zeros(ROWS))}))
    assert contact_table(more) is contact_table(copied)
    own = more.copy(deep=True)
    own["mode"][:, 4] = 2
    assert (own["mode"][:, 4] == 2).all()
    assert copied.identical(whole.data)


def test_a_file_keeps_the_entries_by_the_convention_for_ragged_arrays(tmp_path):
    kept(tmp_path)
    columns = dense()
    with netCDF4.Dataset(tmp_path / "run.nc") as file:
        assert file["entry_row"].instance_dimension == "time"
        assert file["entry_contact"].instance_dimension == "contact"
        assert file["impulse"].dimensions == ("entry", "axis")
        row, contact = file["entry_row"][:], file["entry_contact"][:]
        np.testing.assert_array_equal(file["gap"][:], columns["gap"][row, contact])
        assert len(row) == np.isfinite(columns["gap"]).sum()


def test_entries_that_point_beyond_the_rows_are_refused(tmp_path):
    kept(tmp_path)
    with netCDF4.Dataset(tmp_path / "run.nc", "a") as file:
        file["entry_contact"][0] = CONTACTS
    with pytest.raises(RunError, match="entry_contact points beyond contact"):
        Trajectory.load(tmp_path / "run.nc")


def test_a_thousand_contacts_that_never_meet_cost_nothing(tmp_path):
    layout = Layout(("x",), ("v",), ("m",), ("m/s",), contact=tuple(map(str, range(1000))))
    rows = 2000
    run = trajectory_from_arrays(
        layout,
        np.arange(rows) * 1e-3,
        q=0.0,
        v=0.0,
        impulse=0.0,
        contact_velocity=0.0,
        mode=0,
        dissipation=0.0,
    )
    run.save(tmp_path / "run.nc")
    assert (tmp_path / "run.nc").stat().st_size < 2e5  # 200 MB of doubles, were they stored
    data = Trajectory.load(tmp_path / "run.nc").data
    assert len(contact_table(data)) == 0
    assert without_idle_contacts(data).sizes["contact"] == 0
    assert data.sel(contact="17")["gap"].isnull().all()
    assert (run.status, data.sizes["time"]) == (Status.DONE, rows)


def test_what_is_far_has_no_entry():
    assert len(table_of(dense())) == np.isfinite(dense()["gap"]).sum()

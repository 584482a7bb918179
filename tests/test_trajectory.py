"""Trajectories: what is appended comes out, and what is saved comes back."""

import dataclasses
import tracemalloc
from copy import deepcopy
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.rows import Rows

from footfall.engines.ports import ContactReport
from footfall.errors import RunError
from footfall.trajectory import (
    Event,
    Layout,
    Status,
    Trajectory,
    TrajectoryBuilder,
    trajectory_from_arrays,
)
from footfall.trajectory.contact_table import CONTACT_VARIABLES, table_of
from footfall.trajectory.rows import Rows as Block
from footfall.trajectory.rows import empty_column

BIPED = Layout(
    position=("x", "z", "pitch"),
    velocity=("vx", "vz", "wy"),
    position_units=("m", "m", "rad"),
    velocity_units=("m/s", "m/s", "rad/s"),
    actuator=("hip",),
    actuator_units=("N m",),
    contact=("heel", "toe"),
)
BARE = Layout(("x",), ("v",), ("m",), ("m/s",))


def filled(rows):
    """A builder with rows, which come one by one."""
    builder, whole = TrajectoryBuilder(BIPED), columns(rows)
    for row in range(rows):
        add(builder, row * 1e-3, **{name: column[row : row + 1] for name, column in whole.items()})
    return builder


def add(builder, time, **row):
    """Add a row of columns (1, ...)."""
    unknown = {name: empty_column(builder.layout, name, 1) for name in CONTACT_VARIABLES}
    builder.extend(Block(np.array([time]), row, table_of(unknown | row)))


def test_rows_come_out_by_name():
    data = filled(11).finish(Status.DONE).data
    np.testing.assert_array_equal(data.time, np.arange(11) * 1e-3)
    assert data.q.sel(position="pitch")[10] == 10
    assert data.v.sel(velocity="wy")[10] == -10
    assert data.actuation.sel(actuator="hip")[10] == 20
    assert data.impulse.sel(contact="toe", axis="n")[10] == 1.0
    assert data.contact_velocity.sel(contact="toe", axis="t")[10] == 2.0
    assert data.contact_point.sel(contact="heel", xyz="z")[10] == 3.0
    assert data.dissipation.sel(contact="toe")[10] == 1.0
    assert data.gap.sel(contact="heel")[10] == 1.0
    assert data.contact_work[10] == 40
    assert (data["mode"] == 1).all()
    assert (data.iterations == 3).all()
    assert data.position_units.sel(position="pitch") == "rad"


def columns(rows):
    """Rows as columns."""
    k = np.arange(float(rows))
    contact = np.repeat(0.1 * k[:, None], 2, axis=1)
    axes = np.repeat(contact[:, :, None], 3, axis=2)
    return {
        "q": np.repeat(k[:, None], 3, axis=1),
        "v": -np.repeat(k[:, None], 3, axis=1),
        "actuation": 2.0 * k[:, None],
        "impulse": axes,
        "contact_velocity": 2 * axes,
        "gap": contact,
        "contact_point": 3 * axes,
        "mode": np.ones((rows, 2), dtype=np.int8),
        "dissipation": contact,
        "residual": np.full(rows, 1e-12),
        "iterations": np.full(rows, 3),
        "stage": np.full(rows, 1),
        "kinetic_energy": k,
        "potential_energy": 2 * k,
        "actuator_work": 3 * k,
        "contact_work": 4 * k,
    }


def test_columns_make_the_trajectory_that_their_rows_make():
    impact, told = Event(0.002, "impact", "the toe lands"), {"engine": "closed-form"}
    by_rows = filled(11).finish(Status.DONE, "", [impact], told)
    time = np.arange(11) * 1e-3
    at_once = trajectory_from_arrays(BIPED, time, **columns(11), events=[impact], attributes=told)
    assert at_once.identical(by_rows)


def test_columns_that_are_left_out_are_unknown_as_in_rows():
    builder = TrajectoryBuilder(BIPED)
    add(builder, 0.0, q=np.zeros((1, 3)), v=np.zeros((1, 3)))
    failed = Event(0.0, "failed", "it falls")
    by_rows = builder.finish(Status.FAILED, "it falls", [failed])
    assert trajectory_from_arrays(BIPED, np.zeros(1), q=0.0, v=0.0, failure="it falls").identical(
        by_rows
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.zeros((3, 1))}, r"q has the shape \(3, 1\), not \(3, 3\)"),
        ({"gap": np.zeros(2)}, r"gap has the shape \(2,\), not \(3, 2\)"),
        ({"torque": 0.0}, "no variable torque"),
        ({"time": np.array([0.0, 2.0, 1.0])}, "goes back"),
        ({"time": np.array([0.0, np.nan, 1.0])}, "goes back"),
    ],
)
def test_columns_that_do_not_fit_are_refused(change, message):
    time = change.get("time", np.arange(3.0))
    with pytest.raises(RunError, match=message):
        trajectory_from_arrays(
            BIPED, time, **{name: column for name, column in change.items() if name != "time"}
        )


def test_every_variable_says_its_unit_and_meaning():
    data = filled(1).finish(Status.DONE).data
    for name, variable in data.variables.items():
        assert variable.attrs["units"], name
        assert variable.attrs["long_name"], name


def test_mode_flags_follow_the_cf_convention():
    mode = filled(1).finish(Status.DONE).data["mode"]
    meanings = mode.attrs["flag_meanings"].split()
    flags = dict(zip(meanings, mode.attrs["flag_values"].tolist(), strict=True))
    assert flags == {"unknown": -1, "open": 0, "stick": 1, "slip": 2}
    assert mode.attrs["flag_values"].dtype == mode.dtype == np.int8


def test_what_a_row_leaves_out_is_not_taken_for_zero():
    builder = TrajectoryBuilder(BIPED)
    add(builder, 0.0, q=np.zeros((1, 3)), v=np.zeros((1, 3)))
    data = builder.finish(Status.DONE).data
    for name in ("actuation", "impulse", "gap", "kinetic_energy", "contact_work", "residual"):
        assert np.isnan(data[name]).all(), name
    assert (data["mode"] == -1).all()


def test_a_partial_trajectory_does_not_change_as_the_run_goes_on():
    builder = filled(3)
    partial = builder.finish(Status.INTERRUPTED, "stopped by Ctrl-C")
    add(builder, 1.0, q=np.full((1, 3), 9.0), v=np.zeros((1, 3)))
    assert partial.data.sizes["time"] == 3
    assert partial.data.q.max() == 2
    assert (partial.status, partial.message) == (Status.INTERRUPTED, "stopped by Ctrl-C")
    assert len(builder) == 4


def test_a_whole_run_is_not_kept_twice():
    # a robot with 2,600 corners has 600 MB of rows in 2 s at 1 ms
    some = columns(100)
    unknown = {name: empty_column(BIPED, name, 100) for name in CONTACT_VARIABLES}
    contacts = table_of(unknown | some)
    tracemalloc.start()
    try:
        builder = TrajectoryBuilder(BIPED)
        for block in range(30):
            builder.extend(deepcopy(Block(block + np.arange(100) * 1e-3, some, contacts)))
        rows, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        builder.finish(Status.DONE)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1.5 * rows


@pytest.mark.parametrize("bad", [0.5, float("nan")])
def test_time_goes_forward_or_stands_still(bad):
    builder = TrajectoryBuilder(BARE)
    add(builder, 1.0, q=np.zeros((1, 1)))
    add(builder, 1.0, q=np.ones((1, 1)))
    with pytest.raises(RunError, match=r"follows 1\.0 s"):
        add(builder, bad, q=np.zeros((1, 1)))


def test_a_layout_refuses_repeated_names_and_missing_units():
    with pytest.raises(RunError, match="'x' occurs twice"):
        Layout(("x", "x"), (), ("m", "m"), ())
    with pytest.raises(RunError, match="1 velocity names but 0 units"):
        Layout((), ("v",), (), ())


# --- files -------------------------------------------------------------------------------------

names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
numbers = st.floats(width=64)  # NaN, infinities, zeros of both signs and subnormals too


@st.composite
def layouts(draw):
    def some():
        return tuple(draw(st.lists(names, max_size=4, unique=True)))

    position, velocity, actuator, contact = some(), some(), some(), some()
    return Layout(
        position,
        velocity,
        tuple(draw(st.sampled_from(["m", "rad", "1"])) for _ in position),
        tuple(draw(st.sampled_from(["m/s", "rad/s"])) for _ in velocity),
        actuator,
        tuple(draw(st.sampled_from(["N", "N m"])) for _ in actuator),
        contact,
    )


@st.composite
def trajectories(draw):
    layout = draw(layouts())
    builder = Rows(layout)
    contacts = len(layout.contact)

    def array(*shape):
        return draw(hnp.arrays(np.float64, shape, elements=numbers))

    for moment in sorted(draw(st.lists(st.floats(0, 1e6), max_size=4))):
        rows = ContactReport(
            impulse=array(contacts, 3),
            velocity=array(contacts, 3),
            gap=array(contacts),
            p_WC=array(contacts, 3),
            work=array(contacts),
            mode=draw(hnp.arrays(np.int8, contacts, elements=st.integers(-1, 2))),
            residual=draw(numbers),
            iterations=draw(st.integers(0, 2**31 - 1)),
            stage=draw(st.integers(0, 5)),
        )
        builder.append(
            moment,
            array(len(layout.position)),
            array(len(layout.velocity)),
            array(len(layout.actuator)) if draw(st.booleans()) else None,
            rows if draw(st.booleans()) else None,
            kinetic_energy=draw(numbers),
        )
    events = draw(st.lists(st.builds(Event, st.floats(allow_nan=False), texts, texts), max_size=3))
    attributes = draw(st.dictionaries(st.sampled_from(["scenario", "engine"]), texts))
    return builder.finish(draw(st.sampled_from(Status)), draw(texts), events, attributes)


@pytest.mark.slow
@settings(
    max_examples=30,
    deadline=None,  # the first save loads the HDF5 library
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(trajectory=trajectories())
def test_a_saved_trajectory_comes_back_exactly(trajectory, tmp_path):
    path = tmp_path / "trajectory.nc"
    trajectory.save(path)
    back = Trajectory.load(path)
    assert back.identical(trajectory)
    for name, variable in trajectory.data.variables.items():
        assert back.data[name].dtype.kind == variable.dtype.kind, name
        if variable.dtype.kind == "f":  # to the bit: identical takes -0 for 0
            expected, got = np.signbit(variable.values), np.signbit(back.data[name].values)
            np.testing.assert_array_equal(expected, got)
    assert [file.name for file in tmp_path.iterdir()] == ["trajectory.nc"]


def test_identical_notices_every_part():
    trajectory = filled(2).finish(Status.DONE, "", [Event(0.0, "impact", "toe")])
    other_data = trajectory.data.copy(deep=True)
    other_data.q[1, 1] += 1e-15
    assert trajectory.identical(dataclasses.replace(trajectory))
    assert not trajectory.identical(dataclasses.replace(trajectory, data=other_data))
    assert not trajectory.identical(dataclasses.replace(trajectory, events=()))
    assert not trajectory.identical(dataclasses.replace(trajectory, status=Status.FAILED))
    assert not trajectory.identical(dataclasses.replace(trajectory, message="x"))


def test_the_file_opens_in_the_plain_library(tmp_path):
    events = [Event(0.001, "impact", "toe"), Event(0.002, "lift-off", "heel")]
    trajectory = filled(5).finish(Status.FAILED, "µ went astray", events, {"scenario": "a: 1\n"})
    trajectory.save(tmp_path / "run.nc")
    with netCDF4.Dataset(tmp_path / "run.nc") as file:
        assert file.data_model == "NETCDF4"
        assert (file.status, file.message, file.scenario) == ("failed", "µ went astray", "a: 1\n")
        assert file["contact"][:].tolist() == ["heel", "toe"]
        assert file["time"].units == "s"
        np.testing.assert_array_equal(file["q"][:, 2], np.arange(5))
        assert file["event_kind"][:].tolist() == ["impact", "lift-off"]
        np.testing.assert_array_equal(file["event_time"][:], [0.001, 0.002])


def test_plain_xarray_does_not_take_seconds_for_dates(tmp_path):
    filled(5).finish(Status.DONE).save(tmp_path / "run.nc")
    with xr.open_dataset(tmp_path / "run.nc") as data:
        assert data.time.dtype == np.float64


def test_saving_replaces_the_file_only_when_the_new_one_is_whole(tmp_path, monkeypatch):
    path = tmp_path / "run.nc"
    first = filled(2).finish(Status.DONE)
    first.save(path)

    def broken_off(_data, store, **_kwargs):
        Path(store._filename).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(xr.Dataset, "dump_to_store", broken_off)
    with pytest.raises(KeyboardInterrupt):
        filled(5).finish(Status.DONE).save(path)
    assert Trajectory.load(path).identical(first)
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    def full(*_args, **_kwargs):
        raise RuntimeError("NetCDF: HDF error")  # what netCDF4 says when the device is full

    monkeypatch.setattr(xr.Dataset, "dump_to_store", full)
    with pytest.raises(RunError, match="is the disk full") as caught:
        filled(1).finish(Status.DONE).save(tmp_path / "run.nc")
    assert "\n" not in str(caught.value)


def _cut(share):
    return lambda path, whole: path.write_bytes(whole[: int(share * len(whole))])


def _changed(change):
    return lambda path, _: change(xr.load_dataset(path)).to_netcdf(path, engine="netcdf4")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        *((_cut(share), r"run\.nc is damaged") for share in (0.0, 1e-3, 0.3, 0.9, 0.999)),
        (lambda path, _: path.unlink(), "there is no trajectory file"),
        (lambda path, _: path.write_text("time,q\n0,1\n"), "damaged or no NetCDF4 file"),
        (_changed(lambda _: xr.Dataset({"q": ("time", [1.0])})), "is not a footfall trajectory"),
        (_changed(lambda data: data.drop_vars("gap")), "variable gap is missing"),
        (
            _changed(lambda data: data.assign_attrs(format="footfall trajectory 1")),
            "of another version of footfall; run the scenario again",
        ),
        (_changed(lambda data: data.assign_attrs(status="fine")), "status is missing or unknown"),
    ],
)
def test_a_damaged_or_foreign_file_is_one_line(damage, message, tmp_path):
    path = tmp_path / "run.nc"
    filled(50).finish(Status.DONE).save(path)
    damage(path, path.read_bytes())
    with pytest.raises(RunError, match=message) as caught:
        Trajectory.load(path)
    assert "\n" not in str(caught.value)

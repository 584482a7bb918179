"""Logs of others: CSV, NetCDF and MCAP files, their units, times and faults."""

import json

import numpy as np
import pytest
import xarray as xr

from footfall.errors import RunError
from footfall.trajectory.logs import Column, Log, LogColumns, at, slope

UNITS = {"positions": {"knee": "rad"}, "velocities": {"knee": "rad/s"}, "efforts": {"knee": "N m"}}
TIMES = [2.0, 2.5, 3.0, 4.0]
ANGLES = [0.0, 90.0, 180.0, -90.0]
RADIANS = [0.0, np.pi / 2, np.pi, -np.pi / 2]


def found(path, bare="positions", **columns):
    return Log(path, LogColumns(**columns)).find(UNITS, bare)


def written(path, text):
    path.write_text(text)
    return path


def csv(tmp_path, separator=",", heading="knee [deg]"):
    rows = [separator.join(map(str, row)) for row in zip(TIMES, ANGLES, "abcd", strict=True)]
    return written(
        tmp_path / "log.csv", "\n".join([separator.join(["t [s]", heading, "note"]), *rows, ""])
    )


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_read_in_si_from_its_first_time_on(tmp_path, separator):
    log = found(csv(tmp_path, separator))
    knee = log.columns["positions"]["knee"]
    assert knee.time.tolist() == [0.0, 0.5, 1.0, 2.0]
    assert knee.values == pytest.approx(RADIANS)
    assert log.end == 2.0
    assert log.columns["velocities"] == log.columns["efforts"] == {}


def test_a_column_may_be_turned_shifted_and_begun_later(tmp_path):
    path = csv(tmp_path, heading="joint 3")
    columns = {"positions": {"knee": "-joint 3 [deg]"}, "offsets": {"knee": 0.25}, "start": 2.5}
    knee = found(path, **columns).columns["positions"]["knee"]
    assert knee.time.tolist() == [-0.5, 0.0, 0.5, 1.5]
    assert knee.values == pytest.approx(0.25 - np.array(RADIANS))


def test_cells_without_numbers_are_left_out(tmp_path):
    path = written(tmp_path / "log.csv", "ms,knee,speed\n0,1,\n500,,7\n1500,3,9\n")
    log = found(path, time="ms [ms]", velocities={"knee": "speed"})
    assert log.columns["positions"]["knee"].time.tolist() == [-0.5, 1.0]  # as of the velocities
    assert log.columns["velocities"]["knee"].values.tolist() == [7.0, 9.0]


def test_variables_of_netcdf_are_called_by_their_coordinates(tmp_path):
    data = xr.Dataset(
        {"angle": (("stamp", "joint"), np.array([ANGLES, ANGLES]).T, {"units": "deg"})},
        {"stamp": ("stamp", np.array(TIMES) * 1e3, {"units": "ms"}), "joint": ["hip", "knee"]},
    )
    data.to_netcdf(tmp_path / "log.nc")
    log = found(tmp_path / "log.nc", time="stamp", positions={"knee": "angle.knee"})
    assert log.columns["positions"]["knee"].values == pytest.approx(RADIANS)
    assert log.end == pytest.approx(2.0)


def mcap(path, topic, messages, encoding="json", chunk_size=10_000):
    from mcap.writer import CompressionType, Writer

    with path.open("wb") as file:
        writer = Writer(file, chunk_size=chunk_size, compression=CompressionType.NONE)
        writer.start()
        schema = writer.register_schema("any", "jsonschema", b'{"type": "object"}')
        channel = writer.register_channel(topic, encoding, schema)
        for time, message in messages:
            nanoseconds = 1_700_000_000_000_000_000 + round(1e9 * time)
            writer.add_message(channel, nanoseconds, json.dumps(message).encode(), nanoseconds)
        writer.finish()
    return path


@pytest.mark.parametrize(
    "state",
    [
        lambda angle: {"name": ["hip", "knee"], "position": [0.5, angle], "effort": [1.0, 2.0]},
        lambda angle: {"joints": [{"name": "knee", "position": angle, "effort": 2.0}]},
    ],
    ids=["ROS", "Foxglove"],
)
def test_fields_of_messages_are_called_by_the_names_beside_them(tmp_path, state):
    pytest.importorskip("mcap_ros2")
    messages = [(time, state(angle)) for time, angle in zip(TIMES, RADIANS, strict=True)]
    log = found(mcap(tmp_path / "log.mcap", "/joints", messages))
    assert log.columns["positions"]["knee"].time.tolist() == [0.0, 0.5, 1.0, 2.0]
    assert log.columns["positions"]["knee"].values.tolist() == RADIANS
    assert log.columns["efforts"]["knee"].values.tolist() == [2.0] * 4


def test_messages_have_the_time_that_they_tell_rather_than_that_of_writing(tmp_path):
    pytest.importorskip("mcap_ros2")
    stamps = [{"sec": int(t), "nanosec": round(1e9 * (t % 1.0))} for t in TIMES]
    messages = [
        (k, {"header": {"stamp": stamp}, "knee": angle})
        for k, (stamp, angle) in enumerate(zip(stamps, RADIANS, strict=True))
    ]
    path = mcap(tmp_path / "log.mcap", "/state", messages)
    log = found(path, time="header.stamp", positions={"knee": "/state.knee"})
    assert log.columns["positions"]["knee"].time.tolist() == [0.0, 0.5, 1.0, 2.0]


def test_values_between_rows_are_interpolated_or_held():
    column = Column(np.array([0.0, 0.1, 0.3]), np.array([1.0, 2.0, 4.0]), "")
    times = np.array([-1.0, 0.05, 3 * 0.1, 0.2, 9.0])
    assert at(column, times) == pytest.approx([1.0, 1.5, 4.0, 3.0, 4.0])
    # 0.30000000000000004 and what is a rounding before it are one time
    assert at(column, times, held=True).tolist() == [1.0, 1.0, 4.0, 2.0, 4.0]
    assert at(column, np.array([0.1 - 1e-17]), held=True).tolist() == [2.0]


def test_slopes_are_exact_for_a_parabola_and_bear_times_that_repeat():
    time = np.array([0.0, 0.1, 0.25, 0.25, 0.4])
    inner = slope(time, time**2)[1:4]
    assert inner == pytest.approx(2.0 * time[1:4])


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"positions": {"hip": "knee"}}, "positions.hip: there is no 'hip'; known: knee"),
        ({"positions": {"knee": "kne"}}, "no column of numbers 'kne'; did you mean 'knee'?"),
        ({"positions": {"knee": "note"}}, "no column of numbers 'note'"),
        ({"positions": {"knee": "knee [m]"}}, r"'knee' is in m, and \[rad\] is wanted: name its"),
        ({"positions": {"knee": "knee [gon]"}}, "one of rad, deg, rev"),
        ({"time": "tt"}, "time: there is no column 'tt'"),
        ({"time": "t [h]"}, "the time is in h: name its unit, s, ms, us or ns"),
        ({"start": 5.0}, "no time from 5 s on: all columns have values from 2 s to 4 s"),
        ({"offsets": {"hip": 1.0}}, "offsets.hip: there is no position 'hip'"),
    ],
)
def test_what_a_log_has_not_is_told_in_one_line(tmp_path, columns, why):
    with pytest.raises(RunError, match=why) as refused:
        found(csv(tmp_path), **columns)
    assert "\n" not in str(refused.value)
    assert str(tmp_path) in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("log.csv", "", "it has no rows"),
        ("log.csv", "t,knee\n", "it has no rows"),
        ("log.csv", "t,knee\n0,1\n1\n2,1\n", "row 3 has not as many cells as the first"),
        ("log.csv", "t,knee\n0,a\n1,b\n", "holds no numbers over time"),
        ("log.csv", "t,knee,knee\n0,1,2\n", "two columns are called 'knee'"),
        ("log.csv", "t;knee\n0;1\n1;1,5\n", "holds no numbers over time"),
        ("log.csv", "t,knee\n1,1\n0,2\n", "the time of 'knee' goes back from 1 s to 0 s"),
        ("log.nc", "t", "cannot be read"),
        ("log.mcap", "t", "cannot be read"),
        ("log.bag", "t", "give a file that ends in .csv, .mcap, .nc"),
    ],
)
def test_a_file_that_is_no_log_is_told_in_one_line(tmp_path, name, text, why):
    pytest.importorskip("mcap_ros2")
    with pytest.raises(RunError, match=why) as refused:
        found(written(tmp_path / name, text))
    assert "\n" not in str(refused.value)


def test_a_name_that_means_two_columns_is_refused(tmp_path):
    text = "t,/a.position.knee,/b.position.knee\n0,1,2\n1,1,2\n"
    with pytest.raises(RunError, match=r"may be /a.position.knee or /b.position.knee: say which"):
        found(written(tmp_path / "log.csv", text))


@pytest.mark.parametrize("kind", ["csv", "mcap"])
def test_a_log_of_a_recorder_that_was_killed_is_read_up_to_there(tmp_path, kind):
    rows = [(float(k), {"knee": float(k)}) for k in range(100)]
    path = tmp_path / f"log.{kind}"
    if kind == "csv":
        path.write_text("\n".join(["t,knee", *(f"{t},{at['knee']}" for t, at in rows)]))
    else:
        pytest.importorskip("mcap_ros2")
        mcap(path, "/state", rows, chunk_size=200)
    whole = found(path, positions={} if kind == "csv" else {"knee": "/state.knee"})
    half = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(half.rpartition(b",")[0] if kind == "csv" else half)
    cut = found(path, positions={} if kind == "csv" else {"knee": "/state.knee"})
    read = cut.columns["positions"]["knee"].values.tolist()
    assert whole.note == ""
    assert cut.note.startswith("the log ends within a")
    assert 5 < len(read) < 90
    assert read == [float(k) for k in range(len(read))]


@pytest.mark.parametrize("lost", [1, 5, 12])
def test_a_log_may_end_within_any_record(tmp_path, lost):
    pytest.importorskip("mcap_ros2")
    path = mcap(tmp_path / "log.mcap", "/state", [(float(k), {"knee": k}) for k in range(3)])
    path.write_bytes(path.read_bytes()[:-lost])
    cut = found(path, positions={"knee": "/state.knee"})
    assert cut.note.startswith("the log ends within a message")
    assert cut.columns["positions"]["knee"].values.tolist() == [0.0, 1.0, 2.0]


def test_a_log_with_a_flipped_bit_is_told_in_one_line(tmp_path):
    """By the checksum of its chunk; the message itself would be read as another number."""
    pytest.importorskip("mcap_ros2")
    path = mcap(tmp_path / "log.mcap", "/state", [(0.0, {"knee": 1.5}), (1.0, {"knee": 2.5})])
    path.write_bytes(path.read_bytes().replace(b"1.5", b"1.7"))
    with pytest.raises(RunError, match="cannot be read: it is damaged: crc") as refused:
        found(path, positions={"knee": "/state.knee"})
    assert "\n" not in str(refused.value)


def test_an_encoding_that_nothing_reads_says_what_does(tmp_path):
    pytest.importorskip("mcap_ros2")
    path = mcap(tmp_path / "log.mcap", "/state", [(0.0, {})], "flatbuffer")
    with pytest.raises(RunError, match=r"/state is encoded as flatbuffer, which is neither"):
        found(path)

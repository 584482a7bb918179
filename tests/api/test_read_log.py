"""Logs as runs: a flight whose closed form is known, and what is said of what a log has not."""

import numpy as np
import pytest
from tests.cli.command import footfall

import footfall as ff
from footfall.errors import FootfallError

G, SPEED, HEIGHT = 9.81, 3.0, 5.0
TIME = np.linspace(0.0, 0.5, 101)


@pytest.fixture(scope="module")
def flight(tmp_path_factory):
    """A file of a ball that flies along x, by its closed form, in other units and names."""
    path = tmp_path_factory.mktemp("log") / "flight.csv"
    x, z = 1e3 * SPEED * TIME, HEIGHT - 0.5 * G * TIME**2
    rows = [f"{t!r};{a!r};{b!r}" for t, a, b in np.array([1e3 * TIME + 7e3, x, z]).T.tolist()]
    path.write_text("\n".join(["ms;along;height", *rows]))
    (path.parent / "columns.yaml").write_text(
        'time: "ms [ms]"\npositions: {ball_x: "along [mm]", ball_z: height}\n'
    )
    return path


def read(flight, **columns):
    return ff.read_log(flight, "smoke/Defaults", flight.parent / "columns.yaml", **columns)


def test_a_flight_has_the_velocities_and_energies_of_its_closed_form(flight):
    run = read(flight)
    data = run.data
    assert data["time"].values == pytest.approx(TIME, abs=1e-12)
    assert data["v"].sel(velocity="ball_vx").values == pytest.approx(SPEED)
    inner = slice(1, -1)  # differences are exact for a parabola but at its ends
    assert data["v"].sel(velocity="ball_vz").values[inner] == pytest.approx(-G * TIME[inner])
    total = (data["kinetic_energy"] + data["potential_energy"]).values[inner]
    assert total == pytest.approx(total[0], rel=1e-9)
    assert run.engine == "log"


def test_columns_may_be_told_by_a_mapping(flight):
    """As the file that says the same; one that fits nothing is told as such."""
    told = {"time": "ms [ms]", "positions": {"ball_x": "along [mm]", "ball_z": "height"}}
    run = ff.read_log(flight, "smoke/Defaults", told)
    assert run.data["q"].equals(read(flight).data["q"])
    with pytest.raises(FootfallError, match="columns: unknown key postions"):
        ff.read_log(flight, "smoke/Defaults", {"postions": {}})


def test_what_the_log_has_not_is_an_event(flight):
    said = [event.what for event in read(flight).events]
    assert said[0].startswith("the log has no ball_qw, ball_qx")
    assert said[0].endswith("held where the scenario starts")
    assert "velocities" in said[1]


def test_a_log_is_a_run_on_disk_that_is_replayed_and_compared(flight, tmp_path, capsys):
    out = tmp_path / "log"
    columns = flight.parent / "columns.yaml"
    asked = ("import", flight, "--scenario", "ball", "--columns", columns)  # a robot by its name
    status, _, said = footfall(*asked, "--out", out, "--no-report", capsys=capsys)
    assert status == 0
    assert "the log has no ball_qw" in said
    read_back = ff.replay(out)
    assert read_back.engine == "log"
    assert read_back.scenario.engine == "moreau"
    assert read_back.data["q"].equals(read(flight).data["q"])
    start = {"ball_x": 0.0, "ball_z": HEIGHT}
    flown = ff.load("smoke/Defaults", duration=0.5).set(
        initial={"positions": start, "velocities": {"ball_vx": SPEED}}
    )
    flown.save(tmp_path / "flown.yaml")
    simulated = flown.run(engine="moreau")
    difference = ff.Comparison(flown.scenario, {"log": read_back, "moreau": simulated})
    (row,) = (row for row in difference.differences[0].rows if row.quantity == "q ball_z")
    # between its rows the log is a parabola, and a comparison a line
    assert row.maximum < G * (TIME[1] - TIME[0]) ** 2
    asked = ("compare", tmp_path / "flown.yaml", "--engines", "moreau", "--beside", out)
    status, told, _ = footfall(*asked, "--out", tmp_path / "both", capsys=capsys)
    assert status == 0
    assert "moreau against log" in told
    assert ">log<" in (tmp_path / "both" / "report.html").read_text()
    asked = ("compare", "biped/stand", "--engines", "moreau", "--beside", out)
    status, _, said = footfall(*asked, "--out", tmp_path / "others", capsys=capsys)
    assert status == 2
    assert "a run of drop/ball, of another robot than biped/stand has" in said
    assert not (tmp_path / "others").exists()


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ("positions: {ball_y: sideways}", "positions.ball_y: there is no column of numbers"),
        ("positions: [ball_x]", "columns.yaml: positions is .*: give a group"),
        ("postions: {}", "unknown key postions; did you mean 'positions'?"),
        ("positions: {", "columns.yaml cannot be read"),
        ("{}", "flight.csv has no position of the robot: name columns of ball_qw"),
        ("start: .inf", "columns.yaml: start is inf: give a finite number"),
        (
            "start: 99.0\npositions: {ball_z: height}",
            "flight.csv with .*columns.yaml: no time from",
        ),
        ("{time: 3}", "columns.yaml: time is 3: give a text"),
    ],
)
def test_columns_that_fit_nothing_are_told_in_one_line(flight, tmp_path, columns, why):
    (tmp_path / "columns.yaml").write_text(columns)
    with pytest.raises(FootfallError, match=why) as refused:
        ff.read_log(flight, "smoke/Defaults", tmp_path / "columns.yaml")
    assert "\n" not in str(refused.value)

"""Runs as other files: CSV, and films."""

import csv
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from PIL import Image
from tests.api.test_notebook import require
from tests.cli.command import footfall

from footfall.errors import RunError
from footfall.report import film
from footfall.trajectory import Trajectory
from footfall.trajectory.series import without_idle_contacts


@pytest.fixture
def run(dropped, tmp_path):
    return shutil.copytree(dropped[0], tmp_path / "run")


def table(path):
    with path.open(newline="") as file:
        headings, *rows = csv.reader(file)
    return headings, np.array([[float(cell or "nan") for cell in row] for row in rows])


def test_a_run_becomes_a_table_with_units_and_all_digits(run, capsys):
    status, _, _ = footfall("export", run, "--csv", capsys=capsys)
    assert status == 0
    headings, numbers = table(run / "trajectory.csv")
    data = Trajectory.load(run / "trajectory.nc").data
    assert headings[0] == "time [s]"
    assert len(set(headings)) == len(headings)
    for heading, values in (
        ("q.theta1 [rad]", data["q"].sel(position="theta1")),
        ("kinetic_energy [J]", data["kinetic_energy"]),
        ("impulse.biped::foot_a.n [N s]", data["impulse"].sel(contact="biped::foot_a", axis="n")),
    ):
        column = numbers[:, headings.index(heading)]
        assert np.array_equal(column, values.to_numpy(), equal_nan=True)  # not a digit is lost


def test_corners_that_never_touched_are_left_out_and_told(run, tmp_path, capsys):
    trajectory = Trajectory.load(run / "trajectory.nc")
    names = [f"biped::shell/Mesh#{k}" for k in range(60)]
    data = trajectory.data.isel(contact=[0] * 60).assign_coords(contact=names)
    touch = np.arange(60) == 7
    data["impulse"] = xr.zeros_like(data["impulse"]) + touch[None, :, None]
    data["mode"] = data["mode"].where(np.arange(60)[None, :] < 0, 0)
    data["mode"][3, 9] = 2
    kept = without_idle_contacts(data)["contact"].values.tolist()
    assert kept == ["biped::shell/Mesh#7", "biped::shell/Mesh#9"]
    few = data.isel(contact=slice(20))
    assert without_idle_contacts(few).sizes["contact"] == 20
    replace(trajectory, data=data).save(run / "trajectory.nc")
    _, out, _ = footfall("export", run, "--csv", "--out", tmp_path / "all.csv", capsys=capsys)
    assert "left out: 58 contacts that never touched" in out
    assert not [head for head in table(tmp_path / "all.csv")[0] if "Mesh#8" in head]


def test_some_series_are_exported_by_name(run, tmp_path, capsys):
    out = tmp_path / "some.csv"
    footfall("export", run, "--csv", "--series", "theta1, x", "--out", out, capsys=capsys)
    assert table(out)[0] == ["time [s]", "q.theta1 [rad]", "q.x [m]"]


@pytest.mark.parametrize(
    ("arguments", "tells"),
    [
        (["export"], "--csv"),
        (["export", "--csv", "--series", "thta1"], "did you mean 'theta1'"),
        (["video", "--camera", "corner"], "no cameras"),
        (["video", "--fps", "0"], "positive number"),
        (["video", "--out", "film.avi"], "let the name end in .mp4 or .gif"),
        (["still", "--out", "still.gif"], "let the name end in .png"),
        (["still", "--camera", "corner"], "no cameras"),
    ],
)
def test_what_cannot_be_exported_is_one_line(run, arguments, tells, capsys):
    command, *options = arguments
    if "--fps" in options:
        require("imageio_ffmpeg", "video")
    status, _, err = footfall(command, run, *options, capsys=capsys)
    assert (status, len(err.splitlines())) == (2, 1)
    assert tells in err


def test_without_ffmpeg_it_is_said_how_to_have_it(run, monkeypatch, capsys):
    def missing():
        raise RunError("a film needs ffmpeg")

    monkeypatch.setattr(film, "_encoder", missing)
    status, _, err = footfall("video", run, capsys=capsys)
    assert status == 2
    assert "ffmpeg" in err
    assert not (run / "video.mp4").exists()


@pytest.mark.slow
def test_a_film_has_the_frames_of_the_run(run, capsys):
    require("imageio_ffmpeg", "video")
    # 0.05 s at 40 frames a second, ten times slower: 21 frames with the first
    status, out, _ = footfall("video", run, "--fps", "40", "--speed", "0.1", capsys=capsys)
    assert status == 0
    assert "21 frames" in out
    shown = subprocess.run(
        [film._encoder(), "-loglevel", "error", "-i", run / "video.mp4", "-f", "rawvideo",
         "-pix_fmt", "rgb24", "-"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    width, height = film.SIZE
    frames = np.frombuffer(shown, dtype=np.uint8).reshape(-1, height, width, 3).astype(int)
    assert len(frames) == 21
    # the robot falls: what is drawn moves, and the corner of the sky does not
    assert np.abs(frames[-1] - frames[0]).max() > 100
    assert np.abs(frames[-1] - frames[0])[:20, :20].max() < 10


def test_a_film_that_is_to_be_a_gif_is_one(run, tmp_path, capsys):
    require("imageio_ffmpeg", "video")
    path = tmp_path / "film.gif"
    status, _, _ = footfall(
        "video", run, "--fps", "40", "--speed", "0.25", "--out", path, capsys=capsys
    )
    assert status == 0
    with Image.open(path) as shown:
        assert (shown.format, shown.size, shown.n_frames) == ("GIF", film.SIZE, 9)
        first = np.asarray(shown.convert("RGB"), dtype=int)
        shown.seek(8)
        last = np.asarray(shown.convert("RGB"), dtype=int)
        assert shown.info["duration"] in (20, 30)  # ms, in hundredths of a second
    assert np.abs(last - first).max() > 100

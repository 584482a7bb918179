"""The contact problem of a step out of a run: it is the one that the run solved."""

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from tests.cli.command import done, footfall

import footfall as ff
from footfall.errors import FootfallError
from footfall.solvers import ContactProblem, natural_map_residual, solve
from footfall.trajectory import Trajectory

FCLIB = Path(__file__).parents[1] / "data" / "fclib"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A box that slides across a slope and stops."""
    path = tmp_path_factory.mktemp("problem") / "run"
    done("run", "verify/incline_across", "--out", path, "--no-report")
    return path


@pytest.mark.parametrize("at", [0.001, 0.1, 0.48])
def test_impulses_are_those_of_the_run_and_solve_its_problem(folder, at):
    posed, off = ff.problem(folder, at)
    data = Trajectory.load(folder / "trajectory.nc").data
    assert off == 0.0
    assert posed.names == tuple(data["contact"].values)
    assert np.array_equal(posed.r.reshape(-1, 3), data["impulse"].to_numpy()[round(at / 1e-3)])
    # W and q are set up apart from the step, by other sums
    assert posed.residual < 1e-13
    assert natural_map_residual(posed.W, posed.q, posed.mu, posed.dim, posed.r) == posed.residual
    assert np.allclose(posed.H.T @ np.linalg.solve(posed.M, posed.H), posed.W, atol=1e-12)
    assert np.allclose(posed.M @ posed.v, posed.f + posed.H @ posed.r, atol=1e-14)
    assert np.allclose(posed.v, data["v"].to_numpy()[round(at / 1e-3)], atol=1e-12)
    assert posed.mu == pytest.approx(0.55)


@pytest.mark.parametrize(
    ("scenario", "at", "settings"),
    [
        ("scenes/quadruped", 0.55, ["duration=0.56"]),  # drives and a push
        ("biped/climb", 0.2, ["duration=0.21", "moreau.scheme=implicit-midpoint"]),
        ("biped/climb", 0.2, ["duration=0.21", "moreau.impact_law=poisson"]),
        ("verify/bouncing_ball", 0.45, []),  # restitution, at the second landing or near
        ("verify/incline_hold", 0.2, []),  # static friction
        pytest.param("pasibot/walk", 0.1, ["engine=moreau"], marks=pytest.mark.slow),  # loops
        pytest.param("humanoid/walk", 0.3, ["duration=0.31"], marks=pytest.mark.slow),
    ],
)
def test_problems_of_all_kinds_are_those_of_their_runs(tmp_path, scenario, at, settings):
    asked = [word for setting in settings for word in ("--set", setting)]
    done("run", scenario, *asked, "--out", tmp_path / "run", "--no-report")
    posed, off = ff.problem(tmp_path / "run", at)
    assert off < 1e-6
    assert posed.residual < 1e-10


def test_a_load_that_can_be_shared_in_several_ways_leaves_the_motion_as_it_was(tmp_path):
    """Blocks on blocks: the trajectory has the sums over the points of a pair."""
    done("run", "scenes/stack", "--set", "duration=0.06", "--out", tmp_path / "run", "--no-report")
    posed, off = ff.problem(tmp_path / "run", 0.05)
    assert posed.residual < 1e-10
    assert off < 0.5
    data = Trajectory.load(tmp_path / "run" / "trajectory.nc").data
    v = data["v"].sel(time=0.05, method="nearest").to_numpy()
    assert posed.v == pytest.approx(v, abs=1e-8)


def test_both_files_hold_the_problem(folder, tmp_path, capsys):
    status, out, _ = footfall("problem", folder, "--at", 0.1, capsys=capsys)
    assert status == 0
    assert "from the recorded impulses" in out
    posed, _ = ff.problem(folder, 0.1)
    for kind in ("npz", "hdf5"):
        path = folder / f"contact_problem_0.1.{kind}"
        found = ContactProblem.load(path)
        for name in ("W", "q", "mu", "dim", "guess"):
            assert np.array_equal(getattr(found, name), getattr(posed, name)), name
        assert footfall("solve", path, capsys=capsys)[0] == 0
    alone = tmp_path / "alone.hdf5"
    assert footfall("problem", folder, "--at", 0.1, "--out", alone, capsys=capsys)[0] == 0
    assert ContactProblem.load(alone).dim == 3
    with np.load(folder / "contact_problem_0.1.npz") as kept:
        assert kept["names"].tolist() == list(posed.names)
        assert np.array_equal(kept["r"], posed.r)


def test_an_fclib_file_has_what_fclibs_own_reader_asks_for(folder, tmp_path):
    """By the names, kinds and sizes of fclib.h, whose reader believes m, n, nzmax and M/n, H/n."""
    ff.problem(folder, 0.1)[0].save(tmp_path / "problem.hdf5")
    with netCDF4.Dataset(tmp_path / "problem.hdf5") as file:
        for path in ("fclib_local/W", "fclib_global/M", "fclib_global/H"):
            m, n, nzmax, nz = (
                int(file[path][name][:].item()) for name in ("m", "n", "nzmax", "nz")
            )
            assert nz == -1  # compressed columns
            kinds = {
                name: (each.dtype.str, each.size) for name, each in file[path].variables.items()
            }
            told = {"p": ("<i4", n + 1), "i": ("<i4", nzmax), "x": ("<f8", nzmax)}
            assert kinds == told | dict.fromkeys(("m", "n", "nzmax", "nz"), ("<i4", 1))
            assert file[path]["i"][:].max() < m
        rows, speeds = (int(file[f"fclib_global/{name}/n"][:].item()) for name in "HM")
        for path, told in {
            "fclib_local/vectors": {"q": rows, "mu": rows // 3},
            "fclib_global/vectors": {"f": speeds, "w": rows, "mu": rows // 3},
            "solution": {"v": speeds, "u": rows, "r": rows},
            "guesses/1": {"v": speeds, "u": rows, "r": rows},
        }.items():
            assert {name: each.size for name, each in file[path].variables.items()} == told
        for path in ("fclib_local/spacedim", "fclib_global/spacedim"):
            assert file[path][:].item() == 3
        assert file["guesses/number_of_guesses"][:].item() == 1


def test_a_step_in_flight_has_a_problem_without_contacts(tmp_path):
    done("run", "verify/bouncing_ball", "--out", tmp_path / "run", "--no-report")
    posed, off = ff.problem(tmp_path / "run", 0.01)
    assert (posed.q.size, off, posed.residual) == (0, 0.0, 0.0)
    for name in ("empty.npz", "empty.hdf5"):
        posed.save(tmp_path / name)
        assert ContactProblem.load(tmp_path / name).q.size == 0


@pytest.mark.parametrize("kind", ["csc", "csr", "triplet"])
def test_local_problems_of_others_are_read(kind):
    """Written by h5py as FCLIB lays them out, of the Rover whose arrays are beside them."""
    found = ContactProblem.load(FCLIB / f"local_{kind}.hdf5")
    with np.load(FCLIB / "Rover1039.npz") as known:
        assert np.array_equal(found.W, known["W"])
        assert np.array_equal(found.q, known["q"])
    assert solve(found.W, found.q, found.mu, found.dim).residual < 1e-10


def test_a_global_problem_with_rows_that_hold_is_condensed():
    """Masses of 2 and 1 kg that share their motion along y, up to 0.3 m/s."""
    found = ContactProblem.load(FCLIB / "global.hdf5")
    assert np.allclose(found.W, np.diag([0.5, 1.0 / 3.0, 0.5]), rtol=0.0, atol=1e-14)
    # 2 v1 + v2 = 3 and v1 = v2 - 0.3 along y; w = 0.1 along x
    assert found.q == pytest.approx([-0.9, 0.9, 0.0], abs=1e-14)
    assert found.guess.tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("settings", "at", "words"),
    [
        (["record_every=2"], 0.1, "record_every=1"),
        ([], 0.5, "the steps of the run end at 0.001 to 0.48 s"),
        ([], 0.0, "--at is 0"),
        ([], float("nan"), "--at is nan"),
        (["changes=[{time: 0.01, friction: 0.5}]"], 0.1, "has changes"),
        (["engine=drake"], 0.1, "engine drake, which poses none"),
    ],
)
def test_a_run_without_such_a_step_is_refused_in_one_line(folder, tmp_path, settings, at, words):
    if settings:
        asked = [word for setting in settings for word in ("--set", setting)]
        folder = tmp_path / "run"
        done("run", "verify/incline_across", *asked, "--out", folder, "--no-report")
    with pytest.raises(FootfallError, match=words) as refused:
        ff.problem(folder, at)
    assert "\n" not in str(refused.value)


def test_a_run_that_its_folder_does_not_tell_is_refused(folder, tmp_path):
    """Friction of 0.55 in the run, and of 0.5 in the folder."""
    changed = tmp_path / "changed"
    changed.mkdir()
    for file in folder.iterdir():
        if file.is_file():
            (changed / file.name).write_bytes(file.read_bytes())
    text = (changed / "scenario.yaml").read_text()
    (changed / "scenario.yaml").write_text(text.replace("friction: 0.55", "friction: 0.5"))
    with pytest.raises(FootfallError, match="something acted in the run"):
        ff.problem(changed, 0.1)


@pytest.mark.parametrize(
    ("content", "words"), [(b"no HDF5", "is no FCLIB file"), (b"", "is no FCLIB file")]
)
def test_a_file_that_is_no_fclib_file_is_refused_in_one_line(tmp_path, content, words):
    path = tmp_path / "problem.hdf5"
    path.write_bytes(content)
    with pytest.raises(FootfallError, match=words) as refused:
        ContactProblem.load(path)
    assert "\n" not in str(refused.value)
    assert str(path) in str(refused.value)

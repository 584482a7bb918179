"""Provenance: versions, commit and times of a run."""

import json
import subprocess
from datetime import UTC, datetime, timedelta
from importlib.metadata import version

import pytest

from footfall import provenance
from footfall.provenance import collect_provenance


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    # a git that knows its author whatever the machine is set up like
    for key in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.setenv(key, "someone")
        monkeypatch.setenv(key.replace("AUTHOR", "COMMITTER"), "someone")

    def git(*arguments):
        command = ["git", "-C", str(tmp_path), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    (tmp_path / "a.txt").write_text("one")
    git("add", "a.txt")
    git("commit", "--quiet", "--message", "one")
    return tmp_path, git("rev-parse", "HEAD")


def test_it_names_what_ran():
    found = collect_provenance(seed=7).to_dict()
    for name in ("drake", "numpy", "scipy", "numba"):
        assert found["versions"][name] == version(name)
    assert set(found["versions"]) == {"footfall", "drake", "numpy", "scipy", "numba"}
    assert found["seed"] == 7
    assert found["python"].startswith("3.")
    age = datetime.now(UTC) - datetime.fromisoformat(found["written"])
    assert timedelta(0) <= age < timedelta(minutes=1)
    assert json.loads(json.dumps(found)) == found


def test_what_is_not_installed_has_no_version():
    assert provenance._version("no-such-distribution") is None


def test_the_times_of_the_run_are_filled_in():
    bare = collect_provenance()
    assert (bare.wall_time, bare.simulated_time, bare.realtime_factor) == (None, None, None)
    timed = bare.timed(wall_time=2.0, simulated_time=5.0)
    assert (timed.wall_time, timed.simulated_time, timed.realtime_factor) == (2.0, 5.0, 2.5)
    assert (timed.written, timed.versions) == (bare.written, bare.versions)
    assert bare.timed(0.0, 5.0).realtime_factor is None


def test_a_checkout_gives_its_commit_and_whether_it_was_changed(checkout, monkeypatch):
    root, commit = checkout
    assert provenance._commit(root) == (commit, False)
    (root / "new.txt").write_text("untracked files do not count")
    assert provenance._commit(root) == (commit, False)
    (root / "a.txt").write_text("two")
    assert provenance._commit(root) == (commit, True)
    monkeypatch.setenv("GIT_DIR", "/nowhere")  # as inside a git hook
    assert provenance._commit(root) == (commit, True)


def test_the_commit_around_an_environment_is_not_ours(checkout):
    root, _ = checkout
    (root / "lib").mkdir()
    assert provenance._commit(root / "lib") == (None, None)


def test_no_commit_without_git_or_before_the_first_one(checkout, tmp_path, monkeypatch):
    root, _ = checkout
    fresh = tmp_path / "fresh"
    subprocess.run(["git", "init", "--quiet", str(fresh)], check=True)
    assert provenance._commit(fresh) == (None, None)
    monkeypatch.setenv("PATH", "")
    assert provenance._commit(root) == (None, None)

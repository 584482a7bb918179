"""The option --camera: what a scene is seen through in a replay, a report and a watched run."""

from types import SimpleNamespace

import pytest
from tests.cli.command import done
from tests.cli.command import footfall as command

from footfall.scenario.io import parse_scenario
from footfall.show import live

SCENE = """
duration: 0.05
directives:
- add_model:
    name: ball
    file: package://footfall/urdf/ball/ball.urdf
    default_free_body_pose: {ball: {translation: [0.0, 0.0, 0.5]}}
cameras:
  side: {position: [0.0, -6.0, 1.5]}
  above: {position: [0.0, 0.0, 9.0]}
"""


def _seen_through(views):
    """A page that keeps the views that it is made with, and serves nothing."""

    class Unseen:
        page, run = SimpleNamespace(url="nowhere"), SimpleNamespace(begun=False)

        def __init__(self, _scenario, view, _watching, _tell):
            views.append(view)

        def wait_for_browser(self, _interrupted):
            pass

        def simulate(self, run):
            return run(None)

        def show(self, _trajectories):
            pass

        def play(self, _trajectories, _interrupted, **_options):
            return False

    return Unseen


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Folder of scene.yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene.yaml").write_text(SCENE)
    return tmp_path


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run of the scene, which is read."""
    folder = tmp_path_factory.mktemp("scene")
    (folder / "scene.yaml").write_text(SCENE)
    done("run", folder / "scene.yaml", "--out", folder / "run")
    return folder / "run"


def test_a_run_keeps_its_camera_and_a_report_may_have_another(folder, capsys):
    assert command("run", "scene.yaml", "--camera", "above", "--out", "run", capsys=capsys)[0] == 0
    saved = (folder / "run" / "scenario.yaml").read_text()
    assert parse_scenario(saved).camera == "above"
    report = folder / "run" / "report.html"
    first = report.read_text()
    assert command("report", "run", capsys=capsys)[0] == 0
    again = report.read_text()
    assert command("report", "run", "--camera", "side", capsys=capsys)[0] == 0
    for page, camera in ((first, "above"), (again, "above"), (report.read_text(), "side")):
        assert f"\ncamera: {camera}\n" in page


def test_a_replay_looks_through_the_camera_that_is_named(run, capsys, monkeypatch):
    views = []
    monkeypatch.setattr(live, "LiveView", _seen_through(views))
    for option in ((), ("--camera", "above")):
        assert command("replay", run, "--no-loop", *option, capsys=capsys)[0] == 0
    assert [view.camera.position for view in views] == [[0.0, -6.0, 1.5], [0.0, 0.0, 9.0]]


@pytest.mark.usefixtures("folder")
def test_a_watched_run_looks_through_the_camera_that_is_named(capsys, monkeypatch):
    views = []
    monkeypatch.setattr(live, "LiveView", _seen_through(views))
    options = ("--view", "--camera", "above", "--out", "run")
    assert command("run", "scene.yaml", *options, capsys=capsys)[0] == 0
    assert [view.camera.position for view in views] == [[0.0, 0.0, 9.0]]


def test_a_camera_that_there_is_not_is_told_in_one_line(folder, run, capsys):
    for request in (["run", "scene.yaml", "--out", "other"], ["replay", run], ["report", run]):
        status, _, err = command(*request, "--camera", "abov", capsys=capsys)
        assert status == 2
        assert "did you mean 'above'" in err
        assert err.count("\n") == 1
    assert not (folder / "other").exists()
    status, _, err = command("run", "biped/climb", "--camera", "above", capsys=capsys)
    assert status == 2
    assert "no cameras" in err


def test_an_analysis_has_no_camera(capsys):
    status, _, err = command("run", "compass/mass_ratio", "--camera", "above", capsys=capsys)
    assert status == 2
    assert "no --camera" in err

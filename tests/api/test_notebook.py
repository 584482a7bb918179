"""Notebooks: the one that ships is executed, and the PyPI package meshcat shows a run inline."""

import json
import runpy
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from tests.engines.tiny import BRICK
from tests.extras import require

import footfall as ff

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "guides" / "notebook.ipynb"


@pytest.fixture(scope="module")
def stored():
    return json.loads(NOTEBOOK.read_text())


def kinds(output):
    return {"image/png", "text/plain"} & set(output.get("data", {}))


def test_the_notebook_is_kept_executed_and_small(stored):
    code = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(cell["outputs"] for cell in code)
    assert not [o for cell in code for o in cell["outputs"] if o["output_type"] == "error"]
    assert NOTEBOOK.stat().st_size < 500_000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the packages that run a kernel
def test_the_notebook_runs_and_shows_what_is_kept(stored):
    require("nbclient", "notebook")
    executed = runpy.run_path(str(ROOT / "scripts" / "execute_notebook.py"))["execute"](NOTEBOOK)
    inline = 0
    for now, before in zip(executed.cells, stored["cells"], strict=True):
        shown = [output for output in now.get("outputs", []) if output["output_type"] != "stream"]
        assert [kinds(output) for output in shown] == [
            kinds(output) for output in before.get("outputs", [])
        ]
        frames = [str(output.get("data", {}).get("text/html", "")) for output in shown]
        inline += sum(frame.startswith("<iframe") for frame in frames)
    assert inline == 2  # a page with everything inside, and the viewer of meshcat


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the package, which is older than its own requirements
def test_the_viewer_of_meshcat_shows_the_run_on_this_machine_only(tmp_path, monkeypatch):
    require("meshcat", "notebook")
    import meshcat

    sent = []
    send = meshcat.Visualizer.set_animation
    monkeypatch.setattr(
        meshcat.Visualizer,
        "set_animation",
        lambda self, animation: (sent.append(animation), send(self, animation)),
    )
    file = tmp_path / "brick.urdf"
    file.write_text(BRICK)
    run = ff.load(file, duration=0.1, **{"initial.gap": 0.3}).run()
    viewer = run.animate(viewer="meshcat")
    assert viewer._repr_html_().startswith(f'<iframe src="{viewer.url()}"')
    with urllib.request.urlopen(viewer.url(), timeout=10) as page:  # noqa: S310 (our own)
        assert page.status == 200
    foreign = urllib.request.Request(viewer.url(), headers={"Host": "evil.example"})  # noqa: S310
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(foreign, timeout=10)  # noqa: S310 (our own)
    port = int(viewer.url().split(":")[2].partition("/")[0])
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    rows = [line.split() for path in tables if path.exists() for line in path.open()]
    listening = {row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{port:04X}")}
    assert listening == {f"0100007F:{port:04X}"}  # 127.0.0.1
    (animation,) = sent
    places = [
        clip.tracks["position"].values[-1]
        for clip in animation.clips.values()
        if len(clip.tracks["position"].values) > 1
    ]
    # the last frame is at 0.1 s, of 30 a second
    assert any(np.allclose(p, run.data["base_position"][-1], atol=1e-12) for p in places)
    assert viewer.save(tmp_path / "scene.html").stat().st_size > 500_000
    viewer.close()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(viewer.url(), timeout=10)  # noqa: S310 (our own)

"""The public names of ``import footfall``, as a program uses them."""

import pkgutil
import subprocess
import sys

import numpy as np
import pytest
from pydrake.systems.framework import LeafSystem
from tests.engines.tiny import BRICK

import footfall as ff
from footfall.errors import RunError, ScenarioError
from footfall.run_folder import make_run_folder

SHORT = {"duration": 0.02, "friction": 0.8}


@pytest.fixture(scope="module")
def climb():
    return ff.load("biped/climb", **SHORT)


@pytest.fixture(scope="module")
def run(climb):
    push = {"link": "hip", "start": 0.005, "duration": 0.01, "force": [30.0, 0.0, 0.0]}
    return climb.run(engine="moreau", pushes=[push])


def test_importing_it_loads_next_to_nothing_and_names_everything():
    program = (
        "import sys, footfall; before = set(sys.modules); names = set(dir(footfall));"
        "heavy = {'pydrake', 'numpy', 'xarray', 'matplotlib', 'typer', 'yaml'} & before;"
        "assert not heavy, heavy; assert set(footfall.__all__) <= names; footfall.__version__"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert all(getattr(ff, name).__doc__ for name in ff.__all__)


def test_no_public_name_is_that_of_a_module():
    # to import such a module would put it in the place of the name
    assert not {module.name for module in pkgutil.iter_modules(ff.__path__)} & set(ff.__all__)


def test_scenarios_are_found_by_their_beginning():
    assert "biped/climb" in ff.scenarios("biped")
    assert all(name.startswith("biped") for name in ff.scenarios("biped"))


def test_values_are_changed_in_another_scenario(climb):
    other = climb.set(**{"controller.kp": 40.0}, friction=np.float64(0.5), terrain={"slope_deg": 3})
    assert (other.scenario.controller.kp, other.scenario.friction) == (40.0, 0.5)
    assert other.scenario.terrain.slope_deg == 3.0
    assert climb.scenario.friction == 0.8
    assert repr(climb) == "<footfall biped/climb: moreau, 0.02 s by 0.001 s>"
    assert "<td" in climb._repr_html_()


@pytest.mark.parametrize(
    ("ask", "tells"),
    {
        "scenario": (lambda _: ff.load("biped/clim"), "did you mean 'biped/climb'"),
        "model": (lambda _: ff.load("nowhere.urdf"), "nowhere.urdf"),
        "key": (lambda s: s.set(frictio=1.0), "did you mean 'friction'"),
        "value": (lambda s: s.set(duration=-1.0), "positive number"),
        "engine": (lambda s: s.run(engine="morau"), "did you mean 'moreau'"),
        "push": (lambda s: s.run(pushes=[{"link": "nose"}]), "nose"),
        "controller": (lambda s: s.run(controller=3), "controller"),
        "engines": (lambda s: ff.compare(s, ["moreau", "drakes"]), "did you mean 'drake'"),
        "sweep": (lambda s: ff.sweep(s, {"friction": []}), "friction has no values"),
        "folder": (lambda _: ff.replay("nowhere"), "nowhere"),
    }.values(),
)
def test_a_wrong_request_is_one_line(climb, ask, tells):
    with pytest.raises(ff.FootfallError, match=tells) as error:
        ask(climb)
    assert "\n" not in str(error.value)


def test_a_run_tells_its_metrics(run):
    assert run.status == "done"
    assert run.data["time"].to_numpy()[-1] == pytest.approx(0.02)
    assert run.describe("x_final").endswith("[m]")
    assert repr(run).startswith("<run of biped/climb in moreau: done, 0.02 s,")
    assert "x_final" in run._repr_html_()


def test_a_series_is_plotted_by_name_with_unit_and_push(run):
    figure = run.plot("theta1", "tau1")
    angles, torques = figure.axes
    assert (angles.get_ylabel(), torques.get_ylabel()) == ("theta1 [deg]", "tau1 [N m]")
    (line,) = angles.lines
    assert line.get_ydata()[0] == pytest.approx(np.rad2deg(run.data["q"].sel(position="theta1")[0]))
    assert figure.legends[0].texts[0].get_text() == "push"
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_names_of_series_reach_every_number_over_time(run):
    from footfall.trajectory.series import all_series, find_series

    for series in all_series(run.data):
        (found,) = find_series(run.data, series.name)
        assert np.array_equal(found.values, series.values, equal_nan=True)
    speed = find_series(run.data, "v.theta1")[0]
    assert (speed.unit, speed.values.shape) == ("rad/s", (21,))
    for name in run.series():
        assert find_series(run.data, name), name
    with pytest.raises(RunError, match="did you mean 'theta1'"):
        run.plot("thta1")
    with pytest.raises(RunError, match="deg"):
        run.plot("theta1", "x", ax=run.plot("x").axes[0])


def test_a_run_is_kept_and_read_back(run, tmp_path):
    folder = run.save(tmp_path / "kept")
    again = ff.replay(folder)
    assert again.data.identical(run.data)
    assert again.metrics.keys() == run.metrics.keys()
    assert (again.engine, again.name) == ("moreau", "biped/climb")
    copied = again.save(tmp_path / "copy")
    assert {path.name for path in copied.iterdir()} == {path.name for path in folder.iterdir()}


@pytest.mark.usefixtures("blank")
def test_a_report_goes_where_it_is_asked_for(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = run.report("page.html")
    assert "biped/climb" in page.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


class Constant(LeafSystem):
    """The same torque in all joints."""

    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)

    def _calc_actuation(self, _context, output):
        output.SetFromVector(np.full(output.size(), 0.25))


def test_a_system_of_the_program_drives_a_run(climb):
    held = {"initial.from_reference": False, "initial.velocities_from_reference": False}
    run = climb.set(**held).run(controller=Constant)
    assert (run.data["actuation"][1:] == 0.25).all()
    # other values change without losing the object
    again = climb.set(**held, controller=Constant).set(duration=0.01).run()
    assert (again.data["actuation"][1:] == 0.25).all()
    assert [run.data.sizes["time"], again.data.sizes["time"]] == [21, 11]


def test_engines_are_compared_and_drawn_together(climb):
    both = ff.compare(climb, ["moreau", "closed-form"])
    (differences,) = both.differences
    # the same equations in two programs, which differ by rounding over 20 steps
    assert max(row.maximum for row in differences.rows if row.quantity == "q x") < 1e-10
    assert [line.get_label() for line in both.plot("x").axes[0].lines] == ["moreau", "closed-form"]
    assert both["moreau"].engine == "moreau"
    assert repr(both) == "<comparison of biped/climb: moreau done, closed-form done>"
    assert "x_final" in both._repr_html_()


def test_a_sweep_is_a_grid_of_metrics(climb):
    found = ff.sweep(climb, {"friction": [0.0, 0.8]}, seeds=[3], engine="closed-form")
    assert dict(found.sizes) == {"friction": 2, "seed": 1}
    assert found["x_final"].attrs["units"] == "m"
    assert (found["status"] == "done").all()
    one = climb.set(friction=0.8, seed=3).run(engine="closed-form")
    assert float(found["x_final"].sel(friction=0.8, seed=3)) == one.metrics["x_final"]
    assert float(found["x_final"][0, 0]) != float(found["x_final"][1, 0])


def test_a_sweep_over_engines_and_variants_says_what_succeeded(climb):
    found = ff.sweep(
        climb, {"gravity": [9.81, 5.0]}, engines=["moreau"], series=["q.x"],
        variants={"low": ["friction=0.1"], "high": []}, success=["x_final < 1"],
    )  # fmt: skip
    assert found["x_final"].dims == ("engine", "variant", "gravity")
    assert found["series_q.x"].sizes["time"] == 201
    assert found["success"].to_numpy().all()
    assert len(set(found["x_final"].to_numpy().ravel())) == 4


def test_a_bare_model_falls(tmp_path):
    file = tmp_path / "brick.urdf"
    file.write_text(BRICK)
    brick = ff.load(file, duration=0.05, time_step=0.01, **{"initial.gap": 1.0})
    run = brick.run()
    height = run.data["base_position"].sel(xyz="z").to_numpy()
    # free fall; Moreau's midpoint step has no error in it
    assert height[-1] - height[0] == pytest.approx(-0.5 * 9.81 * 0.05**2, rel=1e-12)


def test_an_animation_is_a_page_and_a_still(run):
    bundle = run.animate()._repr_mimebundle_()
    assert bundle["text/html"].startswith("<iframe srcdoc=")
    assert bundle["image/png"].startswith(b"\x89PNG")
    with pytest.raises(RunError, match="did you mean 'meshcat'"):
        run.animate(viewer="meshct")
    with pytest.raises(ScenarioError, match="no cameras"):
        run.animate(camera="corner")


def test_a_run_folder_that_holds_something_is_refused_before_the_run(climb, tmp_path):
    make_run_folder("a", "b", tmp_path / "full").write_report("mine")
    with pytest.raises(RunError, match="holds files"):
        climb.run(out=tmp_path / "full")

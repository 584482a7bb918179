"""Looking at a model file."""

import pytest
from pydrake.geometry import Mesh, Role, Sphere
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.show.meshcat_state import is_visible

from footfall.errors import ModelError
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.resources import share_root
from footfall.show import extent, start_meshcat
from footfall.show.extent import bounds, visible_copy
from footfall.show.model import view_model

BIPED = "urdf/biped/biped.urdf"


@pytest.mark.parametrize("name", ["biped", f"package://footfall/{BIPED}", "path"])
def test_a_model_is_shown_by_name_address_or_path(name):
    meshcat = start_meshcat()
    view_model(str(share_root() / BIPED) if name == "path" else name, meshcat)
    assert meshcat.HasPath("/drake/illustration/model/hip")


@pytest.mark.parametrize(
    "name", ["bipde", "no/such.urdf", "package://footfall/urdf/no.urdf", "broken.urdf"]
)
def test_a_model_that_is_missing_or_broken_is_refused_in_one_line(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.urdf").write_text('<robot name="broken"><link name="a"></robot>')
    with pytest.raises(ModelError, match=name.rpartition("/")[2]) as refusal:
        view_model(name, start_meshcat())
    assert "\n" not in str(refusal.value)


def _meshed(tmp_path, suffix):
    """A robot whose one link is drawn by a mesh of a format and touches with a ball."""
    (tmp_path / f"skin{suffix}").write_text("solid nothing")
    path = tmp_path / "robot.urdf"
    path.write_text(
        "<robot name='robot'><link name='base'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1'/></inertial>"
        f"<visual><geometry><mesh filename='skin{suffix}'/></geometry></visual>"
        "<collision><geometry><sphere radius='0.1'/></geometry></collision></link></robot>"
    )
    return path


def test_collision_shapes_are_shown_where_meshcat_does_not_draw_the_meshes(tmp_path):
    meshcat, told = start_meshcat(), []
    view_model(str(_meshed(tmp_path, ".stl")), meshcat, tell=told.append)
    assert is_visible(meshcat, "/drake/proximity")
    assert told == [
        "Meshcat does not draw .stl meshes: collision shapes are shown as well",
    ]


def test_bodies_whose_mesh_is_not_drawn_show_their_collision_shapes(tmp_path, monkeypatch):
    for suffix, most, kept in ((".stl", 50, False), (".dae", 50, True), (".dae", 5, False)):
        monkeypatch.setattr(extent, "_MOST_BYTES", most)
        directive = ModelDirective(
            add_model=AddModel(name="m", file=str(_meshed(tmp_path, suffix)))
        )
        model = load_model(ModelSpec([directive]))
        inspector = visible_copy(model).model_inspector()
        body = model.plant.GetBodyFrameIdOrThrow(model.plant.GetBodyByName("base").index())
        (seen,) = inspector.GetGeometries(body, Role.kIllustration)
        assert isinstance(inspector.GetShape(seen), Mesh if kept else Sphere)


@pytest.mark.parametrize("suffix", [".stl", ".dae"])  # Meshcat draws the latter
def test_a_machine_is_measured_without_the_meshes_that_drake_cannot_read(tmp_path, suffix):
    directive = ModelDirective(add_model=AddModel(name="m", file=str(_meshed(tmp_path, suffix))))
    model = load_model(ModelSpec([directive]))
    low, high = bounds(
        model.plant, model.scene_graph, model.plant.GetDefaultPositions()[None, None]
    )
    assert (high - low)[0] == pytest.approx([0.2, 0.2, 0.2])

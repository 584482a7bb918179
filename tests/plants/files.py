"""Model files that tests write, name by a directive and load."""

from pydrake.multibody.parsing import AddModel, ModelDirective

from footfall.plants.loading.load import ModelSpec, load_model

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
INERTIAL = f'<inertial><mass value="1"/>{INERTIA}</inertial>'
_ENDINGS = {"<r": "urdf", "<s": "sdf"}


def spec_of(path, *names, **fields):
    """The spec of models of one file; names: of these, one by default."""
    add = [AddModel(name=name, file=str(path)) for name in names or ("m",)]
    return ModelSpec([ModelDirective(add_model=model) for model in add], **fields)


def loaded(path, *names, **how):
    return load_model(spec_of(path, *names), **how)


def written(folder, text, name=""):
    """The path of a file with a text; its name is robot and the ending of its format by default."""
    path = folder / (name or f"robot.{_ENDINGS.get(text[:2], 'xml')}")
    path.write_text(text)
    return path


def loaded_text(folder, text, *names):
    return loaded(written(folder, text), *names)

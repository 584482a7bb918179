"""Engines: what makes a machine move. All have the ports of ``footfall.engines.ports``."""

import copy

from pydrake.systems.framework import DiagramBuilder

from footfall.engine_names import CENIC, CONTINUOUS, ENGINES, MUJOCO, require_engine
from footfall.engines.drake import DrakeConfig, DrakeEngine, add_drake_engine
from footfall.engines.drake_cenic import add_cenic_engine
from footfall.engines.moreau import MoreauEngine
from footfall.engines.moreau_config import MoreauConfig
from footfall.engines.mujoco import MujocoEngine
from footfall.engines.mujoco_config import MujocoConfig
from footfall.engines.ports import ContactReport
from footfall.errors import ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.plants.motors import PdGains

__all__ = [
    "CONTINUOUS",
    "ENGINES",
    "ContactReport",
    "DrakeConfig",
    "DrakeEngine",
    "Engine",
    "MoreauConfig",
    "MoreauEngine",
    "MujocoConfig",
    "MujocoEngine",
    "add_drake_engine",
    "add_engine",
]

Engine = MoreauEngine | DrakeEngine | MujocoEngine


def add_engine(
    builder: DiagramBuilder,
    name: str,
    model: Model,
    contacts: ContactSet,
    time_step: float,
    *,
    moreau: MoreauConfig,
    drake: DrakeConfig,
    mujoco: MujocoConfig | None = None,
    gains: PdGains | None = None,
) -> Engine:
    """Add the engine of a name to a builder; "drake-sap" and its like choose Drake's approximation.

    time_step [s]: of the engine; "drake-continuous" only reports so often. model: continuous, from
    ``load_model``; contacts: its own. gains: that its controller declares; an engine in continuous
    time has no need of them. Raises ScenarioError for an unknown name, and for what an
    engine has not.
    """
    require_engine(name)
    if name == "moreau":
        engine = MoreauEngine(model, contacts, time_step, moreau, gains)
        return builder.AddNamedSystem("moreau", engine)
    if name == MUJOCO:
        made = MujocoEngine(model, contacts, time_step, mujoco, gains)
        return builder.AddNamedSystem("mujoco", made)
    if name not in ENGINES:
        raise ScenarioError(f"engine is '{name}': choose one of {', '.join(ENGINES)}.")
    _, _, approximation = name.partition("-")
    if name == CENIC:
        return add_cenic_engine(builder, model, contacts, time_step, drake, gains)
    if name == CONTINUOUS:
        return add_drake_engine(builder, model, contacts, time_step, drake, continuous=True)
    if approximation:
        drake = copy.deepcopy(drake)  # the scenario keeps its own
        drake.plant.discrete_contact_approximation = approximation
    return add_drake_engine(builder, model, contacts, time_step, drake, gains=gains)

"""Published machine: where it comes from, and what it brings along."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import xarray as xr

from footfall.arrays import Array
from footfall.engine_names import CLOSED_FORM, HYBRID
from footfall.metrics import Metric
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.registry.dashed import DashedLine
from footfall.registry.documents import Misprint
from footfall.registry.traced import Traced
from footfall.trajectory import Trajectory
from footfall_controllers.controller import Controller

__all__ = ["BASELINE", "CLOSED_FORM", "HYBRID", "Machine"]

BASELINE = "baseline_"
"""Prefix of the names of a baseline's metrics, where claims are made."""


@dataclass(frozen=True)
class Machine:
    """A published machine: one object a package, registered as an entry point of its ``name``.

    measures(trajectory, context) gives the machine's own metrics by name, in SI, from any engine's
    trajectory; metrics says unit and meaning of each; claims(scenario, context, metrics) holds
    published statements against them. engines: simulations without Drake by the name of the engine,
    CLOSED_FORM or HYBRID; motored: those of them that know motors. gait(model, contacts,
    controller) gives a state [q; v] on the machine's periodic gait, where it has one. requires:
    names of positions and contacts that a model must have to be this machine; check(model,
    contacts) raises ModelError for one that has them and is another machine all the same.

    check_engine(engine, context) raises ScenarioError for an engine, by its name, that cannot run
    the scenario of a context. published_step(context): whether its own engines take the steps of
    the document, of whose error nobody is warned then. warm_up(context) compiles what its own
    engines need, before their time is taken.

    references(trajectory, context) gives what a report shows beside a run and only a search or a
    simulation finds, such as an exact cycle: variables and dimensions with names of their own,
    saved with the trajectory. baseline(context) gives values of fields of a scenario. A run of
    another value is held against the same run with these, whose metrics claims are given by names
    that begin with BASELINE. A page computes neither.

    controllers: dataclasses that a scenario may name as its controller, by the tag of their name.
    analyses: likewise, each with the function that gives the contents of its page, or with an empty
    text where its metrics are enough. report: what a report shows of a run. Both are given as
    ``package.module:name`` and imported when a page is written: a simulation draws nothing.

    functions: by name, what sweeps may evaluate instead of simulating, as ``package.module:name``
    and called as `footfall.analysis.functions` says; summary: likewise, what follows from a whole
    sweep of the machine, called as summary(data, context) for each: numbers and claims.

    traced: points whose paths an animation shows, contacts by their names. dashed: lines that it
    draws on the ground. friction_cones: whether it draws the cone of friction of every contact with
    the ground while that is pressed. pressure_centre: whether it draws the centre of pressure of
    the whole ground and the force there.

    models: makers of models of its own kind, by the ending of the files of their parameters, as
    `plants.expansion` takes them.

    misprints: what is misprinted or false in the source, for every page and ``footfall cite``.

    any_rows: whether measures, claims and page may be given a trajectory whose rows have several
    steps each (``record_every``); what tells impacts apart step by step may not.
    """

    name: str
    title: str
    citation: str
    bibtex: str
    measures: Callable[[Trajectory, MachineContext], dict[str, Metric]]
    metrics: Mapping[str, tuple[str, str]]
    claims: Callable[[str, MachineContext, Mapping[str, Metric]], Sequence[Claim]]
    engines: Mapping[str, Callable[[MachineContext], Trajectory]] = field(default_factory=dict)
    motored: tuple[str, ...] = ()
    gait: Callable[[Model, ContactSet, Controller | None], Array] | None = None
    requires: tuple[str, ...] = ()
    check: Callable[[Model, ContactSet], object] | None = None
    check_engine: Callable[[str, MachineContext], None] | None = None
    published_step: Callable[[MachineContext], bool] | None = None
    warm_up: Callable[[MachineContext], None] | None = None
    references: Callable[[Trajectory, MachineContext], xr.Dataset] | None = None
    baseline: Callable[[MachineContext], Mapping[str, object]] | None = None
    controllers: tuple[type[Controller], ...] = ()
    analyses: Mapping[type, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""
    report: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    misprints: Sequence[Misprint] = ()
    any_rows: bool = False
    traced: tuple[Traced, ...] = ()
    dashed: tuple[DashedLine, ...] = ()
    friction_cones: bool = False
    pressure_centre: bool = False

"""The machines that are registered, and the types that they bring for scenarios."""

from collections.abc import Iterable
from functools import cache

import xarray as xr

from footfall.errors import FootfallError, ScenarioError
from footfall.feet.metrics import METRICS as ROBOT_METRICS
from footfall.plants.loading.expansion import register_makers
from footfall.registry.entry_points import EntryPoint, registered
from footfall.registry.machine import Machine
from footfall.trajectory.measures import METRICS
from footfall.trajectory.observables import observable_meanings


@cache
def machines() -> dict[str, Machine]:
    """All machines by name; raises ScenarioError for one that cannot be loaded."""
    loaded = {name: _load(point) for name, point in registered().items()}
    for machine in loaded.values():
        register_makers(machine.models)
    return loaded


def _load(point: EntryPoint) -> Machine:
    where = f"the machine '{point.name}', registered as {point.value},"
    try:
        machine = point.load()
    except FootfallError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        message = f"{where} cannot be loaded ({reason}): mend it, or uninstall its distribution."
        raise ScenarioError(message) from error
    if not isinstance(machine, Machine):
        raise ScenarioError(f"{where} is no footfall.registry.machine.Machine.")
    if machine.name != point.name:
        raise ScenarioError(f"{where} calls itself '{machine.name}': give both the same name.")
    return machine


def get_machine(name: str) -> Machine | None:
    """Return the machine of a name, or None for the empty one; raises ScenarioError for others."""
    if not name:
        return None
    if name not in machines():
        raise ScenarioError(
            f"machine is '{name}': choose one of {', '.join(machines())}, "
            "or leave it empty for a machine of your own."
        )
    return machines()[name]


def known_metrics(machine: str = "", *runs: xr.Dataset) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every metric that a run may have, by name.

    machine: whose own words they are where machines share a name. runs: data of trajectories, whose
    observables have metrics as well.
    """
    known = METRICS | ROBOT_METRICS
    for one in (*machines().values(), machines().get(machine)):
        known.update(one.metrics if one is not None else {})
    for data in runs:
        known.update(observable_meanings(data))
    return known


def controller_types() -> tuple[type, ...]:
    """Dataclasses that scenarios may name as their controller, in the order of the machines."""
    return _distinct(kind for machine in machines().values() for kind in machine.controllers)


def analysis_types() -> tuple[type, ...]:
    """Dataclasses that scenarios may name as their analysis, in the order of the machines.

    The one that files of old name without a tag comes first: it has ``untagged = True``.
    """
    kinds = _distinct(kind for machine in machines().values() for kind in machine.analyses)
    return tuple(sorted(kinds, key=lambda kind: not getattr(kind, "untagged", False)))


def analysis_pages() -> dict[type, str]:
    """The function that gives the contents of an analysis' page, as ``package.module:name``."""
    return {
        kind: page for machine in machines().values() for kind, page in machine.analyses.items()
    }


def _distinct(kinds: Iterable[type]) -> tuple[type, ...]:
    """The types; raises ScenarioError for two of one name, which is their tag in YAML."""
    named: dict[str, type] = {}
    for kind in kinds:
        if named.setdefault(kind.__name__, kind) is not kind:
            raise ScenarioError(
                f"two registered types are called {kind.__name__}, in {kind.__module__} and "
                f"{named[kind.__name__].__module__}: rename one of them."
            )
    return tuple(named.values())

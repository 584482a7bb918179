"""Rollouts of a scenario from many starts, with many values and torques, in compiled code."""

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.axes import unit_of
from footfall.api.loading import LoadedScenario, load
from footfall.api.worlds import (
    ENERGIES,
    LAWS,
    Kept,
    Prepared,
    World,
    engine_of,
    roll_worlds,
    with_unit_quaternions,
)
from footfall.arrays import Array
from footfall.checked import numbers
from footfall.errors import FootfallError, RunError, ScenarioError
from footfall.interrupt import hearing_ctrl_c, note_begun
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.coordinates import quaternion_places
from footfall.plants.flat.checked import links_of
from footfall.plants.flat.laws import Law, prescribed
from footfall.plants.layout import layout_of
from footfall.plants.loading.model_files import find_files
from footfall.plants.loading.uris import known_packages
from footfall.recorder.recorder import End
from footfall.scenario.assemble import build_robot, compiled_law
from footfall.scenario.io import changed, drawn
from footfall.scenario.schema import Scenario
from footfall.trajectory import Layout, Status
from footfall.trajectory.variables import VARIABLES
from footfall.wording import did_you_mean

RECORDED = ("q", "v", "impulse", *ENERGIES)
_OF_ALL = ("duration", "time_step", "record_every", "engine")  # worlds have them in common
_MANY = 4  # machines that are kept
_recent: list[tuple[str, list[tuple[Path, int]], Prepared]] = []


def rollout(
    scenario: LoadedScenario | str | Path,
    *,
    states: npt.ArrayLike | None = None,
    parameters: Mapping[str, npt.ArrayLike] | None = None,
    torques: npt.ArrayLike | None = None,
    threads: int = 0,
    record: Sequence[str] = ("q", "v"),
    every: int | None = None,
) -> xr.Dataset:
    """Simulate a scenario in many worlds at once, in compiled steps of the engine ``moreau``.

    scenario: a loaded one, or what ``load`` takes. states: where worlds start, [q; v] in the order
    of the trajectory's names [SI], (nq + nv,) or (worlds, nq + nv); the scenario's start if left
    out. parameters: values by path, as ``--set`` names them, one number a world or one for all.
    torques: of the actuators in place of a controller, (steps, nu) or (worlds, steps, nu) [N m or
    N], each held over a step; they say how many steps there are, else the scenario's duration does.
    threads: 0 for one a core. record: of ``q``, ``v``, ``impulse``, ``kinetic_energy`` and
    ``potential_energy``. every: keep the start, the end of so many steps each, and the last; the
    scenario's ``record_every`` if left out.

    A world is to the bit what ``run`` makes of its scenario, whatever the others are and however
    many threads there are; but it keeps no account of energy, which might fail a run. Friction and
    restitution of all contacts (``friction``, ``static_friction``, ``restitution``,
    ``tangential_restitution``) cost a world one to five milliseconds; for every combination of
    other values a robot is built, in tens of milliseconds. The machines of the last four scenarios
    are kept, each until a model file that its directives name is written anew.

    The variables are those of a trajectory with a dimension ``world`` before time, impulses summed
    up over a row, all NaN behind the end of a world; and for every world ``residual``, the largest
    of all its steps, ``steps`` that came to their end, ``status`` and ``message``. A world that
    fails ends alone. Ctrl-C ends all that are not done, as ``interrupted``. Raises FootfallError,
    one line, for a request that is wrong, and for what is not compiled: sensors, and controllers
    without a ``compiled_law``.
    """
    loaded = scenario if isinstance(scenario, LoadedScenario) else load(scenario)
    base = drawn(loaded.scenario, loaded.name or "scenario")
    record = record if isinstance(record, Iterable) and not isinstance(record, str) else [record]
    record = list(record)
    _require_options(base, threads, record, every, torques=torques is not None)
    values = _values(parameters or {})
    starts, efforts = _array("states", states, 2), _array("torques", torques, 3)
    worlds = _count_worlds(starts, efforts, values)
    steps = base.num_steps if efforts is None else efforts.shape[-2]
    with hearing_ctrl_c(begun=False) as interrupted:
        groups = _groups(base, values, worlds)
        first = _prepared(groups[0][0], kept=groups[0][0] is base)
        kept = _room(first, worlds, steps, record, min(every or base.record_every, steps))
        for place, (own, those) in enumerate(groups):
            if interrupted():
                break
            machine = first if place == 0 else _prepared(own, kept=False)
            if machine.layout != first.layout:
                raise ScenarioError("rollout: parameters that change what there is are no numbers.")
            some = _worlds(machine, those, values, starts, efforts, steps)
            note_begun()
            roll_worlds(machine, some, kept, threads or os.cpu_count() or 1, interrupted)
    return _dataset(base, first.layout, kept, values)


def _require_options(
    scenario: Scenario, threads: int, record: Sequence[str], every: int | None, *, torques: bool
) -> None:
    """Raise ScenarioError for what is no rollout."""
    for name, value, least in (
        ("threads", threads, 0),
        ("every", 1 if every is None else every, 1),
    ):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise ScenarioError(f"rollout: {name} is {value}: give a whole number from {least} on.")
    for name in record:
        if name not in RECORDED:
            told = did_you_mean(str(name), RECORDED)
            raise ScenarioError(f"rollout: record: there is no {name!r}; {told}")
    asked = {
        "an analysis": (scenario.analysis, "analysis=None"),
        f"the engine {scenario.engine}": (scenario.engine != "moreau", 'engine="moreau"'),
        "changes": (scenario.changes, "changes=[]"),
        "a controller beside torques": (torques and scenario.controller, "controller=None"),
    }
    for what, (has, without) in asked.items():
        if has:
            raise ScenarioError(
                f"rollout: the scenario has {what}, which rollouts do not know: load it with "
                f"{without}."
            )


def _law(machine: Prepared, steps: int) -> Law:
    """Return the law of the torques; raises ScenarioError for what needs more than kernels."""
    scenario, robot = machine.scenario, machine.robot
    engine = (machine.idle or [engine_of(machine)])[0][0]
    if not engine.rolls:
        why = links_of(robot.plant).why_not or "moreau.scheme is of your own"
        raise ScenarioError(f"rollout: not all of its step is compiled ({why}): use run.")
    times = scenario.time_step * np.arange(steps + 1, dtype=np.float64)
    law = compiled_law(scenario, robot, times, slowed=True)
    if law is None:
        what = f"controller !{type(scenario.controller).__name__}"
        if robot.plant.num_actuators() and scenario.actuators is not None:
            what = "actuators"
        raise ScenarioError(
            f"rollout: the scenario's {what}, or what goes with it, is not compiled: use run, or "
            f"load it with {what.partition(' ')[0]}=None."
        )
    return law


def _values(parameters: Mapping[str, npt.ArrayLike]) -> dict[str, npt.NDArray[Any]]:
    """Return finite numbers by path, one or one a world."""
    if not isinstance(parameters, Mapping):
        raise ScenarioError("rollout: parameters: give numbers by path, as in {'friction': 0.5}.")
    values = {}
    for path, given in parameters.items():
        if path in _OF_ALL:
            raise ScenarioError(f"rollout: {path} is the same for all worlds: load(..., {path}=).")
        found = np.empty(0)
        with suppress(ValueError):  # of lists of unlike lengths
            found = np.asarray(given)
        fits = found.dtype.kind in "iuf" and found.ndim < 2 and found.size > 0
        if not (fits and np.isfinite(found).all()):
            raise ScenarioError(f"rollout: parameters.{path}: give one finite number a world.")
        values[str(path)] = found
    return values


def _array(name: str, given: npt.ArrayLike | None, most: int) -> Array | None:
    """Return an array of finite numbers with most dimensions or one less; None for none."""
    if given is None:
        return None
    array = numbers(f"rollout: {name} are", given)
    if array.ndim not in (most - 1, most) or 0 in array.shape[:-1]:
        shape = {2: "(nq + nv,)", 3: "(steps, nu)"}[most]
        told = f"give {shape}, or an array of such, one a world"
        raise ScenarioError(f"rollout: {name} has the shape {array.shape}: {told}.")
    if not np.isfinite(array).all():
        place = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ScenarioError(f"rollout: {name} is no finite number at {place}.")
    return array


def _count_worlds(
    states: Array | None, torques: Array | None, values: Mapping[str, npt.NDArray[Any]]
) -> int:
    """Count the worlds, of which all that has several says the same number."""
    counts = {} if states is None or states.ndim == 1 else {"states": len(states)}
    counts |= {} if torques is None or torques.ndim == 2 else {"torques": len(torques)}
    counts |= {f"parameters.{path}": len(given) for path, given in values.items() if given.ndim}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} of {count}" for name, count in counts.items())
        raise ScenarioError(f"rollout: give all for the same worlds, not {told}.")
    return next(iter(counts.values()), 1)


def _groups(
    base: Scenario, values: Mapping[str, npt.NDArray[Any]], worlds: int
) -> list[tuple[Scenario, list[int]]]:
    """Return the worlds that have one robot, and its scenario."""
    if values:  # that all paths are there is asked once
        changed(base, {path: given.flat[0].item() for path, given in values.items()})
    groups: dict[tuple[Any, ...], list[int]] = {}
    paths = [path for path in values if path not in LAWS]
    for world in range(worlds):
        groups.setdefault(tuple(_of(values[path], world) for path in paths), []).append(world)
    return [
        (changed(base, dict(zip(paths, own, strict=True))) if paths else base, those)
        for own, those in groups.items()
    ]


def _of(given: npt.NDArray[Any], world: int) -> Any:  # noqa: ANN401 (a number of any kind)
    return given[world].item() if given.ndim else given.item()


def _prepared(scenario: Scenario, *, kept: bool) -> Prepared:
    """Return the machine of a scenario; of the last few, those that are kept have one already."""
    if not kept:
        return _prepare(scenario)
    with np.printoptions(precision=17, floatmode="unique", threshold=2**62):
        known = repr(scenario)  # tells all of it, parts that Drake compares by identity as well
    for place, (text, stamps, machine) in enumerate(_recent):
        if text == known and all(_stamp(path) == stamp for path, stamp in stamps):
            _recent.insert(0, _recent.pop(place))
            return machine
    machine = _prepare(copy.deepcopy(scenario))
    files = find_files(scenario.directives, known_packages(scenario.packages))
    paths = [file.path for file in files]
    _recent.insert(0, (known, [(path, _stamp(path)) for path in paths], machine))
    del _recent[_MANY:]
    return machine


def _stamp(path: Path) -> int:
    return path.stat().st_mtime_ns if path.is_file() else 0


def _prepare(scenario: Scenario) -> Prepared:
    robot = build_robot(scenario)
    plant = robot.plant
    axes = ContactAxes(plant, plant.CreateDefaultContext(), planar=robot.contacts.dim == 2)
    layout = layout_of(plant, robot.contacts)
    machine = Prepared(scenario, robot, layout, axes, quaternion_places(plant), [])
    machine.idle.append(engine_of(machine))
    return machine


def _starts(
    machine: Prepared, states: Array | None, torques: Array | None
) -> tuple[Array, Array | None]:
    """Return states and torques of a machine, with a world's as rows or one row for all."""
    plant = machine.robot.plant
    if torques is not None and torques.shape[-1] != plant.num_actuators():
        raise ScenarioError(
            f"rollout: torques are of {torques.shape[-1]} actuators, and there are "
            f"{plant.num_actuators()}: {', '.join(machine.layout.actuator)}."
        )
    if torques is not None:
        torques = torques if torques.ndim == 3 else torques[None]
    if states is None:
        return machine.robot.initial_state[None], torques
    nq, size = plant.num_positions(), plant.num_multibody_states()
    if states.shape[-1] != size:
        raise ScenarioError(
            f"rollout: states have {states.shape[-1]} numbers, and there are {nq} of q and "
            f"{size - nq} of v: {', '.join((*machine.layout.position, *machine.layout.velocity))}."
        )
    return with_unit_quaternions(np.atleast_2d(states), machine.quaternions, "rollout"), torques


def _worlds(
    machine: Prepared,
    those: Sequence[int],
    values: Mapping[str, npt.NDArray[Any]],
    states: Array | None,
    torques: Array | None,
    steps: int,
) -> list[World]:
    """Return the worlds of a machine, those of the same laws of contact with one scenario."""
    states, torques = _starts(machine, states, torques)
    law = _law(machine, steps)
    paths = [path for path in values if path in LAWS]
    known: dict[tuple[Any, ...], Scenario] = {(): machine.scenario}
    found = []
    for world in those:
        own = tuple(_of(values[path], world) for path in paths)
        if own not in known:
            try:
                known[own] = replace(machine.scenario, **dict(zip(paths, own, strict=True)))
            except FootfallError as error:
                raise ScenarioError(f"rollout: world {world}: {error}") from error
        if torques is not None:
            law = prescribed(torques[world % len(torques)])
        found.append(World(world, known[own], states[world % len(states)], law))
    return found


def _room(machine: Prepared, worlds: int, steps: int, record: Sequence[str], every: int) -> Kept:
    """Return the arrays that all worlds fill."""
    layout, count = machine.layout, 1 + -(-steps // every)
    try:
        rows = {
            name: np.full((worlds, count, *map(layout.size, VARIABLES[name].dims)), np.nan)
            for name in record
        }
    except (MemoryError, ValueError) as error:
        raise RunError(
            f"rollout: {count} rows of {worlds} worlds do not fit into memory: record less, or "
            "give every."
        ) from error
    ended = [End("interrupted at t = 0.0000 s", status=Status.INTERRUPTED)] * worlds
    return Kept(steps, every, rows, np.zeros(worlds), np.zeros(worlds, dtype=np.int64), ended)


def _dataset(
    scenario: Scenario, layout: Layout, kept: Kept, values: Mapping[str, npt.NDArray[Any]]
) -> xr.Dataset:
    """Label what was kept."""
    worlds = len(kept.ended)
    variables: dict[str, Any] = {
        name: (("world", "time", *VARIABLES[name].dims), rows, VARIABLES[name].attrs)
        for name, rows in kept.rows.items()
    }
    largest = {"units": "1", "long_name": "largest natural-map residual of all steps"}
    status = [end.status.value for end in kept.ended]
    variables |= {
        "residual": ("world", kept.residual, largest),
        "steps": ("world", kept.done, {"units": "1", "long_name": "steps that came to their end"}),
        "status": ("world", status, {"long_name": "how the world ended"}),
        "message": ("world", [end.message for end in kept.ended], {"long_name": "why it ended so"}),
    }
    coords = _labels(layout, tuple(kept.rows), kept.steps, kept.every, scenario.time_step)
    data = xr.Dataset(variables, coords, {"engine": scenario.engine, "scenario": scenario.name})
    given = {
        path: ("world", np.broadcast_to(of, worlds), {"long_name": path, "units": unit_of(path)})
        for path, of in values.items()
    }
    return data.assign_coords(given) if given else data


@lru_cache(maxsize=2 * _MANY)
def _labels(
    layout: Layout, names: tuple[str, ...], steps: int, every: int, dt: float
) -> xr.Coordinates:
    """Return the coordinates of variables, which take as long to make as a short rollout."""
    dims = {"time", *(dim for name in names for dim in VARIABLES[name].dims)}
    instants = np.minimum(np.arange(1 + -(-steps // every)) * every, steps)
    time = ("time", instants * dt, {"units": "s", "long_name": "time"})
    known = {"time": time, **layout.coordinates()}
    for _, labels, _ in known.values():
        labels.flags.writeable = False  # which datasets share
    return xr.Dataset(coords={name: one for name, one in known.items() if one[0] in dims}).coords

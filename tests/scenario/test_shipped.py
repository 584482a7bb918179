"""Every scenario that ships runs in every engine that it supports."""

from functools import cache

import numpy as np
import pytest
from tests.slow import some_slow

from footfall.engine_names import CENIC, ENGINE_NAMES, MUJOCO
from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import ScenarioError
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.plants.coordinates import bodies_of
from footfall.plants.dynamics import Dynamics
from footfall.registry.machine import HYBRID
from footfall.registry.machines import get_machine
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.scenario.names import scenario_descriptions, scenario_names
from footfall.trajectory.events import ENERGY_DRIFT

NAMES = scenario_names()
_STEPPING = set(ENGINES) - {CONTINUOUS}


def _engines(name):
    scenario = load_scenario(name)
    if scenario.analysis is not None:
        return []
    machine = get_machine(scenario.machine)
    # the report's stepper has one mu for all contacts
    own = set(machine.engines) if machine is not None and not scenario.pairs else set()
    files = [one.add_model.file for one in scenario.directives if one.add_model]
    boxes = any(file.endswith(".track") and "step" not in file for file in files)  # hundreds
    steps = scenario.alternating_feet is not None or scenario.constraints or boxes
    if not steps and (machine is not None or not _built(name).contacts.limits):
        own.add(CONTINUOUS)
    # feet that the ground holds phase by phase, in the machine's engines; one weld, in Moreau's
    if scenario.machine == "humanoid":
        if not isinstance(scenario.controller, HumanoidWalk):
            return [engine for engine in ENGINES if engine != CENIC]  # its hips have no mass
        return [*machine.engines, *(["moreau"] if scenario.constraints else [])]
    stepping = _STEPPING - ({MUJOCO} if scenario.alternating_feet is not None else set())
    if scenario.alternating_feet is not None or scenario.constraints or _has_massless(name):
        stepping = stepping - {CENIC}
    return [engine for engine in ENGINE_NAMES if engine in own or engine in stepping]


def test_the_biped_has_its_scenarios():
    assert {f"biped/{name}" for name in ("stand", "gait", "climb", "slide", "drop")} <= set(NAMES)


@cache
def _built(name):
    return build_robot(load_scenario(name))


def _has_massless(name):
    """Return whether links that move have no mass, nor has what is welded to them."""
    plant = _built(name).plant
    context = plant.CreateDefaultContext()
    return any(
        not plant.IsAnchored(body)
        and not any(one.get_mass(context) for one in plant.GetBodiesWeldedTo(body))
        for body in bodies_of(plant)
    )


# Each file's first scenario runs in every engine, the others in Moreau's and, by turns, in one with
# soft contacts: these have tests of their own on machines of every kind. They are slow, and so are
# further starts of machines whose start is searched for (a gait, a balance on a track): the
# machines' own tests begin with these.
_FIRST = {name.partition("/")[0]: name for name in reversed(NAMES)}
_SEARCHED = ("compass/", "pasibot/", "ugv/")
_SOFT = [engine for engine in ENGINES if engine != "moreau"]
# Wheels on tracks of hundreds of boxes, which the engine in continuous time refuses.
_TRACKS = ("ugv/",)


def _runs():
    for index, name in enumerate(NAMES):
        first = name in _FIRST.values()
        for engine in ENGINE_NAMES:
            soft = engine in _SOFT
            some = [e for e in _SOFT if e != CONTINUOUS or not name.startswith(_TRACKS)]
            if soft and not first and engine != some[index % len(some)]:
                continue
            again = engine in {"moreau", HYBRID} or name.startswith(_SEARCHED)
            slow = soft or (again and not first)
            yield pytest.param(engine, name, marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize(("engine", "name"), list(_runs()))
def test_a_short_horizon_of_every_scenario(name, engine):
    if engine not in _engines(name):
        with pytest.raises(ScenarioError, match=f"engine {engine}: |asks for an analysis"):
            run_scenario(load_scenario(name), name, engine)
        return
    scenario = load_scenario(name)
    steps = 2.0 if engine == CONTINUOUS else 20.0  # its own steps are far shorter
    scenario.duration = min(scenario.duration, steps * scenario.time_step)
    result = run_scenario(scenario, name, engine)
    assert result.trajectory.status.value == "done", result.trajectory.message
    assert result.trajectory.data.sizes["time"] == round(scenario.duration / scenario.time_step) + 1
    assert not [event for event in result.trajectory.events if event.kind == ENERGY_DRIFT]
    data = result.trajectory.data
    for variable in ("q", "v", "actuation", "impulse", "kinetic_energy"):
        assert np.isfinite(data[variable]).all()
    # two bodies that are far apart have no gap that is known
    on_ground = ["|" not in contact for contact in data["contact"].values.tolist()]
    assert np.isfinite(data["gap"].isel(contact=on_ground)).all()


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_says_what_it_is_and_survives_being_written_out(name):
    assert scenario_descriptions()[name].endswith(".")
    scenario = load_scenario(name)
    text = dump_scenario(scenario)
    assert "seed:" in text
    assert dump_scenario(parse_scenario(text)) == text


@pytest.mark.parametrize("name", _FIRST.values())
def test_a_scenario_that_was_written_out_is_the_same_machine(name):
    again = parse_scenario(dump_scenario(load_scenario(name)))
    first, second = _built(name), build_robot(again)
    assert np.array_equal(first.initial_state, second.initial_state)
    assert np.array_equal(first.contacts.mu, second.contacts.mu)


_AGAIN = [n for n in NAMES if n.startswith(_SEARCHED) and n not in _FIRST.values()]


@pytest.mark.parametrize("name", some_slow(NAMES, *_AGAIN))
def test_machines_start_above_the_ground_or_on_it(name):
    machine = _built(name)
    dynamics = Dynamics(machine.model, machine.contacts)
    dynamics.set_state(machine.initial_state)
    # a machine that is to touch starts 1e-12 m deep
    assert dynamics.gaps()[0].min(initial=0.0) >= -2e-12


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_the_drop_takes_its_three_restitutions(restitution):
    scenario = load_scenario("biped/drop", [f"restitution={restitution}", "duration=0.2"])
    assert run_scenario(scenario, "biped/drop").trajectory.status.value == "done"

"""Every engine has the same ports, keeps its state in the context, and drives with the same
controller.
"""

import numpy as np
import pytest
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder, PortDataType
from tests.slow import some_slow

from footfall.engines import ENGINES, ContactReport
from footfall.scenario.assemble import add_robot, build_robot
from footfall.scenario.io import load_scenario

SOME = ("moreau", "drake-sap", "mujoco")
# the biped hangs on rails without mass, which drake-cenic refuses
TAKING_NO_MASS = [engine for engine in ENGINES if engine != "drake-cenic"]


def _diagram(engine, *settings, name="biped/climb"):
    scenario = load_scenario(name, settings)
    machine = build_robot(scenario)
    builder = DiagramBuilder()
    system = add_robot(builder, scenario, machine, engine)
    diagram = builder.Build()
    return diagram, system, machine


def _simulator(diagram, system, machine):
    simulator = Simulator(diagram)
    context = system.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    system.set_state(context, machine.initial_state)
    system.watch(simulator)
    return simulator, context


def _state(system, context):
    return system.GetOutputPort("state").Eval(context).copy()


@pytest.mark.parametrize("engine", TAKING_NO_MASS)
def test_ports_have_the_names_and_sizes_of_a_plant(engine):
    _, system, machine = _diagram(engine)
    assert [system.get_input_port(i).get_name() for i in range(system.num_input_ports())] == [
        "actuation",
        "applied_wrench",
    ]
    assert system.GetInputPort("actuation").size() == machine.plant.num_actuators()
    names = [system.get_output_port(i).get_name() for i in range(system.num_output_ports())]
    assert names == ["state", "contact_impulses", "contact_report"]
    assert system.GetOutputPort("state").size() == machine.plant.num_multibody_states()
    assert system.GetOutputPort("contact_impulses").size() == 3 * len(machine.contacts.names)
    assert system.GetOutputPort("contact_report").get_data_type() == PortDataType.kAbstractValued


@pytest.mark.parametrize("engine", some_slow(TAKING_NO_MASS, "drake-continuous"))
def test_report_and_impulses_agree(engine):
    diagram, system, machine = _diagram(engine)
    simulator, context = _simulator(diagram, system, machine)
    loaded = 0
    for k in range(1, 60):
        simulator.AdvanceTo(k * 5e-3)
        report = system.GetOutputPort("contact_report").Eval(context)
        assert isinstance(report, ContactReport)
        impulses = system.GetOutputPort("contact_impulses").Eval(context)
        assert np.array_equal(impulses, report.impulse.ravel())
        assert report.names == machine.contacts.names
        open_ones = report.mode == 0
        assert not report.impulse[open_ones].any()
        # lagged friction may outlive its normal force by a step
        assert (report.impulse[~open_ones, 0] > 0.0).all() or engine == "drake-lagged"
        # contact points lie on the ground where they carry, in the world frame; Drake's sink in by
        # some 1e-4 m, those of MuJoCo by some 1e-3
        heights = machine.model.spec.terrain.X_WTerrain().inverse().multiply(report.p_WC.T)[2]
        assert np.abs(heights[~open_ones]).max(initial=0.0) <= (
            1e-2 if engine == "mujoco" else 1e-3
        )
        assert np.allclose(heights, report.gap, atol=1e-12)
        loaded += int((~open_ones).any())
    assert loaded > 30


@pytest.mark.parametrize("engine", SOME)
def test_a_context_put_back_goes_on_bit_by_bit(engine):
    diagram, system, machine = _diagram(engine)
    simulator, context = _simulator(diagram, system, machine)
    simulator.AdvanceTo(0.4)
    saved = simulator.get_context().Clone()
    simulator.AdvanceTo(0.8)
    first = _state(system, context), system.GetOutputPort("contact_impulses").Eval(context).copy()
    simulator.get_mutable_context().SetTimeStateAndParametersFrom(saved)
    simulator.Initialize()
    assert simulator.get_context().get_time() == 0.4
    simulator.AdvanceTo(0.8)
    assert np.array_equal(first[0], _state(system, context))
    assert np.array_equal(first[1], system.GetOutputPort("contact_impulses").Eval(context))


@pytest.mark.parametrize("engine", SOME)
def test_two_contexts_of_one_engine_do_not_disturb_each_other(engine):
    # scratch memory is shared, state is not: stepped in turn, each goes its own way
    diagram, system, machine = _diagram(engine)
    alone, context = _simulator(diagram, system, machine)
    alone.AdvanceTo(0.3)
    expected = _state(system, context)
    one, first = _simulator(diagram, system, machine)
    other, second = _simulator(diagram, system, machine)
    lifted = machine.initial_state.copy()
    lifted[1] += 0.2
    lifted[6:] = 0.5
    system.set_state(second, lifted)
    for k in range(1, 301):
        one.AdvanceTo(k * 1e-3)
        other.AdvanceTo(k * 1e-3)
        if k % 10 == 0:
            system.GetOutputPort("contact_report").Eval(second)
    assert np.array_equal(_state(system, first), expected)
    assert not np.allclose(_state(system, second), expected)


def test_the_warm_start_is_in_the_context():
    # forgetting the last impulses changes the iterations of an iterative solver, hardly what it
    # finds
    settings = ("moreau.solver=fixed-point",)
    diagram, system, machine = _diagram("moreau", *settings, name="biped/gait")
    simulator, context = _simulator(diagram, system, machine)
    loaded = 0
    while loaded < 5:  # contacts may open for a step while they settle
        simulator.AdvanceTo(simulator.get_context().get_time() + 1e-3)
        report = system.GetOutputPort("contact_report").Eval(context)
        loaded = loaded + 1 if report.impulse.any() else 0
    saved, time = simulator.get_context().Clone(), simulator.get_context().get_time()
    counts, states = [], []
    for forget in (False, True):
        simulator.get_mutable_context().SetTimeStateAndParametersFrom(saved)
        if forget:
            system.set_state(context, _state(system, context))
        simulator.Initialize()
        simulator.AdvanceTo(time + 5e-4)
        counts.append(system.GetOutputPort("contact_report").Eval(context).iterations)
        states.append(_state(system, context))
    assert counts[0] != counts[1]
    assert np.abs(states[0] - states[1]).max() <= 1e-8

"""Phases of walking: the thesis's switching, which neither falls back nor waits for ever."""

import numpy as np
import pytest
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource
from tests.machines.humanoid.walkers import context

from footfall.errors import ModelError, RunError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.model import heels, stride, stride_ground
from footfall_controllers.phase_selector import PhaseSelector, PhaseSelectorParameters
from footfall_controllers.tracked_points import TrackedPoint

P = HumanoidParameters(toe_share=0.001).numbers()


def parameters(**changes):
    return PhaseSelectorParameters(TrackedPoint("hat"), heels(P), **changes)


def state(phase, ahead, behind, toe=0.0, ankle=0.0):
    """State of a walker over two feet; toe lifts the heel behind, ankle pitches the same foot."""
    angle = stride(P, phase, 0.76, ahead, behind)
    ground = stride_ground(P, phase, ahead, behind)
    other = 1 - phase // 2
    angle[4 + other] += toe  # a knee that bends lifts the foot behind
    angle[6 + other] += ankle
    return Coordinates(context().model.plant, P).state(ground, angle, np.zeros(12))


def selector(**changes):
    return PhaseSelector(context().model.plant, parameters(**changes))


@pytest.mark.parametrize("phase", [0, 2])
def test_double_support_ends_near_the_foot_ahead_with_the_heel_behind_up(phase):
    guard = selector().guard
    assert guard(state(phase, 0.10, 0.10, toe=0.2), phase) > 0.0  # not near yet
    assert guard(state(phase, 0.03, 0.17, toe=0.2), phase) == pytest.approx(0.01, abs=1e-12)
    assert guard(state(phase, 0.01, 0.19, toe=0.2), phase) <= 0.0
    # a heel that does not rise keeps it, until the trunk is overdue
    assert guard(state(phase, 0.01, 0.19), phase) > 0.0
    assert guard(state(phase, -0.02, 0.22), phase) > 0.0
    assert guard(state(phase, -0.04, 0.24), phase) <= 0.0


@pytest.mark.parametrize("phase", [1, 3])
def test_single_support_ends_with_the_other_heel_down_ahead(phase):
    guard = selector().guard
    # the swinging foot is that behind of the posture: ahead where the distance is negative
    down = state(phase, -0.08, -0.12)
    assert guard(down, phase) <= 0.0
    assert guard(state(phase, -0.08, -0.12, toe=0.1), phase) > 0.0  # it hovers
    assert guard(state(phase, 0.05, 0.10), phase) > 0.0  # still behind
    assert guard(state(phase, -0.03, -0.01), phase) > 0.0  # beside the trunk


@pytest.mark.parametrize("phase", [1, 3])
def test_a_foot_that_bears_a_load_is_down_whatever_its_height(phase):
    system, ahead = selector(), state(phase, -0.08, -0.12, toe=0.1)
    for felt, ends in ((True, True), (False, False)):
        assert (system.guard(ahead, phase, felt) <= 0.0) == ends
        # behind the foot that stands, or behind the trunk, it is no step
        assert system.guard(state(phase, 0.05, 0.10), phase, felt) > 0.0
        assert system.guard(state(phase, -0.03, -0.01), phase, felt) > 0.0
    # of the port, it is the foot that swings that counts
    first = selector(first=phase)
    own = first.CreateDefaultContext()
    first.GetInputPort("state").FixValue(own, ahead)
    for contact in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):
        first.GetInputPort("contact").FixValue(own, contact)
        swings = bool(contact[1 - phase // 2])
        assert (first.GetOutputPort("guard").Eval(own)[0] <= 0.0) == swings


def run(system, at, seconds, step=0.01):
    """Phases (index, start) after every step of a walker that does not move."""
    builder = DiagramBuilder()
    builder.AddSystem(system)
    source = builder.AddSystem(ConstantVectorSource(at))
    for name in ("state", "landing"):
        builder.Connect(source.get_output_port(), system.GetInputPort(name))
    diagram = builder.Build()
    simulator = Simulator(diagram)
    simulator.get_mutable_integrator().set_maximum_step_size(step)
    simulator.Initialize()
    own = system.GetMyContextFromRoot(simulator.get_context())
    found = []
    for k in range(1, round(seconds / step) + 1):
        simulator.AdvanceTo(k * step)
        found.append(system.GetOutputPort("phase").Eval(own).copy())
    return np.array(found)


def test_only_the_next_phase_follows():
    # a posture in which the thesis's condition 1 holds all the time: left foot down ahead
    at = state(0, 0.10, 0.10, toe=0.2)
    assert (run(selector(), at, 0.3)[:, 0] == 0.0).all()
    assert (run(selector(first=1), at, 0.3)[:, 0] == 1.0).all()
    # one whose first condition ends goes on to single support, and does not fall back
    over = state(0, 0.01, 0.19, toe=0.2)
    assert (run(selector(), over, 0.3)[1:, 0] == 1.0).all()


def test_a_phase_that_outlasts_the_patience_is_one_line():
    with pytest.raises((RunError, RuntimeError), match="phase left double support") as caught:
        run(selector(patience=0.1), state(0, 0.10, 0.10), 0.3)
    text = str(caught.value)
    assert "does not end: after 0.1 s its condition is still" in text
    assert "\n" not in text


def test_an_unknown_body_is_told():
    with pytest.raises(ModelError, match="trunc"):
        PhaseSelector(
            context().model.plant, PhaseSelectorParameters(TrackedPoint("trunc"), heels(P))
        )

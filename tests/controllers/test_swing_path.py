"""Paths of trunk and heel: smooth, as far and as high as the text has them, down at last."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.humanoid.walkers import DOUBLE, PHASES, SINGLE, context

from footfall.errors import ScenarioError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.machines.humanoid.model import ankles, stride, stride_ground
from footfall_controllers.swing_path import Sway, SwingPath

P = HumanoidParameters(toe_share=0.001).numbers()
GAIT = HumanoidWalk().path(P)
SWAY = Sway(0.1, 3.5, 1.0)


def start(phase, rate=0.0):
    """State at the start of a phase; rate: of all angles."""
    ahead, behind = (0.1115, 0.0885) if phase.is_double else (0.02, 0.18)
    angle = stride(P, phase, 0.8, ahead, behind)
    ground = stride_ground(P, phase, ahead, behind)
    return Coordinates(context().model.plant, P).state(ground, angle, np.full(12, rate))


def spans():
    return replace(GAIT, grounded=0.001).spans


def path(**changes):
    return SwingPath(context().model.plant, replace(GAIT, **changes))


@pytest.mark.parametrize("changes", [{}, {"sway": SWAY}, {"printed": True}])
@pytest.mark.parametrize("phase", PHASES)
def test_velocities_are_derivatives_of_places(phase, changes):
    system, state, h = path(**changes), start(phase, 0.1), 1e-5
    last = GAIT.durations[phase % 2]
    for time in np.linspace(0.05, 0.95, 7) * last:
        one, other = (system.reference(phase, time + s * h, state)[0] for s in (1, -1))
        v = system.reference(phase, time, state)[1]
        # third derivatives of 1e3 m/s^3 over h^2, and roundings of 1e-16 over h
        assert v == pytest.approx((one - other) / (2 * h), abs=1e-6)


@pytest.mark.parametrize("phase", SINGLE)
def test_the_heel_goes_on_from_where_it_is_and_comes_down_a_step_ahead(phase):
    system, state = path(), start(phase, 0.1)
    plant = context().model.plant
    own = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    feet = [
        plant.CalcPointsPositions(
            own, plant.GetFrameByName(f"{side}_foot"), [0.0, 0.0, -P.a10], plant.world_frame()
        ).ravel()
        for side in ("left", "right")
    ]
    flat, other = feet[phase.side], feet[1 - phase.side]
    last = GAIT.durations[1]
    first, end = system.reference(phase, 0.0, state), system.reference(phase, last, state)
    assert first[0, 3:6] == pytest.approx(other, abs=1e-12)
    assert end[0, 3:6] == pytest.approx([flat[0] + GAIT.step, other[1], 0.0], abs=1e-12)
    before = system.reference(phase, last * (1.0 - 1e-9), state)
    assert before[1, 3:6] == pytest.approx(np.zeros(3), abs=1e-6)  # a soft touch-down
    middle = system.reference(phase, 0.5 * last, state)
    assert middle[0, 5] == pytest.approx(GAIT.lift, abs=1e-12)
    still = start(phase)  # a heel that is on the ground and does not move down
    heights = [system.reference(phase, t, still)[0, 5] for t in np.linspace(0.0, last, 50)]
    assert max(heights) < GAIT.lift + 0.01
    assert min(heights) > -1e-12


def test_the_printed_path_leads_the_heel_ahead_by_the_thesis_s_polynomial():
    phase, state = SINGLE[0], start(SINGLE[0])
    system = path(printed=True)
    for u in np.linspace(0.0, 0.0885, 9):  # the way of the trunk, (4.3)
        # (4.4) as it is printed
        slope = -4.5563e9 * u**7 + 1.0456e9 * u**6 - 9.6052e7 * u**5 + 4.4571e6 * u**4
        slope += -0.10696e6 * u**3 + 1164.9 * u**2 - 3.3059 * u + 4.8294
        v = system.reference(phase, u / GAIT.speed[1] - 1e-12, state)[1]
        assert v[3] == pytest.approx(GAIT.speed[1] * slope, abs=1e-6)
    first, last = (system.reference(phase, t, state)[0, 3] for t in (0.0, GAIT.durations[1]))
    assert last - first == pytest.approx(0.4, abs=1e-3)  # the coefficients' fifth digits
    with pytest.raises(ScenarioError, match="printed_path has no ankle"):
        path(printed=True, ankles=ankles())


@pytest.mark.parametrize("phase", SINGLE)
def test_a_heel_that_hovers_is_let_down(phase):
    system, state = path(), start(phase)
    last = GAIT.durations[1]
    late = system.reference(phase, last + 0.1, state)
    assert late[0, 5] == pytest.approx(-0.1 * GAIT.search, abs=1e-12)
    assert late[1, 3:6] == pytest.approx([0.0, 0.0, -GAIT.search])


@pytest.mark.parametrize("phase", DOUBLE)
def test_the_heel_behind_comes_up_by_the_toes_angle(phase):
    system, state = path(), start(phase)
    end = system.reference(phase, GAIT.durations[0], state)
    assert -P.d10 * np.sin(end[0, 6]) == pytest.approx(GAIT.toe_off, abs=1e-12)
    assert end[1, 6] == pytest.approx(0.0, abs=1e-12)
    assert system.reference(phase, 0.0, state)[0, 6] == 0.0


@pytest.mark.parametrize("phase", PHASES)
def test_the_trunk_goes_straight_ahead_at_the_speeds_of_the_thesis(phase):
    system, state = path(), start(phase)
    speed = (0.6, 0.2)[phase % 2]
    one, other = (system.reference(phase, time, state) for time in (0.0, 0.1))
    assert other[0, :3] - one[0, :3] == pytest.approx([0.1 * speed, 0.0, 0.0], abs=1e-14)
    assert one[1, :3] == pytest.approx([speed, 0.0, 0.0])
    assert one[0, 2] == 0.8
    G1 = slice(6, 9) if phase % 2 else slice(3, 6)
    assert one[0, G1] - one[0, :3] == pytest.approx([0.0, 0.0, 0.1528], abs=1e-14)


@pytest.mark.parametrize("phase", SINGLE)
def test_a_foot_that_is_led_by_its_ankle_too_comes_down_level(phase):
    system, state = path(ankles=ankles()), start(phase, 0.1)
    found = system.reference(phase, 0.999999 * GAIT.durations[1], state)
    heel, ankle = found[0, 3:6], found[0, 9:]
    assert ankle - heel == pytest.approx([0.0, 0.0, P.a10], abs=1e-9)
    assert found[1] == pytest.approx(np.tile([GAIT.speed[1], 0.0, 0.0, 0.0, 0.0, 0.0], 2), abs=1e-6)


@pytest.mark.parametrize("phase", PHASES)
def test_a_trunk_that_is_elsewhere_comes_back_to_its_pendulum(phase):
    system, state = path(sway=SWAY, grounded=0.001), start(phase)  # it starts in the middle
    span = spans()[phase % 2]
    first, last = (system.reference(phase, time, state)[0, 1] for time in (0.0, span))
    side = 1.0 - 2.0 * phase.side
    assert first == pytest.approx(0.0, abs=1e-12)
    assert last == pytest.approx(side * SWAY.motion(phase % 2 == 1, span, spans())[0])


@pytest.mark.parametrize("phase", SINGLE)
def test_a_heel_is_down_at_the_end_of_its_phase(phase):
    changes = {"grounded": 0.001, "toe_off": 1e-12}  # feet that are level when the phase starts
    double, single = replace(GAIT, **changes).spans
    assert GAIT.speed[0] * double + GAIT.speed[1] * single == pytest.approx(GAIT.step)
    heel = path(**changes).reference(phase, single, start(phase))[0, 5]
    assert heel == pytest.approx(0.001, abs=1e-9)


def test_a_sway_goes_on_from_phase_to_phase():
    double, single = GAIT.durations
    ends = [SWAY.motion(False, double, (double, single)), SWAY.motion(True, 0.0, (double, single))]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
    # over to the other side in the mirror
    last = SWAY.motion(True, single, (double, single))
    then = SWAY.motion(False, 0.0, (double, single))
    assert then == pytest.approx(-last, abs=1e-12)
    # a prediction beyond the end of a phase is one of the next
    late = SWAY.motion(True, single + 0.03, (double, single))
    assert late == pytest.approx(-SWAY.motion(False, 0.03, (double, single)), abs=1e-12)
    late = SWAY.motion(False, double + 0.03, (double, single))
    assert late == pytest.approx(SWAY.motion(True, 0.03, (double, single)), abs=1e-12)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"step": 0.0}, "step is 0.0: give a positive number"),
        ({"speed": (0.6, np.nan)}, "speed is .*nan.*: give a positive number"),
        ({"horizon": (-1.0, 0.02)}, "horizon is .*-1.0, 0.02"),
        ({"toe_off": 0.3}, "toe_off is 0.3 m: give a height below 0.2432 m"),
        ({"progress": 0.25}, "progress is 0.25 m in a step of 0.2 m: give less"),
    ],
)
def test_gaits_that_are_none_are_refused(wrong, says):
    with pytest.raises(ScenarioError, match=says):
        replace(GAIT, **wrong)

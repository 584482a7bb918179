import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.machines.hopper.closed_form.cases import angular_momentum_about

from footfall.analysis.nonlinear_programme import Effort
from footfall.hybrid.component_first import STEP
from footfall.machines.hopper.closed_form.model import CG, Hopper, impact, position, velocity
from footfall.machines.hopper.closed_form.phases import SIGMA, JumpPhase, derivative
from footfall.machines.hopper.transcription.analysis import (
    confirmed_jump,
    guess_through,
    trajectories_of,
    variables_of,
)
from footfall.machines.hopper.transcription.phases import (
    COORDINATES,
    coordinates_of,
    interval,
    rates,
    state_of,
)
from footfall.machines.hopper.transcription.programme import (
    JumpProgramme,
    PhaseSegment,
    PhaseSequence,
    Slack,
    impact_impulse,
)

MACHINE = Hopper()
STICK, FORWARD, BACKWARD, FLIGHT = JumpPhase
PHASES = tuple(JumpPhase)
PLAN = PhaseSequence(
    before=(PhaseSegment(STICK, 10, 0.02, 1.0), PhaseSegment(BACKWARD, 6, 0.001, 0.2)),
    flight=(PhaseSegment(FLIGHT, 5, 0.002, 0.3), PhaseSegment(FLIGHT, 6, 0.01, 0.6)),
    after=(PhaseSegment(STICK, 8, 0.002, 0.8),),
)
# psi, theta2 [deg] and durations [s] of a jump as one would draw it: fall, push, stretch, land
DRAWN = ((125, 109), (62, -87), (56, -67), (60, 0), (125, 85), (72, 144))
LASTING = (0.85, 0.08, 0.03, 0.43, 0.5)


def drawn(programme):
    postures = [(math.radians(psi), math.radians(th2)) for psi, th2 in DRAWN]
    return guess_through(programme, postures, LASTING, 0.6)


@pytest.fixture(scope="module")
def solved():
    programme = JumpProgramme(PLAN, slack=Slack(1e-2, 0.0, 0.1, 0.01))
    near = programme.solve(drawn(programme), Effort(tolerance=1e-6))
    return programme, programme.solve(near.values, Effort(tolerance=1e-8))


def random_state(phase, rng):
    x = np.concatenate([rng.normal(size=2) * 0.1, rng.uniform(0.3, 2.5, 2), rng.normal(size=4) * 4])
    if phase is not FLIGHT:
        x[[1, 5]] = 0.0
        x[4] = SIGMA.get(phase, 0.0) * abs(x[4])
    return x


@pytest.mark.parametrize("phase", PHASES)
def test_coordinates_of_an_arc_lose_nothing_of_its_states(phase):
    x = random_state(phase, np.random.default_rng(1))
    y = coordinates_of(MACHINE, phase, x)
    # sums of a few terms of size 10
    np.testing.assert_allclose(state_of(MACHINE, phase, y, x[0]), x, atol=1e-13)


@pytest.mark.parametrize("phase", PHASES)
def test_rates_of_an_arc_are_those_of_the_equations_of_motion(phase):
    rng = np.random.default_rng(2)
    for _ in range(20):
        x, torque = random_state(phase, rng), rng.uniform(-10.0, 10.0)
        motion = x + 1j * STEP * derivative(MACHINE, phase, x, torque)
        expected = coordinates_of(MACHINE, phase, motion).imag / STEP
        found = rates(MACHINE, phase, coordinates_of(MACHINE, phase, x), torque)
        # accelerations of up to 1e4, whose matrix is far from singular
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-9)


@pytest.mark.parametrize("phase", PHASES)
def test_an_interval_closes_where_another_integrator_arrives(phase):
    rng, h = np.random.default_rng(3), 0.01
    x, torques = random_state(phase, rng), rng.uniform(-1.0, 1.0, 2)

    def rate(t, state):
        return derivative(MACHINE, phase, state, torques[0] + (torques[1] - torques[0]) * t / h)

    end = solve_ivp(rate, (0.0, h), x, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    ends = [coordinates_of(MACHINE, phase, state) for state in (x, end)]
    v = np.concatenate([*ends, torques, [h]])
    defects = {n: interval(MACHINE, phase, v, n)[: len(COORDINATES[phase])] for n in (4, 8)}
    # the fourth order halves to a sixteenth; below 1e-13 it is rounding
    assert np.abs(defects[4]).max() < 1e-4
    assert np.abs(defects[8]).max() < max(np.abs(defects[4]).max() / 8.0, 1e-13)


def test_gradients_of_every_block_are_those_of_finite_differences():
    programme = JumpProgramme(
        replace(
            PLAN,
            before=(PhaseSegment(STICK, 3), PhaseSegment(FORWARD, 2), PhaseSegment(BACKWARD, 2)),
            flight=(PhaseSegment(FLIGHT, 3),),
        ),
    )
    rng = np.random.default_rng(4)
    values = rng.uniform(0.3, 1.0, programme.layout.size)
    for group in programme.groups:
        z = values[group.variables]
        found, slopes = group.gradients(z)
        # np.sin of complex and of real numbers differ in the last place
        np.testing.assert_allclose(found, group.values(z), rtol=1e-9, atol=1e-9)
        pattern = np.zeros_like(slopes, dtype=bool)
        pattern[tuple(np.array(group.pattern()).T)] = True
        assert not slopes[~pattern].any()
        direction = rng.normal(size=len(z))
        step = 1e-6
        change = group.values(z + step * direction) - group.values(z - step * direction)
        # of central differences: step squared times third derivatives, and rounding over step
        scale = 1.0 + np.abs(slopes @ direction)
        assert np.max(np.abs(change / (2.0 * step) - slopes @ direction) / scale) < 1e-5


def test_the_impact_of_a_programme_is_chatterjees():
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(200):
        x = random_state(FLIGHT, rng)
        x[1], x[5] = 0.0, -abs(x[5])
        law = impact(MACHINE, x)
        phase = STICK if law.inside else (FORWARD if law.x[4] > 0.0 else BACKWARD)
        impulse, kept = impact_impulse(MACHINE, phase, x)
        seen.add(phase)
        # quotients of well-conditioned 2 by 2 determinants
        np.testing.assert_allclose(impulse, law.impulse, rtol=1e-9, atol=1e-12)
        assert (kept > 0.0).all()
    assert seen == {STICK, FORWARD, BACKWARD}


@pytest.mark.parametrize("solver", ["snopt", "ipopt"])
def test_what_is_not_solved_says_so(solver):
    programme = JumpProgramme(PLAN)
    solution = programme.solve(drawn(programme), Effort(solver, iterations=2))
    assert not solution.solved
    assert "Limit" in solution.message
    low, high = programme.bounds()
    # bounds of variables are kept from the first iteration on, to the tolerance
    assert ((low - 1e-5 <= solution.values) & (solution.values <= high + 1e-5)).all()


@pytest.mark.slow
def test_momenta_of_a_solution_obey_laws_that_the_programme_does_not_use(solved):
    programme, solution = solved
    machine = programme.machine
    for trajectory in trajectories_of(programme, solution.values):
        x = trajectory.states
        if trajectory.phase is STICK:
            moving = x + 1j * STEP * derivative(
                machine, STICK, x, np.append(trajectory.torques[0], 0.0)
            )
            slope = angular_momentum_about(machine, moving, x[:2]).imag / STEP
            lead = position(machine, x, CG)[0] - x[0]
            weight = machine.mass * machine.parameters.g
            # rounding of torques of 10 N m, which cancel in it
            np.testing.assert_allclose(slope, -weight * lead, atol=1e-12)
        if trajectory.phase is FLIGHT:
            along = velocity(machine, x, CG)[0]
            angular_momentum = machine.centroidal_angular_momentum(x)
            # kept to the tolerance of the programme, 1e-8 of a variable's size
            assert np.ptp(angular_momentum) < 1e-8
            assert np.ptp(along) < 1e-6


@pytest.mark.slow
def test_a_polished_jump_is_the_same_in_the_event_driven_model(solved):
    programme, solution = solved
    design = confirmed_jump(programme, solution.values, Effort())
    replayed = design.replayed()
    # closed to 1e-10, which 0.5 s of stance make 1e-8, and a push of 5 ms intervals 1e-6
    assert replayed.jump.distance == pytest.approx(design.distance, abs=1e-4)
    least = replayed.margin_history.over_all._asdict()
    ends = ("height", "Q_above_P")  # 0 where Q lands
    assert min(value for name, value in least.items() if not name.startswith(ends)) > -1e-9


def test_more_intervals_hold_the_same_motion():
    programme = JumpProgramme(PLAN)
    values = drawn(programme)
    groups = {
        name: tuple(
            replace(segment, intervals=2 * segment.intervals) for segment in getattr(PLAN, name)
        )
        for name in ("before", "flight", "after")
    }
    finer = replace(programme, plan=replace(PLAN, **groups))
    back = variables_of(
        programme,
        trajectories_of(finer, variables_of(finer, trajectories_of(programme, values), 0.6)),
        0.6,
    )
    np.testing.assert_allclose(back, values, atol=1e-12)
    torques = np.random.default_rng(6).normal(size=(2, 10))
    trajectories = [replace(trajectories_of(programme, values)[0], torques=torques)]
    rest = list(trajectories_of(programme, values)[1:])
    fine = trajectories_of(finer, variables_of(finer, trajectories + rest, 0.6))[0].torques
    # the means of halves are those of the whole
    halves = fine.mean(axis=0).reshape(-1, 2).mean(axis=1)
    np.testing.assert_allclose(halves, torques.mean(axis=0), atol=1e-12)


@pytest.mark.parametrize(
    ("segments", "words"),
    [
        ({"before": ()}, "on the ground, in flight"),
        ({"before": (PhaseSegment(STICK, 2), PhaseSegment(STICK, 2))}, "follow each other"),
        ({"after": (PhaseSegment(FLIGHT, 2),)}, "on the ground, in flight"),
    ],
)
def test_plans_that_are_no_jump_are_refused(segments, words):
    with pytest.raises(ValueError, match=words):
        replace(PLAN, **segments)


def test_arcs_without_duration_are_refused():
    with pytest.raises(ValueError, match="duration"):
        PhaseSegment(STICK, 3, 0.5, 0.1)

"""Torques of a walker on both feet: the closed form, the quadratic programme, and their limits."""

import functools

import numpy as np
import pytest
from pydrake.solvers import ClarabelSolver, MathematicalProgram, SolverOptions
from scipy.optimize import lsq_linear
from tests.machines.humanoid.walkers import DOUBLE, PHASES, SINGLE, context, reduced, walker

from footfall.errors import ModelError, ScenarioError
from footfall.machines.humanoid.closed_form.walker import CUT, accelerations
from footfall.machines.humanoid.constrained_plant import Coordinates, DrakeDynamics
from footfall.machines.humanoid.model import stride, stride_ground, support
from footfall.plants.supports import Support, SupportRows
from footfall_controllers.redundant_torque import (
    RedundantTorque,
    Sole,
    TorquePhase,
    cheapest,
    sole_limits,
)

pytestmark = pytest.mark.slow

WEIGHTS = tuple(np.random.default_rng(9).uniform(0.5, 3.0, 12))
HALF = 0.044
ROLLS = (0.0, 1e-6, 1e-3)


@functools.cache
def coordinates():
    return Coordinates(context().model.plant, walker(PHASES[0], 0, toe_share=0.001).p)


def soles(phase, p, mu=0.8):
    flat, other = ("left", "right") if phase.side == 0 else ("right", "left")
    foot = Sole(f"{flat}_foot", (0.0, p.d10), (-HALF, HALF), -p.a10, mu)
    toe = Sole(f"{other}_toe", (0.0, 0.05), (-HALF, HALF), 0.0, mu)
    return (foot, toe) if phase.is_double else (foot,)


def law(phase, **settings):
    """The controller with one phase's criterion."""
    criterion = TorquePhase(support(phase), WEIGHTS, **settings)
    return RedundantTorque(context().model.plant, [criterion])


def commanded(w, seed=0):
    """State and accelerations (nv,) that the support allows, and those of the angles."""
    plant = context().model.plant
    state = coordinates().state(w.ground, w.angle, w.rate)
    own = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    rows = SupportRows(plant, support(w.phase))
    J, bias = rows.jacobian(own), rows.bias(own)
    a = np.random.default_rng(seed).normal(size=J.shape[1])
    a -= np.linalg.pinv(J, rcond=1e-3) @ (J @ a + bias)
    return state, a, a[coordinates().v]


def level(phase, roll=0.0, ahead=0.08, behind=0.12):
    """A walker at rest on two level feet."""
    p = walker(phase, 0, toe_share=0.001).p
    angle = stride(p, phase, 0.78, ahead, behind)
    angle[[0, 1]], angle[[8, 9]] = roll, -roll
    w = walker(phase, 0, toe_share=0.001)
    ground = stride_ground(p, phase, ahead, behind)
    return w._replace(ground=ground, angle=angle, rate=np.zeros(12), torque=np.zeros(12))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("phase", PHASES)
def test_the_closed_form_is_3_135_of_the_thesiss_equations(phase, seed):
    w = walker(phase, seed, toe_share=0.001)
    state, a, wanted = commanded(w, seed)
    torque, violation, _ = law(phase).efforts(state, a, 0)
    torque = torque[coordinates().u][w.columns]
    M, B, A = reduced(w.equations)
    W = np.diag(np.array(WEIGHTS)[coordinates().u][w.columns])
    inverse = np.linalg.inv(W)
    C = M @ wanted[w.columns] + B
    expected = inverse @ A.T @ np.linalg.inv(A @ inverse @ A.T) @ C
    assert violation == 0.0
    assert torque == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
    # and they give what was asked for
    torques = np.zeros(12)
    torques[w.columns] = torque
    found = accelerations(w.p, w.ground, w.angle, w.rate, torques, CUT).angles
    assert found[w.columns] == pytest.approx(wanted[w.columns], abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_the_closed_form_solves_the_programmes_conditions(seed):
    generator = np.random.default_rng(seed)
    A, C = generator.normal(size=(5, 11)), generator.normal(size=5)
    weights = generator.uniform(0.5, 2.0, 11)
    conditions = np.block([[np.diag(weights), -A.T], [A, np.zeros((5, 5))]])
    expected = np.linalg.solve(conditions, np.append(np.zeros(11), C))[:11]
    assert cheapest(A, C, weights) == pytest.approx(expected, abs=1e-12)


def needed_forces(state, a):
    """Generalized forces that torques and supports have to give together, M a + c - tau_g."""
    plant = context().model.plant
    own = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    forces = plant.CalcMassMatrix(own) @ a + plant.CalcBiasTerm(own)
    return forces - plant.CalcGravityGeneralizedForces(own)


@pytest.mark.parametrize(
    ("phase", "roll"), [*((phase, None) for phase in PHASES), *((DOUBLE[0], r) for r in ROLLS)]
)
def test_the_programme_without_inequalities_is_the_closed_form(phase, roll):
    # level feet without roll: where the loop loses rank
    w = walker(phase, 1, toe_share=0.001) if roll is None else level(phase, roll)
    state, a, _ = commanded(w, 1)
    torque, *_ = law(phase).efforts(state, a, 0)
    found, *_ = law(phase, limit=(np.inf,) * 12).efforts(state, a, 0)
    assert found == pytest.approx(torque, abs=1e-10 * np.abs(torque).max())


def equations(phase, state, a):
    """A T = C without reactions, along all motions that the support leaves."""
    plant = context().model.plant
    own = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    rows = SupportRows(plant, support(phase))
    _, values, vectors = np.linalg.svd(rows.jacobian(own))
    N = vectors[int((values > rows.cut).sum()) :].T
    return N.T @ plant.MakeActuationMatrix(), N.T @ needed_forces(state, a)


def limited(phase, share, seed=0):
    """State, accelerations, torques without and with a limit that is a share of the largest."""
    w = walker(phase, seed, toe_share=0.001)
    state, a, _ = commanded(w, seed)
    free, *_ = law(phase).efforts(state, a, 0)
    limit = share * np.abs(free).max()
    system = law(phase, limit=(limit,) * 12)
    return system, state, a, free, limit


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("phase", DOUBLE)
def test_within_limits_the_torques_are_the_cheapest(phase, seed):
    system, state, a, free, limit = limited(phase, 0.9, seed)
    torque, violation, _ = system.efforts(state, a, 0)
    assert violation == 0.0
    assert np.abs(torque).max() <= limit + 1e-8  # the distance that its solver lets pass
    assert np.abs(free).max() > limit
    A, C = equations(phase, state, a)
    assert A @ torque == pytest.approx(C, abs=1e-10 * np.abs(C).max())
    # W T = A' lambda where no limit acts, and less against the limit where one does
    acts = np.abs(torque) > limit - 1e-8
    assert acts.any()
    pull = np.array(WEIGHTS) * torque
    multipliers = np.linalg.lstsq(A.T[~acts], pull[~acts], rcond=None)[0]
    left = A.T @ multipliers - pull
    assert left[~acts] == pytest.approx(np.zeros((~acts).sum()), abs=1e-10 * np.abs(pull).max())
    assert (left[acts] * np.sign(torque[acts]) > 0.0).all()


@pytest.mark.parametrize("share", [0.9, 0.3])
@pytest.mark.parametrize("phase", PHASES)
def test_limits_that_no_choice_meets_give_what_comes_nearest(phase, share):
    share = share if phase in SINGLE else 0.1 * share  # more torques than degrees of freedom
    system, state, a, _, limit = limited(phase, share)
    torque, _, lacking = system.efforts(state, a, 0)
    assert np.abs(torque).max() <= limit + 1e-8
    assert lacking > 0.1
    # least squares within bounds, by another solver, of what no ground gives
    A, C = equations(phase, state, a)
    nearest = lsq_linear(A, C, (-limit, limit), tol=1e-12)
    assert np.linalg.norm(A @ torque - C) == pytest.approx(np.sqrt(2.0 * nearest.cost), rel=1e-5)


def by_clarabel(phase, state, a, limit, soles):
    """Efforts, violation and what is lacking, by the programme in efforts and reactions."""
    own, plant = own_context(state), context().model.plant
    rows, needed = SupportRows(plant, support(phase)), needed_forces(state, a)
    J, B = rows.jacobian(own), plant.MakeActuationMatrix()
    left, sizes, _ = np.linalg.svd(J, full_matrices=False)
    kept = left[:, sizes > rows.cut]
    gives = np.hstack([B, J.T @ kept])
    for firm in (False, True):
        program = MathematicalProgram()
        T, r = (program.NewContinuousVariables(n) for n in (12, kept.shape[1]))
        slack, lack = (program.NewContinuousVariables(n) for n in (1, 18 if firm else 0))
        program.AddQuadraticCost(np.diag(WEIGHTS), np.zeros(12), T)
        program.AddLinearCost(np.array([1e4]), 0.0, slack)
        program.AddBoundingBoxConstraint(0.0, np.inf, slack)
        program.AddBoundingBoxConstraint(-limit, limit, T)
        if firm:
            program.AddQuadraticCost(1e6 * np.eye(18), np.zeros(18), lack)
        both = np.hstack([gives, np.eye(18)[:, : len(lack)]])
        program.AddLinearEqualityConstraint(both, needed, np.concatenate([T, r, lack]))
        for sole in soles:
            place = 6 * support(phase).held.index(sole.frame)
            R = plant.GetFrameByName(sole.frame).CalcPoseInWorld(own).rotation().matrix()
            L = sole_limits(sole) @ np.kron(np.eye(2), R.T) @ kept[place : place + 6]
            program.AddLinearConstraint(
                np.hstack([L, -np.ones((9, 1))]),
                np.full(9, -np.inf),
                np.zeros(9),
                np.concatenate([r, slack]),
            )
        options = SolverOptions()
        for name in ("tol_gap_abs", "tol_gap_rel", "tol_feas", "tol_ktratio"):
            options.SetOption(ClarabelSolver.id(), name, 1e-13)
        found = ClarabelSolver().Solve(program, None, options)
        T, lack = found.GetSolution(T), found.GetSolution(lack)
        missing = np.abs(gives @ np.concatenate([T, found.GetSolution(r)]) - needed).max()
        if firm or missing < 1e-6 * np.abs(needed).max():
            return T, found.GetSolution(slack)[0], np.abs(lack).max(initial=0.0)
    raise AssertionError


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("share", [0.9, 0.5, 0.1])
def test_another_solver_finds_the_same(phase, share):
    _, state, a, _, limit = limited(phase, share)
    under = soles(phase, walker(phase, 0, toe_share=0.001).p)
    found = law(phase, limit=(limit,) * 12, soles=under).efforts(state, a, 0)
    wanted = by_clarabel(phase, state, a, limit, under)
    size = np.abs(needed_forces(state, a)).max()
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, abs=1e-9 * size)


def wrenches(w, torque):
    """Wrenches of the ground by Drake's plant, (2, 6), forces first."""
    drake = DrakeDynamics(context().model, w.p)
    return drake(w.ground, w.angle, w.rate, torque[coordinates().u]).wrench


@pytest.mark.parametrize("phase", DOUBLE)
def test_the_toe_pushes_where_that_is_possible(phase):
    w = level(phase, ahead=0.02, behind=0.3)  # mass centre between toe and foot
    state, still = coordinates().state(w.ground, w.angle, w.rate), np.zeros(18)
    torque, violation, _ = law(phase, soles=soles(phase, w.p)).efforts(state, still, 0)
    assert violation == pytest.approx(0.0, abs=1e-8)
    found = wrenches(w, torque)
    assert found[:, 2].sum() == pytest.approx(56.0 * 9.81, rel=1e-9)
    for (F, M), sole in zip(found.reshape(2, 2, 3), soles(phase, w.p), strict=True):
        rows = sole_limits(sole) @ np.append(M, F)
        assert rows.max() < 1e-4  # N and N m, of 500
        assert F[2] > 0.0


@pytest.mark.parametrize("phase", DOUBLE)
def test_a_walker_beyond_its_feet_cannot_stand_still(phase):
    w = level(phase)  # mass centre 0.12 m behind the toe and 0.08 m behind the foot's heel
    state = coordinates().state(w.ground, w.angle, w.rate)
    _, violation, _ = law(phase, soles=soles(phase, w.p)).efforts(state, np.zeros(18), 0)
    assert violation > 10.0


@pytest.mark.parametrize("phase", PHASES)
def test_where_it_is_not_the_violation_tells_how_much(phase):
    w = level(phase) if phase.is_double else walker(phase, 0, toe_share=0.001)
    w = w._replace(rate=np.zeros(12))
    state = coordinates().state(w.ground, w.angle, w.rate)
    system = law(phase, soles=soles(phase, w.p))
    # the trunk is to fall faster than gravity makes it: the ground would have to pull
    plant = context().model.plant
    support_rows = SupportRows(plant, support(phase))
    N = np.linalg.svd(support_rows.jacobian(own_context(state)))[2]
    free = N[support_rows.size - (1 if phase.is_double else 0) :]
    falling = np.zeros(18)
    falling[plant.GetBodyByName("hat").floating_velocities_start_in_v() + 5] = -200.0
    a = free.T @ (free @ falling)
    torque, violation, _ = system.efforts(state, a, 0)
    assert violation > 1.0
    rows = [
        sole_limits(sole) @ np.append(M, F)
        for (F, M), sole in zip(
            wrenches(w, torque).reshape(2, 2, 3), soles(phase, w.p), strict=False
        )
    ]
    assert np.max(rows) == pytest.approx(violation, rel=1e-3)
    assert np.isfinite(torque).all()


def own_context(state):
    plant = context().model.plant
    own = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    return own


def test_a_soles_limits_are_push_friction_and_pressure():
    sole = Sole("left_foot", (0.0, 0.24), (-0.04, 0.04), -0.06, 0.5)
    at = np.array([0.1, 0.02, -0.06])  # a force there, of 100 N, and friction within the pyramid
    F = np.array([30.0, -30.0, 100.0])
    rows = sole_limits(sole)
    assert (rows @ np.append(np.cross(at, F), F) < 0.0).all()
    for point, force in (
        ((0.25, 0.0, -0.06), F),
        ((-0.01, 0.0, -0.06), F),
        ((0.1, 0.05, -0.06), F),
        ((0.1, -0.05, -0.06), F),
        (at, np.array([40.0, -30.0, 100.0])),
        (at, np.array([30.0, -40.0, 100.0])),
        (at, -F),
    ):
        assert (rows @ np.append(np.cross(point, force), force) > 0.0).any()


@pytest.mark.parametrize("phase", SINGLE)
def test_on_one_foot_the_torques_are_those_of_computed_torque(phase):
    """There are as many as degrees of freedom: T = A^-1 C, (3.118), whatever the weights."""
    w = walker(phase, 1, toe_share=0.001)
    state, a, _ = commanded(w)
    torque, *_ = law(phase).efforts(state, a, 0)
    expected = np.linalg.lstsq(*equations(phase, state, a))[0]
    assert torque == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"weights": (1.0,) * 11 + (0.0,)}, "weights is .*: give a positive number"),
        ({"weights": (1.0,) * 11 + (np.nan,)}, "weights is .*: give a positive number"),
        ({"limit": (-5.0,) * 12}, "limit is .*: give positive numbers"),
        ({"limit": (np.nan,) * 12}, "limit is .*: give positive numbers"),
        ({"weights": (1.0,) * 3}, "weights has 3 entries where 12 are needed"),
        ({"limit": (1.0,) * 3}, "limit has 3 entries where 12 are needed"),
        (
            {"soles": (Sole("right_foot", (0, 1), (0, 1), 0, 1),)},
            "soles of bodies that are not held: right_foot",
        ),
    ],
)
def test_criteria_that_do_not_fit_are_refused(settings, says):
    phase = SINGLE[0]
    with pytest.raises((ValueError, ScenarioError), match=says):
        RedundantTorque(
            context().model.plant,
            [TorquePhase(support(phase), **{"weights": (1.0,) * 12, **settings})],
        )


def test_unknown_bodies_are_told():
    with pytest.raises(ModelError, match="left_fot"):
        RedundantTorque(context().model.plant, [TorquePhase(Support(("left_fot",)), (1.0,) * 12)])

"""The compass's URDF against its document and its closed form, for all published sets."""

import math

import numpy as np
import pytest
from pydrake.geometry import Role, Sphere
from pydrake.multibody.tree import MultibodyForces
from tests.machines.compass.closed_form.cases import SETS, angular_momentum, foot_jacobian, states
from tests.models.planar import Planar, close

from footfall.machines.compass.closed_form.model import Compass, free_inertia, impact
from footfall.plants.contacts import collect_contacts

ARGUMENTS = ("l", "m", "I", "s", "m_hip")


class Walker(Planar):
    """A plant of a set of parameters, with what the closed form is held against."""

    def __init__(self, p, folder):
        # the slope of a terrain rises where it is positive
        arguments = {name: getattr(p, name) for name in ARGUMENTS}
        super().__init__("compass", folder, p.g, -math.degrees(p.theta), **arguments)
        self.closed = Compass(p)

    def put(self, x):
        """Stand on foot 1 in a state of the closed form; returns q and v of the plant."""
        q = np.concatenate([self.closed.points(x).hip, x[:2]])
        v = np.concatenate([self.closed.velocities(x).hip, x[2:]])
        self.plant.SetPositions(self.context, q)
        self.plant.SetVelocities(self.context, v)
        return q, v

    def jacobian(self, foot):
        """Jacobian (2, 4) of a foot along the slope and off it."""
        tip = [0.0, 0.0, {1: -1.0, 2: 1.0}[foot] * self.closed.parameters.l]
        return self.jacobian_of(f"leg_{foot}", tip)

    def bias_of_foot_1(self):
        """Acceleration of foot 1 at v' = 0, (2,)."""
        return self.drift_of("leg_1", [0.0, 0.0, -self.closed.parameters.l])

    def mass_matrix(self):
        return self.plant.CalcMassMatrix(self.context)

    def bias(self):
        return self.plant.CalcBiasTerm(self.context)

    def gravity(self):
        """-dV/dq, (4,)."""
        return self.plant.CalcGravityGeneralizedForces(self.context)


@pytest.fixture(scope="module", params=SETS.values(), ids=list(SETS))
def walker(request, tmp_path_factory):
    return Walker(request.param, tmp_path_factory.mktemp("compass"))


# --- rung 1: the model -------------------------------------------------------------------------


def test_masses_and_inertias_are_those_of_the_set(walker):
    p = walker.closed.parameters
    assert walker.masses() == {"leg_1": p.m, "leg_2": p.m} | ({"hip": p.m_hip} if p.m_hip else {})
    for leg, side in ((1, -1.0), (2, 1.0)):
        centre, central = walker.central_inertia(f"leg_{leg}")
        assert centre == pytest.approx([0.0, 0.0, side * p.s], rel=1e-15)
        # roundings of m s^2 there and back
        assert central == pytest.approx(np.diag([p.I, p.I, 0.0]), abs=1e-15 * p.m)


def test_joints_and_actuator_are_those_of_the_card(walker):
    plant = walker.plant
    assert plant.num_positions() == plant.num_velocities() == 4
    names = ["x", "z", "q1", "q2"]
    assert [plant.GetJointByName(name).position_start() for name in names] == list(range(4))
    (index,) = plant.GetJointActuatorIndices()
    actuator = plant.get_joint_actuator(index)
    assert (actuator.name(), actuator.joint().name()) == ("hip", "q2")
    assert np.isinf(actuator.effort_limit())  # the document has none


def test_frames_are_where_the_document_has_its_points(walker):
    plant = walker.plant
    for x in states(5, seed=30).T:
        walker.put(x)
        p = walker.closed.parameters
        here = {
            "foot_1": ("leg_1", -p.l),
            "centre_1": ("leg_1", -p.s),
            "hip": ("hip", 0.0),
            "centre_2": ("leg_2", p.s),
            "foot_2": ("leg_2", p.l),
        }
        for name, (link, height) in here.items():
            r = plant.CalcPointsPositions(
                walker.context, plant.GetFrameByName(link), [0.0, 0.0, height], walker.terrain
            )
            expected = getattr(walker.closed.points(x), name)
            assert close(r.ravel(), [expected[0], 0.0, expected[1]], 1e-14)


def test_feet_touch_the_ground_and_nothing_else(walker):
    contacts = collect_contacts(walker.model)
    assert contacts.names == ("compass::foot_1", "compass::foot_2")
    assert contacts.dim == 2
    assert [shape.points.radius for shape in contacts.ground] == [0.0, 0.0]
    inspector = walker.model.scene_graph.model_inspector()
    geometries = inspector.GetAllGeometryIds(Role.kProximity)
    assert len([g for g in geometries if isinstance(inspector.GetShape(g), Sphere)]) == 2
    assert len(inspector.GetCollisionCandidates()) == 2  # each foot with the ground


# --- rung 2: the derivative --------------------------------------------------------------------


def test_mass_matrix_and_feet_are_those_of_the_closed_form(walker):
    for x in states(10, seed=31).T:
        walker.put(x)
        assert close(walker.mass_matrix(), free_inertia(walker.closed, x))
        assert close(walker.jacobian(2), foot_jacobian(walker.closed, x))


def test_energies_are_those_of_the_closed_form(walker):
    plant, closed = walker.plant, walker.closed
    for x in states(10, seed=32).T:
        walker.put(x)
        # at the origin of the terrain both heights are 0, and so is Drake's potential
        assert close(plant.CalcPotentialEnergy(walker.context), closed.potential_energy(x))
        assert close(plant.CalcKineticEnergy(walker.context), closed.kinetic_energy(x))


def test_projected_on_the_stance_foot_it_is_the_document(walker):
    # q' = S (q1', q2') with foot 1 at rest: A = S^T M S, H = S^T (M S' (q1', q2') + C v), Q = S^T g
    closed = walker.closed
    for x in states(10, seed=33).T:
        walker.put(x)
        J = walker.jacobian(1)
        S = np.vstack([-J[:, 2:], np.eye(2)])  # J = (1, J_q)
        drift = np.concatenate([-walker.bias_of_foot_1(), np.zeros(2)])
        M = walker.mass_matrix()
        assert close(S.T @ M @ S, closed.inertia(x))
        assert close(S.T @ (M @ drift + walker.bias()), closed.coriolis(x))
        assert close(-S.T @ walker.gravity(), closed.gravity(x))
        torque = S.T @ walker.plant.MakeActuationMatrix()
        assert torque.ravel() == pytest.approx([0.0, 1.0], abs=0.0)


def test_held_at_the_stance_foot_it_moves_and_presses_like_the_document(walker):
    closed = walker.closed
    for x in states(10, seed=34).T:
        walker.put(x)
        M, J = walker.mass_matrix(), walker.jacobian(1)
        push = 0.7 * walker.plant.MakeActuationMatrix().ravel()
        system = np.block([[M, -J.T], [J, np.zeros((2, 2))]])
        right = np.concatenate([walker.gravity() + push - walker.bias(), -walker.bias_of_foot_1()])
        answer = np.linalg.solve(system, right)
        acceleration = closed.acceleration(x, 0.7)
        # a linear system: roundings times its condition
        roundings = 1e-15 * np.linalg.cond(system)
        assert close(answer[2:4], acceleration, roundings)
        assert close(answer[4:], closed.reaction(x, acceleration), roundings)


def test_reaction_is_what_the_plants_momentum_needs(walker):
    # the sum of external forces by inverse dynamics: nothing pushes x and z but the ground
    plant, closed, p = walker.plant, walker.closed, walker.closed.parameters
    for x in states(10, seed=35).T:
        walker.put(x)
        acceleration = closed.acceleration(x)
        hip = walker.jacobian(1)[:, 2:] @ acceleration + walker.bias_of_foot_1()
        vdot = np.concatenate([-hip, acceleration])
        forces = MultibodyForces(plant)
        plant.CalcForceElementsContribution(walker.context, forces)
        needed = plant.CalcInverseDynamics(walker.context, vdot, forces)
        assert close(needed[:2], closed.reaction(x, acceleration), 1e-11)
        weight = (2.0 * p.m + p.m_hip) * p.g * np.array([np.sin(p.theta), -np.cos(p.theta)])
        assert close(walker.gravity()[:2], weight)


# --- rung 3: the impact ------------------------------------------------------------------------


def _moments(walker, v, foot):
    """Angular momenta about -y: of all about a foot (x, z) on the slope, of leg 1 about the hip."""
    plant, p = walker.plant, walker.closed.parameters
    plant.SetVelocities(walker.context, v)
    X_WT = walker.terrain.CalcPoseInWorld(walker.context)
    about_foot = plant.CalcSpatialMomentumInWorldAboutPoint(
        walker.context, X_WT @ np.array([foot[0], 0.0, foot[1]])
    )
    leg = plant.GetBodyByName("leg_1")
    arm = leg.EvalPoseInWorld(walker.context).rotation() @ np.array([0.0, 0.0, -p.s])
    V = leg.EvalSpatialVelocityInWorld(walker.context)
    speed = V.translational() + np.cross(V.rotational(), arm)
    about_hip = p.I * V.rotational()[1] + p.m * np.cross(arm, speed)[1]
    return -np.array([about_foot.rotational()[1], about_hip])


def test_impact_keeps_the_plants_moments_of_momentum(walker):
    for x in states(10, seed=36).T:
        foot = walker.closed.points(x).foot_2
        struck = impact(walker.closed, x)
        before = _moments(walker, walker.put(x)[1], foot)
        after = _moments(walker, np.concatenate([struck.hip, struck.x[2:]]), foot)
        assert close(after, before)
        # and the sign of the closed form
        assert close(before[0], angular_momentum(walker.closed, x, foot))


def test_impact_is_the_plants_own_with_a_foot_that_sticks(walker):
    for x in states(10, seed=37).T:
        _, v = walker.put(x)
        M, J = walker.mass_matrix(), walker.jacobian(2)
        impulse = -np.linalg.solve(J @ np.linalg.solve(M, J.T), J @ v)
        after = v + np.linalg.solve(M, J.T @ impulse)
        struck = impact(walker.closed, x)
        # two solutions with matrices of condition up to 1e3
        assert close(np.concatenate([struck.hip, struck.x[2:]]), after, 1e-11)
        assert close(struck.impulse, impulse, 1e-11)
        walker.plant.SetVelocities(walker.context, after)
        lost = walker.closed.kinetic_energy(x) - walker.plant.CalcKineticEnergy(walker.context)
        assert lost > 0.0

"""The hopper's URDF against its document and its closed form."""

import numpy as np
import pytest
from pydrake.geometry import Role, Sphere
from tests.machines.hopper.closed_form.cases import (
    SETS,
    angular_momentum_about,
    convection,
    jacobian,
    point_acceleration,
    sliding,
    standing,
    states,
)
from tests.machines.hopper.closed_form.lagrangian import held
from tests.models.planar import Planar, close

from footfall.machines.hopper.closed_form.model import (
    CG,
    CONTACT_POINTS,
    Hopper,
    P,
    impact,
    momentum,
    position,
    velocity,
)
from footfall.machines.hopper.closed_form.phases import SIGMA, JumpPhase, acceleration, force
from footfall.plants.contacts import collect_contacts

ARGUMENTS = ("m", "l", "mu", "tau_max")
TORQUE = 0.7
PLANE = [0, 2]  # x and z


class Machine(Planar):
    """A plant of a set of parameters, with what the closed form is held against."""

    def __init__(self, p, folder):
        arguments = {name: getattr(p, name) for name in ARGUMENTS}
        super().__init__("hopper", folder, p.g, **arguments)
        self.closed = Hopper(p)

    def put(self, x):
        """Set the plant to a state of the closed form: they have the same coordinates."""
        self.plant.SetPositionsAndVelocities(self.context, x)

    def place(self, point):
        """Link of a point and position in it."""
        link, at = ("link_2", point.along_2) if point.along_2 else ("link_1", point.along_1)
        return link, [at * self.closed.parameters.l, 0.0, 0.0]

    def position(self, point):
        link, place = self.place(point)
        frame = self.plant.GetFrameByName(link)
        return self.plant.CalcPointsPositions(self.context, frame, place, self.terrain)

    def jacobian(self, point):
        return self.jacobian_of(*self.place(point))

    def drift(self, point):
        return self.drift_of(*self.place(point))

    def equations(self):
        """Mass matrix, bias with gravity, and push of the torque."""
        gravity = self.plant.CalcGravityGeneralizedForces(self.context)
        push = self.plant.MakeActuationMatrix() @ [TORQUE]
        M, bias = self.plant.CalcMassMatrix(self.context), self.plant.CalcBiasTerm(self.context)
        return M, bias - gravity, push


@pytest.fixture(scope="module", params=SETS.values(), ids=list(SETS))
def machine(request, tmp_path_factory):
    return Machine(request.param, tmp_path_factory.mktemp("hopper"))


# --- rung 1: the model -------------------------------------------------------------------------


def test_links_are_uniform_rods(machine):
    p = machine.closed.parameters
    assert machine.masses() == {"link_1": p.m, "link_2": p.m}
    for name in machine.masses():
        centre, central = machine.central_inertia(name)
        assert centre == pytest.approx([p.l, 0.0, 0.0], rel=1e-15)
        across = p.m * p.l**2 / 3.0
        # roundings of m l^2 there and back
        assert central == pytest.approx(np.diag([0.0, across, across]), abs=1e-15 * p.m)


def test_joints_and_actuator_are_those_of_the_card(machine):
    plant = machine.plant
    assert plant.num_positions() == plant.num_velocities() == 4
    joints = [plant.GetJointByName(name) for name in ("x", "z", "theta1", "theta2")]
    assert [joint.position_start() for joint in joints] == list(range(4))
    for joint in joints:
        assert np.isinf([*joint.position_lower_limits(), *joint.position_upper_limits()]).all()
    (index,) = plant.GetJointActuatorIndices()
    actuator = plant.get_joint_actuator(index)
    assert (actuator.name(), actuator.joint().name()) == ("hinge", "theta2")
    assert actuator.effort_limit() == machine.closed.parameters.tau_max
    assert np.array_equal(plant.MakeActuationMatrix().ravel(), [0.0, 0.0, 0.0, 1.0])


def test_points_of_the_file_are_those_of_the_document(machine):
    inspector = machine.model.scene_graph.model_inspector()
    geometries = inspector.GetAllGeometryIds(Role.kProximity)
    points = {
        inspector.GetName(g): inspector.GetPoseInFrame(g).translation()
        for g in geometries
        if isinstance(inspector.GetShape(g), Sphere)
    }
    assert set(points) == {"hopper::P", "hopper::Q", "hopper::R"}
    for point in CONTACT_POINTS:
        assert np.array_equal(points[f"hopper::{point.name}"], machine.place(point)[1])
    for x in states(5, seed=60).T:
        machine.put(x)
        for point in CONTACT_POINTS:
            along, up = position(machine.closed, x, point)
            assert close(machine.position(point).ravel(), [along, 0.0, up], 1e-14)


def test_points_touch_the_ground_and_nothing_else(machine):
    contacts = collect_contacts(machine.model)
    assert contacts.names == ("hopper::P", "hopper::Q", "hopper::R")
    assert contacts.dim == 2
    assert [shape.points.radius for shape in contacts.ground] == [0.0, 0.0, 0.0]
    assert len(machine.model.scene_graph.model_inspector().GetCollisionCandidates()) == 3


# --- rung 2: the derivative --------------------------------------------------------------------


def test_equations_of_motion_are_those_of_the_document(machine):
    closed, plant = machine.closed, machine.plant
    for x in states(20, seed=61).T:
        machine.put(x)
        M, bias, push = machine.equations()
        assert close(M, closed.inertia(x))
        assert close(plant.CalcBiasTerm(machine.context), convection(closed, x))
        assert close(-plant.CalcGravityGeneralizedForces(machine.context), closed.gravity(x))
        assert close(bias, convection(closed, x) + closed.gravity(x))
        assert np.array_equal(push, [0.0, 0.0, 0.0, TORQUE])


def test_points_move_as_in_the_document(machine):
    closed = machine.closed
    for x in states(20, seed=62).T:
        machine.put(x)
        for point in CONTACT_POINTS:
            assert close(machine.jacobian(point), jacobian(closed, x, point))
            drift = point_acceleration(closed, x, np.zeros(4), point)
            assert close(machine.drift(point), drift)


def test_energies_and_momenta_are_those_of_the_document(machine):
    plant, closed = machine.plant, machine.closed
    for x in states(20, seed=63).T:
        machine.put(x)
        assert close(plant.CalcPotentialEnergy(machine.context), closed.potential_energy(x))
        assert close(plant.CalcKineticEnergy(machine.context), closed.kinetic_energy(x))
        centre = position(closed, x, CG)
        assert close(plant.CalcCenterOfMassPositionInWorld(machine.context)[PLANE], centre)
        about = np.array([0.3, 0.0, -0.2])
        L = plant.CalcSpatialMomentumInWorldAboutPoint(machine.context, about)
        assert close(L.translational()[PLANE], momentum(closed, x))
        # counter-clockwise in the x-z plane is about -y
        assert close(-L.rotational()[1], angular_momentum_about(closed, x, about[PLANE]))


def _in_phase(phase, count, seed):
    if phase in SIGMA:
        return sliding(count, seed, SIGMA[phase])
    return standing(count, seed) if phase is JumpPhase.STICK else states(count, seed)


@pytest.mark.parametrize("phase", JumpPhase)
def test_every_phase_moves_the_plant(machine, phase):
    closed, mu = machine.closed, machine.closed.parameters.mu
    for x in _in_phase(phase, 20, seed=64).T:
        machine.put(x)
        M, bias, push = machine.equations()
        second, at_P = acceleration(closed, phase, x, TORQUE), force(closed, phase, x, TORQUE)
        # what the plant needs beyond the force of the ground is nothing
        lack = M @ second + bias - push - machine.jacobian(P).T @ at_P
        assert close(lack, np.zeros(4), 1e-12 * max(np.abs(bias).max(), np.abs(second).max()))
        # and it is what the plant's own equations give
        if phase is JumpPhase.STICK:
            a, pressing, condition = held(M, bias, push, machine.jacobian(P), machine.drift(P))
            assert close(at_P, pressing, 1e-14 * condition)
        elif phase is JumpPhase.FLIGHT:
            a, condition = np.linalg.solve(M, push - bias), np.linalg.cond(M)
        else:
            dragged = push + machine.jacobian(P)[0] * at_P[0]
            J, drift = machine.jacobian(P)[1:], machine.drift(P)[1:]
            a, pressing, condition = held(M, bias, dragged, J, drift)
            assert close(at_P, [-SIGMA[phase] * mu * pressing[0], pressing[0]], 1e-14 * condition)
        assert close(second, a, 1e-14 * condition)


# --- rung 3: the impact ------------------------------------------------------------------------


@pytest.mark.parametrize("point", CONTACT_POINTS, ids=["P", "Q", "R"])
def test_impacts_change_the_plants_momenta_by_their_impulse(machine, point):
    closed, plant = machine.closed, machine.plant
    for x in states(20, seed=65).T:
        # towards the ground at 1 m/s
        x[5] -= velocity(closed, x, point)[1] + 1.0
        struck = impact(closed, x, point)
        machine.put(x)
        M, J = machine.equations()[0], machine.jacobian(point)
        before = plant.CalcKineticEnergy(machine.context)
        assert close(M @ (struck.x[4:] - x[4:]), J.T @ struck.impulse, 1e-11)
        machine.put(struck.x)
        arriving, leaving = velocity(closed, x, point)[1], (J @ struck.x[4:])[1]
        assert leaving == pytest.approx(-closed.parameters.e_n * arriving, abs=1e-11)
        lost = before - plant.CalcKineticEnergy(machine.context)
        mean = 0.5 * (J @ (x[4:] + struck.x[4:]))
        assert lost == pytest.approx(-struck.impulse @ mean, abs=1e-11 * max(before, 1.0))
        assert lost > 0.0

"""PASIBOT's URDF against its closed form: numbers, joints, loops, motion, forces.

The plant's own equations of motion, with its loops as constraints, are solved without any engine.
"""

from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from pydrake.geometry import Role
from tests.machines.pasibot.assemblies import mass_centre
from tests.models.pasibot import ANGLES, ARGUMENTS, FOLDER, SETS, Machine
from tests.models.planar import compiled

from footfall.errors import ModelError
from footfall.machines.pasibot.closed_form.linkage import LINKS, PAIRS, TEXT, bodies, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, exchange, fold, soles
from footfall.machines.pasibot.closed_form.newton_euler import forward
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.model import BODIES, POINTS, state_of
from footfall.plants.coordinates import coordinate_names, joints_of
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario


@pytest.fixture(scope="module", params=SETS.values(), ids=list(SETS))
def machine(request):
    return Machine(request.param)


# --- the files ---------------------------------------------------------------------------------


def test_arguments_are_the_parameters_and_their_defaults():
    root = ET.parse(FOLDER / "pasibot.urdf.xacro").getroot()  # noqa: S314 (a file of our own)
    space = "{http://www.ros.org/wiki/xacro}"
    given = {arg.get("name"): arg.get("default") for arg in root.iter(f"{space}arg")}
    assert set(given) == {*ARGUMENTS, "standing"}


def test_no_two_links_look_alike():
    root = ET.fromstring(compiled("pasibot"))  # noqa: S314 (a file of our own)
    colours = {}
    for link in root.iter("link"):
        first = link.find("visual/material/color")
        if first is not None:
            colours[link.get("name")] = [float(word) for word in first.get("rgba").split()]
    assert set(colours) == set(BODIES.values())
    for one, other in combinations(colours, 2):
        assert np.abs(np.subtract(colours[one], colours[other])).max() > 0.04, (one, other)


def test_no_two_boxes_of_a_side_share_a_layer_where_they_cross():
    # bars of one leg have layers of their own, so that pictures do not flicker
    root = ET.fromstring(compiled("pasibot"))  # noqa: S314
    layers = {}
    for link in root.iter("link"):
        for visual in link.iter("visual"):
            box = visual.find("geometry/box")
            if box is not None:
                depth = float(visual.find("origin").get("xyz").split()[1])
                thick = float(box.get("size").split()[1])
                layers.setdefault(link.get("name"), []).append((depth, thick))
    moving = [name for name in layers if name not in ("hip", "crank") and "foot" not in name]
    for one, other in combinations(moving, 2):
        (a, thick), (b, _) = layers[one][0], layers[other][0]
        assert abs(a - b) > thick, (one, other)


# --- rung 1: the model -------------------------------------------------------------------------


def test_links_are_those_of_the_closed_form(machine):
    of, plant = bodies(machine.parameters), machine.plant
    for name in LINKS:
        inertia = plant.GetBodyByName(BODIES[name]).default_spatial_inertia()
        central = inertia.Shift(inertia.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
        assert inertia.get_mass() == pytest.approx(of[name].mass, rel=1e-14)
        # about the joints' direction; a thin rod has none about itself
        scale = of[name].inertia
        assert central[1, 1] == pytest.approx(scale, rel=1e-12)
        assert np.sort(np.diag(central)) == pytest.approx([0.0, scale, scale], abs=1e-12 * scale)
    total = plant.CalcTotalMass(machine.context)
    assert total == pytest.approx(total_mass(machine.parameters), rel=1e-14)


def test_the_files_joints_are_the_documents_pairs(machine):
    names = {body: link for link, body in BODIES.items()}
    of_tree = []
    for joint in joints_of(machine.plant):
        # a slot is a slide and a turn, with a body between them that is none of the links
        pair = [
            "hip" if body.name().startswith("slider") else body.name()
            for body in (joint.parent_body(), joint.child_body())
        ]
        if pair[0] != pair[1] and set(pair) <= set(names):
            of_tree.append(frozenset(names[name] for name in pair))
    closed = [
        frozenset(names[name.rpartition("::")[2]] for name in (ball.a, ball.b))
        for ball in machine.model.constraints
    ]
    assert (len(of_tree), len(closed)) == (23, 12)
    wanted = sorted(sorted((pair.first, pair.second)) for pair in PAIRS)
    assert sorted(sorted(pair) for pair in of_tree + closed) == wanted


def test_the_motor_acts_between_hip_and_crank(machine):
    plant = machine.plant
    (index,) = plant.GetJointActuatorIndices()
    actuator = plant.get_joint_actuator(index)
    joint = actuator.joint()
    assert (actuator.name(), joint.name()) == ("motor", "crank")
    assert (joint.parent_body().name(), joint.child_body().name()) == ("hip", "crank")
    assert np.isinf(actuator.effort_limit())


def test_heels_and_toes_are_where_the_soles_end(machine):
    assert machine.contacts.names == POINTS
    assert machine.contacts.dim == 2
    inspector = machine.model.scene_graph.model_inspector()
    assert len(inspector.GetAllGeometryIds(Role.kProximity)) == 5  # with the ground
    for th8 in ANGLES:
        machine.put(th8, 0.0)
        gap, place = machine.dynamics.gaps()
        folded, steps = fold(np.array(th8))
        ends = soles(machine.parameters, folded).value
        # of the supporting foot first, which is foot 2 in steps of an odd number
        ends = (ends if steps % 2 == 0 else ends[::-1]).ravel()
        assert gap == pytest.approx(np.imag(ends), abs=1e-12)
        ahead = np.real(ends) + steps * exchange(machine.parameters)["step"]
        if abs(exchange(machine.parameters)["height"]) < 1e-12:
            assert place[:, 0] == pytest.approx(ahead, abs=1e-12)


@pytest.mark.parametrize(("standing", "touching"), [("held", 0), ("foot_1", 2), ("both", 4)])
def test_argument_standing_chooses_the_feet_that_touch(standing, touching):
    machine = Machine(TEXT, standing)
    assert machine.contacts.names == POINTS[:touching]
    base = {"x", "z", "tilt"} & set(coordinate_names(machine.plant)[0])
    assert len(base) == (0 if standing == "held" else 3)


# --- rung 2: kinematics ------------------------------------------------------------------------


@pytest.mark.parametrize("th8", ANGLES)
def test_states_of_the_closed_form_close_all_loops(machine, th8):
    state = machine.put(th8, 2.3, slide=0.04, slide_rate=0.3)
    gap, jacobian = machine.loops()
    assert np.abs(gap).max() < 1e-12 * 0.05 / machine.parameters.l8
    assert np.abs(jacobian @ state[machine.plant.num_positions() :]).max() < 1e-12


def test_the_machine_stands_on_both_feet_by_default():
    machine = Machine(TEXT)
    default = machine.plant.GetPositions(machine.plant.CreateDefaultContext())
    state = state_of(machine.plant, TEXT, STEP_BEGINS, 0.0)
    assert np.abs(state[: default.size] - default).max() < 1e-15
    machine.dynamics.set_state(state)
    assert np.abs(machine.dynamics.gaps()[0]).max() < 1e-15
    # the loops hold all but x, z, tilt and the crank
    rank = np.linalg.matrix_rank(machine.loops()[1], tol=1e-6)
    assert machine.plant.num_velocities() - rank == 4


@pytest.mark.parametrize("th8", ANGLES)
def test_energies_and_momentum_are_those_of_one_degree_of_freedom(machine, th8):
    rate, parameters = 2.3, machine.parameters
    if abs(exchange(parameters)["height"]) > 1e-9:
        th8 = STEP_BEGINS + (th8 - STEP_BEGINS) % np.pi  # its steps do not fit together
    machine.put(th8, rate)
    folded, steps = fold(np.array(th8))
    exact = two_freedoms(parameters, folded)
    plant, context = machine.plant, machine.context
    assert plant.CalcKineticEnergy(context) == pytest.approx(
        0.5 * exact.inertia * rate**2, rel=1e-12
    )
    assert plant.CalcPotentialEnergy(context) == pytest.approx(exact.potential, rel=1e-12)
    centre = plant.CalcCenterOfMassPositionInWorld(context)
    ahead = mass_centre(parameters, folded).value.real + steps * exchange(parameters)["step"]
    assert centre[0] == pytest.approx(ahead, abs=1e-12)
    momentum = plant.CalcSpatialMomentumInWorldAboutPoint(context, np.zeros(3)).translational()
    assert momentum[0] == pytest.approx(exact.sway * rate, abs=1e-12)
    assert momentum[2] == pytest.approx(exact.gravity / parameters.g * rate, abs=1e-12)


# --- rung 3: forces ----------------------------------------------------------------------------


def _solved(machine, torque, v):
    """Acceleration and multipliers of the loops and of the foot that is at rest, (m + 3,)."""
    plant, context = machine.plant, machine.context
    M, bias = plant.CalcMassMatrix(context), plant.CalcBiasTerm(context)
    force = plant.CalcGravityGeneralizedForces(context) - bias
    force = force + plant.MakeActuationMatrix() @ [torque]
    names = coordinate_names(plant)[1]
    foot = np.eye(v.size)[[names.index(name) for name in ("x", "z", "tilt")]]
    G = np.vstack([machine.loops()[1], foot])
    drift = np.concatenate([machine.drift(), np.zeros(3)])
    system = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
    # rows across the plane are 0 = 0; of them the shortest solution makes no forces
    solution = np.linalg.lstsq(system, np.concatenate([force, -drift]), rcond=1e-12)[0]
    return solution[: v.size], solution[v.size :]


@pytest.mark.parametrize("th8", [angle for angle in ANGLES if 1.6 < angle < 4.7])
def test_equations_of_motion_and_forces_are_the_documents(machine, th8):
    rate, torque, parameters = 2.3, 1.7, machine.parameters
    state = machine.put(th8, rate)
    acceleration, multipliers = _solved(machine, torque, state[machine.plant.num_positions() :])
    exact = forward(parameters, np.array(th8), np.array(rate), np.array(torque))
    crank = coordinate_names(machine.plant)[1].index("crank")
    # a system of condition 1e8, in double precision
    assert acceleration[crank] == pytest.approx(float(exact.acceleration), rel=1e-8)
    names = {body: link for link, body in BODIES.items()}
    closed = {frozenset((pair.first, pair.second)): k for k, pair in enumerate(PAIRS)}
    weight = total_mass(parameters) * parameters.g
    for k, ball in enumerate(machine.model.constraints):
        on, by = (names[name.rpartition("::")[2]] for name in (ball.a, ball.b))
        pair = closed[frozenset((on, by))]
        sign = 1.0 if PAIRS[pair].second == on else -1.0
        along, _, up = sign * multipliers[3 * k : 3 * k + 3]
        assert abs(complex(along, up) - exact.joints[pair]) < 1e-8 * weight
    along, up, moment = multipliers[-3:]
    assert abs(complex(along, up) - exact.floor) < 1e-8 * weight
    # the moment is about the ankle; where the force acts on the ground follows from it
    height = parameters.ankle_height * parameters.l8
    zmp = (moment - height * along) / up
    assert zmp == pytest.approx(float(exact.zmp), abs=1e-8)


def test_the_feet_rest_at_an_exchange():
    machine = Machine(TEXT)
    for steps in (1, 2, 3):
        machine.put(STEP_BEGINS + steps * np.pi, 3.0)
        assert np.abs(machine.dynamics.gaps()[0]).max() < 1e-12
        speeds = machine.dynamics.measure.jacobian(np.arange(4)) @ machine.plant.GetVelocities(
            machine.context
        )
        assert np.abs(speeds).max() < 1e-11


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"knee": "sideways"}, "knee is 'sideways': give forward or rearward."),
        ({"slot_end": "up"}, "slot_end is 'up': give behind or ahead."),
        ({"standing": "on_one"}, "standing is 'on_one': give held, foot_1 or both."),
        ({"hip_share": 1.0}, ": give a share from 0, below 1."),
        ({"drop": 30.0}, "do not close: femur_part and the tendon l6 do not meet between C and D."),
        ({"l9": 9.0}, "do not close: the rod l7 and the rocker l9 do not meet over the base."),
        ({"slot": 10.0}, "do not close: the stabiliser l10 does not reach the slot."),
    ],
)
def test_arguments_of_no_machine_are_refused_in_one_line(arguments, told):
    scenario = load_scenario("pasibot/walk")
    scenario.arguments = {"pasibot": arguments}
    with pytest.raises(ModelError) as refused:
        build_robot(scenario)
    assert str(refused.value).endswith(told)
    assert "\n" not in str(refused.value)
